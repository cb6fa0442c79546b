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
#include "src/text/text.h"
#include "src/text/xml.h"

extern const char flame_style[], flame_script[]; /* data/flame */

enum {
	MARGIN = 12,
	LEVEL = 18,  /* height of a frame */
	INSET = 3,   /* of its text */
	TOP = 92,    /* height of what stands above the frames */
	BOTTOM = 34, /* of the line of details below */
	OBJECTS = 6, /* that have a colour of their own; the last one is that of all others */
	SHADES = 5,
};

#define CHARACTER 7.25 /* width of one in the font of the frames */

struct svg_drawing {
	const struct flame_report *r;
	const struct flame *f;
	FILE *to;
	double scale;   /* pixels for one unit of the metric */
	uint32_t *skip; /* per frame: 0, or the first frame after those that are left out with it */
	uint32_t levels;              /* that are drawn */
	uint32_t left_out;            /* deeper levels that are not */
	uint64_t largest;             /* |delta| of a frame's own cost (see own_change) */
	const char *objects[OBJECTS]; /* base names, the costliest first */
	size_t nobjects;
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

/* What a frame is to be blamed for: what its function spends itself, there. Reversed, a frame
 * stands for what is spent in the function at the top. */
static struct change own_change(const struct svg_drawing *d, uint32_t i)
{
	struct flame_values v = flame_values(d->f, i);
	if (d->r->reversed && i)
		return (struct change){ v.base_inclusive, v.head_inclusive };
	return (struct change){ v.base_self, v.head_self };
}

static void find_largest_change(struct svg_drawing *d)
{
	for (uint32_t i = 0; d->r->diff && i < d->f->count; i++) {
		struct change own = own_change(d, i);
		uint64_t size = cg_distance(own.base, own.head);
		if (size > d->largest)
			d->largest = size;
	}
}

struct object_cost {
	const char *name;
	uint64_t cost;
};

static int compare_objects(const void *left, const void *right)
{
	const struct object_cost *a = left, *b = right;
	return a->cost != b->cost ? (a->cost < b->cost) - (a->cost > b->cost)
				  : strcmp(a->name, b->name);
}

static struct object_cost *find_object(struct object_cost *list, size_t *count, const char *name)
{
	for (size_t i = 0; i < *count; i++)
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	list[*count] = (struct object_cost){ name, 0 };
	return &list[(*count)++];
}

/* Colours go to the objects that cost most. Programs have few objects: a list will do, and
 * a graph with more of them than this only has them all in one colour. */
static void rank_objects(struct svg_drawing *d)
{
	enum { MOST = 256 };
	struct object_cost list[MOST + 1];
	size_t count = 0;

	for (uint32_t i = 1; !d->r->diff && i < d->f->count && count < MOST; i++) {
		const char *object = cg_base_name(d->f->functions[d->f->frames[i].function].object);
		uint64_t self = cg_magnitude(flame_values(d->f, i).head_self);
		if (*object)
			find_object(list, &count, object)->cost += self;
	}
	qsort(list, count, sizeof *list, compare_objects);
	while (d->nobjects < count && d->nobjects < OBJECTS - 1) {
		d->objects[d->nobjects] = list[d->nobjects].name;
		d->nobjects++;
	}
}

/* ---- colours ---- */

/* The larger the share of the largest change, the stronger: 2 to SHADES. */
static unsigned strength(const struct svg_drawing *d, struct change own)
{
	static const unsigned percent[] = { 50, 15, 4 };
	double size = (double)cg_distance(own.base, own.head);

	for (unsigned i = 0; i < sizeof percent / sizeof *percent; i++)
		if (size * 100 >= (double)d->largest * percent[i])
			return SHADES - i;
	return 2;
}

static bool changed(const struct svg_drawing *d, struct change c)
{
	return diff_is_change(diff_classify_change(d->r->diff, c.base, c.head));
}

/* Where only what is called changed, the faintest colour leads there. */
static void print_change_class(const struct svg_drawing *d, uint32_t i)
{
	struct flame_values v = flame_values(d->f, i);
	struct change own = own_change(d, i), all = { v.base_inclusive, v.head_inclusive };

	if (changed(d, own))
		fprintf(d->to, "%c%u", own.head > own.base ? 's' : 'f', strength(d, own));
	else if (changed(d, all))
		fputs(all.head > all.base ? "s1" : "f1", d->to);
	else
		fputs("same", d->to);
}

static void print_object_class(const struct svg_drawing *d, uint32_t i)
{
	const char *object = cg_base_name(d->f->functions[d->f->frames[i].function].object);
	size_t k = 0;

	while (k < d->nobjects && strcmp(d->objects[k], object) != 0)
		k++;
	if (*object)
		fprintf(d->to, "o%zu", k < d->nobjects ? k : OBJECTS - 1);
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
		print_object_class(d, i);
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
	xml_print_safe(d->to, text_change(base, head, change)); /* perhaps "<0.01%" */
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
	return match == DIFF_MOVED       ? "\nfrom another file"
	       : match == DIFF_DISSOLVED ? "\nwithout its callees"
					 : "";
}

/* What counts as this path although another function spent it. */
static void print_absorbed(const struct svg_drawing *d, uint32_t i)
{
	const struct tree_diff *t = d->r->tree;
	const struct tree_row *row = t && i ? &t->rows[i] : NULL;

	for (uint32_t k = 0; row && k < row->nabsorbed; k++) {
		const struct tree_absorption *a = &t->absorbed[row->absorbed + k];
		fputs("\nwith ", d->to);
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

/* A name as far as there is room for it; NULL: nothing fits, or memory ran out. */
static char *fit_svg(const char *name, double width)
{
	unsigned room = width > 2 * INSET ? (unsigned)((width - 2 * INSET) / CHARACTER) : 0;
	char *safe = text_safe(name);

	if (!safe || text_width(safe) <= room)
		return safe;
	free(safe);
	return room >= 4 ? text_cut(name, room) : NULL;
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
	char *label = fit_svg(frame_name(d, i), width);

	fputs("<g class=\"", d->to);
	print_class(d, i);
	fputs("\"><title>", d->to);
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

static void print_svg_title(const struct svg_drawing *d)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER], share[TEXT_NUMBER];
	struct flame_values v = flame_values(d->f, 0);
	const struct flame_events *e = &d->f->head;

	xml_print_text(d->to, d->r->head.name);
	fputs(": ", d->to);
	if (d->r->diff)
		fprintf(d->to, "%s → ", text_cost(v.base_inclusive, base));
	fprintf(d->to, "%s ", text_cost(v.head_inclusive, head));
	xml_print_text(d->to, e->metric.name);
	if (d->r->diff) {
		fputs("  ", d->to);
		xml_print_safe(d->to, text_change(v.base_inclusive, v.head_inclusive, change));
	}
	int64_t total = flame_value(e, e->profile->total, 0);
	if (total != v.head_inclusive) {
		const char *percent = text_share(v.head_inclusive, total, share);
		fprintf(d->to, "  (%s of %s)", percent + strspn(percent, " "),
			text_cost(total, head));
	}
}

static void print_svg_fact(const struct svg_drawing *d, bool *first, const char *what,
			   const char *value)
{
	if (!value || !*value)
		return;
	fprintf(d->to, "%s%s", *first ? "" : "  ·  ", what);
	char *cut = text_cut(value, 80);
	xml_print_safe(d->to, cut ? cut : "");
	free(cut);
	*first = false;
}

/* Which profiles these are, and what of them is shown. */
static void print_facts(const struct svg_drawing *d)
{
	const struct flame_report *r = d->r;
	bool first = true;

	fprintf(d->to, "<text class=\"facts\" x=\"%d\" y=\"50\">", MARGIN);
	if (r->diff)
		print_svg_fact(d, &first, "base ", r->base.name);
	print_svg_fact(d, &first, r->diff ? "base commit " : "", r->diff ? r->base.commit : NULL);
	print_svg_fact(d, &first, "commit ", r->head.commit);
	print_svg_fact(d, &first, "", r->head.command);
	print_svg_fact(d, &first, "written ", r->head.when);
	print_svg_fact(d, &first,
		       r->reversed ? "callers below what they call, of all below " : "paths from ",
		       r->root);
	if (r->reversed && !r->root)
		print_svg_fact(d, &first, "", "callers below what they call");
	print_svg_fact(d, &first, "only ", r->filter);
	print_svg_fact(d, &first, "without ", r->ignore);
	fputs("</text>\n", d->to);
	if (d->left_out)
		fprintf(d->to,
			"<text class=\"facts\" x=\"%d\" y=\"%u\">%" PRIu32 " deeper level%s not "
			"shown</text>\n",
			MARGIN, TOP + d->levels * LEVEL + 28, d->left_out,
			d->left_out == 1 ? " is" : "s are");
}

/* Characters are of many widths here: a guess that leaves room. */
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
	return x + 19 + 7.0 * (double)text_width(words) + 14;
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
	return x + 7.0 * (double)text_width(word) + 14;
}

static void print_legend(const struct svg_drawing *d)
{
	double x = MARGIN, most = d->r->width - 200.0;

	/* Like the frames, of which it tells the colours. */
	fputs("<g id=\"key\">\n", d->to);
	if (d->r->diff) {
		x = print_key(d, x, "s4", NULL, "regressed");
		x = print_key(d, x, "f4", NULL, "improved");
		x = print_key(d, x, "s2", "new", "new");
		x = print_key(d, x, "f2", "gone", "removed");
		x = print_key(d, x, "s1", NULL, "leads to a change");
	}
	for (size_t i = 0; !d->r->diff && i < d->nobjects && x < most; i++) {
		char class[24];
		snprintf(class, sizeof class, "o%zu", i);
		x = print_key(d, x, class, NULL, d->objects[i]);
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
	print_svg_title(d);
	fprintf(d->to,
		"\">\n<style>\n%s</style>\n<defs>\n"
		"<pattern id=\"new\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
		"<path class=\"hatch\" d=\"M-1 7L7 -1M-1 1L1 -1M5 7L7 5\"/></pattern>\n"
		"<pattern id=\"gone\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
		"<path class=\"hatch\" d=\"M-1 -1L7 7M-1 5L1 7M5 -1L7 1\"/></pattern>\n</defs>\n"
		"<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n"
		"<text class=\"title\" x=\"%d\" y=\"30\">",
		flame_style, MARGIN);
	print_svg_title(d);
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
	rank_objects(&d);
	print_svg_head(&d);
	print_frames(&d);
	print_foot(&d);
	free(d.skip);
	return CG_OK;
}
