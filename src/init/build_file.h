/*
 * Files that describe a build. They are searched for programs, but not understood. They are
 * hostile: how much is read is bounded.
 */
#ifndef IRDIFF_INIT_BUILD_FILE_H
#define IRDIFF_INIT_BUILD_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"

#define BUILD_FILE_BYTES_MAX (1024 * 1024)
#define BUILD_TREE_MAX 64  /* files of one build */
#define BUILD_PATH_MAX 256 /* bytes of a path in the project, with its NUL */
#define CALL_WORDS_MAX 64
#define CALL_WORD_MAX 128   /* bytes, with its NUL */
#define CALL_BYTES_MAX 4096 /* of a call that are read */

struct build_file {
	char path[BUILD_PATH_MAX];      /* in the project: "sub/CMakeLists.txt" */
	char directory[BUILD_PATH_MAX]; /* "" or "sub/" */
	char *text;                     /* without comments and NUL bytes; ends with a NUL */
};

/* Reads DIR/DIRECTORY+NAME. A missing file, or one that is not regular, has no text, which is no
 * error. */
int build_file_read(const char *dir, const char *directory, const char *name,
		    struct build_file *out, struct cg_error *err);
/* The same for a file of another language, by its path: comments stay. */
int build_file_read_whole(const char *dir, const char *path, struct build_file *out,
			  struct cg_error *err);
void build_file_free(struct build_file *file);

/* NAME(WORD, WORD …): a call as CMake and Meson have them. Quotes are removed; inner parentheses
 * and brackets are words. Words that are too long or too many are left out. */
struct build_call {
	char target[CALL_WORD_MAX]; /* TARGET = NAME(…); "" without one */
	char words[CALL_WORDS_MAX][CALL_WORD_MAX];
	bool quoted[CALL_WORDS_MAX]; /* a text, not a name */
	size_t count;
	uint64_t line;
};

/* A place in a file; zeroed at first. */
struct cursor {
	size_t at;
	uint64_t lines; /* before it */
};

/* Finds the next call of `name`, in upper or lower case, after the cursor, which moves after its
 * opening parenthesis. */
bool build_file_call(const struct build_file *file, struct cursor *cursor, const char *name,
		     struct build_call *out);

/* Finds the next call of any name at the start of a line, and moves the cursor after it. */
bool build_file_next_call(const struct build_file *file, struct cursor *cursor,
			  char name[CALL_WORD_MAX], struct build_call *out);

/* The file of a build and those of the directories that it names by calls of `subdirectory`. */
struct build_tree {
	struct build_file files[BUILD_TREE_MAX];
	size_t count;
};

int build_tree_read(const char *dir, const char *name, const char *subdirectory,
		    struct build_tree *out, struct cg_error *err);
void build_tree_free(struct build_tree *tree);

#endif
