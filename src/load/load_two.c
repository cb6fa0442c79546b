/* Two profiles, read at once and alike. */
#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/support/thread.h"
#include "cgprofile/names.h"
#include "src/diff/diff.h"
#include "src/load/loading.h"
#include "src/load/project.h"

struct loading_side {
	const struct project *project;
	const char *operand;
	const struct load_options *options;
	struct progress *progress;
	struct loaded found, *out;
	struct cg_error err;
	int status;
	bool folded; /* read again without inlined functions */
};

static void find_one_of_two(struct loading_side *l)
{
	l->status = loading_find(l->project, &l->operand, 1, l->options, &l->found, &l->err);
}

static void read_one_of_two(void *context)
{
	struct loading_side *l = context;
	if (!l->status)
		l->status = loading_read(l->project, l->options, l->progress, &l->found, &l->err);
	if (l->status)
		loaded_free(&l->found);
	else
		*l->out = l->found;
}

/* Only one can be the standard input; the other one must fail as it would alone. */
static bool is_read_aside(const struct loading_side *b, const struct loading_side *h)
{
	const uint64_t worth_a_thread = 256 * 1024;

	return strcmp(b->operand, "-") != 0 && strcmp(h->operand, "-") != 0 &&
	       loading_size(&b->found.files) >= worth_a_thread &&
	       loading_size(&h->found.files) >= worth_a_thread;
}

/* Where a profile does not name inlined functions, it may just have none. */
static bool is_looked_up(const struct loaded *l)
{
	return l->inlining.report.source > INLINING_NAMED;
}

static bool is_missing(const struct loaded *l, const char *object)
{
	const struct report_inlining *i = &l->inlining.report;
	for (size_t m = 0; m < i->nmissing; m++)
		if (strcmp(cg_base_name(i->missing[m].object), cg_base_name(object)) == 0)
			return true;
	return false;
}

/* An object of weight whose inlined functions only the other side may know. NULL: none. */
static const char *lacking_object(const struct loaded *l, const struct loaded *other)
{
	const double least = 0.01;
	const struct cg_profile *p = l->profile;
	const struct report_inlining *i = &l->inlining.report;

	for (size_t m = 0; m < i->nmissing; m++) {
		const char *object = i->missing[m].object;
		/* Texts have no directories. */
		const char *called = diff_self_only(p) ? cg_base_name(object) : object;
		double cost = (double)inlining_object_cost(p, called, 0);
		if (cost > least * (double)p->total[0] && !is_missing(other, object))
			return object;
	}
	return NULL;
}

static bool is_all_unknown(const struct loaded *l)
{
	return l->inlining.report.source == INLINING_UNKNOWN;
}

/* What of a profile has inlined functions that are not known, while the other side's are. */
static const char *unknown_part(const struct loaded *l, const struct loaded *other)
{
	if (!is_looked_up(other))
		return NULL;
	if (!is_all_unknown(l))
		return lacking_object(l, other);
	const char *object = inlining_costliest(l->profile);
	return *object ? object : l->name;
}

static int reload(struct loading_side *l, const struct load_options *options, struct cg_error *err)
{
	loaded_free(l->out);
	struct progress *p = loading_progress(l->project, l->options, "reading", l->operand);
	int status = loading_operands(l->project, &l->operand, 1, options, p, l->out, err);
	progress_end(p);
	return status;
}

static int reload_folded(struct loading_side *l, struct cg_error *err)
{
	struct load_options folded = *l->options;
	if (!is_looked_up(l->out))
		return CG_OK;
	folded.read.fold_inlined = true;
	folded.read.join_cold = false;
	if (folded.stored == STORED_LINES)
		folded.stored = STORED_PLAIN;
	l->folded = true;
	return reload(l, &folded, err);
}

#define WARNING_OF_INLINES(text) \
	{ \
		"the inlined functions of ", text, text \
	}

static bool any_kept_apart(const struct loaded *base, const struct loaded *head)
{
	return inlining_kept_apart(base->profile) || inlining_kept_apart(head->profile);
}

/* Two profiles are only comparable if the inlined functions of both are known, or of none. */
static int fold_unlike(struct loading_side *b, struct loading_side *h, struct cg_error *err)
{
	static const struct warning_kind piped = WARNING_OF_INLINES(
		"are not known, and input from a pipe cannot be read again; compare with "
		"--inlines=no");
	static const struct warning_kind folded[] = {
		WARNING_OF_INLINES("are not known in base, so in base and head inlined code counts "
				   "for the functions around it"),
		WARNING_OF_INLINES("are not known in head, so in base and head inlined code counts "
				   "for the functions around it"),
	};
	static const struct warning_kind one_sided = WARNING_OF_INLINES(
		"are known in only one of base and head, and a text baseline always counts inlined "
		"functions separately; functions may differ only because of that");
	bool silent = b->options->silent;
	const char *unknown = unknown_part(b->out, h->out);
	bool of_head = !unknown;
	if (of_head)
		unknown = unknown_part(h->out, b->out);
	if (!unknown)
		return CG_OK;
	bool apart = any_kept_apart(b->out, h->out);
	if (apart || !loaded_is_lasting(b->out) || !loaded_is_lasting(h->out)) {
		if (!silent)
			warnings_add(b->options->warnings, b->project->notices,
				     apart ? &one_sided : &piped, unknown);
		return CG_OK;
	}
	if (!silent)
		warnings_add(b->options->warnings, b->project->notices, &folded[of_head], unknown);
	int status = reload_folded(b, err);
	return status ? status : reload_folded(h, err);
}

/* What a text keeps apart cannot be folded, so its other side is not either. `apart` becomes the
 * options of both. */
static int unfold_like_text(struct loading_side *b, struct loading_side *h,
			    struct load_options *apart, struct cg_error *err)
{
	static const struct warning_kind kind = {
		"--inlines=no has no effect: ",
		"counts inlined functions separately",
		"count inlined functions separately",
	};
	struct loading_side *text = inlining_kept_apart(b->out->profile) ? b : h;
	struct loading_side *other = text == b ? h : b;

	*apart = *b->options;
	apart->read.fold_inlined = false;
	apart->read.join_cold = true;
	if (apart->stored == STORED_PLAIN)
		apart->stored = STORED_LINES;
	b->options = h->options = apart;
	if (diff_self_only(other->out->profile) || !loaded_is_lasting(other->out))
		return CG_OK;
	if (!apart->silent)
		warnings_add(apart->warnings, b->project->notices, &kind, text->out->name);
	return reload(other, apart, err);
}

/* Contexts tell paths apart that the other side cannot: all of these would be changes. They are
 * stored with labels, and not with a copy of a profile or that of another project. */
static int forget_contexts(struct loading_side *b, struct loading_side *h, struct cg_error *err)
{
	struct loading_side *more = b->out->contexts ? b : h;
	const struct loaded *less = more == b ? h->out : b->out;
	struct load_options plain = *more->options;

	if (b->out->contexts == h->out->contexts)
		return CG_OK;
	plain.stored = less->inlining.report.source == INLINING_UNKNOWN ? STORED_PLAIN
									: STORED_LINES;
	if (b->folded || h->folded) {
		plain.stored = STORED_PLAIN;
		plain.read.fold_inlined = true;
		plain.read.join_cold = false;
	}
	int status = reload(more, &plain, err);
	return status ? status : loading_inlined(more->project, &plain, more->out, err);
}

static void load_both(struct loading_side *b, struct loading_side *h)
{
	struct progress *p = loading_progress(b->project, b->options, "reading two profiles", NULL);
	struct cg_thread aside;
	b->progress = h->progress = p;
	find_one_of_two(b);
	find_one_of_two(h);
	bool both = is_read_aside(b, h);

	if (both)
		cg_thread_start(&aside, read_one_of_two, h);
	read_one_of_two(b);
	if (both)
		cg_thread_join(&aside);
	else if (!b->status)
		read_one_of_two(h);
	else
		loaded_free(&h->found);
	progress_end(p);
}

int load_profiles(const struct project *project, const char *base, const char *head,
		  const struct load_options *options, struct loaded *base_out,
		  struct loaded *head_out, struct cg_error *err)
{
	struct loading_side b = {
		.project = project, .operand = base, .options = options, .out = base_out
	};
	struct loading_side h = {
		.project = project, .operand = head, .options = options, .out = head_out
	};
	struct load_options apart;

	load_both(&b, &h);
	if (b.status || h.status) {
		*err = b.status ? b.err : h.err;
		return b.status ? b.status : h.status;
	}
	int status = CG_OK;
	if (options->read.fold_inlined && any_kept_apart(base_out, head_out)) {
		status = unfold_like_text(&b, &h, &apart, err);
		options = &apart;
	}
	if (!status)
		status = loading_inlined(project, options, base_out, err);
	if (!status)
		status = loading_inlined(project, options, head_out, err);
	if (!status && !options->read.fold_inlined)
		status = fold_unlike(&b, &h, err);
	if (!status)
		status = forget_contexts(&b, &h, err);
	if (status)
		return status;
	loading_describe(base_out, options);
	loading_describe(head_out, options);
	if (!options->silent) {
		loading_warn(project->notices, base_out);
		loading_warn(project->notices, head_out);
	}
	return CG_OK;
}

static int build_nothing(const struct cg_profile *like, struct cg_profile **out)
{
	const struct cg_detail detail = { .contexts = true };
	struct cg_builder *b;
	int status = cg_builder_new(&b, &detail);

	if (status)
		return status;
	for (uint32_t e = 0; !status && e < like->nevents; e++) {
		const char *name = cg_string(like, like->events[e].name);
		struct cg_event event = { 0 };
		status = cg_build_string(b, name, strlen(name), &event.name);
		if (!status)
			status = cg_build_event(b, &event);
	}
	if (!status)
		return cg_builder_finish(b, out);
	cg_builder_free(b);
	return status;
}

int make_nothing(const struct cg_profile *like, struct cg_profile **out, struct cg_error *err)
{
	return build_nothing(like, out) ? cg_fail_nomem(err) : CG_OK;
}

int load_profile_alone(const struct project *project, const char *operand,
		       const struct load_options *options, struct loaded *out,
		       struct loaded *nothing, struct cg_error *err)
{
	int status = load_profile(project, &operand, 1, options, out, err);

	if (status)
		return status;
	nothing->name = strdup("");
	status = nothing->name ? make_nothing(out->profile, &nothing->profile, err)
			       : cg_fail_nomem(err);
	if (status)
		return status;
	loading_describe(nothing, options);
	return CG_OK;
}
