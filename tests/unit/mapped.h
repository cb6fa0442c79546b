/* Profiles of Python and of generated code, with a map of its functions. */
#ifndef IRDIFF_TESTS_UNIT_MAPPED_H
#define IRDIFF_TESTS_UNIT_MAPPED_H

#include "cgprofile/perf_map.h"
#include "tests/unit/profiles.h"

/* Where code is: that of the interpreter, and that which the map describes. */
#define PYTHON "ob=libpython.so\nfl=ceval.c\n"
#define CODE "ob=???\nfl=???\n"
#define EVAL "_PyEval_EvalFrameDefault"
#define RUN "py_trampoline_evaluator"
#define MAIN "0x0000000000002000"

static inline struct cg_perf_map *map_of(const char *text)
{
	struct cg_perf_map *map = NULL;

	REQUIRE_INT(cg_perf_map_parse(text, strlen(text), &map), CG_OK);
	return map;
}

/* Reads a profile whose `file` has this map. */
static inline struct cg_profile *mapped_profile(const char *text, const char *map, const char *file,
						struct cg_read_options options)
{
	const struct cg_file_map maps = { file, map_of(map) };
	const struct cg_path_map paths = { "/seen", "/real" };

	options.maps = &maps;
	options.nmaps = 1;
	options.paths = &paths;
	options.npaths = 1;
	struct cg_profile *p = profile_with(text, strlen(text), &options);
	cg_perf_map_free(maps.map);
	return p;
}

#endif
