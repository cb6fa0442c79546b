/*
 * What takes long says so: one line on standard error, if that is a terminal, that comes
 * after half a second, tells how far the work is, for how long, and how long it may still take, and is
 * gone when it ends. Another thread
 * writes it, so that the work need not know the time; between begin and end nothing else
 * may be written to the terminal.
 */
#ifndef IRDIFF_CLI_PROGRESS_H
#define IRDIFF_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress;

/* "reading", "a.callgrind" (NULL or "": none). NULL, which all of these take, if nobody
 * would see it. */
struct progress *progress_begin(const char *what, const char *name);

/* The same for work that is expected to take so many seconds, as an earlier time did; < 0: not known. */
struct progress *progress_begin_of(const char *what, const char *name, double seconds);

/* Says that there will be so many bytes more. If there are more than were expected, bytes
 * are shown, not a share. Both may be called by any thread. */
void progress_expect(struct progress *p, uint64_t bytes);
/* Says that so many bytes more are done. Takes the progress as void *, as the callbacks
 * of readers have it. */
void progress_add(void *p, uint64_t bytes);

/* Erases the line and frees the progress. */
void progress_end(struct progress *p);

/* The same line for work that knows the time itself: whether anybody would see it, writing it anew
 * (safe and cut as it must be), and erasing it. */
bool progress_is_watched(void);
void progress_show(const char *text);
void progress_erase(void);

#endif
