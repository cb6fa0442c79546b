#include "src/commits/missing_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/status/notice.h"
#include "src/text/text.h"

struct missing_search {
	const struct build_area *w;
	const char *directory; /* where the project's files of the side are */
	const char *cwd;       /* below the project */
	struct strings found;
};

static bool is_in_directory(const char *directory, const char *path)
{
	struct stat st;
	char *whole;

	if (asprintf(&whole, "%s/%s", directory, path) < 0)
		return false;
	const bool there = stat(whole, &st) == 0 && S_ISREG(st.st_mode);
	free(whole);
	return there;
}

static bool begins_like_elf(const char *path)
{
	static const char magic[] = { 0x7f, 'E', 'L', 'F' };
	char start[sizeof magic] = "";
	FILE *from = fopen(path, "re");
	const bool is = from && fread(start, 1, sizeof start, from) == sizeof start &&
			memcmp(start, magic, sizeof magic) == 0;

	if (from)
		fclose(from);
	return is;
}

/* What a build makes, also the scripts that libtool writes in the place of programs. */
static bool is_made_by_build(const struct build_area *w, const char *path)
{
	struct stat st;
	char *whole;

	if (asprintf(&whole, "%s/%s", w->project->root, path) < 0)
		return true;
	const char *const ignored[] = { "check-ignore", "-q", "--", whole, NULL };
	const bool built = begins_like_elf(whole) || (stat(whole, &st) == 0 && st.st_mode & 0111 &&
						      git_says_yes(w->git, ignored));
	free(whole);
	return built;
}

static bool is_found_already(const struct strings *found, const char *path)
{
	for (size_t i = 0; i < found->count; i++)
		if (strcmp(found->items[i], path) == 0)
			return true;
	return false;
}

/* A word may be anything; copy: takes paths without "..". */
static void look_for_missing(struct missing_search *s, const char *word)
{
	char *path;

	if (!*word || *word == '/' || strstr(word, ".."))
		return;
	while (strncmp(word, "./", 2) == 0)
		word += 2;
	if (asprintf(&path, "%s%s%s", s->cwd, *s->cwd ? "/" : "", word) < 0)
		return;
	if (is_in_directory(s->w->project->root, path) && !is_in_directory(s->directory, path) &&
	    !is_found_already(&s->found, path) && !is_made_by_build(s->w, path))
		strings_add(&s->found, path, NULL);
	free(path);
}

/* "--input=FILE" names one, too. */
static void look_in_word(struct missing_search *s, const char *word)
{
	const char *value = strchr(word, '=');

	look_for_missing(s, word);
	if (value)
		look_for_missing(s, value + 1);
}

static void look_in_shell_text(struct missing_search *s, const char *text)
{
	char *words = strdup(text), *rest = words, *word;

	while (words && (word = strsep(&rest, " \t\n\"'`;&|<>()$")))
		look_in_word(s, word);
	free(words);
}

static void tell_missing(const struct missing_search *s, const struct revision *side)
{
	enum { MOST = 5 };
	const size_t count = s->found.count;
	struct notice m;

	notice_begin(&m, s->w->project->notices, NOTICE_MESSAGE);
	text_print_name(m.to, side->name, 0);
	fputs(" does not have ", m.to);
	for (size_t i = 0; i < count && i < MOST; i++) {
		fputs(i ? ", " : "", m.to);
		text_print_name(m.to, s->found.items[i], 0);
	}
	if (count > MOST)
		fprintf(m.to, " and %zu more", count - MOST);
	fprintf(m.to,
		", but the work tree does; list %s in copy: in " CONFIG_NAME
		", and commits without %s get a copy",
		count == 1 ? "it" : "them", count == 1 ? "it" : "them");
	notice_end(&m);
}

static const char *directory_of_side(const struct build_area *w, const struct revision *side)
{
	return w->here.occupant == side    ? w->here.slot.path
	       : w->aside.occupant == side ? w->aside.slot.path
					   : NULL;
}

bool mention_missing_files(const struct build_area *w, const struct revision *side,
			   const struct config_benchmark *b)
{
	const char *top = directory_of_side(w, side), *cwd = b->cwd.text ? b->cwd.text : "";
	struct missing_search s = { .w = w, .cwd = strcmp(cwd, ".") == 0 ? "" : cwd };
	char *directory;

	if (!top || *cwd == '/' || side->files.changed ||
	    asprintf(&directory, "%s/%s", top, w->git->prefix) < 0)
		return false;
	s.directory = directory;
	for (size_t i = 0; i < b->command.argc; i++)
		(b->command.shell ? look_in_shell_text : look_in_word)(&s, b->command.argv[i]);
	const bool any = s.found.count > 0;
	if (any)
		tell_missing(&s, side);
	strings_free(&s.found);
	free(directory);
	return any;
}
