/*
 * Reads of the clock on whose answer no count depends.
 *
 * CPython from 3.11 on reads the clock for each lock that it takes, be it for a moment until which
 * to wait that nobody has given: so every script seems to read the clock. What its functions call
 * tells these reads apart, also where the interpreter has no symbols but those that it exports.
 */
#ifndef IRDIFF_DIFF_IDLE_READS_H
#define IRDIFF_DIFF_IDLE_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "cgprofile/profile.h"

/* Whether all that calls this function, by which the clock is read, makes nothing of the answer.
 * False also if it is not known who calls it. */
bool idle_reads_only(const struct cg_profile *p, uint32_t function);

#endif
