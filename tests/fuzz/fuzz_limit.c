/*
 * Limits: each line of the input is taken for a value, an amount, a metric, a
 * scope and a spec. Specs of all levels are resolved and judge a small diff.
 */
#include "callgrind/build.h"
#include "src/diff/judge.h"
#include "tests/fuzz/fuzz.h"

#define LEVELS 3 /* of enum limit_level */
#define UNTOUCHED UINT64_C(0x5555aaaa5555aaaa)

__extension__ typedef __int128 wide_t;
typedef __typeof__(((struct limit_counts *)0)->head) count_t;

/* ---- judging ---- */

static enum limit_status judged(const struct limit *limit, count_t base, count_t head)
{
	struct limit_counts counts = { .has_base = true, .base = base, .head = head };
	return limit_judge(limit, &counts);
}

/* A growth limit, without rounding. */
static bool grows_too_much(const struct limit *limit, count_t base, count_t head)
{
	wide_t size = base < 0 ? -(wide_t)base : base;

	return ((wide_t)head - base) * (wide_t)LIMIT_WHOLE > size * (wide_t)limit->value;
}

/* What is allowed passes, one more does not. */
static void check_border(const struct limit *limit, count_t base)
{
	struct limit_counts counts = { .has_base = true, .base = base };
	count_t allowed, more;

	LAW(limit_allowed(limit, &counts, &allowed), "with a base something is allowed");
	LAW(judged(limit, base, allowed) == LIMIT_PASS, "what is allowed passes");
	if (limit->kind == LIMIT_GROWTH)
		LAW(!grows_too_much(limit, base, allowed), "allowed growth is not too much");
	if (__builtin_add_overflow(allowed, 1, &more))
		return;
	LAW(judged(limit, base, more) == LIMIT_EXCEEDED, "more than is allowed breaks the limit");
	if (limit->kind == LIMIT_GROWTH)
		LAW(grows_too_much(limit, base, more), "a growth limit is broken too early");
}

static void check_judging(enum limit_kind kind, uint64_t value)
{
	static const count_t bases[] = { 0,         1,  99,    1000000,    INT64_C(1) << 53,
					 INT64_MAX, -1, -1000, -INT64_MAX, INT64_MIN };
	const struct limit limit = { .kind = kind, .value = value, .metric = "Ir" };
	struct limit_counts none = { .head = 7 };

	for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
		check_border(&limit, bases[i]);
	LAW((limit_judge(&limit, &none) == LIMIT_NO_BASE) == (kind != LIMIT_CEILING),
	    "all but ceilings need a base");
}

/* ---- one text ---- */

/* A value as plainly as the grammar has it. */
static void print_value(char *out, size_t size, enum limit_kind kind, uint64_t value)
{
	const uint64_t percent = LIMIT_WHOLE / 100;

	if (kind == LIMIT_EQUAL)
		snprintf(out, size, "=");
	else if (kind == LIMIT_GROWTH)
		snprintf(out, size, "+%" PRIu64 ".%07" PRIu64 "%%", value / percent,
			 value % percent);
	else
		snprintf(out, size, "%s%" PRIu64, kind == LIMIT_INCREASE ? "+" : "", value);
}

static void check_printed(enum limit_kind kind, uint64_t value)
{
	char text[64];
	enum limit_kind kind_again = kind;
	uint64_t again = UNTOUCHED;

	print_value(text, sizeof text, kind, value);
	int status = limit_parse_value(text, &kind_again, &again, NULL);
	LAW(!status && kind_again == kind && again == value, "%s %" PRIu64 " is not %s",
	    limit_kind_name(kind), value, text);
}

static void check_value(const char *text)
{
	struct cg_error err = { 0 };
	enum limit_kind kind = LIMIT_EQUAL;
	uint64_t value = UNTOUCHED, amount = UNTOUCHED;
	int status = limit_parse_value(text, &kind, &value, &err);

	check_error(status, &err);
	if (status) {
		LAW(value == UNTOUCHED, "a failure stores nothing");
		return;
	}
	check_printed(kind, value);
	check_judging(kind, value);
	if (kind != LIMIT_EQUAL)
		LAW(!limit_parse_amount(text, kind, &amount, NULL) && amount == value,
		    "%s is another amount than value", text);
}

static void check_amount(const char *text, enum limit_kind kind)
{
	struct cg_error err = { 0 };
	uint64_t value = UNTOUCHED;
	int status = limit_parse_amount(text, kind, &value, &err);

	check_error(status, &err);
	if (status)
		LAW(value == UNTOUCHED, "a failure stores nothing");
	else
		check_printed(kind, value);
}

static void check_words(const char *text)
{
	struct cg_error err = { 0 };
	const char *name = NULL;
	struct limit limit = { 0 };
	bool inclusive;
	int status = limit_parse_metric(text, &name, &inclusive, &err);

	check_error(status, &err);
	if (!status)
		LAW(strlen(name) <= LIMIT_METRIC_MAX && name == text + (inclusive ? 5 : 0),
		    "a metric is the rest of its text");
	err = (struct cg_error){ 0 };
	status = limit_parse_scope(text, &limit, &err);
	check_error(status, &err);
	if (!status)
		LAW(!limit.function ==
			    (strncmp(text, "fn:", 3) != 0 && strncmp(text, "mod:", 4) != 0 &&
			     strncmp(text, "namespace:", 10) != 0),
		    "a scope begins with fn:, mod: or namespace:");
}

/* A limit written as a spec is the same limit. */
static void check_spec_again(const struct limit *limit)
{
	struct limit_set set = { 0 };
	struct cg_error err = { 0 };
	char *spec;
	int len = asprintf(&spec, "%s%s=%s%s%s", limit->inclusive ? "incl." : "", limit->metric,
			   limit->text,
			   !limit->function ? ""
			   : limit->module  ? " "
					    : " fn:",
			   limit->function ? limit->function : "");

	LAW(len >= 0, "out of memory");
	int status = limit_set_add_spec(&set, spec, limit->level, limit->file, &err);
	LAW(!status, "%s is refused: %s", spec, err.message);
	const struct limit *again = set.items[0];
	LAW(again->kind == limit->kind && again->value == limit->value &&
		    again->inclusive == limit->inclusive &&
		    strcmp(again->metric, limit->metric) == 0 &&
		    strcmp(again->text, limit->text) == 0 && !again->function == !limit->function &&
		    (!limit->function || strcmp(again->function, limit->function) == 0),
	    "%s is another limit", spec);
	limit_set_free(&set);
	free(spec);
}

static void check_spec(const char *text, struct limit_set *set, enum limit_level level)
{
	struct cg_error err = { 0 };
	size_t before = set->count;
	int status = limit_set_add_spec(set, text, level, "--limit", &err);

	/* A second limit on the same number is refused with its place. */
	check_error(status, &err);
	LAW(set->count == before + !status, "a spec is one limit, a failure none");
	if (!status)
		check_spec_again(set->items[before]);
}

/* ---- all of them ---- */

static struct cg_profile *small_profile(const cost_t *costs)
{
	static const char *const names[] = { "main", "json_parse", "std::map<a, b>::find" };
	static const struct cg_detail flat;
	static const struct cg_position nowhere;
	struct cg_event event = { 0 };
	struct cg_profile *p = NULL;
	struct cg_builder *b;
	uint32_t caller = 0;

	int status = cg_builder_new(&b, &flat);
	LAW(!status, "out of memory");
	status |= cg_build_string(b, "Ir", 2, &event.name);
	status |= cg_build_event(b, &event);
	status |= cg_build_part(b);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct cg_function f = { 0 };
		struct cg_record r = { .level = 1 };
		uint32_t record = 0;
		status |= cg_build_string(b, names[i], strlen(names[i]), &f.name);
		status |= cg_build_function(b, &f, &r.function);
		status |= cg_build_record(b, &r, &record);
		status |= cg_build_self(b, record, &nowhere, &costs[i]);
		if (caller)
			status |= cg_build_call(b, caller, record, &nowhere, 1, &costs[i]);
		caller = record;
	}
	status |= cg_builder_finish(b, &p);
	LAW(!status, "a small profile can be built");
	return p;
}

static void check_verdicts(const struct judgement *j, const struct limit_rule *rules, size_t count)
{
	size_t broken = 0;

	LAW(j->count >= count, "%zu rules have %zu verdicts", count, j->count);
	for (size_t i = 0; i < j->count; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		broken += limit_fails(v->status, true);
		LAW((v->status == LIMIT_OVERRIDDEN) == (v->rule.overridden_by != NULL),
		    "only what is overridden is not judged");
		LAW(limit_status_name(v->status)[0], "every status has a name");
	}
	LAW(broken == j->failing, "%zu of %zu verdicts fail", j->failing, broken);
	for (size_t i = 0; i < count; i++)
		LAW(!rules[i].overridden_by ||
			    rules[i].overridden_by->level > rules[i].limit->level,
		    "a rule is overridden from above");
}

static void judge_all(const struct limit_rule *rules, size_t count)
{
	static const cost_t base_costs[] = { 1000, 500, 0 }, head_costs[] = { 1010, 499, 7 };
	static const struct diff_options options = { .metric = "Ir" };
	struct cg_profile *base = small_profile(base_costs), *head = small_profile(head_costs);
	struct judgement judgement = { 0 };
	struct cg_error err = { 0 };
	struct diff *diff = NULL;

	int status = diff_make(base, head, &options, &diff, &err);
	LAW(!status, "two small profiles cannot be compared: %s", err.message);
	status = judge(diff, rules, count, &(struct judge_options){ .require_base = true },
		       &judgement, &err);
	check_error(status, &err);
	if (!status)
		check_verdicts(&judgement, rules, count);
	judgement_free(&judgement);
	diff_free(diff);
	cg_profile_free(base);
	cg_profile_free(head);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct limit_set sets[LEVELS] = { { 0 } };
	const struct limit_set *all[LEVELS] = { &sets[0], &sets[1], &sets[2] };
	struct limit_rule *rules = NULL;
	size_t count = 0, level = 0;
	char *text = text_of(data, size), *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		check_value(line);
		for (int kind = LIMIT_GROWTH; kind < LIMIT_EQUAL; kind++)
			check_amount(line, (enum limit_kind)kind);
		check_words(line);
		check_spec(line, &sets[level], (enum limit_level)level);
		level = (level + 1) % LEVELS;
	}
	int status = limit_resolve(all, LEVELS, NULL, &rules, &count, NULL);
	LAW(!status && count == sets[0].count + sets[1].count + sets[2].count,
	    "every limit is a rule");
	if (count)
		judge_all(rules, count);
	free(rules);
	for (size_t i = 0; i < LEVELS; i++)
		limit_set_free(&sets[i]);
	free(text);
	return 0;
}
