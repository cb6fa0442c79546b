#include "src/commits/changed_value.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/commits/key_text.h"
#include "src/text/shell.h"

/* ---- a value ---- */

enum { SHORT_VALUE = 40, LONGEST_VALUE = 100 };

static bool is_between_words(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

static bool continues_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Where the first word begins that differs; in a word that is equal for longer than what is shown,
 * the first character. */
static size_t begin_of_difference(const char *a, const char *b)
{
	size_t at = 0, word = 0;

	for (; a[at] && a[at] == b[at]; at++)
		if (is_between_words(a[at]))
			word = at + 1;
	if (at - word < LONGEST_VALUE)
		return word;
	while (at > word && (continues_character(a[at]) || continues_character(b[at])))
		at--;
	return at;
}

/* How many bytes at the ends are the same words; neither end reaches before `begin`. */
static size_t equal_end(const char *a, const char *b, size_t begin)
{
	const size_t x = strlen(a), y = strlen(b);
	size_t n = 0, words = 0;

	for (; n < x - begin && n < y - begin && a[x - n - 1] == b[y - n - 1]; n++)
		if (is_between_words(a[x - n - 1]))
			words = n + 1;
	return words;
}

static void print_part_of_value(FILE *to, const char *value, size_t begin, size_t end)
{
	const size_t size = strlen(value) - end - begin;
	size_t shown = size;

	if (size > LONGEST_VALUE)
		for (shown = LONGEST_VALUE; continues_character(value[begin + shown]);)
			shown--;
	fprintf(to, "\"%s%.*s%s\"", begin ? "… " : "", (int)shown, value + begin,
		shown < size ? " …"
		: end        ? " …"
			     : "");
}

void changed_value_print(FILE *to, const char *old, const char *now)
{
	size_t begin = 0, end = 0;

	if (old && now && strcmp(old, now) == 0) {
		fputs("is divided into other parts", to);
		return;
	}
	if (old && now && (strlen(old) > SHORT_VALUE || strlen(now) > SHORT_VALUE)) {
		begin = begin_of_difference(old, now);
		end = equal_end(old, now, begin);
	}
	fputs("was ", to);
	if (old)
		print_part_of_value(to, old, begin, end);
	else
		fputs("none", to);
	fputs(" and is ", to);
	if (now)
		print_part_of_value(to, now, begin, end);
	else
		fputs("none", to);
}

/* ---- as text ---- */

bool changed_value_same_command(const struct config_command *a, const struct config_command *b)
{
	bool same = a->argc == b->argc;

	for (size_t i = 0; same && i < a->argc; i++)
		same = strcmp(a->argv[i], b->argv[i]) == 0;
	return same;
}

bool changed_value_same_list(const struct config_text *a, size_t acount,
			     const struct config_text *b, size_t bcount)
{
	bool same = acount == bcount;

	for (size_t i = 0; same && i < acount; i++)
		same = strcmp(a[i].text, b[i].text) == 0;
	return same;
}

int changed_value_command(const struct config_command *command, char **out, struct cg_error *err)
{
	char *buffer = NULL;
	size_t size;

	*out = NULL;
	FILE *to = command->argc ? open_memstream(&buffer, &size) : NULL;
	if (!to)
		return command->argc ? cg_fail_nomem(err) : CG_OK;
	if (command->shell)
		fputs(command->argv[command->argc - 1], to);
	for (size_t i = 0; !command->shell && i < command->argc; i++) {
		fputs(i ? " " : "", to);
		shell_print_word(to, command->argv[i]);
	}
	return key_finish(to, &buffer, out, err);
}

int changed_value_list(const struct config_text *items, size_t count, char **out,
		       struct cg_error *err)
{
	char *buffer = NULL;
	size_t size;

	*out = NULL;
	FILE *to = count ? open_memstream(&buffer, &size) : NULL;
	if (!to)
		return count ? cg_fail_nomem(err) : CG_OK;
	for (size_t i = 0; i < count; i++)
		fprintf(to, "%s%s", i ? ", " : "", items[i].text);
	return key_finish(to, &buffer, out, err);
}

/* ---- the definition of a benchmark ---- */

/* Its lines "name: value" (key_text.h), without those of the command. */
struct definition {
	char *text;
	char **lines;
	size_t count;
};

static int read_definition(const struct config_benchmark *b, struct definition *out,
			   struct cg_error *err)
{
	char *buffer = NULL;
	size_t size;
	FILE *to = open_memstream(&buffer, &size);

	if (!to)
		return cg_fail_nomem(err);
	key_put_benchmark(to, b, NULL);
	int status = key_finish(to, &buffer, &out->text, err);
	if (status)
		return status;
	out->lines = calloc(strlen(out->text) + 1, sizeof *out->lines);
	if (!out->lines)
		return cg_fail_nomem(err);
	char *rest = out->text;
	for (char *line; (line = strsep(&rest, "\n")) != NULL;)
		if (*line && strncmp(line, "command: ", strlen("command: ")) != 0)
			out->lines[out->count++] = line;
	return CG_OK;
}

static void free_definition(struct definition *d)
{
	free(d->text);
	free(d->lines);
}

static bool has_line(const struct definition *d, const char *line)
{
	for (size_t i = 0; i < d->count; i++)
		if (strcmp(d->lines[i], line) == 0)
			return true;
	return false;
}

static size_t length_of_definition_name(const char *line)
{
	return (size_t)(strstr(line, ": ") - line);
}

/* The line of the other definition that replaces this one; NULL: it was dropped. */
static const char *line_in_place_of(const struct definition *other, const struct definition *own,
				    const char *line)
{
	const size_t len = length_of_definition_name(line) + 2;

	for (size_t i = 0; i < other->count; i++)
		if (strncmp(other->lines[i], line, len) == 0 && !has_line(own, other->lines[i]))
			return other->lines[i];
	return NULL;
}

static const char *value_of_definition(const char *line)
{
	return line ? line + length_of_definition_name(line) + 2 : NULL;
}

static void print_line_change(FILE *to, bool *any, const char *line, const char *old,
			      const char *now)
{
	fprintf(to, "%s%.*s ", *any ? ", " : "", (int)length_of_definition_name(line), line);
	changed_value_print(to, value_of_definition(old), value_of_definition(now));
	*any = true;
}

static void print_definitions(FILE *to, bool any, const struct definition *old,
			      const struct definition *now)
{
	for (size_t i = 0; i < old->count; i++)
		if (!has_line(now, old->lines[i]))
			print_line_change(to, &any, old->lines[i], old->lines[i],
					  line_in_place_of(now, old, old->lines[i]));
	for (size_t i = 0; i < now->count; i++)
		if (!has_line(old, now->lines[i]) && !line_in_place_of(old, now, now->lines[i]))
			print_line_change(to, &any, now->lines[i], NULL, now->lines[i]);
}

int changed_value_definition(FILE *to, const struct config_benchmark *old,
			     const struct config_benchmark *now, struct cg_error *err)
{
	struct definition base = { 0 }, head = { 0 };
	char *before = NULL, *after = NULL;
	int status = changed_value_command(&old->command, &before, err);

	if (!status)
		status = changed_value_command(&now->command, &after, err);
	if (!status)
		status = read_definition(old, &base, err);
	if (!status)
		status = read_definition(now, &head, err);
	if (!status) {
		const bool other = !changed_value_same_command(&old->command, &now->command);
		if (other) {
			fputs("command ", to);
			changed_value_print(to, before, after);
		}
		print_definitions(to, other, &base, &head);
	}
	free_definition(&base);
	free_definition(&head);
	free(before);
	free(after);
	return status;
}
