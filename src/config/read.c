#include "src/config/read.h"

#include <string.h>

#include "callgrind/support/text.h"
#include "src/text/suggest.h"

#define FIELDS_MAX 24 /* keys that are suggested */

static const char *quote(char out[CG_QUOTE_SIZE], const char *text)
{
	return cg_quote(out, text, strlen(text));
}

/* ---- maps ---- */

static int unknown_key(struct config_reader *r, const struct doc_entry *entry, const char *what,
		       const struct field *fields, size_t count)
{
	const char *keys[FIELDS_MAX];
	char list[256] = "", quoted[CG_QUOTE_SIZE];
	size_t at = 0;

	if (count > FIELDS_MAX)
		count = FIELDS_MAX;
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(fields[i].key);

		keys[i] = fields[i].key;
		if (at + len + 3 > sizeof list)
			continue;
		if (i > 0) {
			memcpy(list + at, ", ", 2);
			at += 2;
		}
		memcpy(list + at, fields[i].key, len + 1);
		at += len;
	}

	const char *near = suggest(entry->key, keys, count);
	if (near)
		return READ_FAIL(r, entry->line, "unknown key %s in %s; did you mean '%s'?",
				 quote(quoted, entry->key), what, near);
	return READ_FAIL(r, entry->line, "unknown key %s in %s; known keys: %s",
			 quote(quoted, entry->key), what, list);
}

int read_fields(struct config_reader *r, const struct doc_node *map, const char *what,
		const struct field *fields, size_t count, void *target)
{
	for (const struct doc_entry *e = map->first; e; e = e->next) {
		const struct field *field = fields;

		while (field < fields + count && strcmp(field->key, e->key) != 0)
			field++;
		if (field == fields + count)
			return unknown_key(r, e, what, fields, count);

		int rc = field->read(r, e, target);
		if (rc != CG_OK)
			return rc;
	}
	return CG_OK;
}

/* ---- what is wrong ---- */

const char *read_found(char out[CG_QUOTE_SIZE], const struct doc_node *node)
{
	if (doc_is_null(node))
		return "nothing";
	if (node->kind == DOC_LIST)
		return node->first ? "a list" : "an empty list";
	if (node->kind == DOC_MAP)
		return node->first ? "a map" : "an empty map";
	return cg_quote(out, node->text, strlen(node->text));
}

/* A list's entry has no key, and is named by its place. */
static const char *entry_name(char out[CG_QUOTE_SIZE], const struct doc_entry *entry)
{
	static const char unnamed[] = "this entry";

	if (entry->key)
		return quote(out, entry->key);
	memcpy(out, unnamed, sizeof unnamed);
	return out;
}

int read_mismatch(struct config_reader *r, const struct doc_entry *entry, const char *expected)
{
	char found[CG_QUOTE_SIZE], name[CG_QUOTE_SIZE];

	return READ_FAIL(r, entry->line, "%s: expected %s, found %s", entry_name(name, entry),
			 expected, read_found(found, entry->value));
}

int read_place(struct config_reader *r, const struct doc_entry *entry, int rc)
{
	char name[CG_QUOTE_SIZE];

	if (rc == CG_OK || rc == CG_ENOMEM)
		return rc;

	struct cg_error inner = *r->err;
	entry_name(name, entry);
	/* Some messages name the key themselves. */
	if (strncmp(inner.message, name, strlen(name)) == 0)
		return cg_fail(r->err, rc, r->path, entry->line, "%s", inner.message);
	return cg_fail(r->err, rc, r->path, entry->line, "%s: %s", name, inner.message);
}

int read_expect(struct config_reader *r, const struct doc_entry *entry, enum doc_kind kind,
		const char *expected)
{
	if (entry->value->kind != kind || !entry->value->first)
		return read_mismatch(r, entry, expected);
	return CG_OK;
}

/* ---- scalars ---- */

int read_text(struct config_reader *r, const struct doc_entry *entry, const char *expected,
	      const char **text)
{
	const struct doc_node *node = entry->value;

	if (node->kind != DOC_SCALAR || doc_is_null(node) || *node->text == '\0')
		return read_mismatch(r, entry, expected);
	*text = node->text;
	return CG_OK;
}

int read_line(struct config_reader *r, const struct doc_entry *entry, const char *expected,
	      const char **text)
{
	const char *found = NULL;
	int rc = read_text(r, entry, expected, &found);

	if (rc != CG_OK)
		return rc;
	/* The text is UTF-8 here; a C1 control is two bytes of it. */
	size_t len = strlen(found);
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t code = 0;

		n = cg_utf8_decode(found + i, len - i, &code);
		if (n == 0 || cg_is_control(code))
			return read_mismatch(r, entry, expected);
	}
	*text = found;
	return CG_OK;
}

int read_bool(struct config_reader *r, const struct doc_entry *entry, bool *value)
{
	const struct doc_node *node = entry->value;
	static const char *const truths[] = { "false", "False", "FALSE", "true", "True", "TRUE" };

	for (size_t i = 0; i < 6; i++) {
		if (node->kind == DOC_SCALAR && node->plain && strcmp(node->text, truths[i]) == 0) {
			*value = i >= 3;
			return CG_OK;
		}
	}
	return read_mismatch(r, entry, "true or false");
}

/* Reads decimal digits; *end is the end of them. False if no digit is found or the number is above
 * `max`. */
static bool digits(const char *text, uint32_t max, uint32_t *value, const char **end)
{
	uint64_t sum = 0;
	const char *c = text;

	for (; *c >= '0' && *c <= '9'; c++) {
		sum = sum * 10 + (uint64_t)(*c - '0');
		if (sum > max)
			return false;
	}
	*value = (uint32_t)sum;
	*end = c;
	return c > text;
}

int read_number(struct config_reader *r, const struct doc_entry *entry, uint32_t min, uint32_t max,
		const char *expected, uint32_t *value)
{
	uint32_t number;
	const char *end;

	if (entry->value->kind != DOC_SCALAR || !digits(entry->value->text, max, &number, &end) ||
	    *end != '\0' || number < min)
		return read_mismatch(r, entry, expected);
	*value = number;
	return CG_OK;
}

static uint32_t unit_seconds(const char *unit)
{
	static const struct {
		const char *unit;
		uint32_t seconds;
	} units[] = { { "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 } };

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(unit, units[i].unit) == 0)
			return units[i].seconds;
	return 0;
}

int read_duration(struct config_reader *r, const struct doc_entry *entry, uint32_t *seconds)
{
	static const char expected[] = "a time from 1s to 168h, such as 30 (seconds), 30s, 5m or "
				       "2h";
	uint32_t number, unit;
	const char *end;

	if (entry->value->kind != DOC_SCALAR ||
	    !digits(entry->value->text, CONFIG_TIMEOUT_MAX, &number, &end))
		return read_mismatch(r, entry, expected);
	unit = unit_seconds(end);
	if (unit == 0 || number == 0 || number > CONFIG_TIMEOUT_MAX / unit)
		return read_mismatch(r, entry, expected);
	*seconds = number * unit;
	return CG_OK;
}
