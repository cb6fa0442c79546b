#include "src/asm/stack.h"

#include <string.h>

#include "callgrind/support/number.h"

static bool sets_frame_pointer(const char *text)
{
	return strcmp(text, "mov rbp, rsp") == 0 || strcmp(text, "mov x29, sp") == 0 ||
	       strncmp(text, "add x29, sp, ", 13) == 0;
}

static bool has_frame_pointer(const struct asm_listing *l)
{
	for (size_t i = 0; i < l->nrows; i++)
		if (sets_frame_pointer(cg_strings_get(l->texts, l->rows[i].instruction.text)))
			return true;
	return false;
}

/* lea and nop only compute addresses. */
static bool is_on_stack(const char *text, bool has_frame)
{
	if (strncmp(text, "lea ", 4) == 0 || strncmp(text, "nop", 3) == 0)
		return false;
	return strstr(text, "[rsp") || strstr(text, "[sp") ||
	       (has_frame && (strstr(text, "[rbp") || strstr(text, "[x29")));
}

void asm_cost_of_stack(const struct asm_listing *l, int64_t *sum)
{
	const bool has_frame = has_frame_pointer(l);

	for (size_t i = 0; i < l->nrows; i++) {
		const struct asm_row *row = &l->rows[i];
		if (row->executed &&
		    is_on_stack(cg_strings_get(l->texts, row->instruction.text), has_frame))
			cg_add_costs(sum, row->self, l->profile->nevents);
	}
}
