/* What each source line costs, file by file, and the text of the files. */
#ifndef IRDIFF_VIEW_SOURCE_H
#define IRDIFF_VIEW_SOURCE_H

#include "cgprofile/profile.h"

struct source_line {
	cg_str file;
	uint32_t line;       /* 0: instructions without a line */
	const int64_t *self; /* nevents */
};

/* Calls from one source line to one function. */
struct source_call {
	cg_str file;
	uint32_t line;   /* 0: unknown, as it may be of inlined code */
	uint32_t callee; /* function */
	uint64_t count;
	bool uncounted;      /* some of it is inlined, and it is not known how often it is called */
	bool recursive;      /* all of them enter a function that is on the stack */
	const int64_t *cost; /* nevents, inclusive */
};

struct source_file {
	cg_str file;
	const struct source_line *lines; /* ordered by line */
	size_t nlines;
	const struct source_call *calls; /* ordered by line, then by callee */
	size_t ncalls;
	const int64_t *self; /* nevents, of all its lines */
};

struct source {
	struct source_file *files; /* the costliest first */
	size_t count;
	struct source_line *lines;
	struct source_call *calls;
	int64_t *costs; /* owns all costs above */
};

/* Sums up the lines of the functions for which chosen[function] is true, over
 * all records; files are sorted by `event`. The profile must have lines
 * (CG_EINVAL otherwise) and outlive the result. */
int source_make(const struct cg_profile *p, const bool *chosen, uint32_t event, struct source **out,
		struct cg_error *err);
void source_free(struct source *s);

/* Whether a text is what was measured. */
enum source_text_origin {
	SOURCE_TEXT_MISSING,
	SOURCE_TEXT_KEPT,   /* it was kept with the profile */
	SOURCE_TEXT_COMMIT, /* it is that of the commit which was measured */
	SOURCE_TEXT_NOW,    /* it is the file as it is now */
	SOURCE_TEXT_NEWER,  /* kept or as it is now, and written after the program or the profile */
};

/* Larger files are generated, and not read line by line. */
#define SOURCE_BYTES_MAX (64 * 1024 * 1024)
#define SOURCE_COMMIT 11 /* digits of a commit's id that people are shown, and the NUL */

/* The text of a source file. */
struct source_text {
	enum source_text_origin origin;
	char commit[SOURCE_COMMIT]; /* SOURCE_TEXT_COMMIT: which one */
	char *path;                 /* where it was found */
	char *bytes;                /* as they are in the file, and a 0 after them */
	size_t size;
	char *text;         /* a copy, cut into lines */
	const char **lines; /* NUL-terminated; lines[0] is line 1 */
	size_t count;
};

/* Where source files may be. A profile may name any file, so none is read that is not below one of
 * these when all symbolic links are followed, lies in a directory or has a name that begins with a
 * dot (.git, .ssh, .env), is no regular file, or is larger than 64 MiB. All may be NULL. */
struct source_places {
	const char *tree;          /* the work tree of the project: by its path */
	const char *const *public; /* by its path, if everybody may read it; NULL-terminated */
	const char *const
		*dirs; /* that the user named: by ever shorter ends of its path; NULL-terminated */
};

/* Whether a path below one of these leads through such a name. */
bool source_is_hidden(const char *path);
/* Whether a file of this name is the source of a program that is compiled. */
bool source_is_code(const char *path);

/* Looks in these, one after the other; a relative path begins at the current directory, or else at
 * the work tree. CG_OK with an empty path and no lines if it is nowhere. */
int source_text_find(const char *file, const struct source_places *places, struct source_text *out,
		     struct cg_error *err);
/* The same of a text that was kept. */
int source_text_of(const char *path, const char *bytes, size_t size, struct source_text *out,
		   struct cg_error *err);
void source_text_free(struct source_text *t);

#endif
