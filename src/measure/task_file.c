#include "src/measure/task_file.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/text.h"
#include "src/store/files.h"

/* ---- texts of any bytes --------------------------------------------------- */

static const char digits[] = "0123456789abcdef";

static bool is_utf8(const char *text)
{
	for (size_t left = strlen(text), n; left; text += n, left -= n) {
		uint32_t code;
		n = cg_utf8_decode(text, left, &code);
		if (n == 0)
			return false;
	}
	return true;
}

static void add_hex(struct json *j, const char *key, const char *text)
{
	size_t len = strlen(text);
	char *hex = malloc(2 * len + 1);

	for (size_t i = 0; hex && i < len; i++) {
		hex[2 * i] = digits[(unsigned char)text[i] >> 4];
		hex[2 * i + 1] = digits[(unsigned char)text[i] & 0xf];
	}
	if (hex)
		hex[2 * len] = '\0';
	json_begin_object(j, key);
	json_text(j, "hex", hex); /* without memory null, which task_read refuses */
	json_end(j);
	free(hex);
}

void task_add_bytes(struct json *j, const char *key, const char *text)
{
	if (text && is_utf8(text))
		json_text(j, key, text);
	else if (text)
		add_hex(j, key, text);
}

static int digit_of(char c)
{
	const char *at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

bool task_decode_hex(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at += 2) {
		int high = digit_of(at[0]), low = high < 0 ? -1 : digit_of(at[1]);
		if (low < 0 || high + low == 0)
			return false;
		*to++ = (char)(high << 4 | low);
	}
	*to = '\0';
	return true;
}

/* ---- documents ------------------------------------------------------------ */

struct json *task_begin_document(const char *schema)
{
	struct json *j = json_new();

	if (!j)
		return NULL;
	json_text(j, "schema", schema);
	json_text(j, "irdiff", PACKAGE_VERSION);
	return j;
}

/* Takes the document over. */
int task_write_document(struct json *j, const char *path, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	int status = new_file_begin(path, &file, &to, err);

	if (status) {
		json_abandon(j);
		return status;
	}
	status = json_finish(j, to);
	if (status) {
		new_file_abandon(file);
		return status == CG_ENOMEM ? cg_fail_nomem(err)
					   : cg_fail(err, status, path, 0, "cannot write");
	}
	return new_file_commit(file, err);
}

int task_read_document(const char *path, const char *schema, struct json_value **out,
		       struct cg_error *err)
{
	struct json_value *json = NULL;
	char *text;
	size_t size;
	int status = file_read(path, &text, &size, err);

	if (status)
		return status;
	status = json_read(text, size, path, &json, err);
	free(text);
	if (status == CG_ENOMEM)
		return status;
	const char *kind = json_text_of(json_member(json, "schema"));
	const char *version = json_text_of(json_member(json, "irdiff"));
	if (kind && version && strcmp(kind, schema) == 0 && strcmp(version, PACKAGE_VERSION) == 0) {
		*out = json;
		return CG_OK;
	}
	json_forget(json);
	return cg_fail(err, CG_EINVAL, path, 0,
		       "not a task of irdiff " PACKAGE_VERSION
		       "; the launcher may have started another version of irdiff");
}
