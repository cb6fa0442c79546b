#include "src/report/export/export.h"

#include <stdlib.h>

uint32_t *export_first_lines(const struct cg_profile *p)
{
	uint32_t *first = calloc((size_t)p->nfunctions + 1, sizeof *first);

	for (uint32_t i = 1; first && i < p->nlines; i++) {
		const struct cg_line *at = &p->lines[i];
		uint32_t f = p->records[at->record].function;
		if (at->line && at->file == p->functions[f].file &&
		    (!first[f] || at->line < first[f]))
			first[f] = at->line;
	}
	return first;
}
