#include "src/init/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program *programs_add(struct programs *p, const struct build_file *file, const char *id,
			     const char *name, uint64_t line)
{
	if (p->count == PROGRAMS_MAX)
		return NULL;
	struct program *program = &p->items[p->count++];
	*program = (struct program){ .line = line };
	snprintf(program->id, sizeof program->id, "%s", id);
	snprintf(program->name, sizeof program->name, "%s", name);
	snprintf(program->directory, sizeof program->directory, "./build/%s", file->directory);
	snprintf(program->from, sizeof program->from, "%s", file->path);
	return program;
}

struct program *programs_find(struct programs *p, const char *id)
{
	for (size_t i = 0; i < p->count; i++)
		if (*id && strcmp(p->items[i].id, id) == 0)
			return &p->items[i];
	return NULL;
}

static bool is_wanted_program(const struct program *p, const struct survey_place *place)
{
	bool measures = p->harness != HARNESS_NONE && p->harness != HARNESS_CATCH2;
	return survey_is_wanted(place, p->name) || (!place->tests && measures);
}

void programs_add_named(const struct programs *p, const struct survey_place *place,
			struct survey *s)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct program *program = &p->items[i];
		if (program->used || !is_wanted_program(program, place))
			continue;
		struct survey_bench *b = survey_add(s, program->name, program->from, program->line);
		if (!b)
			continue;
		if (!survey_word(b, program->directory, program->name) ||
		    (!place->tests && !survey_set_harness(b, program->harness)))
			survey_drop(s);
		else
			survey_build_options(s, program->options);
	}
}

enum bench_harness program_harness(struct survey_place *place, const char *directory,
				   const char *source)
{
	char path[BUILD_PATH_MAX];

	if (source[strspn(source, NAME_SIGNS "/")] || *source == '/' || strstr(source, "..") ||
	    !strchr(source, '.') ||
	    snprintf(path, sizeof path, "%s%s", directory, source) >= (int)sizeof path)
		return HARNESS_NONE;
	char *text = survey_source(place, path);
	enum bench_harness harness = harness_of_source(text, HARNESS_C);
	free(text);
	return harness;
}
