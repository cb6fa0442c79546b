/*
 * Private to the library: the reader of callgrind files while it reads one.
 *
 *     reader.c         the file: windows, what the scanner took off, the end
 *     reader_header.c  lines "key: value"
 *     reader_body.c    lines "key=value" and costs
 *     reader_line.c    positions, costs and names in a line
 *     reader_code.c    names of code that the program has generated
 *
 * Functions return CG_OK or a code with r->err filled; a line that was refused
 * has changed nothing that later lines depend on.
 */
#ifndef CG_READER_STATE_H
#define CG_READER_STATE_H

#include "callgrind/build.h"
#include "callgrind/callees.h"
#include "callgrind/detours.h"
#include "callgrind/inlined_records.h"
#include "callgrind/line.h"
#include "callgrind/name_line.h"
#include "callgrind/name_table.h"
#include "callgrind/parts.h"
#include "callgrind/scan.h"
#include "cgprofile/reader.h"

#define MAX_POSITIONS 3
#define NO_EVENT UINT32_MAX

enum expect {
	EXPECT_ANY,
	EXPECT_CALL_COST,     /* the line after calls= */
	EXPECT_JUMP_POSITION, /* the line after jump= or jcnd= */
	EXPECT_LOST_COST,     /* the line after a calls= line that was skipped */
};

enum position_kind { POSITION_ADDRESS, POSITION_BLOCK, POSITION_LINE };

/* The callee as the lines before calls= described it, or else as its caller did. */
struct callee {
	bool named, with_object, with_file;
	bool uncounted; /* the next calls= means 0 calls */
	cg_str object, file;
	struct packed name;
	uint32_t row; /* its place among the names */
};

/* The record that a name of a function stood for last, and what else told it. */
struct named_record {
	cg_str object, file;
	uint32_t level, record; /* record 0: none yet */
};

/* Calls that were read, but are not added yet: their places in the tables are on the way to the
 * cache. */
enum { CALLS_AHEAD = 8 };
struct calls_to_come {
	struct call_to_come {
		struct cg_call_ahead ahead;
		uint64_t count, line_no;
		const int64_t *costs;
	} ring[CALLS_AHEAD];
	unsigned first, count;
};

struct cg_reader {
	struct cg_builder *b;
	struct cg_parts *parts;
	const struct cg_read_options *options;
	const char *name;
	uint64_t line_no;
	struct cg_error err; /* also of lines that a lenient reader skips */

	struct name_table objects, files, functions;
	struct named_record *named_records; /* by the names */
	size_t named_records_cap;
	enum scan_vectors vectors;
	const struct cg_input *in;
	/* What numbers will refer to that no line has defined yet, once one was used. */
	struct later {
		bool known;
		struct name_table objects, files, functions;
	} later;

	/* header */
	struct cg_part header;  /* facts of the part to come; its arrays are unused */
	struct cg_event *named; /* from `event:` lines, before `events:` */
	size_t nnamed, named_cap;
	bool announced;      /* the header of this part named its events */
	bool part_open;      /* the current part is the one being read */
	bool aside;          /* it was not selected: its costs are not the profile's */
	bool body_seen;      /* costs or totals of this part were met */
	bool from_callgrind; /* Valgrind wrote it: its habits apply */
	bool has_totals;     /* Valgrind or irdiff wrote it: each part ends with `totals:` */
	bool from_xdebug;    /* its files end with `summary:` */
	bool has_command;    /* with nothing but a command and events in its header, and no
			      * names but those of files and functions, written out, … */
	bool not_cachegrind; /* … it is a file of cachegrind */
	struct name_format names;
	bool keep_positions; /* lines at least */
	bool keep_addresses;
	enum position_kind positions[MAX_POSITIONS];
	unsigned npositions;
	uint32_t nevents;                     /* of the profile */
	uint32_t ncolumns;                    /* of this part */
	uint32_t column_event[CG_MAX_EVENTS]; /* NO_EVENT: the first part has none like it */
	uint64_t
		/* which one this is of the profiles that Xdebug appended; 0: it did not */
		appended;
	bool header_read; /* since this was reset: the form of lines may be another */

	/* body */
	cg_str object, file;
	cg_str function_file; /* of the last fl=, whatever fi= and fe= said since */
	cg_str base_file;     /* file of the last cost line or of the function */
	bool file_of_call;    /* `file` was set for a call, and not since */
	uint64_t base[MAX_POSITIONS];
	uint32_t record;               /* of the last fn= */
	uint32_t host;                 /* of the last inlined=, for the next fn= */
	bool hosted;                   /* `record` is inlined as the last inlined= says */
	bool sited;                    /* the same, even after its calls */
	const struct cg_perf_map *map; /* of the file; NULL: none */
	bool runs_code; /* the lines are those of an interpreter at work on `record` … */
	struct cg_detours detours;
	bool code_placed; /* … or generated code, and count for where the function is: here */
	cg_str code_file;
	uint32_t code_line;
	struct packed inlined_name; /* of the last cfni=, no name outside inlined code */
	uint32_t inlined;           /* its record at the current file, 0: not looked up yet */
	struct cg_inlined_records
		*inlined_records; /* by debug information; NULL: nothing is known */
	bool file_ahead; /* fi= or fe=, and no cost since: writers other than Valgrind may mean
	                    the function that follows */
	bool has_callee_object, has_callee_file; /* cob= or cfi=, not of a callee yet */
	cg_str callee_object, callee_file;
	struct callee called; /* of the last cfn= */
	struct calls_to_come to_come;
	uint32_t callee; /* its record; 0: not looked up yet */
	struct cg_callees *callees;
	uint64_t call_count;
	/* Of the last jump= or jcnd=, if those are kept; and how often its instruction was
	 * executed, UINT64_MAX: not known. */
	struct cg_jump jump;
	uint64_t jump_executed;
	enum expect expect;
	int64_t costs[CG_MAX_EVENTS];
};

/* Fills r->err with a sentence about the current line. */
int cg_reader_fail(struct cg_reader *r, int code, const char *message);
/* "expected WHAT, found …" from l->at on. */
int cg_reader_fail_expected(struct cg_reader *r, const struct line *l, const char *what);
/* A sum of costs that does not fit. */
int cg_reader_fail_sum(struct cg_reader *r, int code);

/* All positions of a line. The values of those that are not kept do not matter, but they must be
 * positions. */
int cg_reader_parse_positions(struct cg_reader *r, struct line *l, uint64_t *positions);
/* Whether the profile is to have jumps, and the file may have them. */
bool cg_reader_keeps_jumps(const struct cg_reader *r);
/* Where a call or another jump goes does not matter, only that it is a position. */
int cg_reader_parse_target(struct cg_reader *r, struct line *l);
/* Costs up to the end of the line into r->costs; what is left off is 0. */
int cg_reader_parse_costs(struct cg_reader *r, struct line *l);
struct cg_position cg_reader_position_of(const struct cg_reader *r, const uint64_t *positions);

/* The name of a line; *row is its place in the name space, 0 if it has no number. */
int cg_reader_find_name(struct cg_reader *r, const struct name_line *n, struct name_table *space,
			struct packed *name, uint32_t *row);
/* The same for objects and files, where "???" means unknown. */
int cg_reader_find_path(struct cg_reader *r, const struct name_line *n, struct name_table *space,
			cg_str *name);
/* Makes a path of the measured program the real one. */
int cg_reader_rename_path(struct cg_reader *r, cg_str *name);
int cg_reader_find_record(struct cg_reader *r, cg_str object, cg_str file,
			  const struct packed *name, uint32_t inlined_into, uint32_t *record);
/* The record of a function that has a name and its row. */
int cg_reader_find_function(struct cg_reader *r, const struct packed *name, uint32_t row,
			    cg_str object, cg_str file, uint32_t *record);

/* Forgets which function is described, and which is called. */
void cg_reader_forget_functions(struct cg_reader *r);

/* Whether the header has named the events. */
int cg_reader_need_events(struct cg_reader *r);
/* Makes sure that a part exists to add costs and functions to. A part that is set aside shares
 * no functions with one that is not. */
int cg_reader_open_part(struct cg_reader *r);
/* Whether cachegrind wrote this, as far as it was read: its parts end with `summary:`. */
static inline bool cg_reader_of_cachegrind(const struct cg_reader *r)
{
	return r->has_command && !r->not_cachegrind;
}

/* Begins the next profile of those that Xdebug appended to one file. */
int cg_reader_begin_appended(struct cg_reader *r);
/* Whether the current part is there to its end, if it can be known. */
int cg_reader_end_part(struct cg_reader *r);
/* A line "key: value", whose key has `key_len` bytes. */
int cg_reader_parse_header(struct cg_reader *r, struct line *l, size_t key_len);

/* Adds costs to the current record; a call goes to r->callee. Costs of calls, but for r->costs,
 * must last until cg_reader_add_calls. */
int cg_reader_add_self(struct cg_reader *r, const uint64_t *positions, const int64_t *costs);
int cg_reader_add_call(struct cg_reader *r, const uint64_t *positions, uint64_t count,
		       const int64_t *costs);
/* Adds the calls that are still to come. If one fails, r->line_no becomes its line. */
int cg_reader_add_calls(struct cg_reader *r);
/* A line that has a name; none may be expected to have something else. */
int cg_reader_apply_name(struct cg_reader *r, const struct name_line *n);
/* Notes that calls of the inlined record whose lines end here are unknown, unless there was a
 * comment about them. */
int cg_reader_end_inlined(struct cg_reader *r);
/* Any line of the file. */
int cg_reader_parse_line(struct cg_reader *r, const char *start, const char *end);

#endif
