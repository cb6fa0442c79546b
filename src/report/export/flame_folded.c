#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/folded.h"
#include "callgrind/support/grow.h"
#include "cgprofile/folded.h"
#include "src/report/flame_report.h"

struct folded_stacks {
	const struct flame *f;
	char *text; /* the stack of the current frame */
	size_t cap;
	size_t *end; /* per frame: how much of it is its stack */
};

static int append_folded(struct folded_stacks *s, size_t *used, const char *text)
{
	size_t len = strlen(text);
	if (cg_grow(&s->text, &s->cap, *used + len + 1, 1))
		return CG_ENOMEM;
	memcpy(s->text + *used, text, len + 1);
	*used += len;
	return CG_OK;
}

/* The stack of the parent is still there. */
static int go_to(struct folded_stacks *s, uint32_t i)
{
	const struct flame_frame *n = &s->f->frames[i];
	bool inlined = n->head.present ? n->head.inlined : n->base.inlined;
	size_t used = s->end[n->parent];
	bool first = used == 0;
	int status = first ? CG_OK : append_folded(s, &used, ";");
	size_t start = used;

	if (!status)
		status = append_folded(s, &used, s->f->functions[n->function].name);
	if (!status && used == start)
		status = append_folded(s, &used, "???");
	if (!status)
		cg_folded_name(s->text + start, used - start, first, inlined);
	if (!status && inlined)
		status = append_folded(s, &used, CG_FOLDED_INLINED);
	s->end[i] = used;
	return status;
}

/* Before anything is written: half of the stacks are no profile. */
static int check_folded_costs(const struct flame *f)
{
	for (uint32_t i = 0; i < f->count; i++) {
		struct flame_values v = flame_values(f, i);
		if (v.base_self < 0 || v.head_self < 0)
			return CG_EINVAL;
	}
	return CG_OK;
}

static void print_stack(const struct folded_stacks *s, uint32_t i, FILE *to)
{
	struct flame_values v = flame_values(s->f, i);

	if (!v.base_self && !v.head_self)
		return;
	fwrite(s->text, 1, s->end[i], to);
	if (s->f->base.profile)
		fprintf(to, " %" PRId64, v.base_self);
	fprintf(to, " %" PRId64 "\n", v.head_self);
}

int flame_folded(const struct flame_report *r, FILE *to)
{
	struct folded_stacks s = { .f = r->flame };
	int status = check_folded_costs(s.f);

	if (status)
		return status;
	s.end = calloc((size_t)s.f->count + 1, sizeof *s.end);
	if (!s.end)
		return CG_ENOMEM;
	for (uint32_t i = 1; !status && i < s.f->count; i++) {
		status = go_to(&s, i);
		if (!status)
			print_stack(&s, i, to);
	}
	free(s.text);
	free(s.end);
	return status;
}
