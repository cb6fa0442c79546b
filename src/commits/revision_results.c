#include "src/commits/revision_results.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

/* A zeroed set is empty. */
static int add_to_set(struct cg_strings *set, const char *name)
{
	cg_str id;
	int status = set->count ? CG_OK : cg_strings_init(set);

	return status ? status : cg_strings_add(set, name, strlen(name), &id);
}

static bool is_in_set(const struct cg_strings *set, const char *name)
{
	return set->count && cg_strings_find(set, name, strlen(name));
}

int revision_remember(struct revision *side, const char *name)
{
	return add_to_set(&side->measured, name);
}

void revision_trust_entry(struct revision *side, const char *name)
{
	add_to_set(&side->sound, name);
}

bool revision_trusts_entry(const struct revision *side, const char *name)
{
	return is_in_set(&side->sound, name) || is_in_set(&side->measured, name);
}

void revision_lose(struct revision *side, const struct config_benchmark *b, enum ending ending,
		   struct measured *measured)
{
	struct revision_loss loss = { .benchmark = b, .ending = ending };
	int status = CG_OK;

	for (size_t i = 0; measured->lost.count && !status && i < measured->count; i++)
		status = path_list_add(&loss.entries, measured->items[i].label, NULL);
	if (status || cg_grow(&side->lost, &side->lost_cap, side->nlost + 1, sizeof *side->lost)) {
		path_list_free(&loss.entries);
		return;
	}
	loss.cases = measured->lost;
	measured->lost = (struct path_list){ 0 };
	side->lost[side->nlost++] = loss;
}

const struct revision_loss *revision_find_loss(const struct revision *side,
					       const struct config_benchmark *b)
{
	for (size_t i = 0; i < side->nlost; i++)
		if (side->lost[i].benchmark == b)
			return &side->lost[i];
	return NULL;
}

const struct path_list *revision_lost_cases(const struct revision *side,
					    const struct config_benchmark *b)
{
	const struct revision_loss *loss = revision_find_loss(side, b);
	return loss && loss->cases.count ? &loss->cases : NULL;
}

static bool revision_has_measured_entry(const struct revision *side, const char *name)
{
	return is_in_set(&side->measured, name);
}

bool revision_has_measured(const struct revision *side, const struct path_list *entries)
{
	for (size_t i = 0; i < entries->count; i++)
		if (!revision_has_measured_entry(side, entries->paths[i]))
			return false;
	return true;
}
