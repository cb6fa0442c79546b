/* Cargo: the benches of packages, named in Cargo.toml or files of benches/, and programs that are
 * benchmarks by their names; or tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/init/cargo_manifest.h"
#include "src/init/survey_kinds.h"

/* A package that is looked at. */
struct cargo_look {
	struct survey_place *place;
	struct survey *survey;
	const struct cargo_manifest *manifest;
	const char *directory; /* "" or "crates/a/" */
};

static bool is_harmless_word(const char *word)
{
	return *word && word[strspn(word, NAME_SIGNS "/")] == '\0';
}

/* The harness of a benchmark, by its source. */
static enum bench_harness harness_of_bench(const struct cargo_look *l, const char *source,
					   bool own_main)
{
	char path[BUILD_PATH_MAX];
	enum bench_harness harness = HARNESS_NONE;

	if (snprintf(path, sizeof path, "%s%s", l->directory, source) < (int)sizeof path) {
		char *text = survey_source(l->place, path);
		harness = harness_of_source(text, HARNESS_RUST);
		free(text);
	}
	if (!own_main && harness != HARNESS_LIBTEST && harness != HARNESS_NONE)
		return HARNESS_NONE;
	if (harness == HARNESS_CRITERION && l->manifest->old_criterion && !l->manifest->codspeed)
		return HARNESS_OLD_CRITERION;
	bool timed = harness == HARNESS_CRITERION || harness == HARNESS_DIVAN ||
		     harness == HARNESS_LIBTEST;
	return timed && l->manifest->codspeed ? HARNESS_CODSPEED_RUST : harness;
}

static enum bench_harness harness_of_target(const struct cargo_look *l, const char *kind,
					    const char *source, bool own_main)
{
	if (strcmp(kind, "bench") == 0)
		return harness_of_bench(l, source, own_main);
	bool tests = strcmp(kind, "test") == 0 || strcmp(kind, "lib") == 0;
	return tests && !own_main ? HARNESS_LIBTEST_TESTS : HARNESS_NONE;
}

/* The name of its program: Cargo builds it as a crate, whose name has no dashes. */
static void crate_name(const char *name, char crate[CALL_WORD_MAX])
{
	snprintf(crate, CALL_WORD_MAX, "%s", name);
	for (char *c = crate; *c; c++)
		*c = *c == '-' ? '_' : *c;
}

static bool add_cargo_command(struct survey_bench *b, const struct cargo_look *l, const char *kind,
			      const char *name)
{
	static const char *const custom[] = { "--bench", "--test", NULL };
	char program[CALL_WORD_MAX], directory[BUILD_PATH_MAX + 32];

	if (strcmp(kind, "example") == 0)
		return survey_word(b, "./target/release/examples/", name);
	if (strcmp(kind, "bin") == 0)
		return survey_word(b, "./target/release/", name);
	if (b->harness == HARNESS_CODSPEED_RUST) {
		snprintf(directory, sizeof directory, "target/codspeed/analysis/%s/",
			 l->manifest->package);
		return survey_word(b, directory, name);
	}
	crate_name(name, program);
	snprintf(directory, sizeof directory, CARGO_PROGRAMS "%s", l->directory);
	if (!survey_word(b, directory, program))
		return false;
	if (b->harness)
		return survey_set_harness(b, b->harness);
	/* A benchmark's own main may be built on criterion or divan: these are their words. */
	return strcmp(kind, "bench") != 0 || survey_fixed_words(b, custom);
}

static void add_cargo_target(const struct cargo_look *l, const char *kind, const char *name,
			     const char *source, const char *from, uint64_t line,
			     const struct cargo_target *t)
{
	struct survey_bench *b = survey_add_in(l->survey, l->directory, name, from, line);

	if (!b)
		return;
	b->harness = harness_of_target(l, kind, source, t && t->own_main);
	snprintf(b->program_kind, sizeof b->program_kind, "%s", kind);
	snprintf(b->package, sizeof b->package, "%s", l->manifest->package);
	snprintf(b->target, sizeof b->target, "%s", name);
	snprintf(b->target_directory, sizeof b->target_directory, "%s", l->directory);
	if ((*b->package && !is_harmless_word(b->package)) ||
	    !add_cargo_command(b, l, kind, name)) {
		survey_drop(l->survey);
		return;
	}
	for (size_t i = 0; t && i < t->feature_count; i++)
		if (is_harmless_word(t->features[i]))
			survey_option(l->survey, t->features[i]);
}

/* Whether programs of this kind are looked for, by this name. */
static bool is_wanted_target(const struct cargo_look *l, const char *kind, const char *name)
{
	if (l->place->tests)
		return strcmp(kind, "test") == 0;
	return strcmp(kind, "bench") == 0 ||
	       (strcmp(kind, "test") != 0 && survey_names_bench(name));
}

/* ---- what Cargo.toml names ---- */

static void look_at_manifest(const struct cargo_look *l, const char *from)
{
	for (size_t i = 0; i < l->manifest->target_count; i++) {
		const struct cargo_target *t = &l->manifest->targets[i];
		char source[BUILD_PATH_MAX];

		if (!*t->name || !is_wanted_target(l, t->kind, t->name))
			continue;
		snprintf(source, sizeof source, "%s", t->path);
		if (!*source)
			snprintf(source, sizeof source, "%s/%s.rs",
				 strcmp(t->kind, "bench") == 0 ? "benches" : "tests", t->name);
		add_cargo_target(l, t->kind, t->name, source, from, t->line, t);
	}
}

/* ---- what files are targets without being named ---- */

static const struct {
	const char *directory, *kind;
} places[] = {
	{ "benches/", "bench" },
	{ "tests/", "test" },
	{ "examples/", "example" },
	{ "src/bin/", "bin" },
};

/* Whether a source is that of a target in Cargo.toml. */
static bool is_named(const struct cargo_manifest *m, const char *kind, const char *name,
		     const char *source)
{
	for (size_t i = 0; i < m->target_count; i++) {
		const struct cargo_target *t = &m->targets[i];
		const char *path = t->path + (strncmp(t->path, "./", 2) == 0 ? 2 : 0);
		if (strcmp(path, source) == 0 ||
		    (strcmp(t->name, name) == 0 && strcmp(t->kind, kind) == 0))
			return true;
	}
	return false;
}

/* "benches/a.rs" and "benches/a/main.rs" are the target "a". */
static void look_at_file(const struct cargo_look *l, const char *path)
{
	size_t in = strlen(l->directory);
	const char *source = path + in;

	if (strncmp(path, l->directory, in) != 0)
		return;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		size_t len = strlen(places[i].directory);
		char name[CALL_WORD_MAX];

		if (strncmp(source, places[i].directory, len) != 0)
			continue;
		const char *base = source + len, *slash = strchr(base, '/');
		size_t n = slash ? (size_t)(slash - base) : strlen(base);
		if (slash ? strcmp(slash, "/main.rs") != 0
			  : n <= 3 || strcmp(base + n - 3, ".rs") != 0)
			continue;
		n -= slash ? 0 : 3;
		if (n >= sizeof name)
			continue;
		memcpy(name, base, n);
		name[n] = '\0';
		if (is_wanted_target(l, places[i].kind, name) &&
		    !is_named(l->manifest, places[i].kind, name, source))
			add_cargo_target(l, places[i].kind, name, source, path, 0, NULL);
	}
}

/* Whether a source of the library has tests, maybe written by a macro. */
static bool library_has_tests(const struct cargo_look *l)
{
	char directory[BUILD_PATH_MAX];
	bool found = false;

	snprintf(directory, sizeof directory, "%.200ssrc/", l->directory);
	for (size_t i = 0; !found && i < l->place->files.count; i++) {
		const char *path = l->place->files.paths[i];
		if (strncmp(path, directory, strlen(directory)) != 0)
			continue;
		char *text = survey_source(l->place, path);
		found = text && (strstr(text, "test]") || strstr(text, "cfg(test)"));
		free(text);
	}
	return found;
}

/* The tests in the library itself. */
static void look_at_library(const struct cargo_look *l)
{
	char path[BUILD_PATH_MAX];

	if (!l->place->tests || !*l->manifest->package || !library_has_tests(l))
		return;
	snprintf(path, sizeof path, "%.200ssrc/lib.rs", l->directory);
	for (size_t i = 0; i < l->place->files.count; i++)
		if (strcmp(l->place->files.paths[i], path) == 0) {
			add_cargo_target(l, "lib", l->manifest->package, "src/lib.rs", path, 0,
					 NULL);
			return;
		}
}

static void look_at_package(const struct cargo_look *l)
{
	char from[BUILD_PATH_MAX];

	snprintf(from, sizeof from, "%.200sCargo.toml", l->directory);
	look_at_manifest(l, from);
	for (size_t i = 0; i < l->place->files.count; i++)
		look_at_file(l, l->place->files.paths[i]);
	look_at_library(l);
}

/* Looks at the packages of a workspace. */
static int look_at_members(struct cargo_look *l, const struct cargo_manifest *workspace,
			   struct cargo_manifest *manifest, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && workspace->member_count && i < l->place->files.count; i++) {
		const char *path = l->place->files.paths[i];
		char directory[BUILD_PATH_MAX];
		struct build_file file;
		size_t len = (size_t)(project_file_name(path) - path);

		if (len == 0 || strcmp(path + len, "Cargo.toml") != 0 ||
		    !project_file_directory(path, directory, sizeof directory))
			continue;
		directory[len - 1] = '\0';
		if (!cargo_is_member(workspace, directory) || l->place->reads_left == 0)
			continue;
		directory[len - 1] = '/';
		l->place->reads_left--;
		status = build_file_read(l->place->dir, directory, "Cargo.toml", &file, err);
		if (!status && file.text) {
			cargo_manifest_read(file.text, manifest);
			l->manifest = manifest;
			l->directory = directory;
			look_at_package(l);
		}
		build_file_free(&file);
	}
	return status;
}

int survey_cargo(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	struct cargo_manifest *manifests = calloc(2, sizeof *manifests);
	struct build_file file = { .text = NULL };
	struct cargo_look l = { .place = p, .survey = s, .directory = "" };
	int status = manifests ? build_file_read(p->dir, "", "Cargo.toml", &file, err)
			       : cg_fail_nomem(err);

	if (!status) {
		cargo_manifest_read(file.text, &manifests[0]);
		l.manifest = &manifests[0];
		s->strips = manifests[0].strips;
		if (*manifests[0].package)
			look_at_package(&l);
		status = look_at_members(&l, &manifests[0], &manifests[1], err);
	}
	build_file_free(&file);
	free(manifests);
	return status;
}
