#include "src/load/older_program.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/paths.h"
#include "src/load/keep_sources.h"
#include "src/load/stored_variant.h"
#include "src/store/sources.h"

/* What only lies beside the program's sources may belong to another program. */
static bool names_source(const struct cg_profile *p, const char *file)
{
	for (uint32_t i = 1; i < p->nfunctions; i++)
		if (strcmp(cg_string(p, p->functions[i].file), file) == 0)
			return true;
	for (uint32_t i = 1; i < p->nlines; i++)
		if (strcmp(cg_string(p, p->lines[i].file), file) == 0)
			return true;
	return false;
}

/* As the user would name it; CG_OK or CG_ENOMEM. */
static int name_below(const char *file, const char *root, char **out, struct cg_error *err)
{
	const char *below = cg_path_below(file, root);

	*out = strdup(below ? below + strspn(below, "/") : file);
	return *out ? CG_OK : cg_fail_nomem(err);
}

int older_program_source(const char *root, const char *label, const struct cg_profile *p,
			 char **out, struct cg_error *err)
{
	struct stored_sources kept = { 0 };
	int status = stored_sources_load(root, label, &kept, err);

	*out = NULL;
	for (size_t i = 0; !status && !*out && i < kept.count; i++) {
		const struct stored_source *source = &kept.items[i];
		if (!source->newer || !names_source(p, source->name))
			continue;
		status = name_below(source->name, root, out, err);
	}
	sources_free(&kept);
	return status;
}

int older_program_source_now(const char *root, const struct cg_profile *p, char **out,
			     struct cg_error *err)
{
	char *file;
	int status = newer_source_find(p, root, &file, err);

	*out = NULL;
	if (!status && file)
		status = name_below(file, root, out, err);
	free(file);
	return status;
}
