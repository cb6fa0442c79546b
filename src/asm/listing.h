/*
 * The instructions of functions, with what each of them costs, in the order of their addresses. A
 * function may have its code at several places: compilers move what seldom runs elsewhere.
 *
 * Law: the costs of all rows add up to the self costs of the functions and of all that is inlined
 * into them. So instructions whose code is not there are rows, too.
 */
#ifndef IRDIFF_ASM_LISTING_H
#define IRDIFF_ASM_LISTING_H

#include "cgprofile/profile.h"
#include "src/asm/disassemble.h"

/* What is called at an instruction. */
struct asm_call {
	uint32_t callee; /* function */
	uint64_t count;
};

/* Where an instruction jumped to. */
struct asm_jump {
	uint64_t target, count;
};

struct asm_row {
	struct asm_instruction instruction; /* its text is 0 if there is no code */
	bool executed;
	bool gap;            /* the row before it is not the instruction before it */
	const int64_t *self; /* nevents; NULL: not executed */
	uint32_t record;     /* of the innermost function; 0: not known, as it was not executed */
	cg_str file;         /* of the profile; 0: not known */
	uint32_t line;
	size_t call, ncalls; /* in `calls` */
	bool knows_jumps;    /* of a jump: how often it was made is known, and so is … */
	uint64_t executions; /* … how often it was executed, by all functions */
	size_t jump, njumps; /* in `jumps`; without any, it was never made */
};

/* Why the code of an object is not shown, or not all of it. */
struct asm_missing {
	const char *object;
	const struct cg_code_object *code; /* NULL: nothing of it was kept */
};

struct asm_listing {
	const struct cg_profile *profile;
	const struct cg_strings *texts; /* of the instructions */
	struct asm_row *rows;
	size_t nrows, rows_cap;
	struct asm_call *calls;
	size_t ncalls, calls_cap;
	struct asm_jump *jumps;
	size_t njumps, jumps_cap;
	struct asm_missing *missing;
	size_t nmissing, missing_cap;
	int64_t *self;   /* nevents, of all rows */
	int64_t *vector; /* the same of instructions that work on several values */
	size_t executed; /* rows */
	int64_t *costs;  /* owns all costs */
};

/* The function in whose machine code a record is. */
uint32_t asm_machine_function(const struct cg_profile *p, uint32_t record);
/* The functions that have machine code of their own: machine[f] becomes whether f, or something
 * that is inlined into it, is chosen. Stubs for functions of libraries have none. Both have
 * nfunctions elements. */
void asm_find_machine_functions(const struct cg_profile *p, const bool *chosen, bool *machine);

/* What a profile has of its addresses, in their order: it is sorted once for all listings. */
struct asm_places;

/* The profile must have addresses (CG_EINVAL), and outlive the result. CG_OK or CG_ENOMEM. */
int asm_places_make(const struct cg_profile *p, struct asm_places **out);
void asm_places_free(struct asm_places *places);

/* Of some functions, each once, in a time that grows with their places. The profile must outlive
 * the result, as must `code` and `texts`, to which texts are added. CG_OK, CG_ENOMEM or CG_ERANGE.
 */
int asm_listing_make(const struct asm_places *places, const struct cg_code *code,
		     const uint32_t *functions, size_t nfunctions, struct cg_strings *texts,
		     struct asm_listing **out);
void asm_listing_free(struct asm_listing *l);

#endif
