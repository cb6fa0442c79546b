#include "src/run/harness.h"

#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/freeze.h"
#include "src/run/harness_results.h"

#define CLOCK "clock_gettime*"            /* with its version: clock_gettime@@GLIBC_2.17 */
#define CLOCK_END "irdiff_clock_was_read" /* where the time is frozen (freeze/time.c) */

#define CATCH2 \
	"--reporter=xml", "--benchmark-samples=1", "--benchmark-no-analysis", \
		"--benchmark-warmup-time=0", "--order=decl", "--rng-seed=1"
/* Read in another place than before (freeze/steady_clock.c). */
#define CLOCK_ROUNDS "IRDIFF_CLOCK=rounds"
#define ROUND_BEGIN "irdiff_steady_clock_was_read"
#define ROUND_END "irdiff_steady_clock_is_read"

static const struct harness harnesses[] = {
	{
		.kind = RUN_CASES_CRITERION,
		.title = "criterion",
		.freeze = FREEZE_RANDOM | FREEZE_TIME,
		.list = { "--bench", "--list" },
		.lines = HARNESS_TERSE,
		.run = { "--bench", "--test", "--exact", "%" },
		/* Callgrind misses matches of several patterns that begin alike. */
		.roots = { "criterion::bencher::Bencher*::iter*",
			   "<criterion::bencher::Bencher*>::iter*" },
		.begins = { CLOCK_END },
		.ends = { CLOCK },
		/* when iter begins, before and after the iteration, when iter ends */
		.reads = 4,
		.last_read = 3,
	},
	{
		.kind = RUN_CASES_DIVAN,
		.title = "divan",
		.freeze = FREEZE_RANDOM | FREEZE_TIME,
		/* Without it divan knows no --format=terse. */
		.variables = { "NEXTEST=1" },
		.list = { "--list", "--format", "terse" },
		.lines = HARNESS_TERSE,
		.run = { "--test", "--exact", "%" },
		/* called before a sample and after it, even if there is only one thread */
		.begins = { "divan::benchmark::BenchContext::sample_recorder*::sync_impl" },
		.ends = { "divan::benchmark::BenchContext::sample_recorder*::sync_impl" },
	},
	{
		.kind = RUN_CASES_LIBTEST,
		.title = "libtest",
		.freeze = FREEZE_RANDOM | FREEZE_TIME,
		.list = { "--bench", "--list" },
		.lines = HARNESS_TERSE,
		.run = { "--test-threads=1", "--exact", "%" },
		/* Bencher::iter is inlined into the closure that calls the benchmark's function. */
		.roots = { "<*FnOnce<(&mut test::bench::Bencher,)>>::call_once*" },
		.begins = { CLOCK_END },
		.ends = { CLOCK },
		/* before and after the iteration, and by the test runner later, whose read ends
		 * the part in which the root returned */
		.reads = 3,
		.last_read = 2,
		.own_threads = 1,
	},
	{
		.kind = RUN_CASES_GOOGLE_BENCHMARK,
		.title = "google-benchmark",
		.freeze = FREEZE_RANDOM | FREEZE_TIME,
		.list = { "--benchmark_list_tests=true" },
		.lines = HARNESS_NAMES,
		.run = { "--benchmark_filter=^%$", "--benchmark_min_time=0" },
		.keeps_arguments = true,
		.begins = { "benchmark::State::StartKeepRunning()",
			    "benchmark::State::ResumeTiming()" },
		.ends = { "benchmark::State::FinishKeepRunning()",
			  "benchmark::State::PauseTiming()" },
		.threads = true,
	},
	{
		.kind = RUN_CASES_GO,
		.title = "go",
		.variables = { "GOMAXPROCS=1" },
		.defaults = { "-test.bench=." },
		.list = { "-test.run=^$", "-test.benchtime=1x" },
		.lines = HARNESS_RESULTS,
		.run = { "-test.run=^$", "-test.benchtime=1x", "-test.bench=^%$" },
		.keeps_arguments = true,
		.begins = { "testing.(*B).StartTimer", "testing.(*B).ResetTimer" },
		.ends = { "testing.(*B).StopTimer" },
	},
	{
		.kind = RUN_CASES_GUNGRAUN,
		.title = "gungraun",
		.freeze = FREEZE_RANDOM,
		/* If a runner starts that was built into the program, it only lists, too. */
		.list = { "--bench", "--list" },
		.lines = HARNESS_RUNNER,
	},
	{
		.kind = RUN_CASES_CATCH2,
		.title = "catch2",
		.freeze = FREEZE_RANDOM | FREEZE_TIME,
		.variables = { CLOCK_ROUNDS },
		.list = { CATCH2 },
		.lines = HARNESS_XML,
		.run = { CATCH2 },
		.keeps_arguments = true,
		.begins = { ROUND_BEGIN },
		.ends = { ROUND_END },
		.rounds = { "Catch::Benchmark::Detail::BenchmarkFunction::model<*" },
		.done = { "Catch::XmlReporter::benchmarkEnded(*" },
	},
	{
		.kind = RUN_CASES_NANOBENCH,
		.title = "nanobench",
		.freeze = FREEZE_RANDOM | FREEZE_TIME,
		.variables = { CLOCK_ROUNDS },
		.lines = HARNESS_TABLE,
		.keeps_arguments = true,
		.begins = { ROUND_BEGIN },
		.ends = { ROUND_END },
		/* IterationLogic::add may be inlined, and calls the other one; the last one is
		 * called when the constructor has measured the clock. */
		.rounds = { "ankerl::nanobench::detail::IterationLogic::*add(*",
			    "ankerl::nanobench::detail::performanceCounters()" },
		.done = { "ankerl::nanobench::detail::IterationLogic::~IterationLogic()" },
	},
};

const struct harness *harness_of(enum run_cases kind)
{
	for (size_t i = 0; i < sizeof harnesses / sizeof *harnesses; i++)
		if (harnesses[i].kind == kind)
			return &harnesses[i];
	return NULL;
}

/* ---- which cases there are ---- */

/* The length of the name in a line; 0: it has no name. */
static size_t listed_name(enum harness_list lines, const char *line, size_t len)
{
	static const char *const ends[] = { ": benchmark", ": bench" };
	size_t word = 0;

	switch (lines) {
	case HARNESS_TERSE:
		for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
			size_t end = strlen(ends[i]);
			if (len > end && !memcmp(line + len - end, ends[i], end))
				return len - end;
		}
		return 0;
	case HARNESS_NAMES:
		return len;
	case HARNESS_RUNNER:
		return 0;
	case HARNESS_RESULTS:
		while (word < len && !isspace((unsigned char)line[word]))
			word++;
		for (len = word; isspace((unsigned char)line[len]) && line[len] != '\n';)
			len++;
		return strncmp(line, "Benchmark", 9) == 0 && len > word &&
				       isdigit((unsigned char)line[len])
			       ? word
			       : 0;
	case HARNESS_XML:
	case HARNESS_TABLE:
		break; /* read as a whole */
	}
	return 0;
}

bool harness_is_name(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)name[i] < ' ' || name[i] == 127)
			return false;
	return len > 0;
}

int harness_fail_too_many(struct cg_error *err)
{
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "the benchmark has more than %d cases; give its command a filter",
		       HARNESS_CASES_MAX);
}

static bool is_listed(const struct strings *names, const char *name, size_t len)
{
	for (size_t i = 0; i < names->count; i++)
		if (strlen(names->items[i]) == len && !memcmp(names->items[i], name, len))
			return true;
	return false;
}

int harness_read_list(const struct harness *h, const char *text, struct strings *names,
		      struct cg_error *err)
{
	size_t listed = 0;
	int status = CG_OK;

	if (h->lines == HARNESS_XML)
		return harness_read_xml(text, names, err);
	if (h->lines == HARNESS_TABLE)
		return harness_read_table(text, names, err);
	while (!status && *text) {
		size_t len = strcspn(text, "\n");
		size_t name = listed_name(h->lines, text, len);
		const bool is_case = harness_is_name(text, name) && name <= INT_MAX;
		listed += is_case;
		if (is_case && !is_listed(names, text, name))
			status = strings_addf(names, err, "%.*s", (int)name, text);
		text += len + (text[len] == '\n');
		if (!status && listed > HARNESS_CASES_MAX)
			status = harness_fail_too_many(err);
	}
	return status;
}

/* ---- how one is run ---- */

bool harness_runs_together(const struct harness *h)
{
	return h->done[0] != NULL;
}

/* A regular expression that matches only this name. Go matches each part between slashes by one of
 * its own. */
static char *exact_pattern(const char *name, bool each_part)
{
	char *pattern = malloc(3 * strlen(name) + 3), *p = pattern;

	if (!pattern)
		return NULL;
	*p++ = '^';
	for (; *name; name++) {
		const bool between = each_part && *name == '/';
		if (between)
			*p++ = '$';
		else if (strchr("\\.+*?()|[{^$", *name)) /* std::regex refuses \] and \} */
			*p++ = '\\';
		*p++ = *name;
		if (between)
			*p++ = '^';
	}
	*p++ = '$';
	*p = '\0';
	return pattern;
}

static int add_pattern(const struct harness *h, const char *word, size_t before, const char *name,
		       struct strings *arguments, struct cg_error *err)
{
	char *pattern = exact_pattern(name, h->kind == RUN_CASES_GO);
	int status = pattern ? strings_addf(arguments, err, "%.*s%s", (int)before, word, pattern)
			     : cg_fail_nomem(err);

	free(pattern);
	return status;
}

int harness_add_run(const struct harness *h, const char *name, struct strings *arguments,
		    struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && h->run[i]; i++) {
		const char *word = h->run[i], *pattern = strstr(word, "^%$");
		if (strcmp(word, "%") == 0)
			status = strings_add(arguments, name, err);
		else if (pattern)
			status = add_pattern(h, word, (size_t)(pattern - word), name, arguments,
					     err);
		else
			status = strings_add(arguments, word, err);
	}
	return status;
}

static int add_options(const char *option, const char *const *functions, struct strings *arguments,
		       struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && functions[i]; i++)
		status = strings_addf(arguments, err, "%s=%s", option, functions[i]);
	return status;
}

/* Callgrind heeds only one of --dump-before and --dump-after for a function. */
static bool has_same_marks(const struct harness *h)
{
	return h->begins[0] && strcmp(h->begins[0], h->ends[0]) == 0;
}

int harness_add_marks(const struct harness *h, struct strings *arguments, struct cg_error *err)
{
	int status = add_options("--toggle-collect", h->roots, arguments, err);

	if (!status && !has_same_marks(h))
		status = add_options("--dump-after", h->begins, arguments, err);
	if (!status)
		status = add_options("--dump-before", h->ends, arguments, err);
	if (!status)
		status = add_options("--dump-before", h->rounds, arguments, err);
	return status ? status : add_options("--dump-before", h->done, arguments, err);
}

/* ---- what counts ---- */

/* Whether a part was written because of one of these functions. */
static bool is_caused_by(const struct run_profile *part, const char *option,
			 const char *const *functions)
{
	const char *function = text_after(part->trigger, option);

	if (!function)
		return false;
	for (size_t i = 0; functions[i]; i++)
		if (fnmatch(functions[i], function, FNM_NOESCAPE) == 0)
			return true;
	return false;
}

static bool ends_part(const struct harness *h, const struct run_profile *part)
{
	return is_caused_by(part, "--dump-before=", h->ends);
}

/* By the first function that begins it, and the first that ends it: how many threads are between
 * them after this part, if `before` were before it. */
static unsigned threads_after(const struct harness *h, const struct run_profile *part,
			      unsigned before)
{
	const char *const first[] = { h->begins[0], NULL }, *const last[] = { h->ends[0], NULL };

	if (is_caused_by(part, "--dump-after=", first))
		return before + 1;
	return before - (before && is_caused_by(part, "--dump-before=", last));
}

/* What threads do that run a case at the same time: all until the last one ends. False if they do
 * not. */
static bool choose_threads(const struct harness *h, const struct run_profile *parts, size_t count,
			   bool *chosen, size_t *n)
{
	unsigned threads = 0, most = 0;

	*n = 0;
	for (size_t i = 0; i < count; i++) {
		chosen[i] = threads > 0;
		*n += chosen[i];
		threads = threads_after(h, &parts[i], threads);
		most = threads > most ? threads : most;
	}
	if (most <= 1)
		*n = 0;
	return most > 1;
}

/* By functions that begin and end it. Parts that end for another reason belong to it, too. */
static size_t choose_by_marks(const struct harness *h, const struct run_profile *parts,
			      size_t count, bool *chosen)
{
	const bool same = has_same_marks(h);
	size_t first = count, n = 0; /* part of the case; count: it has not begun */

	if (h->threads && choose_threads(h, parts, count, chosen, &n))
		return n;
	for (size_t i = 0; i < count; i++) {
		chosen[i] = false;
		if (ends_part(h, &parts[i])) {
			const bool begins = same && first > i;
			for (; first <= i; first++, n++)
				chosen[first] = true;
			first = begins ? i + 1 : count;
		} else if (is_caused_by(&parts[i], "--dump-after=", h->begins)) {
			first = i + 1;
		}
	}
	return n;
}

/* By reads of the clock, of which only those below a root end a part that has counts. */
static size_t choose_by_reads(const struct harness *h, const struct run_profile *parts,
			      size_t count, bool *chosen)
{
	unsigned reads = 0, read = 0;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		reads += parts[i].collected && ends_part(h, &parts[i]);
	for (size_t i = 0; i < count; i++) {
		read += parts[i].collected && ends_part(h, &parts[i]);
		chosen[i] = parts[i].collected && (reads != h->reads || (read == h->last_read &&
									 ends_part(h, &parts[i])));
		n += chosen[i];
	}
	return n;
}

/* All that was counted. */
static size_t choose_counted(const struct run_profile *parts, size_t count, bool *chosen)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		chosen[i] = parts[i].collected > 0;
		n += chosen[i];
	}
	return n;
}

size_t harness_choose(const struct harness *h, const struct run_profile *parts, size_t count,
		      bool *chosen)
{
	if (!h->ends[0])
		return choose_counted(parts, count, chosen);
	return h->roots[0] ? choose_by_reads(h, parts, count, chosen)
			   : choose_by_marks(h, parts, count, chosen);
}

/* ---- several cases of one process ---- */

/* Parts from `first` to before `end`; none: both are the same. */
struct part_range {
	size_t first, end;
};

/* Puts the parts of a case's last round, if there is one, in it. */
static void number_parts(const struct part_range *last, size_t number, size_t *case_of)
{
	for (size_t i = last->first; i < last->end; i++)
		case_of[i] = number;
}

size_t harness_divide(const struct harness *h, const struct run_profile *parts, size_t count,
		      size_t *case_of)
{
	struct part_range round = { 0 }, last = { 0 };
	bool begun = false;
	size_t n = 0;

	memset(case_of, 0, count * sizeof *case_of);
	for (size_t i = 0; i < count; i++) {
		const bool ends = ends_part(h, &parts[i]);
		if (is_caused_by(&parts[i], "--dump-after=", h->begins) && !begun) {
			round = (struct part_range){ i + 1, i + 1 };
			begun = true;
		}
		if (begun && ends)
			round.end = i + 1;
		const bool done = is_caused_by(&parts[i], "--dump-before=", h->done);
		if (done || is_caused_by(&parts[i], "--dump-before=", h->rounds)) {
			if (round.end > round.first)
				last = round;
			round = (struct part_range){ 0 };
			begun = false;
		}
		if (done) {
			number_parts(&last, ++n, case_of);
			last = (struct part_range){ 0 };
		}
	}
	return n;
}
