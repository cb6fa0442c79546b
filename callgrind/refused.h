/* Private to the library: files of profilers that are not read, told by how they begin. */
#ifndef CG_REFUSED_H
#define CG_REFUSED_H

#include "callgrind/format.h"

/* Reading one is an error that says what it is, and what to do. */
extern const struct cg_format cg_refused_format;

#endif
