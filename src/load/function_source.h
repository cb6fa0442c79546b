/* The lines of one function with what they cost, and the text of the file where they are. */
#ifndef IRDIFF_LOAD_FUNCTION_SOURCE_H
#define IRDIFF_LOAD_FUNCTION_SOURCE_H

#include "src/load/load.h"
#include "src/view/source.h"

struct function_source {
	struct source *source;
	const struct source_file *file; /* NULL: there are no lines of it */
	struct source_text text;
	const char *note; /* what to know about the text; NULL: nothing */
	char words[40];   /* it may be these */
};

/* Whether these paths of base and head are one file, in two places: "/a/json/mod.rs" and
 * "/b/json/mod.rs"; many files have the name mod.rs. */
bool source_is_alike(const char *base, const char *head);

/* chosen[f] becomes whether f has this name, whatever compilers append to it, and is in the object
 * of this name, or else in any. It has nfunctions elements, all false. */
void function_source_choose(const struct cg_profile *p, const char *name, const char *object,
			    bool *chosen);

/* Of a profile with lines: the functions of this name, whatever compilers append to it, in the
 * object of this name, or else in any. Of their files the costliest whose text is found, or else
 * the costliest. `dirs` (NULL-terminated, may be NULL) are searched for files, too. On failure,
 * too, free with function_source_free. */
int function_source_find(const struct loaded *l, const char *name, const char *object,
			 const char *metric, const char *const *dirs, struct function_source *out,
			 struct cg_error *err);

/* The same beside what was found of the other side, which has a file: that file, or the one that
 * is alike, or the costliest that the other side does not have, from where it moved. Else the file
 * has no costs, but its text, as where `name` is NULL because the function is not there: the file
 * may be all the same. */
int function_source_beside(const struct loaded *l, const char *name, const char *object,
			   const char *metric, const char *const *dirs, const struct loaded *other,
			   const struct function_source *beside, struct function_source *out,
			   struct cg_error *err);
void function_source_free(struct function_source *s);

#endif
