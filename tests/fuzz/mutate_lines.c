/*
 * How libFuzzer changes a text of lines: those of it and of other inputs are repeated, left out,
 * swapped, and moved; numbers in them become others. The totals of a profile are sometimes made
 * right again, so that what comes after the check of sums is tried as well.
 */
#include "cgprofile/reader.h"
#include "tests/fuzz/fuzz.h"

#ifdef LIBFUZZER

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *out, size_t most, unsigned seed);

struct text {
	char *bytes;
	size_t len, most;
};

struct span {
	size_t at, len;
};

static uint32_t below(unsigned *seed, size_t limit)
{
	*seed = *seed * 1664525u + 1013904223u;
	return limit ? (uint32_t)((*seed >> 4) % limit) : 0;
}

/* The line around a byte, with its end. */
static struct span line_at(const char *bytes, size_t len, size_t at)
{
	size_t from = at, to = at;

	while (from > 0 && bytes[from - 1] != '\n')
		from--;
	while (to < len && bytes[to] != '\n')
		to++;
	return (struct span){ from, to - from + (to < len) };
}

static struct span some_line(const struct text *t, unsigned *seed)
{
	return line_at(t->bytes, t->len, below(seed, t->len));
}

/* Puts bytes, which are not of the text itself, in the place of some. */
static void replace(struct text *t, struct span old, const char *bytes, size_t len)
{
	if (t->len - old.len + len > t->most)
		return;
	memmove(t->bytes + old.at + len, t->bytes + old.at + old.len, t->len - old.at - old.len);
	memcpy(t->bytes + old.at, bytes, len);
	t->len += len - old.len;
}

static void copy_line(struct text *t, struct span line, size_t to)
{
	char *copy = strndup(t->bytes + line.at, line.len);
	replace(t, (struct span){ to, 0 }, copy, strlen(copy));
	free(copy);
}

static void swap_lines(struct text *t, unsigned *seed)
{
	struct span a = some_line(t, seed);
	char *copy = strndup(t->bytes + a.at, a.len);

	replace(t, a, "", 0);
	if (t->len)
		replace(t, (struct span){ some_line(t, seed).at, 0 }, copy, strlen(copy));
	free(copy);
}

static void change_number(struct text *t, unsigned *seed)
{
	static const char *const numbers[] = { "0",
					       "1",
					       "2",
					       "-1",
					       "+3",
					       "*",
					       "16",
					       "0x10",
					       "99999999",
					       "4294967295",
					       "9223372036854775807",
					       "18446744073709551615" };
	enum { COUNT = sizeof numbers / sizeof *numbers };
	struct span line = some_line(t, seed);
	size_t at = line.at + below(seed, line.len), len = 0;

	while (at < t->len && !(t->bytes[at] >= '0' && t->bytes[at] <= '9'))
		at++;
	while (at + len < t->len && t->bytes[at + len] >= '0' && t->bytes[at + len] <= '9')
		len++;
	const char *number = numbers[below(seed, COUNT)];
	if (len)
		replace(t, (struct span){ at, len }, number, strlen(number));
}

/* What stands before the first "=" or ":" of a line becomes that of another one. */
static void change_key(struct text *t, unsigned *seed)
{
	static const char *const keys[] = {
		"fn=",    "cfn=",  "fl=",   "fi=",      "fe=",         "ob=",    "cob=",  "cfi=",
		"calls=", "jump=", "jcnd=", "events: ", "positions: ", "part: ", "desc: "
	};
	enum { COUNT = sizeof keys / sizeof *keys };
	struct span line = some_line(t, seed);
	size_t len = strcspn(t->bytes + line.at, "=:\n");
	const char *key = keys[below(seed, COUNT)];

	if (len < line.len)
		replace(t, (struct span){ line.at, len + (t->bytes[line.at + len] != '\n') }, key,
			strlen(key));
}

static void mutate_once(struct text *t, unsigned *seed)
{
	struct span line = t->len ? some_line(t, seed) : (struct span){ 0, 0 };

	switch (t->len ? below(seed, 7) : 7) {
	case 0:
		copy_line(t, line, line.at);
		break;
	case 1:
		copy_line(t, line, some_line(t, seed).at);
		break;
	case 2:
		replace(t, line, "", 0);
		break;
	case 3:
		swap_lines(t, seed);
		break;
	case 4:
		change_key(t, seed);
		break;
	case 5:
	case 6:
		change_number(t, seed);
		break;
	default:
		t->len = LLVMFuzzerMutate((uint8_t *)t->bytes, t->len, t->most);
	}
}

/* ---- totals ---- */

/* What the costs of a file that is read leniently add up to; NULL: it is refused even so. */
static char *right_totals(const struct text *t)
{
	const struct cg_read_options options = { .lenient = true };
	struct cg_profile *p = NULL;
	char *text = NULL;
	size_t size;
	FILE *to;

	if (cg_read_memory(t->bytes, t->len, "", &options, &p, NULL))
		return NULL;
	to = open_memstream(&text, &size);
	for (uint32_t e = 0; e < p->nevents; e++)
		fprintf(to, " %" PRId64, p->total[e]);
	fputc('\n', to);
	fclose(to);
	cg_profile_free(p);
	return text;
}

static void make_totals_right(struct text *t)
{
	static const char *const keys[] = { "summary:", "totals:" };
	char *totals = right_totals(t);

	for (size_t at = 0; totals && at < t->len;) {
		struct span line = line_at(t->bytes, t->len, at);
		for (size_t i = 0; i < 2; i++) {
			size_t len = strlen(keys[i]);
			if (line.len > len && memcmp(t->bytes + line.at, keys[i], len) == 0)
				replace(t, (struct span){ line.at + len, line.len - len }, totals,
					strlen(totals));
		}
		at = line.at + line_at(t->bytes, t->len, line.at).len;
	}
	free(totals);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	struct text t = { malloc(most + 1), size, most };

	/* What is made smaller may be larger than the most. */
	if (below(&seed, 3) == 0 || size > most) {
		free(t.bytes);
		return LLVMFuzzerMutate(data, size, most);
	}
	memcpy(t.bytes, data, size);
	t.bytes[t.len] = '\0';
	for (uint32_t n = 1 + below(&seed, 4); n; n--) {
		mutate_once(&t, &seed);
		t.bytes[t.len] = '\0';
	}
	if (below(&seed, 2))
		make_totals_right(&t);
	memcpy(data, t.bytes, t.len);
	free(t.bytes);
	return t.len;
}

/* Lines of the one, in turns with some of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *out, size_t most, unsigned seed)
{
	const char *from[] = { (const char *)one, (const char *)other };
	size_t left[] = { size, other_size }, used = 0;
	unsigned which = 0;

	while (left[which] || left[!which]) {
		which = left[which] && below(&seed, 4) ? which : !which;
		struct span line = left[which] ? line_at(from[which], left[which], 0)
					       : (struct span){ 0, 0 };
		if (used + line.len > most)
			break;
		memcpy(out + used, from[which], line.len);
		used += line.len;
		from[which] += line.len;
		left[which] -= line.len;
	}
	return used;
}

#endif
