#include "callgrind/scan.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/error.h"
#include "callgrind/support/grow.h"

/*
 * A line is scanned only in the form that all producers write: positions and
 * costs with one blank between them, perhaps one at the end, no carriage
 * return. Anything else is left to the reader, errors included.
 */

static inline uint64_t load(const char *at)
{
	uint64_t word;
	memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* How many of the next 8 bytes are digits before the first that is none. */
static inline unsigned count_digits(uint64_t word)
{
	/* Digits become 0 … 9, and only these have no bit above the lowest four, neither
	 * now nor with 6 added. A carry can only reach bytes behind the first other one. */
	uint64_t x = word ^ UINT64_C(0x3030303030303030);
	uint64_t other = ((x + UINT64_C(0x0606060606060606)) | x) & UINT64_C(0xf0f0f0f0f0f0f0f0);
	return other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
}

/* The number that `len` (1 to 8) leading digits of a word make. */
static inline uint64_t digits_value(uint64_t word, unsigned len)
{
	word <<= 64 - 8 * len;
	word &= UINT64_C(0x0f0f0f0f0f0f0f0f);
	word = word * 10 + (word >> 8);
	return (((word & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064)) +
		(((word >> 16) & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001))) >>
	       32;
}

/* A number of up to 15 digits; longer ones are for the reader. */
static inline const char *scan_number(const char *at, uint64_t *value)
{
	/* Most costs have one digit. */
	unsigned digit = (unsigned)(*at - '0');
	if (digit < 10 && at[1] <= ' ') {
		*value = digit;
		return at + 1;
	}
	uint64_t word = load(at);
	unsigned len = count_digits(word);
	if (len == 0)
		return NULL;
	*value = digits_value(word, len);
	if (len < 8)
		return at + len;

	at += 8;
	word = load(at);
	len = count_digits(word);
	if (len == 8)
		return NULL;
	if (len) {
		static const uint32_t powers[] = { 1,     10,     100,     1000,
						   10000, 100000, 1000000, 10000000 };
		*value = *value * powers[len] + digits_value(word, len);
	}
	return at + len;
}

static bool is_hex(char c)
{
	return (unsigned)(c - '0') < 10 || (unsigned)((c | 0x20) - 'a') < 6;
}

/* One position and what ends it; NULL if it is none. */
static inline const char *skip_position(const char *at)
{
	if (*at == '*')
		return at + 1;
	/* Most are a small step from the one before. */
	if (*at == '+' && (unsigned)(at[1] - '0') < 10 && at[2] <= ' ')
		return at + 2;
	bool relative = *at == '+' || *at == '-';
	at += relative;
	if (at[0] == '0' && at[1] == 'x') {
		const char *digits = at += 2;
		while (is_hex(*at))
			at++;
		/* A relative one this long may leave the range. */
		return at > digits && at <= digits + (relative ? 15 : 16) ? at : NULL;
	}
	unsigned len = count_digits(load(at));
	/* Lines reach 2^32, ten digits: the few of more than seven go to the reader. */
	return len > 0 && len < 8 ? at + len : NULL;
}

/* Positions, each with the blank behind it. */
static inline const char *skip_positions(const char *at, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		at = skip_position(at);
		if (!at || *at != ' ')
			return NULL;
		at++;
	}
	return at;
}

/* Adds the costs up to the newline to `sum`; NULL and no change if it cannot.
 * Numbers below 10^15 cannot overflow in sums of fewer than 2^10: the caller
 * bounds runs so. */
static inline const char *add_costs(const char *at, int64_t *sum, uint32_t ncolumns)
{
	const char *start = at;
	uint32_t column = 0;
	uint64_t cost;

	while (*at != '\n') {
		if (column == ncolumns || !(at = scan_number(at, &cost)))
			goto undo;
		sum[column++] += (int64_t)cost;
		if (*at == ' ')
			at++;
		else if (*at != '\n')
			goto undo;
	}
	return at;
undo:
	for (at = start; column > 0; column--, sum++) {
		at = scan_number(at, &cost);
		*sum -= (int64_t)cost;
		at += *at == ' ';
	}
	return NULL;
}

static int add_step(struct scan *s, const struct scan_step *step)
{
	if (cg_grow(&s->steps, &s->steps_cap, s->nsteps + 1, sizeof *s->steps))
		return CG_ENOMEM;
	s->steps[s->nsteps++] = *step;
	return CG_OK;
}

/* A row of zeros for the costs of the next step. */
static int64_t *add_row(struct scan *s, uint32_t ncolumns)
{
	if (cg_grow(&s->costs, &s->costs_cap, s->ncosts + ncolumns, sizeof *s->costs))
		return NULL;
	int64_t *row = s->costs + s->ncosts;
	memset(row, 0, ncolumns * sizeof *row);
	s->ncosts += ncolumns;
	return row;
}

static void drop_row(struct scan *s, uint32_t ncolumns)
{
	s->ncosts -= ncolumns;
}

struct window {
	struct scan *scan;
	const struct scan_format *format;
	const char *at, *end;
	uint32_t line;
};

static inline bool at_cost_line(const struct window *w)
{
	/* Behind the end stands a newline. */
	char c = *w->at;
	return (unsigned)(c - '0') < 10 || c == '+' || c == '*' || c == '-';
}

static const char *line_end(const struct window *w)
{
	return memchr(w->at, '\n', (size_t)(w->end - w->at));
}

static int give_text(struct window *w)
{
	const char *end = line_end(w);
	struct scan_step step = {
		.kind = SCAN_TEXT, .line = w->line, .text = w->at, .len = (size_t)(end - w->at)
	};
	int status = step.len ? add_step(w->scan, &step) : CG_OK;
	w->at = end + 1;
	w->line++;
	return status;
}

/* One line, or a run of them; *taken is how many were in the usual form. */
static int scan_self(struct window *w, uint32_t *taken)
{
	enum { LONGEST_RUN = 1000 };
	const struct scan_format *f = w->format;
	int64_t *row = add_row(w->scan, f->ncolumns);
	struct scan_step step = {
		.kind = SCAN_SELF, .line = w->line, .text = w->at, .cost = w->at
	};
	uint32_t longest = f->add_up ? LONGEST_RUN : 1;

	*taken = 0;
	if (!row)
		return CG_ENOMEM;
	while (*taken < longest && at_cost_line(w)) {
		const char *costs = skip_positions(w->at, f->npositions);
		const char *end = costs ? add_costs(costs, row, f->ncolumns) : NULL;
		if (!end)
			break;
		if (*taken == 0)
			step.len = step.cost_len = (size_t)(end - w->at);
		w->at = end + 1;
		++*taken;
	}
	w->line += *taken;
	if (*taken)
		return add_step(w->scan, &step);
	drop_row(w->scan, f->ncolumns);
	return CG_OK;
}

/* Both lines of a call, or nothing. */
static int scan_call(struct window *w, bool *taken)
{
	const struct scan_format *f = w->format;
	struct scan_step step = { .kind = SCAN_CALL, .line = w->line, .text = w->at };
	const char *at = scan_number(w->at + sizeof "calls=" - 1, &step.count);

	*taken = false;
	if (!at || *at != ' ')
		return CG_OK;
	at = skip_positions(at + 1, f->npositions - 1);
	if (at)
		at = skip_position(at);
	if (!at)
		return CG_OK;
	at += *at == ' ';
	if (*at != '\n' || at + 1 >= w->end)
		return CG_OK;

	struct window next = { .at = at + 1, .end = w->end };
	const char *costs = at_cost_line(&next) ? skip_positions(next.at, f->npositions) : NULL;
	if (!costs)
		return CG_OK;
	int64_t *row = add_row(w->scan, f->ncolumns);
	if (!row)
		return CG_ENOMEM;
	const char *end = add_costs(costs, row, f->ncolumns);
	if (!end) {
		drop_row(w->scan, f->ncolumns);
		return CG_OK;
	}
	step.len = (size_t)(next.at - 1 - step.text);
	step.cost = next.at;
	step.cost_len = (size_t)(end - next.at);
	w->at = end + 1;
	w->line += 2;
	*taken = true;
	return add_step(w->scan, &step);
}

/* A jump and the position behind it carry no cost. */
static bool skip_jump(struct window *w)
{
	const char *at = line_end(w) + 1;
	if (at >= w->end)
		return false;
	const char *rest = skip_positions(at, w->format->npositions - 1);
	rest = rest ? skip_position(rest) : NULL;
	if (!rest)
		return false;
	rest += *rest == ' ';
	if (*rest != '\n')
		return false;
	w->at = rest + 1;
	w->line += 2;
	return true;
}

static bool starts_with(const struct window *w, const char *word, size_t len)
{
	return (size_t)(w->end - w->at) > len && memcmp(w->at, word, len) == 0;
}

/* The same behind blanks, which are unusual: such lines are for the reader. */
static bool starts_pair(struct window w)
{
	while (w.at < w.end && (*w.at == ' ' || *w.at == '\t'))
		w.at++;
	return starts_with(&w, "calls=", 6) || starts_with(&w, "jump=", 5) ||
	       starts_with(&w, "jcnd=", 5);
}

static bool at_nothing(const struct window *w)
{
	const char *at = w->at;
	while (*at == ' ' || *at == '\t' || *at == '\r')
		at++;
	return *at == '\n' || *at == '#';
}

/* A line that says what the next one means must reach the reader with it. */
static int give_pair(struct window *w)
{
	int status = give_text(w);
	while (!status && w->at < w->end && at_nothing(w))
		status = give_text(w);
	return !status && w->at < w->end ? give_text(w) : status;
}

static int scan_line(struct window *w)
{
	bool costs = w->format->ncolumns > 0;

	if (at_cost_line(w)) {
		uint32_t taken = 0;
		int status = costs ? scan_self(w, &taken) : CG_OK;
		return status || taken ? status : give_text(w);
	}
	if (starts_with(w, "calls=", 6)) {
		bool taken = false;
		int status = costs ? scan_call(w, &taken) : CG_OK;
		return status || taken ? status : give_pair(w);
	}
	if (starts_with(w, "jump=", 5) || starts_with(w, "jcnd=", 5))
		return costs && skip_jump(w) ? CG_OK : give_pair(w);
	bool blank = w->at < w->end && (*w->at == ' ' || *w->at == '\t');
	return blank && starts_pair(*w) ? give_pair(w) : give_text(w);
}

int cg_scan_window(struct scan *s, const struct scan_format *format, const char *window, size_t len,
		   size_t max_steps)
{
	struct window w = { s, format, window, window + len, 0 };
	int status = CG_OK;

	s->nsteps = s->ncosts = 0;
	while (!status && w.at < w.end && s->nsteps < max_steps)
		status = scan_line(&w);
	s->lines = w.line;
	s->used = (size_t)(w.at - window);
	return status;
}

void cg_scan_free(struct scan *s)
{
	free(s->steps);
	free(s->costs);
	*s = (struct scan){ 0 };
}
