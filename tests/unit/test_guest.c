/* What a traced program is told is the same wherever it runs, and what it does works. The programs
 * run without Valgrind here, where they have all the same calls and take no time. */
#include "tests/unit/guest_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/guest/pids.h"
#include "src/guest/seen_paths.h"

#define TELLS "tests/guest/tells" /* built beside this */

/* ---- paths ---- */

static void test_seen_paths(void)
{
	struct seen_paths paths = { 0 };
	char text[PATH_MAX];
	static const char *const real[][2] = {
		{ "/irdiff-run/w", "/home/me/a" },
		{ "/irdiff-run/w/", "/home/me/a/" },
		{ "/irdiff-run/w/b c/../d", "/home/me/a/b c/../d" },
		{ "//irdiff-run///w/x", "/home/me/a/x" },
		{ "/./irdiff-run/././w/./x", "/home/me/a/./x" },
		{ "/irdiff-run", "/slot/run" },
		{ "/irdiff-run/other", "/slot/run/other" },
		{ "/irdiff-run/o/log", "/home/me/a/.irdiff/tmp/1/log" },
		{ "/irdiff-run/p/perl", "/usr/bin/perl" },
		{ "/irdiff-run/w/../p/perl", "/usr/bin/perl" },
		{ "/irdiff-run/w/..", "/slot/run" },
		{ "/irdiff-run/w/x/../../../etc", "/etc" },
		{ "/irdiff-run/..", "/" },
		{ "/irdiff-running", NULL },
		{ "/irdiff-run.d/w", NULL },
		{ "/", NULL },
		{ "/.irdiff-run/w", NULL },
		{ "irdiff-run/w", NULL },
		{ "", NULL },
	};
	static const char *const told[][2] = {
		{ "/home/me/a", "/irdiff-run/w" },
		{ "/home/me/a/b", "/irdiff-run/w/b" },
		{ "/home/me/ab", NULL },
		{ "/home/me", NULL },
		{ "/home/me/a/.irdiff/tmp/1", "/irdiff-run/o" },
		{ "/home/me/a/.irdiff/tmp/12", "/irdiff-run/w/.irdiff/tmp/12" },
		{ "/usr/bin/perl", NULL },
		{ "/slot/run", "/irdiff-run" },
	};

	REQUIRE(!seen_paths_add(&paths, "/irdiff-run", "/slot/run", false, NULL));
	REQUIRE(!seen_paths_add(&paths, "/irdiff-run/w", "/home/me/a", false, NULL));
	REQUIRE(!seen_paths_add(&paths, "/irdiff-run/p", "/usr/bin", true, NULL));
	REQUIRE(!seen_paths_add(&paths, "/irdiff-run/o", "/home/me/a/.irdiff/tmp/1", false, NULL));
	for (size_t i = 0; i < sizeof real / sizeof real[0]; i++)
		CHECK_STR(seen_paths_real(&paths, real[i][0], text) ? text : NULL, real[i][1]);
	for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
		CHECK_STR(seen_paths_told(&paths, told[i][0], text) ? text : NULL, told[i][1]);
	char *longest = malloc(2 * PATH_MAX);
	REQUIRE(longest != NULL);
	snprintf(longest, 2 * PATH_MAX, "/irdiff-run/o/%0*d", PATH_MAX - 20, 0);
	CHECK(!seen_paths_real(&paths, longest, text));
	free(longest);
	seen_paths_free(&paths);
}

/* ---- numbers of processes ---- */

static void test_pids(void)
{
	struct pids pids = { 0 };

	CHECK_INT(pids_add(&pids, 77), GUEST_PARENT);
	CHECK_INT(pids_add(&pids, 500), GUEST_FIRST);
	CHECK_INT(pids_add(&pids, 501), GUEST_FIRST + 1);
	CHECK_INT(pids_shown(&pids, 501), GUEST_FIRST + 1);
	CHECK_INT(pids_shown(&pids, -500), -GUEST_FIRST);
	CHECK_INT(pids_real(&pids, -GUEST_FIRST), -500);
	CHECK_INT(pids_real(&pids, GUEST_FIRST), 500);
	static const pid_t same[] = { 0, -1, 1, 502, GUEST_FIRST + 2, -2, INT_MIN };
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		CHECK_INT(pids_shown(&pids, same[i]), same[i]);
		CHECK_INT(pids_real(&pids, same[i]), same[i]);
	}
	/* The kernel gives a number again when its owner is gone. */
	CHECK_INT(pids_add(&pids, 500), GUEST_FIRST + 2);
	CHECK_INT(pids_shown(&pids, 500), GUEST_FIRST + 2);
	CHECK_INT(pids_shown(&pids, 501), GUEST_FIRST + 1);
	CHECK_U64(pids_count(&pids), 3);
	for (pid_t real = 1000; real < 6000; real++)
		CHECK_INT(pids_add(&pids, real), GUEST_FIRST + 3 + real - 1000);
	for (pid_t real = 1000; real < 6000; real++)
		CHECK_INT(pids_shown(&pids, real), GUEST_FIRST + 3 + real - 1000);
	pids_free(&pids);
}

/* ---- what runs ---- */

static const char *tells_path(void)
{
	static char path[PATH_MAX];

	REQUIRE(realpath(TELLS, path) != NULL);
	return path;
}

/* `words`: of tells, below /irdiff-run, so that its own path is told, too. */
static void tell(struct trial *t, const char *words[3])
{
	char copy[2 * PATH_MAX + 64];
	const char *argv[] = { "/irdiff-run/w/tells", words[0], words[1], words[2], NULL };

	snprintf(copy, sizeof copy, "cp %s %s/tells", tells_path(), t->project);
	REQUIRE_INT(system(copy), 0);
	run_in_trial(t, argv[0], argv, 30);
}

static bool says(const struct trial *t, const char *line)
{
	bool found = strstr(t->output, line);

	test_report(found, false, __FILE__, __LINE__, "not said: %s\n%s", line, t->output);
	return found;
}

/* In the order in which they were asked for, after those of libraries that have several names
 * here. */
static void says_inodes(const struct trial *t)
{
	char line[200];
	int n = 1;

	while (n < 10 && (snprintf(line, sizeof line, "\n.: %d\n", n), !strstr(t->output, line)))
		n++;

	snprintf(line, sizeof line,
		 "\n.: %d\nmany: %d\nhidden: %d\n/: %d\n.: %d\ntwo: %d\nmany/../two: %d\n", n,
		 n + 1, n + 2, n + 5, n, n + 6, n + 6);
	says(t, line);
}

static void succeeded(const struct trial *t)
{
	test_report(t->end.traced && t->end.started && !t->end.status, false, __FILE__, __LINE__,
		    "traced %d, started %d, status %x, cannot %s: %s", t->end.traced,
		    t->end.started, (unsigned)t->end.status, t->end.failed_step, t->output);
}

static void test_same(void)
{
	const char *words[] = { "numbers", "paths", "machine" };
	struct trial one, other;

	begin_trial(&one, "p", false);
	begin_trial(&other, "a-project-with-a-longer-name", true);
	tell(&one, words);
	tell(&other, words);
	succeeded(&one);
	succeeded(&other);
	CHECK_STR(one.output, other.output);
	says(&one, "pid 4194306 thread 4194306 parent 4194305 group 4194305 session 4194305 forked "
		   "4194307\n");
	says(&one, "child 4194307 of 4194306\n");
	says(&one, "/proc/thread-self -> 4194306/task/4194306\n");
	says(&one, "4194306 (tells) R 4194305 4194305 4194305 0 0");
	says(&one, "PPid:\t4194305\nTracerPid:\t0\n");
	says(&one, "cwd /irdiff-run/w\nreal /irdiff-run/w\n");
	says(&one, "/proc/self/exe -> /irdiff-run/w/tells\n");
	says(&one, "many: . .. 000-name 001-name 002-name");
	says(&one,
	     "298-name 299-name\nhidden: . ..\n/irdiff-run: . .. o p w\n/irdiff-run/o: . ..\n");
	says_inodes(&one);
	says(&one, "\nmany: 4096 bytes, 8 blocks of 4096, 1 links\n"
		   "hidden: 4096 bytes, 8 blocks of 4096, 1 links\n"
		   "/proc/self/status: 0 bytes, 0 blocks of 4096, 1 links\n");
	says(&one, "cpu 0 of node 0, 1 of them, 1 online\n");
	says(&one, "kernel's entry: not told\nrights: the caller's\n"
		   "random bytes: 5ba8a4da5336588c\n");
#ifdef __x86_64__
	says(&one, "processor\t: 0\nvendor_id\t: GenuineIntel\n");
	says(&one, " sse sse2 ");
	CHECK(!strstr(one.output, "avx512") && !strstr(one.output, "processor\t: 1"));
#endif
	says(&one, "irdiff 6.1.0 #1 SMP, 16777216 x 1024\n");
	CHECK_U64(one.end.tasks, 2);
	end_trial(&one);
	end_trial(&other);
}

static void test_works(void)
{
	const char *words[] = { "processes", "files", NULL };
	const char *rare[] = { "rare", NULL, NULL };
	const char *threads[] = { "threads", NULL, NULL };
	struct trial t;

	begin_trial(&t, "p", false);
	tell(&t, words);
	succeeded(&t);
	says(&t, "processes: fine\n");
	says(&t, " -> /irdiff-run/w/files.d/b\nfiles: fine\n");
	tell(&t, rare);
	succeeded(&t);
	CHECK_STR(t.output, "rare: fine\n");
	tell(&t, threads);
	succeeded(&t);
	says(&t, "pid 4194306 thread 4194306 parent 4194305 group 4194305 session 4194305 forked "
		 "4194308\n");
	end_trial(&t);
}

static void test_orphans(void)
{
	const char *words[] = { "orphans", NULL, NULL };
	struct trial t;

	begin_trial(&t, "p", false);
	for (int i = 0; i < 2; i++) {
		t.workspace.guest.only_paths = i;
		tell(&t, words);
		succeeded(&t);
		CHECK_STR(t.output, "orphans: fine\n");
	}
	end_trial(&t);
}

/* Programs of the system, for which calls are made that nobody thought of. */
static void test_shell(void)
{
	static const char script[] =
		"pwd; cd many; cd ..; pwd; echo $$; (exec sh -c 'echo $PPID') & wait; "
		"ls many | head -n 1; cat <<E\nhere\nE\nfind . -name '001*'; "
		"cp many/001-name copy && mv copy other && rm other; readlink -f hidden; "
		"timeout 5 sleep 0; mkfifo f; (echo through >f) & cat f; kill -0 $$; echo $?";
	const char *argv[] = { "/bin/sh", "-c", script, NULL };
	struct trial t;

	begin_trial(&t, "p", false);
	run_in_trial(&t, argv[0], argv, 30);
	succeeded(&t);
	CHECK_STR(t.output, "/irdiff-run/w\n/irdiff-run/w\n4194306\n4194306\n000-name\nhere\n"
			    "./many/001-name\n/irdiff-run/w/hidden\nthrough\n0\n");
	end_trial(&t);
}

/* It is told by which path it was started, whatever the kernel has opened. */
static void test_script(void)
{
	static const struct {
		const char *started, *text, *said;
	} scripts[] = {
		{ "/irdiff-run/w/script", "#!/bin/sh\necho $0 $# $1 $2",
		  "/irdiff-run/w/script 2 one two\n" },
		{ "/irdiff-run/w/script", "#! /bin/sh -e \t\necho $0 $-; false; echo no",
		  "/irdiff-run/w/script e\n" },
		{ "/irdiff-run/w/script", "#!/irdiff-run/w/interpreter  of it \nx",
		  "of it /irdiff-run/w/script one two\n" },
		{ "./script", "#!/irdiff-run/w/interpreter it", "it ./script one two\n" },
		{ "./script", "#!/bin/sh\necho $0 $# $1 $2", "./script 2 one two\n" },
	};
	const char *argv[] = { "other", "one", "two", NULL };
	char path[PATH_MAX + 64];
	struct trial t;

	begin_trial(&t, "p", false);
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		snprintf(path, sizeof path, "cp /bin/echo %s/interpreter", t.project);
		REQUIRE_INT(system(path), 0);
		snprintf(path, sizeof path, "%s/script", t.project);
		FILE *file = fopen(path, "w");
		REQUIRE(file != NULL);
		fputs(scripts[i].text, file);
		fclose(file);
		REQUIRE_INT(chmod(path, 0755), 0);
		run_in_trial(&t, scripts[i].started, argv, 30);
		CHECK_INT(WEXITSTATUS(t.end.status), i == 1);
		CHECK_STR(t.output, scripts[i].said);
	}
	end_trial(&t);
}

/* The other program sees the files of one, but as its own. */
static void test_cover(void)
{
	const char *argv[] = {
		"/bin/sh", "-c",
		"cat many/000-name; cat link; readlink -f link; cat /irdiff-run/w/link", NULL
	};
	char path[PATH_MAX + 64], *copy;
	struct trial t;

	begin_trial(&t, "p", false);
	snprintf(path, sizeof path, "%s/link", t.project);
	REQUIRE_INT(symlink("many/000-name", path), 0);
	copy = workspace_scratch(&t.workspace, "copy");
	FILE *file = copy ? fopen(copy, "w") : NULL;
	REQUIRE(file != NULL);
	fputs("covered\n", file);
	fclose(file);
	REQUIRE_INT(workspace_cover(&t.workspace, "/irdiff-run/w/many/000-name", copy, NULL), 0);
	free(copy);
	run_in_trial(&t, argv[0], argv, 30);
	succeeded(&t);
	CHECK_STR(t.output, "covered\ncovered\n/irdiff-run/w/many/000-name\ncovered\n");
	end_trial(&t);
}

static void test_paths_only(void)
{
	const char *argv[] = {
		"/bin/sh", "-c",
		"pwd; readlink /proc/self/cwd; uname -n; [ $$ -lt 4194304 ] && echo $$", NULL
	};
	char host[256] = "", expected[512];
	struct trial t;

	REQUIRE_INT(gethostname(host, sizeof host - 1), 0);
	begin_trial(&t, "p", false);
	t.workspace.guest.only_paths = true;
	run_in_trial(&t, argv[0], argv, 30);
	succeeded(&t);
	snprintf(expected, sizeof expected, "/irdiff-run/w\n/irdiff-run/w\n%s\n", host);
	test_report(!strncmp(t.output, expected, strlen(expected)), true, __FILE__, __LINE__,
		    "said: %s", t.output);
	CHECK(atoi(t.output + strlen(expected)) > 1);
	end_trial(&t);
}

/* ---- how it ends ---- */

/* The pattern is no word that it matches: grep does not find itself. */
static int count_marked(const char *marker)
{
	char command[256];

	snprintf(command, sizeof command,
		 "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -c -x '[%c]%s'",
		 *marker, marker + 1);
	FILE *from = popen(command, "r");
	int count = -1;
	REQUIRE(from != NULL && fscanf(from, "%d", &count) == 1);
	pclose(from);
	return count;
}

/* What it leaves ends with it, in whatever session and however it ends. */
static void test_ends(void)
{
	static const char *const scripts[] = {
		"exit 7",        "kill -9 $$",
		"sleep 30",      "trap '' TERM; while :; do sleep 1; done",
		"kill -STOP $$",
	};
	char marker[64], script[256];
	const char *argv[] = { "/bin/sh", "-c", script, NULL };
	struct trial t;

	begin_trial(&t, "p", false);
	snprintf(marker, sizeof marker, "30.%d", (int)getpid());
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		snprintf(script, sizeof script,
			 "setsid sh -c 'setsid sleep %s & sleep %s' & sleep 0.2; %s", marker,
			 marker, scripts[i]);
		run_in_trial(&t, argv[0], argv, 1);
		CHECK(t.end.started);
		CHECK_INT(t.end.timed_out, i >= 2);
		CHECK(i > 0 ? WIFSIGNALED(t.end.status)
			    : WIFEXITED(t.end.status) && WEXITSTATUS(t.end.status) == 7);
		for (int k = 0; k < 100 && count_marked(marker); k++)
			usleep(20000);
		CHECK_INT(count_marked(marker), 0);
	}
	end_trial(&t);
}

static void test_not_executed(void)
{
	const char *argv[] = { "/irdiff-run/w/nothing", NULL };
	struct trial t;

	begin_trial(&t, "p", false);
	run_in_trial(&t, argv[0], argv, 30);
	CHECK(t.end.traced && !t.end.started);
	CHECK_STR(t.end.failed_step, "execute");
	CHECK_INT(t.end.error, ENOENT);
	end_trial(&t);
}

#ifdef __x86_64__
/* It would be told the truth: it is as if it could not be traced. */
static void test_foreign(void)
{
	const char *words[] = { "foreign", NULL, NULL };
	struct trial t;

	begin_trial(&t, "p", false);
	tell(&t, words);
	CHECK(!t.end.traced && !t.end.started);
	CHECK_STR(t.end.failed_step, "trace a program for another machine");
	end_trial(&t);
}
#endif

/* ---- sandboxes ---- */

/* From here on, in this process: a call is refused. False: there are no such filters here. */
static bool refuse(unsigned number)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof code / sizeof code[0], code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

/* Runs `tells numbers paths machine` where these calls are refused: its output, the caller's. */
static char *told_without(unsigned first, unsigned second, struct process_end *ended)
{
	const char *words[] = { "numbers", "paths", "machine" };
	struct trial t;
	char text[OUTPUT_MAX / 16] = "";
	int ends[2], status;

	begin_trial(&t, "p", false);
	REQUIRE_INT(pipe(ends), 0);
	pid_t pid = fork();
	REQUIRE(pid >= 0);
	if (pid == 0) {
		if (!refuse(first) || !refuse(second))
			_exit(77);
		tell(&t, words);
		if (write(ends[1], &t.end, sizeof t.end) < 0 ||
		    write(ends[1], t.output, strlen(t.output)) < 0)
			_exit(1);
		_exit(0);
	}
	close(ends[1]);
	REQUIRE(read(ends[0], ended, sizeof *ended) == sizeof *ended);
	size_t size = 0;
	for (ssize_t n; (n = read(ends[0], text + size, sizeof text - 1 - size)) > 0;)
		size += (size_t)n;
	close(ends[0]);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	end_trial(&t);
	return strdup(text);
}

static void test_sandboxes(void)
{
	struct process_end ended;
	char *all = told_without(SYS_acct, SYS_acct, &ended);

	CHECK(ended.traced && !ended.status);
	/* As Docker's filter does; and as older ones do. */
	char *some = told_without(SYS_personality, SYS_acct, &ended);
	CHECK(ended.traced && !ended.status);
	CHECK_STR(some, all);
	free(some);
	some = told_without(SYS_process_vm_readv, SYS_process_vm_writev, &ended);
	CHECK(ended.traced && !ended.status);
	CHECK_STR(some, all);
	free(some);
	free(all);
	free(told_without(SYS_ptrace, SYS_acct, &ended));
	CHECK(!ended.traced && !ended.started);
	CHECK_STR(ended.failed_step, "trace it");
	CHECK_INT(ended.error, EPERM);
}

TEST_MAIN("guest", { "paths that are seen", test_seen_paths },
	  { "numbers of processes", test_pids },
	  { "what a program is told is the same everywhere", test_same },
	  { "what it does works", test_works }, { "makers that are killed", test_orphans },
	  { "a shell and its programs", test_shell }, { "scripts", test_script },
	  { "a file in the place of another", test_cover },
	  { "paths only, as for a build", test_paths_only },
	  { "what it leaves ends with it", test_ends },
	  { "a program that is not there", test_not_executed },
#ifdef __x86_64__
	  { "a program for another machine", test_foreign },
#endif
	  { "sandboxes", test_sandboxes })
