/* Private to src/init: looking for benchmarks in projects of each kind. */
#ifndef IRDIFF_INIT_SURVEY_KINDS_H
#define IRDIFF_INIT_SURVEY_KINDS_H

#include "src/init/survey.h"

int survey_cargo(const char *dir, struct survey *s, struct cg_error *err);
int survey_cmake(const char *dir, struct survey *s, struct cg_error *err);
int survey_meson(const char *dir, struct survey *s, struct cg_error *err);
int survey_autotools(const char *dir, struct survey *s, struct cg_error *err);
int survey_make(const char *dir, struct survey *s, struct cg_error *err);

/* Whether the name has "bench" in it, in any case. */
bool survey_names_bench(const char *name);

/* Adds a benchmark without words; NULL if there is no room, the name cannot be a label, or it
 * exists already. */
struct survey_bench *survey_add(struct survey *s, const char *name, const char *from,
				uint64_t line);
/* Appends DIRECTORY+WORD. False if there is no room, or the word has other characters than it may
 * have. */
bool survey_word(struct survey_bench *b, const char *directory, const char *word);
/* Removes the last one. */
void survey_drop(struct survey *s);

#endif
