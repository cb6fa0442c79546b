#include "tests/unit/profiles.h"

#include "cgprofile/writer.h"

/* The profile as callgrind text; free() it. */
static char *written(const struct cg_profile *p, const struct cg_write_options *options)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	REQUIRE(to != NULL);
	REQUIRE_INT(cg_write_callgrind(p, options, to), CG_OK);
	fclose(to);
	return text;
}

static const struct cg_write_options as_it_is = { 0 };

/* Levels, contexts, inlined code, calls between objects, lines of other files,
 * several parts. */
static const char rich[] = "creator: callgrind-3.19.0\npid: 9\ncmd: ./a x\n"
			   "desc: I1 cache: 32768 B\ndesc: Option: --separate-recs=3\n"
			   "event: Dr : Data Read\npositions: instr line\nevents: Ir Dr\n"
			   "ob=(1) /bin/a\nfl=(1) a.c\n"
			   "fn=(1) main\n"
			   "0x10 1 1 2\n"
			   "fi=(2) in.h\ncfni=(9) helper\n0x14 70 20 0\ncfni=???\nfe=(1)\n"
			   "cob=(2) /lib/b.so\ncfi=(3) b.c\ncfn=(2) f'main\n"
			   "calls=3 0x90 9\n0x18 2 300 40\n"
			   "cfn=(4) lost\ncalls=1 0 0\n0x1c 3 5000\n"
			   "ob=(2)\nfl=(3)\nfn=(2)\n0x90 9 300 30\n"
			   "fn=(3) f'2'f'main\n0x90 9 0 10\n"
			   "totals: 321 42\n"
			   "desc: Trigger: Program termination\n"
			   "events: Dr Ir\n"
			   "ob=(7) /bin/a\nfl=(7) a.c\nfn=(1) main\n0x10 1 60 7000\n"
			   "ob=(8) ???\nfl=(8) ???\nfn=(8) 0x401000\n0x401000 0 0 80000\n"
			   "totals: 60 87000\n";

static struct cg_profile *again_with(const struct cg_profile *p, const struct cg_detail *detail)
{
	char *text = written(p, &as_it_is);
	struct cg_read_options options = { .detail = *detail };
	struct cg_profile *copy = profile_with(text, strlen(text), &options);
	free(text);
	return copy;
}

static void check_rich(const struct cg_profile *p)
{
	int64_t cost;

	/* Ir: 1 + 20 + 300 + 7000 + 80000; Dr: 2 + 30 + 10 + 60 */
	CHECK_U64(p->total[0], 87321);
	CHECK_U64(p->total[1], 102);
	CHECK_U64(p->nfunctions - 1, 5);
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "a.c", "main"), 0), 7001);
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "a.c", "main"), 1), 62);
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "in.h", "helper"), 0), 20);
	CHECK_U64(self_cost(p, function_at(p, "/lib/b.so", "b.c", "f"), 1), 40);
	CHECK_U64(self_cost(p, function_at(p, "", "", "0x401000"), 0), 80000);
	CHECK_U64(calls_between(p, "main", "f", 1, &cost), 3);
	CHECK_U64(cost, 40);
	CHECK_U64(calls_between(p, "main", "lost", 0, &cost), 1);
	CHECK_U64(cost, 5000);
	CHECK_U64(calls_between(p, "main", "helper", 0, &cost), 0);
	CHECK_U64(cost, 20);
	CHECK(p->has_levels);
	CHECK_STR(cg_string(p, p->events[1].long_name), "Data Read");
	CHECK_STR(cg_string(p, p->creator), "callgrind-3.19.0");
	CHECK_STR(cg_string(p, p->parts[0].command), "./a x");
	CHECK_U64(p->parts[0].pid, 9);
	CHECK_STR(cg_desc_value(p, "I1 cache"), "32768 B");
}

static void test_round_trip(void)
{
	struct cg_detail all = { .addresses = true, .contexts = true };
	struct cg_read_options options = { .detail = all };
	struct cg_profile *p = profile_with(rich, sizeof rich - 1, &options);
	struct cg_profile *copy = again_with(p, &all);

	check_rich(p);
	check_rich(copy);
	CHECK_U64(p->nparts, 2);
	CHECK_U64(copy->nparts, 1);
	/* main, helper, f'main, lost, f'2'f'main, 0x401000 */
	CHECK_U64(copy->nrecords - 1, 6);
	CHECK_U64(line_cost(copy, "a.c", 1, 0), 7001);
	CHECK_U64(line_cost(copy, "in.h", 70, 0), 20);
	CHECK_U64(line_cost(copy, "b.c", 9, 1), 40);
	CHECK_U64(copy->nlines, p->nlines);
	CHECK_U64(copy->ncalls, p->ncalls);
	bool address = false, context = false;
	for (uint32_t i = 1; i < copy->ncalls; i++)
		address |= cg_call_place(copy, i).address == 0x18 &&
			   cg_call_place(copy, i).line == 2;
	for (uint32_t r = 1; r < copy->nrecords; r++)
		context |= copy->records[r].level == 2 &&
			   strcmp(callers_of(copy, r), "f'main") == 0;
	CHECK(address);
	CHECK(context);
	cg_profile_free(copy);
	cg_profile_free(p);
}

static void test_every_detail(void)
{
	static const struct cg_detail details[] = {
		{ 0 },
		{ .lines = true },
		{ .contexts = true },
		{ .lines = true, .contexts = true, .max_level = 1 },
	};
	for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
		struct cg_read_options options = { .detail = details[i] };
		struct cg_profile *p = profile_with(rich, sizeof rich - 1, &options);
		struct cg_profile *copy = again_with(p, &details[i]);
		check_rich(copy);
		CHECK_U64(copy->nrecords, p->nrecords);
		CHECK_U64(copy->nlines, p->nlines);
		CHECK_U64(copy->ncalls, p->ncalls);
		cg_profile_free(copy);
		cg_profile_free(p);
	}
}

/* One model has one text, in whatever order it was read. */
static void test_order(void)
{
	struct cg_profile *p = whole_profile_of("events: Ir\n"
						"ob=x\nfl=a.c\nfn=f\n1 1\n2 20\n"
						"fn=g\n1 300\ncfn=f\ncalls=1 1\n2 1\n"
						"cob=y\ncfn=g\ncalls=2 1\n2 2\n");
	struct cg_profile *q = whole_profile_of("events: Ir\n"
						"ob=x\nfl=a.c\nfn=g\n"
						"cob=y\ncfn=g\ncalls=2 1\n2 2\n"
						"cfn=f\ncalls=1 1\n2 1\n"
						"1 300\n"
						"fn=f\n2 13\n1 1\n2 7\n");
	char *one = written(p, &as_it_is), *other = written(q, &as_it_is);
	CHECK_STR(one, other);

	/* And what was written is written again without a change. */
	struct cg_profile *copy = whole_profile_of(one);
	char *twice = written(copy, &as_it_is);
	CHECK_STR(twice, one);
	free(one);
	free(other);
	free(twice);
	cg_profile_free(p);
	cg_profile_free(q);
	cg_profile_free(copy);
}

static void test_odd_names(void)
{
	static const char *const names[] = {
		"(5)",          "(below main)", "a=b",       "fn=(3) x",  "with  blanks",
		"# no comment", "+3",           "*",         "17 4",      "\xff\xfe",
		"größe",        "a:b",          "totals: 5", "operator<", "'lambda'(int)::call",
	};
	enum { N = sizeof names / sizeof *names };
	char text[4000] = "events: Ir\n";
	size_t used = strlen(text);

	for (size_t i = 0; i < N; i++)
		used += (size_t)snprintf(text + used, sizeof text - used,
					 "ob=(%zu) %s\nfl=(%zu) %s\nfn=(%zu) %s\n1 %zu\n", i + 1,
					 names[i], i + 1, names[i], i + 1, names[i], i + 1);
	struct cg_detail none = { 0 };
	struct cg_profile *p = profile_of(text), *copy = again_with(p, &none);
	for (size_t i = 0; i < N; i++)
		test_report(self_cost(copy, function_at(copy, names[i], names[i], names[i]), 0) ==
				    (int64_t)i + 1,
			    false, __FILE__, __LINE__, "lost \"%s\"", names[i]);
	cg_profile_free(copy);
	cg_profile_free(p);
}

/* A caller that is named like a level is written after one. */
static void test_digits_in_context(void)
{
	struct cg_profile *p = whole_profile_of("creator: irdiff\nevents: Ir\nfn=f'1'2\n1 7\n"
						"totals: 7\n");
	struct cg_detail all = { .addresses = true, .contexts = true };
	struct cg_profile *copy = again_with(p, &all);

	REQUIRE_U64(copy->nrecords - 1, 1);
	CHECK_U64(copy->records[1].level, 1);
	CHECK_STR(callers_of(copy, 1), "2");
	cg_profile_free(copy);
	cg_profile_free(p);
}

/* A context may begin with a name that is a number. */
static void test_numbers_as_names(void)
{
	struct cg_profile *p = whole_profile_of("main;2;f 5\nmain;2;f;f 7\n");
	struct cg_profile *copy = again_with(p, &(struct cg_detail){ .contexts = true });
	bool first = false, second = false;
	for (uint32_t r = 1; r < copy->nrecords; r++) {
		const char *context = callers_of(copy, r);
		first |= copy->records[r].level == 1 && strcmp(context, "2'main") == 0;
		second |= copy->records[r].level == 2 && strcmp(context, "f'2'main") == 0;
	}
	CHECK(first);
	CHECK(second);
	CHECK_U64(copy->nrecords, p->nrecords);
	cg_profile_free(copy);
	cg_profile_free(p);
}

static void test_apostrophes(void)
{
	struct cg_profile *p = whole_profile_of("main;it's;f::'a'::g 5\nit's 7\n");
	struct cg_profile *copy = again_with(p, &(struct cg_detail){ .contexts = true });
	CHECK_U64(copy->nfunctions, p->nfunctions);
	CHECK_INT(self_of(copy, "it\xe2\x80\x99s", 0), 7);
	CHECK_INT(self_of(copy, "f::'a'::g", 0), 5);
	cg_profile_free(copy);
	cg_profile_free(p);

	/* Names of this producer are not taken apart. */
	p = profile_of("creator: xdebug 3\nevents: t\nfn=it's\n1 7\n");
	copy = again_with(p, &(struct cg_detail){ 0 });
	CHECK_INT(self_of(copy, "it's", 0), 7);
	cg_profile_free(copy);
	cg_profile_free(p);
}

static void test_options(void)
{
	static const char *const descs[][2] = { { "irdiff.env.cpu", "x86-64" },
						{ "Option", "--separate-recs=2" } };
	struct cg_write_options options = {
		.creator = "irdiff-9.9", .command = "make bench", .descs = descs, .ndescs = 2
	};
	struct cg_profile *p = profile_of("cmd: ./a\nevents: Ir\nfn=f\n1 7\nsummary: 7\n");
	char *text = written(p, &options);
	struct cg_profile *copy = profile_of(text);
	CHECK_STR(cg_string(copy, copy->creator), "irdiff-9.9");
	CHECK_STR(cg_string(copy, copy->parts[0].command), "make bench");
	CHECK_STR(cg_desc_value(copy, "irdiff.env.cpu"), "x86-64");
	CHECK(copy->has_levels);
	free(text);
	cg_profile_free(copy);
	cg_profile_free(p);
}

/* Neither the profile nor a value can state facts that are the caller's. */
static void test_forged(void)
{
	static const char *const descs[][2] = { { "irdiff.env.cpu", "x\ny: z\nfn=g" } };
	struct cg_write_options options = { .command = "./a\nevents: Dr",
					    .descs = descs,
					    .ndescs = 1 };
	struct cg_profile *p = profile_of("desc: irdiff.env.libc: another\ndesc: Other: kept\n"
					  "events: Ir\nfn=f\n1 7\n");
	char *text = written(p, &options);
	struct cg_profile *copy = profile_of(text);
	CHECK(cg_desc_value(copy, "irdiff.env.libc") == NULL);
	CHECK_STR(cg_desc_value(copy, "Other"), "kept");
	CHECK_STR(cg_desc_value(copy, "irdiff.env.cpu"), "x y: z fn=g");
	CHECK_STR(cg_string(copy, copy->parts[0].command), "./a events: Dr");
	free(text);
	cg_profile_free(copy);

	options = (struct cg_write_options){ 0 };
	text = written(p, &options);
	CHECK(strstr(text, "irdiff.env.libc: another") != NULL);
	free(text);
	cg_profile_free(p);
}

/* Other readers of the format: known tags only, each number defined before use. */
static void test_text(void)
{
	struct cg_profile *p = profile_of("creator: x\nevents: Ir Dr\nfl=a.c\nfn=f\n1 5\n"
					  "cfn=g\ncalls=2 1\n1 6 1\nfn=g\n1 6 1\n");
	char *text = written(p, &as_it_is);
	/* Functions are sorted by name; without lines, all costs stand at line 0. */
	CHECK_STR(text, "# callgrind format\nversion: 1\ncreator: x\npart: 1\n"
			"positions: line\nevents: Ir Dr\nsummary: 11 1\n\n"
			"\nob=(1) ???\nfl=(1) a.c\nfn=(1) f\n0 5\n"
			"cfi=(1)\ncfn=(2) g\ncalls=2 0 \n0 6 1\n"
			"\nfn=(2)\n0 6 1\n"
			"\ntotals: 11 1\n");
	free(text);
	cg_profile_free(p);
}

/* The summary is that of the parts if they have one, else what the records cost. */
static void summary_is(const char *profile, const char *expected)
{
	struct cg_profile *p = profile_of(profile);
	char *text = written(p, &as_it_is);
	const char *summary = strstr(text, "summary: ");
	CHECK(summary && strncmp(summary + 9, expected, strlen(expected)) == 0);
	free(text);
	cg_profile_free(p);
}

static void test_summary(void)
{
	summary_is("events: Ir Dr\nsummary: 9 2\nfn=f\n1 7 1\n", "9 2\n");
	summary_is("events: Ir\npart: 1\nsummary: 9\nfn=f\n1 7\npart: 2\nsummary: 6\nfn=f\n1 5\n",
		   "15\n");
	summary_is("events: Ir\npart: 1\nsummary: 9\nfn=f\n1 7\npart: 2\nfn=f\n1 5\n", "12\n");
	summary_is("events: Ir\npart: 1\nsummary: 9223372036854775807\nfn=f\n1 7\n"
		   "part: 2\nsummary: 1\nfn=f\n1 5\n",
		   "12\n");

	/* Of what irdiff measured it is what the file has. */
	struct cg_profile *p = profile_of("events: Ir\nsummary: 9\nfn=f\n1 7\n");
	char *text = written(p, &(struct cg_write_options){ .sums = true });
	CHECK(strstr(text, "summary: 7\n") && strstr(text, "totals: 7\n"));
	free(text);
	cg_profile_free(p);
}

/* Addresses that were asked for are not made up. */
static void test_no_addresses(void)
{
	struct cg_profile *p = whole_profile_of("events: Ir\nfn=f\n1 7\n");
	char *text = written(p, &as_it_is);
	CHECK(p->has_addresses);
	CHECK(strstr(text, "positions: line\n") != NULL);
	CHECK(strstr(text, "\n1 7\n") != NULL);
	free(text);
	cg_profile_free(p);
}

static void test_full_disk(void)
{
	struct cg_profile *p = profile_of("events: Ir\nfn=f\n1 7\n");
	FILE *to = fopen("/dev/full", "w");
	REQUIRE(to != NULL);
	setvbuf(to, NULL, _IONBF, 0);
	CHECK_INT(cg_write_callgrind(p, &as_it_is, to), CG_EIO);
	fclose(to);
	cg_profile_free(p);
}

static void test_no_options(void)
{
	struct cg_profile *p = whole_profile_of("events: Ir\nfn=f\n1 7\ntotals: 7\n");
	char *expected = written(p, &as_it_is), *text = written(p, NULL);
	CHECK_STR(text, expected);
	free(text);
	free(expected);
	cg_profile_free(p);
}

/* A chain of functions inlined into two contexts of one; the middle one costs nothing, but
 * others are inlined into it. */
static const char inlined[] =
	"creator: irdiff\nevents: Ir Dr\n"
	"ob=/bin/a\nfl=a.c\nfn=(1) f'main\n1 1\n"
	"fl=in.h\ninlined=(1)\nfn=(2) outer\n"
	"inlined=(2)\nfn=(3) inner\n# inlined calls: 4\n"
	"# inlined at: 3 3 4000\nfi=a.c\n# inlined at: 9 1 300 2\nfe=in.h\n7 300 5\n"
	"cob=/lib/b.so\ncfi=b.c\ncfn=(4) leaf'f'main\ncalls=2 9\n8 4000\n"
	"ob=/bin/a\nfl=a.c\nfn=(5) f'2'f'main\n1 1\n"
	"fl=in.h\ninlined=(5)\nfn=(6) outer\n5 20\n"
	"inlined=(6)\nfn=(7) inner\n7 50000\n"
	"ob=/lib/b.so\nfl=b.c\nfn=(4)\n9 4000\n"
	"totals: 54322 5\n";

static void check_same_records(const struct cg_profile *a, const struct cg_profile *b)
{
	REQUIRE_INT(a->nrecords, b->nrecords);
	REQUIRE_INT(a->ncalls, b->ncalls);
	CHECK_INT(a->nlines, b->nlines);
	for (uint32_t r = 1; r < a->nrecords; r++) {
		const struct cg_record *x = &a->records[r], *y = &b->records[r];
		CHECK_STR(cg_string(a, a->functions[x->function].name),
			  cg_string(b, b->functions[y->function].name));
		CHECK_STR(callers_of(a, r), callers_of(b, r));
		CHECK_U64(x->level, y->level);
		CHECK_U64(x->inlined_into, y->inlined_into);
	}
	CHECK(memcmp(a->record_self, b->record_self,
		     (size_t)a->nrecords * a->nevents * sizeof *a->record_self) == 0);
}

static void check_same_links(const struct cg_profile *a, const struct cg_profile *b)
{
	for (uint32_t i = 1; i < a->ncalls; i++) {
		bool found = false;
		for (uint32_t k = 1; k < b->ncalls; k++)
			found |= a->calls[i].caller == b->calls[k].caller &&
				 a->calls[i].callee == b->calls[k].callee &&
				 a->calls[i].count == b->calls[k].count &&
				 cg_call_place(a, i).line == cg_call_place(b, k).line &&
				 strcmp(cg_string(a, cg_call_place(a, i).file),
					cg_string(b, cg_call_place(b, k).file)) == 0 &&
				 memcmp(a->call_cost + (size_t)i * a->nevents,
					b->call_cost + (size_t)k * b->nevents,
					a->nevents * sizeof *a->call_cost) == 0;
		CHECK(found);
	}
}

static void test_keep_inlined(void)
{
	const struct cg_write_options keep = { .keep_inlined = true };
	struct cg_profile *first = whole_profile_of(inlined);
	char *text = written(first, &keep);
	struct cg_profile *p = whole_profile_of(text);
	char *again = written(p, &keep);
	struct cg_profile *copy = whole_profile_of(again);

	/* Written in its order, it is the same in the same places. */
	CHECK_STR(again, text);
	check_same_records(p, copy);
	check_same_links(p, copy);
	CHECK_INT(p->nrecords, first->nrecords);
	CHECK_INT(p->ncalls, first->ncalls);
	CHECK_INT(self_of(p, "inner", 0), 50300);
	CHECK_INT(self_of(p, "outer", 0), 20);
	int64_t cost;
	CHECK_U64(calls_between(p, "f", "outer", 0, &cost), 0);
	CHECK_INT(cost, 54320);
	/* Of the other inner one it is not known. Code that no line is known to call, and that was
	 * moved, is where most calls are. */
	CHECK_U64(calls_between(p, "outer", "inner", 1, &cost), 4);
	CHECK_INT(cost, 5);
	CHECK(strstr(text, "# inlined at: 3 3 4000 3\n") != NULL);
	CHECK(strstr(text, "# inlined at: 9 1 300 2\n") != NULL);
	/* Links are made anew from what costs, not written. */
	CHECK(strstr(text, "calls=0") == NULL);
	cg_profile_free(copy);
	free(again);
	cg_profile_free(p);
	free(text);
	cg_profile_free(first);
}

/* For other tools inlined code is what is called once: callgrind_annotate takes the cost of 0 calls
 * for self cost. */
static void test_inlined_as_calls(void)
{
	struct cg_profile *p = whole_profile_of(inlined);
	char *text = written(p, &as_it_is);

	CHECK(strstr(text, "inlined=") == NULL);
	CHECK(strstr(text, "calls=0") == NULL);
	CHECK(strstr(text, "\n# called 0 times\ncalls=1 0 \n0 4300 5\n") != NULL);

	struct cg_profile *copy = whole_profile_of(text);
	int64_t cost;
	CHECK_U64(calls_between(copy, "f", "outer", 0, &cost), 0);
	CHECK_INT(cost, 54320);
	CHECK_U64(calls_between(copy, "inner", "leaf", 0, &cost), 2);
	CHECK_INT(cost, 4000);
	cg_profile_free(copy);
	free(text);
	cg_profile_free(p);
}

TEST_MAIN("writer", { "what is written is read again", test_round_trip },
	  { "at every detail", test_every_detail }, { "one order", test_order },
	  { "odd names", test_odd_names }, { "digits in a context", test_digits_in_context },
	  { "numbers as names", test_numbers_as_names }, { "apostrophes", test_apostrophes },
	  { "options", test_options }, { "forged facts", test_forged }, { "the text", test_text },
	  { "the summary", test_summary }, { "no options", test_no_options },
	  { "no addresses", test_no_addresses }, { "a full disk", test_full_disk },
	  { "inlined code is kept", test_keep_inlined },
	  { "inlined code as calls", test_inlined_as_calls })
