#include "callgrind/demangle.h"

#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#else /* Fedora */
#include <demangle.h>
#endif
#include <stddef.h>

char *cg_demangle(const char *symbol)
{
	/* Whatever is mangled begins so (C++, Rust, D); trying the rest takes time. */
	if (symbol[0] != '_')
		return NULL;
	return cplus_demangle(symbol, DMGL_AUTO | DMGL_ANSI | DMGL_PARAMS);
}
