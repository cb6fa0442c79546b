#include "src/status/notice.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/text/text.h"

static void tell_notice(const struct notices *n, enum notice_kind kind, const char *text,
			size_t size)
{
	if (n && n->tell)
		n->tell(n->context, kind, text, size);
}

/* ---- one message ---- */

void notice_begin(struct notice *m, const struct notices *n, enum notice_kind kind)
{
	*m = (struct notice){ .notices = n, .kind = kind };
	m->to = open_memstream(&m->text, &m->size);
	if (!m->to)
		m->to = fopen("/dev/null", "w");
}

void notice_end(struct notice *m)
{
	if (m->to && fclose(m->to) == 0 && m->text)
		tell_notice(m->notices, m->kind, m->text, m->size);
	free(m->text);
}

void notice_formatted(const struct notices *n, enum notice_kind kind, const char *fmt, va_list ap)
{
	struct notice m;
	char *text;

	if (!n || vasprintf(&text, fmt, ap) < 0)
		return;
	notice_begin(&m, n, kind);
	if (m.to)
		text_print_name(m.to, text, 0);
	notice_end(&m);
	free(text);
}

void notice_message(const struct notices *n, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	notice_formatted(n, NOTICE_MESSAGE, fmt, ap);
	va_end(ap);
}

void notice_warning(const struct notices *n, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	notice_formatted(n, NOTICE_WARNING, fmt, ap);
	va_end(ap);
}

enum ending notice_error(const struct notices *n, const struct cg_error *err)
{
	char line[32] = "";

	if (err->file[0] && err->line)
		snprintf(line, sizeof line, ":%" PRIu64, err->line);
	notice_message(n, "%s%s%s%s", err->file, line, err->file[0] ? ": " : "", err->message);
	return ending_of_error(err);
}

void notice_output(const struct notices *n, const char *tail)
{
	if (tail && *tail)
		tell_notice(n, NOTICE_OUTPUT, tail, strlen(tail));
}

void notice_relayed(const struct notices *n, const char *text, size_t size)
{
	if (size)
		tell_notice(n, NOTICE_RELAYED, text, size);
}

/* ---- warnings that many things may cause ---- */

static void tell_repeated(const struct notices *n, const struct warning_kind *kind,
			  const char *name, size_t count)
{
	if (count == 1)
		notice_warning(n, "%s%s %s", kind->before, name, kind->one);
	else
		notice_warning(n, "%s%s and %zu more %s", kind->before, name, count - 1,
			       kind->many);
}

static struct repeated_warning *find_repeated(struct warnings *w, const struct warning_kind *kind)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->items[i].kind == kind)
			return &w->items[i];
	return NULL;
}

static bool has_repeated_name(const struct repeated_warning *r, const char *name)
{
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->names[i], name) == 0)
			return true;
	return false;
}

/* NULL: out of memory. */
static struct repeated_warning *find_or_add_repeated(struct warnings *w,
						     const struct warning_kind *kind)
{
	struct repeated_warning *known = find_repeated(w, kind);

	if (known || cg_grow(&w->items, &w->cap, w->count + 1, sizeof *w->items))
		return known;
	w->items[w->count] = (struct repeated_warning){ .kind = kind };
	return &w->items[w->count++];
}

void warnings_add(struct warnings *w, const struct notices *n, const struct warning_kind *kind,
		  const char *name)
{
	struct repeated_warning *r = w ? find_or_add_repeated(w, kind) : NULL;

	if (r && has_repeated_name(r, name))
		return;
	char *copy = r ? strdup(name) : NULL;
	if (copy && cg_grow(&r->names, &r->cap, r->count + 1, sizeof *r->names) == CG_OK) {
		r->names[r->count++] = copy;
	} else {
		tell_repeated(n, kind, name, 1);
		free(copy);
	}
}

void warnings_end(struct warnings *w, const struct notices *n)
{
	for (size_t i = 0; i < w->count; i++) {
		struct repeated_warning *r = &w->items[i];
		if (r->count)
			tell_repeated(n, r->kind, r->names[0], r->count);
		for (size_t k = 0; k < r->count; k++)
			free(r->names[k]);
		free(r->names);
	}
	free(w->items);
	*w = (struct warnings){ 0 };
}

void notice_ignore(void *context, enum notice_kind kind, const char *text, size_t size)
{
	(void)context;
	(void)kind;
	(void)text;
	(void)size;
}
