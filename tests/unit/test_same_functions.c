/* Which function of base is which function of head. */
#include "tests/unit/diff_pair.h"

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
	check_row(&p, "work", 30, 31, "regressed", "same"); /* both clones are one row */
	check_row(&p, "hash", 5, 6, "regressed", "same");
	check_row(&p, "memcpy", 3, 4, "regressed", "same");
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
	check_row(&p, "mix(int, int)", 10, 12, "regressed", "same");
	check_row(&p, "ns::get() const", 5, 5, "unchanged", "same");
	pair_free(&p);
	p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\nfn=mix(int, int)\n1 12\n",
		    "events: Ir\nob=/b/a\nfl=a.cc\nfn=mix\n1 10\n");
	CHECK_U64(p.diff->count, 1);
	check_row(&p, "mix", 12, 10, "improved", "same");
	pair_free(&p);
	/* A name that is the same with its parameters is a better partner. */
	p = pair_of("events: Ir\nob=/b/a\nfl=a.cc\nfn=mix\n1 10\nfn=mix(int)\n1 200\n",
		    "events: Ir\nob=/b/a\nfl=a.cc\nfn=mix(int)\n1 201\n");
	CHECK_U64(p.diff->count, 2);
	check_row(&p, "mix(int)", 200, 201, "regressed", "same");
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
	check_row(&p, "f<unsigned int>", 10, 11, "regressed", "same");
	check_row(&p, "f<short unsigned int>", 20, 22, "regressed", "same");
	check_row(&p, "Local::get", 30, 33, "regressed", "same");
	check_row(&p, "operator()", 40, 44, "regressed", "same");
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
	check_row(&p, "f::{lambda(int)#1}::operator()", 10, 11, "regressed", "same");
	check_row(&p, "f::{lambda(int)#2}::operator()", 20, 22, "regressed", "same");
	check_row(&p, "g::{lambda(int)#1}::operator()", 30, 33, "regressed", "same");
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
	check_row(&p, "f(int)::$_0::operator()(int) const", 10, 11, "regressed", "same");
	check_row(&p, "f(int)::$_1::operator()(char) const", 20, 22, "regressed", "same");
	check_row(&p, "f(int)::$_2::operator()(int) const", 40, 44, "regressed", "same");
	check_row(&p, "f(int)::$_3::operator()(int) const", 30, 33, "regressed", "same");
	check_row(&p, "void g<f(int)::$_2>(f(int)::$_2)", 50, 55, "regressed", "same");
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
	check_row(&p, "mix(int)", 10, 12, "regressed", "object renamed");
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
	check_row(&p, "f", 10, 12, "regressed", "moved");
	CHECK_STR(row_of(&p, "f")->file, "/src/new.c");
	CHECK_STR(row_of(&p, "f")->base_file, "/src/old.c");
	pair_free(&p);
}

static void test_object_path(void)
{
	/* Another directory is the same object … */
	struct pair p = pair_of("events: Ir\nob=/before/bin/a\nfl=a.c\nfn=f\n1 10\n",
				"events: Ir\nob=/after/bin/a\nfl=a.c\nfn=f\n1 12\n");
	check_row(&p, "f", 10, 12, "regressed", "same");
	CHECK_STR(row_of(&p, "f")->object, "a");
	pair_free(&p);

	/* … another name is a renamed one, if the other side has neither name. */
	p = pair_of("events: Ir\nob=/b/parser-v1\nfl=a.c\nfn=f\n1 10\nfl=b.c\nfn=g\n1 1\n",
		    "events: Ir\nob=/b/parser-v2\nfl=a.c\nfn=f\n1 12\nfl=c.c\nfn=g\n1 1\n");
	CHECK_U64(p.diff->count, 2);
	check_row(&p, "f", 10, 12, "regressed", "object renamed");
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
	check_row(&p, "f", 10, 12, "regressed", "object renamed");
	check_row(&p, "g", 20, 21, "regressed", "object renamed");
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
	check_row(&p, "0x1090", 100, 130, "regressed", "same");
	check_row(&p, "0x1000", 5, 5, "unchanged", "same");
	pair_free(&p);

	/* Nine of ten: 0x1000 is not called now, and 0x10a0 is. */
	write_stripped(head, sizeof head, 0x1010, 7);
	p = pair_of(base, head);
	CHECK_U64(p.diff->count, 11);
	check_row(&p, "0x1000", 5, 0, "removed", "");
	check_row(&p, "0x1090", 100, 5, "improved", "same");
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

TEST_MAIN("same functions", { "clones are one function", test_clones },
	  { "names without parameters", test_bare_names },
	  { "instances without parameters", test_bare_instances },
	  { "the same in renamed objects", test_bare_names_in_renamed_objects },
	  { "overloads are not the same", test_overloads }, { "a moved file", test_moved_file },
	  { "paths and names of objects", test_object_path },
	  { "an unknown object", test_unknown_object },
	  { "another object is another function", test_other_object },
	  { "statics of one name", test_statics }, { "moved statics", test_moved_statics },
	  { "functions without names", test_addresses }, { "the same build", test_same_build },
	  { "very many of one name", test_many_of_one_name })
