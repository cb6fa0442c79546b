#include "callgrind/pprof.h"

#include <time.h>

#include "cgprofile/inclusive.h"
#include "cgprofile/reader.h"
#include "src/report/export/protobuf.h"
#include "tests/unit/harness.h"

static const char *const strings[] = {
	"",     "alloc_objects", "count",  "alloc_space", "bytes", "main",        "load",
	"copy", "/src/a.go",     "/bin/a", "samples",     "cpu",   "nanoseconds", "irdiff-0.1.0"
};
enum {
	NONE,
	OBJECTS,
	COUNT,
	SPACE,
	BYTES,
	MAIN,
	LOAD,
	COPY,
	FILE_A,
	OBJECT_A,
	SAMPLES,
	CPU,
	NS,
	IRDIFF
};

/* A file under construction. */
struct pprof {
	struct protobuf file, message, inner;
};

static void add_message(struct pprof *p, unsigned field)
{
	protobuf_take(&p->file, field, &p->message);
}

static void add_type(struct pprof *p, unsigned field, unsigned name, unsigned unit)
{
	protobuf_number(&p->message, 1, name);
	protobuf_number(&p->message, 2, unit);
	add_message(p, field);
}

static void add_function(struct pprof *p, uint64_t id, uint64_t name)
{
	protobuf_number(&p->message, 1, id);
	protobuf_number(&p->message, 2, name);
	protobuf_number(&p->message, 4, FILE_A);
	add_message(p, 5);
}

/* Of functions, the innermost first. */
static void add_location(struct pprof *p, uint64_t id, uint64_t mapping, const uint64_t *functions,
			 size_t count)
{
	protobuf_number(&p->message, 1, id);
	protobuf_number(&p->message, 2, mapping);
	protobuf_number(&p->message, 3, 0x1234);
	for (size_t i = 0; i < count; i++) {
		protobuf_number(&p->inner, 1, functions[i]);
		protobuf_number(&p->inner, 2, 10 + i);
		protobuf_take(&p->message, 4, &p->inner);
	}
	add_message(p, 4);
}

static void add_sample(struct pprof *p, const uint64_t *locations, size_t count,
		       const int64_t *values, size_t nvalues)
{
	for (size_t i = 0; i < count; i++)
		protobuf_add_packed(&p->inner, locations[i]);
	protobuf_take(&p->message, 1, &p->inner);
	for (size_t i = 0; i < nvalues; i++)
		protobuf_add_packed(&p->inner, (uint64_t)values[i]);
	protobuf_take(&p->message, 2, &p->inner);
	add_message(p, 2);
}

#define LOCATIONS(...) \
	(const uint64_t[]){ __VA_ARGS__ }, sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8
#define VALUES(...) (const int64_t[]){ __VA_ARGS__ }, sizeof((const int64_t[]){ __VA_ARGS__ }) / 8

/* main calls load, into which copy is inlined (location 2); types and texts of allocations. */
static struct pprof usual(void)
{
	struct pprof p = { 0 };

	add_type(&p, 1, OBJECTS, COUNT);
	add_type(&p, 1, SPACE, BYTES);
	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
		protobuf_bytes(&p.file, 6, strings[i], strlen(strings[i]));
	protobuf_number(&p.message, 1, 7);
	protobuf_number(&p.message, 2, 0x1000);
	protobuf_number(&p.message, 5, OBJECT_A);
	add_message(&p, 3);
	add_function(&p, 1, MAIN);
	add_function(&p, 2, LOAD);
	add_function(&p, UINT64_MAX, COPY);
	add_location(&p, 1, 7, LOCATIONS(1));
	add_location(&p, 2, 7, LOCATIONS(UINT64_MAX, 2));
	add_location(&p, 3, 7, NULL, 0);
	return p;
}

static void add_period(struct pprof *p, unsigned type, unsigned unit, uint64_t period)
{
	add_type(p, 11, type, unit);
	protobuf_number(&p->file, 12, period);
}

/* Frees the file. */
static int read_pprof(struct pprof *p, const struct cg_read_options *options,
		      struct cg_profile **out, struct cg_error *err)
{
	int status = cg_read_memory((const char *)p->file.bytes, p->file.used, "test.pb", options,
				    out, err);
	protobuf_free(&p->file);
	protobuf_free(&p->message);
	protobuf_free(&p->inner);
	return status;
}

static struct cg_profile *read_good(struct pprof *p, const struct cg_read_options *options)
{
	struct cg_profile *out = NULL;
	struct cg_error err = { 0 };
	int status = read_pprof(p, options, &out, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return out;
}

static void refuses(struct pprof *p, int code, const char *why)
{
	static const struct cg_read_options plain;
	struct cg_profile *out = NULL;
	struct cg_error err = { 0 };
	CHECK_INT(read_pprof(p, &plain, &out, &err), code);
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "the message does not say \"%s\": %s", why, err.message);
	cg_profile_free(out);
}

static uint32_t function(const struct cg_profile *p, const char *name)
{
	for (uint32_t f = 1; f < p->nfunctions; f++)
		if (strcmp(cg_string(p, p->functions[f].name), name) == 0)
			return f;
	return 0;
}

static int64_t inclusive(const struct cg_profile *p, const char *name)
{
	struct cg_inclusive *inc = NULL;
	REQUIRE_INT(cg_inclusive_compute(p, NULL, 0, &inc), CG_OK);
	int64_t cost = inc->cost[(size_t)function(p, name) * p->nevents];
	cg_inclusive_free(inc);
	return cost;
}

static void test_stacks(void)
{
	static const struct cg_read_options lines = { .detail = { .lines = true } };
	struct pprof file = usual();
	add_sample(&file, LOCATIONS(2, 1), VALUES(3, 300));
	add_sample(&file, LOCATIONS(2, 2, 1), VALUES(1, 50));
	add_sample(&file, LOCATIONS(3, 1), VALUES(2, 20));
	add_sample(&file, LOCATIONS(1), VALUES(-1, -5));
	struct cg_profile *p = read_good(&file, &lines);

	/* The last type is the default. */
	CHECK_STR(cg_string(p, p->events[0].name), "alloc_space");
	CHECK_STR(cg_string(p, p->events[0].long_name), "alloc_space in bytes");
	CHECK_STR(cg_string(p, p->events[1].name), "alloc_objects");
	CHECK_INT(p->total[0], 365);
	CHECK_INT(p->total[1], 5);
	CHECK_INT(inclusive(p, "main"), 365);
	CHECK_INT(inclusive(p, "load"), 350);
	CHECK_INT(inclusive(p, "copy"), 350);
	CHECK_INT(inclusive(p, "0x0000000000000234"), 20);
	CHECK_STR(cg_string(p, p->functions[function(p, "copy")].object), "/bin/a");
	CHECK_STR(cg_string(p, p->functions[function(p, "copy")].file), "/src/a.go");
	CHECK(p->has_inlined && p->has_levels);
	bool found = false;
	for (uint32_t l = 1; l < p->nlines; l++)
		found |= p->lines[l].line == 10 && p->line_self[2 * l] == 300;
	CHECK(found);
	cg_profile_free(p);
}

static void test_folded_inlines(void)
{
	static const struct cg_read_options fold = { .fold_inlined = true };
	struct pprof file = usual();
	add_sample(&file, LOCATIONS(2, 1), VALUES(3, 300));
	struct cg_profile *p = read_good(&file, &fold);
	CHECK(!function(p, "copy") && !p->has_inlined);
	CHECK_INT(inclusive(p, "load"), 300);
	cg_profile_free(p);
}

static uint64_t samples(struct pprof *file, const char *event)
{
	static const struct cg_read_options plain;
	struct cg_profile *p = read_good(file, &plain);
	uint64_t count = UINT64_MAX;
	if (!cg_samples_behind(p, event, &count))
		count = UINT64_MAX;
	cg_profile_free(p);
	return count;
}

static struct pprof allocations(uint64_t period)
{
	struct pprof file = usual();
	add_sample(&file, LOCATIONS(1), VALUES(1000, 2048)); /* 2 periods of 1024 */
	add_sample(&file, LOCATIONS(2, 1), VALUES(3, 90000));
	add_sample(&file, LOCATIONS(3, 1), VALUES(0, 0));
	add_period(&file, SPACE, BYTES, period);
	return file;
}

static void test_samples(void)
{
	struct pprof file = allocations(1024);
	CHECK_U64(samples(&file, "alloc_space"), 5);
	file = allocations(1024);
	CHECK_U64(samples(&file, "alloc_objects"), 5);
	file = allocations(1); /* each of them */
	CHECK_U64(samples(&file, "alloc_space"), UINT64_MAX);
	file = allocations(0); /* unknown */
	CHECK_U64(samples(&file, "alloc_space"), 1003);
	file = allocations(1024);
	protobuf_number(&file.file, 13, IRDIFF); /* counted, whatever the period */
	CHECK_U64(samples(&file, "alloc_space"), UINT64_MAX);
}

static void test_default_type(void)
{
	static const struct cg_read_options plain;
	struct pprof file = usual();
	add_sample(&file, LOCATIONS(1), VALUES(2, 30));
	protobuf_number(&file.file, 14, OBJECTS);
	struct cg_profile *p = read_good(&file, &plain);
	CHECK_STR(cg_string(p, p->events[0].name), "alloc_objects");
	CHECK_INT(p->total[0], 2);
	cg_profile_free(p);
}

static void test_references(void)
{
	struct pprof file = usual();
	add_sample(&file, LOCATIONS(4), VALUES(1, 1));
	refuses(&file, CG_ESYNTAX, "there is no location 4");
	file = usual();
	add_sample(&file, LOCATIONS(0), VALUES(1, 1));
	refuses(&file, CG_ESYNTAX, "there is no location 0");
	file = usual();
	add_function(&file, 2, MAIN);
	refuses(&file, CG_ESYNTAX, "the ID of a function is 0 or occurs twice: 2");
	file = usual();
	add_location(&file, 3, 7, NULL, 0);
	refuses(&file, CG_ESYNTAX, "the ID of a location is 0 or occurs twice: 3");
	file = usual();
	add_location(&file, 4, 8, NULL, 0);
	refuses(&file, CG_ESYNTAX, "there is no mapping 8");
	file = usual();
	add_location(&file, 4, 7, LOCATIONS(99));
	refuses(&file, CG_ESYNTAX, "there is no function 99");
	file = usual();
	add_function(&file, 4, 1000);
	refuses(&file, CG_ESYNTAX, "there is no string 1000");
	file = usual();
	add_type(&file, 1, 1000, COUNT);
	refuses(&file, CG_ESYNTAX, "there is no string 1000");
	file = usual();
	add_type(&file, 1, SPACE, COUNT);
	refuses(&file, CG_EINVAL, "two of its events have the same name");
}

static void test_values(void)
{
	struct pprof file = usual();
	add_sample(&file, LOCATIONS(1), VALUES(1));
	refuses(&file, CG_ESYNTAX, "another number of values than there are types: 1");
	file = usual();
	add_sample(&file, LOCATIONS(1), VALUES(1, 2, 3));
	refuses(&file, CG_ESYNTAX, "another number of values than there are types: 3");
	file = usual();
	add_sample(&file, LOCATIONS(1), VALUES(1, INT64_MAX));
	add_sample(&file, LOCATIONS(2, 1), VALUES(1, 1));
	refuses(&file, CG_ERANGE, "exceeds 2^63");
	file = usual();
	add_sample(&file, LOCATIONS(1), VALUES(1, INT64_MIN));
	refuses(&file, CG_ERANGE, "exceeds 2^63");
}

static void test_cut(void)
{
	struct pprof file = usual();
	add_sample(&file, LOCATIONS(2, 1), VALUES(1, 2));
	file.file.used--;
	refuses(&file, CG_ESYNTAX, "the file is truncated");
	file = usual();
	protobuf_bytes(&file.file, 2, "\x0a\x05\x01", 3); /* a sample that ends too early */
	refuses(&file, CG_ESYNTAX, "is damaged");
}

/* A small file must not have endless stacks: each byte of these stands for 512 frames. */
static void test_bombs(void)
{
	enum { DEEP = 512, STACK = 4000, TIMES = 100 };
	uint64_t functions[DEEP + 1], stack[STACK];
	struct pprof file = usual();

	for (size_t i = 0; i <= DEEP; i++)
		functions[i] = 1 + i % 2;
	for (size_t i = 0; i < STACK; i++)
		stack[i] = 4;
	add_location(&file, 4, 7, functions, DEEP);
	for (size_t i = 0; i < TIMES; i++)
		add_sample(&file, stack, STACK, VALUES(1, 1));
	refuses(&file, CG_ERANGE, "made to exhaust memory");
	file = usual();
	add_location(&file, 4, 7, functions, DEEP + 1);
	refuses(&file, CG_ESYNTAX, "too many functions are inlined at location 4");
}

/* A long name that many lines have is looked at once. */
static void test_long_name(void)
{
	enum { LENGTH = 1000000, PLACES = 200, LINES = 500, MOST_SECONDS = 10 };
	static char name[LENGTH];
	uint64_t functions[LINES];
	struct pprof file = usual();

	memset(name, 'n', sizeof name);
	protobuf_bytes(&file.file, 6, name, sizeof name);
	add_function(&file, 3, sizeof strings / sizeof *strings);
	for (size_t i = 0; i < LINES; i++)
		functions[i] = 3;
	for (size_t i = 0; i < PLACES; i++)
		add_location(&file, 4 + i, 7, functions, LINES);
	clock_t start = clock();
	struct cg_profile *p = read_good(&file, NULL);
	CHECK((clock() - start) / CLOCKS_PER_SEC < MOST_SECONDS);
	cg_profile_free(p);
}

static void test_detection(void)
{
	static const char *const others[] = {
		"version: 1\nevents: Ir\n",
		"\nversion: 1\nevents: Ir\n",
		"# callgrind format\n",
		"main;work 3\n",
		"2fast;x 1\n",
		"{\"a\": 1}",
		"",
		"\x01\x02\x03",
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		CHECK(!cg_pprof_format.detect(others[i], strlen(others[i])));
	struct pprof file = usual();
	CHECK(cg_pprof_format.detect((const char *)file.file.bytes, file.file.used));
	/* The beginning of a large file ends anywhere. */
	for (size_t len = 20; len < file.file.used; len++)
		CHECK(cg_pprof_format.detect((const char *)file.file.bytes, len));
	protobuf_free(&file.file);
	protobuf_free(&file.message);
	protobuf_free(&file.inner);
}

TEST_MAIN("pprof", { "stacks and events", test_stacks },
	  { "inlined functions are folded", test_folded_inlines },
	  { "how many samples there are", test_samples },
	  { "the file names the default type", test_default_type },
	  { "references lead somewhere", test_references }, { "values", test_values },
	  { "truncated and damaged", test_cut }, { "small files of large stacks", test_bombs },
	  { "a long name", test_long_name }, { "how a file is recognised", test_detection })
