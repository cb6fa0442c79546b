/* Private to the library and irdiff: a format of files other than callgrind's. */
#ifndef CG_FORMAT_H
#define CG_FORMAT_H

#include "callgrind/input.h"
#include "callgrind/parts.h"
#include "cgprofile/reader.h"

struct cg_format {
	/* Whether the beginning of a file looks like it. */
	bool (*detect)(const char *bytes, size_t len);
	/* Reads an input, of that name, as one part or several. Errors: as cg_read_file. */
	int (*read)(struct cg_parts *parts, struct cg_input *in, cg_str file,
		    const struct cg_read_options *options, struct cg_error *err);
};

/* The format of a file that begins with these bytes; NULL: that of callgrind and cachegrind, or
 * none. */
const struct cg_format *cg_format_find(const struct cg_read_options *options, const char *head,
				       size_t len);

#endif
