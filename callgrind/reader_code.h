/* Private to the reader: the functions of code that a program has generated, by its perf map. */
#ifndef CG_READER_CODE_H
#define CG_READER_CODE_H

#include "callgrind/reader_state.h"

/* Whether the names of functions must be looked up: the file has a map. */
static inline bool cg_reader_has_code(const struct cg_reader *r)
{
	return r->map != NULL;
}

/* Finds the map of the file. */
void cg_reader_choose_map(struct cg_reader *r);

/* Looks up the name of a function, which may be the address of generated code, and its callers,
 * parted by apostrophes. Sets name->code, name->host and, if contexts are kept, name->context. */
int cg_reader_look_up_code(struct cg_reader *r, const char *own, size_t own_len,
			   const char *callers, size_t len, struct packed *name);

/* Changes function and record accordingly. */
int cg_reader_set_code(struct cg_reader *r, const struct packed *name, struct cg_function *f,
		       struct cg_record *record);

/* Notes what the record is whose lines follow. */
void cg_reader_begin_code(struct cg_reader *r, const struct packed *name);

/* Notes that the lines which follow are an interpreter's at work on the record. */
void cg_reader_run_code(struct cg_reader *r);

/* Sets where costs are that have no place of their own. */
static inline void cg_reader_place_code(const struct cg_reader *r, struct cg_position *at)
{
	if (!r->code_placed)
		return;
	at->file = r->code_file;
	at->line = r->code_line;
	if (r->runs_code)
		at->address = 0;
}

/* What a call of r->called means, a record of an interpreter that is in the function which it
 * runs. If that one makes it, it is no call, and *callee is then 0; nor if it does so by way of C
 * functions, which the end of the file tells (detours.h). Else it is a call of that function. */
int cg_reader_call_host(struct cg_reader *r, uint32_t caller, const struct cg_position *at,
			uint64_t count, const int64_t *costs, uint32_t *callee);

#endif
