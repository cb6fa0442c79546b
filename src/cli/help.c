#include "src/cli/help.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/message.h"
#include "src/cli/option_groups.h"
#include "src/cli/option_rules.h"
#include "src/cli/pager.h"
#include "src/text/text.h"
#include "src/text/wrap.h"

enum {
	NOT_A_TERMINAL = 80, /* columns */
	NARROWEST = 40,
	WIDEST = 100,
	BESIDE = 60, /* from which width what an option means is beside it */
	MANY = 10,   /* options, which then have headings */
};

static const struct option_spec help_option = {
	"help", 'h', OPTION_SWITCH, NULL, NULL, "show this help; -h shows a summary of it"
};

unsigned help_width(void)
{
	unsigned width = stdout_is_seen() ? terminal_width(STDOUT_FILENO) : 0;

	if (!width)
		width = NOT_A_TERMINAL;
	return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width;
}

/* ---- text ---- */

static void print_filled(FILE *to, const char *line, unsigned width, unsigned indent)
{
	char *wrapped = text_wrap(line, width, indent);

	fprintf(to, "%s\n", wrapped ? wrapped : line);
	free(wrapped);
}

/* The lines of a paragraph become one. */
static void print_paragraph(FILE *to, const char *text, size_t len, unsigned width)
{
	char *line = strndup(text, len);

	for (char *c = line; c && *c; c++)
		if (*c == '\n')
			*c = ' ';
	if (line)
		print_filled(to, line, width, 0);
	free(line);
}

void help_print_text(FILE *to, const char *text, unsigned width)
{
	for (;;) {
		const char *end = strstr(text, "\n\n");
		print_paragraph(to, text, end ? (size_t)(end - text) : strlen(text), width);
		if (!end)
			return;
		fputc('\n', to);
		text = end + 2;
	}
}

/* Bytes of the first sentence, with its full stop. */
static size_t first_sentence(const char *text)
{
	for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.'))
		if (!dot[1] || isspace((unsigned char)dot[1]))
			return (size_t)(dot - text) + 1;
	return strlen(text);
}

void help_print_term(FILE *to, const char *term, const char *meaning, unsigned indent,
		     unsigned width)
{
	char *line = NULL;
	bool beside = width >= BESIDE;
	unsigned column = beside ? indent : 8;

	if (beside && text_width(term) + 2 <= indent) {
		int pad = (int)(indent - text_width(term));
		if (asprintf(&line, "%s%*s%s", term, pad, "", meaning) < 0)
			line = NULL;
	} else {
		fprintf(to, "%s\n", term);
		if (asprintf(&line, "%*s%s", (int)column, "", meaning) < 0)
			line = NULL;
	}
	print_filled(to, line ? line : meaning, width, column);
	free(line);
}

/* ---- options ---- */

/* A summary leaves out that a switch can also be switched off. */
/* Choices that do not fit into a line beside the option are part of what it says. */
static bool has_many_choices(const struct option_spec *o)
{
	enum { MANY_BYTES = 60 };

	return o->kind == OPTION_CHOICE && strlen(o->arg) > MANY_BYTES;
}

static void print_many_choices(const struct option_spec *o, int indent, unsigned width)
{
	char term[80], help[400];
	size_t used = 0;

	for (const char *p = o->arg; *p && used + 3 < sizeof help; p++) {
		help[used++] = *p == '|' ? ',' : *p;
		if (*p == '|')
			help[used++] = ' ';
	}
	snprintf(help + used, sizeof help - used, ": %s", o->help);
	int name = snprintf(term, sizeof term, "      --%s=", o->name);
	for (const char *p = o->name; *p && (size_t)name + 1 < sizeof term; p++)
		term[name++] = (char)toupper((unsigned char)*p);
	term[name] = '\0';
	help_print_term(stdout, term, help, indent, width);
}

static void print_option(const struct option_spec *o, bool summary, unsigned width)
{
	enum { INDENT = 26 };
	bool takes_switch = o->kind == OPTION_SWITCH || o->kind == OPTION_MAYBE;
	const char *value = o->arg ? o->arg : o->to && takes_switch && !summary ? "yes|no" : NULL;
	char letter[] = "    ", term[120];

	if (has_many_choices(o)) {
		print_many_choices(o, INDENT, width);
		return;
	}
	if (o->letter)
		snprintf(letter, sizeof letter, "-%c, ", o->letter);
	snprintf(term, sizeof term, "  %s--%s%s%s%s%s", letter, o->name,
		 value && takes_switch ? "[" : "", value ? "=" : "", value ? value : "",
		 value && takes_switch ? "]" : "");
	help_print_term(stdout, term, o->help, INDENT, width);
}

static void print_group(const struct command_help *h, const struct option_spec *specs, size_t n,
			size_t group, unsigned width)
{
	bool begun = false;

	for (size_t i = 0; i < n; i++) {
		if (option_group_of(h->name, specs[i].name) != group)
			continue;
		if (!begun)
			printf("%s:\n", option_group_heading(group));
		begun = true;
		print_option(&specs[i], false, width);
	}
	if (begun)
		putchar('\n');
}

static void print_options(const struct command_help *h, const struct option_spec *specs, size_t n,
			  unsigned width)
{
	if (n < MANY) {
		puts("Options:");
		for (size_t i = 0; i < n; i++)
			print_option(&specs[i], false, width);
	} else {
		for (size_t group = 0; group < option_groups_count(); group++)
			print_group(h, specs, n, group, width);
		puts("Help:");
	}
	print_option(&help_option, false, width);
}

/* ---- help ---- */

static void print_usage_lines(const struct command_help *h, unsigned width)
{
	enum { INDENT = 4 };

	for (size_t i = 0; h->usage[i]; i++) {
		char *line = NULL;
		const char *before = i ? "      " : "Usage:";
		if (asprintf(&line, "%s irdiff %s %s", before, h->name, h->usage[i]) < 0)
			line = NULL;
		unsigned indent = (unsigned)strlen(before) + INDENT;
		print_filled(stdout, line ? line : h->usage[i], width, indent);
		free(line);
	}
	putchar('\n');
}

static void print_variable_help(const char *option, unsigned width)
{
	char line[300], variable[OPTION_VARIABLE_SIZE];

	snprintf(
		line, sizeof line,
		"Every option can also be set by an environment variable, such as --%s by %s. Empty or "
		"inapplicable variables are ignored.",
		option, option_variable(option, variable));
	print_filled(stdout, line, width, 0);
}

void help_print(const struct command_help *help, const struct option_spec *specs, size_t nspecs,
		unsigned width)
{
	print_usage_lines(help, width);
	help_print_text(stdout, help->description, width);
	putchar('\n');
	print_options(help, specs, nspecs, width);
	putchar('\n');
	print_variable_help(specs[0].name, width);
	putchar('\n');
	print_filled(
		stdout,
		"Exit codes: 0 success; 1 a limit is exceeded; 2 wrong usage or configuration, "
		"or a file that cannot be read or written; 3 a build or benchmark failed; 4 the "
		"measurement cannot be trusted.",
		width, 0);
}

void help_print_summary(const struct command_help *help, const struct option_spec *specs,
			size_t nspecs, unsigned width)
{
	char more[100];

	print_usage_lines(help, width);
	print_paragraph(stdout, help->description, first_sentence(help->description), width);
	puts("\nOptions:");
	for (size_t i = 0; i < nspecs; i++)
		if (!help->main_options || option_is_listed(help->main_options, specs[i].name))
			print_option(&specs[i], true, width);
	snprintf(more, sizeof more, "Run 'irdiff %s --help' for %s.", help->name,
		 help->main_options ? "all options" : "details");
	putchar('\n');
	print_filled(stdout, more, width, 0);
}
