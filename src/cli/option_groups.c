#include "src/cli/option_groups.h"

#include <stdio.h>
#include <string.h>

/* Options "name" of all commands, and "command:name" of one, which wins. */
struct option_group {
	const char *heading;
	const char *options;
};

static const struct option_group groups[] = {
	{ "What to compare", "baseline compare:bench check:bench fix partial" },
	{ "Which commits",
	  "good old bad new first-parent measure newest since steps all definition environment "
	  "history:top" },
	{ "What to measure", "label env cwd timeout image cases processes threads profile:root" },
	{ "How to measure", "build fresh valgrind valgrind-option cache-sim warm-up signals freeze "
			    "presets count in-place profile:depth compare:depth check:depth runs "
			    "remedies trials-timeout" },
	{ "Parallel measurement", "jobs launcher shard results" },
	{ "Limits", "check limit require-base allow-removed allow-env-change no-accepted bench" },
	{ "Metric and thresholds", "metric threshold min-delta" },
	{ "What to show", "view by inclusive sort show show:threshold top root depth reverse "
			  "filter ignore insights context audit" },
	{ "Reading profiles and source", "pid thread parts inlines include lenient" },
	{ "Output",
	  "format output step-summary title reports max-frames min-width width color wide quiet "
	  "export import" },
	{ "Other options", "" },
};

enum { NGROUPS = sizeof groups / sizeof *groups };

size_t option_groups_count(void)
{
	return NGROUPS;
}

const char *option_group_heading(size_t group)
{
	return groups[group].heading;
}

bool option_is_listed(const char *list, const char *option)
{
	size_t len = strlen(option);

	for (const char *word = list; *word; word += strspn(word, " ")) {
		size_t size = strcspn(word, " ");
		if (size == len && memcmp(word, option, len) == 0)
			return true;
		word += size;
	}
	return false;
}

static size_t group_that_lists(const char *option)
{
	for (size_t i = 0; i < NGROUPS; i++)
		if (option_is_listed(groups[i].options, option))
			return i;
	return NGROUPS;
}

size_t option_group_of(const char *command, const char *option)
{
	char qualified[80];

	snprintf(qualified, sizeof qualified, "%s:%s", command, option);
	size_t group = group_that_lists(qualified);
	if (group == NGROUPS)
		group = group_that_lists(option);
	return group < NGROUPS ? group : NGROUPS - 1;
}
