#include "src/library/library.h"

#include <dlfcn.h>
#include <string.h>

/* What a library loads itself may not be unloaded, so the library is not either. */
int library_load(const char *name, const char *package, const struct library_symbol *symbols,
		 size_t count, void *table, struct cg_error *err)
{
	void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

	for (size_t i = 0; handle && i < count; i++) {
		void *symbol = dlsym(handle, symbols[i].name);
		if (!symbol)
			handle = NULL;
		memcpy((char *)table + symbols[i].place, &symbol, sizeof symbol);
	}
	return handle ? CG_OK
		      : cg_fail(err, CG_EIO, NULL, 0,
				"cannot load %s: %s; on Debian, run apt-get install %s", name,
				dlerror(), package);
}
