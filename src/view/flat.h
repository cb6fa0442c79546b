/* The functions of one profile, or groups of them, chosen and sorted for a person to read. */
#ifndef IRDIFF_VIEW_FLAT_H
#define IRDIFF_VIEW_FLAT_H

#include "cgprofile/inclusive.h"
#include "cgprofile/profile.h"
#include "cgprofile/rollup.h"
#include "src/view/pattern.h"

/* Where a function's code is. */
enum flat_code {
	FLAT_CODE_OWN,     /* by itself, and called */
	FLAT_CODE_INLINED, /* only where it was inlined */
	FLAT_CODE_BOTH,
};

struct flat_row {
	uint32_t function;        /* or group, of a roll-up */
	uint32_t functions;       /* in the group, that cost something themselves */
	const int64_t *self;      /* nevents */
	const int64_t *inclusive; /* nevents; NULL if the profile has no calls */
	uint64_t calls;           /* of a group those from outside */
	enum flat_code code;
	bool bound; /* the inclusive cost is an upper bound */
};

struct flat {
	const struct cg_profile *profile;
	struct flat_row *rows;
	size_t count;
	size_t total;            /* rows with a cost, before filter and threshold */
	size_t only_inclusive;   /* rows by self cost: that pass the filter, and have no other */
	struct cg_rollup rollup; /* by function: empty */
	uint32_t ngroups;        /* rows there may be, with 0 */
	int64_t *self;           /* owns what the rows point to */
	struct cg_inclusive *inclusive;
	enum flat_code *code; /* per function; of a roll-up NULL */
	uint32_t *functions;  /* per group; by function NULL */
};

struct flat_options {
	const uint32_t
		*sort; /* events, most important first; largest costs first, of either sign */
	size_t nsort;
	bool by_inclusive;    /* for profiles with calls */
	enum cg_rollup_by by; /* what a row is; filters are on the names of rows */
	double threshold;     /* in percent of the total of the first sort event: rows of at least
			   * this; 0: all */
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

/* What the row is called: its function, or the file, object or namespace. Owned by the profile
 * or the table. */
const char *flat_row_name(const struct flat *f, const struct flat_row *row);

/* "", "inlined", "partly inlined". */
const char *flat_code_name(enum flat_code code);

/* Names of a function as text: "???" where unknown. Owned by the profile. */
const char *view_function(const struct cg_profile *p, uint32_t function);
const char *view_file(const struct cg_profile *p, uint32_t function);
const char *view_object(const struct cg_profile *p, uint32_t function);

#endif
