/*
 * What made the steps of a benchmark: reports on two stored profiles each, as
 * bench/ID/diff-DIGEST.html, and their first causes.
 *
 * A report is made once. It stays while its step is one of those that have reports (site_steps.h),
 * also when the profiles are gone: caches are emptied, and those of CI are new each time. Then it
 * is removed, so that a site does not grow with each step, but its cause stays.
 */
#ifndef IRDIFF_SITE_SITE_DIFFS_H
#define IRDIFF_SITE_SITE_DIFFS_H

#include "src/site/site_making.h"

/* The profiles in the cache, by benchmark and commit. */
struct site_profiles {
	struct site_profile {
		char *benchmark, *commit; /* the beginning of its id */
		char *name;               /* of the entry */
	} * items;
	size_t count, cap;
};

int site_profiles_list(const char *root, struct site_profiles *out, struct cg_error *err);
void site_profiles_free(struct site_profiles *p);

/* The causes of a benchmark's steps, as they were found when its reports were made; its reports are
 * asked for between site_causes_read and site_causes_write. */
struct site_causes {
	const struct site_making *m;
	const char *benchmark, *id;
	struct json_value *old;
	struct made_diff {
		char *page, *cause; /* cause NULL: none */
	} * items;
	size_t count, cap;
};

int site_causes_read(const struct site_making *m, const char *benchmark, const char *id,
		     struct site_causes *out, struct cg_error *err);
int site_causes_write(const struct site_causes *c, struct cg_error *err);
void site_causes_free(struct site_causes *c);

/* What is known of the steps of a metric: the reports on `r->reports` of them, those that exist and
 * new ones, and the causes of others. Appends to `out`, which has room for all steps; by number.
 * Texts belong to `c`. */
int site_diffs_make(struct site_causes *c, const struct site_series *s, const struct series *metric,
		    struct site_diff *out, size_t *count, struct cg_error *err);

#endif
