/*
 * What a comment consists of that is updated instead of repeated (publish.h).
 *
 * It is known by its first line, which nobody sees: a comment of HTML with a name. Only a comment
 * that begins with this line is taken for ours; what a report says further down means nothing.
 */
#ifndef IRDIFF_REMOTE_COMMENT_H
#define IRDIFF_REMOTE_COMMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

#define COMMENT_NAME_MAX 64
#define COMMENT_MARKER_SIZE (COMMENT_NAME_MAX + 32)

/* Whether a name may stand in a marker: letters, digits and . _ - / : between them, so that it
 * cannot end the comment of HTML that it is in. CG_EINVAL. */
int comment_check_name(const char *name, struct cg_error *err);

/* "<!-- irdiff:comment:NAME -->"; returns `out`. */
const char *comment_marker(char out[COMMENT_MARKER_SIZE], const char *name);

/* Whether the text is a comment of that name. */
bool comment_is_ours(const char *text, const char *marker);

/*
 * The whole comment: marker and report, in at most `limit` UTF-16 units, which are no fewer than
 * characters. One that is too long is cut at the end of a line, what is open there is closed, and a
 * last line says so. Control characters and what is not UTF-8 become U+FFFD. free() it; NULL: out
 * of memory.
 */
char *comment_compose(const char *marker, const char *report, size_t size, size_t limit);

#endif
