/*
 * A flame graph as SVG: callees below their callers, as in a list that is indented; reversed,
 * callers below what they call. Colours are classes (data/flame/flame.css), so that the picture
 * follows the reader's light or dark theme.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/report/flame_report.h"
#include "src/report/plain_name.h"
#include "src/report/svg/colors.h"
#include "src/report/svg/labels.h"
#include "src/text/name_paths.h"
#include "src/text/short_name.h"
#include "src/text/text.h"
#include "src/text/xml.h"

extern const char flame_style[], flame_script[]; /* data/flame */

enum {
	MARGIN = 12,
	LEVEL = 18,  /* height of a frame */
	INSET = 3,   /* of its text */
	TOP = 92,    /* height of what stands above the frames */
	BOTTOM = 34, /* of the line of details below */
	SHADES = 5,
	FULL_COLOR = 20, /* a change of base by one of so many parts */
	SEARCH = 236,    /* width of the field beside the title, which the script adds */
};

#define OTHERS "o9" /* the class of SVG_COLORS - 1 */

#define CHARACTER 7.25   /* width of one in the font of the frames */
#define PROPORTIONAL 7.0 /* of one in other fonts: guesses that leave room */
#define BOLD 10.5

struct svg_drawing {
	const struct flame_report *r;
	const struct flame *f;
	FILE *to;
	double scale;   /* pixels for one unit of the metric */
	uint32_t *skip; /* per frame: 0, or the first frame after those that are left out with it */
	uint32_t levels;   /* that are drawn */
	uint32_t left_out; /* deeper levels that are not */
	uint64_t largest;  /* |delta| of a frame's inclusive cost that has the strongest colour */
	struct svg_labels labels;
	struct svg_colors colors; /* of one profile */
};

/* ---- what is drawn ---- */

/* Frames stand depth first: what is below one that is too narrow is, too. */
static void choose_frames(struct svg_drawing *d)
{
	const struct flame *f = d->f;
	uint32_t deepest = 0;

	for (uint32_t i = 0; i < f->count;) {
		const struct flame_frame *n = &f->frames[i];
		bool deep = n->depth >= d->r->most_levels;
		bool narrow = i && (double)n->width * d->scale < d->r->min_width;
		if (n->depth > deepest && !narrow)
			deepest = n->depth;
		if (!deep && !narrow && n->depth + 1 > d->levels)
			d->levels = n->depth + 1;
		/* Deep ones are looked at all the same, to say how many levels there are. */
		d->skip[i] = narrow ? n->end : deep ? i + 1 : 0;
		i = d->skip[i] ? d->skip[i] : i + 1;
	}
	d->left_out = deepest + 1 - d->levels;
}

struct change {
	int64_t base, head;
};

/* Of the inclusive cost: the colour leads to what changed. */
static struct change inclusive_change(const struct svg_drawing *d, uint32_t i)
{
	struct flame_values v = flame_values(d->f, i);
	return (struct change){ v.base_inclusive, v.head_inclusive };
}

/* A small change of the program has no strong colour, even if it is the largest. */
static void find_largest_change(struct svg_drawing *d)
{
	if (!d->r->diff)
		return;
	d->largest = cg_magnitude(inclusive_change(d, 0).base) / FULL_COLOR;
	for (uint32_t i = 0; i < d->f->count; i++) {
		struct change all = inclusive_change(d, i);
		uint64_t size = cg_distance(all.base, all.head);
		if (size > d->largest)
			d->largest = size;
	}
}

/* ---- colours ---- */

/* The larger the share of the largest change, the stronger: 1 to SHADES. */
static unsigned strength(const struct svg_drawing *d, struct change c)
{
	static const unsigned percent[] = { 50, 15, 4, 1 };
	double size = (double)cg_distance(c.base, c.head);

	for (unsigned i = 0; i < sizeof percent / sizeof *percent; i++)
		if (size * 100 >= (double)d->largest * percent[i])
			return SHADES - i;
	return 1;
}

static bool changed(const struct svg_drawing *d, struct change c)
{
	return diff_is_change(diff_classify_change(d->r->diff, c.base, c.head));
}

static void print_change_class(const struct svg_drawing *d, uint32_t i)
{
	struct change all = inclusive_change(d, i);

	if (changed(d, all))
		fprintf(d->to, "%c%u", all.head > all.base ? 's' : 'f', strength(d, all));
	else
		fputs("same", d->to);
}

static void print_color_class(const struct svg_drawing *d, uint32_t i)
{
	int color = svg_color_of(&d->colors, &d->f->functions[d->f->frames[i].function]);

	if (color >= 0)
		fprintf(d->to, "o%d", color);
	else
		fputs("same", d->to);
}

static bool is_new_frame(const struct flame_frame *n)
{
	return !n->base.present;
}

static bool is_gone(const struct flame_frame *n)
{
	return !n->head.present;
}

static bool is_svg_inlined(const struct flame_frame *n)
{
	return n->head.present ? n->head.inlined : n->base.inlined;
}

static bool is_svg_estimated(const struct flame_frame *n)
{
	return n->base.estimated || n->head.estimated;
}

static void print_class(const struct svg_drawing *d, uint32_t i)
{
	const struct flame_frame *n = &d->f->frames[i];

	if (d->r->diff)
		print_change_class(d, i);
	else
		print_color_class(d, i);
	if (is_svg_inlined(n))
		fputs(" inlined", d->to);
	if (is_svg_estimated(n))
		fputs(" estimated", d->to);
}

/* ---- words ---- */

static const char *frame_name(const struct svg_drawing *d, uint32_t i)
{
	const char *name = d->f->functions[d->f->frames[i].function].name;
	return i == 0 ? "all" : name;
}

static void print_svg_amount(const struct svg_drawing *d, const char *what, int64_t base,
			     int64_t head)
{
	char a[TEXT_NUMBER], b[TEXT_NUMBER], delta[TEXT_NUMBER], share[TEXT_NUMBER];
	char change[TEXT_NUMBER];

	if (!d->r->diff) {
		int64_t total = flame_value(&d->f->head, d->f->head.profile->total, 0);
		const char *percent = text_share(head, total, share);
		fprintf(d->to, "\n%s %s (%s)", what, text_cost(head, a),
			percent + strspn(percent, " "));
		return;
	}
	int64_t total = flame_value(&d->f->base, d->f->base.profile->total, 0);
	fprintf(d->to, "\n%s %s → %s", what, text_cost(base, a), text_cost(head, b));
	if (base == head)
		return;
	fprintf(d->to, ", %s, ", text_delta(base, head, delta));
	xml_print_safe(d->to, text_change(base, head, change)); /* perhaps "+<0.001%" */
	fputs(", ", d->to);
	xml_print_safe(d->to, text_share_of_base(base, head, total, share));
	fputs(" of base", d->to);
}

static void print_svg_calls(const struct svg_drawing *d, const struct flame_frame *n)
{
	char a[TEXT_NUMBER], b[TEXT_NUMBER];

	if (n->base.calls && n->head.calls && n->base.calls != n->head.calls)
		fprintf(d->to, "\n%s → %s calls", text_count(n->base.calls, a),
			text_count(n->head.calls, b));
	else if (n->base.calls || n->head.calls)
		fprintf(d->to, "\n%s %s",
			text_count(n->head.calls ? n->head.calls : n->base.calls, a),
			text_calls_word(n->base.calls, n->head.calls));
}

/* Whose cost is not what its name says. */
static const char *words_of_match(enum diff_match match)
{
	return match == DIFF_DISSOLVED ? "\ncallees drawn above its caller" : "";
}

/* What counts as this path although another function spent it. */
static void print_absorbed(const struct svg_drawing *d, uint32_t i)
{
	const struct tree_diff *t = d->r->tree;
	const struct tree_row *row = t && i ? &t->rows[i] : NULL;

	for (uint32_t k = 0; row && k < row->nabsorbed; k++) {
		const struct tree_absorption *a = &t->absorbed[row->absorbed + k];
		fputs("\nincludes ", d->to);
		xml_print_text(d->to, a->name);
		fputs(a->in_head ? " of head" : " of base", d->to);
	}
}

static void print_state(const struct svg_drawing *d, const struct flame_frame *n)
{
	const struct flame_function *f = &d->f->functions[n->function];

	if (d->r->diff && is_new_frame(n))
		fputs("\nnew", d->to);
	else if (d->r->diff && is_gone(n))
		fputs("\nremoved", d->to);
	else if (n->match == DIFF_INLINED || n->match == DIFF_NO_LONGER_INLINED)
		fprintf(d->to, "\n%s", diff_match_name(n->match));
	else if (n->head.inlined && (n->base.inlined || !d->r->diff))
		fputs("\ninlined", d->to);
	if (f->base_name) {
		fputs("\nwas ", d->to);
		xml_print_text(d->to, f->base_name);
	}
	fputs(words_of_match(n->match), d->to);
	print_absorbed(d, n->row);
	if (n->base.via) {
		fputs("\nin base called by ", d->to);
		xml_print_text(d->to, n->base.via);
	}
	if (n->head.via) {
		fputs(d->r->diff ? "\nin head called by " : "\ncalled by ", d->to);
		xml_print_text(d->to, n->head.via);
	}
	if (is_svg_estimated(n))
		fputs("\nestimated: the profile does not say by which path it was called", d->to);
}

static void print_svg_words(const struct svg_drawing *d, uint32_t i)
{
	const struct flame_frame *n = &d->f->frames[i];
	const struct flame_function *f = &d->f->functions[n->function];
	struct flame_values v = flame_values(d->f, i);

	xml_print_text(d->to, frame_name(d, i));
	if (*f->object || *f->file) {
		fputs("\n", d->to);
		xml_print_text(d->to, *f->object ? cg_base_name(f->object) : "");
		fputs(*f->object && *f->file ? "  " : "", d->to);
		xml_print_text(d->to, f->file);
	}
	fprintf(d->to, "\n");
	xml_print_text(d->to, d->f->head.metric.name);
	fputs(":", d->to);
	print_svg_amount(d, d->r->reversed ? "spent in the first" : "inclusive", v.base_inclusive,
			 v.head_inclusive);
	if (!d->r->reversed)
		print_svg_amount(d, "self", v.base_self, v.head_self);
	print_svg_calls(d, n);
	print_state(d, n);
}

/* ---- frames ---- */

/* What a frame is called; the script cuts it like plain_name_fit. */
static const char *label_of(const struct svg_drawing *d, uint32_t i)
{
	return i ? d->labels.of[d->f->frames[i].function] : "all";
}

/* What of its name is drawn, if that is not the one in its title. */
static void print_label_data(const struct svg_drawing *d, uint32_t i)
{
	const char *label = label_of(d, i), *own = label + name_own(label);

	if (strcmp(label, frame_name(d, i)) != 0) {
		fputs(" data-label=\"", d->to);
		xml_print_safe(d->to, label);
		fputc('"', d->to);
	}
	if (own != label) {
		fputs(" data-own=\"", d->to);
		xml_print_safe(d->to, own);
		fputc('"', d->to);
	}
}

static void print_rect(const struct svg_drawing *d, const char *class, double x, double y,
		       double width)
{
	fprintf(d->to, "<rect %s%s%sx=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\"/>",
		class ? "class=\"" : "", class ? class : "", class ? "\" " : "", x, y, width,
		LEVEL);
}

static void print_frame(const struct svg_drawing *d, uint32_t i)
{
	const struct flame_frame *n = &d->f->frames[i];
	double x = MARGIN + (double)n->x * d->scale;
	double width = i ? (double)n->width * d->scale : d->r->width - 2.0 * MARGIN;
	double y = TOP + (double)n->depth * LEVEL;
	double room = width > 2 * INSET ? (width - 2 * INSET) / CHARACTER : 0;
	char *label = plain_name_fit(label_of(d, i), (size_t)room);

	fputs("<g class=\"", d->to);
	print_class(d, i);
	fputc('"', d->to);
	print_label_data(d, i);
	fputs("><title>", d->to);
	print_svg_words(d, i);
	fputs("</title>", d->to);
	print_rect(d, NULL, x, y, width);
	if (d->r->diff && (is_new_frame(n) || is_gone(n)))
		print_rect(d, is_new_frame(n) ? "new" : "gone", x, y, width);
	fprintf(d->to, "<text x=\"%.2f\" y=\"%.0f\">", x + INSET, y + LEVEL - 5);
	if (label)
		xml_print_safe(d->to, label);
	fputs("</text></g>\n", d->to);
	free(label);
}

static void print_frames(const struct svg_drawing *d)
{
	fputs("<g id=\"frames\">\n", d->to);
	for (uint32_t i = 0; i < d->f->count; i = d->skip[i] ? d->skip[i] : i + 1)
		if (!d->skip[i])
			print_frame(d, i);
	fputs("</g>\n", d->to);
}

/* ---- what stands around them ---- */

static void print_svg_title(const struct svg_drawing *d, const char *name, FILE *to)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER], share[TEXT_NUMBER];
	struct flame_values v = flame_values(d->f, 0);
	const struct flame_events *e = &d->f->head;

	xml_print_text(to, name);
	fputs(": ", to);
	if (d->r->diff)
		fprintf(to, "%s → ", text_cost(v.base_inclusive, base));
	fprintf(to, "%s ", text_cost(v.head_inclusive, head));
	xml_print_text(to, e->metric.name);
	if (d->r->diff) {
		fputs("  ", to);
		xml_print_safe(to, text_change(v.base_inclusive, v.head_inclusive, change));
	}
	int64_t total = flame_value(e, e->profile->total, 0);
	if (total != v.head_inclusive) {
		const char *percent = text_share(v.head_inclusive, total, share);
		fprintf(to, "  (%s of %s)", percent + strspn(percent, " "), text_cost(total, head));
	}
}

/* The columns of what follows the name; entities are longer than what they stand for. */
static size_t columns_after_name(const struct svg_drawing *d)
{
	char *text = NULL;
	size_t size, columns;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return 0;
	print_svg_title(d, "", to);
	columns = fclose(to) == 0 ? text_width(text) : 0;
	free(text);
	return columns;
}

/* Numbers say more than the middle of a path. */
static void print_fitting_title(const struct svg_drawing *d)
{
	enum { LEAST = 12 };
	const char *name = d->r->head.name;
	double width = d->r->width - 2.0 * MARGIN - SEARCH;
	size_t room = width > 0 ? (size_t)(width / BOLD) : 0, used = columns_after_name(d);
	char *cut = text_name(name, room > used + LEAST ? (unsigned)(room - used) : LEAST);
	char *safe = text_safe(name);

	if (cut && safe && strcmp(cut, safe) != 0) {
		fputs("<title>", d->to);
		print_svg_title(d, name, d->to);
		fputs("</title>", d->to);
	}
	print_svg_title(d, cut ? cut : name, d->to);
	free(cut);
	free(safe);
}

static void write_fact(FILE *to, bool *first, const char *what, const char *value)
{
	if (!value || !*value)
		return;
	char *safe = text_safe(value);
	fprintf(to, "%s%s%s", *first ? "" : "  ·  ", what, safe ? safe : "");
	free(safe);
	*first = false;
}

/* Which profiles these are, and what of them is shown. A command, which may be long, comes last. */
static void write_facts(const struct flame_report *r, FILE *to)
{
	bool first = true;

	if (r->diff)
		write_fact(to, &first, "base ", r->base.name);
	write_fact(to, &first, r->diff ? "base commit " : "", r->diff ? r->base.commit : NULL);
	write_fact(to, &first, "commit ", r->head.commit);
	write_fact(to, &first, "written ", r->head.when);
	write_fact(to, &first,
		   r->reversed ? "callers below what they call, of all below " : "paths from ",
		   r->root);
	if (r->reversed && !r->root)
		write_fact(to, &first, "", "callers below what they call");
	write_fact(to, &first, "only ", r->filter);
	write_fact(to, &first, "without ", r->ignore);
	write_fact(to, &first, "", r->head.command);
}

/* A line that ends in "…" where the picture does; then all of it is its tooltip. */
static void print_line(const struct svg_drawing *d, const char *text)
{
	unsigned room = (unsigned)((d->r->width - 2.0 * MARGIN) / PROPORTIONAL);
	char *cut = text_source(text, room);

	if (cut && strcmp(cut, text) != 0) {
		fputs("<title>", d->to);
		xml_print_safe(d->to, text);
		fputs("</title>", d->to);
	}
	if (cut)
		xml_print_safe(d->to, cut);
	free(cut);
}

static void print_facts(const struct svg_drawing *d)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to)
		write_facts(d->r, to);
	fprintf(d->to, "<text class=\"facts\" x=\"%d\" y=\"50\">", MARGIN);
	if (to && fclose(to) == 0)
		print_line(d, text);
	free(text);
	fputs("</text>\n", d->to);
	if (d->left_out)
		fprintf(d->to,
			"<text class=\"facts\" x=\"%d\" y=\"%u\">%" PRIu32 " deeper level%s not "
			"shown</text>\n",
			MARGIN, TOP + d->levels * LEVEL + 28, d->left_out,
			d->left_out == 1 ? " is" : "s are");
}

static double width_of_key(const char *words)
{
	return 19 + PROPORTIONAL * (double)text_width(words) + 14;
}

static double print_key(const struct svg_drawing *d, double x, const char *class, const char *over,
			const char *words)
{
	fprintf(d->to, "<g class=\"%s\">", class);
	fprintf(d->to, "<rect x=\"%.1f\" y=\"64\" width=\"14\" height=\"14\"/>", x);
	if (over)
		fprintf(d->to,
			"<rect class=\"%s\" x=\"%.1f\" y=\"64\" width=\"14\" height=\"14\"/>", over,
			x);
	fputs("</g>", d->to);
	fprintf(d->to, "<text class=\"key\" x=\"%.1f\" y=\"75\">", x + 19);
	xml_print_text(d->to, words);
	fputs("</text>\n", d->to);
	return x + width_of_key(words);
}

/* Whether a frame that is drawn is so. */
static bool shows(const struct svg_drawing *d, bool (*is)(const struct flame_frame *))
{
	for (uint32_t i = 1; i < d->f->count; i = d->skip[i] ? d->skip[i] : i + 1)
		if (!d->skip[i] && is(&d->f->frames[i]))
			return true;
	return false;
}

static double print_word(const struct svg_drawing *d, double x, const char *class, const char *word)
{
	fprintf(d->to, "<text class=\"key %s\" x=\"%.1f\" y=\"75\">%s</text>\n", class, x, word);
	return x + PROPORTIONAL * (double)text_width(word) + 14;
}

static double print_colors(const struct svg_drawing *d, double x)
{
	const struct svg_colors *c = &d->colors;
	double most = d->r->width - 150.0; /* words follow */
	const char *others = c->by_file ? "other files" : "other objects";

	for (size_t i = 0; i < c->count && x + width_of_key(c->names[i]) < most; i++) {
		char class[24];
		snprintf(class, sizeof class, "o%zu", i);
		x = print_key(d, x, class, NULL, c->names[i]);
	}
	if (c->has_others && x + width_of_key(others) < most)
		x = print_key(d, x, OTHERS, NULL, others);
	return x;
}

static void print_legend(const struct svg_drawing *d)
{
	double x = MARGIN;

	/* Like the frames, of which it tells the colours. */
	fputs("<g id=\"key\">\n", d->to);
	if (d->r->diff) {
		x = print_key(d, x, "s4", NULL, "regressed");
		x = print_key(d, x, "f4", NULL, "improved");
		x = print_key(d, x, "s2", "new", "new");
		x = print_key(d, x, "f2", "gone", "removed");
	} else {
		x = print_colors(d, x);
	}
	if (shows(d, is_svg_inlined))
		x = print_word(d, x, "slanted", "inlined");
	if (shows(d, is_svg_estimated))
		print_word(d, x, "dotted", "estimated");
	fputs("</g>\n", d->to);
}

static void print_svg_head(const struct svg_drawing *d)
{
	unsigned height = TOP + d->levels * LEVEL + BOTTOM;

	fprintf(d->to,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		"viewBox=\"0 0 %u %u\" data-left=\"%d\" data-width=\"%u\" data-level=\"%d\" "
		"role=\"img\" aria-label=\"",
		d->r->width, height, d->r->width, height, MARGIN, d->r->width - 2 * MARGIN, LEVEL);
	print_svg_title(d, d->r->head.name, d->to);
	fprintf(d->to,
		"\">\n<style>\n%s</style>\n<defs>\n"
		"<pattern id=\"new\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
		"<path class=\"hatch\" d=\"M-1 7L7 -1M-1 1L1 -1M5 7L7 5\"/></pattern>\n"
		"<pattern id=\"gone\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
		"<path class=\"hatch\" d=\"M-1 -1L7 7M-1 5L1 7M5 -1L7 1\"/></pattern>\n</defs>\n"
		"<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n"
		"<text class=\"title\" x=\"%d\" y=\"30\">",
		flame_style, MARGIN);
	print_fitting_title(d);
	fputs("</text>\n", d->to);
	print_facts(d);
	print_legend(d);
}

static void print_foot(const struct svg_drawing *d)
{
	fprintf(d->to,
		"<text id=\"detail\" x=\"%d\" y=\"%u\"></text>\n<script><![CDATA[\n%s]]></script>\n"
		"</svg>\n",
		MARGIN, TOP + d->levels * LEVEL + BOTTOM - 18, flame_script);
}

static int label_frames(struct svg_drawing *d)
{
	bool *drawn = calloc((size_t)d->f->nfunctions + 1, sizeof *drawn);
	if (!drawn)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < d->f->count; i = d->skip[i] ? d->skip[i] : i + 1)
		if (!d->skip[i])
			drawn[d->f->frames[i].function] = true;
	int status = svg_labels_make(d->f, drawn, &d->labels);
	free(drawn);
	return status;
}

int flame_svg(const struct flame_report *r, FILE *to)
{
	struct svg_drawing d = { .r = r, .f = r->flame, .to = to, .levels = 1 };
	uint64_t width = r->flame->frames[0].width;

	d.skip = calloc((size_t)d.f->count + 1, sizeof *d.skip);
	if (!d.skip)
		return CG_ENOMEM;
	d.scale = width ? (r->width - 2.0 * MARGIN) / (double)width : 0;
	choose_frames(&d);
	find_largest_change(&d);
	if (!r->diff)
		svg_colors_choose(d.f, &d.colors);
	int status = label_frames(&d);
	if (!status) {
		print_svg_head(&d);
		print_frames(&d);
		print_foot(&d);
	}
	svg_labels_free(&d.labels);
	free(d.skip);
	return status;
}
