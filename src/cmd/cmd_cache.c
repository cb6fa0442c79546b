#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/subcommand.h"
#include "src/cmd/command.h"
#include "src/json/json.h"
#include "src/load/project.h"
#include "src/store/cache.h"
#include "src/store/kept.h"
#include "src/store/label.h"
#include "src/text/text.h"

#define DAY (24 * 3600)
#define MEGABYTE 1000000

struct cache_settings {
	const char *format;
	uint64_t days, size;
	bool all, failed, kept;
};

static const struct command_help help = {
	"cache",
	(const char *const[]){ "[list] [--format=json]",
			       "prune [--days=N] [--size=MB] [--all | --failed | --kept]", NULL },
	"Lists or prunes the measurements of commits that 'irdiff compare' and other commands reuse, in\n"
	".irdiff/cache below the project's root. 'list' lists the entries, the last used first. An\n"
	"entry's name is a profile for other commands, even with a shortened commit ('irdiff show\n"
	"parse@1a2b3c'). 'prune' removes entries that were not used for --days days, then the least\n"
	"recently used ones until the rest takes at most --size megabytes. Entries 'kept/KEY' are what\n"
	"survives of builds; they go before measurements.",
	.takes_command = false,
	.by_default = "list",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "list --format",
					   "prune --days --size --all --failed --kept", NULL },
};

static bool parse_cache_options(struct cache_settings *s, int argc, char **argv,
				struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "days", 0, OPTION_NUMBER, &s->days, "N",
		  "prune: keep entries used in the last N days (30)" },
		{ "size", 0, OPTION_NUMBER, &s->size, "MB",
		  "prune: size to keep at most, in megabytes (1000)" },
		{ "all", 0, OPTION_SWITCH, &s->all, NULL, "prune: remove everything" },
		{ "failed", 0, OPTION_SWITCH, &s->failed, NULL,
		  "prune: remove only the logs of failed builds, to try these again" },
		{ "kept", 0, OPTION_SWITCH, &s->kept, NULL,
		  "prune: remove only what survives of builds (keep: in irdiff.yml)" },
		{ "format", 0, OPTION_CHOICE, &s->format, "text|json",
		  "list: output format (text)" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

static void print_time(int64_t seconds, char *text, size_t size)
{
	time_t time = (time_t)seconds;
	struct tm tm;
	text[0] = '\0';
	if (gmtime_r(&time, &tm))
		strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

static int list_json(const struct cache_list *list)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;
	json_text(j, "schema", "irdiff/cache");
	json_count(j, "version", 2);
	json_begin_array(j, "entries");
	for (size_t i = 0; i < list->count; i++) {
		json_begin_object(j, NULL);
		json_text(j, "name", list->items[i].name);
		json_time(j, "used", list->items[i].used);
		json_count(j, "bytes", list->items[i].bytes);
		json_end(j);
	}
	json_end(j);
	return json_finish(j, stdout);
}

/* As it is given to other commands. */
static void print_name(const char *name)
{
	char *label = label_of_file(name);
	text_print_name(stdout, label ? label : name, 0);
	free(label);
}

static int list_text(const struct cache_list *list)
{
	uint64_t sum = 0;
	char when[40], size[TEXT_NUMBER];

	for (size_t i = 0; i < list->count; i++) {
		const struct cache_entry *e = &list->items[i];
		print_time(e->used, when, sizeof when);
		when[10] = '\0'; /* the date */
		printf("%s  %8s  ", when, text_bytes(e->bytes, size));
		print_name(e->name);
		putchar('\n');
		sum += e->bytes;
	}
	printf("%zu %s, %s\n", list->count, list->count == 1 ? "entry" : "entries",
	       text_bytes(sum, size));
	return CG_OK;
}

static bool is_in_place(const char *name, const char *place)
{
	return strncmp(name, place, strlen(place)) == 0;
}

/* Whether an entry stays, next to others of `bytes` that do. */
static bool is_spared(const struct cache_settings *s, const struct cache_entry *e, uint64_t bytes)
{
	int64_t days = (int64_t)(s->days < 100000 ? s->days : 100000);

	if (s->failed || s->kept)
		return !(s->failed && is_in_place(e->name, "failed/")) &&
		       !(s->kept && is_in_place(e->name, KEPT "/"));
	return !s->all && e->used >= (int64_t)time(NULL) - days * DAY &&
	       (bytes + e->bytes) / MEGABYTE < s->size;
}

/* The list begins with the entry used last. Measurements stay before what builds make again. */
static int prune_cache(const struct cache_settings *s, const char *root,
		       const struct cache_list *list, struct cg_error *err)
{
	uint64_t spared = 0, freed = 0;
	size_t removed = 0;
	char size[TEXT_NUMBER];

	for (size_t i = 0; i < 2 * list->count; i++) {
		const struct cache_entry *e = &list->items[i % list->count];
		if (is_in_place(e->name, KEPT "/") != (i >= list->count))
			continue;
		if (is_spared(s, e, spared)) {
			spared += e->bytes;
			continue;
		}
		int status = cache_remove(root, e->name, err);
		if (status)
			return status;
		freed += e->bytes;
		removed++;
	}
	printf("%zu of %zu %s removed, %s\n", removed, list->count,
	       list->count == 1 ? "entry" : "entries", text_bytes(freed, size));
	return CG_OK;
}

static int run_cache_command(const struct cache_settings *s, const char *what)
{
	struct project project = { 0 };
	struct cache_list list = { 0 };
	struct cg_error err;
	int status = project_open(&project, &terminal_notices, &err);

	if (!status)
		status = project_clean_cache(&project, &err);
	if (!status)
		status = cache_list(project.root, &list, &err);
	if (!status && strcmp(what, "prune") == 0)
		status = prune_cache(s, project.root, &list, &err);
	else if (!status && (strcmp(s->format, "json") == 0 ? list_json(&list) : list_text(&list)))
		status = cg_fail_nomem(&err);
	cache_list_free(&list);
	project_close(&project);
	return status ? print_error(&err) : EXIT_FINE;
}

int cmd_cache(int argc, char **argv)
{
	struct cache_settings s = { .format = "text", .days = 30, .size = 1000 };
	struct arguments args = { 0 };
	int exit_code;

	if (parse_cache_options(&s, argc, argv, &args, &exit_code)) {
		if (!subcommand_check(&help, &args))
			exit_code = EXIT_USAGE;
		else if (args.count > 1)
			exit_code = usage_error("cache", "%s takes no operands", args.operands[0]);
		else
			exit_code = run_cache_command(&s, args.count ? args.operands[0]
								     : help.by_default);
	}
	free(args.operands);
	return exit_code;
}
