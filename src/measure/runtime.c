#include "src/measure/runtime.h"

#include <string.h>

#include "cgprofile/names.h"

/* Whether a file's name is that of a program, perhaps with a version: "python3.11". */
static bool is_version_of(const char *name, const char *program)
{
	size_t len = strlen(program);

	return strncmp(name, program, len) == 0 && !name[len + strspn(name + len, "0123456789.-")];
}

static enum runtime runtime_by_name(const char *path)
{
	static const struct {
		const char *program;
		enum runtime runtime;
	} programs[] = {
		{ "java", RUNTIME_JAVA }, { "node", RUNTIME_NODE },     { "nodejs", RUNTIME_NODE },
		{ "perl", RUNTIME_PERL }, { "python", RUNTIME_PYTHON }, { "ruby", RUNTIME_RUBY },
	};

	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (is_version_of(cg_base_name(path), programs[i].program))
			return programs[i].runtime;
	return RUNTIME_OTHER;
}

/* Every program of Go starts with these. */
static bool is_of_go(const struct cg_profile *p)
{
	bool begins = false, schedules = false;

	for (uint32_t i = 1; i < p->nfunctions; i++) {
		const char *name = cg_string(p, p->functions[i].name);
		begins |= strcmp(name, "runtime.rt0_go") == 0 ||
			  strcmp(name, "runtime.rt0_go.abi0") == 0;
		schedules |= strcmp(name, "runtime.schedinit") == 0;
	}
	return begins && schedules;
}

enum runtime runtime_of(const char *image, const struct cg_profile *p)
{
	enum runtime named = runtime_by_name(image);

	return named == RUNTIME_OTHER && is_of_go(p) ? RUNTIME_GO : named;
}

const char *runtime_with_threads(enum runtime runtime)
{
	return runtime == RUNTIME_GO     ? "Go"
	       : runtime == RUNTIME_JAVA ? "Java"
	       : runtime == RUNTIME_NODE ? "Node.js"
					 : NULL;
}
