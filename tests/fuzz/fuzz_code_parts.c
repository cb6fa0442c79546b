/* The functions and declarations of any text: parts are in order, and comments make none. */
#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "src/view/code_parts.h"
#include "tests/fuzz/fuzz.h"

static uint32_t count_text_lines(const uint8_t *data, size_t size)
{
	uint32_t lines = 1;
	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	return lines;
}

static void check_parts(const struct code_parts *p, uint32_t nlines)
{
	uint32_t line = 1;
	size_t word = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct code_part *part = &p->items[i];
		LAW(part->first >= line && part->last >= part->first && part->last <= nlines,
		    "part %zu is in lines %u to %u of %u", i, part->first, part->last, nlines);
		LAW(part->word >= word && part->nwords <= p->nwords - part->word,
		    "part %zu has words %zu to %zu of %zu", i, part->word,
		    part->word + part->nwords, p->nwords);
		line = part->first;
		word = part->word + part->nwords;
	}
}

static bool have_equal_parts(const struct code_parts *a, const struct code_parts *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].hash != b->items[i].hash || a->items[i].name != b->items[i].name)
			return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char comment[] = "/* { */ // }\n\n";
	struct code_parts parts = { 0 }, again = { 0 };
	char *text = malloc(sizeof comment + size);

	LAW(text, "out of memory");
	memcpy(text, comment, sizeof comment - 1);
	memcpy(text + sizeof comment - 1, data, size);
	LAW(!code_parts_add(&parts, text + sizeof comment - 1, size), "out of memory");
	check_parts(&parts, count_text_lines(data, size));
	LAW(!code_parts_add(&again, text, sizeof comment - 1 + size), "out of memory");
	LAW(have_equal_parts(&parts, &again), "a comment makes a difference");
	code_parts_free(&parts);
	code_parts_free(&again);
	free(text);
	return 0;
}
