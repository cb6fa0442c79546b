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
	bool builds;           /* a build may have made what git does not track */
	struct strings found;
	size_t doubtful; /* of these, those that the build may make */
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

/* What git tracks is no result of a build. `path` is below the project. */
static bool is_tracked_file(const struct build_area *w, const char *path)
{
	char *whole;

	if (asprintf(&whole, "%s/%s", w->project->root, path) < 0)
		return false;
	const char *const args[] = {
		"--literal-pathspecs", "ls-files", "--error-unmatch", "--", whole, NULL
	};
	const bool tracked = git_says_yes(w->git, args);
	free(whole);
	return tracked;
}

static bool is_in_commit(const struct build_area *w, const char *id, const char *path)
{
	char *name;

	if (asprintf(&name, "%s:%s%s", id, w->git->prefix, path) < 0)
		return false;
	const char *const args[] = { "cat-file", "-e", name, NULL };
	const bool there = git_says_yes(w->git, args);
	free(name);
	return there;
}

/* The build of another commit has made it, as nothing else has put it there. */
static bool was_made_elsewhere(const struct missing_search *s, const char *path)
{
	const struct build_place *const places[] = { &s->w->here, &s->w->aside };
	bool made = false;

	for (size_t i = 0; !made && i < 2; i++) {
		char *directory;
		if (!places[i]->occupant || !places[i]->is_built ||
		    asprintf(&directory, "%s/%s", places[i]->slot.path, s->w->git->prefix) < 0)
			continue;
		made = is_in_directory(directory, path) &&
		       !is_in_commit(s->w, places[i]->occupant->commit.id, path);
		free(directory);
	}
	return made;
}

static void add_missing(struct missing_search *s, const char *path)
{
	const bool tracked = is_tracked_file(s->w, path);

	if (!tracked && was_made_elsewhere(s, path))
		return;
	if (!strings_add(&s->found, path, NULL))
		s->doubtful += !tracked && s->builds;
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
		add_missing(s, path);
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
		", but the work tree does; %slist %s in copy: in " CONFIG_NAME
		", and commits without %s get a copy",
		!s->doubtful ? ""
		: count == 1 ? "unless the build should make it, "
			     : "unless the build should make them, ",
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
	struct missing_search s = { .w = w,
				    .cwd = strcmp(cwd, ".") == 0 ? "" : cwd,
				    .builds = side->build->argc > 0 };
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
