#include "src/report/insights.h"

#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

/* Prints a text after `first`, broken between words where the terminal ends. */
static int print_insight_wrapped(FILE *to, const char *first, const char *text, int indent,
				 const struct text_style *style)
{
	enum { LEAST_WIDTH = 40 };
	unsigned width = style->width && style->width < LEAST_WIDTH ? LEAST_WIDTH : style->width;
	size_t column = (size_t)indent + text_width(first);
	char *safe = text_safe(text), *rest = NULL;

	if (!safe)
		return CG_ENOMEM;
	fprintf(to, "%*s%s", indent, "", first);
	bool begins = true;
	for (char *word = strtok_r(safe, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		size_t len = text_width(word);
		if (!begins && width && column + 1 + len > width) {
			fprintf(to, "\n%*s", indent, "");
			column = (size_t)indent;
			begins = true;
		}
		fprintf(to, "%s%s", begins ? "" : " ", word);
		column += len + !begins;
		begins = false;
	}
	fputc('\n', to);
	free(safe);
	return CG_OK;
}

static int print_insight(const struct insight *i, int indent, const struct text_style *style,
			 FILE *to)
{
	enum { BELOW = 2 };

	fprintf(to, "%*s%s", indent, "", text_bold(style));
	text_print_name(to, i->title, 0);
	fprintf(to, "%s\n", text_plain(style));
	int status = print_insight_wrapped(to, "", i->evidence, indent + BELOW, style);
	if (!status && i->advice)
		status = print_insight_wrapped(to, "→ ", i->advice, indent + BELOW, style);
	return status;
}

const struct insight *insight_of_build(const struct insights *i)
{
	for (size_t n = 0; i && n < i->count; n++)
		if (i->items[n].rule->kind == RULE_BUILD)
			return &i->items[n];
	return NULL;
}

int insight_text(const struct insight *i, const struct text_style *style, FILE *to)
{
	fputc('\n', to);
	return print_insight(i, 0, style, to);
}

int insights_text(const struct insights *i, const struct insight *said,
		  const struct text_style *style, FILE *to)
{
	enum { INDENT = 2, SHOWN = 3 };
	const size_t count = !i ? 0 : i->count - (said != NULL);
	size_t shown = 0;
	int status = CG_OK;

	if (count == 0)
		return CG_OK;
	fputs("\nInsights\n", to);
	for (size_t n = 0; !status && n < i->count && shown < SHOWN; n++) {
		if (&i->items[n] == said)
			continue;
		status = print_insight(&i->items[n], INDENT, style, to);
		shown++;
	}
	if (count > shown)
		fprintf(to, "  … and %zu more; --format=json has all\n", count - shown);
	return status;
}

/* ---- JSON ---- */

static void add_insight_function(struct json *j, const struct insight *i)
{
	if (!i->function) {
		json_none(j, "function");
		return;
	}
	json_begin_object(j, "function");
	json_text(j, "function", i->function);
	json_text(j, "object", i->object);
	json_text(j, "file", i->file);
	json_end(j);
}

void insights_json(struct json *j, const struct insights *i)
{
	if (!i) {
		json_none(j, "insights");
		return;
	}
	json_begin_array(j, "insights");
	for (size_t n = 0; n < i->count; n++) {
		const struct insight *insight = &i->items[n];
		json_begin_object(j, NULL);
		json_text(j, "rule", insight->rule->id);
		json_text(j, "title", insight->title);
		json_text(j, "evidence", insight->evidence);
		json_text(j, "advice", insight->advice);
		add_insight_function(j, insight);
		json_share(j, "share", insight->share);
		json_end(j);
	}
	json_end(j);
}
