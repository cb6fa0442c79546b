/* Writes the site of a history: what src/report/site_report.h says, into a directory. */
#ifndef IRDIFF_SITE_SITE_H
#define IRDIFF_SITE_SITE_H

#include "src/git/git.h"
#include "src/load/project.h"
#include "src/record/load_series.h"
#include "src/store/own_files.h"

struct site_request {
	const struct project *project;
	const struct git *git;            /* NULL: no repository */
	const struct placed_book *placed; /* all benchmarks */
	const char *metric;               /* that is shown first; NULL: Ir, or the first there is */
	struct step_limits limits;        /* without tolerances, which irdiff.yml has */
	uint64_t reports;                 /* on so many of the newest steps of each series */
	const char *title;                /* of the project; NULL: as the directory of it */
	const char *directory;            /* created if it is not there */
};

/* Errors: CG_EINVAL: no benchmark has been measured at a commit of the branch, or a file in the
 * directory is not irdiff's; CG_EIO, CG_ENOMEM. */
int site_write(const struct site_request *r, struct own_files_counts *counts, struct cg_error *err);

#endif
