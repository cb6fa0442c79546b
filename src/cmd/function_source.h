/* The lines of one function with what they cost, and the text of the file where they are. */
#ifndef IRDIFF_CMD_FUNCTION_SOURCE_H
#define IRDIFF_CMD_FUNCTION_SOURCE_H

#include "src/cmd/load.h"
#include "src/view/source.h"

struct function_source {
	struct source *source;
	const struct source_file *file; /* the costliest; NULL: there are no lines of it */
	struct source_text text;
	const char *note; /* what to know about the text; NULL: nothing */
};

/* Of a profile with lines: the functions of this name, whatever compilers append to it, in the
 * object of this name, or else in any. `dirs` (NULL-terminated, may be NULL) are searched for the
 * file, too. On failure, too, free with function_source_free. */
int function_source_find(const struct loaded *l, const char *name, const char *object,
			 const char *metric, const char *const *dirs, struct function_source *out,
			 struct cg_error *err);
void function_source_free(struct function_source *s);

#endif
