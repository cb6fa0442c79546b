#include "src/status/said.h"

#include <stdlib.h>
#include <string.h>

#include "src/text/text.h"

#define MOST_SAID 8000

/* What another irdiff said begins with its name; own messages get that where they are printed. */
static void keep_lines(FILE *to, const char *text, enum notice_kind kind)
{
	static const char name[] = "irdiff: ";

	while (*text) {
		if (kind == NOTICE_RELAYED && strncmp(text, name, sizeof name - 1) == 0)
			text += sizeof name - 1;
		size_t len = strcspn(text, "\n");
		char *line = strndup(text, len);
		text_print_source(to, line ? line : "");
		fputc('\n', to);
		free(line);
		text += len + (text[len] == '\n');
	}
}

static void hear(void *context, enum notice_kind kind, const char *text, size_t size)
{
	struct said *s = context;

	pthread_mutex_lock(&s->lock);
	if (s->to && kind != NOTICE_WARNING && fflush(s->to) == 0 && s->size < MOST_SAID) {
		if (s->size + size > MOST_SAID)
			fputs("…\n", s->to);
		else
			keep_lines(s->to, text, kind);
	}
	pthread_mutex_unlock(&s->lock);
	if (s->outer && s->outer->tell)
		s->outer->tell(s->outer->context, kind, text, size);
}

void said_begin(struct said *s, const struct notices *outer)
{
	*s = (struct said){ .outer = outer };
	s->notices = (struct notices){ .tell = hear,
				       .context = s,
				       .display = outer ? outer->display : NULL };
	s->to = open_memstream(&s->text, &s->size);
	pthread_mutex_init(&s->lock, NULL);
}

const char *said_text(struct said *s)
{
	pthread_mutex_lock(&s->lock);
	if (s->to)
		fclose(s->to);
	s->to = NULL;
	pthread_mutex_unlock(&s->lock);
	return s->text ? s->text : "";
}

void said_end(struct said *s)
{
	said_text(s);
	free(s->text);
	pthread_mutex_destroy(&s->lock);
}
