/* What the commands share: the project, operands and output; errors are in message.h. */
#ifndef IRDIFF_CLI_COMMON_H
#define IRDIFF_CLI_COMMON_H

#include <stdio.h>

#include "cgprofile/reader.h"
#include "src/cli/message.h"
#include "src/config/config.h"
#include "src/report/show.h"
#include "src/store/files.h"
#include "src/store/profiles.h"
#include "src/view/pattern.h"

#define CREATOR "irdiff-" PACKAGE_VERSION /* of the files that irdiff writes */

/* Where `choice` is --inlines=yes, but a profile of callgrind says nothing of inlined functions,
 * nor where its code is. */
void warn_about_inlines(const char *choice, const struct cg_profile *p, const char *name);

/* Where irdiff.yml is, or else the current directory. */
struct project {
	char *root;
	struct config *config; /* NULL: there is no irdiff.yml */
};

int project_open(struct project *out, struct cg_error *err);
void project_close(struct project *p);

/* Removes what older irdiffs have kept in the cache, and says so. */
int project_clean_cache(const struct project *p, struct cg_error *err);

/* Events named by a list "Ir,Dw"; NULL: all of the profile. free(*events). */
int parse_events(const struct cg_profile *p, const char *list, uint32_t **events, size_t *count,
		 struct cg_error *err);

/* Where a report goes and how it may look. */
struct output {
	FILE *to;
	const char *name;      /* for errors; the caller's */
	struct new_file *file; /* NULL: standard output */
	struct text_style style;
};

/* How many lines a terminal on standard output has; 0: it is none. */
unsigned terminal_lines(void);

/* `path` NULL: standard output. `color`: "auto", "always" or "never". */
int output_open(struct output *o, const char *path, const char *color, bool wide,
		struct cg_error *err);
/* With a negative status the file is abandoned and the status returned. */
int output_close(struct output *o, int status, struct cg_error *err);

/* As many leading events as fit beside a name; at least one. */
size_t events_that_fit(const struct cg_profile *p, const uint32_t *events, size_t count,
		       const struct text_style *style);

/* NULL for NULL. */
int compile_optional(const char *regex, struct pattern **out, struct cg_error *err);

/* Says how a name with signs of a regex is found: where none of the functions of the profiles (`b` may
 * be NULL) matches the regex, and one has its text in its name. */
void mention_literal(const char *regex, const struct cg_profile *a, const struct cg_profile *b);

#endif
