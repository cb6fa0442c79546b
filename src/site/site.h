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
	uint64_t reports;                 /* on so many steps of each series: site_steps.h */
	const char *title;                /* of the project; NULL: as the directory of it */
	struct own_files *files;          /* of site_open */
};

/* Opens the directory of a site, and creates it if it is not there. The history is read after
 * that: whoever waits for another irdiff must not replace what it wrote by what is older. Close it
 * with own_files_close. Errors: CG_EINVAL: a file of the site is there that is not irdiff's;
 * CG_EIO, CG_ENOMEM. */
int site_open(const char *directory, struct own_files **out, struct cg_error *err);

/* Errors: CG_EINVAL: no benchmark has been measured at a commit of the branch, or none has the
 * metric, or a file in the directory is not irdiff's; CG_EIO, CG_ENOMEM. */
int site_write(const struct site_request *r, struct own_files_counts *counts, struct cg_error *err);

#endif
