#include "src/cli/message.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/cli/progress.h"
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

/* The second line of a message begins below the first word after "irdiff: ". */
static void message_print_line(const char *line)
{
	unsigned width = isatty(STDERR_FILENO) ? terminal_width(STDERR_FILENO) : 0;
	char *wrapped = width ? text_wrap(line, width, sizeof OURS - 1) : NULL;

	fprintf(stderr, "%s\n", wrapped ? wrapped : line);
	free(wrapped);
}

static void print_relayed(const char *text, size_t size)
{
	while (size) {
		const char *end = memchr(text, '\n', size);
		size_t len = end ? (size_t)(end - text) : size;
		char *line = end && strncmp(text, OURS, sizeof OURS - 1) == 0 ? strndup(text, len)
									      : NULL;
		if (line)
			message_print_line(line);
		else
			fwrite(text, 1, len + (end != NULL), stderr);
		free(line);
		text += len + (end != NULL);
		size -= len + (end != NULL);
	}
}

/* ---- messages ---- */

/* Without memory it is printed as it comes. */
static void open_message(struct message *m)
{
	*m = (struct message){ 0 };
	m->to = open_memstream(&m->text, &m->size);
	if (!m->to)
		m->to = stderr;
}

void message_begin(struct message *m)
{
	open_message(m);
	fputs(OURS, m->to);
}

static void message_begin_of(struct message *m, const char *command)
{
	open_message(m);
	fprintf(m->to, "irdiff %s: ", command);
}

void message_end(struct message *m)
{
	if (m->to == stderr)
		fputc('\n', stderr);
	else if (fclose(m->to) == 0)
		message_print_line(m->text);
	free(m->text);
}

int usage_error(const char *command, const char *fmt, ...)
{
	struct message m;
	va_list ap;

	va_start(ap, fmt);
	message_begin_of(&m, command);
	vfprintf(m.to, fmt, ap);
	message_end(&m);
	va_end(ap);
	fprintf(stderr, "Try 'irdiff %s --help'.\n", command);
	return EXIT_USAGE;
}

/* ---- notices ---- */

static void print_tail(const char *tail)
{
	fputs("Last lines of its output:\n", stderr);
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

static void print_notice(enum notice_kind kind, const char *text)
{
	struct message m;

	message_begin(&m);
	fprintf(m.to, "%s%s", kind == NOTICE_WARNING ? "warning: " : "", text);
	message_end(&m);
}

static void tell(void *context, enum notice_kind kind, const char *text, size_t size)
{
	(void)context;
	switch (kind) {
	case NOTICE_MESSAGE:
	case NOTICE_WARNING:
		print_notice(kind, text);
		break;
	case NOTICE_OUTPUT:
		print_tail(text);
		break;
	case NOTICE_RELAYED:
		print_relayed(text, size);
		break;
	}
}

const struct notices terminal_notices = { tell, NULL, &progress_on_terminal };

static void print_formatted(enum notice_kind kind, const char *fmt, va_list ap)
{
	notice_formatted(&terminal_notices, kind, fmt, ap);
}

void print_message(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_formatted(NOTICE_MESSAGE, fmt, ap);
	va_end(ap);
}

void print_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_formatted(NOTICE_WARNING, fmt, ap);
	va_end(ap);
}

int print_error(const struct cg_error *err)
{
	return exit_code_of(notice_error(&terminal_notices, err));
}

int exit_code_of(enum ending ending)
{
	switch (ending) {
	case ENDED_FINE:
		return EXIT_FINE;
	case ENDED_LIMIT_EXCEEDED:
		return EXIT_LIMIT_EXCEEDED;
	case ENDED_UNUSABLE:
		return EXIT_USAGE;
	case ENDED_BENCHMARK_FAILED:
		return EXIT_BENCHMARK;
	case ENDED_UNTRUSTED:
		return EXIT_UNTRUSTED;
	case ENDED_BY_SIGNAL:
		break;
	}
	return (int)ending;
}
