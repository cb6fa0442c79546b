/* The texts of single source lines, by the file and number that a profile has of them. */
#ifndef IRDIFF_VIEW_LINE_TEXTS_H
#define IRDIFF_VIEW_LINE_TEXTS_H

#include "src/view/source.h"

struct line_file {
	cg_str file;
	struct source_text text; /* path NULL: not found */
};

struct line_texts {
	struct line_file *files; /* by file */
	size_t count;
};

/* NULL: there is no such line, or no text. Hostile. */
const char *line_texts_get(const struct line_texts *t, cg_str file, uint32_t line);
void line_texts_free(struct line_texts *t);

#endif
