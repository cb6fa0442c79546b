#include "src/view/line_match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/error.h"

#define NONE LINE_MATCH_NONE
#define MOST_CELLS ((size_t)4000000) /* of a table of all pairs */
#define MOST_LOOKS 200               /* steps per line, on average: sources need ten or twenty */

/* Lines [begin, end) of both. */
struct line_segment {
	uint32_t begin[2], end[2];
};

/* Where a key is in the segment at hand, of each side. */
struct occurrence {
	uint32_t count[2], at[2];
};

/* A line that is once in each side; the anchor before it in the longest row that ends here. */
struct line_anchor {
	uint32_t at[2];
	uint32_t before;
};

struct line_matching {
	const uint32_t *keys[2];
	uint32_t *partner;
	struct occurrence *occurrences; /* per key; zeros between segments */
	struct line_anchor *anchors;    /* room for all lines of base */
	uint32_t *ends;                 /* the same: anchors that rows of each length end with */
	struct line_segment *todo;
	size_t ntodo, cap;
	size_t looks; /* at lines that are left */
};

static bool lines_are_equal(const struct line_matching *m, uint32_t base, uint32_t head)
{
	return m->keys[0][base] == m->keys[1][head];
}

static bool segment_is_empty(const struct line_segment *s)
{
	return s->begin[0] == s->end[0] || s->begin[1] == s->end[1];
}

static int push(struct line_matching *m, const struct line_segment *s)
{
	if (segment_is_empty(s))
		return CG_OK;
	if (cg_grow(&m->todo, &m->cap, m->ntodo + 1, sizeof *m->todo))
		return CG_ENOMEM;
	m->todo[m->ntodo++] = *s;
	return CG_OK;
}

/* Matches equal lines at both ends of a segment. */
static void trim(struct line_matching *m, struct line_segment *s)
{
	while (!segment_is_empty(s) && lines_are_equal(m, s->begin[0], s->begin[1]))
		m->partner[s->begin[0]++] = s->begin[1]++;
	while (!segment_is_empty(s) && lines_are_equal(m, s->end[0] - 1, s->end[1] - 1))
		m->partner[--s->end[0]] = --s->end[1];
}

/* ---- lines that are there once ---- */

static void count_lines(struct line_matching *m, const struct line_segment *s)
{
	for (int side = 0; side < 2; side++)
		for (uint32_t i = s->begin[side]; i < s->end[side]; i++) {
			struct occurrence *o = &m->occurrences[m->keys[side][i]];
			o->count[side]++;
			o->at[side] = i;
		}
}

static void forget_lines(struct line_matching *m, const struct line_segment *s)
{
	for (int side = 0; side < 2; side++)
		for (uint32_t i = s->begin[side]; i < s->end[side]; i++)
			m->occurrences[m->keys[side][i]] = (struct occurrence){ 0 };
}

/* In the order of base. */
static uint32_t list_anchors(struct line_matching *m, const struct line_segment *s)
{
	uint32_t count = 0;

	for (uint32_t i = s->begin[0]; i < s->end[0]; i++) {
		const struct occurrence *o = &m->occurrences[m->keys[0][i]];
		if (o->count[0] == 1 && o->count[1] == 1)
			m->anchors[count++] = (struct line_anchor){ { i, o->at[1] }, NONE };
	}
	return count;
}

/* How many of the `length` rows end before a line of head. */
static uint32_t rows_before(const struct line_matching *m, uint32_t length, uint32_t head)
{
	uint32_t low = 0;

	while (low < length) {
		uint32_t middle = low + (length - low) / 2;
		if (m->anchors[m->ends[middle]].at[1] < head)
			low = middle + 1;
		else
			length = middle;
	}
	return low;
}

/* The last anchor of the longest row whose order is that of head, too; NONE: there are no
 * anchors. */
static uint32_t find_row(struct line_matching *m, uint32_t count)
{
	uint32_t length = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t before = rows_before(m, length, m->anchors[i].at[1]);
		m->anchors[i].before = before ? m->ends[before - 1] : NONE;
		m->ends[before] = i;
		length += before == length;
	}
	return length ? m->ends[length - 1] : NONE;
}

/* Matches the row that ends with `last`, and leaves what lies between for later. */
static int match_row(struct line_matching *m, struct line_segment s, uint32_t last)
{
	for (uint32_t i = last; i != NONE; i = m->anchors[i].before) {
		const struct line_anchor *a = &m->anchors[i];
		const struct line_segment after = { { a->at[0] + 1, a->at[1] + 1 },
						    { s.end[0], s.end[1] } };
		m->partner[a->at[0]] = a->at[1];
		if (push(m, &after))
			return CG_ENOMEM;
		memcpy(s.end, a->at, sizeof s.end);
	}
	return push(m, &s);
}

/* ---- without common lines ---- */

/* The longest common row of lines from any two lines on. */
static int match_all(struct line_matching *m, const struct line_segment *s)
{
	size_t na = s->end[0] - s->begin[0], nb = s->end[1] - s->begin[1], width = nb + 1;
	const uint32_t *a = m->keys[0] + s->begin[0], *b = m->keys[1] + s->begin[1];

	if (nb > MOST_CELLS / na)
		return CG_OK;
	uint32_t *longest = calloc((na + 1) * width, sizeof *longest);
	if (!longest)
		return CG_ENOMEM;
	for (size_t i = na; i-- > 0;)
		for (size_t k = nb; k-- > 0;) {
			uint32_t down = longest[(i + 1) * width + k];
			uint32_t right = longest[i * width + k + 1];
			longest[i * width + k] = a[i] == b[k] ? longest[(i + 1) * width + k + 1] + 1
						 : down > right ? down
								: right;
		}
	for (size_t i = 0, k = 0; i < na && k < nb;) {
		if (a[i] == b[k])
			m->partner[s->begin[0] + i++] = s->begin[1] + (uint32_t)k++;
		else if (longest[(i + 1) * width + k] >= longest[i * width + k + 1])
			i++;
		else
			k++;
	}
	free(longest);
	return CG_OK;
}

/* ---- the whole ---- */

static int match_segment(struct line_matching *m, struct line_segment s)
{
	trim(m, &s);
	size_t lines = (size_t)(s.end[0] - s.begin[0]) + (s.end[1] - s.begin[1]);

	if (segment_is_empty(&s) || lines > m->looks)
		return CG_OK;
	m->looks -= lines;
	count_lines(m, &s);
	uint32_t last = find_row(m, list_anchors(m, &s));
	forget_lines(m, &s);
	return last == NONE ? match_all(m, &s) : match_row(m, s, last);
}

static int match_sides(const struct line_keys *base, const struct line_keys *head, uint32_t nkeys,
		       uint32_t *partner)
{
	struct line_matching m = {
		.keys = { base->keys, head->keys },
		.partner = partner,
		.occurrences = calloc((size_t)nkeys + 1, sizeof *m.occurrences),
		.anchors = calloc((size_t)base->count + 1, sizeof *m.anchors),
		.ends = calloc((size_t)base->count + 1, sizeof *m.ends),
		.looks = MOST_LOOKS * ((size_t)base->count + head->count),
	};
	const struct line_segment all = { { 0, 0 }, { base->count, head->count } };
	int status = m.occurrences && m.anchors && m.ends ? push(&m, &all) : CG_ENOMEM;

	for (uint32_t i = 0; i < base->count; i++)
		partner[i] = NONE;
	while (!status && m.ntodo)
		status = match_segment(&m, m.todo[--m.ntodo]);
	free(m.occurrences);
	free(m.anchors);
	free(m.ends);
	free(m.todo);
	return status;
}

static bool comes_first(const struct line_keys *a, const struct line_keys *b)
{
	for (uint32_t i = 0; i < a->count && i < b->count; i++)
		if (a->keys[i] != b->keys[i])
			return a->keys[i] < b->keys[i];
	return a->count <= b->count;
}

/* Of several matchings that are as good, the choice must not depend on which version is base. */
int line_match(const struct line_keys *base, const struct line_keys *head, uint32_t nkeys,
	       uint32_t *partner)
{
	if (comes_first(base, head))
		return match_sides(base, head, nkeys, partner);

	uint32_t *reverse = calloc((size_t)head->count + 1, sizeof *reverse);
	int status = reverse ? match_sides(head, base, nkeys, reverse) : CG_ENOMEM;
	for (uint32_t i = 0; i < base->count; i++)
		partner[i] = NONE;
	for (uint32_t i = 0; !status && i < head->count; i++)
		if (reverse[i] != NONE)
			partner[reverse[i]] = i;
	free(reverse);
	return status;
}
