#include "tests/unit/profiles.h"

#include "src/config/insights.h"
#include "src/diff/tree.h"
#include "src/insight/insight.h"

/* A rule of calls, with all figures that it can have. */
#define CALLS \
	"rules:\n" \
	"- id: alloc\n" \
	"  kind: calls\n" \
	"  title: More\n" \
	"  less: Less\n" \
	"  advice: Do.\n" \
	"  functions: ['^(new|malloc|free)$']\n" \
	"  through: ['^std::']\n" \
	"  share: 10%\n" \
	"  profile: '{least}{cost} {share}[, {calls} calls][ by {caller}][ {caller_calls}]'\n" \
	"  change: '{moved} {least}{delta}, {part}[: {base} > {head}]" \
	"[, calls {base_calls} > {head_calls}][ by {caller}][ {caller_base_calls} > " \
	"{caller_head_calls}]'\n"

static struct rule_book *book_of(const char *text)
{
	struct rule_book *book = NULL;
	struct cg_error err = { 0 };

	int status = rule_book_parse(text, strlen(text), "rules.yml", &book, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__,
		    "cannot read rules, line %" PRIu64 ": %s", err.line, err.message);
	return book;
}

/* "title: evidence", one per line. */
static void check_text(const struct insights *i, const char *expected, int line)
{
	char text[2000] = "";
	size_t used = 0;

	for (size_t n = 0; n < i->count && used < sizeof text; n++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %s", n ? "\n" : "",
					 i->items[n].title, i->items[n].evidence);
	test_report(strcmp(text, expected) == 0, false, __FILE__, line,
		    "the insights are \"%s\", not \"%s\"", text, expected);
}

static void says_of_one(const char *rules, const char *profile, const char *expected, int line)
{
	struct rule_book *book = book_of(rules);
	struct cg_profile *p = profile_of(profile);
	struct insights *i = NULL;
	struct cg_error err = { 0 };

	REQUIRE_INT(insights_of_profile(rule_book_rules(book), p, "Ir", false, &i, &err), CG_OK);
	check_text(i, expected, line);
	insights_free(i);
	cg_profile_free(p);
	rule_book_free(book);
}

/* What else is known of a difference. */
struct of_both {
	uint64_t threshold_ppb;
	char *changed_file; /* NULL: none */
	enum file_change change;
};

static void says_of_both(const char *rules, const char *base_text, const char *head_text,
			 struct of_both known, const char *expected, int line)
{
	struct rule_book *book = book_of(rules);
	struct cg_profile *base = profile_of(base_text), *head = profile_of(head_text);
	struct diff_options options = { .metric = "Ir",
					.threshold_ppb = known.threshold_ppb,
					.min_delta = 1 };
	struct environment_diff environment;
	struct diff *d = NULL;
	struct insights *i = NULL;
	struct cg_error err = { 0 };

	REQUIRE_INT(diff_make(base, head, &options, &d, &err), CG_OK);
	REQUIRE_INT(environment_compare(base, head, &environment), CG_OK);
	struct changed_file file = { known.changed_file, known.change, false, false };
	const struct insight_diff data = {
		.diff = d,
		.environment = &environment,
		.changed_files = { &file, known.changed_file != NULL, 1 },
	};
	REQUIRE_INT(insights_of_diff(rule_book_rules(book), &data, &i, &err), CG_OK);
	check_text(i, expected, line);
	insights_free(i);
	environment_diff_free(&environment);
	diff_free(d);
	cg_profile_free(base);
	cg_profile_free(head);
	rule_book_free(book);
}

#define SAYS_OF_ONE(rules, profile, expected) says_of_one(rules, profile, expected, __LINE__)
#define SAYS(rules, base, head, expected) \
	says_of_both(rules, base, head, (struct of_both){ 0 }, expected, __LINE__)

/* ---- what entering a group costs ---- */

/* new calls malloc: 5 calls of new and 2 of malloc enter the group. */
static const char nested[] = "events: Ir\n"
			     "fn=main\n1 100\n"
			     "cfn=f\ncalls=1 1\n1 500\n"
			     "fn=f\n1 50\n"
			     "cfn=new\ncalls=5 1\n1 300\n"
			     "cfn=malloc\ncalls=2 1\n1 150\n"
			     "fn=new\n1 100\n"
			     "cfn=malloc\ncalls=5 1\n1 200\n"
			     "fn=malloc\n1 350\n";

static void test_nested(void)
{
	SAYS_OF_ONE(CALLS, nested, "More: 450 75.0%, 7 calls by f 7");
}

/* helper is called by main and by malloc, and calls free itself: its calls of free may be
 * nested. */
static const char doubtful[] = "events: Ir\n"
			       "fn=main\n1 400\n"
			       "cfn=malloc\ncalls=3 1\n1 500\n"
			       "cfn=helper\ncalls=1 1\n1 100\n"
			       "fn=malloc\n1 300\n"
			       "cfn=helper\ncalls=2 1\n1 200\n"
			       "fn=helper\n1 90\n"
			       "cfn=free\ncalls=3 1\n1 210\n"
			       "fn=free\n1 210\n";

static void test_bounds(void)
{
	SAYS_OF_ONE(CALLS, doubtful, "More: at least 500 50.0%, 3 calls by main 3");
}

/* What reaches the group only from within it is part of it. */
static void test_inside(void)
{
	SAYS_OF_ONE(CALLS,
		    "events: Ir\n"
		    "fn=main\n1 100\n"
		    "cfn=malloc\ncalls=1 1\n1 100\n"
		    "fn=malloc\n1 10\n"
		    "cfn=grow\ncalls=1 1\n1 90\n"
		    "fn=grow\n1 30\n"
		    "cfn=free\ncalls=1 1\n1 60\n"
		    "fn=free\n1 60\n",
		    "More: 100 50.0%, 1 calls by main 1");
}

/* A function of the group that nobody calls. */
static void test_root(void)
{
#define CALLS_WORK "fn=main\n1 50\ncfn=work\ncalls=1 1\n1 50\nfn=work\n1 50\n"
	SAYS_OF_ONE(CALLS, "events: Ir\n" CALLS_WORK "fn=free\n1 100\n", "More: 100 50.0%");
	SAYS_OF_ONE(CALLS, "events: Ir\n" CALLS_WORK, "");
}

static void test_unnamed(void)
{
	SAYS_OF_ONE(CALLS,
		    "events: Ir\n"
		    "fn=0x1234\n1 100\n"
		    "cfn=malloc\ncalls=2 1\n1 100\n"
		    "fn=malloc\n1 100\n",
		    "More: 100 50.0%, 2 calls");
	/* Of five callers none asked for much. */
	SAYS_OF_ONE(CALLS,
		    "events: Ir\n"
		    "fn=a\n1 1\ncfn=malloc\ncalls=1 1\n1 20\n"
		    "fn=b\n1 1\ncfn=malloc\ncalls=1 1\n1 20\n"
		    "fn=c\n1 1\ncfn=malloc\ncalls=1 1\n1 20\n"
		    "fn=d\n1 1\ncfn=malloc\ncalls=1 1\n1 20\n"
		    "fn=e\n1 1\ncfn=malloc\ncalls=1 1\n1 20\n"
		    "fn=malloc\n1 100\n",
		    "More: 100 95.2%, 5 calls");
}

static void test_through(void)
{
	const char *one = "events: Ir\n"
			  "fn=main\n1 100\n"
			  "cfn=std::get\ncalls=1 1\n1 100\n"
			  "fn=std::get\n1 10\n"
			  "cfn=std::new\ncalls=1 1\n1 90\n"
			  "fn=std::new\n1 10\n"
			  "cfn=new\ncalls=8 1\n1 80\n"
			  "fn=new\n1 80\n";
	const char *two = "events: Ir\n"
			  "fn=main\n1 100\n"
			  "cfn=std::new\ncalls=1 1\n1 90\n"
			  "cfn=other\ncalls=1 1\n1 90\n"
			  "fn=other\n1 0\n"
			  "cfn=std::new\ncalls=1 1\n1 90\n"
			  "fn=std::new\n1 20\n"
			  "cfn=new\ncalls=8 1\n1 160\n"
			  "fn=new\n1 160\n";
	/* A circle of them has no end. */
	const char *circle = "events: Ir\n"
			     "fn=std::a\n1 10\n"
			     "cfn=std::b\ncalls=1 1\n1 90\n"
			     "fn=std::b\n1 10\n"
			     "cfn=std::a\ncalls=1 1\n1 50\n"
			     "cfn=new\ncalls=1 1\n1 80\n"
			     "fn=new\n1 80\n";

	SAYS_OF_ONE(CALLS, one, "More: 80 40.0%, 8 calls by main 8");
	SAYS_OF_ONE(CALLS, two, "More: 160 57.1%, 8 calls by std::new 8");
	SAYS_OF_ONE(CALLS, circle, "More: 80 80.0%, 1 calls by std::b 1");
}

#define SPENT(own, calls, cost) \
	"events: Ir\nfn=main\n1 " #own "\ncfn=malloc\ncalls=" #calls " 1\n1 " #cost \
	"\nfn=malloc\n1 " #cost "\n"

/* What is inlined into a function asks for its caller, and that may ask for more than all. */
static void test_alone(void)
{
#define ALONE \
	"rules:\n- id: a\n  kind: calls\n  title: More\n  advice: Do.\n  functions: ['^new$']\n" \
	"  through: ['^std::']\n  share: 10%\n" \
	"  change: '{delta}[ {caller} {caller_share}][ {caller} {caller_alone}]" \
	"[ {caller_base_calls} > {caller_head_calls}]'\n"
#define ASKED(m, g) \
	"events: Ir\nfn=(1) main\n1 1\n" \
	"inlined=(1)\nfn=(2) std::a\n1 1\ncfn=(9) new\ncalls=" #m " 1\n1 " #m "000\n" \
	"inlined=(1)\nfn=(3) std::b\n1 1\ncfn=(9)\ncalls=" #m " 1\n1 " #m "000\n" \
	"fn=(4) g\n1 1\ncfn=(9)\ncalls=" #g " 1\n1 " #g "000\nfn=(9)\n1 " #m "000\n1 " #m \
	"000\n1 " #g "000\n"
	SAYS(ALONE, ASKED(10, 200), ASKED(210, 200), "More: 400,000 main 100% 20 > 420");
	SAYS(ALONE, ASKED(10, 200), ASKED(210, 199), "More: 399,000 main all 20 > 420");
	SAYS(ALONE, ASKED(10, 200), ASKED(210, 100),
	     "More: 300,000 main grew by 400,000, while for others it fell by 100,000 20 > 420");
	SAYS(ALONE, ASKED(210, 100), ASKED(10, 200),
	     "More: 300,000 main fell by 400,000, while for others it grew by 100,000 420 > 20");
}

/* Where as many calls are said apart, a few more are neither. */
static void test_few_more(void)
{
#define FEW \
	"rules:\n- id: a\n  kind: calls\n  title: More\n  as_many: As many\n  advice: Do.\n" \
	"  functions: ['^malloc$']\n  share: 10%\n  calls: 100\n  change: '{delta}'\n"
	SAYS(FEW, SPENT(1000, 4000, 4000), SPENT(1000, 4099, 5000), "");
	SAYS(FEW, SPENT(1000, 4000, 4000), SPENT(1000, 3901, 3000), "");
	SAYS(FEW, SPENT(1000, 4000, 4000), SPENT(1000, 4100, 5000), "More: 1,000");
	SAYS(FEW, SPENT(1000, 4000, 4000), SPENT(1000, 4000, 5000), "As many: 1,000");
}

/* ---- thresholds ---- */

static void test_shares(void)
{
	SAYS_OF_ONE(CALLS, SPENT(900, 4, 100), "More: 100 10.0%, 4 calls by main 4");
	SAYS_OF_ONE(CALLS, SPENT(901, 4, 100), "");
	/* Of the difference of 1000. */
	SAYS(CALLS, SPENT(1000, 1, 100), SPENT(1900, 2, 200),
	     "More: grew 100, 10.0% of the change: 100 > 200, calls 1 > 2 by main 1 > 2");
	SAYS(CALLS, SPENT(1000, 1, 100), SPENT(1901, 2, 199), "");
	/* It got less, and that against the total. */
	SAYS(CALLS, SPENT(1000, 2, 200), SPENT(100, 1, 100),
	     "Less: fell 100, 10.0% of the change: 200 > 100, calls 2 > 1 by main 2 > 1");
	SAYS(CALLS, SPENT(1000, 2, 200), SPENT(1500, 1, 100),
	     "Less: fell 100, while the total grew: 200 > 100, calls 2 > 1 by main 2 > 1");
	SAYS(CALLS, SPENT(1000, 1, 100), SPENT(950, 2, 200),
	     "More: grew 100, more than the whole change: 100 > 200, calls 1 > 2 by main 1 > 2");
	/* Nothing changed; or less than what counts as a change. */
	SAYS(CALLS, SPENT(1000, 1, 100), SPENT(900, 2, 200), "");
	says_of_both(CALLS, SPENT(1000, 1, 100), SPENT(1000, 2, 200),
		     (struct of_both){ .threshold_ppb = RULE_WHOLE / 5 }, "", __LINE__);
}

/* Two bounds prove only what is between them. */
static void test_sure(void)
{
	const char *none = "events: Ir\nfn=main\n1 300\n"
			   "cfn=work\ncalls=1 1\n1 100\nfn=work\n1 100\n";

	SAYS(CALLS, none, doubtful, "More: grew at least 500, 83.3% of the change by main 0 > 3");
	SAYS(CALLS, SPENT(100, 9, 600), doubtful, "");
}

static void test_frequency(void)
{
	const char *rules =
		"rules:\n- {id: clock, kind: calls, title: T, advice: a,"
		" functions: [^now$], per_million: 100, calls: 3,"
		" change: '{moved} {calls}[: {base_calls} > {head_calls}], {per_million}'}\n";
#define READS(own, calls) \
	"events: Ir\nfn=main\n1 " #own "\ncfn=now\ncalls=" #calls " 1\n1 10\nfn=now\n1 10\n"
	SAYS(rules, READS(10, 1), READS(29990, 4), "T: grew 3: 1 > 4, 133");
	SAYS(rules, READS(10, 1), READS(30000, 4), "");   /* 99 in a million */
	SAYS(rules, READS(10, 1), READS(100, 3), "");     /* only 2 more */
	SAYS(rules, READS(10, 100), READS(100, 109), ""); /* of so many */
	SAYS(rules, READS(10, 100), READS(100, 112), "T: grew 12: 100 > 112, 1,018,181");
	SAYS(rules, READS(500, 40), READS(10, 5), "T: fell 35: 40 > 5, 250,000");
}

/* Functions are those that have an event, which is counted. The total need not change. */
static void test_event(void)
{
	const char *rules =
		"rules:\n"
		"- {id: e, kind: calls, title: E, advice: a, event: sysCount,"
		" per_million: 1, calls: 3,"
		" change: '{moved} {calls}[: {base_calls} > {head_calls}][ by {caller}]'}\n"
		"- {id: f, kind: calls, title: F, advice: a, functions: [^now$],"
		" unless: sysCount, per_million: 1, calls: 3, change: '{moved} {calls}'}\n";
#define ENTERS(events, own, kernel, calls) \
	"events: Ir" events "\nfn=main\n1 " #own "\ncfn=work\ncalls=1 1\n1 5\n" \
	"fn=work\n1 5\ncfn=now\ncalls=" #calls " 1\n1 0 " #kernel "\nfn=now\n1 0 " #kernel "\n"
	SAYS(rules, ENTERS(" sysCount", 1000, 1, 1), ENTERS(" sysCount", 1000, 9, 9),
	     "E: grew 8: 1 > 9 by work");
	SAYS(rules, ENTERS(" sysCount", 1000, 0, 1), ENTERS(" sysCount", 1000, 9, 9),
	     "E: grew 9: 0 > 9 by work");
	SAYS(rules, ENTERS(" sysCount", 1000, 0, 1), ENTERS(" sysCount", 1000, 0, 9), "");
	SAYS(rules, ENTERS(" Dw", 1000, 1, 1), ENTERS(" Dw", 2000, 9, 9), "F: grew 8");
	SAYS(rules, ENTERS(" Dw", 1000, 0, 1), ENTERS(" sysCount", 1000, 9, 9), "");
	/* However often a call has it, and if nobody called: as many as the total. */
	SAYS(rules, ENTERS(" sysCount", 1000, 1, 1) "fn=start\n1 5 4\n",
	     ENTERS(" sysCount", 1000, 30, 3) "fn=start\n1 5 5\n", "E: grew 30: 5 > 35 by work");
}

static void test_little(void)
{
	const char *rules = "rules:\n- {id: l, kind: little, title: T, advice: a,"
			    " functions: ['^prog:.*:main$', ^thread$], share: 10%,"
			    " profile: '{share}[ of {list} {caller_share}]',"
			    " change: 'head: {share}'}\n";
#define STARTED(start, main) \
	"events: Ir\nob=/lib/ld.so\nfn=start\n1 " #start \
	"\ncob=/x/prog\ncfn=main\ncalls=1 1\n1 " #main "\nob=/x/prog\nfn=main\n1 " #main "\n"
	SAYS_OF_ONE(rules, STARTED(900, 100), "T: 10.0% of ld.so 90.0%");
	SAYS_OF_ONE(rules, STARTED(899, 101), "");
	SAYS_OF_ONE(rules, STARTED(900, 100) "fn=thread\n1 100\n", "");
	/* Most of it in no object, or in one without a name: what is known is said. */
	SAYS_OF_ONE(rules,
		    "events: Ir\nfn=start\n1 900\ncob=/x/prog\ncfn=main\ncalls=1 1\n1 100\n"
		    "ob=/x/prog\nfn=main\n1 100\n",
		    "T: 10.0%");
	SAYS_OF_ONE(rules,
		    "events: Ir\nob=???\nfn=start\n1 900\ncob=/x/prog\ncfn=main\ncalls=1 1\n1 100\n"
		    "ob=/x/prog\nfn=main\n1 100\n",
		    "T: 10.0%");
	/* Without the function nobody knows. */
	SAYS_OF_ONE(rules, "events: Ir\nob=/lib/ld.so\nfn=start\n1 900\n", "");
	SAYS(rules, STARTED(10, 100), STARTED(990, 10), "T: head: 1.00%");
	SAYS(rules, STARTED(990, 10), STARTED(10, 100), "");
}

/* Without calls, main and malloc have only what they cost themselves, for whoever called them. */
static void test_without_calls(void)
{
	const char *rules = "rules:\n- {id: l, kind: little, title: T, advice: a,"
			    " functions: [^main$], share: 10%, profile: p, change: c}\n";
	const char *flat = "events: Ir\nfn=main\n1 10\nfn=malloc\n1 500\n";
	const char *more = "events: Ir\nfn=main\n1 10\nfn=malloc\n1 900\n";

	SAYS_OF_ONE(rules, flat, "");
	SAYS_OF_ONE(CALLS, flat, "");
	SAYS(rules, flat, more, "");
	SAYS(CALLS, flat, more, "");
	SAYS(CALLS, flat, SPENT(100, 9, 600), "");
	SAYS(CALLS, SPENT(100, 9, 600), flat, "");
}

/* ---- other evidence ---- */

static void test_growth(void)
{
	const char *rules =
		"rules:\n- {id: g, kind: growth, title: T, advice: a, event: Dw, than: Ir,"
		" share: 5%, times: 2, density: 40%,"
		" change: '{event} {change}, {than} {than_change}[ in {function} {delta}]'}\n";
#define EVENTS(ir, dw) "events: Ir Dw\nfn=main\n1 1000 100\nfn=copy\n1 " #ir " " #dw "\n"
	SAYS(rules, EVENTS(0, 0), EVENTS(25, 10), "T: Dw +10.0%, Ir +2.50% in copy 10");
	SAYS(rules, EVENTS(0, 0), EVENTS(10, 4), "");       /* 4 % */
	SAYS(rules, EVENTS(0, 0), EVENTS(26, 10), "");      /* not dense */
	SAYS(rules, EVENTS(0, 900), EVENTS(100, 1050), ""); /* 15 % and 10 % */
	SAYS(rules, EVENTS(0, 10), EVENTS(25, 0), "");
	SAYS(rules, EVENTS(500, 0), EVENTS(100, 10), "T: Dw +10.0%, Ir -26.7% in copy 10");
	SAYS(rules, "events: Ir\nfn=main\n1 100\n", "events: Ir\nfn=main\n1 100\n", "");
}

static void test_same_code(void)
{
	const char *rules = "rules:\n- {id: s, kind: same code, title: T, advice: a,"
			    " change: '{moved} by {delta}[: {list}]'}\n";
#define BUILD(id, command, cpu, ir) \
	"desc: irdiff.subject.build_id: " #id "\ndesc: irdiff.subject.object.libz: 7\n" \
	"desc: irdiff.subject.command: " #command "\ndesc: irdiff.env.libc: 9\n" \
	"desc: irdiff.env.cpu: " #cpu "\nevents: Ir\nfn=main\n1 " #ir "\n"
	SAYS(rules, BUILD(1, run, x, 100), BUILD(1, run, x, 120), "T: grew by 20");
	SAYS(rules, BUILD(1, run, x, 100), BUILD(1, run, y, 90),
	     "T: fell by 10: CPU features (x → y)");
	SAYS(rules, BUILD(1, run, x, 100), BUILD(2, run, x, 120), "");
	SAYS(rules, BUILD(1, run, x, 100), BUILD(1, walk, x, 120), "");
	SAYS(rules, BUILD(1, run, x, 100), BUILD(1, run, x, 100), "");
	/* One more library, and nothing known. */
	SAYS(rules, BUILD(1, run, x, 100),
	     "desc: irdiff.subject.object.liba: 1\n" BUILD(1, run, x, 120), "");
	SAYS(rules, "events: Ir\nfn=main\n1 100\n", "events: Ir\nfn=main\n1 120\n", "");
}

/* The function that was edited is named already. */
static void test_edited_script(void)
{
	static const char rules[] = "rules:\n- {id: s, kind: same code, title: T, advice: a,"
				    " change: '{moved} by {delta}[ in {files}]'}\n";
	static const struct {
		const char *function, *path;
		char *changed;
		enum file_change change;
		const char *said;
	} cases[] = {
		{ "py::scan", "/p/lib/scan.py", "lib/scan.py", FILE_EDITED, "" },
		{ "JS:scan", "scan.js", "scan.js", FILE_EDITED, "" },
		{ "py::scan", "/p/lib/scan.py", "data.txt", FILE_EDITED,
		  "T: grew by 20 in data.txt" },
		{ "py::scan", "/p/lib/scan.py", "data.txt", FILE_NEW,
		  "T: grew by 20 in data.txt (new file)" },
		{ "py::scan", "/p/lib/scan.py", "data.txt", FILE_REMOVED,
		  "T: grew by 20 in data.txt (removed)" },
		{ "py::scan", "/p/lib/xscan.py", "scan.py", FILE_EDITED,
		  "T: grew by 20 in scan.py" },
		{ "scan", "/p/lib/scan.py", "lib/scan.py", FILE_EDITED,
		  "T: grew by 20 in lib/scan.py" },
		{ "py::scan", "/p/lib/scan.py", NULL, FILE_EDITED, "T: grew by 20" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static const char profile[] = "desc: irdiff.subject.build_id: 1\n"
					      "desc: irdiff.subject.command: run\n"
					      "desc: irdiff.env.libc: 9\n"
					      "events: Ir\nfl=%s\nfn=%s\n1 %d\n";
		char base[300], head[300];
		snprintf(base, sizeof base, profile, cases[i].path, cases[i].function, 100);
		snprintf(head, sizeof head, profile, cases[i].path, cases[i].function, 120);
		says_of_both(rules, base, head,
			     (struct of_both){ .changed_file = cases[i].changed,
					       .change = cases[i].change },
			     cases[i].said, __LINE__);
	}
}

static void test_other_build(void)
{
	const char *rules = "rules:\n- {id: b, kind: other build, title: T, advice: a,"
			    " change: '{moved} by {delta}: {list}'}\n";
#define BUILT(with, ir) "desc: irdiff.subject.built: " with "\nevents: Ir\nfn=main\n1 " #ir "\n"
	SAYS(rules, BUILT("GNU C17 12.2 -g -O2", 100), BUILT("GNU C17 12.2 -g -O1", 120),
	     "T: grew by 20: GNU C17 12.2 -O2 → GNU C17 12.2 -O1");
	SAYS(rules, BUILT("GNU C17 12.2 -O2", 100), BUILT("GNU C17 13.1 -O2", 90),
	     "T: fell by 10: GNU C17 12.2 → GNU C17 13.1");
	SAYS(rules, "desc: irdiff.subject.built.libx.so: a\n" BUILT("b", 100),
	     "desc: irdiff.subject.built.libx.so: c\n" BUILT("b", 90),
	     "T: fell by 10: libx.so: a → c");
	SAYS(rules, BUILT("GNU C17 12.2 -O2", 100), BUILT("GNU C17 12.2 -O1", 100), "");
	SAYS(rules, BUILT("GNU C17 12.2 -O2", 100), BUILT("GNU C17 12.2 -O2", 120), "");
	/* Without debug information nothing is known. */
	SAYS(rules, BUILT("GNU C17 12.2 -O2", 100), "events: Ir\nfn=main\n1 120\n", "");
}

static void test_variants(void)
{
	const char *rules = "rules:\n- {id: v, kind: variants, title: T, advice: a, share: 10%,"
			    " objects: ^libc, variants: [avx2, sse2],"
			    " change: '{moved} {delta}, {part}: {list}'}\n";
#define VARIANT(object, name, ir) "events: Ir\nob=" #object "\nfn=" #name "\n1 " #ir "\n"
	SAYS(rules, VARIANT(libc.so, __strlen_avx2, 100),
	     VARIANT(libc.so, __strlen_sse2_unaligned, 150),
	     "T: grew 50, 100% of the change: __strlen_avx2 → __strlen_sse2_unaligned");
	SAYS(rules, VARIANT(libc.so, __strlen_avx2, 100), VARIANT(libc.so, __memcpy_sse2, 150), "");
	SAYS(rules, VARIANT(libx.so, __strlen_avx2, 100), VARIANT(libx.so, __strlen_sse2, 150), "");
	SAYS(rules, VARIANT(libc.so, __strlen_avx2, 100), VARIANT(libc.so, __strlen_avx2, 150), "");
	SAYS(rules, VARIANT(libc.so, strlen_avx2x, 100), VARIANT(libc.so, strlen_sse, 150), "");
}

/* ---- rules ---- */

static void refuses(const char *text, uint64_t line, const char *message)
{
	struct rule_book *book = NULL;
	struct cg_error err = { 0 };

	CHECK_INT(rule_book_parse(text, strlen(text), "r.yml", &book, &err), CG_ESYNTAX);
	CHECK_U64(err.line, line);
	CHECK_STR(err.file, "r.yml");
	CHECK_STR(err.message, message);
}

static void test_refused(void)
{
	refuses("rules:\n- {id: x, title: t, kind: call}\n", 2,
		"'kind': expected calls, little, growth, depth, same code, other build, variants, other code or lost vectors, found 'call'");
	refuses("rules:\n- {id: x, title: t, kind: calls}\n", 2, "missing key 'advice'");
	refuses("rules:\n- {id: x, title: t, kind: calls, advice: a, change: c}\n", 2,
		"missing key 'functions'");
	refuses("rules:\n- {id: x, title: t, kind: depth, advice: a, change: c}\n", 2,
		"missing key 'share'");
	refuses("rules:\n- change: 'a {nothing}'\n", 2, "'change': unknown figure {nothing}");
	refuses("rules:\n- change: 'a [b [c]]'\n", 2, "'change': unbalanced brackets");
	refuses("rules:\n- change: 'a ]'\n", 2, "'change': unbalanced brackets");
	refuses("rules:\n- share: 120%\n", 2, "'share': expected at most 100%, found '120%'");
	refuses("rules:\n- id: A b\n", 2,
		"'id': expected a name of lower-case letters, digits and '-', found 'A b'");
	refuses("rules:\n- &r {id: x, title: t, kind: same code, advice: a, change: c}\n- *r\n", 3,
		"duplicate id, first used in line 2");
	refuses("- x\n", 1, "expected 'rules:' and a list");
}

static void test_regex(void)
{
	struct rule_book *book = book_of("rules:\n- {id: x, kind: calls, title: t, advice: a,"
					 " functions: ['('], share: 1%, profile: p}\n");
	struct cg_profile *p = profile_of(nested);
	struct insights *i = NULL;
	struct cg_error err = { 0 };

	CHECK_INT(insights_of_profile(rule_book_rules(book), p, "Ir", false, &i, &err), CG_EINVAL);
	CHECK_STR(err.file, "rules.yml");
	CHECK_U64(err.line, 2);
	CHECK(i == NULL);
	CHECK_INT(insights_of_profile(rule_book_rules(book), p, "Dw", false, &i, &err), CG_EINVAL);
	cg_profile_free(p);
	rule_book_free(book);
}

static void test_none(void)
{
	SAYS_OF_ONE("", nested, "");
	SAYS_OF_ONE("# nothing\n", nested, "");
}

/* irdiff's own rules are rules, and their regexes regexes. */
static void test_builtin(void)
{
	struct rule_book *book = NULL;
	struct cg_profile *p = profile_of(nested);
	struct insights *i = NULL;
	struct cg_error err = { 0 };

	REQUIRE_INT(rule_book_builtin(&book, &err), CG_OK);
	CHECK(rule_book_rules(book)->count >= 7);
	CHECK_INT(insights_of_profile(rule_book_rules(book), p, "Ir", false, &i, &err), CG_OK);
	insights_free(i);
	cg_profile_free(p);
	rule_book_free(book);
}

/* A file that contradicts itself proves nothing. */
static void test_contradiction(void)
{
	SAYS_OF_ONE(CALLS,
		    "events: Ir\nfn=main\n1 10\ncfn=malloc\ncalls=2 1\n1 450\nfn=malloc\n1 4\n",
		    "");
}

/* Figures are safe to print, also the name of an event. */
static void test_event_name(void)
{
	struct cg_profile *p = profile_of(
		"events: \033[31m\nfn=main\n1 10\ncfn=malloc\ncalls=2 1\n1 90\n"
		"fn=malloc\n1 90\n");
	struct rule_book *named = book_of(
		"rules:\n- id: a\n  kind: calls\n  title: T\n  advice: A\n"
		"  functions: [malloc]\n  share: 1%\n  profile: '{metric}'\n");
	struct insights *i = NULL;

	REQUIRE_INT(insights_of_profile(rule_book_rules(named), p, "\033[31m", false, &i, NULL),
		    CG_OK);
	check_text(i, "T: \\x1b[31m", __LINE__);
	insights_free(i);
	cg_profile_free(p);
	rule_book_free(named);
}

TEST_MAIN("insight", { "calls within the group", test_nested },
	  { "calls that may be nested", test_bounds }, { "reached from within only", test_inside },
	  { "not called", test_root }, { "through others", test_through },
	  { "one alone", test_alone }, { "few more calls", test_few_more },
	  { "nobody in particular", test_unnamed }, { "shares", test_shares },
	  { "what is sure", test_sure }, { "numbers of calls", test_frequency },
	  { "functions with an event", test_event }, { "little is measured", test_little },
	  { "profiles without calls", test_without_calls }, { "growth", test_growth },
	  { "the same code", test_same_code }, { "an edited script", test_edited_script },
	  { "another build", test_other_build }, { "variants", test_variants },
	  { "calls above the total", test_contradiction }, { "names of events", test_event_name },
	  { "no rules", test_refused }, { "bad patterns", test_regex },
	  { "nothing to say", test_none }, { "irdiff's own rules", test_builtin })
