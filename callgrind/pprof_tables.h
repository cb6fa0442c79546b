/*
 * Private to pprof.c: the tables of a pprof file, which its samples refer to. Field numbers are
 * those of profile.proto in github.com/google/pprof.
 *
 * All numbers of a file are checked here: what a table has of another one is an index into it.
 */
#ifndef CG_PPROF_TABLES_H
#define CG_PPROF_TABLES_H

#include "callgrind/stacks.h"
#include "callgrind/support/index.h"
#include "callgrind/wire.h"

enum pprof_field {
	PPROF_SAMPLE_TYPE = 1,
	PPROF_SAMPLE,
	PPROF_MAPPING,
	PPROF_LOCATION,
	PPROF_FUNCTION,
	PPROF_STRING,
	PPROF_DROP_FRAMES,
	PPROF_KEEP_FRAMES,
	PPROF_TIME,
	PPROF_DURATION,
	PPROF_PERIOD_TYPE,
	PPROF_PERIOD,
	PPROF_COMMENT,
	PPROF_DEFAULT_TYPE,
	PPROF_DOC_URL,
	PPROF_LAST = PPROF_DOC_URL,
};

/* Texts are indices into the table of strings. */
struct pprof_type {
	uint64_t name, unit;
};

struct pprof_mapping {
	uint64_t id, start, offset, file;
};

struct pprof_function {
	uint64_t id, name, system_name, file;
};

struct pprof_line {
	uint64_t function; /* its ID, and when all are read, an index; 0: none */
	int64_t line;
};

struct pprof_location {
	uint64_t id, mapping, address; /* mapping: its ID, and then an index; 0: none */
	size_t first_line, nlines;     /* the innermost first */
};

struct pprof_tables {
	struct cg_wire file;
	struct cg_stacks *stacks; /* takes errors */
	struct cg_wire *strings;
	struct pprof_type *types;
	struct pprof_mapping *mappings; /* these three from 1 */
	struct pprof_function *functions;
	struct pprof_location *locations;
	struct pprof_line *lines;
	uint64_t *comments;
	size_t nstrings, ntypes, nmappings, nfunctions, nlocations, nlines, ncomments;
	size_t strings_cap, types_cap, mappings_cap, functions_cap, locations_cap, lines_cap;
	size_t comments_cap;
	struct cg_index mapping_ids, function_ids, location_ids;
	struct pprof_type period_type;
	uint64_t period;       /* 0: unknown */
	uint64_t default_type; /* its name; 0: the last one */
	bool drops_frames;
};

/* Reads all but the samples. What cg_read_file returns, with an error in `stacks`. */
int cg_pprof_read_tables(struct pprof_tables *t);

/* The row with this ID; 0: there is none. */
uint32_t cg_pprof_find_location(const struct pprof_tables *t, uint64_t id);

/* Sets an error that says what is wrong at a place of the file. Returns CG_ESYNTAX. */
int cg_pprof_fail(const struct pprof_tables *t, const char *what, uint64_t number);
/* The same where a message is damaged. */
int cg_pprof_fail_wire(const struct pprof_tables *t, enum cg_wire_status status);

void cg_pprof_free_tables(struct pprof_tables *t);

#endif
