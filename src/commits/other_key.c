#include "src/commits/other_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/store/cache.h"
#include "src/text/text.h"

#define ENVIRONMENT "environment variables"

/* ---- lines of keys ---- */

static bool fact_begins_with(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

static bool has_fact_line(const char *text, const char *line)
{
	const size_t len = strcspn(line, "\n");

	while (*text) {
		const size_t other = strcspn(text, "\n");
		if (other == len && memcmp(text, line, len) == 0)
			return true;
		text += other + (text[other] == '\n');
	}
	return false;
}

/* Facts of the revision itself. Which of its files are missing may not be known yet. */
static bool is_of_revision(const char *line)
{
	static const char *const names[] = { "commit: ",  "files: ",    "project: ",
					     "without: ", "pointers: ", "pointer: " };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (fact_begins_with(line, names[i]))
			return true;
	return false;
}

/* What a line is about, as people call it; the caller's. "": nothing to speak of. NULL: out of
 * memory. */
static char *name_fact(const char *line)
{
	static const struct {
		const char *line, *name;
	} known[] = {
		{ CACHE_KEY_UNSHARED, "" },
		{ "key: ", "irdiff" },
		{ "irdiff: ", "irdiff" },
		{ "valgrind: ", "Valgrind" },
		{ "valgrind at: ", "Valgrind" },
		{ "environment: ", ENVIRONMENT },
		{ "workspace: ", "way to run builds" },
		{ "git: ", "git configuration" },
		{ "attributes: ", "git configuration" },
	};
	const size_t len = strcspn(line, "\n");
	char *name = NULL;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (fact_begins_with(line, known[i].line))
			return strdup(known[i].name);
	if (fact_begins_with(line, "tool: "))
		return strndup(line + 6, strcspn(line + 6, " \n"));
	if (fact_begins_with(line, "of: "))
		return asprintf(&name, "$%.*s", (int)(len - 4), line + 4) < 0 ? NULL : name;
	if (fact_begins_with(line, "env "))
		return asprintf(&name, "$%.*s", (int)strcspn(line + 4, ":\n"), line + 4) < 0 ? NULL
											     : name;
	return strndup(line, strcspn(line, ":\n") + (line[strcspn(line, ":\n")] == ':'));
}

/* ---- what differs ---- */

static int unlike_facts(const char *text, const char *beside, struct path_list *facts, bool *same,
			struct cg_error *err)
{
	int status = CG_OK;

	for (const char *line = text; !status && *line;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		if (has_fact_line(beside, line))
			continue;
		*same = *same && !is_of_revision(line);
		char *name = name_fact(line);
		if (!name)
			status = cg_fail_nomem(err);
		else if (*name && !path_list_has(facts, name))
			status = path_list_add(facts, name, err);
		free(name);
	}
	return status;
}

/* The digest of all variables says nothing where some have names. */
static bool is_worth_a_word(const struct path_list *facts, const char *name)
{
	bool has_variable = false;

	for (size_t i = 0; i < facts->count; i++)
		has_variable = has_variable || *facts->paths[i] == '$';
	return !has_variable || strcmp(name, ENVIRONMENT) != 0;
}

static int join_facts(const struct path_list *facts, char **out, struct cg_error *err)
{
	enum { MOST = 5 };
	char *text = NULL;
	size_t size, count = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < facts->count; i++) {
		if (!is_worth_a_word(facts, facts->paths[i]))
			continue;
		if (count++ < MOST) {
			const char *name = facts->paths[i];
			bool variable = *name == '$';
			fprintf(to, "%s%s", count > 1 ? ", " : "", variable ? "variable " : "");
			text_print_name(to, name + variable, 0);
		}
	}
	if (count > MOST)
		fprintf(to, " and %zu more", count - MOST);
	if (fclose(to) != 0 || !text) {
		free(text);
		return cg_fail_nomem(err);
	}
	*out = text;
	return CG_OK;
}

int other_key_facts(const char *of, const char *key, char **out, size_t *count,
		    struct cg_error *err)
{
	struct path_list facts = { 0 };
	bool same = true;

	*out = NULL;
	int status = unlike_facts(of, key, &facts, &same, err);
	if (!status)
		status = unlike_facts(key, of, &facts, &same, err);
	if (!status && same && facts.count)
		status = join_facts(&facts, out, err);
	*count = facts.count;
	path_list_free(&facts);
	return status;
}

/* ---- entries ---- */

/* "BENCH@COMMIT-", which is the name of each entry of a benchmark of the revision up to the digits
 * of its key. The caller's; NULL: out of memory. */
static char *beginning_of_entries(const struct revision *side, const struct config_benchmark *b)
{
	return cache_name(b->name, side->commit.id, side->files.changed, "");
}

static void tell_facts(struct build_area *w, const struct revision *side,
		       const struct config_benchmark *b, const char *facts)
{
	struct notice m;

	if (path_list_has(&w->said_other_keys, facts) ||
	    path_list_add(&w->said_other_keys, facts, NULL))
		return;
	notice_begin(&m, w->project->notices, NOTICE_MESSAGE);
	fprintf(m.to, "the cached measurement of %s at ", b->name);
	text_print_name(m.to, side->name, 0);
	fprintf(m.to, " is not used, as it differs in %s", facts);
	notice_end(&m);
}

/* What the entry differs in becomes *facts, if it is less than before. */
static void take_nearer(const struct build_area *w, const char *entry, const char *text,
			char **facts, size_t *least)
{
	char *key = NULL, *found = NULL;
	size_t count = 0;

	if (!cache_read_key(w->project->root, entry, &key, NULL) &&
	    !other_key_facts(key, text, &found, &count, NULL) && found &&
	    (!*facts || count < *least)) {
		free(*facts);
		*facts = found;
		found = NULL;
		*least = count;
	}
	free(found);
	free(key);
}

void other_key_tell(struct build_area *w, const struct revision *side,
		    const struct config_benchmark *b, const char *text)
{
	struct path_list names = { 0 };
	char *beginning = w->options.quiet ? NULL : beginning_of_entries(side, b), *facts = NULL;
	size_t least = 0;

	if (beginning && !cache_names_by_use(w->project->root, b->name, &names, NULL))
		for (size_t i = 0; i < names.count; i++)
			if (fact_begins_with(names.paths[i], beginning))
				take_nearer(w, names.paths[i], text, &facts, &least);
	if (facts)
		tell_facts(w, side, b, facts);
	free(facts);
	free(beginning);
	path_list_free(&names);
}
