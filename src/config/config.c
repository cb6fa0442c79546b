#include "src/config/config.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/text.h"
#include "src/config/document.h"
#include "src/config/file.h"
#include "src/config/pool.h"
#include "src/config/read.h"
#include "src/diff/metric.h"
#include "src/run/count.h"
#include "src/run/freeze.h"
#include "src/run/setting_names.h"
#include "src/run/signals.h"
#include "src/store/label.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A command, and whether a shell runs it, are two keys in any order, so both are noted first. */
struct command_draft {
	const struct doc_entry *command;
	bool shell;
};

struct benchmark_draft {
	struct command_draft command; /* must come first: shares its readers */
	struct config_benchmark *out;
};

static int note_command(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct command_draft *draft = target;

	(void)r;
	draft->command = entry;
	return CG_OK;
}

static int note_shell(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct command_draft *draft = target;

	return read_bool(r, entry, &draft->shell);
}

/* ---- one benchmark ---- */

static int read_root(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	out->root.line = entry->line;
	return read_line(r, entry, "the name of a function", &out->root.text);
}

static int read_filter(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	out->filter.line = entry->line;
	return read_text(r, entry, "a regex", &out->filter.text);
}

/* Whether a relative path stays in the directory it starts from, as text. */
static bool stays_inside(const char *path)
{
	int depth = 0;

	while (*path != '\0') {
		size_t len = strcspn(path, "/");

		if (len == 2 && path[0] == '.' && path[1] == '.')
			depth--;
		else if (len > 1 || (len == 1 && path[0] != '.'))
			depth++;
		if (depth < 0)
			return false;
		path += len;
		path += strspn(path, "/");
	}
	return true;
}

static int read_cwd(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;
	int rc = read_line(r, entry, "a directory", &out->cwd.text);

	if (rc != CG_OK)
		return rc;
	if (*out->cwd.text != '/' && !stays_inside(out->cwd.text))
		return read_mismatch(r, entry,
				     "a directory inside the project, "
				     "relative to " CONFIG_NAME ", or an absolute one");
	out->cwd.line = entry->line;
	return CG_OK;
}

static int read_benchmark_env(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	return read_env(r, entry, &out->env, &out->env_count);
}

static int read_timeout(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	return read_duration(r, entry, &out->timeout);
}

static int read_depth(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;
	uint32_t depth;
	int rc = read_number(r, entry, 0, CONFIG_DEPTH_MAX, "a number of callers from 0 to 1000",
			     &depth);

	if (rc == CG_OK)
		out->depth = (int)depth;
	return rc;
}

static int read_warm_up(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	return read_bool(r, entry, &out->warm_up);
}

static int read_presets(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;
	bool presets = true;
	int rc = read_bool(r, entry, &presets);

	out->no_presets = !presets;
	return rc;
}

static int read_cache_sim(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;
	bool caches = true;
	int rc = read_bool(r, entry, &caches);

	out->no_caches = !caches;
	return rc;
}

/* Reads one of several words, which end with NULL. */
static int read_choice(struct config_reader *r, const struct doc_entry *entry,
		       const char *const *choices, const char *expected, const char **out)
{
	const char *text;
	int rc = read_line(r, entry, expected, &text);

	for (; rc == CG_OK && *choices; choices++)
		if (strcmp(text, *choices) == 0) {
			*out = *choices;
			return CG_OK;
		}
	return rc != CG_OK ? rc : read_mismatch(r, entry, expected);
}

static int read_case_kind(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	static const char *const names[] = { RUN_CASES_NAMES(RUN_COMMA, RUN_COMMA), NULL };
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	return read_choice(r, entry, names, RUN_CASES_NAMES(", ", " or "), &out->cases);
}

static int read_processes(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	static const char *const names[] = { RUN_PROCESSES_NAMES(RUN_COMMA, RUN_COMMA), NULL };
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	return read_choice(r, entry, names, RUN_PROCESSES_NAMES(", ", " or "), &out->processes);
}

static int read_threads(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	static const char *const names[] = { RUN_THREADS_NAMES(RUN_COMMA), NULL };
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	return read_choice(r, entry, names, RUN_THREADS_NAMES(" or "), &out->threads);
}

/* A list of names of kinds. */
static int read_kinds(struct config_reader *r, const struct doc_entry *entry,
		      const struct kind *kinds, const char *expected, unsigned *out)
{
	const struct doc_node *list = entry->value;

	if (list->kind != DOC_LIST)
		return read_mismatch(r, entry, expected);
	for (const struct doc_entry *e = list->first; e; e = e->next) {
		const char *name;
		int rc = read_line(r, e, expected, &name);
		if (rc != CG_OK)
			return rc;
		unsigned bit = kind_of_name(kinds, name, strlen(name));
		if (!bit)
			return read_mismatch(r, e, expected);
		*out |= bit;
	}
	return CG_OK;
}

/* What names a kind is an element of a list, which the user has not written. */
static int read_kinds_of(struct config_reader *r, const struct doc_entry *entry,
			 const struct kind *kinds, const char *expected, unsigned *out)
{
	const struct doc_node *value = entry->value;

	if (value->kind == DOC_SCALAR && kind_of_name(kinds, value->text, strlen(value->text)))
		return READ_FAIL(r, entry->line, "'%s': expected a list: write %s: [%s]",
				 entry->key, entry->key, value->text);
	return read_kinds(r, entry, kinds, expected, out);
}

static int read_freeze(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	return read_kinds_of(r, entry, kinds_to_freeze, "a list of what to freeze: " FREEZE_KINDS,
			     &out->freeze);
}

static int read_counters(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	return read_kinds_of(r, entry, count_kinds, "a list of what else to count: " COUNT_KINDS,
			     &out->count);
}

static int read_signals(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	static const char expected[] =
		"a list of signals that may end a process, such as [SEGV, TERM]";
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;
	const struct doc_node *list = entry->value;

	if (list->kind != DOC_LIST)
		return read_mismatch(r, entry, expected);
	for (const struct doc_entry *e = list->first; e; e = e->next) {
		const char *name;
		int rc = read_line(r, e, expected, &name);
		if (rc != CG_OK)
			return rc;
		int number = signal_number(name);
		if (!number)
			return read_mismatch(r, e, expected);
		out->signals |= UINT64_C(1) << number;
	}
	return CG_OK;
}

static bool is_tag(const char *text)
{
	enum { MOST = 64 };
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_.-");

	return len && len <= MOST && !text[len];
}

static int read_tags(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	static const char expected[] = "a list of tags, words of letters, digits, _, . and -";
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;
	const struct doc_node *list = entry->value;

	if (list->kind != DOC_LIST)
		return read_mismatch(r, entry, expected);
	out->tags = config_pool_alloc(r->pool, list->count, sizeof *out->tags);
	if (!out->tags)
		return cg_fail_nomem(r->err);
	for (const struct doc_entry *e = list->first; e; e = e->next) {
		const char **tag = &out->tags[out->tag_count++];
		int rc = read_line(r, e, expected, tag);
		if (rc != CG_OK)
			return rc;
		if (!is_tag(*tag))
			return read_mismatch(r, e, expected);
	}
	return CG_OK;
}

static int read_benchmark_limits(struct config_reader *r, const struct doc_entry *entry,
				 void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	return read_limits(r, entry, LIMIT_BENCHMARK, &out->limits);
}

static int read_benchmark_tolerance(struct config_reader *r, const struct doc_entry *entry,
				    void *target)
{
	struct config_benchmark *out = ((struct benchmark_draft *)target)->out;

	return read_tolerance(r, entry, &out->tolerances, &out->ntolerances);
}

static const struct field benchmark_fields[] = {
	{ "command", note_command },
	{ "shell", note_shell },
	{ "root", read_root },
	{ "filter", read_filter },
	{ "env", read_benchmark_env },
	{ "cwd", read_cwd },
	{ "timeout", read_timeout },
	{ "depth", read_depth },
	{ "warm_up", read_warm_up },
	{ "cases", read_case_kind },
	{ "processes", read_processes },
	{ "threads", read_threads },
	{ "freeze", read_freeze },
	{ "count", read_counters },
	{ "cache_sim", read_cache_sim },
	{ "presets", read_presets },
	{ "signals", read_signals },
	{ "tags", read_tags },
	{ "limits", read_benchmark_limits },
	{ "tolerance", read_benchmark_tolerance },
};

/* Names of kinds are no keys. */
static int refuse_kinds(struct config_reader *r, const struct doc_node *map)
{
	static const struct {
		const struct kind *kinds;
		const char *key;
	} lists[] = { { count_kinds, "count" }, { kinds_to_freeze, "freeze" } };

	for (const struct doc_entry *e = map->first; e; e = e->next)
		for (size_t i = 0; i < COUNT(lists); i++)
			if (kind_of_name(lists[i].kinds, e->key, strlen(e->key)))
				return READ_FAIL(r, e->line,
						 "unknown key '%s' in a benchmark; write %s: [%s]",
						 e->key, lists[i].key, e->key);
	return CG_OK;
}

static int read_config_benchmark(struct config_reader *r, const struct doc_entry *entry,
				 struct config_benchmark *out)
{
	struct benchmark_draft draft = { .out = out };
	int rc = label_check_new(entry->key, r->err);

	if (rc != CG_OK)
		return read_place(r, entry, rc);
	rc = read_expect(r, entry, DOC_MAP, "a benchmark: a map with a `command`");
	if (rc != CG_OK)
		return rc;
	out->name = entry->key;
	out->line = entry->line;
	out->depth = -1;
	rc = refuse_kinds(r, entry->value);
	if (rc != CG_OK)
		return rc;
	rc = read_fields(r, entry->value, "a benchmark", benchmark_fields, COUNT(benchmark_fields),
			 &draft);
	if (rc != CG_OK)
		return rc;
	if (!draft.command.command)
		return READ_FAIL(r, entry->line, "the benchmark '%s' has no `command`", entry->key);
	return read_command(r, draft.command.command, draft.command.shell, &out->command);
}

/* ---- the whole file ---- */

static int read_benchmarks(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config *config = target;
	const struct doc_node *map = entry->value;

	if (doc_is_null(map))
		return CG_OK;
	if (map->kind != DOC_MAP)
		return read_mismatch(r, entry, "a map of names and benchmarks");
	config->benchmarks = config_pool_alloc(r->pool, map->count, sizeof *config->benchmarks);
	if (!config->benchmarks)
		return cg_fail_nomem(r->err);
	for (const struct doc_entry *e = map->first; e; e = e->next) {
		/* It is counted before it is read, so that its limits are freed in any case. */
		struct config_benchmark *out = &config->benchmarks[config->benchmark_count++];
		int rc = read_config_benchmark(r, e, out);
		if (rc != CG_OK)
			return rc;
	}
	return CG_OK;
}

static const struct field build_fields[] = {
	{ "command", note_command },
	{ "shell", note_shell },
};

static int read_build(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config *config = target;
	struct command_draft draft = { .command = entry };

	if (entry->value->kind != DOC_MAP)
		return read_command(r, entry, false, &config->build);
	draft.command = NULL;
	int rc = read_fields(r, entry->value, "`build`", build_fields, COUNT(build_fields), &draft);
	if (rc != CG_OK)
		return rc;
	if (!draft.command)
		return READ_FAIL(r, entry->line, "'build' has no `command`");
	return read_command(r, draft.command, draft.shell, &config->build);
}

static int read_base_revision(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	static const char expected[] = "a branch, tag or commit that does not begin with a dash";
	struct config *config = target;
	int rc = read_line(r, entry, expected, &config->base.text);

	if (rc != CG_OK)
		return rc;
	if (*config->base.text == '-')
		return read_mismatch(r, entry, expected);
	config->base.line = entry->line;
	return CG_OK;
}

static int read_copy_list(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config *config = target;

	return read_file_list(r, entry, &config->copy, &config->copy_count);
}

static int read_keep_list(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config *config = target;

	config->keep_given = true;
	return read_keep(r, entry, &config->keep, &config->keep_count);
}

static int read_general_limits(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct config *config = target;

	return read_limits(r, entry, LIMIT_GENERAL, &config->limits);
}

static const struct field top_fields[] = {
	{ "build", read_build },           { "base", read_base_revision },
	{ "copy", read_copy_list },        { "keep", read_keep_list },
	{ "benchmarks", read_benchmarks }, { "limits", read_general_limits },
};

static int read_document(struct config_reader *r, const char *text, size_t len,
			 struct config *config)
{
	const struct doc_node *root;
	char found[CG_QUOTE_SIZE];
	int rc = document_parse(text, len, r->path, r->pool, &root, r->err);

	if (rc != CG_OK || !root)
		return rc;
	if (root->kind != DOC_MAP)
		return READ_FAIL(r, root->line, "expected a map with `benchmarks`, found %s",
				 read_found(found, root));
	return read_fields(r, root, CONFIG_NAME, top_fields, COUNT(top_fields), config);
}

/* The directory of a path, as text. */
static char *config_directory_of(struct config_pool *pool, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return config_pool_text(pool, ".", 1);
	return config_pool_text(pool, path, slash == path ? 1 : (size_t)(slash - path));
}

static struct config *config_new(const char *path)
{
	struct config *config = calloc(1, sizeof *config);

	if (!config)
		return NULL;
	config->pool = config_pool_new();
	if (config->pool) {
		config->path = config_pool_text(config->pool, path, strlen(path));
		config->dir = config_directory_of(config->pool, path);
	}
	if (!config->pool || !config->path || !config->dir) {
		config_free(config);
		return NULL;
	}
	return config;
}

int config_parse(const char *text, size_t len, const char *path, struct config **config,
		 struct cg_error *err)
{
	struct config *new = config_new(path);
	struct cg_error error = { 0 };

	if (!new)
		return cg_fail_nomem(err);

	struct config_reader r = { .path = new->path, .pool = new->pool, .err = &error };
	int rc = len > CONFIG_BYTES_MAX
			 ? cg_fail(&error, CG_ERANGE, path, 0, "the file is larger than %d bytes",
				   CONFIG_BYTES_MAX)
			 : read_document(&r, text, len, new);
	if (rc != CG_OK) {
		config_free(new);
		if (err)
			*err = error;
		return rc;
	}
	*config = new;
	return CG_OK;
}

void config_free(struct config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->benchmark_count; i++)
		limit_set_free(&config->benchmarks[i].limits);
	limit_set_free(&config->limits);
	config_pool_free(config->pool);
	free(config);
}

const char *config_lacking_counter(const struct config_benchmark *benchmark, const char *metric)
{
	static const struct {
		const char *event;
		enum count kind;
		const char *text;
	} counted[] = {
		{ "sysCount", COUNT_SYSCALLS, "count: [syscalls]" },
		{ "Bc", COUNT_BRANCHES, "count: [branches]" },
		{ "Bcm", COUNT_BRANCHES, "count: [branches]" },
		{ "Bi", COUNT_BRANCHES, "count: [branches]" },
		{ "Bim", COUNT_BRANCHES, "count: [branches]" },
		{ "Ge", COUNT_BUS, "count: [bus]" },
	};

	for (size_t i = 0; i < COUNT(counted); i++)
		if (metric_is_same(metric, counted[i].event))
			return benchmark->count & counted[i].kind ? NULL : counted[i].text;
	return NULL;
}

bool config_benchmark_counts_heap(const struct config_benchmark *benchmark)
{
	return benchmark->count & COUNT_HEAP;
}

bool config_counts_heap(const struct config *config)
{
	for (size_t i = 0; i < config->benchmark_count; i++)
		if (config_benchmark_counts_heap(&config->benchmarks[i]))
			return true;
	return false;
}

const struct config_benchmark *config_benchmark(const struct config *config, const char *name)
{
	size_t len = label_benchmark_length(name);

	for (size_t i = 0; i < config->benchmark_count; i++)
		if (strlen(config->benchmarks[i].name) == len &&
		    memcmp(config->benchmarks[i].name, name, len) == 0)
			return &config->benchmarks[i];
	return NULL;
}

int config_load(const char *path, struct config **config, struct cg_error *err)
{
	char *text;
	size_t len;
	int rc = config_file_read(path, CONFIG_BYTES_MAX, &text, &len, err);

	if (rc != CG_OK)
		return rc;
	rc = config_parse(text, len, path, config, err);
	free(text);
	return rc;
}
