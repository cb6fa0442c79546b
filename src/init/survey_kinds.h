/* Private to src/init: looking for benchmarks in projects of each kind. */
#ifndef IRDIFF_INIT_SURVEY_KINDS_H
#define IRDIFF_INIT_SURVEY_KINDS_H

#include "src/init/project_files.h"
#include "src/init/survey.h"

/* A project that is looked at. */
struct survey_place {
	const char *dir;
	struct project_files files;
	const char *marker;  /* the file that identifies its kind */
	bool tests;          /* look for tests, as it has no benchmarks */
	unsigned reads_left; /* of sources, which are read only for hints */
};

/* They add to the survey what they find. */
int survey_cargo(struct survey_place *p, struct survey *s, struct cg_error *err);
int survey_go(struct survey_place *p, struct survey *s, struct cg_error *err);
int survey_cmake(struct survey_place *p, struct survey *s, struct cg_error *err);
int survey_meson(struct survey_place *p, struct survey *s, struct cg_error *err);
int survey_autotools(struct survey_place *p, struct survey *s, struct cg_error *err);
int survey_python(struct survey_place *p, struct survey *s, struct cg_error *err);
/* The same where no build system is: if most sources are of Python. */
int survey_plain_python(struct survey_place *p, struct survey *s, struct cg_error *err);
int survey_java(struct survey_place *p, struct survey *s, struct cg_error *err);
int survey_node(struct survey_place *p, struct survey *s, struct cg_error *err);
int survey_make(struct survey_place *p, struct survey *s, struct cg_error *err);

/* Whether a name says that it is a benchmark: "fullbench", "perf_parse", "speedtest1". */
bool survey_names_bench(const char *name);
/* Whether a program is looked for by its name: "bench" in it, or "test" if tests are. */
bool survey_is_wanted(const struct survey_place *p, const char *name);

/* Adds a benchmark without words; NULL if there is no room, the name cannot be a label, or it
 * exists already. */
struct survey_bench *survey_add(struct survey *s, const char *name, const char *from,
				uint64_t line);
/* The same; a name that exists already gets the directory, "sub/", in front. */
struct survey_bench *survey_add_in(struct survey *s, const char *directory, const char *name,
				   const char *from, uint64_t line);
/* Appends DIRECTORY+WORD. False if there is no room, or the word has other characters than it may
 * have. */
bool survey_word(struct survey_bench *b, const char *directory, const char *word);
/* Appends words that are not the project's, up to NULL. False if there is no room. */
bool survey_fixed_words(struct survey_bench *b, const char *const *words);
/* Sets the harness, and appends its arguments. */
bool survey_set_harness(struct survey_bench *b, enum bench_harness harness);
/* Sets where it runs: "sub/", "sub" or "". False if that cannot be written. */
bool survey_set_cwd(struct survey_bench *b, const char *directory);
/* Removes the last one. */
void survey_drop(struct survey *s);

/* Appends " WORD" to the options of the build, unless it is there. */
void survey_option(struct survey *s, const char *word);

/* The same for each option of CMake, " A B", to turn it on. */
void survey_build_options(struct survey *s, const char *names);

/* The text of a file, for hints only: NULL if it cannot be read, or enough was read. The caller
 * frees it. Comments are part of it. */
char *survey_source(struct survey_place *p, const char *path);

#endif
