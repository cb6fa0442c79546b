#include "src/json/json_layout.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ONE_LINE (JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12))

enum { COLUMNS = 110 };

struct json_writer {
	FILE *to; /* NULL: only counted */
	size_t bytes, column;
	bool failed;
};

/* How what is inside an object or an array is separated. */
enum separation { ROOT_MEMBERS, LINES, FILLED };

/* An object or array that takes more than one line. */
struct open_value {
	json_t *value;
	enum separation separation;
	size_t indent, next;
	void *member; /* of an object: the iterator of the next one */
};

static int put_bytes(const char *bytes, size_t size, void *context)
{
	struct json_writer *l = context;

	l->bytes += size;
	l->column += size;
	l->failed |= l->to && fwrite(bytes, 1, size, l->to) != size;
	return l->failed ? -1 : 0;
}

static void put_text(struct json_writer *l, const char *text)
{
	put_bytes(text, strlen(text), l);
}

static void put_line_end(struct json_writer *l, size_t indent)
{
	put_text(l, "\n");
	l->column = 0;
	for (size_t i = 0; i < indent; i++)
		put_text(l, " ");
}

static void put_value(struct json_writer *l, const json_t *value)
{
	l->failed |= json_dump_callback(value, put_bytes, l, ONE_LINE) != 0;
}

static bool is_container(const json_t *value)
{
	return json_is_object(value) || json_is_array(value);
}

static size_t json_width(const json_t *value)
{
	return json_dumpb(value, NULL, 0, ONE_LINE);
}

/* With what must follow on the same line. */
static bool fits_line(const struct json_writer *l, size_t width)
{
	enum { AFTER = 2 };
	return l->column + width + AFTER <= COLUMNS;
}

static bool takes_lines(const struct json_writer *l, const json_t *value)
{
	bool empty = json_is_object(value) ? json_object_size(value) == 0
					   : json_array_size(value) == 0;
	return is_container(value) && !empty && !fits_line(l, json_width(value));
}

static enum separation separation_of(const json_t *value)
{
	for (size_t i = 0; i < json_array_size(value); i++)
		if (is_container(json_array_get(value, i)))
			return LINES;
	return FILLED;
}

/* The next value inside; NULL after the last one. *key is NULL in an array, otherwise the
 * caller's. */
static json_t *next_inside(struct json_writer *l, const struct open_value *o, json_t **key)
{
	*key = NULL;
	if (json_is_array(o->value))
		return json_array_get(o->value, o->next);
	if (!o->member)
		return NULL;
	*key = json_string(json_object_iter_key(o->member));
	l->failed |= !*key;
	return json_object_iter_value(o->member);
}

static void put_separator(struct json_writer *l, const struct open_value *o, size_t width)
{
	bool first = o->next == 0;

	if (!first)
		put_text(l, ",");
	if (o->separation != FILLED)
		put_line_end(l, o->indent + 1);
	else if (!first && !fits_line(l, width))
		put_line_end(l, o->indent + 1);
}

static void put_key(struct json_writer *l, const struct open_value *o, const json_t *key)
{
	if (!key)
		return;
	put_value(l, key);
	put_text(l, o->separation == ROOT_MEMBERS ? ": " : ":");
}

static void close_value(struct json_writer *l, const struct open_value *o)
{
	if (o->separation != FILLED)
		put_line_end(l, o->indent);
	put_text(l, json_is_object(o->value) ? "}" : "]");
}

struct open_values {
	struct open_value items[JSON_MAX_DEPTH];
	size_t depth;
};

static void open_lines(struct json_writer *l, struct open_values *open, json_t *value,
		       size_t indent, enum separation separation)
{
	if (open->depth == JSON_MAX_DEPTH) {
		l->failed = true;
		return;
	}
	open->items[open->depth++] = (struct open_value){
		.value = value,
		.separation = separation,
		.indent = indent,
		.member = json_is_object(value) ? json_object_iter(value) : NULL,
	};
	put_text(l, json_is_object(value) ? "{" : "[");
}

static void put_next(struct json_writer *l, struct open_values *open)
{
	struct open_value *o = &open->items[open->depth - 1];
	json_t *key, *value = next_inside(l, o, &key);

	if (!value) {
		close_value(l, o);
		open->depth--;
		return;
	}
	put_separator(l, o, json_width(value) + (key ? json_width(key) + 1 : 0));
	put_key(l, o, key);
	json_decref(key);
	o->next++;
	if (o->member)
		o->member = json_object_iter_next(o->value, o->member);
	if (takes_lines(l, value))
		open_lines(l, open, value, o->indent + 1, separation_of(value));
	else
		put_value(l, value);
}

size_t json_layout(const struct json_t *root, FILE *to)
{
	struct json_writer l = { .to = to };
	struct open_values open = { .depth = 0 };

	if (json_object_size(root) == 0)
		put_value(&l, root);
	else
		open_lines(&l, &open, (json_t *)root, 0, ROOT_MEMBERS);
	while (open.depth && !l.failed)
		put_next(&l, &open);
	put_text(&l, "\n");
	return l.failed ? SIZE_MAX : l.bytes;
}
