#include "src/cmd/processes.h"

#include <stdio.h>

#include "src/text/text.h"

#define NAMED_MAX 5 /* of those not counted */

static void print_process(const struct run_profile *profile, uint64_t cost)
{
	char number[TEXT_NUMBER];

	text_print_name(stderr, *profile->image ? profile->image : profile->command, 0);
	fprintf(stderr, " (%s Ir)", text_count(cost, number));
}

static void print_others(const struct run_result *r)
{
	size_t named = 0, more = 0;

	for (size_t begin = 0, end; begin < r->nprofiles; begin = end) {
		uint64_t cost;
		end = run_profile_end(r->profiles, r->nprofiles, begin, &cost);
		if (begin == r->chosen || !cost || r->profiles[begin].launcher)
			continue;
		if (named == NAMED_MAX) {
			more++;
			continue;
		}
		fputs(named++ ? ", " : " ", stderr);
		print_process(&r->profiles[begin], cost);
	}
	if (more)
		fprintf(stderr, " and %zu more", more);
}

static void warn_about_copy(const struct run_result *r)
{
	fputs("irdiff: warning: ", stderr);
	text_print_name(stderr, r->profiles[r->chosen].image, 0);
	fputs(" was forked by other means than fork(2): its counts begin with a copy of what its "
	      "parent had counted until then\n", stderr);
}

void report_processes(const struct run_result *r)
{
	uint64_t cost;

	if (r->copied)
		warn_about_copy(r);
	if (run_candidates(r) < 2)
		return;
	run_profile_end(r->profiles, r->nprofiles, r->chosen, &cost);
	fputs("irdiff: warning: several processes ran; measured ", stderr);
	print_process(&r->profiles[r->chosen], cost);
	fputs("; not counted:", stderr);
	print_others(r);
	fputc('\n', stderr);
}
