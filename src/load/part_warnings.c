#include "src/load/part_warnings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The law of every file: its costs add up to what it says. */
static void warn_about_totals(const struct notices *n, const struct cg_profile *p)
{
	size_t others = 0;
	uint32_t event;

	for (uint32_t i = 0; i < p->nparts; i++) {
		const struct cg_part *part = &p->parts[i];
		if (cg_part_adds_up(p, part, &event) || others++)
			continue;
		notice_warning(n,
			       "%s: the costs of part %" PRIu64 " add up to %" PRId64
			       " %s, but its "
			       "%s line says %" PRId64 "; the sum of the costs is used",
			       cg_string(p, part->file), part->number ? part->number : i + 1,
			       part->self[event], cg_string(p, p->events[event].name),
			       part->of_cachegrind ? "summary" : "totals", part->totals[event]);
	}
	if (others > 1)
		notice_warning(n, "%zu more parts do not add up to their totals lines", others - 1);
}

/* 0 for parts that are the same in all but the file they are in; any order else. */
static int compare_parts(const struct cg_profile *p, const struct cg_part *a,
			 const struct cg_part *b)
{
	const uint64_t x[] = { a->pid, a->thread, a->number, a->command };
	const uint64_t y[] = { b->pid, b->thread, b->number, b->command };
	int order = memcmp(x, y, sizeof x);
	return order ? order : memcmp(a->self, b->self, p->nevents * sizeof *a->self);
}

static int compare_places(const void *left, const void *right, void *context)
{
	const struct cg_part *a = *(const struct cg_part *const *)left;
	const struct cg_part *b = *(const struct cg_part *const *)right;
	int order = compare_parts(context, a, b);
	return order ? order : (a > b) - (a < b);
}

/* Who merges runs may have named one of them twice. Files that do not state a
 * process are taken for different ones. */
static void warn_about_copies(const struct notices *n, struct cg_profile *p)
{
	const struct cg_part **parts = calloc((size_t)p->nparts + 1, sizeof *parts);
	if (!parts)
		return;
	for (uint32_t i = 0; i < p->nparts; i++)
		parts[i] = &p->parts[i];
	qsort_r(parts, p->nparts, sizeof *parts, compare_places, p);
	size_t copies = 0;
	for (uint32_t i = 1; i < p->nparts; i++) {
		bool copy = parts[i]->pid && parts[i - 1]->file != parts[i]->file &&
			    compare_parts(p, parts[i - 1], parts[i]) == 0;
		if (!copy || copies++)
			continue;
		notice_warning(n,
			       "%s and %s hold the same part of pid %" PRIu64
			       " with the same costs; both "
			       "are counted",
			       cg_string(p, parts[i - 1]->file), cg_string(p, parts[i]->file),
			       parts[i]->pid);
	}
	if (copies > 1)
		notice_warning(n, "%zu more such parts are counted twice", copies - 1);
	free(parts);
}

/* Files that do not state a sum may be cut without being malformed. */
static void warn_about_cuts(const struct notices *n, const struct cg_profile *p)
{
	static const char *const reasons[] = {
		[CG_DOUBT_LINE] = "its last line does not end",
		[CG_DOUBT_SUMMARY] = "it lacks the `summary:` line that Xdebug writes at the end",
	};
	size_t others = 0;

	for (uint32_t i = 0; i < p->nparts; i++) {
		const struct cg_part *part = &p->parts[i];
		if (part->doubt && !others++)
			notice_warning(n, "%s: the file may be truncated: %s",
				       cg_string(p, part->file), reasons[part->doubt]);
	}
	if (others > 1)
		notice_warning(n, "%zu more files may be truncated", others - 1);
}

void warn_about_parts(const struct notices *n, struct cg_profile *p)
{
	warn_about_totals(n, p);
	warn_about_cuts(n, p);
	warn_about_copies(n, p);
}
