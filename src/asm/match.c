#include "src/asm/match.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "src/view/line_match.h"

/* 0: it is equal to nothing. */
typedef cg_str asm_key(const struct asm_instruction *i);

static cg_str exact_key(const struct asm_instruction *i)
{
	return i->padding ? 0 : i->exact;
}

static cg_str shape_key(const struct asm_instruction *i)
{
	return i->padding ? 0 : i->shape;
}

static cg_str padding_key(const struct asm_instruction *i)
{
	return i->padding ? i->shape : 0;
}

/* Rows [begin, end) of both sides, which are matched by one key. */
struct asm_segment {
	size_t begin[ASM_SIDES], end[ASM_SIDES];
};

struct asm_side {
	const struct asm_listing *listing; /* NULL: without rows */
	const struct asm_row **rows;       /* of it, those that are matched and listed */
	size_t nrows;
	uint32_t *keys; /* of those of the segment at hand that have one … */
	uint32_t *at;   /* … and which rows they are */
	uint32_t nkeys;
};

struct asm_matching {
	struct asm_side side[ASM_SIDES];
	uint32_t *dense;   /* of each text: its key in the segment plus 1; else 0 */
	uint32_t *partner; /* of each key of base, in the segment at hand */
	uint32_t *found;   /* of each row of base; LINE_MATCH_NONE: none */
	bool exchanged;    /* base and head are, until all is matched */
};

/* ---- one key ---- */

/* Returns how many keys there are. */
static uint32_t number_keys(struct asm_matching *m, const struct asm_segment *s, asm_key *key)
{
	uint32_t count = 0;

	for (int i = 0; i < ASM_SIDES; i++) {
		struct asm_side *side = &m->side[i];
		side->nkeys = 0;
		for (size_t row = s->begin[i]; row < s->end[i]; row++) {
			cg_str text = key(&side->rows[row]->instruction);
			if (!text)
				continue;
			if (!m->dense[text])
				m->dense[text] = ++count;
			side->keys[side->nkeys] = m->dense[text] - 1;
			side->at[side->nkeys++] = (uint32_t)row;
		}
	}
	return count;
}

static void forget_keys(struct asm_matching *m, const struct asm_segment *s, asm_key *key)
{
	for (int side = 0; side < ASM_SIDES; side++)
		for (size_t i = s->begin[side]; i < s->end[side]; i++)
			m->dense[key(&m->side[side].rows[i]->instruction)] = 0;
}

static int match_asm_segment(struct asm_matching *m, const struct asm_segment *s, asm_key *key)
{
	const struct asm_side *base = &m->side[ASM_BASE], *head = &m->side[ASM_HEAD];

	if (s->begin[ASM_BASE] == s->end[ASM_BASE] || s->begin[ASM_HEAD] == s->end[ASM_HEAD])
		return CG_OK;
	uint32_t nkeys = number_keys(m, s, key);
	int status = line_match(&(struct line_keys){ base->keys, base->nkeys },
				&(struct line_keys){ head->keys, head->nkeys }, nkeys, m->partner);
	forget_keys(m, s, key);
	for (uint32_t i = 0; !status && i < base->nkeys; i++)
		if (m->partner[i] != LINE_MATCH_NONE)
			m->found[base->at[i]] = head->at[m->partner[i]];
	return status;
}

/* Between rows that are matched already. */
static int match_what_is_left(struct asm_matching *m, asm_key *key)
{
	const size_t nbase = m->side[ASM_BASE].nrows, nhead = m->side[ASM_HEAD].nrows;
	struct asm_segment s = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i <= nbase; i++) {
		bool matched = i < nbase && m->found[i] != LINE_MATCH_NONE;
		if (i < nbase && !matched)
			continue;
		s.end[ASM_BASE] = i;
		s.end[ASM_HEAD] = matched ? m->found[i] : nhead;
		size_t next = s.end[ASM_HEAD] + 1;
		status = match_asm_segment(m, &s, key);
		s.begin[ASM_BASE] = i + 1;
		s.begin[ASM_HEAD] = next;
	}
	return status;
}

/* ---- what is no match ---- */

static const char *callee_name(const struct asm_listing *l, size_t call)
{
	return cg_string(l->profile, l->profile->functions[l->calls[call].callee].name);
}

/* Whether both rows call functions, but none by the same name. */
static bool calls_others(const struct asm_matching *m, size_t base, size_t head)
{
	const struct asm_side *b = &m->side[ASM_BASE], *h = &m->side[ASM_HEAD];
	const struct asm_row *left = b->rows[base], *right = h->rows[head];

	for (size_t i = 0; i < left->ncalls; i++)
		for (size_t k = 0; k < right->ncalls; k++)
			if (strcmp(callee_name(b->listing, left->call + i),
				   callee_name(h->listing, right->call + k)) == 0)
				return false;
	return left->ncalls && right->ncalls;
}

/* The text of a call does not name its callee. */
static void part_calls_of_others(struct asm_matching *m)
{
	for (size_t base = 0; base < m->side[ASM_BASE].nrows; base++)
		if (m->found[base] != LINE_MATCH_NONE && calls_others(m, base, m->found[base]))
			m->found[base] = LINE_MATCH_NONE;
}

static bool is_renamed(const struct asm_matching *m, size_t base)
{
	return m->side[ASM_BASE].rows[base]->instruction.exact !=
	       m->side[ASM_HEAD].rows[m->found[base]]->instruction.exact;
}

static bool is_weak(const struct asm_matching *m, size_t base)
{
	return is_renamed(m, base) || m->side[ASM_BASE].rows[base]->instruction.padding;
}

static size_t next_matched_row(const struct asm_matching *m, size_t base)
{
	while (base < m->side[ASM_BASE].nrows && m->found[base] == LINE_MATCH_NONE)
		base++;
	return base;
}

/* One that differs in registers, or is padding, alone among rows of both sides, is alike by chance,
 * and tears them apart. */
static void part_lone_rows(struct asm_matching *m)
{
	const size_t nbase = m->side[ASM_BASE].nrows, nhead = m->side[ASM_HEAD].nrows;
	size_t after[ASM_SIDES] = { 0 }; /* the last match */

	for (size_t base = next_matched_row(m, 0), next; base < nbase; base = next) {
		next = next_matched_row(m, base + 1);
		const size_t head = m->found[base], end = next < nbase ? m->found[next] : nhead;
		const size_t removed[] = { base - after[ASM_BASE], next - base - 1 };
		const size_t added[] = { head - after[ASM_HEAD], end - head - 1 };
		if (is_weak(m, base) && (removed[0] || added[0]) && (removed[1] || added[1]) &&
		    (removed[0] || removed[1]) && (added[0] || added[1])) {
			m->found[base] = LINE_MATCH_NONE;
			continue;
		}
		after[ASM_BASE] = base + 1;
		after[ASM_HEAD] = head + 1;
	}
}

/* ---- the whole ---- */

static void list_asm_pairs(const struct asm_matching *m, struct asm_pairs *out)
{
	const struct asm_side *base = &m->side[ASM_BASE], *head = &m->side[ASM_HEAD];
	size_t next = 0;

	for (size_t i = 0; i < base->nrows; i++) {
		bool matched = m->found[i] != LINE_MATCH_NONE;
		for (; matched && next < m->found[i]; next++)
			out->items[out->count++].row[ASM_HEAD] = head->rows[next];
		struct asm_pair *pair = &out->items[out->count++];
		pair->row[ASM_BASE] = base->rows[i];
		if (!matched)
			continue;
		pair->row[ASM_HEAD] = head->rows[next++];
		pair->renamed = is_renamed(m, i);
	}
	for (; next < head->nrows; next++)
		out->items[out->count++].row[ASM_HEAD] = head->rows[next];
}

static int begin_asm_side(const struct asm_listing *listing, struct asm_side *out)
{
	size_t room = (listing ? listing->nrows : 0) + 1;

	*out = (struct asm_side){
		.listing = listing,
		.rows = calloc(room, sizeof *out->rows),
		.keys = calloc(room, sizeof *out->keys),
		.at = calloc(room, sizeof *out->at),
	};
	if (!out->rows || !out->keys || !out->at)
		return CG_ENOMEM;
	for (size_t i = 0; listing && i < listing->nrows; i++) {
		const struct asm_row *row = &listing->rows[i];
		if (row->executed || row->ncalls || !row->instruction.padding)
			out->rows[out->nrows++] = row;
	}
	return CG_OK;
}

/* By their texts, as numbers of texts depend on which side was read first. */
static bool asm_side_is_first(const struct asm_side *a, const struct asm_side *b)
{
	for (size_t i = 0; i < a->nrows && i < b->nrows; i++) {
		const cg_str left = a->rows[i]->instruction.exact;
		const cg_str right = b->rows[i]->instruction.exact;
		if (left != right)
			return strcmp(cg_strings_get(a->listing->texts, left),
				      cg_strings_get(b->listing->texts, right)) < 0;
	}
	return a->nrows <= b->nrows;
}

static void exchange_asm_sides(struct asm_matching *m)
{
	const struct asm_side base = m->side[ASM_BASE];

	m->side[ASM_BASE] = m->side[ASM_HEAD];
	m->side[ASM_HEAD] = base;
}

/* Of several matchings that are as good, the choice must not depend on which side is base. */
static int begin_asm_matching(struct asm_matching *m, const struct asm_listing *base,
			      const struct asm_listing *head)
{
	size_t ntexts = base ? base->texts->count : head ? head->texts->count : 0;

	if (begin_asm_side(base, &m->side[ASM_BASE]) || begin_asm_side(head, &m->side[ASM_HEAD]))
		return CG_ENOMEM;
	m->exchanged = !asm_side_is_first(&m->side[ASM_BASE], &m->side[ASM_HEAD]);
	if (m->exchanged)
		exchange_asm_sides(m);
	const size_t nbase = m->side[ASM_BASE].nrows;
	m->dense = calloc(ntexts + 1, sizeof *m->dense);
	m->partner = calloc(nbase + 1, sizeof *m->partner);
	m->found = calloc(nbase + 1, sizeof *m->found);
	if (!m->dense || !m->partner || !m->found)
		return CG_ENOMEM;
	for (size_t i = 0; i < nbase; i++)
		m->found[i] = LINE_MATCH_NONE;
	return CG_OK;
}

/* Makes them again what they are. */
static int restore_asm_sides(struct asm_matching *m)
{
	const size_t nbase = m->side[ASM_BASE].nrows, nhead = m->side[ASM_HEAD].nrows;

	if (!m->exchanged)
		return CG_OK;
	uint32_t *found = malloc((nhead + 1) * sizeof *found);
	if (!found)
		return CG_ENOMEM;
	for (size_t i = 0; i < nhead; i++)
		found[i] = LINE_MATCH_NONE;
	for (size_t i = 0; i < nbase; i++)
		if (m->found[i] != LINE_MATCH_NONE)
			found[m->found[i]] = (uint32_t)i;
	free(m->found);
	m->found = found;
	exchange_asm_sides(m);
	return CG_OK;
}

static void end_asm_matching(struct asm_matching *m)
{
	for (int side = 0; side < ASM_SIDES; side++) {
		free(m->side[side].rows);
		free(m->side[side].keys);
		free(m->side[side].at);
	}
	free(m->dense);
	free(m->partner);
	free(m->found);
}

int asm_match(const struct asm_listing *base, const struct asm_listing *head, struct asm_pairs *out)
{
	struct asm_matching m = { 0 };
	struct asm_pairs pairs = { 0 };
	int status = begin_asm_matching(&m, base, head);
	const struct asm_segment all = {
		.end = { m.side[ASM_BASE].nrows, m.side[ASM_HEAD].nrows },
	};

	if (!status)
		status = match_asm_segment(&m, &all, exact_key);
	if (!status)
		status = match_what_is_left(&m, shape_key);
	if (!status)
		status = match_what_is_left(&m, padding_key);
	if (!status) {
		part_calls_of_others(&m);
		part_lone_rows(&m);
		status = restore_asm_sides(&m);
	}
	if (!status) {
		pairs.items = calloc(all.end[0] + all.end[1] + 1, sizeof *pairs.items);
		status = pairs.items ? CG_OK : CG_ENOMEM;
	}
	if (!status) {
		list_asm_pairs(&m, &pairs);
		*out = pairs;
	}
	end_asm_matching(&m);
	return status;
}
