/* Which functions a rule is about. */
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/insight/rule_functions.h"
#include "src/view/pattern.h"

/* ---- names ---- */

const char *name_or_unknown(const char *text)
{
	return *text ? text : "???";
}

static size_t copy_name_part(char *to, const char *text, size_t len, char end)
{
	memcpy(to, text, len);
	to[len] = end;
	return len + 1;
}

/* Enough bytes for a name; its stem is shorter, but takes longer to find. */
static size_t room_for(const struct cg_profile *p, uint32_t function)
{
	const struct cg_function *f = &p->functions[function];
	const char *object = name_or_unknown(cg_base_name(cg_string(p, f->object)));

	return strlen(object) + strlen(name_or_unknown(cg_string(p, f->file))) +
	       strlen(cg_string(p, f->name)) + 3;
}

/* Writes the name at `to`; *last is where its last part begins. */
static size_t put_name(const struct cg_profile *p, uint32_t function, char *to, size_t *last)
{
	const struct cg_function *f = &p->functions[function];
	const char *object = name_or_unknown(cg_base_name(cg_string(p, f->object)));
	const char *file = name_or_unknown(cg_string(p, f->file)), *name = cg_string(p, f->name);
	size_t at = copy_name_part(to, object, strlen(object), ':');

	at += copy_name_part(to + at, file, strlen(file), ':');
	*last = at;
	return at + copy_name_part(to + at, name, cg_name_stem(name, strlen(name)), '\0');
}

static int make_names(struct insight_side *s)
{
	const struct cg_profile *p = s->profile;
	size_t size = 0, last;

	if (s->names)
		return CG_OK;
	s->name_at = calloc((size_t)p->nfunctions + 1, sizeof *s->name_at);
	s->function_at = calloc((size_t)p->nfunctions + 1, sizeof *s->function_at);
	for (uint32_t i = 1; i < p->nfunctions; i++)
		size += room_for(p, i);
	s->names = malloc(size + 1);
	if (!s->name_at || !s->function_at || !s->names)
		return CG_ENOMEM;
	size = 0;
	for (uint32_t i = 1; i < p->nfunctions; i++) {
		s->name_at[i] = size;
		size += put_name(p, i, s->names + size, &last);
		s->function_at[i] = s->name_at[i] + last;
	}
	return CG_OK;
}

/* ---- patterns ---- */

struct patterns {
	struct pattern **items;
	size_t count;
};

static int compile(const struct insight_rule *rule, const char *regex, struct pattern **out,
		   struct cg_error *err)
{
	struct cg_error inner = { 0 };
	int status = pattern_compile(regex, out, &inner);
	if (status == CG_ENOMEM)
		return cg_fail_nomem(err);
	return status ? cg_fail(err, status, rule->file, rule->line, "%s", inner.message) : CG_OK;
}

static int compile_all(const struct insight_rule *rule, const struct rule_texts *regexes,
		       struct patterns *out, struct cg_error *err)
{
	int status = CG_OK;

	out->items = calloc(regexes->count + 1, sizeof *out->items);
	if (!out->items)
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < regexes->count; i++) {
		status = compile(rule, regexes->items[i], &out->items[i], err);
		out->count += !status;
	}
	return status;
}

static void free_patterns(struct patterns *p)
{
	for (size_t i = 0; i < p->count; i++)
		pattern_free(p->items[i]);
	free(p->items);
}

static int matches_any_pattern(const struct insight_side *s, uint32_t function,
			       const struct patterns *patterns, bool *matches, struct cg_error *err)
{
	const char *whole = s->names + s->name_at[function];
	const char *name = s->names + s->function_at[function];
	int status = CG_OK;

	*matches = false;
	for (size_t i = 0; !status && !*matches && i < patterns->count; i++) {
		status = pattern_matches(patterns->items[i], name, matches, err);
		if (!status && !*matches)
			status = pattern_matches(patterns->items[i], whole, matches, err);
	}
	return status;
}

struct rule_patterns {
	struct patterns functions, through;
	struct pattern *objects; /* NULL: any */
};

static int matches_object(const struct insight_side *s, uint32_t function,
			  const struct pattern *objects, bool *matches, struct cg_error *err)
{
	const struct cg_profile *p = s->profile;
	cg_str object = p->functions[function].object;
	/* Functions of one object mostly follow each other. */
	if (function > 1 && p->functions[function - 1].object == object)
		return CG_OK;
	return pattern_matches(objects, cg_base_name(cg_string(p, object)), matches, err);
}

static int find_by_name(const struct insight_side *s, const struct rule_patterns *patterns,
			bool *member, struct cg_error *err)
{
	bool of_object = true;
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < s->profile->nfunctions; i++) {
		if (patterns->objects)
			status = matches_object(s, i, patterns->objects, &of_object, err);
		if (!status && of_object)
			status = matches_any_pattern(s, i, &patterns->functions, &member[i], err);
	}
	return status;
}

bool rule_counts_event(const struct insight_rule *rule)
{
	return rule->event && !rule->functions.count;
}

static void find_by_event(const struct cg_profile *p, const char *name, bool *member)
{
	const int event = cg_event_index(p, name);

	for (uint32_t r = 1; event >= 0 && r < p->nrecords; r++)
		if (p->record_self[(size_t)r * p->nevents + (size_t)event])
			member[p->records[r].function] = true;
}

static int match_side_functions(const struct insight_side *s, const struct insight_rule *rule,
				const struct rule_patterns *patterns, bool *member, bool *through,
				bool *any, struct cg_error *err)
{
	int status = CG_OK;

	if (rule_counts_event(rule))
		find_by_event(s->profile, rule->event, member);
	else
		status = find_by_name(s, patterns, member, err);
	for (uint32_t i = 1; i < s->profile->nfunctions; i++)
		*any |= member[i];
	for (uint32_t i = 1; *any && !status && i < s->profile->nfunctions; i++)
		if (!member[i])
			status = matches_any_pattern(s, i, &patterns->through, &through[i], err);
	return status;
}

static int compile_rule(const struct insight_rule *rule, struct rule_patterns *out,
			struct cg_error *err)
{
	int status = compile_all(rule, &rule->functions, &out->functions, err);
	if (!status)
		status = compile_all(rule, &rule->through, &out->through, err);
	if (!status && rule->objects)
		status = compile(rule, rule->objects, &out->objects, err);
	return status;
}

int rule_functions_find(struct evidence_search *f, const struct insight_rule *rule, int first,
			struct rule_functions *out)
{
	struct rule_patterns patterns = { 0 };
	struct rule_functions m = { 0 };
	int status = compile_rule(rule, &patterns, f->err);

	for (int i = first; !status && i < SIDES; i++) {
		struct insight_side *s = &f->sides[i];
		if (!s->profile)
			continue;
		m.member[i] = calloc((size_t)s->profile->nfunctions + 1, sizeof(bool));
		m.through[i] = calloc((size_t)s->profile->nfunctions + 1, sizeof(bool));
		status = !m.member[i] || !m.through[i] || make_names(s) ? cg_fail_nomem(f->err)
									: CG_OK;
		if (!status)
			status = match_side_functions(s, rule, &patterns, m.member[i], m.through[i],
						      &m.any[i], f->err);
	}
	free_patterns(&patterns.functions);
	free_patterns(&patterns.through);
	pattern_free(patterns.objects);
	if (status)
		rule_functions_free(&m);
	else
		*out = m;
	return status;
}

void rule_functions_free(struct rule_functions *m)
{
	for (int i = 0; i < SIDES; i++) {
		free(m->member[i]);
		free(m->through[i]);
	}
	*m = (struct rule_functions){ 0 };
}
