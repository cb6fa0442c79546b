#include "src/load/stored_variant.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/input.h"
#include "src/store/find_profile.h"

/* The line of a header that says which positions a file has; empty at the end if there is none. */
struct positions_line {
	size_t begin, end;
};

static struct positions_line find_positions(const char *text, size_t size)
{
	static const char positions[] = "\npositions:";
	const char *at = memmem(text, size, positions, sizeof positions - 1);
	const char *end = at ? memchr(at + 1, '\n', size - (size_t)(at + 1 - text)) : NULL;

	return end ? (struct positions_line){ (size_t)(at - text), (size_t)(end - text) }
		   : (struct positions_line){ size, size };
}

/* Whether what begins a text is a header, but for its positions. */
static bool begins_with_header(const char *text, size_t size, const char *header, size_t len)
{
	struct positions_line expected = find_positions(header, len), found = expected;

	if (expected.begin < len)
		found = find_positions(text, size);
	size_t rest = len - expected.end;
	return found.begin == expected.begin && found.end <= size && size - found.end >= rest &&
	       memcmp(text, header, expected.begin) == 0 &&
	       memcmp(text + found.end, header + expected.end, rest) == 0;
}

/* Both were written by one measurement if their headers are the same but for the positions: facts,
 * totals and all. The plain file may have been replaced since, it is the user's. */
static bool is_of_label(const char *variant, const char *plain)
{
	enum { MOST = 64 * 1024 };
	struct cg_input *a = NULL, *b = NULL;
	const char *x, *y, *end;
	size_t nx, ny;
	bool same = false;

	if (cg_input_open(&a, variant, NULL) == CG_OK && cg_input_open(&b, plain, NULL) == CG_OK &&
	    cg_input_peek(a, MOST, &x, &nx, NULL) == CG_OK &&
	    cg_input_peek(b, MOST, &y, &ny, NULL) == CG_OK && (end = memmem(y, ny, "\n\n", 2)))
		same = begins_with_header(x, nx, y, (size_t)(end - y));
	cg_input_free(a);
	cg_input_free(b);
	return same;
}

static int find_variants(const char *root, const char *operand, enum stored_file wanted,
			 struct stored_variant *out, struct cg_error *err)
{
	char *lines, *contexts;

	if (wanted == STORED_INSTRUCTIONS)
		return store_find_instructions(root, operand, &out->profile, &out->code, err);
	int status = store_find_inlined(root, operand, &lines, &contexts, err);
	out->profile = wanted == STORED_CONTEXTS ? contexts : lines;
	free(wanted == STORED_CONTEXTS ? lines : contexts);
	return status;
}

int stored_variant_find(const char *root, const char *operand, enum stored_file wanted,
			const char *plain, struct stored_variant *out, struct cg_error *err)
{
	struct stored_variant v = { 0 };
	int status = find_variants(root, operand, wanted, &v, err);

	if (status)
		return status;
	v.is_label = v.profile && is_of_label(v.profile, plain);
	if (!v.is_label)
		stored_variant_free(&v);
	if (wanted == STORED_PLAIN) {
		free(v.profile);
		v.profile = NULL;
	}
	*out = v;
	return CG_OK;
}

void stored_variant_free(struct stored_variant *v)
{
	free(v->profile);
	free(v->code);
	*v = (struct stored_variant){ 0 };
}

int stored_sources_load(const char *root, const char *operand, struct stored_sources *out,
			struct cg_error *err)
{
	char *path;
	int status = store_find_sources(root, operand, &path, err);
	if (status)
		return status;
	if (path)
		status = sources_load(path, out, err);
	free(path);
	return status;
}
