#include "src/share/content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/text.h"
#include "src/share/names.h"
#include "src/store/sums.h"

void shared_fan_free(struct shared_fan *fan)
{
	for (size_t i = 0; i < fan->ncommits; i++) {
		struct shared_commit *c = &fan->commits[i];
		for (size_t k = 0; k < c->nrows; k++) {
			free(c->rows[k].key);
			free(c->rows[k].text);
		}
		free(c->rows);
	}
	free(fan->commits);
	fan->commits = NULL;
	fan->ncommits = fan->cap = 0;
}

void shared_free(struct shared *s)
{
	for (size_t i = 0; i < HISTORY_FANS; i++)
		shared_fan_free(&s->fans[i]);
	for (size_t i = 0; i < s->nentries; i++)
		free(s->entries[i].path);
	free(s->entries);
	*s = (struct shared){ 0 };
}

void share_result_free(struct share_result *result)
{
	strings_free(&result->refused.words);
	*result = (struct share_result){ 0 };
}

const char *shared_file_name(size_t i)
{
	return i == SHARE_KEY    ? CACHE_KEY_FILE
	       : i == SHARE_SUMS ? SUMS_FILE
				 : profile_file_names[i];
}

void share_refuse(struct share_refused *refused, const char *where, const char *name,
		  const char *why)
{
	enum { MOST = 30 };
	char quoted[CG_QUOTE_SIZE];

	if (refused->count++ < MOST)
		strings_addf(&refused->words, NULL, "%s%s: %s", where,
			     cg_quote(quoted, name, strlen(name)), why);
}

static struct shared_commit *add_shared_commit(struct shared_fan *fan, const char *id)
{
	struct shared_commit *last = fan->ncommits ? &fan->commits[fan->ncommits - 1] : NULL;

	if (last && strcmp(last->id, id) == 0)
		return last;
	if (cg_grow(&fan->commits, &fan->cap, fan->ncommits + 1, sizeof *fan->commits))
		return NULL;
	last = &fan->commits[fan->ncommits++];
	*last = (struct shared_commit){ 0 };
	snprintf(last->id, sizeof last->id, "%s", id);
	return last;
}

int shared_add_row(struct shared_fan *fan, const struct history_run *run, struct cg_error *err)
{
	struct shared_row row = { .key = share_row_key(run), .measured = run->measured };
	struct shared_commit *c = add_shared_commit(fan, run->commit);
	bool fine = c && row.key && !history_row_text(run, &row.text, NULL) &&
		    !cg_grow(&c->rows, &c->cap, c->nrows + 1, sizeof row);

	if (!fine) {
		free(row.key);
		free(row.text);
		return cg_fail_nomem(err);
	}
	c->rows[c->nrows++] = row;
	fan->nrows++;
	return CG_OK;
}

int shared_add_entry(struct shared *s, struct shared_entry *entry, struct cg_error *err)
{
	if (cg_grow(&s->entries, &s->entries_cap, s->nentries + 1, sizeof *s->entries)) {
		free(entry->path);
		return cg_fail_nomem(err);
	}
	s->entries[s->nentries++] = *entry;
	return CG_OK;
}

static int compare_row_keys(const void *a, const void *b)
{
	return strcmp(((const struct shared_row *)a)->key, ((const struct shared_row *)b)->key);
}

bool shared_sort_rows(struct shared_commit *c)
{
	if (c->nrows)
		qsort(c->rows, c->nrows, sizeof *c->rows, compare_row_keys);
	for (size_t i = 1; i < c->nrows; i++)
		if (strcmp(c->rows[i - 1].key, c->rows[i].key) == 0)
			return false;
	return true;
}

/* By name; of one name, the last measured first. */
static int compare_shared_entries(const void *left, const void *right)
{
	const struct shared_entry *a = left, *b = right;
	int order = strcmp(a->name, b->name);
	return order ? order : strcmp(b->path, a->path);
}

void shared_sort(struct shared *s, struct share_refused *refused)
{
	size_t kept = 0;

	if (s->nentries)
		qsort(s->entries, s->nentries, sizeof *s->entries, compare_shared_entries);
	for (size_t i = 0; i < s->nentries; i++) {
		if (kept && strcmp(s->entries[kept - 1].name, s->entries[i].name) == 0) {
			share_refuse(refused, "cache/", s->entries[i].path, "duplicate");
			free(s->entries[i].path);
		} else {
			s->entries[kept++] = s->entries[i];
		}
	}
	s->nentries = kept;
}

static int compare_with_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct shared_entry *)entry)->name);
}

struct shared_entry *shared_find_entry(const struct shared *s, const char *name)
{
	return s->nentries ? bsearch(name, s->entries, s->nentries, sizeof *s->entries,
				     compare_with_name)
			   : NULL;
}

bool shared_row_tells(const struct history_run *run)
{
	for (size_t i = 0; i < run->nenvironment; i++)
		if (strncmp(run->environment[i].key, "env.", 4) == 0 &&
		    strstr(run->environment[i].value, " bytes, fnv1a:"))
			return true;
	return false;
}

bool shared_row_wins(const struct shared_row *row, const struct shared_row *other)
{
	if (row->measured != other->measured)
		return row->measured > other->measured;
	return strcmp(row->text, other->text) > 0;
}
