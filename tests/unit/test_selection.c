#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/profiles.h"

/* Three dumps of one process in one file. The second defines a name that the
 * third uses by its number. */
static const char dumps[] = "version: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: ./a\npart: 1\n"
			    "desc: Trigger: Client Request: parse: one\nevents: Ir Dr\n"
			    "fn=(1) main\n1 1 2\ncfn=(2) parse\ncalls=1 5\n1 10\ntotals: 1 2\n"
			    "\npart: 2\ndesc: Trigger: --dump-before=parse\nevents: Ir Dr\n"
			    "fn=(3) late\n1 20\ncfn=(1)\ncalls=1 1\n1 5\ntotals: 20\n"
			    "\npart: 3\ndesc: Trigger: Program termination\nevents: Ir Dr\n"
			    "fn=(3)\n+1 300 4\ncfn=(2)\ncalls=2 5\n1 40\ntotals: 300 4\n";

static int read_text(const char *text, const struct cg_selection *selection,
		     struct cg_profile **out, struct cg_error *err)
{
	struct cg_read_options options = { .detail = { .lines = true }, .selection = selection };
	return cg_read_memory(text, strlen(text), "test", &options, out, err);
}

/* Total of the first event of what is selected; the messages say why not. */
static int64_t total_of(const char *text, const struct cg_selection *selection)
{
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };

	int status = read_text(text, selection, &p, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "cannot read: %s", err.message);
	int64_t total = p->total[0];
	cg_profile_free(p);
	return total;
}

static void refuses(const char *text, const struct cg_selection *selection, int code,
		    const char *why)
{
	struct cg_profile *untouched = (struct cg_profile *)&code, *p = untouched;
	struct cg_error err = { 0 };

	CHECK_INT(read_text(text, selection, &p, &err), code);
	CHECK(p == untouched);
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "the message does not say \"%s\": %s", why, err.message);
}

/* ---- which parts ---- */

static void test_everything(void)
{
	static const struct cg_selection all = { 0 };
	CHECK_INT(total_of(dumps, NULL), 321);
	CHECK_INT(total_of(dumps, &all), 321);
}

static void test_numbers(void)
{
	static const struct cg_range two[] = { { 2, 2 } }, ends[] = { { 1, 1 }, { 3, 9 } };
	struct cg_selection s = { .parts = two, .nparts = 1 };
	CHECK_INT(total_of(dumps, &s), 20);
	s = (struct cg_selection){ .parts = ends, .nparts = 2 };
	CHECK_INT(total_of(dumps, &s), 301);
}

static int64_t total_of_trigger(const char *pattern)
{
	struct cg_selection s = { .triggers = &pattern, .ntriggers = 1 };
	return total_of(dumps, &s);
}

static void test_triggers(void)
{
	static const struct cg_range three[] = { { 3, 3 } };
	static const char *const parse[] = { "parse*" };
	struct cg_selection s = { .triggers = parse, .ntriggers = 1, .parts = three, .nparts = 1 };

	CHECK_INT(total_of_trigger("parse*"), 1);
	CHECK_INT(total_of_trigger("Client Request: parse*"), 1);
	CHECK_INT(total_of_trigger("*parse*"), 21);
	CHECK_INT(total_of_trigger("Program termination"), 300);
	CHECK_INT(total_of_trigger("--dump-before=pars[e]"), 20);
	CHECK_INT(total_of_trigger("*"), 321);
	CHECK_INT(total_of(dumps, &s), 301); /* one or the other */
	/* No trigger is not an empty one. */
	const char *any = "*";
	s = (struct cg_selection){ .triggers = &any, .ntriggers = 1 };
	refuses("events: Ir\nfn=f\n1 1\n", &s, CG_EINVAL, "part 0 (1 Ir)");
}

/* What is set aside defines names, and leaves no other trace. */
static void test_set_aside(void)
{
	static const struct cg_range three[] = { { 3, 3 } };
	struct cg_selection s = { .parts = three, .nparts = 1 };
	struct cg_profile *p = NULL;
	int64_t cost;

	REQUIRE_INT(read_text(dumps, &s, &p, NULL), CG_OK);
	CHECK_U64(p->nparts, 1);
	CHECK_U64(p->left_out, 2);
	CHECK_U64(p->parts[0].number, 3);
	CHECK_STR(cg_string(p, p->parts[0].file), "test");
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_U64(function_named(p, "main"), 0);
	CHECK_INT(self_of(p, "late", 0), 300);
	CHECK_INT(self_of(p, "late", 1), 4);
	CHECK_U64(calls_between(p, "late", "parse", 0, &cost), 2);
	CHECK_INT(cost, 40);
	CHECK_INT(line_cost(p, "", 2, 0), 300); /* relative to the part before */
	uint32_t event;
	CHECK(cg_part_adds_up(p, &p->parts[0], &event));
	cg_profile_free(p);
}

/* A function does not reach from a part that is set aside into one that is not: what
 * costs something without a name there is unknown. */
static void test_function_left_open(void)
{
	static const char text[] = "events: Ir\npart: 1\nfn=f\n1 1\ncfn=f\n"
				   "part: 2\nevents: Ir\n1 20\n";
	static const char call[] = "events: Ir\npart: 1\nfn=f\n1 1\ncfn=f\n"
				   "part: 2\nevents: Ir\ncalls=1 1\n1 20\n";
	static const struct cg_range one[] = { { 1, 1 } }, two[] = { { 2, 2 } };
	struct cg_selection s = { .parts = two, .nparts = 1 };
	struct cg_profile *p = NULL;

	REQUIRE_INT(read_text(text, &s, &p, NULL), CG_OK);
	CHECK_INT(self_of(p, "???", 0), 20);
	CHECK_U64(function_named(p, "f"), 0);
	cg_profile_free(p);
	refuses(call, &s, CG_ESYNTAX, "cfn=NAME");
	s.parts = one;
	CHECK_INT(total_of(text, &s), 1);
	refuses(call, &s, CG_ESYNTAX, "cfn=NAME");
}

/* A part that does not repeat the events begins with its first function. */
static void test_part_without_events(void)
{
	static const char text[] = "events: Ir\npart: 1\nfn=(1) f\n1 1\n"
				   "part: 2\nfn=(2) g\n1 20\ncfn=(1)\ncalls=1 1\n1 5\n"
				   "part: 3\nfn=(1)\n1 300\n1 4000\n";
	static const struct cg_range one[] = { { 1, 1 } }, two[] = { { 2, 2 } };
	struct cg_selection s = { .parts = one, .nparts = 1 };

	CHECK_INT(total_of(text, NULL), 4321);
	CHECK_INT(total_of(text, &s), 1);
	s.parts = two;
	CHECK_INT(total_of(text, &s), 20);
}

/* Whatever stands where, parts that are selected and those that are not stay apart. */
static void test_shuffled_lines(void)
{
	static const char *const lines[] = { "part: 1",   "part: 2", "fn=(1) f", "fn=(2) g",
					     "fn=(1)",    "1 1",     "cfn=(1)",  "calls=1 1",
					     "totals: 3", "cfni=x",  "fi=a",     "events: Ir" };
	static const struct cg_range two[] = { { 2, 2 } };
	struct cg_selection s = { .parts = two, .nparts = 1 };
	uint32_t seed = 1;

	for (int round = 0; round < 20000; round++) {
		struct cg_read_options options = { .selection = &s, .lenient = round & 1 };
		struct cg_profile *p = NULL;
		char text[400] = "events: Ir\n";
		size_t used = strlen(text);
		for (int i = 0; i < 20; i++) {
			seed = seed * 1664525 + 1013904223;
			used += (size_t)snprintf(
				text + used, sizeof text - used, "%s\n",
				lines[(seed >> 16) % (sizeof lines / sizeof *lines)]);
		}
		if (cg_read_memory(text, used, "test", &options, &p, NULL) == CG_OK) {
			int64_t sum = 0;
			for (uint32_t r = 1; r < p->nrecords; r++)
				sum += p->record_self[r];
			CHECK_INT(sum, p->total[0]);
			for (uint32_t c = 1; c < p->ncalls; c++)
				CHECK(p->calls[c].caller && p->calls[c].callee &&
				      p->calls[c].callee < p->nrecords);
		}
		cg_profile_free(p);
	}
}

static void test_threads(void)
{
	static const char text[] = "pid: 7\npart: 1\nthread: 1\nevents: Ir\nfn=f\n1 1\ntotals: 1\n"
				   "part: 1\nthread: 2\nevents: Ir\nfn=f\n1 20\ntotals: 20\n"
				   "part: 2\nthread: 2\nevents: Ir\nfn=f\n1 300\ntotals: 300\n";
	static const struct cg_range two[] = { { 2, 2 } };
	struct cg_selection s = { .threads = two, .nthreads = 1 };

	CHECK_INT(total_of(text, NULL), 321);
	CHECK_INT(total_of(text, &s), 320);
	s.parts = two;
	s.nparts = 1;
	CHECK_INT(total_of(text, &s), 300);
}

static void test_nothing_selected(void)
{
	static const struct cg_range nine[] = { { 9, UINT64_MAX } };
	struct cg_selection s = { .parts = nine, .nparts = 1 };

	refuses(dumps, &s, CG_EINVAL,
		"no part selected; the parts are: part 1 of pid 7 'Client Request: parse: one' "
		"(1 Ir); part 2 of pid 7 '--dump-before=parse' (20 Ir); part 3 of pid 7 ");
	s = (struct cg_selection){ .pids = nine, .npids = 1 };
	refuses(dumps, &s, CG_EINVAL, "no part selected");
	refuses("f;g 4\n", &s, CG_EINVAL, "part 0 (4 samples)");
}

/* A list ends before the message does. */
static void test_many_parts(void)
{
	static const struct cg_range none[] = { { 1000000, 1000000 } };
	struct cg_selection s = { .parts = none, .nparts = 1 };
	struct cg_error err = { 0 };
	struct cg_profile *p = NULL;
	static char text[100000];
	size_t used = 0;

	for (int i = 1; i <= 1000; i++)
		used += (size_t)snprintf(text + used, sizeof text - used,
					 "part: %d\nevents: Ir\nfn=f\n1 1\ntotals: 1\n", i);
	CHECK_INT(read_text(text, &s, &p, &err), CG_EINVAL);
	CHECK(strlen(err.message) < sizeof err.message - 1);
	CHECK(strstr(err.message, "part 9 (1 Ir); ") != NULL);
	size_t length = strlen(err.message);
	CHECK_STR(err.message + length - strlen(" more"), " more");
}

/* A file is whole or truncated whatever is selected of it. */
static void test_truncated(void)
{
	static const struct cg_range one[] = { { 1, 1 } };
	struct cg_selection s = { .parts = one, .nparts = 1 };
	char text[sizeof dumps];

	snprintf(text, sizeof text, "%.*s", (int)(strstr(dumps, "totals: 300") - dumps), dumps);
	refuses(text, &s, CG_ESYNTAX, "truncated");
	refuses("events: Ir\npart: 2\nfn=f\n1 9223372036854775807\n1 1\n", &s, CG_ERANGE, "2^63");
}

/* ---- processes ---- */

#define FORKED(pid) \
	"version: 1\ncreator: callgrind-3.19.0\npid: " pid "\ncmd: ./a x\npart: 1\n" \
	"desc: Trigger: Program termination\nevents: Ir\nfn=(1) f\n1 100\ntotals: 100\n"

static void test_processes(void)
{
	static const struct cg_range eight[] = { { 8, 8 } }, both[] = { { 7, 7 }, { 8, 8 } };
	struct cg_selection s = { .pids = eight, .npids = 1 };

	refuses(FORKED("8") FORKED("7"), NULL, CG_ECHOICE,
		"the processes are: pid 7 './a x' (100 Ir); pid 8 './a x' (100 Ir)");
	CHECK_INT(total_of(FORKED("8") FORKED("7"), &s), 100);
	s = (struct cg_selection){ .pids = both, .npids = 2 };
	CHECK_INT(total_of(FORKED("8") FORKED("7"), &s), 200);
	s = (struct cg_selection){ .every_process = true };
	CHECK_INT(total_of(FORKED("8") FORKED("7"), &s), 200);
}

/* What one dump says does not hold for another that was appended. */
static void test_appended_without_pid(void)
{
	refuses(FORKED("8") "version: 1\nevents: Ir\nfn=g\n1 5\ntotals: 5\n", NULL, CG_ECHOICE,
		"'test' without a pid (5 Ir); pid 8 './a x' (100 Ir)");
}

static void test_twice_in_one_file(void)
{
	static const struct cg_selection all = { .every_process = true };
	refuses(FORKED("8") FORKED("8"), NULL, CG_EINVAL, "part 1 of pid 8 occurs twice");
	refuses(FORKED("8") FORKED("8"), &all, CG_EINVAL, "part 1 of pid 8 occurs twice");
	/* Others number nothing. */
	CHECK_INT(total_of("pid: 4\nevents: Ir\nfn=f\n1 1\nevents: Ir\nfn=f\n1 20\n", NULL), 21);
	CHECK_INT(total_of("part: 1\nevents: Ir\nfn=f\n1 1\npart: 1\nfn=f\n1 20\n", NULL), 21);
}

/* ---- files ---- */

struct folder {
	char path[64], *files[4];
	const char *paths[4]; /* to read; the same, as far as a test does not say otherwise */
	size_t count;
};

static void begin_folder(struct folder *d)
{
	*d = (struct folder){ .path = "/tmp/irdiff-test.XXXXXX" };
	REQUIRE(mkdtemp(d->path) != NULL);
}

static void add_file(struct folder *d, const char *name, const char *text)
{
	char *path = NULL;
	REQUIRE(asprintf(&path, "%s/%s", d->path, name) > 0);
	d->files[d->count] = path;
	d->paths[d->count++] = path;
	FILE *f = fopen(path, "w");
	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
}

static void end_folder(struct folder *d)
{
	for (size_t i = 0; i < d->count; i++) {
		unlink(d->files[i]);
		free(d->files[i]);
	}
	CHECK_INT(rmdir(d->path), 0);
}

/* The total, or the status if it is refused, with words that the message has. */
static int64_t read_folder(const struct folder *d, const struct cg_selection *selection,
			   const char *why)
{
	struct cg_read_options options = { .selection = selection };
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };
	int64_t result = cg_read_files(d->paths, d->count, &options, &p, &err);

	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "the message does not say \"%s\": %s", why, err.message);
	if (p)
		result = p->total[0];
	cg_profile_free(p);
	return result;
}

#define PART(number, thread, cost) \
	"version: 1\ncreator: callgrind-3.19.0\npid: 7\npart: " number "\n" thread "events: Ir\n" \
	"fn=(1) f\n1 " cost "\ntotals: " cost "\n"

static void test_dumps_of_one_process(void)
{
	struct folder d;
	begin_folder(&d);
	add_file(&d, "callgrind.out.7", PART("3", "", "300"));
	add_file(&d, "callgrind.out.7.1", PART("1", "", "1"));
	add_file(&d, "callgrind.out.7.2", PART("2", "", "20"));
	CHECK_INT(read_folder(&d, NULL, ""), 321);
	end_folder(&d);
}

static void test_threads_of_one_process(void)
{
	struct folder d;
	begin_folder(&d);
	add_file(&d, "callgrind.out.7", "");
	add_file(&d, "callgrind.out.7.1-01", PART("1", "thread: 1\n", "1"));
	add_file(&d, "callgrind.out.7-02", PART("2", "thread: 2\n", "20"));
	CHECK_INT(read_folder(&d, NULL, ""), 21);
	d.count = 2; /* known by the older dumps, too */
	CHECK_INT(read_folder(&d, NULL, ""), 1);
	d.count = 1;
	CHECK_INT(read_folder(&d, NULL, "the file is empty"), CG_ESYNTAX);
	d.count = 3;
	end_folder(&d);
}

static void test_empty_without_threads(void)
{
	struct folder d;
	begin_folder(&d);
	add_file(&d, "callgrind.out.7", "");
	add_file(&d, "callgrind.out.7.1", PART("1", "", "1"));
	CHECK_INT(read_folder(&d, NULL, "the file is empty"), CG_ESYNTAX);
	end_folder(&d);
}

static void test_twice_in_two_files(void)
{
	static const struct cg_selection all = { .every_process = true };
	struct folder d;
	begin_folder(&d);
	add_file(&d, "a", PART("1", "", "1"));
	add_file(&d, "b", PART("2", "", "20") PART("1", "", "1"));
	CHECK_INT(read_folder(&d, NULL, "/a' and in '"), CG_EINVAL);
	CHECK_INT(read_folder(&d, &all, "part 1 of pid 7 occurs in '"), CG_EINVAL);
	d.paths[1] = d.paths[0];
	CHECK_INT(read_folder(&d, NULL, "given twice"), CG_EINVAL);
	end_folder(&d);
}

static void test_files_without_pid(void)
{
	static const struct cg_selection all = { .every_process = true };
	struct folder d;
	begin_folder(&d);
	add_file(&d, "a", "cmd: ./x\npositions: line\nevents: Ir\nfn=f\n1 1\n");
	add_file(&d, "b", "events: Ir\nfn=f\n1 20\n");
	CHECK_INT(read_folder(&d, NULL, "/a' without a pid './x' (1 Ir); '"), CG_ECHOICE);
	CHECK_INT(read_folder(&d, &all, ""), 21);
	end_folder(&d);
}

TEST_MAIN("selection", { "everything", test_everything }, { "numbers", test_numbers },
	  { "triggers", test_triggers }, { "a part set aside", test_set_aside },
	  { "functions end with the part", test_function_left_open }, { "threads", test_threads },
	  { "parts without events", test_part_without_events },
	  { "shuffled lines", test_shuffled_lines }, { "nothing selected", test_nothing_selected },
	  { "many parts", test_many_parts }, { "truncated files", test_truncated },
	  { "processes", test_processes }, { "appended without a pid", test_appended_without_pid },
	  { "twice in one file", test_twice_in_one_file },
	  { "dumps of one process", test_dumps_of_one_process },
	  { "threads of one process", test_threads_of_one_process },
	  { "an empty file without threads", test_empty_without_threads },
	  { "twice in two files", test_twice_in_two_files },
	  { "files without a pid", test_files_without_pid })
