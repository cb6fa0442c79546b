/* Warnings about options that cannot do what the user meant. */
#ifndef IRDIFF_LOAD_HINTS_H
#define IRDIFF_LOAD_HINTS_H

#include "cgprofile/profile.h"
#include "src/config/config.h"
#include "src/status/notice.h"

/* Where `choice` is --inlines=yes, but a profile of callgrind says nothing of inlined functions,
 * nor where its code is. */
void warn_about_inlines(const struct notices *n, const char *choice, const struct cg_profile *p,
			const char *name);

/* Says how a name with signs of a regex is found: where none of the functions of the profiles (`b`
 * may be NULL) matches the regex, and one has its text in its name. */
void mention_literal(const struct notices *n, const char *regex, const struct cg_profile *a,
		     const struct cg_profile *b);

/* Says what gives names to functions of an interpreted language that a regex asks for (NULL: to
 * those of any one), where the profiles (`b` may be NULL) ran such code and have no such names. */
void mention_unnamed_functions(const struct notices *n, const char *regex,
			       const struct cg_profile *a, const struct cg_profile *b);

/* Says what to change if an object below the project's root matters, and its build left out debug
 * information. */
void mention_debug_information(const struct notices *n, const struct cg_profile *p,
			       const char *root, const struct config *config);

/* Whether a word is rather the path of a file that is missing than a filter: object:file:function
 * may contain slashes, too, but a filter hardly begins with the name of a directory. */
bool looks_like_profile(const char *word);

#endif
