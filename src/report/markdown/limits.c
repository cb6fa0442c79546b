#include <stdlib.h>

#include "src/report/markdown/markdown.h"

/* All of it is code, for the reason is anybody's words. */
static void print_markdown_acceptance(struct md_page *p, const struct limit_verdict *v)
{
	struct md_text words;

	if (!v->acceptance || !md_text_begin(p, &words))
		return;
	summary_print_acceptance(v, words.to);
	fputs("; ", p->to);
	md_code(p, md_text_end(p, &words), 0);
	free(words.text);
}

static const char *sign_of(const struct limit_verdict *v)
{
	if (v->fails)
		return "⚠️ ";
	if (v->status == LIMIT_ACCEPTED || v->status == LIMIT_TOLERATED)
		return "☑️ ";
	return v->status == LIMIT_PASS ? "✅ " : "";
}

static void print_md_limit(struct md_page *p, const struct diff *d, const struct limit_verdict *v)
{
	const struct limit *limit = v->rule.limit;
	struct md_text counts;

	if (!md_text_begin(p, &counts))
		return;
	summary_print_counts(d, v, counts.to);
	fprintf(p->to, "| %s%s | %s", sign_of(v), limit_status_name(v->status),
		v->inclusive ? "inclusive " : "");
	md_code(p, limit->metric, MD_CELL);
	if (v->subject || limit->function) {
		fputs(v->subject || limit->module ? " of " : " of functions ", p->to);
		md_code(p, v->subject ? v->subject : limit->function, MD_CELL);
	}
	if (v->place) {
		fputs(" in ", p->to);
		md_code(p, v->place, MD_CELL);
	}
	fputs(" | ", p->to);
	md_code(p, limit->text, MD_CELL);
	fputs(limit_is_default(limit) ? " (default) | " : " | ", p->to);
	md_sentence(p, md_text_end(p, &counts));
	free(counts.text);
	print_markdown_acceptance(p, v);
	fputs(" |\n", p->to);
}

/* Who accepted a regression, and why, is to be read. */
static bool is_limit_open(const struct limit_verdict *v)
{
	return v->fails || v->acceptance;
}

static void print_md_limits(struct md_page *p, const struct diff_report *r, bool open)
{
	const struct judgement *j = r->judgement;

	fputs("| limit | of | value | base → head |\n|---|---|---|---|\n", p->to);
	p->table = true;
	for (int failing = 1; failing >= 0; failing--) {
		for (size_t i = 0; i < j->count; i++) {
			const struct limit_verdict *v = &j->verdicts[i];
			if (is_limit_open(v) != open || v->fails != (failing == 1))
				continue;
			md_row(p, open ? MD_VERDICT : MD_LIMITS_KEPT);
			print_md_limit(p, r->diff, v);
		}
	}
	md_rows_end(p, "limits");
	p->table = false;
}

void md_limits(struct md_page *p, const struct diff_report *r)
{
	const struct judgement *j = r->judgement;
	size_t open = 0;

	for (size_t i = 0; j && i < j->count; i++)
		open += is_limit_open(&j->verdicts[i]);
	if (open) {
		fputc('\n', p->to);
		print_md_limits(p, r, true);
	}
	if (!j || j->count == open)
		return;
	size_t rest = j->count - open;
	md_block(p, NULL, open ? "Limits: %zu more" : "Limits: %zu", rest);
	print_md_limits(p, r, false);
	md_block_end(p);
}
