#include "src/git/log.h"

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

/* Takes a line, and ends it; NULL: there is none. */
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

int git_log_authors(const struct git *git, const char *last, struct git_log *out,
		    struct cg_error *err)
{
	static const char before[] = "commit ";
	const char *const args[] = { "rev-list", "--first-parent", "--format=%aN", last, NULL };
	char *output = NULL;
	int status = git_run(git, &(struct git_call){ .args = args }, &output, NULL, err);

	for (char *at = output, *line; !status && (line = take_log_line(&at));) {
		const char *id = line + strlen(before);
		if (strncmp(line, before, strlen(before)) != 0 || !git_is_id(id))
			continue;
		/* An author without a name has an empty line. */
		char *author = at;
		at += strcspn(at, "\n");
		if (*at)
			*at++ = '\0';
		status = add_log_entry(out, id, author, err);
	}
	free(output);
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
