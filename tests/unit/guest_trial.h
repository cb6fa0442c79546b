/* Runs programs as a benchmark is run, but without Valgrind. */
#ifndef TESTS_UNIT_GUEST_TRIAL_H
#define TESTS_UNIT_GUEST_TRIAL_H

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/memory_file.h"
#include "src/run/workspace.h"
#include "tests/unit/harness.h"

#define OUTPUT_MAX (1 << 20)

struct trial {
	char top[64]; /* a directory of its own */
	char project[PATH_MAX];
	struct workspace workspace;
	struct process_end end;
	char *output;
};

TEST_UNUSED static void make_in(const char *dir, const char *name, bool directory)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	if (directory) {
		REQUIRE_INT(mkdir(path, 0755), 0);
	} else {
		int fd = open(path, O_WRONLY | O_CREAT, 0644);
		REQUIRE(fd >= 0);
		close(fd);
	}
}

/* A project at a path that ends in `name`, with files that were made in another order. */
TEST_UNUSED static void begin_trial(struct trial *t, const char *name, bool backwards)
{
	static const char *const hidden[] = { "hidden", "not-there", NULL };
	char path[PATH_MAX + 64];

	*t = (struct trial){ .top = "/tmp/irdiff-test-guest-XXXXXX" };
	REQUIRE(mkdtemp(t->top) != NULL);
	make_in(t->top, "output", true);
	make_in(t->top, name, true);
	snprintf(t->project, sizeof t->project, "%s/%s", t->top, name);
	make_in(t->project, "many", true);
	make_in(t->project, "hidden", true);
	make_in(t->project, "hidden/secret", false);
	for (int i = 0; i < 300; i++) {
		snprintf(path, sizeof path, "many/%03d-%s", backwards ? 299 - i : i, "name");
		make_in(t->project, path, false);
	}
	snprintf(path, sizeof path, "%s/output", t->top);
	REQUIRE_INT(workspace_open(&t->workspace, t->project, "/bin", path, WORKSPACE_TRACED, NULL),
		    0);
	REQUIRE_INT(workspace_hide(&t->workspace, hidden, NULL), 0);
}

TEST_UNUSED static void run_in_trial(struct trial *t, const char *path, const char *const *argv,
				     unsigned timeout)
{
	const char *envp[] = { "PATH=/usr/bin:/bin", NULL };
	int out = -1;

	REQUIRE_INT(memory_file_make("output", NULL, 0, &out, NULL), 0);
	struct process process = { .path = path,
				   .argv = argv,
				   .envp = envp,
				   .cwd = "/irdiff-run/w",
				   .stdout_fd = out,
				   .stderr_fd = out,
				   .fixed_layout = true,
				   .fixed_limits = true,
				   .cpu = -1,
				   .timeout = timeout };
	workspace_apply(&t->workspace, &process);
	REQUIRE_INT(process_run(&process, NULL, &t->end, NULL), 0);
	free(t->output);
	t->output = memory_file_text(out, OUTPUT_MAX, NULL);
	REQUIRE(t->output != NULL);
	close(out);
}

TEST_UNUSED static void end_trial(struct trial *t)
{
	char command[PATH_MAX + 64];

	free(t->output);
	workspace_close(&t->workspace);
	snprintf(command, sizeof command, "rm -rf %s", t->top);
	REQUIRE_INT(system(command), 0);
}

#endif
