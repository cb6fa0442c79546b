#include "src/cli/subcommand.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/message.h"
#include "src/text/suggest.h"

enum { MOST = 12 }; /* subcommands of a command */

bool is_subcommand(const char *line)
{
	return islower((unsigned char)*line);
}

static size_t word_length(const char *text)
{
	return strcspn(text, " ");
}

static bool word_is_name(const char *word, const char *name)
{
	return strlen(name) == word_length(word) && strncmp(word, name, strlen(name)) == 0;
}

const char *subcommand_find(const struct command_help *help, const char *name)
{
	for (const char *const *line = help->operands; line && *line; line++)
		if (is_subcommand(*line) && word_is_name(*line, name))
			return *line;
	return NULL;
}

bool subcommand_takes(const char *line, const char *option)
{
	for (const char *word = strstr(line, " --"); word; word = strstr(word + 1, " --"))
		if (word_is_name(word + 3, option))
			return true;
	return false;
}

/* "list, show or rm": the caller's; NULL: out of memory. */
static char *join_names(char *const *names, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (size_t i = 0; i < count; i++)
		fprintf(to, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", names[i]);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static void unknown(const struct command_help *help, const char *name)
{
	char *names[MOST];
	size_t count = 0;

	for (const char *const *line = help->operands; *line && count < MOST; line++)
		if ((names[count] = strndup(*line, word_length(*line))))
			count++;
	char *all = join_names(names, count);
	const char *meant = name ? suggest(name, (const char *const *)names, count) : NULL;

	if (meant)
		usage_error(help->name, "unknown subcommand '%s'; did you mean '%s'?", name, meant);
	else if (name)
		usage_error(help->name, "unknown subcommand '%s'; expected %s", name,
			    all ? all : "another one");
	else
		usage_error(help->name, "expected %s", all ? all : "a subcommand");
	free(all);
	while (count)
		free(names[--count]);
}

bool subcommand_check(const struct command_help *help, const struct arguments *args)
{
	const char *name = args->count ? args->operands[0] : help->by_default;
	const char *line = name ? subcommand_find(help, name) : NULL;

	if (!line) {
		unknown(help, name);
		return false;
	}
	for (size_t i = 0; i < args->ngiven; i++)
		if (!subcommand_takes(line, args->given[i])) {
			usage_error(help->name, "--%s cannot be used with %s", args->given[i],
				    name);
			return false;
		}
	return true;
}
