#include "tests/unit/harness.h"

#include <stdlib.h>
#include <string.h>

#include "src/doctor/finding.h"
#include "src/doctor/tracing.h"
#include "src/report/doctor.h"

/* ---- tracing ---- */

static void explains(struct tracing_settings settings, const char *text, const char *remedy)
{
	struct tracing_cause cause = tracing_explain(&settings);

	test_report(strstr(cause.text, text) && strstr(cause.remedy, remedy), false, __FILE__,
		    __LINE__, "the cause is \"%s\", its remedy \"%s\", and not \"%s\" and \"%s\"",
		    cause.text, cause.remedy, text, remedy);
}

static void test_tracing(void)
{
	explains((struct tracing_settings){ 1, 0, 0 }, "the kernel", "allow ptrace");
	explains((struct tracing_settings){ 1, 77, 2 }, "debugger", "without it");
	explains((struct tracing_settings){ 2, 0, 2 }, "ptrace_scope is 2", "ptrace_scope=1");
	explains((struct tracing_settings){ 3, 0, 0 }, "ptrace_scope is 3", "reboot");
	explains((struct tracing_settings){ 1, 0, 2 }, "seccomp",
		 "docker run --cap-add=SYS_PTRACE");
	/* A kernel that has none of these settings, in a container. */
	explains((struct tracing_settings){ -1, -1, 2 }, "seccomp", "docker");
}

static void put(const char *dir, const char *name, const char *text)
{
	char path[400];
	FILE *to;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	REQUIRE((to = fopen(path, "w")) != NULL);
	fputs(text, to);
	fclose(to);
}

static void test_settings(void)
{
	char dir[] = "/tmp/irdiff-test-doctor-XXXXXX", command[200];

	REQUIRE(mkdtemp(dir) != NULL);
	snprintf(command, sizeof command, "mkdir -p %s/sys/kernel/yama %s/self", dir, dir);
	REQUIRE_INT(system(command), 0);
	put(dir, "sys/kernel/yama/ptrace_scope", "2\n");
	put(dir, "self/status",
	    "Name:\tx\nTracerPid:\t77\nNoNewPrivs:\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n");
	struct tracing_settings s = tracing_settings_read(dir);
	CHECK_INT(s.yama, 2);
	CHECK_INT(s.tracer, 77);
	CHECK_INT(s.seccomp, 2);
	put(dir, "sys/kernel/yama/ptrace_scope", "nonsense\n");
	put(dir, "self/status", "Name:\tx\n");
	s = tracing_settings_read(dir);
	CHECK_INT(s.yama, -1);
	CHECK_INT(s.tracer, -1);
	CHECK_INT(s.seccomp, -1);
	snprintf(command, sizeof command, "rm -r %s", dir);
	REQUIRE_INT(system(command), 0);
}

/* ---- reports ---- */

static void shows(const struct findings *f, bool quiet, bool color, const char *expected)
{
	const struct text_style style = { .color = color };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	CHECK_INT(doctor_text(f, quiet, &style, to), CG_OK);
	fclose(to);
	CHECK_STR(text, expected);
	free(text);
}

static void test_report_text(void)
{
	struct findings f = { 0 };

	findings_begin(&f, "Group %d", 1);
	findings_add(&f, "one", FINDING_OK, "fine");
	findings_add(&f, "two", FINDING_WARNING, "less\n%s", "fine");
	findings_remedy(&f, "do %s", "this");
	shows(&f, false, false,
	      "Group 1\n  ok       fine\n  warning  less\\x0afine\n           → do this\n\n"
	      "0 problems, 1 warning: measuring works\n");
	findings_begin(&f, "Group 2");
	findings_add(&f, "three", FINDING_WRONG, "bad");
	CHECK_U64(findings_count(&f, FINDING_WRONG), 1);
	shows(&f, true, false,
	      "Group 1\n  warning  less\\x0afine\n           → do this\n\n"
	      "Group 2\n  WRONG    bad\n");
	findings_add(&f, "four", FINDING_PROBLEM, "\033[31m");
	findings_remedy(&f, "first");
	findings_remedy(&f, "second");
	CHECK_STR(f.items[3].remedy, "second");
	CHECK_STR(f.items[3].group, "Group 2");
	CHECK(!f.failed);
	findings_free(&f);
	shows(&f, true, false, "");
}

/* The end does not promise more than can be measured now. */
static void test_not_built(void)
{
	struct findings f = { 0 };

	findings_begin(&f, "Benchmark a");
	findings_add(&f, FINDING_NOT_BUILT, FINDING_WARNING, "no file");
	shows(&f, false, false,
	      "Benchmark a\n  warning  no file\n\n"
	      "0 problems, 1 warning: measuring works, but no benchmark is built yet\n");
	findings_begin(&f, "Benchmark b");
	findings_add(&f, "command", FINDING_OK, "there");
	findings_add(&f, "debug", FINDING_OK, "there, too");
	shows(&f, false, false,
	      "Benchmark a\n  warning  no file\n\nBenchmark b\n  ok       there\n  ok       there, too\n\n"
	      "0 problems, 1 warning: measuring works, but 1 of 2 benchmarks are not built yet\n");
	findings_free(&f);
}

TEST_MAIN("doctor", { "why programs cannot be traced", test_tracing },
	  { "settings of the kernel", test_settings }, { "reports", test_report_text },
	  { "benchmarks that are not built", test_not_built })
