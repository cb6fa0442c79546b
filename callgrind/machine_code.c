#include "callgrind/machine_code.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/error.h"

int cg_code_add_object(struct cg_code *code, const char *path, const char *build_id,
		       enum cg_machine machine, enum cg_code_state state)
{
	char *name = strdup(path), *id = build_id ? strdup(build_id) : NULL;

	if (!name || (build_id && !id) ||
	    cg_grow(&code->objects, &code->objects_cap, code->nobjects + 1,
		    sizeof *code->objects)) {
		free(name);
		free(id);
		return CG_ENOMEM;
	}
	code->objects[code->nobjects++] = (struct cg_code_object){
		.path = name,
		.build_id = id,
		.machine = machine,
		.state = state,
	};
	return CG_OK;
}

static int add_section_to(struct cg_code_object *object, uint64_t address, uint64_t size)
{
	if (cg_grow(&object->sections, &object->sections_cap, object->nsections + 1,
		    sizeof *object->sections))
		return CG_ENOMEM;
	object->sections[object->nsections++] = (struct cg_code_section){ address, size };
	return CG_OK;
}

int cg_code_add_section(struct cg_code *code, uint64_t address, uint64_t size)
{
	return add_section_to(&code->objects[code->nobjects - 1], address, size);
}

int cg_code_add_jumps(struct cg_code *code, const struct cg_code_jump *jumps)
{
	struct cg_code_object *object = &code->objects[code->nobjects - 1];

	if (cg_grow(&object->jumps, &object->jumps_cap, object->njumps + 1, sizeof *object->jumps))
		return CG_ENOMEM;
	object->jumps[object->njumps++] = *jumps;
	object->knows_jumps = true;
	return CG_OK;
}

static int add_range_to(struct cg_code *code, struct cg_code_object *object, uint64_t address,
			const unsigned char *bytes, size_t size, bool whole)
{
	if (size > SIZE_MAX - code->nbytes ||
	    cg_grow(&code->bytes, &code->bytes_cap, code->nbytes + size, 1) ||
	    cg_grow(&object->ranges, &object->ranges_cap, object->nranges + 1,
		    sizeof *object->ranges))
		return CG_ENOMEM;
	object->ranges[object->nranges++] = (struct cg_code_range){ address, size, code->nbytes,
								    whole };
	if (size)
		memcpy(code->bytes + code->nbytes, bytes, size);
	code->nbytes += size;
	return CG_OK;
}

int cg_code_add_range(struct cg_code *code, uint64_t address, const unsigned char *bytes,
		      size_t size, bool whole)
{
	return add_range_to(code, &code->objects[code->nobjects - 1], address, bytes, size, whole);
}

void cg_code_refuse(struct cg_code_object *object)
{
	object->nranges = 0;
	object->state = CG_CODE_OTHER;
}

int cg_code_adopt(struct cg_code *code, struct cg_code_object *object, const struct cg_code *now)
{
	const struct cg_code_object *from = cg_code_find(now, object->path);
	int status = CG_OK;

	if (!from || from->state != CG_CODE_FOUND)
		return CG_OK;
	if (!object->build_id || !from->build_id || strcmp(object->build_id, from->build_id) != 0) {
		cg_code_refuse(object);
		return CG_OK;
	}
	object->nsections = 0;
	for (size_t i = 0; !status && i < from->nsections; i++)
		status = add_section_to(object, from->sections[i].address, from->sections[i].size);
	for (size_t i = 0; !status && i < from->nranges; i++) {
		const struct cg_code_range *r = &from->ranges[i];
		status = add_range_to(code, object, r->address, now->bytes + r->at, r->size,
				      r->whole);
	}
	if (!status)
		object->state = CG_CODE_FOUND;
	return status;
}

void cg_code_forget_jumps(struct cg_code *code)
{
	for (size_t i = 0; i < code->nobjects; i++) {
		code->objects[i].njumps = 0;
		code->objects[i].knows_jumps = false;
	}
}

const struct cg_code_object *cg_code_find(const struct cg_code *code, const char *path)
{
	for (size_t i = 0; i < code->nobjects; i++)
		if (strcmp(code->objects[i].path, path) == 0)
			return &code->objects[i];
	return NULL;
}

const struct cg_code_range *cg_code_range_at(const struct cg_code_object *object, uint64_t address)
{
	size_t low = 0, high = object->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct cg_code_range *r = &object->ranges[middle];
		if (address < r->address)
			high = middle;
		else if (address - r->address >= r->size)
			low = middle + 1;
		else
			return r;
	}
	return NULL;
}

const struct cg_code_jump *cg_code_jumps_from(const struct cg_code_object *object, uint64_t address,
					      size_t *count)
{
	size_t low = 0, high = object->njumps;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (object->jumps[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < object->njumps && object->jumps[high].address == address;)
		high++;
	*count = high - low;
	return object->jumps + low;
}

const unsigned char *cg_code_at(const struct cg_code *code, const struct cg_code_object *object,
				uint64_t address, size_t *left)
{
	const struct cg_code_range *r = cg_code_range_at(object, address);

	if (!r)
		return NULL;
	*left = r->size - (size_t)(address - r->address);
	return code->bytes + r->at + (address - r->address);
}

const char *cg_code_state_words(enum cg_code_state state)
{
	static const char *const words[] = {
		[CG_CODE_FOUND] = "found",
		[CG_CODE_MISSING] = "the file cannot be opened",
		[CG_CODE_STRANGE] = "the file is not an object for x86-64 or ARM64",
		[CG_CODE_OUTSIDE] = "the file has no code at these addresses",
		[CG_CODE_LARGE] = "its code is too large to be kept with the profile",
		[CG_CODE_OTHER] = "the file is another build than the one that was measured",
	};
	return words[state];
}

void cg_code_free(struct cg_code *code)
{
	for (size_t i = 0; i < code->nobjects; i++) {
		free(code->objects[i].path);
		free(code->objects[i].build_id);
		free(code->objects[i].ranges);
		free(code->objects[i].sections);
		free(code->objects[i].jumps);
	}
	free(code->objects);
	free(code->bytes);
	*code = (struct cg_code){ 0 };
}
