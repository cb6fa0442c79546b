/*
 * What kind of project a directory holds, how it is built, and which benchmarks it has. Files are
 * read; nothing of the project is run.
 */
#ifndef IRDIFF_INIT_SURVEY_H
#define IRDIFF_INIT_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cgprofile/error.h"
#include "src/init/bench_harness.h"
#include "src/init/build_file.h"

#define SURVEY_BENCHES_MAX 32
#define SURVEY_WORDS_MAX 16
#define SURVEY_EXTRA_MAX 512
#define SURVEY_TROUBLE_MAX 200

enum project_kind {
	PROJECT_UNKNOWN,
	PROJECT_CARGO,
	PROJECT_GO,
	PROJECT_CMAKE,
	PROJECT_MESON,
	PROJECT_AUTOTOOLS,
	PROJECT_PYTHON,
	PROJECT_NODE,
	PROJECT_JAVA,
	PROJECT_MAKE,
	PROJECT_KINDS,
};

/* Where the build puts the programs of Cargo, which gives them names that change. */
#define CARGO_PROGRAMS "./target/irdiff/"
/* The virtual environment of Python. */
#define PYTHON_ENVIRONMENT ".venv/"
/* What runs scripts that need nothing installed. */
#define PYTHON_PLAIN "python3"

/* Words have letters, digits and harmless signs only, so that quoting does not change them. */
struct survey_bench {
	char name[CALL_WORD_MAX]; /* a label */
	char words[SURVEY_WORDS_MAX][CALL_WORD_MAX + BUILD_PATH_MAX];
	size_t count;
	char cwd[BUILD_PATH_MAX];              /* where it runs, "sub/dir"; "": at the top */
	char target[CALL_WORD_MAX];            /* what builds it, besides everything; "": nothing */
	char target_directory[BUILD_PATH_MAX]; /* where that is built: "sub/"; "": at the top */
	char package[CALL_WORD_MAX];           /* of Cargo */
	char program_kind[16];                 /* of Cargo: "bench", "test", "lib", "example" */
	char from[BUILD_PATH_MAX];             /* the file that names it */
	uint64_t line; /* the line in that file; 0: the file itself is the benchmark */
	enum bench_harness harness;
	const char *variable;  /* that `env:` sets, "NAME=VALUE"; NULL: none */
	const char *processes; /* the value of `processes:`; NULL: the default */
	/* Of a run without Valgrind, for which the survey leaves room: */
	double seconds; /* that it took; 0: it was not run */
	char trouble
		[SURVEY_TROUBLE_MAX]; /* why it is not to be measured, in one line; "": nothing */
};

struct survey {
	enum project_kind kind;
	const char *marker; /* the file that identifies it; NULL for an unknown kind */
	struct survey_bench benches[SURVEY_BENCHES_MAX];
	size_t count;
	size_t left_out;            /* benchmarks for which there is no room */
	bool tests;                 /* it has no benchmark; these are tests */
	char below[BUILD_PATH_MAX]; /* for an unknown kind: the directory of a build, "sub/"; "" */
	bool incomplete;            /* too many files: some were not looked at */
	bool cxx;                   /* it has sources in C++ */
	/* What the build command gets besides, for example " -DBUILD_BENCHMARKS=ON"; "": nothing.
	 * Harmless as words are. */
	char options[SURVEY_EXTRA_MAX];
	char compiler[CALL_WORD_MAX]; /* of make: CC, as the Makefile's own flags have no -g; "" */
	bool debug_flags;             /* of make: the Makefile's own flags have -g */
	bool installs;                /* of Python: the project is a package */
	bool plain;                   /* of Python: nothing is installed, nor built */
	/* What benchmarks need besides: of Python a file of requirements, of Node.js a directory
	 * with its own package.json; "" */
	char requirements[BUILD_PATH_MAX];
	bool strips;                      /* of Cargo: a profile removes debug information */
	size_t makefiles_am;              /* of configure: how many Makefile.am were read */
	char makefile_am[BUILD_PATH_MAX]; /* the first of these */
};

/* Why a benchmark is commented out in irdiff.yml: its harness, or trouble. NULL: it is active. */
const char *survey_why_comment(const struct survey_bench *b);

/* The first that is no comment; NULL. */
const struct survey_bench *survey_first_active(const struct survey *s);

/* Errors: files that exist and cannot be read. */
int survey_project(const char *dir, struct survey *out, struct cg_error *err);

/* "CMake"; "no build system that irdiff knows". */
const char *project_kind_name(enum project_kind kind);
/* Writes what benchmarks and tests were looked for by: "add_test() …". */
void survey_write_looked(const struct survey *s, FILE *to);

#endif
