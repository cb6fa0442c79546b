/*
 * The site of a history: what benchmarks counted over the commits of a branch, as files that
 * browsers read one by one. The structs are views: they own nothing.
 *
 * Data is in scripts that call irdiff(NAME, VALUE), since a page that is opened from a disk may
 * load scripts, but may not read files. A commit has a number, its place on the branch; what
 * belongs to SITE_CHUNK commits that follow each other is one file, so that a new commit changes
 * only the last one.
 */
#ifndef IRDIFF_REPORT_SITE_REPORT_H
#define IRDIFF_REPORT_SITE_REPORT_H

#include <stdio.h>

#include "src/history/series.h"
#include "src/report/diff_report.h"

#define SITE_CHUNK 1000
#define SITE_VERSION_SIZE 11 /* of a file: the beginning of its digest, and a NUL */
#define SITE_SINCE 50        /* most tags since which changes are told: the newest */
#define SITE_SPARK 64        /* most counts of the small chart of a benchmark */

struct site_commit {
	const char *id, *subject;
	const char *author; /* NULL: not known */
	int64_t committed;
	uint64_t number;
};

/* A file of a chunk of commits. */
struct site_piece {
	uint64_t chunk;
	char version[SITE_VERSION_SIZE];
};

struct site_pieces {
	const struct site_piece *items;
	size_t count;
};

/* What made the change between two commits that were measured one after the other. */
struct site_diff {
	uint64_t number;   /* of the later one */
	const char *page;  /* the name of the page in the directory of the benchmark; NULL: none */
	const char *cause; /* of site_cause; NULL: not known */
	const char *missing; /* why there is no page, though there should be; NULL otherwise */
};

struct site_fact {
	const char *key, *value;
};

/* The counts of a benchmark by one definition in one environment. */
struct site_series {
	const char *id; /* in names of files */
	const char *definition, *environment, *valgrind;
	const struct site_fact *facts; /* of the environment */
	size_t nfacts;
	const struct series *metrics;     /* at least one; of points on the branch */
	const struct step_limits *limits; /* of each metric */
	size_t nmetrics;
	struct site_pieces pieces;
	const struct site_diff *diffs; /* by number */
	size_t ndiffs;
};

struct site_bench {
	const char *name;
	const char *id; /* in names of files */
	const struct site_series *series;
	size_t count;
	size_t shown;     /* the series that is shown unless another one is chosen */
	size_t metric;    /* of it, likewise */
	uint64_t reports; /* on at most so many steps of each series */
};

/* The last change of a count. */
struct site_step {
	const struct series_point *at; /* NULL: there is none */
	const char *author;
	const struct site_diff *diff; /* NULL: not known */
};

/* How a benchmark has changed since a tag. */
struct site_since {
	bool known; /* it was measured at the tag or before, and at the tag or later */
	int64_t count;
	enum series_step step; /* of the newest count, compared with this one */
};

/* A benchmark among others. */
struct site_summary {
	const char *name, *id, *metric;
	const char *const *tags;
	size_t ntags;
	char version[SITE_VERSION_SIZE]; /* of its file */
	const struct series_point *last;
	size_t count; /* of measured commits */
	struct site_step step;
	int64_t spark[SITE_SPARK];
	size_t nspark;
	enum series_standing standing;
	bool level;                     /* no two counts differ by a step */
	bool varies;                    /* series_varies */
	bool mostly_elsewhere;          /* series_is_mostly_elsewhere */
	const struct site_since *since; /* for each tag of site_index.since */
};

struct site_tag {
	const char *name; /* hostile */
	uint64_t number;  /* of its commit */
};

struct site_index {
	const char *generator, *project;
	const char *branch;  /* NULL: not known */
	const char *by_time; /* why commits are sorted by time only; NULL: they are not */
	const struct site_commit *newest; /* of those at which a benchmark is shown */
	const struct site_tag *tags;      /* by number */
	size_t ntags;
	const size_t *since; /* indices of those since which changes are told */
	size_t nsince;
	struct site_pieces commits;
	const struct site_summary *benches;
	size_t count;
};

/* Below, `name` is that of the file without ".js". CG_OK or CG_ENOMEM; whether the stream failed is
 * for the caller to ask. */

/* The commits of a chunk: `count` of `commits`. */
int site_commits_script(const struct site_commit *commits, size_t count, const char *name,
			FILE *to);
/* The counts of a chunk. */
int site_counts_script(const struct site_series *s, uint64_t chunk, const char *name, FILE *to);
int site_bench_script(const struct site_bench *b, const char *name, FILE *to);
int site_index_script(const struct site_index *i, const char *name, FILE *to);

/* index.html, whose style and script are files beside it. */
struct site_versions {
	char style[SITE_VERSION_SIZE], script[SITE_VERSION_SIZE], index[SITE_VERSION_SIZE];
};
void site_page(const char *project, const struct site_versions *v, FILE *to);

extern const char site_style[], site_script[];
extern const size_t site_style_size, site_script_size;

/* Chooses the counts of the small chart of a series: all of them, or the lowest and the highest of
 * each part and, in the end, the newest. */
size_t site_spark(const struct series *s, int64_t spark[SITE_SPARK]);

/* In one line, a cause of a change and by how much: the first that goes in the direction of the
 * change, or else the first. If none is large, how many there are, and the largest of them; if
 * calls are not known, a function. Free it with free(). NULL: no memory. */
char *site_cause(const struct diff_report *r);

/* A picture of a benchmark's newest count, and of its change if the newest commit is a step, as
 * projects show it in their README; and one of how many benchmarks changed at the newest commit, or
 * were measured there without a change.
 * CG_OK or CG_ENOMEM. */
int site_bench_badge(const struct site_summary *s, FILE *to);
int site_project_badge(const struct site_index *i, FILE *to);

#endif
