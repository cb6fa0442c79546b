#include "src/report/text/show.h"

#include <inttypes.h>
#include <string.h>

#define END "Program termination"

/* What the parts of a profile do not have in common. */
struct difference {
	bool pid, file;
};

static struct difference difference_of(const struct cg_profile *p)
{
	struct difference d = { 0 };
	for (uint32_t i = 1; i < p->nparts; i++) {
		d.pid |= p->parts[i].pid != p->parts[0].pid;
		d.file |= p->parts[i].file != p->parts[0].file;
	}
	return d;
}

static bool is_worth_saying(const struct cg_profile *p, const struct cg_part *part)
{
	return part->thread || part->number > 1 || p->left_out ||
	       (part->trigger && strcmp(cg_string(p, part->trigger), END) != 0);
}

/* "  part 2  thread 1  callgrind.out.7.2  Client Request: parse" */
static void print_part(const struct cg_profile *p, const struct cg_part *part, struct difference d,
		       const char *noun, FILE *to)
{
	if (part->number)
		fprintf(to, "  %s%" PRIu64, noun, part->number);
	if (d.pid && part->pid)
		fprintf(to, "  pid %" PRIu64, part->pid);
	if (part->thread)
		fprintf(to, "  thread %" PRIu64, part->thread);
	if (d.file) {
		fputs("  ", to);
		text_print_name(to, cg_string(p, part->file), 0);
	}
	if (part->trigger) {
		fputs("  ", to);
		text_print_name(to, cg_string(p, part->trigger), 0);
	}
	fputc('\n', to);
}

static void print_list(const struct cg_profile *p, uint32_t event, FILE *to)
{
	enum { MANY = 20 };
	struct difference d = difference_of(p);
	char cost[TEXT_NUMBER];
	int width = 0;

	for (uint32_t i = 0; i < p->nparts && i < MANY; i++) {
		int length = (int)strlen(text_cost(p->parts[i].self[event], cost));
		width = length > width ? length : width;
	}
	for (uint32_t i = 0; i < p->nparts && i < MANY; i++) {
		fprintf(to, "%-18s%*s", "", width, text_cost(p->parts[i].self[event], cost));
		print_part(p, &p->parts[i], d, "part ", to);
	}
	if (p->nparts > MANY)
		fprintf(to, "%-18s… and %" PRIu32 " more\n", "", p->nparts - MANY);
}

void show_print_parts(const struct cg_profile *p, uint32_t event, FILE *to)
{
	if (p->nparts > 1) {
		fprintf(to, "%-18s%" PRIu32, "Parts:", p->nparts);
		if (p->parts[0].pid && !difference_of(p).pid)
			fprintf(to, " of pid %" PRIu64, p->parts[0].pid);
		fputs(", added up; their ", to);
		text_print_name(to, cg_string(p, p->events[event].name), 0);
		fputs(":\n", to);
		print_list(p, event, to);
	} else if (p->nparts && is_worth_saying(p, &p->parts[0])) {
		fprintf(to, "%-16s", "Part:");
		print_part(p, &p->parts[0], (struct difference){ .pid = p->left_out > 0 }, "", to);
	}
	if (p->left_out)
		fprintf(to, "%-18s%" PRIu64 " part%s not selected\n", "Left out:", p->left_out,
			p->left_out > 1 ? "s" : "");
}
