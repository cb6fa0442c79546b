#include "src/cli/option_rules.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/message.h"

struct rule_check {
	const struct command_help *help;
	const struct option_spec *specs;
	size_t nspecs;
	struct option_state *states;
	const struct arguments *args;
};

/* A word of a rule: "--view=flat|tree" has the name "view" and the values "flat|tree". */
struct rule_word {
	const char *text, *name, *values; /* values: NULL if it has none */
	size_t len, name_len, values_len;
};

/* The first word of *at, which moves past it. False at the end. */
static bool next_rule_word(const char **at, struct rule_word *word)
{
	const char *text = *at + strspn(*at, " ");
	size_t len = strcspn(text, " ");
	const char *equals = memchr(text, '=', len);

	*at = text + len;
	*word = (struct rule_word){ .text = text, .len = len };
	if (len > 2 && strncmp(text, "--", 2) == 0) {
		word->name = text + 2;
		word->name_len = (size_t)((equals ? equals : text + len) - word->name);
	}
	if (equals) {
		word->values = equals + 1;
		word->values_len = (size_t)(text + len - word->values);
	}
	return len > 0;
}

static bool is_rule_word(const struct rule_word *word, const char *text)
{
	return strlen(text) == word->len && strncmp(word->text, text, word->len) == 0;
}

static const struct option_spec *find_option(const struct rule_check *c, const char *name,
					     size_t len)
{
	for (size_t i = 0; i < c->nspecs; i++)
		if (strlen(c->specs[i].name) == len && strncmp(c->specs[i].name, name, len) == 0)
			return &c->specs[i];
	return NULL;
}

static struct option_state *state_of(const struct rule_check *c, const struct option_spec *o)
{
	return &c->states[o - c->specs];
}

static bool is_set(const struct rule_check *c, const struct option_spec *o)
{
	const struct option_state *state = state_of(c, o);
	return state->given || state->from_variable;
}

union option_value option_value_of(const struct option_spec *o)
{
	union option_value value = { 0 };

	switch (o->kind) {
	case OPTION_SWITCH:
		value.on = *(const bool *)o->to;
		break;
	case OPTION_MAYBE:
		value.maybe = *(const int *)o->to;
		break;
	case OPTION_TEXT:
	case OPTION_CHOICE:
		value.text = *(const char *const *)o->to;
		break;
	case OPTION_NUMBER:
		value.number = *(const uint64_t *)o->to;
		break;
	case OPTION_PERCENT:
		value.percent = *(const double *)o->to;
		break;
	case OPTION_LIST:
		break;
	}
	return value;
}

/* Undoes what a variable has set. */
static void drop_variable(const struct rule_check *c, const struct option_spec *o)
{
	struct option_state *state = state_of(c, o);
	struct text_list *list = o->to;

	state->from_variable = false;
	switch (o->kind) {
	case OPTION_SWITCH:
		*(bool *)o->to = state->standard.on;
		break;
	case OPTION_MAYBE:
		*(int *)o->to = state->standard.maybe;
		break;
	case OPTION_TEXT:
	case OPTION_CHOICE:
		*(const char **)o->to = state->standard.text;
		break;
	case OPTION_NUMBER:
		*(uint64_t *)o->to = state->standard.number;
		break;
	case OPTION_PERCENT:
		*(double *)o->to = state->standard.percent;
		break;
	case OPTION_LIST:
		list->count = 0;
		list->items[0] = NULL;
		break;
	}
}

/* The text of an option; NULL if it has no value, or is no text. */
static const char *text_value(const struct option_spec *o)
{
	const char *text = o->kind == OPTION_TEXT || o->kind == OPTION_CHOICE
				   ? *(const char *const *)o->to
				   : NULL;
	return text && *text ? text : NULL;
}

static bool has_value(const struct rule_check *c, const struct option_spec *o)
{
	switch (o->kind) {
	case OPTION_SWITCH:
		return *(const bool *)o->to;
	case OPTION_MAYBE:
		return *(const int *)o->to == 1;
	case OPTION_LIST:
		return ((const struct text_list *)o->to)->count > 0;
	case OPTION_TEXT:
	case OPTION_CHOICE:
		return *(const char *const *)o->to != NULL;
	default:
		return is_set(c, o);
	}
}

static bool is_one_of(const char *text, const char *values, size_t len)
{
	for (const char *v = values, *end = values + len; v < end;) {
		size_t n = strcspn(v, "| ");
		if (strlen(text) == n && strncmp(v, text, n) == 0)
			return true;
		v += n + 1;
	}
	return false;
}

/* Whether the option of a word has one of its values, or a value if it names none. */
static bool option_word_holds(const struct rule_check *c, const struct rule_word *word)
{
	const struct option_spec *o = find_option(c, word->name, word->name_len);

	if (!o)
		return false;
	if (!word->values)
		return has_value(c, o);
	const char *text = text_value(o);
	return text && is_one_of(text, word->values, word->values_len);
}

/* Whether a condition holds. If not, *broken is what does not: a word of it, or all operands. */
static bool condition_holds(const struct rule_check *c, const char *condition,
			    struct rule_word *broken)
{
	struct rule_word word, operands = { .text = NULL };
	size_t noperands = 0;

	for (const char *at = condition; next_rule_word(&at, &word);) {
		*broken = word;
		if (is_rule_word(&word, "--")) {
			broken->len = strlen(word.text);
			return c->args->has_rest;
		}
		if (word.name && !option_word_holds(c, &word))
			return false;
		if (word.name)
			continue;
		if (!noperands++)
			operands = word;
		operands.len = (size_t)(at - operands.text);
	}
	*broken = operands;
	return c->args->count >= noperands;
}

/* The first option of the rule that is used; false: none is. */
static bool find_used(const struct rule_check *c, const struct option_rule *rule,
		      struct rule_word *used)
{
	for (const char *at = rule->options; next_rule_word(&at, used);) {
		const struct option_spec *o = find_option(c, used->name, used->name_len);
		if (o && is_set(c, o) && (!used->values || option_word_holds(c, used)))
			return true;
	}
	return false;
}

/* "--view=tree --format=text" as "--view=tree and --format=text". The caller's; NULL: out of
 * memory. */
static char *with_and(const char *condition)
{
	char *text = NULL;
	size_t size;
	struct rule_word word;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (const char *at = condition; next_rule_word(&at, &word);)
		fprintf(to, "%s%.*s",
			word.text == condition ? ""
			: word.name            ? " and "
					       : " ",
			(int)word.len, word.text);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* An option as the user would write it: of a rule about values with the one that it has. The
 * caller's; NULL: out of memory. */
static char *as_written(const struct rule_check *c, const struct rule_word *used)
{
	const struct option_spec *o = find_option(c, used->name, used->name_len);
	const char *value = o && used->values ? text_value(o) : NULL;
	char *text;

	return asprintf(&text, "--%s%s%s", o ? o->name : "", value ? "=" : "", value ? value : "") <
			       0
		       ? NULL
		       : text;
}

static void print_broken_rule(const struct rule_check *c, const struct option_rule *rule,
			      const struct rule_word *used, const struct rule_word *broken)
{
	const char *separator = rule->hint ? "; " : "", *hint = rule->hint ? rule->hint : "";
	char *option = as_written(c, used), *others = with_and(rule->condition);

	if (rule->kind == REQUIRES)
		usage_error(c->help->name, "%s requires %.*s%s%s", option ? option : rule->options,
			    (int)broken->len, broken->text, separator, hint);
	else
		usage_error(c->help->name, "%s cannot be used with %s%s%s",
			    option ? option : rule->options, others ? others : rule->condition,
			    separator, hint);
	free(option);
	free(others);
}

/* Drops the first option of these words that a variable has set; false: there is no such option. */
static bool drop_first_variable(const struct rule_check *c, const char *words, size_t len)
{
	struct rule_word word;

	for (const char *at = words; at < words + len && next_rule_word(&at, &word);) {
		const struct option_spec *o = word.name ? find_option(c, word.name, word.name_len)
							: NULL;
		if (o && state_of(c, o)->from_variable) {
			drop_variable(c, o);
			return true;
		}
	}
	return false;
}

/* Whether the command has said why the rule is broken. */
static bool is_explained(const struct rule_check *c)
{
	const struct option_spec *bench = find_option(c, "bench", strlen("bench"));
	bool text = bench && bench->kind == OPTION_TEXT;

	return c->help->explain &&
	       c->help->explain(c->args, text ? *(const char *const *)bench->to : NULL);
}

enum rule_outcome { RULE_HOLDS, RULE_DROPPED, RULE_BROKEN };

static enum rule_outcome check_rule(const struct rule_check *c, const struct option_rule *rule)
{
	struct rule_word used, broken;

	if (!find_used(c, rule, &used) ||
	    condition_holds(c, rule->condition, &broken) == (rule->kind == REQUIRES))
		return RULE_HOLDS;
	bool all = rule->kind == EXCLUDES;
	const char *blamed = all ? rule->condition : broken.text;
	size_t len = all ? strlen(rule->condition) : broken.len;
	if (drop_first_variable(c, used.text, used.len) || drop_first_variable(c, blamed, len))
		return RULE_DROPPED;
	if (!is_explained(c))
		print_broken_rule(c, rule, &used, &broken);
	return RULE_BROKEN;
}

static bool is_within(const struct rule_check *c, const struct option_range *range)
{
	const char *command = c->help->name;
	const struct option_spec *o = find_option(c, range->name, strlen(range->name));
	uint64_t value = o ? *(const uint64_t *)o->to : range->least;
	char variable[OPTION_VARIABLE_SIZE];

	if (value >= range->least && value <= range->most)
		return true;
	bool from_variable = state_of(c, o)->from_variable;
	const char *dashes = from_variable ? "" : "--";
	const char *name = from_variable ? option_variable(o->name, variable) : o->name;
	if (range->most == UINT64_MAX)
		usage_error(command, "%s%s=%" PRIu64 ": expected at least %" PRIu64, dashes, name,
			    value, range->least);
	else
		usage_error(command,
			    "%s%s=%" PRIu64 ": expected a number from %" PRIu64 " to %" PRIu64,
			    dashes, name, value, range->least, range->most);
	return false;
}

const char *option_variable(const char *option, char name[OPTION_VARIABLE_SIZE])
{
	size_t used = (size_t)snprintf(name, OPTION_VARIABLE_SIZE, "IRDIFF_");

	for (const char *c = option; *c && used + 1 < OPTION_VARIABLE_SIZE; c++)
		name[used++] = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
	name[used] = '\0';
	return name;
}

bool option_rules_hold(const struct command_help *help, const struct option_spec *specs,
		       size_t nspecs, struct option_state *states, const struct arguments *args)
{
	const struct rule_check check = { help, specs, nspecs, states, args };

	for (const struct option_rule *rule = help->rules; rule && rule->options;) {
		enum rule_outcome outcome = check_rule(&check, rule);
		if (outcome == RULE_BROKEN)
			return false;
		/* Without a variable rules that held may be broken. */
		rule = outcome == RULE_DROPPED ? help->rules : rule + 1;
	}
	for (const struct option_range *range = help->ranges; range && range->name; range++)
		if (!is_within(&check, range))
			return false;
	return true;
}
