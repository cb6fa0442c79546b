/* Text in XML, also in SVG and HTML. */
#ifndef IRDIFF_TEXT_XML_H
#define IRDIFF_TEXT_XML_H

#include <stdio.h>

/*
 * Prints a text so that it is preserved between tags and in attributes with either kind of quotes.
 * What text_safe escapes, and the two characters of UTF-8 that XML 1.0 also forbids (U+FFFE,
 * U+FFFF), are written as \xNN: no text makes a document malformed. NULL prints nothing.
 */
void xml_print_text(FILE *to, const char *text);

/* The same for a text that comes from text_safe or text_cut: entities only. */
void xml_print_safe(FILE *to, const char *safe);

#endif
