#include "src/browse/cause_rows.h"

#include <stdlib.h>

static int list_causes(void *of, uint32_t node, uint32_t **out, size_t *count)
{
	const struct browse_data *d = of;
	size_t n = node ? 0 : d->causes->count;
	uint32_t *nodes = malloc((n + 1) * sizeof *nodes);

	if (!nodes)
		return CG_ENOMEM;
	for (size_t i = 0; i < n; i++)
		nodes[i] = (uint32_t)i + 1;
	*out = nodes;
	*count = n;
	return CG_OK;
}

/* The function that is called, or whose self cost it is. */
static struct browse_row cause_row(const void *of, uint32_t node)
{
	const struct browse_data *d = of;
	const struct cause *c = node ? &d->causes->items[node - 1] : NULL;
	struct browse_row row = d->paths.row(d->paths.of, c ? c->row : 0);

	row.parent = row.end = 0;
	row.has_children = !c && d->causes->count;
	row.cause = c;
	if (c) {
		row.side[BROWSE_BASE].calls = c->base_calls;
		row.side[BROWSE_HEAD].calls = c->head_calls;
	}
	return row;
}

struct outline_source cause_rows(const struct browse_data *data)
{
	/* Only callers_source changes what it is made of. */
	return (struct outline_source){ (void *)data, list_causes, cause_row, NULL };
}
