/*
 * The demo, first version: reads a table of comma-separated values from memory and adds it up.
 *
 * Compare with parser-v2.c, which gives the same answer and executes more instructions for it:
 * `irdiff diff` says which function is to blame.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 20000, COLUMNS = 8, LINE_MAX_LENGTH = 128 };

/* A field of the record being read: a view into the document. */
struct field {
	const char *start;
	size_t length;
};

struct totals {
	uint64_t records;
	uint64_t amount; /* sum of the numeric fields */
	uint64_t hash;   /* over the fields that hold text */
};

/* Small numbers that look random and are the same in every run. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

/* Makes the document: lines of COLUMNS fields, text and numbers in turn. */
static char *make_document(void)
{
	static const char *const words[] = { "copper", "tin", "\"lead, white\"", "zinc", "iron" };
	char *document = malloc((size_t)RECORDS * LINE_MAX_LENGTH);
	if (!document)
		return NULL;

	uint32_t state = 1;
	char *out = document;
	for (int record = 0; record < RECORDS; record++) {
		for (int column = 0; column < COLUMNS; column++) {
			uint32_t number = next_random(&state);
			if (column % 2 == 0) {
				const char *word = words[number % 5];
				size_t length = strlen(word);
				memcpy(out, word, length);
				out += length;
			} else {
				do
					*out++ = (char)('0' + number % 10);
				while (number /= 10);
			}
			*out++ = column + 1 < COLUMNS ? ',' : '\n';
		}
	}
	*out = '\0';
	return document;
}

/* Steps over the field at `p`, quotes included, to the comma or newline that ends it. */
__attribute__((noinline)) static const char *skip_field(const char *p)
{
	int quoted = 0;
	for (; *p; p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (!quoted && (*p == ',' || *p == '\n'))
			break;
	}
	return p;
}

__attribute__((noinline)) static uint64_t parse_number(struct field field)
{
	uint64_t number = 0;
	for (size_t i = 0; i < field.length; i++)
		number = number * 10 + (uint64_t)(field.start[i] - '0');
	return number;
}

__attribute__((noinline)) static uint64_t hash_text(struct field field, uint64_t hash)
{
	for (size_t i = 0; i < field.length; i++)
		hash = (hash ^ (unsigned char)field.start[i]) * 1099511628211u;
	return hash;
}

/* Reads the record at `p` field by field; returns where the next record starts. */
__attribute__((noinline)) static const char *parse_record(const char *p, struct totals *totals)
{
	for (int column = 0; column < COLUMNS; column++) {
		const char *end = skip_field(p);
		struct field value = { p, (size_t)(end - p) };
		if (column % 2 == 0)
			totals->hash = hash_text(value, totals->hash);
		else
			totals->amount += parse_number(value);
		p = end + 1;
	}
	totals->records++;
	return p;
}

__attribute__((noinline)) static struct totals parse_document(const char *document)
{
	struct totals totals = { 0 };
	while (*document)
		document = parse_record(document, &totals);
	return totals;
}

int main(void)
{
	char *document = make_document();
	if (!document)
		return 1;
	struct totals totals = parse_document(document);
	printf("%llu records, amount %llu, hash %llx\n", (unsigned long long)totals.records,
	       (unsigned long long)totals.amount, (unsigned long long)totals.hash);
	free(document);
	return 0;
}
