/*
 * The text of a comment that is updated instead of repeated (publish.h).
 *
 * Its first line is an invisible HTML comment with a name. Only a comment that begins with this
 * line is ours, whatever a report contains further down.
 */
#ifndef IRDIFF_REMOTE_COMMENT_H
#define IRDIFF_REMOTE_COMMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

#define COMMENT_NAME_MAX 64
#define COMMENT_MARKER_SIZE (COMMENT_NAME_MAX + 32)

/* Whether a marker may have a name: letters and digits, with . _ - / : between them, so that it
 * cannot end the HTML comment that it is in. CG_EINVAL. */
int comment_check_name(const char *name, struct cg_error *err);

/* "<!-- irdiff:comment:NAME -->"; returns `out`. */
const char *comment_marker(char out[COMMENT_MARKER_SIZE], const char *name);

/* Whether the text is a comment of that name. */
bool comment_is_ours(const char *text, const char *marker);

/*
 * The whole comment: marker and report, in at most `limit` UTF-16 units, which are no fewer than
 * characters. A longer one is cut at the end of a line, open elements are closed, and a last line
 * reports the cut. Control characters and invalid UTF-8 become U+FFFD. free() it; NULL: out of
 * memory.
 */
char *comment_compose(const char *marker, const char *report, size_t size, size_t limit);

#endif
