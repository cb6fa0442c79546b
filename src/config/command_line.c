#include "src/config/command_line.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct splitter {
	const char *text;
	size_t at;
	bool in_word;
	char *out; /* end of the texts so far */
	struct command_line *line;
	struct cg_error *err;
};

static int fail_at_column(const struct splitter *s, size_t at, const char *what)
{
	return cg_fail(s->err, CG_ESYNTAX, NULL, 0, "column %zu: %s", at + 1, what);
}

/* Refuses a character that has a meaning for a shell. */
static int bad_special(const struct splitter *s, const char *what)
{
	return cg_fail(
		s->err, CG_ESYNTAX, NULL, 0,
		"column %zu: '%c' %s, but the command runs without a shell; quote it as '…' to use it "
		"literally, give the command as a list, or set `shell: true`",
		s->at + 1, s->text[s->at], what);
}

static void put_byte(struct splitter *s, char c)
{
	if (!s->in_word) {
		s->line->argv[s->line->argc++] = s->out;
		s->in_word = true;
	}
	*s->out++ = c;
}

/* A word may be empty: '' is one. */
static void begin_word(struct splitter *s)
{
	if (s->in_word)
		return;
	s->line->argv[s->line->argc++] = s->out;
	s->in_word = true;
}

static void end_word(struct splitter *s)
{
	if (!s->in_word)
		return;
	*s->out++ = '\0';
	s->in_word = false;
}

static int single_quotes(struct splitter *s)
{
	size_t open = s->at++;

	begin_word(s);
	for (; s->text[s->at] != '\''; s->at++) {
		if (s->text[s->at] == '\0')
			return fail_at_column(s, open, "this ' is never closed");
		put_byte(s, s->text[s->at]);
	}
	s->at++;
	return CG_OK;
}

/* A backslash in double quotes escapes only what would be special there. */
static void double_quoted_backslash(struct splitter *s)
{
	char next = s->text[s->at + 1];

	if (next == '\0' || !strchr("$`\"\\\n", next)) {
		put_byte(s, '\\');
		s->at++;
		return;
	}
	if (next != '\n')
		put_byte(s, next);
	s->at += 2;
}

static int double_quotes(struct splitter *s)
{
	size_t open = s->at++;

	begin_word(s);
	while (s->text[s->at] != '"') {
		switch (s->text[s->at]) {
		case '\0':
			return fail_at_column(s, open, "this \" is never closed");
		case '$':
		case '`':
			return bad_special(s, "is expanded by a shell");
		case '\\':
			double_quoted_backslash(s);
			break;
		default:
			put_byte(s, s->text[s->at++]);
		}
	}
	s->at++;
	return CG_OK;
}

static int backslash(struct splitter *s)
{
	char next = s->text[s->at + 1];

	if (next == '\0')
		return fail_at_column(s, s->at, "nothing follows this backslash");
	if (next != '\n')
		put_byte(s, next);
	s->at += 2;
	return CG_OK;
}

/* A line break ends a command: more words after it would be a second one. */
static int blank(struct splitter *s)
{
	bool newline = s->text[s->at] == '\n';
	size_t start = s->at;

	end_word(s);
	s->at++;
	if (!newline)
		return CG_OK;
	s->at += strspn(s->text + s->at, " \t\n");
	if (s->text[s->at] == '\0' || s->line->argc == 0)
		return CG_OK;
	return fail_at_column(
		s, start,
		"a line break ends a command, and only one command can run; join the lines, or set `shell: true`");
}

/* Whether an unquoted character begins something only a shell can do. */
static int refuse_special(const struct splitter *s)
{
	char c = s->text[s->at];

	if (strchr("$`", c))
		return bad_special(s, "is expanded by a shell");
	if (strchr("*?[", c) || (c == '~' && !s->in_word))
		return bad_special(s, "is expanded to file names by a shell");
	if (strchr("|&;<>()", c))
		return bad_special(s, "is shell syntax");
	if (c == '#' && !s->in_word)
		return fail_at_column(
			s, s->at, "'#' begins a comment in a shell; quote it, or remove the rest");
	return CG_OK;
}

/* NAME=VALUE in front of a command sets a variable in a shell. */
static int refuse_assignment(const struct splitter *s)
{
	static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
	static const char others[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
	size_t start = strspn(s->text, " \t\n");
	const char *word = s->text + start;

	if (*word == '\0' || !strchr(first, *word) || word[strspn(word, others)] != '=')
		return CG_OK;
	return fail_at_column(s, start, "only a shell sets variables before a command; use `env:`");
}

static int split_command(struct splitter *s)
{
	int rc = refuse_assignment(s);

	while (rc == CG_OK && s->text[s->at] != '\0') {
		switch (s->text[s->at]) {
		case ' ':
		case '\t':
		case '\n':
			rc = blank(s);
			break;
		case '\'':
			rc = single_quotes(s);
			break;
		case '"':
			rc = double_quotes(s);
			break;
		case '\\':
			rc = backslash(s);
			break;
		default:
			rc = refuse_special(s);
			if (rc == CG_OK)
				put_byte(s, s->text[s->at++]);
		}
	}
	if (rc != CG_OK)
		return rc;
	end_word(s);
	if (s->line->argc == 0)
		return cg_fail(s->err, CG_ESYNTAX, NULL, 0, "the command is empty");
	return CG_OK;
}

int command_line_split(const char *text, struct command_line *line, struct cg_error *err)
{
	/* n bytes hold at most (n + 1) / 2 words, and no word takes more room
	 * than it has in `text` with a NUL for what separates it. */
	size_t len = strlen(text), slots = len / 2 + 2;

	if (len > SIZE_MAX / (4 * sizeof(char *)))
		return cg_fail_nomem(err);

	struct command_line out = { .argv = malloc(slots * sizeof(char *) + len + 1) };
	struct splitter s = { .text = text, .line = &out, .err = err };

	if (!out.argv)
		return cg_fail_nomem(err);
	s.out = (char *)(out.argv + slots);

	int rc = split_command(&s);
	if (rc != CG_OK) {
		command_line_free(&out);
		return rc;
	}
	out.argv[out.argc] = NULL;
	*line = out;
	return CG_OK;
}

void command_line_free(struct command_line *line)
{
	free(line->argv);
	*line = (struct command_line){ 0 };
}
