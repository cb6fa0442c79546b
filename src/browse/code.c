#include "src/browse/code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"

#define MOST_CELLS ((size_t)4000000) /* of the table that lines are matched with */

/* ---- the lines of one side ---- */

struct lines {
	struct code_line *items;
	size_t count;
};

/* Lines with costs or calls, and those of the text, each once. */
static size_t most_lines(const struct code_side *s)
{
	return s->file ? s->file->nlines + s->file->ncalls + s->text->count + 1 : 0;
}

static struct code_line *add_line(struct lines *l, const struct code_side *s, int side,
				  uint32_t number)
{
	struct code_line *line = &l->items[l->count++];

	*line = (struct code_line){ 0 };
	line->in[side] = true;
	line->number[side] = number;
	if (number && number <= s->text->count)
		line->text = s->text->lines[number - 1];
	return line;
}

/* The next line that has a cost or a call; UINT64_MAX: none. */
static uint64_t next_cost(const struct source_file *f, size_t line, size_t call)
{
	uint64_t a = line < f->nlines ? f->lines[line].line : UINT64_MAX;
	uint64_t b = call < f->ncalls ? f->calls[call].line : UINT64_MAX;
	return a < b ? a : b;
}

/* In recursion costs are counted where a function was entered first; they saturate. */
static void add_costs(int64_t *sum, const int64_t *costs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (__builtin_add_overflow(sum[i], costs[i], &sum[i]))
			sum[i] = costs[i] < 0 ? INT64_MIN : INT64_MAX;
}

/* `costs` has room for two sums; returns where the next line has its own. */
static int64_t *take_costs(const struct code_side *s, int side, struct code_line *line,
			   int64_t *costs, size_t *at, size_t *call)
{
	const struct source_file *f = s->file;
	uint32_t number = line->number[side], n = s->profile->nevents;

	if (next_cost(f, *at, *call) != number)
		return costs;
	if (*at < f->nlines && f->lines[*at].line == number) {
		line->self[side] = f->lines[*at].self;
		add_costs(costs, f->lines[(*at)++].self, n);
	}
	for (; *call < f->ncalls && f->calls[*call].line == number; (*call)++)
		if (!f->calls[*call].recursive)
			add_costs(costs, f->calls[*call].cost, n);
	line->inclusive[side] = costs;
	return costs + n;
}

/* `items` has room for most_lines. */
static void list_side(const struct code_side *s, int side, struct lines *l, int64_t *costs)
{
	size_t line = 0, call = 0;
	uint64_t number = 1;

	if (!s->file)
		return;
	if (next_cost(s->file, 0, 0) == 0)
		costs = take_costs(s, side, add_line(l, s, side, 0), costs, &line, &call);
	for (; number <= s->text->count; number++)
		costs = take_costs(s, side, add_line(l, s, side, (uint32_t)number), costs, &line,
				   &call);
	while ((number = next_cost(s->file, line, call)) != UINT64_MAX)
		costs = take_costs(s, side, add_line(l, s, side, (uint32_t)number), costs, &line,
				   &call);
}

/* ---- both in one list ---- */

/* Indentation tells no lines apart. */
static bool same_text(const char *a, const char *b)
{
	while (isspace((unsigned char)*a))
		a++;
	while (isspace((unsigned char)*b))
		b++;
	size_t m = strlen(a), n = strlen(b);
	while (m && isspace((unsigned char)a[m - 1]))
		m--;
	while (n && isspace((unsigned char)b[n - 1]))
		n--;
	return m == n && memcmp(a, b, n) == 0;
}

static bool same_line(const struct code_line *a, const struct code_line *b)
{
	if (a->text && b->text)
		return same_text(a->text, b->text);
	return a->number[BROWSE_BASE] == b->number[BROWSE_HEAD];
}

static void put_both(struct code *c, const struct code_line *base, const struct code_line *head)
{
	struct code_line *line = &c->lines[c->count++];

	*line = *head;
	line->in[BROWSE_BASE] = true;
	line->number[BROWSE_BASE] = base->number[BROWSE_BASE];
	line->self[BROWSE_BASE] = base->self[BROWSE_BASE];
	line->inclusive[BROWSE_BASE] = base->inclusive[BROWSE_BASE];
	if (!line->text)
		line->text = base->text;
}

/* The longest common subsequence from any two lines on. NULL: too much, or out of memory; then
 * all lines are on one side. */
static uint32_t *measure(const struct code_line *a, size_t na, const struct code_line *b, size_t nb)
{
	size_t width = nb + 1;
	if (na && nb > MOST_CELLS / na)
		return NULL;
	uint32_t *longest = calloc((na + 1) * width, sizeof *longest);
	for (size_t i = na; longest && i-- > 0;)
		for (size_t k = nb; k-- > 0;) {
			uint32_t down = longest[(i + 1) * width + k];
			uint32_t right = longest[i * width + k + 1];
			longest[i * width + k] = same_line(&a[i], &b[k]) ?
				longest[(i + 1) * width + k + 1] + 1 : down > right ? down : right;
		}
	return longest;
}

static void merge_middle(struct code *c, const struct code_line *a, size_t na,
			 const struct code_line *b, size_t nb)
{
	uint32_t *longest = measure(a, na, b, nb);
	size_t width = nb + 1, i = 0, k = 0;

	while (i < na || k < nb) {
		if (longest && i < na && k < nb && same_line(&a[i], &b[k]))
			put_both(c, &a[i++], &b[k++]);
		else if (i < na && (k == nb || !longest ||
				    longest[(i + 1) * width + k] >= longest[i * width + k + 1]))
			c->lines[c->count++] = a[i++];
		else
			c->lines[c->count++] = b[k++];
	}
	free(longest);
}

static void merge(struct code *c, const struct lines *base, const struct lines *head)
{
	const struct code_line *a = base->items, *b = head->items;
	size_t start = 0, na = base->count, nb = head->count;

	while (start < na && start < nb && same_line(&a[start], &b[start]))
		start++;
	while (na > start && nb > start && same_line(&a[na - 1], &b[nb - 1])) {
		na--;
		nb--;
	}
	for (size_t i = 0; i < start; i++)
		put_both(c, &a[i], &b[i]);
	merge_middle(c, a + start, na - start, b + start, nb - start);
	for (size_t i = 0; na + i < base->count; i++)
		put_both(c, &a[na + i], &b[nb + i]);
}

static size_t sums(const struct code_side *s)
{
	return s->file ? (s->file->nlines + s->file->ncalls) * s->profile->nevents : 0;
}

int code_make(const struct code_sides *sides, bool base, bool head, struct code **out)
{
	const struct code_side *b = &sides->side[BROWSE_BASE], *h = &sides->side[BROWSE_HEAD];
	struct lines of_base = { calloc(most_lines(b) + 1, sizeof *of_base.items), 0 };
	struct lines of_head = { calloc(most_lines(h) + 1, sizeof *of_head.items), 0 };
	struct code *c = calloc(1, sizeof *c);
	int status = CG_ENOMEM;

	if (!c || !of_base.items || !of_head.items)
		goto done;
	c->lines = calloc(most_lines(b) + most_lines(h) + 1, sizeof *c->lines);
	c->costs = calloc(sums(b) + sums(h) + 1, sizeof *c->costs);
	if (!c->lines || !c->costs)
		goto done;
	if (base)
		list_side(b, BROWSE_BASE, &of_base, c->costs);
	if (head)
		list_side(h, BROWSE_HEAD, &of_head, c->costs + sums(b));
	merge(c, &of_base, &of_head);
	*out = c;
	c = NULL;
	status = CG_OK;
done:
	code_free(c);
	free(of_base.items);
	free(of_head.items);
	return status;
}

void code_free(struct code *c)
{
	if (!c)
		return;
	free(c->lines);
	free(c->costs);
	free(c);
}

static uint64_t change_of(const struct browse_metric *m, const int64_t *const *costs)
{
	return cg_distance(browse_value(m, BROWSE_BASE, costs[BROWSE_BASE]),
			   browse_value(m, BROWSE_HEAD, costs[BROWSE_HEAD]));
}

/* Where nothing changed, where something costs anything. */
static uint64_t weight_of(const struct browse_metric *m, const struct code_line *l, int step)
{
	switch (step) {
	case 0:
		return change_of(m, l->self);
	case 1:
		return change_of(m, l->inclusive);
	default:
		return cg_magnitude(browse_value(m, BROWSE_HEAD, l->inclusive[BROWSE_HEAD]));
	}
}

size_t code_costliest(const struct code *c, const struct browse_metric *m)
{
	enum { STEPS = 3 };
	size_t best = 0;
	uint64_t most = 0;

	for (int step = 0; step < STEPS && !most; step++)
		for (size_t i = 0; i < c->count; i++) {
			uint64_t weight = weight_of(m, &c->lines[i], step);
			if (weight > most) {
				most = weight;
				best = i;
			}
		}
	return best;
}
