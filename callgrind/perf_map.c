#include "cgprofile/perf_map.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/error.h"

/* Longer names are cut: every calling context repeats them. */
#define NAME_MOST 500
#define FILE_MOST 4096

/* A line of the file; later ones have higher numbers. */
struct map_range {
	uint64_t start, end;
	size_t symbol;
};

/* Where the symbol of a line is valid, as none after it overlaps. */
struct map_piece {
	uint64_t start, end;
	size_t symbol;
};

struct cg_perf_map {
	struct cg_perf_symbol *symbols; /* name and file are one allocation */
	size_t nsymbols, symbols_cap;
	struct map_piece *pieces; /* ascending, disjoint */
	size_t npieces, pieces_cap;
};

/* What is needed only while a map is read. */
struct map_reading {
	struct cg_perf_map *map;
	struct map_range *ranges;
	size_t nranges, ranges_cap;
	struct map_range *heap; /* those that begin before a place, the latest line first */
	size_t nheap;
};

/* ---- one line ---- */

static int perf_hex_digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

/* Reads a hexadecimal number and the blanks after it. */
static bool take_perf_hex(const char **at, const char *end, uint64_t *number)
{
	const char *c = *at;
	uint64_t value = 0;

	if (end - c > 2 && c[0] == '0' && (c[1] == 'x' || c[1] == 'X'))
		c += 2;
	const char *first = c;
	for (; c < end && perf_hex_digit(*c) >= 0; c++) {
		if (value >> 60)
			return false;
		value = value << 4 | (uint64_t)perf_hex_digit(*c);
	}
	if (c == first || c == end || *c != ' ')
		return false;
	while (c < end && *c == ' ')
		c++;
	*at = c;
	*number = value;
	return true;
}

/* Takes ":DIGITS" off the end of a text. */
static bool drop_number(const char *text, size_t *len, uint32_t *number)
{
	uint64_t value = 0, unit = 1;
	size_t at = *len;

	for (; at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9'; unit *= 10)
		if (unit > UINT32_MAX)
			return false;
		else
			value += unit * (uint64_t)(text[--at] - '0');
	if (at == *len || at == 0 || text[at - 1] != ':' || value > UINT32_MAX)
		return false;
	*len = at - 1;
	*number = (uint32_t)value;
	return true;
}

/* A name as it is in a line, and its parts. */
struct map_name {
	const char *kind, *name, *file; /* "JS:", "parse", "/src/parse.js"; not terminated */
	size_t kind_len, name_len, file_len;
	uint32_t line;
	bool interpreted;
};

static bool begins_so(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

/* "py::NAME:FILE" */
static bool split_python(struct map_name *n)
{
	static const char kind[] = "py::";
	if (!begins_so(n->name, n->name_len, kind))
		return false;

	n->interpreted = true;
	const char *name = n->name + sizeof kind - 1;
	const char *colon = memchr(name, ':', n->name_len - (sizeof kind - 1));
	if (colon) {
		n->file = colon + 1;
		n->file_len = n->name_len - (size_t)(n->file - n->name);
		n->name_len = (size_t)(colon - n->name);
	}
	return true;
}

/* Where the path begins in "NAME PATH": paths may have blanks, names seldom do. */
static size_t find_path(const char *text, size_t len)
{
	static const char *const begins[] = { " /", " file://", " node:" };
	size_t last = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] != ' ')
			continue;
		for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
			if (begins_so(text + i, len - i, begins[k]))
				return i + 1;
		last = i + 1;
	}
	return last;
}

/* "KIND:~NAME PATH:LINE:COLUMN", where ~ is the tier of V8's compiler, or no such sign. */
static void split_script(struct map_name *n)
{
	static const char *const kinds[] = { "JS:", "LazyCompile:", "Function:", "Script:",
					     "Eval:" };
	static const char url[] = "file://";
	size_t len = n->name_len;
	uint32_t number, column;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t kind = strlen(kinds[i]);
		if (!begins_so(n->name, len, kinds[i]))
			continue;
		n->kind = n->name;
		n->kind_len = kind;
		kind += kind < len && memchr("~^+*", n->name[kind], 4);
		n->name += kind;
		n->name_len = len -= kind;
	}
	if (!drop_number(n->name, &len, &number))
		return;
	n->line = drop_number(n->name, &len, &column) ? column : number;
	size_t path = find_path(n->name, len);
	if (path == 0 || path == len) {
		n->line = 0;
		return;
	}
	n->file = n->name + path;
	n->file_len = len - path;
	n->name_len = path - 1;
	if (begins_so(n->file, n->file_len, url)) {
		n->file += sizeof url - 1;
		n->file_len -= sizeof url - 1;
	}
}

static struct map_name split_name(const char *text, size_t len)
{
	struct map_name n = { .kind = text, .name = text, .name_len = len };

	if (!split_python(&n))
		split_script(&n);
	if (n.kind_len && n.name_len == 0) {
		n.name = "(anonymous)";
		n.name_len = strlen(n.name);
	}
	if (n.file_len == 0 || n.file_len > FILE_MOST)
		n.file_len = 0;
	return n;
}

/* Copies what a profile can have in a name. */
static char *put_symbol_text(char *to, const char *from, size_t len, char apostrophe)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)from[i];
		*to++ = c < ' ' || c == 127 ? '?' : c == '\'' ? apostrophe : from[i];
	}
	return to;
}

/* A cut does not end within a character of UTF-8. */
static size_t cut_name(const char *name, size_t len)
{
	if (len <= NAME_MOST)
		return len;
	len = NAME_MOST;
	while (len > 0 && ((unsigned char)name[len] & 0xc0) == 0x80)
		len--;
	return len;
}

static int add_symbol(struct cg_perf_map *map, const char *text, size_t len)
{
	struct map_name n = split_name(text, len);
	size_t name_len = cut_name(n.name, n.name_len);

	if (cg_grow(&map->symbols, &map->symbols_cap, map->nsymbols + 1, sizeof *map->symbols))
		return CG_ENOMEM;
	char *name = malloc(n.kind_len + name_len + 1 + n.file_len + 1);
	if (!name)
		return CG_ENOMEM;
	char *to = put_symbol_text(name, n.kind, n.kind_len, '`');
	to = put_symbol_text(to, n.name, name_len, '`');
	*to++ = '\0';
	const char *file = n.file_len ? to : NULL;
	*put_symbol_text(to, n.file ? n.file : "", n.file_len, '\'') = '\0';
	map->symbols[map->nsymbols++] = (struct cg_perf_symbol){
		.name = name,
		.file = file,
		.line = file ? n.line : 0,
		.interpreted = n.interpreted,
	};
	return CG_OK;
}

static int parse_map_line(struct map_reading *r, const char *at, const char *end)
{
	uint64_t start, size, last;

	if (end > at && end[-1] == '\r')
		end--;
	if (!take_perf_hex(&at, end, &start) || !take_perf_hex(&at, end, &size) || at == end ||
	    size == 0 || __builtin_add_overflow(start, size, &last))
		return CG_OK;
	if (cg_grow(&r->ranges, &r->ranges_cap, r->nranges + 1, sizeof *r->ranges))
		return CG_ENOMEM;
	r->ranges[r->nranges++] = (struct map_range){ start, last, r->map->nsymbols };
	return add_symbol(r->map, at, (size_t)(end - at));
}

/* ---- which line is right where ---- */

static int by_start(const void *a, const void *b)
{
	const struct map_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

static void swap_ranges(struct map_range *a, struct map_range *b)
{
	struct map_range t = *a;
	*a = *b;
	*b = t;
}

static void heap_add(struct map_reading *r, const struct map_range *range)
{
	size_t i = r->nheap++;

	r->heap[i] = *range;
	for (; i > 0 && r->heap[i].symbol > r->heap[(i - 1) / 2].symbol; i = (i - 1) / 2)
		swap_ranges(&r->heap[i], &r->heap[(i - 1) / 2]);
}

static void heap_drop(struct map_reading *r)
{
	size_t i = 0;

	r->heap[0] = r->heap[--r->nheap];
	for (;;) {
		size_t child = 2 * i + 1;
		if (child + 1 < r->nheap && r->heap[child + 1].symbol > r->heap[child].symbol)
			child++;
		if (child >= r->nheap || r->heap[child].symbol < r->heap[i].symbol)
			break;
		swap_ranges(&r->heap[i], &r->heap[child]);
		i = child;
	}
}

static int add_piece(struct cg_perf_map *map, uint64_t start, uint64_t end, size_t symbol)
{
	struct map_piece *last = map->npieces ? &map->pieces[map->npieces - 1] : NULL;

	if (last && last->symbol == symbol && last->end == start) {
		last->end = end;
		return CG_OK;
	}
	if (cg_grow(&map->pieces, &map->pieces_cap, map->npieces + 1, sizeof *map->pieces))
		return CG_ENOMEM;
	map->pieces[map->npieces++] = (struct map_piece){ start, end, symbol };
	return CG_OK;
}

/* Goes up through the addresses: at each, the latest line is right that has it. */
static int cut_ranges(struct map_reading *r)
{
	uint64_t at = 0;
	size_t next = 0;
	int status = CG_OK;

	while (!status && (next < r->nranges || r->nheap)) {
		if (!r->nheap)
			at = r->ranges[next].start;
		while (next < r->nranges && r->ranges[next].start == at)
			heap_add(r, &r->ranges[next++]);
		const struct map_range *right = &r->heap[0];
		uint64_t end = next < r->nranges && r->ranges[next].start < right->end
				       ? r->ranges[next].start
				       : right->end;
		status = add_piece(r->map, at, end, right->symbol);
		at = end;
		while (r->nheap && r->heap[0].end <= at)
			heap_drop(r);
	}
	return status;
}

/* ---- the whole ---- */

int cg_perf_map_parse(const char *bytes, size_t len, struct cg_perf_map **out)
{
	struct map_reading r = { .map = calloc(1, sizeof *r.map) };
	const char *end = bytes + len;
	int status = r.map ? CG_OK : CG_ENOMEM;

	for (const char *at = bytes; !status && at < end;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			stop = end;
		status = parse_map_line(&r, at, stop);
		at = stop + (stop < end);
	}
	if (!status && r.nranges) {
		qsort(r.ranges, r.nranges, sizeof *r.ranges, by_start);
		r.heap = calloc(r.nranges, sizeof *r.heap);
		status = r.heap ? cut_ranges(&r) : CG_ENOMEM;
	}
	free(r.ranges);
	free(r.heap);
	if (status)
		cg_perf_map_free(r.map);
	else
		*out = r.map;
	return status;
}

void cg_perf_map_free(struct cg_perf_map *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->nsymbols; i++)
		free((char *)(uintptr_t)map->symbols[i].name);
	free(map->symbols);
	free(map->pieces);
	free(map);
}

static const struct map_piece *find_piece(const struct cg_perf_map *map, uint64_t address)
{
	size_t low = 0, high = map ? map->npieces : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (map->pieces[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return map && low < map->npieces && map->pieces[low].start <= address ? &map->pieces[low]
									      : NULL;
}

const struct cg_perf_symbol *cg_perf_map_find(const struct cg_perf_map *map, uint64_t address)
{
	const struct map_piece *piece = find_piece(map, address);

	return piece ? &map->symbols[piece->symbol] : NULL;
}

bool cg_perf_map_begins(const struct cg_perf_map *map, uint64_t address)
{
	const struct map_piece *piece = find_piece(map, address);

	return piece && piece->start == address;
}
