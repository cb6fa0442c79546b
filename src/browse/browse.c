#include "src/browse/browse.h"

#include <stdlib.h>

#include "src/browse/state.h"

void browse_resize(struct browse *b, unsigned height, unsigned width)
{
	b->height = height;
	b->width = width;
}

int browse_make(const struct browse_data *data, const struct browse_code_finder *finder,
		struct browse **out)
{
	enum { USUAL_HEIGHT = 24, USUAL_WIDTH = 80 };
	struct browse *b = calloc(1, sizeof *b);
	if (!b)
		return CG_ENOMEM;
	b->data = data;
	b->finder = *finder;
	b->show = data->diff ? BROWSE_DELTA : BROWSE_ONLY_HEAD;
	b->lists[VIEW_FUNCTIONS].sort = BROWSE_BY_SELF;
	b->lists[VIEW_CAUSES].sort = BROWSE_AS_LISTED;
	browse_resize(b, USUAL_HEIGHT, USUAL_WIDTH);
	if (browse_show_view(b, VIEW_FUNCTIONS)) {
		browse_free(b);
		return CG_ENOMEM;
	}
	*out = b;
	return CG_OK;
}

void browse_free(struct browse *b)
{
	if (!b)
		return;
	browse_close_pane(b);
	free(b->functions_changed);
	free(b->paths_changed);
	free(b->functions_shown);
	free(b->paths_shown);
	for (int i = 0; i < VIEWS; i++)
		outline_free(b->lists[i].outline);
	callers_free(b->callers);
	search_free(b->search);
	free(b->regex);
	free(b);
}

bool browse_ended(const struct browse *b)
{
	return b->ended;
}
