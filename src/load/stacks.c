#include "src/load/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/folded.h"
#include "cgprofile/tree.h"
#include "src/diff/environment.h"
#include "src/load/profile_events.h"
#include "src/load/project.h"
#include "src/report/export/export.h"
#include "src/status/progress.h"

struct stacks {
	const struct loaded *loaded;
	enum stack_format format;
	uint32_t *events;
	size_t nevents;
	struct cg_tree *tree;
	uint32_t *first_line; /* per function */
};

/* A share that is not 0 is never shown as 0. */
static const char *format_share(double percent, char *buffer, size_t size)
{
	if (percent > 0 && percent < 0.005)
		return "less than 0.01%";
	snprintf(buffer, size, "%.2f%%", percent);
	return buffer;
}

/* Every output that shows an estimated tree says so. */
static void warn_about_doubt(const struct notices *n, const char *name, const struct cg_tree *t)
{
	struct cg_tree_doubt doubt;
	char share[40];

	if (t->exact)
		return;
	cg_tree_find_doubt(t, &doubt);
	if (doubt.estimated > 0)
		notice_warning(n,
			       "%s does not record all call paths; the stacks of %s of the cost "
			       "are estimated",
			       name, format_share(doubt.estimated, share, sizeof share));
	if (doubt.truncated > 0)
		notice_warning(
			n,
			"%s does not record the full depth of recursion; the stacks of %s of the cost "
			"also represent deeper ones",
			name, format_share(doubt.truncated, share, sizeof share));
	if (t->misfit.records)
		notice_warning(
			n, "in %s, calls and callees differ by %s of %s; the stacks are not exact",
			name, format_share(t->misfit.percent, share, sizeof share),
			cg_string(t->profile, t->profile->events[t->misfit.event].name));
	if (doubt.cut > 0)
		notice_warning(n,
			       "too many paths to write; the stacks of %s of the cost end "
			       "early",
			       format_share(doubt.cut, share, sizeof share));
}

static int find_events(struct stacks *s, const char *names, struct cg_error *err)
{
	const struct cg_profile *p = s->loaded->profile;
	bool one = s->format == STACKS_FOLDED;

	if (one && !names && cg_event_index(p, "Ir") >= 0)
		names = "Ir";
	int status = parse_events(p, names, &s->events, &s->nevents, err);
	if (!status && one && names && s->nevents > 1)
		status = cg_fail(err, CG_EINVAL, NULL, 0, "folded stacks hold one event, not '%s'",
				 names);
	return status;
}

/* Paths are in the order of the event that counts most. */
static uint32_t leading_event(const struct stacks *s)
{
	int ir = cg_event_index(s->loaded->profile, "Ir");
	for (size_t i = 0; i < s->nevents; i++)
		if (ir >= 0 && s->events[i] == (uint32_t)ir)
			return s->events[i];
	return s->events[0];
}

static int fail_tree(const char *name, int status, struct cg_error *err)
{
	if (status == CG_ENOMEM)
		return cg_fail_nomem(err);
	return cg_fail(err, status, name, 0, "the cost of a call path exceeds 2^63");
}

/* What comes before main is hardly ever what someone wants to see. */
static int begin_at_main(struct stacks *s)
{
	uint32_t function = cg_tree_main(s->tree);
	struct cg_tree *rooted;
	if (!function)
		return CG_OK;

	bool *is_root = calloc((size_t)s->loaded->profile->nfunctions + 1, sizeof *is_root);
	if (!is_root)
		return CG_ENOMEM;
	is_root[function] = true;
	int status = cg_tree_root(s->tree, is_root, &rooted);
	free(is_root);
	if (status)
		return status;
	cg_tree_free(s->tree);
	s->tree = rooted;
	return CG_OK;
}

static int make_stack_tree(const struct notices *n, struct stacks *s)
{
	struct cg_tree_options options = { .event = leading_event(s) };
	struct progress *progress = progress_begin(n, "building the call tree of", s->loaded->name);
	int status = cg_tree_make(s->loaded->profile, &options, &s->tree);

	if (!status && s->format == STACKS_SPEEDSCOPE)
		status = begin_at_main(s);
	progress_end(progress);
	return status;
}

/* ---- lines ---- */

static int compare_stack_functions(const struct cg_profile *p, uint32_t f,
				   const struct cg_profile *q, uint32_t g)
{
	const struct cg_function *a = &p->functions[f], *b = &q->functions[g];
	int order = strcmp(cg_string(p, a->name), cg_string(q, b->name));

	if (!order)
		order = strcmp(cg_string(p, a->file), cg_string(q, b->file));
	return order ? order : strcmp(cg_string(p, a->object), cg_string(q, b->object));
}

static int compare_of_one(const void *left, const void *right, void *context)
{
	return compare_stack_functions(context, *(const uint32_t *)left, context,
				       *(const uint32_t *)right);
}

/* The functions of a profile by name; NULL: out of memory. */
static uint32_t *sort_functions(const struct cg_profile *p)
{
	uint32_t *sorted = malloc(((size_t)p->nfunctions + 1) * sizeof *sorted);

	for (uint32_t f = 1; sorted && f < p->nfunctions; f++)
		sorted[f - 1] = f;
	if (sorted && p->nfunctions > 1)
		qsort_r(sorted, p->nfunctions - 1, sizeof *sorted, compare_of_one, (void *)p);
	return sorted;
}

/* A file of contexts has no lines, and the one with lines the same functions. */
static int adopt_lines(struct stacks *s, const struct cg_profile *lines)
{
	const struct cg_profile *p = s->loaded->profile;
	uint32_t *ours = sort_functions(p), *theirs = sort_functions(lines);
	uint32_t *first = export_first_lines(lines);
	int status = ours && theirs && first ? CG_OK : CG_ENOMEM;

	for (uint32_t i = 1, j = 1; !status && i < p->nfunctions && j < lines->nfunctions;) {
		int order = compare_stack_functions(p, ours[i - 1], lines, theirs[j - 1]);
		if (order == 0)
			s->first_line[ours[i - 1]] = first[theirs[j - 1]];
		i += order <= 0;
		j += order >= 0;
	}
	free(ours);
	free(theirs);
	free(first);
	return status;
}

static int find_stack_lines(struct stacks *s, const struct cg_profile *lines)
{
	s->first_line = export_first_lines(s->loaded->profile);
	if (!s->first_line)
		return CG_ENOMEM;
	return lines ? adopt_lines(s, lines) : CG_OK;
}

/* ---- writing ---- */

static int write_stack_tree(const struct stacks *s, FILE *to, struct cg_error *err)
{
	const struct cg_profile *p = s->loaded->profile;
	struct export x = {
		.tree = s->tree,
		.events = s->events,
		.nevents = s->nevents,
		.name = s->loaded->name,
		.creator = CREATOR,
		.first_line = s->first_line,
		.image = cg_desc_value(p, SUBJECT_PREFIX "image"),
		.build_id = cg_desc_value(p, SUBJECT_PREFIX "build_id"),
	};

	if (!x.image)
		x.build_id = NULL;
	switch (s->format) {
	case STACKS_SPEEDSCOPE:
		return export_speedscope(&x, to, err);
	case STACKS_PPROF:
		return export_pprof(&x, to, err);
	default:
		return cg_write_folded(s->tree, s->events[0], to, err);
	}
}

int stacks_write(const struct loaded *l, const struct cg_profile *lines, enum stack_format format,
		 const char *events, FILE *to, const struct notices *notices, struct cg_error *err)
{
	struct stacks s = { .loaded = l, .format = format };
	int status = find_events(&s, events, err);
	int made = status ? CG_OK : make_stack_tree(notices, &s);

	if (made)
		status = fail_tree(l->name, made, err);
	if (!status && find_stack_lines(&s, lines))
		status = cg_fail_nomem(err);
	struct progress *progress = status ? NULL : progress_begin(notices, "writing", NULL);
	if (!status)
		status = write_stack_tree(&s, to, err);
	progress_end(progress);
	if (!status && ferror(to))
		status = CG_EIO;
	if (!status)
		warn_about_doubt(notices, l->name, s.tree);
	cg_tree_free(s.tree);
	free(s.first_line);
	free(s.events);
	return status;
}
