#include "src/report/json/members.h"

static int64_t source_base_value(const struct diff *d, const int64_t *costs)
{
	return costs ? diff_base_value(d, costs) : 0;
}

static int64_t source_head_value(const struct diff *d, const int64_t *costs)
{
	return costs ? diff_head_value(d, costs) : 0;
}

static void add_line_side(struct json *j, const char *key, const struct code_line *line, int side,
			  int64_t self, int64_t inclusive)
{
	if (!line->in[side]) {
		json_none(j, key);
		return;
	}
	json_begin_object(j, key);
	if (line->number[side])
		json_count(j, "line", line->number[side]);
	else
		json_none(j, "line");
	json_cost(j, "self", self);
	if (inclusive != self)
		json_cost(j, "inclusive", inclusive);
	json_end(j);
}

static void add_source_line(struct json *j, const struct diff *d, const struct code_line *line,
			    bool changed)
{
	int64_t base = source_base_value(d, line->self[CODE_BASE]),
		head = source_head_value(d, line->self[CODE_HEAD]);
	int64_t base_all = source_base_value(d, line->inclusive[CODE_BASE]),
		head_all = source_head_value(d, line->inclusive[CODE_HEAD]);

	json_begin_object(j, NULL);
	add_line_side(j, "base", line, CODE_BASE, base, base_all);
	add_line_side(j, "head", line, CODE_HEAD, head, head_all);
	json_delta(j, "delta_self", base, head);
	if (base != base_all || head != head_all)
		json_delta(j, "delta_inclusive", base_all, head_all);
	json_flag(j, "changed", changed);
	json_text(j, "text", code_text(line));
	json_end(j);
}

static void add_source_values(struct json *j, const struct diff *d, const int64_t *const *costs)
{
	int64_t base = source_base_value(d, costs[CODE_BASE]),
		head = source_head_value(d, costs[CODE_HEAD]);

	json_cost(j, "base", base);
	json_cost(j, "head", head);
	json_delta(j, "delta", base, head);
}

static void add_file_side(struct json *j, const char *key, const struct diff_source *s, int side)
{
	static const char *const origins[] = {
		[SOURCE_TEXT_MISSING] = NULL,    [SOURCE_TEXT_KEPT] = "kept",
		[SOURCE_TEXT_COMMIT] = "commit", [SOURCE_TEXT_NOW] = "now",
		[SOURCE_TEXT_NEWER] = "newer",
	};
	json_begin_object(j, key);
	json_text(j, "file", s->file[side]);
	json_text(j, "source", origins[s->text[side]->origin]);
	json_end(j);
}

static void add_source_file(struct json *j, const struct diff *d, const struct diff_source *s)
{
	json_begin_object(j, NULL);
	add_file_side(j, "base", s, CODE_BASE);
	add_file_side(j, "head", s, CODE_HEAD);
	json_begin_object(j, "self");
	add_source_values(j, d, s->self);
	json_end(j);
	json_begin_array(j, "lines");
	for (size_t i = 0; i < s->code->count; i++)
		if (s->shown[i])
			add_source_line(j, d, &s->code->lines[i], s->changed[i]);
	json_end(j);
	json_begin_object(j, "other_lines");
	json_count(j, "count", s->nrest);
	add_source_values(j, d, s->rest);
	json_end(j);
	json_end(j);
}

void json_add_sources(struct json *j, const struct diff_report *r)
{
	if (r->view != DIFF_VIEW_SOURCE) {
		json_none(j, "sources");
		return;
	}
	json_begin_array(j, "sources");
	for (size_t i = 0; i < r->nsources; i++)
		add_source_file(j, r->diff, &r->sources[i]);
	json_end(j);
}
