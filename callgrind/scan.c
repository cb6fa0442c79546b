#include "callgrind/scan.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/digits.h"
#include "callgrind/scan_avx2.h"
#include "callgrind/scan_avx512.h"
#include "callgrind/support/grow.h"
#include "cgprofile/error.h"

/* A scan ends early where lines are so short, or have so many costs, that their
 * steps would take much more memory than the window. */
#define MOST_STEPS (15 * 1024)
#define MOST_COSTS (160 * 1024)

/*
 * A line is scanned only in the form that all producers write: positions and
 * costs with one blank between them, perhaps one at the end, no carriage
 * return. Anything else is left to the reader, errors included.
 */

/* A number of up to 15 digits; longer ones are for the reader. */
static inline const char *scan_number(const char *at, uint64_t *value)
{
	/* Most costs have one digit. */
	unsigned digit = (unsigned)(*at - '0');
	if (digit < 10 && at[1] <= ' ') {
		*value = digit;
		return at + 1;
	}
	uint64_t word = cg_load8(at);
	unsigned len = cg_count_digits(word);
	if (len == 0)
		return NULL;
	*value = cg_digits_value(word, len);
	if (len < 8)
		return at + len;

	at += 8;
	word = cg_load8(at);
	len = cg_count_digits(word);
	if (len == 8)
		return NULL;
	if (len) {
		static const uint32_t powers[] = { 1,     10,     100,     1000,
						   10000, 100000, 1000000, 10000000 };
		*value = *value * powers[len] + cg_digits_value(word, len);
	}
	return at + len;
}

static bool scan_is_hex(char c)
{
	return (unsigned)(c - '0') < 10 || (unsigned)((c | 0x20) - 'a') < 6;
}

/* After hexadecimal digits, eight of which most addresses do not exceed. */
static inline const char *skip_hex(const char *at)
{
	unsigned len = cg_count_hex_digits(cg_load8(at));

	at += len;
	while (len == 8 && scan_is_hex(*at))
		at++;
	return at;
}

/* One position and what ends it; NULL if it is not a position. */
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
		at = skip_hex(at);
		/* A relative one this long may leave the range. */
		return at > digits && at <= digits + (relative ? 15 : 16) ? at : NULL;
	}
	unsigned len = cg_count_digits(cg_load8(at));
	/* Lines reach 2^32, ten digits: the few of more than eight go to the reader. */
	bool longer = len == 8 && (unsigned)(at[8] - '0') < 10;
	return len > 0 && !longer ? at + len : NULL;
}

/* Positions, each with the blank after it. */
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
static inline const char *scan_add_costs(const char *at, int64_t *sum, uint32_t ncolumns)
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

/* The next step, which the caller fills and may drop; NULL without memory. */
static inline struct scan_step *add_step(struct scan *s)
{
	if (__builtin_expect(s->nsteps == s->steps_cap, 0) &&
	    cg_grow(&s->steps, &s->steps_cap, s->nsteps + 1, sizeof *s->steps))
		return NULL;
	return &s->steps[s->nsteps++];
}

/* A row of zeros for the costs of the next step. */
static inline int64_t *scan_add_row(struct scan *s, uint32_t ncolumns)
{
	if (__builtin_expect(s->ncosts + ncolumns > s->costs_cap, 0) &&
	    cg_grow(&s->costs, &s->costs_cap, s->ncosts + ncolumns, sizeof *s->costs))
		return NULL;
	int64_t *row = s->costs + s->ncosts;
	if (ncolumns == 1)
		*row = 0;
	else
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
	size_t self;     /* where in `costs` self costs are added up … */
	uint32_t summed; /* … and of how many lines; 0: nowhere yet */
	bool at_zero;    /* the first of them has line number 0: what has no source */
};

static inline bool at_cost_line(const struct window *w)
{
	/* A newline follows the end. */
	char c = *w->at;
	return (unsigned)(c - '0') < 10 || c == '+' || c == '*' || c == '-';
}

static const char *line_end(const struct window *w)
{
	return memchr(w->at, '\n', (size_t)(w->end - w->at));
}

static bool starts_with(const struct window *w, const char *word, size_t len)
{
	return (size_t)(w->end - w->at) > len && memcmp(w->at, word, len) == 0;
}

static int scan_give_text(struct window *w)
{
	const char *end = line_end(w);
	int status = CG_OK;

	if (end > w->at) {
		struct scan_step *step = add_step(w->scan);
		if (step) {
			step->kind = SCAN_TEXT;
			step->line = w->line;
			step->text = w->at;
			step->len = (size_t)(end - w->at);
		}
		status = step ? CG_OK : CG_ENOMEM;
	}
	w->at = end + 1;
	w->line++;
	w->summed = 0;
	return status;
}

/* The key of a line KEY=NAME, and the place after it. */
static enum name_key scan_name_key(const char *at, const char **after)
{
	enum { LONGEST = 4 };
	size_t len = 0;

	/* Most lines. */
	if (at[0] == 'f' && at[1] == 'n' && at[2] == '=') {
		*after = at + 3;
		return NAME_FUNCTION;
	}
	if (at[0] == 'c' && at[1] == 'f' && at[2] == 'n' && at[3] == '=') {
		*after = at + 4;
		return NAME_CALLEE;
	}
	while (len <= LONGEST && (unsigned)(at[len] - 'a') < 26)
		len++;
	*after = at + len + 1;
	return at[len] == '=' ? cg_name_key(at, len) : NAME_NONE;
}

/* "(N)" in the form of all writers, of up to eight digits; what follows it, NULL if it has another
 * form. */
static inline const char *scan_id(const char *at, uint64_t *id)
{
	if (*at != '(')
		return NULL;
	uint64_t word = cg_load8(at + 1);
	unsigned len = cg_count_digits(word);
	if (len == 0 || at[1 + len] != ')')
		return NULL;
	*id = cg_digits_value(word, len);
	return at + len + 2;
}

/* The newline that ends a name in the form of all writers; NULL if it has another one. */
static const char *name_end_of(const struct window *w)
{
	enum scan_vectors vectors = w->format->vectors;
	const char *end = vectors == SCAN_AVX512 ? cg_line_end_avx512(w->at)
			  : vectors == SCAN_AVX2 ? cg_line_end_avx2(w->at)
						 : line_end(w);

	if (*end == '\0' || (!vectors && memchr(w->at, '\0', (size_t)(end - w->at))))
		return NULL;
	return end[-1] == '\r' ? NULL : end;
}

/* A line KEY=NAME; *taken is whether it is one. */
static int scan_name(struct window *w, bool *taken)
{
	const struct scan_format *f = w->format;
	const char *at, *end;
	enum name_key key = scan_name_key(w->at, &at);

	*taken = false;
	if (key == NAME_NONE)
		return CG_OK;
	struct name_line reference = { .key = (uint8_t)key, .has_id = true };
	const char *after = scan_id(at, &reference.id);
	bool refers = after && *after == '\n';
	end = refers ? after : name_end_of(w);
	if (!end)
		return CG_OK;
	struct scan_step *step = add_step(w->scan);
	if (!step)
		return CG_ENOMEM;
	step->kind = SCAN_NAME;
	step->line = w->line;
	step->text = w->at;
	step->len = (size_t)(end - w->at);
	if (refers)
		step->name = reference;
	else
		cg_name_line_parse(&step->name, key, (struct line){ w->at, at, end }, &f->names);
	w->at = end + 1;
	w->line++;
	if (!cg_name_of_target(key))
		w->summed = 0;
	*taken = true;
	return CG_OK;
}

/* Adds the costs of one line to a row. */
static bool scan_cost_line(struct window *w, int64_t *row)
{
	const struct scan_format *f = w->format;
	const char *costs = skip_positions(w->at, f->npositions);
	const char *end = costs ? scan_add_costs(costs, row, f->ncolumns) : NULL;
	if (!end)
		return false;
	w->at = end + 1;
	w->line++;
	return true;
}

/* The last position of a line in the usual form; NULL if it has another one. */
static const char *last_position(const struct window *w)
{
	return skip_positions(w->at, w->format->npositions - 1);
}

static bool is_alone(const char *at, char c)
{
	return at && at[0] == c && at[1] == ' ';
}

/* Whether a line may be added to the lines before it. */
static bool may_join(const struct window *w)
{
	if (w->format->joining == SCAN_ALL)
		return true;
	const char *at = last_position(w);
	return is_alone(at, '*') || (w->at_zero && is_alone(at, '0'));
}

enum scan_vectors cg_scan_vectors(void)
{
	return cg_have_avx512() ? SCAN_AVX512 : cg_have_avx2() ? SCAN_AVX2 : SCAN_NO_VECTORS;
}

/* What vectors can take at once. */
static bool scan_with_vectors(struct window *w, int64_t *row)
{
	const struct scan_format *f = w->format;
	uint32_t lines = 0;
	if (f->vectors == SCAN_AVX512 && f->ncolumns <= AVX512_COLUMNS)
		w->at = cg_sum_lines_avx512(w->at, f, w->at_zero, row, &lines);
	else if (f->vectors)
		w->at = cg_sum_lines_avx2(w->at, f, w->at_zero, row, &lines);
	w->line += lines;
	return lines > 0;
}

/* A line whose costs are a new step, which the lines after it may join. */
static int begin_self(struct window *w, bool *taken)
{
	struct scan *s = w->scan;
	const char *text = w->at;
	const uint32_t line = w->line;
	int64_t *row = scan_add_row(s, w->format->ncolumns);
	if (!row)
		return CG_ENOMEM;
	w->at_zero = w->format->joining == SCAN_SAME_LINE && is_alone(last_position(w), '0');
	*taken = (w->format->joining == SCAN_ALL && scan_with_vectors(w, row)) ||
		 scan_cost_line(w, row);
	if (!*taken) {
		drop_row(s, w->format->ncolumns);
		w->summed = 0;
		return CG_OK;
	}
	struct scan_step *step = add_step(s);
	if (!step)
		return CG_ENOMEM;
	const char *end = memchr(text, '\n', (size_t)(w->at - text));
	step->kind = SCAN_SELF;
	step->line = line;
	step->text = step->cost = text;
	step->len = step->cost_len = (size_t)(end - text);
	step->count = 0;
	w->self = s->ncosts - w->format->ncolumns;
	w->summed = 1;
	return CG_OK;
}

/* Adds up as many lines as possible. */
static void join_self(struct window *w, uint32_t most)
{
	/* If one line is not in the form for vectors, the next ones may not be either. */
	enum { FEW = 1, MANY = 16 };
	int64_t *row = w->scan->costs + w->self;

	while (w->summed < most && at_cost_line(w) && may_join(w)) {
		uint32_t alone = w->summed + (scan_with_vectors(w, row) ? FEW : MANY);
		for (; w->summed < alone && w->summed < most && at_cost_line(w); w->summed++)
			if (!may_join(w) || !scan_cost_line(w, row))
				return;
	}
}

/* One line, or as many as may be added up; *taken is whether the first was in
 * the usual form. */
static int scan_self(struct window *w, bool *taken)
{
	/* Costs of the usual form are below 10^15, so sums of so many fit. Those that
	 * vectors take are below 10^8, and no window has too many of these. */
	enum { MOST_LINES = 1000 };
	const char *before = w->at;
	int status = CG_OK;

	if (w->format->joining == SCAN_EACH)
		return begin_self(w, taken);
	if (w->summed == 0 || w->summed >= MOST_LINES || !may_join(w))
		status = begin_self(w, taken);
	if (!status && w->summed)
		join_self(w, MOST_LINES);
	*taken = w->at > before;
	return status;
}

/* Both lines of a call, or nothing. */
static int scan_call(struct window *w, bool *taken)
{
	const struct scan_format *f = w->format;
	uint64_t count;
	const char *at = scan_number(w->at + sizeof "calls=" - 1, &count);

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
	int64_t *row = scan_add_row(w->scan, f->ncolumns);
	if (!row)
		return CG_ENOMEM;
	const char *end = scan_add_costs(costs, row, f->ncolumns);
	if (!end || f->no_calls)
		drop_row(w->scan, f->ncolumns);
	if (!end)
		return CG_OK;
	struct scan_step *step = add_step(w->scan);
	if (!step)
		return CG_ENOMEM;
	step->kind = SCAN_CALL;
	step->line = w->line;
	step->text = w->at;
	step->len = (size_t)(next.at - 1 - w->at);
	step->cost = next.at;
	step->cost_len = (size_t)(end - next.at);
	step->count = count;
	w->at = end + 1;
	w->line += 2;
	/* The line of the call may be what those after it are relative to. */
	if (f->joining == SCAN_SAME_LINE)
		w->summed = 0;
	*taken = true;
	return CG_OK;
}

/* A jump and the position after it carry no cost. */
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

/* The same after blanks, which are unusual: such lines are for the reader. */
static bool scan_starts_pair(struct window w)
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

/* A line that determines the meaning of the next one must reach the reader with it; the next one
 * may be such a line again. */
static int give_pair(struct window *w)
{
	bool more = true;
	int status = CG_OK;
	while (!status && more && w->at < w->end) {
		more = at_nothing(w) || scan_starts_pair(*w);
		status = scan_give_text(w);
	}
	return status;
}

static int scan_costs_line(struct window *w)
{
	bool costs = w->format->ncolumns > 0;

	if (at_cost_line(w)) {
		bool taken = false;
		int status = costs ? scan_self(w, &taken) : CG_OK;
		return status || taken ? status : scan_give_text(w);
	}
	if (*w->at == '\n') {
		w->at++;
		w->line++;
		w->summed = 0;
		return CG_OK;
	}
	if (starts_with(w, "calls=", 6)) {
		bool taken = false;
		int status = costs ? scan_call(w, &taken) : CG_OK;
		return status || taken ? status : give_pair(w);
	}
	if (starts_with(w, "jump=", 5) || starts_with(w, "jcnd=", 5))
		return costs && !w->format->jumps && skip_jump(w) ? CG_OK : give_pair(w);
	bool named;
	int status = scan_name(w, &named);
	if (status || named)
		return status;
	bool blank = w->at < w->end && (*w->at == ' ' || *w->at == '\t');
	return blank && scan_starts_pair(*w) ? give_pair(w) : scan_give_text(w);
}

int cg_scan_window(struct scan *s, const struct scan_format *format, const char *window, size_t len,
		   size_t max_steps)
{
	struct window w = { .scan = s, .format = format, .at = window, .end = window + len };
	int status = CG_OK;

	if (max_steps > MOST_STEPS)
		max_steps = MOST_STEPS;
	s->nsteps = s->ncosts = 0;
	while (!status && w.at < w.end && s->nsteps < max_steps && s->ncosts < MOST_COSTS)
		status = scan_costs_line(&w);
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
