/*
 * Which functions the compiler inlined where: the functions that the machine code
 * at each address of a profile belongs to, from the debug information (DWARF) of
 * the objects. Callgrind counts inlined code for the function that contains it.
 *
 * A frame is a function at one place: with its own machine code, or inlined
 * into another frame. So frame, parent, parent of the parent … is the chain of
 * an address, from the innermost function outwards.
 */
#ifndef CGPROFILE_INLINES_H
#define CGPROFILE_INLINES_H

#include "cgprofile/api.h"
#include "cgprofile/profile.h"

CG_BEGIN_DECLS

struct cg_frame {
	uint32_t parent;    /* the frame that it is inlined into, a lower number; 0: none */
	cg_str name;        /* demangled, with parameters; 0: unknown */
	cg_str file;        /* where it is defined; 0: unknown */
	uint32_t line;      /* in that file; 0: unknown */
	cg_str call_file;   /* where the frame around it calls it; 0: unknown */
	uint32_t call_line; /* in that file; 0: unknown, or it is not inlined */
	uint64_t entry;     /* where the debug information of its object has it */
	uint32_t first_start, nstarts; /* where its code begins if it is inlined; none: unknown */
	bool counted; /* it is inlined, and called whenever the code at one of them is executed */
};

/* An inlined function that is called whenever the code at an address is executed. */
struct cg_inlines_entered {
	uint32_t address; /* its number */
	uint32_t frame;
};

enum cg_inlines_state {
	CG_INLINES_FOUND,
	CG_INLINES_NO_FILE,  /* the object cannot be opened */
	CG_INLINES_NO_DEBUG, /* it has no debug information, inside or in a separate file */
	CG_INLINES_SPLIT,    /* some of it is in .dwo files that are missing */
	CG_INLINES_DAMAGED,  /* its debug information cannot be understood */
	CG_INLINES_OTHER,    /* it is another build: other functions are at these addresses */
	CG_INLINES_COUNTED,  /* the same, because the file already counts inlined functions */
};

struct cg_inlines_object {
	cg_str path;     /* as in the profile */
	cg_str build_id; /* hexadecimal digits; 0: it has none */
	enum cg_inlines_state state;
	uint32_t first, count; /* of its addresses */
};

/* The frame to which most code of a line belongs. */
struct cg_inlines_line {
	cg_str object, function, file; /* the function without suffixes of clones */
	uint32_t line, frame;
};

/* A function that is defined in another file than in the profile, or that other compilers name
 * differently. */
struct cg_inlines_file {
	cg_str object, function,
		file;       /* of the profile; the function without the suffix of a cold part */
	cg_str real;        /* 0: `file` */
	cg_str name;        /* without the suffix; 0: `function` */
	cg_str real_object; /* of a stub for a function of a library; 0: `object` */
};

struct cg_inlines {
	struct cg_strings strings;
	struct cg_frame *frames; /* 0 is unused: nothing is known */
	uint32_t nframes;
	uint64_t *addresses; /* those of an object ascend */
	uint32_t *frame;     /* of each address, the innermost; 0: unknown */
	uint32_t naddresses;
	struct cg_inlines_object *objects; /* by number of their path in the profile */
	uint32_t nobjects;
	struct cg_inlines_line *lines; /* sorted; NULL: frames are of addresses */
	size_t nlines;
	struct cg_inlines_file *files; /* sorted */
	size_t nfiles;
	struct cg_inlines_file
		*renamed; /* those of them that have a name, by function; each function once */
	size_t nrenamed;
	uint64_t *starts; /* of frames: addresses in their object */
	uint32_t nstarts;
	struct cg_inlines_entered *entered; /* by address */
	uint32_t nentered;
	uint32_t *enters; /* per address: the first row of `entered`, or `nentered`; NULL: none */
	size_t frames_cap, starts_cap;
};

/* Looks up all addresses of a profile that was read with addresses. Objects are
 * opened at their path; a problem with one becomes its state, not an error. An object is
 * not used if most of its functions are not where the profile has them. Debug
 * information may be in separate files (build-id, debuglink, dwz, .dwo), and is
 * requested from the servers in $DEBUGINFOD_URLS if elfutils supports that.
 * `cache` is a directory, created if missing, that keeps results by build-id;
 * NULL: no cache. CG_OK, CG_ENOMEM or CG_ERANGE; free with cg_inlines_free. */
int cg_inlines_find(const struct cg_profile *p, const char *cache, struct cg_inlines **out);
/*
 * The same by source lines, for profiles without addresses that were read with lines. All
 * code of a source line in a function counts for the frame that has most of it. This is
 * an approximation: one line may be inlined at several places.
 */
int cg_inlines_find_by_line(const struct cg_profile *p, struct cg_inlines **out);
void cg_inlines_free(struct cg_inlines *in);

/* Whether an object can be opened and has debug information. */
bool cg_inlines_available(const char *path);

/* The object of this path, NULL if there is none. */
const struct cg_inlines_object *cg_inlines_find_object(const struct cg_inlines *in,
						       const char *path);

/* The frame at an address; 0 if unknown. */
uint32_t cg_inlines_frame(const struct cg_inlines *in, const struct cg_inlines_object *object,
			  uint64_t address);
/* The same, fast for ascending addresses: *next, initially 0, is where the search for the next one
 * begins. */
uint32_t cg_inlines_frame_from(const struct cg_inlines *in, const struct cg_inlines_object *object,
			       uint64_t address, uint32_t *next);

/* The frame at a line, by the names of a profile; 0 if unknown. */
uint32_t cg_inlines_frame_of_line(const struct cg_inlines *in, const char *object,
				  const char *function, const char *file, uint32_t line);

/* "found", "no such file" … Static text. */
const char *cg_inlines_state_name(enum cg_inlines_state state);

CG_END_DECLS

#endif
