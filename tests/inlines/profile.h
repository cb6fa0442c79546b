/* Profiles of an object by addresses, for programs that look them up. */
#ifndef TESTS_INLINES_PROFILE_H
#define TESTS_INLINES_PROFILE_H

#include <stdint.h>
#include <string.h>

#include "callgrind/build.h"

static int add_function(struct cg_builder *b, const char *object, uint32_t *record)
{
	struct cg_event event = { 0 };
	struct cg_function f = { 0 };
	struct cg_record r = { .level = 1 };

	int status = cg_build_string(b, "Ir", 2, &event.name);
	if (!status)
		status = cg_build_event(b, &event);
	if (!status)
		status = cg_build_part(b);
	if (!status)
		status = cg_build_string(b, object, strlen(object), &f.object);
	if (!status)
		status = cg_build_function(b, &f, &r.function);
	return status ? status : cg_build_record(b, &r, record);
}

/* Of what has no name in the object, which costs 1 at each address. A status, as of build.h. */
static int profile_at(const char *object, const uint64_t *addresses, size_t count,
		      struct cg_profile **out)
{
	const struct cg_detail detail = { .addresses = true };
	const int64_t one = 1;
	struct cg_builder *b;
	uint32_t record;
	int status = cg_builder_new(&b, &detail);
	if (status)
		return status;

	status = add_function(b, object, &record);
	for (size_t i = 0; !status && i < count; i++) {
		struct cg_position at = { .address = addresses[i] };
		status = cg_build_self(b, record, &at, &one);
	}
	if (!status)
		return cg_builder_finish(b, out);
	cg_builder_free(b);
	return status;
}

#endif
