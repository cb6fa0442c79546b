#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/support/number.h"
#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cmd/command.h"
#include "src/config/config.h"
#include "src/config/file.h"
#include "src/git/git.h"
#include "src/init/build_command.h"
#include "src/init/survey.h"
#include "src/init/write_config.h"
#include "src/init/write_job.h"
#include "src/init/write_skill.h"
#include "src/measure/count_twice.h"
#include "src/measure/time_natively.h"
#include "src/run/build.h"
#include "src/status/progress.h"
#include "src/store/beneath.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"
#include "src/text/text.h"

/* With --time: a benchmark that takes longer than this is a comment. */
#define SLOW_SECONDS 10
#define SLOW_WORDS "10 s, about 8 minutes under Valgrind"

#define GIT_CONFIG_BYTES_MAX (1024 * 1024)
#define GITHUB_DIRECTORY ".github/workflows"
#define GITHUB_WORKFLOW GITHUB_DIRECTORY "/irdiff.yml"
#define GITLAB_JOB "irdiff.gitlab-ci.yml"

struct init_settings {
	const char *ci;
	bool force;
	bool skill;
	bool time;
};

static const struct command_help help = {
	"init",
	(const char *const[]){ "[DIR] [OPTIONS]", NULL },
	"Detects how the project in DIR (default: the current directory) is built (Cargo, Go, CMake, Meson,\n"
	"configure, Python, Node.js, make) and which benchmarks it has. Writes an irdiff.yml that builds it\n"
	"and measures them, or its tests if it has no benchmarks, with every setting explained, and a CI\n"
	"configuration that checks each pull request. Review and edit both. Existing files are kept.\n"
	"Nothing of the project is run, unless you ask for --time.",
	.takes_command = false,
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "DIR", NULL },
};

static bool parse_init_options(struct init_settings *s, int argc, char **argv,
			       struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "ci", 0, OPTION_CHOICE, &s->ci, "auto|github|gitlab|none",
		  "CI to write a configuration for; auto: the one that the project uses (auto)" },
		{ "time", 0, OPTION_SWITCH, &s->time, NULL,
		  "build the project, run each benchmark, and leave out those that fail, are slow, or run for a fixed time" },
		{ "force", 0, OPTION_SWITCH, &s->force, NULL, "replace existing files" },
		{ "skill", 0, OPTION_SWITCH, &s->skill, NULL,
		  "also write SKILL.md, which tells coding agents how to use irdiff" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* ---- which CI ---- */

static bool example_file_exists(const char *dir, const char *name, struct cg_error *err,
				int *status)
{
	struct stat st;
	char *path;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		*status = cg_fail_nomem(err);
		return false;
	}
	bool there = lstat(path, &st) == 0;
	free(path);
	return there;
}

/* The service that hosts the repository, from the remotes in .git/config. */
static int hosted_by(const char *dir, const char **ci, struct cg_error *err)
{
	char *path, *text;
	size_t len;

	*ci = "none";
	if (asprintf(&path, "%s/.git/config", dir) < 0)
		return cg_fail_nomem(err);
	/* In a worktree .git is a file; it may also be missing. */
	if (config_file_read(path, GIT_CONFIG_BYTES_MAX, &text, &len, NULL) == CG_OK) {
		*ci = memmem(text, len, "github", 6)   ? "github"
		      : memmem(text, len, "gitlab", 6) ? "gitlab"
						       : "none";
		free(text);
	}
	free(path);
	return CG_OK;
}

static int choose_ci(const struct init_settings *s, const char *dir, const char **ci,
		     struct cg_error *err)
{
	int status = CG_OK;

	*ci = s->ci;
	if (strcmp(s->ci, "auto") != 0)
		return CG_OK;
	if (example_file_exists(dir, ".github", err, &status))
		*ci = "github";
	else if (example_file_exists(dir, ".gitlab-ci.yml", err, &status))
		*ci = "gitlab";
	else if (!status)
		status = hosted_by(dir, ci, err);
	return status;
}

/* ---- files ---- */

/* irdiff.yml, at most one for a CI, and those of the skill. */
struct init_plan {
	const char *dir;
	struct survey survey;
	const char *ci;
	const char *job; /* the file for the CI; NULL: none */
	struct skill_files skill;
	bool only_skill;    /* the project has an irdiff.yml */
	bool built;         /* and its benchmarks were run */
	enum ending ending; /* if that ended init */
};

static int refuse_to_replace(const struct init_plan *p, const char *name, struct cg_error *err)
{
	int status = CG_OK;
	if (example_file_exists(p->dir, name, err, &status))
		return cg_fail(err, CG_EINVAL, name, 0,
			       "already exists; use --force to replace it%s",
			       strcmp(name, CONFIG_NAME) == 0
				       ? ""
				       : ", or --ci=none to write only " CONFIG_NAME);
	return status;
}

/* One that was killed has left one file whole and the other begun, which is not written again. */
static int sweep(const struct init_plan *p, const char *name, struct cg_error *err)
{
	char *path;

	if (asprintf(&path, "%s/%s", p->dir, name) < 0)
		return cg_fail_nomem(err);
	beneath_sweep(p->dir, path);
	free(path);
	return CG_OK;
}

static int write_example_file(const struct init_plan *p, const char *name, const char *text,
			      size_t size, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	char *path;

	if (asprintf(&path, "%s/%s", p->dir, name) < 0)
		return cg_fail_nomem(err);
	int status = beneath_new_file(p->dir, path, &file, &to, err);
	if (!status) {
		fwrite(text, 1, size, to);
		status = new_file_commit(file, err);
	}
	free(path);
	return status;
}

/* irdiff must be able to read what it writes. */
static int compose_config(const struct init_plan *p, char **text, size_t *size,
			  struct config **config, struct cg_error *err)
{
	FILE *to = open_memstream(text, size);

	if (!to)
		return cg_fail_nomem(err);
	write_config(&p->survey, to);
	bool failed = ferror(to);
	if (fclose(to) != 0 || failed)
		return cg_fail_nomem(err);
	int status = config_parse(*text, *size, CONFIG_NAME, config, err);
	if (status)
		cg_error_context(err, "cannot write a valid file for this project");
	return status;
}

static int compose_job(const struct init_plan *p, bool github, char **text, size_t *size,
		       struct cg_error *err)
{
	FILE *to = open_memstream(text, size);

	if (!to)
		return cg_fail_nomem(err);
	(github ? write_github_workflow : write_gitlab_job)(&p->survey, to);
	bool failed = ferror(to);
	return fclose(to) != 0 || failed ? cg_fail_nomem(err) : CG_OK;
}

static int write_job(const struct init_plan *p, struct cg_error *err)
{
	bool github = strcmp(p->ci, "github") == 0;
	char *path = NULL, *text = NULL;
	size_t size;

	if (!p->job)
		return CG_OK;
	int status = compose_job(p, github, &text, &size, err);
	if (!status && github)
		status = asprintf(&path, "%s/" GITHUB_DIRECTORY, p->dir) < 0
				 ? cg_fail_nomem(err)
				 : beneath_make_directories(p->dir, path, err);
	if (!status)
		status = write_example_file(p, p->job, text, size, err);
	free(path);
	free(text);
	return status;
}

/* ---- how long benchmarks take ---- */

static int fail_init_build(struct init_plan *p, const struct build_result *r, struct cg_error *err)
{
	notice_output(&terminal_notices, r->tail);
	p->ending = r->interrupted_by ? ended_by_signal(r->interrupted_by) : ENDED_BENCHMARK_FAILED;
	if (r->interrupted_by || r->term_signal)
		return cg_fail(err, CG_EIO, NULL, 0, "the build was interrupted by signal %d",
			       r->interrupted_by ? r->interrupted_by : r->term_signal);
	return cg_fail(err, CG_EIO, NULL, 0,
		       "the build failed with status %d, and nothing was written; without --time, "
		       "init writes a file to edit",
		       r->exit_status);
}

/* In the project itself, where the user would build it. */
static int build_in_place(struct init_plan *p, const struct config *config, const char *root,
			  struct cg_error *err)
{
	struct work_directory work = { 0 };
	struct build_result result = { 0 };
	char *log = NULL;

	if (!config->build.argc)
		return CG_OK;
	int status = store_prepare_data(root, err);
	if (!status)
		status = store_work_begin(root, &work, err);
	if (!status && asprintf(&log, "%s/build.log", work.path) < 0)
		status = cg_fail_nomem(err);
	if (!status) {
		const struct build_request request = {
			.argv = (const char *const *)config->build.argv,
			.root = root,
			.cwd = root,
			.log = log,
			.in_place = true,
		};
		struct progress *progress = progress_begin(&terminal_notices, "building", root);
		status = run_build(&request, NULL, &result, err);
		progress_end(progress);
	}
	if (!status && !result.built)
		status = fail_init_build(p, &result, err);
	build_result_free(&result);
	free(log);
	store_work_end(&work);
	return status;
}

/* One line for a comment of irdiff.yml, as a message may name files of the project. */
static void set_trouble(struct survey_bench *b, const char *why)
{
	snprintf(b->trouble, sizeof b->trouble, "Left out: %.180s", why);
	for (char *c = b->trouble; *c; c++)
		*c = *c < ' ' || *c > '~' ? '?' : *c;
}

/* What repeats its work until a time is over ends under Valgrind as soon as without; any other
 * program takes some 50 times as long, and is not looked at here unless that is short. */
static int leave_out_if_timed(struct init_plan *p, struct survey_bench *b,
			      const struct config_benchmark *benchmark, const char *root,
			      struct cg_error *err)
{
	enum { TIMES = 5, LEAST = 4, PART = 500 };
	char least[TEXT_NUMBER], most[TEXT_NUMBER];
	struct spread totals;

	if (b->harness) /* runs each case once */
		return CG_OK;
	if (!count_twice(benchmark, root, &terminal_notices, 2 * TIMES * b->seconds + LEAST,
			 &totals, &p->ending))
		return p->ending ? cg_fail(err, CG_EIO, NULL, 0, "interrupted") : CG_OK;
	if (cg_distance(totals.min, totals.max) <= (uint64_t)totals.min / PART)
		return CG_OK;
	snprintf(
		b->trouble, sizeof b->trouble,
		"Left out: it executes %s instructions in one run and %s in another, as if it ran for a "
		"fixed time; give it a fixed number of rounds",
		text_cost(totals.min, least), text_cost(totals.max, most));
	return CG_OK;
}

static int time_one(struct init_plan *p, struct survey_bench *b, const struct config *config,
		    const char *root, struct cg_error *err)
{
	const struct config_benchmark *benchmark = config_benchmark(config, b->name);
	struct run_result result;
	struct cg_error why = { 0 };

	if (!benchmark)
		return CG_OK;
	struct progress *progress = progress_begin(&terminal_notices, "running", b->name);
	int status = time_natively(benchmark, root, SLOW_SECONDS, &result, &why);
	progress_end(progress);
	switch (result.failure) {
	case RUN_MEASURED:
		b->seconds = result.seconds;
		status = leave_out_if_timed(p, b, benchmark, root, err);
		run_result_free(&result);
		return status;
	case RUN_TIMED_OUT:
		set_trouble(b, "it takes more than " SLOW_WORDS);
		break;
	case RUN_BENCHMARK_FAILED:
	case RUN_BAD_COMMAND:
	case RUN_BAD_REQUEST:
		set_trouble(b, why.message);
		break;
	case RUN_INTERRUPTED:
		p->ending = ended_by_signal(result.interrupted_by);
		/* fall through */
	default: /* not the benchmark's fault */
		*err = why;
		run_result_free(&result);
		return status;
	}
	run_result_free(&result);
	return CG_OK;
}

static int time_benchmarks(struct init_plan *p, struct cg_error *err)
{
	struct config *config = NULL;
	char *text = NULL, *root = realpath(p->dir, NULL);
	size_t size;
	int status = root ? compose_config(p, &text, &size, &config, err) : cg_fail_nomem(err);

	if (!status)
		status = build_in_place(p, config, root, err);
	for (size_t i = 0; !status && i < p->survey.count; i++)
		status = time_one(p, &p->survey.benches[i], config, root, err);
	p->built = !status;
	config_free(config);
	free(text);
	free(root);
	return status;
}

static int write_project_files(const struct init_settings *s, struct init_plan *p,
			       struct cg_error *err)
{
	char *text = NULL;
	size_t size;
	struct config *config = NULL;
	int status = sweep(p, CONFIG_NAME, err);

	if (!status && p->job)
		status = sweep(p, p->job, err);
	if (!status && !s->force)
		status = refuse_to_replace(p, CONFIG_NAME, err);
	if (!status && !s->force && p->job)
		status = refuse_to_replace(p, p->job, err);
	if (!status && s->time)
		status = time_benchmarks(p, err);
	if (!status)
		status = compose_config(p, &text, &size, &config, err);
	if (!status)
		status = write_example_file(p, CONFIG_NAME, text, size, err);
	if (!status)
		status = write_job(p, err);
	config_free(config);
	free(text);
	return status;
}

static int write_example_files(const struct init_settings *s, struct init_plan *p,
			       struct cg_error *err)
{
	int status = s->force ? CG_OK : skill_check(p->dir, &p->skill, err);

	if (!status && !p->only_skill)
		status = write_project_files(s, p, err);
	return status ? status : skill_write(p->dir, &p->skill, err);
}

/* Chooses where the skill is written. With an irdiff.yml, and nothing asked for a CI, it is all
 * that is written. */
static int plan_skill(const struct init_settings *s, struct init_plan *p, struct cg_error *err)
{
	int status = CG_OK;

	skill_choose(p->dir, &p->skill);
	p->only_skill = (strcmp(s->ci, "auto") == 0 || strcmp(s->ci, "none") == 0) &&
			example_file_exists(p->dir, CONFIG_NAME, err, &status);
	return status;
}

/* ---- messages ---- */

static void print_found_benchmarks(const struct survey *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct survey_bench *b = &s->benches[i];
		const struct harness_kind *harness = harness_kind(b->harness);
		printf("  %s in ", b->name);
		text_print_name(stdout, b->from, 0);
		if (b->line)
			printf(":%llu", (unsigned long long)b->line);
		const char *out = survey_why_comment(b) ? "commented out in " CONFIG_NAME : "";
		if (b->harness)
			printf("  (%s%s%s)", harness->name, *out ? ", " : "", out);
		else if (*out)
			printf("  (%s)", out);
		putchar('\n');
		if (*b->trouble)
			printf("    %s\n", b->trouble);
	}
	if (s->left_out)
		printf("  and %zu more, which are not in " CONFIG_NAME "\n", s->left_out);
}

static void print_found_project(const struct init_plan *p)
{
	const struct survey *s = &p->survey;

	printf("Found %s", project_kind_name(s->kind));
	if (s->marker)
		printf(" (%s)", s->marker);
	puts(s->count == 0 ? ", and no benchmarks."
	     : s->tests    ? ", and no benchmarks. These tests are measured instead:"
			   : " and these benchmarks:");
	print_found_benchmarks(s);
	if (s->count == 0) {
		fputs("Looked for ", stdout);
		survey_write_looked(s, stdout);
		puts(".");
	}
	if (*s->below)
		printf("The directory %s has a build system; 'irdiff init %s' looks there.\n",
		       s->below, s->below);
	if (s->incomplete)
		puts("The project has too many files; some were not looked at.");
}

/* Whether git ignores what a line of .gitignore would: "build/", "*.test". */
static bool would_be_ignored(const struct git *git, const char *directory, const char *line)
{
	const bool any = *line == '*';
	char *path;

	if (asprintf(&path, "%s/%s%s/x", directory, any ? "x" : "", line + any) < 0)
		return false;
	const char *const check[] = { "check-ignore", "-q", "--no-index", "--", path, NULL };
	bool ignored = git_says_yes(git, check);
	free(path);
	return ignored;
}

/* "; add build/, profiles/ and .irdiff/ to .gitignore", as far as they are not ignored. */
static void print_unignored(const struct init_plan *p)
{
	const char *const lines[] = { build_results(&p->survey), "profiles/", ".irdiff/" };
	enum { LINES = sizeof lines / sizeof *lines };
	const char *missing[LINES];
	char *directory = realpath(p->dir, NULL);
	struct git *git = NULL;
	size_t count = 0;

	if (directory && git_open(directory, NULL, &git, NULL))
		git = NULL;
	for (size_t i = 0; i < LINES; i++)
		if (*lines[i] && !(git && would_be_ignored(git, directory, lines[i])))
			missing[count++] = lines[i];
	for (size_t i = 0; i < count; i++)
		printf("%s%s", i == 0 ? "; add " : i + 1 < count ? ", " : " and ", missing[i]);
	fputs(count ? " to .gitignore" : "", stdout);
	git_close(git);
	free(directory);
}

static void print_next(const struct init_plan *p)
{
	const struct survey *s = &p->survey;
	const struct survey_bench *first = survey_first_active(s);
	char command[BUILD_COMMAND_SIZE];
	unsigned step = 1;

	printf("Wrote " CONFIG_NAME "%s%s.\n\nNext:\n", p->job ? " and " : "",
	       p->job ? p->job : "");
	printf("  %u. Review " CONFIG_NAME ": %s.\n", step++,
	       first ? "check how it builds and runs the project" : "add a benchmark");
	if (first && !p->built && *build_command(s, command))
		printf("  %u. Build it:      %s\n", step++, command);
	if (first)
		printf("  %u. Try it:        irdiff profile %s\n", step++, first->name);
	if (first && !p->built)
		printf("  %u. Verify it:     irdiff verify %s%s\n", step++, first->name,
		       harness_fixes_rounds(first->harness)
			       ? ""
			       : " (counts of what runs for a fixed time never repeat)");
	if (first && s->tests && !p->built)
		printf("  %u. Remove tests from " CONFIG_NAME
		       " that take too long, or that you do not want to measure.\n",
		       step++);
	if (p->job && strcmp(p->job, GITLAB_JOB) == 0)
		printf("  %u. Include " GITLAB_JOB " in .gitlab-ci.yml.\n", step++);
	if (p->job)
		printf("  %u. Set IRDIFF_REPOSITORY in %s to the address from which to clone irdiff.\n",
		       step++, p->job);
	printf("  %u. Commit %s", step, p->skill.count ? "all of them" : p->job ? "both" : "it");
	print_unignored(p);
	puts(".");
}

static void print_skill(const struct init_plan *p)
{
	for (size_t i = 0; i < p->skill.count; i++)
		printf(p->skill.written[i] ? "Wrote %s, for coding agents.\n"
					   : "%s is up to date.\n",
		       p->skill.names[i]);
}

static int check_directory(const char *dir, struct cg_error *err)
{
	struct stat st;

	if (stat(dir, &st) != 0)
		return cg_fail(err, CG_EIO, dir, 0, "cannot access: %s", strerror(errno));
	return S_ISDIR(st.st_mode) ? CG_OK : cg_fail(err, CG_EINVAL, dir, 0, "is not a directory");
}

int cmd_init(int argc, char **argv)
{
	struct init_settings s = { .ci = "auto" };
	struct arguments args = { 0 };
	struct cg_error err = { 0 };
	struct init_plan plan = { .dir = "." };
	int exit_code;

	if (!parse_init_options(&s, argc, argv, &args, &exit_code))
		goto done;
	if (args.count > 1) {
		exit_code = usage_error("init", "expected at most one directory");
		goto done;
	}
	if (args.count == 1)
		plan.dir = args.operands[0];
	int status = check_directory(plan.dir, &err);
	if (!status && s.skill)
		status = plan_skill(&s, &plan, &err);
	if (!status && !plan.only_skill)
		status = survey_project(plan.dir, &plan.survey, &err);
	if (!status)
		status = choose_ci(&s, plan.dir, &plan.ci, &err);
	if (!status) {
		plan.job = strcmp(plan.ci, "github") == 0   ? GITHUB_WORKFLOW
			   : strcmp(plan.ci, "gitlab") == 0 ? GITLAB_JOB
							    : NULL;
		status = write_example_files(&s, &plan, &err);
	}
	if (!status && !plan.only_skill)
		print_found_project(&plan);
	if (!status)
		print_skill(&plan);
	if (!status && plan.only_skill && s.force)
		puts("Kept " CONFIG_NAME
		     "; run irdiff init --force without --skill to replace it.");
	if (!status && !plan.only_skill)
		print_next(&plan);
	exit_code = status ? print_error(&err) : EXIT_FINE;
	if (plan.ending)
		exit_code = exit_code_of(plan.ending);
done:
	free(args.operands);
	return exit_code;
}
