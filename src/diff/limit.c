#include "src/diff/limit.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "callgrind/support/text.h"
#include "src/diff/metric.h"

#define PERCENT_DECIMALS 7 /* LIMIT_WHOLE / 100 is 10^7 */

static const char scope_prefix[] = "fn:";
static const char module_prefix[] = "mod:";
static const char namespace_prefix[] = "namespace:";
static const char case_prefix[] = "case:";
static const char inclusive_prefix[] = "incl.";

/* A text being read. Columns in messages count bytes from 1. */
struct limit_scan {
	const char *text;
	size_t len, at;
	struct cg_error *err;
};

struct amount {
	bool plus, percent;
	uint64_t value;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char peek(const struct limit_scan *s)
{
	return s->at < s->len ? s->text[s->at] : '\0';
}

static int fail_limit(const struct limit_scan *s, int code, const char *what, const char *fix)
{
	char quoted[CG_QUOTE_SIZE];

	cg_quote(quoted, s->text, s->len);
	return cg_fail(s->err, code, NULL, 0, "%s, column %zu: %s; %s", quoted, s->at + 1, what,
		       fix);
}

/* ---- numbers ---- */

static const char *const forms =
	"a limit is '+2%' or '+500' (growth), '1.2M' (ceiling) or '=' (equal)";

/* Passes over digits with `_` between them. */
static int skip_digits(struct limit_scan *s)
{
	if (!is_digit(peek(s)))
		return fail_limit(s, CG_ESYNTAX,
				  s->at < s->len ? "expected a digit"
						 : "it ends where a digit is expected",
				  forms);
	while (is_digit(peek(s))) {
		s->at++;
		if (peek(s) == '_' && s->at + 1 < s->len && is_digit(s->text[s->at + 1]))
			s->at++;
	}
	return CG_OK;
}

/* The power of ten of a suffix, -1 if it is none. */
static int suffix_power(char c)
{
	switch (c) {
	case 'k':
	case 'K':
		return 3;
	case 'M':
		return 6;
	case 'G':
		return 9;
	case 'T':
		return 12;
	default:
		return -1;
	}
}

/* Says what is wrong with what follows a number. */
static int bad_suffix(const struct limit_scan *s)
{
	switch (peek(s)) {
	case 'e':
	case 'E':
		return fail_limit(s, CG_ESYNTAX, "there are no exponents",
				  "write 1G or 1_000_000_000 for 1e9");
	case ',':
		return fail_limit(s, CG_ESYNTAX, "digits are not grouped with ','",
				  "write 1_200_000 or 1.2M");
	case '_':
		return fail_limit(s, CG_ESYNTAX, "a '_' stands between two digits",
				  "write 1_200_000");
	case ' ':
		return fail_limit(s, CG_ESYNTAX, "there are no spaces in a limit",
				  "write +2% or 1.2M in one word");
	case 'm':
	case 'g':
	case 't':
		return fail_limit(s, CG_ESYNTAX, "unknown suffix",
				  "suffixes are k, M, G and T: capital but for k");
	default:
		return fail_limit(s, CG_ESYNTAX, "unexpected character",
				  "a number may end in k, M, G, T or %");
	}
}

/* Computes digits × 10^power exactly; the digits, maybe with `_` and one `.`
 * in them, begin at s->at and have been checked. */
static int whole_value(struct limit_scan *s, int power, bool percent, uint64_t *value)
{
	uint64_t sum = 0;
	bool fraction = false;

	for (char c; is_digit(c = peek(s)) || c == '_' || c == '.'; s->at++) {
		fraction |= c == '.';
		if (!is_digit(c))
			continue;
		if (fraction && power == 0) {
			if (c == '0')
				continue;
			return fail_limit(s, CG_ERANGE,
					  percent ? "a percentage has at most 7 decimals"
						  : "this is not a whole number of events",
					  percent ? "round it"
						  : "leave the decimals out, or add k, M, G or T");
		}
		if (__builtin_mul_overflow(sum, UINT64_C(10), &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(c - '0'), &sum))
			return fail_limit(s, CG_ERANGE, "the number is too large",
					  "the largest count is 2^64 - 1");
		power -= fraction;
	}
	for (; power > 0; power--)
		if (__builtin_mul_overflow(sum, UINT64_C(10), &sum))
			return fail_limit(s, CG_ERANGE, "the number is too large",
					  "the largest count is 2^64 - 1");
	*value = sum;
	return CG_OK;
}

/* Reads [+]NUMBER[SUFFIX] or [+]NUMBER% to the end of the text. */
static int scan_amount(struct limit_scan *s, struct amount *out)
{
	struct amount amount = { .plus = peek(s) == '+' };
	int rc, power = 0;

	if (peek(s) == '-')
		return fail_limit(s, CG_ESYNTAX, "a limit cannot be negative",
				  "to ask for a saving, set a ceiling such as 1.2M");
	s->at += amount.plus;

	size_t start = s->at;
	if ((rc = skip_digits(s)) != CG_OK)
		return rc;
	if (peek(s) == '.') {
		s->at++;
		if ((rc = skip_digits(s)) != CG_OK)
			return rc;
	}
	if (peek(s) == '%') {
		amount.percent = true;
		power = PERCENT_DECIMALS;
		s->at++;
	} else if (s->at < s->len) {
		power = suffix_power(peek(s));
		if (power < 0)
			return bad_suffix(s);
		s->at++;
	}
	if (s->at < s->len)
		return fail_limit(s, CG_ESYNTAX, "the limit should end here", forms);

	s->at = start;
	rc = whole_value(s, power, amount.percent, &amount.value);
	if (rc == CG_OK)
		*out = amount;
	return rc;
}

/* ---- the grammar ---- */

static int scan_value(struct limit_scan *s, enum limit_kind *kind, uint64_t *value)
{
	struct amount amount;
	int rc;

	if (s->len == 0)
		return cg_fail(s->err, CG_ESYNTAX, NULL, 0, "the limit is empty; %s", forms);
	if (peek(s) == '=') {
		if (s->len > 1) {
			s->at = 1;
			return fail_limit(s, CG_ESYNTAX, "'=' stands alone", forms);
		}
		*kind = LIMIT_EQUAL;
		*value = 0;
		return CG_OK;
	}
	if ((rc = scan_amount(s, &amount)) != CG_OK)
		return rc;
	if (amount.percent && !amount.plus) {
		char advice[64];
		snprintf(advice, sizeof advice, "write it as +%.*s",
			 (int)(s->len < 40 ? s->len : 40), s->text);
		s->at = 0;
		return fail_limit(s, CG_ESYNTAX, "a percentage is a growth and needs its '+'",
				  advice);
	}
	*kind = amount.percent ? LIMIT_GROWTH : amount.plus ? LIMIT_INCREASE : LIMIT_CEILING;
	*value = amount.value;
	return CG_OK;
}

int limit_parse_value(const char *text, enum limit_kind *kind, uint64_t *value,
		      struct cg_error *err)
{
	struct limit_scan s = { .text = text, .len = strlen(text), .err = err };

	return scan_value(&s, kind, value);
}

int limit_parse_amount(const char *text, enum limit_kind kind, uint64_t *value,
		       struct cg_error *err)
{
	struct limit_scan s = { .text = text, .len = strlen(text), .err = err };
	struct amount amount;
	int rc;

	if (kind == LIMIT_EQUAL)
		return cg_fail(err, CG_EINVAL, NULL, 0, "an equal limit has no amount");
	if (s.len == 0)
		return cg_fail(err, CG_ESYNTAX, NULL, 0,
			       "the amount is empty; write a number, such as 500 or 1.2M");
	if ((rc = scan_amount(&s, &amount)) != CG_OK)
		return rc;
	if (kind == LIMIT_GROWTH && !amount.percent)
		return fail_limit(&s, CG_ESYNTAX, "a percentage is expected",
				  "write 2%, or use max_increase for events");
	s.at = s.len - 1;
	if (kind != LIMIT_GROWTH && amount.percent)
		return fail_limit(&s, CG_ESYNTAX, "a count is expected, not a percentage",
				  "only max_growth is in percent");
	s.at = 0;
	if (kind == LIMIT_CEILING && amount.plus)
		return fail_limit(&s, CG_ESYNTAX, "a ceiling has no '+'",
				  "use max_increase for a growth");
	*value = amount.value;
	return CG_OK;
}

static bool has_prefix(const char *text, size_t len, const char *prefix)
{
	size_t n = strlen(prefix);

	return len >= n && memcmp(text, prefix, n) == 0;
}

/* Reads a metric from s->at to a character that cannot be in one. */
static int scan_metric(struct limit_scan *s, size_t *start, bool *inclusive)
{
	bool incl = has_prefix(s->text + s->at, s->len - s->at, inclusive_prefix);
	size_t from;

	if (incl)
		s->at += strlen(inclusive_prefix);
	from = s->at;
	if (!is_letter(peek(s)))
		return fail_limit(s, CG_ESYNTAX, "the name of an event is expected",
				  "such as Ir or D1mr, maybe with incl. in front");
	for (char c; is_letter(c = peek(s)) || is_digit(c) || c == '_' || c == '-';)
		s->at++;
	if (s->at - from > LIMIT_METRIC_MAX)
		return fail_limit(s, CG_ERANGE, "the name of the event is too long",
				  "it has at most 64 bytes");
	*start = from;
	*inclusive = incl;
	return CG_OK;
}

int limit_parse_metric(const char *text, const char **name, bool *inclusive, struct cg_error *err)
{
	struct limit_scan s = { .text = text, .len = strlen(text), .err = err };
	size_t start;
	bool incl;
	int rc = scan_metric(&s, &start, &incl);

	if (rc != CG_OK)
		return rc;
	if (s.at < s.len)
		return fail_limit(&s, CG_ESYNTAX, "this cannot be in the name of an event",
				  "write one such as Ir, or \"fn:REGEX\" for functions");
	*name = text + start;
	*inclusive = incl;
	return CG_OK;
}

bool limit_is_default(const struct limit *limit)
{
	return limit->file && !limit->line && strcmp(limit->file, LIMIT_DEFAULT) == 0;
}

bool limit_is_on_calls(const struct limit *limit)
{
	return strcmp(limit->metric, METRIC_CALLS) == 0;
}

const char *limit_regex(const struct limit *limit)
{
	return limit->function + (limit->by_namespace ? strlen(namespace_prefix)
				  : limit->module     ? strlen(module_prefix)
						      : 0);
}

int limit_parse_scope(const char *key, struct limit *limit, struct cg_error *err)
{
	bool function = has_prefix(key, strlen(key), scope_prefix);
	bool by_namespace = has_prefix(key, strlen(key), namespace_prefix);
	bool module = by_namespace || has_prefix(key, strlen(key), module_prefix);
	const char *prefix = by_namespace ? namespace_prefix
			     : module     ? module_prefix
					  : scope_prefix;

	limit->function = NULL;
	limit->module = limit->by_namespace = false;
	if (!function && !module)
		return CG_OK;

	const char *text = key + strlen(prefix);
	if (*text == '\0')
		return cg_fail(err, CG_ESYNTAX, NULL, 0,
			       "'%s' needs a regex after it, such as %s^json_", prefix, prefix);
	if (strlen(text) > LIMIT_REGEX_MAX)
		return cg_fail(err, CG_ERANGE, NULL, 0,
			       "the regex after '%s' has %zu bytes, at most %d are allowed", prefix,
			       strlen(text), LIMIT_REGEX_MAX);
	limit->function = module ? key : text;
	limit->module = module;
	limit->by_namespace = by_namespace;
	return CG_OK;
}

int limit_parse_case(const char *key, struct limit *limit, struct cg_error *err)
{
	bool of_case = has_prefix(key, strlen(key), case_prefix);

	limit->of_case = of_case ? key + strlen(case_prefix) : NULL;
	if (of_case && !*limit->of_case)
		return cg_fail(
			err, CG_ESYNTAX, NULL, 0,
			"'%s' needs the name of a case after it, or a pattern, such as %ssmall*",
			case_prefix, case_prefix);
	return CG_OK;
}

bool limit_is_on_case(const struct limit *limit, const char *name)
{
	return !limit->of_case || (name && (strcmp(limit->of_case, name) == 0 ||
					    fnmatch(limit->of_case, name, 0) == 0));
}

/* ---- sets ---- */

static bool same_optional_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether two limits are on the same number. */
static bool limit_same_number(const struct limit *a, const struct limit *b)
{
	return a->inclusive == b->inclusive && a->module == b->module &&
	       strcmp(a->metric, b->metric) == 0 && same_optional_text(a->function, b->function);
}

static size_t text_size(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

/* Copies *text to *room, moves *room after it and *text to the copy. */
static void move_text(const char **text, char **room)
{
	size_t size = text_size(*text);

	if (size == 0)
		return;
	memcpy(*room, *text, size);
	*text = *room;
	*room += size;
}

/* A limit and its texts in one block. */
static struct limit *limit_copy(const struct limit *limit)
{
	struct limit *copy = malloc(sizeof *copy + text_size(limit->function) +
				    text_size(limit->of_case) + text_size(limit->metric) +
				    text_size(limit->text) + text_size(limit->file));
	if (!copy)
		return NULL;

	char *room = (char *)(copy + 1);
	*copy = *limit;
	move_text(&copy->function, &room);
	move_text(&copy->of_case, &room);
	move_text(&copy->metric, &room);
	move_text(&copy->text, &room);
	move_text(&copy->file, &room);
	return copy;
}

bool limit_is_on_libraries(const struct limit *limit)
{
	return metric_is_of_heap(limit->metric) || metric_is_same(limit->metric, "syscalls");
}

static int check_new(const struct limit_set *set, const struct limit *limit, struct cg_error *err)
{
	char quoted[CG_QUOTE_SIZE];

	if (limit->inclusive && !limit->function)
		return cg_fail(err, CG_EINVAL, limit->file, limit->line,
			       "'incl.%s': a whole benchmark has no inclusive cost of its own; "
			       "write %s",
			       limit->metric, limit->metric);
	if (limit->module && limit_is_on_libraries(limit))
		return cg_fail(err, CG_EINVAL, limit->file, limit->line,
			       "a limit on %s cannot be on a %s, because libraries do that for its "
			       "functions; limit these with fn:REGEX",
			       limit->metric, limit->by_namespace ? "namespace" : "module");
	if (limit->inclusive && limit->module)
		return cg_fail(err, CG_EINVAL, limit->file, limit->line,
			       "'incl.%s' of a %s would count calls inside of it twice; write %s",
			       limit->metric, limit->by_namespace ? "namespace" : "module",
			       limit->metric);
	if (limit_is_on_calls(limit) && (limit->inclusive || !limit->function || limit->module))
		return cg_fail(err, CG_EINVAL, limit->file, limit->line,
			       "'" METRIC_CALLS
			       "' is how often one function is called; write it below fn:REGEX");
	if (set->count >= LIMIT_SET_MAX)
		return cg_fail(err, CG_ERANGE, limit->file, limit->line,
			       "more than %d limits in one place", LIMIT_SET_MAX);
	for (size_t i = 0; i < set->count; i++) {
		const struct limit *old = set->items[i];

		if (old->kind != limit->kind || old->place != limit->place ||
		    !limit_same_number(old, limit))
			continue;
		return cg_fail(err, CG_EINVAL, limit->file, limit->line,
			       "%s has two %s limits, %s and this one; keep one",
			       cg_quote(quoted, limit->metric, strlen(limit->metric)),
			       limit_kind_name(limit->kind), old->text);
	}
	return CG_OK;
}

int limit_set_add(struct limit_set *set, const struct limit *limit, struct cg_error *err)
{
	struct limit meant = *limit;

	meant.inclusive |= limit->function && limit_is_on_libraries(limit);
	int rc = check_new(set, &meant, err);
	if (rc != CG_OK)
		return rc;
	if (cg_grow(&set->items, &set->cap, set->count + 1, sizeof *set->items) != CG_OK)
		return cg_fail_nomem(err);

	struct limit *copy = limit_copy(&meant);
	if (!copy)
		return cg_fail_nomem(err);
	set->items[set->count++] = copy;
	return CG_OK;
}

void limit_set_free(struct limit_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->items[i]);
	free(set->items);
	*set = (struct limit_set){ 0 };
}

/* ---- the command-line form ---- */

static const char *const spec_form = "a limit is METRIC=VALUE or 'METRIC=VALUE fn:REGEX'";

/* Says what is wrong where `=` is expected. */
static int bad_spec(const struct limit_scan *s)
{
	if (has_prefix(s->text, s->len, scope_prefix))
		return cg_fail(s->err, CG_ESYNTAX, NULL, 0,
			       "the function comes last: write 'METRIC=VALUE fn:REGEX', for "
			       "example 'Ir=+1%% fn:^json_'");
	return fail_limit(s, CG_ESYNTAX, "'=' is expected after the metric", spec_form);
}

/* Reads the value between `=` and a space or the end. */
static int spec_value(struct limit_scan *s, struct limit *limit)
{
	struct limit_scan v = { .text = s->text + s->at, .err = s->err };
	const char *space = memchr(v.text, ' ', s->len - s->at);

	v.len = space ? (size_t)(space - v.text) : s->len - s->at;
	s->at += v.len;
	return scan_value(&v, &limit->kind, &limit->value);
}

/* Reads what is after the value: nothing, or spaces and fn:REGEX. */
static int spec_scope(struct limit_scan *s, struct limit *limit)
{
	if (s->at == s->len)
		return CG_OK;
	while (peek(s) == ' ')
		s->at++;

	int rc = limit_parse_scope(s->text + s->at, limit, s->err);
	if (rc == CG_OK && !limit->function)
		return fail_limit(s, CG_ESYNTAX,
				  "'fn:', 'mod:', 'namespace:' or the end is expected", spec_form);
	return rc;
}

/* Where the texts of a spec are. */
struct spec {
	size_t metric, metric_end, value, value_end;
};

static int spec_parse(struct limit_scan *s, struct limit *limit, struct spec *spec)
{
	int rc;

	if (s->len == 0)
		return cg_fail(s->err, CG_ESYNTAX, NULL, 0, "the limit is empty; %s", spec_form);
	if ((rc = scan_metric(s, &spec->metric, &limit->inclusive)) != CG_OK)
		return rc;
	spec->metric_end = s->at;
	if (peek(s) != '=')
		return bad_spec(s);
	spec->value = ++s->at;
	if ((rc = spec_value(s, limit)) != CG_OK)
		return rc;
	spec->value_end = s->at;
	return spec_scope(s, limit);
}

int limit_set_add_spec(struct limit_set *set, const char *text, enum limit_level level,
		       const char *origin, struct cg_error *err)
{
	struct limit_scan s = { .text = text, .len = strlen(text), .err = err };
	struct limit limit = { .level = level, .file = origin };
	struct spec spec = { 0 };
	int rc = spec_parse(&s, &limit, &spec);

	if (rc != CG_OK)
		return rc;

	/* The limit wants its texts NUL-terminated. */
	char *copy = malloc(s.len + 1);
	if (!copy)
		return cg_fail_nomem(err);
	memcpy(copy, text, s.len + 1);
	copy[spec.metric_end] = '\0';
	copy[spec.value_end] = '\0';
	limit.metric = copy + spec.metric;
	limit.text = copy + spec.value;
	rc = limit_set_add(set, &limit, err);
	free(copy);
	return rc;
}

/* ---- precedence ---- */

/* The level of a limit takes precedence over how few cases it is on. */
static bool overrides(const struct limit *a, const struct limit *b)
{
	return a->level != b->level ? a->level > b->level : a->place > b->place;
}

static const struct limit *overrider(const struct limit_rule *rules, size_t count,
				     const struct limit *limit)
{
	const struct limit *best = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct limit *other = rules[i].limit;

		if (overrides(other, best ? best : limit) && limit_same_number(other, limit))
			best = other;
	}
	return best;
}

int limit_resolve(const struct limit_set *const *sets, size_t nsets, const char *case_name,
		  struct limit_rule **rules, size_t *count, struct cg_error *err)
{
	struct limit_rule *out = NULL;
	size_t n = 0, total = 0;

	for (size_t i = 0; i < nsets; i++)
		total += sets[i]->count;
	if (total > 0) {
		out = calloc(total, sizeof *out);
		if (!out)
			return cg_fail_nomem(err);
	}
	for (size_t i = 0; i < nsets; i++)
		for (size_t j = 0; j < sets[i]->count; j++)
			if (limit_is_on_case(sets[i]->items[j], case_name))
				out[n++].limit = sets[i]->items[j];
	for (size_t i = 0; i < n; i++)
		out[i].overridden_by = overrider(out, n, out[i].limit);
	*rules = out;
	*count = n;
	return CG_OK;
}

const char *limit_kind_name(enum limit_kind kind)
{
	static const char *const names[] = {
		[LIMIT_GROWTH] = "growth",   [LIMIT_INCREASE] = "increase",
		[LIMIT_CEILING] = "ceiling", [LIMIT_EQUAL] = "equal",
		[LIMIT_PRESENT] = "present",
	};

	return names[kind];
}
