/* What a program said last. */
#ifndef IRDIFF_RUN_TAIL_H
#define IRDIFF_RUN_TAIL_H

/* The end of a file, at most 20 lines and 4 KB, as text, hostile; "" if it is empty or cannot be
 * read. The caller's; NULL: out of memory. */
char *tail_of(const char *path);

#endif
