/* Private to src/site: a site while it is made. */
#ifndef IRDIFF_SITE_SITE_MAKING_H
#define IRDIFF_SITE_SITE_MAKING_H

#include "src/git/log.h"
#include "src/report/site_report.h"
#include "src/site/site.h"

struct site_profiles;

/* A benchmark that has been written: what the index says of it. */
struct made_bench {
	struct site_summary summary;
	char *id;
	struct series_point last, before_last, step, before_step; /* copies */
	struct site_diff diff;                                    /* of the step; its texts are: */
	char *page, *cause;
	struct site_since *since; /* since each of those tags */
};

struct site_making {
	const struct site_request *r;
	struct own_files *files;
	struct site_profiles *profiles;
	struct git_log authors;   /* by id */
	struct git_log tag_names; /* as git has them */
	struct site_tag *tags;    /* of commits on the branch, by number */
	size_t ntags;
	size_t since[SITE_SINCE]; /* indices of tags since which changes are told */
	size_t nsince;
	struct site_commit *commits; /* of the book and on the branch, by number */
	size_t ncommits;
	struct site_piece *pieces; /* of commits */
	size_t npieces;
	struct made_bench *benches;
	size_t nbenches;
};

/* NULL: not known. */
const char *site_author(const struct site_making *m, const char *commit);

/* A file of the site that is being written. */
struct site_file {
	char *bytes;
	size_t size;
	FILE *to; /* NULL: out of memory */
};

/* It must not move until it is put. */
void site_file_begin(struct site_file *f);
/* Ends it, and puts it in place if `status`, which the writing returned, is CG_OK. `version` may be
 * NULL. */
int site_file_put(const struct site_making *m, struct site_file *f, int status, const char *path,
		  char version[SITE_VERSION_SIZE], struct cg_error *err);

/* The name of a benchmark's directory: what of its name is safe in paths, and a digest. The
 * caller's; NULL: out of memory. */
char *site_bench_id(const char *benchmark);

/* Whether a benchmark would be shown with the metric that was asked for. Its series stand together
 * in the book. */
int site_find_metric(const struct site_request *r, const struct history_series *series,
		     size_t count, bool *has, struct cg_error *err);

/* Writes the files of a benchmark, whose series stand together in the book, and fills in what the
 * index says of it; without points on the branch, out->id is NULL. Free with site_free_bench, which
 * is done on failure. */
int site_make_bench(const struct site_making *m, const struct history_series *series, size_t count,
		    struct made_bench *out, struct cg_error *err);
void site_free_bench(struct made_bench *b);

#endif
