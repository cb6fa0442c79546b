#include "src/commits/build_area.h"

#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "src/commits/build_tools.h"
#include "src/commits/kept_files.h"
#include "src/run/command.h"
#include "src/run/process.h"
#include "src/run/workspace.h"
#include "src/store/cache.h"
#include "src/store/files.h"

/* The directory is not below the project: its path would change counts where tracing is refused,
 * and git, cargo and others would find the project around it. It is not in /tmp, which is often
 * memory. */
#define PLACES "/var/tmp"

/* A launcher runs where only the project's directory is known to be the same. */
static int choose_places(struct build_area *w, struct cg_error *err)
{
	bool shared = jobs_have_launcher(&w->options.jobs);
	if (asprintf(&w->places, "%s%s", shared ? w->project->root : PLACES,
		     shared ? "/.irdiff" : "") < 0) {
		w->places = NULL;
		return cg_fail_nomem(err);
	}
	return shared ? store_prepare_data(w->project->root, err) : CG_OK;
}

/* Measurements that a commit brings along were not made here: they could be whatever makes that
 * commit pass. */
static int check_own_directory(const struct build_area *w, struct cg_error *err)
{
	char *path, *tracked = NULL;

	if (asprintf(&path, "%s.irdiff", w->git->prefix) < 0)
		return cg_fail_nomem(err);
	const char *const args[] = { "--literal-pathspecs", "ls-files", "--", path, NULL };
	int status = git_run(w->git, &(struct git_call){ .args = args }, &tracked, NULL, err);
	if (!status && *tracked)
		status = cg_fail(
			err, CG_EINVAL, path, 0,
			"tracked by git, so a commit could add measurements that nobody made; run git rm -r "
			"--cached '%s', and ignore it",
			path);
	free(tracked);
	free(path);
	return status;
}

int build_area_open(struct build_area *w, const struct project *project,
		    const struct build_area_options *options, struct cg_error *err)
{
	*w = (struct build_area){
		.project = project, .options = *options, .here.slot.fd = -1, .aside.slot.fd = -1
	};
	w->options.jobs.notices = project->notices;
	int status = interrupts_open(&w->interrupts, err);
	if (status)
		return status;
	w->open = true;
	status = choose_places(w, err);
	if (status)
		return status;
	slot_sweep(w->places, empty_directory);
	workspace_sweep();
	status = git_open(project->root, &w->interrupts, &w->git, err);
	if (!status)
		status = check_own_directory(w, err);
	if (!status)
		status = cache_prepare(project->root, err);
	if (!status)
		status = project_clean_cache(project, err);
	if (!status)
		status = store_work_begin(project->root, &w->scratch, err);
	if (!status)
		status = store_secret(project->root, &w->secret, err);
	const struct build_tools tools = { w->options.valgrind, &w->interrupts, w->git,
					   project->config, &w->secret };
	if (!status)
		status = build_tools_describe(&tools, &w->tools, err);
	/* What cannot be traced must run alone. */
	if (!status && !build_tools_trace(w->tools) && !jobs_have_launcher(&w->options.jobs))
		w->options.jobs.at_once = 1;
	return status;
}

void build_area_close(struct build_area *w)
{
	if (!w->open)
		return;
	build_area_record(w);
	build_area_clear(w);
	slot_drop(&w->here.slot);
	slot_drop(&w->aside.slot);
	free(w->places);
	store_work_end(&w->scratch);
	git_close(w->git);
	free(w->tools);
	strings_free(&w->copied_files);
	path_list_free(&w->said_other_keys);
	path_states_free(&w->states);
	content_changes_free(&w->content_changes);
	free(w->copied_from);
	free(w->copied);
	interrupts_close(&w->interrupts);
	w->open = false;
}

/* Builds may leave directories without permissions, or with paths that are too long; chmod(1)
 * and rm(1) can handle them. */
static void empty_stubborn(struct build_area *w)
{
	const char *const chmod[] = { "chmod", "-R", "u+rwX", "--", w->here.slot.path, NULL };
	const char *const rm[] = { "find",      w->here.slot.path,
				   "-mindepth", "1",
				   "-maxdepth", "1",
				   "-exec",     "rm",
				   "-rf",       "--",
				   "{}",        "+",
				   NULL };
	const char *const *const commands[] = { chmod, rm };
	const char *const environment[] = { "PATH=/usr/bin:/bin", NULL };

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		char *path, *output;
		if (command_which(commands[i][0], "/", "/usr/bin:/bin", &path, NULL))
			continue;
		if (process_output(path, commands[i], environment, "/", NULL, &output, NULL) ==
		    CG_OK)
			free(output);
		free(path);
	}
}

void build_area_note_names(struct build_area *w, char *names)
{
	if (w->here.build_names)
		unlink(w->here.build_names);
	free(w->here.build_names);
	w->here.build_names = names;
}

static void clear_place(struct build_area *w)
{
	kept_files_save(w);
	if (w->here.slot.path && empty_directory(w->here.slot.path, NULL)) {
		empty_stubborn(w);
		if (empty_directory(w->here.slot.path, NULL))
			notice_warning(w->project->notices, "cannot remove %s", w->here.slot.path);
	}
	w->here.occupant = NULL;
	w->here.is_built = false;
	build_area_note_names(w, NULL);
	w->here.was_full = false;
}

static void swap_places(struct build_area *w)
{
	const struct build_place here = w->here;

	w->here = w->aside;
	w->aside = here;
}

void build_area_clear(struct build_area *w)
{
	clear_place(w);
	swap_places(w);
	clear_place(w);
	swap_places(w);
}

void build_area_record(struct build_area *w)
{
	record_found(w->project->notices, w->project->root, &w->found);
}

void build_area_leave(struct build_area *w, const struct revision *side)
{
	build_area_record(w);
	for (int i = 0; i < 2; i++) {
		if (w->here.occupant == side)
			clear_place(w);
		swap_places(w);
	}
}

/* ---- two places ------------------------------------------------------------ */

static uint64_t free_space(const char *path)
{
	struct statvfs fs;

	return statvfs(path, &fs) ? 0 : (uint64_t)fs.f_bavail * fs.f_frsize;
}

/* Whether the disk holds as much once more, and then a build's temporary files. */
static bool has_space_for_another(const struct build_place *place)
{
	const uint64_t left = free_space(place->slot.path);
	const uint64_t used = place->free > left ? place->free - left : 0;

	return left / 2 > used;
}

bool build_area_is_full(const struct build_area *w)
{
	enum { ALMOST_NOTHING = 1 << 20 };

	return free_space(w->here.slot.path) < ALMOST_NOTHING;
}

bool build_area_set_aside(struct build_area *w)
{
	if (!has_space_for_another(&w->here))
		return false;
	kept_files_copy(w);
	swap_places(w);
	clear_place(w);
	return true;
}

bool build_area_return(struct build_area *w, const struct revision *side)
{
	if (w->aside.occupant != side || !w->aside.is_built)
		return false;
	swap_places(w);
	return true;
}

int build_area_take_place(struct build_area *w, struct revision *side, struct cg_error *err)
{
	int status = w->here.slot.path ? CG_OK : slot_take(w->places, &w->here.slot, err);
	if (status)
		return status;
	clear_place(w);
	status = empty_directory(w->here.slot.path, err);
	w->here.free = free_space(w->here.slot.path);
	if (!status)
		w->here.occupant = side;
	return status;
}

int build_area_scratch(struct build_area *w, char **path, struct cg_error *err)
{
	if (asprintf(path, "%s/%zu", w->scratch.path, w->taken++) < 0)
		return cg_fail_nomem(err);
	int status = make_directories(*path, err);
	if (status)
		free(*path);
	return status;
}

enum ending build_area_failed(const struct build_area *w, const struct notices *n,
			      const struct cg_error *err)
{
	return w->interrupts.signal ? ended_by_signal(w->interrupts.signal) : notice_error(n, err);
}

enum ending build_area_nomem(const struct build_area *w)
{
	struct cg_error err;

	cg_fail_nomem(&err);
	return notice_error(w->project->notices, &err);
}
