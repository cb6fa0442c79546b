#include <inttypes.h>
#include <stdlib.h>

#include "src/commits/comparing_state.h"
#include "src/compare/results.h"
#include "src/diff/environment.h"
#include "src/store/files.h"

/* The text of the irdiff.yml by which it was judged; the caller's. */
static int read_definitions(const struct comparing *c, char **text, struct cg_error *err)
{
	const struct config *config = comparing_definitions(c);
	size_t size;
	char *path;

	*text = NULL;
	if (!config)
		return CG_OK;
	if (config != c->head.own_config)
		return file_read(config->path, text, &size, err);
	if (asprintf(&path, "%s" CONFIG_NAME, c->area.git->prefix) < 0)
		return cg_fail_nomem(err);
	int status = snapshot_read(c->area.git, &c->head.files, path, text, err);
	free(path);
	return status;
}

static void set_facts(const struct comparing *c, struct results *r)
{
	char key[80];

	for (size_t i = 0; c->suite.count && i < RESULTS_FACTS; i++) {
		const struct suite_bench *b = c->suite.benches[0];
		const struct cg_profile *p = b->head ? b->c.head.profile : b->c.base.profile;
		snprintf(key, sizeof key, ENVIRONMENT_PREFIX "%s", results_fact_names[i]);
		r->facts[i] = p ? cg_desc_value(p, key) : NULL;
	}
}

static int fill_pairs(const struct comparing *c, struct results *r, struct cg_error *err)
{
	r->pairs = calloc(c->npairs + 1, sizeof *r->pairs);
	if (!r->pairs)
		return cg_fail_nomem(err);
	for (; r->npairs < c->npairs; r->npairs++) {
		const struct pair *p = &c->pairs[r->npairs];
		const struct suite_bench *b = c->suite.benches[r->npairs];
		r->pairs[r->npairs] = (struct results_pair){ .name = p->of->benchmark->name,
							     .base = p->base,
							     .head = p->head,
							     .first = b->first,
							     .added = b->added,
							     .not_run = b->c.not_run };
	}
	return CG_OK;
}

static int fill_remarks(const struct comparing *c, struct results *r, struct cg_error *err)
{
	r->remarks = calloc(c->suite.remarks.count + 1, sizeof *r->remarks);
	if (!r->remarks)
		return cg_fail_nomem(err);
	for (; r->nremarks < c->suite.remarks.count; r->nremarks++)
		r->remarks[r->nremarks] = c->suite.remarks.items[r->nremarks].text;
	return CG_OK;
}

static int write_results(const struct comparing *c, enum ending ending, struct cg_error *err)
{
	const struct comparison_options *o = &c->options->suite.compare;
	char threshold[40], min_delta[24], *config = NULL, *base = NULL, *head = NULL;
	struct results r = {
		.shard = c->options->shard,
		.base = c->preface[0],
		.head = c->preface[1],
		.baseline = c->options->suite.baseline,
		.benchmarks = c->wanted,
		.nbenchmarks = c->nwanted,
		.complete = !c->options->benches.count,
		.whole = c->suite.whole,
		.failures = c->failures,
		.nfailures = c->nfailures,
		.check = o->judging.check,
		.require_base = o->judging.require_base,
		.allow_removed = o->judging.allow_removed,
		.allow_env_change = o->judging.allow_env_change,
		.no_accepted = o->judging.no_accepted,
		.limits = o->judging.limits,
		.metric = o->metric,
		.inlines = o->reading.inlines,
		.threshold = threshold,
		.min_delta = min_delta,
		.ending = ending,
	};
	snprintf(threshold, sizeof threshold, "%.17g", o->threshold);
	snprintf(min_delta, sizeof min_delta, "%" PRIu64, o->min_delta);
	int status = read_definitions(c, &config, err);
	if (!status && (!(head = snapshot_identity(&c->head.files)) ||
			(!r.baseline && !(base = snapshot_identity(&c->base.files)))))
		status = cg_fail_nomem(err);
	r.config = config;
	r.base_files = base;
	r.head_files = head;
	set_facts(c, &r);
	if (!status)
		status = fill_pairs(c, &r, err);
	if (!status)
		status = fill_remarks(c, &r, err);
	if (!status)
		status = results_write(&r, c->project.root, c->options->results, err);
	free(r.pairs);
	free(r.remarks);
	free(config);
	free(base);
	free(head);
	return status;
}

enum ending comparing_keep_results(struct comparing *c, enum ending ending)
{
	struct cg_error err;
	if (!c->options->results || ending_is_signal(ending))
		return ending;
	int status = c->preface[0] ? CG_OK : comparing_make_preface(c, &err);
	if (!status)
		status = write_results(c, ending, &err);
	return status ? notice_error(c->project.notices, &err) : ending;
}
