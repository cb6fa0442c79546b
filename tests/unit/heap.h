/*
 * The heap of a test: counted, and made to fail where the test wants.
 *
 * A program that is linked with $(heap_flags) of Makefile.am calls the functions
 * of heap.c instead of malloc and its like, also from the libraries of the
 * project; what shared libraries do inside is not seen. Threads may share it.
 */
#ifndef TESTS_UNIT_HEAP_H
#define TESTS_UNIT_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Blocks that were allocated and not freed. */
size_t heap_blocks(void);

/* The most bytes that were allocated at a time since heap_watch. */
void heap_watch(void);
size_t heap_peak(void);

/* The nth allocation from now on fails, counted from 1; 0: none does. */
void heap_fail_at(size_t nth);
/* Whether it has. */
bool heap_has_failed(void);

/* Whether new threads are refused. */
void heap_refuse_threads(bool refuse);

#endif
