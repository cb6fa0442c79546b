/* Makefiles and Makefile.am, line by line: enough to know their rules and lists. */
#ifndef IRDIFF_INIT_MAKE_LINES_H
#define IRDIFF_INIT_MAKE_LINES_H

#include <stdbool.h>

#include "cgprofile/strings.h"
#include "src/init/build_file.h"

#define LINE_WORDS_MAX 64

/* A line with its continuation lines, as words. What assigns and what separates targets are words,
 * and so is "::". */
struct make_line {
	char words[LINE_WORDS_MAX][CALL_WORD_MAX];
	size_t count;
	uint64_t number, height; /* the number of its first line, and how many it has */
	bool recipe;             /* it begins with a tab */
};

/* Goes through the lines; `at` is NULL at first. */
bool make_next_line(const struct build_file *file, const char **at, struct make_line *line);

/* Whether a line assigns the variable, in any way. */
bool make_assigns(const struct make_line *line, const char *variable);
/* Whether a line that assigns does so by "+=". */
bool make_appends(const struct make_line *line);

/* The words that are assigned to a variable, of all its assignments, as far as there is room. */
struct make_words {
	char words[LINE_WORDS_MAX][CALL_WORD_MAX];
	size_t count;
};
void make_words_of(const struct build_file *file, const char *variable, struct make_words *out);

/* The variable's name of "$(NAME)"; false: the word is something else. */
bool make_variable(const char *word, char name[CALL_WORD_MAX]);

/* A makefile, and its targets that are phony. */
struct makefile {
	struct build_file file;
	struct cg_strings phony;
};

/* makefile_free, also on failure. A missing file has no text. */
int makefile_read(const char *dir, const char *directory, const char *name, struct makefile *out,
		  struct cg_error *err);
void makefile_free(struct makefile *m);

bool makefile_is_phony(const struct makefile *m, const char *target);

#endif
