/*
 * What happens when memory runs out: whatever is asked for is refused with
 * CG_ENOMEM and nothing is lost, or it is done as well as ever.
 */
#include "callgrind/coarsen.h"
#include "callgrind/producers.h"
#include "cgprofile/audit.h"
#include "cgprofile/inclusive.h"
#include "cgprofile/inlines.h"
#include "cgprofile/reader.h"
#include "cgprofile/writer.h"
#include "src/config/config.h"
#include "src/diff/causes.h"
#include "src/diff/environment.h"
#include "src/diff/judge.h"
#include "src/view/pattern.h"
#include "tests/unit/harness.h"
#include "tests/unit/heap.h"

/* ---- every allocation ---- */

/* Does a thing from the beginning to the end. CG_OK only with the right result. */
typedef int (*attempt)(const void *context);

enum { NEVER = 100000 };

/* Tries the thing with each of its allocations failing, one at a time. `counted`: all that it frees
 * was allocated where heap.h sees it. */
static void check_all(const char *what, attempt try, const void *context, bool counted)
{
	size_t before = heap_blocks(), nth = 1, refused = 0;

	for (bool failed = true; failed && nth < NEVER; nth++) {
		heap_fail_at(nth);
		int status = try(context);
		failed = heap_has_failed();
		heap_fail_at(0);
		refused += status == CG_ENOMEM;
		test_report(status == CG_OK || (failed && status == CG_ENOMEM), true, __FILE__,
			    __LINE__, "%s: status %d without allocation %zu", what, status, nth);
		test_report(!counted || heap_blocks() == before, true, __FILE__, __LINE__,
			    "%s: %zu blocks are lost without allocation %zu", what,
			    heap_blocks() - before, nth);
	}
	test_report(refused > 0 && nth < NEVER, false, __FILE__, __LINE__,
		    "%s: %zu allocations, %zu refused", what, nth - 2, refused);
}

static void check_each(const char *what, attempt try, const void *context)
{
	check_all(what, try, context, true);
}

/* Fills in a status where the result is not as it should be. */
static int unless(int status, bool right)
{
	return !status && !right ? CG_EINTERNAL : status;
}

/* ---- profiles ---- */

/* A file, how to read it, and what must come out. */
struct reading {
	const char *text;
	size_t len;
	struct cg_read_options options;
	uint32_t functions, calls, lines;
	int64_t total;
};

static int read_all(const struct reading *r, struct cg_profile **p)
{
	struct cg_error err = { .code = CG_OK };
	int status = cg_read_memory(r->text, r->len, "test", &r->options, p, &err);
	CHECK_INT(err.code, status);
	return status;
}

static int try_reading(const void *context)
{
	const struct reading *r = context;
	struct cg_profile *p = NULL;
	int status = read_all(r, &p);

	if (!status)
		status = unless(status,
				p->nfunctions - 1 == r->functions && p->ncalls - 1 == r->calls &&
					p->nlines - 1 == r->lines && p->total[0] == r->total);
	cg_profile_free(p);
	return status;
}

/* Names with and without numbers, levels and contexts, inlined code, two parts. */
static const char usual[] = "creator: callgrind-3.19.0\npid: 9\ncmd: ./a x\n"
			    "desc: I1 cache: 32768 B\nevent: Dr : Data Read\n"
			    "positions: instr line\nevents: Ir Dr\n"
			    "ob=(1) /bin/a\nfl=(1) a.c\nfn=(1) main\n0x10 1 1 2\n"
			    "fi=(2) in.h\ncfni=(9) helper\n0x14 70 20 0\ncfni=???\nfe=(1)\n"
			    "cob=(2) /lib/b.so\ncfi=(3) b.c\ncfn=(2) f'main\n"
			    "calls=3 0x90 9\n0x18 2 300 40\n"
			    "ob=(2)\nfl=(3)\nfn=(2)\n0x90 9 300 30\n"
			    "fn=(3) f'2'f'main\n0x90 9 0 10\nfn=(99999999999) far\n* 9 4\n"
			    "totals: 325 42\n"
			    "desc: Trigger: Program termination\nevents: Dr Ir\n"
			    "ob=/bin/a\nfl=a.c\nfn=main\n0x10 1 60 7000\n"
			    "totals: 60 7000\n";

static void test_callgrind(void)
{
	struct reading r = {
		.text = usual, .len = sizeof usual - 1, .functions = 4, .calls = 2, .total = 7325
	};
	check_each("flat", try_reading, &r);

	r.options.detail = (struct cg_detail){ .addresses = true, .contexts = true };
	r.lines = 5;
	check_each("everything", try_reading, &r);

	static const struct cg_path_map paths[] = { { "/bin", "/usr/bin" } };
	r.options.paths = paths;
	r.options.npaths = 1;
	check_each("renamed", try_reading, &r);

	r.options.lenient = true;
	check_each("lenient", try_reading, &r);
}

static void test_folded(void)
{
	static const char text[] = "main;work;scan_[i] 5\nmain;work;work 7\n";
	struct reading r = {
		.text = text, .len = sizeof text - 1, .functions = 3, .calls = 3, .total = 12
	};
	check_each("stacks", try_reading, &r);

	r.options.detail.contexts = true;
	check_each("stacks with contexts", try_reading, &r);
}

/* Files of other tools, and their totals. */
static const struct other_file {
	const char *path;
	int64_t total;
} other_files[] = {
	{ TEST_DATA "/formats/base.pb.gz", 5330000000 },
	{ TEST_DATA "/formats/heap.pb", 4718608 },
	{ TEST_DATA "/formats/perf.txt", 500000 },
	{ TEST_DATA "/formats/work.massif", 5900 },
};

static int try_other_file(const void *context)
{
	static const struct cg_read_options options = { .detail = { .lines = true,
								    .contexts = true } };
	const struct other_file *file = context;
	struct cg_profile *p = NULL;
	int status = cg_read_file(file->path, &options, &p, NULL);

	if (!status)
		status = unless(status, p->total[0] == file->total);
	cg_profile_free(p);
	return status;
}

static void test_other_files(void)
{
	for (size_t i = 0; i < sizeof other_files / sizeof *other_files; i++)
		check_each(other_files[i].path, try_other_file, &other_files[i]);
}

static int try_file(const void *context)
{
	static const struct cg_read_options flat;
	struct cg_profile *p = NULL;
	int status = cg_read_file(context, &flat, &p, NULL);

	if (!status)
		status = unless(status, p->total[0] == 100000 && p->total[1] == 10000);
	cg_profile_free(p);
	return status;
}

static void test_file(void)
{
	check_each("a file", try_file, TEST_DATA "/base.callgrind");
}

/* "events: Ir\nfn=f\n1 7\n", packed. */
static const unsigned char gzip[] = {
	0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x2d, 0x4b, 0xcd,
	0x2b, 0x29, 0xb6, 0x52, 0xf0, 0x2c, 0xe2, 0x4a, 0xcb, 0xb3, 0x4d, 0xe3, 0x32, 0x54,
	0x30, 0xe7, 0x02, 0x00, 0x53, 0x91, 0x4f, 0xa2, 0x14, 0x00, 0x00, 0x00,
};

static void test_packed(void)
{
	struct reading r = {
		.text = (const char *)gzip, .len = sizeof gzip, .functions = 1, .total = 7
	};
	check_each("gzip", try_reading, &r);
}

/* Long enough for several windows, which other threads scan. */
static char *long_file(size_t *len)
{
	enum { FUNCTIONS = 40000 };
	char *text = NULL;
	FILE *to = open_memstream(&text, len);
	REQUIRE(to != NULL);

	fputs("events: Ir\n", to);
	for (int i = 0; i < FUNCTIONS; i++)
		fprintf(to, "fn=(%d) function_%d\n16 2\n+3 40\n", i % 1000, i % 1000);
	fclose(to);
	return text;
}

static void test_threads(void)
{
	struct reading r = { .functions = 1000, .total = 42 * 40000 };
	char *text = long_file(&r.len);

	r.text = text;
	check_each("windows", try_reading, &r);
	heap_refuse_threads(true);
	CHECK_INT(try_reading(&r), CG_OK);
	check_each("windows without threads", try_reading, &r);
	heap_refuse_threads(false);
	free(text);
}

/* ---- what is made of them ---- */

static int try_inclusive(const void *context)
{
	const struct cg_profile *p = context;
	uint32_t one_group[16] = { 0 };
	struct cg_inclusive *each = NULL, *all = NULL;
	int status = cg_inclusive_compute(p, NULL, 0, &each);

	if (!status)
		status = unless(status, each->count == p->nfunctions);
	if (!status)
		status = cg_inclusive_compute(p, one_group, 1, &all);
	if (!status)
		status = unless(status, all->cost[0] == p->total[0]);
	cg_inclusive_free(each);
	cg_inclusive_free(all);
	return status;
}

static int try_audit(const void *context)
{
	struct cg_audit *audit = NULL;
	int status = cg_audit_make(context, &audit);

	if (!status)
		status = unless(status, audit->called == 2 && audit->nroots > 0);
	cg_audit_free(audit);
	return status;
}

static int try_writing(const void *context)
{
	static const struct cg_write_options as_it_is;
	FILE *to = fopen("/dev/null", "w");
	REQUIRE(to != NULL);
	int status = cg_write_callgrind(context, &as_it_is, to);

	fclose(to);
	return status;
}

static int try_diff(const void *context)
{
	const struct diff_options options = { .metric = "Ir" };
	struct cg_error err = { .code = CG_OK };
	struct diff *d = NULL;
	int status = diff_make(context, context, &options, &d, &err);

	CHECK_INT(err.code, status);
	if (!status)
		status = unless(status, d->count == 4 && d->rows[0].base.present &&
						d->rows[0].head.present);
	diff_free(d);
	return status;
}

static int try_coarsen(const void *context)
{
	const struct cg_profile *p = context;
	const struct cg_read_options how = { .detail = { .lines = true }, .join_cold = true };
	struct cg_profile *made = NULL;
	int status = cg_coarsen(p, &how, &made);

	if (!status)
		status = unless(status, made->total[0] == p->total[0] && made->ncalls == p->ncalls);
	cg_profile_free(made);
	return status;
}

static void test_coarsen(void)
{
	struct reading r = { .text = usual,
			     .len = sizeof usual - 1,
			     .options.detail = { .addresses = true } };
	struct cg_profile *p = NULL;
	REQUIRE_INT(read_all(&r, &p), CG_OK);

	check_each("coarser", try_coarsen, p);
	cg_profile_free(p);
}

static int try_clones(const void *context)
{
	struct pattern *pattern = NULL;
	bool matches = false;
	int status = pattern_compile("part|cold", &pattern, NULL);

	if (!status)
		status = pattern_add_clones(pattern, context, NULL);
	if (!status)
		status = pattern_matches_name(pattern, "", "a.c", "g", &matches, NULL);
	if (!status)
		status = unless(status, matches);
	pattern_free(pattern);
	return status;
}

static void test_clones(void)
{
	static const char text[] =
		"events: Ir\nfl=a.c\nfn=f.part.0\n1 1\nfn=g.cold\n1 2\nfn=h\n1 3\n";
	struct reading r = { .text = text, .len = sizeof text - 1 };
	struct cg_profile *p = NULL;
	REQUIRE_INT(read_all(&r, &p), CG_OK);

	check_each("clones", try_clones, p);
	cg_profile_free(p);
}

/* ---- paths, causes and environments of two ---- */

struct two {
	struct cg_profile *base, *head;
	int64_t delta;
	size_t differences;
};

static int try_causes(const void *context)
{
	const struct two *t = context;
	const struct diff_options options = { .metric = "samples" };
	struct diff *d = NULL;
	struct tree_diff *tree = NULL;
	struct causes *causes = NULL;
	struct cg_error err;
	int status = diff_make(t->base, t->head, &options, &d, &err);

	if (!status)
		status = tree_diff_make(d, TREE_ALL, TREE_CHANGED_ROWS, &tree, &err);
	if (!status)
		status = causes_make(tree, NULL, &causes, &err);
	if (!status)
		status = unless(status,
				causes->delta == t->delta && causes->count == t->differences);
	causes_free(causes);
	tree_diff_free(tree);
	diff_free(d);
	return status;
}

static int try_environment(const void *context)
{
	const struct two *t = context;
	struct environment_diff d;
	int status = environment_compare(t->base, t->head, &d);

	if (!status) {
		bool whole = d.count + d.nsubject == t->differences;
		for (size_t i = 0; i < d.count; i++)
			whole = whole && d.differences[i].name && d.differences[i].effect;
		status = unless(status, whole);
		environment_diff_free(&d);
	}
	return status;
}

static int try_namespaces(const void *context)
{
	const struct two *t = context;
	const struct diff_options options = { .metric = "samples" };
	struct diff *d = NULL;
	struct environment_diff e = { 0 };
	struct cg_error err;
	int status = diff_make(t->base, t->head, &options, &d, &err);

	if (!status)
		status = environment_compare(t->base, t->head, &e);
	if (!status)
		status = environment_add_namespaces(&e, d);
	if (!status)
		status = unless(status, e.nsubject == t->differences && d->count == 3);
	environment_diff_free(&e);
	diff_free(d);
	return status;
}

static void check_two(const char *what, attempt try, const char *base, const char *head,
		      struct two t, bool counted)
{
	struct reading b = { .text = base, .len = strlen(base), .options.detail.contexts = true };
	struct reading h = { .text = head, .len = strlen(head), .options.detail.contexts = true };

	REQUIRE_INT(read_all(&b, &t.base), CG_OK);
	REQUIRE_INT(read_all(&h, &t.head), CG_OK);
	check_all(what, try, &t, counted);
	cg_profile_free(t.base);
	cg_profile_free(t.head);
}

/* A function was renamed and costs 9 more, one was dissolved, of whose 8 its caller has 7 with its
 * own 1, one is no longer inlined and costs 1 more, and one has another parameter: three causes. */
static void test_two(void)
{
	check_two("causes", try_causes,
		  "m;slow;x 70\nm;slow;y 30\nm;f;w 60\nm;f 8\nm 1\nm;i_[i] 5\nm;g(int) 7\n",
		  "m;fast;x 70\nm;fast;y 30\nm;fast 9\nm;w 60\nm 8\nm;i 6\nm;g(char) 7\n",
		  (struct two){ .delta = 9, .differences = 3 }, true);
	check_two("causes in namespaces", try_causes, "m;a::v1::f 70\nm;b::g(a::v1::T) 30\n",
		  "m;a::v2::f 75\nm;b::g(a::v2::T) 30\n",
		  (struct two){ .delta = 5, .differences = 1 }, true);
	check_two("namespaces", try_namespaces, "m;a::v1::f 70\nm;b::g(a::v1::T) 30\n",
		  "m;a::v2::f 70\nm;b::g(a::v2::T) 30\n", (struct two){ .differences = 1 },
		  false); /* of asprintf */
	check_two(
		"environments", try_environment,
		"desc: irdiff.env.cpu: amd64-avx2\ndesc: irdiff.env.libc: 12\ndesc: irdiff.env.options: --a --b\n"
		"desc: irdiff.subject.libc_version: GLIBC 2.36\ndesc: irdiff.env.env.HOME: a\nevents: Ir\nfn=f\n1 1\n",
		"desc: irdiff.env.cpu: amd64-avx\ndesc: irdiff.env.libc: 34\ndesc: irdiff.env.options: --a\n"
		"desc: irdiff.subject.libc_version: GLIBC 2.37\nevents: Ir\nfn=f\n1 1\n",
		(struct two){ .differences = 5 }, false); /* of open_memstream */
}

static void test_profiles(void)
{
	struct reading r = { .text = usual, .len = sizeof usual - 1 };
	struct cg_profile *p = NULL;
	REQUIRE_INT(read_all(&r, &p), CG_OK);

	check_each("inclusive", try_inclusive, p);
	check_each("audit", try_audit, p);
	check_each("writing", try_writing, p);
	check_each("diff", try_diff, p);
	/* Cycles are looked for where there are no levels. */
	p->has_levels = false;
	check_each("cycles", try_inclusive, p);
	cg_profile_free(p);
}

/* ---- limits and irdiff.yml ---- */

static int try_limits(const void *context)
{
	static const char *const specs[] = { "Ir=+1%", "Ir== fn:^main", "Dr=9",
					     "Ir=+1% namespace:.*" };
	struct limit_set set = { 0 };
	const struct limit_set *sets[] = { &set };
	struct limit_rule *rules = NULL;
	struct judgement judgement = { 0 };
	size_t count = 0;
	int status = CG_OK;

	for (size_t i = 0; !status && i < sizeof specs / sizeof *specs; i++)
		status = limit_set_add_spec(&set, specs[i], LIMIT_COMMAND_LINE, "--limit", NULL);
	if (!status)
		status = limit_resolve(sets, 1, NULL, &rules, &count, NULL);
	if (!status)
		status = judge(context, rules, count,
			       &(struct judge_options){ .require_base = true }, &judgement, NULL);
	if (!status)
		status = unless(status, judgement.count == 4 && judgement.failing == 1);
	judgement_free(&judgement);
	free(rules);
	limit_set_free(&set);
	return status;
}

static int try_removed(const void *context)
{
	struct judgement judgement = { 0 };
	int status = judge(context, NULL, 0, &(struct judge_options){ 0 }, &judgement, NULL);

	if (!status)
		status = unless(status, judgement.count == 1 && judgement.failing == 1);
	judgement_free(&judgement);
	return status;
}

static void test_limits(void)
{
	struct diff_options options = { .metric = "Ir" };
	struct reading r = { .text = usual, .len = sizeof usual - 1 };
	struct cg_profile *p = NULL;
	struct diff *d = NULL;

	REQUIRE_INT(read_all(&r, &p), CG_OK);
	REQUIRE_INT(diff_make(p, p, &options, &d, NULL), CG_OK);
	check_each("limits", try_limits, d);
	diff_free(d);

	options.missing = DIFF_NO_HEAD;
	REQUIRE_INT(diff_make(p, p, &options, &d, NULL), CG_OK);
	check_each("a removed benchmark", try_removed, d);
	diff_free(d);
	cg_profile_free(p);
}

static int try_config(const void *context)
{
	const char *text = context;
	struct config *config = NULL;
	struct cg_error err = { .code = CG_OK };
	int status = config_parse(text, strlen(text), "irdiff.yml", &config, &err);

	CHECK_INT(err.code, status);
	if (!status)
		status = unless(status, config->benchmark_count == 2 && config->limits.count == 2);
	config_free(config);
	return status;
}

static void test_config(void)
{
	check_each("irdiff.yml", try_config,
		   "build: make 'a b'\n"
		   "benchmarks:\n"
		   "  a: {command: &c [x, y], env: [A, B=1], limits: {Ir: {max_growth: 1%}}}\n"
		   "  b: {command: *c, env: {A: 1}, timeout: 5m}\n"
		   "limits: {Ir: \"+1%\", \"fn:^a\": {incl.Ir: =}}\n");
}

/* ---- debug information ---- */

#define OBJECT TEST_DATA "/../fuzz/seeds/inlines/gxx-lambdas"

struct looking {
	struct cg_profile *p;
	uint32_t frames; /* that there are */
};

static int look_up(const struct looking *l, uint32_t *frames)
{
	struct cg_inlines *in = NULL;
	int status = cg_inlines_find(l->p, NULL, &in);

	if (!status)
		*frames = in->nframes;
	cg_inlines_free(in);
	return status;
}

/* Names are not compared: a demangler without memory says no more than that a symbol is none. */
static int try_inlines(const void *context)
{
	const struct looking *l = context;
	uint32_t frames = 0;
	int status = look_up(l, &frames);

	return unless(status, frames == l->frames);
}

static int try_by_line(const void *context)
{
	struct cg_inlines *in = NULL;
	int status = cg_inlines_find_by_line(context, &in);

	if (!status)
		status = unless(status, in->nlines > 20);
	cg_inlines_free(in);
	return status;
}

static int try_producers(const void *context)
{
	char *text = NULL;
	int status = cg_producers(context, &text);

	status = unless(status, text && strstr(text, "GNU C++"));
	free(text);
	return status;
}

/* Addresses, or lines, all over the object. */
static struct cg_profile *profile_of_object(bool by_line)
{
	struct cg_read_options options = { .detail = { .lines = by_line, .addresses = !by_line } };
	struct cg_profile *p = NULL;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	fputs("positions: instr line\nevents: Ir\nob=" OBJECT "\nfl=/s/lambdas.cc\n", to);
	for (unsigned i = 0; i < 0x400; i++)
		fprintf(to, "fn=f%u\n0x%x %u 1\n", i / 0x80, 0x4000e0 + i, i / 8);
	fclose(to);
	REQUIRE_INT(cg_read_memory(text, size, "test", &options, &p, NULL), CG_OK);
	free(text);
	return p;
}

static void test_inlines(void)
{
	struct cg_profile *lines = profile_of_object(true);
	struct looking l = { .p = profile_of_object(false) };

	unsetenv("DEBUGINFOD_URLS");
	REQUIRE_INT(look_up(&l, &l.frames), CG_OK);
	REQUIRE(l.frames > 20);
	check_all("inlined functions", try_inlines, &l, false);
	check_all("inlined functions by line", try_by_line, lines, false);
	check_all("compilers", try_producers, OBJECT, false);
	cg_profile_free(lines);
	cg_profile_free(l.p);
}

TEST_MAIN("alloc", { "callgrind", test_callgrind }, { "folded", test_folded },
	  { "files of other tools", test_other_files }, { "a file", test_file },
	  { "packed", test_packed }, { "threads", test_threads }, { "profiles", test_profiles },
	  { "two profiles", test_two }, { "coarser", test_coarsen }, { "clones", test_clones },
	  { "limits", test_limits }, { "irdiff.yml", test_config },
	  { "debug information", test_inlines })
