#include "src/store/row_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

/* Whether all eight bytes stand in JSON as they are: where one does not, a subtraction borrows. */
static bool are_plain(const char *text)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t word;

	memcpy(&word, text, sizeof word);
	uint64_t quote = word ^ each * '"', backslash = word ^ each * '\\';
	uint64_t control = (word - each * 0x20) & ~word;
	uint64_t escaped = ((quote - each) & ~quote) | ((backslash - each) & ~backslash);
	return !((control | escaped) & each << 7);
}

/* How many bytes stand in JSON as they are. */
static size_t plain_span(const char *text, size_t len)
{
	size_t n = 0;

	while (len - n >= 8 && are_plain(text + n))
		n += 8;
	while (n < len && (unsigned char)text[n] >= 0x20 && text[n] != '"' && text[n] != '\\')
		n++;
	return n;
}

/* ---- writing ---- */

void row_put_bytes(struct row_text *to, const char *bytes, size_t size)
{
	if (to->cap - to->size < size)
		to->failed = to->failed || cg_grow(&to->bytes, &to->cap, to->size + size, 1);
	if (to->failed)
		return;
	memcpy(to->bytes + to->size, bytes, size);
	to->size += size;
}

static void put_json_text(struct row_text *to, const char *text)
{
	char escape[8];
	size_t len = strlen(text);

	row_put(to, "\"");
	for (;;) {
		size_t n = plain_span(text, len);
		row_put_bytes(to, text, n);
		if (n == len)
			break;
		unsigned char c = (unsigned char)text[n];
		snprintf(escape, sizeof escape, c < 0x20 ? "\\u%04x" : "\\%c", c);
		row_put(to, escape);
		text += n + 1;
		len -= n + 1;
	}
	row_put(to, "\"");
}

void row_put_text(struct row_text *to, const char *lead, const char *text)
{
	row_put(to, lead);
	put_json_text(to, text);
}

void row_put_integer(struct row_text *to, const char *lead, int64_t n)
{
	char digits[20], *at = digits + sizeof digits;
	uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

	do
		*--at = (char)('0' + rest % 10);
	while (rest /= 10);
	row_put(to, lead);
	row_put(to, n < 0 ? "-" : "");
	row_put_bytes(to, at, (size_t)(digits + sizeof digits - at));
}

int row_text_finish(struct row_text *to, char **text, struct cg_error *err)
{
	row_put_bytes(to, "", 1);
	if (to->failed) {
		free(to->bytes);
		return cg_fail_nomem(err);
	}
	*text = to->bytes;
	return CG_OK;
}

/* ---- reading ---- */

/* Takes \", \\ or a control character as put_json_text writes it; 0: something else. */
static char take_escape(struct row_reading *in)
{
	static const char digits[] = "0123456789abcdef";

	if (row_take(in, "\""))
		return '"';
	if (row_take(in, "\\"))
		return '\\';
	int high = row_take(in, "u000") ? 0 : row_take(in, "u001") ? 16 : -1;
	const char *low = high < 0 || in->at == in->end ? NULL : memchr(digits, *in->at++, 16);
	return low ? (char)(high + (low - digits)) : 0;
}

char *row_take_json_text(struct row_reading *in)
{
	char *text = in->texts, *to = text;

	row_expect(in, "\"");
	while (!in->status && !row_take(in, "\"")) {
		size_t n = plain_span(in->at, (size_t)(in->end - in->at));
		memcpy(to, in->at, n);
		to += n;
		in->at += n;
		if (row_take(in, "\\"))
			in->status = (*to++ = take_escape(in)) ? CG_OK : CG_ESYNTAX;
		else if (in->at == in->end || *in->at != '"')
			in->status = CG_ESYNTAX;
	}
	if (in->status)
		return NULL;
	*to = '\0';
	in->texts = to + 1;
	return text;
}

int64_t row_take_integer(struct row_reading *in)
{
	bool negative = row_take(in, "-");
	uint64_t n = 0, most = (uint64_t)INT64_MAX + negative;
	const char *first = in->at;

	for (; !in->status && in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++) {
		if (n > most / 10)
			in->status = CG_ESYNTAX;
		n = n * 10 + (uint64_t)(*in->at - '0');
	}
	bool padded = in->at > first && *first == '0' && (negative || in->at > first + 1);
	if ((in->at == first || padded || n > most) && !in->status)
		in->status = CG_ESYNTAX;
	return (int64_t)(negative ? 0 - n : n);
}
