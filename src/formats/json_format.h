/* Private to src/formats: readers of documents, one file for each format. */
#ifndef IRDIFF_FORMATS_JSON_FORMAT_H
#define IRDIFF_FORMATS_JSON_FORMAT_H

#include "callgrind/stacks.h"
#include "src/json/json.h"

/* Reads a document as one part, of that file. What cg_read_file returns, with an error in `s`. */
typedef int json_format_read(struct cg_stacks *s, const struct json_value *root, cg_str file);

bool dhat_is(const struct json_value *root);
json_format_read dhat_read;

bool speedscope_is(const struct json_value *root);
json_format_read speedscope_read;

bool firefox_is(const struct json_value *root);
json_format_read firefox_read;

/* Fails if the text of a member is not there: *id is 0 then. CG_OK, or with an error. */
int json_format_text(struct cg_stacks *s, const struct json_value *value, cg_str *id);

/* The number of an item of a table of `count`; false if it is none. */
bool json_format_index(const struct json_value *value, size_t count, size_t *out);

/* What JSON counts. */
struct json_format_event {
	const char *name, *unit; /* NULL: the name says it */
};

/* Begins a part with events, and sets the columns of their costs. */
int json_format_begin(struct cg_stacks *s, const struct cg_part *part,
		      const struct json_format_event *named, uint32_t nevents, uint32_t *column);

#endif
