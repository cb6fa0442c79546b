#include "src/init/survey.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "src/init/survey_kinds.h"
#include "src/store/label.h"

#define NAME_SIGNS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-"
#define WORD_SIGNS NAME_SIGNS "/:=,@%"

/* The first existing file decides: a Makefile beside the others is often made by them. */
static const struct {
	const char *marker;
	enum project_kind kind;
	int (*look)(const char *dir, struct survey *s, struct cg_error *err);
} kinds[] = {
	{ "Cargo.toml", PROJECT_CARGO, survey_cargo },
	{ "CMakeLists.txt", PROJECT_CMAKE, survey_cmake },
	{ "meson.build", PROJECT_MESON, survey_meson },
	{ "configure.ac", PROJECT_AUTOTOOLS, survey_autotools },
	{ "autogen.sh", PROJECT_AUTOTOOLS, survey_autotools },
	{ "configure", PROJECT_AUTOTOOLS, survey_autotools },
	{ "GNUmakefile", PROJECT_MAKE, survey_make },
	{ "makefile", PROJECT_MAKE, survey_make },
	{ "Makefile", PROJECT_MAKE, survey_make },
};

const char *project_kind_name(enum project_kind kind)
{
	static const char *const names[] = {
		[PROJECT_UNKNOWN] = "no build system that irdiff knows",
		[PROJECT_CARGO] = "Cargo",
		[PROJECT_CMAKE] = "CMake",
		[PROJECT_MESON] = "Meson",
		[PROJECT_AUTOTOOLS] = "configure and make",
		[PROJECT_MAKE] = "make",
	};
	return names[kind];
}

bool survey_names_bench(const char *name)
{
	return strcasestr(name, "bench") != NULL;
}

static bool consists_of(const char *text, const char *signs)
{
	return *text && text[strspn(text, signs)] == '\0';
}

struct survey_bench *survey_add(struct survey *s, const char *name, const char *from, uint64_t line)
{
	if (s->count == SURVEY_BENCHES_MAX || !consists_of(name, NAME_SIGNS) ||
	    strlen(name) >= CALL_WORD_MAX || label_check_new(name, NULL))
		return NULL;
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->benches[i].name, name) == 0)
			return NULL;

	struct survey_bench *b = &s->benches[s->count++];
	*b = (struct survey_bench){ .line = line };
	snprintf(b->name, sizeof b->name, "%s", name);
	snprintf(b->from, sizeof b->from, "%s", from);
	return b;
}

bool survey_word(struct survey_bench *b, const char *directory, const char *word)
{
	char *to = b->words[b->count];

	if (b->count == SURVEY_WORDS_MAX || !consists_of(word, WORD_SIGNS) ||
	    (*directory && !consists_of(directory, WORD_SIGNS)) ||
	    snprintf(to, sizeof b->words[0], "%s%s", directory, word) >= (int)sizeof b->words[0])
		return false;
	b->count++;
	return true;
}

void survey_drop(struct survey *s)
{
	s->count--;
}

int survey_project(const char *dir, struct survey *out, struct cg_error *err)
{
	*out = (struct survey){ .kind = PROJECT_UNKNOWN };
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char path[4096];
		struct stat st;

		if (snprintf(path, sizeof path, "%s/%s", dir, kinds[i].marker) >=
			    (int)sizeof path ||
		    stat(path, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		out->kind = kinds[i].kind;
		out->marker = kinds[i].marker;
		return kinds[i].look(dir, out, err);
	}
	return CG_OK;
}
