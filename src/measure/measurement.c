#include "src/measure/measurement.h"

#include <stdlib.h>

void measured_free(struct measured *measured)
{
	for (size_t i = 0; i < measured->count; i++) {
		free(measured->items[i].label);
		free(measured->items[i].benchmark);
		cg_profile_free(measured->items[i].profile);
	}
	free(measured->items);
	path_list_free(&measured->lost);
	*measured = (struct measured){ 0 };
}
