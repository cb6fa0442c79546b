#include "src/cmd/processes.h"

#include <stdio.h>

#include "src/cmd/message.h"
#include "src/text/text.h"

#define NAMED_MAX 5 /* of those not counted */

static void print_process(FILE *to, const struct run_profile *profile, uint64_t cost)
{
	char number[TEXT_NUMBER];

	text_print_name(to, *profile->image ? profile->image : profile->command, 0);
	fprintf(to, " (%s Ir)", text_count(cost, number));
}

static void print_others(FILE *to, const struct run_result *r)
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
		fputs(named++ ? ", " : " ", to);
		print_process(to, &r->profiles[begin], cost);
	}
	if (more)
		fprintf(to, " and %zu more", more);
}

static void warn_about_copy(const struct run_result *r)
{
	struct message m;

	warning_begin(&m);
	text_print_name(m.to, r->profiles[r->chosen].image, 0);
	fputs(" may have been forked by other means than fork(2): then its counts begin with a copy of "
	      "what its parent had counted", m.to);
	message_end(&m);
}

void report_processes(const struct run_result *r)
{
	struct message m;
	uint64_t cost;

	if (r->copied)
		warn_about_copy(r);
	if (run_candidates(r) < 2)
		return;
	run_profile_end(r->profiles, r->nprofiles, r->chosen, &cost);
	warning_begin(&m);
	fputs("several processes ran; measured ", m.to);
	print_process(m.to, &r->profiles[r->chosen], cost);
	fputs("; not counted:", m.to);
	print_others(m.to, r);
	message_end(&m);
}
