/* What meta.json records about a measurement (src/measure/keep_profile.c writes it). The file is
 * in the project and may come from another machine; values that irdiff would not write count as
 * unknown. */
#ifndef IRDIFF_STORE_META_H
#define IRDIFF_STORE_META_H

#include <stdbool.h>
#include <stdint.h>

/* When it was measured, in seconds since 1970. False: that is not known. */
bool meta_measured(const char *root, const char *path, int64_t *seconds);

/* What is known of how the program ran. */
struct meta_run {
	double seconds;   /* < 0: not known */
	uint64_t changes; /* enum run_shared (src/run/request.h); 0 also if that is not known */
};

#define META_RUN_UNKNOWN \
	{ \
		.seconds = -1 \
	}

/* False: nothing is known; *run is unchanged then. */
bool meta_read_run(const char *root, const char *path, struct meta_run *run);

#endif
