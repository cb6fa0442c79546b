#include "src/cli/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/completion_position.h"
#include "src/cli/completion_values.h"
#include "src/cli/subcommand.h"

/* The values of words in `operands` of a command and in tables of options. Others, such as N or
 * TEXT, cannot be completed. */
static const struct {
	const char *word;
	void (*print)(const struct completion_values *c);
} vocabulary[] = {
	{ "BASELINE", complete_baselines }, { "BENCH", complete_benchmarks },
	{ "DIR", complete_directories },    { "COUNTERS", complete_counters },
	{ "EVENTS", complete_events },      { "FILE", complete_files },
	{ "FIX", complete_profiles },       { "KINDS", complete_freeze },
	{ "LABEL", complete_labels },       { "LIMIT", complete_limits },
	{ "METRIC", complete_metrics },     { "NAME[=VALUE]", complete_variables },
	{ "PATH", complete_files },         { "PROFILE", complete_profiles },
	{ "PROGRAM", complete_files },      { "RANGE", complete_range },
	{ "REF", complete_refs },           { "REMOTE", complete_remotes },
};

static bool word_is_option(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(text, word, len) == 0;
}

static void print_known(const struct completion_values *c, const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof vocabulary / sizeof *vocabulary; i++)
		if (word_is_option(word, len, vocabulary[i].word))
			vocabulary[i].print(c);
}

/* ---- options and their values ---- */

/* Only lists may be given again, and each subcommand takes only some of the options. */
static bool is_wanted_completion(const struct command_help *help,
				 const struct completion_position *c, const struct option_spec *o)
{
	const char *line = c->count ? subcommand_find(help, c->operands[0]) : NULL;

	if (line && !subcommand_takes(line, o->name))
		return false;
	return o->kind == OPTION_LIST || !completion_position_has_given(c, o->name);
}

static void print_option_names(const struct completion_values *out, const struct command_help *help,
			       const struct completion_position *c, const struct option_spec *specs,
			       size_t nspecs)
{
	for (size_t i = 0; i < nspecs; i++) {
		const struct option_spec *o = &specs[i];
		bool is_switch = o->kind == OPTION_SWITCH || o->kind == OPTION_MAYBE;
		char text[80];

		snprintf(text, sizeof text, "--%s%s", o->name, is_switch ? "" : "=");
		if (is_wanted_completion(help, c, o))
			candidate(out, text, o->help);
	}
	candidate(out, "--help", "show this help");
}

/* "auto|none|FILE": words in small letters are choices. */
static void print_choices(const struct completion_values *out, const char *choices)
{
	for (const char *word = choices; *word;) {
		size_t len = strcspn(word, "|");
		char *choice = strndup(word, len);

		if (isupper((unsigned char)*word))
			print_known(out, word, len);
		else if (choice)
			candidate(out, choice, "");
		free(choice);
		word += len + (word[len] == '|');
	}
}

static void print_option_values(const struct completion_values *out, const struct option_spec *o)
{
	if (o->kind == OPTION_SWITCH || o->kind == OPTION_MAYBE)
		print_choices(out, "yes|no");
	else if (strcmp(o->arg, "NAME") == 0 && strcmp(o->name, "baseline") == 0)
		complete_baselines(out);
	else if (strcmp(o->arg, "NAME") == 0 && strcmp(o->name, "bench") == 0) {
		complete_benchmarks(out);
		complete_tags(out);
	} else {
		print_choices(out, o->arg);
	}
}

/* ---- operands ---- */

/* Word number `n` of a text, from 0, and its length; NULL: it has fewer. */
static const char *find_word(const char *text, size_t n, size_t *len)
{
	for (;; n--) {
		text += strspn(text, " ");
		*len = strcspn(text, " ");
		if (!*len || !n)
			return *len ? text : NULL;
		text += *len;
	}
}

/* The word for operand `n`; one with an ellipsis is for all that follow. NULL: none. */
static const char *find_operand(const char *line, size_t n, size_t *len)
{
	static const char ellipsis[] = "…";
	const char *word = NULL;
	size_t dots = sizeof ellipsis - 1;

	for (size_t i = 0; i <= n; i++) {
		word = find_word(line, i, len);
		if (!word || (i && *word == '-'))
			return NULL;
		if (*len > dots && memcmp(word + *len - dots, ellipsis, dots) == 0) {
			*len -= dots;
			return word;
		}
	}
	return word;
}

/* Whether a line is for the given option or subcommand. */
static bool applies(const char *line, const struct completion_position *c)
{
	size_t len;
	const char *first = find_word(line, 0, &len);

	if (!first || isupper((unsigned char)*first))
		return true;
	if (is_subcommand(first))
		return c->count && word_is_option(first, len, c->operands[0]);
	for (size_t i = 0; i < c->ngiven; i++)
		if (word_is_option(first + 2, len - 2, c->given[i]))
			return true;
	return false;
}

static void print_subcommands(const struct completion_values *out, const char *const *lines)
{
	for (; *lines; lines++) {
		char *word = strndup(*lines, strcspn(*lines, " "));
		if (word)
			candidate(out, word, "");
		free(word);
	}
}

/* The word for the operand at the cursor; NULL: unknown. */
static const char *operand_at(const struct command_help *help, const struct completion_position *c,
			      size_t *len)
{
	const char *const *line = help->operands;

	while (*line && !applies(*line, c))
		line++;
	if (!*line)
		return NULL;
	/* In a line, an option precedes the operands; a subcommand is one of them. */
	return find_operand(*line, c->count + (**line == '-'), len);
}

/* If no operand can follow, only options remain. */
static void print_operands(const struct completion_values *out, const struct command_help *help,
			   const struct completion_position *c, const struct option_spec *specs,
			   size_t nspecs)
{
	size_t len;
	const char *word;

	if (!help->operands)
		complete_files(out);
	else if (!c->count && help->operands[0] && is_subcommand(help->operands[0]))
		print_subcommands(out, help->operands);
	else if ((word = operand_at(help, c, &len)))
		print_known(out, word, len);
	else if (!*c->word)
		print_option_names(out, help, c, specs, nspecs);
}

/* ---- the command after "--" ---- */

/* After a benchmark, "--" begins its own arguments. */
static void print_rest(const struct completion_values *out, const struct command_help *help,
		       const struct completion_position *c)
{
	const char *first = help->operands ? help->operands[0] : NULL;

	if (help->takes_paths || (c->count && first && strcmp(first, "BENCH") == 0))
		complete_files(out);
	else
		fprintf(out->to, "\tcommand\t%d\n", c->rest);
}

bool complete_is_asked(char **argv)
{
	return strcmp(argv[0], COMPLETE_OPTION) == 0;
}

void complete_words(const struct command_help *help, const struct option_spec *specs, size_t nspecs,
		    int argc, char **argv)
{
	struct completion_position c;

	if (argc < 2 ||
	    completion_position_find(specs, nspecs, help->takes_command || help->takes_paths, argc,
				     argv, &c))
		return;
	const struct completion_values out = { stdout, c.word, c.stem };
	switch (c.place) {
	case AT_NOWHERE:
		break;
	case AT_OPTION:
		print_option_names(&out, help, &c, specs, nspecs);
		break;
	case AT_VALUE:
		print_option_values(&out, c.option);
		break;
	case AT_OPERAND:
		print_operands(&out, help, &c, specs, nspecs);
		break;
	case AT_REST:
		print_rest(&out, help, &c);
		break;
	}
	completion_position_free(&c);
}
