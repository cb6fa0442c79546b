#include "src/status/countdown.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Times from another machine, or a busier one, are still in proportion. */
static double pace(const struct countdown_step *steps, size_t count)
{
	double expected = 0, taken = 0;

	for (size_t i = 0; i < count; i++)
		if (steps[i].state == STEP_IS_OVER && steps[i].seconds > 0) {
			expected += steps[i].seconds;
			taken += steps[i].since;
		}
	return expected > 0 ? taken / expected : 1;
}

double countdown_left(const struct countdown_step *steps, size_t count, unsigned at_once)
{
	double factor = pace(steps, count), sum = 0, longest = 0;

	for (size_t i = 0; i < count; i++) {
		const struct countdown_step *s = &steps[i];
		if (s->state == STEP_IS_OVER)
			continue;
		if (s->seconds < 0)
			return -1;
		double left = s->seconds * factor - (s->state == STEP_RUNS ? s->since : 0);
		left = left > 0 ? left : 0;
		sum += left;
		longest = left > longest ? left : longest;
	}
	double shared = sum / (at_once ? at_once : 1);
	return shared > longest ? shared : longest;
}

static void print_time_left(FILE *to, double seconds)
{
	enum { MINUTE = 60, HOUR = 3600, MOST = 359999 };
	int s = seconds > MOST ? MOST : (int)(seconds + 0.5);

	if (s >= HOUR)
		fprintf(to, "%d:%02d:%02d", s / HOUR, s / MINUTE % MINUTE, s % MINUTE);
	else if (s >= MINUTE)
		fprintf(to, "%d:%02d", s / MINUTE, s % MINUTE);
	else
		fprintf(to, "%d s", s);
}

void countdown_times(FILE *to, double elapsed, double left)
{
	print_time_left(to, elapsed);
	if (left >= 1) {
		fputs(", about ", to);
		print_time_left(to, left);
		fputs(" left", to);
	}
}

static void print_names(FILE *to, const struct countdown_step *steps, size_t count)
{
	enum { MOST = 3 };
	size_t running = 0, shown = 0;

	for (size_t i = 0; i < count; i++)
		running += steps[i].state == STEP_RUNS;
	for (size_t i = 0; i < count && shown < MOST; i++) {
		if (steps[i].state != STEP_RUNS)
			continue;
		shown++;
		bool last = shown == running;
		fprintf(to, "%s%s", shown == 1 ? "" : last ? " and " : ", ", steps[i].name);
	}
	if (running > shown)
		fprintf(to, " and %zu more", running - shown);
}

char *countdown_line(const struct countdown_step *steps, size_t count, unsigned at_once,
		     double elapsed)
{
	char *text = NULL;
	size_t size, over = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (size_t i = 0; i < count; i++)
		over += steps[i].state == STEP_IS_OVER;
	fprintf(to, "%zu of %zu measured; ", over, count);
	print_names(to, steps, count);
	fputs(", ", to);
	countdown_times(to, elapsed, countdown_left(steps, count, at_once));
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}
