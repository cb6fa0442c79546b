/* Which file a misspelt path means. */
#ifndef IRDIFF_STORE_NEAR_FILE_H
#define IRDIFF_STORE_NEAR_FILE_H

/* The path of the file in the directory of `path` whose name is the most likely one (suggest.h);
 * the caller's. NULL if none is near, the directory cannot be read or has too many files to
 * compare, or out of memory: it is only a hint. */
char *near_file(const char *path);

#endif
