/* Where a report goes, and how it may look there. */
#ifndef IRDIFF_CLI_OUTPUT_H
#define IRDIFF_CLI_OUTPUT_H

#include <limits.h>
#include <stdio.h>

#include "src/report/show.h"
#include "src/store/files.h"

struct output {
	FILE *to;
	const char *name;      /* for errors; the caller's */
	struct new_file *file; /* NULL: standard output */
	struct text_style style;
	char here[PATH_MAX]; /* of the style */
};

/* How many lines the terminal on standard output has; 0: standard output is not a terminal. */
unsigned terminal_lines(void);

/* `path` NULL: standard output. `color`: "auto", "always" or "never". */
int output_open(struct output *o, const char *path, const char *color, bool wide,
		struct cg_error *err);
/* With a negative status the file is abandoned and the status returned. */
int output_close(struct output *o, int status, struct cg_error *err);

/* How many leading events fit beside a name; at least one. */
size_t events_that_fit(const struct cg_profile *p, const uint32_t *events, size_t count,
		       const struct text_style *style);

#endif
