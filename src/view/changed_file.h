/* Files of a project that are not the same in base and head. */
#ifndef IRDIFF_VIEW_CHANGED_FILE_H
#define IRDIFF_VIEW_CHANGED_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

enum file_change { FILE_EDITED, FILE_NEW, FILE_REMOVED };

struct changed_file {
	char *path; /* from the top of the work tree */
	enum file_change change;
	bool input;      /* only the run reads it */
	bool attributes; /* a .gitattributes that says how files are checked out */
};

struct changed_files {
	struct changed_file *items; /* in the order of their paths */
	size_t count, cap;
};

/* Adds a copy of the file. CG_OK or CG_ENOMEM. */
int changed_files_add(struct changed_files *f, const struct changed_file *file,
		      struct cg_error *err);
void changed_files_free(struct changed_files *f);

/* "", " (new file)" or " (removed)": what follows the name of a file that differs. Static text. */
const char *file_change_note(enum file_change change);

#endif
