/*
 * Roll-ups: all functions of a source file, an object or a namespace as one.
 *
 * The self cost of such a group is the sum of the self costs of its functions. Its inclusive cost
 * is not a sum, which would count calls inside the group twice. It is the cost of all instructions
 * while any function of the group is on the stack (inclusive.h), and an upper bound if the group is
 * entered again through others, which is common for files and objects of a program.
 */
#ifndef CGPROFILE_ROLLUP_H
#define CGPROFILE_ROLLUP_H

#include "cgprofile/api.h"
#include "cgprofile/inclusive.h"
#include "cgprofile/profile.h"

CG_BEGIN_DECLS

enum cg_rollup_by { CG_BY_FUNCTION, CG_BY_FILE, CG_BY_OBJECT, CG_BY_NAMESPACE };

/* The group of C functions; the group of unknown functions, files and objects. */
#define CG_NO_NAMESPACE "(no namespace)"
#define CG_UNKNOWN_GROUP "???"

/* "function", "file", "object", "namespace". */
const char *cg_rollup_word(enum cg_rollup_by by);
/* The reverse; CG_BY_FUNCTION for any other word, or NULL. */
enum cg_rollup_by cg_rollup_by_word(const char *word);

/* The id of the namespace of a function's name among `strings`, where it is added.
 * CG_OK, CG_ENOMEM or CG_ERANGE. */
int cg_rollup_namespace(const char *name, struct cg_strings *strings, cg_str *id);

struct cg_rollup {
	enum cg_rollup_by by;
	cg_str *of;                /* per function: its group, which is the id of its name */
	uint32_t count;            /* groups, with row 0, which is unused */
	struct cg_strings strings; /* their names */
};

/* CG_OK or CG_ENOMEM; free with cg_rollup_free. `by` is not CG_BY_FUNCTION. */
int cg_rollup_make(const struct cg_profile *p, enum cg_rollup_by by, struct cg_rollup *out);
void cg_rollup_free(struct cg_rollup *r);

/* cg_inclusive_compute, but `calls` are those from other groups only. */
int cg_rollup_inclusive(const struct cg_profile *p, const uint32_t *of, uint32_t count,
			struct cg_inclusive **out);

CG_END_DECLS

#endif
