/* Profiles whose counts are estimated from samples: chance alone makes differences, which must
 * neither pass a limit nor exceed one. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/compare/remarking.h"
#include "src/text/text.h"

/* An event that neither side has sampled is counted. */
struct samples {
	bool base_sampled, head_sampled;
	uint64_t base, head;
};

static bool find_samples(const struct comparison *c, const char *metric, struct samples *s)
{
	*s = (struct samples){ 0 };
	s->base_sampled = cg_samples_behind(c->base.profile, metric, &s->base);
	s->head_sampled = cg_samples_behind(c->head.profile, metric, &s->head);
	return s->base_sampled || s->head_sampled;
}

/* How many percent of base two measurements of the same differ by at most in 19 of 20 cases; 0: not
 * known. N samples are N by chance, with a standard deviation of sqrt(N). */
static unsigned percent_by_chance(const struct samples *s)
{
	const double deviations = 2, most = 100;
	double few = (double)(s->base_sampled && s->base < s->head ? s->base : s->head);

	if (!s->head_sampled)
		few = (double)s->base;
	if (few < 1)
		return 0;
	double percent = 100 * deviations * sqrt((double)s->base + (double)s->head) / few;
	return percent > most ? 0 : (unsigned)ceil(percent);
}

static char *print_samples(const struct samples *s)
{
	char *text = NULL;
	int len = !s->base_sampled ? asprintf(&text, "%" PRIu64 " in head", s->head)
		  : !s->head_sampled
			  ? asprintf(&text, "%" PRIu64 " in base", s->base)
			  : asprintf(&text, "%" PRIu64 " in base and %" PRIu64 " in head", s->base,
				     s->head);
	return len < 0 ? NULL : text;
}

static char *describe_samples(const char *metric, const struct samples *s)
{
	unsigned percent = percent_by_chance(s);
	char *name = text_safe(metric), *numbers = print_samples(s), *text = NULL;
	int len = -1;

	if (name && numbers && percent)
		len = asprintf(
			&text,
			"%s is sampled (samples: %s): chance alone makes a difference of up to about %u%%",
			name, numbers, percent);
	else if (name && numbers)
		len = asprintf(&text,
			       "%s is sampled (samples: %s), too few to tell a change from chance",
			       name, numbers);
	free(name);
	free(numbers);
	return len < 0 ? NULL : text;
}

static char *advise_tolerance(const char *metric, const struct samples *s)
{
	enum { IF_UNKNOWN = 5 };
	unsigned percent = percent_by_chance(s);
	char *name = text_safe(metric), *text = NULL;

	if (!name ||
	    asprintf(
		    &text,
		    "To judge it, state in irdiff.yml by how much it may differ by chance, such as "
		    "tolerance: {%s: %u%%}, and name the benchmark with --bench",
		    name, percent ? percent : IF_UNKNOWN) < 0)
		text = NULL;
	free(name);
	return text;
}

int remarking_find_samples(struct comparison *c, struct cg_error *err)
{
	const char *shown = c->diff->options.metric, *lacking = remarking_lacks_tolerance(c);
	const char *metric = lacking ? lacking : shown;
	struct samples s;

	if (!find_samples(c, metric, &s))
		return CG_OK;
	char *text = describe_samples(metric, &s);
	if (!lacking)
		return remarks_add(&c->remarks, REMARK_WARNING, "sampled", text, NULL, err);
	char *advice = advise_tolerance(metric, &s);
	if (advice)
		return remarks_add(&c->remarks, REMARK_ESTIMATE, "sampled", text, advice, err);
	free(text);
	return cg_fail_nomem(err);
}
