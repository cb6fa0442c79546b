/* The files that irdiff keeps beside the profile of a label, which know more than it does. */
#ifndef IRDIFF_LOAD_STORED_VARIANT_H
#define IRDIFF_LOAD_STORED_VARIANT_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/run/used_files.h"
#include "src/store/sources.h"

/* Which file of a label is read. */
enum stored_file {
	STORED_PLAIN,        /* as callgrind counted */
	STORED_LINES,        /* with inlined functions, if they were found */
	STORED_CONTEXTS,     /* the same in calling contexts, without lines */
	STORED_INSTRUCTIONS, /* the same as lines, with addresses */
};

struct stored_variant {
	bool is_label; /* of this measurement: what else was kept belongs to it */
	char *profile; /* NULL: there is none, or the plain one is asked for */
	char *code;    /* the machine code; NULL: it was not kept */
};

/* What an operand has beside its file `plain`. Nothing, if that was replaced since. Free with
 * stored_variant_free. Errors: CG_ENOMEM; CG_ESYNTAX or CG_EIO if what is beside it is damaged. */
int stored_variant_find(const char *root, const char *operand, enum stored_file wanted,
			const char *plain, struct stored_variant *out, struct cg_error *err);
void stored_variant_free(struct stored_variant *v);

/* Adds to the message about a damaged stored file what to do. */
void stored_variant_advise(struct cg_error *err);

/* The source files of an operand; none if they were not kept. */
int stored_sources_load(const char *root, const char *operand, struct stored_sources *out,
			struct cg_error *err);

/* The files of the project that an operand used; on failure, too, free with used_files_free. */
int stored_used_files_load(const char *root, const char *operand, struct used_files *out,
			   struct cg_error *err);

#endif
