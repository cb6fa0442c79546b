#include "src/cli/message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/cli/options.h"
#include "src/text/text.h"
#include "src/text/wrap.h"

#define OURS "irdiff: "

unsigned terminal_width(int fd)
{
	struct winsize size;
	const char *columns = getenv("COLUMNS");
	if (columns && atoi(columns) > 0)
		return (unsigned)atoi(columns);
	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* ---- lines ---- */

/* The second line of a message begins below the first word behind "irdiff: ". */
static void print_line(const char *line)
{
	unsigned width = isatty(STDERR_FILENO) ? terminal_width(STDERR_FILENO) : 0;
	char *wrapped = width ? text_wrap(line, width, sizeof OURS - 1) : NULL;

	fprintf(stderr, "%s\n", wrapped ? wrapped : line);
	free(wrapped);
}

void print_messages(const char *text, size_t size)
{
	while (size) {
		const char *end = memchr(text, '\n', size);
		size_t len = end ? (size_t)(end - text) : size;
		char *line = end && strncmp(text, OURS, sizeof OURS - 1) == 0 ? strndup(text, len) : NULL;
		if (line)
			print_line(line);
		else
			fwrite(text, 1, len + (end != NULL), stderr);
		free(line);
		text += len + (end != NULL);
		size -= len + (end != NULL);
	}
}

/* ---- messages ---- */

/* Without memory it is printed as it comes. */
static void begin(struct message *m)
{
	*m = (struct message){ 0 };
	m->to = open_memstream(&m->text, &m->size);
	if (!m->to)
		m->to = stderr;
}

void message_begin(struct message *m)
{
	begin(m);
	fputs(OURS, m->to);
}

void message_begin_of(struct message *m, const char *command)
{
	begin(m);
	fprintf(m->to, "irdiff %s: ", command);
}

void warning_begin(struct message *m)
{
	message_begin(m);
	fputs("warning: ", m->to);
}

void message_end(struct message *m)
{
	if (m->to == stderr)
		fputc('\n', stderr);
	else if (fclose(m->to) == 0)
		print_line(m->text);
	free(m->text);
}

/* Names and messages in it come from files and from git. */
static void put_safe(struct message *m, const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	text_print_name(m->to, text ? text : fmt, 0);
	free(text);
}

void print_message(const char *fmt, ...)
{
	struct message m;
	va_list ap;

	va_start(ap, fmt);
	message_begin(&m);
	put_safe(&m, fmt, ap);
	message_end(&m);
	va_end(ap);
}

void print_warning(const char *fmt, ...)
{
	struct message m;
	va_list ap;

	va_start(ap, fmt);
	warning_begin(&m);
	put_safe(&m, fmt, ap);
	message_end(&m);
	va_end(ap);
}

static void print_warning_of(const struct warning_kind *kind, const char *name, size_t count)
{
	if (count == 1)
		print_warning("%s%s %s", kind->before, name, kind->one);
	else
		print_warning("%s%s and %zu more %s", kind->before, name, count - 1, kind->many);
}

static struct repeated_warning *find_warning(struct warnings *w, const struct warning_kind *kind)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->items[i].kind == kind)
			return &w->items[i];
	return NULL;
}

void warn_of(struct warnings *w, const struct warning_kind *kind, const char *name)
{
	struct repeated_warning *known = w ? find_warning(w, kind) : NULL;
	char *copy = w && !known ? strdup(name) : NULL;

	if (known) {
		known->count++;
	} else if (copy && cg_grow(&w->items, &w->cap, w->count + 1, sizeof *w->items) == CG_OK) {
		w->items[w->count++] = (struct repeated_warning){ kind, copy, 1 };
	} else {
		print_warning_of(kind, name, 1);
		free(copy);
	}
}

void warnings_end(struct warnings *w)
{
	for (size_t i = 0; i < w->count; i++) {
		print_warning_of(w->items[i].kind, w->items[i].name, w->items[i].count);
		free(w->items[i].name);
	}
	free(w->items);
	*w = (struct warnings){ 0 };
}

int print_error(const struct cg_error *err)
{
	struct message m;

	message_begin(&m);
	if (err->file[0]) {
		text_print_name(m.to, err->file, 0);
		if (err->line)
			fprintf(m.to, ":%" PRIu64, err->line);
		fputs(": ", m.to);
	}
	text_print_name(m.to, err->message, 0);
	message_end(&m);
	return err->code == CG_EINTERNAL ? EXIT_UNTRUSTED : err->code == CG_EFULL ? EXIT_BENCHMARK : EXIT_USAGE;
}

void print_tail(const char *tail)
{
	if (!tail || !*tail)
		return;
	fputs("The end of its output:\n", stderr);
	while (*tail) {
		size_t len = strcspn(tail, "\n");
		char *line = strndup(tail, len);
		fputs("  | ", stderr);
		text_print_source(stderr, line ? line : "");
		fputc('\n', stderr);
		free(line);
		tail += len + (tail[len] == '\n');
	}
}
