/*
 * Private to report/ and browse/: names of functions where there is little room. Those of C++ and Rust are
 * mostly made of what tells overloads and instances apart, and say in few words what the function
 * is called; cut in the middle they would lose just those.
 */
#ifndef IRDIFF_REPORT_TEXT_NAME_H
#define IRDIFF_REPORT_TEXT_NAME_H

#include <stdint.h>

/*
 * A safe name of at most `width` columns (less than 4: of any number). As far as it needs be it
 * loses what is in its lists of parameters and template arguments ("f<…>(…)"), suffixes of clones,
 * the type that it returns, parts of its scopes, and at last its middle. NULL if memory ran out;
 * free() it.
 */
char *text_name(const char *name, unsigned width);

/* What stands in front of a name at some depth of a tree, 1 where it begins: two blanks for each
 * step, or where there would be no room for the name the depth, "[12] ". */
#define TEXT_LEAD 128
void text_lead(const char *name, uint64_t depth, unsigned width, char lead[TEXT_LEAD]);

/* A name, and behind it notes that are kept as a whole: " (inlined)". */
char *text_name_with(const char *name, const char *notes, unsigned width);

#endif
