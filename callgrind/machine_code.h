/*
 * The machine code of the objects of a profile: the bytes at the addresses that were executed, with
 * the functions around them. All that is needed to disassemble them when the objects are gone.
 */
#ifndef CG_MACHINE_CODE_H
#define CG_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cg_machine { CG_MACHINE_UNKNOWN, CG_MACHINE_X86_64, CG_MACHINE_ARM64 };

enum cg_code_state {
	CG_CODE_FOUND,   /* its code, or a part of it */
	CG_CODE_MISSING, /* the object cannot be opened */
	CG_CODE_STRANGE, /* it is no object of x86-64 or ARM64 */
	CG_CODE_OUTSIDE, /* it loads nothing at these addresses */
	CG_CODE_LARGE,   /* there was no room for it */
	CG_CODE_OTHER,   /* it is another build than the one that was measured */
};

/* Bytes that are loaded one after the other: the code between two ends of symbols, or code without
 * a symbol. */
struct cg_code_range {
	uint64_t address;
	size_t size, at; /* in `bytes` of struct cg_code */
	bool whole;      /* of a symbol: otherwise the last instruction may be cut */
};

/* Addresses that an object has data or code at. */
struct cg_code_section {
	uint64_t address, size;
};

/* All jumps of an instruction to an address. */
struct cg_code_jump {
	uint64_t address, target, count;
};

struct cg_code_object {
	char *path;     /* as in the profile */
	char *build_id; /* hexadecimal digits; NULL: it has none, or cannot be opened */
	enum cg_machine machine;
	enum cg_code_state state;
	struct cg_code_range *ranges; /* ascending; they may touch */
	size_t nranges, ranges_cap;
	struct cg_code_section *sections; /* if it is loaded at a fixed address; otherwise none */
	size_t nsections, sections_cap;
	bool knows_jumps;           /* they were counted */
	struct cg_code_jump *jumps; /* by address, then by target */
	size_t njumps, jumps_cap;
};

struct cg_code {
	struct cg_code_object *objects;
	size_t nobjects, objects_cap;
	unsigned char *bytes;
	size_t nbytes, bytes_cap;
};

/* Adds an object with the code around ascending addresses: the function, where the object has a
 * symbol for it, or else what lies between addresses that are close to each other. No bytes are
 * added beyond `most` of all objects. What is wrong with an object becomes its state. CG_OK or
 * CG_ENOMEM. */
int cg_code_read(struct cg_code *code, const char *path, const uint64_t *addresses, size_t count,
		 size_t most);

/* Adds an object without code: for readers of files. CG_OK or CG_ENOMEM. */
int cg_code_add_object(struct cg_code *code, const char *path, const char *build_id,
		       enum cg_machine machine, enum cg_code_state state);
/* Adds a section to the last object. CG_OK or CG_ENOMEM. */
int cg_code_add_section(struct cg_code *code, uint64_t address, uint64_t size);
/* Adds jumps to the last object, behind those it has; it then knows them. CG_OK or CG_ENOMEM. */
int cg_code_add_jumps(struct cg_code *code, const struct cg_code_jump *jumps);
/* Adds code to the last object, behind what it has. CG_OK or CG_ENOMEM. */
int cg_code_add_range(struct cg_code *code, uint64_t address, const unsigned char *bytes,
		      size_t size, bool whole);

/* Removes the code of an object, which is not what was measured. */
void cg_code_refuse(struct cg_code_object *object);
/* Copies the code of an object of `code`, which has none, from the one with the same path in `now`
 * if that is the same build; otherwise refuses it. CG_OK or CG_ENOMEM. */
int cg_code_adopt(struct cg_code *code, struct cg_code_object *object, const struct cg_code *now);

/* As if jumps had not been counted. */
void cg_code_forget_jumps(struct cg_code *code);

/* The object with this path; NULL: none. */
const struct cg_code_object *cg_code_find(const struct cg_code *code, const char *path);
/* The range of an object that an address is in; NULL: none. */
const struct cg_code_range *cg_code_range_at(const struct cg_code_object *object, uint64_t address);
/* The jumps of the instruction at an address, and how many there are. */
const struct cg_code_jump *cg_code_jumps_from(const struct cg_code_object *object, uint64_t address,
					      size_t *count);
/* The code at an address of an object, and how much follows; NULL: none. */
const unsigned char *cg_code_at(const struct cg_code *code, const struct cg_code_object *object,
				uint64_t address, size_t *left);

/* Static text: "the file does not exist …" */
const char *cg_code_state_words(enum cg_code_state state);

void cg_code_free(struct cg_code *code);

#endif
