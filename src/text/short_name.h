/*
 * Names of functions where there is little room. Those of C++ and Rust are mostly made of what
 * tells overloads and instances apart, and say in few words what the function is called; cut in
 * the middle they would lose just those.
 */
#ifndef IRDIFF_TEXT_SHORT_NAME_H
#define IRDIFF_TEXT_SHORT_NAME_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* Columns of a name inside a sentence. */
enum { TEXT_SENTENCE_NAME = 48 };

/* Columns of a name up to which what follows it in the line is still in sight, where lines may be
 * of any width. */
enum { TEXT_NAME_IN_LINE = 100 };

/*
 * Safe names for a sentence, in which the function and its class matter more than the width: of at
 * most `width` columns (0: of any number) if leaving out the type that it returns, parameters,
 * arguments and then modules is enough for that, "std::vector<…>::insert(…)", and longer if not.
 * Different names stay different, if need be by what had been left out. `shown` gets `count` texts
 * to free(), NULL where memory ran out; a name that is NULL stays it.
 */
void text_sentence_names(const char *const *names, size_t count, unsigned width, char **shown);

/* Writes one such name, beside another that the sentence is on (NULL: none). */
void text_print_sentence_name(FILE *to, const char *name, const char *beside, unsigned width);

#endif
