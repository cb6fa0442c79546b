#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/paths.h"
#include "callgrind/support/grow.h"
#include "src/commits/key_text.h"
#include "src/commits/revision.h"
#include "src/commits/revision_build.h"
#include "src/commits/revision_copy.h"
#include "src/commits/revision_entry.h"
#include "src/commits/revision_key.h"
#include "src/measure/measure.h"
#include "src/measure/plan.h"
#include "src/record/record_run.h"
#include "src/run/command.h"
#include "src/status/ending.h"
#include "src/status/notice.h"
#include "src/store/cache.h"
#include "src/store/sums.h"
#include "src/text/suggest.h"
#include "src/text/text.h"

static enum ending fail_nomem(const struct notices *n)
{
	struct cg_error err;
	cg_fail_nomem(&err);
	return notice_error(n, &err);
}

/* ---- what it is ----------------------------------------------------------- */

/* The irdiff.yml of these files. One that this irdiff cannot read is as good as none where only the
 * build is asked for. */
static int read_config(struct build_area *w, struct revision *side, struct cg_error *err)
{
	char *path, *name, *text = NULL;
	if (asprintf(&path, "%s" CONFIG_NAME, w->git->prefix) < 0)
		return cg_fail_nomem(err);
	int status = snapshot_read(w->git, &side->files, path, &text, err);
	free(path);
	if (status || !text)
		return status;
	if (asprintf(&name, "%s/" CONFIG_NAME, w->project->root) < 0) {
		free(text);
		return cg_fail_nomem(err);
	}
	struct cg_error ignored;
	if (config_parse(text, strlen(text), name, &side->own_config, &ignored))
		notice_warning(w->project->notices, "the " CONFIG_NAME " of %s is not used: %s",
			       side->name, ignored.message);
	free(name);
	free(text);
	return CG_OK;
}

static int complete(struct build_area *w, struct revision *side, struct cg_error *err)
{
	static const struct config_command none;
	int status = git_describe_commit(w->git, side->files.commit, &side->commit, err);

	if (!status)
		status = read_config(w, side, err);
	const struct config *c = side->own_config && side->own_config->build.argc
					 ? side->own_config
					 : w->project->config;
	side->build = w->options.build ? w->options.build : c ? &c->build : &none;
	return status ? status : revision_find_copied(w, err);
}

int revision_of_commit(struct build_area *w, const char *name, const char *commit,
		       struct revision *out, struct cg_error *err)
{
	*out = (struct revision){ .name = strdup(name) };
	int status = out->name ? CG_OK : cg_fail_nomem(err);
	if (!status)
		status = snapshot_of_commit(w->git, commit, &out->files, err);
	return status ? status : complete(w, out, err);
}

int revision_of_work_tree(struct build_area *w, struct revision *out, struct cg_error *err)
{
	char *scratch;
	*out = (struct revision){ .name = strdup("work tree") };
	int status = out->name ? build_area_scratch(w, &scratch, err) : cg_fail_nomem(err);
	if (status)
		return status;
	status = snapshot_of_work_tree(w->git, scratch, &out->files, err);
	free(scratch);
	return status ? status : complete(w, out, err);
}

void revision_free(struct revision *side)
{
	free(side->name);
	git_commit_free(&side->commit);
	snapshot_free(&side->files);
	config_free(side->own_config);
	for (size_t i = 0; i < side->nmeasured; i++)
		free(side->measured[i]);
	free(side->measured);
	for (size_t i = 0; i < side->nlost; i++) {
		path_list_free(&side->lost[i].entries);
		path_list_free(&side->lost[i].cases);
	}
	free(side->lost);
	*side = (struct revision){ 0 };
}

const struct config_command *revision_build(const struct revision *side)
{
	return side->build;
}

bool revision_is_same(const struct revision *a, const struct revision *b)
{
	char *left = snapshot_identity(&a->files), *right = snapshot_identity(&b->files);
	bool same = left && right && strcmp(left, right) == 0;
	free(left);
	free(right);
	return same;
}

/* ---- measuring ------------------------------------------------------------ */

/* Whether a path of the host is in the user's work tree, whatever links lead there. */
static bool is_in_work_tree(const struct build_area *w, const char *path)
{
	char *real = realpath(path, NULL), *top = realpath(w->git->top, NULL);
	bool in = top && cg_path_below(real ? real : path, top);
	free(real);
	free(top);
	return in;
}

/* Both sides would run the same program. */
static enum ending check_command(const struct build_area *w, const struct config_benchmark *b)
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
		return ENDED_FINE;
	cg_fail(&err, CG_EINVAL, w->project->config ? w->project->config->path : NULL,
		b->command.line,
		"'%s' names its %s in the work tree, by an absolute path or by PATH, so that all sides would "
		"have the same: make it relative",
		b->name, bad ? "program" : "cwd");
	return notice_error(w->project->notices, &err);
}

static int remember(struct revision *side, const char *name)
{
	if (cg_grow(&side->measured, &side->measured_cap, side->nmeasured + 1,
		    sizeof *side->measured))
		return CG_ENOMEM;
	char *copy = strdup(name);
	if (!copy)
		return CG_ENOMEM;
	side->measured[side->nmeasured++] = copy;
	return CG_OK;
}

/* `measured` is what it has not lost of it, of which the loss takes the names. Out of memory it is tried
 * again, which does no harm. */
static void lose(struct revision *side, const struct config_benchmark *b, enum ending ending,
		 struct measured *measured)
{
	struct revision_loss loss = { .benchmark = b, .ending = ending };
	int status = CG_OK;

	for (size_t i = 0; measured->lost.count && !status && i < measured->count; i++)
		status = path_list_add(&loss.entries, measured->items[i].label, NULL);
	if (status || cg_grow(&side->lost, &side->lost_cap, side->nlost + 1, sizeof *side->lost)) {
		path_list_free(&loss.entries);
		return;
	}
	loss.cases = measured->lost;
	measured->lost = (struct path_list){ 0 };
	side->lost[side->nlost++] = loss;
}

static const struct revision_loss *find_loss(const struct revision *side,
					     const struct config_benchmark *b)
{
	for (size_t i = 0; i < side->nlost; i++)
		if (side->lost[i].benchmark == b)
			return &side->lost[i];
	return NULL;
}

const struct path_list *revision_lost_cases(const struct revision *side,
					    const struct config_benchmark *b)
{
	const struct revision_loss *loss = find_loss(side, b);
	return loss && loss->cases.count ? &loss->cases : NULL;
}

static bool has_measured(const struct revision *side, const char *name)
{
	for (size_t i = 0; i < side->nmeasured; i++)
		if (strcmp(side->measured[i], name) == 0)
			return true;
	return false;
}

/* What a commit counts by other means than its own, or without some of its files, is nothing for its
 * history; nor is a command of the command line. */
static bool is_for_history(const struct build_area *w, const struct revision *side,
			   const struct config_benchmark *b)
{
	return !side->files.changed && !side->gaps && !w->options.build && b->line;
}

struct entry_plan {
	struct measurement m;
	struct measured_checkout checkout;
	struct plan plan;
	struct strings copied;
	char *root;
	char name_of_side[200], definition[HISTORY_DIGEST];
};

/* Data that both sides have in common is what copy: is for; programs are another matter. */
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

/* Points into itself: it must not be moved. Free with free_entry_plan, also on failure. */
static int plan_entry(struct build_area *w, const struct revision *side,
		      const struct config_benchmark *b, const char *name, const char *text,
		      struct entry_plan *p, struct cg_error *err)
{
	*p = (struct entry_plan){
		.m = { .notices = w->project->notices,
		       .root = w->project->root,
		       .label = name,
		       .benchmark = b->name,
		       .quiet = w->options.quiet,
		       .key = text,
		       .replace = true },
		.root = revision_project_directory(w),
	};
	p->checkout = (struct measured_checkout){ w->slot.path,
						  p->root,
						  w->git->top,
						  p->name_of_side,
						  side->commit.id,
						  side->files.changed || side->gaps,
						  NULL };
	snprintf(p->name_of_side, sizeof p->name_of_side, "%s (%.*s)", side->name, GIT_ID_SHORT,
		 side->commit.id);
	p->m.checkout = &p->checkout;
	if (list_copied_programs(w, &p->copied, err))
		return CG_ENOMEM;
	p->checkout.copied = (const char *const *)p->copied.items;
	run_request_init(&p->m.request);
	p->m.request.valgrind = w->options.valgrind;
	int status = p->root ? plan_benchmark(&p->plan, b, &p->m.request, err) : cg_fail_nomem(err);
	if (!status && b->line && !(status = definition_of(b, p->definition, err)))
		p->m.definition = p->definition;
	return status;
}

static void free_entry_plan(struct entry_plan *p)
{
	plan_free(&p->plan);
	strings_free(&p->copied);
	free(p->root);
}

/* What a failed measurement is for who asked for a comparison. A program with cases, or that has lost
 * some, was there. */
static enum ending judge_failure(struct build_area *w, const struct revision *side,
				 const struct measured *measured, enum ending ending)
{
	bool has_run = measured->count || measured->lost.count;

	/* What is not there after the build is no mistake of who calls irdiff. */
	if (ending == ENDED_UNUSABLE)
		ending = ENDED_BENCHMARK_FAILED;
	if (ending && ending < 128 && !has_run && !side->build->argc && !w->said_no_build) {
		w->said_no_build = true;
		notice_message(w->project->notices,
			       "nothing was built before: there is no build: in " CONFIG_NAME
			       " (see --build)");
	}
	return ending;
}

static enum ending measure_entry(struct build_area *w, struct revision *side,
				 const struct config_benchmark *b, const char *name,
				 const char *text)
{
	struct entry_plan p;
	struct measured measured = { 0 };
	struct cg_error err;
	int status = plan_entry(w, side, b, name, text, &p, &err);

	enum ending ending = status ? notice_error(w->project->notices, &err)
				    : measure(&p.m, &measured);
	for (size_t i = 0; i < measured.count && is_for_history(w, side, b); i++)
		record_run(w->project->notices, w->project->root, measured.items[i].profile,
			   cache_measured(w->project->root, measured.items[i].label));
	int judged = judge_failure(w, side, &measured, ending);
	if (measured.lost.count)
		lose(side, b, ending, &measured);
	measured_free(&measured);
	free_entry_plan(&p);
	return judged;
}

/* Builds, measures, and keeps the profile as `name`, instead of one that has that name. */
static enum ending make_entry(struct build_area *w, struct revision *side,
			      const struct config_benchmark *b, const char *name, const char *text)
{
	enum ending ending = check_command(w, b);

	if (!ending)
		ending = revision_make(w, side);
	return ending ? ending : measure_entry(w, side, b, name, text);
}

/* A history may have been lost, or come from elsewhere. Where files were missing when it was measured,
 * the profile says so. */
static void remember_found(struct build_area *w, const struct revision *side,
			   const struct config_benchmark *b, const struct path_list *entries)
{
	char definition[HISTORY_DIGEST];

	if (!is_for_history(w, side, b) || definition_of(b, definition, NULL))
		return;
	for (size_t i = 0; i < entries->count; i++) {
		char *name = cache_benchmark(entries->paths[i]);
		if (name)
			record_cached(w->project->notices, w->project->root, entries->paths[i],
				      name, definition, side->commit.id);
		free(name);
	}
}

/* The entries that the one of a benchmark stands for: those of its cases, or itself. *whole is
 * false if some are missing. */
static int list_entries(const struct build_area *w, const char *name, struct path_list *entries,
			bool *whole, struct cg_error *err)
{
	size_t before = entries->count;
	int status = cache_cases(w->project->root, name, entries, whole, err);

	if (!status && entries->count == before)
		status = path_list_add(entries, name, err);
	return status;
}

static void warn_about_entry(const struct notices *n, const char *entry,
			     const struct cg_error *wrong)
{
	struct notice m;
	const char *slash = strrchr(wrong->file, '/'), *file = slash ? slash + 1 : "";

	notice_begin(&m, n, NOTICE_WARNING);
	fputs("the entry ", m.to);
	text_print_name(m.to, entry, 0);
	fputs(" of the cache is not used, and is measured again: ", m.to);
	if (*file && strcmp(file, entry) != 0)
		fprintf(m.to, "%s: ", file);
	text_print_name(m.to, wrong->message, 0);
	notice_end(&m);
}

/* Whether they are what they are called; what this command has measured itself is. */
static bool are_sound(const struct build_area *w, const struct revision *side,
		      const struct config_benchmark *b, const char *name,
		      const struct path_list *entries)
{
	struct cg_error wrong;
	char *directory = cache_path(w->project->root, name);
	bool sound = directory && !sums_check(directory, &wrong);

	if (!sound && directory)
		warn_about_entry(w->project->notices, name, &wrong);
	free(directory);
	for (size_t i = 0; sound && i < entries->count; i++) {
		sound = has_measured(side, entries->paths[i]) ||
			!entry_check(w, side, b, entries->paths[i], &wrong);
		if (!sound)
			warn_about_entry(w->project->notices, entries->paths[i], &wrong);
	}
	return sound;
}

/* What is in the cache for this key; nothing if it is not there, not whole, not what it is called, or of
 * others where that is not wanted. */
static int find_entries(const struct build_area *w, const struct revision *side,
			const struct config_benchmark *b, const char *key, const char *text,
			struct path_list *entries, struct cg_error *err)
{
	char *name = NULL;
	bool whole = true;
	int status = cache_find(w->project->root, b->name, key, text, &name, err);

	if (!status && name)
		status = list_entries(w, name, entries, &whole, err);
	for (size_t i = 0; !status && side->first_hand && i < entries->count; i++)
		whole = whole && !cache_is_fetched(w->project->root, entries->paths[i]);
	if (!status && name && whole)
		whole = are_sound(w, side, b, name, entries);
	if (!whole)
		path_list_free(entries);
	free(name);
	return status;
}

static enum ending make_entries(struct build_area *w, struct revision *side,
				const struct config_benchmark *b, const char *key, const char *text,
				struct path_list *entries)
{
	struct cg_error err;
	bool whole;
	char *name = cache_name(b->name, side->commit.id, side->files.changed, key);
	if (!name)
		return fail_nomem(w->project->notices);

	enum ending ending = make_entry(w, side, b, name, text);
	if (!ending && list_entries(w, name, entries, &whole, &err))
		ending = notice_error(w->project->notices, &err);
	free(name);
	return ending;
}

bool revision_has_measured(const struct revision *side, const struct path_list *entries)
{
	for (size_t i = 0; i < entries->count; i++)
		if (!has_measured(side, entries->paths[i]))
			return false;
	return true;
}

static enum ending add_entries(const struct notices *n, const struct path_list *entries,
			       struct path_list *out)
{
	struct cg_error err;
	int status = CG_OK;

	for (size_t i = 0; !status && out && i < entries->count; i++)
		status = path_list_add(out, entries->paths[i], &err);
	return status ? notice_error(n, &err) : ENDED_FINE;
}

/* What is left of it. */
static enum ending give_loss(const struct build_area *w, const struct revision_loss *loss,
			     struct path_list *out)
{
	enum ending ending = add_entries(w->project->notices, &loss->entries, out);
	return ending ? ending : loss->ending;
}

/* Whether what is in the cache is good enough. */
enum found { FOUND_TAKEN, FOUND_OF_THIS_RUN, FOUND_REPLACED };

static enum ending find_or_make(struct build_area *w, struct revision *side,
				const struct config_benchmark *b, enum found found,
				struct path_list *out)
{
	struct cg_error err;
	struct path_list entries = { 0 };
	char *key, *text;
	const struct revision_loss *loss = find_loss(side, b);
	enum ending ending = ENDED_FINE;
	if (loss)
		return give_loss(w, loss, out);
	int status = revision_key(w, side, b, &key, &text, &err);
	if (status)
		return build_area_failed(w, w->project->notices, &err);

	status = find_entries(w, side, b, key, text, &entries, &err);
	if (status) {
		ending = notice_error(w->project->notices, &err);
	} else if (!entries.count || found == FOUND_REPLACED ||
		   (found == FOUND_OF_THIS_RUN && !revision_has_measured(side, &entries))) {
		path_list_free(&entries);
		ending = make_entries(w, side, b, key, text, &entries);
		for (size_t i = 0; !ending && i < entries.count; i++)
			if (remember(side, entries.paths[i]))
				ending = fail_nomem(w->project->notices);
	} else {
		remember_found(w, side, b, &entries);
	}
	if (!ending)
		ending = add_entries(w->project->notices, &entries, out);
	else if ((loss = find_loss(side, b)))
		ending = give_loss(w, loss, out);
	path_list_free(&entries);
	free(key);
	free(text);
	return ending;
}

enum ending revision_measure(struct build_area *w, struct revision *side,
			     const struct config_benchmark *benchmark, struct path_list *entries)
{
	return find_or_make(w, side, benchmark, w->options.fresh ? FOUND_OF_THIS_RUN : FOUND_TAKEN,
			    entries);
}

enum ending revision_measure_again(struct build_area *w, struct revision *side,
				   const struct config_benchmark *benchmark)
{
	const struct revision_loss *loss = find_loss(side, benchmark);
	/* Losses are of this run, as is what it has besides. */
	enum ending ending = loss && loss->entries.count
				     ? ENDED_FINE
				     : find_or_make(w, side, benchmark, FOUND_OF_THIS_RUN, NULL);

	loss = find_loss(side, benchmark);
	return loss && loss->entries.count && ending < 128 ? ENDED_FINE : ending;
}

enum ending revision_repeat(struct build_area *w, struct revision *side,
			    const struct config_benchmark *benchmark)
{
	return find_or_make(w, side, benchmark, FOUND_REPLACED, NULL);
}

static enum ending fail_no_case(const struct notices *n, const struct revision *side,
				const char *name, const struct path_list *entries)
{
	struct cg_error err;
	struct path_list names = { 0 };
	char *known = NULL;
	int status = CG_OK;

	for (size_t i = 0; !status && i < entries->count; i++) {
		char *of = cache_benchmark(entries->paths[i]);
		status = of ? path_list_add(&names, of, &err) : cg_fail_nomem(&err);
		free(of);
	}
	if (!status && !(known = suggest_known(name, (const char *const *)names.paths, names.count,
					       "irdiff cache list")))
		status = cg_fail_nomem(&err);
	if (!status)
		cg_fail(&err, CG_EINVAL, NULL, 0, "there is no '%s' in %s%s", name, side->name,
			known);
	free(known);
	path_list_free(&names);
	return notice_error(n, &err);
}

enum ending revision_measure_one(struct build_area *w, struct revision *side,
				 const struct config_benchmark *benchmark, const char *name,
				 char **entry)
{
	struct path_list entries = { 0 };
	enum ending ending = revision_measure(w, side, benchmark, &entries);

	*entry = NULL;
	for (size_t i = 0; !*entry && i < entries.count; i++) {
		char *of = cache_benchmark(entries.paths[i]);
		if (of && strcmp(of, name) == 0)
			ending = (*entry = strdup(entries.paths[i]))
					 ? ENDED_FINE
					 : fail_nomem(w->project->notices);
		free(of);
	}
	if (!ending && !*entry)
		ending = fail_no_case(w->project->notices, side, name, &entries);
	path_list_free(&entries);
	return ending;
}

/* ---- several at once ------------------------------------------------------- */

/* Benchmarks that are to be measured, one for each job, with the names and keys of their entries. */
struct ahead {
	const struct config_benchmark **benchmarks;
	char **names, **texts;
	size_t count;
	struct jobs *jobs;
};

static void free_ahead(struct ahead *a)
{
	for (size_t i = 0; i < a->count; i++) {
		free(a->names[i]);
		free(a->texts[i]);
	}
	free(a->benchmarks);
	free(a->names);
	free(a->texts);
	jobs_close(a->jobs);
}

/* Adds it if it is not there and can be measured. */
static enum ending add_missing(struct build_area *w, struct revision *side,
			       const struct config_benchmark *b, struct ahead *a)
{
	struct cg_error err;
	struct path_list entries = { 0 };
	char *key, *text, *name = NULL;
	int status = revision_key(w, side, b, &key, &text, &err);
	if (status)
		return build_area_failed(w, w->project->notices, &err);

	status = find_entries(w, side, b, key, text, &entries, &err);
	bool there = entries.count && (!w->options.fresh || revision_has_measured(side, &entries));
	enum ending ending = status ? notice_error(w->project->notices, &err) : ENDED_FINE;
	int refused = status || there ? ENDED_FINE : check_command(w, b);
	if (refused)
		lose(side, b, refused, &(struct measured){ 0 });
	else if (!status && !there &&
		 !(name = cache_name(b->name, side->commit.id, side->files.changed, key)))
		ending = fail_nomem(w->project->notices);
	if (name) {
		a->benchmarks[a->count] = b;
		a->names[a->count] = name;
		a->texts[a->count++] = text;
	} else {
		free(text);
	}
	path_list_free(&entries);
	free(key);
	return ending;
}

static enum ending list_missing(struct build_area *w, struct revision *side,
				const struct config_benchmark *const *benchmarks, size_t count,
				struct ahead *a)
{
	enum ending ending = ENDED_FINE;

	a->benchmarks = calloc(count + 1, sizeof *a->benchmarks);
	a->names = calloc(count + 1, sizeof *a->names);
	a->texts = calloc(count + 1, sizeof *a->texts);
	if (!a->benchmarks || !a->names || !a->texts)
		return fail_nomem(w->project->notices);
	for (size_t i = 0; !ending && i < count; i++)
		ending = add_missing(w, side, benchmarks[i], a);
	return ending;
}

static int add_jobs(struct build_area *w, const struct revision *side, struct ahead *a,
		    struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < a->count; i++) {
		struct entry_plan p;
		const struct config_benchmark *b = a->benchmarks[i];
		char *about = NULL;
		status = plan_entry(w, side, b, a->names[i], a->texts[i], &p, err);
		if (!status && asprintf(&about, "%s of %s", b->name, side->name) < 0)
			status = cg_fail_nomem(err);
		if (!status)
			status = jobs_add(a->jobs, &p.m, about,
					  cache_seconds(w->project->root, b->name), err);
		free(about);
		free_entry_plan(&p);
	}
	return status;
}

static enum ending take_result(struct build_area *w, struct revision *side, const struct ahead *a,
			       size_t i)
{
	struct cg_error err;
	struct path_list entries = { 0 };
	bool whole;
	enum ending ending = jobs_ending(a->jobs, i);

	if (ending) {
		struct measured measured = { 0 };
		jobs_take_measured(a->jobs, i, &measured);
		ending = judge_failure(w, side, &measured, ending);
		lose(side, a->benchmarks[i], ending, &measured);
		measured_free(&measured);
		return ENDED_FINE;
	}
	if (list_entries(w, a->names[i], &entries, &whole, &err))
		ending = notice_error(w->project->notices, &err);
	for (size_t k = 0; !ending && k < entries.count; k++)
		if (remember(side, entries.paths[k]))
			ending = fail_nomem(w->project->notices);
	path_list_free(&entries);
	return ending;
}

static enum ending measure_missing(struct build_area *w, struct revision *side, struct ahead *a)
{
	struct cg_error err;
	if (jobs_open(w->project->root, &w->options.jobs, &a->jobs, &err))
		return notice_error(w->project->notices, &err);
	enum ending ending = revision_make(w, side);
	if (ending)
		return ending > 128 ? ending : ENDED_FINE; /* side_measure says it again */
	if (add_jobs(w, side, a, &err))
		return notice_error(w->project->notices, &err);
	ending = jobs_run(a->jobs, &w->interrupts);
	for (size_t i = 0; !ending && i < a->count; i++)
		ending = take_result(w, side, a, i);
	return ending;
}

enum ending revision_measure_ahead(struct build_area *w, struct revision *side,
				   const struct config_benchmark *const *benchmarks, size_t count)
{
	struct ahead a = { 0 };
	if (!jobs_are_wanted(&w->options.jobs, count))
		return ENDED_FINE;
	enum ending ending = list_missing(w, side, benchmarks, count, &a);
	if (!ending && jobs_are_wanted(&w->options.jobs, a.count))
		ending = measure_missing(w, side, &a);
	free_ahead(&a);
	return ending;
}
