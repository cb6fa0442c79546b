#include "src/json/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "callgrind/support/number.h"
#include "cgprofile/error.h"
#include "src/json/json_layout.h"
#include "src/text/text.h"

struct json {
	json_t *open[JSON_MAX_DEPTH]; /* borrowed but for the root */
	size_t depth;
	bool failed;
};

struct json *json_new(void)
{
	struct json *j = calloc(1, sizeof *j);
	if (!j)
		return NULL;
	j->open[0] = json_object();
	j->depth = 1;
	j->failed = !j->open[0];
	return j;
}

/* Adds a value, which it takes over. A key that is not UTF-8 is written as text_safe shows it. */
static void add_json_value(struct json *j, const char *key, json_t *value)
{
	json_t *to = j->open[j->depth - 1];
	if (json_is_array(to)) {
		j->failed |= json_array_append_new(to, value) != 0;
		return;
	}
	if (json_object_set(to, key, value)) {
		char *safe = text_safe(key);
		j->failed |= !safe || json_object_set(to, safe, value) != 0;
		free(safe);
	}
	json_decref(value);
}

static void open_json_value(struct json *j, const char *key, json_t *value)
{
	add_json_value(j, key, value);
	if (j->failed || j->depth == JSON_MAX_DEPTH)
		j->failed = true;
	else
		j->open[j->depth++] = value;
}

void json_begin_object(struct json *j, const char *key)
{
	if (!j->failed)
		open_json_value(j, key, json_object());
}

void json_begin_array(struct json *j, const char *key)
{
	if (!j->failed)
		open_json_value(j, key, json_array());
}

void json_end(struct json *j)
{
	if (j->depth > 1)
		j->depth--;
}

void json_text(struct json *j, const char *key, const char *text)
{
	if (j->failed)
		return;
	json_t *value = text ? json_string(text) : json_null();
	if (!value) {
		char *safe = text_safe(text);
		value = safe ? json_string(safe) : NULL;
		free(safe);
	}
	add_json_value(j, key, value);
}

void json_made_text(struct json *j, const char *key, char *text)
{
	j->failed |= !text;
	json_text(j, key, text);
	free(text);
}

void json_cost(struct json *j, const char *key, int64_t cost)
{
	if (!j->failed)
		add_json_value(j, key, json_integer(cost));
}

void json_count(struct json *j, const char *key, uint64_t n)
{
	char digits[24];

	if (j->failed)
		return;
	snprintf(digits, sizeof digits, "%" PRIu64, n);
	add_json_value(j, key, n > INT64_MAX ? json_string(digits) : json_integer((json_int_t)n));
}

void json_delta(struct json *j, const char *key, int64_t base, int64_t head)
{
	char digits[26];
	uint64_t size = cg_distance(base, head);

	if (j->failed)
		return;
	snprintf(digits, sizeof digits, "%s%" PRIu64, head < base ? "-" : "", size);
	add_json_value(j, key,
		       size > INT64_MAX ? json_string(digits) : json_integer(cg_delta(base, head)));
}

void json_number(struct json *j, const char *key, double n)
{
	if (!j->failed)
		add_json_value(j, key, json_real(n));
}

void json_share(struct json *j, const char *key, double share)
{
	json_number(j, key, round(share * 1e6) / 1e6 + 0.0);
}

void json_time(struct json *j, const char *key, int64_t seconds)
{
	char text[40];
	time_t time = (time_t)seconds;
	struct tm tm;
	bool known = gmtime_r(&time, &tm) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);

	json_text(j, key, known ? text : NULL);
}

void json_flag(struct json *j, const char *key, bool b)
{
	if (!j->failed)
		add_json_value(j, key, json_boolean(b));
}

void json_none(struct json *j, const char *key)
{
	if (!j->failed)
		add_json_value(j, key, json_null());
}

size_t json_shorten(struct json *j, const char *key, size_t bytes, size_t least)
{
	json_t *object = j->open[j->depth - 1], *array = json_object_get(object, key);
	size_t removed = 0;

	while (!j->failed && json_array_size(array) > least && json_layout(object, NULL) > bytes) {
		json_array_remove(array, json_array_size(array) - 1);
		removed++;
	}
	return removed;
}

void json_abandon(struct json *j)
{
	json_decref(j->open[0]);
	free(j);
}

int json_finish(struct json *j, FILE *to)
{
	int status = j->failed ? CG_ENOMEM : CG_OK;

	if (!status && json_layout(j->open[0], to) == SIZE_MAX)
		status = CG_EIO;
	json_abandon(j);
	return status;
}

/* Outside of texts JSON has no '<'. */
static int print_embedded(const char *bytes, size_t size, void *to)
{
	for (const char *end = bytes + size, *less; bytes < end; bytes = less + 1) {
		less = memchr(bytes, '<', (size_t)(end - bytes));
		fwrite(bytes, 1, (size_t)((less ? less : end) - bytes), to);
		if (!less)
			break;
		fputs("\\u003c", to);
	}
	return ferror((FILE *)to) ? -1 : 0;
}

int json_finish_embedded(struct json *j, FILE *to)
{
	int status = j->failed ? CG_ENOMEM : CG_OK;

	if (!status && json_dump_callback(j->open[0], print_embedded, to,
					  JSON_COMPACT | JSON_REAL_PRECISION(12)))
		status = CG_EIO;
	json_abandon(j);
	return status;
}

int json_write_text(const char *text, FILE *to)
{
	char *safe = text_safe(text), *quoted = NULL;
	json_t *value = safe ? json_string(safe) : NULL;

	if (value)
		quoted = json_dumps(value, JSON_ENCODE_ANY);
	if (quoted)
		fputs(quoted, to);
	json_decref(value);
	free(safe);
	int status = quoted ? CG_OK : CG_ENOMEM;
	free(quoted);
	return status;
}

/* ---- reading ---- */

/* A json_value is jansson's type under our own name. */
static const json_t *theirs(const struct json_value *value)
{
	return (const json_t *)value;
}

int json_read(const char *text, size_t size, const char *what, struct json_value **root,
	      struct cg_error *err)
{
	json_error_t error;
	json_t *read = json_loadb(text, size, JSON_ALLOW_NUL, &error);

	if (!read && json_error_code(&error) == json_error_out_of_memory)
		return cg_fail_nomem(err);
	if (!read)
		return cg_fail(err, CG_ESYNTAX, NULL, 0, "%s is not JSON: %s (line %d)", what,
			       error.text, error.line);
	*root = (struct json_value *)read;
	return CG_OK;
}

void json_forget(struct json_value *root)
{
	json_decref((json_t *)root);
}

bool json_is_list(const struct json_value *value)
{
	return json_is_array(theirs(value));
}

bool json_is_none(const struct json_value *value)
{
	return json_is_null(theirs(value));
}

bool json_is_flag(const struct json_value *value)
{
	return json_is_boolean(theirs(value));
}

bool json_holds(const struct json_value *value)
{
	return json_is_boolean(theirs(value)) && json_boolean_value(theirs(value));
}

size_t json_items(const struct json_value *value)
{
	return json_array_size(theirs(value));
}

const struct json_value *json_item(const struct json_value *array, size_t i)
{
	return (const struct json_value *)json_array_get(theirs(array), i);
}

const struct json_value *json_member(const struct json_value *object, const char *key)
{
	return (const struct json_value *)json_object_get(theirs(object), key);
}

const char *json_text_of(const struct json_value *value)
{
	return json_string_value(theirs(value));
}

bool json_count_of(const struct json_value *value, uint64_t *n)
{
	if (!json_is_integer(theirs(value)) || json_integer_value(theirs(value)) < 0)
		return false;
	*n = (uint64_t)json_integer_value(theirs(value));
	return true;
}

bool json_cost_of(const struct json_value *value, int64_t *cost)
{
	if (!json_is_integer(theirs(value)))
		return false;
	*cost = json_integer_value(theirs(value));
	return true;
}

bool json_number_of(const struct json_value *value, double *n)
{
	if (!json_is_number(theirs(value)))
		return false;
	*n = json_number_value(theirs(value));
	return true;
}
