/* Benchmarks that only base has: a table of head's benchmarks would not show that they are gone. */
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/commits/comparing_state.h"
#include "src/store/baselines.h"
#include "src/store/label.h"

static bool is_known_benchmark(const struct comparing *c, const char *name, size_t len)
{
	const struct config *config = comparing_definitions(c);

	for (size_t i = 0; i < config->benchmark_count; i++)
		if (strlen(config->benchmarks[i].name) == len &&
		    memcmp(config->benchmarks[i].name, name, len) == 0)
			return true;
	for (size_t i = 0; i < c->nwanted; i++)
		if (strlen(c->wanted[i]) == len && memcmp(c->wanted[i], name, len) == 0)
			return true;
	return false;
}

static int add_wanted(struct comparing *c, const char *name, struct cg_error *err)
{
	const char **wanted = realloc(c->wanted, (c->nwanted + 2) * sizeof *wanted);
	if (!wanted)
		return cg_fail_nomem(err);
	c->wanted = wanted;
	c->wanted[c->nwanted++] = name;
	return CG_OK;
}

/* Such a benchmark can still be measured at base. */
static int add_of_base(struct comparing *c, struct cg_error *err)
{
	const struct config *config = c->base.own_config;
	int status = CG_OK;

	for (size_t i = 0; !status && config && i < config->benchmark_count; i++) {
		const struct config_benchmark *b = &config->benchmarks[i];
		if (is_known_benchmark(c, b->name, strlen(b->name)) ||
		    !comparing_wants_any_of(c, b->name))
			continue;
		status = add_wanted(c, b->name, err);
		if (!status && shard_has(&c->options->shard, b->name))
			status = comparing_add_bench(
				c, &(struct measured_bench){ .benchmark = b, .removed = true },
				err);
	}
	return status;
}

/* A baseline has only names and profiles of them. */
static int add_removed_by_name(struct comparing *c, const char *name, struct cg_error *err)
{
	int status = path_list_add(&c->named, name, err);
	const char *kept = status ? NULL : c->named.paths[c->named.count - 1];

	if (!status)
		status = add_wanted(c, kept, err);
	if (status || !shard_has(&c->options->shard, kept))
		return status;
	struct config_benchmark *own = calloc(1, sizeof *own);
	if (!own)
		return cg_fail_nomem(err);
	own->name = kept;
	status = comparing_add_bench(
		c, &(struct measured_bench){ .benchmark = own, .own = own, .removed = true }, err);
	if (status)
		free(own);
	return status;
}

static int add_of_baseline(struct comparing *c, struct cg_error *err)
{
	struct path_list names = { 0 };
	int status = baseline_list_benches(c->project.root, c->options->suite.baseline, &names,
					   err);

	for (size_t i = 0; !status && i < names.count; i++) {
		size_t len = label_benchmark_length(names.paths[i]);
		char *bench = strndup(names.paths[i], len);
		if (!bench)
			status = cg_fail_nomem(err);
		else if (!is_known_benchmark(c, bench, len) && comparing_wants_any_of(c, bench))
			status = add_removed_by_name(c, bench, err);
		free(bench);
	}
	path_list_free(&names);
	return status;
}

int comparing_add_removed(struct comparing *c, struct cg_error *err)
{
	if (c->options->command)
		return CG_OK;
	return c->options->suite.baseline ? add_of_baseline(c, err) : add_of_base(c, err);
}
