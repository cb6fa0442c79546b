/*
 * One input that holds several texts, and a directory made of them:
 *
 *	== NAME
 *	text, to the next line that begins so
 *
 * What stands before the first such line belongs to no section.
 */
#ifndef TESTS_FUZZ_SECTIONS_H
#define TESTS_FUZZ_SECTIONS_H

#include "tests/fuzz/fuzz.h"

struct section {
	char name[200];   /* cut, if it is longer */
	const char *text; /* in the input, not terminated */
	size_t len;
};

/* The next section. *at begins at the input and moves on; false: there are no more. */
bool next_section(const char **at, const char *end, struct section *out);

/* The first one of this name; false: there is none, and *out is an empty text. */
bool find_section(const uint8_t *data, size_t size, const char *name, struct section *out);

/* A directory of this process, in memory where there is room; removed when it ends. */
const char *scratch(void);

/* Empties that directory. */
void scratch_clear(void);

/* SCRATCH/NAME, until it is asked for the fourth time. */
const char *scratch_path(const char *name);

/* Writes a file there, and the directories above it. */
void scratch_write(const char *name, const void *bytes, size_t size);

/* Writes an input to a file there, and checks it: as it is, packed or not, and as what is after the
 * head of one. */
void scratch_check_file(const char *name, const char *head, const uint8_t *data, size_t size,
			void check(const char *name));

/* All bytes of a file there, the caller's; NULL: there is none. */
char *scratch_read(const char *name, size_t *size);

/* Empties it and makes a file of each section. A name leads nowhere else; "NAME ->" makes a
 * symbolic link to what the text says, which leads nowhere. */
void scratch_unpack(const uint8_t *data, size_t size);

#endif
