/*
 * Private to edited_code.c: the functions and declarations of the sources of both sides, and which
 * of them were edited.
 */
#ifndef IRDIFF_COMPARE_EDITED_PARTS_H
#define IRDIFF_COMPARE_EDITED_PARTS_H

#include "callgrind/support/index.h"
#include "src/compare/edited_code.h"
#include "src/view/code_parts.h"

/* A file of one side. */
struct edited_file {
	const char *name;
	bool known;   /* its text is what was measured */
	bool covered; /* and the other side has a file that is alike */
	size_t alike; /* its number; 0: none */
	struct code_parts parts;
	char *text; /* what `parts` are of */
	size_t size;
	uint8_t *edited;   /* per part: EDIT_NONE, EDIT_UNKNOWN, EDIT_USED or EDIT_CHANGED */
	bool any;          /* one of them is no EDIT_NONE */
	uint32_t *by_name; /* parts in order of their names, kinds and texts */
	uint32_t *uses;    /* per part: of edited_search.uses; NULL: not asked for */
};

/* What was edited, by its name. */
struct edited_name {
	uint32_t name;
	uint32_t file[CODE_SIDES];      /* that declares it */
	bool macro, external, exported; /* as of struct code_part */
	bool unsure;                    /* it only may have been */
	/* Of the declaration that changed itself: this one, or what it uses. */
	uint32_t root;
	enum edited_value value;
	const char *spelling; /* in the text of its file; NULL: not known */
	size_t len;
};

struct edited_inclusion {
	uint32_t from, to; /* files */
};

/* Which files see the declarations of which (edited_scope.h). */
struct edited_scope {
	struct edited_inclusion *includes, *includers; /* by `from`, and by `to` */
	size_t nincludes, includes_cap;
	bool *open; /* per file: it includes some that are not known */
	size_t of;  /* the file that `seen` is about; 0: none */
	uint8_t *seen;
	uint32_t *queue;
	uint64_t steps; /* that were made so far */
};

/* What is known of a function. */
struct found_edit {
	enum code_edit edit;
	uint32_t use; /* if that is EDIT_USED: of edited_search.uses; 0: not known */
};

/* What is known of functions of one name in one file, or if that is "" in any. */
struct named_edit {
	const char *name;
	size_t len;
	const char *file;
	struct found_edit found;
};

struct edited_side {
	const struct loaded *loaded;
	const struct cg_profile *p;
	struct edited_file *files; /* file 0 is unused */
	size_t nfiles, files_cap;
	struct cg_index file_index;
	uint32_t *file_of; /* per function: the file that it is defined in; 0: not known */
	uint32_t *words;   /* per function: hash of the last word of its name */
	uint64_t *hashes;  /* of all parts, in order */
	size_t nhashes;
	struct found_edit *edits; /* per function */
	struct named_edit *named; /* 0 is unused */
	size_t nnamed, named_cap;
	struct cg_index named_index;
	struct edited_scope scope;
};

struct edited_search {
	const struct tree_diff *t;
	const char *const *dirs;
	struct edited_side sides[CODE_SIDES];
	struct edited_name *names; /* whose declarations were edited, in order; then functions */
	size_t nnames, names_cap;
	struct edited_use *uses; /* 0 is unused */
	size_t nuses, uses_cap;
	bool any;
	bool deep; /* names use each other in more steps than were followed */
};

/* Reads the sources of both sides, and marks the parts that were edited, or use the name of a
 * declaration that was. In `s`, `dirs` and `sides` are given; of a side its profile, room for
 * `file_of`, and file 0. CG_OK, CG_ENOMEM or an error of reading. */
int edited_parts_find(struct edited_search *s, struct cg_error *err);

/* Names what functions use: fills `uses` of the search and of its files. CG_OK or CG_ENOMEM. */
int edited_parts_name_uses(struct edited_search *s);

/* The order in `by_name`: by name, kind and hash. */
int edited_parts_compare(const struct code_part *a, const struct code_part *b);

/* The place in `by_name` of the first part that is not before this one. */
size_t edited_parts_from(const struct edited_file *f, const struct code_part *wanted);

/* The first part that is not before `wanted` if that has its name and kind, else NULL. */
const struct code_part *edited_parts_find_named(const struct edited_file *f,
						const struct code_part *wanted);

/* Adds to the edited names those of functions that were edited, or use one and have no code in the
 * profile: what is inlined and folded into a constant leaves no line. Nothing is marked any more
 * afterwards. Of the sides, `words` are known. CG_OK or CG_ENOMEM. */
int edited_parts_add_functions(struct edited_search *s);

/* Whether a function of this name (code_function_hash) uses an edited name,
 * or one that is spelt so. */
bool edited_parts_use(const struct edited_search *s, const struct edited_file *f, uint32_t name);

#endif
