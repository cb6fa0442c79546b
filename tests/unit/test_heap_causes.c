/* Causes in the stacks of a heap: only calls that lead to an allocation, which are not counted. */
#include "src/diff/installed.h"
#include "tests/unit/found_causes.h"

static const struct diff_options blocks = { .metric = "AllocBlocks" };

/* main calls load, which allocates 10. */
#define LOAD \
	"events: AllocBlocks\nfl=bench.cc\nfn=main\n1 1\ncfl=load.cc\ncfn=load\ncalls=0 5\n2 10\n" \
	"fl=load.cc\nfn=load\n5 10\n"

/* What else main calls allocates `cost`. */
#define MAIN_CALLS(file, name, cost) \
	"fl=bench.cc\nfn=main\ncfl=" file "\ncfn=" name "\ncalls=0 30\n3 " cost "\n"

#define CALL(file, name, to_file, to, cost) \
	"fl=" file "\nfn=" name "\ncfl=" to_file "\ncfn=" to "\ncalls=0 40\n31 " cost "\n"
#define OWN(file, name, cost) "fl=" file "\nfn=" name "\n40 " cost "\n"

#define STRING "/usr/include/c++/12/bits/basic_string.tcc"
#define VEC "/home/u/.cargo/registry/src/index/vec/src/lib.rs"

#define FIND \
	LOAD MAIN_CALLS("find.cc", "find", "20") CALL("find.cc", "find", STRING, "string", "20") \
		OWN(STRING, "string", "20")

/* main may have called find before. */
static void test_allocates(void)
{
	struct found f = causes_of(LOAD, FIND, &blocks);
	const struct tree_row *rows = f.trees.tree->rows;
	const struct cause *c = &f.causes->items[0];

	REQUIRE(f.causes->count == 1);
	CHECK_INT(c->kind, CAUSE_ALLOCATES);
	CHECK_STR(rows[c->callee].name, "string");
	CHECK(!cause_is_call(c));
	CHECK(cause_is_own(c));
	found_free(&f);
	check(LOAD, FIND, &blocks, "+20 find: new allocations\n");
	check(FIND, LOAD, &blocks, "-20 find: removed allocations\n");
}

/* The same stacks of instructions say who calls. */
static void test_other_metrics(void)
{
	static const char base[] = "events: Ir\nfn=m\n1 5\n";
	static const char head[] = "events: Ir\nfn=m\n1 5\ncfn=k\ncalls=0 1\n1 7\nfn=k\n1 7\n";

	check(base, head, &instructions, "+7 m -> k: new call\n");
}

/* Of the project's functions that which has all of it. */
static void test_deepest(void)
{
	check(LOAD,
	      LOAD MAIN_CALLS("find.cc", "find", "20") CALL("find.cc", "find", STRING, "sort", "20")
		      CALL(STRING, "sort", "key.cc", "key", "20")
			      CALL("key.cc", "key", VEC, "grow", "20") OWN(VEC, "grow", "20"),
	      &blocks, "+20 key: new allocations\n");
	check(LOAD,
	      LOAD MAIN_CALLS("find.cc", "find", "20") CALL("find.cc", "find", "a.cc", "a", "12")
		      CALL("find.cc", "find", "b.cc", "b", "8") OWN("a.cc", "a", "12")
			      OWN("b.cc", "b", "8"),
	      &blocks, "+20 find: new allocations\n");
	/* All is of a library: the nearest one above, which allocates something itself. */
	check(LOAD, LOAD MAIN_CALLS(STRING, "string", "20") OWN(STRING, "string", "20"), &blocks,
	      "+20 main: more allocations\n");
}

/* A file of a library may have a relative path. */
static void test_objects(void)
{
	check(LOAD,
	      LOAD MAIN_CALLS(
		      "find.cc", "find",
		      "20") "fl=find.cc\nfn=find\ncob=/usr/lib/libc.so.6\ncfl=stdio.c\ncfn=open\ncalls=0 1\n2 20\n"
			    "ob=/usr/lib/libc.so.6\nfl=stdio.c\nfn=open\n1 20\n",
	      &blocks, "+20 find: new allocations\n");
}

/* With debug information, DHAT names no objects; the files of the C library have relative paths. */
#define MAIN_OF(directory) "events: AllocBlocks\nfl=" directory "bench.cc\nfn=main\n1 1\n"
#define COPY_OF(directory) \
	MAIN_OF(directory) \
	"cfl=" directory "find.cc\ncfn=find\ncalls=0 1\n1 20\n" CALL( \
		directory "find.cc", "find", "string/strdup.c", "strdup", "20") \
		OWN("string/strdup.c", "strdup", "20")

static void test_unnamed_objects(void)
{
	check(MAIN_OF("/p/"), COPY_OF("/p/"), &blocks, "+20 find: new allocations\n");
	/* So have those of some programs. */
	check(MAIN_OF(""), COPY_OF(""), &blocks, "+20 strdup: new allocations\n");
	check(MAIN_OF("/usr/share/"), COPY_OF("/usr/share/"), &blocks,
	      "+20 strdup: new allocations\n");
}

static bool tells(const char *name, const char *file)
{
	char text[200];
	snprintf(text, sizeof text, "events: Ir\nfl=%s\nfn=%s\n1 5\nfl=a.c\nfn=f\n1 5\n", file,
		 name);
	struct cg_profile *p = profile_of(text);
	bool absolute = has_absolute_files(p);
	cg_profile_free(p);
	return absolute;
}

static void test_unnamed_libraries(void)
{
	CHECK(tells("main", "/p/a.c"));
	CHECK(tells("main(int, char**)", "/p/a.c"));
	CHECK(tells("app::main", "/p/a.rs"));
	CHECK(!tells("app::domain", "/p/a.rs"));
	CHECK(!tells("main", "a.c"));
	CHECK(!tells("main", "???"));
	CHECK(!tells("(below main)", "/p/a.c"));
	CHECK(is_of_unnamed_library("", "string/strdup.c", true));
	CHECK(is_of_unnamed_library("???", "string/strdup.c", true));
	CHECK(!is_of_unnamed_library("/p/app", "string/strdup.c", true));
	CHECK(!is_of_unnamed_library("", "/p/a.c", true));
	CHECK(!is_of_unnamed_library("", "???", true));
	CHECK(!is_of_unnamed_library("", "", true));
	CHECK(!is_of_unnamed_library("", "string/strdup.c", false));
}

#define FIND_ITSELF LOAD MAIN_CALLS("find.cc", "find", "20") OWN("find.cc", "find", "20")
#define COPY_TOO \
	FIND_ITSELF MAIN_CALLS("copy.cc", "copy", "30") \
		CALL("copy.cc", "copy", "find.cc", "find", "30") OWN("find.cc", "find", "30")

/* What it has on other paths is not new, unless it has that by way of others. */
static void test_allocates_more(void)
{
	check(FIND_ITSELF, COPY_TOO, &blocks, "+30 find: more allocations\n");
	check(COPY_TOO, FIND_ITSELF, &blocks, "-30 find: fewer allocations\n");
	check(LOAD MAIN_CALLS(STRING, "string", "20") OWN(STRING, "string", "20"),
	      LOAD MAIN_CALLS(STRING, "string", "20") OWN(STRING, "string", "20")
		      MAIN_CALLS(VEC, "grow", "50") OWN(VEC, "grow", "50"),
	      &blocks, "+50 main: more allocations\n");
}

#define NAMED(name, own, cost) \
	LOAD MAIN_CALLS("find.cc", name, cost) "fl=find.cc\nfn=" own "\n40 " cost "\n"

/* One that was inlined and is not any more, and has another name, allocates as often. */
static void test_renamed(void)
{
	static const char inlined[] = LOAD MAIN_CALLS("find.cc", "seek'2'main",
						      "20") "fl=find.cc\nfn=seek'2'main\n40 20\n";

	check(NAMED("find", "find", "20"), NAMED("seek", "seek", "20"), &blocks, "");
	check(NAMED("find", "find", "20"), inlined, &blocks, "");
	check(NAMED("find", "find", "100"), NAMED("seek", "seek", "95"), &blocks,
	      "-5 seek: self\n");
	check(NAMED("find", "find", "100"), NAMED("seek", "seek", "50"), &blocks,
	      "-100 find: removed allocations\n+50 seek: new allocations\n");
}

/* What replaces the other is the same function's doing, and neither hides the other. */
static void test_replaced(void)
{
	check(LOAD MAIN_CALLS(STRING, "string", "20") OWN(STRING, "string", "20"),
	      LOAD MAIN_CALLS(VEC, "grow", "50") OWN(VEC, "grow", "50"), &blocks,
	      "+50 main: more allocations\n-20 main: fewer allocations\n");
}

/* The edited function allocates, not the edited one that calls it through others. */
static void test_edited(void)
{
	static const struct sources find_and_main = { "nd", "", "" }, only_main = { "n", "", "" };

	check_by(LOAD, FIND, &blocks, &find_and_main, "+20 find: new allocations\n");
	check_by(LOAD, FIND, &blocks, &only_main, "+20 find: new allocations\n");
}

TEST_MAIN("heap_causes", { "allocates", test_allocates }, { "other metrics", test_other_metrics },
	  { "deepest", test_deepest }, { "objects", test_objects },
	  { "unnamed objects", test_unnamed_objects },
	  { "unnamed libraries", test_unnamed_libraries },
	  { "allocates more", test_allocates_more }, { "renamed", test_renamed },
	  { "replaced", test_replaced }, { "edited", test_edited })
