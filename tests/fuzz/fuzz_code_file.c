/* Machine code kept beside a profile: what is taken lies within its bytes and is found again,
 * keeping it again loses nothing, and each of its bytes belongs to one instruction. */
#include "src/asm/disassemble.h"
#include "src/store/code_file.h"
#include "tests/fuzz/sections.h"

static void check_instructions(const struct asm_code *code, const struct cg_code_range *r)
{
	uint64_t at = r->address;

	for (size_t i = 0; i < code->count; i++) {
		LAW(code->items[i].size && code->items[i].address == at, "instruction %zu", i);
		at += code->items[i].size;
	}
	LAW(at - r->address == r->size, "instructions have %zu bytes of %zu",
	    (size_t)(at - r->address), r->size);
}

static void check_range(const struct cg_code *code, const struct cg_code_object *o,
			const struct cg_code_range *r)
{
	struct cg_strings texts;
	struct asm_code decoded = { 0 };
	size_t left = 0;

	LAW(r->at <= code->nbytes && r->size <= code->nbytes - r->at, "a range is outside");
	LAW(!r->size || (cg_code_at(code, o, r->address, &left) == code->bytes + r->at &&
			 left == r->size),
	    "a range is found");
	LAW(!cg_strings_init(&texts), "out of memory");
	int status = asm_disassemble(o, code->bytes + r->at, r->size, r->address, NULL, 0, &texts,
				     &decoded);
	LAW(!status, "disassembling failed: %d", status);
	check_instructions(&decoded, r);
	asm_code_free(&decoded);
	cg_strings_free(&texts);
}

static void check_object(const struct cg_code *code, const struct cg_code_object *o)
{
	const struct cg_code_object *found = cg_code_find(code, o->path);

	LAW(found && found <= o && *o->path && !strchr(o->path, '\n'), "an object is found");
	LAW(cg_code_state_words(o->state), "its state has words");
	for (size_t i = 0; i < o->njumps; i++) {
		size_t count;
		const struct cg_code_jump *j = cg_code_jumps_from(o, o->jumps[i].address, &count);
		LAW(j <= &o->jumps[i] && &o->jumps[i] < j + count, "jump %zu is found", i);
	}
	for (size_t i = 0; i < o->nranges; i++) {
		LAW(!i || o->ranges[i - 1].address + o->ranges[i - 1].size <= o->ranges[i].address,
		    "range %zu overlaps the one before it", i);
		check_range(code, o, &o->ranges[i]);
	}
}

static void check_same_object(const struct cg_code *a, const struct cg_code_object *x,
			      const struct cg_code *b, const struct cg_code_object *y)
{
	const char *id = x->build_id ? x->build_id : "-";

	LAW(strcmp(x->path, y->path) == 0 && strcmp(id, y->build_id ? y->build_id : "-") == 0 &&
		    x->machine == y->machine && x->state == y->state &&
		    x->nsections == y->nsections && x->nranges == y->nranges,
	    "%s is kept as it was", x->path);
	for (size_t i = 0; i < x->nsections; i++)
		LAW(x->sections[i].address == y->sections[i].address &&
			    x->sections[i].size == y->sections[i].size,
		    "section %zu of %s is kept as it was", i, x->path);
	LAW(x->knows_jumps == y->knows_jumps && x->njumps == y->njumps, "jumps of %s are kept",
	    x->path);
	for (size_t i = 0; i < x->njumps; i++)
		LAW(x->jumps[i].address == y->jumps[i].address &&
			    x->jumps[i].target == y->jumps[i].target &&
			    x->jumps[i].count == y->jumps[i].count,
		    "jump %zu of %s is kept as it was", i, x->path);
	for (size_t i = 0; i < x->nranges; i++) {
		const struct cg_code_range *r = &x->ranges[i], *s = &y->ranges[i];
		LAW(r->address == s->address && r->size == s->size && r->whole == s->whole &&
			    (!r->size || memcmp(a->bytes + r->at, b->bytes + s->at, r->size) == 0),
		    "range %zu of %s is kept as it was", i, x->path);
	}
}

static void check_kept(const struct cg_code *code)
{
	struct cg_code again = { 0 };
	struct cg_error err = { 0 };

	for (size_t i = 0; i < code->nobjects; i++)
		check_object(code, &code->objects[i]);
	LAW(!code_file_save(scratch_path("again"), code, &err), "%s", err.message);
	LAW(!code_file_load(scratch_path("again"), &again, &err), "%s", err.message);
	LAW(again.nobjects == code->nobjects, "there are %zu objects, not %zu", again.nobjects,
	    code->nobjects);
	for (size_t i = 0; i < code->nobjects; i++)
		check_same_object(code, &code->objects[i], &again, &again.objects[i]);
	cg_code_free(&again);
}

static void check(const char *name)
{
	struct cg_code code = { 0 };
	struct cg_error err = { 0 };
	int status = code_file_load(scratch_path(name), &code, &err);

	check_error(status, &err);
	LAW(!status || (!code.objects && !code.bytes), "a failure leaves nothing");
	if (!status)
		check_kept(&code);
	cg_code_free(&code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	scratch_check_file("code", "irdiff code 2\n", data, size, check);
	return 0;
}
