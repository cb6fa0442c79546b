#include "src/cmd/show_audit.h"

#include <stdlib.h>
#include <string.h>

#include "src/cli/output.h"
#include "src/load/disputed_lines.h"
#include "src/load/load.h"
#include "src/load/select_parts.h"
#include "src/report/show.h"
#include "src/view/pattern.h"

struct audited_profile {
	const struct audit_options *options;
	struct part_selection selection;
	struct loaded loaded;
	struct pattern *filter, *ignore;
};

static int choose_audited_functions(const struct audited_profile *v, bool *chosen,
				    struct cg_error *err)
{
	const struct cg_profile *p = v->loaded.profile;
	int status = CG_OK;

	for (uint32_t f = 1; !status && f < p->nfunctions; f++)
		status = view_choose(p, f, v->filter, v->ignore, &chosen[f], err);
	return status;
}

static int render_audit(const struct audited_profile *v, const struct cg_audit *audit,
			const struct audit_disputes *disputes, const bool *chosen,
			struct cg_error *err)
{
	const struct audit_options *s = v->options;
	struct output out;
	struct audit_report report = {
		.profile = v->loaded.profile,
		.origin = v->loaded.origin,
		.audit = audit,
		.disputes = *disputes,
		.filter = s->filter,
		.chosen = chosen,
		.top = s->top,
	};
	int status = output_open(&out, s->output, s->color, s->wide, err);
	if (status)
		return status;
	status = strcmp(s->format, "json") == 0 ? show_audit_json(&report, out.to)
						: show_audit_text(&report, &out.style, out.to);
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	return output_close(&out, status, err);
}

/* Lines are in another file than records as callgrind counted them. What came through a pipe cannot
 * be read again, and some producers write lines that are none: then nothing is known of them. */
static int find_disputed_code(const struct audited_profile *v, const struct project *project,
			      const struct arguments *args, struct loaded *lines,
			      struct audit_disputes *out, struct cg_error *err)
{
	const struct load_options load = {
		.read = { .detail = { .lines = true },
			  .lenient = v->options->reading->lenient,
			  .selection = &v->selection.chosen },
		.stored = STORED_LINES,
		.silent = true,
	};
	struct disputed_lines found;
	struct cg_error ignored;

	if (!loaded_is_lasting(&v->loaded))
		return CG_OK;
	int status = load_profile(project, args->operands, args->count, &load, lines, &ignored);
	if (status)
		return status == CG_ENOMEM ? cg_fail_nomem(err) : CG_OK;
	status = disputed_lines_find(lines, &found, err);
	if (status)
		return status;
	*out = (struct audit_disputes){ .known = found.known,
					.lines = found.count,
					.self = found.self };
	if (found.most) {
		const struct cg_profile *p = lines->profile;
		const struct cg_line *line = &p->lines[found.most];
		out->function = view_function(p, p->records[line->record].function);
		out->file = cg_string(p, line->file);
		out->line = line->line;
	}
	return CG_OK;
}

/* Records as they are in the file: the checks are about these. */
static int audit(struct audited_profile *v, const struct project *project,
		 const struct arguments *args, struct cg_error *err)
{
	const struct load_options load = {
		.read = { .detail = { .contexts = true },
			  .fold_inlined = true,
			  .lenient = v->options->reading->lenient,
			  .selection = &v->selection.chosen },
		.stored = STORED_PLAIN,
	};
	struct audit_disputes disputes = { 0 };
	struct loaded lines = { 0 };
	struct cg_audit *made = NULL;
	bool *chosen = NULL;

	int status = part_selection_parse(&v->options->reading->selection, &v->selection, err);
	if (!status)
		status = pattern_compile_optional(v->options->filter, &v->filter, err);
	if (!status)
		status = pattern_compile_optional(v->options->ignore, &v->ignore, err);
	if (!status)
		status = load_profile(project, args->operands, args->count, &load, &v->loaded, err);
	if (status)
		return status;
	chosen = calloc((size_t)v->loaded.profile->nfunctions + 1, sizeof *chosen);
	if (!chosen || cg_audit_make(v->loaded.profile, &made))
		status = cg_fail_nomem(err);
	if (!status)
		status = choose_audited_functions(v, chosen, err);
	if (!status)
		status = find_disputed_code(v, project, args, &lines, &disputes, err);
	if (!status)
		status = render_audit(v, made, &disputes, chosen, err);
	loaded_free(&lines);
	cg_audit_free(made);
	free(chosen);
	return status;
}

int show_audit(const struct audit_options *options, const struct project *project,
	       const struct arguments *args, struct cg_error *err)
{
	struct audited_profile v = { .options = options };
	int status = audit(&v, project, args, err);

	pattern_free(v.filter);
	pattern_free(v.ignore);
	part_selection_free(&v.selection);
	loaded_free(&v.loaded);
	return status;
}
