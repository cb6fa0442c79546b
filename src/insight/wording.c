#include "src/insight/wording.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/text/short_name.h"
#include "src/text/text.h"

const char *const rule_kind_names[RULE_KINDS] = {
	[RULE_CALLS] = "calls",          [RULE_LITTLE] = "little",
	[RULE_GROWTH] = "growth",        [RULE_DEPTH] = "depth",
	[RULE_SAME_CODE] = "same code",  [RULE_BUILD] = "other build",
	[RULE_VARIANTS] = "variants",    [RULE_RECOMPILED] = "other code",
	[RULE_VECTORS] = "lost vectors",
};

static const char *const names[FIGURES] = {
	[FIGURE_METRIC] = "metric",
	[FIGURE_BASE] = "base",
	[FIGURE_HEAD] = "head",
	[FIGURE_COST] = "cost",
	[FIGURE_DELTA] = "delta",
	[FIGURE_CHANGE] = "change",
	[FIGURE_MOVED] = "moved",
	[FIGURE_LEAST] = "least",
	[FIGURE_PART] = "part",
	[FIGURE_SHARE] = "share",
	[FIGURE_CALLS] = "calls",
	[FIGURE_BASE_CALLS] = "base_calls",
	[FIGURE_HEAD_CALLS] = "head_calls",
	[FIGURE_PER_MILLION] = "per_million",
	[FIGURE_CALLER] = "caller",
	[FIGURE_CALLER_SHARE] = "caller_share",
	[FIGURE_CALLER_ALONE] = "caller_alone",
	[FIGURE_CALLER_CALLS] = "caller_calls",
	[FIGURE_CALLER_BASE_CALLS] = "caller_base_calls",
	[FIGURE_CALLER_HEAD_CALLS] = "caller_head_calls",
	[FIGURE_EVENT] = "event",
	[FIGURE_THAN] = "than",
	[FIGURE_THAN_CHANGE] = "than_change",
	[FIGURE_FUNCTION] = "function",
	[FIGURE_BASE_MAX] = "base_max",
	[FIGURE_HEAD_MAX] = "head_max",
	[FIGURE_LIST] = "list",
	[FIGURE_FILES] = "files",
};

/* The index of a name in what `wording_fill` takes, or -1. */
static int rule_figure(const char *name, size_t len)
{
	for (int i = 0; i < FIGURES; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return i;
	return -1;
}

int rule_check_wording(const char *wording, struct cg_error *err)
{
	bool inside = false;

	for (const char *at = wording; *at; at++) {
		size_t len = strcspn(at + 1, "}");
		if ((*at == '[' && inside) || (*at == ']' && !inside))
			return cg_fail(err, CG_ESYNTAX, NULL, 0, "unbalanced brackets");
		if (*at == '[' || *at == ']')
			inside = *at == '[';
		if (*at != '{')
			continue;
		if (rule_figure(at + 1, len) < 0)
			return cg_fail(err, CG_ESYNTAX, NULL, 0, "unknown figure {%.*s}",
				       len > 40 ? 40 : (int)len, at + 1);
		at += len;
	}
	return inside ? cg_fail(err, CG_ESYNTAX, NULL, 0, "unbalanced brackets") : CG_OK;
}

/* ---- figures ---- */

void figure_set(struct figures *f, enum rule_figures which, const char *fmt, ...)
{
	char *text;
	va_list arguments;

	va_start(arguments, fmt);
	int len = vasprintf(&text, fmt, arguments);
	va_end(arguments);
	free(f->texts[which]);
	f->texts[which] = len < 0 ? NULL : text;
	f->failed |= len < 0;
}

void figure_count(struct figures *f, enum rule_figures which, uint64_t n)
{
	char buffer[TEXT_NUMBER];
	figure_set(f, which, "%s", text_count(n, buffer));
}

void figure_cost(struct figures *f, enum rule_figures which, int64_t cost)
{
	char buffer[TEXT_NUMBER];
	figure_set(f, which, "%s", text_cost(cost, buffer));
}

void figure_share(struct figures *f, enum rule_figures which, int64_t part, int64_t whole)
{
	char buffer[TEXT_NUMBER];
	if (whole)
		figure_set(f, which, "%s", text_part(part, whole, buffer));
}

void figure_name(struct figures *f, enum rule_figures which, const char *name)
{
	char *safe;

	text_sentence_names(&name, 1, f->whole_names ? 0 : TEXT_SENTENCE_NAME, &safe);
	if (safe)
		figure_set(f, which, "%s", safe);
	else
		f->failed = true;
	free(safe);
}

void figures_free(struct figures *f)
{
	for (int i = 0; i < FIGURES; i++)
		free(f->texts[i]);
	*f = (struct figures){ 0 };
}

/* ---- filling in ---- */

/* Whether all names up to the end of a bracket, or of the text, have figures. */
static bool has_all_figures(const char *at, const struct figures *f)
{
	for (; *at && *at != ']'; at++) {
		if (*at != '{')
			continue;
		size_t len = strcspn(at + 1, "}");
		int which = rule_figure(at + 1, len);
		if (which < 0 || !f->texts[which])
			return false;
		at += len;
	}
	return true;
}

/* Whether a figure consists of names, as of functions, files and events. */
static bool is_of_names(int which)
{
	return which == FIGURE_METRIC || which == FIGURE_CALLER || which == FIGURE_EVENT ||
	       which == FIGURE_THAN || which == FIGURE_FUNCTION || which == FIGURE_LIST ||
	       which == FIGURE_FILES;
}

static void print_figure(FILE *to, const struct figures *f, int which, const char *mark)
{
	const char *around = is_of_names(which) ? mark : "";

	fprintf(to, "%s%s%s", around, which >= 0 && f->texts[which] ? f->texts[which] : "?",
		around);
}

static void print_wording(FILE *to, const char *at, const struct figures *f, const char *mark)
{
	for (; *at; at++) {
		if (*at == '[' && !has_all_figures(at, f)) {
			at += strcspn(at, "]");
			if (!*at)
				return;
		} else if (*at == '{') {
			size_t len = strcspn(at + 1, "}");
			int which = rule_figure(at + 1, len);
			print_figure(to, f, which, mark);
			at += len;
			if (!*++at)
				return;
		} else if (*at != '[' && *at != ']') {
			fputc(*at, to);
		}
	}
}

char *wording_fill(const char *wording, const struct figures *f, const char *mark)
{
	char *text = NULL;
	size_t size;
	FILE *to = f->failed ? NULL : open_memstream(&text, &size);

	if (!to)
		return NULL;
	print_wording(to, wording, f, mark);
	bool failed = ferror(to) != 0;
	if (fclose(to) != 0 || failed) {
		free(text);
		return NULL;
	}
	return text;
}
