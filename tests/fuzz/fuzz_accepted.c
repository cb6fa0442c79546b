/* irdiff-accepted.yml: whatever the text, editing it loses no entry, and adds no other. */
#include "src/config/accepted.h"
#include "tests/fuzz/fuzz.h"

static const struct acceptance added = {
	.benchmark = "b",
	.metric = "incl.Ir",
	.function = "f: \"\\ #",
	.limit = "+1%",
	.has_base = true,
	.base = -1,
	.head = 7,
	.tolerance = 5,
	.why = "so",
	.date = "2026-11-21",
};

static bool has(const struct accepted *list, const struct acceptance *a)
{
	for (size_t i = 0; i < list->count; i++)
		if (acceptance_same_subject(&list->items[i], a) && list->items[i].head == a->head)
			return true;
	return false;
}

static void check_edited(const struct accepted *old, const bool *drop, const char *text,
			 size_t nadd)
{
	struct accepted now;
	struct cg_error err = { 0 };
	size_t expected = nadd;

	LAW(!accepted_parse(text, strlen(text), "new", &now, &err), "what is written is read: %s",
	    err.message);
	for (size_t i = 0; i < old->count; i++) {
		if (drop[i])
			continue;
		expected++;
		LAW(has(&now, &old->items[i]), "entry %zu is lost", i);
	}
	LAW(now.count == expected, "%zu entries, not %zu", now.count, expected);
	accepted_free(&now);
}

/* Without every other entry, or with a new one in the place of its like. */
static void edit(const struct accepted *old, const char *text, size_t len, bool add)
{
	bool *drop = calloc(old->count + 1, sizeof *drop);
	struct cg_error err = { 0 };
	char *out = NULL;

	LAW(drop, "out of memory");
	for (size_t i = 0; i < old->count; i++)
		drop[i] = add ? acceptance_same_subject(&old->items[i], &added) : i % 2 == 0;
	int status = accepted_edit(text, len, "old", drop, &added, add, &out, &err);
	LAW(status == CG_OK || err.message[0], "a failure says why");
	if (!status)
		check_edited(old, drop, out, add);
	free(out);
	free(drop);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct accepted list;
	struct cg_error err = { 0 };

	if (accepted_parse((const char *)data, size, "old", &list, &err)) {
		LAW(err.message[0], "a failure says why");
		return 0;
	}
	edit(&list, (const char *)data, size, false);
	edit(&list, (const char *)data, size, true);
	accepted_free(&list);
	return 0;
}
