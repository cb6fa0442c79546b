/*
 * Private to edited_parts.c: which declaration a name means.
 *
 * A file of C or C++ sees the declarations of files that it includes, directly or not, or that are
 * included together with it; and variables of others that one of these declares. So no file sees
 * the macros, types and static variables of another source file. An item of Rust is seen elsewhere
 * if it is public, and may be seen by modules inside its own. Of other languages nothing is known:
 * every file sees all.
 */
#ifndef IRDIFF_COMPARE_EDITED_SCOPE_H
#define IRDIFF_COMPARE_EDITED_SCOPE_H

#include "src/compare/edited_parts.h"

/* Finds which file of a side includes which. CG_OK or CG_ENOMEM; free with edited_scope_free. */
int edited_scope_make(struct edited_side *of);
void edited_scope_free(struct edited_scope *scope);

/* Whether a declaration that was edited is what `word`, of a function or declaration in `file`,
 * means: EDIT_USED, EDIT_NONE, or EDIT_UNKNOWN. */
enum code_edit edited_scope_of(struct edited_side *of, int side, size_t file,
			       const struct code_word *word, const struct edited_name *name);

#endif
