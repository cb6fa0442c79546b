#include "src/report/show.h"
#include "src/diff/metric.h"
#include "src/diff/threads.h"
#include "src/report/insights.h"
#include "src/report/json/members.h"

#define SHOW_VERSION 2
#define TREE_VERSION 2

/* ---- which profile it is ---- */

/* A number that the file may not state. */
static void add_known(struct json *j, const char *key, uint64_t number)
{
	if (number)
		json_count(j, key, number);
	else
		json_none(j, key);
}

static void add_part(struct json *j, const struct cg_profile *p, const struct cg_part *part)
{
	json_begin_object(j, NULL);
	json_text(j, "file", cg_string(p, part->file));
	add_known(j, "pid", part->pid);
	add_known(j, "part", part->number);
	add_known(j, "thread", part->thread);
	json_text(j, "trigger", part->trigger ? cg_string(p, part->trigger) : NULL);
	json_text(j, "command", part->command ? cg_string(p, part->command) : NULL);
	json_begin_object(j, "costs");
	for (uint32_t e = 0; e < p->nevents; e++)
		json_cost(j, cg_string(p, p->events[e].name), part->self[e]);
	json_end(j);
	json_end(j);
}

static void add_threads(struct json *j, const struct cg_profile *p)
{
	uint64_t threads = threads_of(p);

	if (threads == THREADS_SEVERAL)
		json_text(j, "threads", "several");
	else if (threads)
		json_count(j, "threads", threads);
}

static void add_units(struct json *j, const struct cg_profile *p)
{
	bool any = false;

	for (uint32_t e = 0; e < p->nevents; e++) {
		const char *name = cg_string(p, p->events[e].name), *unit = metric_unit(p, name);
		if (!*unit)
			continue;
		if (!any)
			json_begin_object(j, "units");
		any = true;
		json_text(j, name, unit);
	}
	if (any)
		json_end(j);
}

static void add_samples(struct json *j, const struct cg_profile *p)
{
	bool any = false;

	for (uint32_t e = 0; e < p->nevents; e++) {
		const char *name = cg_string(p, p->events[e].name);
		uint64_t samples;
		if (!cg_samples_behind(p, name, &samples))
			continue;
		if (!any)
			json_begin_object(j, "samples");
		any = true;
		json_count(j, name, samples);
	}
	if (any)
		json_end(j);
}

/* The only part of its files is the profile itself. */
static void add_parts(struct json *j, const struct cg_profile *p)
{
	json_begin_array(j, "parts");
	bool listed = p->nparts > 1 || p->left_out;
	for (uint32_t i = 0; listed && i < p->nparts; i++)
		add_part(j, p, &p->parts[i]);
	json_end(j);
	if (p->left_out)
		json_count(j, "parts_left_out", p->left_out);
}

static void add_known_text(struct json *j, const char *key, const char *text)
{
	if (text)
		json_text(j, key, text);
}

void json_origin(struct json *j, const struct report_origin *o, const struct cg_profile *p)
{
	json_text(j, "name", o->name);
	add_known_text(j, "path", o->path);
	add_known_text(j, "command", o->command);
	add_known_text(j, "commit", o->commit);
	if (o->when)
		json_time(j, "written", o->written);
	add_known_text(j, "creator", p->creator ? cg_string(p, p->creator) : NULL);
	add_threads(j, p);
	add_units(j, p);
	add_samples(j, p);
	add_parts(j, p);
}

static void add_inlining(struct json *j, const struct cg_profile *p,
			 const struct report_inlining *i)
{
	json_begin_object(j, "inlined_functions");
	json_text(j, "source", inlining_source_name(i->source));
	json_begin_array(j, "missing");
	for (size_t m = 0; m < i->nmissing; m++) {
		json_begin_object(j, NULL);
		json_text(j, "object", i->missing[m].object);
		json_text(j, "reason", i->missing[m].reason);
		json_cost(j, "cost", inlining_object_cost(p, i->missing[m].object, 0));
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

void json_add_profile(struct json *j, const struct cg_profile *p,
		      const struct report_origin *origin)
{
	json_begin_object(j, "profile");
	json_origin(j, origin, p);
	if (p->skipped)
		json_count(j, "skipped_lines", p->skipped);
	if (origin->inlining && origin->inlining->source != INLINING_UNKNOWN)
		add_inlining(j, p, origin->inlining);
	json_end(j);
}

/* ---- functions ---- */

/* Of the events that are shown, by their names. */
static void add_event_costs(struct json *j, const char *key, const struct show_report *r,
			    const int64_t *costs)
{
	json_begin_object(j, key);
	for (size_t i = 0; i < r->nevents; i++) {
		const struct cg_event *e = &r->profile->events[r->events[i]];
		json_cost(j, cg_string(r->profile, e->name), costs[r->events[i]]);
	}
	json_end(j);
}

static void add_show_function(struct json *j, const struct show_report *r,
			      const struct flat_row *row)
{
	const struct cg_function *f = &r->profile->functions[row->function];

	json_text(j, "function", view_function(r->profile, row->function));
	json_text(j, "object", f->object ? cg_string(r->profile, f->object) : NULL);
	json_text(j, "file", f->file ? cg_string(r->profile, f->file) : NULL);
	if (row->code != FLAT_CODE_OWN)
		json_text(j, "code", flat_code_name(row->code));
}

static void add_show_row(struct json *j, const struct show_report *r, const struct flat_row *row)
{
	json_begin_object(j, NULL);
	if (r->flat->rollup.by == CG_BY_FUNCTION) {
		add_show_function(j, r, row);
	} else {
		json_text(j, "name", flat_row_name(r->flat, row));
		json_count(j, "functions", row->functions);
	}
	json_count(j, "calls", row->calls);
	add_event_costs(j, "self", r, row->self);
	add_event_costs(j, "inclusive", r, row->inclusive);
	if (row->bound)
		json_flag(j, "inclusive_is_upper_bound", true);
	json_end(j);
}

/* Either functions or groups, so that whoever reads the one does not meet the other. */
static void add_show_rows(struct json *j, const struct show_report *r, const char *key, bool wanted)
{
	json_begin_array(j, key);
	for (size_t i = 0; wanted && i < r->flat->count && (!r->top || i < r->top); i++)
		add_show_row(j, r, &r->flat->rows[i]);
	json_end(j);
}

int show_flat_json(const struct show_report *r, FILE *to)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;

	json_text(j, "schema", "irdiff/show");
	json_count(j, "version", SHOW_VERSION);
	json_add_profile(j, r->profile, &r->origin);
	add_event_costs(j, "totals", r, r->profile->total);
	json_text(j, "sorted_by", r->sort);
	json_flag(j, "by_inclusive", r->by_inclusive);
	json_text(j, "filter", r->filter);
	bool functions = r->flat->rollup.by == CG_BY_FUNCTION;
	json_text(j, "by", cg_rollup_word(r->flat->rollup.by));
	add_show_rows(j, r, "functions", functions);
	add_show_rows(j, r, "groups", !functions);
	insights_json(j, r->insights);
	return json_finish(j, to);
}

/* ---- paths ---- */

/* `parent` is where the row above it stands in the array; no number where a tree begins. */
static void add_tree_path(struct json *j, const struct show_report *r,
			  const struct tree_view_row *row)
{
	const struct cg_tree *t = r->tree->tree;
	const struct cg_tree_node *n = &t->nodes[row->node];
	const struct cg_function *f = &r->profile->functions[n->function];
	size_t at = (size_t)row->node * r->profile->nevents;

	json_begin_object(j, NULL);
	if (row->parent)
		json_count(j, "parent", row->parent - 1);
	else
		json_none(j, "parent");
	json_text(j, "function",
		  n->outside ? CG_TREE_OUTSIDE : view_function(r->profile, n->function));
	json_text(j, "object", f->object ? cg_string(r->profile, f->object) : NULL);
	json_text(j, "file", f->file ? cg_string(r->profile, f->file) : NULL);
	json_flag(j, "outside", n->outside);
	json_flag(j, "inlined", n->inlined);
	json_flag(j, "estimated", n->estimated || n->estimated_below);
	json_flag(j, "truncated", n->truncated);
	json_count(j, "calls", n->calls);
	add_event_costs(j, "self", r, t->self + at);
	add_event_costs(j, "inclusive", r, t->inclusive + at);
	json_end(j);
}

int show_tree_json(const struct show_report *r, FILE *to)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;

	json_text(j, "schema", "irdiff/tree");
	json_count(j, "version", TREE_VERSION);
	json_add_profile(j, r->profile, &r->origin);
	add_event_costs(j, "totals", r, r->profile->total);
	json_text(j, "sorted_by", r->sort);
	json_text(j, "filter", r->filter);
	json_text(j, "root", r->tree->root);
	json_flag(j, "exact", r->tree->tree->exact);
	json_number(j, "estimated_percent", r->tree->doubt.estimated);
	json_number(j, "truncated_percent", r->tree->doubt.truncated);
	json_number(j, "misfit_percent", r->tree->tree->misfit.percent);
	json_count(j, "hidden", r->tree->total - r->tree->count);
	json_begin_array(j, "paths");
	for (size_t i = 0; i < r->tree->count; i++)
		add_tree_path(j, r, &r->tree->rows[i]);
	json_end(j);
	insights_json(j, r->insights);
	return json_finish(j, to);
}
