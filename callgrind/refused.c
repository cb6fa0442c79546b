#include "callgrind/refused.h"

#include <string.h>

enum { MAGIC = 8 }; /* the most bytes */

static const struct refused_file {
	char magic[MAGIC];
	size_t len;
	const char *what;
} refused_files[] = {
	{ "PERFILE2", 8,
	  "a file of perf, which irdiff does not read: read what 'perf script' prints of it" },
	{ "gmon\1", 5,
	  "a file of gprof, which irdiff does not read: measure the program with 'irdiff profile'" },
	{ "FLR", 4,
	  "a recording of Java, which irdiff does not read: make folded stacks of it with jfrconv of async-profiler" },
};

static const struct refused_file *find_refused(const char *bytes, size_t len)
{
	for (size_t i = 0; i < sizeof refused_files / sizeof *refused_files; i++)
		if (len >= refused_files[i].len &&
		    memcmp(bytes, refused_files[i].magic, refused_files[i].len) == 0)
			return &refused_files[i];
	return NULL;
}

static bool detect_refused(const char *bytes, size_t len)
{
	return find_refused(bytes, len);
}

static int fail_refused(struct cg_parts *parts, struct cg_input *in, cg_str file,
			const struct cg_read_options *options, struct cg_error *err)
{
	const char *bytes;
	size_t len;
	int status = cg_input_peek(in, MAGIC, &bytes, &len, err);

	(void)parts;
	(void)file;
	(void)options;
	return status ? status
		      : cg_fail(err, CG_ESYNTAX, cg_input_name(in), 0, "%s",
				find_refused(bytes, len)->what);
}

const struct cg_format cg_refused_format = { detect_refused, fail_refused };
