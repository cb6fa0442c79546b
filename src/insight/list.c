#include "src/insight/list.h"

#include <stdlib.h>

void insights_free(struct insights *i)
{
	if (!i)
		return;
	for (size_t n = 0; n < i->count; n++) {
		free(i->items[n].evidence);
		free(i->items[n].marked);
	}
	free(i->items);
	free(i);
}
