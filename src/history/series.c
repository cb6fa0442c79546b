#include "src/history/series.h"

#include "callgrind/support/number.h"

static bool is_tolerated(uint64_t size, int64_t before, const struct step_limits *limits)
{
	unsigned __int128 share = (unsigned __int128)limits->tolerance_ppb * cg_magnitude(before) /
				  1000000000u;

	return size <= limits->tolerance || size <= share;
}

enum series_step series_classify(int64_t before, int64_t now, const struct step_limits *limits)
{
	uint64_t size = cg_distance(before, now);
	bool large = (unsigned __int128)size * 1000000000u >=
		     (unsigned __int128)limits->threshold_ppb * cg_magnitude(before);

	if (size == 0 || !large || size < limits->min_delta || is_tolerated(size, before, limits))
		return STEP_NONE;
	return now > before ? STEP_REGRESSED : STEP_IMPROVED;
}

void series_find_steps(struct series_point *points, size_t count, const struct step_limits *limits)
{
	const struct series_point *previous = NULL;

	for (size_t i = 0; i < count; i++) {
		struct series_point *p = &points[i];
		p->previous = NULL;
		p->step = STEP_NONE;
		if (p->place != PLACE_BRANCH)
			continue;
		p->previous = previous;
		if (previous)
			p->step = series_classify(previous->count, p->count, limits);
		previous = p;
	}
}

bool series_is_level(const struct series *s, const struct step_limits *limits)
{
	const struct series_point *least = NULL, *most = NULL;

	for (size_t i = s->hidden; i < s->count; i++) {
		const struct series_point *p = &s->points[i];
		if (p->place != PLACE_BRANCH)
			continue;
		least = !least || p->count < least->count ? p : least;
		most = !most || p->count > most->count ? p : most;
	}
	return !least || series_classify(least->count, most->count, limits) == STEP_NONE;
}

bool series_varies(const struct series *s)
{
	enum { LEAST = 20, MOST = 100, HALF = 2, QUARTER = 4 };
	size_t compared = 0, up = 0, down = 0;

	for (size_t i = s->count; i-- > 0 && compared < MOST;) {
		compared += s->points[i].previous != NULL;
		up += s->points[i].step == STEP_REGRESSED;
		down += s->points[i].step == STEP_IMPROVED;
	}
	size_t steps = up + down, rarer = up < down ? up : down;
	return compared >= LEAST && HALF * steps >= compared && QUARTER * rarer >= steps;
}

const char *series_step_name(enum series_step step)
{
	static const char *const names[] = { "", "regressed", "improved" };
	return names[step];
}

const char *series_standing_words(enum series_standing standing)
{
	static const char *const words[] = {
		"", "not measured yet by the current definition in irdiff.yml",
		"no longer in irdiff.yml"
	};
	return words[standing];
}

const char *series_place_name(enum series_place place)
{
	static const char *const names[] = { "", "merged", "other branch" };
	return names[place];
}
