/* The workload of Expat: parses documents with namespaces, entities and many names. */
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/planted/random.h"

enum { RECORDS = 120, SIZE = 60000, PIECE = 8192 };

struct counts {
	size_t elements, attributes, text, hash;
};

static void XMLCALL start(void *user, const XML_Char *name, const XML_Char **attributes)
{
	struct counts *counts = user;

	counts->elements++;
	for (; *name; name++)
		counts->hash = counts->hash * 31 + (unsigned char)*name;
	for (; *attributes; attributes += 2)
		counts->attributes += strlen(attributes[1]);
}

static void XMLCALL text(void *user, const XML_Char *s, int length)
{
	struct counts *counts = user;

	(void)s;
	counts->text += (size_t)length;
}

static size_t make_document(char *out)
{
	uint32_t state = 1;
	size_t at = (size_t)sprintf(out, "<?xml version='1.0'?>\n<!DOCTYPE list [\n"
					 "<!ENTITY metal 'copper &amp; tin'>\n"
					 "<!ENTITY both '&metal; and &metal;'>\n"
					 "<!ATTLIST item kind CDATA 'plain'>\n]>\n"
					 "<list xmlns='urn:list' xmlns:m='urn:metal'>\n");

	for (int i = 0; i < RECORDS; i++) {
		unsigned number = next_random(&state);
		at += (size_t)sprintf(out + at,
				      "<item id='%u' m:name='metal &lt; %u' other='a  b'>\n"
				      "<m:text>some text &both; with %u</m:text>\n"
				      "<!-- a comment --><n%u x='1' y='2' z='3'/><![CDATA[a < b]]>\n"
				      "<a><b><c attribute%u='value'>deep</c></b></a></item>\n",
				      number, number % 1000, number % 77, number % 40, number % 97);
	}
	return at + (size_t)sprintf(out + at, "</list>\n");
}

static void parse(const char *document, size_t size, struct counts *counts)
{
	XML_Parser parser = XML_ParserCreateNS(NULL, '|');

#ifndef PLANTED_RANDOM
	XML_SetHashSalt(parser, 42);
#endif
	XML_SetUserData(parser, counts);
	XML_SetElementHandler(parser, start, NULL);
	XML_SetCharacterDataHandler(parser, text);
	for (size_t at = 0; at < size; at += PIECE) {
		int last = at + PIECE >= size;
		if (!XML_Parse(parser, document + at, last ? (int)(size - at) : PIECE, last)) {
			puts(XML_ErrorString(XML_GetErrorCode(parser)));
			exit(1);
		}
	}
	XML_ParserFree(parser);
}

int main(void)
{
	static char document[SIZE], wide[2 * SIZE];
	struct counts counts = { 0 };
	size_t size = make_document(document);

	for (size_t i = 0; i < size; i++)
		wide[2 * i] = document[i];
	parse(document, size, &counts);
	parse(wide, 2 * size, &counts);
	printf("%zu elements, %zu attributes, %zu text, %zx\n", counts.elements, counts.attributes,
	       counts.text, counts.hash);
	return 0;
}
