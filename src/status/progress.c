#include "src/status/progress.h"

#include <stddef.h>

bool progress_is_watched(const struct notices *n)
{
	return n && n->display && n->display->is_watched();
}

struct progress *progress_begin(const struct notices *n, const char *what, const char *name)
{
	return progress_begin_of(n, what, name, -1);
}

struct progress *progress_begin_of(const struct notices *n, const char *what, const char *name,
				   double seconds)
{
	return progress_is_watched(n) ? n->display->begin(what, name, seconds) : NULL;
}

void progress_expect(struct progress *p, uint64_t bytes)
{
	if (p)
		p->display->expect(p, bytes);
}

void progress_add(void *context, uint64_t bytes)
{
	struct progress *p = context;

	if (p)
		p->display->add(p, bytes);
}

void progress_end(struct progress *p)
{
	if (p)
		p->display->end(p);
}

void progress_show_line(const struct notices *n, const char *text)
{
	if (progress_is_watched(n))
		n->display->show_line(text);
}

void progress_erase_line(const struct notices *n)
{
	if (progress_is_watched(n))
		n->display->erase_line();
}
