#include "src/measure/processes.h"

#include <stdio.h>
#include <string.h>

#include "src/measure/run_result.h"
#include "src/status/notice.h"
#include "src/text/text.h"

#define NAMED_MAX 5 /* of those not counted */

static void print_process(FILE *to, const struct run_profile *profile)
{
	text_print_name(to, *profile->image ? profile->image : profile->command, 0);
}

/* In its first event. */
static void print_cost(FILE *to, const struct run_profile *p, uint64_t cost)
{
	char number[TEXT_NUMBER];

	fprintf(to, " (%s %.*s)", text_count(cost, number), (int)strcspn(p->events, " "),
		p->events);
}

static bool is_among_counted(const struct run_result *r, size_t file)
{
	for (size_t i = 0; i < r->nfiles; i++)
		if (r->files[i] == file)
			return true;
	return false;
}

/* A launcher's work is seldom meant, nor what a process does to become another program. */
static bool is_missed(const struct run_result *r, size_t begin, uint64_t cost)
{
	const struct run_profile *p = &r->profiles[begin];

	return cost && !p->launcher && !(p->forked && p->replaced) && !is_among_counted(r, begin);
}

/* Returns how many there are; to NULL: prints none. */
static size_t print_others(FILE *to, const struct run_result *r)
{
	size_t count = 0;

	for (size_t begin = 0, end; begin < r->nprofiles; begin = end) {
		uint64_t cost;
		end = run_profile_end(r->profiles, r->nprofiles, begin, &cost);
		if (!is_missed(r, begin, cost))
			continue;
		if (to && count < NAMED_MAX) {
			fputs(count ? ", " : " ", to);
			print_process(to, &r->profiles[begin]);
			print_cost(to, &r->profiles[begin], cost);
		}
		count++;
	}
	if (to && count > NAMED_MAX)
		fprintf(to, " and %zu more", count - NAMED_MAX);
	return count;
}

static void print_counted(FILE *to, const struct run_result *r)
{
	uint64_t cost = 0;
	size_t others = 0;

	for (size_t i = 0; i < r->nfiles; i++) {
		const struct run_profile *p = &r->profiles[r->files[i]];
		cost += p->collected;
		others += p->pid != r->profiles[r->chosen].pid && (i == 0 || p[-1].pid != p->pid);
	}
	print_process(to, &r->profiles[r->chosen]);
	if (others)
		fprintf(to, " and %zu process%s it forked", others, others == 1 ? "" : "es");
	print_cost(to, &r->profiles[r->chosen], cost);
}

static void warn_about_copy(const struct notices *n, const struct run_result *r)
{
	struct notice m;

	notice_begin(&m, n, NOTICE_WARNING);
	print_process(m.to, &r->profiles[r->chosen]);
	if (r->left_copies)
		fputs(" forked processes by other means than fork(2); their counts begin with a copy of their "
		      "parent's and are left out",
		      m.to);
	else
		fputs(" may have been forked by other means than fork(2); if so, its counts begin with a copy of its parent's",
		      m.to);
	notice_end(&m);
}

void tell_processes(const struct notices *n, const struct run_result *r)
{
	struct notice m;

	if (r->copied || r->left_copies)
		warn_about_copy(n, r);
	if (r->left_others || !print_others(NULL, r))
		return;
	notice_begin(&m, n, NOTICE_WARNING);
	fputs("several processes ran; measured ", m.to);
	print_counted(m.to, r);
	fputs("; not counted:", m.to);
	print_others(m.to, r);
	notice_end(&m);
}
