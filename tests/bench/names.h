/*
 * Names like those in the profile of a C++ compiler, in length and in form. A name is computed from
 * its number, so that none need be stored; different numbers have different names.
 *
 * All functions write at a place and return the place behind it, like those of put.h.
 */
#ifndef TESTS_BENCH_NAMES_H
#define TESTS_BENCH_NAMES_H

#include <stdint.h>

enum {
	NAME_CALLERS = 6,    /* functions in a context, as with --separate-callers=6 */
	NAME_MAX_LEN = 1024, /* of any name here */
};

char *put_object_name(char *at, uint32_t object);
char *put_header_name(char *at, uint32_t header);
char *put_source_name(char *at, uint32_t source);
char *put_function_name(char *at, uint32_t function);

/* The context numbered `context` of a function: its callers, each behind a "'". Functions, of
 * which there are `functions`, have few direct callers each, and so their contexts are alike. */
char *put_context(char *at, uint32_t function, uint32_t context, uint32_t functions);

#endif
