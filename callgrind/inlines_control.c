#include "callgrind/inlines_control.h"

#include <stdlib.h>

#include "callgrind/inlines_frames.h"
#include "callgrind/support/grow.h"

/* Most flows are known after two passes. */
#define MOST_PASSES 32

/* ---- blocks ---- */

uint32_t cg_control_find(const struct cg_inlines *in, const struct cg_inlines_object *o,
			 uint64_t address)
{
	const uint64_t *addresses = in->addresses + o->first;
	uint32_t at = cg_inlines_first_from(addresses, o->count, address);
	return at < o->count && addresses[at] == address ? o->first + at : CG_NO_BLOCK;
}

static bool ends_block(const struct cg_branch *b)
{
	return b->kind != CG_BRANCH_NONE && b->kind != CG_BRANCH_CALL;
}

/* Blocks begin where branches lead to, and after them. */
static void mark_leaders(const struct cg_control *s, const struct cg_inlines_object *o, bool *leads)
{
	for (uint32_t i = o->first; i < o->first + o->count; i++) {
		const struct cg_branch *b = &s->code->branches[i];
		leads[i] |= i == o->first || s->code->begins[i] ||
			    ends_block(&s->code->branches[i - 1]);
		if (b->kind != CG_BRANCH_JUMP && b->kind != CG_BRANCH_IF)
			continue;
		uint32_t target = cg_control_find(s->in, o, b->target);
		if (target != CG_NO_BLOCK)
			leads[target] = true;
		/* What follows a call that does not return is another block. */
		if (b->kind == CG_BRANCH_IF &&
		    (target = cg_control_find(s->in, o, b->next)) != CG_NO_BLOCK)
			leads[target] = true;
	}
	for (uint32_t i = o->first; i + 1 < o->first + o->count; i++) {
		const struct cg_branch *b = &s->code->branches[i];
		leads[i + 1] |= b->kind == CG_BRANCH_CALL && b->next &&
				b->next != s->in->addresses[i + 1];
	}
}

static int make_blocks(struct cg_control *s)
{
	bool *leads = calloc((size_t)s->in->naddresses + 1, sizeof *leads);
	int status = leads ? CG_OK : CG_ENOMEM;

	for (uint32_t o = 0; !status && o < s->in->nobjects; o++)
		mark_leaders(s, &s->in->objects[o], leads);
	for (uint32_t i = 0; !status && i < s->in->naddresses; i++) {
		if (leads[i]) {
			if (cg_grow(&s->blocks, &s->blocks_cap, (size_t)s->nblocks + 1,
				    sizeof *s->blocks))
				status = CG_ENOMEM;
			else
				s->blocks[s->nblocks++] = (struct cg_block){ .first = i };
		}
		if (!status) {
			s->blocks[s->nblocks - 1].end = i + 1;
			s->block_of[i] = s->nblocks - 1;
		}
	}
	free(leads);
	return status;
}

uint32_t cg_control_counting(const struct cg_control *s, uint32_t address)
{
	const struct cg_block *b = &s->blocks[s->block_of[address]];
	const struct cg_branch *branches = s->code->branches;

	for (uint32_t i = address + 1; i-- > b->first;)
		if (branches[i].kind != CG_BRANCH_CALL && !branches[i].repeated)
			return i;
	for (uint32_t i = address + 1; i < b->end; i++)
		if (branches[i].kind != CG_BRANCH_CALL && !branches[i].repeated)
			return i;
	return CG_NO_BLOCK;
}

int64_t cg_control_executions(const struct cg_control *s, uint32_t address)
{
	uint32_t counting = cg_control_counting(s, address);
	return counting == CG_NO_BLOCK ? CG_UNKNOWN_FLOW : s->code->executed[counting];
}

/* ---- edges ---- */

static int add_edge(struct cg_control *s, uint32_t from, uint32_t address)
{
	if (address == CG_NO_BLOCK)
		return CG_OK;
	if (cg_grow(&s->edges, &s->edges_cap, (size_t)s->nedges + 1, sizeof *s->edges))
		return CG_ENOMEM;
	struct cg_block *block = &s->blocks[from];
	s->edges[s->nedges] = (struct cg_edge){ from, s->block_of[address], CG_UNKNOWN_FLOW };
	block->out[block->nout++] = s->nedges++;
	return CG_OK;
}

/* Where control goes from the end of a block. */
static int add_edges_of(struct cg_control *s, const struct cg_inlines_object *o, uint32_t id)
{
	uint32_t last = s->blocks[id].end - 1, next = last + 1;
	const struct cg_branch *b = &s->code->branches[last];
	bool follows = next < o->first + o->count && !s->code->begins[next];
	int status;

	switch (b->kind) {
	case CG_BRANCH_NONE:
		return add_edge(s, id, follows ? next : CG_NO_BLOCK);
	case CG_BRANCH_CALL:
		follows = follows && (!b->next || b->next == s->in->addresses[next]);
		return add_edge(s, id, follows ? next : CG_NO_BLOCK);
	case CG_BRANCH_IF:
		status = add_edge(s, id, cg_control_find(s->in, o, b->target));
		return status ? status : add_edge(s, id, cg_control_find(s->in, o, b->next));
	case CG_BRANCH_JUMP:
		return add_edge(s, id, cg_control_find(s->in, o, b->target));
	default:
		return CG_OK;
	}
}

static int sort_in_edges(struct cg_control *s)
{
	uint32_t sum = 0;

	s->in_edges = calloc((size_t)s->nedges + 1, sizeof *s->in_edges);
	if (!s->in_edges)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < s->nedges; i++)
		s->blocks[s->edges[i].to].end_in++;
	for (uint32_t b = 0; b < s->nblocks; b++) {
		uint32_t count = s->blocks[b].end_in;
		s->blocks[b].first_in = s->blocks[b].end_in = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < s->nedges; i++)
		s->in_edges[s->blocks[s->edges[i].to].end_in++] = i;
	return CG_OK;
}

/* Of a function with a jump to anywhere, each block may be where it leads to. */
static void open_blocks(struct cg_control *s)
{
	uint32_t function = 0; /* its first block */
	bool anywhere = false;

	for (uint32_t b = 0; b <= s->nblocks; b++) {
		if (b == s->nblocks || s->code->begins[s->blocks[b].first]) {
			for (uint32_t i = function; anywhere && i < b; i++)
				s->blocks[i].open = true;
			function = b;
			anywhere = false;
		}
		if (b == s->nblocks)
			break;
		struct cg_block *block = &s->blocks[b];
		uint8_t kind = s->code->branches[block->end - 1].kind;
		anywhere |= kind == CG_BRANCH_INDIRECT || kind == CG_BRANCH_UNKNOWN;
		block->open = s->code->begins[block->first] || block->first_in == block->end_in;
	}
}

static int make_code_edges(struct cg_control *s)
{
	int status = CG_OK;

	for (uint32_t o = 0; !status && o < s->in->nobjects; o++) {
		const struct cg_inlines_object *object = &s->in->objects[o];
		uint32_t end = object->first + object->count;
		for (uint32_t b = object->count ? s->block_of[object->first] : s->nblocks;
		     !status && b < s->nblocks && s->blocks[b].first < end; b++)
			status = add_edges_of(s, object, b);
	}
	if (!status)
		status = sort_in_edges(s);
	if (!status)
		open_blocks(s);
	return status;
}

/* ---- flows: what comes in is executed, and goes out ---- */

/* If all but one flow of a sum are known, so is that one. */
static bool derive(struct cg_control *s, const uint32_t *edges, uint32_t count, int64_t sum)
{
	uint32_t unknown = CG_NO_BLOCK;

	for (uint32_t i = 0; i < count; i++) {
		const struct cg_edge *e = &s->edges[edges[i]];
		if (e->flow == CG_UNKNOWN_FLOW && unknown != CG_NO_BLOCK)
			return false;
		if (e->flow == CG_UNKNOWN_FLOW)
			unknown = edges[i];
		else if (__builtin_sub_overflow(sum, e->flow, &sum))
			return false;
	}
	if (unknown == CG_NO_BLOCK || sum < 0) /* without a sum, too */
		return false;
	s->edges[unknown].flow = sum;
	return true;
}

static void find_flows(struct cg_control *s)
{
	bool more = true;

	for (int pass = 0; more && pass < MOST_PASSES; pass++) {
		more = false;
		for (uint32_t b = 0; b < s->nblocks; b++) {
			const struct cg_block *block = &s->blocks[b];
			int64_t in = cg_control_executions(s, block->first);
			int64_t out = cg_control_executions(s, block->end - 1);
			if (!block->open)
				more |= derive(s, s->in_edges + block->first_in,
					       block->end_in - block->first_in, in);
			more |= derive(s, block->out, block->nout, out);
		}
	}
}

/* ---- frames ---- */

bool cg_control_is_in_frame(const struct cg_inlines *in, uint32_t address, uint32_t frame)
{
	uint32_t f = in->frame[address];

	while (f > frame)
		f = in->frames[f].parent;
	return f == frame;
}

bool cg_control_is_taken(const struct cg_edge *e)
{
	return e->flow != 0;
}

bool cg_control_has_code(const struct cg_control *s, uint32_t frame, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++)
		if (!s->code->branches[i].constant && cg_control_is_in_frame(s->in, i, frame))
			return true;
	return false;
}

bool cg_control_leaves_from(const struct cg_control *s, const struct cg_edge *e, uint32_t frame)
{
	const struct cg_block *b = &s->blocks[e->from];

	if (s->code->branches[b->end - 1].constant)
		return cg_control_has_code(s, frame, b->first, b->end);
	return cg_control_is_in_frame(s->in, b->end - 1, frame);
}

bool cg_control_is_reached_otherwise(const struct cg_control *s, const struct cg_block *b)
{
	int64_t rest = cg_control_executions(s, b->first);

	for (uint32_t i = b->first_in; i < b->end_in; i++) {
		const struct cg_edge *e = &s->edges[s->in_edges[i]];
		if (e->flow == CG_UNKNOWN_FLOW)
			return b->open;
		rest -= e->flow;
	}
	return b->open && rest != 0;
}

bool cg_control_is_reached_from_inside(const struct cg_control *s, uint32_t frame,
				       const struct cg_block *b)
{
	if (!cg_control_has_code(s, frame, b->first, b->end))
		return true;
	if (cg_control_is_reached_otherwise(s, b))
		return false;
	for (uint32_t i = b->first_in; i < b->end_in; i++) {
		const struct cg_edge *e = &s->edges[s->in_edges[i]];
		if (cg_control_is_taken(e) && !cg_control_leaves_from(s, e, frame))
			return false;
	}
	return true;
}

bool cg_control_is_countable(const struct cg_control *s, uint32_t frame, const struct cg_block *b)
{
	for (uint32_t i = b->first; i < b->end; i++) {
		const struct cg_branch *branch = &s->code->branches[i];
		bool strange = branch->packed || branch->kind == CG_BRANCH_INDIRECT ||
			       branch->kind == CG_BRANCH_UNKNOWN;
		if (strange && cg_control_is_in_frame(s->in, i, frame))
			return false;
	}
	return true;
}

int cg_control_make(struct cg_control *s, const struct cg_inlines *in,
		    const struct cg_inlines_code *code)
{
	*s = (struct cg_control){ .in = in, .code = code };
	s->block_of = malloc(((size_t)in->naddresses + 1) * sizeof *s->block_of);
	int status = s->block_of ? make_blocks(s) : CG_ENOMEM;
	if (!status)
		status = make_code_edges(s);
	if (!status)
		find_flows(s);
	return status;
}

void cg_control_free(struct cg_control *s)
{
	free(s->blocks);
	free(s->block_of);
	free(s->edges);
	free(s->in_edges);
}
