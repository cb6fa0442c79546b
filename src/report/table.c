#include "src/report/table.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "src/diff/metric.h"

void table_free(struct report_table *t)
{
	free(t->made);
	free(t->spread);
	t->made = t->spread = NULL;
}

int table_spread(struct report_table *t, const char *const *events, const uint32_t *at,
		 size_t nevents)
{
	size_t n = 0;

	while (n < t->ncolumns && t->columns[n].kind != CELL_EVENT)
		n++;
	size_t each = t->ncolumns - n;
	const struct table_column *of_event = t->columns + n;
	struct table_column *columns = calloc(n + each * nevents + 1, sizeof *columns);
	if (!columns)
		return CG_ENOMEM;
	memcpy(columns, t->columns, n * sizeof *columns);
	for (size_t i = 0; i < each * nevents; i++) {
		columns[n] = of_event[i % each];
		columns[n].event = events[i / each];
		columns[n++].index = at ? at[i / each] : CELL_BY_NAME;
	}
	t->columns = t->spread = columns;
	t->ncolumns = n;
	return CG_OK;
}

const char *table_title(const struct report_table *t, const struct table_column *c)
{
	return c->title ? c->title : t->word;
}

const void *table_cell(const struct table_column *c, const union table_row *row)
{
	return row->bytes + c->member;
}

bool table_is_text(const struct table_column *c)
{
	return c->kind <= CELL_OWN;
}

bool table_event(const struct table_column *c, const struct cell_events *of, int64_t *cost)
{
	struct metric m;

	if (!of->costs)
		return false;
	if (c->index != CELL_BY_NAME) {
		*cost = of->costs[c->index];
		return true;
	}
	if (!metric_find(of->profile, c->event, &m))
		return false;
	*cost = metric_value(&m, of->costs);
	return true;
}

/* ---- for people ---- */

static const char *count_text(uint64_t count, bool missing, char *buffer)
{
	return missing ? "–" : text_count(count, buffer);
}

static const char *cost_text(int64_t cost, bool missing, char *buffer)
{
	return missing ? "–" : text_cost(cost, buffer);
}

/* "2,400" of two that are the same. */
static const char *pair_text(const char *base, const char *head, char buffer[TEXT_PAIR])
{
	bool same = strcmp(base, head) == 0;
	snprintf(buffer, TEXT_PAIR, "%s%s%s", same ? "" : base, same ? "" : " → ", head);
	return buffer;
}

static const char *numbers_text(enum cell_kind kind, const struct cell_numbers *n,
				char buffer[TEXT_PAIR])
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER];

	switch (kind) {
	case CELL_BASE_COUNT:
		return count_text(n->base_count, n->base_missing, buffer);
	case CELL_HEAD_COUNT:
		return count_text(n->head_count, n->head_missing, buffer);
	case CELL_COUNTS:
		return text_calls(n->base_count, n->head_count, buffer);
	case CELL_BASE:
		return cost_text(n->base, n->base_missing, buffer);
	case CELL_HEAD:
		return cost_text(n->head, n->head_missing, buffer);
	case CELL_COSTS:
		return pair_text(cost_text(n->base, n->base_missing, base),
				 cost_text(n->head, n->head_missing, head), buffer);
	case CELL_EACH:
		return text_per_call_pair(n->base, n->base_count, n->head, n->head_count, buffer);
	case CELL_DELTA:
		return n->instead ? n->instead : text_delta(n->base, n->head, buffer);
	case CELL_CHANGE:
		return n->instead ? n->instead : text_change(n->base, n->head, buffer);
	case CELL_SHARE_OF_BASE:
		return text_share_of_base(n->base, n->head, n->total, buffer);
	case CELL_PART:
		return n->instead ? n->instead : text_part(n->head, n->total, buffer);
	default:
		return n->instead ? n->instead : text_share(n->head, n->total, buffer);
	}
}

const char *table_text(const struct table_column *c, const union table_row *row,
		       char buffer[TEXT_PAIR])
{
	const void *cell = table_cell(c, row);
	const char *text;
	int64_t cost;

	switch (c->kind) {
	case CELL_WORD:
	case CELL_NAME:
	case CELL_NUMBER:
		text = *(const char *const *)cell;
		return text ? text : "";
	case CELL_OWN:
		return "";
	case CELL_COUNT:
	case CELL_KNOWN:
		return count_text(*(const uint64_t *)cell,
				  c->kind == CELL_KNOWN && !*(const uint64_t *)cell, buffer);
	case CELL_EVENT:
		return table_event(c, cell, &cost) ? text_cost(cost, buffer) : "–";
	default:
		return numbers_text(c->kind, cell, buffer);
	}
}
