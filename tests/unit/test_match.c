#include "tests/unit/growth.h"
#include "tests/unit/profiles.h"

#include "src/diff/diff.h"

static const struct diff_options exact = { .metric = "Ir" };

/* Functions with their costs and how they were found, the largest difference first: "f 1 > 2
 * moved". */
static void check(const char *base, const char *head, const char *expected)
{
	struct cg_profile *b = profile_of(base), *h = profile_of(head);
	struct cg_error err = { 0 };
	struct diff *d = NULL;
	char text[8000] = "";
	size_t used = 0;

	REQUIRE_INT(diff_make(b, h, &exact, &d, &err), CG_OK);
	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *r = &d->rows[i];
		used += (size_t)snprintf(
			text + used, sizeof text - used, "%s %" PRId64 " > %" PRId64 " %s\n",
			r->name, r->base.self[0], r->head.self[0], diff_match_name(r->match));
	}
	CHECK_STR(text, expected);
	diff_free(d);
	cg_profile_free(b);
	cg_profile_free(h);
}

/* ---- several of one name ---- */

/* So many functions "init" of base, in files a.c, b.c and on, costing 1, 2 and on; in head their
 * files lie in directories in which the last is the first. How many are unchanged? */
static size_t count_found(size_t in_base, size_t in_head)
{
	char base[4000] = "events: Ir\nob=a\n", head[4000] = "events: Ir\nob=a\n";
	size_t nbase = strlen(base), nhead = strlen(head), found = 0;
	struct diff *d = NULL;

	for (size_t i = 0; i < in_base; i++)
		nbase += (size_t)snprintf(base + nbase, sizeof base - nbase,
					  "fl=/old/%c.c\nfn=init\n1 %zu\n", (char)('a' + i), i + 1);
	snprintf(base + nbase, sizeof base - nbase, "fn=another\n1 1000\n");
	for (size_t i = 0; i < in_head; i++)
		nhead += (size_t)snprintf(head + nhead, sizeof head - nhead,
					  "fl=/new/%c/%c.c\nfn=init\n1 %zu\n", (char)('z' - i),
					  (char)('a' + i), i + 1);
	struct cg_profile *b = profile_of(base), *h = profile_of(head);
	REQUIRE_INT(diff_make(b, h, &exact, &d, NULL), CG_OK);
	/* Nobody is left alone who need not be, but for another. */
	CHECK_U64(d->count, (in_base > in_head ? in_base : in_head) + 1);
	for (size_t i = 0; i < d->count; i++)
		found += d->rows[i].match == DIFF_MOVED &&
			 d->rows[i].base.self[0] == d->rows[i].head.self[0];
	diff_free(d);
	cg_profile_free(b);
	cg_profile_free(h);
	return found;
}

/* Up to 16 are found by their paths. Of more, the first in the order of paths becomes the first:
 * the one in the middle of 17 is where it was. */
static void test_many(void)
{
	CHECK_U64(count_found(2, 2), 2);
	CHECK_U64(count_found(16, 16), 16);
	CHECK_U64(count_found(3, 16), 3);
	CHECK_U64(count_found(16, 3), 3);
	CHECK_U64(count_found(17, 17), 1);
	/* a of base is q of head, b is p, and i is i. */
	CHECK_U64(count_found(16, 17), 1);
	/* Of 16 in head the first is p: a is p, b is o, and none is itself. */
	CHECK_U64(count_found(17, 16), 0);
}

/* So many methods of classes in main, which debug information of head leaves out. How many are
 * found? */
static size_t count_bare(size_t in_base, size_t in_head)
{
	char base[4000] = "events: Ir\nob=a\nfl=a.cc\n", head[4000] = "events: Ir\nob=a\nfl=a.cc\n";
	size_t nbase = strlen(base), nhead = strlen(head);
	struct diff *d = NULL;

	for (size_t i = 0; i < in_base; i++)
		nbase += (size_t)snprintf(base + nbase, sizeof base - nbase,
					  "fn=main::%c::get(int) const\n1 1\n", (char)('A' + i));
	for (size_t i = 0; i < in_head; i++)
		nhead += (size_t)snprintf(head + nhead, sizeof head - nhead, "fn=%c::get\n1 1\n",
					  (char)('A' + i));
	struct cg_profile *b = profile_of(base), *h = profile_of(head);
	REQUIRE_INT(diff_make(b, h, &exact, &d, NULL), CG_OK);
	size_t found = in_base + in_head - d->count;
	diff_free(d);
	cg_profile_free(b);
	cg_profile_free(h);
	return found;
}

static void test_many_bare(void)
{
	CHECK_U64(count_bare(16, 16), 16);
	CHECK_U64(count_bare(16, 1), 1);
	CHECK_U64(count_bare(1, 16), 1);
	CHECK_U64(count_bare(17, 1), 0);
	CHECK_U64(count_bare(1, 17), 0);
}

/* The end of a path in whole components: b.c is not the end of ab.c. */
static void test_nearest(void)
{
	/* The one that shares src/x.c, not the ones that share x.c, or letters; and what is left in
	 * order. */
	check("events: Ir\nob=a\nfl=/o/src/x.c\nfn=f\n1 10\n",
	      "events: Ir\nob=a\nfl=/n/a/x.c\nfn=f\n1 1\nfl=/n/src/x.c\nfn=f\n1 11\nfl=/n/z/rc/x.c\nfn=f\n1 3\n",
	      "f 0 > 3 \nf 10 > 11 moved\nf 0 > 1 \n");
	check("events: Ir\nob=a\nfl=/o/ab.c\nfn=f\n1 10\nfl=/o/b.c\nfn=f\n1 20\n",
	      "events: Ir\nob=a\nfl=/n/b.c\nfn=f\n1 22\n", "f 10 > 0 \nf 20 > 22 moved\n");
	/* A path without directories ends where it begins. */
	check("events: Ir\nob=a\nfl=/o/ab.c\nfn=f\n1 10\nfl=/o/b.c\nfn=f\n1 20\n",
	      "events: Ir\nob=a\nfl=b.c\nfn=f\n1 22\n", "f 10 > 0 \nf 20 > 22 moved\n");
	check("events: Ir\nob=a\nfl=ab.c\nfn=f\n1 10\nfl=b.c\nfn=f\n1 20\n",
	      "events: Ir\nob=a\nfl=/n/b.c\nfn=f\n1 22\n", "f 10 > 0 \nf 20 > 22 moved\n");
	/* Nothing in common: the first is the first. */
	check("events: Ir\nob=a\nfl=/o/1.c\nfn=f\n1 10\nfl=/o/2.c\nfn=f\n1 20\n",
	      "events: Ir\nob=a\nfl=/n/7.c\nfn=f\n1 14\nfl=/n/8.c\nfn=f\n1 29\n",
	      "f 20 > 29 moved\nf 10 > 14 moved\n");
}

/* ---- what may be the same ---- */

/* A name without parameters is one with them only in the same file, or where the file is not
 * known. */
static void test_bare_in_files(void)
{
	check("events: Ir\nob=a\nfl=???\nfn=get\n1 10\n",
	      "events: Ir\nob=a\nfl=x.cc\nfn=A::get(int)\n1 12\n", "A::get(int) 10 > 12 same\n");
	check("events: Ir\nob=a\nfl=x.cc\nfn=A::get(int)\n1 12\n",
	      "events: Ir\nob=a\nfl=???\nfn=get\n1 10\n", "get 12 > 10 same\n");
	check("events: Ir\nob=a\nfl=y.cc\nfn=get\n1 10\n",
	      "events: Ir\nob=a\nfl=x.cc\nfn=A::get(int)\n1 12\n",
	      "A::get(int) 0 > 12 \nget 10 > 0 \n");
	/* It is the file of the one without parameters that may be unknown. */
	check("events: Ir\nob=a\nfl=y.cc\nfn=get\n1 10\n",
	      "events: Ir\nob=a\nfl=???\nfn=A::get(int)\n1 12\n",
	      "A::get(int) 0 > 12 \nget 10 > 0 \n");
	/* Two that may be meant, on either side. */
	check("events: Ir\nob=a\nfl=x.cc\nfn=A::get(int)\n1 1\nfn=B::get(int)\n1 2\n",
	      "events: Ir\nob=a\nfl=x.cc\nfn=get\n1 10\n",
	      "get 0 > 10 \nB::get(int) 2 > 0 \nA::get(int) 1 > 0 \n");
	check("events: Ir\nob=a\nfl=x.cc\nfn=get\n1 10\n",
	      "events: Ir\nob=a\nfl=x.cc\nfn=A::get(int)\n1 1\nfn=B::get(int)\n1 2\n",
	      "get 10 > 0 \nB::get(int) 0 > 2 \nA::get(int) 0 > 1 \n");
	/* Both with parameters, or both without, are not the same but bare. */
	check("events: Ir\nob=a\nfl=x.cc\nfn=A::get(int)\n1 1\n",
	      "events: Ir\nob=a\nfl=x.cc\nfn=n::A::get(int)\n1 2\n",
	      "n::A::get(int) 0 > 2 \nA::get(int) 1 > 0 \n");
}

/* An object has another name if the other side has neither; what has no name is nobody there. */
static void test_renamed_objects(void)
{
	check("events: Ir\nob=v1\nfl=a.c\nfn=f\n1 10\nfn=???\n1 5\n",
	      "events: Ir\nob=v2\nfl=a.c\nfn=f\n1 12\nfn=???\n1 6\n",
	      "??? 0 > 6 \n??? 5 > 0 \nf 10 > 12 object renamed\n");
	/* v1 is still there, and v2 was there before. */
	check("events: Ir\nob=v1\nfl=a.c\nfn=f\n1 10\nfn=g\n1 5\n",
	      "events: Ir\nob=v2\nfl=a.c\nfn=f\n1 12\nob=v1\nfl=a.c\nfn=g\n1 5\n",
	      "f 0 > 12 \nf 10 > 0 \ng 5 > 5 same\n");
	check("events: Ir\nob=v1\nfl=a.c\nfn=f\n1 10\nob=v2\nfl=a.c\nfn=g\n1 5\n",
	      "events: Ir\nob=v2\nfl=a.c\nfn=f\n1 12\nfn=g\n1 5\n",
	      "f 0 > 12 \nf 10 > 0 \ng 5 > 5 same\n");
	/* Both are on both sides: neither with parameters nor without what is around it has
	 * anything moved. */
	check("events: Ir\nob=v1\nfl=a.c\nfn=mix\n1 10\nfn=x\n1 1\nob=v2\nfn=y\n1 1\n",
	      "events: Ir\nob=v1\nfl=a.c\nfn=x\n1 1\nob=v2\nfn=y\n1 1\nfn=mix(int)\n1 12\n",
	      "mix(int) 0 > 12 \nmix 10 > 0 \nx 1 > 1 same\ny 1 > 1 same\n");
	check("events: Ir\nob=v1\nfl=a.c\nfn=get\n1 10\nfn=x\n1 1\nob=v2\nfn=y\n1 1\n",
	      "events: Ir\nob=v1\nfl=a.c\nfn=x\n1 1\nob=v2\nfn=y\n1 1\nfn=A::get(int)\n1 12\n",
	      "A::get(int) 0 > 12 \nget 10 > 0 \nx 1 > 1 same\ny 1 > 1 same\n");
	/* The same file before any other. */
	check("events: Ir\nob=v1\nfl=a.c\nfn=f\n1 10\nfl=z.c\nfn=f\n1 20\n",
	      "events: Ir\nob=v2\nfl=z.c\nfn=f\n1 22\nfl=b.c\nfn=f\n1 11\n",
	      "f 20 > 22 object renamed\nf 10 > 11 object renamed\n");
	/* Without its parameters, and without what is around it, in another object. */
	check("events: Ir\nob=v1\nfl=a.c\nfn=n::A::get(int)\n1 10\n",
	      "events: Ir\nob=v2\nfl=a.c\nfn=A::get\n1 12\n", "A::get 10 > 12 object renamed\n");
	check("events: Ir\nob=v1\nfl=???\nfn=get\n1 10\n",
	      "events: Ir\nob=v2\nfl=a.c\nfn=A::get(int)\n1 12\n",
	      "A::get(int) 10 > 12 object renamed\n");
	/* Lambdas, which two compilers number in their own ways. */
	check("events: Ir\nob=v1\nfl=a.c\nfn=f(int)::{lambda(int)#1}::operator()(int) const\n1 10\n",
	      "events: Ir\nob=v2\nfl=a.c\nfn=f(int)::$_0::operator()(int) const\n1 12\n",
	      "f(int)::$_0::operator()(int) const 10 > 12 object renamed\n");
	check("events: Ir\nob=v1\nfl=a.c\nfn=f(int)::{lambda(int)#1}::operator()(int) const\n1 10\n",
	      "events: Ir\nob=v2\nfl=b.c\nfn=f(int)::$_0::operator()(int) const\n1 12\n",
	      "f(int)::$_0::operator()(int) const 0 > 12 \n"
	      "f(int)::{lambda(int)#1}::operator()(int) const 10 > 0 \n");
}

/* In the same object a lambda may have moved to another file. */
static void test_moved_lambdas(void)
{
	check("events: Ir\nob=a\nfl=a.c\nfn=f(int)::{lambda(int)#1}::operator()(int) const\n1 10\n",
	      "events: Ir\nob=a\nfl=b.c\nfn=f(int)::$_0::operator()(int) const\n1 12\n",
	      "f(int)::$_0::operator()(int) const 10 > 12 moved\n");
	/* Two of three: nobody knows which. */
	check("events: Ir\nob=a\nfl=a.c\nfn=f()::{lambda()#1}::operator()() const\n1 1\n"
	      "fn=f()::{lambda()#2}::operator()() const\n1 2\n",
	      "events: Ir\nob=a\nfl=a.c\nfn=f()::$_0::operator()() const\n1 3\n"
	      "fn=f()::$_1::operator()() const\n1 4\nfn=f()::$_2::operator()() const\n1 5\n",
	      "f()::$_2::operator()() const 0 > 5 \nf()::$_1::operator()() const 0 > 4 \n"
	      "f()::$_0::operator()() const 0 > 3 \nf()::{lambda()#2}::operator()() const 2 > 0 \n"
	      "f()::{lambda()#1}::operator()() const 1 > 0 \n");
}

/* ---- many ---- */

/* Two profiles of so many functions: those of the one have nothing in common with each other, those
 * of the other all have the same last word. */
static struct cg_profile *functions_of(size_t count, const char *format)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	REQUIRE(f != NULL);
	fputs("events: Ir\nob=a\nfl=a.cc\n", f);
	for (size_t i = 0; i < count; i++) {
		fputs("fn=", f);
		fprintf(f, format, i);
		fputs("\n1 5\n", f);
	}
	fclose(f);
	struct cg_profile *p = profile_of(text);
	free(text);
	return p;
}

static void check_apart(size_t count, const char *base, const char *head)
{
	struct cg_profile *b = functions_of(count, base), *h = functions_of(count, head);
	struct cg_error err;
	struct diff *d = NULL;

	REQUIRE_INT(diff_make(b, h, &exact, &d, &err), CG_OK);
	CHECK_U64(d->count, 2 * count);
	diff_free(d);
	cg_profile_free(b);
	cg_profile_free(h);
}

static void match_apart(size_t count)
{
	check_apart(count, "f%zu", "ns%zu::same(int)");
}

static void match_apart_swapped(size_t count)
{
	check_apart(count, "ns%zu::same(int)", "f%zu");
}

/* Functions that only one side has, however many of them are alike. */
static void test_growth(void)
{
	if (!test_rounds(1))
		return; /* it measures time */
	CHECK(grows_in_proportion(match_apart, 16000));
	CHECK(grows_in_proportion(match_apart_swapped, 16000));
}

TEST_MAIN("match", { "many of one name", test_many }, { "many without parameters", test_many_bare },
	  { "the nearest path", test_nearest }, { "files of bare names", test_bare_in_files },
	  { "renamed objects", test_renamed_objects }, { "moved lambdas", test_moved_lambdas },
	  { "growth", test_growth })
