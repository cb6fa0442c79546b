#include "src/run/gungraun.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/run/bincode.h"
#include "src/run/gungraun_forms.h"
#include "src/run/harness.h"

/* ---- what is read ---- */

enum { ENTRY_NONE, ENTRY_DEFAULT, ENTRY_CUSTOM, ENTRY_NOT_SAID };
enum { CALLGRIND = 0 };

/* How callgrind is to be run. */
struct said_tool {
	uint64_t kind;
	unsigned entry;
	char *root;             /* of ENTRY_CUSTOM */
	struct strings options; /* that change where it counts */
};

/* A configuration. */
struct said_settings {
	struct strings environment, options;
	struct said_tool tool;
	bool replaces; /* the tool of the configuration around it */
	bool moves;    /* it runs in another directory */
};

struct said_bench {
	char *function, *id;
	bool repeats;
	uint64_t rounds;
	struct said_settings settings;
};

/* A configuration is of the innermost level that is open. */
enum said_level { LEVEL_ALL, LEVEL_GROUP, LEVEL_FUNCTION, LEVEL_BENCH, LEVELS };

struct telling {
	struct gungraun *gungraun;
	struct cg_error *err;
	int version;
	const char *module;
	enum said_level level;
	struct said_settings settings[LEVELS - 1];
	struct said_bench *benches; /* of the function */
	size_t nbenches, benches_cap;
	char *group;
	size_t function;       /* of the group; 0 the first */
	struct said_tool tool; /* that is being read, if in_tool */
	bool in_tool, in_replacement;
	char *variable;
};

static void free_tool(struct said_tool *tool)
{
	free(tool->root);
	strings_free(&tool->options);
	*tool = (struct said_tool){ .entry = ENTRY_NOT_SAID };
}

static void reset_settings(struct said_settings *s)
{
	strings_free(&s->environment);
	strings_free(&s->options);
	free_tool(&s->tool);
	s->replaces = s->moves = false;
}

static void drop_benches(struct telling *t)
{
	for (size_t i = 0; i < t->nbenches; i++) {
		free(t->benches[i].function);
		free(t->benches[i].id);
		reset_settings(&t->benches[i].settings);
	}
	t->nbenches = 0;
}

static struct said_bench *last_bench(struct telling *t)
{
	return &t->benches[t->nbenches - 1];
}

static struct said_settings *settings_now(struct telling *t)
{
	return t->level == LEVEL_BENCH ? &last_bench(t)->settings : &t->settings[t->level];
}

static int add_bench(struct telling *t)
{
	if (t->nbenches + t->gungraun->count >= HARNESS_CASES_MAX)
		return harness_fail_too_many(t->err);
	if (cg_grow(&t->benches, &t->benches_cap, t->nbenches + 1, sizeof *t->benches))
		return cg_fail_nomem(t->err);
	t->benches[t->nbenches++] = (struct said_bench){
		.settings.tool.entry = ENTRY_NOT_SAID,
	};
	return CG_OK;
}

static int add_told_group(struct telling *t)
{
	struct gungraun *g = t->gungraun;

	if (g->ngroups > HARNESS_CASES_MAX)
		return harness_fail_too_many(t->err);
	if (cg_grow(&g->groups, &g->groups_cap, g->ngroups + 1, sizeof *g->groups))
		return cg_fail_nomem(t->err);
	g->groups[g->ngroups++] = (struct gungraun_group){ 0 };
	t->function = 0;
	return CG_OK;
}

/* ---- what a configuration says ---- */

static char *copy_value(const struct bincode_value *value)
{
	return strndup(value->text, value->len);
}

static int replace_text(char **text, const struct bincode_value *value, struct cg_error *err)
{
	char *copy = copy_value(value);

	if (!copy)
		return cg_fail_nomem(err);
	free(*text);
	*text = copy;
	return CG_OK;
}

/* Of Valgrind's options those that change what is counted; gungraun accepts them without dashes. */
static int add_option(struct telling *t, const struct bincode_value *value)
{
	static const char *const kept[] = { "--toggle-collect=", "--collect-atstart=",
					    "--instr-atstart=" };
	struct strings *to = t->in_tool ? &t->tool.options : &settings_now(t)->options;
	char *word = copy_value(value), *option = NULL;
	int status = CG_OK;

	if (!word || asprintf(&option, "%s%s", *word == '-' ? "" : "--", word) < 0) {
		free(word);
		return cg_fail_nomem(t->err);
	}
	for (size_t i = 0; !status && i < sizeof kept / sizeof *kept; i++)
		if (text_after(option, kept[i]))
			status = strings_add(to, option, t->err);
	free(word);
	free(option);
	return status;
}

static int take_entry(struct telling *t, const struct bincode_value *value)
{
	struct said_tool *tool = t->in_tool ? &t->tool : &settings_now(t)->tool;

	if (!value->given)
		return CG_OK;
	tool->entry = (unsigned)value->number;
	return tool->entry == ENTRY_CUSTOM ? replace_text(&tool->root, value, t->err) : CG_OK;
}

/* A variable without a value is passed on from outside: that is for irdiff.yml to say. */
static int take_variable(struct telling *t, const struct bincode_value *value)
{
	if (!value->given)
		return CG_OK;
	return strings_addf(&settings_now(t)->environment, t->err, "%s=%.*s", t->variable,
			    (int)value->len, value->text);
}

/* A later configuration adds to an earlier one. */
static int add_tool(struct said_tool *to, const struct said_tool *from, struct cg_error *err)
{
	if (from->entry != ENTRY_NOT_SAID) {
		char *root = from->root ? strdup(from->root) : NULL;
		if (from->root && !root)
			return cg_fail_nomem(err);
		free(to->root);
		to->root = root;
		to->entry = from->entry;
	}
	return strings_add_all(&to->options, &from->options, err);
}

static int end_tool(struct telling *t)
{
	struct said_settings *s = settings_now(t);
	int status = CG_OK;

	if (t->tool.kind == CALLGRIND && t->in_replacement == s->replaces)
		status = add_tool(&s->tool, &t->tool, t->err);
	free_tool(&t->tool);
	t->in_tool = false;
	return status;
}

/* ---- the cases ---- */

/* The arguments up to what is run: a group, all of them (NULL), or a benchmark of a group. */
static int add_arguments_begin(const struct telling *t, bool one, const char *group,
			       struct strings *arguments)
{
	int status = strings_add(
		arguments, t->version < GUNGRAUN_RENAMED ? "--iai-run" : "--gungraun-run", t->err);

	if (!status && t->version >= GUNGRAUN_MODES)
		status = strings_add(arguments, "d:d:000000", t->err);
	if (status || !group)
		return status;
	if (t->version < GUNGRAUN_NUMBERS)
		return strings_add(arguments, group, t->err);
	return strings_addf(arguments, t->err, one ? "%05zu" : "%zu", t->gungraun->ngroups - 2);
}

static int add_bench_arguments(const struct telling *t, const struct said_bench *b, size_t bench,
			       size_t round, struct strings *arguments)
{
	const char *form = t->version < GUNGRAUN_NUMBERS ? "%zu" : "%05zu";
	char words[3][24];
	int status = add_arguments_begin(t, true, t->group, arguments);

	snprintf(words[0], sizeof words[0], form, t->function);
	snprintf(words[1], sizeof words[1], form, bench);
	snprintf(words[2], sizeof words[2], form, round);
	for (size_t i = 0; !status && i < (b->repeats ? 3 : 2); i++)
		status = strings_add(arguments, words[i], t->err);
	if (!status && t->version < GUNGRAUN_NUMBERS)
		status = strings_addf(arguments, t->err, "%s::%s::%s", t->module, t->group,
				      b->function);
	return status;
}

/* A benchmark's own configuration, with those around it. */
static int merge_settings(const struct telling *t, const struct said_bench *b,
			  struct said_settings *out)
{
	int status = CG_OK;

	for (int level = LEVEL_ALL; !status && level < LEVELS; level++) {
		const struct said_settings *s = level == LEVEL_BENCH ? &b->settings
								     : &t->settings[level];
		if (s->replaces)
			free_tool(&out->tool);
		out->moves |= s->moves;
		status = strings_add_all(&out->environment, &s->environment, t->err);
		if (!status)
			status = strings_add_all(&out->options, &s->options, t->err);
		if (!status)
			status = add_tool(&out->tool, &s->tool, t->err);
	}
	return status;
}

/* Where to count, but for the functions themselves, which are not all known yet. */
static int add_case_options(const struct telling *t, const struct said_settings *s,
			    struct strings *options)
{
	int status = CG_OK;

	if (s->tool.entry == ENTRY_CUSTOM)
		status = strings_addf(options, t->err, "--toggle-collect=%s", s->tool.root);
	if (!status)
		status = strings_add_all(options, &s->options, t->err);
	return status ? status : strings_add_all(options, &s->tool.options, t->err);
}

static char *name_of_case(const struct telling *t, const struct said_bench *b, size_t round)
{
	char number[24] = "", *name;

	if (b->repeats && b->id)
		snprintf(number, sizeof number, "_%zu", round);
	int len = asprintf(&name, "%s::%s::%s%s%s%s", t->module, t->group, b->function,
			   b->id ? " " : "", b->id ? b->id : "", number);
	return len < 0 ? NULL : name;
}

static struct gungraun_case *find_told_case(const struct gungraun *g, const char *name)
{
	for (size_t i = 0; i < g->count; i++)
		if (strcmp(g->cases[i].name, name) == 0)
			return &g->cases[i];
	return NULL;
}

/* Of several cases with one name, which gungraun allows, the second is "NAME (2)". Takes the name;
 * NULL: out of memory. */
static char *make_unique(const struct gungraun *g, char *name)
{
	struct gungraun_case *first = find_told_case(g, name);
	char *unique = NULL;

	if (!first)
		return name;
	do {
		free(unique);
		if (asprintf(&unique, "%s (%u)", name, ++first->copies + 1) < 0)
			unique = NULL;
	} while (unique && find_told_case(g, unique));
	free(name);
	return unique;
}

static int refuse_name(const struct telling *t, const char *name)
{
	return cg_fail(t->err, CG_EINVAL, NULL, 0,
		       "'%.200s' cannot be the name of a case: it has control characters", name);
}

static int refuse_place(const struct telling *t, const char *name)
{
	return cg_fail(
		t->err, CG_EINVAL, NULL, 0,
		"%.200s runs in gungraun's sandbox or in a directory of its own, which irdiff "
		"does not set up; remove sandbox or current_dir from its configuration",
		name);
}

static int complete_case(const struct telling *t, size_t bench, size_t round,
			 struct gungraun_case *c)
{
	const struct said_bench *b = &t->benches[bench];
	struct said_settings s = { .tool.entry = ENTRY_NOT_SAID };
	int status = merge_settings(t, b, &s);

	c->group = t->gungraun->ngroups - 1;
	c->by_function = s.tool.entry == ENTRY_NOT_SAID || s.tool.entry == ENTRY_DEFAULT;
	if (!status && s.moves)
		status = refuse_place(t, c->name);
	if (!status)
		status = add_bench_arguments(t, b, bench, round, &c->arguments);
	if (!status)
		status = add_case_options(t, &s, &c->options);
	if (!status)
		status = strings_add_all(&c->environment, &s.environment, t->err);
	reset_settings(&s);
	return status;
}

static int add_told_case(struct telling *t, size_t bench, size_t round)
{
	struct gungraun *g = t->gungraun;
	char *name = name_of_case(t, &t->benches[bench], round);

	if (name && !harness_is_name(name, strlen(name))) {
		int status = refuse_name(t, name);
		free(name);
		return status;
	}
	name = name ? make_unique(g, name) : NULL;
	if (!name || cg_grow(&g->cases, &g->cap, g->count + 1, sizeof *g->cases)) {
		free(name);
		return cg_fail_nomem(t->err);
	}
	struct gungraun_case *c = &g->cases[g->count++];
	*c = (struct gungraun_case){ .name = name };
	return complete_case(t, bench, round, c);
}

static bool has_option(const struct strings *texts, const char *text)
{
	for (size_t i = 0; i < texts->count; i++)
		if (strcmp(texts->items[i], text) == 0)
			return true;
	return false;
}

static int add_function(const struct telling *t, const char *function)
{
	const char *module = t->version < GUNGRAUN_RENAMED ? "__iai_callgrind_wrapper_mod"
							   : "__gungraun_wrapper_mod";
	struct strings *functions = &t->gungraun->functions;
	char *option;

	if (asprintf(&option, "--toggle-collect=*::%s::%s", module, function) < 0)
		return cg_fail_nomem(t->err);
	int status = has_option(functions, option) ? CG_OK : strings_add(functions, option, t->err);
	free(option);
	return status;
}

static int add_told_cases(struct telling *t)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < t->nbenches; i++) {
		const struct said_bench *b = &t->benches[i];
		const uint64_t rounds = b->repeats ? b->rounds : 1;
		if (rounds > HARNESS_CASES_MAX)
			return harness_fail_too_many(t->err);
		status = add_function(t, b->function);
		for (uint64_t round = 0; !status && round < rounds; round++)
			status = t->gungraun->count < HARNESS_CASES_MAX
					 ? add_told_case(t, i, (size_t)round)
					 : harness_fail_too_many(t->err);
	}
	return status;
}

/* ---- as it is read ---- */

static const char *said_fields(void *to, char structure)
{
	const struct telling *t = to;

	return gungraun_form(t->version, structure);
}

static int begin_said(void *to, char structure)
{
	struct telling *t = to;

	switch (structure) {
	case 'S':
		return add_told_group(t);
	case 'G':
		t->level = LEVEL_GROUP;
		reset_settings(&t->settings[t->level]);
		return add_told_group(t);
	case 'F':
		t->level = LEVEL_FUNCTION;
		reset_settings(&t->settings[t->level]);
		drop_benches(t);
		return CG_OK;
	case 'B':
		t->level = LEVEL_BENCH;
		return add_bench(t);
	case 'T':
		t->in_tool = true;
		return CG_OK;
	case 'X':
		t->in_replacement = true;
		free_tool(&settings_now(t)->tool);
		settings_now(t)->replaces = true;
		return CG_OK;
	default:
		return CG_OK;
	}
}

/* What runs before and after a group or, at the end, all of them. */
static int end_group(struct telling *t, size_t index)
{
	struct gungraun_group *group = &t->gungraun->groups[index];
	int status = add_arguments_begin(t, false, index ? t->group : NULL, &group->arguments);

	for (int level = LEVEL_ALL; !status && level <= (index ? LEVEL_GROUP : LEVEL_ALL); level++)
		status = strings_add_all(&group->environment, &t->settings[level].environment,
					 t->err);
	return status;
}

static int end_said(void *to, char structure)
{
	struct telling *t = to;
	int status;

	switch (structure) {
	case 'S':
		return end_group(t, 0);
	case 'G':
		t->level = LEVEL_ALL;
		return end_group(t, t->gungraun->ngroups - 1);
	case 'F':
		status = add_told_cases(t);
		t->level = LEVEL_GROUP;
		t->function++;
		return status;
	case 'B':
		t->level = LEVEL_FUNCTION;
		return CG_OK;
	case 'T':
		return end_tool(t);
	case 'X':
		t->in_replacement = false;
		return CG_OK;
	default:
		return CG_OK;
	}
}

static int take_bench(struct telling *t, char name, const struct bincode_value *value)
{
	struct said_bench *b = last_bench(t);

	switch (name) {
	case 'f':
		return replace_text(&b->function, value, t->err);
	case 'i':
		return value->given ? replace_text(&b->id, value, t->err) : CG_OK;
	default:
		b->repeats = value->given;
		b->rounds = value->number;
		return CG_OK;
	}
}

static int take_said(void *to, char name, const struct bincode_value *value)
{
	struct telling *t = to;
	struct gungraun *g = t->gungraun;

	switch (name) {
	case 'a':
		return add_option(t, value);
	case 'd':
		settings_now(t)->moves |= value->given;
		return CG_OK;
	case 'e':
		return take_entry(t, value);
	case 'g':
		return replace_text(&t->group, value, t->err);
	case 'k':
		return replace_text(&t->variable, value, t->err);
	case 's':
		g->groups[t->level ? g->ngroups - 1 : 0].setup = value->number;
		return CG_OK;
	case 't':
		if (t->in_tool)
			t->tool.kind = value->number;
		else
			g->groups[t->level ? g->ngroups - 1 : 0].teardown = value->number;
		return CG_OK;
	case 'v':
		return take_variable(t, value);
	case 'x':
		settings_now(t)->moves |= value->given && value->number;
		return CG_OK;
	default:
		return take_bench(t, name, value);
	}
}

/* ---- the whole ---- */

/* "0.15.2" as 1502; -1: no version. */
static int parse_gungraun_version(const char *text)
{
	unsigned minor, patch;
	int len = 0;

	if (sscanf(text, "0.%2u.%2u%n", &minor, &patch, &len) != 2 || text[len])
		return -1;
	return (int)(minor * 100 + patch);
}

enum { TOLD_VERSION, TOLD_KIND, TOLD_MODULE = 5, TOLD_WORDS };

/* The runner's arguments; NULL: they are not all there. *rest is what follows them. */
static bool read_words(const char *told, size_t size, const char *words[TOLD_WORDS],
		       const char **rest)
{
	const char *end = told + size, *at = memchr(told, '\0', size);
	char *last;
	const unsigned long count = at ? strtoul(told, &last, 10) : 0;

	if (!at || last != at || count < TOLD_WORDS)
		return false;
	at++;
	for (unsigned long i = 0; i < count; i++) {
		const char *next = memchr(at, '\0', (size_t)(end - at));
		if (!next)
			return false;
		if (i < TOLD_WORDS)
			words[i] = at;
		at = next + 1;
	}
	*rest = at;
	return true;
}

static int read_told_benchmarks(struct telling *t, const char *version, const char *bytes,
				size_t size)
{
	const struct bincode_reader reader = {
		.fields = said_fields,
		.begin = begin_said,
		.value = take_said,
		.end = end_said,
		.to = t,
	};
	int status = bincode_read(&reader, 'S', bytes, size);

	if (status == CG_ESYNTAX)
		status = cg_fail(t->err, CG_EINVAL, NULL, 0,
				 "gungraun %.20s describes its benchmarks in a form that irdiff "
				 "does not know",
				 version);
	return status;
}

int gungraun_read(const char *told, size_t size, struct gungraun *gungraun, struct cg_error *err)
{
	const char *words[TOLD_WORDS], *rest;

	if (!read_words(told, size, words, &rest))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "the benchmark started gungraun's runner with unknown arguments");
	struct telling t = {
		.gungraun = gungraun,
		.err = err,
		.version = parse_gungraun_version(words[TOLD_VERSION]),
		.module = words[TOLD_MODULE],
	};
	if (t.version < GUNGRAUN_FIRST || t.version >= GUNGRAUN_AFTER)
		return cg_fail(
			err, CG_EINVAL, NULL, 0,
			"the benchmark uses gungraun %.20s; irdiff knows iai-callgrind 0.14 to "
			"0.16 and gungraun 0.17 to 0.20",
			words[TOLD_VERSION]);
	if (strcmp(words[TOLD_KIND], "--lib-bench") != 0)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "the benchmark has a binary_benchmark_group!, which starts other "
			       "programs; measure each of these as an ordinary command, without "
			       "`cases: gungraun`");
	for (int i = 0; i < LEVELS - 1; i++)
		t.settings[i].tool.entry = ENTRY_NOT_SAID;
	t.tool.entry = ENTRY_NOT_SAID;
	int status = read_told_benchmarks(&t, words[TOLD_VERSION], rest,
					  size - (size_t)(rest - told));
	for (int i = 0; i < LEVELS - 1; i++)
		reset_settings(&t.settings[i]);
	drop_benches(&t);
	free(t.benches);
	free_tool(&t.tool);
	free(t.group);
	free(t.variable);
	return status;
}

int gungraun_add_marks(const struct gungraun *gungraun, const struct gungraun_case *c,
		       struct strings *options, struct cg_error *err)
{
	int status = c->by_function ? strings_add_all(options, &gungraun->functions, err) : CG_OK;

	return status ? status : strings_add_all(options, &c->options, err);
}

static void free_case(struct gungraun_case *c)
{
	free(c->name);
	strings_free(&c->arguments);
	strings_free(&c->options);
	strings_free(&c->environment);
}

void gungraun_keep(struct gungraun *gungraun, const bool *kept)
{
	size_t count = 0;

	for (size_t i = 0; i < gungraun->count; i++) {
		if (kept[i])
			gungraun->cases[count++] = gungraun->cases[i];
		else
			free_case(&gungraun->cases[i]);
	}
	gungraun->count = count;
}

void gungraun_free(struct gungraun *gungraun)
{
	for (size_t i = 0; i < gungraun->count; i++)
		free_case(&gungraun->cases[i]);
	for (size_t i = 0; i < gungraun->ngroups; i++) {
		strings_free(&gungraun->groups[i].arguments);
		strings_free(&gungraun->groups[i].environment);
	}
	free(gungraun->cases);
	free(gungraun->groups);
	strings_free(&gungraun->functions);
	*gungraun = (struct gungraun){ 0 };
}
