#include "callgrind/massif.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/line.h"
#include "callgrind/stacks.h"
#include "callgrind/support/grow.h"

static const char not_whole[] =
	"the tree of massif does not add up to its root: the file is truncated or damaged";

struct massif_node {
	struct cg_stack_frame frame;
	int64_t left;  /* of its costs, what no node below it has */
	bool is_inner; /* there are nodes below it, which have all of them */
};

struct massif_reading {
	struct cg_stacks s;
	const char *at, *end;
	uint64_t line_no;
	struct cg_part part;
	const char *tree; /* the first line of the tree that is read; NULL: none yet */
	uint64_t tree_line_no;
	uint64_t tree_heap;
	bool is_peak;
	struct massif_node *nodes; /* the path to the node that was read last, without the root */
	size_t depth, nodes_cap;
	struct cg_stack_frame *stack;
	size_t stack_cap;
	int64_t total, added;
};

static int fail_massif(struct massif_reading *r, const char *what)
{
	r->s.line_no = r->line_no;
	return cg_stacks_fail(&r->s, CG_ESYNTAX, what);
}

static bool detect_massif(const char *bytes, size_t len)
{
	static const char first[] = "desc:", unit[] = "\ntime_unit:", snapshot[] = "\nsnapshot=";
	return len > sizeof first && memcmp(bytes, first, sizeof first - 1) == 0 &&
	       memmem(bytes, len, unit, sizeof unit - 1) &&
	       memmem(bytes, len, snapshot, sizeof snapshot - 1);
}

static bool next_massif_line(struct massif_reading *r, struct line *l)
{
	if (r->at >= r->end)
		return false;
	const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
	const char *end = newline ? newline : r->end;
	*l = (struct line){ r->at, r->at, end };
	r->at = newline ? newline + 1 : r->end;
	r->line_no++;
	return true;
}

/* Takes a word that the rest of a line begins with. */
static bool take_massif(struct line *l, const char *word)
{
	size_t len = strlen(word);
	if ((size_t)(l->end - l->at) < len || memcmp(l->at, word, len) != 0)
		return false;
	l->at += len;
	return true;
}

/* ---- snapshots ---- */

/* Chooses the tree that follows. */
static void note_tree(struct massif_reading *r, struct line *kind, uint64_t heap)
{
	bool peak = take_massif(kind, "peak");

	if (!peak && !take_massif(kind, "detailed"))
		return;
	if (r->is_peak || (r->tree && !peak && heap <= r->tree_heap))
		return;
	r->tree = r->at;
	r->tree_line_no = r->line_no;
	r->tree_heap = heap;
	r->is_peak = peak;
}

static int find_tree(struct massif_reading *r)
{
	uint64_t heap = 0;
	struct line l;
	int status = CG_OK;

	while (!status && next_massif_line(r, &l)) {
		if (take_massif(&l, "mem_heap_B=")) {
			if (!cg_line_parse_decimal(&l, &heap))
				status = fail_massif(r, "expected a number of bytes");
		} else if (take_massif(&l, "heap_tree=")) {
			note_tree(r, &l, heap);
		} else if (take_massif(&l, "cmd:")) {
			cg_line_skip_blanks(&l);
			status = cg_stacks_text(&r->s, l.at, (size_t)(l.end - l.at),
						&r->part.command);
		}
	}
	if (!status && !r->tree)
		status = cg_stacks_fail(
			&r->s, CG_EINVAL,
			"the file of massif has no snapshot with a tree: record more with --detailed-freq=1");
	return status;
}

/* ---- the tree ---- */

/* " (in OBJECT)" or " (FILE:LINE)" at the end of a frame; `at` stops where it begins. */
static int read_massif_place(struct massif_reading *r, struct line *l, struct cg_stack_frame *f)
{
	const char *end = l->end - 1, *place = l->end - 1;
	uint64_t line;

	if (place <= l->at || *place != ')')
		return CG_OK;
	while (place > l->at && !(place[0] == '(' && place[-1] == ' '))
		place--;
	if (place == l->at)
		return CG_OK;
	l->end = place - 1;
	struct line in = { place + 1, place + 1, end };
	if (take_massif(&in, "in "))
		return cg_stacks_text(&r->s, in.at, (size_t)(end - in.at), &f->function.object);
	const char *colon = end;
	while (colon > in.start && *colon != ':')
		colon--;
	struct line digits = { colon + 1, colon + 1, end };
	if (*colon == ':' && cg_line_parse_decimal(&digits, &line) && line <= UINT32_MAX)
		f->line = (uint32_t)line;
	int status = cg_stacks_text(&r->s, in.start, (size_t)((f->line ? colon : end) - in.start),
				    &f->function.file);
	f->file = f->function.file;
	return status;
}

/* "0x1091A2: work (work.c:4)", or "in 3 places, all below massif's threshold (1.00%)" */
static int read_massif_frame(struct massif_reading *r, struct line *l, struct cg_stack_frame *f)
{
	static const char below[] = "[below the threshold]";
	const char *address = l->at;
	uint64_t number;

	if (!cg_line_parse_hex(l, &number))
		return cg_stacks_text(&r->s, below, sizeof below - 1, &f->function.name);
	const char *address_end = l->at;
	if (!take_massif(l, ": "))
		return fail_massif(r, "expected ADDRESS: FUNCTION");
	int status = read_massif_place(r, l, f);
	struct line name = { l->at, l->at, l->end };
	if (take_massif(&name, "???") || name.at == name.end)
		name = (struct line){ address, address, address_end };
	return status ? status
		      : cg_stacks_text(&r->s, name.start, (size_t)(name.end - name.start),
				       &f->function.name);
}

/* Adds what is left of a path, of which the outermost function is the last. */
static int end_node(struct massif_reading *r)
{
	size_t depth = r->depth--;
	int64_t cost = r->nodes[depth - 1].left;

	if (r->nodes[depth - 1].is_inner && cost != 0)
		return fail_massif(r, not_whole);
	if (cost == 0)
		return CG_OK;
	int status = cg_stacks_expect(&r->s, depth);
	if (!status && cg_grow(&r->stack, &r->stack_cap, depth, sizeof *r->stack))
		status = cg_stacks_fail(&r->s, CG_ENOMEM, "");
	for (size_t i = 0; !status && i < depth; i++)
		r->stack[i] = r->nodes[depth - 1 - i].frame;
	return status ? status : cg_stacks_add(&r->s, r->stack, depth, &cost);
}

/* " n1: 500 0x1091A2: g (d.c:4)": as many blanks as there are nodes above it. False at the end of
 * the tree. */
static bool begin_node(struct line *l, size_t *depth, uint64_t *children, int64_t *cost)
{
	while (l->at < l->end && *l->at == ' ')
		l->at++;
	*depth = (size_t)(l->at - l->start);
	return take_massif(l, "n") && cg_line_parse_decimal(l, children) && take_massif(l, ": ") &&
	       cg_line_parse_cost(l, cost) && take_massif(l, " ");
}

static int read_node(struct massif_reading *r, struct line *l, size_t depth, bool is_inner,
		     int64_t cost)
{
	int status = CG_OK;

	if (depth > r->depth + 1 || depth == 0 || cost < 0)
		return fail_massif(r, "expected a node of a tree of massif");
	while (!status && r->depth >= depth)
		status = end_node(r);
	if (!status && cg_grow(&r->nodes, &r->nodes_cap, depth, sizeof *r->nodes))
		status = cg_stacks_fail(&r->s, CG_ENOMEM, "");
	if (status)
		return status;
	struct massif_node *n = &r->nodes[depth - 1];
	*n = (struct massif_node){ .left = cost, .is_inner = is_inner };
	if (depth > 1 && (n[-1].left -= cost) < 0)
		return fail_massif(r, not_whole);
	if (depth == 1 && __builtin_add_overflow(r->added, cost, &r->added))
		return fail_massif(r, "the costs of a tree of massif are too large");
	r->depth = depth;
	return read_massif_frame(r, l, &n->frame);
}

static int read_tree(struct massif_reading *r)
{
	struct line l;
	size_t depth;
	uint64_t children;
	int64_t cost;
	int status;

	r->at = r->tree;
	r->line_no = r->tree_line_no;
	if (!next_massif_line(r, &l) || !begin_node(&l, &depth, &children, &r->total) || depth != 0)
		return fail_massif(r, "expected the root of a tree of massif");
	for (status = CG_OK; !status && next_massif_line(r, &l) && *l.start != '#';)
		status = begin_node(&l, &depth, &children, &cost)
				 ? read_node(r, &l, depth, children > 0, cost)
				 : fail_massif(r, "expected a node of a tree of massif");
	while (!status && r->depth)
		status = end_node(r);
	if (!status && r->added != r->total)
		status = fail_massif(r, not_whole);
	return status;
}

static int begin_massif(struct massif_reading *r)
{
	static const char name[] = "PeakBytes";
	struct cg_event event = { 0 };
	uint32_t column;
	int status = find_tree(r);

	if (!status)
		status = cg_stacks_text(&r->s, name, sizeof name - 1, &event.name);
	if (!status)
		status = cg_stacks_events(&r->s, &event, 1, &column);
	return status ? status : cg_stacks_open(&r->s, &r->part);
}

static int read_massif(struct cg_parts *parts, struct cg_input *in, cg_str file,
		       const struct cg_read_options *options, struct cg_error *err)
{
	struct massif_reading r = { .s = cg_stacks_begin(parts, in, options),
				    .part = { .file = file } };
	char *bytes = NULL;
	size_t len = 0;
	int status = cg_stacks_read_all(&r.s, in, &bytes, &len);

	r.at = bytes;
	r.end = bytes + len;
	if (!status)
		status = begin_massif(&r);
	if (!status)
		status = read_tree(&r);
	free(r.nodes);
	free(r.stack);
	free(bytes);
	return cg_stacks_end(&r.s, status, err);
}

const struct cg_format cg_massif_format = { detect_massif, read_massif };
