#include "src/cli/completion_values.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/support/text.h"
#include "src/config/config.h"
#include "src/diff/metric.h"
#include "src/git/git.h"
#include "src/run/count.h"
#include "src/run/freeze.h"
#include "src/store/baselines.h"
#include "src/store/cache.h"
#include "src/store/find_profile.h"
#include "src/store/label.h"

/* ---- printing ---- */

static bool is_harmless(const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		uint32_t code;
		size_t n = cg_utf8_decode(text + i, len - i, &code);
		if (!n || cg_is_control(code))
			return false;
		i += n;
	}
	return true;
}

void candidate(const struct completion_values *c, const char *text, const char *description)
{
	if (is_harmless(c->word, c->stem) && is_harmless(text, strlen(text)))
		fprintf(c->to, "%.*s%s\t%s\n", (int)c->stem, c->word, text, description);
}

static void directive(const struct completion_values *c, const char *name)
{
	if (is_harmless(c->word, c->stem))
		fprintf(c->to, "\t%s\t%.*s\n", name, (int)c->stem, c->word);
}

void complete_files(const struct completion_values *c)
{
	directive(c, "files");
}

void complete_directories(const struct completion_values *c)
{
	directive(c, "directories");
}

static const char *typed(const struct completion_values *c)
{
	return c->word + c->stem;
}

/* The same where `len` more bytes of the word stay. */
static struct completion_values values_after(const struct completion_values *c, size_t len)
{
	return (struct completion_values){ c->to, c->word, c->stem + len };
}

static struct completion_values behind_last_comma(const struct completion_values *c)
{
	const char *comma = strrchr(typed(c), ',');
	return values_after(c, comma ? (size_t)(comma + 1 - typed(c)) : 0);
}

/* ---- the project ---- */

/* As struct project (src/load/project.h), but without an irdiff.yml that has errors. */
struct completed_project {
	char *root;
	struct config *config;
};

static void look_around_project(struct completed_project *s)
{
	char *path = NULL;

	*s = (struct completed_project){ .root = getcwd(NULL, 0) };
	if (!s->root || config_find(s->root, &path, NULL) || !path)
		return;
	config_load(path, &s->config, NULL);
	free(s->root);
	s->root = path;
	char *slash = strrchr(path, '/');
	slash[slash == path] = '\0';
}

static void forget(struct completed_project *s)
{
	config_free(s->config);
	free(s->root);
}

/* ---- profiles ---- */

static void print_labels(const struct completion_values *c, const struct completed_project *s)
{
	struct path_list labels = { 0 };

	store_list_labels(s->root, &labels, NULL);
	for (size_t i = 0; i < labels.count; i++)
		candidate(c, labels.paths[i],
			  label_is_old(labels.paths[i]) ? "replaced profile" : "profile");
	path_list_free(&labels);
}

void complete_labels(const struct completion_values *c)
{
	struct completed_project s;

	look_around_project(&s);
	if (s.root)
		print_labels(c, &s);
	forget(&s);
}

/* "baseline:" while that is typed, then NAME/BENCH. */
static void print_baseline_profiles(const struct completion_values *c,
				    const struct completed_project *s)
{
	struct path_list names = { 0 };

	baseline_list(s->root, &names, NULL);
	if (!baseline_is_operand(typed(c)) && names.count)
		candidate(c, BASELINE_PREFIX, "profile of a baseline");
	for (size_t i = 0; baseline_is_operand(typed(c)) && i < names.count; i++) {
		struct path_list benches = { 0 };
		baseline_list_benches(s->root, names.paths[i], &benches, NULL);
		for (size_t k = 0; k < benches.count; k++) {
			char *operand;
			if (baseline_operand(names.paths[i], benches.paths[k], &operand, NULL))
				continue;
			candidate(c, operand, "baseline");
			free(operand);
		}
		path_list_free(&benches);
	}
	path_list_free(&names);
}

/* Usually there are many and few are wanted: only once "@" is typed. */
static void print_cached(const struct completion_values *c, const struct completed_project *s)
{
	struct cache_list list = { 0 };

	if (!strchr(typed(c), '@'))
		return;
	cache_list(s->root, &list, NULL);
	for (size_t i = 0; i < list.count; i++) {
		char *label = label_of_file(list.items[i].name);
		if (label && cache_is_name(list.items[i].name))
			candidate(c, label, "measurement of a commit");
		free(label);
	}
	cache_list_free(&list);
}

void complete_profiles(const struct completion_values *c)
{
	struct completed_project s;

	look_around_project(&s);
	if (s.root) {
		print_labels(c, &s);
		print_baseline_profiles(c, &s);
		print_cached(c, &s);
	}
	forget(&s);
	if (!baseline_is_operand(typed(c)))
		complete_files(c);
}

/* ---- benchmarks and baselines ---- */

/* Without irdiff.yml, every label may be a benchmark. */
static void print_cases(const struct completion_values *c, const struct completed_project *s)
{
	struct path_list labels = { 0 };

	store_list_labels(s->root, &labels, NULL);
	for (size_t i = 0; i < labels.count; i++) {
		const char *label = labels.paths[i];
		bool is_case = strchr(label, '/');
		if (!label_is_old(label) &&
		    (!s->config || (is_case && config_benchmark(s->config, label))))
			candidate(c, label, is_case ? "case" : "profile");
	}
	path_list_free(&labels);
}

void complete_benchmarks(const struct completion_values *c)
{
	struct completed_project s;

	look_around_project(&s);
	for (size_t i = 0; s.config && i < s.config->benchmark_count; i++)
		candidate(c, s.config->benchmarks[i].name, "benchmark");
	if (s.root)
		print_cases(c, &s);
	forget(&s);
}

/* Shells show once what several benchmarks have. */
void complete_tags(const struct completion_values *c)
{
	struct completed_project s;
	char text[80];

	look_around_project(&s);
	for (size_t i = 0; s.config && i < s.config->benchmark_count; i++)
		for (size_t k = 0; k < s.config->benchmarks[i].tag_count; k++) {
			snprintf(text, sizeof text, "tag:%s", s.config->benchmarks[i].tags[k]);
			candidate(c, text, "tag");
		}
	forget(&s);
}

void complete_baselines(const struct completion_values *c)
{
	struct completed_project s;
	struct path_list names = { 0 };

	look_around_project(&s);
	if (s.root)
		baseline_list(s.root, &names, NULL);
	for (size_t i = 0; i < names.count; i++)
		candidate(c, names.paths[i], "baseline");
	path_list_free(&names);
	forget(&s);
}

/* ---- git ---- */

/* The output of git, owned by the caller; NULL: none. */
static char *ask_git(const char *const *args)
{
	const struct git_call call = { .args = args, .quiet = true };
	struct git *git;
	char *output;

	if (git_open(".", NULL, &git, NULL))
		return NULL;
	if (git_run(git, &call, &output, NULL, NULL))
		output = NULL;
	git_close(git);
	return output;
}

static void print_ref(const struct completion_values *c, const char *ref)
{
	static const struct {
		const char *prefix, *description;
	} kinds[] = {
		{ "refs/heads/", "branch" },
		{ "refs/tags/", "tag" },
		{ "refs/remotes/", "remote branch" },
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t len = strlen(kinds[i].prefix);
		if (strncmp(ref, kinds[i].prefix, len) == 0)
			candidate(c, ref + len, kinds[i].description);
	}
}

void complete_refs(const struct completion_values *c)
{
	static const char *const args[] = { "for-each-ref", "--format=%(refname)", NULL };
	char *refs = ask_git(args), *state = NULL;

	if (!refs)
		return;
	candidate(c, "HEAD", "the current commit");
	for (char *ref = strtok_r(refs, "\n", &state); ref; ref = strtok_r(NULL, "\n", &state))
		print_ref(c, ref);
	free(refs);
}

void complete_remotes(const struct completion_values *c)
{
	static const char *const args[] = { "remote", NULL };
	char *remotes = ask_git(args), *state = NULL;

	if (!remotes)
		return;
	for (char *name = strtok_r(remotes, "\n", &state); name;
	     name = strtok_r(NULL, "\n", &state))
		candidate(c, name, "remote");
	free(remotes);
}

void complete_range(const struct completion_values *c)
{
	const char *dots = strstr(typed(c), "..");

	if (!dots) {
		complete_refs(c);
		return;
	}
	const struct completion_values end = values_after(c, (size_t)(dots - typed(c)) +
								     strspn(dots, "."));
	complete_refs(&end);
}

/* ---- words that are known ---- */

void complete_events(const struct completion_values *c)
{
	const struct completion_values last = behind_last_comma(c);

	for (const char *const *e = metric_recorded; *e; e++)
		candidate(&last, *e, "event");
}

void complete_metrics(const struct completion_values *c)
{
	for (const char *const *e = metric_recorded; *e; e++)
		candidate(c, *e, "event");
	for (const char *const *m = metric_other_names; *m; m++)
		candidate(c, *m, "event");
	for (const char *const *m = metric_derived; *m; m++)
		candidate(c, *m, "derived metric");
	for (const char *const *m = metric_heap; *m; m++)
		candidate(c, *m, "of the heap");
}

static void print_limit_value(const struct completion_values *c, const char *metric)
{
	char text[40];

	snprintf(text, sizeof text, "%s=", metric);
	candidate(c, text, "+2%, +500, 1.2M or =");
}

void complete_limits(const struct completion_values *c)
{
	for (const char *const *e = metric_recorded; *e; e++)
		print_limit_value(c, *e);
	for (const char *const *m = metric_other_names; *m; m++)
		print_limit_value(c, *m);
	for (const char *const *m = metric_derived; *m; m++)
		print_limit_value(c, *m);
	for (const char *const *m = metric_heap; *m; m++)
		print_limit_value(c, *m);
}

void complete_freeze(const struct completion_values *c)
{
	const struct completion_values last = behind_last_comma(c);

	for (const struct kind *k = kinds_to_freeze; k->name; k++)
		candidate(&last, k->name, "made constant");
}

void complete_counters(const struct completion_values *c)
{
	const struct completion_values last = behind_last_comma(c);

	for (const struct kind *k = count_kinds; k->name; k++)
		candidate(&last, k->name, "counted besides");
}

void complete_variables(const struct completion_values *c)
{
	for (char **v = environ; *v; v++) {
		char *name = strndup(*v, strcspn(*v, "="));
		if (name)
			candidate(c, name, "variable");
		free(name);
	}
}
