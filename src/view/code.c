#include "src/view/code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/error.h"
#include "src/view/line_match.h"

/* ---- the lines of one side ---- */

struct code_lines {
	struct code_line *items;
	size_t count;
};

/* Lines with costs or calls, and those of the text, each once. */
static size_t most_lines(const struct code_side *s)
{
	return s->file ? s->file->nlines + s->file->ncalls + s->text->count + 1 : 0;
}

static struct code_line *add_code_line(struct code_lines *l, const struct code_side *s, int side,
				       uint32_t number)
{
	struct code_line *line = &l->items[l->count++];

	*line = (struct code_line){ 0 };
	line->in[side] = true;
	line->number[side] = number;
	if (number && number <= s->text->count)
		line->text[side] = s->text->lines[number - 1];
	return line;
}

/* The next line that has a cost or a call; UINT64_MAX: none. */
static uint64_t next_code_cost(const struct source_file *f, size_t line, size_t call)
{
	uint64_t a = line < f->nlines ? f->lines[line].line : UINT64_MAX;
	uint64_t b = call < f->ncalls ? f->calls[call].line : UINT64_MAX;
	return a < b ? a : b;
}

/* `costs` has room for two sums; returns where the next line has its own. */
static int64_t *take_costs(const struct code_side *s, int side, struct code_line *line,
			   int64_t *costs, size_t *at, size_t *call)
{
	const struct source_file *f = s->file;
	uint32_t number = line->number[side], n = s->profile->nevents;

	if (next_code_cost(f, *at, *call) != number)
		return costs;
	if (*at < f->nlines && f->lines[*at].line == number) {
		line->self[side] = f->lines[*at].self;
		cg_add_costs_clipped(costs, f->lines[(*at)++].self, n);
	}
	for (; *call < f->ncalls && f->calls[*call].line == number; (*call)++)
		if (!f->calls[*call].recursive)
			cg_add_costs_clipped(costs, f->calls[*call].cost, n);
	line->inclusive[side] = costs;
	return costs + n;
}

/* `items` has room for most_lines. */
static void list_side(const struct code_side *s, int side, struct code_lines *l, int64_t *costs)
{
	size_t line = 0, call = 0;
	uint64_t number = 1;

	if (!s->file)
		return;
	if (next_code_cost(s->file, 0, 0) == 0)
		costs = take_costs(s, side, add_code_line(l, s, side, 0), costs, &line, &call);
	for (; number <= s->text->count; number++)
		costs = take_costs(s, side, add_code_line(l, s, side, (uint32_t)number), costs,
				   &line, &call);
	while ((number = next_code_cost(s->file, line, call)) != UINT64_MAX)
		costs = take_costs(s, side, add_code_line(l, s, side, (uint32_t)number), costs,
				   &line, &call);
}

/* ---- which lines are the same ---- */

/* A line of either side and what identifies it: its text, or its number if that is NULL. */
struct identity {
	const char *text;
	size_t len;
	uint32_t number;
	uint32_t *key;
};

static bool is_blank(char c)
{
	return isspace((unsigned char)c);
}

/* Lines that differ only in indentation are equal. */
static struct identity identify_line(const struct code_line *line, int side, bool by_text,
				     uint32_t *key)
{
	const char *text = by_text ? line->text[side] : NULL;
	size_t len;

	if (!text)
		return (struct identity){ NULL, 0, line->number[side], key };
	while (is_blank(*text))
		text++;
	for (len = strlen(text); len && is_blank(text[len - 1]);)
		len--;
	return (struct identity){ text, len, 0, key };
}

static int compare_identities(const void *left, const void *right)
{
	const struct identity *a = left, *b = right;

	if (!a->text || !b->text)
		return a->text || b->text ? (a->text ? 1 : -1)
					  : (a->number > b->number) - (a->number < b->number);
	return a->len != b->len ? (a->len > b->len) - (a->len < b->len)
				: memcmp(a->text, b->text, a->len);
}

static bool has_code_text(const struct code_lines *l, int side)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->items[i].text[side])
			return true;
	return false;
}

/* One key for equal lines, in the order of what they are; first those of base. Returns how many
 * keys. */
static uint32_t number_lines(const struct code_lines *base, const struct code_lines *head,
			     struct identity *identities, uint32_t *keys)
{
	bool by_text = has_code_text(base, CODE_BASE) && has_code_text(head, CODE_HEAD);
	size_t count = base->count + head->count;
	uint32_t nkeys = 0;

	for (size_t i = 0; i < base->count; i++)
		identities[i] = identify_line(&base->items[i], CODE_BASE, by_text, &keys[i]);
	for (size_t i = base->count; i < count; i++)
		identities[i] = identify_line(&head->items[i - base->count], CODE_HEAD, by_text,
					      &keys[i]);
	qsort(identities, count, sizeof *identities, compare_identities);
	for (size_t i = 0; i < count; i++) {
		nkeys += i && compare_identities(&identities[i - 1], &identities[i]) != 0;
		*identities[i].key = nkeys;
	}
	return nkeys + 1;
}

/* ---- both in one list ---- */

static void put_both(struct code *c, const struct code_line *base, const struct code_line *head)
{
	struct code_line *line = &c->lines[c->count++];

	*line = *head;
	line->in[CODE_BASE] = true;
	line->number[CODE_BASE] = base->number[CODE_BASE];
	line->text[CODE_BASE] = base->text[CODE_BASE];
	line->self[CODE_BASE] = base->self[CODE_BASE];
	line->inclusive[CODE_BASE] = base->inclusive[CODE_BASE];
}

static void merge_code(struct code *c, const struct code_lines *base, const struct code_lines *head,
		       const uint32_t *partner)
{
	size_t at = 0;

	for (size_t i = 0; i < base->count; i++) {
		if (partner[i] == LINE_MATCH_NONE) {
			c->lines[c->count++] = base->items[i];
			continue;
		}
		while (at < partner[i])
			c->lines[c->count++] = head->items[at++];
		put_both(c, &base->items[i], &head->items[at++]);
	}
	while (at < head->count)
		c->lines[c->count++] = head->items[at++];
}

static int match_code(struct code *c, const struct code_lines *base, const struct code_lines *head)
{
	size_t count = base->count + head->count;
	struct identity *identities = calloc(count + 1, sizeof *identities);
	uint32_t *keys = calloc(count + 1, sizeof *keys);
	uint32_t *partner = calloc(base->count + 1, sizeof *partner);
	int status = identities && keys && partner && count < UINT32_MAX ? CG_OK : CG_ENOMEM;

	if (!status) {
		uint32_t nkeys = number_lines(base, head, identities, keys);
		const struct line_keys a = { keys, (uint32_t)base->count };
		const struct line_keys b = { keys + base->count, (uint32_t)head->count };
		status = line_match(&a, &b, nkeys, partner);
	}
	if (!status)
		merge_code(c, base, head, partner);
	free(identities);
	free(keys);
	free(partner);
	return status;
}

static size_t sums(const struct code_side *s)
{
	return s->file ? (s->file->nlines + s->file->ncalls) * s->profile->nevents : 0;
}

int code_make(const struct code_sides *sides, bool base, bool head, struct code **out)
{
	const struct code_side *b = &sides->side[CODE_BASE], *h = &sides->side[CODE_HEAD];
	struct code_lines of_base = { calloc(most_lines(b) + 1, sizeof *of_base.items), 0 };
	struct code_lines of_head = { calloc(most_lines(h) + 1, sizeof *of_head.items), 0 };
	struct code *c = calloc(1, sizeof *c);
	int status = CG_ENOMEM;

	if (!c || !of_base.items || !of_head.items)
		goto done;
	c->lines = calloc(most_lines(b) + most_lines(h) + 1, sizeof *c->lines);
	c->costs = calloc(sums(b) + sums(h) + 1, sizeof *c->costs);
	if (!c->lines || !c->costs)
		goto done;
	if (base)
		list_side(b, CODE_BASE, &of_base, c->costs);
	if (head)
		list_side(h, CODE_HEAD, &of_head, c->costs + sums(b));
	status = match_code(c, &of_base, &of_head);
	if (status)
		goto done;
	*out = c;
	c = NULL;
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

const char *code_text(const struct code_line *line)
{
	return line->text[CODE_HEAD] ? line->text[CODE_HEAD] : line->text[CODE_BASE];
}
