/* The options --pid, --thread and --parts, of all commands that read profiles. */
#ifndef IRDIFF_LOAD_SELECT_PARTS_H
#define IRDIFF_LOAD_SELECT_PARTS_H

#include "cgprofile/selection.h"
#include "src/cli/options.h"

/* As they were given; NULL: not. */
struct selection_texts {
	const char *pid, *thread, *parts;
};

/* Their lines in a table of options. */
#define SELECTION_OPTIONS(texts)                                                                   \
	{ "pid", 0, OPTION_TEXT, &(texts)->pid, "LIST|all",                                        \
	  "only these processes, or add all of them up" },                                         \
	{ "thread", 0, OPTION_TEXT, &(texts)->thread, "LIST",                                      \
	  "only these threads, of --separate-threads=yes: 1,3-5" },                                \
	{ "parts", 0, OPTION_TEXT, &(texts)->parts, "LIST",                                        \
	  "only these dumps, by number or trigger: 1,3-5 or 'parse*'" }

/* What they say. */
struct part_selection {
	struct cg_selection chosen;
	struct cg_range *pids, *threads, *parts;
	const char **triggers; /* in `words` */
	char *words;
};

int part_selection_parse(const struct selection_texts *texts, struct part_selection *out,
			 struct cg_error *err);
void part_selection_free(struct part_selection *s);

#endif
