/*
 * Small profiles written out in a test, and questions about them.
 *
 *	struct cg_profile *p = profile_of("events: Ir\n"
 *					  "fn=main\n"
 *					  "16 400\n");
 *	CHECK_U64(self_of(p, "main", 0), 400);
 *	cg_profile_free(p);
 */
#ifndef TESTS_UNIT_PROFILES_H
#define TESTS_UNIT_PROFILES_H

#include "cgprofile/inclusive.h"
#include "cgprofile/reader.h"
#include "tests/unit/harness.h"

/* Reads a profile that must be readable; a failure ends the test. */
TEST_UNUSED static struct cg_profile *profile_with(const char *text, size_t len,
						   const struct cg_read_options *options)
{
	struct cg_profile *p = NULL;
	struct cg_error err = { .code = 42, .line = 42 };

	int status = cg_read_memory(text, len, "test", options, &p, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "cannot read, line %" PRIu64 ": %s",
		    err.line, err.message);
	CHECK_INT(err.code, 42); /* untouched on success */
	return p;
}

/* Functions and calls only. */
TEST_UNUSED static struct cg_profile *profile_of(const char *text)
{
	struct cg_read_options options = { 0 };
	return profile_with(text, strlen(text), &options);
}

/* With lines, addresses and contexts. */
TEST_UNUSED static struct cg_profile *whole_profile_of(const char *text)
{
	struct cg_read_options options = { .detail = { .addresses = true, .contexts = true } };
	return profile_with(text, strlen(text), &options);
}

/* The only function of this name, 0 if there is none or more than one. */
TEST_UNUSED static uint32_t function_named(const struct cg_profile *p, const char *name)
{
	uint32_t found = 0;
	for (uint32_t f = 1; f < p->nfunctions; f++) {
		if (strcmp(cg_string(p, p->functions[f].name), name) != 0)
			continue;
		if (found)
			return 0;
		found = f;
	}
	return found;
}

/* The function with this identity, "" for what is unknown; 0 if there is none. */
TEST_UNUSED static uint32_t function_at(const struct cg_profile *p, const char *object,
					const char *file, const char *name)
{
	for (uint32_t f = 1; f < p->nfunctions; f++)
		if (strcmp(cg_string(p, p->functions[f].object), object) == 0 &&
		    strcmp(cg_string(p, p->functions[f].file), file) == 0 &&
		    strcmp(cg_string(p, p->functions[f].name), name) == 0)
			return f;
	return 0;
}

/* The context of a record, "g'main". Two texts last at a time. */
TEST_UNUSED static const char *callers_of(const struct cg_profile *p, uint32_t record)
{
	static char texts[2][2000];
	static unsigned next;
	char *text = cg_context_text(p, p->records[record].context);

	test_report(text != NULL, true, __FILE__, __LINE__, "out of memory");
	next = !next;
	snprintf(texts[next], sizeof texts[next], "%s", text);
	free(text);
	return texts[next];
}

TEST_UNUSED static int64_t self_cost(const struct cg_profile *p, uint32_t function, uint32_t event)
{
	int64_t sum = 0;
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (p->records[r].function == function)
			sum += p->record_self[(size_t)r * p->nevents + event];
	return sum;
}

/* Self cost of the only function of this name. */
TEST_UNUSED static int64_t self_of(const struct cg_profile *p, const char *name, uint32_t event)
{
	uint32_t function = function_named(p, name);
	test_report(function != 0, true, __FILE__, __LINE__, "no single function %s", name);
	return self_cost(p, function, event);
}

/* Calls from one function to another: how many, and (cost not NULL) what they cost. */
TEST_UNUSED static uint64_t calls_between(const struct cg_profile *p, const char *caller,
					  const char *callee, uint32_t event, int64_t *cost)
{
	uint32_t from = function_named(p, caller), to = function_named(p, callee);
	uint64_t count = 0;
	int64_t sum = 0;

	test_report(from && to, true, __FILE__, __LINE__, "no single function %s or %s", caller,
		    callee);
	for (uint32_t i = 1; i < p->ncalls; i++) {
		if (p->records[p->calls[i].caller].function != from ||
		    p->records[p->calls[i].callee].function != to)
			continue;
		count += p->calls[i].count;
		sum += p->call_cost[(size_t)i * p->nevents + event];
	}
	if (cost)
		*cost = sum;
	return count;
}

/* Self cost of all lines at this place, over all records. */
TEST_UNUSED static int64_t line_cost(const struct cg_profile *p, const char *file, uint32_t line,
				     uint32_t event)
{
	int64_t sum = 0;
	for (uint32_t i = 1; i < p->nlines; i++)
		if (p->lines[i].line == line && strcmp(cg_string(p, p->lines[i].file), file) == 0)
			sum += p->line_self[(size_t)i * p->nevents + event];
	return sum;
}

#endif
