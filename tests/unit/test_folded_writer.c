#include "tests/unit/profiles.h"

#include "callgrind/build.h"
#include "cgprofile/folded.h"
#include "cgprofile/writer.h"

/* One event of the profile as folded stacks; free() it. NULL if that failed. */
static char *folded(const struct cg_profile *p, uint32_t event, struct cg_error *err)
{
	struct cg_tree_options options = { .event = event };
	struct cg_tree *t = NULL;
	char *text = NULL;
	size_t size;

	REQUIRE_INT(cg_tree_make(p, &options, &t), CG_OK);
	FILE *to = open_memstream(&text, &size);
	REQUIRE(to != NULL);
	int status = cg_write_folded(t, event, to, err);
	fclose(to);
	cg_tree_free(t);
	if (!status)
		return text;
	free(text);
	return NULL;
}

static void writes(const char *profile, const char *expected)
{
	struct cg_profile *p = whole_profile_of(profile);
	struct cg_error err = { 0 };
	char *text = folded(p, 0, &err);
	CHECK_STR(text, expected);
	free(text);
	cg_profile_free(p);
}

/* Written, they stay as they are. */
static void keeps(const char *stacks)
{
	writes(stacks, stacks);
}

static void test_stacks(void)
{
	keeps("m;b 1\nm;b;w 7\nm;a;w 3\n");
	keeps("m;f;f;f 3\nm;f;g 2\n");
	keeps("main;f()::'lambda'(int);x42 9\nmain;it's;[k]_[k] 5\n");
	writes("main;x 42 9\nmain 5\n", "main 5\nmain;x_42 9\n");
	keeps("#new;# x;\xff 9\n");
	keeps("0x4010 1\n0x4010;m;x_[i] 1\n0x4010;m;x_[i];y_[i] 9\n0x4010;m;x 1\n");
	writes("m;b 1\nm;a 4\nm 2\nm;b 1\n", "m 2\nm;a 4\nm;b 2\n");
	writes("m 0\n", "");
}

static void test_callgrind(void)
{
	/* One name, two objects; no name; recursion; no cost. */
	writes("events: Ir\nob=a\nfn=m\n1 2\ncob=a\ncfn=f\ncalls=1 1\n1 3\n"
	       "cob=b\ncfn=f\ncalls=1 1\n1 40\ncfn=f'2\ncalls=1 1\n1 6\n"
	       "ob=a\nfn=f\n1 3\nob=b\nfn=f\n1 40\nob=a\nfn=f'2\n1 6\nfn=z\n1 0\n",
	       "m 2\nm;f 49\n");
}

static void test_names(void)
{
	static const char *const names[][2] = {
		{ "a;b", "a:b" },  { "  x ", "_ x_" },      { "# x", "_ x" },   { "#", "_" },
		{ "#x", "#x" },    { "x_[i]", "x_(i)" },    { "f 12", "f_12" }, { "_[i]", "_[i]" },
		{ "a\tb", "a_b" }, { "a\x1b[0m", "a_[0m" },
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct cg_builder *b = NULL;
		struct cg_profile *p = NULL;
		struct cg_event event = { 0 };
		struct cg_detail detail = { 0 };
		struct cg_function f = { 0 };
		struct cg_record r = { .level = 1 };
		struct cg_position at = { 0 };
		struct cg_error err = { 0 };
		uint32_t record;
		char expected[40];

		REQUIRE_INT(cg_builder_new(&b, &detail), CG_OK);
		REQUIRE_INT(cg_build_string(b, "Ir", 2, &event.name), CG_OK);
		REQUIRE_INT(cg_build_event(b, &event), CG_OK);
		REQUIRE_INT(cg_build_part(b), CG_OK);
		REQUIRE_INT(cg_build_string(b, names[i][0], strlen(names[i][0]), &f.name), CG_OK);
		REQUIRE_INT(cg_build_function(b, &f, &r.function), CG_OK);
		REQUIRE_INT(cg_build_record(b, &r, &record), CG_OK);
		REQUIRE_INT(cg_build_self(b, record, &at, &(int64_t){ 5 }), CG_OK);
		REQUIRE_INT(cg_builder_finish(b, &p), CG_OK);
		char *text = folded(p, 0, &err);
		snprintf(expected, sizeof expected, "%s 5\n", names[i][1]);
		CHECK_STR(text, expected);
		struct cg_profile *again = whole_profile_of(text);
		CHECK(function_named(again, names[i][1]) != 0);
		free(text);
		cg_profile_free(again);
		cg_profile_free(p);
	}
}

static void test_negative(void)
{
	struct cg_profile *p = profile_of("events: Ir mem\nfn=m\n1 2 3\n2 5 -7\n");
	struct cg_error err = { 0 };
	CHECK(folded(p, 1, &err) == NULL);
	CHECK_INT(err.code, CG_EINVAL);
	CHECK(strstr(err.message, "-4 mem") != NULL);
	char *text = folded(p, 0, &err);
	CHECK_STR(text, "m 7\n");
	free(text);
	cg_profile_free(p);
}

/* A chain takes the square of its length. */
static void test_too_deep(void)
{
	enum { DEEP = 6000, LONG = 80 };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	fputs("events: Ir\n", to);
	for (int i = 0; i < DEEP; i++) {
		fprintf(to, "fn=(%d)%s%0*d\n1 1\n", i + 1, " f", LONG, i);
		if (i + 1 < DEEP)
			fprintf(to, "cfn=(%d) f%0*d\ncalls=1 1\n1 %d\n", i + 2, LONG, i + 1,
				DEEP - 1 - i);
	}
	fclose(to);
	struct cg_profile *p = profile_of(text);
	struct cg_error err = { 0 };
	CHECK(folded(p, 0, &err) == NULL);
	CHECK_INT(err.code, CG_ERANGE);
	CHECK(strstr(err.message, "up to 6000 functions deep") != NULL);
	cg_profile_free(p);
	free(text);
}

static void test_full_disk(void)
{
	struct cg_profile *p = profile_of("events: Ir\nfn=m\n1 2\n");
	struct cg_tree_options options = { 0 };
	struct cg_tree *t = NULL;
	struct cg_error err = { 0 };
	FILE *to = fopen("/dev/full", "w");

	REQUIRE(to != NULL);
	setvbuf(to, NULL, _IONBF, 0);
	REQUIRE_INT(cg_tree_make(p, &options, &t), CG_OK);
	CHECK_INT(cg_write_folded(t, 0, to, &err), CG_EIO);
	fclose(to);
	cg_tree_free(t);
	cg_profile_free(p);
}

/* ---- any stacks at all ---- */

static uint32_t seed = 7;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)seed * n) >> 32);
}

enum { LINES = 24, LINE = 400 };

static void random_line(char *line, bool plain)
{
	static const char *const names[] = { "main", "f",    "g",   "operator()", "x y",  "f_12",
					     "17",   "it's", "'a'", "b'c",        "#<A>", "ev: x" };
	uint32_t kinds = plain ? 7 : 12, depth = 1 + random_below(random_below(4) ? 6 : 40);
	size_t used = 0;

	for (uint32_t i = 0; i < depth; i++) {
		bool inlined = !plain && i && random_below(4) == 0;
		used += (size_t)snprintf(line + used, LINE - used, "%s%s%s", i ? ";" : "",
					 names[random_below(random_below(2) ? 3 : kinds)],
					 inlined ? "_[i]" : "");
	}
	snprintf(line + used, LINE - used, " %u\n", 1 + random_below(1000));
}

struct stack {
	char *text;
	long count;
};

static int compare_stacks(const void *a, const void *b)
{
	return strcmp(((const struct stack *)a)->text, ((const struct stack *)b)->text);
}

/* The lines in one order, those of one stack added up; free() it. */
static char *normal(const char *text)
{
	char *copy = strdup(text), *out = calloc(strlen(text) + 32 * LINES + 1, 1), *state = NULL;
	struct stack stacks[LINES];
	size_t n = 0, used = 0;

	for (char *l = strtok_r(copy, "\n", &state); l; l = strtok_r(NULL, "\n", &state)) {
		REQUIRE(n < LINES);
		char *blank = strrchr(l, ' ');
		*blank = '\0';
		stacks[n++] = (struct stack){ l, atol(blank + 1) };
	}
	qsort(stacks, n, sizeof *stacks, compare_stacks);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && strcmp(stacks[i].text, stacks[i + 1].text) == 0)
			stacks[i + 1].count += stacks[i].count;
		else
			used += (size_t)sprintf(out + used, "%s %ld\n", stacks[i].text,
						stacks[i].count);
	}
	free(copy);
	return out;
}

static void test_round_trip(void)
{
	for (int i = 0; i < 2000; i++) {
		char text[LINES * LINE] = "";
		struct cg_error err = { 0 };
		for (uint32_t k = 1 + random_below(LINES - 1); k > 0; k--)
			random_line(text + strlen(text), i % 2);
		struct cg_profile *p = whole_profile_of(text);
		char *written = folded(p, 0, &err);
		char *before = normal(text), *after = normal(written);
		CHECK_STR(after, before);
		free(before);
		free(after);
		free(written);
		cg_profile_free(p);
	}
}

/* By way of a callgrind file. */
static void test_through_callgrind(void)
{
	for (int i = 0; i < 1000; i++) {
		char text[LINES * LINE] = "", *callgrind = NULL;
		size_t size;
		struct cg_error err = { 0 };
		struct cg_write_options plain = { 0 };
		for (uint32_t k = 1 + random_below(LINES - 1); k > 0; k--)
			random_line(text + strlen(text), true);
		struct cg_profile *p = whole_profile_of(text);
		FILE *to = open_memstream(&callgrind, &size);
		REQUIRE(to != NULL);
		REQUIRE_INT(cg_write_callgrind(p, &plain, to), CG_OK);
		fclose(to);
		struct cg_profile *again = whole_profile_of(callgrind);
		char *written = folded(again, 0, &err);
		char *before = normal(text), *after = normal(written);
		CHECK_STR(after, before);
		free(before);
		free(after);
		free(written);
		free(callgrind);
		cg_profile_free(again);
		cg_profile_free(p);
	}
}

TEST_MAIN("folded writer", { "stacks", test_stacks }, { "callgrind profiles", test_callgrind },
	  { "names", test_names }, { "negative costs", test_negative },
	  { "too deep", test_too_deep }, { "a full disk", test_full_disk },
	  { "what is written is read again", test_round_trip },
	  { "through a callgrind file", test_through_callgrind })
