#include "src/report/svg/colors.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/text/text.h"

/* Programs have few objects, and few files that matter: a list will do. What is in more than
 * these has the colour of all others. */
enum { MOST = 256 };

struct named_cost {
	const char *name;
	uint64_t cost;
};

struct costs {
	struct named_cost list[MOST];
	size_t count;
	uint64_t total; /* of all that have a name; saturates */
};

/* "": not known. */
static const char *name_of(const struct flame_function *f, bool by_file)
{
	const char *name = by_file ? f->file : f->object;
	return text_is_known(name) ? cg_base_name(name) : "";
}

static int compare_named_costs(const void *left, const void *right)
{
	const struct named_cost *a = left, *b = right;
	return a->cost != b->cost ? (a->cost < b->cost) - (a->cost > b->cost)
				  : strcmp(a->name, b->name);
}

static void add_capped(uint64_t *sum, uint64_t cost)
{
	*sum = *sum > UINT64_MAX - cost ? UINT64_MAX : *sum + cost;
}

static void add_cost(struct costs *c, const char *name, uint64_t cost)
{
	size_t i = 0;

	while (i < c->count && strcmp(c->list[i].name, name) != 0)
		i++;
	add_capped(&c->total, cost);
	if (i == MOST)
		return;
	if (i == c->count)
		c->list[c->count++] = (struct named_cost){ name, 0 };
	add_capped(&c->list[i].cost, cost);
}

/* The costliest first. */
static void sum_costs(const struct flame *f, bool by_file, struct costs *out)
{
	out->count = 0;
	out->total = 0;
	for (uint32_t i = 1; i < f->count; i++) {
		const char *name = name_of(&f->functions[f->frames[i].function], by_file);
		if (*name)
			add_cost(out, name, cg_magnitude(flame_values(f, i).head_self));
	}
	qsort(out->list, out->count, sizeof *out->list, compare_named_costs);
}

/* So that one colour would say nothing. */
static bool is_nearly_all(const struct costs *c)
{
	enum { REST = 10 }; /* a tenth of the cost, at most */
	return c->count && c->total - c->list[0].cost <= c->total / REST;
}

/* Without debug information, only few functions have a file; and a program may be one file. */
static bool tells_more(const struct costs *files, const struct costs *objects)
{
	return files->total >= objects->total / 2 && !is_nearly_all(files);
}

void svg_colors_choose(const struct flame *f, struct svg_colors *out)
{
	struct costs objects, files;

	*out = (struct svg_colors){ 0 };
	sum_costs(f, false, &objects);
	sum_costs(f, true, &files);
	out->by_file = is_nearly_all(&objects) && tells_more(&files, &objects);
	const struct costs *chosen = out->by_file ? &files : &objects;
	while (out->count < chosen->count && out->count < SVG_COLORS - 1) {
		out->names[out->count] = chosen->list[out->count].name;
		out->count++;
	}
	out->has_others = chosen->count > out->count;
}

int svg_color_of(const struct svg_colors *c, const struct flame_function *function)
{
	const char *name = name_of(function, c->by_file);
	int i = 0;

	if (!*name)
		return -1;
	while (i < (int)c->count && strcmp(c->names[i], name) != 0)
		i++;
	return i < (int)c->count ? i : SVG_COLORS - 1;
}
