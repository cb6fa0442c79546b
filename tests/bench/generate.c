/*
 * Usage: generate [--functions N] [--events N] [--contexts] [--instr] [--jumps] SIZE
 *
 * Writes a profile of about SIZE bytes (100k, 20M, 1G) like those of Valgrind 3.19 to the standard
 * output, always the same for the same arguments:
 *   --functions N  of so many records, that is, lines fn=
 *   --events N     the first N (1 to 13) of those with --cache-sim=yes --branch-sim=yes
 *   --contexts     as with --separate-callers=6
 *   --instr        as with --dump-instr=yes; three of four objects are without line numbers
 *   --jumps        as with --collect-jumps=yes
 *
 * Costs flow: what a function and its callees cost is what its callers pay. For that, callees are
 * written before callers and wait, with their cost, until callers have taken all of it; main takes
 * what is left. Only what waits is kept, and so profiles can be of any size.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/generate_options.h"
#include "tests/bench/names.h"
#include "tests/bench/put.h"

enum {
	MAX_WAITING = 256,
	OBJECTS = 8,
	RECORDS_OF_FUNCTION = 16, /* its contexts */
	FUNCTIONS_OF_FILE = 10,
	RECORDS_OF_TURN = 2048, /* that an object has in a row */
	BUFFER_SIZE = 1 << 18,
	ROOM = 4 * NAME_MAX_LEN, /* for what is written between two calls of make_room */
};

enum event { IR, DR, DW, I1MR, D1MR, D1MW, ILMR, DLMR, DLMW, BC, BCM, BI, BIM };

static const char *const event_names[MAX_EVENTS] = {
	"Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim",
};

/* Numbers of files: of all that are not known, of headers that are inlined everywhere, of sources.
 */
enum { UNKNOWN_FILE = 1, FIRST_HEADER = 2, HEADERS = 16, FIRST_SOURCE = FIRST_HEADER + HEADERS };

struct function {
	uint32_t index, object, file;
	struct position {
		uint64_t address, line;
	} entry;
	uint64_t calls;             /* to it, by callers that are still to be written */
	uint64_t costs[MAX_EVENTS]; /* inclusive, of these calls */
};

struct generator {
	const struct options *o;
	uint64_t random;
	uint32_t id_mask; /* all bits that ids of functions may have */

	/* What was written last, and what has its name by now: objects, functions and sources
	 * are named in the order of their numbers. */
	uint32_t object, file;
	struct position at;
	uint32_t objects_named, functions_named, sources_named;
	uint32_t shared_files_named; /* a bit for each */

	struct function here;      /* is being written */
	uint64_t times;            /* here is called, in all */
	uint64_t executions;       /* of the lines that are being written */
	uint64_t self[MAX_EVENTS]; /* of here, but for its first line */

	/* Comes after here: with all calls and the costs of its first line, and with what of
	 * them is left after a call by here. */
	struct function next, next_left;

	struct function waiting[MAX_WAITING];
	uint32_t nwaiting, max_waiting;
	uint64_t totals[MAX_EVENTS];

	bool silent;
	uint64_t flushed; /* bytes */
	char *end;        /* of the text in the buffer */
	char buffer[BUFFER_SIZE + ROOM];
};

static uint32_t smaller(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

/* ---- Output ---- */

static void flush(struct generator *g)
{
	size_t len = (size_t)(g->end - g->buffer);
	if (!g->silent)
		fwrite(g->buffer, 1, len, stdout);
	g->flushed += len;
	g->end = g->buffer;
}

static inline void make_room(struct generator *g)
{
	if (g->end > g->buffer + BUFFER_SIZE)
		flush(g);
}

static uint64_t written(const struct generator *g)
{
	return g->flushed + (uint64_t)(g->end - g->buffer);
}

/* ---- Chance ---- */

/* xorshift64*, by Vigna. */
static inline uint64_t chance(struct generator *g)
{
	g->random ^= g->random >> 12;
	g->random ^= g->random << 25;
	g->random ^= g->random >> 27;
	return g->random * UINT64_C(0x2545f4914f6cdd1d);
}

/* 0 … n-1, for n of up to 32 bits. */
static inline uint64_t below(struct generator *g, uint64_t n)
{
	return (chance(g) >> 32) * n >> 32;
}

/* A number of 1 to 14 bits; half of them have less than 5. */
static uint64_t some_count(struct generator *g)
{
	uint64_t a = below(g, 14), b = below(g, 14);
	return 1 + below(g, UINT64_C(2) << (a < b ? a : b));
}

/* ---- What belongs to a record ---- */

static bool is_root(const struct generator *g, uint32_t index)
{
	return index + 2 >= g->o->functions;
}

static uint32_t function_of(const struct generator *g, uint32_t index)
{
	return g->o->contexts ? index / RECORDS_OF_FUNCTION : index;
}

static uint32_t source_of(const struct generator *g, uint32_t index)
{
	return function_of(g, index) / FUNCTIONS_OF_FILE;
}

/* Valgrind writes one object after the other. Here they take turns, so that there are as many calls
 * between them as in its files although callees wait for a short time only. */
static uint32_t object_of(const struct generator *g, uint32_t index)
{
	uint32_t records = FUNCTIONS_OF_FILE * (g->o->contexts ? RECORDS_OF_FUNCTION : 1);
	uint32_t turn = smaller(RECORDS_OF_TURN, 1 + g->o->functions / OBJECTS);
	/* Sources are not divided between objects. */
	return index / records * records / turn % OBJECTS;
}

/* Without instructions and lines alike, there would be nothing to write. */
static bool has_lines(const struct generator *g, uint32_t index)
{
	return !g->o->instr || object_of(g, index) % 4 == 3;
}

static uint32_t file_of(const struct generator *g, uint32_t index)
{
	return has_lines(g, index) ? FIRST_SOURCE + source_of(g, index) : UNKNOWN_FILE;
}

/* Valgrind's numbers are in the order of its hash table: in none. */
static uint32_t id_of(const struct generator *g, uint32_t index)
{
	return ((index * UINT32_C(0x9e3779b1)) & g->id_mask) + 1;
}

/* ---- Lines that name something ---- */

static void write_object(struct generator *g, const char *key, uint32_t object)
{
	char *at = put_id(put_text(g->end, key), object + 1);
	if (object >= g->objects_named) {
		*at++ = ' ';
		at = put_object_name(at, object);
		g->objects_named = object + 1;
	}
	*at++ = '\n';
	g->end = at;
}

/* True once for each file. */
static bool is_new_file(struct generator *g, uint32_t file)
{
	bool is_new;
	if (file >= FIRST_SOURCE) {
		is_new = file - FIRST_SOURCE >= g->sources_named;
		if (is_new)
			g->sources_named = file - FIRST_SOURCE + 1;
	} else {
		is_new = !(g->shared_files_named >> file & 1);
		g->shared_files_named |= UINT32_C(1) << file;
	}
	return is_new;
}

static void write_file(struct generator *g, const char *key, uint32_t file)
{
	char *at = put_id(put_text(g->end, key), file);
	if (is_new_file(g, file)) {
		*at++ = ' ';
		if (file == UNKNOWN_FILE)
			at = put_text(at, "???");
		else if (file < FIRST_SOURCE)
			at = put_header_name(at, file - FIRST_HEADER);
		else
			at = put_source_name(at, file - FIRST_SOURCE);
	}
	*at++ = '\n';
	g->end = at;
}

static char *put_record_name(const struct generator *g, char *at, uint32_t index)
{
	uint32_t function = function_of(g, index);
	if (is_root(g, index))
		return put_text(at, index + 2 == g->o->functions ? "main" : "(below main)");
	at = put_function_name(at, function);
	if (!g->o->contexts)
		return at;
	if (index % RECORDS_OF_FUNCTION == 0)
		at = put_text(at, "'2");
	return put_context(at, function, index, function_of(g, g->o->functions));
}

static void write_function(struct generator *g, const char *key, uint32_t index)
{
	char *at = put_id(put_text(g->end, key), id_of(g, index));
	if (index >= g->functions_named) {
		*at++ = ' ';
		at = put_record_name(g, at, index);
		g->functions_named = index + 1;
	}
	*at++ = '\n';
	g->end = at;
}

/* ---- Positions and costs ---- */

/* Relative up to 99, as Valgrind has it. */
static inline char *put_relative(char *at, uint64_t to, uint64_t from, bool is_address)
{
	uint64_t distance = to > from ? to - from : from - to;
	if (distance >= 100)
		return is_address ? put_hex(at, to, 1) : put_number(at, to);
	if (distance == 0) {
		*at = '*';
		return at + 1;
	}
	*at++ = to > from ? '+' : '-';
	return put_number(at, distance);
}

/* With a blank after. Line 0, no line, is never relative. */
static inline char *put_position(const struct generator *g, char *at, const struct position *to)
{
	if (g->o->instr) {
		at = put_relative(at, to->address, g->at.address, true);
		*at++ = ' ';
	}
	if (to->line)
		at = put_relative(at, to->line, g->at.line, false);
	else
		*at++ = '0';
	*at++ = ' ';
	return at;
}

/* Without the zeros at the end, but at least one number. */
static inline char *put_costs(const struct generator *g, char *at, const uint64_t *costs)
{
	unsigned n = g->o->events;
	while (n > 1 && costs[n - 1] == 0)
		n--;
	at = put_number(at, costs[0]);
	for (unsigned e = 1; e < n; e++) {
		*at++ = ' ';
		at = put_number(at, costs[e]);
	}
	*at++ = '\n';
	return at;
}

static inline void add_costs(const struct generator *g, uint64_t *sum, const uint64_t *costs)
{
	for (unsigned e = 0; e < g->o->events; e++)
		sum[e] += costs[e];
}

static inline void write_line(struct generator *g, const struct position *to, const uint64_t *costs)
{
	g->end = put_costs(g, put_position(g, g->end, to), costs);
	g->at = *to;
}

static inline void write_self(struct generator *g, const struct position *to, const uint64_t *costs)
{
	write_line(g, to, costs);
	add_costs(g, g->self, costs);
}

/* What one instruction, or without --instr the code of a line, costs: `r` decides. */
static inline void draw_costs(const struct generator *g, uint64_t r, uint64_t *costs)
{
	uint64_t n = g->executions;

	costs[IR] = g->o->instr ? n : n * (1 + (r & 7));
	if (g->o->events == 1)
		return;
	r >>= 3;
	unsigned kind = r & 31, miss = r >> 5 & 31;
	uint64_t some = 1 + ((n - 1) >> (r >> 10 & 15));
	if (kind < 7) {
		costs[DR] = n;
		costs[D1MR] = miss < 5 ? some : 0;
		costs[DLMR] = miss == 0 ? some : 0;
	} else if (kind < 12) {
		costs[DW] = n;
		costs[D1MW] = miss < 5 ? some : 0;
		costs[DLMW] = miss == 0 ? some : 0;
	} else if (kind < 16) {
		costs[BC] = n;
		costs[BCM] = miss < 26 ? some : 0;
	} else if (kind == 16 && miss < 4) {
		costs[BI] = n;
		costs[BIM] = some;
	}
	if (kind > 28)
		costs[I1MR] = costs[ILMR] = 1 + (n >> 10);
}

/* Goes on by one instruction; lines go to and fro. */
static inline void step(const struct generator *g, uint64_t r, struct position *to)
{
	static const signed char moves[2][16] = {
		{ 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 5, -1, -2, -4, 17, -9 },
		{ 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, -1, 9, -6 },
	};
	to->address += 2 + (r & 7);
	if (!to->line)
		return;
	to->line += (uint64_t)(int64_t)moves[g->o->instr][r >> 3 & 15];
	/* Not above the function; and sometimes to code that was inlined from far away. */
	if (to->line < g->here.entry.line || (r >> 7 & 15) == 0)
		to->line = g->here.entry.line + (r >> 11 & 511);
}

static void write_straight_code(struct generator *g, unsigned lines)
{
	while (lines-- > 0) {
		uint64_t r = chance(g), costs[MAX_EVENTS];
		struct position to = g->at;
		for (unsigned e = 0; e < g->o->events; e++)
			costs[e] = 0;
		step(g, r, &to);
		draw_costs(g, r >> 32, costs);
		write_self(g, &to, costs);
	}
}

/* ---- Jumps ---- */

/* Mostly forward, and not out of the function. */
static struct position draw_target(const struct generator *g, uint64_t r)
{
	struct position to = g->at;
	uint64_t away = r & 255;
	bool back = (r >> 8 & 3) == 0 && to.address - g->here.entry.address > away;

	to.address += back ? -away : away;
	if (to.line)
		to.line = g->here.entry.line + (r >> 16 & 127);
	return to;
}

static void write_jump(struct generator *g)
{
	uint64_t r = chance(g);
	struct position to = draw_target(g, r >> 32);
	bool conditional = r & 1;

	make_room(g);
	if (to.line && (r >> 8 & 63) == 0)
		write_file(g, "jfi=", FIRST_HEADER + (uint32_t)(r >> 16) % HEADERS);
	char *at = put_text(g->end, conditional ? "jcnd=" : "jump=");
	if (conditional) {
		at = put_number(at, g->executions >> (r >> 1 & 3));
		*at++ = '/';
	}
	at = put_number(at, g->executions);
	*at++ = ' ';
	at = put_position(g, at, &to);
	*at++ = '\n';
	/* Where it comes from, without a cost. */
	at = put_position(g, at, &g->at);
	*at++ = '\n';
	g->end = at;
	if (r & 8) /* the target comes next */
		write_self(g, &to, (uint64_t[MAX_EVENTS]){ g->executions });
}

/* ---- Calls ---- */

/* `count` of the calls of f leave it with their share of its costs. */
static void take(const struct generator *g, struct function *f, uint64_t count, uint64_t *costs)
{
	for (unsigned e = 0; e < g->o->events; e++) {
		/* Who comes last pays what does not divide. */
		costs[e] = count == f->calls ? f->costs[e] : f->costs[e] / f->calls * count;
		f->costs[e] -= costs[e];
	}
	f->calls -= count;
}

static void write_call(struct generator *g, const struct function *f, uint64_t count,
		       const uint64_t *costs)
{
	make_room(g);
	if (f->object != g->object)
		write_object(g, "cob=", f->object);
	if (f->file != g->file)
		write_file(g, "cfi=", f->file);
	write_function(g, "cfn=", f->index);
	char *at = put_number(put_text(g->end, "calls="), count);
	*at++ = ' ';
	at = put_position(g, at, &f->entry);
	*at++ = '\n';
	at = put_position(g, at, &g->at);
	g->end = put_costs(g, at, costs);
}

static void call(struct generator *g, struct function *f, uint64_t count)
{
	uint64_t costs[MAX_EVENTS];
	take(g, f, count, costs);
	write_call(g, f, count, costs);
	add_costs(g, g->here.costs, costs);
}

static void call_whole(struct generator *g, uint32_t slot)
{
	call(g, &g->waiting[slot], g->waiting[slot].calls);
	g->waiting[slot] = g->waiting[--g->nwaiting];
}

/* The more functions wait, the more often does one get its last call. */
static void call_any(struct generator *g)
{
	if (g->nwaiting == 0)
		return;
	uint32_t slot = (uint32_t)below(g, g->nwaiting);
	struct function *f = &g->waiting[slot];
	if (f->calls == 1 || below(g, g->max_waiting) < g->nwaiting / 2)
		call_whole(g, slot);
	else
		call(g, f, 1 + below(g, f->calls - 1));
}

/* Cost that comes in by the call that it goes out by: it can be anything. */
static void call_itself(struct generator *g)
{
	write_call(g, &g->here, g->executions, g->self);
}

/* ---- Functions ---- */

/* Code of a header that was inlined, or again that of the function. */
static void change_file(struct generator *g)
{
	uint32_t own = g->here.file, file = own;
	uint64_t r = chance(g);
	if (own == UNKNOWN_FILE)
		return;
	if (r % 8 == 0)
		file = FIRST_HEADER + (uint32_t)(r >> 32) % HEADERS;
	if (file != g->file)
		write_file(g, file == own ? "fe=" : "fi=", file);
	g->file = file;
}

/* Straight code and what ends it. */
static void write_block(struct generator *g)
{
	uint64_t r = chance(g);
	unsigned shift = r & 3;
	/* Executed more often than the function is called, or in some of the calls only. */
	g->executions = r & 4 ? g->times << shift : (g->times >> shift) + 1;
	make_room(g);
	change_file(g);
	write_straight_code(g, g->o->instr ? 3 + (r >> 3 & 7) : 1 + (r >> 3 & 7));
	if (g->o->jumps && (r >> 8 & 7) < 5)
		write_jump(g);
	else if ((r >> 11 & 63) == 0)
		call_itself(g);
	else if ((g->o->instr && !g->o->contexts) || r >> 17 & 1)
		call_any(g);
}

static void write_body(struct generator *g, uint64_t size)
{
	uint64_t end = written(g) + size;

	write_block(g);
	if (!is_root(g, g->next.index) && chance(g) & (1 << 20))
		call(g, &g->next_left, 1 + below(g, g->next.calls - 1));
	while (written(g) < end)
		write_block(g);
	/* There must be a place for this one. */
	if (g->nwaiting == g->max_waiting)
		call_whole(g, (uint32_t)below(g, g->nwaiting));
}

/* The costs of the first line are drawn before it is written, for the call that comes before. */
static void draw_next(struct generator *g, uint32_t index, uint64_t address)
{
	struct function next = { .index = index, .entry.address = address };
	next.object = object_of(g, index);
	next.file = file_of(g, index);
	if (has_lines(g, index))
		next.entry.line = 20 + below(g, 4000);
	next.calls = is_root(g, index) ? 1 : 1 + some_count(g);
	next.costs[IR] = next.costs[DW] = next.calls;
	next.costs[I1MR] = next.costs[ILMR] = 1;
	g->next = g->next_left = next;
}

/* Up to the first line, which has an absolute position. */
static void begin_function(struct generator *g)
{
	uint32_t object = g->next.object, file = g->next.file;

	make_room(g);
	*g->end++ = '\n';
	if (object != g->object)
		write_object(g, "ob=", object);
	if (file != g->file)
		write_file(g, "fl=", file);
	write_function(g, "fn=", g->next.index);
	g->object = object;
	g->file = file;
	g->at = (struct position){ 0 };
	write_line(g, &g->next.entry, g->next.costs);
	add_costs(g, g->totals, g->next.costs);

	g->here = g->next_left;
	g->times = g->next.calls;
	memset(g->self, 0, sizeof g->self);
}

static void end_function(struct generator *g)
{
	uint32_t own = g->here.file;
	if (g->file != own)
		write_file(g, "fe=", own);
	g->file = own;
	add_costs(g, g->here.costs, g->self);
	add_costs(g, g->totals, g->self);
	g->waiting[g->nwaiting++] = g->here;
}

/* Many functions are short and few are long: the mean is `mean`. */
static uint64_t draw_size(struct generator *g, uint64_t mean)
{
	uint64_t x = below(g, 1024);
	return mean * 4 * x / 1024 * x / 1024 * x / 1024;
}

static void write_functions(struct generator *g, uint64_t end)
{
	uint32_t last = g->o->functions - 3;

	draw_next(g, 0, 0x401000);
	for (uint32_t i = 0; i <= last; i++) {
		uint64_t left = written(g) < end ? end - written(g) : 0;
		uint64_t size = i < last ? draw_size(g, left / (last + 1 - i)) : left;
		begin_function(g);
		/* No instruction is longer than its line. */
		draw_next(g, i + 1, g->here.entry.address + 16 + size / 16 * 16);
		write_body(g, size);
		end_function(g);
	}
}

/* main calls all that nobody else has called, and (below main) calls main. */
static void write_roots(struct generator *g)
{
	for (uint32_t i = g->o->functions - 2; i < g->o->functions; i++) {
		begin_function(g);
		draw_next(g, i + 1, g->here.entry.address + 4096);
		g->executions = 1;
		write_straight_code(g, 3);
		while (g->nwaiting > 0)
			call_whole(g, g->nwaiting - 1);
		end_function(g);
	}
}

/* ---- The file ---- */

static void write_sums(struct generator *g, const char *key, const uint64_t *sums)
{
	char *at = put_text(g->end, key);
	for (unsigned e = 0; e < g->o->events; e++) {
		*at++ = ' ';
		at = put_number(at, sums[e]);
	}
	*at++ = '\n';
	g->end = at;
}

/* Valgrind names caches that were not simulated, too. */
static char *put_cache(const struct generator *g, char *at, const char *cache, const char *what)
{
	at = put_text(put_text(put_text(at, "desc: "), cache), " cache: ");
	if (g->o->events > I1MR)
		at = put_text(at, what);
	*at++ = '\n';
	return at;
}

static void write_header(struct generator *g, const uint64_t *summary)
{
	char *at = put_text(g->end, "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n"
				    "pid: 4711\ncmd:  generated\npart: 1\n\n\n");
	at = put_cache(g, at, "I1", "32768 B, 64 B, 8-way associative");
	at = put_cache(g, at, "D1", "32768 B, 64 B, 8-way associative");
	at = put_cache(g, at, "LL", "8388608 B, 64 B, 16-way associative");
	at = put_text(at, "\ndesc: Timerange: Basic block 0 - 132054469\n"
			  "desc: Trigger: Program termination\n\n");
	at = put_text(at, g->o->instr ? "positions: instr line\n" : "positions: line\n");
	at = put_text(at, "events:");
	for (unsigned e = 0; e < g->o->events; e++) {
		*at++ = ' ';
		at = put_text(at, event_names[e]);
	}
	*at++ = '\n';
	g->end = at;
	write_sums(g, "summary:", summary);
	*g->end++ = '\n';
}

/* Leaves the totals in g, for the summary of the next time. */
static void write_profile(struct generator *g, const struct options *o, bool silent)
{
	uint64_t summary[MAX_EVENTS];

	memcpy(summary, g->totals, sizeof summary);
	memset(g, 0, offsetof(struct generator, buffer));
	g->o = o;
	g->silent = silent;
	g->random = UINT64_C(0x9e3779b97f4a7c15);
	g->object = UINT32_MAX;
	g->end = g->buffer;
	for (g->id_mask = 1; g->id_mask < o->functions;)
		g->id_mask = g->id_mask << 1 | 1;
	g->max_waiting = smaller(MAX_WAITING, 2 + o->functions / 8);

	write_header(g, summary);
	/* The header's length must not count: it is another one the first time. */
	uint64_t roots = g->max_waiting * (40 + UINT64_C(8) * o->events);
	write_functions(g, written(g) + (o->size > roots ? o->size - roots : 0));
	write_roots(g);
	make_room(g);
	*g->end++ = '\n';
	write_sums(g, "totals:", g->totals);
	flush(g);
}

int main(int argc, char **argv)
{
	static struct generator g;
	struct options o = { 0 };

	if (!parse_options(argc, argv, &o)) {
		fputs("usage: generate [--functions N] [--events N] [--contexts] [--instr] "
		      "[--jumps] SIZE\n",
		      stderr);
		return 2;
	}
	/* The header has the totals: once for them, and once more for the file. */
	write_profile(&g, &o, true);
	write_profile(&g, &o, false);
	if (fflush(stdout) || ferror(stdout)) {
		perror("generate: cannot write");
		return 1;
	}
	return 0;
}
