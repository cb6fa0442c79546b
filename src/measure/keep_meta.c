#include "src/measure/keep_meta.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/json/json.h"
#include "src/store/files.h"

#define META_VERSION 1

static void add_facts(struct json *j, const char *key, const struct fact_list *list)
{
	json_begin_object(j, key);
	for (size_t i = 0; i < list->count; i++)
		json_text(j, list->facts[i].key, list->facts[i].value);
	json_end(j);
}

static bool is_part_of_kept(const struct kept_profile *what, size_t file)
{
	for (size_t i = 0; i < what->nfiles; i++)
		if (what->files[i] == file)
			return true;
	return false;
}

/* Names only the program of a command: a shell may have put a secret into its arguments. */
static void add_images(struct json *j, const struct run_result *r, const struct kept_profile *what)
{
	json_begin_array(j, "images");
	for (size_t i = 0; i < r->nprofiles; i++) {
		const struct run_profile *p = &r->profiles[i];
		char *program = strndup(p->command, p->program_len);
		json_begin_object(j, NULL);
		json_text(j, "command", program ? program : "");
		json_text(j, "image", p->image);
		json_count(j, "collected", p->collected);
		json_flag(j, "launcher", p->launcher);
		json_flag(j, "forked", p->forked);
		json_flag(j, "chosen", is_part_of_kept(what, i));
		json_end(j);
		free(program);
	}
	json_end(j);
}

static void add_paths(struct json *j, const struct run_result *r)
{
	json_begin_array(j, "paths");
	for (size_t i = 0; i < r->nmappings; i++) {
		json_begin_object(j, NULL);
		json_text(j, "seen", r->mappings[i].seen);
		json_text(j, "real", r->mappings[i].real);
		json_flag(j, "stripped", r->mappings[i].stripped);
		json_end(j);
	}
	json_end(j);
}

int keep_meta(const struct kept_run *run, const struct kept_profile *what,
	      const struct cg_profile *p, const char *path, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	struct json *j = json_new();
	if (!j)
		return cg_fail_nomem(err);

	json_text(j, "schema", "irdiff/meta");
	json_count(j, "version", META_VERSION);
	json_text(j, "label", what->label);
	json_text(j, "benchmark", what->benchmark);
	if (what->name)
		json_text(j, "case", what->name);
	json_time(j, "measured", time(NULL));
	json_number(j, "seconds", run->result->seconds);
	json_count(j, "changes", run->result->changes);
	json_begin_object(j, "totals");
	for (uint32_t e = 0; e < p->nevents; e++)
		json_cost(j, cg_string(p, p->events[e].name), p->total[e]);
	json_end(j);
	add_facts(j, "environment", &run->fingerprint->environment);
	add_facts(j, "subject", &run->fingerprint->subject);
	add_images(j, run->result, what);
	add_paths(j, run->result);

	int status = new_file_begin(path, &file, &to, err);
	if (status) {
		json_abandon(j);
		return status;
	}
	new_file_leave_unsynced(file);
	status = json_finish(j, to);
	if (status == CG_ENOMEM) {
		new_file_abandon(file);
		return cg_fail_nomem(err);
	}
	return new_file_commit(file, err);
}
