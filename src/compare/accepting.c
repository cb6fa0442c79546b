#include "src/compare/accepting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/compare/judging.h"
#include "src/compare/verdicts_file.h"
#include "src/config/accepted.h"
#include "src/config/file.h"
#include "src/git/git.h"
#include "src/store/beneath.h"
#include "src/store/label.h"
#include "src/text/suggest.h"

enum { DATE = sizeof "2026-11-21" };

/* The file, its entries, and the comparison that they are held against. */
struct work {
	const struct project *project;
	char *path, *text; /* text NULL: the file does not exist */
	size_t len;
	struct accepted old;
	struct verdicts_file last;
	struct acceptance *add; /* texts belong to `last` and the choice */
	size_t nadd, cap;
	bool *drop; /* of the old ones */
	char date[DATE];
	char *who, *why;
	int lock; /* of the project's directory; -1: the file is only read */
};

/* Until the file is closed: of several that change it at once each keeps what the others have
 * written. The directory is locked, as the file is replaced and need not be there. */
static int lock_project(struct work *w, const char *root, struct cg_error *err)
{
	w->lock = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w->lock >= 0 && flock(w->lock, LOCK_EX) == 0)
		return CG_OK;
	return cg_fail(err, CG_EIO, root, 0, "cannot lock: %s", strerror(errno));
}

static int open_accepted_file(struct work *w, const struct project *project, struct cg_error *err)
{
	w->project = project;
	int status = accepted_path(project, &w->path, err);

	if (!status && access(w->path, F_OK) == 0)
		status = config_file_read(w->path, ACCEPTED_BYTES_MAX, &w->text, &w->len, err);
	if (!status && w->text)
		status = accepted_parse(w->text, w->len, w->path, &w->old, err);
	if (!status && !(w->drop = calloc(w->old.count + 1, sizeof *w->drop)))
		status = cg_fail_nomem(err);
	return status;
}

static int open_to_write(struct work *w, const struct project *project, struct cg_error *err)
{
	int status = lock_project(w, project->root, err);
	return status ? status : open_accepted_file(w, project, err);
}

static void close_file(struct work *w)
{
	if (w->lock >= 0)
		close(w->lock);
	verdicts_file_free(&w->last);
	accepted_free(&w->old);
	free(w->path);
	free(w->text);
	free(w->add);
	free(w->drop);
	free(w->who);
	free(w->why);
}

static int write_accepted_file(struct work *w, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	char *text;
	int status = accepted_edit(w->text ? w->text : "", w->len, w->path, w->drop, w->add,
				   w->nadd, &text, err);

	if (status)
		return status;
	status = beneath_new_file(w->project->root, w->path, &file, &to, err);
	if (!status) {
		fputs(text, to);
		status = new_file_commit(file, err);
	}
	free(text);
	return status;
}

/* ---- output ---- */

/* "parse: incl.Ir of json_scan: 100 → 175 (+75.0%)" */
static void print_counts(FILE *to, const char *benchmark, const char *metric, const char *function,
			 bool has_base, int64_t base, int64_t head)
{
	char b[TEXT_NUMBER], h[TEXT_NUMBER], change[TEXT_NUMBER];

	text_print_name(to, benchmark, 0);
	fputs(": ", to);
	text_print_name(to, metric, 0);
	if (function) {
		fputs(" of ", to);
		text_print_name(to, function, 0);
	}
	if (has_base)
		fprintf(to, ": %s → %s (%s)", text_cost(base, b), text_cost(head, h),
			text_change(base, head, change));
	else
		fprintf(to, ": %s", text_cost(head, h));
}

static void print_new_acceptance(FILE *to, const struct acceptance *a)
{
	print_counts(to, a->benchmark, a->metric, a->function, a->has_base, a->base, a->head);
}

static bool same_kept_commit(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_kept_commits(const struct kept_verdicts *a, const struct kept_verdicts *b)
{
	return same_kept_commit(a->base_commit, b->base_commit) &&
	       same_kept_commit(a->head_commit, b->head_commit) &&
	       a->base_changed == b->base_changed && a->head_changed == b->head_changed;
}

static void print_kept_commit(FILE *to, const char *side, const char *commit, bool changed)
{
	enum { SHORT = 10 };
	char start[SHORT + 1];

	snprintf(start, sizeof start, "%s", commit);
	fputs(side, to);
	text_print_name(to, start, 0);
	fputs(changed ? " with changes, " : ", ", to);
}

/* "Last comparison: base 1a2b3c4d5e, head 6a7b8c9d0e with changes, 2026-11-27 19:40 UTC,
 * 3 benchmarks": it need not be the one that the user thinks of. */
static void print_last_comparison(FILE *to, const struct verdicts_file *last)
{
	const struct kept_verdicts *first = &last->benchmarks[0];
	const time_t when = last->time;
	char minute[sizeof "2026-11-21 10:00 UTC, "];
	bool same = true;
	struct tm tm;

	for (size_t i = 1; i < last->count; i++)
		same &= same_kept_commits(first, &last->benchmarks[i]);
	fputs("Last comparison: ", to);
	if (!same)
		fputs("several commits, ", to);
	if (same && first->base_commit)
		print_kept_commit(to, "base ", first->base_commit, first->base_changed);
	if (same && first->head_commit)
		print_kept_commit(to, "head ", first->head_commit, first->head_changed);
	if (when > 0 && gmtime_r(&when, &tm) &&
	    strftime(minute, sizeof minute, "%Y-%m-%d %H:%M UTC, ", &tm))
		fputs(minute, to);
	fprintf(to, "%zu benchmark%s\n", last->count, last->count == 1 ? "" : "s");
}

/* ---- accepting ---- */

static int find_date(char date[DATE], struct cg_error *err)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = epoch && *epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) || strftime(date, DATE, "%Y-%m-%d", &tm) != DATE - 1)
		return cg_fail(err, CG_EINVAL, NULL, 0, "SOURCE_DATE_EPOCH=%s is not a time",
			       epoch ? epoch : "");
	return CG_OK;
}

/* The author as git knows it; NULL if git does not. */
static char *find_accepting_user(const struct project *project)
{
	static const char *const args[] = { "config", "user.name", NULL };
	struct git *git;
	char *who = NULL, *safe = NULL;

	if (git_open(project->root, NULL, &git, NULL))
		return NULL;
	const struct git_call call = { .args = args, .quiet = true };
	if (git_run(git, &call, &who, NULL, NULL) == CG_OK) {
		who[strcspn(who, "\r\n")] = '\0';
		safe = *who ? text_safe(who) : NULL;
	}
	free(who);
	git_close(git);
	return safe;
}

static bool is_listed_or_all(const char *const *list, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], text) == 0)
			return true;
	return count == 0;
}

/* Whether a word is the name of the benchmark, or of the one that it is a case of. */
static bool is_benchmark_meant(const char *given, const char *name)
{
	return strcmp(given, name) == 0 || label_is_case_of(name, given, strlen(given));
}

static bool is_benchmark_chosen(const struct acceptance_choice *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_benchmark_meant(c->benchmarks[i], name))
			return true;
	return c->count == 0;
}

static bool limit_begins(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

/* The text before the function in a limit; "mod:" and "namespace:" have their own. */
static const char *scope_of_functions(const char *functions)
{
	return !functions                                                                 ? ""
	       : limit_begins(functions, "mod:") || limit_begins(functions, "namespace:") ? " "
											  : " fn:";
}

/* Whether a limit is chosen by its metric, or as it is written on a command line. */
static bool is_metric_accepted(const struct acceptance_choice *c, const struct kept_verdict *v)
{
	char *spec;
	bool wanted = is_listed_or_all(c->limits, c->nlimits, v->metric);

	if (wanted ||
	    asprintf(&spec, "%s=%s%s%s", v->metric, v->limit, scope_of_functions(v->functions),
		     v->functions ? v->functions : "") < 0)
		return wanted;
	wanted = is_listed_or_all(c->limits, c->nlimits, spec);
	free(spec);
	return wanted;
}

/* Several limits may be broken by one count. */
static bool is_added(const struct work *w, const struct acceptance *a)
{
	for (size_t i = 0; i < w->nadd; i++)
		if (acceptance_same_subject(&w->add[i], a) && w->add[i].head == a->head)
			return true;
	return false;
}

static int add_accepted_verdict(struct work *w, const struct kept_verdicts *b,
				const struct kept_verdict *v, struct cg_error *err)
{
	const struct acceptance a = {
		.benchmark = b->name,
		.metric = v->metric,
		.function = v->function,
		.limit = v->limit,
		.has_base = v->has_base,
		.base = v->base,
		.head = v->head,
		.tolerance = v->tolerance,
		.why = w->why,
		.date = w->date,
		.who = w->who,
	};

	if (is_added(w, &a))
		return CG_OK;
	if (cg_grow(&w->add, &w->cap, w->nadd + 1, sizeof *w->add))
		return cg_fail_nomem(err);
	w->add[w->nadd++] = a;
	for (size_t i = 0; i < w->old.count; i++)
		w->drop[i] |= acceptance_same_subject(&w->old.items[i], &a);
	return CG_OK;
}

static bool has_status(const struct kept_verdict *v, enum limit_status status)
{
	return strcmp(v->status, limit_status_name(status)) == 0;
}

static bool may_be_accepted(const struct kept_verdict *v)
{
	return has_status(v, LIMIT_EXCEEDED) || has_status(v, LIMIT_MISSING);
}

static int add_broken(struct work *w, const struct acceptance_choice *c, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < w->last.count; i++) {
		const struct kept_verdicts *b = &w->last.benchmarks[i];
		if (!is_benchmark_chosen(c, b->name))
			continue;
		for (size_t k = 0; !status && k < b->count; k++)
			if (may_be_accepted(&b->verdicts[k]) &&
			    is_metric_accepted(c, &b->verdicts[k]))
				status = add_accepted_verdict(w, b, &b->verdicts[k], err);
	}
	if (!status && !w->nadd)
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "no such limit was exceeded in the last comparison with --check");
	return status;
}

static int fail_not_judged(const struct verdicts_file *last, const char *name, struct cg_error *err)
{
	const char **names = calloc(last->count + 1, sizeof *names);
	char *known = NULL;

	for (size_t i = 0; names && i < last->count; i++)
		names[i] = last->benchmarks[i].name;
	if (names)
		known = suggest_known(name, names, last->count, "that it judged");
	free(names);
	if (!known)
		return cg_fail_nomem(err);
	int status = cg_fail(err, CG_EINVAL, NULL, 0,
			     "the last comparison with --check did not judge "
			     "'%s'%s",
			     name, *known ? known : "; compare it again");
	free(known);
	return status;
}

static int check_benchmarks(const struct verdicts_file *last, const struct acceptance_choice *c,
			    struct cg_error *err)
{
	for (size_t i = 0; i < c->count; i++) {
		bool found = false;
		for (size_t k = 0; k < last->count; k++)
			found |= is_benchmark_meant(c->benchmarks[i], last->benchmarks[k].name);
		if (!found)
			return fail_not_judged(last, c->benchmarks[i], err);
	}
	return CG_OK;
}

int accept_broken(const struct project *project, const struct acceptance_choice *choice, FILE *to,
		  struct cg_error *err)
{
	struct work w = { .lock = -1 };
	int status = open_to_write(&w, project, err);

	if (!status)
		status = verdicts_file_load(project, &w.last, err);
	if (!status)
		status = check_benchmarks(&w.last, choice, err);
	if (!status)
		status = find_date(w.date, err);
	if (!status && !(w.why = text_safe(choice->why)))
		status = cg_fail_nomem(err);
	if (!status) {
		w.who = find_accepting_user(project);
		status = add_broken(&w, choice, err);
	}
	if (!status)
		status = write_accepted_file(&w, err);
	if (!status)
		print_last_comparison(to, &w.last);
	for (size_t i = 0; !status && i < w.nadd; i++) {
		fputs("Accepted ", to);
		print_new_acceptance(to, &w.add[i]);
		fputc('\n', to);
	}
	if (!status)
		fputs("Written to " ACCEPTED_NAME "; commit it to have it reviewed\n", to);
	close_file(&w);
	return status;
}

/* ---- what became of them ---- */

enum fate {
	FATE_UNKNOWN, /* the last comparison did not judge its subject */
	FATE_NEEDED,
	FATE_EXCEEDED, /* it has expired: its subject breaks a limit with other counts */
	FATE_EXPIRED,  /* its subject breaks none */
};

static bool holds(const struct kept_verdict *v, const struct acceptance *a)
{
	const struct limit limit = { .kind = v->ceiling ? LIMIT_CEILING : LIMIT_GROWTH };
	const struct limit_counts counts = {
		.has_base = v->has_base, .base = v->base, .head = v->head, .tolerance = v->tolerance
	};
	return acceptance_holds(a, &limit, &counts);
}

/* Of several entries on one subject only one is needed. */
static enum fate fate_by(const struct kept_verdict *v, const struct acceptance *a)
{
	bool accepted = has_status(v, LIMIT_ACCEPTED);

	if (!accepted && !may_be_accepted(v))
		return FATE_EXPIRED;
	return holds(v, a) ? FATE_NEEDED : accepted ? FATE_EXPIRED : FATE_EXCEEDED;
}

static bool is_of_acceptance(const struct kept_verdicts *b, const struct kept_verdict *v,
			     const struct acceptance *a)
{
	const struct acceptance judged = { .benchmark = b->name,
					   .metric = v->metric,
					   .function = v->function };
	return acceptance_same_subject(&judged, a);
}

/* *now is a verdict on it that tells. */
static enum fate fate_of(const struct verdicts_file *last, const struct acceptance *a,
			 const struct kept_verdict **now)
{
	enum fate fate = FATE_UNKNOWN;

	for (size_t i = 0; i < last->count; i++) {
		const struct kept_verdicts *b = &last->benchmarks[i];
		for (size_t k = 0; k < b->count; k++) {
			const struct kept_verdict *v = &b->verdicts[k];
			if (!is_of_acceptance(b, v, a))
				continue;
			enum fate f = fate_by(v, a);
			if (fate == FATE_UNKNOWN || f < fate) {
				fate = f;
				*now = v;
			}
		}
	}
	return fate;
}

static void print_fate(FILE *to, const struct work *w, const struct acceptance *a)
{
	const struct kept_verdict *now = NULL;
	char count[TEXT_NUMBER];

	switch (fate_of(&w->last, a, &now)) {
	case FATE_EXCEEDED:
		fputs("    expired: now ", to);
		if (now->has_base)
			fprintf(to, "%s → ", text_cost(now->base, count));
		fprintf(to, "%s; to accept that: irdiff baseline accept ",
			text_cost(now->head, count));
		text_print_name(to, a->benchmark, 0);
		fputs(" --why=TEXT\n", to);
		break;
	case FATE_EXPIRED:
		fputs("    expired: no limit is exceeded now; irdiff baseline prune removes it\n",
		      to);
		break;
	case FATE_UNKNOWN:
	case FATE_NEEDED:
		break;
	}
}

int accepted_list(const struct project *project, FILE *to, struct cg_error *err)
{
	struct work w = { .lock = -1 };
	int status = open_accepted_file(&w, project, err);

	if (!status && w.old.count && verdicts_file_load(project, &w.last, NULL))
		w.last = (struct verdicts_file){
			0
		}; /* then nothing is known of what became of them */
	if (!status && w.old.count)
		fputs("\nAccepted regressions (" ACCEPTED_NAME ")\n", to);
	for (size_t i = 0; !status && i < w.old.count; i++) {
		const struct acceptance *a = &w.old.items[i];
		fputs("  ", to);
		print_new_acceptance(to, a);
		fprintf(to, ", %s", a->date);
		if (a->who) {
			fputs(" by ", to);
			text_print_name(to, a->who, 0);
		}
		fputs(": ", to);
		text_print_name(to, a->why, 0);
		fputc('\n', to);
		print_fate(to, &w, a);
	}
	close_file(&w);
	return status;
}

int accepted_prune(const struct project *project, FILE *to, struct cg_error *err)
{
	struct work w = { .lock = -1 };
	bool any = false;
	int status = open_to_write(&w, project, err);

	if (!status && w.old.count)
		status = verdicts_file_load(project, &w.last, err);
	for (size_t i = 0; !status && i < w.old.count; i++) {
		const struct kept_verdict *now;
		enum fate fate = fate_of(&w.last, &w.old.items[i], &now);
		w.drop[i] = fate == FATE_EXPIRED || fate == FATE_EXCEEDED;
		any |= w.drop[i];
	}
	if (!status && any)
		status = write_accepted_file(&w, err);
	for (size_t i = 0; !status && i < w.old.count; i++) {
		if (!w.drop[i])
			continue;
		fputs("Removed ", to);
		print_new_acceptance(to, &w.old.items[i]);
		fputs(", which has expired\n", to);
	}
	if (!status && !any)
		fputs("Nothing has expired: each accepted regression is still needed, or was not judged in the last comparison.\n",
		      to);
	close_file(&w);
	return status;
}
