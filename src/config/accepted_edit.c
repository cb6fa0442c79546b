#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "callgrind/support/text.h"
#include "src/config/accepted.h"

#define HEADING \
	"# Accepted regressions: see irdiff-baseline(1). 'irdiff baseline accept' adds entries,\n" \
	"# 'irdiff baseline prune' removes expired ones.\n"
#define KEY "accepted:"

struct edited_line {
	const char *at;
	size_t len; /* including its line end */
};

/* Lines by their index. Comments above an entry begin at `comments`; the entry is from `from` to
 * `to`. Lines after that belong to no entry. */
struct acceptance_block {
	size_t comments, from, to;
};

struct edit {
	const char *path;
	struct edited_line *lines;
	size_t nlines;
	struct accepted old;
	struct acceptance_block *blocks; /* of each entry */
	const bool *drop;
	const struct acceptance *add;
	size_t nadd;
	bool *added;
	size_t indent; /* of the dashes */
	FILE *to;
};

/* ---- the text as lines ---- */

static int split_into_lines(struct edit *e, const char *text, size_t len)
{
	size_t count = 0;
	for (size_t i = 0; i < len; i++)
		count += text[i] == '\n';
	e->lines = calloc(count + 2, sizeof *e->lines);
	if (!e->lines)
		return CG_ENOMEM;
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - (text + at)) + 1 : len - at;
		e->lines[e->nlines++] = (struct edited_line){ text + at, n };
		at += n;
	}
	return CG_OK;
}

static size_t blanks(const struct edited_line *l)
{
	size_t n = 0;
	while (n < l->len && (l->at[n] == ' ' || l->at[n] == '\t'))
		n++;
	return n;
}

/* The first character that is not blank; 0 for an empty line. */
static char first_of(const struct edited_line *l)
{
	size_t n = blanks(l);
	return n < l->len && l->at[n] != '\n' && l->at[n] != '\r' ? l->at[n] : '\0';
}

static bool is_dash(const struct edited_line *l)
{
	size_t n = blanks(l);
	return first_of(l) == '-' && (n + 1 == l->len || strchr(" \t\r\n", l->at[n + 1]));
}

static bool is_content(const struct edited_line *l)
{
	return first_of(l) && first_of(l) != '#';
}

/* ---- where entries are ---- */

static int find_block(struct edit *e, size_t i, struct cg_error *err)
{
	size_t after = i ? e->blocks[i - 1].from + 1 : 0;
	size_t at = (size_t)e->old.items[i].line - 1;

	while (at > after && at < e->nlines && !is_dash(&e->lines[at]) &&
	       !is_content(&e->lines[at]))
		at--;
	if (at < after || at >= e->nlines || !is_dash(&e->lines[at]) ||
	    (i && blanks(&e->lines[at]) != e->indent))
		return cg_fail(
			err, CG_EINVAL, e->path, e->old.items[i].line,
			"cannot edit this file: each entry must begin with '- ' on its own line");
	e->indent = blanks(&e->lines[at]);
	e->blocks[i].from = e->blocks[i].comments = at;
	while (e->blocks[i].comments > after &&
	       first_of(&e->lines[e->blocks[i].comments - 1]) == '#')
		e->blocks[i].comments--;
	return CG_OK;
}

static int find_blocks(struct edit *e, struct cg_error *err)
{
	e->blocks = calloc(e->old.count + 1, sizeof *e->blocks);
	if (!e->blocks)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < e->old.count; i++) {
		int status = find_block(e, i, err);
		if (status)
			return status;
	}
	for (size_t i = 0; i < e->old.count; i++) {
		size_t end = i + 1 < e->old.count ? e->blocks[i + 1].comments : e->nlines;
		e->blocks[i].to = e->blocks[i].from + 1;
		for (size_t k = e->blocks[i].from; k < end; k++)
			if (is_content(&e->lines[k]))
				e->blocks[i].to = k + 1;
	}
	return CG_OK;
}

/* ---- writing ---- */

static void copy_lines(const struct edit *e, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		fwrite(e->lines[i].at, 1, e->lines[i].len, e->to);
		if (e->lines[i].at[e->lines[i].len - 1] != '\n')
			fputc('\n', e->to);
	}
}

static bool is_plain_scalar(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char more[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

	return *text && strchr(letters, *text) && strspn(text, more) == strlen(text) &&
	       strcasecmp(text, "null") != 0;
}

/* What YAML takes for a line end, or does not allow. */
static bool is_yaml_special(uint32_t code)
{
	return cg_is_control(code) || code == 0x2028 || code == 0x2029 || code == 0xfeff ||
	       (code & 0xfffe) == 0xfffe;
}

static void write_yaml_quoted(FILE *to, const char *text)
{
	size_t len = strlen(text);

	fputc('"', to);
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t code = 0;
		n = cg_utf8_decode(text + i, len - i, &code);
		if (n == 0 || is_yaml_special(code))
			fprintf(to, "\\U%08" PRIX32, n ? code : 0xfffd);
		else
			fprintf(to, "%s%.*s", code == '"' || code == '\\' ? "\\" : "", (int)n,
				text + i);
		n = n ? n : 1;
	}
	fputc('"', to);
}

static void write_acceptance_text(const struct edit *e, const char *key, const char *text)
{
	if (!text)
		return;
	fprintf(e->to, "%*s%s: ", (int)e->indent + 2, "", key);
	if (is_plain_scalar(text))
		fputs(text, e->to);
	else
		write_yaml_quoted(e->to, text);
	fputc('\n', e->to);
}

static void write_acceptance(const struct edit *e, const struct acceptance *a)
{
	fprintf(e->to, "%*s- benchmark: ", (int)e->indent, "");
	if (is_plain_scalar(a->benchmark))
		fputs(a->benchmark, e->to);
	else
		write_yaml_quoted(e->to, a->benchmark);
	fputc('\n', e->to);
	write_acceptance_text(e, "metric", a->metric);
	write_acceptance_text(e, "function", a->function);
	write_acceptance_text(e, "limit", a->limit);
	if (a->has_base)
		fprintf(e->to, "%*sbase: %" PRId64 "\n", (int)e->indent + 2, "", a->base);
	fprintf(e->to, "%*shead: %" PRId64 "\n", (int)e->indent + 2, "", a->head);
	if (a->tolerance)
		fprintf(e->to, "%*stolerance: %" PRIu64 "\n", (int)e->indent + 2, "", a->tolerance);
	write_acceptance_text(e, "why", a->why);
	fprintf(e->to, "%*sdate: %s\n", (int)e->indent + 2, "", a->date);
	write_acceptance_text(e, "who", a->who);
}

static int compare_acceptances(const struct acceptance *a, const struct acceptance *b)
{
	int order = strcmp(a->benchmark, b->benchmark);

	if (!order)
		order = strcmp(a->metric, b->metric);
	if (!order)
		order = strcmp(a->function ? a->function : "", b->function ? b->function : "");
	return order ? order : (a->head > b->head) - (a->head < b->head);
}

static int compare_added(const void *left, const void *right, void *context)
{
	const struct edit *e = context;
	return compare_acceptances(&e->add[*(const size_t *)left], &e->add[*(const size_t *)right]);
}

/* Writes new entries that come before `old` (NULL: all), or that replace it. */
static void write_added(struct edit *e, const size_t *order, const struct acceptance *old,
			bool replaced)
{
	for (size_t k = 0; k < e->nadd; k++) {
		const struct acceptance *a = &e->add[order[k]];
		if (e->added[order[k]] || (replaced && !acceptance_same_subject(a, old)) ||
		    (!replaced && old && compare_acceptances(a, old) >= 0))
			continue;
		e->added[order[k]] = true;
		write_acceptance(e, a);
	}
}

/* Whether a new entry replaces this one. */
static bool is_replaced(const struct edit *e, const struct acceptance *old)
{
	for (size_t k = 0; k < e->nadd; k++)
		if (!e->added[k] && acceptance_same_subject(&e->add[k], old))
			return true;
	return false;
}

static bool is_dropped(const struct edit *e, size_t i)
{
	return e->drop && e->drop[i];
}

static void write_old(struct edit *e, const size_t *order, size_t i)
{
	const struct acceptance_block *b = &e->blocks[i];
	const struct acceptance *old = &e->old.items[i];
	size_t end = i + 1 < e->old.count ? e->blocks[i + 1].comments : e->nlines;

	if (!is_dropped(e, i)) {
		write_added(e, order, old, false);
		copy_lines(e, b->comments, b->to);
	} else if (is_replaced(e, old)) {
		copy_lines(e, b->comments, b->from);
		write_added(e, order, old, true);
	}
	/* New entries at the end come before lines that belong to no entry. */
	if (i + 1 == e->old.count)
		write_added(e, order, NULL, false);
	copy_lines(e, b->to, end);
}

/* Writes the key without its empty value; comments stay. */
static void write_accepted_key(const struct edit *e)
{
	bool has_key = false;
	size_t end = e->old.count ? e->blocks[0].comments : e->nlines;

	for (size_t i = 0; i < end; i++) {
		const struct edited_line *l = &e->lines[i];
		if (l->len >= strlen(KEY) && memcmp(l->at, KEY, strlen(KEY)) == 0) {
			has_key = true;
			fputs(KEY "\n", e->to);
		} else {
			copy_lines(e, i, i + 1);
		}
	}
	if (!has_key)
		fputs(e->nlines ? KEY "\n" : HEADING KEY "\n", e->to);
}

static int write_acceptances(struct edit *e)
{
	size_t *order = calloc(e->nadd + 1, sizeof *order);
	if (!order)
		return CG_ENOMEM;
	for (size_t k = 0; k < e->nadd; k++)
		order[k] = k;
	qsort_r(order, e->nadd, sizeof *order, compare_added, e);
	if (e->old.count)
		copy_lines(e, 0, e->blocks[0].comments);
	else
		write_accepted_key(e);
	for (size_t i = 0; i < e->old.count; i++)
		write_old(e, order, i);
	write_added(e, order, NULL, false);
	free(order);
	return CG_OK;
}

/* ---- what was written ---- */

static bool lists_acceptance(const struct accepted *list, const struct acceptance *a)
{
	for (size_t i = 0; i < list->count; i++)
		if (acceptance_same_subject(&list->items[i], a) && list->items[i].head == a->head &&
		    strcmp(list->items[i].why, a->why) == 0)
			return true;
	return false;
}

/* Checks that nothing is lost: the new text has exactly the entries that it must have. */
static int check_edited(const struct edit *e, const char *text, size_t len, struct cg_error *err)
{
	struct accepted now;
	size_t expected = e->nadd;
	bool all = true;
	int status = accepted_parse(text, len, e->path, &now, err);

	if (status)
		return status;
	for (size_t i = 0; i < e->old.count; i++) {
		if (is_dropped(e, i))
			continue;
		expected++;
		all &= lists_acceptance(&now, &e->old.items[i]);
	}
	for (size_t k = 0; k < e->nadd; k++)
		all &= lists_acceptance(&now, &e->add[k]);
	if (!all || now.count != expected)
		status = cg_fail(
			err, CG_EINVAL, e->path, 0,
			"cannot edit this file without changing other entries: put each entry on its own lines, as irdiff does");
	accepted_free(&now);
	return status;
}

static int edit(struct edit *e, char **out, struct cg_error *err)
{
	char *made = NULL;
	size_t size = 0;
	int status = find_blocks(e, err);

	if (status)
		return status;
	e->to = open_memstream(&made, &size);
	if (!e->to)
		return cg_fail_nomem(err);
	status = write_acceptances(e);
	if (fclose(e->to) != 0 || status)
		status = cg_fail_nomem(err);
	if (!status)
		status = check_edited(e, made, size, err);
	if (status)
		free(made);
	else
		*out = made;
	return status;
}

int accepted_edit(const char *text, size_t len, const char *path, const bool *drop,
		  const struct acceptance *add, size_t nadd, char **out, struct cg_error *err)
{
	struct edit e = { .path = path, .drop = drop, .add = add, .nadd = nadd };
	int status = accepted_parse(text, len, path, &e.old, err);

	if (status)
		return status;
	e.added = calloc(nadd + 1, sizeof *e.added);
	if (!e.added || split_into_lines(&e, text, len))
		status = cg_fail_nomem(err);
	if (!status)
		status = edit(&e, out, err);
	free(e.added);
	free(e.blocks);
	free(e.lines);
	accepted_free(&e.old);
	return status;
}
