/*
 * Private to report/ and browse/: names of functions where there is little room. Those of C++ and
 * Rust are mostly made of what tells overloads and instances apart, and say in few words what the
 * function is called; cut in the middle they would lose just those.
 */
#ifndef IRDIFF_REPORT_SHORT_NAME_H
#define IRDIFF_REPORT_SHORT_NAME_H

#include <stdint.h>

/*
 * A safe name of at most `width` columns (less than 4: of any number). As far as it needs be it
 * loses modules in front of types and of its own last two parts ("Vec<T>::push"), what is in its
 * list of parameters ("f<int>(…)"), the type that it returns, what is in most brackets of its
 * template arguments and then in fewer ("f<Option<…>>(…)"), suffixes of clones, its scope, and at
 * last its middle. Each is lost only where what came before is not enough, and parts of scopes,
 * arguments and parameters are kept as long as there is room, because they tell one row from
 * another. NULL if memory ran out; free() it.
 */
char *text_name(const char *name, unsigned width);

/* Writes what precedes a name at some depth of a tree, 1 where it begins: two blanks for each
 * step, or where there would be no room for the name the depth, "[12] ". */
#define TEXT_LEAD 128
void text_lead(const char *name, uint64_t depth, unsigned width, char lead[TEXT_LEAD]);

/* A name, and after it notes that are kept as a whole: " (inlined)". */
char *text_name_with(const char *name, const char *notes, unsigned width);

#endif
