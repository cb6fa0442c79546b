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
		if (quote && text[i] == '\\' && text[i + 1] != '\n' && i + 1 < len)
			i++;
		else if (quote && (text[i] == quote || text[i] == '\n'))
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

/* Reads the file at out->path, without NUL bytes; a missing one has no text. */
static int read_text(const char *dir, struct build_file *out, size_t *size, struct cg_error *err)
{
	char *path, *text;
	size_t len;

	if (asprintf(&path, "%s/%s", dir, out->path) < 0)
		return cg_fail_nomem(err);
	int status = CG_OK;
	if (is_regular_file(path)) {
		status = config_file_read(path, BUILD_FILE_BYTES_MAX, &text, &len, err);
		if (!status) {
			/* One byte more than that was room for. */
			len = len > BUILD_FILE_BYTES_MAX ? BUILD_FILE_BYTES_MAX : len;
			text[len] = '\0';
			char *nul = text;
			while ((nul = memchr(nul, '\0', len - (size_t)(nul - text))) != NULL)
				*nul = ' ';
			out->text = text;
			*size = len;
		}
	}
	free(path);
	return status;
}

int build_file_read_whole(const char *dir, const char *path, struct build_file *out,
			  struct cg_error *err)
{
	size_t len = strlen(path), size;

	*out = (struct build_file){ .text = NULL };
	if (len >= sizeof out->path)
		return CG_OK;
	memcpy(out->path, path, len + 1);
	return read_text(dir, out, &size, err);
}

int build_file_read(const char *dir, const char *directory, const char *name,
		    struct build_file *out, struct cg_error *err)
{
	size_t size;

	*out = (struct build_file){ .text = NULL };
	if (snprintf(out->path, sizeof out->path, "%s%s", directory, name) >=
	    (int)sizeof out->path) {
		out->path[0] = '\0';
		return CG_OK;
	}
	snprintf(out->directory, sizeof out->directory, "%s", directory);
	int status = read_text(dir, out, &size, err);
	if (out->text)
		blank_comments(out->text, size);
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

/* The length of a text in quotes; a backslash keeps its next character from ending it. */
static size_t quoted_length(const char *text, char quote)
{
	size_t len = 0;

	while (text[len] && text[len] != quote)
		len += text[len] == '\\' && text[len + 1] ? 2 : 1;
	return len;
}

/* Reads the words between the parentheses; returns where that ended. */
static size_t read_call_words(const char *text, size_t at, struct build_call *c)
{
	static const char separators[] = " \t\r\n,()[]";
	unsigned depth = 1;
	size_t end = at + CALL_BYTES_MAX;

	while (text[at] && depth > 0 && at < end && c->count < CALL_WORDS_MAX) {
		size_t len = 1;
		if (text[at] == '"' || text[at] == '\'') {
			len = quoted_length(text + at + 1, text[at]);
			at++;
			size_t before = c->count;
			add_word(c, text + at, len);
			c->quoted[before] = c->count > before;
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
	return at;
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

bool build_file_next_call(const struct build_file *file, struct cursor *cursor,
			  char name[CALL_WORD_MAX], struct build_call *out)
{
	const char *text = file->text;

	while (text && text[cursor->at]) {
		size_t at = cursor->at + strspn(text + cursor->at, " \t");
		size_t len = 0;
		while (is_name(text[at + len]))
			len++;
		size_t opening = at + len + strspn(text + at + len, " \t");
		bool calls = len > 0 && len < CALL_WORD_MAX && text[opening] == '(';
		size_t end;
		if (calls) {
			memcpy(name, text + at, len);
			name[len] = '\0';
			*out = (struct build_call){ .line = cursor->lines + 1 };
			end = read_call_words(text, opening + 1, out);
		} else {
			end = at + strcspn(text + at, "\n");
			end += text[end] == '\n';
		}
		for (size_t i = cursor->at; i < end; i++)
			cursor->lines += text[i] == '\n';
		cursor->at = end;
		if (calls)
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
