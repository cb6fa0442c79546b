#include "src/init/make_lines.h"

#include <string.h>

/* Splits at blanks, and at what assigns or ends the targets. */
static const char *next_make_word(const char *c, char word[CALL_WORD_MAX])
{
	size_t len;

	c += strspn(c, " \t\r");
	len = strspn(c, ":=+?!");
	if (len == 0)
		len = strcspn(c, " \t\r\n:=\\");
	if (len == 0 && *c == '\\' && c[1] != '\n')
		len = 1;
	size_t kept = len < CALL_WORD_MAX ? len : 0;
	memcpy(word, c, kept);
	word[kept] = '\0';
	return c + len;
}

static const char *read_line(const char *c, struct make_line *line)
{
	line->count = 0;
	line->height = 1;
	line->recipe = *c == '\t';
	while (*c && *c != '\n') {
		char word[CALL_WORD_MAX];
		c = next_make_word(c, word);
		if (*word && line->count < LINE_WORDS_MAX)
			memcpy(line->words[line->count++], word, sizeof word);
		if (c[0] == '\\' && c[1] == '\n') {
			c += 2;
			line->height++;
		}
	}
	return c + (*c == '\n');
}

bool make_next_line(const struct build_file *file, const char **at, struct make_line *line)
{
	const char *begin = *at ? *at : file->text;

	if (!begin || !*begin)
		return false;
	line->number = *at ? line->number + line->height : 1;
	*at = read_line(begin, line);
	return true;
}

bool make_assigns(const struct make_line *line, const char *variable)
{
	size_t len = strlen(variable);

	if (line->recipe || line->count < 2 || !strchr(line->words[1], '=') ||
	    strncmp(line->words[0], variable, len) != 0)
		return false;
	/* "CFLAGS+=" is split before the '='. */
	const char *rest = line->words[0] + len;
	return !*rest || (strchr("+?!", *rest) && !rest[1]);
}

bool make_appends(const struct make_line *line)
{
	return line->words[1][0] == '+' || line->words[0][strlen(line->words[0]) - 1] == '+';
}

void make_words_of(const struct build_file *file, const char *variable, struct make_words *out)
{
	const char *at = NULL;
	struct make_line line;

	out->count = 0;
	while (make_next_line(file, &at, &line))
		for (size_t i = 2; make_assigns(&line, variable) && i < line.count; i++)
			if (out->count < LINE_WORDS_MAX)
				memcpy(out->words[out->count++], line.words[i], CALL_WORD_MAX);
}

bool make_variable(const char *word, char name[CALL_WORD_MAX])
{
	size_t len = strlen(word);

	if (len < 4 || len >= CALL_WORD_MAX || word[0] != '$' ||
	    !((word[1] == '(' && word[len - 1] == ')') || (word[1] == '{' && word[len - 1] == '}')))
		return false;
	memcpy(name, word + 2, len - 3);
	name[len - 3] = '\0';
	return !strpbrk(name, "$(){}:");
}

/* ---- makefiles ---- */

static int find_phony(struct makefile *m)
{
	const char *at = NULL;
	struct make_line line;
	cg_str id;
	int status = cg_strings_init(&m->phony);

	while (!status && make_next_line(&m->file, &at, &line))
		for (size_t i = 1;
		     !status && i < line.count && strcmp(line.words[0], ".PHONY") == 0; i++)
			status = cg_strings_add(&m->phony, line.words[i], strlen(line.words[i]),
						&id);
	return status;
}

bool makefile_is_phony(const struct makefile *m, const char *target)
{
	return cg_strings_find(&m->phony, target, strlen(target)) != 0;
}

void makefile_free(struct makefile *m)
{
	cg_strings_free(&m->phony);
	build_file_free(&m->file);
}

int makefile_read(const char *dir, const char *directory, const char *name, struct makefile *out,
		  struct cg_error *err)
{
	*out = (struct makefile){ 0 };
	int status = build_file_read(dir, directory, name, &out->file, err);
	if (status)
		return status;
	return find_phony(out) ? cg_fail_nomem(err) : CG_OK;
}
