#include "src/diff/installed.h"

#include <string.h>

bool is_installed_path(const char *path)
{
	static const char *const places[] = {
		"/usr/include/",  "/usr/lib",    "/usr/local/include/",
		"/usr/local/lib", "/usr/share/", "/lib",
		"/nix/store/",    "/gnu/store/", "/rustc/",
	};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strncmp(path, places[i], strlen(places[i])) == 0)
			return true;
	return false;
}
