/* Private to report/: remarks on a comparison (src/diff/remarks.h), as formats show them. None of
 * these shows anything where there are no remarks (NULL). */
#ifndef IRDIFF_REPORT_REMARKS_H
#define IRDIFF_REPORT_REMARKS_H

#include "src/diff/remarks.h"
#include "src/json/json.h"
#include "src/text/text.h"

/* "WARNING: …" for each, and below it the advice. Of one benchmark of several its name follows the
 * colon (NULL: it is the only one). */
void remarks_text(const struct remarks *r, const char *bench, const struct text_style *style,
		  FILE *to);

/* One of them, with this advice (NULL: none). */
void remark_text(const struct remark *r, const char *advice, const char *bench,
		 const struct text_style *style, FILE *to);

/* Its advice where several benchmarks have it. */
const char *remark_shared_advice(const struct remark *r);

/* The member "remarks" of the current object: an array of {id, effect, text, advice}. */
void remarks_json(const struct remarks *r, struct json *j);

/* "text. advice", safe, as one sentence after the other. */
void remark_print(const struct remark *r, FILE *to);

#endif
