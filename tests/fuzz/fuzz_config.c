/* irdiff.yml: what is accepted is valid as a whole. */
#include "src/config/command_line.h"
#include "src/config/config.h"
#include "src/store/label.h"
#include "tests/fuzz/fuzz.h"

static struct config *const untouched = (struct config *)sizeof(struct config);

/* ---- commands ---- */

/* Words in quotes, as a person would write them; the caller's to free. */
static char *quoted_words(const struct config_command *c)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	LAW(to, "out of memory");
	for (size_t i = 0; i < c->argc; i++) {
		fputs(i ? " '" : "'", to);
		for (const char *at = c->argv[i]; *at; at++) {
			if (*at == '\'')
				fputs("'\\''", to);
			else
				fputc(*at, to);
		}
		fputc('\'', to);
	}
	fclose(to);
	return text;
}

static void check_words(const struct config_command *c)
{
	char *text = quoted_words(c);
	struct command_line words = { 0 };
	struct cg_error err = { 0 };
	int status = command_line_split(text, &words, &err);

	LAW(!status, "%s is not words: %s", text, err.message);
	LAW(words.argc == c->argc, "%s are %zu words", text, words.argc);
	for (size_t i = 0; i < c->argc; i++)
		LAW(strcmp(words.argv[i], c->argv[i]) == 0, "word %zu of %s", i, text);
	LAW(!words.argv[words.argc], "words end with NULL");
	command_line_free(&words);
	free(text);
}

static void check_command(const struct config_command *c)
{
	LAW(c->argc > 0 && c->argv[0][0], "a command has a program");
	LAW(!c->argv[c->argc], "a command ends with NULL");
	LAW(c->line > 0, "a command stands in a line");
	for (size_t i = 0; i < c->argc; i++)
		LAW(c->argv[i], "word %zu of a command is there", i);
	LAW(!c->shell || c->argc == 3, "a shell has three words");
	check_words(c);
}

/* ---- limits ---- */

static void check_limit(const struct limit *limit, enum limit_level level)
{
	enum limit_kind kind;
	uint64_t value;
	int status = limit_parse_value(limit->text, &kind, &value, NULL);

	LAW(!status && kind == limit->kind && value == limit->value, "%s is another limit",
	    limit->text);
	LAW(limit->level == level && limit->line > 0, "a limit knows its place");
	LAW(limit->function || !limit->inclusive, "only functions have inclusive costs");
	LAW(!limit->of_case == !limit->place, "a pattern of cases has its place");
	LAW(!limit->of_case || level == LIMIT_BENCHMARK, "only benchmarks have cases");
}

static void check_limits(const struct limit_set *set, enum limit_level level)
{
	for (size_t i = 0; i < set->count; i++)
		check_limit(set->items[i], level);
}

/* Those of the benchmark override the general ones, and nothing is dropped. */
static void check_resolved(const struct config *config, const struct config_benchmark *b)
{
	const struct limit_set *sets[] = { &config->limits, &b->limits };
	struct limit_rule *rules = NULL;
	size_t count = 0;
	int status = limit_resolve(sets, 2, NULL, &rules, &count, NULL);
	size_t of_cases = 0;

	for (size_t i = 0; i < b->limits.count; i++)
		of_cases += b->limits.items[i]->of_case != NULL;
	LAW(!status && count + of_cases == sets[0]->count + sets[1]->count,
	    "every limit is a rule");
	for (size_t i = sets[0]->count; i < count; i++)
		LAW(!rules[i].overridden_by, "nothing overrides a benchmark's limits");
	free(rules);
}

/* ---- benchmarks ---- */

static void check_env(const struct config_benchmark *b)
{
	for (size_t i = 0; i < b->env_count; i++) {
		LAW(b->env[i].name[0] && !strchr(b->env[i].name, '='), "a variable has a name");
		for (size_t j = 0; j < i; j++)
			LAW(strcmp(b->env[i].name, b->env[j].name) != 0, "%s is given twice",
			    b->env[i].name);
	}
}

static void check_benchmark(const struct config *config, const struct config_benchmark *b)
{
	LAW(config_benchmark(config, b->name) == b, "a benchmark is found by its name");
	LAW(!label_check_new(b->name, NULL), "%s is not a label", b->name);
	LAW(b->timeout <= CONFIG_TIMEOUT_MAX, "timeout %" PRIu32, b->timeout);
	LAW(b->depth >= -1 && b->depth <= CONFIG_DEPTH_MAX, "depth %d", b->depth);
	LAW(!b->cwd.text || b->cwd.text[0], "a directory is not empty");
	LAW(!b->cwd.text || strncmp(b->cwd.text, "..", 3) != 0, "a directory is inside");
	check_command(&b->command);
	check_env(b);
	check_limits(&b->limits, LIMIT_BENCHMARK);
	check_resolved(config, b);
}

static void check_config(const struct config *config)
{
	LAW(strcmp(config->dir, "dir") == 0, "the directory is %s", config->dir);
	if (config->build.argc)
		check_command(&config->build);
	check_limits(&config->limits, LIMIT_GENERAL);
	for (size_t i = 0; i < config->benchmark_count; i++)
		check_benchmark(config, &config->benchmarks[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config *config = untouched, *again = untouched;
	struct cg_error err = { 0 };
	int status = config_parse((const char *)data, size, "dir/irdiff.yml", &config, &err);

	check_error(status, &err);
	LAW(config_parse((const char *)data, size, "dir/irdiff.yml", &again, NULL) == status,
	    "it is accepted only sometimes");
	LAW(!status == (config != untouched) && !status == (again != untouched),
	    "a result is stored on success");
	if (status) {
		LAW(strcmp(err.file, "dir/irdiff.yml") == 0, "an error names the file");
		return 0;
	}
	check_config(config);
	config_free(config);
	config_free(again);
	return 0;
}
