#include "src/cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/cli/complete.h"
#include "src/cli/help.h"
#include "src/cli/message.h"
#include "src/cli/option_rules.h"
#include "src/text/suggest.h"
#include "src/text/text.h"

#define FIRST_LONG 256 /* codes of options, above all letters */
#define OPERAND 1      /* the code of a word that is not an option */
#define LONG_HELP 2    /* the code of --help */

static bool is_switch(const struct option_spec *o)
{
	return o->kind == OPTION_SWITCH || o->kind == OPTION_MAYBE;
}

/* ---- values ---- */

static bool parse_switch(const char *text, bool *to)
{
	if (!text || strcmp(text, "yes") == 0 || strcmp(text, "1") == 0 ||
	    strcmp(text, "true") == 0)
		*to = true;
	else if (strcmp(text, "no") == 0 || strcmp(text, "0") == 0 || strcmp(text, "false") == 0)
		*to = false;
	else
		return false;
	return true;
}

static bool parse_option_number(const char *text, uint64_t *to)
{
	char *end;
	errno = 0;
	uint64_t n = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno)
		return false;
	*to = n;
	return true;
}

static bool parse_percent(const char *text, double *to)
{
	char *end;
	double n = strtod(text, &end);
	if (end == text || (*end && strcmp(end, "%") != 0) || !isfinite(n) || n < 0 || n > 100)
		return false;
	*to = n;
	return true;
}

static bool parse_choice(const char *text, const char *choices, const char **to)
{
	size_t len = strlen(text);
	for (const char *c = choices; c; c = strchr(c, '|') ? strchr(c, '|') + 1 : NULL)
		if (strncmp(c, text, len) == 0 && (c[len] == '|' || c[len] == '\0') && len) {
			*to = text;
			return true;
		}
	return false;
}

static bool add_to_list(struct text_list *list, const char *text)
{
	if (cg_grow(&list->items, &list->cap, list->count + 2, sizeof *list->items))
		return false;
	list->items[list->count++] = text;
	list->items[list->count] = NULL;
	return true;
}

/* The choice that may have been meant: the caller's. NULL: none. */
static char *meant_choice(const struct option_spec *o, const char *text)
{
	enum { MOST = 16 };
	const char *words[MOST];
	size_t count = 0;
	char *choices = o->kind == OPTION_CHOICE ? strdup(o->arg) : NULL, *state = NULL;

	for (char *c = choices ? strtok_r(choices, "|", &state) : NULL; c && count < MOST;
	     c = strtok_r(NULL, "|", &state))
		words[count++] = c;
	const char *meant = suggest(text, words, count);
	char *copy = meant ? strdup(meant) : NULL;
	free(choices);
	return copy;
}

static const char *expected(const struct option_spec *o)
{
	switch (o->kind) {
	case OPTION_SWITCH:
	case OPTION_MAYBE:
		return "yes or no";
	case OPTION_NUMBER:
		return "a whole number";
	case OPTION_PERCENT:
		return "a percentage from 0 to 100";
	case OPTION_CHOICE:
		return o->arg;
	default:
		return "text";
	}
}

/* "--" and "view", or "" and "IRDIFF_VIEW", as it was given. */
static int value_error(const struct command_help *h, const char *dashes, const char *name,
		       const struct option_spec *o, const char *value)
{
	if (h->html_by && strcmp(name, "format") == 0 && strcmp(value, "html") == 0)
		return usage_error(h->name, "%s%s=html: expected %s; '%s' writes HTML", dashes,
				   name, expected(o), h->html_by);
	char *meant = meant_choice(o, value), *shown = text_safe(value);
	const char *before = meant ? "; did you mean " : "", *after = meant ? "?" : "";
	int exit_code = usage_error(h->name, "%s%s=%s: expected %s%s%s%s", dashes, name,
				    shown ? shown : "", expected(o), before, meant ? meant : "",
				    after);
	free(meant);
	free(shown);
	return exit_code;
}

static bool set_value(const struct option_spec *o, const char *text)
{
	bool yes;

	switch (o->kind) {
	case OPTION_SWITCH:
		return parse_switch(text, o->to);
	case OPTION_MAYBE:
		if (!parse_switch(text, &yes))
			return false;
		*(int *)o->to = yes;
		return true;
	case OPTION_TEXT:
		*(const char **)o->to = text;
		return true;
	case OPTION_LIST:
		return add_to_list(o->to, text);
	case OPTION_NUMBER:
		return parse_option_number(text, o->to);
	case OPTION_PERCENT:
		return parse_percent(text, o->to);
	case OPTION_CHOICE:
		return parse_choice(text, o->arg, o->to);
	}
	return false;
}

/* ---- sources of values ---- */

static bool read_environment(const struct command_help *h, const struct option_spec *specs,
			     size_t n, struct option_state *states)
{
	for (size_t i = 0; i < n; i++) {
		char name[OPTION_VARIABLE_SIZE];
		const char *value = getenv(option_variable(specs[i].name, name));
		if (!value || !*value)
			continue;
		states[i].standard = option_value_of(&specs[i]);
		states[i].from_variable = true;
		if (!set_value(&specs[i], value)) {
			value_error(h, "", name, &specs[i], value);
			return false;
		}
	}
	return true;
}

struct parser {
	const struct command_help *help;
	const struct option_spec *specs;
	size_t nspecs;
	struct option_state *states;
	struct option *long_options;
	char *letters;
};

static bool make_tables(struct parser *p)
{
	size_t used = 0;
	p->long_options = calloc(p->nspecs + 2, sizeof *p->long_options);
	p->letters = calloc(2 * p->nspecs + 5, 1);
	if (!p->long_options || !p->letters)
		return false;

	/* Operands are codes as well: so POSIXLY_CORRECT does not end the options at the
	 * first one. */
	p->letters[used++] = '-';
	p->letters[used++] = ':';
	p->letters[used++] = 'h';
	for (size_t i = 0; i < p->nspecs; i++) {
		const struct option_spec *o = &p->specs[i];
		p->long_options[i] = (struct option){ o->name,
						      is_switch(o) ? optional_argument
								   : required_argument,
						      NULL, FIRST_LONG + (int)i };
		if (o->letter) {
			p->letters[used++] = o->letter;
			if (!is_switch(o))
				p->letters[used++] = ':';
		}
	}
	p->long_options[p->nspecs] = (struct option){ "help", no_argument, NULL, LONG_HELP };
	return true;
}

static const struct option_spec *find_spec(const struct parser *p, int code)
{
	if (code >= FIRST_LONG)
		return &p->specs[code - FIRST_LONG];
	for (size_t i = 0; i < p->nspecs; i++)
		if (p->specs[i].letter == code)
			return &p->specs[i];
	return NULL;
}

const char *options_given(const struct arguments *args, const char *const *names)
{
	for (; *names; names++)
		for (size_t i = 0; i < args->ngiven; i++)
			if (strcmp(args->given[i], *names) == 0)
				return *names;
	return NULL;
}

static void note_option_given(const struct parser *p, const struct option_spec *o,
			      struct arguments *args)
{
	bool off = o->kind == OPTION_SWITCH && !*(bool *)o->to;

	p->states[o - p->specs].given = !off;
	p->states[o - p->specs].from_variable = false;
	if (!off && !options_given(args, (const char *const[]){ o->name, NULL }))
		args->given[args->ngiven++] = o->name;
}

/* The long option that may have been meant by "--name=value"; NULL: none. */
static const char *meant_option(const struct parser *p, const char *word)
{
	const char **names = calloc(p->nspecs + 1, sizeof *names);
	char *name = strncmp(word, "--", 2) == 0 ? strndup(word + 2, strcspn(word + 2, "=")) : NULL;
	const char *meant = NULL;

	if (names && name) {
		for (size_t i = 0; i <= p->nspecs; i++)
			names[i] = p->long_options[i].name;
		meant = suggest(name, names, p->nspecs + 1);
	}
	free(names);
	free(name);
	return meant;
}

/* "--filter, --fix, --format" for "--f"; NULL: it begins fewer than two. */
static char *ambiguous_names(const struct parser *p, const char *word)
{
	size_t len = strcspn(word, "="), count = 0, size;
	char *names = NULL;
	FILE *to = strncmp(word, "--", 2) == 0 ? open_memstream(&names, &size) : NULL;

	if (!to)
		return NULL;
	for (size_t i = 0; i <= p->nspecs; i++)
		if (strncmp(p->long_options[i].name, word + 2, len - 2) == 0)
			fprintf(to, "%s--%s", count++ ? ", " : "", p->long_options[i].name);
	if (fclose(to) == 0 && count > 1)
		return names;
	free(names);
	return NULL;
}

/* The form of the command that takes benchmarks as operands; NULL: none does. */
static const char *usage_with_benchmarks(const struct command_help *help)
{
	for (const char *const *usage = help->usage; *usage; usage++)
		if (strstr(*usage, "BENCH"))
			return *usage;
	return NULL;
}

/* Says of an option that this command does not have that its value is an operand, or which commands
 * have it. False if nothing is known of it. */
static bool explain_elsewhere(const struct command_help *help, const char *word)
{
	char *name = strncmp(word, "--", 2) == 0 ? strndup(word + 2, strcspn(word + 2, "=")) : NULL;
	const char *usage = name && strcmp(name, "bench") == 0 ? usage_with_benchmarks(help) : NULL;
	char *commands = name && !usage && help->commands_with ? help->commands_with(name) : NULL;

	if (usage)
		usage_error(help->name,
			    "unknown option %s; a benchmark is an operand: irdiff %s %s", word,
			    help->name, usage);
	else if (commands)
		usage_error(help->name, "unknown option %s; it is an option of %s", word, commands);
	bool explained = usage || commands;
	free(commands);
	free(name);
	return explained;
}

static int unknown_option(const struct parser *p, const char *word)
{
	const char *meant = meant_option(p, word);
	char *several = ambiguous_names(p, word);
	int exit_code;

	if (several)
		exit_code = usage_error(p->help->name, "%s is ambiguous: %s", word, several);
	else if (explain_elsewhere(p->help, word))
		exit_code = EXIT_USAGE;
	else if (meant)
		exit_code = usage_error(p->help->name, "unknown option %s; did you mean --%s?",
					word, meant);
	else
		exit_code = usage_error(p->help->name, "unknown option %s", word);
	free(several);
	return exit_code;
}

/* A "-" by itself is an operand, at which getopt of musl stops. */
static int next_code(const struct parser *p, int argc, char **argv)
{
	int code = getopt_long(argc, argv, p->letters, p->long_options, NULL);

	if (code != -1 || optind >= argc)
		return code;
	optarg = argv[optind++];
	return OPERAND;
}

static bool parse_options(const struct parser *p, int argc, char **argv, struct arguments *args,
			  int *exit_code)
{
	int code;

	opterr = 0;
	optind = 1;
	while ((code = next_code(p, argc, argv)) != -1) {
		if (code == OPERAND) {
			args->operands[args->count++] = optarg;
			continue;
		}
		if (code == 'h' || code == LONG_HELP) {
			(code == 'h' ? help_print_summary : help_print)(p->help, p->specs,
									p->nspecs, help_width());
			*exit_code = EXIT_FINE;
			return false;
		}
		if (code == '?' || code == ':') {
			/* An unknown letter may be in the middle of its word. */
			bool letter = optopt > LONG_HELP && optopt < FIRST_LONG;
			const char cluster[] = { '-', (char)optopt, '\0' };
			const char *word = letter ? cluster : argv[optind - 1];
			*exit_code = code == ':' ? usage_error(p->help->name,
							       "option %s requires a value", word)
						 : unknown_option(p, word);
			return false;
		}
		const struct option_spec *o = find_spec(p, code);
		if (!o || !set_value(o, optarg)) {
			*exit_code = o ? value_error(p->help, "--", o->name, o,
						     optarg ? optarg : "")
				       : unknown_option(p, argv[optind - 1]);
			return false;
		}
		note_option_given(p, o, args);
	}
	return true;
}

/* Where the first "--" is. getopt must not see what follows it. */
static int find_end(int argc, char **argv)
{
	int end = 1;
	while (end < argc && strcmp(argv[end], "--") != 0)
		end++;
	return end;
}

static void take_rest(const struct command_help *help, int argc, char **argv, int end,
		      struct arguments *args)
{
	if ((help->takes_command || help->takes_paths) && end < argc) {
		args->has_rest = true;
		args->rest = (const char *const *)argv + end + 1;
	} else {
		for (int i = end + 1; i < argc; i++)
			args->operands[args->count++] = argv[i];
	}
}

static bool table_has_option(const struct option_spec *specs, size_t nspecs, const char *name)
{
	for (size_t i = 0; i < nspecs; i++)
		if (strcmp(specs[i].name, name) == 0)
			return true;
	return false;
}

bool options_parse(const struct command_help *help, const struct option_spec *specs, size_t nspecs,
		   int argc, char **argv, struct arguments *out, int *exit_code)
{
	if (complete_is_asked(argv)) {
		complete_words(help, specs, nspecs, argc, argv);
		*exit_code = EXIT_FINE;
		return false;
	}

	if (strcmp(argv[0], HAS_OPTION) == 0) {
		*exit_code = table_has_option(specs, nspecs, argv[1]) ? EXIT_FINE : EXIT_USAGE;
		return false;
	}

	struct parser p = { help, specs, nspecs, NULL, NULL, NULL };
	struct arguments args = { 0 };
	int end = find_end(argc, argv);
	char **words = calloc((size_t)argc + 1, sizeof *words);
	bool go_on = false;

	*exit_code = EXIT_USAGE;
	args.operands = calloc((size_t)argc + 1 + nspecs, sizeof *args.operands);
	args.given = args.operands ? args.operands + argc + 1 : NULL;
	p.states = calloc(nspecs, sizeof *p.states);
	if (!words || !args.operands || !p.states || !make_tables(&p)) {
		print_message("out of memory");
		goto done;
	}
	memcpy(words, argv, (size_t)end * sizeof *words);
	if (!read_environment(help, specs, nspecs, p.states) ||
	    !parse_options(&p, end, words, &args, exit_code))
		goto done;
	take_rest(help, argc, argv, end, &args);
	if (!option_rules_hold(help, specs, nspecs, p.states, &args)) {
		*exit_code = EXIT_USAGE;
		goto done;
	}
	*out = args;
	args.operands = NULL;
	go_on = true;
done:
	free(args.operands);
	free(words);
	free(p.states);
	free(p.long_options);
	free(p.letters);
	return go_on;
}
