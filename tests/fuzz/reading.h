/*
 * The laws of reading: what holds for every file that is accepted, of whatever
 * format, and for the profile it becomes at every detail.
 */
#ifndef TESTS_FUZZ_READING_H
#define TESTS_FUZZ_READING_H

#include "cgprofile/reader.h"
#include "tests/fuzz/fuzz.h"

/* Reads the bytes at several details and checks all laws each time. */
void check_reading(const uint8_t *data, size_t size);

/* The bytes as a profile of functions only, the caller's to free; NULL if they
 * are refused. */
struct cg_profile *flat_profile_of(const uint8_t *data, size_t size);

#endif
