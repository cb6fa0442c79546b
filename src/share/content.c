#include "src/share/content.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/text.h"
#include "src/store/sums.h"

static void free_shared_row(struct shared_row *row)
{
	free(row->path);
	free(row->text);
	history_run_free(&row->run);
}

void shared_free(struct shared *s)
{
	for (size_t i = 0; i < s->nrows; i++)
		free_shared_row(&s->rows[i]);
	for (size_t i = 0; i < s->nentries; i++)
		free(s->entries[i].path);
	free(s->rows);
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

int shared_add_row(struct shared *s, struct shared_row *row, struct cg_error *err)
{
	if (cg_grow(&s->rows, &s->rows_cap, s->nrows + 1, sizeof *s->rows)) {
		free_shared_row(row);
		return cg_fail_nomem(err);
	}
	s->rows[s->nrows++] = *row;
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

static int compare_row_paths(const void *a, const void *b)
{
	return strcmp(((const struct shared_row *)a)->path, ((const struct shared_row *)b)->path);
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

	if (s->nrows)
		qsort(s->rows, s->nrows, sizeof *s->rows, compare_row_paths);
	for (size_t i = 0; i < s->nrows; i++) {
		if (kept && strcmp(s->rows[kept - 1].path, s->rows[i].path) == 0) {
			share_refuse(refused, "history/", s->rows[i].path, "duplicate");
			free_shared_row(&s->rows[i]);
		} else {
			s->rows[kept++] = s->rows[i];
		}
	}
	s->nrows = kept;
	kept = 0;
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

struct shared_row *shared_find_row(const struct shared *s, const char *path)
{
	const struct shared_row wanted = { .path = (char *)path };
	return s->nrows ? bsearch(&wanted, s->rows, s->nrows, sizeof wanted, compare_row_paths)
			: NULL;
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
	if (row->run.measured != other->run.measured)
		return row->run.measured > other->run.measured;
	return strcmp(row->text, other->text) > 0;
}
