#include "callgrind/inlines_calls.h"

#include <stdlib.h>

#include "callgrind/inlines_frames.h"
#include "callgrind/inlines_once.h"
#include "callgrind/support/grow.h"

/* Where the code of a frame begins, duplicates aside. */
struct code_entry {
	uint32_t address, frame;
};

struct calls_search {
	struct cg_inlines *in;
	struct cg_control flow;
	struct cg_once once;
	struct cg_membership *members;
	size_t nmembers, members_cap;
	uint32_t *start_of;         /* per block: the frame decided last that has a start in it */
	struct code_entry *entries; /* of frames, by address */
	size_t nentries;
	size_t entered_cap;
};

/* Blocks with code of a frame. */
static int collect_members(struct calls_search *s)
{
	uint32_t *last = calloc((size_t)s->in->nframes + 1, sizeof *last);
	int status = last ? CG_OK : CG_ENOMEM;

	for (uint32_t i = 0; !status && i < s->in->naddresses; i++)
		for (uint32_t f = s->in->frame[i];
		     !status && s->in->frames[f].parent && last[f] != s->flow.block_of[i] + 1;
		     f = s->in->frames[f].parent) {
			last[f] = s->flow.block_of[i] + 1;
			status = cg_grow(&s->members, &s->members_cap, s->nmembers + 1,
					 sizeof *s->members);
			if (!status)
				s->members[s->nmembers++] = (struct cg_membership){
					f, s->flow.block_of[i]
				};
		}
	free(last);
	return status;
}

static int compare_members(const void *left, const void *right)
{
	const struct cg_membership *a = left, *b = right;
	if (a->frame != b->frame)
		return a->frame < b->frame ? -1 : 1;
	return (a->block > b->block) - (a->block < b->block);
}
/* Whether no taken edge leads to a block from code of the frame. */
static bool is_entered_from_outside(const struct calls_search *s, uint32_t frame,
				    const struct cg_block *b)
{
	for (uint32_t i = b->first_in; i < b->end_in; i++) {
		const struct cg_edge *e = &s->flow.edges[s->flow.in_edges[i]];
		if (cg_control_is_taken(e) && cg_control_leaves_from(&s->flow, e, frame))
			return false;
	}
	return true;
}

/* Whether control comes to a start from other code than the frame's own: otherwise it may be a loop
 * inside it. */
static bool is_begun_from_outside(const struct calls_search *s, uint32_t frame, uint32_t address)
{
	const struct cg_block *b = &s->flow.blocks[s->flow.block_of[address]];

	if (address != b->first && !cg_control_is_in_frame(s->in, address - 1, frame))
		return true;
	return !cg_control_has_code(&s->flow, frame, b->first, address) &&
	       is_entered_from_outside(s, frame, b);
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
		uint32_t first = s->flow.blocks[s->members[i].block].first;
		uint32_t address = cg_control_find(in, object_of(in, first),
						   in->starts[f->first_start]);
		if (address != CG_NO_BLOCK)
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
		uint32_t address = cg_control_find(s->in, o, s->in->starts[f->first_start + i]);
		if (address == CG_NO_BLOCK || (i && is_of_another(s, frame, address)))
			continue;
		found[count++] = address;
		s->start_of[s->flow.block_of[address]] = frame;
	}
	return count;
}

/* Whether the calls of a frame are the executions of its starts: `found` become those that were
 * executed. Each must be reached from outside, and no other code of the frame. */
static bool decide(struct calls_search *s, const struct cg_membership *members, size_t count,
		   uint32_t *found, uint32_t *nfound)
{
	uint32_t frame = members[0].frame;
	uint32_t first = s->flow.blocks[members[0].block].first;
	const struct cg_inlines_object *o = object_of(s->in, first);
	bool sure = true;

	*nfound = find_executed_starts(s, o, frame, found);
	for (uint32_t i = 0; sure && i < *nfound; i++)
		sure = cg_control_counting(&s->flow, found[i]) != CG_NO_BLOCK &&
		       is_begun_from_outside(s, frame, found[i]);
	for (size_t i = 0; sure && i < count; i++) {
		const struct cg_block *b = &s->flow.blocks[members[i].block];
		bool starts = s->start_of[members[i].block] == frame;
		sure = cg_control_is_countable(&s->flow, frame, b) &&
		       (starts || cg_control_is_reached_from_inside(&s->flow, frame, b));
	}
	return sure && *nfound > 0;
}

/* By where it begins; if that is not known, by how often it is executed. */
static bool decide_frame(struct calls_search *s, const struct cg_membership *members, size_t count,
			 uint32_t *found, uint32_t *nfound)
{
	uint32_t frame = members[0].frame;

	if (s->in->frames[frame].nstarts == 0) {
		*nfound = 1;
		return cg_once_decide(&s->once, members, count, found);
	}
	if (!decide(s, members, count, found, nfound))
		return false;
	if (*nfound == 1)
		cg_once_add(&s->once, frame, found[0]);
	return true;
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
			cg_control_counting(&s->flow, found[i]), frame
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
		if (decide_frame(s, &s->members[i], end - i, found, &nfound))
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
	struct calls_search s = { .in = in };

	if (in->nframes <= 1 || in->naddresses == 0)
		return CG_OK;
	int status = cg_control_make(&s.flow, in, code);
	if (!status)
		status = cg_once_begin(&s.once, &s.flow);
	s.start_of = status ? NULL : calloc((size_t)s.flow.nblocks + 1, sizeof *s.start_of);
	if (!status && !s.start_of)
		status = CG_ENOMEM;
	if (!status)
		status = collect_members(&s);
	if (!status)
		status = decide_all(&s);
	if (!status)
		status = index_entered(in);
	cg_once_free(&s.once);
	cg_control_free(&s.flow);
	free(s.members);
	free(s.entries);
	free(s.start_of);
	return status;
}

/* An instruction counts once each time. Keeps the lines, too. */
static void add_executions(const struct cg_inlines *in, const struct cg_profile *p, int event,
			   const struct cg_inlines_code *code)
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
		if (next >= found->count || in->addresses[found->first + next] != line->address)
			continue;
		uint32_t at = found->first + next++;
		code->line[at] = line->line;
		code->executed[at] += p->line_self[(size_t)i * p->nevents + (size_t)event];
	}
}

int cg_inlines_find_calls(struct cg_inlines *in, const struct cg_profile *p,
			  const struct cg_inlines_code *code)
{
	int event = cg_event_index(p, CG_EXECUTIONS);

	if (event < 0)
		return CG_OK;
	add_executions(in, p, event, code);
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
