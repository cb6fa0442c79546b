/* Private to edited_parts.c: the files of both sides, and which of base and head are one file. */
#ifndef IRDIFF_COMPARE_EDITED_FILES_H
#define IRDIFF_COMPARE_EDITED_FILES_H

#include "src/compare/edited_parts.h"

/* Reads the files of both sides, with their parts in order, and finds for each the one of the other
 * side that is alike. CG_OK, CG_ENOMEM or an error of reading. */
int edited_files_read(struct edited_search *s, struct cg_error *err);

#endif
