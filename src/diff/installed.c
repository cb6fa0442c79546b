#include "src/diff/installed.h"

#include <string.h>

#include "cgprofile/names.h"

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

static bool is_unknown_path(const char *path)
{
	return !*path || strcmp(path, "???") == 0;
}

static bool is_main_function(const char *name)
{
	static const char suffix[] = "::main";
	size_t len = cg_name_without_parameters(name, strlen(name)), tail = sizeof suffix - 1;

	return (len == 4 && memcmp(name, "main", 4) == 0) ||
	       (len > tail && memcmp(name + len - tail, suffix, tail) == 0);
}

bool has_absolute_files(const struct cg_profile *p)
{
	bool absolute = false;

	for (uint32_t i = 1; i < p->nfunctions; i++) {
		const char *file = cg_string(p, p->functions[i].file);
		if (is_unknown_path(file) || !is_main_function(cg_string(p, p->functions[i].name)))
			continue;
		if (*file != '/')
			return false;
		absolute |= !is_installed_path(file);
	}
	return absolute;
}

bool is_of_unnamed_library(const char *object, const char *file, bool absolute_files)
{
	return absolute_files && is_unknown_path(object) && !is_unknown_path(file) && *file != '/';
}
