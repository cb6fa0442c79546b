/* Processes of a run: which one is meant, which are one program, and which signals end one. */
#include "tests/unit/harness.h"

#include <signal.h>

#include "src/run/cases.h"
#include "src/run/choose.h"
#include "src/run/family.h"
#include "src/run/run.h"
#include "src/run/signals.h"

static enum choice choose(const struct run_profile *list, size_t n, const char *image,
			  const char *project, size_t *first, size_t *count)
{
	struct wanted_profile wanted = { .image = image, .project = project };
	return choose_profile(list, n, &wanted, first, count);
}

static void test_choose(void)
{
	char a[] = "/p/a", b[] = "/p/b", sed[] = "/bin/sed", sh[] = "/bin/sh";
	struct run_profile list[] = {
		{ .image = sh,
		  .command = sh,
		  .pid = 1,
		  .bytes = 9,
		  .collected = 900,
		  .launcher = true },
		{ .image = sed,
		  .command = sed,
		  .pid = 2,
		  .parent = 1,
		  .bytes = 9,
		  .collected = 800 },
		{ .image = a,
		  .command = a,
		  .pid = 3,
		  .parent = 1,
		  .part = 1,
		  .bytes = 9,
		  .collected = 50 },
		{ .image = a,
		  .command = a,
		  .pid = 3,
		  .parent = 1,
		  .part = 2,
		  .bytes = 9,
		  .collected = 40 },
		{ .image = b, .command = b, .pid = 4, .parent = 1, .bytes = 9, .collected = 80 },
		{ .image = b,
		  .command = b,
		  .pid = 5,
		  .parent = 4,
		  .bytes = 9,
		  .collected = 120,
		  .forked = true },
	};
	size_t first = 99, count = 99, n = sizeof list / sizeof list[0];

	for (size_t i = 0; i < n; i++)
		list[i].program_len = strlen(list[i].command);

	/* A script: what is in the project, with all its parts. */
	CHECK_INT(choose(list, n, NULL, "/p", &first, &count), CHOICE_MADE);
	CHECK_U64(first, 2);
	CHECK_U64(count, 2);
	CHECK_INT(choose(list, n, NULL, "/q", &first, &count), CHOICE_MADE);
	CHECK_U64(first, 1);
	/* A program: the costliest of all. */
	CHECK_INT(choose(list, n, NULL, NULL, &first, &count), CHOICE_MADE);
	CHECK_U64(first, 1);
	/* What was started itself, if it is more than a launcher of what it started. */
	struct wanted_profile wanted = { .main = 3 };
	CHECK_INT(choose_profile(list, n, &wanted, &first, &count), CHOICE_MADE);
	CHECK_U64(first, 2);
	list[1].collected = 20 * 90 + 20;
	CHECK_INT(choose_profile(list, n, &wanted, &first, &count), CHOICE_MADE);
	CHECK_U64(first, 1);
	list[1].collected = 800;
	/* A heap tells nothing of the work of its process. */
	list[1].instructions = 70;
	list[2].instructions = 700;
	CHECK_INT(choose(list, n, NULL, NULL, &first, &count), CHOICE_MADE);
	CHECK_U64(first, 2);
	list[1].instructions = list[2].instructions = 0;
	/* By name, launcher or not; a fork's copy of its parent does not count. */
	CHECK_INT(choose(list, n, "sh", "/p", &first, &count), CHOICE_MADE);
	CHECK_U64(first, 0);
	CHECK_INT(choose(list, n, "p/b", "/p", &first, &count), CHOICE_MADE);
	CHECK_U64(first, 4);
	CHECK_INT(choose(list, n, "ed", "/p", &first, &count), CHOICE_NO_SUCH_IMAGE);
	struct run_result result = { .profiles = list, .nprofiles = n };
	CHECK_U64(run_candidates(&result), 4);
	/* The program's name may have spaces, its arguments may look like one. */
	char spaces[] = "/p/so me/a b c";
	list[4].command = spaces;
	list[4].program_len = strlen("/p/so me/a b");
	CHECK_INT(choose(list, n, "a b", "/p", &first, &count), CHOICE_MADE);
	CHECK_U64(first, 4);
	CHECK_INT(choose(list, n, "c", "/p", &first, &count), CHOICE_NO_SUCH_IMAGE);
	CHECK_INT(choose(list, 1, NULL, NULL, &first, &count), CHOICE_ONLY_LAUNCHERS);
	CHECK_INT(choose(list, 0, NULL, NULL, &first, &count), CHOICE_NONE);
	list[0].bytes = 0;
	CHECK_INT(choose(list, 1, NULL, NULL, &first, &count), CHOICE_NONE);
}

/* A program that forks counts with its children, an exec ends that, and copies are told apart. */
static void test_family(void)
{
	char p[] = "/p/p", q[] = "/p/q", fork[] = "--dump-before=_Fork",
	     end[] = "Program termination";
	char spawn[] = "--dump-before=posix_spawn@@GLIBC_2.15", execs[] = "--dump-before=execve";
	struct run_profile list[] = {
		{ .image = p,
		  .command = p,
		  .trigger = fork,
		  .pid = 2,
		  .parent = 1,
		  .part = 1,
		  .bytes = 9,
		  .collected = 50 },
		{ .image = p,
		  .command = p,
		  .trigger = spawn,
		  .pid = 2,
		  .parent = 1,
		  .part = 2,
		  .bytes = 9,
		  .collected = 5 },
		{ .image = p,
		  .command = p,
		  .trigger = end,
		  .pid = 2,
		  .parent = 1,
		  .part = 3,
		  .bytes = 9,
		  .collected = 5 },
		{ .image = p,
		  .command = p,
		  .trigger = fork,
		  .pid = 3,
		  .parent = 2,
		  .part = 1,
		  .bytes = 9,
		  .collected = 70,
		  .forked = true },
		{ .image = p,
		  .command = p,
		  .trigger = end,
		  .pid = 3,
		  .parent = 2,
		  .part = 2,
		  .bytes = 9,
		  .collected = 1,
		  .forked = true },
		{ .image = p,
		  .command = p,
		  .trigger = execs,
		  .pid = 4,
		  .parent = 2,
		  .part = 1,
		  .bytes = 9,
		  .collected = 2,
		  .forked = true,
		  .replaced = true },
		{ .image = q,
		  .command = q,
		  .trigger = end,
		  .pid = 4,
		  .parent = 2,
		  .generation = 1,
		  .part = 1,
		  .bytes = 9,
		  .collected = 120 },
		{ .image = p,
		  .command = p,
		  .trigger = end,
		  .pid = 5,
		  .parent = 3,
		  .part = 1,
		  .bytes = 9,
		  .collected = 80,
		  .forked = true },
	};
	size_t n = sizeof list / sizeof list[0], first = 99, count = 99;
	struct run_result result = { .profiles = list, .nprofiles = n };
	struct wanted_profile wanted = { .parted = true, .family = true };

	CHECK_U64(family_root(list, n, 2), 0);
	CHECK_U64(family_root(list, n, 4), 0);
	CHECK_U64(family_root(list, n, 5), 0);
	CHECK_U64(family_root(list, n, 6), 6);
	CHECK_U64(family_root(list, n, 7), 0);
	CHECK(family_last(list, n, 4) == &list[6] && !family_last(list, n, 6));

	/* Together they are costlier than q, of which each is cheaper. */
	CHECK_INT(choose_profile(list, n, &wanted, &first, &count), CHOICE_MADE);
	CHECK_U64(first, 0);
	CHECK_U64(count, 3);
	wanted.family = false;
	CHECK_INT(choose_profile(list, n, &wanted, &first, &count), CHOICE_MADE);
	CHECK_U64(first, 6);

	result.nchosen = 3;
	REQUIRE(!files_of_family(&result, NULL));
	CHECK_U64(result.nfiles, 7);
	for (size_t i = 0; i < result.nfiles; i++)
		CHECK(result.files[i] != 6);
	free(result.files);

	/* One that was begun without a word begins with a copy, and nobody knows which it is. */
	CHECK(!family_has_copy(list, n, &list[3]) && !family_has_copy(list, n, &list[7]));
	list[3].trigger = end;
	CHECK(family_has_copy(list, n, &list[7]) && !family_has_copy(list, n, &list[3]));
	result = (struct run_result){ .profiles = list, .nprofiles = n, .nchosen = 3 };
	REQUIRE(!files_of_family(&result, NULL));
	CHECK_U64(result.nfiles, 6);
	free(result.files);
	CHECK(!family_is_bereft(list, n, &list[0]));
	list[5].parent = 9;
	list[6].parent = 9;
	list[3].parent = 9;
	CHECK(family_is_bereft(list, n, &list[0]));
	CHECK(family_is_fork(fork) && family_is_fork("--dump-before=fork") &&
	      !family_is_fork(execs) && !family_is_fork(end));
}

/* Signals are known by both of their names, and only those that end a process. */
static void test_signals(void)
{
	CHECK_INT(signal_number("TERM"), SIGTERM);
	CHECK_INT(signal_number("SIGSEGV"), SIGSEGV);
	CHECK_INT(signal_number("CHLD"), 0);
	CHECK_INT(signal_number("SIG"), 0);
	CHECK_INT(signal_number("term"), 0);
	CHECK_STR(signal_name(SIGKILL), "KILL");
	CHECK(signal_name(63) == NULL);
	CHECK(signal_is_in(UINT64_C(1) << SIGTERM, SIGTERM) &&
	      !signal_is_in(UINT64_C(1) << SIGTERM, SIGKILL));
}

TEST_MAIN("processes of a run", { "which profile is meant", test_choose },
	  { "families of processes", test_family }, { "signals", test_signals })
