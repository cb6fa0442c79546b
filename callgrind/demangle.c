#include "callgrind/demangle.h"

#include <libiberty/demangle.h>
#include <stddef.h>

char *cg_demangle(const char *symbol)
{
	/* Whatever is mangled begins so (C++, Rust, D); trying the rest takes time. */
	if (symbol[0] != '_')
		return NULL;
	return cplus_demangle(symbol, DMGL_AUTO | DMGL_ANSI | DMGL_PARAMS);
}
