#include "src/text/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "callgrind/support/text.h"
#include "cgprofile/error.h"

/* The functions that build numbers write them from their end, where `at` points:
 * a table of all functions has tens of thousands, too many for printf. */
static char *put_grouped(char *at, uint64_t n)
{
	for (unsigned count = 1;; count++) {
		*--at = (char)('0' + n % 10);
		n /= 10;
		if (n == 0)
			return at;
		if (count % 3 == 0)
			*--at = ',';
	}
}

static char *put_digits(char *at, unsigned __int128 n, unsigned least)
{
	for (unsigned count = 0; n || count < least; count++) {
		*--at = (char)('0' + (unsigned)(n % 10));
		n /= 10;
	}
	return at;
}

const char *text_count(uint64_t n, char *buffer)
{
	char number[TEXT_NUMBER], *end = number + sizeof number, *at = put_grouped(end, n);
	memcpy(buffer, at, (size_t)(end - at));
	buffer[end - at] = '\0';
	return buffer;
}

const char *text_cost(int64_t cost, char *buffer)
{
	buffer[0] = '-';
	text_count(cg_magnitude(cost), buffer + (cost < 0));
	return buffer;
}

const char *text_delta(int64_t base, int64_t head, char *buffer)
{
	buffer[0] = head > base ? '+' : '-';
	text_count(cg_distance(base, head), buffer + (head != base));
	return buffer;
}

/* At most three digits and three places. A smaller size is printed as less than 0.001, so that no
 * change is 0; the sign comes first, as it is the direction. */
static void print_percent(const char *sign, double size, char *buffer)
{
	int places = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.0095 ? 2 : 3;
	char number[TEXT_NUMBER];

	if (size < 0.001)
		snprintf(buffer, TEXT_NUMBER, "%s<0.001%%", sign);
	else if (size >= 999.5 && size < 1e18)
		snprintf(buffer, TEXT_NUMBER, "%s%s%%", sign,
			 text_count((uint64_t)(size + 0.5), number));
	else
		snprintf(buffer, TEXT_NUMBER, "%s%.*f%%", sign, places, size);
}

static double percent_of(uint64_t size, int64_t whole)
{
	return (double)size * 100 / (double)cg_magnitude(whole);
}

static void print_signed_percent(int64_t base, int64_t head, int64_t whole, char *buffer)
{
	print_percent(head < base ? "-" : "+", percent_of(cg_distance(base, head), whole), buffer);
}

const char *text_change(int64_t base, int64_t head, char *buffer)
{
	if (base == head)
		snprintf(buffer, TEXT_NUMBER, "0%%");
	else if (base == 0)
		snprintf(buffer, TEXT_NUMBER, "new");
	else
		print_signed_percent(base, head, base, buffer);
	return buffer;
}

const char *text_share_of_base(int64_t base, int64_t head, int64_t total, char *buffer)
{
	if (total == 0)
		snprintf(buffer, TEXT_NUMBER, "-");
	else if (base == head)
		snprintf(buffer, TEXT_NUMBER, "0%%");
	else
		print_signed_percent(base, head, total, buffer);
	return buffer;
}

const char *text_part(int64_t n, int64_t total, char *buffer)
{
	if (n == 0)
		snprintf(buffer, TEXT_NUMBER, "0%%");
	else if (total == 0)
		snprintf(buffer, TEXT_NUMBER, "n/a");
	else
		print_percent((n < 0) != (total < 0) ? "-" : "", percent_of(cg_magnitude(n), total),
			      buffer);
	return buffer;
}

/* n / total in units of a `scale`th, rounded. */
static unsigned __int128 scaled_share(uint64_t n, uint64_t total, unsigned scale)
{
	if (n < UINT64_MAX / scale / 2 && total < UINT64_MAX / 2)
		return (n * scale + total / 2) / total;
	return ((unsigned __int128)n * scale + total / 2) / total;
}

const char *text_share(int64_t n, int64_t total, char *buffer)
{
	enum { WIDTH = 6 };
	char number[TEXT_NUMBER], *end = number + sizeof number, *at = end;
	uint64_t size = cg_magnitude(n), whole = total ? cg_magnitude(total) : 1;

	if (total == 0 && n != 0) {
		snprintf(buffer, TEXT_NUMBER, "   n/a");
		return buffer;
	}
	unsigned decimals = 2;
	unsigned __int128 share = scaled_share(size, whole, 10000);
	if (share > 9999) {
		decimals = 1;
		share = scaled_share(size, whole, 1000);
	}
	unsigned unit = decimals == 2 ? 100 : 10;
	*--at = '%';
	at = put_digits(at, share % unit, decimals);
	*--at = '.';
	at = put_digits(at, share / unit, 1);
	if (share && (n < 0) != (total < 0))
		*--at = '-';
	while (end - at < WIDTH)
		*--at = ' ';
	memcpy(buffer, at, (size_t)(end - at));
	buffer[end - at] = '\0';
	return buffer;
}

const char *text_bytes(uint64_t bytes, char *buffer)
{
	static const char *const units[] = { "kB", "MB", "GB" };
	const double next = 999.95; /* is written as 1000.0 */
	double size = (double)bytes / 1000;
	size_t unit = 0;

	for (; size >= next && unit + 1 < sizeof units / sizeof *units; unit++)
		size /= 1000;
	snprintf(buffer, TEXT_NUMBER, "%.1f %s", size, units[unit]);
	return buffer;
}

const char *text_calls(uint64_t base, uint64_t head, char *buffer)
{
	char first[TEXT_NUMBER], second[TEXT_NUMBER];
	const char *b = base ? text_count(base, first) : "–";
	const char *h = head ? text_count(head, second) : "–";

	snprintf(buffer, TEXT_PAIR, "%s%s%s", base == head ? "" : b, base == head ? "" : " → ", h);
	return buffer;
}

const char *text_per_call(int64_t cost, uint64_t calls, char *buffer)
{
	uint64_t size = cg_magnitude(cost);

	if (!calls)
		return "–";
	if (size >= calls || !size)
		return text_cost((int64_t)(cost / (__int128)calls), buffer);
	if ((double)size < 0.01 * (double)calls)
		snprintf(buffer, TEXT_NUMBER, "<0.01");
	else
		snprintf(buffer, TEXT_NUMBER, "%.2f", (double)cost / (double)calls);
	return buffer;
}

/* With this many decimals, the last one rounded down. */
static void print_mean(int64_t cost, uint64_t calls, int decimals, char buffer[TEXT_NUMBER])
{
	const uint64_t size = cg_magnitude(cost);
	unsigned __int128 rest = size % calls;
	char whole[TEXT_NUMBER];
	int used = snprintf(buffer, TEXT_NUMBER, "%s%s.", cost < 0 ? "-" : "",
			    text_count(size / calls, whole));

	for (int i = 0; i < decimals && used + 1 < TEXT_NUMBER; i++) {
		rest *= 10;
		buffer[used++] = (char)('0' + (int)(rest / calls));
		rest %= calls;
	}
	buffer[used] = '\0';
}

const char *text_per_call_pair(int64_t base, uint64_t base_calls, int64_t head, uint64_t head_calls,
			       char buffer[TEXT_PAIR])
{
	enum { MOST_DECIMALS = 6 };
	char b[TEXT_NUMBER], h[TEXT_NUMBER], more_of_base[TEXT_NUMBER], more_of_head[TEXT_NUMBER];
	const char *x = text_per_call(base, base_calls, b);
	const char *y = text_per_call(head, head_calls, h);
	bool same = strcmp(x, y) == 0;

	for (int n = 1; same && base_calls && head_calls && n <= MOST_DECIMALS; n++) {
		print_mean(base, base_calls, n, more_of_base);
		print_mean(head, head_calls, n, more_of_head);
		same = strcmp(more_of_base, more_of_head) == 0;
		x = same ? x : more_of_base;
		y = same ? y : more_of_head;
	}
	snprintf(buffer, TEXT_PAIR, "%s%s%s", same ? "" : x, same ? "" : " → ", y);
	return buffer;
}

const char *text_calls_word(uint64_t base, uint64_t head)
{
	bool one = (base == 1 && head <= 1) || (head == 1 && base == 0);
	return one ? "call" : "calls";
}

bool text_is_known(const char *name)
{
	return strcmp(name, "???") != 0;
}

static bool is_harmful(uint32_t c)
{
	return cg_is_control(c) || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) || c == 0xfeff;
}

static bool is_plain_ascii(const char *text)
{
	while (*text >= ' ' && *text < 127)
		text++;
	return *text == '\0';
}

char *text_safe(const char *text)
{
	if (is_plain_ascii(text))
		return strdup(text);
	size_t len = strlen(text), used = 0;
	char *safe = malloc(4 * len + 1);
	if (!safe)
		return NULL;

	for (size_t i = 0, n; i < len; i += n) {
		uint32_t c = 0;
		n = cg_utf8_decode(text + i, len - i, &c);
		bool keep = n && !is_harmful(c);
		n = n ? n : 1;
		for (size_t k = i; k < i + n; k++) {
			if (keep)
				safe[used++] = text[k];
			else
				used += (size_t)snprintf(safe + used, 5, "\\x%02x",
							 (unsigned char)text[k]);
		}
	}
	safe[used] = '\0';
	return safe;
}

static bool starts_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* Characters count as one column each: wide scripts in function names are rare
 * enough to accept a ragged edge. */
size_t text_width(const char *text)
{
	size_t width = 0;
	for (; *text; text++)
		width += starts_character(*text);
	return width;
}

const char *text_skip(const char *text, size_t columns)
{
	while (*text && columns) {
		text++;
		if (starts_character(*text))
			columns--;
	}
	return text;
}

char *text_cut(const char *name, unsigned width)
{
	char *safe = text_safe(name), *text;
	size_t have = safe ? text_width(safe) : 0;

	if (!safe || width < 4 || have <= width)
		return safe;
	size_t left = (width - 1) / 2, right = width - 1 - left;
	const char *cut = text_skip(safe, left);
	if (asprintf(&text, "%.*s…%s", (int)(cut - safe), safe, text_skip(safe, have - right)) < 0)
		text = NULL;
	free(safe);
	return text;
}

void text_print_name(FILE *to, const char *name, unsigned width)
{
	char *text = text_cut(name, width);
	fputs(text ? text : "(out of memory)", to);
	free(text);
}

/* Where two paths part: after the slash that ends the last directory that contains both. */
static size_t common_directory(const char *path, const char *here)
{
	size_t common = 0, i = 0;

	for (; path[i] && path[i] == here[i]; i++)
		if (path[i] == '/')
			common = i + 1;
	return path[i] == '/' && !here[i] ? i + 1 : common;
}

void text_print_path(FILE *to, const char *path, const char *here)
{
	enum { MOST_UP = 3, UP = 3 }; /* UP: length of "../" */
	const size_t common = here && *path == '/' ? common_directory(path, here) : 0;
	size_t up = 0;

	/* Only the root in common: not in the same place. */
	if (common > 1 && common <= strlen(here)) {
		up = 1;
		for (const char *s = here + common; *s; s++)
			up += *s == '/';
	}
	if (common <= 1 || up > MOST_UP || up * UP >= common) {
		text_print_name(to, path, 0);
		return;
	}
	while (up--)
		fputs("../", to);
	text_print_name(to, path + common, 0);
}

void text_print_source(FILE *to, const char *line)
{
	enum { TAB = 8 };
	size_t column = 0;

	while (*line) {
		size_t len = strcspn(line, "\t");
		char *piece = strndup(line, len), *safe = piece ? text_safe(piece) : NULL;
		fputs(safe ? safe : "(out of memory)", to);
		column += safe ? text_width(safe) : 0;
		free(safe);
		free(piece);
		line += len;
		for (; *line == '\t'; line++) {
			size_t blanks = TAB - column % TAB;
			fprintf(to, "%*s", (int)blanks, "");
			column += blanks;
		}
	}
}

char *text_source(const char *line, unsigned width)
{
	char *all = NULL, *text;
	size_t size;
	FILE *to = open_memstream(&all, &size);

	if (!to)
		return NULL;
	text_print_source(to, line);
	if (fclose(to) != 0) {
		free(all);
		return NULL;
	}
	if (!width || text_width(all) <= width)
		return all;
	if (asprintf(&text, "%.*s…", (int)(text_skip(all, width - 1) - all), all) < 0)
		text = NULL;
	free(all);
	return text;
}

const char *text_red(const struct text_style *s)
{
	return s->color ? "\033[31m" : "";
}

const char *text_green(const struct text_style *s)
{
	return s->color ? "\033[32m" : "";
}

const char *text_bold(const struct text_style *s)
{
	return s->color ? "\033[1m" : "";
}

const char *text_dim(const struct text_style *s)
{
	return s->color ? "\033[2m" : "";
}

const char *text_plain(const struct text_style *s)
{
	return s->color ? "\033[0m" : "";
}

/* A name may be hostile: it must not widen every row. NULL: out of memory; free() it. */
static char *column_name(const struct text_columns *c, size_t column)
{
	enum { WIDEST = 32 };
	return text_cut(cg_string(c->p, c->p->events[c->events[column]].name), WIDEST);
}

void text_columns_free(struct text_columns *c)
{
	free(c->widths);
	c->widths = NULL;
}

int text_columns_init(struct text_columns *c, const struct cg_profile *p, const uint32_t *events,
		      size_t count)
{
	*c = (struct text_columns){ .p = p, .events = events, .count = count };
	c->widths = calloc(count + 1, sizeof *c->widths);
	if (!c->widths)
		return CG_ENOMEM;
	for (size_t i = 0; i < count; i++) {
		char *name = column_name(c, i);
		if (!name) {
			text_columns_free(c);
			return CG_ENOMEM;
		}
		c->widths[i] = (int)text_width(name);
		free(name);
	}
	return CG_OK;
}

/* Returns the length. */
static size_t format_cost(const struct text_columns *c, size_t column, const int64_t *costs,
			  char *buffer)
{
	uint32_t event = c->events[column];

	if (!costs || costs[event] == 0) {
		static const char none[] = ".         ";
		memcpy(buffer, none, sizeof none);
		buffer[0] = costs ? '.' : ' ';
		return sizeof none - 1;
	}
	text_cost(costs[event], buffer);
	size_t len = strlen(buffer);
	buffer[len++] = ' ';
	buffer[len++] = '(';
	text_share(costs[event], c->p->total[event], buffer + len);
	len += strlen(buffer + len);
	buffer[len++] = ')';
	return len;
}

void text_columns_fit(struct text_columns *c, const int64_t *costs)
{
	for (size_t i = 0; i < c->count; i++) {
		char buffer[2 * TEXT_NUMBER];
		int width = (int)format_cost(c, i, costs, buffer);
		if (width > c->widths[i])
			c->widths[i] = width;
	}
}

void text_columns_print_names(FILE *to, const struct text_columns *c)
{
	for (size_t i = 0; i < c->count; i++) {
		char *name = column_name(c, i);
		fputs(name ? name : "", to);
		for (size_t have = text_width(name ? name : ""); have <= (size_t)c->widths[i];
		     have++)
			fputc(' ', to);
		free(name);
	}
}

void text_columns_print(FILE *to, const struct text_columns *c, const int64_t *costs)
{
	for (size_t i = 0; i < c->count; i++) {
		char cost[2 * TEXT_NUMBER], cell[2 * TEXT_NUMBER + 1];
		size_t len = format_cost(c, i, costs, cost), width = (size_t)c->widths[i];
		if (width < len)
			width = len;
		memset(cell, ' ', width - len);
		memcpy(cell + width - len, cost, len);
		cell[width] = ' ';
		fwrite(cell, 1, width + 1, to);
	}
}
