/* What a program of gungraun tells its runner: whatever it is, a case can be run as it says. */
#include "src/run/gungraun.h"
#include "src/run/harness.h"
#include "tests/fuzz/fuzz.h"

static void check_variables(const struct strings *variables)
{
	for (size_t i = 0; i < variables->count; i++)
		LAW(strchr(variables->items[i], '='), "%s is no variable", variables->items[i]);
}

static void check_options(const struct strings *options)
{
	for (size_t i = 0; i < options->count; i++)
		LAW(text_after(options->items[i], "--toggle-collect=") ||
			    text_after(options->items[i], "--collect-atstart=") ||
			    text_after(options->items[i], "--instr-atstart="),
		    "%s does not tell where to count", options->items[i]);
}

static void check_words(const struct strings *words)
{
	LAW(words->count && (strcmp(words->items[0], "--gungraun-run") == 0 ||
			     strcmp(words->items[0], "--iai-run") == 0),
	    "the program is run otherwise");
}

static void check_told(const struct gungraun *g)
{
	LAW(g->count <= HARNESS_CASES_MAX, "there are %zu cases", g->count);
	LAW(g->ngroups, "there is no group of all");
	for (size_t i = 0; i < g->count; i++) {
		const struct gungraun_case *c = &g->cases[i];
		LAW(harness_is_name(c->name, strlen(c->name)), "%s is no name", c->name);
		LAW(c->group && c->group < g->ngroups, "%s is in group %zu", c->name, c->group);
		check_words(&c->arguments);
		check_options(&c->options);
		check_variables(&c->environment);
	}
	for (size_t i = 0; i < g->ngroups; i++) {
		check_words(&g->groups[i].arguments);
		check_variables(&g->groups[i].environment);
	}
	check_options(&g->functions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gungraun g = { 0 };
	struct cg_error err = { 0 };
	int status = gungraun_read((const char *)data, size, &g, &err);

	check_error(status, &err);
	if (!status)
		check_told(&g);
	gungraun_free(&g);
	return 0;
}
