#include "src/json/json.h"
#include "src/report/verify_report.h"

#define SCHEMA_VERSION 3

static const char *known_name(const char *text)
{
	return *text ? text : NULL;
}

static void add_spread(struct json *j, const struct spread *s)
{
	json_cost(j, "min", s->min);
	json_cost(j, "max", s->max);
}

static void add_verify_function(struct json *j, const char *key, const struct variation_function *f)
{
	json_begin_object(j, key);
	json_text(j, "function", known_name(f->name));
	json_text(j, "object", known_name(f->object));
	json_text(j, "file", known_name(f->file));
	json_end(j);
}

static void add_totals(struct json *j, const struct verify_report *r)
{
	const struct variation *v = r->variation;

	json_begin_array(j, "totals");
	for (uint32_t e = 0; e < v->nevents; e++) {
		json_begin_object(j, NULL);
		json_text(j, "event", cg_string(r->profile, r->profile->events[e].name));
		add_spread(j, &v->totals[e]);
		json_number(j, "ppm", spread_ppm(&v->totals[e]));
		json_end(j);
	}
	json_end(j);
}

static void add_variation(struct json *j, const struct verify_report *r)
{
	const struct variation *v = r->variation;

	if (v->nfunctions)
		json_text(j, "event", cg_string(r->profile, r->profile->events[v->event].name));
	else
		json_none(j, "event");
	json_begin_array(j, "functions");
	for (size_t i = 0; i < v->nfunctions; i++) {
		json_begin_object(j, NULL);
		add_verify_function(j, "function", &v->functions[i].function);
		add_spread(j, &v->functions[i].spread);
		json_end(j);
	}
	json_end(j);
	json_begin_array(j, "calls");
	for (size_t i = 0; i < v->ncalls; i++) {
		json_begin_object(j, NULL);
		add_verify_function(j, "caller", &v->calls[i].function);
		add_verify_function(j, "callee", &v->calls[i].callee);
		add_spread(j, &v->calls[i].spread);
		json_end(j);
	}
	json_end(j);
}

/* As irdiff.yml takes it; an event that does not vary is left out. */
static void add_verify_tolerance(struct json *j, const struct verify_report *r)
{
	const struct variation *v = verify_variation(r);

	json_begin_object(j, "tolerance");
	for (uint32_t e = 0; e < v->nevents; e++)
		if (verify_states(r, e))
			json_count(j, cg_string(r->profile, r->profile->events[e].name),
				   variation_tolerance(v, e));
	json_end(j);
}

static void add_verify_words(struct json *j, const char *key, const char *const *words)
{
	json_begin_array(j, key);
	for (; *words; words++)
		json_text(j, NULL, *words);
	json_end(j);
}

static const char *attempt_result(const struct verify_attempt *a)
{
	if (a->timed_out)
		return "timed out";
	if (a->out_of_time)
		return "out of time";
	return a->failed ? "failed" : a->equal ? "equal" : "different";
}

static void add_attempts(struct json *j, const struct verify_report *r)
{
	json_begin_array(j, "attempts");
	for (size_t i = 0; i < r->nattempts; i++) {
		const struct verify_attempt *a = &r->attempts[i];
		json_begin_object(j, NULL);
		add_verify_words(j, "remedies", a->remedies);
		json_text(j, "result", attempt_result(a));
		json_count(j, "runs", a->runs);
		json_count(j, "limit", a->limit);
		add_spread(j, &a->spread);
		json_end(j);
	}
	json_end(j);
}

static void add_remedy(struct json *j, const char *key, const struct verify_remedy *remedy)
{
	if (!remedy) {
		json_none(j, key);
		return;
	}
	json_begin_object(j, key);
	add_verify_words(j, "freeze", remedy->freeze);
	json_begin_array(j, "env");
	for (const char *const *const *list = remedy->env; *list; list++)
		for (const char *const *variable = *list; *variable; variable++)
			json_text(j, NULL, *variable);
	json_end(j);
	json_flag(j, "warm_up", remedy->warm_up);
	json_flag(j, "presets", remedy->presets);
	json_end(j);
}

int verify_json(const struct verify_report *r, FILE *to)
{
	struct json *j = json_new();
	const char *words[VERIFY_WORDS];

	if (!j)
		return CG_ENOMEM;
	json_text(j, "schema", "irdiff/verify");
	json_count(j, "version", SCHEMA_VERSION);
	json_text(j, "name", r->name);
	json_text(j, "benchmark", r->benchmark);
	json_count(j, "runs", r->runs);
	json_flag(j, "equal", r->equal);
	verify_differences(r, words);
	add_verify_words(j, "differs", words);
	json_flag(j, "threads", r->threads);
	add_totals(j, r);
	add_variation(j, r);
	add_attempts(j, r);
	add_remedy(j, "remedy", r->remedy);
	add_remedy(j, "reduction", r->reduction);
	add_verify_tolerance(j, r);
	return json_finish(j, to);
}
