/* The functions of one profile, chosen and sorted for a person to read. */
#ifndef IRDIFF_VIEW_FLAT_H
#define IRDIFF_VIEW_FLAT_H

#include "callgrind/inclusive.h"
#include "callgrind/profile.h"
#include "src/view/pattern.h"

/* Where a function's code is. */
enum flat_code {
	FLAT_CODE_OWN,     /* by itself, and called */
	FLAT_CODE_INLINED, /* only where it was inlined */
	FLAT_CODE_BOTH,
};

struct flat_row {
	uint32_t function;
	const int64_t *self;      /* nevents */
	const int64_t *inclusive; /* nevents; NULL if the profile has no calls */
	uint64_t calls;
	enum flat_code code;
	bool bound; /* the inclusive cost is an upper bound */
};

struct flat {
	const struct cg_profile *profile;
	struct flat_row *rows;
	size_t count;
	size_t total; /* functions with a cost, before filter and threshold */
	int64_t *self; /* owns what the rows point to */
	struct cg_inclusive *inclusive;
	enum flat_code *code; /* per function */
};

struct flat_options {
	const uint32_t *sort; /* events, most important first; largest costs first, of either sign */
	size_t nsort;
	bool by_inclusive; /* for profiles with calls */
	/* In percent of the first sort event. By self cost: rows until they add up
	 * to this share. By inclusive cost: rows of at least 100 minus this. */
	double threshold;
	const struct pattern *filter; /* keep what matches; NULL: everything */
	const struct pattern *ignore; /* drop what matches; NULL: nothing */
};

/* Rows without any cost (of the kind that orders them) are left out. Ties are ordered by name,
 * then object, then file. The profile must outlive the result. */
int flat_make(const struct cg_profile *p, const struct flat_options *options, struct flat **out,
	      struct cg_error *err);
void flat_free(struct flat *f);

/* Whether a function matches `filter`, and not `ignore`; either may be NULL. */
int view_choose(const struct cg_profile *p, uint32_t function, const struct pattern *filter,
		const struct pattern *ignore, bool *chosen, struct cg_error *err);

/* "", "inlined", "partly inlined". */
const char *flat_code_name(enum flat_code code);

/* Names of a function as text: "???" where unknown. Owned by the profile. */
const char *view_function(const struct cg_profile *p, uint32_t function);
const char *view_file(const struct cg_profile *p, uint32_t function);
const char *view_object(const struct cg_profile *p, uint32_t function);

#endif
