/*
 * Checks what irdiff needs: one function for each group of checks, each in a file of its own. They
 * change nothing, and run no benchmark.
 */
#ifndef IRDIFF_DOCTOR_EXAMINE_H
#define IRDIFF_DOCTOR_EXAMINE_H

#include "src/config/config.h"
#include "src/doctor/finding.h"
#include "src/run/interrupt.h"
#include "src/run/strings.h"
#include "src/run/valgrind.h"

/* What is examined; all strings are the caller's. */
struct examination {
	const char *root;            /* of the project, absolute */
	const struct config *config; /* NULL: irdiff.yml does not exist, or has a mistake */
	struct interrupts *interrupts;
	struct valgrind valgrind; /* path NULL: none; examine_valgrind fills it */
	struct findings *findings;
	bool traced;            /* whether programs can be traced; examine_machine finds out */
	struct strings loaders; /* loaders that were examined */
};

/* Valgrind: whether it is installed, which one it is, and whether it counts the same twice. */
void examine_valgrind(struct examination *e);

/* The machine: tracing, processors, limits, helpers. */
void examine_machine(struct examination *e);

/* The project: irdiff.yml, git, where results are kept. `config_error`: why irdiff.yml cannot be
 * used, or NULL. */
void examine_project(struct examination *e, const struct cg_error *config_error);

/* The tools that the build and the benchmarks need; e->config exists. */
void examine_tools(struct examination *e);

/* A program that is to be measured, of irdiff.yml or of the command line. */
struct examined_program {
	const char *const *argv;  /* NULL-terminated */
	const char *cwd;          /* absolute */
	const char *library_path; /* its LD_LIBRARY_PATH, or NULL */
	const char *perf_support; /* its PYTHONPERFSUPPORT, or NULL */
	const char *node_options; /* its NODE_OPTIONS, or NULL */
	bool warm_up;             /* irdiff.yml has it */
	int depth;                /* of irdiff.yml; -1: chosen by the kind of program */
	unsigned freeze;          /* enum freeze */
	bool shell;               /* `shell: true` has put a shell in front */
	bool has_cases;           /* irdiff.yml says how it marks them */
	bool by_command;          /* of the command line: remedies name options of irdiff profile */
};

/* Warns of a program, at `path`, whose harness should be told from its cases. */
void examine_harness(struct examination *e, const struct examined_program *program,
		     const char *path);

void examine_program(struct examination *e, const struct examined_program *program);

/* Frees what the functions above have opened. */
void examination_end(struct examination *e);

#endif
