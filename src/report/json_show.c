#include "src/report/json_show.h"
#include "src/report/json_parts.h"

#define SCHEMA_VERSION 1

static void add_costs(struct json *j, const char *key, const struct show_report *r,
		      const int64_t *costs)
{
	json_begin_object(j, key);
	for (size_t i = 0; i < r->nevents; i++) {
		const struct cg_event *e = &r->profile->events[r->events[i]];
		json_cost(j, cg_string(r->profile, e->name), costs[r->events[i]]);
	}
	json_end(j);
}

void json_add_profile(struct json *j, const struct cg_profile *p,
		      const struct report_origin *origin)
{
	json_begin_object(j, "profile");
	json_text(j, "name", origin->name);
	json_text(j, "path", origin->path);
	json_text(j, "command", origin->command);
	json_text(j, "commit", origin->commit);
	json_text(j, "written", origin->when);
	json_text(j, "creator", p->creator ? cg_string(p, p->creator) : NULL);
	json_parts(j, p);
	json_count(j, "skipped_lines", p->skipped);
	json_end(j);
}

static void add_row(struct json *j, const struct show_report *r, const struct flat_row *row)
{
	const struct cg_function *f = &r->profile->functions[row->function];

	json_begin_object(j, NULL);
	json_text(j, "function", view_function(r->profile, row->function));
	json_text(j, "object", f->object ? cg_string(r->profile, f->object) : NULL);
	json_text(j, "file", f->file ? cg_string(r->profile, f->file) : NULL);
	json_count(j, "calls", row->calls);
	add_costs(j, "self", r, row->self);
	add_costs(j, "inclusive", r, row->inclusive);
	if (row->bound)
		json_flag(j, "inclusive_is_upper_bound", true);
	json_end(j);
}

int show_flat_json(const struct show_report *r, FILE *to)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;

	json_text(j, "schema", "irdiff/show");
	json_count(j, "version", SCHEMA_VERSION);
	json_add_profile(j, r->profile, &r->origin);
	add_costs(j, "totals", r, r->profile->total);
	json_text(j, "sorted_by", r->sort);
	json_flag(j, "by_inclusive", r->by_inclusive);
	json_text(j, "filter", r->filter);
	json_begin_array(j, "functions");
	for (size_t i = 0; i < r->flat->count && (!r->top || i < r->top); i++)
		add_row(j, r, &r->flat->rows[i]);
	json_end(j);
	return json_finish(j, to);
}
