#include "src/commits/alike.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

static void relay_item(const struct notices *to, const struct alike_notice *item)
{
	if (to && to->tell)
		to->tell(to->context, item->kind, item->text, item->size);
}

static void hold(void *context, enum notice_kind kind, const char *text, size_t size)
{
	struct alike *a = context;
	struct alike_notice item = { kind, malloc(size + 1), size };

	if (!item.text || cg_grow(&a->items, &a->cap, a->count + 1, sizeof *a->items)) {
		free(item.text);
		item.text = (char *)text; /* too little memory to hold it back */
		relay_item(a->outer, &item);
		return;
	}
	memcpy(item.text, text, size);
	item.text[size] = '\0';
	a->items[a->count++] = item;
}

void alike_init(struct alike *a, const struct notices *outer)
{
	*a = (struct alike){ .outer = outer };
	a->notices = (struct notices){ .tell = hold,
				       .context = a,
				       .display = outer ? outer->display : NULL };
}

/* The length of what a text begins with, if that differs from commit to commit; 0. */
static size_t own_length(const char *text, const char *subject)
{
	enum { ID_LEAST = 7 };
	const size_t digits = strspn(text, "0123456789abcdef"), len = strlen(subject);

	if (len && strncmp(text, subject, len) == 0)
		return len;
	return digits >= ID_LEAST ? digits : 0;
}

/* Writes a text without what is a commit's own. */
static void put_common(FILE *to, const char *text, const char *subject)
{
	while (*text) {
		const size_t own = own_length(text, subject);
		fputc(own ? '#' : *text, to);
		text += own ? own : 1;
	}
	fputc('\n', to);
}

/* What programs have printed may differ by chance. NULL: out of memory. */
static char *common_text(const struct alike *a, const char *subject)
{
	char *reason = NULL;
	size_t size;
	FILE *to = open_memstream(&reason, &size);

	for (size_t i = 0; to && i < a->count; i++)
		if (a->items[i].kind != NOTICE_OUTPUT)
			put_common(to, a->items[i].text, subject);
	if (!to || fclose(to) != 0) {
		free(reason);
		return NULL;
	}
	return reason;
}

static void tell_untold(struct alike *a)
{
	if (a->untold)
		notice_message(a->outer, "%zu more %s in the same way", a->untold,
			       a->untold == 1 ? "commit failed" : "commits failed");
	a->untold = 0;
}

static void drop_items(struct alike *a, bool told)
{
	for (size_t i = 0; i < a->count; i++) {
		if (told)
			relay_item(a->outer, &a->items[i]);
		free(a->items[i].text);
	}
	a->count = 0;
}

/* Whether a text consists of lines of another one. */
static bool are_lines_of(const char *text, const char *other)
{
	while (*text) {
		const size_t len = strcspn(text, "\n") + 1;
		const char *at = other;
		while (*at && strncmp(at, text, len) != 0)
			at += strcspn(at, "\n") + 1;
		if (!*at)
			return false;
		text += len;
	}
	return true;
}

void alike_end(struct alike *a, const char *subject, bool failed)
{
	char *reason = failed ? common_text(a, subject ? subject : "") : NULL;
	/* Some notes are made only once, of the first commit. */
	bool same = reason && a->reason && !*reason == !*a->reason &&
		    are_lines_of(reason, a->reason);

	a->failed = same ? a->failed + 1 : failed;
	if (same)
		a->untold++;
	else
		tell_untold(a);
	drop_items(a, !same);
	free(same ? reason : a->reason);
	a->reason = same ? a->reason : reason;
}

void alike_free(struct alike *a)
{
	tell_untold(a);
	drop_items(a, true);
	free(a->items);
	free(a->reason);
	a->items = NULL;
	a->cap = 0;
	a->reason = NULL;
}
