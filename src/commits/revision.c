#include "src/commits/revision.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commits/copied_files.h"

/* Reads the irdiff.yml of these files. One that this irdiff cannot read is like none: only its
 * build: is asked for. */
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
	side->has_config = true;
	if (config_parse(text, strlen(text), name, &side->own_config, &ignored))
		notice_warning(w->project->notices, "ignoring the " CONFIG_NAME " of %s: %s",
			       side->name, ignored.message);
	free(name);
	free(text);
	return CG_OK;
}

static int complete_revision(struct build_area *w, struct revision *side, struct cg_error *err)
{
	static const struct config_command none;
	int status = git_describe_commit(w->git, side->files.commit, &side->commit, err);

	if (!status)
		status = read_config(w, side, err);
	const struct config *c = side->own_config && side->own_config->build.argc
					 ? side->own_config
					 : w->project->config;
	side->build = w->options.build ? w->options.build : c ? &c->build : &none;
	return status ? status : copied_files_find(w, err);
}

int revision_of_commit(struct build_area *w, const char *name, const char *commit,
		       struct revision *out, struct cg_error *err)
{
	*out = (struct revision){ .name = strdup(name) };
	int status = out->name ? CG_OK : cg_fail_nomem(err);
	if (!status)
		status = snapshot_of_commit(w->git, commit, &out->files, err);
	return status ? status : complete_revision(w, out, err);
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
	if (!status)
		status = complete_revision(w, out, err);
	return status ? status
		      : snapshot_changes(w->git, &out->files, w->git->prefix, &w->copied_files,
					 &out->changes, err);
}

void revision_free(struct revision *side)
{
	free(side->name);
	free(side->gaps);
	free(side->changes);
	git_commit_free(&side->commit);
	snapshot_free(&side->files);
	config_free(side->own_config);
	path_list_free(&side->not_run);
	cg_strings_free(&side->measured);
	cg_strings_free(&side->sound);
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

bool revision_defines(const struct revision *side, const struct config_benchmark *b)
{
	return side->own_config && config_benchmark(side->own_config, b->name);
}

bool revision_is_same(const struct revision *a, const struct revision *b)
{
	char *left = snapshot_identity(&a->files), *right = snapshot_identity(&b->files);
	bool same = left && right && strcmp(left, right) == 0;
	free(left);
	free(right);
	return same;
}

bool revision_is_called_by_id(const struct revision *side)
{
	return strncmp(side->name, side->commit.id, strlen(side->name)) == 0;
}
