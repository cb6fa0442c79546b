/* What callgrind writes, and everything else that has calls. */
#include "callgrind/scan.h"
#include "cgprofile/writer.h"
#include "tests/fuzz/reading.h"

/* ---- one scanner and another ---- */

static bool same_name(const struct name_line *a, const struct name_line *b)
{
	return a->id == b->id && a->name == b->name && a->len == b->len &&
	       a->own_len == b->own_len && a->context_off == b->context_off &&
	       a->level == b->level && a->hash == b->hash && a->context_hash == b->context_hash &&
	       a->key == b->key && a->has_id == b->has_id;
}

static bool same_step(const struct scan_step *a, const struct scan_step *b)
{
	if (a->kind != b->kind || a->line != b->line || a->text != b->text || a->len != b->len)
		return false;
	if (a->kind == SCAN_NAME)
		return same_name(&a->name, &b->name);
	return a->kind < SCAN_SELF || (a->cost == b->cost && a->cost_len == b->cost_len &&
				       (a->kind != SCAN_CALL || a->count == b->count));
}

static bool same_scan(const struct scan *a, const struct scan *b)
{
	if (a->nsteps != b->nsteps || a->ncosts != b->ncosts || a->lines != b->lines ||
	    a->used != b->used)
		return false;
	for (size_t i = 0; i < a->nsteps; i++)
		if (!same_step(&a->steps[i], &b->steps[i]))
			return false;
	return a->ncosts == 0 || memcmp(a->costs, b->costs, a->ncosts * sizeof *a->costs) == 0;
}

/* In place of what asks the processor. */
enum scan_vectors __real_cg_scan_vectors(void);
enum scan_vectors __wrap_cg_scan_vectors(void);

static enum scan_vectors most_vectors = SCAN_AVX512;

enum scan_vectors __wrap_cg_scan_vectors(void)
{
	enum scan_vectors best = __real_cg_scan_vectors();
	return best < most_vectors ? best : most_vectors;
}

/* With any vectors and without them it finds the same steps. */
static void check_format(const char *window, size_t len, struct scan_format format)
{
	struct scan plain = { 0 }, fast = { 0 };

	LAW(!cg_scan_window(&plain, &format, window, len, SIZE_MAX), "out of memory");
	for (format.vectors = SCAN_AVX2; format.vectors <= cg_scan_vectors(); format.vectors++) {
		LAW(!cg_scan_window(&fast, &format, window, len, SIZE_MAX), "out of memory");
		LAW(same_scan(&plain, &fast), "vectors %d of %u positions and %" PRIu32 " costs",
		    format.vectors, format.npositions, format.ncolumns);
	}
	cg_scan_free(&plain);
	cg_scan_free(&fast);
}

static void check_scan(const uint8_t *data, size_t size)
{
	char *window = malloc(size + 1 + SCAN_PADDING);

	LAW(window, "out of memory");
	memcpy(window, data, size);
	memset(window + size, '\n', 1 + SCAN_PADDING);
	for (unsigned bits = 0; bits < 24; bits++)
		check_format(window, size + 1,
			     (struct scan_format){
				     .npositions = 1 + (bits & 1),
				     .ncolumns = bits & 2 ? 3 : 1,
				     .joining = bits >> 3,
				     .no_calls = bits & 4,
				     .names = { .packed = bits & 1, .contexts = bits & 2 } });
	free(window);
}

/* ---- a whole file, by the one and by the other ---- */

/* All of it as text; allocated. NULL: it is refused. */
static char *read_as_text(const uint8_t *data, size_t size, enum scan_vectors vectors)
{
	static const struct cg_write_options as_it_is;
	char *text = NULL;
	size_t len;

	most_vectors = vectors;
	struct cg_profile *p = flat_profile_of(data, size);
	most_vectors = SCAN_AVX512;
	if (!p)
		return NULL;
	FILE *to = open_memstream(&text, &len);
	LAW(to && !cg_write_callgrind(p, &as_it_is, to) && !fclose(to), "out of memory");
	cg_profile_free(p);
	return text;
}

static void check_both(const uint8_t *data, size_t size)
{
	char *plain = read_as_text(data, size, SCAN_NO_VECTORS);

	for (enum scan_vectors v = SCAN_AVX2; v <= cg_scan_vectors(); v++) {
		char *fast = read_as_text(data, size, v);
		LAW(!fast == !plain, "with vectors %d it is accepted, or refused", v);
		LAW(!fast || strcmp(fast, plain) == 0,
		    "with vectors %d it is read as\n%s\nwithout as\n%s", v, fast, plain);
		free(fast);
	}
	free(plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_reading(data, size);
	check_scan(data, size);
	check_both(data, size);
	return 0;
}
