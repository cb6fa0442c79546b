#include "callgrind/parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/text.h"

/* ---- lists in messages ---- */

/* "one; two; and 7 more": what does not fit is counted. */
struct parts_check_list {
	char text[560];
	size_t used, left_out;
};

__attribute__((format(printf, 2, 3))) static void add_item(struct parts_check_list *l,
							   const char *fmt, ...)
{
	enum { MORE = 40 }; /* room for the end */
	size_t room = sizeof l->text - MORE - l->used;
	char item[2 * CG_QUOTE_SIZE + 120];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(item, sizeof item, fmt, ap);
	va_end(ap);

	const char *comma = l->used ? "; " : "";
	if (l->left_out || strlen(comma) + strlen(item) >= room)
		l->left_out++;
	else
		l->used += (size_t)snprintf(l->text + l->used, room, "%s%s", comma, item);
}

static const char *parts_check_list_text(struct parts_check_list *l)
{
	if (l->left_out)
		snprintf(l->text + l->used, sizeof l->text - l->used, "; and %zu more",
			 l->left_out);
	return l->text;
}

/* " of pid 7", ", thread 2", ": Client Request: parse", and what it cost. */
static void parts_check_add_part(struct parts_check_list *l, const struct cg_profile *p,
				 const struct cg_part *part)
{
	char pid[40] = "", thread[40] = "", trigger[CG_QUOTE_SIZE] = "";
	const char *text = cg_string(p, part->trigger);

	if (part->pid)
		snprintf(pid, sizeof pid, " of pid %" PRIu64, part->pid);
	if (part->thread)
		snprintf(thread, sizeof thread, " thread %" PRIu64, part->thread);
	if (*text)
		cg_quote(trigger, text, strlen(text));
	add_item(l, "part %" PRIu64 "%s%s%s%s (%" PRId64 " %s)", part->number, pid, thread,
		 *text ? " " : "", trigger, part->self[0], cg_string(p, p->events[0].name));
}

static int fail_nothing(const struct cg_parts *s, struct cg_error *err)
{
	const struct cg_profile *p = cg_builder_profile(s->b);
	struct parts_check_list l = { 0 };

	for (size_t i = 0; i < s->naside; i++)
		parts_check_add_part(&l, p, &s->aside[i]);
	return cg_fail(err, CG_EINVAL, NULL, 0, "no part selected; the parts are: %s",
		       parts_check_list_text(&l));
}

/* ---- may they be added up? ---- */

/* The parts of one process are adjacent. A file that does not record its process is a process of
 * its own. */
static int compare_processes(const struct cg_part *a, const struct cg_part *b)
{
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->pid ? 0 : (a->file > b->file) - (a->file < b->file);
}

static int parts_check_compare_parts(const void *x, const void *y)
{
	const struct cg_part *a = *(const struct cg_part *const *)x;
	const struct cg_part *b = *(const struct cg_part *const *)y;
	int order = compare_processes(a, b);

	if (!order)
		order = (a->number > b->number) - (a->number < b->number);
	if (!order)
		order = (a->thread > b->thread) - (a->thread < b->thread);
	if (!order)
		order = (a->command > b->command) - (a->command < b->command);
	return order ? order : (a->file > b->file) - (a->file < b->file);
}

/* Dumps without a number can be distinguished only by their file. After exec(3) a process keeps
 * its pid, but numbers its dumps from the start. */
static bool is_same_part(const struct cg_part *a, const struct cg_part *b)
{
	return a->pid && compare_processes(a, b) == 0 && a->number == b->number &&
	       a->thread == b->thread && a->command == b->command &&
	       (a->number || a->file != b->file);
}

static int fail_twice(const struct cg_profile *p, const struct cg_part *a, const struct cg_part *b,
		      struct cg_error *err)
{
	char thread[40] = "", first[CG_QUOTE_SIZE], second[CG_QUOTE_SIZE];
	const char *file = cg_string(p, a->file), *other = cg_string(p, b->file);

	if (a->thread)
		snprintf(thread, sizeof thread, ", thread %" PRIu64 ",", a->thread);
	cg_quote(first, file, strlen(file));
	cg_quote(second, other, strlen(other));
	if (a->file == b->file)
		return cg_fail(err, CG_EINVAL, file, 0,
			       "part %" PRIu64 " of pid %" PRIu64 "%s occurs twice", a->number,
			       a->pid, thread);
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "part %" PRIu64 " of pid %" PRIu64
		       "%s occurs in %s and in %s: it would be counted twice",
		       a->number, a->pid, thread, first, second);
}

/* One process, whose parts are those from `first` on; returns how many. */
static size_t add_process(struct parts_check_list *l, const struct cg_profile *p,
			  const struct cg_part *const *first, size_t count)
{
	char name[CG_QUOTE_SIZE + 20], quoted[CG_QUOTE_SIZE] = "";
	const struct cg_part *part = *first;
	const char *file = cg_string(p, part->file), *command = cg_string(p, part->command);
	int64_t cost = 0;
	size_t n = 0;

	for (; n < count && compare_processes(part, first[n]) == 0; n++)
		if (__builtin_add_overflow(cost, first[n]->self[0], &cost))
			cost = INT64_MAX;
	if (part->pid)
		snprintf(name, sizeof name, "pid %" PRIu64, part->pid);
	else
		snprintf(name, sizeof name, "%s without a pid",
			 cg_quote(quoted, file, strlen(file)));
	if (*command)
		cg_quote(quoted, command, strlen(command));
	add_item(l, "%s%s%s (%" PRId64 " %s)", name, *command ? " " : "", *command ? quoted : "",
		 cost, cg_string(p, p->events[0].name));
	return n;
}

static int check_processes(const struct cg_profile *p, const struct cg_part *const *parts,
			   struct cg_error *err)
{
	struct parts_check_list l = { 0 };
	size_t processes = 0;

	for (size_t i = 0; i < p->nparts; processes++)
		i += add_process(&l, p, parts + i, p->nparts - i);
	return processes < 2
		       ? CG_OK
		       : cg_fail(err, CG_ECHOICE, NULL, 0,
				 "costs of several processes may overlap, because a forked process repeats its parent's "
				 "costs; the processes are: %s",
				 parts_check_list_text(&l));
}

static const struct cg_part **sorted_parts(const struct cg_profile *p)
{
	const struct cg_part **parts = calloc((size_t)p->nparts + 1, sizeof *parts);
	for (uint32_t i = 0; parts && i < p->nparts; i++)
		parts[i] = &p->parts[i];
	if (parts)
		qsort(parts, p->nparts, sizeof *parts, parts_check_compare_parts);
	return parts;
}

static bool has_several_pids(const struct cg_selection *s)
{
	return s->npids > 1 || (s->npids == 1 && s->pids[0].first != s->pids[0].last);
}

int cg_parts_check(const struct cg_parts *s, struct cg_error *err)
{
	const struct cg_profile *p = cg_builder_profile(s->b);
	const struct cg_selection *selection = s->selection;
	bool any_process = selection && (selection->every_process || has_several_pids(selection));
	int status = CG_OK;

	if (p->nparts == 0)
		return s->naside ? fail_nothing(s, err) : CG_OK;
	if (selection && selection->merge)
		return CG_OK;
	const struct cg_part **parts = sorted_parts(p);
	if (!parts)
		return cg_fail_nomem(err);
	for (uint32_t i = 1; !status && i < p->nparts; i++)
		if (is_same_part(parts[i - 1], parts[i]))
			status = fail_twice(p, parts[i - 1], parts[i], err);
	if (!status && !any_process)
		status = check_processes(p, parts, err);
	free(parts);
	return status;
}
