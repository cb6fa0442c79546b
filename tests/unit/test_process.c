#include "tests/unit/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/process.h"

/* Seconds that no busy machine takes for what ends at once, of the 300 that some programs sleep. */
enum { LONG = 200 };

static void test_process(void)
{
	const char *argv[] = { "/bin/sh", "-c", "echo out; echo problem >&2; exit $CODE", NULL };
	const char *fine[] = { "CODE=0", NULL }, *bad[] = { "CODE=3", NULL };
	struct cg_error err = { 0 };
	char *output = NULL;

	REQUIRE(!process_output("/bin/sh", argv, fine, "/", NULL, &output, &err));
	CHECK_STR(output, "out\n");
	free(output);
	CHECK_INT(process_output("/bin/sh", argv, bad, "/", NULL, &output, &err), CG_EIO);
	CHECK_STR(err.message, "failed with status 3: problem");
	CHECK_INT(process_output("/nonexistent", argv, fine, "/", NULL, &output, &err), CG_EIO);
	CHECK(strstr(err.message, "execute: No such file") != NULL);
	CHECK_INT(process_output("/bin/sh", argv, fine, "/nonexistent", NULL, &output, &err),
		  CG_EIO);
	CHECK(strstr(err.message, "enter the working directory") != NULL);
}

/* Signals below SIGRTMIN are the C library's own: it refuses to change them. */
static void ignore_internal_signals(void)
{
	unsigned long action[16] = { (unsigned long)SIG_IGN };

	for (int signo = 32; signo < SIGRTMIN; signo++)
		syscall(SYS_rt_sigaction, signo, action, NULL, (size_t)(NSIG / 8));
}

/* Nothing of ours reaches the child: no descriptors, signals, umask, terminal. */
static void test_process_state(void)
{
	const char *argv[] = { "/bin/sh", "-c",
			       "ls /proc/self/fd | wc -l; umask; grep -E '^Sig(Blk|Ign)' "
			       "/proc/self/status; readlink /proc/self/fd/0; "
			       "sh -c ': </dev/tty' 2>/dev/null || echo no terminal",
			       NULL };
	const char *envp[] = { "PATH=/usr/bin:/bin", NULL };
	char *output = NULL;

	ignore_internal_signals();
	int fd = open("/dev/null", O_RDONLY); /* inheritable on purpose */
	sighandler_t before = signal(SIGPIPE, SIG_IGN);
	mode_t mask = umask(077);
	int status = process_output("/bin/sh", argv, envp, "/", NULL, &output, NULL);
	umask(mask);
	signal(SIGPIPE, before);
	close(fd);
	REQUIRE(!status);
	/* 0, 1, 2 and the one that ls reads the directory through. */
	CHECK_STR(output, "4\n0022\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"
			  "/dev/null\nno terminal\n");
	free(output);
}

static void test_process_limits(void)
{
	char prlimit[] = "/proc/self/limits";
	const char *argv[] = { "/bin/sed", "-n", "s/^Max \\(open files\\|stack size\\) *//p",
			       prlimit, NULL };
	const char *envp[] = { NULL };
	char path[] = "/tmp/irdiff-limits-XXXXXX", line[300] = "";
	struct process_end end;
	int fd = mkstemp(path);

	REQUIRE(fd >= 0);
	unlink(path);
	struct process process = {
		.path = argv[0],
		.argv = argv,
		.envp = envp,
		.cwd = "/",
		.stdout_fd = fd,
		.stderr_fd = -1,
		.fixed_limits = true,
	};
	REQUIRE(!process_run(&process, NULL, &end, NULL) && end.started && !end.status);
	CHECK(pread(fd, line, sizeof line - 1, 0) > 0);
	close(fd);
	unsigned long soft = 0, hard = 0;
	const char *second = strchr(line, '\n');
	CHECK_INT(sscanf(line, "%lu %lu", &soft, &hard), 2);
	CHECK_U64(soft, hard);
	CHECK(soft && soft <= PROCESS_STACK);
	REQUIRE(second != NULL);
	CHECK_INT(sscanf(second, "%lu %lu", &soft, &hard), 2);
	CHECK_U64(soft, hard);
	CHECK(soft && soft <= PROCESS_FILES);
	CHECK(process_first_cpu() >= 0);
}

static void test_process_timeout(void)
{
	const char *argv[] = { "/bin/sleep", "300", NULL }, *envp[] = { NULL };
	struct process process = { .path = "/bin/sleep",
				   .argv = argv,
				   .envp = envp,
				   .stdout_fd = -1,
				   .stderr_fd = -1,
				   .timeout = 1 };
	struct process_end end;

	REQUIRE(!process_run(&process, NULL, &end, NULL));
	CHECK(end.started);
	CHECK(end.timed_out);
	CHECK(WIFSIGNALED(end.status));
	CHECK(end.seconds < LONG);

	const char *stubborn[] = { "/bin/sh", "-c", "trap '' TERM; while :; do :; done", NULL };
	process.path = "/bin/sh";
	process.argv = stubborn;
	REQUIRE(!process_run(&process, NULL, &end, NULL));
	CHECK(end.timed_out);
	CHECK_INT(WTERMSIG(end.status), SIGKILL);
	CHECK(end.seconds < LONG);
}

static void test_process_interrupt(void)
{
	const char *argv[] = { "/bin/sh", "-c", "kill -TERM $PPID; exec sleep 300", NULL };
	const char *envp[] = { "PATH=/usr/bin:/bin", NULL };
	struct process process = {
		.path = "/bin/sh", .argv = argv, .envp = envp, .stdout_fd = -1, .stderr_fd = -1
	};
	struct process_end end;
	sigset_t mask;

	REQUIRE(!process_run(&process, NULL, &end, NULL));
	CHECK_INT(end.interrupted_by, SIGTERM);
	CHECK(end.seconds < LONG);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	CHECK(!sigismember(&mask, SIGTERM));
}

/* A signal that came too late for the inner one to take is the outer one's. */
static void test_nested_interrupts(void)
{
	struct interrupts outer, inner;

	REQUIRE(!interrupts_open(&outer, NULL));
	REQUIRE(!interrupts_open(&inner, NULL));
	kill(getpid(), SIGTERM);
	interrupts_close(&inner);
	CHECK_INT(inner.signal, 0);
	CHECK_INT(interrupts_take(&outer), 1);
	CHECK_INT(outer.signal, SIGTERM);
	interrupts_close(&outer);
}

/* How many processes have this variable in their environment. */
static int count_marked(const char *marker)
{
	const char *script = "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | "
			     "grep -c -x \"$1\" || :";
	const char *argv[] = { "/bin/sh", "-c", script, "sh", marker, NULL };
	const char *envp[] = { "PATH=/usr/bin:/bin", NULL };
	char *output = NULL;

	REQUIRE(!process_output("/bin/sh", argv, envp, "/", NULL, &output, NULL));
	int count = atoi(output);
	free(output);
	return count;
}

/* With `reap`, what the program leaves in sessions of its own ends as well, in
 * whatever way the program does. */
static void test_process_reap(void)
{
	static const char *const scripts[] = {
		"exit 7",
		"kill -9 $$",
		"sleep 300",
		"trap '' TERM; while :; do sleep 1; done",
	};
	char marker[64], script[256];
	const char *argv[] = { "/bin/sh", "-c", script, NULL };
	const char *envp[] = { "PATH=/usr/bin:/bin", marker, NULL };
	struct process process = { .path = "/bin/sh",
				   .argv = argv,
				   .envp = envp,
				   .stdout_fd = -1,
				   .stderr_fd = -1,
				   .reap = true };
	struct process_end end;

	snprintf(marker, sizeof marker, "REAP=%d", (int)getpid());
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		snprintf(script, sizeof script,
			 "setsid sh -c 'setsid sleep 300 & sleep 300' & sleep 0.2; %s", scripts[i]);
		process.timeout = i < 2 ? 0 : 1;
		REQUIRE(!process_run(&process, NULL, &end, NULL));
		CHECK(end.started);
		CHECK_INT(end.timed_out, i >= 2);
		CHECK(i > 0 ? WIFSIGNALED(end.status) : WIFEXITED(end.status));
		CHECK(end.seconds < LONG);
		CHECK_INT(count_marked(marker), 0);
	}
}

/* … and when irdiff itself is killed. */
static void test_process_orphaned(void)
{
	char marker[64];
	const char *argv[] = { "/bin/sh", "-c", "setsid sleep 300 & kill -9 $IRDIFF; sleep 300",
			       NULL };
	char irdiff[64];
	const char *envp[] = { "PATH=/usr/bin:/bin", marker, irdiff, NULL };
	struct process process = { .path = "/bin/sh",
				   .argv = argv,
				   .envp = envp,
				   .stdout_fd = -1,
				   .stderr_fd = -1,
				   .reap = true };
	struct process_end end;

	snprintf(marker, sizeof marker, "ORPHANED=%d", (int)getpid());
	pid_t pid = fork();
	REQUIRE(pid >= 0);
	if (pid == 0) {
		snprintf(irdiff, sizeof irdiff, "IRDIFF=%d", (int)getpid());
		process_run(&process, NULL, &end, NULL);
		_exit(0);
	}
	int status;
	CHECK_INT(waitpid(pid, &status, 0), pid);
	CHECK(WIFSIGNALED(status));
	for (int i = 0; i < 3000 && count_marked(marker); i++)
		usleep(20000);
	CHECK_INT(count_marked(marker), 0);
}

/* Output beyond the limit is removed while the program runs, which continues; its end is kept. */
static void test_process_output_limit(void)
{
	enum { LIMIT = 1 << 20, MOST = LIMIT + (65 << 10) };
	const char *argv[] = { "/bin/sh", "-c",
			       "head -c 41943040 /dev/zero | tr '\\0' x; i=0; "
			       "while [ $(stat -Lc %b /proc/self/fd/3) -gt 8192 ]; do "
			       "i=$((i + 1)); [ $i -lt 500 ] || exit 3; sleep 0.02; done 3>&1; "
			       "echo the end",
			       NULL };
	const char *envp[] = { "PATH=/usr/bin:/bin", NULL };
	char path[] = "/tmp/irdiff-process-XXXXXX";
	struct process process = { .path = "/bin/sh",
				   .argv = argv,
				   .envp = envp,
				   .stdout_fd = mkostemp(path, O_APPEND),
				   .stderr_fd = -1,
				   .timeout = LONG,
				   .most_output = LIMIT };
	struct process_end end;
	struct stat st;
	char text[100] = "", tail[9] = "";

	REQUIRE(process.stdout_fd >= 0);
	REQUIRE_INT(process_run(&process, NULL, &end, NULL), CG_OK);
	CHECK_INT(end.status, 0);
	REQUIRE(!fstat(process.stdout_fd, &st));
	CHECK(st.st_size > LIMIT && st.st_size < MOST);
	CHECK(pread(process.stdout_fd, text, sizeof text - 1, LIMIT - 1) > 0);
	CHECK(strncmp(text,
		      "x\n[irdiff: output after the first 1 MiB was dropped, except for its end:]\nxxx",
		      77) == 0);
	CHECK(pread(process.stdout_fd, tail, 8, st.st_size - 8) == 8);
	CHECK_STR(tail, "the end\n");
	close(process.stdout_fd);
	unlink(path);
}

TEST_MAIN("process", { "helpers", test_process }, { "the state of a child", test_process_state },
	  { "fixed limits", test_process_limits }, { "a timeout", test_process_timeout },
	  { "an interrupt", test_process_interrupt },
	  { "interrupts within interrupts", test_nested_interrupts },
	  { "a limit of its output", test_process_output_limit },
	  { "what a program leaves running", test_process_reap },
	  { "the end of irdiff", test_process_orphaned })
