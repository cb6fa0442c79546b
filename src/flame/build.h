/* Private to flame/: a graph under construction. */
#ifndef IRDIFF_FLAME_BUILD_H
#define IRDIFF_FLAME_BUILD_H

#include "callgrind/support/index.h"
#include "src/flame/frames.h"

struct flame_build {
	struct flame *flame; /* its frames in the order in which they were added */
	size_t frames_cap, functions_cap, base_cap, head_cap;
	struct cg_index frames, functions;
};

/* Begins a graph of these profiles and metrics; `base` may be NULL. Errors: CG_ENOMEM. */
int flame_build_init(struct flame_build *b, const struct flame_events *base,
		     const struct flame_events *head);

/* The number of a function, which is stored once for one name, object, file and name in base.
 * Errors: CG_ENOMEM. */
int flame_build_function(struct flame_build *b, const struct flame_function *function,
			 uint32_t *out);

/* The frame of a function below `parent`; one that is there, and inlined alike, takes in what
 * `facts` say: all but its function, place and width. Errors: CG_ENOMEM. */
int flame_build_frame(struct flame_build *b, uint32_t parent, uint32_t function,
		      const struct flame_frame *facts, uint32_t *out);

/* Adds costs of base and head to the self costs of a frame; NULL: none. CG_OK or CG_ERANGE. */
int flame_build_costs(struct flame_build *b, uint32_t frame, const int64_t *base,
		      const int64_t *head);

/* Sums up, lays out and sorts the frames; those without any cost are left out. CG_ENOMEM or
 * CG_ERANGE. On success the graph is the caller's. */
int flame_build_finish(struct flame_build *b, struct flame **out);

/* Frees what flame_build_finish did not hand over. */
void flame_build_free(struct flame_build *b);

/* Says what a status of these functions means. Returns it. */
int flame_fail(int status, struct cg_error *err);

#endif
