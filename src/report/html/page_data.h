/* Private to report/: the data of the page, as data/page/model.js reads it. */
#ifndef IRDIFF_REPORT_HTML_PAGE_DATA_H
#define IRDIFF_REPORT_HTML_PAGE_DATA_H

#include "callgrind/build.h"
#include "callgrind/support/index.h"
#include "src/json/json.h"
#include "src/report/page_report.h"
#include "src/text/text.h"

/* Texts, and functions of a benchmark, by numbers from 0 on in the order in which they were first
 * asked for. Texts belong to the report. */
struct page_function {
	const char *name, *object, *file;
};

struct page_names {
	const char **texts;
	size_t ntexts, texts_cap;
	struct cg_index text_index;
	struct page_function *functions;
	size_t nfunctions, functions_cap;
	struct cg_index function_index;
	bool failed; /* memory ran out; numbers are then 0 */
};

uint32_t page_text(struct page_names *n, const char *text);
uint32_t page_function(struct page_names *n, const char *name, const char *object,
		       const char *file);
void page_forget_functions(struct page_names *n);
void page_names_free(struct page_names *n);

/* The events that both sides have columns for, by their names. */
struct page_events {
	const char *names[2 * CG_MAX_EVENTS];
	const char *long_names[2 * CG_MAX_EVENTS];
	int base[2 * CG_MAX_EVENTS], head[2 * CG_MAX_EVENTS]; /* in the profiles; -1: not there */
	size_t count;
};

/* What part of the cost has estimated call paths, in percent. */
double page_estimated(const struct cg_tree *t);

/* The member `key`: the frames of a graph, of a comparison or of one profile, `measured`; the
 * other is NULL. */
int page_add_tree(struct json *j, const char *key, const struct flame *f, const struct tree_diff *t,
		  const struct cg_tree *measured, const struct page_events *events,
		  struct page_names *names);

/* One benchmark while it is written. */
struct page_writing {
	const struct bench_report *bench;
	const struct page_bench *page;
	const struct diff *d;
	struct json *j;
	struct page_names names;
	struct page_events events;
	const uint32_t *rows; /* of the flat table that are shown */
	size_t nrows;
};

/* A cost of a row of `costs`; 0 of an event that its side does not have. */
int64_t page_cost(const int64_t *costs, int event);

/* The members "flat", "sources", "noCode" and "history" of the benchmark, and "code" of a source.
 * Returns CG_OK or CG_ENOMEM. */
int page_add_flat(struct page_writing *w);
int page_add_sources(struct page_writing *w);
int page_add_code(struct page_writing *w, const struct diff_instructions *code);
void page_add_history(struct page_writing *w);

/* All of it, for an element of HTML. Errors: CG_ENOMEM, CG_EIO. */
int page_data_write(const struct page_report *r, FILE *to);

#endif
