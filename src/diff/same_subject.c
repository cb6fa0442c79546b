#include "src/diff/same_subject.h"

#include <stdlib.h>
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

/* ---- verdicts in order ---- */

struct same_subject {
	struct limit_verdict *verdict;
	const char *place; /* of one kind, "" before */
	bool settled;      /* no other has the place that the verdict has */
};

static bool have_same_subject(const struct same_subject *a, const struct same_subject *b)
{
	return strcmp(a->verdict->subject, b->verdict->subject) == 0;
}

static bool have_same_place(const struct same_subject *a, const struct same_subject *b)
{
	return have_same_subject(a, b) && strcmp(a->place, b->place) == 0;
}

static int compare_subject_places(const void *left, const void *right)
{
	const struct same_subject *a = left, *b = right;
	int order = strcmp(a->verdict->subject, b->verdict->subject);

	return order ? order : strcmp(a->place, b->place);
}

/* How many from here on are the same. */
static size_t count_same(const struct same_subject *list, size_t count,
			 bool (*same)(const struct same_subject *, const struct same_subject *))
{
	size_t n = 1;

	while (n < count && same(list, &list[n]))
		n++;
	return n;
}

/* Those on functions; *out: free it. */
static int list_subjects(struct limit_verdict *verdicts, size_t count, struct same_subject **out,
			 size_t *listed)
{
	struct same_subject *list = calloc(count + 1, sizeof *list);
	size_t n = 0;

	if (!list)
		return CG_ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (verdicts[i].subject && verdicts[i].object)
			list[n++] = (struct same_subject){ &verdicts[i], "", false };
	*out = list;
	*listed = n;
	return CG_OK;
}

/* ---- which place tells them apart ---- */

/* `same`: how many on this subject have its place, of `all`. */
static void choose_place(struct same_subject *s, size_t same, size_t all)
{
	if (same == all || s->settled)
		return;
	s->settled = same == 1;
	if (s->settled || !s->verdict->place)
		s->verdict->place = s->place;
}

/* All on one subject, in the order of their places. */
static void choose_subject_places(struct same_subject *list, size_t count)
{
	for (size_t i = 0, same; i < count; i += same) {
		same = count_same(&list[i], count - i, have_same_place);
		for (size_t k = i; k < i + same; k++)
			choose_place(&list[k], same, count);
	}
}

static void try_place(struct same_subject *list, size_t count, place_of place)
{
	for (size_t i = 0; i < count; i++)
		list[i].place = place(list[i].verdict);
	qsort(list, count, sizeof *list, compare_subject_places);
	for (size_t i = 0, same; i < count; i += same) {
		same = count_same(&list[i], count - i, have_same_subject);
		choose_subject_places(&list[i], same);
	}
}

/* The first that no other has; else the first by which one differs. */
int same_subject_tell_apart(struct limit_verdict *verdicts, size_t count)
{
	static const place_of places[] = { object_place, file_place, path_place };
	struct same_subject *list;
	size_t listed;
	int status = list_subjects(verdicts, count, &list, &listed);

	if (status)
		return status;
	for (size_t i = 0; i < count; i++)
		verdicts[i].place = NULL;
	for (size_t k = 0; k < sizeof places / sizeof *places; k++)
		try_place(list, listed, places[k]);
	free(list);
	return CG_OK;
}

/* ---- what libraries inline ---- */

static bool is_called_out_of_line(const struct limit_verdict *v)
{
	return v->status != LIMIT_UNCOUNTED && v->counts.head;
}

/* All on one subject. Returns how many failed before. */
static size_t excuse_subject(const struct same_subject *list, size_t count)
{
	size_t excused = 0;
	bool called = false;

	for (size_t i = 0; i < count; i++)
		called |= is_called_out_of_line(list[i].verdict);
	for (size_t i = 0; i < count; i++) {
		struct limit_verdict *v = list[i].verdict;
		if (v->status != LIMIT_UNCOUNTED || !v->of_library ||
		    (!v->uncounted_before && !called))
			continue;
		excused += v->fails;
		v->fails = false;
	}
	return excused;
}

int same_subject_excuse(struct limit_verdict *verdicts, size_t count, size_t *excused)
{
	struct same_subject *list;
	size_t listed;
	int status = list_subjects(verdicts, count, &list, &listed);

	*excused = 0;
	if (status)
		return status;
	qsort(list, listed, sizeof *list, compare_subject_places);
	for (size_t i = 0, same; i < listed; i += same) {
		same = count_same(&list[i], listed - i, have_same_subject);
		*excused += excuse_subject(&list[i], same);
	}
	free(list);
	return CG_OK;
}
