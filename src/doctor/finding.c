#include "src/doctor/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

static void set_finding_text(struct findings *f, char **to, const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0) {
		f->failed = true;
		return;
	}
	free(*to);
	*to = text;
}

void findings_begin(struct findings *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_finding_text(f, &f->group, fmt, ap);
	va_end(ap);
}

void findings_add(struct findings *f, const char *name, enum finding_state state, const char *fmt,
		  ...)
{
	struct doctor_finding finding = { .name = name, .state = state };
	va_list ap;

	va_start(ap, fmt);
	set_finding_text(f, &finding.text, fmt, ap);
	va_end(ap);
	finding.group = strdup(f->group ? f->group : "");
	if (!finding.text || !finding.group ||
	    cg_grow(&f->items, &f->cap, f->count + 1, sizeof *f->items)) {
		f->failed = true;
		free(finding.text);
		free(finding.group);
		return;
	}
	f->items[f->count++] = finding;
}

void findings_remedy(struct findings *f, const char *fmt, ...)
{
	va_list ap;

	if (f->failed || f->count == 0)
		return;
	va_start(ap, fmt);
	set_finding_text(f, &f->items[f->count - 1].remedy, fmt, ap);
	va_end(ap);
}

size_t findings_count(const struct findings *f, enum finding_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < f->count; i++)
		count += f->items[i].state == state;
	return count;
}

bool finding_can_quote(const char *word)
{
	return *word != '-' && !strchr(word, '\'');
}

const char *finding_state_name(enum finding_state state)
{
	static const char *const names[FINDING_STATES] = {
		[FINDING_OK] = "ok",
		[FINDING_WARNING] = "warning",
		[FINDING_WRONG] = "wrong",
		[FINDING_PROBLEM] = "problem",
	};
	return names[state];
}

void findings_free(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->items[i].group);
		free(f->items[i].text);
		free(f->items[i].remedy);
	}
	free(f->items);
	free(f->group);
	*f = (struct findings){ 0 };
}
