/* Node.js: scripts of package.json that are benchmarks, and files that are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/init/survey_kinds.h"
#include "src/json/json.h"

/* In this order: a later one may be there only because an earlier one needs_package it. */
static const struct {
	const char *package;
	enum bench_harness harness;
} harnesses[] = {
	{ "@codspeed/vitest-plugin", HARNESS_CODSPEED_JS },
	{ "@codspeed/tinybench-plugin", HARNESS_CODSPEED_JS },
	{ "@codspeed/benchmark.js-plugin", HARNESS_CODSPEED_JS },
	{ "mitata", HARNESS_MITATA },
	{ "tinybench", HARNESS_TINYBENCH },
	{ "benchmark", HARNESS_BENCHMARK_JS },
	{ "vitest", HARNESS_VITEST },
};

/* A package, as package.json describes it. */
struct package {
	const struct json_value *scripts;
	enum bench_harness harness;
	bool has_vitest;
};

static bool needs_package(const struct json_value *root, const char *package)
{
	return json_member(json_member(root, "devDependencies"), package) ||
	       json_member(json_member(root, "dependencies"), package);
}

static void read_package(const struct json_value *root, struct package *out)
{
	*out = (struct package){ .scripts = json_member(root, "scripts") };
	for (size_t i = 0; i < sizeof harnesses / sizeof *harnesses && !out->harness; i++)
		if (needs_package(root, harnesses[i].package))
			out->harness = harnesses[i].harness;
	out->has_vitest = needs_package(root, "vitest");
}

/* Its name in a label: "bench:parse" is "bench-parse". */
static bool script_label(const char *script, char name[CALL_WORD_MAX])
{
	if (snprintf(name, CALL_WORD_MAX, "%s", script) >= CALL_WORD_MAX)
		return false;
	for (char *c = name; *c; c++)
		*c = *c == ':' ? '-' : *c;
	return true;
}

/* Functions of JavaScript have names by these. A variable of the benchmark replaces the one that
 * irdiff sets for Node.js, whose option is the first. */
#define NAMED_FUNCTIONS \
	"NODE_OPTIONS=--perf-basic-prof-only-functions " \
	"--interpreted-frames-native-stack"

/* CodSpeed's libraries ask V8 to compile what they measure. */
static bool add_node(struct survey_bench *b, enum bench_harness harness)
{
	const bool natives = harness == HARNESS_CODSPEED_JS || harness == HARNESS_TINYBENCH;
	const char *const words[] = { "node", natives ? "--allow-natives-syntax" : NULL, NULL };

	b->variable = NAMED_FUNCTIONS;
	return survey_fixed_words(b, words);
}

/* Appends the words of a script that node can run itself, so that no npm and no shell is measured:
 * "node FILE …", or a program of a package, which is a script too. */
static bool add_script_words(struct survey_bench *b, const char *script, enum bench_harness harness)
{
	bool first = true;

	if (script[strcspn(script, "&|;<>$`*?\"'\\(){}[]~#\n")] || strchr(script, '='))
		return false;
	for (const char *at = script + strspn(script, " "); *at; at += strspn(at, " ")) {
		char word[CALL_WORD_MAX];
		size_t len = strcspn(at, " ");
		if (len >= sizeof word)
			return false;
		memcpy(word, at, len);
		word[len] = '\0';
		at += len;
		bool node = first && strcmp(word, "node") == 0;
		bool manager = first && (strcmp(word, "npm") == 0 || strcmp(word, "yarn") == 0 ||
					 strcmp(word, "pnpm") == 0 || strcmp(word, "npx") == 0);
		if (manager || (first && !add_node(b, harness)))
			return false;
		if (!node && !survey_word(b, first ? "node_modules/.bin/" : "", word))
			return false;
		first = false;
	}
	return b->count > 1;
}

static void add_script(struct survey *s, const char *script, const char *text,
		       enum bench_harness harness)
{
	char name[CALL_WORD_MAX];
	struct survey_bench *b = script_label(script, name) ? survey_add(s, name, "package.json", 0)
							    : NULL;

	if (!b)
		return;
	if (!add_script_words(b, text, harness)) {
		b->count = 0;
		b->variable = NULL;
		if (!survey_fixed_words(b, (const char *const[]){ "npm", "run", "-s", NULL }) ||
		    !survey_word(b, "", script)) {
			survey_drop(s);
			return;
		}
	}
	b->harness = harness;
}

/* ---- files ---- */

static bool is_node_script(const char *path)
{
	return project_file_ends(path, ".js") || project_file_ends(path, ".mjs") ||
	       project_file_ends(path, ".cjs");
}

/* "x.bench.ts", as vitest has them. */
static bool is_vitest_bench(const char *path)
{
	const char *bench = strstr(project_file_name(path), ".bench.");
	return bench && (is_node_script(path) || project_file_ends(path, ".ts") ||
			 project_file_ends(path, ".mts"));
}

/* bench.js, benchmark.js, x.bench.js, and the files of bench/ and benchmarks/. */
static bool is_bench_script(const char *path)
{
	return is_node_script(path) &&
	       (survey_names_bench(project_file_name(path)) || strncmp(path, "bench/", 6) == 0 ||
		strncmp(path, "benchmark/", 10) == 0 || strncmp(path, "benchmarks/", 11) == 0);
}

static void add_bench_file(struct survey *s, const char *path, const struct package *package)
{
	static const char *const vitest[] = { "node_modules/.bin/vitest", "bench", "--run", NULL };
	char name[CALL_WORD_MAX], directory[BUILD_PATH_MAX];
	bool by_vitest = package->has_vitest && is_vitest_bench(path);

	if (!by_vitest && !is_bench_script(path))
		return;
	if (snprintf(name, sizeof name, "%s", project_file_name(path)) >= (int)sizeof name ||
	    !project_file_directory(path, directory, sizeof directory))
		return;
	*strrchr(name, '.') = '\0';
	struct survey_bench *b = survey_add_in(s, directory, name, path, 0);
	if (!b)
		return;
	if (!add_node(b, package->harness) || (by_vitest && !survey_fixed_words(b, vitest)) ||
	    !survey_word(b, "", path))
		survey_drop(s);
	else
		b->harness = package->harness;
}

/* ---- the build ---- */

static bool has_file(const struct survey_place *p, const char *name)
{
	for (size_t i = 0; i < p->files.count; i++)
		if (strcmp(p->files.paths[i], name) == 0)
			return true;
	return false;
}

/* The options name what installs the dependencies, and whether a script builds: see
 * build_command. */
static void find_build(const struct survey_place *p, const struct json_value *root,
		       const struct package *package, struct survey *s)
{
	if (json_member(root, "dependencies") || json_member(root, "devDependencies"))
		survey_option(s, has_file(p, "pnpm-lock.yaml")      ? "pnpm"
				 : has_file(p, "yarn.lock")         ? "yarn"
				 : has_file(p, "package-lock.json") ? "ci"
								    : "install");
	if (json_text_of(json_member(package->scripts, "build")))
		survey_option(s, "build");
	/* Benchmarks compare with other packages, which are not the project's own. */
	for (size_t i = 0; i < 3 && !p->tests && !*s->requirements; i++) {
		static const char *const places[] = { "bench", "benchmark", "benchmarks" };
		char path[32];
		snprintf(path, sizeof path, "%s/package.json", places[i]);
		if (has_file(p, path))
			snprintf(s->requirements, sizeof s->requirements, "%s", places[i]);
	}
}

static void look_at_scripts(struct survey *s, const struct package *package, bool tests)
{
	static const char *const benches[] = { "bench",    "benchmark",  "benchmarks", "bench:node",
					       "bench:js", "test:bench", "perf",       NULL };
	static const char *const test[] = { "test", NULL };

	for (const char *const *name = tests ? test : benches; *name; name++) {
		const char *text = json_text_of(json_member(package->scripts, *name));
		if (text && !strstr(text, "no test specified"))
			add_script(s, *name, text, tests ? HARNESS_NONE : package->harness);
	}
}

int survey_node(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	struct build_file file;
	struct json_value *root = NULL;
	struct package package;
	int status = build_file_read_whole(p->dir, "package.json", &file, err);

	/* One that is no JSON is of no use to npm either. */
	if (status || !file.text ||
	    json_read(file.text, strlen(file.text), "package.json", &root, NULL)) {
		build_file_free(&file);
		return status;
	}
	read_package(root, &package);
	look_at_scripts(s, &package, p->tests);
	bool by_scripts = s->count > 0 || p->tests;
	for (size_t i = 0; !by_scripts && i < p->files.count; i++)
		add_bench_file(s, p->files.paths[i], &package);
	find_build(p, root, &package, s);
	json_forget(root);
	build_file_free(&file);
	return CG_OK;
}
