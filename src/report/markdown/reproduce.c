#include <stdlib.h>
#include <string.h>

#include "cgprofile/profile.h"
#include "src/diff/environment.h"
#include "src/report/markdown/markdown.h"
#include "src/report/metric_option.h"
#include "src/text/shell.h"

bool md_is_nameable(const struct report_origin *o)
{
	return !o->selected && shell_is_plain(o->name) && *o->name != '-' &&
	       strlen(o->name) <= MD_LONGEST_WORD;
}

/* A label, not a path or a pattern: that is what irdiff profile writes. */
static bool is_label(const struct report_origin *o)
{
	return o->path && strcmp(o->path, o->name) != 0 && !strpbrk(o->name, "*?[/");
}

/* How a label is measured is a command below. */
static void print_md_origin(struct md_page *p, const char *side, const struct report_origin *o)
{
	const char *facts[] = { is_label(o) ? NULL : o->command, o->commit, o->when };
	const char *titles[] = { "", "commit ", "written " };

	if (!*o->name)
		return;
	fprintf(p->to, "- %s ", side);
	md_code(p, o->name, MD_FACT);
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		if (!facts[i] || !*facts[i])
			continue;
		fprintf(p->to, ", %s", titles[i]);
		md_code(p, facts[i], MD_FACT);
		if (facts[i] == o->commit && o->changed)
			fputs(" with changes", p->to);
	}
	fputc('\n', p->to);
}

static void print_md_origins(struct md_page *p, const struct diff_report *r)
{
	print_md_origin(p, "base", &r->base);
	print_md_origin(p, "head", &r->head);
	if (r->filter) {
		fprintf(p->to, "- %ss that match ", cg_rollup_word(r->diff->options.by));
		md_code(p, r->filter, MD_FACT);
		fputc('\n', p->to);
	}
}

/* What a measurement replaces is LABEL.old afterwards: measured again is LABEL, twice. */
static void print_label(FILE *to, const char *label)
{
	size_t len = strlen(label), old = strlen(".old");
	char *replaced = len > old && strcmp(label + len - old, ".old") == 0
				 ? strndup(label, len - old)
				 : NULL;
	shell_print_word(to, replaced ? replaced : label);
	free(replaced);
}

/* One line of the block; nothing that would end it or mean something else in a shell. */
static void print_measuring(FILE *to, const char *side, const struct report_origin *o,
			    const struct cg_profile *profile)
{
	const char *command = cg_desc_value(profile, SUBJECT_PREFIX "command");
	const char *bench = cg_desc_value(profile, SUBJECT_PREFIX "benchmark");

	if (!is_label(o) || !command || !shell_is_plain(command) ||
	    strlen(command) > MD_LONGEST_COMMAND)
		return;
	if (o->commit && shell_is_plain(o->commit) && strlen(o->commit) <= MD_LONGEST_WORD)
		fprintf(to, "# %s: build commit %s%s, then", side, o->commit,
			o->changed ? " with its changes" : "");
	else
		fprintf(to, "# %s: build it as it %s, then", side,
			strcmp(side, "base") == 0 ? "was" : "is");
	fputs("\nirdiff profile --label ", to);
	print_label(to, o->name);
	if (bench && shell_is_plain(bench) && strlen(bench) <= MD_LONGEST_WORD) {
		fputc(' ', to);
		shell_print_word(to, bench);
	} else {
		fprintf(to, " -- %s", command);
	}
	fputc('\n', to);
}

/* The profile says which commit: it is not to be more than that in a shell. */
static bool is_commit(const struct report_origin *o)
{
	return strchr(o->name, '@') && o->commit && *o->commit &&
	       !o->commit[strspn(o->commit, "0123456789abcdef")] &&
	       strlen(o->commit) <= MD_LONGEST_WORD;
}

/* What was measured of commits is not for labels: one command does it all again. False: it was
 * not. */
static bool print_commits(FILE *to, const struct diff_report *r)
{
	static const char baseline[] = "baseline:";
	const char *bench = cg_desc_value(r->diff->head, SUBJECT_PREFIX "benchmark");
	bool of_baseline = strncmp(r->base.name, baseline, sizeof baseline - 1) == 0;

	if (!bench || !shell_is_plain(bench) || !is_commit(&r->head) ||
	    (!of_baseline && !is_commit(&r->base)))
		return false;
	bool changed = r->head.changed;
	fprintf(to, changed ? "# head: commit %s, with changes\n" : "# head: commit %s\n",
		r->head.commit);
	fputs("irdiff compare", to);
	print_metric_option(r->diff, to);
	fputc(' ', to);
	if (of_baseline) {
		const char *name = r->base.name + sizeof baseline - 1;
		fprintf(to, "--baseline=%.*s", (int)strcspn(name, "/"), name);
	} else {
		fprintf(to, "%s%s%s", r->base.commit, changed ? "" : "..",
			changed ? "" : r->head.commit);
	}
	fputs(" -b ", to);
	shell_print_word(to, bench);
	fputc('\n', to);
	return true;
}

static void print_comparisons(FILE *to, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	bool groups = d->options.by != CG_BY_FUNCTION;
	bool calls = r->causes || (d->base->has_calls && d->head->has_calls && diff_knows_calls(d));

	fputs("irdiff diff", to);
	if (groups)
		fprintf(to, " --by=%s", cg_rollup_word(d->options.by));
	else if (calls)
		fputs(" --view=causes", to);
	print_metric_option(d, to);
	fprintf(to, "%s ", summary_details_option(r));
	shell_print_word(to, r->base.name);
	fputc(' ', to);
	shell_print_word(to, r->head.name);
	fputs(!groups && calls ? "  # or: flat, tree, source\n" : "\n", to);
}

static void print_fenced(struct md_page *p, const char *block)
{
	size_t fence = 3, run = 0;

	for (const char *c = block; *c; c++) {
		run = *c == '`' ? run + 1 : 0;
		fence = run >= fence ? run + 1 : fence;
	}
	for (size_t i = 0; i < fence; i++)
		fputc('`', p->to);
	fprintf(p->to, "sh\n%s", block);
	for (size_t i = 0; i < fence; i++)
		fputc('`', p->to);
	fputc('\n', p->to);
}

/* The commands, if both sides can be named. */
static void print_md_commands(struct md_page *p, const struct diff_report *r)
{
	struct md_text block;

	if (!md_is_nameable(&r->base) || !md_is_nameable(&r->head) || !md_text_begin(p, &block))
		return;
	if (!print_commits(block.to, r)) {
		print_measuring(block.to, "base", &r->base, r->diff->base);
		print_measuring(block.to, "head", &r->head, r->diff->head);
	}
	print_comparisons(block.to, r);
	fputc('\n', p->to);
	print_fenced(p, md_text_end(p, &block));
	free(block.text);
}

void md_reproduce(struct md_page *p, const struct diff_report *r)
{
	bool both = summary_is_difference(r);

	md_block(p, NULL, both ? "Reproduce this and look further" : "Measurement");
	print_md_origins(p, r);
	if (both)
		print_md_commands(p, r);
	md_block_end(p);
}
