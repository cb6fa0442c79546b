#include "src/diff/same_subject.h"

#include <string.h>

#include "cgprofile/names.h"

/* ---- where they are ---- */

static const char *object_place(const struct limit_verdict *v)
{
	return cg_base_name(v->object);
}

/* Code that the linker makes has no file. */
static const char *path_place(const struct limit_verdict *v)
{
	return strcmp(v->file, "???") == 0 ? object_place(v) : v->file;
}

static const char *file_place(const struct limit_verdict *v)
{
	return cg_base_name(path_place(v));
}

typedef const char *(*place_of)(const struct limit_verdict *);

static bool have_same_subject(const struct limit_verdict *a, const struct limit_verdict *b)
{
	return a->subject && b->subject && a->object && b->object &&
	       strcmp(a->subject, b->subject) == 0;
}

/* Whether another verdict on this name has another place of this kind, or with `same`, the same. */
static bool has_other(const struct limit_verdict *verdicts, size_t count, size_t i, place_of place,
		      bool same)
{
	for (size_t k = 0; k < count; k++)
		if (k != i && have_same_subject(&verdicts[k], &verdicts[i]) &&
		    (strcmp(place(&verdicts[k]), place(&verdicts[i])) == 0) == same)
			return true;
	return false;
}

/* The first that no other has; else the first by which one differs. */
static const char *choose_place(const struct limit_verdict *verdicts, size_t count, size_t i)
{
	static const place_of places[] = { object_place, file_place, path_place };
	const char *differs = NULL;

	for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
		if (!has_other(verdicts, count, i, places[k], false))
			continue;
		if (!has_other(verdicts, count, i, places[k], true))
			return places[k](&verdicts[i]);
		if (!differs)
			differs = places[k](&verdicts[i]);
	}
	return differs;
}

void same_subject_tell_apart(struct limit_verdict *verdicts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		verdicts[i].place = choose_place(verdicts, count, i);
}

/* ---- what libraries inline ---- */

static bool is_called_elsewhere(const struct limit_verdict *verdicts, size_t count, size_t i)
{
	for (size_t k = 0; k < count; k++)
		if (verdicts[k].status != LIMIT_UNCOUNTED && verdicts[k].counts.head &&
		    have_same_subject(&verdicts[k], &verdicts[i]))
			return true;
	return false;
}

size_t same_subject_excuse(struct limit_verdict *verdicts, size_t count)
{
	size_t excused = 0;

	for (size_t i = 0; i < count; i++) {
		struct limit_verdict *v = &verdicts[i];
		if (v->status != LIMIT_UNCOUNTED || !v->of_library ||
		    (!v->uncounted_before && !is_called_elsewhere(verdicts, count, i)))
			continue;
		excused += v->fails;
		v->fails = false;
	}
	return excused;
}
