#include "tests/unit/refusals.h"

/* ---- parts ---- */

static void test_parts(void)
{
	struct cg_profile *p = profile_of("creator: callgrind-3.19.0\npid: 5\ncmd: ./a\npart: 1\n"
					  "desc: Trigger: Client Request: one\n"
					  "events: Ir Dr\n"
					  "fn=(1) f\n1 1 2\ntotals: 1 2\n"
					  "\npart: 2\n"
					  "desc: Trigger: Program termination\n"
					  "events: Dr Ir\n"
					  /* 1 means another function now. */
					  "fn=(1) g\n1 20 30\n"
					  "fn=(2) f\n1 400 500\ntotals: 420 530\n");
	CHECK_U64(p->nparts, 2);
	CHECK_U64(p->nevents, 2);
	CHECK_U64(self_of(p, "f", 0), 501); /* Ir: 1 + 500 */
	CHECK_U64(self_of(p, "f", 1), 402); /* Dr: 2 + 400 */
	CHECK_U64(self_of(p, "g", 0), 30);
	CHECK_U64(self_of(p, "g", 1), 20);
	CHECK_U64(p->total[0], 531);
	CHECK_U64(p->total[1], 422);
	CHECK_U64(p->parts[0].self[0], 1);
	CHECK_U64(p->parts[1].self[0], 530);
	CHECK_U64(p->parts[1].totals[0], 530);
	CHECK_U64(p->parts[1].totals[1], 420);
	CHECK_U64(p->parts[1].pid, 5); /* not repeated: still holds */
	CHECK_U64(p->parts[1].number, 2);
	CHECK_STR(cg_string(p, p->parts[0].trigger), "Client Request: one");
	CHECK_STR(cg_string(p, p->parts[1].trigger), "Program termination");
	cg_profile_free(p);
}

/* The last column is where it was in the first part, the others are not. */
static void test_parts_with_swapped_events(void)
{
	struct cg_profile *p = profile_of(
		"events: Ir Dr Dw\nfn=f\n1 1 2 3\ntotals: 1 2 3\n"
		"\npart: 2\nevents: Dr Ir Dw\n"
		"fn=f\n1 20 10 30\n2 200 100 300\nfn=g\n3 5000 4000 6000\n");
	CHECK_U64(self_of(p, "f", 0), 111);
	CHECK_U64(self_of(p, "f", 1), 222);
	CHECK_U64(self_of(p, "f", 2), 333);
	CHECK_U64(self_of(p, "g", 0), 4000);
	CHECK_U64(self_of(p, "g", 1), 5000);
	CHECK_U64(self_of(p, "g", 2), 6000);
	cg_profile_free(p);
}

/* The lines of the second part would be good lines with the positions of the first. */
static void test_parts_with_other_positions(void)
{
	struct cg_profile *p = profile_of("events: Ir Dr\nfn=f\n1 5 6\ntotals: 5 6\n\npart: 2\n"
					  "positions: instr line\nevents: Ir Dr\nfn=f\n0x10 7 100\n"
					  "0x18 8 2000\n0x20 9 30000 400\ntotals: 32100 400\n");
	CHECK_U64(self_of(p, "f", 0), 32105);
	CHECK_U64(self_of(p, "f", 1), 406);
	cg_profile_free(p);
}

/* Only the first line after calls= is the cost of the call, wherever it stands. */
static void test_blank_line_in_a_call(void)
{
	struct cg_profile *p = profile_of("events: Ir\nfn=f\ncfn=g\ncalls=1 1\n\n5 7\n6 100\n"
					  "7 1000\nfn=g\n1 7\n");
	int64_t cost;
	CHECK_U64(calls_between(p, "f", "g", 0, &cost), 1);
	CHECK_INT(cost, 7);
	CHECK_U64(self_of(p, "f", 0), 1100);
	cg_profile_free(p);
}

/* A part of which nothing but a call was recorded ends where the next header begins. */
static void test_part_of_a_call(void)
{
	static const char text[] = "part: 1\nevents: Ir\nfn=f\ncfn=g\ncalls=1 1\n1 5\n"
				   "part: 2\nevents: Ir\nfn=g\n1 5\n";
	for (int lenient = 0; lenient < 2; lenient++) {
		const struct cg_read_options options = { .lenient = lenient };
		struct cg_profile *p = profile_with(LINES(text), &options);
		REQUIRE_U64(p->nparts, 2);
		CHECK_U64(p->parts[0].number, 1);
		CHECK_U64(p->parts[1].number, 2);
		CHECK_U64(calls_between(p, "f", "g", 0, NULL), 1);
		cg_profile_free(p);
	}
}

static void test_parts_with_other_events(void)
{
#define FIRST "events: Ir Dr\nfn=f\n1 1\n"
	refuses(FIRST "events: Ir\nfn=f\n1 1\n", 4, "the events of the first part");
	refuses(FIRST "events: Ir Dw\nfn=f\n1 1\n", 4, "the events of the first part");
	refuses(FIRST "events: Ir Dr Dw\nfn=f\n1 1\n", 4, "the events of the first part");
	refuses(FIRST "events: Ir Ir\nfn=f\n1 1 1\n", 4, "the events of the first part");
	/* A lenient reader goes by the names. */
	const struct cg_read_options lenient = { .lenient = true };
	static const char text[] = FIRST "events: Dw Dr Ir\nfn=f\n1 500 60 7\nfn=g\n2 800 90\n"
					 "events: Dr\nfn=f\n1 1000\n";
	struct cg_profile *p = profile_with(LINES(text), &lenient);
	CHECK_U64(p->nevents, 2);
	CHECK_U64(self_of(p, "f", 0), 8);
	CHECK_U64(self_of(p, "f", 1), 1060);
	CHECK_U64(self_of(p, "g", 0), 0);
	CHECK_U64(self_of(p, "g", 1), 90);
	CHECK_U64(p->skipped, 2);
	cg_profile_free(p);
	/* What names none says nothing. */
	static const char none[] = FIRST "events:\nfn=f\n1 2 3\n";
	p = profile_with(LINES(none), &lenient);
	CHECK_U64(self_of(p, "f", 0), 3);
	CHECK_U64(self_of(p, "f", 1), 3);
	CHECK_U64(p->skipped, 1);
	cg_profile_free(p);
#undef FIRST
}

static void test_several_files(void)
{
	const char *none[] = { "/nonexistent/a", NULL };
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };
	CHECK_INT(cg_read_files(none, 0, &plain, &p, &err), CG_EINVAL);
	CHECK_INT(cg_read_files(none, 1, &plain, &p, &err), CG_EIO);
	CHECK_STR(err.file, "/nonexistent/a");
	CHECK(p == NULL);
}

/* Other programs have other options. */
static void test_words(void)
{
	static const char *const cut[] = {
		"creator: callgrind-3.19\nevents: Ir\nfn=f\n1 7\n",
		"creator: callgrind-3.19\nevents: Ir\nfn=f\n1 7\nversion: 1\nevents: Ir\n",
		"desc: I1 cache:\ncmd: ./a\nevents: Ir\nfl=a\nfn=f\n1 7\n",
	};
	for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
		struct cg_profile *p = NULL;
		struct cg_error err = { 0 };
		CHECK_INT(cg_read_memory(cut[i], strlen(cut[i]), "cut", &plain, &p, &err),
			  CG_ESYNTAX);
		CHECK(strstr(err.message, "it is truncated") != NULL);
		CHECK(strstr(err.message, "--") == NULL);
	}
}

/* As if all of them were 0. */
static void test_no_options(void)
{
	static const char text[] = "version: 1\nevents: Ir\nfn=f\n1 7\n", stacks[] = "a;b 7\n";
	const char *path = TEST_DATA "/cycle.callgrind";
	struct cg_profile *p, *same;

	REQUIRE_INT(cg_read_memory(text, sizeof text - 1, "text", NULL, &p, NULL), CG_OK);
	CHECK_U64(self_of(p, "f", 0), 7);
	cg_profile_free(p);
	REQUIRE_INT(cg_read_memory(stacks, sizeof stacks - 1, "stacks", NULL, &p, NULL), CG_OK);
	CHECK_U64(self_of(p, "b", 0), 7);
	cg_profile_free(p);
	REQUIRE_INT(cg_read_file(path, NULL, &p, NULL), CG_OK);
	REQUIRE_INT(cg_read_file(path, &plain, &same, NULL), CG_OK);
	CHECK_INT(p->total[0], same->total[0]);
	CHECK_INT(p->nrecords, same->nrecords);
	CHECK_INT(p->ncalls, same->ncalls);
	CHECK_INT(p->nlines, same->nlines);
	cg_profile_free(same);
	cg_profile_free(p);
	REQUIRE_INT(cg_read_files(&path, 1, NULL, &p, NULL), CG_OK);
	cg_profile_free(p);
}

/* ---- how files end, and other producers ---- */

static void test_line_ends(void)
{
	struct cg_profile *p = profile_of("# comment\r\nevents: Ir\r\n\r\n"
					  "fn=(1) f\r\n1 7\r\n# 2 100\r\nfn=(1)\r\n2 80");
	CHECK_U64(self_of(p, "f", 0), 87); /* no \r in the name, no newline at the end */
	cg_profile_free(p);
}

static void test_unknown_headers(void)
{
	struct cg_profile *p = profile_of("version: 1\nfuture_key: anything\nevents: Ir\n"
					  "fn=f\n1 7\n");
	CHECK_U64(p->total[0], 7);
	cg_profile_free(p);
	p = profile_of("version: 1\nz: 1\nevents: Ir\nfn=f\n1 7\n");
	CHECK_U64(p->total[0], 7);
	cg_profile_free(p);
	refuses("events: Ir\nfn=f\n:7\n", 3, "a line of the callgrind format");
	refuses("version: 3\nevents: Ir\n", 1, "version 1 or 2");
	refuses("version: one\nevents: Ir\n", 1, "version 1 or 2");
	refuses("events: Ir\nunknown=7\n", 2, "a line of the callgrind format");
	refuses("events: Ir\nhello world\n", 2, "found \"hello world\"");
}

static void test_cachegrind(void)
{
	struct cg_profile *p = profile_of("desc: I1 cache: 32768 B\ncmd: ./a\nevents: Ir I1mr\n"
					  "fl=a.c\nfn=main\n3 10 1\n4 20\nsummary: 30 1\n");
	CHECK_U64(p->nparts, 1);
	CHECK_U64(p->total[0], 30);
	CHECK_U64(p->parts[0].summary[1], 1);
	cg_profile_free(p);
#define HEAD "desc: I1 cache: 32768 B\ncmd: ./a\nevents: Ir\nfn=main\n3 10\n"
	refuses(HEAD, 5, "without cachegrind's `summary:` line: it is truncated");
	/* One after the other, and a sum that is another. */
	refuses(HEAD HEAD "summary: 10\n", 6, "the previous part ends without");
	p = profile_of(HEAD "summary: 10\n" HEAD "summary: 11\n");
	uint32_t event = 9;
	CHECK_U64(p->total[0], 20);
	CHECK(cg_part_adds_up(p, &p->parts[0], &event));
	CHECK(!cg_part_adds_up(p, &p->parts[1], &event));
	CHECK_U64(event, 0);
	cg_profile_free(p);
#undef HEAD
	/* With calls it is not cachegrind's. */
	p = profile_of("cmd: ./a\nevents: Ir\nfn=main\n3 10\ncfn=f\ncalls=1 1\n4 7\nfn=f\n1 7\n");
	CHECK_U64(p->total[0], 17);
	cg_profile_free(p);
}

static void test_appended_by_xdebug(void)
{
#define NEXT "\n==== NEW PROFILING FILE ==============================================\n"
#define HEAD \
	"version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.35)\ncmd: /a.php\npart: 1\n" \
	"positions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\n"
	static const char first[] = "fl=(1) php:internal\nfn=(1) php::f\n1 5 8\n\nsummary: 9 8\n\n";
	/* The numbers mean other names. */
	static const char second[] =
		"fl=(2) /a.php\nfn=(1) {main}\n1 70 -8\nfl=(2)\nfn=(2) g\n1 600\n\n"
		"summary: 700 0\n\n";
	char text[2000];
	for (int bare = 0; bare < 2; bare++) {
		snprintf(text, sizeof text, "%s%s%s%s%s", bare ? "" : NEXT, HEAD, first, NEXT HEAD,
			 second);
		struct cg_profile *p = profile_of(text);
		CHECK_U64(p->nparts, 2);
		CHECK_U64(p->parts[0].number, 1);
		CHECK_U64(p->parts[1].number, 2);
		CHECK_INT(p->parts[0].doubt, CG_DOUBT_NONE);
		CHECK_U64(p->total[0], 675);
		CHECK_U64(p->parts[1].self[0], 670);
		CHECK_U64(self_of(p, "php::f", 0), 5);
		CHECK_U64(self_of(p, "{main}", 0), 70);
		CHECK_U64(p->redefined, 0);
		cg_profile_free(p);
	}
	/* The first was killed. */
	snprintf(text, sizeof text, "%s%s%s%s", HEAD, "fn=(1) f\n1 5 8\n", NEXT HEAD, second);
	struct cg_profile *p = profile_of(text);
	CHECK_U64(p->total[0], 675);
	CHECK_INT(p->parts[0].doubt, CG_DOUBT_SUMMARY);
	CHECK_INT(p->parts[1].doubt, CG_DOUBT_NONE);
	cg_profile_free(p);
	/* The shortest mark that there may be. */
	snprintf(text, sizeof text, "%s%s%s%s", HEAD, first, "==== NEW PROFILING FILE =\n" HEAD,
		 second);
	p = profile_of(text);
	CHECK_U64(p->nparts, 2);
	CHECK_U64(p->total[0], 675);
	cg_profile_free(p);
#undef HEAD
#undef NEXT
}

static void test_nothing_counted(void)
{
	static const char *const nothing[] = { "events: Ir\n", "events: Ir\nfn=f\n1 0\n" };
	for (size_t i = 0; i < 2; i++) {
		struct cg_profile *p = profile_of(nothing[i]);
		CHECK(cg_profile_counted_nothing(p));
		cg_profile_free(p);
	}
	/* What was allocated may have been freed again. */
	struct cg_profile *p = profile_of("events: mem\nfn=f\n1 5\nfn=g\n1 -5\n");
	CHECK(!cg_profile_counted_nothing(p));
	cg_profile_free(p);
}

static void test_truncated(void)
{
#define HEAD "creator: callgrind-3.19.0\nevents: Ir\nsummary: 11\nfn=f\n"
	refuses(HEAD "1 5\n2 ", 0, "truncated");
	refuses(HEAD "1 5\nfn=g\n2 -", 7,
		"the middle of this line: it is truncated: expected a cost");
	refuses(HEAD "1 5\ncfn=g\ncalls=1 2\n3 -", 8, "the middle of this line");
	refuses(HEAD "1 5\nto", 6, "the middle of this line");
	refuses(HEAD "1 5\n", 0, "without its `totals:` line: it is truncated");
	refuses(HEAD "1 5\ntotals: 5\nevents: Ir\nfn=f\n", 0, "truncated");
	refuses("creator: irdiff-0.1.0\nevents: Ir\nsummary: 11\nfn=f\n1 5\n", 0, "truncated");
	struct cg_profile *p = profile_of(HEAD "1 5\n2 6\ntotals: 11\n");
	CHECK_U64(p->total[0], 11);
	cg_profile_free(p);
	/* Old versions wrote no totals; all that the summary announces is there. */
	p = profile_of(HEAD "1 5\n2 6\n");
	CHECK_U64(p->total[0], 11);
	cg_profile_free(p);
#undef HEAD
}

static void test_not_a_profile(void)
{
	refuses("", 0, "empty");
	refuses("\n\n# nothing\n", 0, "no `events:` line");
	refuses("version: 1\n", 0, "not a callgrind or cachegrind file");
	static const char elf[] = "\177ELF\2\1\1\0\0\0";
	refuses_with(LINES(elf), &plain, CG_ESYNTAX, 1, "NUL byte");
	static const char nul[] = "events: Ir\nfn=a\0b\n1 1\n";
	refuses_with(LINES(nul), &plain, CG_ESYNTAX, 2, "NUL byte");
	static const char bytes[] = "\xff\xfe\x80 garbage \x01";
	refuses_with(LINES(bytes), &plain, CG_ESYNTAX, 1, "found \"??? garbage ?\"");
}

static void test_long_line(void)
{
	enum { MAX = 16 << 20 };
	static const char head[] = "events: Ir\nfn=", tail[] = "\n1 7\n";
	size_t size = MAX + 1000000;
	char *text = malloc(size);
	REQUIRE(text != NULL);

	/* A name of 1 MiB is allowed, a line above 16 MiB is not. */
	memset(text, 'x', size);
	memcpy(text, head, sizeof head - 1);
	memcpy(text + (1 << 20), tail, sizeof tail - 1);
	struct cg_profile *p = profile_with(text, (1 << 20) + sizeof tail - 1, &plain);
	CHECK_U64(p->total[0], 7);
	CHECK_U64(strlen(cg_string(p, p->functions[1].name)), (1 << 20) - (sizeof head - 1));
	cg_profile_free(p);

	memset(text, 'x', size);
	memcpy(text, head, sizeof head - 1);
	refuses_with(text, size, &plain, CG_ESYNTAX, 0, "longer than 16 MiB");
	free(text);
}

/* ---- lenient ---- */

static void test_lenient(void)
{
	static const char text[] = "events: Ir\n"
				   "fn=(1) f\n"
				   "1 5\n"
				   "garbage\n" /* 1 */
				   "2 x\n"     /* 2 */
				   "3 60\n"
				   "cfn=(9)\n"   /* 3: not defined … */
				   "calls=1 1\n" /* 4: … so it is not known what is called … */
				   "4 1000000\n" /* 5: … and this is not a self cost */
				   "cfn=(2) g\n"
				   "calls=zero 1\n" /* 6 */
				   "4 1000000\n"    /* 7 */
				   "calls=1 1\n"    /* 8: its cost is missing … */
				   "fn=(2)\n"       /* … but this line is good */
				   "5 700\n"
				   "fn=(77)\n" /* 9 */
				   "6 90000\n" /* of an unknown function, not of g */
				   "fn=(1)\n"
				   "7 8000\n"
				   "cfn=(2)\ncalls=3 1\n"; /* 10: cut off */
	struct cg_read_options lenient = { .lenient = true };
	struct cg_profile *p = profile_with(LINES(text), &lenient);

	CHECK_U64(self_of(p, "f", 0), 8065); /* 5 + 60 + 8000 */
	CHECK_U64(self_of(p, "g", 0), 700);
	CHECK_U64(self_of(p, "???", 0), 90000);
	CHECK_U64(p->total[0], 98765);
	CHECK_U64(p->ncalls - 1, 0);
	CHECK_U64(p->skipped, 10);
	cg_profile_free(p);

	/* What a callee is that nobody defined is not known, also after another one. */
	static const char undefined[] = "events: Ir\nfn=f\n1 5\ncfn=g\ncalls=1 1\n1 7\n"
					"cfn=(9)\ncalls=1 1\n1 1000\nfn=g\n1 7\n";
	p = profile_with(LINES(undefined), &lenient);
	CHECK_U64(calls_between(p, "f", "g", 0, NULL), 1);
	CHECK_U64(self_of(p, "f", 0), 5);
	CHECK_U64(p->skipped, 3);
	cg_profile_free(p);

	/* Of an unknown callee one line is the cost. */
	static const char unknown[] = "events: Ir\nfn=f\n1 5\ncfn=(9)\ncalls=1 1\n1 1000\n2 60\n";
	p = profile_with(LINES(unknown), &lenient);
	CHECK_U64(self_of(p, "f", 0), 65);
	cg_profile_free(p);

	/* What holds no profile at all is an error even so. */
	static const char nothing[] = "garbage\nmore\n";
	refuses_with(LINES(nothing), &lenient, CG_ESYNTAX, 0, "no `events:` line");
}

/* ---- what is kept ---- */

static const char levels[] = "creator: callgrind-3.19.0\n"
			     "positions: instr line\nevents: Ir\n"
			     "fl=a.c\n"
			     "fn=(1) f'main\n0x10 1 1\n0x14 1 20\n"
			     "fn=(2) f'2'f'main\n0x10 1 300\n"
			     "fn=(3) f'3'f'main\n0x10 1 4000\n"
			     "fn=(4) f'other\n0x10 1 50000\n"
			     "fn=(5) main\n0x20 2 600000\n"
			     "totals: 654321\n";

static struct cg_profile *levels_with(struct cg_detail detail)
{
	struct cg_read_options options = { .detail = detail };
	struct cg_profile *p = profile_with(levels, strlen(levels), &options);

	/* Whatever is folded, nothing is lost. */
	CHECK_U64(p->total[0], 654321);
	CHECK_U64(self_of(p, "f", 0), 54321);
	CHECK(p->has_levels);
	return p;
}

/* A call that is skipped leaves nothing to the next one. */
static void test_call_after_a_broken_one(void)
{
	static const char text[] = "events: Ir\nfn=f\ncfn=g\n# called 0 times\ncalls=x 1\n1 5\n"
				   "cfn=h\ncalls=2 1\n1 7\ncfn=i\n# called 0 times\n"
				   "calls=1 1\n1 9\n";
	struct cg_read_options lenient = { .lenient = true };
	struct cg_profile *p = profile_with(text, sizeof text - 1, &lenient);

	CHECK_U64(p->skipped, 2);
	CHECK_U64(calls_between(p, "f", "h", 0, NULL), 2);
	CHECK_U64(calls_between(p, "f", "i", 0, NULL), 0);
	cg_profile_free(p);
}

/* Where a jump is from is no line with costs. */
static void test_lines_of_jumps(void)
{
	static const char text[] = "events: Ir\nfn=f\n1 5\njump=1 2\n7\njcnd=1/2 3\n9\n";
	struct cg_read_options options = { .detail = { .lines = true } };

	for (int lenient = 0; lenient < 2; lenient++) {
		options.lenient = lenient;
		struct cg_profile *p = profile_with(text, sizeof text - 1, &options);
		CHECK_U64(p->nlines - 1, 1);
		CHECK_U64(p->lines[1].line, 1);
		cg_profile_free(p);
	}
}

static void test_detail(void)
{
	struct cg_profile *p = levels_with((struct cg_detail){ 0 });
	CHECK_U64(p->nrecords - 1, 4); /* f, f'2, f'3, main */
	CHECK_U64(p->nlines - 1, 0);
	cg_profile_free(p);

	p = levels_with((struct cg_detail){ .contexts = true });
	CHECK_U64(p->nrecords - 1, 5);
	CHECK_STR(callers_of(p, 1), "main");
	CHECK_STR(callers_of(p, 2), "f'main");
	CHECK_U64(p->records[3].level, 3);
	cg_profile_free(p);

	p = levels_with((struct cg_detail){ .max_level = 2 });
	CHECK_U64(p->nrecords - 1, 3); /* f, f'2, main */
	CHECK_U64(p->records[2].level, 2);
	CHECK_U64(p->record_self[2], 4300);
	cg_profile_free(p);

	p = levels_with((struct cg_detail){ .max_level = 1 });
	CHECK_U64(p->nrecords - 1, 2);
	cg_profile_free(p);

	p = levels_with((struct cg_detail){ .lines = true });
	CHECK_U64(p->nlines - 1, 4); /* line 1 of three records of f, line 2 of main */
	CHECK(!p->has_addresses);
	CHECK_U64(p->lines[1].address, 0);
	CHECK_U64(p->line_self[1], 50021);
	cg_profile_free(p);

	p = levels_with((struct cg_detail){ .addresses = true });
	CHECK(p->has_lines); /* implied */
	CHECK_U64(p->nlines - 1, 5);
	CHECK_U64(p->lines[2].address, 0x14);
	cg_profile_free(p);
}

/* Levels and contexts are Valgrind's (and irdiff's) way to write names. */
static void test_apostrophes_of_others(void)
{
	struct cg_profile *p = profile_of("creator: xdebug 3.1\nevents: Ir\nfn=it's'2\n1 5\n");
	CHECK_U64(self_of(p, "it's'2", 0), 5);
	CHECK(!p->has_levels);
	cg_profile_free(p);
}

/* Costs in front of the first fn= are of the same function as those of a name that is not known. */
static void test_unnamed_costs(void)
{
	struct cg_profile *p = profile_of("events: Ir\n1 5\nfn=???\n1 7\n");
	REQUIRE_U64(p->nrecords - 1, 1);
	CHECK_U64(p->records[1].level, 1);
	CHECK_U64(self_of(p, "???", 0), 12);
	cg_profile_free(p);
}

static void test_levels_by_option(void)
{
#define REST "events: Ir\nfn=f\n1 5\n"
	static const struct {
		const char *text;
		bool levels;
	} cases[] = {
		{ "desc: Option: --separate-recs=2\n" REST, true },
		{ "desc: Option: --separate-recs=10\n" REST, true },
		{ "desc: Option: --separate-recs=1\n" REST, false },
		{ "desc: Option: --separate-callers=3\n" REST, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cg_profile *p = profile_of(cases[i].text);
		CHECK_INT(p->has_levels, cases[i].levels);
		cg_profile_free(p);
	}
#undef REST
}

static void test_path_map(void)
{
	static const char text[] = "events: Ir\n"
				   "ob=/tmp/ws/bin/a\nfl=/tmp/ws\nfn=f\n1 1\n"
				   "ob=/tmp/wsx/a\nfl=/tmp/ws/src/a.c\nfn=g\n1 20\n"
				   "cob=/tmp/ws/bin/b\ncfi=/tmp/ws/b.c\ncfn=h\ncalls=1 1\n1 300\n";
	static const struct cg_path_map paths[] = { { "/tmp/ws", "/home/me" },
						    { "/tmp", "/wrong" } };
	struct cg_read_options options = { .paths = paths, .npaths = 1 };
	struct cg_profile *p = profile_with(LINES(text), &options);
	CHECK(function_at(p, "/home/me/bin/a", "/home/me", "f") != 0);
	CHECK(function_at(p, "/tmp/wsx/a", "/home/me/src/a.c", "g") != 0);
	CHECK(function_at(p, "/home/me/bin/b", "/home/me/b.c", "h") != 0);
	cg_profile_free(p);

	/* The first that fits counts. */
	options.npaths = 2;
	p = profile_with(LINES(text), &options);
	CHECK(function_at(p, "/wrong/wsx/a", "/home/me/src/a.c", "g") != 0);
	cg_profile_free(p);
}

/* Hostile, but small: must not take long. */
static void test_many_descs(void)
{
	enum { MANY = 100000 };
	size_t size = MANY * 24 + 100, used = 0;
	char *text = malloc(size);
	REQUIRE(text != NULL);

	for (int i = 0; i < MANY; i++)
		used += (size_t)snprintf(text + used, size - used, "desc: k%d: v\n", i);
	used += (size_t)snprintf(text + used, size - used, "desc: k7: v\nevents: Ir\nfn=f\n1 7\n");
	struct cg_profile *p = profile_with(text, used, &plain);
	CHECK_U64(p->ndescs, MANY); /* the repeated one is kept once */
	CHECK_STR(cg_desc_value(p, "k99999"), "v");
	cg_profile_free(p);
	free(text);
}

/* ---- the scanner ---- */

/* What the scanner takes off the reader means the same when the reader reads it,
 * which a lenient one does for every line. */
static void agrees(const char *text, size_t len, int64_t total)
{
	struct cg_read_options lenient = { .lenient = true };
	struct cg_profile *fast = profile_with(text, len, &plain);
	struct cg_profile *slow = profile_with(text, len, &lenient);

	CHECK_U64(slow->skipped, 0);
	CHECK_U64(fast->total[0], total);
	CHECK_U64(slow->total[0], total);
	CHECK_U64(fast->nrecords, slow->nrecords);
	CHECK_U64(fast->ncalls, slow->ncalls);
	cg_profile_free(fast);
	cg_profile_free(slow);
}

static void test_unusual_lines(void)
{
#define HEAD "events: Ir Dr\nfn=f\n"
	static const struct {
		const char *text;
		int64_t total;
	} cases[] = {
		{ HEAD "1 5 1\r\n+1\t6\n 2 7 \n*  8\n", 26 },
		{ HEAD "1 1234567\n1 12345678 1\n1 123456789012345\n1 1234567890123456\n",
		  1234567 + 12345678 + UINT64_C(123456789012345) + UINT64_C(1234567890123456) },
		{ HEAD "0x10 1\n+0xff 2\n4294967295 4\n", 7 },
		{ HEAD "cfn=g\ncalls=1 2\n# why\n\n2 100\n3 4\n", 4 },
		{ HEAD " cfn=g\n calls=1 2\n 2 100\n 3 4\n", 4 },
		{ HEAD "jcnd=1/2 3\n# why\n5\n6 7\njump=1 9\n*\n8 9\n", 16 },
		/* The first is not a cost but where the jump stands. */
		{ HEAD " jump=1 2\njcnd=1/2 3\n5\n6 7\n8 9\n", 16 },
		{ HEAD "1 5\nevents: Dr Ir\nfn=f\n1 6 7\n", 12 },
	};
#undef HEAD
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		agrees(cases[i].text, strlen(cases[i].text), cases[i].total);
}

/* Longer than the runs that are added up, than a window, and than all windows
 * that are scanned ahead. Jumps after a blank are left to the reader each time. */
static void test_many_lines(void)
{
	enum { LINES = 1000000 };
	char *text = NULL;
	size_t size;
	int64_t total = 0;
	FILE *f = open_memstream(&text, &size);
	REQUIRE(f != NULL);
	fputs("events: Ir\n", f);
	for (uint64_t i = 0; i < LINES; i++) {
		if (i % 5000 == 0)
			fprintf(f, "fn=(%" PRIu64 ") f%" PRIu64 "\n", i, i % 50000);
		if (i % 1000 == 0)
			fprintf(f, "cfn=(%" PRIu64 ")\ncalls=1 +3\n* 77\n jump=1 2\n5 \n",
				i - i % 5000);
		fprintf(f, "+%" PRIu64 " %" PRIu64 "\n", i % 3, i);
		total += i;
	}
	fclose(f);
	agrees(text, size, total);
	free(text);
}

TEST_MAIN("files that are read", { "parts", test_parts },
	  { "parts with other events", test_parts_with_other_events },
	  { "parts with swapped events", test_parts_with_swapped_events },
	  { "parts with other positions", test_parts_with_other_positions },
	  { "a part of a call", test_part_of_a_call },
	  { "a blank line in a call", test_blank_line_in_a_call },
	  { "several files", test_several_files }, { "no options", test_no_options },
	  { "words of the library", test_words }, { "line ends and comments", test_line_ends },
	  { "unknown headers and lines", test_unknown_headers }, { "cachegrind", test_cachegrind },
	  { "what Xdebug appended", test_appended_by_xdebug },
	  { "nothing counted", test_nothing_counted }, { "truncated files", test_truncated },
	  { "what is not a profile", test_not_a_profile }, { "long lines", test_long_line },
	  { "a lenient reader", test_lenient },
	  { "a call after a broken one", test_call_after_a_broken_one },
	  { "lines of jumps", test_lines_of_jumps }, { "detail is kept or folded", test_detail },
	  { "apostrophes of other producers", test_apostrophes_of_others },
	  { "unnamed costs", test_unnamed_costs }, { "levels by option", test_levels_by_option },
	  { "the path map", test_path_map }, { "many desc lines", test_many_descs },
	  { "lines in unusual forms", test_unusual_lines },
	  { "more lines than windows hold", test_many_lines })
