#include "src/compare/verdicts_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/config/file.h"
#include "src/store/beneath.h"
#include "src/store/profiles.h"

#define DIRECTORY ".irdiff/last"
#define FILE_NAME "verdicts.json"
#define SCHEMA "irdiff/verdicts"
#define SCHEMA_VERSION 3
#define BYTES_MAX (16 * 1024 * 1024)

/* ---- writing ---- */

static bool is_judged(const struct bench_report *b)
{
	return b->diff.judgement && !b->diff.untrusted;
}

static void add_kept_verdict(struct json *j, const struct limit_verdict *v)
{
	const struct limit *limit = v->rule.limit;
	char metric[LIMIT_METRIC_MAX + sizeof "incl."];

	snprintf(metric, sizeof metric, "%s%s", v->inclusive ? "incl." : "", limit->metric);
	json_begin_object(j, NULL);
	json_text(j, "metric", metric);
	json_text(j, "functions", limit->function);
	char *function = v->subject ? text_safe(v->subject) : NULL;
	json_text(j, "function", function);
	free(function);
	json_text(j, "limit", limit->text);
	json_flag(j, "ceiling", limit->kind == LIMIT_CEILING);
	json_text(j, "status", limit_status_name(v->status));
	if (v->counts.has_base)
		json_cost(j, "base", v->counts.base);
	else
		json_none(j, "base");
	json_cost(j, "head", v->counts.head);
	json_count(j, "tolerance", v->counts.tolerance);
	json_end(j);
}

static void add_judged_benchmark(struct json *j, const struct bench_report *b)
{
	json_begin_object(j, NULL);
	json_text(j, "benchmark", b->name);
	json_text(j, "base_commit", b->diff.base.commit);
	json_text(j, "head_commit", b->diff.head.commit);
	json_flag(j, "base_changed", b->diff.base.changed);
	json_flag(j, "head_changed", b->diff.head.changed);
	json_begin_array(j, "verdicts");
	for (size_t i = 0; i < b->diff.judgement->count; i++) {
		const struct limit_verdict *v = &b->diff.judgement->verdicts[i];
		if (v->status == LIMIT_PASS || v->status == LIMIT_EXCEEDED ||
		    v->status == LIMIT_ACCEPTED || v->status == LIMIT_TOLERATED ||
		    v->status == LIMIT_NO_BASE || v->status == LIMIT_MISSING)
			add_kept_verdict(j, v);
	}
	json_end(j);
	json_end(j);
}

static int write_json(const struct suite_report *suite, FILE *to)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;
	json_text(j, "schema", SCHEMA);
	json_count(j, "version", SCHEMA_VERSION);
	json_cost(j, "time", time(NULL));
	json_begin_array(j, "benchmarks");
	for (size_t i = 0; i < suite->count; i++)
		if (is_judged(&suite->benches[i]))
			add_judged_benchmark(j, &suite->benches[i]);
	json_end(j);
	return json_finish(j, to);
}

static int make_verdicts_path(const struct project *project, const char *name, char **path,
			      struct cg_error *err)
{
	if (asprintf(path, "%s/%s", project->root, name) >= 0)
		return CG_OK;
	*path = NULL;
	return cg_fail_nomem(err);
}

static int write_verdicts_file(const char *root, const char *path, const struct suite_report *suite,
			       struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	int status = beneath_new_file(root, path, &file, &to, err);

	if (status)
		return status;
	status = write_json(suite, to);
	if (status == CG_OK)
		return new_file_commit(file, err);
	new_file_abandon(file);
	return status == CG_ENOMEM ? cg_fail_nomem(err)
				   : cg_fail(err, status, path, 0, "cannot write");
}

static int save_verdicts(const struct project *project, const struct suite_report *suite,
			 struct cg_error *err)
{
	char *directory, *path = NULL;
	int status = make_verdicts_path(project, DIRECTORY, &directory, err);

	if (!status)
		status = make_verdicts_path(project, DIRECTORY "/" FILE_NAME, &path, err);
	if (!status)
		status = store_prepare_data(project->root, err);
	if (!status)
		status = beneath_make_directories(project->root, directory, err);
	if (!status)
		status = write_verdicts_file(project->root, path, suite, err);
	free(directory);
	free(path);
	return status;
}

static bool is_at_home(const struct project *project)
{
	char *path;
	if (project->config)
		return true;
	if (make_verdicts_path(project, ".irdiff", &path, NULL))
		return false;
	bool there = beneath_is_there(project->root, path);
	free(path);
	return there;
}

void verdicts_file_save(const struct project *project, const struct suite_report *suite)
{
	struct cg_error err = { 0 };
	bool any = false;

	for (size_t i = 0; i < suite->count; i++)
		any |= suite->benches[i].diff.judgement != NULL;
	if (!any || !is_at_home(project))
		return;
	if (save_verdicts(project, suite, &err))
		notice_warning(project->notices,
			       "cannot save the verdicts for 'irdiff baseline accept': %s: %s",
			       err.file, err.message);
}

void verdicts_file_forget(const struct project *project)
{
	char *path;

	if (make_verdicts_path(project, DIRECTORY "/" FILE_NAME, &path, NULL))
		return;
	beneath_unlink(project->root, path);
	free(path);
}

/* ---- reading ---- */

static bool read_verdict(const struct json_value *value, struct kept_verdict *out)
{
	*out = (struct kept_verdict){
		.metric = json_text_of(json_member(value, "metric")),
		.functions = json_text_of(json_member(value, "functions")),
		.function = json_text_of(json_member(value, "function")),
		.limit = json_text_of(json_member(value, "limit")),
		.ceiling = json_holds(json_member(value, "ceiling")),
		.status = json_text_of(json_member(value, "status")),
	};
	int64_t tolerance;
	out->has_base = json_cost_of(json_member(value, "base"), &out->base);
	if (!json_cost_of(json_member(value, "tolerance"), &tolerance) || tolerance < 0)
		return false;
	out->tolerance = (uint64_t)tolerance;
	return out->metric && out->limit && out->status &&
	       json_cost_of(json_member(value, "head"), &out->head);
}

/* CG_ESYNTAX if it is not what was written above. */
static int read_judged_benchmark(const struct json_value *value, struct kept_verdicts *out)
{
	const struct json_value *verdicts = json_member(value, "verdicts");

	out->name = json_text_of(json_member(value, "benchmark"));
	out->base_commit = json_text_of(json_member(value, "base_commit"));
	out->head_commit = json_text_of(json_member(value, "head_commit"));
	out->base_changed = json_holds(json_member(value, "base_changed"));
	out->head_changed = json_holds(json_member(value, "head_changed"));
	if (!out->name)
		return CG_ESYNTAX;
	out->verdicts = calloc(json_items(verdicts) + 1, sizeof *out->verdicts);
	if (!out->verdicts)
		return CG_ENOMEM;
	for (; out->count < json_items(verdicts); out->count++)
		if (!read_verdict(json_item(verdicts, out->count), &out->verdicts[out->count]))
			return CG_ESYNTAX;
	return CG_OK;
}

static int read_verdicts_json(struct verdicts_file *l)
{
	const struct json_value *list = json_member(l->json, "benchmarks");
	const char *schema = json_text_of(json_member(l->json, "schema"));
	int64_t version = 0;
	int status = CG_OK;

	if (!schema || strcmp(schema, SCHEMA) != 0 ||
	    !json_cost_of(json_member(l->json, "version"), &version) || version != SCHEMA_VERSION)
		return CG_ESYNTAX;
	if (!json_cost_of(json_member(l->json, "time"), &l->time))
		l->time = 0;
	l->benchmarks = calloc(json_items(list) + 1, sizeof *l->benchmarks);
	if (!l->benchmarks)
		return CG_ENOMEM;
	while (!status && l->count < json_items(list)) {
		status = read_judged_benchmark(json_item(list, l->count), &l->benchmarks[l->count]);
		l->count++;
	}
	return status;
}

static int load_verdicts(const char *root, const char *path, struct verdicts_file *l,
			 struct cg_error *err)
{
	char *text;
	size_t size;

	if (!beneath_is_there(root, path))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "no verdicts of a check that finished; run 'irdiff check' first");
	int status = beneath_read(root, path, BYTES_MAX, &text, &size, err);
	if (status)
		return status;
	status = json_read(text, size, path, &l->json, err);
	free(text);
	if (status)
		return status;
	status = read_verdicts_json(l);
	if (status == CG_ENOMEM)
		return cg_fail_nomem(err);
	return status ? cg_fail(err, status, path, 0,
				"not written by this version of irdiff; compare again with --check")
		      : CG_OK;
}

int verdicts_file_load(const struct project *project, struct verdicts_file *out,
		       struct cg_error *err)
{
	struct verdicts_file l = { 0 };
	char *path;
	int status = make_verdicts_path(project, DIRECTORY "/" FILE_NAME, &path, err);

	if (status)
		return status;
	status = load_verdicts(project->root, path, &l, err);
	free(path);
	if (status)
		verdicts_file_free(&l);
	else
		*out = l;
	return status;
}

void verdicts_file_free(struct verdicts_file *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->benchmarks[i].verdicts);
	free(l->benchmarks);
	json_forget(l->json);
	*l = (struct verdicts_file){ 0 };
}
