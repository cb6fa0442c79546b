/* The workload of libyaml: loads a document of nested lists and long texts. */
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "tests/bench/planted/random.h"

enum { RECORDS = 60, SIZE = 40000 };

static size_t make_document(char *text)
{
	uint32_t state = 1;
	size_t at = 0;

	for (int i = 0; i < RECORDS; i++) {
		unsigned number = next_random(&state);
		at += (size_t)sprintf(text + at, "- name: metal number %u\n  text: \"", number);
		for (int k = 0; k < 20; k++)
			at += (size_t)sprintf(text + at, "word%d \\t", k);
		at += (size_t)sprintf(text + at, "\"\n  list: [%u, [a, {b: c, d: [e, f]}], g]\n",
				      number % 100);
	}
	return at;
}

int main(void)
{
	static char text[SIZE];
	size_t size = make_document(text), length = 0, scalars = 0;
	yaml_parser_t parser;
	yaml_document_t document;

	yaml_parser_initialize(&parser);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
	if (!yaml_parser_load(&parser, &document))
		return 1;
	for (yaml_node_t *node = document.nodes.start; node < document.nodes.top; node++) {
		if (node->type == YAML_SCALAR_NODE) {
			length += node->data.scalar.length;
			scalars++;
		}
	}
	printf("%zu texts of %zu bytes\n", scalars, length);
	yaml_document_delete(&document);
	yaml_parser_delete(&parser);
	return 0;
}
