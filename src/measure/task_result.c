#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/measure/task.h"
#include "src/measure/task_file.h"
#include "src/store/profiles.h"

#define RESULT_SCHEMA "irdiff/task-result"

/* Labels and names of benchmarks are UTF-8. */
static void add_profiles(struct json *j, const struct measured *measured)
{
	json_begin_array(j, "profiles");
	for (size_t i = 0; i < measured->count; i++) {
		json_begin_object(j, NULL);
		json_text(j, "label", measured->items[i].label);
		json_text(j, "benchmark", measured->items[i].benchmark);
		json_end(j);
	}
	json_end(j);
	json_begin_array(j, "lost");
	for (size_t i = 0; i < measured->lost.count; i++)
		json_text(j, NULL, measured->lost.paths[i]);
	json_end(j);
}

int task_write_result(const char *path, enum ending ending, const struct measured *measured,
		      struct cg_error *err)
{
	struct json *j = task_begin_document(RESULT_SCHEMA);
	char *name;

	if (!j || asprintf(&name, "%s" TASK_RESULT, path) < 0) {
		if (j)
			json_abandon(j);
		return cg_fail_nomem(err);
	}
	json_count(j, "exit_code", (uint64_t)ending);
	json_count(j, "changes", measured->changes);
	add_profiles(j, measured);
	int status = task_write_document(j, name, err);
	free(name);
	return status;
}

static bool take_profile(const struct json_value *from, struct measured *out)
{
	const char *label = json_text_of(json_member(from, "label"));
	const char *benchmark = json_text_of(json_member(from, "benchmark"));
	struct measured_profile p = { label ? strdup(label) : NULL,
				      benchmark ? strdup(benchmark) : NULL, NULL };

	if (!p.label || (benchmark && !p.benchmark) ||
	    cg_grow(&out->items, &out->cap, out->count + 1, sizeof *out->items)) {
		free(p.label);
		free(p.benchmark);
		return false;
	}
	out->items[out->count++] = p;
	return true;
}

static bool take_profiles(const struct json_value *result, struct measured *out)
{
	const struct json_value *profiles = json_member(result, "profiles");
	const struct json_value *lost = json_member(result, "lost");
	bool taken = json_is_list(profiles) && json_is_list(lost);

	for (size_t i = 0; taken && i < json_items(profiles); i++)
		taken = take_profile(json_item(profiles, i), out);
	for (size_t i = 0; taken && i < json_items(lost); i++) {
		const char *name = json_text_of(json_item(lost, i));
		taken = name && path_list_add(&out->lost, name, NULL) == CG_OK;
	}
	return taken;
}

bool task_read_result(const char *path, enum ending *ending, struct measured *measured)
{
	enum { MOST = 255 };
	struct json_value *json = NULL;
	struct measured read = { 0 };
	char *name;
	uint64_t code, changes;

	if (asprintf(&name, "%s" TASK_RESULT, path) < 0)
		return false;
	bool found = task_read_document(name, RESULT_SCHEMA, &json, NULL) == CG_OK &&
		     json_count_of(json_member(json, "exit_code"), &code) && code <= MOST &&
		     json_count_of(json_member(json, "changes"), &changes) && changes <= MOST &&
		     take_profiles(json, &read);
	if (found) {
		*ending = (enum ending)code;
		measured_free(measured);
		*measured = read;
		measured->changes = (unsigned)changes;
	} else
		measured_free(&read);
	json_forget(json);
	free(name);
	return found;
}
