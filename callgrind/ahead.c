#include "callgrind/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/names.h"
#include "cgprofile/strings.h"

#define READ_SIZE (256 * 1024)
#define MAX_LINE (16 * 1024 * 1024)

/* ---- lines ---- */

static int ahead_take_line(const char *start, const char *end, const struct cg_ahead *how,
			   void *context)
{
	struct line l = { start, start, end };

	if (l.end > l.start && l.end[-1] == '\r')
		l.end--;
	cg_line_skip_blanks(&l);
	if (l.at == l.end || (unsigned)((*l.at | 0x20) - 'a') >= 26)
		return CG_OK; /* costs, mostly */
	const char *equals = cg_line_find(&l, l.at, '=');
	enum name_key key = cg_name_key(l.at, (size_t)(equals - l.at));
	if (key == NAME_NONE || equals == l.end)
		return CG_OK;
	if (memchr(l.at, '\0', (size_t)(l.end - l.at)))
		return CG_OK; /* the reader refuses it */
	l.at = equals + 1;
	struct name_line name;
	cg_name_line_parse(&name, key, l, &how->names);
	return how->take(context, &name);
}

static int ahead_take_lines(const char *bytes, size_t len, const struct cg_ahead *how,
			    void *context, size_t *used)
{
	const char *at = bytes, *newline;
	int status = CG_OK;

	for (; !status && (newline = memchr(at, '\n', (size_t)(bytes + len - at)));
	     at = newline + 1)
		status = ahead_take_line(at, newline, how, context);
	*used = (size_t)(at - bytes);
	return status;
}

int cg_ahead_names(struct cg_input *in, const struct cg_ahead *how, void *context,
		   struct cg_error *err)
{
	char *buffer = NULL;
	size_t cap = 0, len = 0, got = 1, used;
	int status = CG_OK;

	while (!status && got > 0) {
		if (len > MAX_LINE)
			break; /* the reader reports it */
		if (cg_grow(&buffer, &cap, len + READ_SIZE, 1))
			status = cg_fail_nomem(err);
		if (!status)
			status = cg_input_read(in, buffer + len, cap - len - 1, &got, err);
		if (status)
			break;
		len += got;
		if (got == 0 && len > 0)
			buffer[len++] = '\n';
		status = ahead_take_lines(buffer, len, how, context, &used);
		if (status == CG_ENOMEM)
			cg_fail_nomem(err);
		len -= used;
		memmove(buffer, buffer + used, len);
	}
	free(buffer);
	return status;
}

/* ---- levels and callers ---- */

int cg_ahead_finds(struct cg_input *in, char byte, bool *found, struct cg_error *err)
{
	char *buffer = malloc(READ_SIZE);
	size_t got = 1;
	int status = buffer ? CG_OK : cg_fail_nomem(err);

	*found = false;
	while (!status && got > 0 && !*found) {
		status = cg_input_read(in, buffer, READ_SIZE, &got, err);
		*found = !status && memchr(buffer, byte, got);
	}
	free(buffer);
	return status;
}

struct evidence {
	struct cg_strings functions; /* names without level and callers, if no levels */
	struct cg_strings quoted;    /* whole names that seem to hold some */
};

static int ahead_take_function(void *context, const struct name_line *n)
{
	struct evidence *e = context;
	bool function = n->key == NAME_FUNCTION || n->key == NAME_CALLEE;
	cg_str ignored;

	if (!function || !n->name)
		return CG_OK;
	if (n->own_len < n->len && cg_strings_add(&e->quoted, n->name, n->len, &ignored))
		return CG_ENOMEM;
	return n->level > 1 ? CG_OK : cg_strings_add(&e->functions, n->name, n->own_len, &ignored);
}

/* Whether all callers are functions, and there are some. */
static bool are_callers(const struct cg_strings *functions, const char *names, size_t len)
{
	const char *at = names, *end = names + len;

	for (const char *next; at <= end; at = next + 1) {
		next = memchr(at, '\'', (size_t)(end - at));
		next = next ? next : end;
		if (next == at || !cg_strings_find(functions, at, (size_t)(next - at)))
			return false;
	}
	return true;
}

static bool ahead_packs_names(const struct evidence *e)
{
	size_t callers = 0, others = 0;

	for (cg_str id = 1; id < e->quoted.count; id++) {
		const char *name = cg_strings_get(&e->quoted, id);
		size_t len = strlen(name);
		struct cg_name_parts parts = cg_name_split(name, len);
		if (parts.level > 1 && cg_strings_find(&e->functions, name, parts.name_len))
			return true;
		if (are_callers(&e->functions, name + parts.context_off, len - parts.context_off))
			callers++;
		else
			others++;
	}
	return callers && !others;
}

int cg_ahead_packs_names(struct cg_input *in, bool *packs, struct cg_error *err)
{
	static const struct cg_ahead how = { .names.packed = true, .take = ahead_take_function };
	struct evidence e = { 0 };
	int status = CG_OK;

	if (cg_strings_init(&e.functions) || cg_strings_init(&e.quoted))
		status = cg_fail_nomem(err);
	if (!status)
		status = cg_ahead_names(in, &how, &e, err);
	if (!status)
		*packs = ahead_packs_names(&e);
	cg_strings_free(&e.functions);
	cg_strings_free(&e.quoted);
	return status;
}
