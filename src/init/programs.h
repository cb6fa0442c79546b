/* The programs that CMake or Meson builds, for the tests and benchmarks that run them. */
#ifndef IRDIFF_INIT_PROGRAMS_H
#define IRDIFF_INIT_PROGRAMS_H

#include "src/init/cmake_script.h"
#include "src/init/survey_kinds.h"

#define PROGRAMS_MAX 256

/* A program, with the name by which other calls refer to it. */
struct program {
	char id[CALL_WORD_MAX];
	char name[CALL_WORD_MAX];
	char directory[BUILD_PATH_MAX + 16]; /* where it is built: "./build/sub/" */
	char from[BUILD_PATH_MAX];
	uint64_t line;
	enum bench_harness harness;
	char options[CMAKE_OPTIONS_SIZE]; /* that it needs */
	bool used;
};

struct programs {
	struct program items[PROGRAMS_MAX];
	size_t count;
};

/* Adds one; NULL: no room. */
struct program *programs_add(struct programs *p, const struct build_file *file, const char *id,
			     const char *name, uint64_t line);
struct program *programs_find(struct programs *p, const char *id);

/* Adds those that are wanted by their names or for their harness, and that no benchmark runs. */
void programs_add_named(const struct programs *p, const struct survey_place *place,
			struct survey *s);

/* The harness of a source, "sub/" and "a.cc". */
enum bench_harness program_harness(struct survey_place *place, const char *directory,
				   const char *source);

#endif
