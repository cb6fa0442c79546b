#include "src/remote/comment.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/text.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define DETAILS_MAX 8              /* nested <details> that are closed */
#define CUT_NOTE "\n\n*The report is cut here: it is too long for a comment.*\n"
#define CUT_ROOM 256 /* units, for the note and for closing open markup */

/* ---- the marker ---- */

int comment_check_name(const char *name, struct cg_error *err)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	static const char between[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/:-";
	size_t len = strlen(name);
	char quoted[CG_QUOTE_SIZE];

	/* HTML forbids -- in a comment. */
	if (len > 0 && len <= COMMENT_NAME_MAX && strspn(name, between) == len &&
	    strchr(letters, name[0]) && strchr(letters, name[len - 1]) && !strstr(name, "--"))
		return CG_OK;
	return cg_fail(
		err, CG_EINVAL, NULL, 0,
		"invalid comment name %s: use at most %d letters, digits and, between them, . _ - / :",
		cg_quote(quoted, name, len), COMMENT_NAME_MAX);
}

const char *comment_marker(char out[COMMENT_MARKER_SIZE], const char *name)
{
	snprintf(out, COMMENT_MARKER_SIZE, "<!-- irdiff:comment:%s -->", name);
	return out;
}

bool comment_is_ours(const char *text, const char *marker)
{
	return strncmp(text, marker, strlen(marker)) == 0;
}

/* ---- text that can be sent ---- */

/* A copy without control characters and with what is not UTF-8 replaced; at most three times as
 * long. */
static char *clean(const char *text, size_t size)
{
	if (size > SIZE_MAX / 3 - 1)
		return NULL;

	char *copy = malloc(3 * size + 1), *to = copy;
	for (size_t i = 0, n; copy && i < size; i += n) {
		uint32_t code = 0;

		n = cg_utf8_decode(text + i, size - i, &code);
		if (text[i] == '\r' && i + 1 < size && text[i + 1] == '\n')
			continue;
		if (n == 0 || (cg_is_control(code) && code != '\n' && code != '\t')) {
			memcpy(to, REPLACEMENT, 3);
			to += 3;
			n += n == 0;
		} else {
			memcpy(to, text + i, n);
			to += n;
		}
	}
	if (copy)
		*to = '\0';
	return copy;
}

/* ---- what fits ---- */

/* The length in UTF-16 units: one for each character, two for those beyond the first plane. */
static size_t units(const char *text, size_t len)
{
	size_t n = 0;
	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80 ? 1 + ((unsigned char)text[i] >= 0xf0)
							     : 0;
	return n;
}

/* How many bytes of whole lines fit into `limit` units; of a single line that is too long, how many
 * of whole characters. */
static size_t fitting(const char *text, size_t limit)
{
	size_t used = 0, whole = 0, i = 0;

	for (; text[i]; i++) {
		used += units(text + i, 1);
		if (used > limit)
			break;
		if (text[i] == '\n')
			whole = i + 1;
	}
	return whole ? whole : i;
}

/* Markup that spans lines and has to be closed when a text is cut. */
struct opened {
	char fence[4]; /* of a block of code: "```"; "" outside */
	unsigned details;
};

static size_t count_occurrences(const char *line, size_t len, const char *word)
{
	size_t n = 0, size = strlen(word);
	for (size_t i = 0; i + size <= len; i++)
		n += strncmp(line + i, word, size) == 0;
	return n;
}

static void look_at_line(struct opened *o, const char *line, size_t len)
{
	size_t indent = strspn(line, " ");

	if (indent < 4 && indent + 3 <= len) {
		const char *c = line + indent;
		if (o->fence[0] && strncmp(c, o->fence, 3) == 0) {
			o->fence[0] = '\0';
			return;
		}
		if (!o->fence[0] && (strncmp(c, "```", 3) == 0 || strncmp(c, "~~~", 3) == 0)) {
			memcpy(o->fence, c, 3);
			return;
		}
	}
	if (o->fence[0])
		return;
	size_t more = o->details + count_occurrences(line, len, "<details");
	size_t less = count_occurrences(line, len, "</details>");
	o->details = (unsigned)(more > less ? more - less : 0);
}

static struct opened opened_in(const char *text, size_t len)
{
	struct opened o = { 0 };

	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t line = end ? (size_t)(end - text) - at : len - at;
		look_at_line(&o, text + at, line);
		at += line + 1;
	}
	return o;
}

static void print_cut_comment(FILE *to, const char *text, size_t limit)
{
	size_t len = fitting(text, limit > CUT_ROOM ? limit - CUT_ROOM : 0);
	struct opened o = opened_in(text, len);

	fwrite(text, 1, len, to);
	if (o.fence[0])
		fprintf(to, "\n%s", o.fence);
	for (unsigned i = 0; i < o.details && i < DETAILS_MAX; i++)
		fputs("\n\n</details>", to);
	fputs(CUT_NOTE, to);
}

char *comment_compose(const char *marker, const char *report, size_t size, size_t limit)
{
	char *text = clean(report, size), *out = NULL;
	size_t out_size, used = strlen(marker) + 1;
	FILE *to = text ? open_memstream(&out, &out_size) : NULL;

	if (to) {
		fprintf(to, "%s\n", marker);
		if (used + units(text, strlen(text)) <= limit)
			fputs(text, to);
		else
			print_cut_comment(to, text, limit > used ? limit - used : 0);
		bool failed = ferror(to);
		if (fclose(to) != 0 || failed) {
			free(out);
			out = NULL;
		}
	}
	free(text);
	return out;
}
