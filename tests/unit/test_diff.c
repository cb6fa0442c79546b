#include "tests/unit/profiles.h"

#include "src/diff/diff.h"

static const struct diff_options defaults = { .metric = "Ir",
					      .threshold_ppb = DIFF_DEFAULT_THRESHOLD_PPB,
					      .min_delta = DIFF_DEFAULT_MIN_DELTA };
/* Every difference is a change. */
static const struct diff_options exact = { .metric = "Ir" };

/* A diff with the profiles that it needs. */
struct pair {
	struct cg_profile *base, *head;
	struct diff *diff;
};

static struct pair pair_with(const char *base, const char *head, const struct diff_options *options)
{
	struct pair p = { profile_of(base), profile_of(head), NULL };
	struct cg_error err = { 0 };
	int status = diff_make(p.base, p.head, options, &p.diff, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return p;
}

static struct pair pair_of(const char *base, const char *head)
{
	return pair_with(base, head, &exact);
}

static void pair_free(struct pair *p)
{
	diff_free(p->diff);
	cg_profile_free(p->base);
	cg_profile_free(p->head);
}

/* The only row of this name. */
static const struct diff_row *row_of(const struct pair *p, const char *name)
{
	const struct diff_row *found = NULL;
	size_t count = 0;
	for (size_t i = 0; i < p->diff->count; i++)
		if (strcmp(p->diff->rows[i].name, name) == 0) {
			found = &p->diff->rows[i];
			count++;
		}
	test_report(count == 1, true, __FILE__, __LINE__, "%zu rows named %s, not 1", count, name);
	return found;
}

static void check_row(const struct pair *p, const char *name, int64_t base, int64_t head,
		      const char *class, const char *match)
{
	const struct diff_row *r = row_of(p, name);
	test_report(r->base.self[0] == base && r->head.self[0] == head, false, __FILE__, __LINE__,
		    "%s costs %" PRIu64 " and %" PRIu64 ", not %" PRIu64 " and %" PRIu64, name,
		    r->base.self[0], r->head.self[0], base, head);
	CHECK_STR(diff_class_name(diff_classify(p->diff, r)), class);
	CHECK_STR(diff_match_name(r->match), match);
}

static void test_classes(void)
{
	struct pair p = pair_of(
		"events: Ir\nfn=same\n1 10\nfn=slow\n1 10\nfn=fast\n1 10\nfn=gone\n1 5\n",
		"events: Ir\nfn=same\n1 10\nfn=slow\n1 13\nfn=fast\n1 6\nfn=come\n1 7\n");
	CHECK_U64(p.diff->count, 5);
	check_row(&p, "same", 10, 10, "unchanged", "same");
	check_row(&p, "slow", 10, 13, "slower", "same");
	check_row(&p, "fast", 10, 6, "faster", "same");
	check_row(&p, "gone", 5, 0, "removed", "");
	check_row(&p, "come", 0, 7, "new", "");
	CHECK(!row_of(&p, "come")->base.present);
	CHECK(!row_of(&p, "gone")->head.present);
	pair_free(&p);
}

static void test_order(void)
{
	/* |Δ|: b 9, d 5, c -5, a 1, e 1. Of d and c the one that costs more in head,
	 * of a and e (both 3 → 4) by name. */
	struct pair p = pair_of(
		"events: Ir\nfn=a\n1 3\nfn=b\n1 1\nfn=c\n1 8\nfn=d\n1 3\nfn=e\n1 3\n",
		"events: Ir\nfn=e\n1 4\nfn=d\n1 8\nfn=c\n1 3\nfn=b\n1 10\nfn=a\n1 4\n");
	REQUIRE_U64(p.diff->count, 5);
	for (size_t i = 0; i < 5; i++) {
		char expected[2] = { "bdcae"[i], '\0' };
		CHECK_STR(p.diff->rows[i].name, expected);
	}
	pair_free(&p);
}

/* The total of base is 1,000,000: impact 0.05 % is 500. Exactly at the limit is a change. */
static void test_threshold(void)
{
	static const struct {
		const char *head, *class;
	} cases[] = {
		{ "1500", "slower" },   { "1499", "unchanged" }, { "500", "faster" },
		{ "501", "unchanged" }, { "1000", "unchanged" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char head[100];
		snprintf(head, sizeof head, "events: Ir\nfn=f\n1 %s\nfn=rest\n1 999000\n",
			 cases[i].head);
		struct pair p = pair_with("events: Ir\nfn=f\n1 1000\nfn=rest\n1 999000\n", head,
					  &defaults);
		CHECK_STR(diff_class_name(diff_classify(p.diff, row_of(&p, "f"))), cases[i].class);
		pair_free(&p);
	}
}

static void test_min_delta(void)
{
	/* Of 1,000, 99 is 9.9 %, but less than 100 instructions. */
	struct pair p = pair_with("events: Ir\nfn=f\n1 1000\nfn=g\n1 0\n",
				  "events: Ir\nfn=f\n1 1099\nfn=g\n1 0\n", &defaults);
	check_row(&p, "f", 1000, 1099, "unchanged", "same");
	pair_free(&p);
	p = pair_with("events: Ir\nfn=f\n1 1000\n", "events: Ir\nfn=f\n1 900\n", &defaults);
	check_row(&p, "f", 1000, 900, "faster", "same");
	pair_free(&p);
}

/* Products of threshold and total above 2^63 do not wrap. */
static void test_large_thresholds(void)
{
	struct diff_options whole = { .metric = "Ir", .threshold_ppb = 1000000000 };
	struct pair p = pair_with("events: Ir\nfn=f\n1 9223372036854775807\n",
				  "events: Ir\nfn=f\n1 1\n", &whole);
	/* It lost 2^63 - 2 of 2^63 - 1: almost, but not 100 %. */
	CHECK_STR(diff_class_name(diff_classify(p.diff, row_of(&p, "f"))), "unchanged");
	pair_free(&p);
	whole.threshold_ppb = 999999999;
	p = pair_with("events: Ir\nfn=f\n1 9223372036854775807\n", "events: Ir\nfn=f\n1 1\n",
		      &whole);
	CHECK_STR(diff_class_name(diff_classify(p.diff, row_of(&p, "f"))), "faster");
	pair_free(&p);
}

static void test_empty_base(void)
{
	struct pair p = pair_with("events: Ir\nfn=f\n1 0\n", "events: Ir\nfn=f\n1 100\n",
				  &defaults);
	/* f has a row in base only if something of it was measured. */
	check_row(&p, "f", 0, 100, "slower", "same");
	pair_free(&p);
}

/* ---- matching ---- */

static void test_clones(void)
{
	struct pair p = pair_of(
		"events: Ir\nob=/b/a\nfl=a.c\n"
		"fn=work\n1 10\nfn=work.constprop.0\n1 20\nfn=hash::h0123456789abcdef\n1 5\n"
		"fn=memcpy@@GLIBC_2.14\n1 3\n",
		"events: Ir\nob=/b/a\nfl=a.c\n"
		"fn=work.isra.0\n1 31\nfn=hash::hfedcba9876543210\n1 6\n"
		"fn=memcpy@GLIBC_2.2.5\n1 4\n");
	CHECK_U64(p.diff->count, 3);
	check_row(&p, "work", 30, 31, "slower", "same"); /* both clones are one row */
	check_row(&p, "hash", 5, 6, "slower", "same");
	check_row(&p, "memcpy", 3, 4, "slower", "same");
	pair_free(&p);
}

/* Debug information has no parameters of functions that one source file knows alone: where
 * such a function is inlined it is "mix", where it is called "mix(int, int)". */
static void test_bare_names(void)
{
	struct pair p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\nfn=mix\n1 10\nfn=ns::get\n1 5\n",
				"events: Ir\nob=/b/a\nfl=a.cc\nfn=mix(int, int)\n1 12\n"
				"fn=ns::get() const\n1 5\n");
	CHECK_U64(p.diff->count, 2);
	check_row(&p, "mix(int, int)", 10, 12, "slower", "same");
	check_row(&p, "ns::get() const", 5, 5, "unchanged", "same");
	pair_free(&p);
	p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\nfn=mix(int, int)\n1 12\n",
		    "events: Ir\nob=/b/a\nfl=a.cc\nfn=mix\n1 10\n");
	CHECK_U64(p.diff->count, 1);
	check_row(&p, "mix", 12, 10, "faster", "same");
	pair_free(&p);
	/* A name that is the same with its parameters is a better partner. */
	p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\nfn=mix\n1 10\nfn=mix(int)\n1 200\n",
		    "events: Ir\nob=/b/a\nfl=a.cc\nfn=mix(int)\n1 201\n");
	CHECK_U64(p.diff->count, 2);
	check_row(&p, "mix(int)", 200, 201, "slower", "same");
	check_row(&p, "mix", 10, 0, "removed", "");
	pair_free(&p);
}

/* Debug information has other words for template arguments and leaves out functions around, and of
 * a lambda also the file. */
static void test_bare_instances(void)
{
	struct pair p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\n"
				"fn=unsigned int f<unsigned int>(unsigned int)\n1 10\n"
				"fn=unsigned short f<unsigned short>(unsigned short)\n1 20\n"
				"fn=main::Local::get(int) const\n1 30\n"
				"fn=main::{lambda(int)#1}::operator()(int) const\n1 40\n",
				"events: Ir\nob=/b/a\nfl=a.cc\nfn=f<unsigned int>\n1 11\n"
				"fn=f<short unsigned int>\n1 22\nfn=Local::get\n1 33\n"
				"fl=???\nfn=operator()\n1 44\n");
	CHECK_U64(p.diff->count, 4);
	check_row(&p, "f<unsigned int>", 10, 11, "slower", "same");
	check_row(&p, "f<short unsigned int>", 20, 22, "slower", "same");
	check_row(&p, "Local::get", 30, 33, "slower", "same");
	check_row(&p, "operator()", 40, 44, "slower", "same");
	pair_free(&p);
	/* All lambdas have the same last word. */
	p = pair_of(
		"events: Ir\nob=/b/a\nfl=a.cc\n"
		"fn=f(int)::{lambda(int)#1}::operator()(int) const\n1 10\n"
		"fn=f(int)::{lambda(int)#2}::operator()(int) const\n1 20\n"
		"fn=g(int)::{lambda(int)#1}::operator()(int) const\n1 30\n",
		"events: Ir\nob=/b/a\nfl=a.cc\nfn=g::{lambda(int)#1}::operator()\n1 33\n"
		"fn=f::{lambda(int)#2}::operator()\n1 22\nfn=f::{lambda(int)#1}::operator()\n1 11\n");
	CHECK_U64(p.diff->count, 3);
	check_row(&p, "f::{lambda(int)#1}::operator()", 10, 11, "slower", "same");
	check_row(&p, "f::{lambda(int)#2}::operator()", 20, 22, "slower", "same");
	check_row(&p, "g::{lambda(int)#1}::operator()", 30, 33, "slower", "same");
	pair_free(&p);
	/* Compilers number them in ways of their own, and parameters tell them apart. */
	p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\n"
		    "fn=f(int)::{lambda(int)#1}::operator()(int) const\n1 10\n"
		    "fn=f(int)::{lambda(char)#2}::operator()(char) const\n1 20\n"
		    "fn=f(int)::{lambda(int)#10}::operator()(int) const\n1 30\n"
		    "fn=f(int)::{lambda(int)#9}::operator()(int) const\n1 40\n"
		    "fn=void g<f(int)::{lambda(int)#9}>(f(int)::{lambda(int)#9})\n1 50\n",
		    "events: Ir\nob=/b/a\nfl=a.cc\n"
		    "fn=f(int)::$_0::operator()(int) const\n1 11\n"
		    "fn=f(int)::$_1::operator()(char) const\n1 22\n"
		    "fn=f(int)::$_2::operator()(int) const\n1 44\n"
		    "fn=f(int)::$_3::operator()(int) const\n1 33\n"
		    "fn=void g<f(int)::$_2>(f(int)::$_2)\n1 55\n");
	CHECK_U64(p.diff->count, 5);
	check_row(&p, "f(int)::$_0::operator()(int) const", 10, 11, "slower", "same");
	check_row(&p, "f(int)::$_1::operator()(char) const", 20, 22, "slower", "same");
	check_row(&p, "f(int)::$_2::operator()(int) const", 40, 44, "slower", "same");
	check_row(&p, "f(int)::$_3::operator()(int) const", 30, 33, "slower", "same");
	check_row(&p, "void g<f(int)::$_2>(f(int)::$_2)", 50, 55, "slower", "same");
	pair_free(&p);
	/* Where one was added, none is known to be another. */
	p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\nfn=f(int)::$_0::operator()(int) const\n1 10\n",
		    "events: Ir\nob=/b/a\nfl=a.cc\nfn=f(int)::$_1::operator()(int) const\n1 11\n"
		    "fn=f(int)::$_2::operator()(int) const\n1 22\n");
	CHECK_U64(p.diff->count, 3);
	pair_free(&p);
	p = pair_of(
		"events: Ir\nob=/b/a\nfl=a.cc\nfn=f(int)::{lambda(int)#1}::operator()(int) const\n1 10\n",
		"events: Ir\nob=/b/a\nfl=a.cc\nfn=f(int)::{lambda(char)#1}::operator()(char) const\n1 11\n");
	CHECK_U64(p.diff->count, 2);
	pair_free(&p);
	/* Another class, another file, several that may be meant. */
	p = pair_of(
		"events: Ir\nob=/b/a\nfl=a.cc\nfn=A::get(int)\n1 1\nfn=x(int)\n1 2\n"
		"fn=y::f<int>(int)\n1 3\nfn=z::f<int>(int)\n1 3\n",
		"events: Ir\nob=/b/a\nfl=a.cc\nfn=B::get\n1 1\nfn=f<long>\n1 4\nfl=b.cc\nfn=x\n1 2\n");
	CHECK_U64(p.diff->count, 7);
	pair_free(&p);
}

/* In an object of another name a function of the same file is the same. */
static void test_bare_names_in_renamed_objects(void)
{
	struct pair p = pair_of("events: Ir\nob=/b/v1\nfl=a.cc\nfn=mix\n1 10\nfn=x\n1 1\n",
				"events: Ir\nob=/b/v2\nfl=a.cc\nfn=mix(int)\n1 12\nfn=x\n1 1\n");
	CHECK_U64(p.diff->count, 2);
	check_row(&p, "mix(int)", 10, 12, "slower", "object renamed");
	pair_free(&p);
	p = pair_of("events: Ir\nob=/b/v1\nfl=a.cc\nfn=mix\n1 10\n",
		    "events: Ir\nob=/b/v2\nfl=a.cc\nfn=mix(int)\n1 5\nfn=mix(char)\n1 7\n");
	CHECK_U64(p.diff->count, 3);
	pair_free(&p);
	p = pair_of("events: Ir\nob=/b/v1\nfl=a.cc\nfn=mix\n1 10\n",
		    "events: Ir\nob=/b/v2\nfl=b.cc\nfn=mix(int)\n1 5\n");
	CHECK_U64(p.diff->count, 2);
	pair_free(&p);
}

/* Which of several functions is meant by a name without parameters is not known, and two of
 * different parameters are not the same. */
static void test_overloads(void)
{
	struct pair p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\nfn=mix(int)\n1 10\n",
				"events: Ir\nob=/b/a\nfl=a.cc\nfn=mix(char)\n1 12\n");
	CHECK_U64(p.diff->count, 2);
	check_row(&p, "mix(int)", 10, 0, "removed", "");
	check_row(&p, "mix(char)", 0, 12, "new", "");
	pair_free(&p);
	p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\nfn=mix\n1 10\n",
		    "events: Ir\nob=/b/a\nfl=a.cc\nfn=mix(int)\n1 5\nfn=mix(char)\n1 7\n");
	CHECK_U64(p.diff->count, 3);
	check_row(&p, "mix", 10, 0, "removed", "");
	check_row(&p, "mix(int)", 0, 5, "new", "");
	pair_free(&p);
	/* In another object or file it is another one. */
	p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\nfn=mix\n1 10\nfn=x\n1 1\n",
		    "events: Ir\nob=/b/a\nfl=a.cc\nfn=x\n1 1\nfl=b.cc\nfn=mix(int)\n1 5\n");
	CHECK_U64(p.diff->count, 3);
	check_row(&p, "mix", 10, 0, "removed", "");
	pair_free(&p);
}

static void test_moved_file(void)
{
	struct pair p = pair_of("events: Ir\nob=/b/a\nfl=/src/old.c\nfn=f\n1 10\n",
				"events: Ir\nob=/b/a\nfl=/src/new.c\nfn=f\n1 12\n");
	CHECK_U64(p.diff->count, 1);
	check_row(&p, "f", 10, 12, "slower", "moved");
	CHECK_STR(row_of(&p, "f")->file, "/src/new.c");
	CHECK_STR(row_of(&p, "f")->base_file, "/src/old.c");
	pair_free(&p);
}

static void test_object_path(void)
{
	/* Another directory is the same object … */
	struct pair p = pair_of("events: Ir\nob=/before/bin/a\nfl=a.c\nfn=f\n1 10\n",
				"events: Ir\nob=/after/bin/a\nfl=a.c\nfn=f\n1 12\n");
	check_row(&p, "f", 10, 12, "slower", "same");
	CHECK_STR(row_of(&p, "f")->object, "a");
	pair_free(&p);

	/* … another name is a renamed one, if the other side has neither name. */
	p = pair_of("events: Ir\nob=/b/parser-v1\nfl=a.c\nfn=f\n1 10\nfl=b.c\nfn=g\n1 1\n",
		    "events: Ir\nob=/b/parser-v2\nfl=a.c\nfn=f\n1 12\nfl=c.c\nfn=g\n1 1\n");
	CHECK_U64(p.diff->count, 2);
	check_row(&p, "f", 10, 12, "slower", "object renamed");
	check_row(&p, "g", 1, 1, "unchanged", "object renamed");
	CHECK_STR(row_of(&p, "f")->object, "parser-v2");
	CHECK_STR(row_of(&p, "f")->base_object, "parser-v1");
	pair_free(&p);
}

/* Cachegrind does not tell objects, and callgrind not all of them. */
static void test_unknown_object(void)
{
	struct pair p = pair_of("events: Ir\nfl=a.c\nfn=f\n1 10\nfn=g\n1 20\nfl=???\nfn=???\n1 3\n",
				"events: Ir\nob=/b/a\nfl=a.c\nfn=f\n1 12\nfl=/x/b.c\nfn=g\n1 21\n"
				"ob=/b/libz\nfl=???\nfn=???\n1 4\nob=???\nfn=h\n1 1\n");
	check_row(&p, "f", 10, 12, "slower", "object renamed");
	check_row(&p, "g", 20, 21, "slower", "object renamed");
	CHECK_STR(row_of(&p, "f")->object, "a");
	CHECK_STR(row_of(&p, "f")->base_object, "???");
	CHECK_U64(p.diff->count, 5); /* what has no name is not the same */
	pair_free(&p);
}

/* f left liba for libb, both of which are on both sides: not the same function. */
static void test_other_object(void)
{
	struct pair p = pair_of(
		"events: Ir\nob=liba\nfl=a.c\nfn=f\n1 10\nfn=x\n1 1\nob=libb\nfn=y\n1 1\n",
		"events: Ir\nob=liba\nfl=a.c\nfn=x\n1 1\nob=libb\nfn=y\n1 1\nfn=f\n1 9\n");
	CHECK_U64(p.diff->count, 4);
	size_t one_sided = 0;
	for (size_t i = 0; i < p.diff->count; i++)
		one_sided += strcmp(p.diff->rows[i].name, "f") == 0 &&
			     p.diff->rows[i].match == DIFF_ONE_SIDED;
	CHECK_U64(one_sided, 2);
	pair_free(&p);
}

/* What a row of this name and head file had in base; -1: no such row. */
static int64_t base_of(const struct pair *p, const char *name, const char *file)
{
	for (size_t i = 0; i < p->diff->count; i++)
		if (strcmp(p->diff->rows[i].name, name) == 0 && p->diff->rows[i].head.present &&
		    strcmp(p->diff->rows[i].file, file) == 0)
			return p->diff->rows[i].base.self[0];
	return -1;
}

static void test_statics(void)
{
	struct pair p = pair_of(
		"events: Ir\nob=a\nfl=/x/a.c\nfn=init\n1 10\nfl=/x/b.c\nfn=init\n1 200\n",
		"events: Ir\nob=a\nfl=/x/b.c\nfn=init\n1 201\nfl=/x/a.c\nfn=init\n1 11\n");
	CHECK_U64(p.diff->count, 2);
	CHECK_U64(base_of(&p, "init", "/x/a.c"), 10);
	CHECK_U64(base_of(&p, "init", "/x/b.c"), 200);
	pair_free(&p);
}

/* The whole tree moved: those whose paths end alike belong together, in whatever
 * order they stand. */
static void test_moved_statics(void)
{
	struct pair p = pair_of("events: Ir\nob=a\n"
				"fl=/old/lib/x.c\nfn=init\n1 10\n"
				"fl=/old/src/y.c\nfn=init\n1 200\n"
				"fl=/old/src/z.c\nfn=init\n1 3000\n",
				"events: Ir\nob=a\n"
				"fl=/new/src/z.c\nfn=init\n1 3001\n"
				"fl=/new/lib/x.c\nfn=init\n1 11\n"
				"fl=/new/src/y.c\nfn=init\n1 201\n");
	CHECK_U64(p.diff->count, 3);
	CHECK_U64(base_of(&p, "init", "/new/lib/x.c"), 10);
	CHECK_U64(base_of(&p, "init", "/new/src/y.c"), 200);
	CHECK_U64(base_of(&p, "init", "/new/src/z.c"), 3000);
	pair_free(&p);

	/* Only one is left: it is the y.c, though x.c comes first. */
	p = pair_of("events: Ir\nob=a\n"
		    "fl=/old/lib/x.c\nfn=init\n1 10\nfl=/old/src/y.c\nfn=init\n1 200\n",
		    "events: Ir\nob=a\nfl=/new/src/y.c\nfn=init\n1 201\n");
	CHECK_U64(p.diff->count, 2);
	CHECK_U64(base_of(&p, "init", "/new/src/y.c"), 200);
	pair_free(&p);
}

static void test_addresses(void)
{
	struct pair p = pair_of(
		"events: Ir\nob=/b/stripped\nfl=???\nfn=0x401000\n1 10\nfn=0x401100\n1 5\n"
		"ob=???\nfn=0x7f0000\n1 100\n",
		"events: Ir\nob=/b/stripped\nfl=???\nfn=0x402000\n1 18\n"
		"ob=???\nfn=???\n1 100\n");
	/* One row per object. */
	REQUIRE_U64(p.diff->count, 2);
	CHECK_STR(p.diff->rows[0].name, "???");
	CHECK_STR(p.diff->rows[0].object, "stripped");
	CHECK_U64(p.diff->rows[0].base.self[0], 15);
	CHECK_U64(p.diff->rows[0].head.self[0], 18);
	CHECK_U64(p.diff->rows[0].base.unnamed, 2);
	CHECK_U64(p.diff->rows[0].head.unnamed, 1);
	CHECK_STR(p.diff->rows[1].object, "???");
	CHECK_U64(p.diff->rows[1].base.self[0], 100);
	pair_free(&p);
}

/* Ten functions of an object without symbols, at addresses from `start` on, in steps
 * of 16; the last one costs `last`. */
static void write_stripped(char *text, size_t size, unsigned start, int last)
{
	size_t used = (size_t)snprintf(text, size, "events: Ir\nob=/b/stripped\nfl=???\n");
	for (unsigned i = 0; i < 10; i++)
		used += (size_t)snprintf(text + used, size - used, "fn=0x%x\n1 %d\n",
					 start + 16 * i, i < 9 ? 5 : last);
}

/* Most addresses are there on both sides: the object is the same, and so are they. */
static void test_same_build(void)
{
	char base[500], head[500];
	write_stripped(base, sizeof base, 0x1000, 100);
	write_stripped(head, sizeof head, 0x1000, 130);
	struct pair p = pair_of(base, head);
	CHECK_U64(p.diff->count, 10);
	check_row(&p, "0x1090", 100, 130, "slower", "same");
	check_row(&p, "0x1000", 5, 5, "unchanged", "same");
	pair_free(&p);

	/* Nine of ten: 0x1000 is not called now, and 0x10a0 is. */
	write_stripped(head, sizeof head, 0x1010, 7);
	p = pair_of(base, head);
	CHECK_U64(p.diff->count, 11);
	check_row(&p, "0x1000", 5, 0, "removed", "");
	check_row(&p, "0x1090", 100, 5, "faster", "same");
	check_row(&p, "0x10a0", 0, 7, "new", "");
	pair_free(&p);

	/* Eight of ten may be chance. */
	write_stripped(head, sizeof head, 0x1020, 7);
	p = pair_of(base, head);
	CHECK_U64(p.diff->count, 1);
	CHECK_U64(row_of(&p, "???")->head.unnamed, 10);
	pair_free(&p);
}

/* More of one name than are compared with each other: every one finds a partner. */
static void test_many_of_one_name(void)
{
	char base[8000] = "events: Ir\nob=a\n", head[8000] = "events: Ir\nob=a\n";
	size_t nbase = strlen(base), nhead = strlen(head);
	for (int i = 0; i < 150; i++) {
		nbase += (size_t)snprintf(base + nbase, sizeof base - nbase,
					  "fl=/old/%03d.c\nfn=init\n1 %d\n", i, i + 1);
		nhead += (size_t)snprintf(head + nhead, sizeof head - nhead,
					  "fl=/new/%03d.c\nfn=init\n1 %d\n", i, i + 1);
	}
	struct pair p = pair_of(base, head);
	CHECK_U64(p.diff->count, 150);
	for (size_t i = 0; i < p.diff->count; i++)
		CHECK_INT(p.diff->rows[i].match, DIFF_MOVED);
	pair_free(&p);
}

/* ---- sides ---- */

static void test_sides(void)
{
	struct pair p = pair_of(
		"events: Ir Dr\nfn=main\n1 5 1\ncfn=f\ncalls=3 1\n2 30 2\nfn=f\n1 30 2\n",
		"events: Dr Ir\nfn=main\n1 1 5\ncfn=f\ncalls=4 1\n2 2 44\nfn=f\n1 2 44\n");
	const struct diff_row *f = row_of(&p, "f"), *m = row_of(&p, "main");

	CHECK_U64(f->base.calls, 3);
	CHECK_U64(f->head.calls, 4);
	CHECK_U64(m->base.inclusive[0], 35);
	/* Events stand in the order of their own side; metrics are found by name. */
	CHECK_U64(m->head.inclusive[1], 49);
	CHECK_U64(diff_base_value(p.diff, f->base.self), 30);
	CHECK_U64(diff_head_value(p.diff, f->head.self), 44);
	pair_free(&p);
}

/* A name that a file only mentions is no row. */
static void test_unmeasured(void)
{
	struct pair p = pair_of("events: Ir\nfn=f\n1 1\ncfn=mentioned\n",
				"events: Ir\nfn=f\n1 1\n");
	CHECK_U64(p.diff->count, 1);
	pair_free(&p);
}

static void test_metrics(void)
{
	struct diff_options by_dr = { .metric = "Dr" };
	struct pair p = pair_with("events: Ir Dr\nfn=f\n1 5 10\nfn=g\n1 100 1\n",
				  "events: Ir Dr\nfn=f\n1 5 12\nfn=g\n1 900 1\n", &by_dr);
	CHECK_STR(p.diff->rows[0].name, "f"); /* Dr decides */
	CHECK_STR(diff_class_name(diff_classify(p.diff, row_of(&p, "g"))), "unchanged");
	pair_free(&p);

	struct cg_profile *ir = profile_of("events: Ir\nfn=f\n1 1\n");
	struct cg_profile *dr = profile_of("events: Dr\nfn=f\n1 1\n");
	struct diff *d = NULL;
	struct cg_error err = { 0 };
	CHECK_INT(diff_make(ir, dr, &exact, &d, &err), CG_EINVAL);
	CHECK_STR(err.message, "the profile of head has no metric 'Ir'; it has: Dr");
	CHECK_INT(diff_make(dr, ir, &exact, &d, &err), CG_EINVAL);
	CHECK_STR(err.message, "the profile of base has no metric 'Ir'; it has: Dr");
	CHECK(d == NULL);
	cg_profile_free(ir);
	cg_profile_free(dr);
}

/* base 100 Ir by 10 calls, head as given. */
static void reason_is(const char *head, const char *expected)
{
	char text[200];
	snprintf(text, sizeof text, "events: Ir\nfn=m\ncfn=f\ncalls=%s\nfn=f\n1 %s\n", head,
		 strrchr(head, ' ') + 1);
	struct pair p = pair_of("events: Ir\nfn=m\ncfn=f\ncalls=10 1\n1 100\nfn=f\n1 100\n", text);
	CHECK_STR(diff_reason(p.diff, row_of(&p, "f")), expected);
	pair_free(&p);
}

static void test_reasons(void)
{
	reason_is("20 1\n1 200", "more calls"); /* 10 Ir each, as before */
	reason_is("10 1\n1 200", "costs more per call");
	reason_is("20 1\n1 400", "more calls, costs more per call");
	reason_is("5 1\n1 50", "fewer calls");
	reason_is("10 1\n1 50", "costs less per call");
	reason_is("5 1\n1 10", "fewer calls, costs less per call");
	reason_is("20 1\n1 150", "more calls"); /* though each costs less */
	reason_is("5 1\n1 200", "costs more per call");
	reason_is("10 1\n1 100", "unchanged");
	reason_is("0 1\n1 200", "slower");
}

/* ---- laws, on pseudo-random profiles ---- */

/* Numerical Recipes' generator: the same numbers everywhere. */
static uint32_t next(uint32_t *seed)
{
	return *seed = *seed * 1664525u + 1013904223u;
}

static uint32_t below(uint32_t *seed, uint32_t n)
{
	return (uint32_t)(((uint64_t)next(seed) * n) >> 32);
}

/* Few names, files and objects, so that they meet in all ways. */
static char *random_profile(uint32_t seed)
{
	static const char *const names[] = { "f",    "g",    "f.part.0", "g.cold", "h",
					     "0x10", "0x20", "f'2",      "h'2",    "???" };
	static const char *const objects[] = { "/a/x", "/b/x", "y", "???" };
	static const char *const files[] = { "/s/1.c", "/t/1.c", "2.c", "???" };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	REQUIRE(f != NULL);

	fputs(below(&seed, 2) ? "events: Ir Dr\n" : "events: Dr Ir\n", f);
	for (uint32_t i = below(&seed, 30); i > 0; i--) {
		fprintf(f, "ob=%s\n", objects[below(&seed, 4)]);
		fprintf(f, "fl=%s\n", files[below(&seed, 4)]);
		fprintf(f, "fn=%s\n", names[below(&seed, 10)]);
		for (uint32_t k = below(&seed, 3); k > 0; k--)
			fprintf(f, "%u %u %u\n", below(&seed, 9), below(&seed, 1000),
				below(&seed, 50));
		for (uint32_t k = below(&seed, 3); k > 0; k--)
			fprintf(f, "cob=%s\ncfi=%s\ncfn=%s\ncalls=%u 1\n1 %u %u\n",
				objects[below(&seed, 4)], files[below(&seed, 4)],
				names[below(&seed, 10)], below(&seed, 5), below(&seed, 1000),
				below(&seed, 50));
	}
	fclose(f);
	return text;
}

/* Self deltas of an event over all rows, and of the totals. */
static void check_law(const struct pair *p, const char *event)
{
	int b = cg_event_index(p->base, event), h = cg_event_index(p->head, event);
	int64_t sum = 0;
	for (size_t i = 0; i < p->diff->count; i++) {
		const struct diff_row *r = &p->diff->rows[i];
		sum += (r->head.present ? (int64_t)r->head.self[h] : 0) -
		       (r->base.present ? (int64_t)r->base.self[b] : 0);
	}
	CHECK_INT(sum, (int64_t)p->head->total[h] - (int64_t)p->base->total[b]);
}

static void check_no_change(const char *text)
{
	struct pair p = pair_of(text, text);
	for (size_t i = 0; i < p.diff->count; i++) {
		const struct diff_row *r = &p.diff->rows[i];
		CHECK_STR(diff_class_name(diff_classify(p.diff, r)), "unchanged");
		CHECK_STR(diff_match_name(r->match), "same");
		CHECK_U64(r->base.calls, r->head.calls);
		CHECK_U64(r->base.inclusive[0], r->head.inclusive[0]);
	}
	pair_free(&p);
}

/* Swapped sides: the same deltas with the other sign, row by row. */
static void check_swap(const struct pair *p, const char *base, const char *head)
{
	struct pair q = pair_of(head, base);
	int64_t sum = 0;

	CHECK_U64(p->diff->count, q.diff->count);
	for (size_t i = 0; i < p->diff->count; i++) {
		const struct diff_row *r = &p->diff->rows[i];
		int64_t delta = (int64_t)diff_head_value(p->diff, r->head.self) -
				(int64_t)diff_base_value(p->diff, r->base.self);
		uint32_t found = 0;
		for (size_t k = 0; k < q.diff->count; k++) {
			const struct diff_row *s = &q.diff->rows[k];
			int64_t back = (int64_t)diff_head_value(q.diff, s->head.self) -
				       (int64_t)diff_base_value(q.diff, s->base.self);
			found += strcmp(r->name, s->name) == 0 &&
				 strcmp(r->object, s->base_object) == 0 &&
				 strcmp(r->file, s->base_file) == 0 &&
				 strcmp(r->base_object, s->object) == 0 &&
				 strcmp(r->base_file, s->file) == 0 && back == -delta &&
				 r->base.present == s->head.present;
		}
		CHECK_U64(found, 1);
		sum += delta;
	}
	CHECK_INT(sum, (int64_t)diff_head_value(p->diff, p->head->total) -
			       (int64_t)diff_base_value(p->diff, p->base->total));
	pair_free(&q);
}

static void test_laws(void)
{
	for (uint32_t seed = 1; seed <= 300; seed++) {
		char *base = random_profile(seed), *head = random_profile(seed + 7777);
		struct pair p = pair_of(base, head);
		check_law(&p, "Ir");
		check_law(&p, "Dr");
		check_no_change(base);
		check_swap(&p, base, head);
		pair_free(&p);
		free(base);
		free(head);
	}
}

/* Of 10,000 in base. */
static void test_tolerance(void)
{
	static const char base[] =
		"events: Ir\nfn=f\n1 9000\nfn=g\n1 700\nfn=h\n1 299\nfn=i\n1 1\n";
	static const char head[] =
		"events: Ir\nfn=f\n1 8701\nfn=g\n1 1000\nfn=h\n1 598\nfn=j\n1 300\n";
	const struct tolerance t = { "Ir", 1, 30000000 }; /* 3 %: 300 */
	struct diff_options options = {
		.metric = "Ir", .min_delta = 100, .tolerances = &t, .ntolerances = 1
	};
	struct pair p = pair_with(base, head, &options);

	CHECK_U64(p.diff->tolerance, 300);
	check_row(&p, "f", 9000, 8701, "within tolerance", "same");
	check_row(&p, "g", 700, 1000, "within tolerance", "same");
	check_row(&p, "i", 1, 0, "within tolerance", "");
	check_row(&p, "j", 0, 300, "within tolerance", "");
	CHECK_STR(diff_reason(p.diff, row_of(&p, "j")), "within tolerance");
	CHECK(!diff_is_change(DIFF_TOLERATED) && diff_is_change(DIFF_NEW));
	CHECK(!diff_tolerates(p.diff, 5, 5) && diff_tolerates(p.diff, 305, 5));
	CHECK(!diff_tolerates(p.diff, 306, 5) && !diff_tolerates_in(p.diff, "Dr", 6, 5));
	/* What no threshold lets be a change needs no tolerance. */
	CHECK_INT(diff_classify_change(p.diff, 0, 99), DIFF_UNCHANGED);
	CHECK_INT(diff_classify_change(p.diff, 0, 301), DIFF_SLOWER);
	pair_free(&p);
	/* Other metrics, and a share of a total that no number holds. */
	options.ntolerances = 0;
	p = pair_with(base, head, &options);
	CHECK_U64(p.diff->tolerance, 0);
	check_row(&p, "j", 0, 300, "new", "");
	pair_free(&p);
	CHECK_U64(tolerance_events(&(struct tolerance){ "Ir", 0, UINT64_MAX }, INT64_MAX),
		  UINT64_MAX);
	CHECK_U64(tolerance_events(&(struct tolerance){ "Ir", 0, 10000000 }, -200), 2);
}

TEST_MAIN("diff", { "classes", test_classes }, { "a tolerance", test_tolerance },
	  { "order", test_order }, { "the threshold", test_threshold },
	  { "the least delta", test_min_delta }, { "large numbers", test_large_thresholds },
	  { "an empty base", test_empty_base }, { "clones are one function", test_clones },
	  { "names without parameters", test_bare_names },
	  { "instances without parameters", test_bare_instances },
	  { "the same in renamed objects", test_bare_names_in_renamed_objects },
	  { "overloads are not the same", test_overloads }, { "a moved file", test_moved_file },
	  { "paths and names of objects", test_object_path },
	  { "an unknown object", test_unknown_object },
	  { "another object is another function", test_other_object },
	  { "statics of one name", test_statics }, { "moved statics", test_moved_statics },
	  { "functions without names", test_addresses }, { "the same build", test_same_build },
	  { "very many of one name", test_many_of_one_name }, { "both sides", test_sides },
	  { "what was only mentioned", test_unmeasured }, { "metrics", test_metrics },
	  { "reasons", test_reasons }, { "laws on random profiles", test_laws })
