#include "src/asm/match.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "src/view/line_match.h"

typedef cg_str asm_key(const struct asm_instruction *i);

static cg_str exact_key(const struct asm_instruction *i)
{
	return i->exact;
}

static cg_str shape_key(const struct asm_instruction *i)
{
	return i->shape;
}

/* Rows [begin, end) of both sides, which are matched by one key. */
struct asm_segment {
	size_t begin[ASM_SIDES], end[ASM_SIDES];
};

struct asm_matching {
	const struct asm_listing *side[ASM_SIDES];
	uint32_t *keys[ASM_SIDES]; /* of the segment at hand */
	uint32_t *dense;           /* of each text: its key in the segment plus 1; else 0 */
	uint32_t *partner;         /* of each row of base, in the segment at hand */
	uint32_t *found;           /* of each row of base; LINE_MATCH_NONE: none */
};

/* Rows without code are equal to nothing. */
static void number_keys(struct asm_matching *m, const struct asm_segment *s, asm_key *key,
			uint32_t *nkeys)
{
	*nkeys = 0;
	for (int side = 0; side < ASM_SIDES; side++)
		for (size_t i = s->begin[side]; i < s->end[side]; i++) {
			cg_str text = key(&m->side[side]->rows[i].instruction);
			if (!text)
				m->keys[side][i - s->begin[side]] = (*nkeys)++;
			else if (!m->dense[text])
				m->dense[text] = ++*nkeys;
			if (text)
				m->keys[side][i - s->begin[side]] = m->dense[text] - 1;
		}
}

static void forget_keys(struct asm_matching *m, const struct asm_segment *s, asm_key *key)
{
	for (int side = 0; side < ASM_SIDES; side++)
		for (size_t i = s->begin[side]; i < s->end[side]; i++)
			m->dense[key(&m->side[side]->rows[i].instruction)] = 0;
}

static int match_asm_segment(struct asm_matching *m, const struct asm_segment *s, asm_key *key)
{
	const uint32_t count[] = { (uint32_t)(s->end[0] - s->begin[0]),
				   (uint32_t)(s->end[1] - s->begin[1]) };
	uint32_t nkeys;

	if (!count[ASM_BASE] || !count[ASM_HEAD])
		return CG_OK;
	number_keys(m, s, key, &nkeys);
	int status = line_match(&(struct line_keys){ m->keys[ASM_BASE], count[ASM_BASE] },
				&(struct line_keys){ m->keys[ASM_HEAD], count[ASM_HEAD] }, nkeys,
				m->partner);
	forget_keys(m, s, key);
	for (uint32_t i = 0; !status && i < count[ASM_BASE]; i++)
		if (m->partner[i] != LINE_MATCH_NONE)
			m->found[s->begin[ASM_BASE] + i] = (uint32_t)s->begin[ASM_HEAD] +
							   m->partner[i];
	return status;
}

/* Between rows that are matched already. */
static int match_what_is_left(struct asm_matching *m, size_t nbase, size_t nhead)
{
	struct asm_segment s = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i <= nbase; i++) {
		bool matched = i < nbase && m->found[i] != LINE_MATCH_NONE;
		if (i < nbase && !matched)
			continue;
		s.end[ASM_BASE] = i;
		s.end[ASM_HEAD] = matched ? m->found[i] : nhead;
		size_t next = s.end[ASM_HEAD] + 1;
		status = match_asm_segment(m, &s, shape_key);
		s.begin[ASM_BASE] = i + 1;
		s.begin[ASM_HEAD] = next;
	}
	return status;
}

static const char *callee_name(const struct asm_listing *l, size_t call)
{
	return cg_string(l->profile, l->profile->functions[l->calls[call].callee].name);
}

/* Whether both rows call functions, but none by the same name. */
static bool calls_others(const struct asm_matching *m, size_t base, size_t head)
{
	const struct asm_listing *b = m->side[ASM_BASE], *h = m->side[ASM_HEAD];
	const struct asm_row *left = &b->rows[base], *right = &h->rows[head];

	for (size_t i = 0; i < left->ncalls; i++)
		for (size_t k = 0; k < right->ncalls; k++)
			if (strcmp(callee_name(b, left->call + i),
				   callee_name(h, right->call + k)) == 0)
				return false;
	return left->ncalls && right->ncalls;
}

/* The text of a call does not name its callee. */
static void part_calls_of_others(struct asm_matching *m, size_t nbase)
{
	for (size_t base = 0; base < nbase; base++)
		if (m->found[base] != LINE_MATCH_NONE && calls_others(m, base, m->found[base]))
			m->found[base] = LINE_MATCH_NONE;
}

/* What only base has comes before what only head has. */
static void list_asm_pairs(const struct asm_matching *m, size_t nbase, size_t nhead,
			   struct asm_pairs *out)
{
	size_t head = 0;

	for (size_t base = 0; base < nbase; base++) {
		const struct asm_row *row = &m->side[ASM_BASE]->rows[base];
		bool matched = m->found[base] != LINE_MATCH_NONE;
		for (; matched && head < m->found[base]; head++)
			out->items[out->count++].row[ASM_HEAD] = &m->side[ASM_HEAD]->rows[head];
		struct asm_pair *pair = &out->items[out->count++];
		pair->row[ASM_BASE] = row;
		if (!matched)
			continue;
		pair->row[ASM_HEAD] = &m->side[ASM_HEAD]->rows[head++];
		pair->renamed = row->instruction.exact != pair->row[ASM_HEAD]->instruction.exact;
	}
	for (; head < nhead; head++)
		out->items[out->count++].row[ASM_HEAD] = &m->side[ASM_HEAD]->rows[head];
}

int asm_match(const struct asm_listing *base, const struct asm_listing *head, struct asm_pairs *out)
{
	struct asm_matching m = { .side = { base, head } };
	size_t nbase = base ? base->nrows : 0, nhead = head ? head->nrows : 0;
	size_t ntexts = base ? base->texts->count : head ? head->texts->count : 0;
	struct asm_pairs pairs = { .items = calloc(nbase + nhead + 1, sizeof *pairs.items) };
	const struct asm_segment all = { .end = { nbase, nhead } };

	for (int side = 0; side < ASM_SIDES; side++)
		m.keys[side] = calloc((side == ASM_BASE ? nbase : nhead) + 1, sizeof *m.keys[side]);
	m.dense = calloc(ntexts + 1, sizeof *m.dense);
	m.partner = calloc(nbase + 1, sizeof *m.partner);
	m.found = calloc(nbase + 1, sizeof *m.found);
	int status = pairs.items && m.keys[0] && m.keys[1] && m.dense && m.partner && m.found
			     ? CG_OK
			     : CG_ENOMEM;
	for (size_t i = 0; !status && i < nbase; i++)
		m.found[i] = LINE_MATCH_NONE;
	if (!status)
		status = match_asm_segment(&m, &all, exact_key);
	if (!status)
		status = match_what_is_left(&m, nbase, nhead);
	if (!status)
		part_calls_of_others(&m, nbase);
	if (!status)
		list_asm_pairs(&m, nbase, nhead, &pairs);
	free(m.keys[ASM_BASE]);
	free(m.keys[ASM_HEAD]);
	free(m.dense);
	free(m.partner);
	free(m.found);
	if (status)
		free(pairs.items);
	else
		*out = pairs;
	return status;
}
