/* The benchmarks that the command line names, some of them by a tag. */
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/commits/comparing_state.h"
#include "src/text/suggest.h"

static const char tag_prefix[] = "tag:";

bool comparing_is_tag(const char *wanted)
{
	return strncmp(wanted, tag_prefix, sizeof tag_prefix - 1) == 0;
}

static int add_asked_name(struct comparing *c, const char *name, struct cg_error *err)
{
	struct text_list *names = &c->names;

	if (cg_grow(&names->items, &names->cap, names->count + 1, sizeof *names->items))
		return cg_fail_nomem(err);
	names->items[names->count++] = name;
	return CG_OK;
}

static bool has_tag(const struct config_benchmark *b, const char *tag)
{
	for (size_t i = 0; i < b->tag_count; i++)
		if (strcmp(b->tags[i], tag) == 0)
			return true;
	return false;
}

static int fail_no_tag(const struct config *config, const char *tag, struct cg_error *err)
{
	struct path_list known = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < config->benchmark_count; i++)
		for (size_t k = 0; !status && k < config->benchmarks[i].tag_count; k++)
			if (!path_list_has(&known, config->benchmarks[i].tags[k]))
				status = path_list_add(&known, config->benchmarks[i].tags[k], err);
	char *words = status ? NULL
			     : suggest_known(tag, (const char *const *)known.paths, known.count,
					     CONFIG_NAME);
	if (!status)
		status = words ? cg_fail(err, CG_EINVAL, NULL, 0, "no benchmark has the tag '%s'%s",
					 tag, words)
			       : cg_fail_nomem(err);
	free(words);
	path_list_free(&known);
	return status;
}

/* Those of base as well: a benchmark that head has removed is missing, whatever its tags. */
static int add_tagged(struct comparing *c, const struct config *config, const char *tag,
		      struct cg_error *err)
{
	const struct config *const both[] = { config, c->base.own_config };
	const size_t before = c->names.count;
	int status = CG_OK;

	if (c->options->suite.baseline)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "--bench=%s%s cannot be used with --baseline, which has no tags",
			       tag_prefix, tag);
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; both[i] && !status && k < both[i]->benchmark_count; k++)
			if (has_tag(&both[i]->benchmarks[k], tag))
				status = add_asked_name(c, both[i]->benchmarks[k].name, err);
	return status || c->names.count > before ? status : fail_no_tag(config, tag, err);
}

int comparing_find_names(struct comparing *c, const struct config *config, struct cg_error *err)
{
	const struct text_list *asked = &c->options->benches;
	const size_t len = sizeof tag_prefix - 1; /* of what is before the tag */
	int status = CG_OK;

	for (size_t i = 0; !status && i < asked->count; i++)
		status = comparing_is_tag(asked->items[i])
				 ? add_tagged(c, config, asked->items[i] + len, err)
				 : add_asked_name(c, asked->items[i], err);
	return status;
}
