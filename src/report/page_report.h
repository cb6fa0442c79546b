/* The report page: one HTML file that needs nothing else. The structs are views: they own
 * nothing. */
#ifndef IRDIFF_REPORT_PAGE_REPORT_H
#define IRDIFF_REPORT_PAGE_REPORT_H

#include "src/flame/flame.h"
#include "src/history/series.h"
#include "src/report/suite_report.h"
#include "src/view/source.h"

/* A function's source on one side: one file of what source_make found for it alone. */
struct page_source_side {
	const struct cg_profile *profile; /* of which the lines are; NULL: not known on this side */
	const struct source_file *file;
	const struct source_text *text; /* path NULL: not found */
	const char *note;               /* what to know about the text; NULL: nothing */
};

struct page_source {
	const char *name, *object, *file; /* the function; "": not known */
	struct page_source_side base, head;
	const struct diff_instructions *code; /* NULL: not known */
};

/* What the page shows of a benchmark beside its difference. */
struct page_bench {
	const struct flame *base, *head, *diff; /* NULL: none, as calls are not known */
	const struct page_source *sources;
	size_t nsources;
	const char *no_code; /* why they have no machine code, a sentence; NULL: nothing to say */
	const struct series *history;      /* NULL: none */
	const char *past_base, *past_head; /* which commits of it are the sides; NULL: not known */
	bool alone;                        /* head is to be compared with nothing: it is not new */
};

struct page_report {
	const struct suite_report *suite;
	const struct page_bench *benches; /* as many */
	const char *title;
	const char *back; /* address of the page that leads to this one; NULL: none does */
};

/* Errors: CG_ENOMEM, CG_EIO. */
int page_html(const struct page_report *r, FILE *to);

#endif
