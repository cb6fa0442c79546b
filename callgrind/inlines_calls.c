#include "callgrind/inlines_calls.h"

#include <stdlib.h>

#include "callgrind/inlines_frames.h"
#include "callgrind/support/grow.h"

#define NO_BLOCK UINT32_MAX
#define UNKNOWN_FLOW (-1)
/* Most flows are known after two passes. */
#define MOST_PASSES 32

/* Instructions that are executed one after the other. */
struct code_block {
	uint32_t first, end;       /* addresses */
	uint32_t first_in, end_in; /* in `in` */
	uint32_t out[2];           /* edges */
	uint8_t nout;
	bool open; /* control may also come from where no edge does */
};

struct code_edge {
	uint32_t from, to;
	int64_t flow; /* UNKNOWN_FLOW, or how often control went this way */
};

/* Where the code of a frame begins, duplicates aside. */
struct code_entry {
	uint32_t address, frame;
};

struct membership {
	uint32_t frame, block;
};

struct calls_search {
	struct cg_inlines *in;
	const struct cg_inlines_code *code;
	struct code_block *blocks;
	uint32_t nblocks;
	size_t blocks_cap;
	uint32_t *block_of; /* per address */
	struct code_edge *edges;
	uint32_t nedges;
	size_t edges_cap;
	uint32_t *in_edges; /* by block that they lead to */
	struct membership *members;
	size_t nmembers, members_cap;
	uint32_t *start_of;         /* per block: the frame decided last that has a start in it */
	struct code_entry *entries; /* of frames, by address */
	size_t nentries;
	size_t entered_cap;
};

/* ---- blocks ---- */

/* The number of an executed address; NO_BLOCK if it is not one. */
static uint32_t find_address(const struct cg_inlines *in, const struct cg_inlines_object *o,
			     uint64_t address)
{
	const uint64_t *addresses = in->addresses + o->first;
	uint32_t at = cg_inlines_first_from(addresses, o->count, address);
	return at < o->count && addresses[at] == address ? o->first + at : NO_BLOCK;
}

static bool ends_block(const struct cg_branch *b)
{
	return b->kind != CG_BRANCH_NONE && b->kind != CG_BRANCH_CALL;
}

/* Blocks begin where branches lead to, and after them. */
static void mark_leaders(const struct calls_search *s, const struct cg_inlines_object *o,
			 bool *leads)
{
	for (uint32_t i = o->first; i < o->first + o->count; i++) {
		const struct cg_branch *b = &s->code->branches[i];
		leads[i] |= i == o->first || s->code->begins[i] ||
			    ends_block(&s->code->branches[i - 1]);
		if (b->kind != CG_BRANCH_JUMP && b->kind != CG_BRANCH_IF)
			continue;
		uint32_t target = find_address(s->in, o, b->target);
		if (target != NO_BLOCK)
			leads[target] = true;
		/* What follows a call that does not return is another block. */
		if (b->kind == CG_BRANCH_IF &&
		    (target = find_address(s->in, o, b->next)) != NO_BLOCK)
			leads[target] = true;
	}
	for (uint32_t i = o->first; i + 1 < o->first + o->count; i++) {
		const struct cg_branch *b = &s->code->branches[i];
		leads[i + 1] |= b->kind == CG_BRANCH_CALL && b->next &&
				b->next != s->in->addresses[i + 1];
	}
}

static int make_blocks(struct calls_search *s)
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
				s->blocks[s->nblocks++] = (struct code_block){ .first = i };
		}
		if (!status) {
			s->blocks[s->nblocks - 1].end = i + 1;
			s->block_of[i] = s->nblocks - 1;
		}
	}
	free(leads);
	return status;
}

/* An instruction of the same block that counts once whenever it is executed: not a call, which
 * also counts the instructions of a procedure linkage table, nor one that repeats itself. NO_BLOCK:
 * none. */
static uint32_t counting_address(const struct calls_search *s, uint32_t address)
{
	const struct code_block *b = &s->blocks[s->block_of[address]];
	const struct cg_branch *branches = s->code->branches;

	for (uint32_t i = address + 1; i-- > b->first;)
		if (branches[i].kind != CG_BRANCH_CALL && !branches[i].repeated)
			return i;
	for (uint32_t i = address + 1; i < b->end; i++)
		if (branches[i].kind != CG_BRANCH_CALL && !branches[i].repeated)
			return i;
	return NO_BLOCK;
}

static int64_t executions(const struct calls_search *s, uint32_t address)
{
	uint32_t counting = counting_address(s, address);
	return counting == NO_BLOCK ? UNKNOWN_FLOW : s->code->executed[counting];
}

/* ---- edges ---- */

static int add_edge(struct calls_search *s, uint32_t from, uint32_t address)
{
	if (address == NO_BLOCK)
		return CG_OK;
	if (cg_grow(&s->edges, &s->edges_cap, (size_t)s->nedges + 1, sizeof *s->edges))
		return CG_ENOMEM;
	struct code_block *block = &s->blocks[from];
	s->edges[s->nedges] = (struct code_edge){ from, s->block_of[address], UNKNOWN_FLOW };
	block->out[block->nout++] = s->nedges++;
	return CG_OK;
}

/* Where control goes from the end of a block. */
static int add_edges_of(struct calls_search *s, const struct cg_inlines_object *o, uint32_t id)
{
	uint32_t last = s->blocks[id].end - 1, next = last + 1;
	const struct cg_branch *b = &s->code->branches[last];
	bool follows = next < o->first + o->count && !s->code->begins[next];
	int status;

	switch (b->kind) {
	case CG_BRANCH_NONE:
		return add_edge(s, id, follows ? next : NO_BLOCK);
	case CG_BRANCH_CALL:
		follows &= !b->next || b->next == s->in->addresses[next];
		return add_edge(s, id, follows ? next : NO_BLOCK);
	case CG_BRANCH_IF:
		status = add_edge(s, id, find_address(s->in, o, b->target));
		return status ? status : add_edge(s, id, find_address(s->in, o, b->next));
	case CG_BRANCH_JUMP:
		return add_edge(s, id, find_address(s->in, o, b->target));
	default:
		return CG_OK;
	}
}

static int sort_in_edges(struct calls_search *s)
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
static void open_blocks(struct calls_search *s)
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
		struct code_block *block = &s->blocks[b];
		uint8_t kind = s->code->branches[block->end - 1].kind;
		anywhere |= kind == CG_BRANCH_INDIRECT || kind == CG_BRANCH_UNKNOWN;
		block->open = s->code->begins[block->first] || block->first_in == block->end_in;
	}
}

static int make_code_edges(struct calls_search *s)
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
static bool derive(struct calls_search *s, const uint32_t *edges, uint32_t count, int64_t sum)
{
	uint32_t unknown = NO_BLOCK;

	for (uint32_t i = 0; i < count; i++) {
		const struct code_edge *e = &s->edges[edges[i]];
		if (e->flow == UNKNOWN_FLOW && unknown != NO_BLOCK)
			return false;
		if (e->flow == UNKNOWN_FLOW)
			unknown = edges[i];
		else if (__builtin_sub_overflow(sum, e->flow, &sum))
			return false;
	}
	if (unknown == NO_BLOCK || sum < 0) /* without a sum, too */
		return false;
	s->edges[unknown].flow = sum;
	return true;
}

static void find_flows(struct calls_search *s)
{
	bool more = true;

	for (int pass = 0; more && pass < MOST_PASSES; pass++) {
		more = false;
		for (uint32_t b = 0; b < s->nblocks; b++) {
			const struct code_block *block = &s->blocks[b];
			int64_t in = executions(s, block->first);
			int64_t out = executions(s, block->end - 1);
			if (!block->open)
				more |= derive(s, s->in_edges + block->first_in,
					       block->end_in - block->first_in, in);
			more |= derive(s, block->out, block->nout, out);
		}
	}
}

/* ---- frames ---- */

static bool is_in_frame(const struct cg_inlines *in, uint32_t address, uint32_t frame)
{
	uint32_t f = in->frame[address];

	while (f > frame)
		f = in->frames[f].parent;
	return f == frame;
}

/* Blocks with code of a frame. */
static int collect_members(struct calls_search *s)
{
	uint32_t *last = calloc((size_t)s->in->nframes + 1, sizeof *last);
	int status = last ? CG_OK : CG_ENOMEM;

	for (uint32_t i = 0; !status && i < s->in->naddresses; i++)
		for (uint32_t f = s->in->frame[i];
		     !status && s->in->frames[f].parent && last[f] != s->block_of[i] + 1;
		     f = s->in->frames[f].parent) {
			last[f] = s->block_of[i] + 1;
			status = cg_grow(&s->members, &s->members_cap, s->nmembers + 1,
					 sizeof *s->members);
			if (!status)
				s->members[s->nmembers++] = (struct membership){ f,
										 s->block_of[i] };
		}
	free(last);
	return status;
}

static int compare_members(const void *left, const void *right)
{
	const struct membership *a = left, *b = right;
	if (a->frame != b->frame)
		return a->frame < b->frame ? -1 : 1;
	return (a->block > b->block) - (a->block < b->block);
}

/* Whether control comes this way, as far as is known. */
static bool is_taken(const struct code_edge *e)
{
	return e->flow != 0;
}

/* Whether a frame has code at these addresses other than constants, which compilers load before
 * loops. */
static bool has_code(const struct calls_search *s, uint32_t frame, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++)
		if (!s->code->branches[i].constant && is_in_frame(s->in, i, frame))
			return true;
	return false;
}

/* Whether an edge leaves from code of the frame. */
static bool leaves_from(const struct calls_search *s, const struct code_edge *e, uint32_t frame)
{
	const struct code_block *b = &s->blocks[e->from];

	return s->code->branches[b->end - 1].constant ? has_code(s, frame, b->first, b->end)
						      : is_in_frame(s->in, b->end - 1, frame);
}

/* Whether control may come to a block from where no edge does. */
static bool is_reached_otherwise(const struct calls_search *s, const struct code_block *b)
{
	int64_t rest = executions(s, b->first);

	for (uint32_t i = b->first_in; i < b->end_in; i++) {
		const struct code_edge *e = &s->edges[s->in_edges[i]];
		if (e->flow == UNKNOWN_FLOW)
			return b->open;
		rest -= e->flow;
	}
	return b->open && rest != 0;
}

/* Whether no taken edge leads to a block from code of the frame. */
static bool is_entered_from_outside(const struct calls_search *s, uint32_t frame,
				    const struct code_block *b)
{
	for (uint32_t i = b->first_in; i < b->end_in; i++) {
		const struct code_edge *e = &s->edges[s->in_edges[i]];
		if (is_taken(e) && leaves_from(s, e, frame))
			return false;
	}
	return true;
}

/* Whether control comes to a start from other code than the frame's own: otherwise it may be a loop
 * inside it. */
static bool is_begun_from_outside(const struct calls_search *s, uint32_t frame, uint32_t address)
{
	const struct code_block *b = &s->blocks[s->block_of[address]];

	if (address != b->first && !is_in_frame(s->in, address - 1, frame))
		return true;
	return !has_code(s, frame, b->first, address) && is_entered_from_outside(s, frame, b);
}

/* Whether control only comes to a block from code of the frame, unless it has none there. */
static bool is_reached_from_inside(const struct calls_search *s, uint32_t frame,
				   const struct code_block *b)
{
	if (!has_code(s, frame, b->first, b->end))
		return true;
	if (is_reached_otherwise(s, b))
		return false;
	for (uint32_t i = b->first_in; i < b->end_in; i++) {
		const struct code_edge *e = &s->edges[s->in_edges[i]];
		if (is_taken(e) && !leaves_from(s, e, frame))
			return false;
	}
	return true;
}

/* Whether the code of a frame in a block tells how often it is executed: vectors do the work of
 * several calls at once, and jumps to anywhere may lead to where it begins. */
static bool is_countable(const struct calls_search *s, uint32_t frame, const struct code_block *b)
{
	for (uint32_t i = b->first; i < b->end; i++) {
		const struct cg_branch *branch = &s->code->branches[i];
		bool strange = branch->packed || branch->kind == CG_BRANCH_INDIRECT ||
			       branch->kind == CG_BRANCH_UNKNOWN;
		if (strange && is_in_frame(s->in, i, frame))
			return false;
	}
	return true;
}

/* The object of an address. */
static const struct cg_inlines_object *object_of(const struct cg_inlines *in, uint32_t address)
{
	uint32_t low = 0, high = in->nobjects;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (in->objects[middle].first <= address)
			low = middle;
		else
			high = middle;
	}
	return &in->objects[low];
}

static int compare_entries(const void *left, const void *right)
{
	const struct code_entry *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

static int collect_entries(struct calls_search *s)
{
	const struct cg_inlines *in = s->in;

	s->entries = calloc((size_t)in->nframes + 1, sizeof *s->entries);
	if (!s->entries)
		return CG_ENOMEM;
	for (size_t i = 0; i < s->nmembers; i++) {
		uint32_t frame = s->members[i].frame;
		const struct cg_frame *f = &in->frames[frame];
		if (f->nstarts == 0 || (i && s->members[i - 1].frame == frame))
			continue;
		uint32_t address = find_address(in,
						object_of(in, s->blocks[s->members[i].block].first),
						in->starts[f->first_start]);
		if (address != NO_BLOCK)
			s->entries[s->nentries++] = (struct code_entry){ address, frame };
	}
	if (s->nentries)
		qsort(s->entries, s->nentries, sizeof *s->entries, compare_entries);
	return CG_OK;
}

/* Whether another instance of the same function begins at an address. */
static bool is_of_another(const struct calls_search *s, uint32_t frame, uint32_t address)
{
	const struct cg_frame *f = &s->in->frames[frame];
	size_t low = 0, high = s->nentries;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->entries[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < s->nentries && s->entries[low].address == address; low++) {
		const struct cg_frame *g = &s->in->frames[s->entries[low].frame];
		if (g != f && g->name == f->name && g->file == f->file && g->line == f->line)
			return true;
	}
	return false;
}

/* The starts of a frame that were executed. */
static uint32_t find_executed_starts(struct calls_search *s, const struct cg_inlines_object *o,
				     uint32_t frame, uint32_t *found)
{
	const struct cg_frame *f = &s->in->frames[frame];
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->nstarts; i++) {
		uint32_t address = find_address(s->in, o, s->in->starts[f->first_start + i]);
		if (address == NO_BLOCK || (i && is_of_another(s, frame, address)))
			continue;
		found[count++] = address;
		s->start_of[s->block_of[address]] = frame;
	}
	return count;
}

/* Whether the calls of a frame are the executions of its starts: `found` become those that were
 * executed. Each must be reached from outside, and no other code of the frame. */
static bool decide(struct calls_search *s, const struct membership *members, size_t count,
		   uint32_t *found, uint32_t *nfound)
{
	uint32_t frame = members[0].frame;
	const struct cg_inlines_object *o = object_of(s->in, s->blocks[members[0].block].first);
	bool sure = true;

	*nfound = find_executed_starts(s, o, frame, found);
	for (uint32_t i = 0; sure && i < *nfound; i++)
		sure = counting_address(s, found[i]) != NO_BLOCK &&
		       is_begun_from_outside(s, frame, found[i]);
	for (size_t i = 0; sure && i < count; i++) {
		const struct code_block *b = &s->blocks[members[i].block];
		bool starts = s->start_of[members[i].block] == frame;
		sure = is_countable(s, frame, b) && (starts || is_reached_from_inside(s, frame, b));
	}
	return sure && *nfound > 0;
}

static int add_entered(struct calls_search *s, uint32_t frame, const uint32_t *found,
		       uint32_t count)
{
	struct cg_inlines *in = s->in;

	if (count > UINT32_MAX - in->nentered)
		return CG_ERANGE;
	if (cg_grow(&in->entered, &s->entered_cap, (size_t)in->nentered + count,
		    sizeof *in->entered))
		return CG_ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		in->entered[in->nentered++] = (struct cg_inlines_entered){
			counting_address(s, found[i]), frame
		};
	in->frames[frame].counted = true;
	return CG_OK;
}

static uint32_t most_starts(const struct cg_inlines *in)
{
	uint32_t most = 0;
	for (uint32_t i = 1; i < in->nframes; i++)
		most = in->frames[i].nstarts > most ? in->frames[i].nstarts : most;
	return most;
}

static int decide_all(struct calls_search *s)
{
	uint32_t *found = calloc((size_t)most_starts(s->in) + 1, sizeof *found), nfound;
	int status = found ? CG_OK : CG_ENOMEM;

	if (s->nmembers)
		qsort(s->members, s->nmembers, sizeof *s->members, compare_members);
	if (!status)
		status = collect_entries(s);
	for (size_t i = 0, end; !status && i < s->nmembers; i = end) {
		for (end = i; end < s->nmembers && s->members[end].frame == s->members[i].frame;)
			end++;
		if (decide(s, &s->members[i], end - i, found, &nfound))
			status = add_entered(s, s->members[i].frame, found, nfound);
	}
	free(found);
	return status;
}

static int compare_entered(const void *left, const void *right)
{
	const struct cg_inlines_entered *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

static int index_entered(struct cg_inlines *in)
{
	uint32_t next = 0;

	in->enters = malloc(((size_t)in->naddresses + 1) * sizeof *in->enters);
	if (!in->enters)
		return CG_ENOMEM;
	if (in->nentered)
		qsort(in->entered, in->nentered, sizeof *in->entered, compare_entered);
	for (uint32_t i = 0; i < in->naddresses; i++) {
		while (next < in->nentered && in->entered[next].address < i)
			next++;
		in->enters[i] = next;
	}
	return CG_OK;
}

int cg_inlines_decide_calls(struct cg_inlines *in, const struct cg_inlines_code *code)
{
	struct calls_search s = { .in = in, .code = code };
	int status = CG_OK;

	if (in->nframes <= 1 || in->naddresses == 0)
		return CG_OK;
	s.block_of = malloc(((size_t)in->naddresses + 1) * sizeof *s.block_of);
	if (!s.block_of)
		return CG_ENOMEM;
	status = make_blocks(&s);
	if (!status)
		status = make_code_edges(&s);
	if (!status)
		find_flows(&s);
	s.start_of = status ? NULL : calloc((size_t)s.nblocks + 1, sizeof *s.start_of);
	if (!status && !s.start_of)
		status = CG_ENOMEM;
	if (!status)
		status = collect_members(&s);
	if (!status)
		status = decide_all(&s);
	if (!status)
		status = index_entered(in);
	free(s.blocks);
	free(s.block_of);
	free(s.edges);
	free(s.in_edges);
	free(s.members);
	free(s.entries);
	free(s.start_of);
	return status;
}

/* An instruction counts once each time. */
static void add_executions(const struct cg_inlines *in, const struct cg_profile *p, int event,
			   int64_t *executed)
{
	const struct cg_inlines_object *found = NULL;
	cg_str object = 0;
	uint32_t next = 0;

	for (uint32_t i = 1; i < p->nlines; i++) {
		const struct cg_line *line = &p->lines[i];
		cg_str of = p->functions[p->records[line->record].function].object;
		if (of != object)
			found = cg_inlines_find_object(in, cg_string(p, of));
		object = of;
		if (!of || !found)
			continue;
		if (next >= found->count || in->addresses[found->first + next] != line->address)
			next = cg_inlines_first_from(in->addresses + found->first, found->count,
						     line->address);
		if (next < found->count && in->addresses[found->first + next] == line->address)
			executed[found->first + next++] +=
				p->line_self[(size_t)i * p->nevents + (size_t)event];
	}
}

int cg_inlines_find_calls(struct cg_inlines *in, const struct cg_profile *p,
			  const struct cg_inlines_code *code)
{
	int event = cg_event_index(p, CG_EXECUTIONS);

	if (event < 0)
		return CG_OK;
	add_executions(in, p, event, code->executed);
	return cg_inlines_decide_calls(in, code);
}

const struct cg_inlines_entered *cg_inlines_entered_at(const struct cg_inlines *in,
						       const struct cg_inlines_object *object,
						       uint32_t next, uint32_t *count)
{
	*count = 0;
	if (!in->enters || next == 0)
		return NULL;
	uint32_t address = object->first + next - 1, first = in->enters[address];
	while (first + *count < in->nentered && in->entered[first + *count].address == address)
		++*count;
	return *count ? &in->entered[first] : NULL;
}
