/* The options --pid, --thread and --parts, of all commands that read profiles. */
#ifndef IRDIFF_LOAD_SELECT_PARTS_H
#define IRDIFF_LOAD_SELECT_PARTS_H

#include "cgprofile/selection.h"
#include "src/status/ending.h"

/* As they were given; NULL: not. */
struct selection_texts {
	const char *pid, *thread, *parts;
};

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
