#include "src/commits/revision_plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/paths.h"
#include "src/commits/build_tools.h"
#include "src/commits/key_text.h"
#include "src/commits/missing_files.h"
#include "src/commits/revision_build.h"
#include "src/commits/revision_results.h"
#include "src/run/command.h"
#include "src/run/count.h"
#include "src/run/freeze.h"
#include "src/store/label.h"

/* Whether a path of the host is in the user's work tree, whatever links lead there. */
static bool is_in_work_tree(const struct build_area *w, const char *path)
{
	char *real = realpath(path, NULL), *top = realpath(w->git->top, NULL);
	bool in = top && cg_path_below(real ? real : path, top);
	free(real);
	free(top);
	return in;
}

int revision_check_freeze(const struct build_area *w, const struct config_benchmark *b,
			  struct cg_error *err)
{
	unsigned kinds = b->freeze;
	char *path = NULL;

	if (build_tools_trace(w->tools))
		kinds &= ~(unsigned)FREEZE_PID;
	if (!kinds || jobs_have_launcher(&w->options.jobs))
		return CG_OK;
	int status = freeze_library(kinds, &path, err);
	free(path);
	if (status == CG_EIO)
		status = err->code = CG_EINTERNAL; /* nothing of the user's is at fault */
	return status;
}

enum ending revision_check_command(const struct build_area *w, const struct config_benchmark *b)
{
	const char *program = b->command.argv[0], *cwd = b->cwd.text;
	char *found = NULL;
	struct cg_error err;
	bool bad = false;

	if (*program == '/')
		bad = is_in_work_tree(w, program);
	else if (!strchr(program, '/') &&
		 !command_which(program, "/", getenv("PATH"), &found, NULL))
		bad = is_in_work_tree(w, found);
	free(found);
	if (!bad && !(cwd && *cwd == '/' && is_in_work_tree(w, cwd)))
		return revision_check_freeze(w, b, &err) ? notice_error(w->project->notices, &err)
							 : ENDED_FINE;
	cg_fail(&err, CG_EINVAL, w->project->config ? w->project->config->path : NULL,
		b->command.line,
		"'%s' takes its %s from the work tree, by an absolute path or PATH, so base and head would "
		"use the same one; use a relative path",
		b->name, bad ? "program" : "cwd");
	return notice_error(w->project->notices, &err);
}

/* Whether a program of the build is not where the benchmark would start it. */
static bool is_program_absent(const struct build_area *w, const struct config_benchmark *b)
{
	const char *program = b->command.argv[0], *cwd = b->cwd.text ? b->cwd.text : ".";
	char *root, *path = NULL;
	struct stat st;

	if (*program == '/' || *cwd == '/' || !strchr(program, '/') ||
	    !(root = revision_project_directory(w)))
		return false;
	if (asprintf(&path, "%s/%s/%s", root, cwd, program) < 0)
		path = NULL;
	const bool absent = path && lstat(path, &st) != 0 && errno == ENOENT;
	free(path);
	free(root);
	return absent;
}

bool revision_lose_new(struct build_area *w, struct revision *side,
		       const struct config_benchmark *b)
{
	/* A bad irdiff.yml, or missing files, may be why the program is not there. */
	if (!side->may_lack || side->gaps || !b->line || (side->has_config && !side->own_config) ||
	    revision_defines(side, b) || !is_program_absent(w, b))
		return false;
	revision_lose(side, b, ENDED_BENCHMARK_FAILED, &(struct measured){ 0 });
	if (side->nlost && side->lost[side->nlost - 1].benchmark == b)
		side->lost[side->nlost - 1].untold = true;
	return true;
}

/* Data that base and head share belongs in copy:; programs are another matter. */
static bool is_program(const char *directory, const char *path)
{
	const char *name = strrchr(path, '/');
	struct stat st;
	char *whole;

	if (asprintf(&whole, "%s/%s", directory, path) < 0)
		return false;
	bool executable = stat(whole, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 0111);
	free(whole);
	return executable || strstr(name ? name : path, ".so");
}

static int list_copied_programs(const struct build_area *w, struct strings *out,
				struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < w->copied_files.count; i++)
		if (is_program(w->copied_from, w->copied_files.items[i]))
			status = strings_add(out, w->copied_files.items[i], err);
	return status;
}

const char *revision_only_case(const struct build_area *w, const struct config_benchmark *b)
{
	const char *only = w->options.only;
	size_t len = only ? label_benchmark_length(only) : 0;
	/* The heap has no cases. */
	const bool of_it = only && strlen(b->name) == len && !strncmp(only, b->name, len) &&
			   only[len] == '/' && !(b->count & COUNT_HEAP);

	return of_it ? only : NULL;
}

int revision_plan_entry(struct build_area *w, const struct revision *side,
			const struct config_benchmark *b, const char *name, const char *text,
			struct revision_plan *p, struct cg_error *err)
{
	*p = (struct revision_plan){
		.m = { .notices = w->project->notices,
		       .root = w->project->root,
		       .label = name,
		       .benchmark = b->name,
		       .quiet = w->options.quiet,
		       .beside = jobs_at_once(&w->options.jobs) > 1,
		       .key = text,
		       .wanted = revision_only_case(w, b),
		       .or_all = true,
		       .replace = true },
		.root = revision_project_directory(w),
	};
	p->checkout = (struct measured_checkout){ w->here.slot.path,
						  p->root,
						  w->git->top,
						  p->name_of_side,
						  side->commit.id,
						  side->files.changed || side->gaps != NULL,
						  side->changes,
						  NULL,
						  NULL };
	const bool is_id = revision_is_called_by_id(side);
	snprintf(p->name_of_side, sizeof p->name_of_side, "%s%s%.*s%s", side->name,
		 is_id ? "" : " (", is_id ? 0 : GIT_ID_SHORT, side->commit.id, is_id ? "" : ")");
	p->m.checkout = &p->checkout;
	if (list_copied_programs(w, &p->copied, err))
		return CG_ENOMEM;
	p->checkout.copied = (const char *const *)p->copied.items;
	if (!p->copied.count) /* of what programs are built elsewhere is not known */
		p->checkout.build_names = w->here.build_names;
	run_request_init(&p->m.request);
	p->m.request.valgrind = w->options.valgrind;
	int status = p->root ? plan_benchmark(&p->plan, b, &p->m.request, err) : cg_fail_nomem(err);
	if (!status && b->line && !(status = definition_of(b, p->definition, err)))
		p->m.definition = p->definition;
	return status;
}

void revision_plan_free(struct revision_plan *p)
{
	plan_free(&p->plan);
	strings_free(&p->copied);
	free(p->root);
}

/* A program that has cases, or has lost some, was found and has run. */
enum ending revision_judge_failure(struct build_area *w, const struct revision *side,
				   const struct config_benchmark *b,
				   const struct measured *measured, enum ending ending)
{
	bool has_run = measured->count || measured->lost.count;

	/* A program that is missing after the build is not a mistake in the command line. */
	if (ending == ENDED_UNUSABLE)
		ending = ENDED_BENCHMARK_FAILED;
	bool failed = ending && !ending_is_signal(ending);
	if (failed && !has_run && !mention_missing_files(w, side, b) && !side->build->argc &&
	    !w->said_no_build) {
		w->said_no_build = true;
		notice_message(w->project->notices,
			       "nothing was built before measuring, because " CONFIG_NAME
			       " has no build: (see --build)");
	}
	return ending;
}
