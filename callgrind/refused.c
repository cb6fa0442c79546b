#include "callgrind/refused.h"

#include <string.h>

#include "cgprofile/names.h"

enum { MAGIC = 8, RULE = 80 }; /* the most bytes of either kind */

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

/* What irdiff writes beside a profile, and callgrind_annotate prints. */
static bool is_text_report(const char *bytes, size_t len)
{
	static const char heading[] = "\nProfile";
	const size_t tail = sizeof heading - 1;

	if (len < RULE + tail || memcmp(bytes + RULE, heading, tail) != 0)
		return false;
	for (size_t i = 0; i < RULE; i++)
		if (bytes[i] != '-')
			return false;
	return true;
}

static bool detect_refused(const char *bytes, size_t len)
{
	return find_refused(bytes, len) || is_text_report(bytes, len);
}

/* 0: another name than irdiff gives it. */
static size_t length_of_profile_name(const char *name)
{
	static const char *const endings[] = { ".flat.txt", ".tree.txt" };
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t ending = strlen(endings[i]);
		if (len > ending && strcmp(name + len - ending, endings[i]) == 0)
			return len - ending;
	}
	return 0;
}

static int fail_text_report(const char *path, struct cg_error *err)
{
	const char *name = cg_base_name(path);
	const size_t len = length_of_profile_name(name);

	if (!len)
		return cg_fail(err, CG_ESYNTAX, path, 0,
			       "a report on a profile, as text; name the profile itself");
	return cg_fail(err, CG_ESYNTAX, path, 0,
		       "a report on a profile, as text; name the profile beside it, %.*s", (int)len,
		       name);
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
	if (status)
		return status;
	const struct refused_file *refused = find_refused(bytes, len);
	return refused ? cg_fail(err, CG_ESYNTAX, cg_input_name(in), 0, "%s", refused->what)
		       : fail_text_report(cg_input_name(in), err);
}

const struct cg_format cg_refused_format = { detect_refused, fail_refused };
