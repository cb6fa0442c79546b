#include "tests/unit/harness.h"

#include <stdlib.h>
#include <string.h>

#include "src/doctor/finding.h"
#include "src/doctor/namespaces.h"
#include "src/report/doctor.h"

/* ---- namespaces ---- */

static void explains(struct namespace_settings settings, const char *text, const char *remedy)
{
	struct namespace_cause cause = namespace_explain(&settings);

	test_report(strstr(cause.text, text) && strstr(cause.remedy, remedy), false, __FILE__,
		    __LINE__, "the cause is \"%s\", its remedy \"%s\", and not \"%s\" and \"%s\"",
		    cause.text, cause.remedy, text, remedy);
}

static const struct namespace_settings allowed = { 1, 0, 1000, 1000, 1000, 0 };

static void test_namespaces(void)
{
	struct namespace_settings s;

	explains(allowed, "the kernel", "CONFIG_USER_NS");
	s = allowed, s.most_users = 0;
	explains(s, "max_user_namespaces is 0", "user.max_user_namespaces=");
	s = allowed, s.most_mounts = 0;
	explains(s, "max_mnt_namespaces is 0", "user.max_mnt_namespaces=");
	s = allowed, s.most_pids = 0;
	explains(s, "max_pid_namespaces is 0", "user.max_pid_namespaces=");
	s = allowed, s.unprivileged_clone = 0;
	explains(s, "unprivileged_userns_clone is 0", "kernel.unprivileged_userns_clone=1");
	s = allowed, s.apparmor = 1;
	explains(s, "AppArmor", "kernel.apparmor_restrict_unprivileged_userns=0");
	s = allowed, s.seccomp = 2;
	explains(s, "seccomp", "seccomp=unconfined");
	/* What forbids it for everybody is told before what forbids it for some. */
	s.apparmor = 1, s.most_users = 0;
	explains(s, "max_user_namespaces", "sysctl");
	/* A kernel that has none of these settings, in a container. */
	explains((struct namespace_settings){ -1, -1, -1, -1, -1, 2 }, "seccomp", "docker");
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
	snprintf(command, sizeof command, "mkdir -p %s/sys/kernel %s/sys/user %s/self", dir, dir,
		 dir);
	REQUIRE_INT(system(command), 0);
	put(dir, "sys/kernel/unprivileged_userns_clone", "0\n");
	put(dir, "sys/user/max_user_namespaces", "63321\n");
	put(dir, "sys/user/max_pid_namespaces", "nonsense\n");
	put(dir, "self/status", "Name:\tx\nNoNewPrivs:\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n");
	struct namespace_settings s = namespace_settings_read(dir);
	CHECK_INT(s.unprivileged_clone, 0);
	CHECK_INT(s.apparmor, -1);
	CHECK_INT(s.most_users, 63321);
	CHECK_INT(s.most_mounts, -1);
	CHECK_INT(s.most_pids, -1);
	CHECK_INT(s.seccomp, 2);
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
	      "0 problems, 1 warning: measuring works, but no program of a benchmark is built yet\n");
	findings_begin(&f, "Benchmark b");
	findings_add(&f, "command", FINDING_OK, "there");
	findings_add(&f, "debug", FINDING_OK, "there, too");
	shows(&f, false, false,
	      "Benchmark a\n  warning  no file\n\nBenchmark b\n  ok       there\n  ok       there, too\n\n"
	      "0 problems, 1 warning: measuring works, but programs of 1 of 2 benchmarks are not built yet\n");
	findings_free(&f);
}

TEST_MAIN("doctor", { "why namespaces are refused", test_namespaces },
	  { "settings of the kernel", test_settings }, { "reports", test_report_text },
	  { "benchmarks that are not built", test_not_built })
