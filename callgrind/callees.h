/*
 * Private to the library: the functions that calls lead to, if a file does not name them in full.
 *
 * A callee without object or file is taken to be in its caller's, as the format has
 * it. Several writers leave them off nevertheless: pprof never writes the object of a
 * callee, old versions of Xdebug no file. So what they call may be a function that
 * the file does not describe, whereas one of the same name has the costs.
 *
 * A callee that no line fn= described is connected to the only function of its name
 * that was: in the same file, else in the same object, else anywhere. What the file
 * did say of the callee must be true of that function, unless nobody else calls it.
 * pprof tells callees of one name apart by " [1/2]", and not their descriptions: this
 * is left off if there is no other way.
 *
 * Valgrind and irdiff write what does not follow from the caller, so their files are
 * taken at their word.
 */
#ifndef CG_CALLEES_H
#define CG_CALLEES_H

#include "cgprofile/profile.h"

struct cg_callees {
	uint8_t *facts; /* per record that was met */
	size_t count, cap;
};

/* Notes that a line fn= described the record. CG_OK or CG_ENOMEM. */
int cg_callees_described(struct cg_callees *c, uint32_t record);
/* Notes that the record was called, and how the file described it. CG_OK or CG_ENOMEM. */
int cg_callees_called(struct cg_callees *c, uint32_t record, bool with_object, bool with_file);

/* Connects calls of the finished profile, whose numbers of records are still the
 * builder's; they may change. CG_OK, CG_ENOMEM or CG_ERANGE. */
int cg_callees_connect(const struct cg_callees *c, struct cg_profile *p);

void cg_callees_free(struct cg_callees *c);

#endif
