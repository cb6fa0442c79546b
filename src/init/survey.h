/* What kind of project a directory holds, how it is built, and which benchmarks there are. */
#ifndef IRDIFF_INIT_SURVEY_H
#define IRDIFF_INIT_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"
#include "src/init/build_file.h"

#define SURVEY_BENCHES_MAX 16
#define SURVEY_WORDS_MAX 16

enum project_kind {
	PROJECT_UNKNOWN,
	PROJECT_CARGO,
	PROJECT_CMAKE,
	PROJECT_MESON,
	PROJECT_AUTOTOOLS,
	PROJECT_MAKE,
};

/* Where the build puts the benches of Cargo, which gives them names that change. */
#define CARGO_PROGRAMS "./target/irdiff/"

/* Words have letters, digits and harmless signs only, so that quoting does not change them. */
struct survey_bench {
	char name[CALL_WORD_MAX]; /* a label */
	char words[SURVEY_WORDS_MAX][CALL_WORD_MAX + BUILD_PATH_MAX];
	size_t count;
	char target[CALL_WORD_MAX]; /* the target of make that builds it; "": `all` does */
	char from[BUILD_PATH_MAX];  /* the file that names it */
	uint64_t line;              /* the line in that file; 0: the file itself is the benchmark */
};

struct survey {
	enum project_kind kind;
	const char *marker; /* the file that identifies it; NULL for an unknown kind */
	struct survey_bench benches[SURVEY_BENCHES_MAX];
	size_t count;
};

/* Errors: files that exist and cannot be read. */
int survey_project(const char *dir, struct survey *out, struct cg_error *err);

/* "CMake"; "no build system that irdiff knows". */
const char *project_kind_name(enum project_kind kind);

#endif
