/*
 * The secret of a project on this machine: .irdiff/secret, 64 hexadecimal digits, which only its
 * owner may read. Digests with it (digest.h) tell values apart without showing them to others. It
 * is never shared; machines whose digests are to be comparable are given the same file by hand.
 */
#ifndef IRDIFF_STORE_SECRET_H
#define IRDIFF_STORE_SECRET_H

#include "src/digest/digest.h"

/* Reads the secret, and makes one of random numbers if it does not exist. CG_EINVAL: the file is no
 * secret. */
int store_secret(const char *root, struct digest_key *out, struct cg_error *err);

#endif
