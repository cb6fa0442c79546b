/* Cargo: the benches of Cargo.toml, and files of benches/, which are benches without being named.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/init/survey_kinds.h"

/* Reads the text in quotes after "name =", at the start of the line. */
static bool read_name(const char *line, size_t len, char name[CALL_WORD_MAX])
{
	const char *end = line + len, *c = line + strspn(line, " \t");

	if (strncmp(c, "name", 4) != 0)
		return false;
	c += 4 + strspn(c + 4, " \t");
	if (*c++ != '=')
		return false;
	c += strspn(c, " \t");
	char quote = *c;
	if (c >= end || (quote != '"' && quote != '\''))
		return false;
	const char *last = memchr(c + 1, quote, (size_t)(end - c - 1));
	if (!last || last - c - 1 >= CALL_WORD_MAX)
		return false;
	memcpy(name, c + 1, (size_t)(last - c - 1));
	name[last - c - 1] = '\0';
	return true;
}

/* The name of its program: Cargo builds it as a crate, whose name has no dashes. */
static void add_cargo_bench(struct survey *s, const char *name, const char *from, uint64_t line)
{
	struct survey_bench *b = survey_add(s, name, from, line);
	char program[CALL_WORD_MAX];

	if (!b)
		return;
	snprintf(program, sizeof program, "%s", name);
	for (char *c = program; *c; c++)
		*c = *c == '-' ? '_' : *c;
	/* --test runs each of its functions once, so that counts repeat. */
	if (!survey_word(b, CARGO_PROGRAMS, program) || !survey_word(b, "", "--bench") ||
	    !survey_word(b, "", "--test"))
		survey_drop(s);
}

static void look_at_manifest(struct survey *s, const struct build_file *file)
{
	bool in_bench = false;
	uint64_t number = 1;
	char name[CALL_WORD_MAX];

	for (const char *line = file->text; line && *line; number++) {
		size_t len = strcspn(line, "\n");
		const char *c = line + strspn(line, " \t");
		if (*c == '[')
			in_bench = strncmp(c, "[[bench]]", strlen("[[bench]]")) == 0;
		else if (in_bench && read_name(line, len, name))
			add_cargo_bench(s, name, file->path, number);
		line += len + (line[len] == '\n');
	}
}

static int is_source(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);
	return len > 3 && len < CALL_WORD_MAX && strcmp(entry->d_name + len - 3, ".rs") == 0;
}

static bool has_regular_file(const char *dir, const char *name)
{
	struct stat st;
	char *path;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return false;
	bool is = stat(path, &st) == 0 && S_ISREG(st.st_mode);
	free(path);
	return is;
}

static int look_at_directory(const char *dir, struct survey *s, struct cg_error *err)
{
	struct dirent **entries = NULL;
	char *path;

	if (asprintf(&path, "%s/benches", dir) < 0)
		return cg_fail_nomem(err);
	int n = scandir(path, &entries, is_source, alphasort);
	free(path);
	for (int i = 0; i < n; i++) {
		char name[CALL_WORD_MAX], from[BUILD_PATH_MAX];
		snprintf(from, sizeof from, "benches/%.200s", entries[i]->d_name);
		snprintf(name, sizeof name, "%.*s", (int)strlen(entries[i]->d_name) - 3,
			 entries[i]->d_name);
		if (has_regular_file(dir, from))
			add_cargo_bench(s, name, from, 0);
		free(entries[i]);
	}
	free(entries);
	return CG_OK;
}

int survey_cargo(const char *dir, struct survey *s, struct cg_error *err)
{
	struct build_file file;
	int status = build_file_read(dir, "", "Cargo.toml", &file, err);
	if (status)
		return status;

	look_at_manifest(s, &file);
	build_file_free(&file);
	return look_at_directory(dir, s, err);
}
