#include "src/report/baseline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "cgprofile/names.h"
#include "src/diff/metric.h"
#include "src/diff/small_functions.h"
#include "src/report/inlining.h"

#define APOSTROPHE "\xe2\x80\x99" /* U+2019, which no reader takes for anything */

struct baseline_writer {
	const struct cg_profile *p;
	FILE *to;
	const char *object, *file; /* of the last function; NULL: none yet */
	unsigned numbered;
};

/* A text from elsewhere must not become another line. */
static void write_baseline_text(FILE *to, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 127 ? ' ' : *text, to);
}

static void write_costs(const struct baseline_writer *w, const int64_t *costs)
{
	uint32_t n = w->p->nevents;
	while (n > 1 && costs[n - 1] == 0)
		n--;
	for (uint32_t e = 0; e < n; e++)
		fprintf(w->to, " %" PRId64, costs[e]);
	fputc('\n', w->to);
}

/* Readers take "(12) f" for the number of a name, so such a name gets one of its own. */
static void write_key(struct baseline_writer *w, const char *key, const char *name)
{
	size_t digits = *name == '(' ? strspn(name + 1, "0123456789") : 0;
	bool like_number = digits && name[1 + digits] == ')';

	fprintf(w->to, "%s=", key);
	if (like_number)
		fprintf(w->to, "(%u) ", ++w->numbered);
}

static void write_path(struct baseline_writer *w, const char *key, const char *path)
{
	write_key(w, key, path);
	write_baseline_text(w->to, path);
	fputc('\n', w->to);
}

/* What follows an apostrophe would be taken for a caller. */
static void write_name(struct baseline_writer *w, const char *name)
{
	bool plain = cg_name_split(name, strlen(name)).name_len == strlen(name);

	write_key(w, "fn", name);
	for (; *name; name++)
		if (*name == '\'' && !plain)
			fputs(APOSTROPHE, w->to);
		else
			write_baseline_text(w->to, (const char[]){ *name, '\0' });
	fputc('\n', w->to);
}

static void write_baseline_function(struct baseline_writer *w, const char *object, const char *file,
				    const char *name, const int64_t *self)
{
	bool moved = !w->object || strcmp(w->object, object) != 0;

	if (moved) {
		fputc('\n', w->to);
		write_path(w, "ob", object);
	}
	if (moved || strcmp(w->file, file) != 0)
		write_path(w, "fl", file);
	write_name(w, name);
	fputc('0', w->to);
	write_costs(w, self);
	w->object = object;
	w->file = file;
}

/* A profile that was looked up, but is read without inlined functions, does not have them apart.
 * Heaps and texts have them as functions like all others. */
static bool is_kept_desc(const struct cg_profile *p, const char *key)
{
	if (strcmp(key, INLINING_KEY) == 0 || strcmp(key, INLINING_MISSING_KEY) == 0)
		return p->has_inlined || metric_is_heap(p) || diff_self_only(p);
	return strcmp(key, DIFF_SELF_ONLY_KEY) != 0;
}

static void write_header(struct baseline_writer *w, const char *creator)
{
	const struct cg_profile *p = w->p;

	fprintf(w->to, "# callgrind format\nversion: 1\ncreator: %s\n", creator);
	if (p->nparts && p->parts[0].command) {
		fputs("cmd: ", w->to);
		write_baseline_text(w->to, cg_string(p, p->parts[0].command));
		fputc('\n', w->to);
	}
	for (uint32_t i = 0; i < p->ndescs; i++) {
		if (!is_kept_desc(p, cg_string(p, p->descs[i].key)))
			continue;
		fputs("desc: ", w->to);
		write_baseline_text(w->to, cg_string(p, p->descs[i].key));
		fputs(": ", w->to);
		write_baseline_text(w->to, cg_string(p, p->descs[i].value));
		fputc('\n', w->to);
	}
	fprintf(w->to, "desc: " DIFF_SELF_ONLY_KEY ": self costs of functions\n");
	fputs("positions: line\nevents:", w->to);
	for (uint32_t e = 0; e < p->nevents; e++)
		fprintf(w->to, " %s", cg_string(p, p->events[e].name));
	fputs("\nsummary:", w->to);
	write_costs(w, p->total);
}

/* ---- which functions ---- */

static int compare_baseline_rows(const void *left, const void *right)
{
	const struct diff_row *a = *(const struct diff_row *const *)left;
	const struct diff_row *b = *(const struct diff_row *const *)right;
	int order = strcmp(a->object, b->object);

	if (!order)
		order = strcmp(a->file, b->file);
	return order ? order : strcmp(a->name, b->name);
}

/* The functions of one object, which begin at `rows`; returns how many these are. */
static size_t write_object(struct baseline_writer *w, const struct diff_row *const *rows,
			   size_t count)
{
	int64_t others[CG_MAX_EVENTS] = { 0 };
	bool any = false;
	size_t n = 0;

	for (; n < count && strcmp(rows[n]->object, rows[0]->object) == 0; n++) {
		const struct diff_row *row = rows[n];
		if (!function_is_small(w->p, row->head.self)) {
			write_baseline_function(w, row->object, row->file, row->name,
						row->head.self);
			continue;
		}
		/* It is a part of the totals, which fit. */
		for (uint32_t e = 0; e < w->p->nevents; e++) {
			others[e] += row->head.self[e];
			any |= row->head.self[e] != 0;
		}
	}
	if (any)
		write_baseline_function(w, rows[0]->object, "???", SMALL_FUNCTIONS_NAME, others);
	return n;
}

int baseline_text(const struct diff *d, const char *creator, FILE *to)
{
	struct baseline_writer w = { .p = d->head, .to = to };
	const struct diff_row **rows = calloc(d->count + 1, sizeof *rows);

	if (!rows)
		return CG_ENOMEM;
	for (size_t i = 0; i < d->count; i++)
		rows[i] = &d->rows[i];
	qsort(rows, d->count, sizeof *rows, compare_baseline_rows);
	write_header(&w, creator);
	for (size_t i = 0; i < d->count;)
		i += write_object(&w, rows + i, d->count - i);
	fputs("\ntotals:", to);
	write_costs(&w, d->head->total);
	free(rows);
	return ferror(to) ? CG_EIO : CG_OK;
}
