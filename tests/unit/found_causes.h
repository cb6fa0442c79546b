/* The causes of two profiles that are given as text, and checks of them. */
#ifndef TESTS_UNIT_FOUND_CAUSES_H
#define TESTS_UNIT_FOUND_CAUSES_H

#include "src/diff/causes.h"
#include "tests/unit/trees.h"

struct found {
	struct trees trees;
	struct causes *causes;
};

/* Functions by the last letters of their names: edited, of unknown source, and those that use an
 * edited declaration. */
struct sources {
	const char *edited, *unknown, *using;
};

TEST_UNUSED static bool ends_in(const char *name, const char *letters)
{
	return name && *name && strchr(letters, name[strlen(name) - 1]);
}

TEST_UNUSED static uint8_t *edits_of(const struct tree_diff *t, const struct sources *sources)
{
	uint8_t *edits = calloc((size_t)2 * t->count + 1, 1);

	REQUIRE(edits != NULL);
	for (uint32_t i = 1; i < t->count; i++) {
		const struct tree_row *r = &t->rows[i];
		uint8_t edit = EDIT_NONE;
		REQUIRE(r->function <= 2 * t->count && r->base_function <= 2 * t->count);
		if (ends_in(r->name, sources->edited) || ends_in(r->base_name, sources->edited))
			edit = EDIT_CHANGED;
		else if (ends_in(r->name, sources->using))
			edit = EDIT_USED;
		else if (ends_in(r->name, sources->unknown) ||
			 ends_in(r->base_name, sources->unknown))
			edit = EDIT_UNKNOWN;
		if (edit > edits[r->function])
			edits[r->function] = edit;
		if (edit > edits[r->base_function])
			edits[r->base_function] = edit;
	}
	return edits;
}

/* That they can be made says that they add up. */
TEST_UNUSED static struct found causes_by(const char *base, const char *head,
					  const struct diff_options *options,
					  const struct sources *sources)
{
	struct found f = { trees_of(base, head, options, TREE_ALL), NULL };
	uint8_t *edits = sources ? edits_of(f.trees.tree, sources) : NULL;
	struct cg_error err = { 0 };
	int status = causes_make(f.trees.tree, edits, &f.causes, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	free(edits);
	return f;
}

TEST_UNUSED static struct found causes_of(const char *base, const char *head,
					  const struct diff_options *options)
{
	return causes_by(base, head, options, NULL);
}

TEST_UNUSED static void found_free(struct found *f)
{
	causes_free(f->causes);
	trees_free(&f->trees);
}

/* Causes as lines "+delta caller -> function: reason (calls -> calls)". */
TEST_UNUSED static void check_by(const char *base, const char *head,
				 const struct diff_options *options, const struct sources *sources,
				 const char *expected)
{
	struct found f = causes_by(base, head, options, sources);
	char text[4000] = "";
	size_t used = 0;

	for (size_t i = 0; i < f.causes->count; i++) {
		const struct cause *c = &f.causes->items[i];
		const struct tree_row *rows = f.trees.tree->rows;
		bool called = cause_is_call(c);
		used += (size_t)snprintf(text + used, sizeof text - used, "%+" PRId64 " %s%s%s: %s",
					 c->delta, called ? rows[c->caller].name : "",
					 called ? " -> " : "", rows[c->row].name, cause_reason(c));
		if (c->base_calls || c->head_calls)
			used += (size_t)snprintf(text + used, sizeof text - used,
						 " (%" PRIu64 " -> %" PRIu64 ")", c->base_calls,
						 c->head_calls);
		used += (size_t)snprintf(text + used, sizeof text - used, "\n");
	}
	CHECK_STR(text, expected);
	found_free(&f);
}

TEST_UNUSED static void check(const char *base, const char *head,
			      const struct diff_options *options, const char *expected)
{
	check_by(base, head, options, NULL, expected);
}

/* main calls record 100 times, record calls field, and field calls hash as often. */
TEST_UNUSED static void write_records(char *text, size_t size, unsigned fields, unsigned record,
				      unsigned hash)
{
	unsigned each = 40 + hash, all = fields * each;
	snprintf(text, size,
		 "events: Ir\nfn=main\n1 500\ncfn=record\ncalls=100 1\n1 %u\n"
		 "fn=record\n1 %u\ncfn=field\ncalls=%u 1\n1 %u\n"
		 "fn=field\n1 %u\ncfn=hash\ncalls=%u 1\n1 %u\nfn=hash\n1 %u\n",
		 record + all, record, fields, all, fields * 40, fields, fields * hash,
		 fields * hash);
}

#endif
