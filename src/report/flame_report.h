/* Flame graphs. The struct is a view: it owns nothing. */
#ifndef IRDIFF_REPORT_FLAME_REPORT_H
#define IRDIFF_REPORT_FLAME_REPORT_H

#include "src/flame/flame.h"
#include "src/report/show.h"

struct flame_report {
	const struct flame *flame;
	const struct diff *diff;      /* NULL: of one profile, head */
	const struct tree_diff *tree; /* of that difference */
	struct report_origin base, head;
	const char *root;            /* the function at which paths begin; NULL: all of them */
	const char *filter, *ignore; /* regexes, NULL: none */
	bool reversed;
	unsigned width;       /* of the picture, in pixels */
	double min_width;     /* frames narrower than this are left out */
	uint32_t most_levels; /* so are deeper ones, and the picture says so */
};

/* A picture that stands alone: without its script it is still one. CG_OK or CG_ENOMEM;
 * whether the stream failed is for the caller to ask. */
int flame_svg(const struct flame_report *r, FILE *to);

/* Folded stacks as in cgprofile/folded.h, outermost frame first; of a difference with the
 * costs of both sides, "main;parse 42 57". CG_OK, CG_ENOMEM, or CG_EINVAL: a cost is
 * negative, which the format cannot hold. */
int flame_folded(const struct flame_report *r, FILE *to);

#endif
