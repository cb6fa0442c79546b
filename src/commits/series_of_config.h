/* What irdiff.yml says of the history of a benchmark. */
#ifndef IRDIFF_COMMITS_SERIES_OF_CONFIG_H
#define IRDIFF_COMMITS_SERIES_OF_CONFIG_H

#include "src/config/config.h"
#include "src/record/load_series.h"

/* The digest of the benchmark's definition, "" if irdiff.yml has no such benchmark. NULL for
 * `config`: there is no irdiff.yml. */
int series_definition(const struct config *config, const char *benchmark,
		      char digest[HISTORY_DIGEST], struct cg_error *err);

/* Sets `standing` of a series. NULL for `config`: there is no irdiff.yml. */
int series_set_standing(const struct config *config, struct series *s, struct cg_error *err);

/* Sets the tolerance on this metric, and the smallest change of it if `limits` leaves that open. */
void series_set_limits(const struct config *config, const char *benchmark, const char *metric,
		       struct step_limits *limits);

#endif
