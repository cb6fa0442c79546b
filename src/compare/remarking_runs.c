#include "src/compare/remarking.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/run_notes.h"
#include "src/diff/same_code.h"
#include "src/text/text.h"

#define READS "reads"
#define THREADS "threads" /* remarking.c */
#define PER_CENT 100
#define FLOOR 1000 /* of base: less is what a shell does another way */

/* Names were read from a profile. */
static int add_run_remark(struct comparison *c, enum remark_effect effect, const char *id,
			  const char *advice, struct cg_error *err, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

static int add_run_remark(struct comparison *c, enum remark_effect effect, const char *id,
			  const char *advice, struct cg_error *err, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	char *copy = advice ? strdup(advice) : NULL;
	if (advice && !copy) {
		free(text);
		return cg_fail_nomem(err);
	}
	return remarks_add(&c->remarks, effect, id, text, copy, err);
}

/* ---- work that does not count ---- */

static uint64_t magnitude(int64_t value)
{
	return value > 0 ? (uint64_t)value : 0;
}

static bool is_on_growth(const struct limit_verdict *v)
{
	const struct limit *limit = v->rule.limit;

	return !limit->function && v->status != LIMIT_OVERRIDDEN && v->has_allowed &&
	       (limit->kind == LIMIT_GROWTH || limit->kind == LIMIT_INCREASE ||
		limit->kind == LIMIT_EQUAL);
}

/* How much an event may grow: by the strictest limit on its total, or else by a hundredth of
 * base. *stated: such a limit exists. */
static uint64_t allowed_growth(const struct comparison *c, const char *event, uint64_t base,
			       bool *stated)
{
	const struct judgement *j = &c->judging.judgement;
	uint64_t allowed = base / PER_CENT;

	for (size_t i = 0; i < j->count; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		if (!metric_is_same(v->rule.limit->metric, event) || !is_on_growth(v))
			continue;
		uint64_t growth = v->allowed > v->counts.base
					  ? magnitude(cg_delta(v->counts.base, v->allowed))
					  : 0;
		allowed = *stated && allowed < growth ? allowed : growth;
		*stated = true;
	}
	return allowed > base / FLOOR ? allowed : base / FLOOR;
}

/* The program whose processes grew most, of those that do not count; "" if none is named. */
static const char *find_grown_program(const struct comparison *c, const char *event)
{
	struct run_note_line line, old;
	const char *name = "";
	uint64_t most = 0;

	for (uint32_t at = 0; run_notes_next(c->head.profile, "uncounted", &at, &line);) {
		uint64_t before = 0, now = run_note_cost(&line, event);
		for (uint32_t k = 0; run_notes_next(c->base.profile, "uncounted", &k, &old);)
			if (strcmp(old.name, line.name) == 0)
				before = run_note_cost(&old, event);
		if (now > before && now - before > most) {
			most = now - before;
			name = line.name;
		}
	}
	return name;
}

static int remark_uncounted_event(struct comparison *c, uint32_t e, struct cg_error *err)
{
	const struct cg_profile *p = c->base.profile;
	const char *event = cg_string(p, p->events[e].name);
	uint64_t base = run_notes_cost(p, "uncounted", event);
	uint64_t head = run_notes_cost(c->head.profile, "uncounted", event);
	bool stated = false;
	uint64_t allowed = allowed_growth(c, event, magnitude(p->total[e]), &stated);
	char before[TEXT_NUMBER], now[TEXT_NUMBER], grown[TEXT_NUMBER];

	/* Of the others less is known to be meant. */
	if ((e && !stated) || head <= base || head - base <= allowed)
		return CG_OK;
	return add_run_remark(
		c, REMARK_UNSEEN, "uncounted", "To count them, set processes: all in irdiff.yml",
		err,
		"Processes that are not counted, such as %s, cost %s %s in base and %s in head (+%s); work "
		"may have moved into them",
		find_grown_program(c, event), text_count(base, before), event,
		text_count(head, now), text_count(head - base, grown));
}

/* One remark, on the first such event, is enough. */
static int remark_uncounted(struct comparison *c, struct cg_error *err)
{
	size_t before = c->remarks.count;
	int status = CG_OK;

	for (uint32_t e = 0; !status && e < c->base.profile->nevents && c->remarks.count == before;
	     e++)
		status = remark_uncounted_event(c, e, err);
	return status;
}

/* ---- code that was not counted ---- */

static int remark_hidden(struct comparison *c, struct cg_error *err)
{
	static const char event[] = "Ir", key[] = "hidden";
	const int e = cg_event_index(c->base.profile, event);
	uint64_t base = run_notes_cost(c->base.profile, key, event);
	uint64_t head = run_notes_cost(c->head.profile, key, event);
	bool stated = false;
	char before[TEXT_NUMBER], now[TEXT_NUMBER];

	if (e < 0 || head <= base ||
	    head - base <= allowed_growth(c, event, magnitude(c->base.profile->total[e]), &stated))
		return CG_OK;
	return add_run_remark(
		c, REMARK_UNSEEN, key,
		"To count a part of a program, use cases: or root: of irdiff.yml", err,
		"The program switches counting off, or sets counts to zero: at least %s %s in base and %s in head "
		"were not counted",
		text_count(base, before), event, text_count(head, now));
}

/* ---- how processes ended ---- */

static const struct process_end {
	const char *key;
	enum remark_effect more; /* there are more in head … */
	enum remark_effect same; /* … or as many, if that is worth a word … */
	bool tells_same;
	const char *words; /* … with the code's, if it has one */
} process_ends[] = {
	{ "off", REMARK_UNSEEN, REMARK_WARNING, false, "switched counting off" },
	{ "lost", REMARK_UNSEEN, REMARK_WARNING, true,
	  "executed another program in a way that loses its counts" },
	{ "lost.forked", REMARK_UNSEEN, REMARK_WARNING, false,
	  "forked a process that executed another program in a way that loses its counts" },
	{ "left", REMARK_UNSEEN, REMARK_WARNING, true,
	  "was still running when the benchmark ended, and was killed" },
	{ "signal", REMARK_UNSEEN, REMARK_WARNING, true, "was killed by signal" },
	{ "signal.counted", REMARK_UNSEEN, REMARK_WARNING, false, "was killed by signal" },
	{ "status", REMARK_WARNING, REMARK_WARNING, false, "ended with status" },
	{ "status.counted", REMARK_UNSEEN, REMARK_WARNING, false, "ended with status" },
};

#define TIMES_TEXT 40

static const char *times(uint64_t count, char text[TIMES_TEXT])
{
	if (count > 1)
		snprintf(text, TIMES_TEXT, "%" PRIu64 " times", count);
	return count > 1 ? text : count ? "once" : "never";
}

static int remark_line(struct comparison *c, const struct process_end *e,
		       const struct run_note_line *line, uint64_t base, uint64_t head,
		       struct cg_error *err)
{
	char code[80] = "", signal[60] = "", before[TIMES_TEXT], now[TIMES_TEXT];

	if (base == head && !e->tells_same)
		return CG_OK;
	if (line->code && strncmp(e->key, "signal", 6) == 0)
		snprintf(signal, sizeof signal, " (%s)", strsignal(line->code));
	if (line->code)
		snprintf(code, sizeof code, " %d%s", line->code, signal);
	return add_run_remark(c, head > base ? e->more : e->same, "ended", NULL, err,
			      "%s %s%s: %s in base, %s in head", line->name, e->words, code,
			      times(base, before), times(head, now));
}

/* Lists those of head, then those that only base has. */
static int remark_endings(struct comparison *c, const struct process_end *e, struct cg_error *err)
{
	const struct cg_profile *base = c->base.profile, *head = c->head.profile;
	struct run_note_line line;
	int status = CG_OK;

	for (uint32_t at = 0; !status && run_notes_next(head, e->key, &at, &line);)
		status = remark_line(c, e, &line,
				     run_notes_count(base, e->key, line.code, line.name),
				     line.processes, err);
	for (uint32_t at = 0; !status && run_notes_next(base, e->key, &at, &line);)
		if (!run_notes_count(head, e->key, line.code, line.name))
			status = remark_line(c, e, &line, line.processes, 0, err);
	return status;
}

/* ---- what counts may depend on ---- */

#define FREEZE_ADVICE_TEXT 80

/* What freezes is a library, which only dynamic programs load. */
static bool is_static(const struct cg_profile *p)
{
	return cg_desc_value(p, ENVIRONMENT_PREFIX "freeze") &&
	       !cg_desc_value(p, ENVIRONMENT_PREFIX "ld.so");
}

/* Whether its runtime has threads of its own, which freezing does not keep in order. */
static bool has_busy_runtime(const struct cg_profile *p)
{
	static const char *const runtimes[] = { "Go:", "Java:", "Node.js:", ".NET:" };
	const char *preset = cg_desc_value(p, ENVIRONMENT_PREFIX "preset");

	for (size_t i = 0; preset && i < sizeof runtimes / sizeof *runtimes; i++)
		if (strncmp(preset, runtimes[i], strlen(runtimes[i])) == 0)
			return true;
	return false;
}

/* "; to prevent that, freeze random in irdiff.yml", for a command with its option; "" if all of it
 * was frozen already, and read nevertheless, or cannot be frozen, or that does not help. */
static const char *advise_freeze(const struct comparison *c, unsigned reads,
				 char text[FREEZE_ADVICE_TEXT])
{
	bool by_config = cg_desc_value(c->head.profile, SUBJECT_PREFIX "benchmark") != NULL;
	char kinds[RUN_READS_TEXT];

	reads &= ~(run_notes_frozen(c->base.profile) & run_notes_frozen(c->head.profile));
	*text = '\0';
	if (reads && !is_static(c->head.profile) && !has_busy_runtime(c->head.profile))
		snprintf(text, FREEZE_ADVICE_TEXT,
			 by_config ? "; to prevent that, freeze %s in irdiff.yml"
				   : "; --freeze=%s prevents that",
			 run_reads_kinds(reads, by_config ? " and " : ",", kinds));
	return text;
}

static bool draws_from_processor(const struct comparison *c)
{
	return run_notes_draws_from_processor(c->base.profile) ||
	       run_notes_draws_from_processor(c->head.profile);
}

/* Functions of Go's runtime that draw random numbers, for example to replace an entry of a cache.
 * They begin with the order in which its threads started, which nothing makes constant. */
static bool go_draws_numbers(const struct cg_profile *p)
{
	static const char *const names[] = { "runtime.pcvalue",   "runtime.rand",
					     "runtime.cheaprand", "runtime.cheaprandn",
					     "runtime.fastrand",  "runtime.fastrandn" };

	for (uint32_t i = 1; i < p->nfunctions; i++)
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (strcmp(cg_string(p, p->functions[i].name), names[k]) == 0)
				return true;
	return false;
}

static int remark_go_numbers(struct comparison *c, struct cg_error *err)
{
	if (!go_draws_numbers(c->base.profile) && !go_draws_numbers(c->head.profile))
		return CG_OK;
	return remarking_chance(
		c, READS,
		strdup("Go's runtime draws random numbers, so counts may differ by chance"), err);
}

static int remark_reads(struct comparison *c, struct cg_error *err)
{
	unsigned reads = run_notes_reads(c->base.profile) | run_notes_reads(c->head.profile);
	char what[RUN_READS_TEXT], advice[FREEZE_ADVICE_TEXT], *text = NULL;

	if (remarking_has_tolerances(c) || !remarking_counts_differ(c))
		return CG_OK;
	if (!reads)
		return remark_go_numbers(c, err);
	const bool processor = draws_from_processor(c);
	const unsigned frozen = processor ? reads & ~(unsigned)RUN_READS_RANDOM : reads;
	if (asprintf(
		    &text, "The program reads %s, so counts may differ by chance%s%s",
		    run_reads_text(reads, what), advise_freeze(c, frozen, advice),
		    processor
			    ? "; std::random_device takes random numbers from the processor, which freeze "
			      "does not reach: use a fixed seed"
			    : "") < 0)
		text = NULL;
	return remarking_chance(c, READS, text, err);
}

static bool is_of_chance(const struct remark *r)
{
	return strcmp(r->id, READS) == 0 || strcmp(r->id, THREADS) == 0;
}

bool remarking_only_of_chance(const struct comparison *c)
{
	for (size_t i = 0; i < c->remarks.count; i++)
		if (c->remarks.items[i].effect != REMARK_WARNING &&
		    !is_of_chance(&c->remarks.items[i]))
			return false;
	return true;
}

bool remarking_may_be_tried(const struct comparison *c)
{
	bool may = false;

	for (size_t i = 0; i < c->remarks.count; i++)
		may |= is_of_chance(&c->remarks.items[i]);
	return may && remarking_only_of_chance(c);
}

static bool is_total_equal(const struct cg_profile *p, const int64_t *totals)
{
	return memcmp(p->total, totals, p->nevents * sizeof *totals) == 0;
}

static int say_variation(const struct comparison *c, struct remark *r, const int64_t *base,
			 const int64_t *head, struct cg_error *err)
{
	const struct diff *d = c->diff;
	bool in_head = diff_head_value(d, d->head->total) != diff_head_value(d, head);
	char first[TEXT_NUMBER], second[TEXT_NUMBER], *text;

	text_cost(in_head ? diff_head_value(d, head) : diff_base_value(d, base), first);
	text_cost(in_head ? diff_head_value(d, d->head->total) : diff_base_value(d, d->base->total),
		  second);
	if (asprintf(&text, "%s; measured twice, %s counted %s %s and %s", r->text,
		     in_head ? "head" : "base", first, d->options.metric, second) < 0)
		return cg_fail_nomem(err);
	free(r->text);
	r->text = text;
	return CG_OK;
}

/* Its index; the number of all if it is missing. */
static size_t find_reads(const struct comparison *c)
{
	size_t i = 0;

	while (i < c->remarks.count && strcmp(c->remarks.items[i].id, READS) != 0)
		i++;
	return i;
}

static uint64_t variation_of(const struct diff *d, const int64_t *base, const int64_t *head)
{
	const int64_t *base_now = d->base->total, *head_now = d->head->total;
	uint64_t of_base = cg_distance(diff_base_value(d, base_now), diff_base_value(d, base));
	uint64_t of_head = cg_distance(diff_head_value(d, head_now), diff_head_value(d, head));

	return of_base > of_head ? of_base : of_head;
}

/* Whether a limit on the total is exceeded by so much more than two measurements differ that this
 * is no chance. */
static bool is_beyond_chance(const struct comparison *c, const int64_t *base, const int64_t *head)
{
	enum { FAR = 20 };
	const struct judgement *j = &c->judging.judgement;
	const uint64_t variation = variation_of(c->diff, base, head);

	for (size_t i = 0; i < j->count; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		if (v->status == LIMIT_EXCEEDED && v->fails && !v->subject && v->has_allowed &&
		    metric_is_same(v->rule.limit->metric, c->diff->options.metric) &&
		    v->counts.head > v->allowed &&
		    cg_distance(v->counts.head, v->allowed) / FAR > variation)
			return true;
	}
	return false;
}

/* What tells that counts vary remains worth knowing, but decides nothing. */
static void settle(struct comparison *c)
{
	for (size_t i = 0; i < c->remarks.count; i++)
		if (c->remarks.items[i].effect == REMARK_CHANCE)
			c->remarks.items[i].effect = REMARK_WARNING;
}

static int remark_variation(struct comparison *c, const int64_t *base, const int64_t *head,
			    struct cg_error *err)
{
	size_t reads = find_reads(c);
	int status = CG_OK;

	if (reads == c->remarks.count)
		status = remarking_chance(c, READS, strdup("Counts vary by chance"), err);
	if (!status)
		status = say_variation(c, &c->remarks.items[reads], base, head, err);
	/* The first time a limit was broken: that it holds now is chance as well. */
	if (!status && !c->judging.judgement.failing)
		c->remarks.items[reads].effect = REMARK_UNSEEN;
	return status;
}

int remarking_tried(struct comparison *c, const int64_t *base, const int64_t *head,
		    struct cg_error *err)
{
	bool same = is_total_equal(c->base.profile, base) && is_total_equal(c->head.profile, head);
	size_t reads = find_reads(c);
	int status = CG_OK;

	if (!same)
		status = remark_variation(c, base, head, err);
	else if (reads < c->remarks.count)
		remarks_remove(&c->remarks, reads);
	if (!status && is_beyond_chance(c, base, head))
		settle(c);
	return status;
}

/* ---- one program ---- */

/* Of the project: any other program is naturally the same for base and head. */
static const char *own_image(const struct cg_profile *p)
{
	const char *image = cg_desc_value(p, SUBJECT_PREFIX "image");

	return image && *image != '/' ? image : NULL;
}

static bool differs(const struct comparison *c, const char *key)
{
	const char *base = cg_desc_value(c->base.profile, key),
		   *head = cg_desc_value(c->head.profile, key);

	return base && head && strcmp(base, head) != 0;
}

static bool both_recorded(const struct comparison *c, const char *key)
{
	return cg_desc_value(c->base.profile, key) && cg_desc_value(c->head.profile, key);
}

/* Without debug information its sources are unknown. */
static bool sources_differ(const struct comparison *c)
{
	if (both_recorded(c, RUN_NOTES_PREFIX "sources"))
		return differs(c, RUN_NOTES_PREFIX "sources");
	return both_recorded(c, RUN_NOTES_PREFIX "copied") &&
	       (differs(c, SUBJECT_PREFIX "commit") || differs(c, SUBJECT_PREFIX "dirty"));
}

static int remark_same_program(struct comparison *c, struct cg_error *err)
{
	const char *image = own_image(c->head.profile);
	const char *copied = cg_desc_value(c->head.profile, RUN_NOTES_PREFIX "copied");

	if (!image || !own_image(c->base.profile) || !same_builds(c->diff) || !sources_differ(c))
		return CG_OK;
	/* What was built on each side may be the same for good reasons, such as another comment;
	 * and an interpreter that was copied counts otherwise if its scripts do. */
	const bool blind = copied && both_recorded(c, RUN_NOTES_PREFIX "sources") &&
			   !remarking_counts_differ(c);
	return add_run_remark(
		c, blind ? REMARK_UNSEEN : REMARK_WARNING, "same-program",
		copied ? "Build it for base and head by build: in irdiff.yml, and remove it from copy:"
		       : "Check that build: in irdiff.yml builds it from the files next to it",
		err, "Base and head ran the same program, %s, although their sources differ%s",
		image, copied ? ": it was copied to both" : "");
}

int remarking_find_runs(struct comparison *c, struct cg_error *err)
{
	int status = remark_reads(c, err);

	if (!status)
		status = remark_same_program(c, err);

	/* Profiles of an older irdiff do not record how the run went. */
	if (status || !run_notes_known(c->base.profile) || !run_notes_known(c->head.profile))
		return status;
	status = remark_uncounted(c, err);
	if (!status)
		status = remark_hidden(c, err);
	for (size_t i = 0; !status && i < sizeof process_ends / sizeof *process_ends; i++)
		status = remark_endings(c, &process_ends[i], err);
	return status;
}
