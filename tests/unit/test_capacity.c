#include "src/run/capacity.h"

#include <sys/stat.h>

#include "src/store/files.h"
#include "tests/unit/harness.h"

static char root[] = "/tmp/irdiff-capacity-XXXXXX";

/* `name` is below the root. */
static void put(const char *name, const char *text)
{
	char path[400];
	snprintf(path, sizeof path, "%s%s", root, name);
	char *slash = strrchr(path, '/');
	*slash = '\0';
	REQUIRE_INT(make_directories(path, NULL), 0);
	*slash = '/';
	FILE *to = fopen(path, "w");
	REQUIRE(to != NULL);
	fputs(text, to);
	fclose(to);
}

static void check_limits(const char *groups, uint64_t cpus, uint64_t memory)
{
	char file[400];
	uint64_t allowed = 64, left = 1000000;

	put("/groups", groups);
	snprintf(file, sizeof file, "%s/groups", root);
	capacity_limit(file, root, &allowed, &left);
	CHECK_U64(allowed, cpus);
	CHECK_U64(left, memory);
}

static void test_new_groups(void)
{
	put("/a/cpu.max", "400000 100000\n");
	put("/a/memory.max", "5000\n");
	put("/a/memory.current", "4000\n");
	put("/a/memory.stat", "anon 700\ninactive_file 300\nactive_file 9\n");
	put("/a/b/cpu.max", "max 100000\n");
	put("/a/b/memory.max", "max\n");
	put("/a/b/memory.current", "1\n");
	check_limits("0::/a/b\n", 4, 1300);
	check_limits("0::/a\n", 4, 1300);
	check_limits("0::/\n", 64, 1000000);
	check_limits("", 64, 1000000);
}

/* Numbers that say that there is no limit are those of Linux. */
static void test_old_groups(void)
{
	put("/cpu/cpu.cfs_quota_us", "-1\n");
	put("/cpu/cpu.cfs_period_us", "100000\n");
	put("/cpu/c/cpu.cfs_quota_us", "250000\n");
	put("/cpu/c/cpu.cfs_period_us", "100000\n");
	put("/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put("/memory/memory.usage_in_bytes", "999999\n");
	put("/memory/d/memory.limit_in_bytes", "7000\n");
	put("/memory/d/memory.usage_in_bytes", "6000\n");
	put("/memory/d/memory.stat", "inactive_file 9\ntotal_inactive_file 500\n");
	check_limits("5:cpuacct,cpu:/c\n4:cpuset:/d\n3:memory:/d/e\n1:name=systemd:/x\n", 2, 1500);
	check_limits("5:cpuset:/c\n3:mem:/d\n", 64, 1000000);
	check_limits("5:cpu:/\n3:memory:/\n", 64, 1000000);
}

/* A container sees its own group as the topmost one, and has the path of the host. */
static void test_container(void)
{
	put("/memory/memory.limit_in_bytes", "2000\n");
	put("/memory/memory.usage_in_bytes", "500\n");
	check_limits("3:memory:/docker/0123456789abcdef\n", 64, 1500);
	/* More is used than is allowed. */
	put("/memory/memory.usage_in_bytes", "2001\n");
	check_limits("3:memory:/docker/0123456789abcdef\n", 64, 0);
}

static void test_odd_lines(void)
{
	check_limits("\n::\n:\nmemory\n3:memory\n", 64, 1000000);
	put("/cpu/cpu.cfs_period_us", "0\n");
	put("/cpu/cpu.cfs_quota_us", "100000\n");
	check_limits("5:cpu:/\n", 64, 1000000);
}

int main(void)
{
	static const struct test tests[] = {
		{ "groups of version 2", test_new_groups },
		{ "groups of version 1", test_old_groups },
		{ "in a container", test_container },
		{ "what is not as expected", test_odd_lines },
	};

	if (!mkdtemp(root))
		return 1;
	int failed = test_main("capacity", tests, sizeof tests / sizeof *tests);
	remove_directory(root, NULL);
	return failed;
}
