/* Private to the library: why a profile does not keep a law. */
#ifndef CG_AUDIT_CAUSES_H
#define CG_AUDIT_CAUSES_H

#include "cgprofile/audit.h"

/* Fills in the causes of records, roots and summaries. CG_OK or CG_ENOMEM. */
int cg_audit_find_causes(const struct cg_profile *p, struct cg_audit *a);

#endif
