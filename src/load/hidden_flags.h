/* A makefile that sets the compiler's flags itself ignores those in the environment of `build:`. */
#ifndef IRDIFF_LOAD_HIDDEN_FLAGS_H
#define IRDIFF_LOAD_HIDDEN_FLAGS_H

/* "Makefile:12 sets CFLAGS without -g": the makefile in a directory, and its last line that does,
 * for C or else for C++. "": none does, or it cannot be read; NULL: out of memory. free() it. */
char *hidden_flags_find(const char *dir);

#endif
