/* How documents are laid out, for people and for readers with little room. */
#ifndef IRDIFF_JSON_JSON_LAYOUT_H
#define IRDIFF_JSON_JSON_LAYOUT_H

#include <stddef.h>
#include <stdio.h>

#define JSON_MAX_DEPTH 16

struct json_t; /* jansson's */

/*
 * Writes an object with a final newline: each of its members begins a line. What is inside a
 * member takes one line where it fits. Otherwise an array with arrays or objects has one item per
 * line, and anything else is filled line by line. `to` may be NULL. Returns how many bytes that
 * takes; SIZE_MAX if memory ran out, or `to` failed.
 */
size_t json_layout(const struct json_t *root, FILE *to);

#endif
