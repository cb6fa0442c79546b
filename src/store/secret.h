/*
 * The secret of a project on this machine: .irdiff/secret, 64 hexadecimal digits, which only its
 * owner may read. Digests with it (digest.h) distinguish values without showing them. It is never
 * shared; to make digests of several machines comparable, copy the file by hand.
 */
#ifndef IRDIFF_STORE_SECRET_H
#define IRDIFF_STORE_SECRET_H

#include "src/digest/digest.h"

/* Reads the secret, and creates a random one if it does not exist. CG_EINVAL: the file is not a
 * secret. */
int store_secret(const char *root, struct digest_key *out, struct cg_error *err);

#endif
