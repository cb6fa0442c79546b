#include "src/load/load_again.h"

int load_again(struct load_again *a, const struct cg_detail *detail, enum stored_file stored,
	       const char *what, struct cg_error *err)
{
	const char *base = a->operands[BROWSE_BASE], *head = a->operands[BROWSE_HEAD];
	struct load_options load = a->load;

	if (a->loaded)
		return CG_OK;
	if (!a->lasting)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "a profile from a pipe cannot be read again for its %s", what);
	load.read.detail = *detail;
	load.stored = stored;
	load.silent = load.unwatched = true;
	int status = base ? load_profiles(a->project, base, head, &load, &a->side[BROWSE_BASE],
					  &a->side[BROWSE_HEAD], err)
			  : load_profile(a->project, &head, 1, &load, &a->side[BROWSE_HEAD], err);
	a->loaded = !status;
	if (status)
		load_again_free(a);
	return status;
}

void load_again_free(struct load_again *a)
{
	for (int i = 0; i < BROWSE_SIDES; i++) {
		loaded_free(&a->side[i]);
		a->side[i] = (struct loaded){ 0 };
	}
	a->loaded = false;
}
