/* What the reports on a fix share. */
#include <stdio.h>

#include "callgrind/support/number.h"
#include "src/report/fix_report.h"

const char *fix_side_name(enum fix_side side)
{
	static const char *const names[] = { "main", "regression", "fix" };
	return names[side];
}

/* Of main, whose events come first in every table. */
static bool has_all(const struct fix_diff *f, const char *name)
{
	struct metric m;
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++)
		if (!metric_find(fix_profile(f, s), name, &m))
			return false;
	return true;
}

size_t fix_list_metrics(const struct fix_diff *f, const char *list[FIX_METRICS])
{
	const struct cg_profile *p = fix_profile(f, FIX_FIX);
	size_t count = 0;

	for (uint32_t e = 0; e < p->nevents; e++)
		if (has_all(f, cg_string(p, p->events[e].name)))
			list[count++] = cg_string(p, p->events[e].name);
	for (size_t i = 0; metric_derived[i] && count < FIX_METRICS; i++)
		if (has_all(f, metric_derived[i]))
			list[count++] = metric_derived[i];
	return count;
}

static int64_t total_of(const struct fix_diff *f, enum fix_side side, const char *name)
{
	const struct cg_profile *p = fix_profile(f, side);
	struct metric m;
	return metric_find(p, name, &m) ? metric_value(&m, p->total) : 0;
}

struct fix_values fix_metric(const struct fix_diff *f, const char *name)
{
	return (struct fix_values){ total_of(f, FIX_MAIN, name), total_of(f, FIX_REGRESSION, name),
				    total_of(f, FIX_FIX, name) };
}

/* won / lost in percent, of something lost and won. Only all of it is 100. */
static double share(struct fix_values v)
{
	double won = (double)v.regression - (double)v.fix, lost = (double)v.regression - (double)v.main;
	double tenths = won / lost * 1000;
	return v.fix > v.main ? (double)(uint64_t)tenths / 10 : tenths / 10;
}

const char *fix_won(struct fix_values v, char buffer[FIX_WON])
{
	char won[TEXT_NUMBER];

	text_delta(v.fix, v.regression, won);
	if (v.regression > v.main && v.fix <= v.regression)
		snprintf(buffer, FIX_WON, "%s (%.1f%%)", won, share(v));
	else
		snprintf(buffer, FIX_WON, "%s", won);
	return buffer;
}

void fix_print_verdict(const struct fix_report *r, bool with_metric, FILE *to)
{
	struct fix_values v = fix_totals(r->fix);
	const char *metric = with_metric ? r->fix->lost->options.metric : "";
	const char *blank = with_metric ? " " : "";
	char lost[TEXT_NUMBER], rest[TEXT_NUMBER], left[TEXT_NUMBER];

	text_delta(v.main, v.regression, lost);
	text_count(cg_distance(v.main, v.fix), rest);
	if (v.regression <= v.main) {
		fprintf(to, "Nothing was lost (%s%s", lost, blank);
		text_print_name(to, metric, 0);
		fprintf(to, "); with the fix it is %s against main", text_delta(v.main, v.fix, left));
		return;
	}
	if (v.fix > v.regression)
		fprintf(to, "The fix makes it worse than %s%s", lost, blank);
	else if (v.fix == v.regression)
		fprintf(to, "The fix wins nothing back of %s%s", lost, blank);
	else
		fprintf(to, "The fix wins back %.1f%% of %s%s", share(v), lost, blank);
	text_print_name(to, metric, 0);
	if (v.fix > v.main)
		fprintf(to, "; %s are left", rest);
	else if (v.fix == v.main)
		fputs("; nothing is left", to);
	else
		fprintf(to, "; it is %s better than main", rest);
}
