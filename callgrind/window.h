/*
 * Private to the library: a file as a sequence of windows of whole lines, each
 * already scanned (see scan.h). Only a few windows are in memory at any time.
 * With more than one processor, windows are scanned ahead by other threads
 * while the reader works on the one in front.
 */
#ifndef CG_WINDOW_H
#define CG_WINDOW_H

#include "callgrind/input.h"
#include "callgrind/scan.h"

struct cg_window {
	const char *bytes;
	size_t len; /* ends with a newline … */
	bool cut;   /* … which the file lacks */
	struct scan scan;
	struct scan_format format; /* what it was scanned for */
};

struct cg_windows;

/* The input must outlive the windows. CG_OK or CG_ENOMEM. */
int cg_windows_open(struct cg_windows **out, struct cg_input *in);

/*
 * The next window, scanned for `format`, or for the format of an earlier call:
 * compare, and use cg_window_rescan. *window is NULL at the end of the input;
 * the one before is no longer valid. Errors: those of cg_input_read, CG_ENOMEM,
 * and CG_ERANGE (a line longer than 16 MiB) with *err untouched.
 */
int cg_windows_next(struct cg_windows *w, const struct scan_format *format,
		    struct cg_window **window, struct cg_error *err);

/* Scans a window again from the line at `from` on, after the format changed, as
 * far as cg_scan_window does. CG_OK or CG_ENOMEM. */
int cg_window_rescan(struct cg_window *window, size_t from, const struct scan_format *format,
		     size_t max_steps);

void cg_windows_close(struct cg_windows *w);

#endif
