#include "src/init/build_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "src/config/file.h"

/* Comments become spaces: every language of these begins them with a #. */
static void blank_comments(char *text, size_t len)
{
	char quote = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\0')
			text[i] = ' ';
		if (quote && (text[i] == quote || text[i] == '\n'))
			quote = 0;
		else if (!quote && (text[i] == '"' || text[i] == '\''))
			quote = text[i];
		else if (!quote && text[i] == '#')
			for (; i < len && text[i] != '\n'; i++)
				text[i] = ' ';
	}
}

static bool is_regular_file(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int build_file_read(const char *dir, const char *directory, const char *name,
		    struct build_file *out, struct cg_error *err)
{
	struct build_file file = { .text = NULL };
	char *path, *text;
	size_t len;

	*out = file;
	if (snprintf(file.path, sizeof file.path, "%s%s", directory, name) >= (int)sizeof file.path)
		return CG_OK;
	snprintf(file.directory, sizeof file.directory, "%s", directory);
	if (asprintf(&path, "%s/%s", dir, file.path) < 0)
		return cg_fail_nomem(err);
	int status = CG_OK;
	if (is_regular_file(path)) {
		status = config_file_read(path, BUILD_FILE_BYTES_MAX, &text, &len, err);
		if (!status) {
			/* One byte more than that was room for. */
			len = len > BUILD_FILE_BYTES_MAX ? BUILD_FILE_BYTES_MAX : len;
			text[len] = '\0';
			blank_comments(text, len);
			file.text = text;
			*out = file;
		}
	}
	free(path);
	return status;
}

void build_file_free(struct build_file *file)
{
	free(file->text);
	file->text = NULL;
}

/* ---- calls ---- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Finds the variable before "NAME(", which begins at `at`. */
static void find_assigned_variable(const char *text, size_t at, char target[CALL_WORD_MAX])
{
	size_t end;

	target[0] = '\0';
	while (at > 0 && isblank((unsigned char)text[at - 1]))
		at--;
	if (at == 0 || text[at - 1] != '=')
		return;
	for (at--; at > 0 && isblank((unsigned char)text[at - 1]);)
		at--;
	for (end = at; at > 0 && is_name(text[at - 1]);)
		at--;
	if (end > at && end - at < CALL_WORD_MAX) {
		memcpy(target, text + at, end - at);
		target[end - at] = '\0';
	}
}

static void add_word(struct build_call *c, const char *word, size_t len)
{
	if (len >= CALL_WORD_MAX)
		return;
	memcpy(c->words[c->count], word, len);
	c->words[c->count++][len] = '\0';
}

/* Reads the words between the parentheses. */
static void read_call_words(const char *text, size_t at, struct build_call *c)
{
	static const char separators[] = " \t\r\n,()[]";
	unsigned depth = 1;
	size_t end = at + CALL_BYTES_MAX;

	while (text[at] && depth > 0 && at < end && c->count < CALL_WORDS_MAX) {
		size_t len = 1;
		if (text[at] == '"' || text[at] == '\'') {
			char quote[] = { text[at++], '\0' };
			len = strcspn(text + at, quote);
			add_word(c, text + at, len);
			at += len + (text[at + len] != '\0');
			continue;
		}
		depth += text[at] == '(';
		depth -= text[at] == ')';
		if (strchr("()[]", text[at])) {
			if (depth > 0)
				add_word(c, text + at, 1);
		} else if (!strchr(separators, text[at])) {
			len = strcspn(text + at, separators);
			add_word(c, text + at, len);
		}
		at += len;
	}
}

bool build_file_call(const struct build_file *file, struct cursor *cursor, const char *name,
		     struct build_call *out)
{
	const char *text = file->text;
	size_t n = strlen(name);

	for (size_t i = cursor->at; text && text[i]; i++) {
		size_t end = i + n;
		cursor->lines += text[i] == '\n';
		if (strncasecmp(text + i, name, n) != 0 || (i > 0 && is_name(text[i - 1])))
			continue;
		end += strspn(text + end, " \t");
		if (text[end] != '(')
			continue;
		*out = (struct build_call){ .line = cursor->lines + 1 };
		find_assigned_variable(text, i, out->target);
		read_call_words(text, end + 1, out);
		/* Calls in its parentheses are found as well. */
		cursor->at = end + 1;
		return true;
	}
	return false;
}

/* ---- trees ---- */

/* Whether a build names a directory below its own: no option, no variable, no path that leads
 * out. */
static bool is_inner_directory(const char *path)
{
	return *path && *path != '/' && *path != '.' && !strstr(path, "..") && !strchr(path, '$');
}

static bool add_build_file(struct build_tree *tree, const char *dir, const char *directory,
			   const char *name, int *status, struct cg_error *err)
{
	for (size_t i = 0; i < tree->count; i++)
		if (strcmp(tree->files[i].directory, directory) == 0)
			return false;
	*status = build_file_read(dir, directory, name, &tree->files[tree->count], err);
	if (*status || !tree->files[tree->count].text)
		return false;
	tree->count++;
	return true;
}

int build_tree_read(const char *dir, const char *name, const char *subdirectory,
		    struct build_tree *out, struct cg_error *err)
{
	struct build_tree *tree = out;
	struct build_call call;
	int status = CG_OK;

	tree->count = 0;
	add_build_file(tree, dir, "", name, &status, err);
	/* The list grows while this goes through it. */
	for (size_t i = 0; !status && i < tree->count; i++) {
		for (struct cursor at = { 0 };
		     !status && tree->count < BUILD_TREE_MAX &&
		     build_file_call(&tree->files[i], &at, subdirectory, &call);) {
			char directory[BUILD_PATH_MAX];
			int len = call.count == 0 || !is_inner_directory(call.words[0])
					  ? -1
					  : snprintf(directory, sizeof directory, "%s%s/",
						     tree->files[i].directory, call.words[0]);
			if (len > 0 && len < (int)sizeof directory)
				add_build_file(tree, dir, directory, name, &status, err);
		}
	}
	if (status)
		build_tree_free(tree);
	return status;
}

void build_tree_free(struct build_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		build_file_free(&tree->files[i]);
	tree->count = 0;
}
