/*
 * Private to the library and irdiff: a profile of stacks, for the readers of formats that have
 * them.
 *
 * The innermost frame of a stack has its costs as self cost, and each step is a call whose number
 * is unknown, so 0. Recursion levels are exact, and so are inclusive costs. With contexts, each
 * record is one stack: its context names the nearest callers, and where these do not distinguish
 * stacks (deep ones, names with apostrophes, several functions of one name) ends in a hash of all
 * callers.
 */
#ifndef CG_STACKS_H
#define CG_STACKS_H

#include "callgrind/input.h"
#include "callgrind/parts.h"
#include "cgprofile/reader.h"

/* A function on the stack. */
struct cg_stack_frame {
	struct cg_function function;
	cg_str file;   /* of the line; 0 if unknown */
	uint32_t line; /* that calls the next frame or, in the innermost one, has the costs */
	bool inlined;  /* into the frame before */
};

struct pushed_frame;
struct stacks_seen;

struct cg_stacks {
	struct cg_builder *b;
	struct cg_parts *parts;
	const struct cg_read_options *options;
	const char *name;    /* of the file, for messages */
	uint64_t line_no;    /* likewise; 0: unknown */
	struct cg_error err; /* of the last call that failed */

	/* The rest is its own. */
	uint64_t nframes, nstacks;
	struct pushed_frame *stack;
	size_t depth, stack_cap;
	struct stacks_seen *seen; /* per function */
	size_t nseen, seen_cap;
	uint32_t *first; /* per text: the first function of this name */
	size_t nfirst, first_cap;
	cg_str *callers; /* of one frame */
	size_t callers_cap;
};

/* Of a file that is read into `parts`; all of these must outlive it. End with cg_stacks_end. */
struct cg_stacks cg_stacks_begin(struct cg_parts *parts, const struct cg_input *in,
				 const struct cg_read_options *options);

/* Frees what it has, and returns `status`; if this is an error, *err becomes that of the last call
 * that failed (`err` may be NULL). */
int cg_stacks_end(struct cg_stacks *s, int status, struct cg_error *err);

/* Several files add up if they have the same events, in any order: column[e] becomes the event of
 * the profile that events[e] is. Texts are the builder's. CG_OK, or CG_EINVAL, CG_ERANGE or
 * CG_ENOMEM with an error. */
int cg_stacks_events(struct cg_stacks *s, const struct cg_event *events, uint32_t nevents,
		     uint32_t *column);

/* Begins a part. */
int cg_stacks_open(struct cg_stacks *s, const struct cg_part *facts);

/* Adds one stack to the part: frames from the outermost to the innermost, and costs in the order of
 * the profile's events. CG_OK, or CG_ENOMEM or CG_ERANGE with an error. */
int cg_stacks_add(struct cg_stacks *s, const struct cg_stack_frame *frames, size_t depth,
		  const int64_t *costs);

/* Turns frames around, which most formats have the innermost first. */
void cg_stack_reverse(struct cg_stack_frame *frames, size_t depth);

/* Adds a text, of which control characters become "_". One that is longer than CG_STACKS_TEXT_MAX
 * is cut, and ends in "~" and a hash of the whole. CG_OK, or with an error. */
#define CG_STACKS_TEXT_MAX (16 * 1024)
int cg_stacks_text(struct cg_stacks *s, const char *text, size_t len, cg_str *id);

/* An event's name from a text: what would not be one word becomes "_". */
int cg_stacks_event_name(struct cg_stacks *s, const char *text, size_t len, cg_str *id);

/* Adds the unit of an event that has a name to its long name: "cpu in nanoseconds". An empty unit
 * adds nothing. */
int cg_stacks_unit(struct cg_stacks *s, const char *unit, size_t len, struct cg_event *event);

/* Reads all of an input, which is the caller's to free; a byte 0 follows. CG_OK, or what
 * cg_input_read returns, or CG_ERANGE for more than a gigabyte, with an error. */
int cg_stacks_read_all(struct cg_stacks *s, struct cg_input *in, char **bytes, size_t *len);

/* Whether a stack may have so many frames; to be asked before it is made. */
int cg_stacks_expect(struct cg_stacks *s, size_t depth);

/* Says that the file has something that means nothing here, see CG_IGNORED_KEY. */
int cg_stacks_ignored(struct cg_stacks *s, const char *what);

/* Says that the costs of an event are estimated from so many samples, see cg_samples_behind. */
int cg_stacks_sampled(struct cg_stacks *s, cg_str event, uint64_t samples);

/* Sets the error, with a message where memory did not run out. Returns `code`. */
int cg_stacks_fail(struct cg_stacks *s, int code, const char *what);

#endif
