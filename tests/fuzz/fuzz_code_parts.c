/*
 * The functions and declarations of any text: parts are in order, comments make none, and what was
 * read before makes no difference.
 */
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

static void check_words(const struct code_parts *p, const char *text, size_t size)
{
	for (size_t i = 0; i < p->nwords; i++) {
		const struct code_word *word = &p->words[i];
		LAW(!word->declared || word->local || word->tag, "word %zu is declared", i);
		LAW(!word->parameter || word->local, "parameter %zu is not local", i);
		LAW(word->at < size, "word %zu is beyond the text", i);
		LAW(code_word_hash(text + word->at, code_word_length(word, text, size)) ==
			    word->hash,
		    "word %zu is not there", i);
	}
}

static bool are_equal_parts(const struct code_part *a, const struct code_part *b)
{
	return a->hash == b->hash && a->name == b->name && a->owner == b->owner &&
	       a->function == b->function && a->external == b->external && a->nwords == b->nwords;
}

static bool are_equal_words(const struct code_word *a, const struct code_word *b)
{
	return a->hash == b->hash && a->member == b->member && a->tag == b->tag &&
	       a->local == b->local && a->parameter == b->parameter;
}

/* Whether those of `b` are those of `a`, `times` times. */
static bool have_equal_parts(const struct code_parts *a, const struct code_parts *b, size_t times)
{
	if (a->count * times != b->count || a->nwords * times != b->nwords ||
	    a->nincludes * times != b->nincludes)
		return false;
	for (size_t i = 0; i < b->count; i++)
		if (!are_equal_parts(&a->items[i % a->count], &b->items[i]))
			return false;
	for (size_t i = 0; i < b->nwords; i++)
		if (!are_equal_words(&a->words[i % a->nwords], &b->words[i]))
			return false;
	for (size_t i = 0; i < b->nincludes; i++)
		if (a->includes[i % a->nincludes].name != b->includes[i].name)
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
	check_words(&parts, text + sizeof comment - 1, size);
	LAW(!code_parts_add(&again, text, sizeof comment - 1 + size), "out of memory");
	LAW(have_equal_parts(&parts, &again, 1), "a comment makes a difference");
	LAW(!code_parts_add(&again, text, sizeof comment - 1 + size), "out of memory");
	LAW(have_equal_parts(&parts, &again, 2), "another text makes a difference");
	code_parts_free(&parts);
	code_parts_free(&again);
	free(text);
	return 0;
}
