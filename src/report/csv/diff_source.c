#include <string.h>

#include "src/report/csv/diff.h"

void csv_source_titles(struct csv *csv, const struct csv_events *e, const struct suite_report *r)
{
	static const char *const titles[] = { "bench", "base_file", "file", "what", "base_line", "line",
					      "metric", "class", "source", NULL };
	static const char *const leads[] = { "base_self_", "head_self_", NULL };

	(void)r;
	for (const char *const *t = titles; *t; t++)
		csv_title(csv, *t, "");
	csv_event_titles(csv, e, leads);
}

static void print_file(struct csv *csv, const struct bench_report *b, const struct diff_source *s)
{
	csv_text(csv, b->name);
	for (int side = 0; side < CODE_SIDES; side++)
		csv_text(csv, s->file[side] && text_is_known(s->file[side]) ? s->file[side] : NULL);
}

static void print_costs(struct csv *csv, const struct csv_events *e, const struct diff *d,
			const int64_t *const *costs)
{
	for (size_t i = 0; i < e->count; i++) {
		csv_event_cost(csv, d->base, costs[CODE_BASE], e->names[i]);
		csv_event_cost(csv, d->head, costs[CODE_HEAD], e->names[i]);
	}
	csv_end_line(csv);
}

static const char *class_of(const struct diff *d, const int64_t *const *costs)
{
	int64_t base = costs[CODE_BASE] ? diff_base_value(d, costs[CODE_BASE]) : 0;
	int64_t head = costs[CODE_HEAD] ? diff_head_value(d, costs[CODE_HEAD]) : 0;
	return diff_class_name(diff_classify_change(d, base, head));
}

/* Indentation is nothing to be quoted for. */
static const char *text_of(const struct code_line *line)
{
	const char *text = code_text(line);
	return text ? text + strspn(text, " \t") : NULL;
}

static void print_line(struct csv *csv, const struct diff *d, const struct code_line *line)
{
	csv_text(csv, "line");
	csv_known_count(csv, line->number[CODE_BASE]);
	csv_known_count(csv, line->number[CODE_HEAD]);
	csv_text(csv, d->options.metric);
	csv_text(csv, class_of(d, line->self));
	csv_text(csv, text_of(line));
}

static void print_rest(struct csv *csv, const struct diff *d, const struct diff_source *s)
{
	csv_text(csv, "other lines");
	csv_nothing(csv);
	csv_nothing(csv);
	csv_text(csv, d->options.metric);
	csv_text(csv, class_of(d, s->rest));
	csv_nothing(csv);
}

void csv_source_rows(struct csv *csv, const struct csv_events *e, const struct bench_report *b)
{
	const struct diff *d = b->diff.diff;

	for (size_t i = 0; i < b->diff.nsources; i++) {
		const struct diff_source *s = &b->diff.sources[i];
		for (size_t k = 0; k < s->code->count; k++) {
			if (!s->shown[k])
				continue;
			print_file(csv, b, s);
			print_line(csv, d, &s->code->lines[k]);
			print_costs(csv, e, d, s->code->lines[k].self);
		}
		if (s->nrest) {
			print_file(csv, b, s);
			print_rest(csv, d, s);
			print_costs(csv, e, d, s->rest);
		}
	}
}
