/* Private to site/: data as scripts. */
#ifndef IRDIFF_REPORT_SITE_SITE_SCRIPT_H
#define IRDIFF_REPORT_SITE_SITE_SCRIPT_H

#include "src/json/json.h"
#include "src/report/site_report.h"

/* Writes a document, which it frees, as the script NAME.js. Names are paths that need no quoting.
 * CG_OK, CG_ENOMEM or CG_EIO. */
int site_finish_script(struct json *j, const char *name, FILE *to);

/* The chunks that there are, each with its version. */
void site_add_pieces(struct json *j, const char *key, const struct site_pieces *pieces);

/* Whether JavaScript has the number exactly. */
bool site_is_exact(int64_t count);

/* 1: regressed, -1: improved. */
int site_step_sign(enum series_step step);

#endif
