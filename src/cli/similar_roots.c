#include "src/cli/similar_roots.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "src/text/similar_function.h"
#include "src/view/flat.h"

/* *out is allocated; NULL if there is none. */
static int suggest_root(const struct cg_profile *p, const char *root, char **out)
{
	uint32_t function;
	int status = similar_function(p, root, &function);

	*out = NULL;
	if (status || !function)
		return status;
	*out = strndup(view_function(p, function), similar_function_length(p, function));
	return *out ? CG_OK : CG_ENOMEM;
}

int fail_similar_root(const struct cg_profile *p, const char *root, struct cg_error *err)
{
	char *meant;

	if (suggest_root(p, root, &meant))
		return cg_fail_nomem(err);
	if (meant)
		cg_fail(err, CG_EINVAL, NULL, 0, "unknown root function '%s'; did you mean '%s'?",
			root, meant);
	free(meant);
	return CG_EINVAL;
}
