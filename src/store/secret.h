/*
 * The secret of a project on this machine, by which values are told apart that nobody else is to
 * know (digest.h): .irdiff/secret, of 64 hexadecimal digits, which only its owner may read. It is
 * never shared; where machines are to tell values apart in the same way, somebody gives all of them
 * the same file.
 */
#ifndef IRDIFF_STORE_SECRET_H
#define IRDIFF_STORE_SECRET_H

#include "src/digest/digest.h"

/* Makes one of random numbers if there is none. CG_EINVAL: what is there is none. */
int store_secret(const char *root, struct digest_key *out, struct cg_error *err);

#endif
