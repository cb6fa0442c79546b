/* Benchmarks that are new: base's irdiff.yml does not define them, or it has none. They are
 * measured at base as well, if that is possible. */
#include "src/commits/comparing_state.h"
#include "src/commits/revision_results.h"
#include "src/status/notice.h"
#include "src/text/text.h"

bool comparing_is_new(const struct comparing *c, const struct config_benchmark *b)
{
	return !c->base.failed && b != &c->command && !revision_defines(&c->base, b);
}

void comparing_note_new(const struct comparing *c, struct measured_bench *b)
{
	const struct revision_loss *loss = revision_find_loss(&c->base, b->benchmark);

	b->added = loss && loss->untold ? ADDED_UNTOLD : ADDED_FAILED;
}

/* What failed at head as well does not count as new: it was not measured at all. */
static bool is_told_as(const struct measured_bench *b, enum added how)
{
	return b->added == how && !(how == ADDED_FAILED && b->head_failed);
}

static const struct measured_bench *find_added(const struct comparing *c, enum added how,
					       size_t *count)
{
	const struct measured_bench *first = NULL;

	*count = 0;
	for (size_t i = 0; i < c->nbenches; i++)
		if (is_told_as(&c->benches[i], how) && !(*count)++)
			first = &c->benches[i];
	return first;
}

static void print_added(FILE *to, const struct measured_bench *first, size_t count)
{
	text_print_name(to, first->benchmark->name, 0);
	if (count > 1)
		fprintf(to, " and %zu more", count - 1);
}

/* Why base does not define them. */
static void print_reason(FILE *to, const struct revision *base, bool one)
{
	fputs(base->has_config ? "the " CONFIG_NAME " of " : "", to);
	text_print_name(to, base->name, 0);
	if (!base->has_config)
		fputs(" has no " CONFIG_NAME, to);
	else if (!base->own_config)
		fputs(" cannot be read", to);
	else
		fprintf(to, " does not define %s", one ? "it" : "them");
}

static void tell_added(const struct comparing *c, enum added how)
{
	size_t count;
	const struct measured_bench *first = find_added(c, how, &count);
	const bool one = count == 1, untold = how == ADDED_UNTOLD;
	struct notice m;

	if (!first)
		return;
	notice_begin(&m, c->project.notices, untold ? NOTICE_MESSAGE : NOTICE_WARNING);
	print_added(m.to, first, count);
	if (untold) {
		fprintf(m.to, " %s new: ", one ? "is" : "are");
	} else {
		fputs(" cannot be measured at ", m.to);
		text_print_name(m.to, c->base.name, 0);
		fprintf(m.to, " and %s as new: ", one ? "counts" : "count");
	}
	print_reason(m.to, &c->base, one);
	if (untold)
		fprintf(m.to, ", and %s not exist there",
			one ? "its program does" : "their programs do");
	notice_end(&m);
}

void comparing_tell_new(const struct comparing *c)
{
	tell_added(c, ADDED_UNTOLD);
	tell_added(c, ADDED_FAILED);
}

void comparing_mark_new(struct comparing *c)
{
	const struct config *base = c->base.own_config;

	for (size_t i = 0; base && i < c->npairs; i++)
		c->suite.benches[i]->added = !config_benchmark(base,
							       c->pairs[i].of->benchmark->name);
}
