#include "src/run/presets.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/run/freeze.h"

/* The collector stops the world: what runs beside the program depends on time. */
static const struct preset_variable go_variables[] = {
	{ "GODEBUG", "asyncpreemptoff=1,gcstoptheworld=1", ',' },
	{ "GOMAXPROCS", "1", '\0' },
	{ NULL, NULL, '\0' },
};
static const char *const node_options[] = { "--single-threaded", "--hash-seed=1", "--random-seed=1",
					    NULL };
static const struct preset_variable node_variables[] = {
	{ "NODE_OPTIONS", "--v8-pool-size=0", ' ' },
	{ NULL, NULL, '\0' },
};
static const char *const java_options[] = { "-Xint", "-XX:+UseSerialGC", "-XX:-UsePerfData", NULL };
static const char *const no_options[] = { NULL };
static const struct preset_variable no_variables[] = { { NULL, NULL, '\0' } };

/* Without tiers, code is compiled once, not again when it has been called often enough. The names
 * of .NET 5 and before, which all versions know, so that those of .NET 6 take precedence. */
static const struct preset_variable dotnet_variables[] = {
	{ "COMPlus_TieredCompilation", "0", '\0' },
	{ "COMPlus_gcConcurrent", "0", '\0' },
	{ NULL, NULL, '\0' },
};

static const struct preset go = { .runtime = "Go",
				  .options = no_options,
				  .variables = go_variables };

#define NODE \
	{ \
		.runtime = "Node.js", .options = node_options, .variables = node_variables, \
		.v8 = true \
	}

/* By the name of the program, and a symbol that it has, as others may have that name, too. */
static const struct named_preset {
	const char *program, *symbol;
	struct preset preset;
} named[] = {
	{ "dotnet",
	  "hostfxr_main",
	  { .runtime = ".NET", .options = no_options, .variables = dotnet_variables } },
	{ "java",
	  "JLI_Launch",
	  { .runtime = "Java", .options = java_options, .variables = no_variables } },
	{ "node", "_ZN4node", NODE },
	{ "nodejs", "_ZN4node", NODE },
	{ "python",
	  "Py_BytesMain",
	  { .runtime = "Python",
	    .options = no_options,
	    .variables = no_variables,
	    .freeze_codspeed = FREEZE_MALLOC } },
	{ "ruby",
	  "ruby_init",
	  { .runtime = "Ruby",
	    .options = no_options,
	    .variables = no_variables,
	    .freeze = FREEZE_RANDOM } },
};

/* "ruby3.1" is a version of "ruby". */
static bool is_version_of_program(const char *name, const char *program)
{
	size_t len = strlen(program);

	return !strncmp(name, program, len) && !name[len + strspn(name + len, "0123456789.-")];
}

static const struct preset *preset_of_image(const char *path, const struct image *image)
{
	if (image->go)
		return &go;
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (is_version_of_program(cg_base_name(path), named[i].program) &&
		    image_has_text(path, named[i].symbol))
			return &named[i].preset;
	return NULL;
}

/* Of "env node" and "env -S node --flag": node. */
static const struct preset *preset_of_word(const char *argument, const char *path)
{
	struct found_command found;
	const struct preset *preset = NULL;

	if (!strncmp(argument, "-S", 2))
		argument += 2 + strspn(argument + 2, " \t");
	char *word = strndup(argument, strcspn(argument, " \t"));
	if (word && !command_find(word, "/", path, &found, NULL)) {
		preset = preset_of_image(found.image_path, &found.image);
		command_free(&found);
	}
	free(word);
	return preset;
}

const struct preset *preset_of(const struct found_command *command, const char *path)
{
	const struct image *file = &command->file;

	if (file->kind == IMAGE_SCRIPT && file->argument &&
	    !strcmp(cg_base_name(file->interpreter), "env"))
		return preset_of_word(file->argument, path);
	return preset_of_image(command->image_path, &command->image);
}

bool preset_takes_options(const struct found_command *command)
{
	return command->file.kind == IMAGE_ELF;
}

bool preset_sets(const struct preset *preset, const char *variable)
{
	size_t len = strcspn(variable, "=");

	for (const struct preset_variable *v = preset->variables; v->name; v++)
		if (strlen(v->name) == len && !strncmp(v->name, variable, len))
			return true;
	return false;
}
