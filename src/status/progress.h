/*
 * How far work is. Who works says what it does and how much of it is done; who displays it (src/cli/progress.h)
 * knows the time and the terminal. Between begin and end nothing else may be written to the terminal.
 */
#ifndef IRDIFF_STATUS_PROGRESS_H
#define IRDIFF_STATUS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/status/notice.h"

/* The head of what a display keeps of one piece of work. */
struct progress {
	const struct progress_display *display;
};

struct progress_display {
	/* Whether anybody would see it; where not, nothing else is called. */
	bool (*is_watched)(void);
	/* NULL: out of memory. `seconds` that the work is expected to take; < 0: not known. */
	struct progress *(*begin)(const char *what, const char *name, double seconds);
	/* Both may be called by any thread. */
	void (*expect)(struct progress *p, uint64_t bytes);
	void (*add)(struct progress *p, uint64_t bytes);
	void (*end)(struct progress *p);
	/* A line of work that knows the time itself: written anew (safe and cut as it must be), and erased. */
	void (*show_line)(const char *text);
	void (*erase_line)(void);
};

/* "reading", "a.callgrind" (NULL or "": none). NULL, which all of these take, if nobody would see it. */
struct progress *progress_begin(const struct notices *n, const char *what, const char *name);

/* The same for work that is expected to take so many seconds, as an earlier time did; < 0: not known. */
struct progress *progress_begin_of(const struct notices *n, const char *what, const char *name,
				   double seconds);

/* There will be so many bytes more. If there are more than were expected, bytes are shown, not a share. */
void progress_expect(struct progress *p, uint64_t bytes);
/* So many bytes more are done. Takes the progress as void *, as the callbacks of readers have it. */
void progress_add(void *p, uint64_t bytes);

/* Frees it. */
void progress_end(struct progress *p);

/* Whether anybody would see lines of work that knows the time itself; these lines. */
bool progress_is_watched(const struct notices *n);
void progress_show_line(const struct notices *n, const char *text);
void progress_erase_line(const struct notices *n);

#endif
