#include "src/remote/thread.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void thread_free(struct thread *thread)
{
	if (!thread)
		return;
	for (size_t i = 0; i < THREAD_HEADERS_MAX && thread->headers[i]; i++) {
		explicit_bzero(thread->headers[i], strlen(thread->headers[i]));
		free(thread->headers[i]);
	}
	free(thread->api);
	free(thread->list);
	free(thread->one);
	free(thread->who);
	free(thread->page);
	free(thread);
}

/* Whether the parameters of a link, up to `end`, contain rel="next"; it may be one of several
 * relations. */
static int is_next(const char *c, const char *end)
{
	static const char name[] = "rel=";

	for (; c < end; c++) {
		if ((*c != ';' && *c != ' ') || (size_t)(end - c) < sizeof name ||
		    strncasecmp(c + 1, name, sizeof name - 1) != 0)
			continue;
		const char *word = c + sizeof name;
		const char *last = *word == '"' ? memchr(word + 1, '"', (size_t)(end - word - 1))
						: NULL;
		word += *word == '"';
		if (!last)
			for (last = word; last < end && *last != ';' && *last != ' '; last++)
				;
		for (const char *next; word < last; word = next + 1) {
			next = memchr(word, ' ', (size_t)(last - word));
			next = next ? next : last;
			if (next - word == 4 && strncasecmp(word, "next", 4) == 0)
				return 1;
		}
	}
	return 0;
}

char *thread_next_page(const char *link)
{
	while (link) {
		const char *url = strchr(link, '<');
		const char *end = url ? strchr(url, '>') : NULL;
		if (!end)
			return NULL;
		/* A comma outside of <> and quotes ends the link. */
		const char *stop = end + 1;
		for (int quoted = 0; *stop && (*stop != ',' || quoted); stop++)
			quoted ^= *stop == '"';
		if (is_next(end + 1, stop))
			return strndup(url + 1, (size_t)(end - url - 1));
		link = *stop ? stop + 1 : NULL;
	}
	return NULL;
}
