#include "src/diff/remarks.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

const char *remark_effect_name(enum remark_effect effect)
{
	static const char *const names[] = { "warning", "unseen", "chance", "estimate" };
	return names[effect];
}

int remarks_add(struct remarks *r, enum remark_effect effect, const char *id, char *text,
		char *advice, struct cg_error *err)
{
	if (!text || cg_grow(&r->items, &r->cap, r->count + 1, sizeof *r->items)) {
		free(text);
		free(advice);
		return cg_fail_nomem(err);
	}
	r->items[r->count++] = (struct remark){
		.effect = effect, .id = id, .text = text, .advice = advice
	};
	return CG_OK;
}

void remarks_remove(struct remarks *r, size_t i)
{
	free(r->items[i].text);
	free(r->items[i].advice);
	r->count--;
	memmove(&r->items[i], &r->items[i + 1], (r->count - i) * sizeof *r->items);
}

const struct remark *remarks_find(const struct remarks *r, const char *id)
{
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->items[i].id, id) == 0)
			return &r->items[i];
	return NULL;
}

void remarks_free(struct remarks *r)
{
	while (r->count)
		remarks_remove(r, r->count - 1);
	free(r->items);
	*r = (struct remarks){ 0 };
}

static bool remarks_have(const struct remarks *r, enum remark_effect effect)
{
	for (size_t i = 0; r && i < r->count; i++)
		if (r->items[i].effect == effect)
			return true;
	return false;
}

/* Only a count can be broken by chance, and only as long as nobody has said by how much it
 * varies. */
static bool may_be_chance(const struct diff *d, const struct limit_verdict *v)
{
	return v->status == LIMIT_EXCEEDED &&
	       !tolerance_find(d->options.tolerances, d->options.ntolerances,
			       v->rule.limit->metric);
}

enum judged remarks_judge(const struct remarks *r, const struct diff *d, const struct judgement *j)
{
	bool estimate = remarks_have(r, REMARK_ESTIMATE);
	bool chance = estimate || remarks_have(r, REMARK_CHANCE);

	for (size_t i = 0; i < j->count; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		if (v->fails && !(chance && may_be_chance(d, v)))
			return JUDGED_FAIL;
	}
	return j->failing || estimate || remarks_have(r, REMARK_UNSEEN) ? JUDGED_INCONCLUSIVE
									: JUDGED_PASS;
}
