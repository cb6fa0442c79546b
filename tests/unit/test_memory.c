/* How much memory files take that are made to take much. */
#include "cgprofile/reader.h"
#include "src/report/show.h"
#include "tests/unit/harness.h"
#include "tests/unit/heap.h"

#define MIB ((size_t)1 << 20)

/* A file: `events` events if there are any, the head, a line again and again up
 * to the size, with the number of the line for each @, and the tail. */
struct hostile {
	const char *what;
	unsigned events;
	const char *head, *line, *tail;
	size_t mib;
};

static const struct hostile files[] = {
	{ "functions", 1, "", "fn=@\n", "", 1 },
	{ "functions of many events", 256, "", "fn=@\n", "", 4 },
	{ "numbered functions", 1, "", "fn=(@)@\n", "", 1 },
	{ "huge numbers", 1, "", "fl=(18446744070@)a\n", "", 4 },
	{ "numbers far apart", 1, "", "fn=(@00)a\nfl=(@00)a\nob=(@00)a\n", "", 4 },
	{ "functions called", 14, "fn=a\n", "cfn=@\ncalls=1\n1\n", "", 1 },
	{ "functions inlined", 256, "fn=a\n", "fi=@\ncfni=b\n1\n", "", 4 },
	{ "calls of many events", 256, "fn=a\ncfn=b\n", "calls=1\n@\n", "", 4 },
	{ "lines", 1, "fn=a\n", "@ 1\n", "", 1 },
	{ "lines of usual events", 14, "fn=a\n", "@ 1\n", "", 1 },
	{ "lines of many events", 256, "fn=a\n", "@ 1\n", "", 4 },
	{ "one line", 256, "fn=a\n", "1 1\n#\n", "", 4 },
	{ "comments", 1, "", "#\n", "", 4 },
	{ "parts", 1, "", "part: 1\ntotals: 1\n", "", 1 },
	{ "parts of many events", 256, "", "part: 1\ntotals: 1\nsummary: 1\n", "", 4 },
	{ "names of events", 1, "", "event: @\n", "", 1 },
	{ "descriptions", 1, "", "desc: @: @\n", "", 1 },
	{ "a long name", 1, "fn=", "a long name, ", "\n1 1\n", 4 },
	{ "a long name of an event", 0, "events: ", "name", "\nfn=x\n1 1\n", 4 },
	{ "stacks", 0, "a 1\n", "@;@ 1\n", "", 1 },
	{ "a wide stack", 0, "a 1\n", "@;", "a 1\n", 1 },
	{ "a deep stack", 0, "a 1\n", "a;", "a 1\n", 1 },
};

static void put(FILE *to, const char *line, size_t number)
{
	for (; *line; line++) {
		if (*line == '@')
			fprintf(to, "%zu", number);
		else
			fputc(*line, to);
	}
}

/* The caller's to free. */
static char *file_of(const struct hostile *h, size_t *len)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, len);
	REQUIRE(to != NULL);

	for (unsigned i = 0; i < h->events; i++)
		fprintf(to, "%s%u%s", i ? " e" : "events: e", i, i + 1 < h->events ? "" : "\n");
	fputs(h->head, to);
	for (size_t i = 0; ftello(to) < (off_t)(h->mib * MIB); i++)
		put(to, h->line, i);
	fputs(h->tail, to);
	fclose(to);
	return text;
}

static int status_of(const char *text, size_t len, const struct cg_read_options *options,
		     struct cg_error *err)
{
	struct cg_profile *p = NULL;
	int status = cg_read_memory(text, len, "hostile", options, &p, err);
	cg_profile_free(p);
	return status;
}

static void check_bound(const struct hostile *h, const struct cg_read_options *options)
{
	struct cg_error err = { 0 };
	size_t len;
	char *text = file_of(h, &len);

	heap_watch();
	size_t before = heap_peak();
	int status = status_of(text, len, options, &err);
	size_t peak = heap_peak() - before, most = 64 * MIB + 4 * len;
	free(text);
	test_report(peak <= most, false, __FILE__, __LINE__,
		    "%s: %zu bytes take %zu bytes, more than %zu", h->what, len, peak, most);
	test_report(status == CG_OK || status == CG_ERANGE, false, __FILE__, __LINE__, "%s: %s",
		    h->what, err.message);
	if (status)
		test_report(strstr(err.message, "made to exhaust memory") != NULL, false, __FILE__,
			    __LINE__, "%s: %s", h->what, err.message);
}

static void test_functions_only(void)
{
	static const struct cg_read_options flat;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		check_bound(&files[i], &flat);
}

static void test_everything(void)
{
	static const struct cg_read_options all = { .detail = { .addresses = true,
								.contexts = true } };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		check_bound(&files[i], &all);
}

/* Files that are only dense must be read: all events of Valgrind, each function
 * with little to it, each line with one of the events. */
static void test_dense(void)
{
	static const struct hostile dense[] = {
		{ "functions", 14, "", "\nfn=(@) f@\n1 3\n", "", 4 },
		{ "calls", 14, "", "fn=(@) f@\n1 3 1\n+2 1\ncfn=(1@) g@\ncalls=1 2\n+1 20 3 1\n",
		  "", 4 },
		{ "lines", 14, "fn=a\n", "@ 1\n", "", 4 },
		{ "stacks", 0, "a 1\n", "main;work@;step@ 1\n", "", 4 },
	};
	static const struct cg_read_options flat, all = { .detail = { .addresses = true } };

	for (size_t i = 0; i < sizeof dense / sizeof *dense; i++) {
		struct cg_error err = { 0 };
		size_t len;
		char *text = file_of(&dense[i], &len);
		test_report(status_of(text, len, &flat, &err) == CG_OK &&
				    status_of(text, len, &all, &err) == CG_OK,
			    false, __FILE__, __LINE__, "%s: %s", dense[i].what, err.message);
		free(text);
	}
}

/* ---- trees ---- */

/* A call with costs in every second event. */
static void put_call(FILE *to, const char *callee, size_t number, size_t cost, unsigned events)
{
	fprintf(to, "cfn=%s%zu\ncalls=1\n1", callee, number);
	for (unsigned e = 0; e < events; e++)
		fprintf(to, " %zu", e % 2 ? 0 : cost);
	fputc('\n', to);
}

static void put_chain(FILE *to, size_t count, unsigned events)
{
	for (size_t i = 0; i < count; i++) {
		fprintf(to, "fn=f%zu\n1 1\n", i);
		if (i + 1 < count)
			put_call(to, "f", i + 1, count - 1 - i, events);
	}
}

static void put_fan(FILE *to, size_t count, unsigned events)
{
	fputs("fn=main\n1 1\n", to);
	for (size_t i = 0; i < count; i++)
		put_call(to, "f", i, 1, events);
	for (size_t i = 0; i < count; i++)
		fprintf(to, "fn=f%zu\n1 1\n", i);
}

/* All call each other, the file says nothing of levels. */
static void put_recursion(FILE *to, size_t count, unsigned events)
{
	uint32_t random = 1;
	for (size_t i = 0; i < count; i++) {
		fprintf(to, "fn=f%zu\n1 9\n", i);
		for (int k = 0; k < 10; k++) {
			random = random * 1664525 + 1013904223;
			put_call(to, "f", (random >> 8) % count, random >> 24, events);
		}
	}
}

/* Two ways at each step, which double the number of paths. */
static void put_ladder(FILE *to, size_t count, unsigned events)
{
	for (size_t i = 0; i < count; i++) {
		fprintf(to, "fn=f%zu\n1 1\n", i);
		put_call(to, "a", i, 5 * (count - i), events);
		put_call(to, "b", i, 5 * (count - i), events);
		fprintf(to, "fn=a%zu\n1 1\n", i);
		put_call(to, "f", i + 1, 5 * (count - i), events);
		fprintf(to, "fn=b%zu\n1 1\n", i);
		put_call(to, "f", i + 1, 5 * (count - i), events);
	}
}

struct shape {
	const char *what;
	void (*put)(FILE *to, size_t count, unsigned events);
	size_t count;
	unsigned events;
};

static char *file_of_shape(const struct shape *s, size_t *len)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, len);
	REQUIRE(to != NULL);
	fputs("events:", to);
	for (unsigned e = 0; e < s->events; e++)
		fprintf(to, " e%u", e);
	fputc('\n', to);
	s->put(to, s->count, s->events);
	fclose(to);
	return text;
}

/* All paths that a tree has, as text. */
static void print_tree(const struct cg_profile *p, FILE *to)
{
	struct tree_view_options options = { 0 };
	struct text_style style = { .width = 100 };
	struct tree_view *v = NULL;
	struct cg_error err = { 0 };

	REQUIRE_INT(tree_view_make(p, &options, &v, &err), CG_OK);
	struct show_report report = { .profile = p, .tree = v, .sort = "e0" };
	CHECK_INT(show_tree_text(&report, &style, to), CG_OK);
	tree_view_free(v);
}

static void check_shape(const struct shape *s)
{
	struct cg_read_options options = { .detail = { .contexts = true } };
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };
	FILE *to = fopen("/dev/null", "w");
	size_t len;
	char *text = file_of_shape(s, &len);

	REQUIRE(to != NULL);
	heap_watch();
	size_t before = heap_peak();
	REQUIRE_INT(cg_read_memory(text, len, "shape", &options, &p, &err), CG_OK);
	print_tree(p, to);
	size_t peak = heap_peak() - before, most = 64 * MIB + 4 * len;
	test_report(peak <= most, false, __FILE__, __LINE__,
		    "%s: %zu bytes take %zu bytes, more than %zu", s->what, len, peak, most);
	cg_profile_free(p);
	fclose(to);
	free(text);
}

static void test_trees(void)
{
	static const struct shape shapes[] = {
		{ "a chain", put_chain, 200000, 1 },
		{ "a chain of many events", put_chain, 20000, 13 },
		{ "a fan", put_fan, 200000, 1 },
		{ "recursion", put_recursion, 20000, 1 },
		{ "a ladder", put_ladder, 40000, 1 },
		{ "a small ladder of many events", put_ladder, 2000, 13 },
	};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		check_shape(&shapes[i]);
}

TEST_MAIN("memory", { "functions only", test_functions_only }, { "everything", test_everything },
	  { "dense files", test_dense }, { "trees", test_trees })
