#include "src/store/code_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/paths.h"
#include "src/store/packed.h"

#define ANY "irdiff code "
#define MAGIC ANY "2\n"
#define MOST_BYTES ((size_t)1 << 28) /* more than irdiff writes */

static void write_code_object(const struct cg_code *code, const struct cg_code_object *o, FILE *to)
{
	if (strchr(o->path, '\n'))
		return;
	fprintf(to, "%d %d %s %zu %zu %zu %s\n", (int)o->machine, (int)o->state,
		o->build_id ? o->build_id : "-", o->nsections, o->knows_jumps ? o->njumps + 1 : 0,
		o->nranges, o->path);
	for (size_t i = 0; i < o->nsections; i++)
		fprintf(to, "%" PRIu64 " %" PRIu64 "\n", o->sections[i].address,
			o->sections[i].size);
	for (size_t i = 0; i < o->njumps; i++)
		fprintf(to, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", o->jumps[i].address,
			o->jumps[i].target, o->jumps[i].count);
	for (size_t i = 0; i < o->nranges; i++) {
		const struct cg_code_range *r = &o->ranges[i];
		fprintf(to, "%" PRIu64 " %zu %d\n", r->address, r->size, r->whole);
		fwrite(code->bytes + r->at, 1, r->size, to);
		fputc('\n', to);
	}
}

static void write_code(const void *what, FILE *to)
{
	const struct cg_code *code = what;

	fputs(MAGIC, to);
	for (size_t i = 0; i < code->nobjects; i++)
		write_code_object(code, &code->objects[i], to);
}

int code_file_save(const char *path, const struct cg_code *code, struct cg_error *err)
{
	return packed_write(path, write_code, code, err);
}

/* ---- reading ---- */

struct code_text {
	char *at, *end;
};

/* A number and the blank or newline after it. */
static bool take_code_number(struct code_text *t, char after, uint64_t *number)
{
	char *end;

	if (t->at >= t->end || !isdigit((unsigned char)*t->at))
		return false;
	*number = strtoull(t->at, &end, 10);
	if (end >= t->end || *end != after)
		return false;
	t->at = end + 1;
	return true;
}

/* A word that ends with `after`, which becomes a NUL. */
static bool take_code_word(struct code_text *t, char after, char **word)
{
	char *end = memchr(t->at, after, (size_t)(t->end - t->at));

	if (!end || end == t->at || memchr(t->at, '\0', (size_t)(end - t->at)))
		return false;
	*end = '\0';
	*word = t->at;
	t->at = end + 1;
	return true;
}

static int take_code_section(struct code_text *t, struct cg_code *code)
{
	uint64_t address, size;

	if (!take_code_number(t, ' ', &address) || !take_code_number(t, '\n', &size) ||
	    size > UINT64_MAX - address)
		return CG_ESYNTAX;
	return cg_code_add_section(code, address, size);
}

/* Those of an object ascend. */
static int take_code_jump(struct code_text *t, struct cg_code *code)
{
	const struct cg_code_object *o = &code->objects[code->nobjects - 1];
	const struct cg_code_jump *last = o->njumps ? &o->jumps[o->njumps - 1] : NULL;
	struct cg_code_jump j;

	if (!take_code_number(t, ' ', &j.address) || !take_code_number(t, ' ', &j.target) ||
	    !take_code_number(t, '\n', &j.count) ||
	    (last && (j.address < last->address ||
		      (j.address == last->address && j.target <= last->target))))
		return CG_ESYNTAX;
	return cg_code_add_jumps(code, &j);
}

/* The ranges of an object ascend. */
static int take_code_range(struct code_text *t, struct cg_code *code, uint64_t *least)
{
	uint64_t address, size, whole;

	if (!take_code_number(t, ' ', &address) || !take_code_number(t, ' ', &size) ||
	    !take_code_number(t, '\n', &whole) || whole > 1 || address < *least ||
	    size >= (size_t)(t->end - t->at) || t->at[size] != '\n' || size > UINT64_MAX - address)
		return CG_ESYNTAX;
	const unsigned char *bytes = (const unsigned char *)t->at;
	t->at += size + 1;
	*least = address + size;
	return cg_code_add_range(code, address, bytes, size, whole);
}

static bool is_build_id(const char *word)
{
	return strcmp(word, "-") == 0 || !word[strspn(word, "0123456789abcdefABCDEF")];
}

static int take_code_object(struct code_text *t, struct cg_code *code)
{
	uint64_t machine, state, nsections, njumps, nranges, least = 0;
	char *id, *path;

	if (!take_code_number(t, ' ', &machine) || machine > CG_MACHINE_ARM64 ||
	    !take_code_number(t, ' ', &state) || state > CG_CODE_OTHER ||
	    !take_code_word(t, ' ', &id) || !is_build_id(id) ||
	    !take_code_number(t, ' ', &nsections) || !take_code_number(t, ' ', &njumps) ||
	    !take_code_number(t, ' ', &nranges) || !take_code_word(t, '\n', &path) ||
	    (nranges && machine == CG_MACHINE_UNKNOWN))
		return CG_ESYNTAX;
	path[cg_path_normalise(path, strlen(path))] = '\0'; /* as in profiles */
	int status = cg_code_add_object(code, path, strcmp(id, "-") == 0 ? NULL : id,
					(enum cg_machine)machine, (enum cg_code_state)state);
	for (uint64_t i = 0; !status && i < nsections; i++)
		status = take_code_section(t, code);
	if (!status)
		code->objects[code->nobjects - 1].knows_jumps = njumps;
	for (uint64_t i = 1; !status && i < njumps; i++)
		status = take_code_jump(t, code);
	for (uint64_t i = 0; !status && i < nranges; i++)
		status = take_code_range(t, code, &least);
	return status;
}

static bool begins_with_text(const char *bytes, size_t size, const char *text)
{
	return size >= strlen(text) && memcmp(bytes, text, strlen(text)) == 0;
}

int code_file_load(const char *path, struct cg_code *out, struct cg_error *err)
{
	struct cg_code code = { 0 };
	char *bytes;
	size_t size;
	int status = packed_read(path, MOST_BYTES, &bytes, &size, err);

	if (status)
		return status;
	if (begins_with_text(bytes, size, MAGIC)) {
		struct code_text t = { bytes + strlen(MAGIC), bytes + size };
		while (!status && t.at < t.end)
			status = take_code_object(&t, &code);
	} else if (!begins_with_text(bytes, size, ANY)) {
		status = CG_ESYNTAX;
	}
	free(bytes);
	if (!status) {
		*out = code;
		return CG_OK;
	}
	cg_code_free(&code);
	return status == CG_ENOMEM ? cg_fail_nomem(err)
				   : cg_fail(err, CG_ESYNTAX, path, 0,
					     "the stored machine code is damaged; measure again");
}
