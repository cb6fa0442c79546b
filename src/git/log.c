#include "src/git/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/git/refs.h"

static int add_log_entry(struct git_log *log, const char *id, const char *text,
			 struct cg_error *err)
{
	if (cg_grow(&log->items, &log->cap, log->count + 1, sizeof *log->items))
		return cg_fail_nomem(err);
	struct git_log_entry e = { strdup(id), strdup(text) };
	log->items[log->count++] = e;
	return e.id && e.text ? CG_OK : cg_fail_nomem(err);
}

/* Takes the next line, without its line end. NULL: the text is at its end. */
static char *take_log_line(char **at)
{
	char *line = *at, *end = line ? strchr(line, '\n') : NULL;

	if (!line || !*line)
		return NULL;
	*at = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

static int compare_entries_by_id(const void *left, const void *right)
{
	const struct git_log_entry *a = left, *b = right;
	return strcmp(a->id, b->id);
}

const char *git_log_find(const struct git_log *log, const char *id)
{
	const struct git_log_entry wanted = { .id = (char *)id };
	const struct git_log_entry *e = log->count ? bsearch(&wanted, log->items, log->count,
							     sizeof wanted, compare_entries_by_id)
						   : NULL;
	return e && *e->text ? e->text : NULL;
}

/* Lines "commit ID", each with the author's name in the next line, which may be empty. */
static int take_authors(char *output, struct git_log *out, struct cg_error *err)
{
	static const char before[] = "commit ";
	int status = CG_OK;

	for (char *at = output, *line; !status && (line = take_log_line(&at));) {
		const char *id = line + strlen(before);
		if (strncmp(line, before, strlen(before)) != 0 || !git_is_id(id))
			continue;
		char *author = at;
		at += strcspn(at, "\n");
		if (*at)
			*at++ = '\0';
		status = add_log_entry(out, id, author, err);
	}
	if (out->count)
		qsort(out->items, out->count, sizeof *out->items, compare_entries_by_id);
	return status;
}

int git_log_authors(const struct git *git, const char *const *ids, size_t count,
		    struct git_log *out, struct cg_error *err)
{
	static const char *const args[] = { "rev-list", "--no-walk=unsorted", "--format=%aN",
					    "--stdin", NULL };
	char *output = NULL, *input = NULL;
	size_t size = 0;
	FILE *to = count ? open_memstream(&input, &size) : NULL;

	if (!count)
		return CG_OK;
	for (size_t i = 0; to && i < count; i++)
		fprintf(to, "%s\n", ids[i]);
	int status = to && fclose(to) == 0 ? CG_OK : cg_fail_nomem(err);
	const struct git_call call = { .args = args, .input = input, .input_size = size };
	if (!status)
		status = git_run(git, &call, &output, NULL, err);
	if (!status)
		status = take_authors(output, out, err);
	free(output);
	free(input);
	return status;
}

int git_log_tags(const struct git *git, struct git_log *out, struct cg_error *err)
{
	/* Of an annotated tag, the commit comes first. */
	static const char *const args[] = {
		"for-each-ref", "--sort=version:refname",
		"--format=%(*objectname) %(objectname) %(refname:strip=2)", "refs/tags", NULL
	};
	char *output = NULL;
	int status = git_run(git, &(struct git_call){ .args = args }, &output, NULL, err);

	for (char *at = output, *line; !status && (line = take_log_line(&at));) {
		char *id = line + (*line == ' '), *end = strchr(id, ' ');
		if (!end)
			continue;
		*end = '\0';
		char *name = *line == ' ' ? end + 1 : strchr(end + 1, ' ');
		if (name && git_is_id(id))
			status = add_log_entry(out, id, name + (*name == ' '), err);
	}
	free(output);
	return status;
}

void git_log_free(struct git_log *log)
{
	for (size_t i = 0; i < log->count; i++) {
		free(log->items[i].id);
		free(log->items[i].text);
	}
	free(log->items);
	*log = (struct git_log){ 0 };
}
