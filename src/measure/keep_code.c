#include "src/measure/keep_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/machine_code.h"
#include "callgrind/paths.h"
#include "src/load/profile_code.h"
#include "src/store/code_file.h"

/* Of all objects. That is the code of a large compiler. */
#define MOST_CODE ((size_t)32 << 20)

/* As the writer of profiles does it. */
static int rename_code_object(struct cg_code_object *o, const struct cg_path_map *renamed,
			      size_t nrenamed)
{
	const char *rest = NULL;
	size_t i = 0;
	char *path;

	while (i < nrenamed && !(rest = cg_path_below(o->path, renamed[i].seen)))
		i++;
	if (!rest)
		return CG_OK;
	if (asprintf(&path, "%s%s", renamed[i].real, rest) < 0)
		return CG_ENOMEM;
	free(o->path);
	o->path = path;
	return CG_OK;
}

int keep_code(const struct cg_profile *p, const struct cg_path_map *renamed, size_t nrenamed,
	      const char *path, struct cg_error *err)
{
	struct cg_code code = { 0 };
	int status = profile_code_read(p, MOST_CODE, &code);

	for (size_t i = 0; !status && i < code.nobjects; i++)
		status = rename_code_object(&code.objects[i], renamed, nrenamed);
	status = status ? cg_fail_nomem(err) : code_file_save(path, &code, err);
	cg_code_free(&code);
	return status;
}
