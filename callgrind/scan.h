/*
 * Private to the library: the fast half of the reader.
 *
 * Nearly all lines of a profile are costs. The scanner goes over a window of
 * the file, adds up or collects the costs of lines in the usual form, takes names
 * apart, and hands over everything else as text, for the reader to understand. So
 * the scanner needs no memory of names or positions, and windows can be scanned
 * at the same time; what it does not know, it never decides.
 */
#ifndef CG_SCAN_H
#define CG_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callgrind/name_line.h"

/* Bytes that must be readable after a window. */
#define SCAN_PADDING 72

enum scan_kind {
	SCAN_TEXT, /* a line for the reader */
	SCAN_NAME, /* a line with a name */
	SCAN_SELF, /* self costs: of one line, or of lines added up */
	SCAN_CALL, /* a calls= line and its cost line */
};

/* Whether a step has a row of costs. */
static inline bool cg_scan_has_costs(enum scan_kind kind, bool no_calls)
{
	return kind == SCAN_SELF || (kind == SCAN_CALL && !no_calls);
}

struct scan_step {
	enum scan_kind kind;
	uint32_t line;    /* of the first line of the step, from 0 in the window */
	const char *text; /* the first line of the step */
	size_t len;       /* without the newline */
	union {
		struct {                  /* SELF, CALL */
			const char *cost; /* the line with positions and costs; of SELF, the same */
			size_t cost_len;
			uint64_t count; /* calls */
		};
		struct name_line name; /* NAME */
	};
};

/* Which self costs become one step, up to the next line that may change whose they are. */
enum scan_joining {
	SCAN_EACH,      /* none: all positions matter */
	SCAN_SAME_LINE, /* those on one source line, whose number is the last position */
	SCAN_ALL,       /* no position matters */
};

/* Which instructions of the processor are used. */
enum scan_vectors { SCAN_NO_VECTORS, SCAN_AVX2, SCAN_AVX512 };

/* The form of lines, according to the header so far. */
struct scan_format {
	unsigned npositions;
	uint32_t ncolumns; /* 0: no costs can be scanned */
	enum scan_joining joining;
	bool jumps;    /* hand over jumps; otherwise go over them */
	bool no_calls; /* check the costs of calls, but do not collect them */
	struct name_format names;
	enum scan_vectors vectors; /* at most what cg_scan_vectors says */
};

struct scan {
	struct scan_step *steps;
	size_t nsteps, steps_cap;
	/* ncolumns costs for each step that has costs, in their order */
	int64_t *costs;
	size_t ncosts, costs_cap;
	uint32_t lines; /* gone over */
	size_t used;    /* bytes gone over */
};

/* The best that this processor has. On a virtual machine, asking takes as long as scanning much of
 * a window. */
enum scan_vectors cg_scan_vectors(void);

/*
 * Scans a window that begins at the start of a line, not inside a call or jump,
 * and ends with a newline, to its end, to about `max_steps`, or to where the
 * steps take several times its length. Texts point into it. The scan may be
 * reused; its steps are replaced. CG_OK or CG_ENOMEM.
 */
int cg_scan_window(struct scan *s, const struct scan_format *format, const char *window, size_t len,
		   size_t max_steps);
void cg_scan_free(struct scan *s);

#endif
