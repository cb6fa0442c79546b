#include "callgrind/producer_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/producers.h"
#include "callgrind/support/grow.h"

/* More kinds of compilers and flags in one object are not informative. */
#define MAX_PRODUCERS 64

int cg_producer_list_add(struct cg_producer_list *p, const char *text)
{
	for (size_t i = 0; i < p->count; i++)
		if (strcmp(p->items[i].text, text) == 0) {
			p->items[i].units++;
			return CG_OK;
		}
	if (p->count == MAX_PRODUCERS)
		return CG_OK;
	if (cg_grow(&p->items, &p->cap, p->count + 1, sizeof *p->items))
		return CG_ENOMEM;
	p->items[p->count++] = (struct cg_producer){ text, 1 };
	return CG_OK;
}

static int compare_producers(const void *left, const void *right)
{
	const struct cg_producer *a = left, *b = right;
	return a->units != b->units ? (a->units < b->units) - (a->units > b->units)
				    : strcmp(a->text, b->text);
}

static char *producers_join(const struct cg_producer_list *p)
{
	char *text = malloc(CG_PRODUCERS_MOST + 1);
	size_t used = 0;

	for (size_t i = 0; text && i < p->count; i++) {
		int n = snprintf(text + used, CG_PRODUCERS_MOST + 1 - used, "%s%s", i ? "; " : "",
				 p->items[i].text);
		if (n < 0 || (size_t)n > CG_PRODUCERS_MOST - used) {
			text[i ? used : CG_PRODUCERS_MOST] = '\0';
			break;
		}
		used += (size_t)n;
	}
	return text;
}

int cg_producer_list_join(struct cg_producer_list *p, char **text)
{
	if (p->count)
		qsort(p->items, p->count, sizeof *p->items, compare_producers);
	*text = p->count ? producers_join(p) : NULL;
	return p->count && !*text ? CG_ENOMEM : CG_OK;
}

void cg_producer_list_free(struct cg_producer_list *p)
{
	free(p->items);
}
