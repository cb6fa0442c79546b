/*
 * Filling a profile: for readers of file formats and for tests.
 *
 * A builder finds or adds the rows of the model's tables and adds costs to
 * them. The events come first; then everything else in any order. Whatever
 * returns int returns CG_OK, CG_ENOMEM, CG_ERANGE (a sum or a table
 * overflows) or CG_EINVAL (the events are not set).
 */
#ifndef CG_BUILD_H
#define CG_BUILD_H

#include "cgprofile/profile.h"

/* More events than any tool records; bounds the width of every cost array. */
#define CG_MAX_EVENTS 256

/* Compilers inline a few dozens deep; what would be deeper counts for the outer ones, by
 * the readers' choice: chains are walked often. */
#define CG_MAX_INLINED_DEPTH 512

struct cg_builder;

int cg_builder_new(struct cg_builder **out, const struct cg_detail *detail);
void cg_builder_free(struct cg_builder *b);

/* The finished profile; the builder is freed, also on failure. Adds the links from
 * records to what is inlined into them. */
int cg_builder_finish(struct cg_builder *b, struct cg_profile **out);

/* The profile as far as it is built, for reading. Not to be asked for at each line: costs of one
 * record in a row are added up before they become part of the profile. */
const struct cg_profile *cg_builder_profile(struct cg_builder *b);

/* Notes that another `bytes` of the input were read. */
void cg_build_read(struct cg_builder *b, size_t bytes);

/* CG_ERANGE if the tables have become much larger than an input of this length makes them,
 * unless it was crafted to exhaust memory. Costs a few additions. */
int cg_build_check_size(const struct cg_builder *b);
/* The same with so many bytes that a reader needs besides. */
int cg_build_check_size_with(const struct cg_builder *b, uint64_t besides);

/* Hashes of what a file numbers begin with it. */
uint64_t cg_builder_secret(const struct cg_builder *b);

/* The bytes that were read, as cg_build_read said. */
uint64_t cg_build_input(const struct cg_builder *b);

int cg_build_string(struct cg_builder *b, const char *text, size_t len, cg_str *id);
/* The same, if the text's cg_hash_text with the secret of the profile's strings is known. */
int cg_build_hashed(struct cg_builder *b, const char *text, size_t len, uint32_t hash, cg_str *id);

/* The context of a text, callers separated by apostrophes; `hash`: its cg_hash_text with the secret
 * of the profile's strings. */
int cg_build_context(struct cg_builder *b, const char *text, size_t len, uint32_t hash,
		     uint32_t *context);
/* The context of callers, the nearest first. */
int cg_build_callers(struct cg_builder *b, const cg_str *callers, size_t count, uint32_t *context);
/* Asks the processor to have ready what cg_build_context will need, in stages, with other work
 * after each. */
enum cg_text_stage { CG_TEXT_SLOT, CG_TEXT_PLACE, CG_TEXT_BYTES };
void cg_build_prefetch_context(const struct cg_builder *b, uint32_t hash, enum cg_text_stage stage);
int cg_build_creator(struct cg_builder *b, cg_str creator);
int cg_build_event(struct cg_builder *b, const struct cg_event *event);
int cg_build_desc(struct cg_builder *b, cg_str key, cg_str value);

/* Adds a part and makes it the one that self costs count for. */
int cg_build_part(struct cg_builder *b);
/* The current part, to fill in its facts. NULL before the first. */
struct cg_part *cg_builder_part(struct cg_builder *b);
/* Sets the totals or the summary of the current part (`nevents` numbers, copied). */
int cg_build_totals(struct cg_builder *b, const int64_t *totals);
int cg_build_summary(struct cg_builder *b, const int64_t *summary);

int cg_build_function(struct cg_builder *b, const struct cg_function *f, uint32_t *function);
int cg_build_record(struct cg_builder *b, const struct cg_record *r, uint32_t *record);

/* Adds calls of an inlined record, for the link to it; without any they are unknown, and whatever
 * is added to unknown ones. */
#define CG_ENTRIES_UNKNOWN UINT64_MAX
int cg_build_entries(struct cg_builder *b, uint32_t record, uint64_t count);

/* Adds calls of an inlined record by the line of the one around it that they are at, with what they
 * cost, for the link to it; line 0 is unknown. The link has as many calls as there are entries, and
 * costs as much as the record: what is not said to be at a line is at none. */
int cg_build_site(struct cg_builder *b, uint32_t record, const struct cg_position *at,
		  uint64_t count, const int64_t *costs);

/* Whether these self costs can be added: the sizes of all, of either sign, must
 * stay below 2^63, so that no sum of some of them can leave the range. */
bool cg_build_self_fits(const struct cg_builder *b, const int64_t *costs);
/* Whether costs below 2^62 may not fit; as quick as it must be to ask it for each line. */
bool cg_build_nears_limit(const struct cg_builder *b);
/* Adds `nevents` costs. */
int cg_build_self(struct cg_builder *b, uint32_t record, const struct cg_position *at,
		  const int64_t *costs);
int cg_build_call(struct cg_builder *b, uint32_t caller, uint32_t callee,
		  const struct cg_position *at, uint64_t count, const int64_t *costs);

/*
 * The same in steps, with something else in between: calls are in no order, and there are more of
 * them than the cache holds. The first and the second step ask the processor to have ready what
 * the next one needs, the last one adds the call.
 */
struct cg_call_ahead {
	struct cg_call call;
	struct cg_position at;
	uint32_t hash;
};

void cg_build_call_begin(const struct cg_builder *b, uint32_t caller, uint32_t callee,
			 const struct cg_position *at, struct cg_call_ahead *ahead);
void cg_build_call_prefetch(const struct cg_builder *b, const struct cg_call_ahead *ahead);
int cg_build_call_end(struct cg_builder *b, const struct cg_call_ahead *ahead, uint64_t count,
		      const int64_t *costs);

/* Adds jumps, of which the instruction was executed so often; UINT64_MAX: not known. */
int cg_build_jumps(struct cg_builder *b, const struct cg_jump *jumps, uint64_t executed);

/* Notes that the file has addresses, whether they are kept or not. */
void cg_build_addresses(struct cg_builder *b);

/* Notes that recursion levels were recorded, even if nothing was recursive. */
void cg_build_levels(struct cg_builder *b);

/* Counts a part that was not selected. */
void cg_build_left_out(struct cg_builder *b);

/* Counts a malformed line that was skipped. */
void cg_build_skipped(struct cg_builder *b);
/* Counts the number of a name that the part has given to another one. */
void cg_build_redefined(struct cg_builder *b);

#endif
