#include "src/report/text/show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/diff/threads.h"
#include "src/text/short_name.h"
#include "src/text/wrap.h"

void show_print_fact(FILE *to, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	fprintf(to, "%-18s", key);
	text_print_name(to, value, 0);
	fputc('\n', to);
}

static void print_show_events(const struct show_report *r, FILE *to)
{
	fprintf(to, "%-18s", "Events shown:");
	for (size_t i = 0; i < r->nevents; i++) {
		const struct cg_event *e = &r->profile->events[r->events[i]];
		text_print_name(to, cg_string(r->profile, e->name), 0);
		fputc(i + 1 < r->nevents ? ' ' : '\n', to);
	}
	if (r->without_room)
		fprintf(to, "%-18s%zu more; see them with --wide\n", "", r->without_room);
	else if (r->nevents < r->profile->nevents)
		fprintf(to, "%-18s%zu more; see them with --show=EVENTS or --wide\n", "",
			r->profile->nevents - r->nevents);
}

/* The file says how many there were, or shows signs of several. */
static void print_threads(const struct cg_profile *p, FILE *to)
{
	char text[THREADS_TEXT];

	if (threads_are_several(p))
		fprintf(to,
			"%-18s%s: counts depend on scheduling; irdiff verify measures by how much\n",
			"Varies:", threads_text(threads_of(p), text));
}

/* "Sampled:  alloc_space from 7 samples, alloc_objects from 7" */
static void print_samples_behind(const struct cg_profile *p, FILE *to)
{
	bool any = false;

	for (uint32_t e = 0; e < p->nevents; e++) {
		const char *name = cg_string(p, p->events[e].name);
		uint64_t samples;
		if (!cg_samples_behind(p, name, &samples))
			continue;
		if (any)
			fputs(", ", to);
		else
			fprintf(to, "%-18s", "Sampled:");
		text_print_name(to, name, 0);
		fprintf(to, " from %" PRIu64 "%s", samples, any ? "" : " samples");
		any = true;
	}
	if (any)
		fputc('\n', to);
}

static void print_commit(const struct report_origin *origin, FILE *to)
{
	if (!origin->commit || !*origin->commit)
		return;
	fprintf(to, "%-18s", "Commit:");
	text_print_name(to, origin->commit, 0);
	fputs(origin->changed ? " with changes\n" : "\n", to);
}

void show_print_origin(const struct cg_profile *p, const struct report_origin *origin, FILE *to)
{
	fputs(TEXT_RULE, to);
	show_print_fact(to, "Profile:", origin->name);
	if (origin->path && strcmp(origin->path, origin->name) != 0)
		show_print_fact(to, "File:", origin->path);
	show_print_fact(to, "Command:", origin->command);
	print_commit(origin, to);
	show_print_fact(to, "Written:", origin->when);
	show_print_fact(to, "Creator:", cg_string(p, p->creator));
	print_threads(p, to);
	print_samples_behind(p, to);
}

static void print_skipped(const struct cg_profile *p, FILE *to)
{
	if (p->skipped)
		fprintf(to, "%-18smalformed lines skipped: %" PRIu64 "; counts may be wrong\n",
			"Warning:", p->skipped);
}

void show_print_filter(const struct cg_profile *p, const char *filter, FILE *to)
{
	show_print_fact(to, "Filter:", filter);
	print_skipped(p, to);
	fputc('\n', to);
}

int show_fit_head(void (*print)(const void *report, FILE *to), const void *report,
		  const struct text_style *style, FILE *to)
{
	enum { VALUES = 18 }; /* where they begin */
	int status = CG_OK;
	char *text = NULL;
	size_t size;

	if (style->wide || !style->width) {
		print(report, to);
		return CG_OK;
	}
	FILE *whole = open_memstream(&text, &size);
	if (!whole)
		return CG_ENOMEM;
	print(report, whole);
	if (fclose(whole) != 0)
		status = CG_ENOMEM;
	for (char *line = text, *end; !status && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		status = text_print_wrapped(to, line, style->width, VALUES) ? CG_ENOMEM : CG_OK;
	}
	free(text);
	return status;
}

void show_print_doubts(const struct show_report *r, FILE *to)
{
	const struct report_inlining *inlining = r->origin.inlining;

	show_print_parts(r->profile, r->events[0], to);
	print_threads(r->profile, to);
	print_skipped(r->profile, to);
	if (inlining && inlining_is_doubtful(r->profile, inlining, r->events[0]))
		inlining_print(r->profile, inlining, r->events[0], to);
}

static void print_show_head(const void *report, FILE *to)
{
	const struct show_report *r = report;

	show_print_origin(r->profile, &r->origin, to);
	show_print_parts(r->profile, r->events[0], to);
	print_show_events(r, to);
	if (r->origin.inlining)
		inlining_print(r->profile, r->origin.inlining, r->events[0], to);
	fprintf(to, "%-18s", "Sorted by:");
	text_print_name(to, r->sort, 0);
	fprintf(to, ", %s cost\n", r->by_inclusive ? "inclusive" : "self");
	if (r->threshold > 0)
		fprintf(to, "%-18s%g%%\n", "Threshold:", r->threshold);
	show_print_filter(r->profile, r->filter, to);
}

void show_print_titles(const struct text_columns *c, const char *title, FILE *to)
{
	fputs(TEXT_RULE, to);
	text_columns_print_names(to, c);
	if (*title)
		fprintf(to, " %s", title);
	fputs("\n" TEXT_RULE, to);
}

static int print_show_totals(const struct show_report *r, FILE *to)
{
	struct text_columns c;
	if (text_columns_init(&c, r->profile, r->events, r->nevents))
		return CG_ENOMEM;
	text_columns_fit(&c, r->profile->total);
	show_print_titles(&c, "", to);
	text_columns_print(to, &c, r->profile->total);
	fputs(" PROGRAM TOTALS\n\n", to);
	text_columns_free(&c);
	return CG_OK;
}

int show_begin(const struct show_report *r, struct text_columns *columns,
	       const struct text_style *style, FILE *to)
{
	int status = show_fit_head(print_show_head, r, style, to);
	if (!status)
		status = print_show_totals(r, to);
	return status ? status : text_columns_init(columns, r->profile, r->events, r->nevents);
}

enum table_tone show_tone(int64_t self, int64_t inclusive, int64_t total)
{
	enum { LARGE = 10, SMALL = 200 }; /* a tenth, half a percent */
	uint64_t all = cg_magnitude(total);

	return self && cg_magnitude(self) >= all / LARGE ? TONE_BOLD
	       : cg_magnitude(inclusive) < all / SMALL   ? TONE_DIM
							 : TONE_PLAIN;
}

unsigned show_width_left(const struct text_columns *c, size_t taken, const struct text_style *style)
{
	enum { LEAST = 16 };
	unsigned used = 1 + (unsigned)taken;

	if (style->wide || style->width == 0)
		return 0;
	for (size_t i = 0; i < c->count; i++)
		used += (unsigned)c->widths[i] + 1;
	return style->width > used + LEAST ? style->width - used : LEAST;
}

/* The function's name is worth most; then where it is, as short as need be. */
static int describe_function(const struct show_report *r, uint32_t function, unsigned width,
			     char **text)
{
	const char *file = view_file(r->profile, function);
	const char *name = view_function(r->profile, function);
	const char *object = view_object(r->profile, function);
	const char *code = flat_code_name(r->flat->code[function]);
	bool in_object = r->profile->functions[function].object != 0;
	const struct {
		const char *file, *object;
	} forms[] = {
		{ file, object },
		{ cg_base_name(file), cg_base_name(object) },
		{ cg_base_name(file), NULL },
		{ NULL, NULL },
	};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		bool bracket = in_object && forms[i].object;
		if (asprintf(text, "%s%s%s%s%s%s%s%s%s", forms[i].file ? forms[i].file : "",
			     forms[i].file ? ":" : "", name, *code ? " (" : "", code,
			     *code ? ")" : "", bracket ? " [" : "", bracket ? forms[i].object : "",
			     bracket ? "]" : "") < 0)
			return CG_ENOMEM;
		if (!width || text_width(*text) <= width)
			return CG_OK;
		free(*text);
	}
	char notes[TEXT_NUMBER] = "";
	if (*code)
		snprintf(notes, sizeof notes, " (%s)", code);
	*text = text_name_with(name, notes, width);
	return *text ? CG_OK : CG_ENOMEM;
}

void show_print_function(const struct show_report *r, uint32_t function,
			 const struct text_columns *c, size_t taken, const struct text_style *style,
			 FILE *to)
{
	unsigned width = show_width_left(c, taken, style);
	char *text;

	if (describe_function(r, function, width, &text)) {
		fputs("(out of memory)", to);
		return;
	}
	text_print_name(to, text, width);
	free(text);
}

void show_print_row_name(const struct show_report *r, const struct flat_row *row,
			 const struct text_columns *c, size_t taken, const struct text_style *style,
			 FILE *to)
{
	if (r->flat->rollup.by == CG_BY_FUNCTION)
		show_print_function(r, row->function, c, taken, style, to);
	else
		text_print_name(to, flat_row_name(r->flat, row), show_width_left(c, taken, style));
}

static bool has_room_for_reasons(const struct text_style *style)
{
	enum { ROOMY = 110 };
	return style->wide || !style->width || style->width >= ROOMY;
}

const char *show_bound(const struct flat_row *row, const struct text_style *style)
{
	if (!row->bound)
		return "";
	if (!has_room_for_reasons(style))
		return SHOW_AT_MOST;
	return row->code == FLAT_CODE_OWN ? " (upper bound: recursion was not recorded)"
					  : " (upper bound: inlined in recursion)";
}

void show_print_bound_note(const struct show_report *r, const struct text_style *style, FILE *to)
{
	size_t rows = show_rows(r), own = 0, inlined = 0;

	for (size_t i = 0; i < rows && !has_room_for_reasons(style); i++) {
		const struct flat_row *row = &r->flat->rows[i];
		own += row->bound && row->code == FLAT_CODE_OWN;
		inlined += row->bound && row->code != FLAT_CODE_OWN;
	}
	if (own || inlined)
		fprintf(to, "\nat most: an upper bound, as %s%s%s.\n",
			own ? "recursion was not recorded" : "", own && inlined ? ", or " : "",
			inlined ? "it is inlined in recursion" : "");
}

void show_print_unmatched(const struct show_report *r, const char *word, FILE *to)
{
	const size_t inclusive = r->flat->only_inclusive;
	char number[TEXT_NUMBER];

	if (!r->filter || r->flat->count)
		return;
	if (!inclusive)
		fprintf(to, "No %s with a cost matches the filter.\n", word);
	else
		fprintf(to,
			"No %s with a self cost matches the filter, but %s with an inclusive cost; "
			"see %s with -i.\n",
			word, text_count(inclusive, number), inclusive == 1 ? "it" : "them");
}

/* Whether the filter alone tells which rows are left. */
static bool is_only_filtered(const struct show_report *r)
{
	return r->filter && r->threshold <= 0 && r->flat->count;
}

static void print_matching(const struct show_report *r, size_t rows, const char *word, FILE *to)
{
	const size_t count = r->flat->count;

	if (rows < count)
		fprintf(to, "\n%zu of the %zu %ss that match shown; see all with --top=0.\n", rows,
			count, word);
	else
		fprintf(to, "\n%zu of %zu %ss match%s.\n", count, r->flat->total, word,
			count == 1 ? "es" : "");
}

void show_print_rest(const struct show_report *r, FILE *to)
{
	size_t rows = show_rows(r);

	const char *word = cg_rollup_word(r->flat->rollup.by);

	show_print_unmatched(r, word, to);
	bool hidden = rows < r->flat->count;
	bool small = r->flat->count < r->flat->total && r->threshold > 0;
	bool top = hidden || (small && r->top && r->top < r->flat->total);

	if (rows >= r->flat->total)
		return;
	if (is_only_filtered(r))
		print_matching(r, rows, word, to);
	else
		fprintf(to, "\n%zu of %zu %ss shown%s%s%s.\n", rows, r->flat->total, word,
			top || small ? "; see all with" : "", top ? " --top=0" : "",
			small ? " --threshold=0" : "");
}
