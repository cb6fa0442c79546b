/*
 * Names of code that a program generates while it runs. A program with a JIT compiler, or CPython
 * with perf trampolines, writes /tmp/perf-PID.map, as perf(1) wants it: lines "START SIZE NAME",
 * both numbers hexadecimal. Where ranges overlap, the later line is right: memory is used again.
 */
#ifndef CGPROFILE_PERF_MAP_H
#define CGPROFILE_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/api.h"

CG_BEGIN_DECLS

/* A function of generated code. Texts are the map's. */
struct cg_perf_symbol {
	/* "py::Parser.read", "JS:parse": without the tier of the compiler, which V8 puts before the
	 * name of a function, and without its place. Apostrophes, which part names in profiles,
	 * become backquotes, and control characters question marks. */
	const char *name;
	const char *file; /* NULL: unknown */
	uint32_t line;    /* 0: unknown */
	/* The code only calls an interpreter, which runs the function: CPython. */
	bool interpreted;
};

struct cg_perf_map;

/* Lines of another form are skipped. CG_OK or CG_ENOMEM. */
int cg_perf_map_parse(const char *bytes, size_t len, struct cg_perf_map **out);
void cg_perf_map_free(struct cg_perf_map *map);

/* NULL: no function is known at this address. */
const struct cg_perf_symbol *cg_perf_map_find(const struct cg_perf_map *map, uint64_t address);

/* Whether the code of a function begins at this address. */
bool cg_perf_map_begins(const struct cg_perf_map *map, uint64_t address);

/* The map of the process that wrote a callgrind file. */
struct cg_file_map {
	const char *file; /* as it is read */
	struct cg_perf_map *map;
};

CG_END_DECLS

#endif
