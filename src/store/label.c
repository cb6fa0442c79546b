#include "src/store/label.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/text.h"

#define OLD ".old"

/* ---- what is allowed ---- */

static int check_ends(const char *part, size_t len, struct cg_error *err)
{
	if (len == 0)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "a name cannot begin or end with a slash, or have "
			       "two in a row");
	if (part[0] == '.')
		return cg_fail(err, CG_EINVAL, NULL, 0, "a label cannot begin with a dot");
	if (part[0] == '-')
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "a label cannot begin with a dash, which marks an option");
	if (part[0] == ' ' || part[len - 1] == ' ')
		return cg_fail(err, CG_EINVAL, NULL, 0, "a label cannot begin or end with a space");
	return CG_OK;
}

static int check_label_parts(const char *label, struct cg_error *err)
{
	int rc = CG_OK;

	for (const char *part = label;; part++) {
		size_t len = strcspn(part, "/");
		rc = check_ends(part, len, err);
		part += len;
		if (rc != CG_OK || !*part)
			return rc;
	}
}

static int check_characters(const char *label, size_t len, struct cg_error *err)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t code;

		n = cg_utf8_decode(label + i, len - i, &code);
		if (n == 0)
			return cg_fail(err, CG_EINVAL, NULL, 0,
				       "a label must be UTF-8; byte %zu is not", i + 1);
		if (code == '\\')
			return cg_fail(err, CG_EINVAL, NULL, 0, "a label cannot contain '\\'");
		if (cg_is_control(code))
			return cg_fail(
				err, CG_EINVAL, NULL, 0,
				"a label cannot contain control characters; byte %zu is one (U+%04X)",
				i + 1, (unsigned)code);
	}
	return CG_OK;
}

/* The length of the name of a label's file. */
static size_t file_length(const char *label)
{
	size_t len = 0;

	for (; *label; label++)
		len += *label == '/' || *label == '%' ? 3 : 1;
	return len;
}

static int check_label(const char *label, size_t len, struct cg_error *err)
{
	int rc;

	if (len == 0)
		return cg_fail(err, CG_EINVAL, NULL, 0, "a label cannot be empty");
	if (file_length(label) > LABEL_MAX)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "a label can have at most %d bytes; this one has %zu", LABEL_MAX,
			       file_length(label));
	if ((rc = check_label_parts(label, err)) != CG_OK)
		return rc;
	return check_characters(label, len, err);
}

int label_check(const char *label, struct cg_error *err)
{
	size_t len = strlen(label);
	int rc = check_label(label, len, err);

	if (rc != CG_OK && len > 0) {
		char quoted[CG_QUOTE_SIZE];
		cg_error_context(err, "%s", cg_quote(quoted, label, len));
	}
	return rc;
}

int label_check_name(const char *name, struct cg_error *err)
{
	char quoted[CG_QUOTE_SIZE];
	int rc = label_check(name, err);

	if (rc != CG_OK || !strchr(name, '/'))
		return rc;
	return cg_fail(err, CG_EINVAL, NULL, 0, "%s: a name cannot contain '/'",
		       cg_quote(quoted, name, strlen(name)));
}

int label_check_new(const char *label, struct cg_error *err)
{
	static const char kept[] = OLD;
	size_t len = strlen(label);
	int rc = label_check_name(label, err);

	if (rc != CG_OK)
		return rc;

	char quoted[CG_QUOTE_SIZE];
	if (file_length(label) > LABEL_NEW_MAX)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s: a new label can have at most %d bytes; this one has %zu",
			       cg_quote(quoted, label, len), LABEL_NEW_MAX, file_length(label));
	if (len < sizeof kept || strcmp(label + len - strlen(kept), kept) != 0)
		return CG_OK;
	return cg_fail(
		err, CG_EINVAL, NULL, 0,
		"%s: a new label cannot end in '.old', which is reserved for replaced profiles",
		cg_quote(quoted, label, len));
}

/* ---- names of cases ---- */

/* Whether a character needs no escape at this place of a case's name. */
static bool is_plain_in_label(const char *name, size_t i, size_t len, size_t n, uint32_t code)
{
	bool first = i == 0 || name[i - 1] == '/';
	bool last = i + n == len || name[i + n] == '/';

	if (n == 0 || cg_is_control(code) || code == '\\' || code == '%')
		return false;
	if (first && (code == '.' || code == '-' || code == ' ' || code == '/'))
		return false;
	return !(last && (code == ' ' || code == '/'));
}

/* "%XX"; returns what follows. */
static char *put_escaped(char *to, char byte)
{
	static const char digits[] = "0123456789ABCDEF";

	*to++ = '%';
	*to++ = digits[(unsigned char)byte >> 4];
	*to++ = digits[(unsigned char)byte & 0xf];
	return to;
}

static char *escape_label(const char *name)
{
	size_t len = strlen(name);
	char *out = malloc(3 * len + 4), *to = out;

	for (size_t i = 0, n; out && i < len; i += n) {
		uint32_t code = 0;
		n = cg_utf8_decode(name + i, len - i, &code);
		if (is_plain_in_label(name, i, len, n, code)) {
			memcpy(to, name + i, n);
			to += n;
			continue;
		}
		n = n ? n : 1;
		for (size_t k = 0; k < n; k++)
			to = put_escaped(to, name[i + k]);
	}
	if (out && !len)
		*to++ = '%';
	if (out)
		*to = '\0';
	return out;
}

/* FNV-1a: good enough to distinguish texts, no protection against forgery. */
static uint64_t digest(const char *text)
{
	uint64_t state = 0xcbf29ce484222325u;

	for (; *text; text++)
		state = (state ^ (unsigned char)*text) * 0x100000001b3u;
	return state;
}

/* Where to cut a label so that at most `most` bytes of its file's name remain: not inside a
 * character, nor after a slash or a space. */
static size_t cut_length(const char *label, size_t most)
{
	size_t len = 0, used = 0;

	while (label[len] && (used += label[len] == '/' || label[len] == '%' ? 3 : 1) <= most)
		len++;
	while (len && (((unsigned char)label[len] & 0xc0) == 0x80 || strchr("/ %", label[len - 1])))
		len--;
	return len;
}

char *label_of_case(const char *benchmark, const char *name)
{
	enum { MARK = 1 + 16 };
	const size_t most = LABEL_MAX - strlen(OLD);
	char *escaped = escape_label(name), *label = NULL, *cut = NULL;

	if (!escaped || asprintf(&label, "%s/%s", benchmark, escaped) < 0) {
		free(escaped);
		return NULL;
	}
	free(escaped);
	if (file_length(label) <= most && !label_is_old(label))
		return label;
	if (asprintf(&cut, "%.*s~%016" PRIx64, (int)cut_length(label, most - MARK), label,
		     digest(name)) < 0)
		cut = NULL;
	free(label);
	return cut;
}

bool label_is_heap_of(const char *label, const char *benchmark)
{
	const size_t len = strlen(benchmark);

	return label_is_case_of(label, benchmark, len) && strcmp(label + len + 1, LABEL_HEAP) == 0;
}

bool label_is_case_of(const char *label, const char *benchmark, size_t len)
{
	return strncmp(label, benchmark, len) == 0 && label[len] == '/';
}

bool label_is_old(const char *label)
{
	size_t len = strlen(label), n = strlen(OLD);
	return len > n && strcmp(label + len - n, OLD) == 0;
}

size_t label_benchmark_length(const char *label)
{
	return strcspn(label, "/");
}

/* ---- names of files ---- */

char *label_file(const char *label)
{
	char *name = malloc(file_length(label) + 1), *to = name;

	for (; name && *label; label++) {
		if (*label == '/' || *label == '%')
			to = put_escaped(to, *label);
		else
			*to++ = *label;
	}
	if (name)
		*to = '\0';
	return name;
}

/* Whether it is the dot of ".callgrind" in the name of a directory. */
static bool is_reserved_dot(const char *at)
{
	return strncmp(at, LABEL_SUFFIX, strlen(LABEL_SUFFIX)) == 0 && strchr(at, '/');
}

char *label_path(const char *label)
{
	char *path = malloc(3 * strlen(label) + 1), *to = path;

	for (; path && *label; label++) {
		if (*label == '%' || is_reserved_dot(label))
			to = put_escaped(to, *label);
		else
			*to++ = *label;
	}
	if (path)
		*to = '\0';
	return path;
}

/* The character that "%XX" stands for, if it is one of those that are written so; 0: it is not. */
static char escaped_character(const char *at)
{
	return strncmp(at, "%2F", 3) == 0   ? '/'
	       : strncmp(at, "%25", 3) == 0 ? '%'
	       : strncmp(at, "%2E", 3) == 0 ? '.'
					    : '\0';
}

static char *unescape_label(const char *name)
{
	char *label = malloc(strlen(name) + 1), *to = label;

	for (; label && *name; name++) {
		char c = escaped_character(name);
		*to++ = c ? c : *name;
		name += c ? 2 : 0;
	}
	if (label)
		*to = '\0';
	return label;
}

/* The label whose name this is. Each label has one: other ways to write it are refused. */
static char *label_written_as(const char *name, char *write_label(const char *label))
{
	char *label = unescape_label(name), *again = label ? write_label(label) : NULL;

	if (!again || strcmp(again, name) != 0) {
		free(label);
		label = NULL;
	}
	free(again);
	return label;
}

char *label_of_path(const char *path)
{
	return label_written_as(path, label_path);
}

char *label_of_file(const char *name)
{
	return label_written_as(name, label_file);
}
