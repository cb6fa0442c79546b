#include "src/view/changed_file.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

int changed_files_add(struct changed_files *f, const struct changed_file *file,
		      struct cg_error *err)
{
	struct changed_file copy = *file;

	copy.path = strdup(file->path);
	if (!copy.path || cg_grow(&f->items, &f->cap, f->count + 1, sizeof *f->items)) {
		free(copy.path);
		return cg_fail_nomem(err);
	}
	f->items[f->count++] = copy;
	return CG_OK;
}

void changed_files_free(struct changed_files *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->items[i].path);
	free(f->items);
	*f = (struct changed_files){ 0 };
}

const char *file_change_note(enum file_change change)
{
	static const char *const notes[] = { "", " (new file)", " (removed)" };
	return notes[change];
}
