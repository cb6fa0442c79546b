#include "src/guest/one_cpu.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/harness.h"

/* Which process number is of none, as its process is over. */
static pid_t no_process(void)
{
	pid_t pid = fork();

	REQUIRE(pid >= 0);
	if (!pid)
		_exit(0);
	REQUIRE_INT(waitpid(pid, NULL, 0), pid);
	return pid;
}

static int count_cpus(void)
{
	cpu_set_t set;

	REQUIRE_INT(sched_getaffinity(0, sizeof set, &set), 0);
	return CPU_COUNT(&set);
}

static void test_share(void)
{
	struct one_cpu one = { .shared = false };
	const int before = count_cpus();

	one_cpu_share(&one, -1, getpid());
	CHECK(!one.shared);
	one_cpu_share(&one, CPU_SETSIZE, getpid());
	CHECK(!one.shared);
	one_cpu_share(&one, sched_getcpu(), getpid());
	CHECK(one.shared);
	CHECK_INT(count_cpus(), 1);
	one_cpu_release(&one);
	CHECK(one.released && !one.shared);
	CHECK_INT(count_cpus(), before);
}

/* What cannot be moved leaves the tracer where it is. */
static void test_share_nothing(void)
{
	struct one_cpu one = { .shared = false };
	const int before = count_cpus();

	one_cpu_share(&one, sched_getcpu(), no_process());
	CHECK(!one.shared);
	CHECK_INT(count_cpus(), before);
	one_cpu_release(&one);
	CHECK(!one.released);
	CHECK_INT(count_cpus(), before);
}

TEST_MAIN("one CPU for tracer and program", { "share and release", test_share },
	  { "nothing to share with", test_share_nothing })
