/*
 * The model of a call-graph profile. Users of the library should read this first.
 *
 * A profile counts events (Ir, Dr, …). It is kept as tables of plain structs;
 * tables refer to each other by index, and index 0 of every table except `events`
 * and `parts` is unused and means "none". The costs of each table are in a separate
 * array of int64_t with a stride of `nevents` (signed: an event can be the
 * growth of memory, and some writers subtract profiles):
 *
 *     what                          is the sum of
 *     ----------------------------  ------------------------------------------
 *     total                         record_self over all records
 *     record_self[r]                line_self over the lines of record r
 *     out(r)                        record_self[r] + call_cost of calls from r
 *     in(r)                         call_cost of the calls to r; equals out(r)
 *                                   unless r is a root
 *
 *     function   a function as users know it: (object, file, name)
 *     record     a function at one recursion level, in one calling context
 *                (if contexts were kept), or inlined into one record
 *     call       all calls from one record to another (from one source
 *                position, if lines were kept)
 *     line       the self cost of one record at one source position
 *     jump       all jumps from one address to another
 *
 * The caller chooses how detailed the tables are (struct cg_detail).
 * A finished profile is never changed; it is owned by whoever created it and
 * freed by cg_profile_free.
 */
#ifndef CGPROFILE_PROFILE_H
#define CGPROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/api.h"
#include "cgprofile/contexts.h"
#include "cgprofile/error.h"
#include "cgprofile/strings.h"

CG_BEGIN_DECLS

/* What the tables distinguish; everything else is added up. */
struct cg_detail {
	bool lines;         /* source positions of self costs and calls */
	bool addresses;     /* instruction addresses; implies lines */
	bool jumps;         /* where instructions jump, and how often; wants addresses */
	bool contexts;      /* calling contexts of records */
	uint32_t max_level; /* fold deeper recursion levels into this one; 0: keep all */
	bool no_calls;      /* leave out calls, for users of self costs only */
};

struct cg_event {
	cg_str name;      /* "Ir" */
	cg_str long_name; /* "Instructions", or 0 */
	cg_str formula;   /* "Ir + 10 Bm" for a derived event, or 0 */
};

/* Why a file without totals may be truncated. */
enum cg_doubt {
	CG_DOUBT_NONE,
	CG_DOUBT_LINE,    /* its last line does not end */
	CG_DOUBT_SUMMARY, /* it lacks the `summary:` line at the end of Xdebug files */
};

/* One dump of one thread of one process. */
struct cg_part {
	uint64_t pid, thread, number; /* 0 if the file does not record it */
	cg_str file;                  /* it was read from */
	cg_str command;
	cg_str trigger;     /* "Program termination", "Client Request: NAME" */
	int64_t *self;      /* nevents sums over the cost lines that were read */
	int64_t *totals;    /* nevents numbers of the `totals:` line, or NULL */
	int64_t *summary;   /* the same of the `summary:` line */
	bool of_cachegrind; /* whose files end with `summary:`, which is also used as `totals` */
	enum cg_doubt doubt;
};

/* A `desc:` line that is not about the trigger: "I1 cache" → "32768 B, …". */
struct cg_desc {
	cg_str key, value;
};

struct cg_function {
	cg_str object; /* path of the executable or library; 0 if unknown */
	cg_str file;   /* source file; 0 if unknown */
	cg_str name;   /* without recursion level and context */
};

struct cg_record {
	uint32_t function;
	uint32_t level;        /* recursion level, from 1 */
	uint32_t context;      /* its callers, in `contexts`; 0 if none or folded */
	uint32_t inlined_into; /* the record whose machine code holds this one; 0: a real call */
};

/* Where a cost was measured. */
struct cg_position {
	cg_str file; /* 0 if unknown, or not kept */
	uint32_t line;
	uint64_t address;
};

struct cg_call {
	uint32_t caller, callee; /* records */
	uint64_t count; /* 0 also for the link from a record to code inlined into it, if unknown */
};

struct cg_line {
	uint32_t record;
	cg_str file; /* 0 if unknown */
	uint32_t line;
	uint64_t address; /* in the record's object, as linked; 0 if not kept */
};

struct cg_jump {
	cg_str object;
	uint64_t address, target; /* in the object, as linked */
	uint64_t count;
};

struct cg_profile {
	struct cg_strings strings;
	struct cg_contexts contexts;
	cg_str creator; /* "callgrind-3.19.0", 0 if the file does not record it */

	struct cg_event *events;
	uint32_t nevents;
	struct cg_part *parts;
	uint32_t nparts;
	struct cg_desc *descs;
	uint32_t ndescs;

	struct cg_function *functions;
	uint32_t nfunctions;
	struct cg_record *records;
	uint32_t nrecords;
	struct cg_call *calls;
	struct cg_position *call_places; /* of each call; NULL: not kept */
	uint32_t ncalls;
	struct cg_line *lines;
	uint32_t nlines;
	struct cg_jump *jumps;
	uint32_t njumps;

	int64_t *record_self;
	int64_t *call_cost;
	int64_t *line_self;
	int64_t *total;

	bool has_calls;     /* calls were kept; a file without calls still has ncalls <= 1 */
	bool has_lines;     /* lines and source positions of calls were kept */
	bool has_addresses; /* addresses of lines and calls were kept */
	bool of_addresses;  /* a file has them, whether they were kept or not */
	bool stray_jumps; /* jumps were counted that other events were not, as in functions that did
			     * not belong to the root: their numbers mean nothing */
	bool has_inlined; /* some records are inlined into others */
	bool has_contexts;     /* records of different contexts were kept apart */
	bool has_levels;       /* recursion levels were recorded */
	uint32_t most_callers; /* that a context names */
	uint64_t bytes;        /* size of the text that was read, with names from maps */
	uint64_t left_out;     /* parts that were not selected */
	uint64_t skipped;      /* malformed lines that a lenient reader skipped */
	uint64_t redefined;    /* numbers that one part gave to two names */
};

void cg_profile_free(struct cg_profile *p);

static inline const char *cg_string(const struct cg_profile *p, cg_str id)
{
	return cg_strings_get(&p->strings, id);
}

/* The callers of a context as callgrind writes them, "g'main"; free() it. NULL: out of memory. */
char *cg_context_text(const struct cg_profile *p, uint32_t context);

/* The record whose machine code holds this one: what code is inlined into, whatever that is inlined
 * into; itself if it is not inlined. */
static inline uint32_t cg_machine_record(const struct cg_profile *p, uint32_t record)
{
	while (p->records[record].inlined_into)
		record = p->records[record].inlined_into;
	return record;
}

/* Where a call was made; all 0 if that was not kept. */
static inline struct cg_position cg_call_place(const struct cg_profile *p, uint32_t call)
{
	struct cg_position unknown;

	unknown.file = 0; /* C++ has no compound literals */
	unknown.line = 0;
	unknown.address = 0;
	return p->call_places ? p->call_places[call] : unknown;
}

/* Index of the event with this name, -1 if it was not recorded. */
int cg_event_index(const struct cg_profile *p, const char *name);

/* Whether the costs of a part add up to its `totals:` line; if not, *event is the
 * first event that does not. True without such a line. */
bool cg_part_adds_up(const struct cg_profile *p, const struct cg_part *part, uint32_t *event);

/* Whether no record has a cost: nothing ran while counting was on, or the file has no cost
 * line. */
bool cg_profile_counted_nothing(const struct cg_profile *p);

/* Value of the `desc:` line with this key, or NULL. */
const char *cg_desc_value(const struct cg_profile *p, const char *key);

/* Whether the costs of an event are estimated from samples, and from how many. A `desc:` line with
 * this key states it, as "cpu 1234". */
#define CG_SAMPLES_KEY "Samples"
bool cg_samples_behind(const struct cg_profile *p, const char *event, uint64_t *samples);

/* The key of `desc:` lines that name what a file has and the profile does not. */
#define CG_IGNORED_KEY "Ignored"

/* The path of a file or directory as the measured program saw it, and its real path or the path to
 * replace it with. */
struct cg_path_map {
	const char *seen, *real;
};

CG_END_DECLS

#endif
