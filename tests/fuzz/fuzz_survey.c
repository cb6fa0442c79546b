/* Projects, made of sections: whatever a build says, init writes an irdiff.yml that irdiff
 * reads. */
#include "src/config/config.h"
#include "src/init/build_command.h"
#include "src/init/survey.h"
#include "src/init/write_config.h"
#include "src/store/label.h"
#include "tests/fuzz/sections.h"

/* What needs no quoting, for a shell or in YAML, and is no option that a path was made of. */
static bool is_plain(const char *word)
{
	static const char signs[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-/:=,@%";
	return *word && word[strspn(word, signs)] == '\0';
}

static void check_bench(const struct survey *s, const struct survey_bench *b)
{
	LAW(!label_check_new(b->name, NULL), "%s is a label", b->name);
	LAW(b->count > 0 && b->count <= SURVEY_WORDS_MAX, "%s has a command", b->name);
	for (size_t i = 0; i < b->count; i++)
		LAW(is_plain(b->words[i]), "word %zu of %s is '%s'", i, b->name, b->words[i]);
	LAW(!*b->cwd || is_plain(b->cwd), "%s runs in '%s'", b->name, b->cwd);
	LAW(!*b->target_directory || is_plain(b->target_directory), "%s is built in '%s'", b->name,
	    b->target_directory);
	LAW(!*b->package || is_plain(b->package), "%s is of '%s'", b->name, b->package);
	LAW(!*b->target || is_plain(b->target), "the target of %s is '%s'", b->name, b->target);
	for (const struct survey_bench *other = s->benches; other < b; other++)
		LAW(strcmp(other->name, b->name) != 0, "%s is there twice", b->name);
}

/* The line that a benchmark is said to be in. */
static void check_place(const struct survey_bench *b)
{
	size_t size, lines = 1;
	char *text = scratch_read(b->from, &size);

	LAW(text, "%s of %s is there", b->from, b->name);
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	LAW(b->line <= lines, "line %" PRIu64 " of %s, which has %zu", b->line, b->from, lines);
	free(text);
}

/* What the shell gets besides the words of benchmarks. */
static void check_options(const struct survey *s)
{
	char options[sizeof s->options];

	snprintf(options, sizeof options, "%s", s->options);
	for (char *c = options; *c; c++)
		*c = *c == ' ' ? '-' : *c;
	LAW(!*options || is_plain(options), "the options are '%s'", s->options);
	snprintf(options, sizeof options, "%s", s->compiler);
	for (char *c = options; *c; c++)
		*c = *c == ' ' ? '-' : *c;
	LAW(!*options || is_plain(options), "the compiler is '%s'", s->compiler);
	LAW(!*s->requirements || is_plain(s->requirements), "the requirements are '%s'",
	    s->requirements);
}

static void check_written(const struct survey *s)
{
	char *text = NULL, build[BUILD_COMMAND_SIZE];
	size_t size;
	struct config *config = NULL;
	struct cg_error err = { 0 };
	FILE *to = open_memstream(&text, &size);

	LAW(to, "out of memory");
	write_config(s, to);
	LAW(!fclose(to), "out of memory");
	int status = config_parse(text, size, "irdiff.yml", &config, &err);
	LAW(!status, "line %" PRIu64 ": %s\n%s", err.line, err.message, text);
	for (size_t i = 0; i < s->count; i++)
		LAW(harness_kind(s->benches[i].harness)->cannot_run ||
			    config_benchmark(config, s->benches[i].name),
		    "%s is set up", s->benches[i].name);
	LAW(strlen(build_command(s, build)) < sizeof build - 1, "a build command ends");
	config_free(config);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct survey *s = malloc(sizeof *s);
	struct cg_error err = { 0 };

	LAW(s, "out of memory");
	scratch_unpack(data, size);
	int status = survey_project(scratch(), s, &err);
	check_error(status, &err);
	if (!status) {
		LAW(s->count <= SURVEY_BENCHES_MAX && (s->kind == PROJECT_UNKNOWN) == !s->marker,
		    "%zu benchmarks of %s", s->count, project_kind_name(s->kind));
		for (size_t i = 0; i < s->count; i++) {
			check_bench(s, &s->benches[i]);
			check_place(&s->benches[i]);
		}
		check_options(s);
		check_written(s);
	}
	free(s);
	return 0;
}
