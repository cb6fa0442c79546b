#include "src/report/text/profile_words.h"

#include <stdlib.h>

#include "cgprofile/error.h"

/* ---- which it is ---- */

static bool is_given(const char *text)
{
	return text && *text;
}

/* The facts that say little when they are cut. Safe and allocated. */
static char *format_rest(const struct report_origin *o, bool wide)
{
	enum { SHORT = 10, LONG = 200 }; /* digits of a commit; 10 are enough for git */
	char *text, *safe;

	if (asprintf(&text, "%s%.*s%s%s%s", is_given(o->commit) ? "  commit " : "",
		     wide ? LONG : SHORT, o->commit ? o->commit : "",
		     is_given(o->commit) && o->changed ? " with changes" : "",
		     is_given(o->when) ? "  written " : "", o->when ? o->when : "") < 0)
		return NULL;
	safe = text_safe(text);
	free(text);
	return safe;
}

int text_origin_facts(const struct report_origin *o, const struct text_style *style, FILE *to)
{
	char *command = text_cut(o->command ? o->command : "", 0);
	char *rest = format_rest(o, style->wide);
	int status = command && rest ? CG_OK : CG_ENOMEM;

	if (!status && (*command || *rest)) {
		unsigned used = 2 + (unsigned)text_width(rest);
		fputs(*command ? "  " : "", to);
		text_print_name(to, command,
				style->wide || style->width <= used ? 0 : style->width - used);
		fprintf(to, "%s\n", rest);
	}
	free(command);
	free(rest);
	return status;
}

int text_origin_print(const char *side, const struct report_origin *o, const char *parts,
		      const struct text_style *style, FILE *to)
{
	enum { LEAST_NAME = 20, LEAST_COMMAND = 12, MOST_COMMAND = 60 };
	bool narrow = style->width && !style->wide;
	char *name = text_cut(is_given(o->name) ? o->name : "(missing)", 0);
	char *command = text_cut(o->command ? o->command : "", style->wide ? 0 : MOST_COMMAND);
	char *rest = format_rest(o, style->wide), *cut = NULL;
	int status = name && command && rest ? CG_OK : CG_ENOMEM;
	unsigned command_room = 0, name_room = 0;

	if (!status && narrow) {
		size_t used = 4 + text_width(side) + text_width(parts) + text_width(rest);
		size_t room = style->width > used + LEAST_NAME ? style->width - used : LEAST_NAME;
		size_t left = room > text_width(name) + 2 ? room - text_width(name) - 2 : 0;
		name_room = (unsigned)room;
		command_room = (unsigned)left;
		if (left < LEAST_COMMAND && left < text_width(command))
			*command = '\0';
	}
	if (!status && !(cut = text_cut(command, command_room)))
		status = CG_ENOMEM;
	if (!status) {
		fprintf(to, "  %s  ", side);
		text_print_name(to, name, name_room);
		fprintf(to, "%s%s%s%s\n", parts, *cut ? "  " : "", cut, rest);
	}
	free(name);
	free(command);
	free(rest);
	free(cut);
	return status;
}

void text_print_difference(const struct environment_difference *d, const struct text_style *style,
			   FILE *to)
{
	enum { MOST = 60, LEAST = 12, AROUND = 7 };
	unsigned width = style->wide ? 0 : MOST, used = (unsigned)text_width(d->name) + AROUND;

	if (width && style->width && style->width < used + 2 * MOST)
		width = style->width > used + 2 * LEAST ? (style->width - used) / 2 : LEAST;

	fputs("  ", to);
	text_print_name(to, d->name, 0);
	fputs(": ", to);
	text_print_name(to, d->base_short ? d->base_short : "(absent)", width);
	fputs(" → ", to);
	text_print_name(to, d->head_short ? d->head_short : "(absent)", width);
	fputc('\n', to);
}

/* ---- how exact its paths are ---- */

void text_print_misfit(FILE *to, const struct cg_profile *p, const struct cg_misfit *misfit)
{
	fputs("calls and callees differ", to);
	if (misfit->percent > 0) {
		fprintf(to, " by %.2f%% of ", misfit->percent);
		text_print_name(to, cg_string(p, p->events[misfit->event].name), 0);
	}
}

static void print_profile_doubt(FILE *to, const struct cg_tree *t,
				const struct cg_tree_doubt *doubt)
{
	const char *between = "";

	if (doubt->any_estimated) {
		fprintf(to, "estimated for %.2f%% of the cost (~)", doubt->estimated);
		between = "; ";
	}
	if (doubt->any_truncated) {
		fprintf(to, "%srecursion deeper than recorded: %.2f%% (…)", between,
			doubt->truncated);
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
		print_profile_doubt(to, t, doubt);
}
