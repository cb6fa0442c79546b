/* make and automake: targets and programs with a name that says they are benchmarks. */
#include <stdio.h>
#include <string.h>

#include "cgprofile/strings.h"
#include "src/init/survey_kinds.h"

#define LINE_WORDS_MAX 64

/* A line with its continuation lines, as words. */
struct make_line {
	char words[LINE_WORDS_MAX][CALL_WORD_MAX];
	size_t count;
	uint64_t number, height; /* the number of its first line, and how many there are */
	bool recipe;             /* it begins with a tab */
};

/* Splits at blanks; ':' and what is assigned by are words, and so is "::". */
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

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Goes through the lines; `at` is NULL at first. */
static bool next_line(const struct build_file *file, const char **at, struct make_line *line)
{
	const char *begin = *at ? *at : file->text;

	if (!begin || !*begin)
		return false;
	line->number = *at ? line->number + line->height : 1;
	*at = read_line(begin, line);
	return true;
}

/* A makefile, and its targets that are phony. */
struct makefile {
	struct build_file file;
	struct cg_strings phony;
};

static int find_phony(struct makefile *m)
{
	const char *at = NULL;
	struct make_line line;
	cg_str id;
	int status = cg_strings_init(&m->phony);

	while (!status && next_line(&m->file, &at, &line))
		for (size_t i = 1;
		     !status && i < line.count && strcmp(line.words[0], ".PHONY") == 0; i++)
			status = cg_strings_add(&m->phony, line.words[i], strlen(line.words[i]),
						&id);
	return status;
}

static bool is_phony(const struct makefile *m, const char *target)
{
	return cg_strings_find(&m->phony, target, strlen(target)) != 0;
}

static void makefile_free(struct makefile *m)
{
	cg_strings_free(&m->phony);
	build_file_free(&m->file);
}

/* makefile_free, also on failure. */
static int makefile_read(const char *dir, const char *name, struct makefile *out,
			 struct cg_error *err)
{
	*out = (struct makefile){ 0 };
	int status = build_file_read(dir, "", name, &out->file, err);
	if (status)
		return status;
	return find_phony(out) ? cg_fail_nomem(err) : CG_OK;
}

/* Adds a program that is built, or a phony target that runs one. */
static void add_target(struct survey *s, const struct makefile *m, const char *target,
		       uint64_t number)
{
	const char *name = last_part(target);
	const char *dot = strrchr(name, '.');

	/* Skips objects and sources, which are not programs, and patterns and variables. */
	if ((dot && dot != name) || strpbrk(target, "%$()") || !survey_names_bench(name))
		return;
	struct survey_bench *b = survey_add(s, name, m->file.path, number);
	if (!b)
		return;
	if (!survey_word(b, *target == '/' ? "" : "./", target)) {
		survey_drop(s);
	} else if (is_phony(m, target)) {
		b->count = 0;
		survey_word(b, "", "make");
		survey_word(b, "", "-s");
		survey_word(b, "", target);
	} else {
		snprintf(b->target, sizeof b->target, "%s", target);
	}
}

/* Whether a rule without a recipe only lists other targets, so that no file has its name. */
static bool is_collection(const struct build_file *file, const struct make_line *rule, size_t colon,
			  const char *after)
{
	struct make_line next;
	bool others = colon + 1 < rule->count;

	for (size_t i = colon + 1; i < rule->count; i++)
		others &= !strpbrk(rule->words[i], ".$;");
	return others && (!*after || !next_line(file, &after, &next) || !next.recipe);
}

static void look_at_rules(struct survey *s, const struct makefile *m)
{
	const char *at = NULL;
	struct make_line line;

	while (next_line(&m->file, &at, &line)) {
		size_t colon = 0;
		while (colon < line.count && !strpbrk(line.words[colon], ":=+?!"))
			colon++;
		if (line.recipe || colon == line.count || strspn(line.words[colon], ":") == 0 ||
		    strchr(line.words[colon], '='))
			continue;
		for (size_t i = 0; i < colon; i++)
			if (is_phony(m, line.words[i]) ||
			    !is_collection(&m->file, &line, colon, at))
				add_target(s, m, line.words[i], line.number);
	}
}

int survey_make(const char *dir, struct survey *s, struct cg_error *err)
{
	struct makefile m;
	int status = makefile_read(dir, s->marker, &m, err);

	if (!status)
		look_at_rules(s, &m);
	makefile_free(&m);
	return status;
}

/* Reads what is assigned to noinst_PROGRAMS, check_PROGRAMS and so on. */
int survey_autotools(const char *dir, struct survey *s, struct cg_error *err)
{
	struct makefile m;
	const char *at = NULL;
	struct make_line line;
	int status = makefile_read(dir, "Makefile.am", &m, err);

	while (!status && next_line(&m.file, &at, &line)) {
		const char *end = line.count > 2 ? strstr(line.words[0], "_PROGRAMS") : NULL;
		for (size_t i = 2; end && !end[strlen("_PROGRAMS")] && i < line.count; i++)
			add_target(s, &m, line.words[i], line.number);
	}
	makefile_free(&m);
	return status;
}
