#include "src/flame/frames.h"

#include <stdlib.h>

struct flame_values flame_values(const struct flame *f, uint32_t frame)
{
	return (struct flame_values){
		.base_self = flame_value(&f->base, f->base.self, frame),
		.head_self = flame_value(&f->head, f->head.self, frame),
		.base_inclusive = flame_value(&f->base, f->base.inclusive, frame),
		.head_inclusive = flame_value(&f->head, f->head.inclusive, frame),
	};
}

uint64_t flame_left_out(const struct flame *f)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < f->count; i++)
		count += f->frames[i].rest;
	return count;
}

void flame_free(struct flame *f)
{
	if (!f)
		return;
	free(f->functions);
	free(f->frames);
	free(f->base.self);
	free(f->base.inclusive);
	free(f->head.self);
	free(f->head.inclusive);
	free(f);
}
