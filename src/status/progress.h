/*
 * How far work has come. The work says what it does and how much is done; the display
 * (src/cli/progress.h) knows the time and the terminal. Between begin and end nothing else may be
 * written to the terminal.
 */
#ifndef IRDIFF_STATUS_PROGRESS_H
#define IRDIFF_STATUS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/status/notice.h"

/* The first member of a display's state of one piece of work. */
struct progress {
	const struct progress_display *display;
};

struct progress_display {
	/* Whether progress is shown; if not, no other function is called. */
	bool (*is_watched)(void);
	/* NULL: out of memory. `seconds` that the work is expected to take; < 0: not known. */
	struct progress *(*begin)(const char *what, const char *name, double seconds);
	/* Both may be called by any thread. */
	void (*expect)(struct progress *p, uint64_t bytes);
	void (*add)(struct progress *p, uint64_t bytes);
	void (*end)(struct progress *p);
	/* A line of work that tracks time itself: shown (safe and cut as necessary) in place of the
	 * last one, and erased. */
	void (*show_line)(const char *text);
	void (*erase_line)(void);
};

/* Begins "reading", "a.callgrind" (NULL or "": no name). Returns NULL, which all of these take, if
 * progress is not shown. */
struct progress *progress_begin(const struct notices *n, const char *what, const char *name);

/* The same for work that is expected to take so many seconds, as an earlier time did; < 0: not
 * known. */
struct progress *progress_begin_of(const struct notices *n, const char *what, const char *name,
				   double seconds);

/* Announces so many more bytes. If more are done than were announced, bytes are shown instead of a
 * share. */
void progress_expect(struct progress *p, uint64_t bytes);
/* Reports so many more bytes as done. Takes the progress as void *, as callbacks of readers do. */
void progress_add(void *p, uint64_t bytes);

/* Frees it. */
void progress_end(struct progress *p);

/* Whether lines of work that tracks time itself are shown; shows such a line. */
bool progress_is_watched(const struct notices *n);
void progress_show_line(const struct notices *n, const char *text);
void progress_erase_line(const struct notices *n);

#endif
