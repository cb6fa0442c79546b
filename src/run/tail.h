/* What a program said last. */
#ifndef IRDIFF_RUN_TAIL_H
#define IRDIFF_RUN_TAIL_H

/* The end of a file, at most 20 lines and 4 KB, as text, hostile; "" if it is empty or cannot be
 * read. The caller's; NULL: out of memory. */
char *tail_of(const char *path);

/* The same of a compiler's log. If its end has no error, the first line that has one comes before
 * it, and "[...]". */
char *tail_with_error(const char *path);

#endif
