/* Whether a program is a benchmark whose harness decides how often it repeats its code. */
#include <string.h>

#include "src/doctor/examine.h"
#include "src/run/image.h"

/* What a program has that was written with one: a part of the name of a function. */
static const struct {
	const char *part, *name, *cases;
} known[] = {
	{ "_ZN9benchmark5State", "Google Benchmark", "google-benchmark" },
	{ "_ZN6ankerl9nanobench", "nanobench", "nanobench" },
	{ "5Catch9Benchmark", "Catch2", "catch2" },
	{ "9criterion7bencher", "criterion", "criterion" },
	{ "5divan9benchmark", "divan", "divan" },
	{ "testing.(*B).StartTimer", "Go", "go" },
};

static void report_harness(struct examination *e, const char *name, const char *cases, bool command)
{
	findings_add(
		e->findings, "harness", FINDING_WARNING,
		"it is a benchmark of %s, which repeats its code until enough time has passed, "
		"so most of what is counted is its own",
		name);
	findings_remedy(e->findings,
			command ? "count only its cases: irdiff profile --cases=%s"
				: "count only its cases: set cases: %s for this "
				  "benchmark in irdiff.yml",
			cases);
}

static bool is_jmh(const struct examined_program *p)
{
	bool jar = false;

	for (size_t i = 1; p->argv[i]; i++)
		jar |= strstr(p->argv[i], "benchmarks.jar") || strstr(p->argv[i], "jmh");
	return jar;
}

void examine_harness(struct examination *e, const struct examined_program *p, const char *path)
{
	if (p->has_cases)
		return;
	if (is_jmh(p)) {
		findings_add(
			e->findings, "harness", FINDING_WARNING,
			"it seems to be a benchmark of JMH, whose JVM compiles its code while it "
			"runs, so counts vary and most is JMH's own");
		findings_remedy(e->findings, "call the code from a main() a fixed number of times, "
					     "and measure that");
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (image_has_text(path, known[i].part)) {
			report_harness(e, known[i].name, known[i].cases, p->by_command);
			return;
		}
}
