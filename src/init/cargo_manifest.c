#include "src/init/cargo_manifest.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define CARGO_LIST_MAX 8192 /* bytes of a list that are read */

/* The state of reading: the table that the line is in. */
struct manifest_reader {
	struct cargo_manifest *out;
	char table[CALL_WORD_MAX];
	struct cargo_target *target; /* NULL: another table, or no room */
};

/* Takes the next text in quotes before `end`; NULL if it is missing. */
static const char *next_toml_text(const char *c, const char *end, char *word, size_t size)
{
	while (c < end && *c != '"' && *c != '\'')
		c++;
	if (c >= end)
		return NULL;
	const char *last = memchr(c + 1, *c, (size_t)(end - c - 1));
	if (!last)
		return NULL;
	size_t len = (size_t)(last - c - 1);
	len = len < size ? len : 0;
	memcpy(word, c + 1, len);
	word[len] = '\0';
	return last + 1;
}

static size_t read_toml_texts(const char *c, const char *end, char (*words)[CALL_WORD_MAX],
			      size_t max)
{
	size_t count = 0;

	while (count < max && (c = next_toml_text(c, end, words[count], CALL_WORD_MAX)))
		count += *words[count] != '\0';
	return count;
}

static void begin_toml_table(struct manifest_reader *r, const char *line, size_t len)
{
	static const char *const kinds[] = { "bench", "test", "bin", "example" };
	struct cargo_manifest *m = r->out;

	snprintf(r->table, sizeof r->table, "%.*s", (int)(len < 100 ? len : 100), line);
	r->target = NULL;
	for (size_t i = 0; i < 4; i++) {
		char head[32];
		snprintf(head, sizeof head, "[[%s]]", kinds[i]);
		if (strncmp(r->table, head, strlen(head)) != 0 ||
		    m->target_count == CARGO_TARGETS_MAX)
			continue;
		r->target = &m->targets[m->target_count++];
		memset(r->target, 0, sizeof *r->target);
		snprintf(r->target->kind, sizeof r->target->kind, "%s", kinds[i]);
	}
}

static bool is_table(const struct manifest_reader *r, const char *name)
{
	size_t len = strlen(name);
	return r->table[0] == '[' && strncmp(r->table + 1, name, len) == 0 &&
	       r->table[len + 1] == ']';
}

/* "KEY = …" at the start of a line; the value, or NULL. */
static const char *value_of(const char *line, const char *end, const char *key)
{
	const char *c = line + strspn(line, " \t");
	size_t len = strlen(key);

	if ((size_t)(end - line) <= len || strncmp(c, key, len) != 0)
		return NULL;
	c += len + strspn(c + len, " \t");
	return c < end && *c == '=' ? c + 1 : NULL;
}

static void read_target_key(struct cargo_target *t, const char *line, const char *end,
			    const char *list_end, uint64_t number)
{
	const char *value;
	char word[CALL_WORD_MAX];

	if ((value = value_of(line, end, "name")) && !*t->name &&
	    next_toml_text(value, end, word, sizeof word)) {
		memcpy(t->name, word, sizeof word);
		t->line = number;
	} else if ((value = value_of(line, end, "path"))) {
		next_toml_text(value, end, t->path, sizeof t->path);
	} else if ((value = value_of(line, end, "harness"))) {
		t->own_main = strncmp(value + strspn(value, " \t"), "false", 5) == 0;
	} else if ((value = value_of(line, end, "required-features"))) {
		t->feature_count = read_toml_texts(value, list_end, t->features,
						   CARGO_FEATURES_MAX);
	}
}

/* criterion = "0.3", criterion = { version = "0.3" }, or version = "0.3" in a table of its own. */
static bool names_old_criterion(const char *table, const char *line, const char *end)
{
	static const char *const versions[] = { "\"0.1", "\"0.2", "\"0.3", "\"=0.3", "\"^0.3" };
	const char *value = value_of(line, end, "criterion");

	if (!value && strstr(table, "dependencies.criterion]"))
		value = value_of(line, end, "version");
	for (size_t i = 0; value && strstr(table, "dependencies") && i < 5; i++)
		if (memmem(value, (size_t)(end - value), versions[i], strlen(versions[i])))
			return true;
	return false;
}

static void read_key(struct manifest_reader *r, const char *line, const char *end,
		     const char *list_end, uint64_t number)
{
	struct cargo_manifest *m = r->out;
	const char *value;

	if (r->target) {
		read_target_key(r->target, line, end, list_end, number);
	} else if (is_table(r, "package") && (value = value_of(line, end, "name"))) {
		next_toml_text(value, end, m->package, sizeof m->package);
	} else if (is_table(r, "workspace") && (value = value_of(line, end, "members"))) {
		m->member_count = read_toml_texts(value, list_end, m->members, CARGO_MEMBERS_MAX);
	} else if (is_table(r, "workspace") && (value = value_of(line, end, "exclude"))) {
		m->excluded_count = read_toml_texts(value, list_end, m->excluded,
						    CARGO_MEMBERS_MAX);
	} else if (strncmp(r->table, "[profile.", 9) == 0 && value_of(line, end, "strip")) {
		m->strips = true;
	}
	if (names_old_criterion(r->table, line, end))
		m->old_criterion = true;
	if (strstr(r->table, "dependencies") &&
	    (memmem(line, (size_t)(end - line), "codspeed-", 9) || strstr(r->table, ".codspeed-")))
		m->codspeed = true;
}

void cargo_manifest_read(const char *text, struct cargo_manifest *out)
{
	struct manifest_reader r = { .out = out };
	uint64_t number = 1;

	memset(out, 0, sizeof *out);
	for (const char *line = text; line && *line; number++) {
		const char *end = line + strcspn(line, "\n");
		const char *c = line + strspn(line, " \t");
		if (*c == '[') {
			begin_toml_table(&r, c, (size_t)(end > c ? end - c : 0));
		} else {
			/* A list may have several lines. */
			const char *opening = memchr(c, '[', (size_t)(end > c ? end - c : 0));
			const char *list_end = end;
			if (opening)
				list_end = opening + strnlen(opening, CARGO_LIST_MAX);
			if (opening && memchr(opening, ']', (size_t)(list_end - opening)))
				list_end = memchr(opening, ']', (size_t)(list_end - opening));
			read_key(&r, line, end, list_end, number);
		}
		line = *end ? end + 1 : end;
	}
}

/* With many stars, matching may take for ever. */
static bool is_quick_pattern(const char *pattern)
{
	enum { STARS_MAX = 4 };
	size_t stars = 0;

	for (; *pattern; pattern++)
		stars += *pattern == '*';
	return stars <= STARS_MAX;
}

static bool matches_member(const char (*patterns)[CALL_WORD_MAX], size_t count,
			   const char *directory)
{
	for (size_t i = 0; i < count; i++)
		if (is_quick_pattern(patterns[i]) &&
		    fnmatch(patterns[i], directory, FNM_PATHNAME) == 0)
			return true;
	return false;
}

bool cargo_is_member(const struct cargo_manifest *workspace, const char *directory)
{
	return matches_member(workspace->members, workspace->member_count, directory) &&
	       !matches_member(workspace->excluded, workspace->excluded_count, directory);
}
