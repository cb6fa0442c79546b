#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/report/markdown/markdown.h"

/* ---- sentences ---- */

/* Whether nothing in a sentence is live in markdown: no markup, mention, emoji or link. */
static bool is_plain(const char *text)
{
	static const char plain[] = " ,.;?()%+-='";

	for (const char *c = text; *c; c++) {
		bool letter = isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80;
		if (!letter && !strchr(plain, *c) && !(*c == ':' && c[1] == ' '))
			return false;
	}
	return !strstr(text, "www.");
}

void md_sentence(struct md_page *p, const char *text)
{
	char *safe = text_safe(text);

	if (!safe)
		p->failed = true;
	else if (is_plain(safe))
		fputs(safe, p->to);
	else
		md_code(p, text, 0);
	free(safe);
}

static void print_remark(struct md_page *p, const struct remark *r, const char *advice)
{
	fputs("⚠️ ", p->to);
	md_sentence(p, r->text);
	fputs(".", p->to);
	if (advice) {
		fputc(' ', p->to);
		md_sentence(p, advice);
	}
}

void md_remarks(struct md_page *p, const struct remarks *r)
{
	for (size_t i = 0; r && i < r->count; i++) {
		md_row(p, MD_VERDICT);
		fputc('\n', p->to);
		print_remark(p, &r->items[i], r->items[i].advice);
		fputc('\n', p->to);
	}
	if (r && r->count)
		md_rows_end(p, "remarks");
}

/* ---- of several benchmarks, each once ---- */

enum { MOST_NAMED = 3 };

struct md_warning {
	char *text;
	char *shared; /* used instead if the texts of its benchmarks differ; NULL: they cannot */
	bool differs; /* they do */
	const char *benches[MOST_NAMED];
	size_t count;
};

struct md_warnings {
	struct md_warning *items;
	size_t count, cap;
};

static void free_md_warning(struct md_warning *w)
{
	free(w->text);
	free(w->shared);
}

static const char *shared_text(const struct md_warning *w)
{
	return w->shared ? w->shared : w->text;
}

/* Takes the texts of `added`; without the first it says nothing. */
static void add_md_warning(struct md_page *p, struct md_warnings *w, struct md_warning added,
			   const char *bench)
{
	size_t i = 0;

	while (added.text && i < w->count &&
	       strcmp(shared_text(&w->items[i]), shared_text(&added)) != 0)
		i++;
	if (!added.text) {
		free_md_warning(&added);
		return;
	}
	if (i < w->count) {
		w->items[i].differs |= strcmp(w->items[i].text, added.text) != 0;
		free_md_warning(&added);
	} else if (cg_grow(&w->items, &w->cap, w->count + 1, sizeof *w->items)) {
		p->failed = true;
		free_md_warning(&added);
		return;
	} else {
		w->items[w->count++] = added;
	}
	struct md_warning *at = &w->items[i];
	if (at->count < MOST_NAMED)
		at->benches[at->count] = bench;
	at->count++;
}

/* A part of the page that is a text first. */
struct md_aside {
	struct md_page page;
	struct md_text text;
};

static bool begin_aside(struct md_page *p, struct md_aside *a)
{
	*a = (struct md_aside){ .page = { .titles = p->titles } };
	a->page.to = md_text_begin(p, &a->text);
	return a->page.to;
}

/* Its text, the caller's; NULL: it is empty, or the page failed. */
static char *end_aside(struct md_page *p, struct md_aside *a)
{
	bool empty = !*md_text_end(p, &a->text);

	p->failed |= a->page.failed;
	if (!p->failed && !empty)
		return a->text.text;
	free(a->text.text);
	return NULL;
}

static char *text_of_remark(struct md_page *p, const struct remark *r, const char *advice)
{
	struct md_aside aside;

	if (!begin_aside(p, &aside))
		return NULL;
	print_remark(&aside.page, r, advice);
	return end_aside(p, &aside);
}

/* Its sign, and the sentence. */
static void print_environments_differ(struct md_page *p, const struct diff_report *r)
{
	struct md_text names;

	if (!md_text_begin(p, &names))
		return;
	summary_print_environment(r, names.to);
	fputs("⚠️ Base and head were measured in **different environments** (", p->to);
	md_sentence(p, md_text_end(p, &names));
	fprintf(p->to, "), which may explain the change%s. Measure both in the same environment.",
		r->untrusted ? "; limits were not judged" : "");
	free(names.text);
}

/* A key may have anything after its dot. */
void md_fact_name(struct md_page *p, const struct environment_difference *d)
{
	const char *member = fact_member(d->kind, d->key);

	if (d->kind->key)
		fprintf(p->to, "%s%s", d->kind->name, member ? " " : "");
	if (member)
		md_code(p, member, MD_CELL);
}

/* What else is another one than the code: compilers and flags first. */
static void print_subject(struct md_page *p, const struct diff_report *r)
{
	const struct environment_diff *e = r->environment;
	const char *lead = "Base and head also differ in ";

	for (size_t i = 0; i < e->nsubject; i++) {
		const struct environment_difference *d = &e->subject[i];
		if (!environment_is_news(d))
			continue;
		fputs(lead, p->to);
		md_fact_name(p, d);
		fputs(": ", p->to);
		md_code(p, d->base_short, MD_FACT);
		fputs(" → ", p->to);
		md_code(p, d->head_short, MD_FACT);
		lead = "; ";
	}
	fputs(*lead == ';' ? "." : "", p->to);
}

static void add_bench_warnings(struct md_page *p, struct md_warnings *w,
			       const struct bench_report *b)
{
	const struct diff_report *r = &b->diff;
	struct md_aside aside;

	if (r->environment->moving && begin_aside(p, &aside)) {
		print_environments_differ(&aside.page, r);
		add_md_warning(p, w, (struct md_warning){ .text = end_aside(p, &aside) }, b->name);
	}
	for (size_t i = 0; r->remarks && i < r->remarks->count; i++) {
		const struct remark *remark = &r->remarks->items[i];
		struct md_warning added = { .text = text_of_remark(p, remark, remark->advice) };
		if (remark->shared_advice)
			added.shared = text_of_remark(p, remark, remark->shared_advice);
		add_md_warning(p, w, added, b->name);
	}
	if (begin_aside(p, &aside)) {
		print_subject(&aside.page, r);
		add_md_warning(p, w, (struct md_warning){ .text = end_aside(p, &aside) }, b->name);
	}
}

/* " (`a`, `b`, `c` and 2 more)" */
static void print_benches(struct md_page *p, const struct md_warning *w)
{
	for (size_t i = 0; i < w->count && i < MOST_NAMED; i++) {
		fputs(i ? ", " : " (", p->to);
		md_code(p, w->benches[i], MD_CELL);
	}
	if (w->count > MOST_NAMED)
		fprintf(p->to, " and %zu more", w->count - MOST_NAMED);
	fputc(')', p->to);
}

void md_warnings(struct md_page *p, const struct ranked_suite *s)
{
	struct md_warnings w = { 0 };

	md_remarks(p, s->r->remarks);
	for (size_t i = 0; i < s->r->count; i++)
		add_bench_warnings(p, &w, s->benches[i].bench);
	for (size_t i = 0; i < w.count; i++) {
		md_row(p, MD_VERDICT);
		fprintf(p->to, "\n%s",
			w.items[i].differs ? shared_text(&w.items[i]) : w.items[i].text);
		if (s->r->count > 1)
			print_benches(p, &w.items[i]);
		fputc('\n', p->to);
		free_md_warning(&w.items[i]);
	}
	if (w.count)
		md_rows_end(p, "remarks");
	free(w.items);
}
