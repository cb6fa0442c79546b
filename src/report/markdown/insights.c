#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/insights.h"
#include "src/report/markdown/markdown.h"

/* Whether nothing in a word is live in markdown: no markup, mention, emoji or link. */
static bool is_plain_word(const char *word, size_t len)
{
	static const char plain[] = ",.;()%+-='\"";

	for (size_t i = 0; i < len; i++) {
		bool letter = isalnum((unsigned char)word[i]) || (unsigned char)word[i] >= 0x80;
		if (!letter && !strchr(plain, word[i]) && !(word[i] == ':' && i + 1 == len && i))
			return false;
	}
	return len < 4 || !memmem(word, len, "www.", 4);
}

static void print_md_part(struct md_page *p, const char *text, size_t len, bool code)
{
	char *part = strndup(text, len);

	p->failed |= !part;
	if (part && code)
		md_code(p, part, 0);
	else if (part)
		fputs(part, p->to);
	free(part);
}

/* Up to a name: its words as they are, unless one would be live. */
static void print_md_words(struct md_page *p, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		const size_t blanks = strspn(text + at, " ");
		fprintf(p->to, "%s", blanks && at + blanks <= len ? " " : "");
		at += blanks;
		size_t word = strcspn(text + at, " ");
		if (at >= len)
			break;
		word = word < len - at ? word : len - at;
		print_md_part(p, text + at, word, !is_plain_word(text + at, word));
		at += word;
	}
}

/* A text in which what is between two of the marks is a name. */
static void print_md_marked(struct md_page *p, const char *text, const char *marks)
{
	for (bool name = false;; name = !name) {
		size_t len = strcspn(text, marks);
		if (name && text[len])
			print_md_part(p, text, len, true);
		else
			print_md_words(p, text, len);
		if (!text[len])
			return;
		text += len + 1;
	}
}

void md_insights(struct md_page *p, const struct diff_report *r)
{
	const struct insights *list = r->insights;

	if (!list || list->count == 0)
		return;
	md_block(p, NULL, "Insights: %zu", list->count);
	size_t shown = md_shown(p, r, list->count);
	for (size_t i = 0; i < shown; i++) {
		const struct insight *insight = &list->items[i];
		md_row(p, MD_INSIGHTS);
		fputs("- ", p->to);
		print_md_words(p, insight->title, strlen(insight->title));
		fputs(": ", p->to);
		print_md_marked(p, insight->marked, INSIGHT_MARK);
		if (insight->advice) {
			fputs(" ", p->to);
			print_md_marked(p, insight->advice, "`");
		}
		fputc('\n', p->to);
	}
	md_rows_end(p, "insights");
	md_more(p, list->count - shown);
	md_block_end(p);
}
