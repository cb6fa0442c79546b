#include "src/report/text/certainty.h"

#include "src/text/text.h"

void text_print_misfit(FILE *to, const struct cg_profile *p, const struct cg_misfit *misfit)
{
	fputs("calls and callees differ", to);
	if (misfit->percent > 0) {
		fprintf(to, " by %.2f%% of ", misfit->percent);
		text_print_name(to, cg_string(p, p->events[misfit->event].name), 0);
	}
}

static void print_doubt(FILE *to, const struct cg_tree *t, const struct cg_tree_doubt *doubt)
{
	const char *between = "";

	if (doubt->any_estimated) {
		fprintf(to, "estimated for %.2f%% of the cost (~)", doubt->estimated);
		between = "; ";
	}
	if (doubt->any_truncated) {
		fprintf(to, "%srecursion deeper than recorded: %.2f%% (…)", between, doubt->truncated);
		between = "; ";
	}
	if (t->misfit.records) {
		fputs(between, to);
		text_print_misfit(to, t->profile, &t->misfit);
	}
}

void text_print_certainty(FILE *to, const struct cg_tree *t, const struct cg_tree_doubt *doubt)
{
	if (t->exact)
		fputs("exact", to);
	else if (!doubt->recorded)
		fputs("not recorded, the file has no calls", to);
	else
		print_doubt(to, t, doubt);
}
