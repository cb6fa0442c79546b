#include "callgrind/inlines_once.h"

#include <stdlib.h>

/* Of a function that is smaller, compilers often leave nothing at another place where it is called:
 * all calls from the same caller would be more than those that are counted. */
#define FEWEST_INSTRUCTIONS 4

#define NOT_ONCE (-1)

/* ---- callers ---- */

/* A function with several beginnings has parts elsewhere, and one whose beginning is in a loop is
 * executed there more often than it is called. */
static void add_host(struct cg_once *o, uint32_t frame, uint32_t address)
{
	const struct cg_control *flow = o->flow;
	const struct cg_block *b = &flow->blocks[flow->block_of[address]];
	bool once = o->calls[frame] == 0;

	for (uint32_t i = b->first_in; i < b->end_in; i++)
		once &= !cg_control_is_taken(&flow->edges[flow->in_edges[i]]);
	o->calls[frame] = NOT_ONCE;
	if (once)
		cg_once_add(o, frame, address);
}

static uint32_t host_at(const struct cg_inlines *in, uint32_t address)
{
	uint32_t f = in->frame[address];

	while (in->frames[f].parent)
		f = in->frames[f].parent;
	return f;
}

int cg_once_begin(struct cg_once *o, const struct cg_control *flow)
{
	const struct cg_inlines *in = flow->in;

	*o = (struct cg_once){ .flow = flow };
	o->calls = calloc((size_t)in->nframes + 1, sizeof *o->calls);
	o->entry = calloc((size_t)in->nframes + 1, sizeof *o->entry);
	o->seen = calloc((size_t)flow->nblocks + 1, sizeof *o->seen);
	o->stack = calloc((size_t)flow->nblocks + 1, sizeof *o->stack);
	if (!o->calls || !o->entry || !o->seen || !o->stack)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < in->naddresses; i++)
		if (flow->code->begins[i] && in->frame[i])
			add_host(o, host_at(in, i), i);
	return CG_OK;
}

void cg_once_free(struct cg_once *o)
{
	free(o->calls);
	free(o->entry);
	free(o->seen);
	free(o->stack);
}

void cg_once_add(struct cg_once *o, uint32_t frame, uint32_t address)
{
	o->calls[frame] = cg_control_executions(o->flow, address);
	o->entry[frame] = o->flow->block_of[address];
}

/* ---- inlined functions ---- */

/* Whether control always comes to a block from `entry`, and comes from there once. */
static bool is_once_after(struct cg_once *o, uint32_t block, uint32_t entry)
{
	const struct cg_control *flow = o->flow;
	uint32_t count = 0;

	if (block == entry)
		return true;
	o->search++;
	o->stack[count++] = block;
	while (count) {
		const struct cg_block *b = &flow->blocks[o->stack[--count]];
		if (cg_control_is_reached_otherwise(flow, b))
			return false;
		for (uint32_t i = b->first_in; i < b->end_in; i++) {
			const struct cg_edge *e = &flow->edges[flow->in_edges[i]];
			if (!cg_control_is_taken(e) || e->from == entry ||
			    o->seen[e->from] == o->search)
				continue;
			if (e->from == block)
				return false;
			o->seen[e->from] = o->search;
			o->stack[count++] = e->from;
		}
	}
	return true;
}

/* How many times a line of the frame's own code begins in its blocks. */
static uint32_t count_runs(const struct cg_control *flow, const struct cg_membership *members,
			   size_t count, uint32_t line)
{
	uint32_t frame = members[0].frame, runs = 0;

	for (size_t m = 0; m < count; m++) {
		const struct cg_block *b = &flow->blocks[members[m].block];
		bool before = false;
		for (uint32_t i = b->first; i < b->end; i++) {
			bool here = flow->in->frame[i] == frame && flow->code->line[i] == line;
			runs += here && !before;
			before = here;
		}
	}
	return runs;
}

/* Whether some line has its code in one place. The code of loops that were unrolled is there
 * several times. */
static bool is_one_copy(const struct cg_control *flow, const struct cg_membership *members,
			size_t count, uint32_t block)
{
	const struct cg_block *b = &flow->blocks[block];
	uint32_t last = 0;

	for (uint32_t i = b->first; i < b->end; i++) {
		uint32_t line = flow->code->line[i];
		if (flow->in->frame[i] != members[0].frame || !line || line == last)
			continue;
		if (count_runs(flow, members, count, line) == 1)
			return true;
		last = line;
	}
	return false;
}

static bool is_large_enough(const struct cg_control *flow, uint32_t frame, const struct cg_block *b)
{
	uint32_t size = 0;

	for (uint32_t i = b->first; i < b->end; i++)
		size += cg_control_is_in_frame(flow->in, i, frame);
	return size >= FEWEST_INSTRUCTIONS;
}

/* Whether control comes to the other blocks from code of the frame: from elsewhere it would be
 * called again. */
static bool is_one_visit(const struct cg_control *flow, const struct cg_membership *members,
			 size_t count, uint32_t block)
{
	for (size_t i = 0; i < count; i++)
		if (members[i].block != block &&
		    !cg_control_is_reached_from_inside(flow, members[i].frame,
						       &flow->blocks[members[i].block]))
			return false;
	return true;
}

static bool is_called_in(struct cg_once *o, const struct cg_membership *members, size_t count,
			 uint32_t block)
{
	const struct cg_control *flow = o->flow;
	const struct cg_block *b = &flow->blocks[block];
	uint32_t frame = members[0].frame, around = flow->in->frames[frame].parent;

	return cg_control_executions(flow, b->first) == o->calls[around] &&
	       cg_control_has_code(flow, frame, b->first, b->end) &&
	       is_large_enough(flow, frame, b) && is_one_copy(flow, members, count, block) &&
	       is_one_visit(flow, members, count, block) &&
	       is_once_after(o, block, o->entry[around]);
}

bool cg_once_decide(struct cg_once *o, const struct cg_membership *members, size_t count,
		    uint32_t *address)
{
	const struct cg_control *flow = o->flow;
	uint32_t frame = members[0].frame, around = flow->in->frames[frame].parent;

	if (o->calls[around] <= 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!cg_control_is_countable(flow, frame, &flow->blocks[members[i].block]))
			return false;
	for (size_t i = 0; i < count; i++)
		if (is_called_in(o, members, count, members[i].block)) {
			*address = flow->blocks[members[i].block].first;
			o->calls[frame] = o->calls[around];
			o->entry[frame] = o->entry[around];
			return true;
		}
	return false;
}
