#include "tests/unit/profiles.h"

#include <link.h>
#include <unistd.h>

#include "callgrind/inlines_files.h"
#include "cgprofile/inlines.h"
#include "cgprofile/names.h"

/* ---- which objects, which addresses ---- */

static const char two_objects[] = "positions: instr line\nevents: Ir\n"
				  "ob=/no/such/object\nfl=a.c\nfn=f\n"
				  "0x30 3 1\n0x10 1 20\n0x30 3 300\n"
				  "cob=" TEST_DATA
				  "/parse.c\ncfi=b.c\ncfn=g\ncalls=1 0x90 9\n0x20 2 4000\n"
				  "ob=" TEST_DATA "/parse.c\nfl=b.c\nfn=g\n0x90 9 4000\n"
				  "ob=\nfn=0x401000\n0x401000 0 50000\n";

static void test_objects(void)
{
	const struct cg_read_options with_addresses = { .detail = { .addresses = true } };
	struct cg_profile *p = profile_with(two_objects, sizeof two_objects - 1, &with_addresses);
	struct cg_inlines *in;

	REQUIRE_INT(cg_inlines_find(p, NULL, &in), CG_OK);
	/* Not the code without an object. */
	CHECK_U64(in->nobjects, 2);
	CHECK_U64(in->naddresses, 4);
	CHECK_U64(in->nframes, 1);
	const struct cg_inlines_object *missing = cg_inlines_find_object(in, "/no/such/object");
	const struct cg_inlines_object *text = cg_inlines_find_object(in, TEST_DATA "/parse.c");
	REQUIRE(missing && text);
	CHECK_INT(missing->state, CG_INLINES_NO_FILE);
	CHECK_INT(text->state, CG_INLINES_NO_FILE);
	CHECK_U64(missing->build_id, 0);
	/* Each once, ascending, those of calls included. */
	REQUIRE_INT(missing->count, 3);
	for (uint32_t i = 0; i < 3; i++)
		CHECK_U64(in->addresses[missing->first + i], 0x10 * (i + 1));
	CHECK(!cg_inlines_find_object(in, "/no/such"));
	CHECK_U64(cg_inlines_frame(in, missing, 0x10), 0);
	CHECK_U64(cg_inlines_frame(in, missing, 0x11), 0);
	CHECK(!cg_inlines_available("/no/such/object"));
	CHECK(!cg_inlines_available(TEST_DATA "/parse.c"));
	cg_inlines_free(in);
	cg_profile_free(p);
}

static void test_nothing(void)
{
	struct cg_profile *p = whole_profile_of("events: Ir\nob=/no/such\nfn=f\n1 1\n");
	struct cg_inlines *in;

	REQUIRE_INT(cg_inlines_find(p, NULL, &in), CG_OK);
	CHECK_U64(in->nobjects, 0);
	CHECK(!cg_inlines_find_object(in, "/no/such"));
	cg_inlines_free(in);
	cg_inlines_free(NULL);
	cg_profile_free(p);
}

/* Of no object a line is known: there is nothing to sort or to search, which sanitizers watch. */
static void test_no_votes(void)
{
	static const char text[] = "events: Ir\nob=/nonexistent/a\nfl=a.c\nfn=f\n1 1\n";
	const struct cg_read_options lines = { .detail = { .lines = true } };
	struct cg_profile *p = profile_with(text, strlen(text), &lines);
	struct cg_inlines *in = NULL;

	REQUIRE_INT(cg_inlines_find_by_line(p, &in), CG_OK);
	CHECK_U64(in->nlines, 0);
	CHECK_U64(cg_inlines_frame_of_line(in, "/nonexistent/a", "f", "a.c", 1), 0);
	CHECK(!cg_inlines_find_object(in, "/nonexistent/b"));
	cg_inlines_free(in);
	cg_profile_free(p);
}

static void test_state_names(void)
{
	for (int state = CG_INLINES_FOUND; state <= CG_INLINES_COUNTED; state++)
		CHECK(*cg_inlines_state_name(state));
}

/* ---- this very program ---- */

__attribute__((always_inline)) static inline uint64_t innermost(uint64_t x)
{
	return (x ^ x >> 7) * 0x9e3779b97f4a7c15u;
}

__attribute__((always_inline)) static inline uint64_t middle(uint64_t x)
{
	for (int i = 0; i < 3; i++)
		x += innermost(x);
	return x;
}

__attribute__((noinline)) static uint64_t outermost(uint64_t x)
{
	return middle(x) ^ 1;
}

static int get_base(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uint64_t *)base = info->dlpi_addr;
	return 1; /* the program is the first */
}

/* Costs at each of the first bytes of a function. */
static struct cg_profile *profile_around(const char *object, uint64_t address)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	fprintf(to, "positions: instr line\nevents: Ir\nob=%s\nfn=outermost\n", object);
	for (unsigned i = 0; i < 40; i++)
		fprintf(to, "0x%" PRIx64 " 1 1\n", address + i);
	fclose(to);
	const struct cg_read_options with_addresses = { .detail = { .addresses = true } };
	struct cg_profile *p = profile_with(text, size, &with_addresses);
	free(text);
	return p;
}

static const char *name_of(const struct cg_inlines *in, uint32_t frame)
{
	return cg_strings_get(&in->strings, in->frames[frame].name);
}

static void test_own(void)
{
	char path[4096] = "";
	uint64_t base = 0;
	bool found = false;
	struct cg_inlines *in;

	CHECK(outermost(7) != 7);
	REQUIRE(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
	dl_iterate_phdr(get_base, &base);
	struct cg_profile *p = profile_around(path, (uint64_t)(uintptr_t)outermost - base);
	REQUIRE_INT(cg_inlines_find(p, NULL, &in), CG_OK);
	const struct cg_inlines_object *own = cg_inlines_find_object(in, path);
	REQUIRE(own != NULL);
	CHECK((own->state == CG_INLINES_FOUND) == cg_inlines_available(path));
	for (uint32_t i = 0; i < own->count; i++) {
		uint32_t inner = cg_inlines_frame(in, own, in->addresses[own->first + i]);
		uint32_t around = in->frames[inner].parent, function = in->frames[around].parent;
		CHECK(around == 0 || around < inner);
		if (strcmp(name_of(in, inner), "innermost") != 0)
			continue;
		found = true;
		CHECK_STR(name_of(in, around), "middle");
		CHECK_STR(name_of(in, function), "outermost");
		CHECK_U64(in->frames[function].parent, 0);
		CHECK_STR(cg_base_name(cg_strings_get(&in->strings, in->frames[inner].file)),
			  "test_inlines.c");
	}
	/* It may have been compiled without. */
	CHECK(found || own->state == CG_INLINES_NO_DEBUG);
	cg_inlines_free(in);
	cg_profile_free(p);
}

/* With a function that ends where the program has none end, and these lines after it. */
static enum cg_inlines_state state_of_parts(const char *object, uint64_t address, const char *more)
{
	const struct cg_read_options with_addresses = { .detail = { .addresses = true } };
	struct cg_inlines *in;
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	fprintf(to, "positions: instr line\nevents: Ir\nob=%s\n", object);
	for (unsigned i = 0; i < 12; i++)
		fprintf(to, "fn=%s\n0x%" PRIx64 " 1 1\n", i % 2 ? "odd" : "even", address + i);
	fputs(more, to);
	fclose(to);
	struct cg_profile *p = profile_with(text, size, &with_addresses);
	free(text);
	REQUIRE_INT(cg_inlines_find(p, NULL, &in), CG_OK);
	enum cg_inlines_state state = cg_inlines_find_object(in, object)->state;
	cg_inlines_free(in);
	cg_profile_free(p);
	return state;
}

/* Its inlined functions end where the debug information has no function end. */
static void test_counted_already(void)
{
	char path[4096] = "";
	uint64_t base = 0;

	REQUIRE(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
	dl_iterate_phdr(get_base, &base);
	uint64_t address = (uint64_t)(uintptr_t)outermost - base;
	if (!cg_inlines_available(path))
		return;
	CHECK_INT(state_of_parts(path, address, ""), CG_INLINES_OTHER);
	CHECK_INT(state_of_parts(path, address, "cfn=even\ncalls=1 0 0\n0 0 6\n"),
		  CG_INLINES_OTHER);
	CHECK_INT(state_of_parts(path, address, "cfn=even\n# called 0 times\ncalls=1 0 0\n0 0 6\n"),
		  CG_INLINES_COUNTED);
	CHECK_INT(state_of_parts(path, address, "cob=/b\ncfn=f\ncalls=0 0 0\n0 0 6\n"),
		  CG_INLINES_OTHER);
}

/* ---- what the reader makes of it ---- */

/* Frames by hand: each is inlined into the one before, the first into nothing; all the
 * addresses from 0x10 on are in one of them. */
static void chain(struct cg_inlines *in, struct cg_inlines_object *object, uint32_t depth)
{
	memset(in, 0, sizeof *in);
	memset(object, 0, sizeof *object);
	REQUIRE_INT(cg_strings_init(&in->strings), CG_OK);
	REQUIRE_INT(cg_strings_add(&in->strings, "/bin/a", 6, &object->path), CG_OK);
	in->frames = calloc(depth + 1, sizeof *in->frames);
	in->addresses = calloc(depth, sizeof *in->addresses);
	in->frame = calloc(depth, sizeof *in->frame);
	REQUIRE(in->frames && in->addresses && in->frame);
	for (uint32_t i = 1; i <= depth; i++) {
		char name[20];
		int len = snprintf(name, sizeof name, "f%" PRIu32, i);
		in->frames[i].parent = i - 1;
		REQUIRE_INT(cg_strings_add(&in->strings, name, (size_t)len, &in->frames[i].name),
			    CG_OK);
		in->addresses[i - 1] = 0xf + i;
		in->frame[i - 1] = i;
	}
	in->nframes = depth + 1;
	in->naddresses = object->count = depth;
	in->objects = object;
	in->nobjects = 1;
}

static void free_chain(struct cg_inlines *in)
{
	cg_strings_free(&in->strings);
	free(in->frames);
	free(in->addresses);
	free(in->frame);
	free(in->files);
	free(in->renamed);
}

static struct cg_profile *read_with(const char *text, const struct cg_inlines *in)
{
	const struct cg_read_options options = { .detail = { .lines = true }, .inlines = in };
	return profile_with(text, strlen(text), &options);
}

static const char addressed[] = "positions: instr line\nevents: Ir\n"
				"ob=/bin/a\nfl=a.c\nfn=main\n"
				"0x10 1 1\n0x11 1 20\n0x12 1 300\n0x12 2 300\n0x13 9 4000\n"
				"cfn=leaf\ncalls=7 0x40 1\n0x12 3 50000\n"
				"fn=other\n0x12 1 600000\n"
				"fn=leaf\n0x40 1 50000\n"
				"ob=/bin/b\nfn=main\n0x12 1 7000000\n";

static void test_reading(void)
{
	struct cg_inlines in;
	struct cg_inlines_object object;
	int64_t cost;

	chain(&in, &object, 3);
	in.frames[3].name = 0;
	struct cg_profile *p = read_with(addressed, &in);
	/* The function is what callgrind calls it, whatever its frame is called. */
	CHECK_INT(function_named(p, "f1"), 0);
	CHECK_INT(self_cost(p, function_at(p, "/bin/a", "a.c", "main"), 0), 4001);
	CHECK_INT(self_of(p, "f2", 0), 20);
	/* Of both functions that it is inlined into, but of this object alone. */
	CHECK_INT(self_of(p, "???", 0), 600600);
	CHECK_INT(self_cost(p, function_at(p, "/bin/b", "a.c", "main"), 0), 7000000);
	CHECK_U64(calls_between(p, "???", "leaf", 0, &cost), 7);
	CHECK_INT(cost, 50000);
	calls_between(p, "f2", "???", 0, &cost);
	CHECK_INT(cost, 650600);
	calls_between(p, "other", "f2", 0, &cost);
	CHECK_INT(cost, 600000);
	CHECK_INT(p->total[0], 7654621);
	cg_profile_free(p);
	free_chain(&in);
}

/* Deeper than any compiler inlines: what is too deep counts for what is around it. */
static void test_deep(void)
{
	enum { DEPTH = 2000 };
	struct cg_inlines in;
	struct cg_inlines_object object;
	char text[200];

	chain(&in, &object, DEPTH);
	snprintf(text, sizeof text,
		 "positions: instr line\nevents: Ir\nob=/bin/a\nfn=main\n"
		 "0x%x 1 42\n",
		 0xf + DEPTH);
	struct cg_profile *p = read_with(text, &in);
	CHECK_INT(p->total[0], 42);
	CHECK_INT(self_of(p, "main", 0), 0);
	CHECK(p->nrecords > 2 && p->nrecords < DEPTH);
	cg_profile_free(p);
	free_chain(&in);
}

/* ---- where functions are defined ---- */

/* A frame of its own at each address from 0x10 on. */
static void define(struct cg_inlines *in, const char *const (*functions)[2], uint32_t count)
{
	for (uint32_t i = 1; i <= count; i++) {
		struct cg_frame *f = &in->frames[i];
		const char *name = functions[i - 1][0], *file = functions[i - 1][1];
		f->parent = 0;
		REQUIRE_INT(cg_strings_add(&in->strings, name, strlen(name), &f->name), CG_OK);
		REQUIRE_INT(cg_strings_add(&in->strings, file, strlen(file), &f->file), CG_OK);
	}
}

static void is_of(const struct cg_inlines *in, const char *file, const char *name, const char *real)
{
	const struct cg_inlines_file *found = cg_inlines_real(in, "/bin/a", file, name);
	CHECK_STR(found && found->real ? cg_strings_get(&in->strings, found->real) : "as it is",
		  real);
}

static void test_files(void)
{
	static const char text[] = "positions: instr line\nevents: Ir\nob=/bin/a\nfl=in.h\n"
				   "fn=f(int)\n0x10 1 1\n"
				   "fn=f(int) [clone .cold]\n0x11 1 1\n"
				   "fn=void g<long>(long)\n0x12 1 1\n"
				   "fn=alias\n0x13 1 1\n"
				   "fn=twice\n0x14 1 1\n0x15 1 1\n"
				   "fn=own\n0x16 1 1\n"
				   "fn=parted\n0x17 1 1\n"
				   "fn=parted.cold\n0x18 1 1\n"
				   "fn=somewhere\n0x19 1 1\n"
				   "fn=clone.isra.0\n0x1a 1 1\n0x90 1 1\n"
				   "fn=unknown\n0x90 1 1\n"
				   "fl=a.c\nfn=own\n0x16 1 1\n"
				   "fl=???\nfn=fileless\n0x1b 1 1\n"
				   "ob=/bin/b\nfl=in.h\nfn=f(int)\n0x10 1 1\n";
	static const char *const functions[][2] = {
		{ "f(int)", "a.c" },  { "f(int)", "a.c" }, { "g<long int>", "a.c" },
		{ "aliased", "a.c" }, { "twice", "a.c" },  { "twice", "b.c" },
		{ "own", "in.h" },    { "parted", "a.c" }, { "parted", "b.c" },
		{ "somewhere", "" },  { "clone", "a.c" },  { "fileless", "a.c" },
	};
	const struct cg_read_options with_addresses = { .detail = { .addresses = true } };
	struct cg_profile *p = profile_with(text, strlen(text), &with_addresses);
	struct cg_inlines in;
	struct cg_inlines_object object;
	enum { COUNT = sizeof functions / sizeof *functions };

	chain(&in, &object, COUNT);
	define(&in, functions, COUNT);
	REQUIRE_INT(cg_inlines_find_files(&in, p), CG_OK);
	CHECK_U64(in.nfiles, 5);
	is_of(&in, "in.h", "f(int)", "a.c");
	is_of(&in, "in.h", "f(int) [clone .cold]", "a.c");
	is_of(&in, "in.h", "void g<long>(long)", "a.c");
	is_of(&in, "in.h", "clone.isra.0", "a.c");
	is_of(&in, "a.c", "own", "in.h");
	is_of(&in, "", "fileless", "a.c");
	is_of(&in, "not in the profile", "fileless", "as it is");
	/* Another function's symbol, several functions, the right file, none. */
	is_of(&in, "in.h", "alias", "as it is");
	is_of(&in, "in.h", "twice", "as it is");
	is_of(&in, "in.h", "own", "as it is");
	is_of(&in, "in.h", "parted", "as it is");
	is_of(&in, "in.h", "somewhere", "as it is");
	is_of(&in, "in.h", "unknown", "as it is");
	is_of(&in, "other.h", "f(int)", "as it is");
	CHECK(!cg_inlines_real(&in, "/bin/b", "in.h", "f(int)"));
	cg_profile_free(p);
	free_chain(&in);
}

static void is_called(const struct cg_inlines *in, const char *object, const char *name,
		      const char *real)
{
	const struct cg_inlines_file *found = cg_inlines_real(in, object, "a.cc", name);
	CHECK_STR(found && found->name ? cg_strings_get(&in->strings, found->name) : "as it is",
		  real);
}

/* Functions that compilers call in ways of their own. */
static void test_names(void)
{
	static const char text[] =
		"creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\n"
		"ob=/bin/a\nfl=a.cc\n"
		"fn=f()::$_1::operator()(int) const\n0x10 1 1\ncfn=g()\ncalls=1 0x12 1\n0x10 1 1\n"
		"fn=f()::$_1::operator()(int) const [clone .cold]\n0x11 1 2\n"
		"fn=g()\n0x12 1 4\n"
		"fn=h()::$_2::operator()() const\n0x13 1 8\n0x14 1 8\n"
		"fn=g()'f()::$_1::operator()(int) const'main\n0x12 1 16\n"
		"fn=k()::$_1::operator()() const\n0x15 1 32\n"
		"ob=/bin/b\nfn=f()::$_1::operator()(int) const\n0x10 1 64\ntotals: 128\n";
	static const char *const functions[][2] = {
		{ "f()::{lambda(int)#2}::operator()", "a.cc" },
		{ "f()::{lambda(int)#2}::operator()", "a.cc" },
		{ "g()", "a.cc" },
		{ "h()::{lambda()#1}::operator()", "a.cc" },
		{ "h()::{lambda()#2}::operator()", "a.cc" },
		{ "main", "a.cc" },
	};
	static const char renamed[] = "f()::{lambda(int)#2}::operator()(int) const";
	const struct cg_read_options with_addresses = { .detail = { .addresses = true } };
	struct cg_profile *p = profile_with(text, strlen(text), &with_addresses);
	struct cg_inlines in;
	struct cg_inlines_object object;
	enum { COUNT = sizeof functions / sizeof *functions };

	chain(&in, &object, COUNT);
	define(&in, functions, COUNT);
	REQUIRE_INT(cg_inlines_find_files(&in, p), CG_OK);
	is_called(&in, "/bin/a", "f()::$_1::operator()(int) const", renamed);
	is_called(&in, "/bin/a", "f()::$_1::operator()(int) const [clone .cold]", renamed);
	/* Several, another function's code, of an object that is not known. */
	is_called(&in, "/bin/a", "h()::$_2::operator()() const", "as it is");
	is_called(&in, "/bin/a", "k()::$_1::operator()() const", "as it is");
	is_called(&in, "/bin/b", "f()::$_1::operator()(int) const", "as it is");
	cg_profile_free(p);

	/* Also where they are callers. */
	const struct cg_read_options with_names = { .detail = { .contexts = true },
						    .inlines = &in };
	p = profile_with(text, strlen(text), &with_names);
	CHECK_INT(self_of(p, renamed, 0), 1);
	CHECK_INT(self_of(p, "f()::{lambda(int)#2}::operator()(int) const [clone .cold]", 0), 2);
	CHECK_INT(self_of(p, "f()::$_1::operator()(int) const", 0), 64);
	CHECK_INT(self_of(p, "g()", 0), 20);
	bool found = false;
	for (uint32_t r = 1; r < p->nrecords; r++)
		found |= strcmp(callers_of(p, r),
				"f()::{lambda(int)#2}::operator()(int) const'main") == 0;
	CHECK(found);
	cg_profile_free(p);
	free_chain(&in);
}

TEST_MAIN("inlines", { "objects and addresses", test_objects }, { "no addresses", test_nothing },
	  { "no lines of objects", test_no_votes }, { "names of states", test_state_names },
	  { "a file that counts inlined functions", test_counted_already },
	  { "this program", test_own }, { "costs of inlined functions", test_reading },
	  { "a deep chain", test_deep }, { "files of functions", test_files },
	  { "names of functions", test_names })
