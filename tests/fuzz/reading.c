#include "tests/fuzz/reading.h"

#include "callgrind/format.h"
#include "cgprofile/audit.h"
#include "cgprofile/inclusive.h"
#include "cgprofile/names.h"
#include "cgprofile/writer.h"
#include "src/diff/diff.h"
#include "src/formats/formats.h"

#define WINDOW (128 * 1024) /* of callgrind/window.c */

/* Any sum of any number of costs. */
__extension__ typedef __int128 sum_t;

/* ---- tables ---- */

static bool adds_up(const struct cg_profile *p, const cost_t *rows, uint32_t count,
		    const cost_t *total)
{
	for (uint32_t e = 0; e < p->nevents; e++) {
		sum_t sum = 0;
		for (uint32_t i = 1; i < count; i++)
			sum += rows[(size_t)i * p->nevents + e];
		if (sum != total[e])
			return false;
	}
	return true;
}

static void check_parts(const struct cg_profile *p)
{
	for (uint32_t e = 0; e < p->nevents; e++) {
		sum_t sum = 0;
		for (uint32_t i = 0; i < p->nparts; i++)
			sum += p->parts[i].self[e];
		LAW(sum == p->total[e], "the parts do not add up to the total");
	}
	for (uint32_t i = 0; i < p->nparts; i++) {
		uint32_t event = 0;
		bool fits = cg_part_adds_up(p, &p->parts[i], &event);
		LAW(fits || event < p->nevents, "event %" PRIu32 " does not add up", event);
	}
}

/* The lines of each record add up to it. */
static void check_lines(const struct cg_profile *p)
{
	size_t n = p->nevents;
	sum_t *sums = calloc((size_t)p->nrecords * n + 1, sizeof *sums);

	LAW(sums, "out of memory");
	for (uint32_t i = 1; i < p->nlines; i++)
		for (size_t e = 0; e < n; e++)
			sums[p->lines[i].record * n + e] += p->line_self[i * n + e];
	for (size_t i = n; i < p->nrecords * n; i++)
		LAW(sums[i] == p->record_self[i], "the lines of record %zu do not add up", i / n);
	free(sums);
}

static void check_rows(const struct cg_profile *p, const struct cg_detail *detail)
{
	for (uint32_t i = 1; i < p->nfunctions; i++) {
		const struct cg_function *f = &p->functions[i];
		LAW(f->object < p->strings.count && f->file < p->strings.count &&
			    f->name < p->strings.count,
		    "function %" PRIu32 " has strings", i);
	}
	for (uint32_t i = 1; i < p->nrecords; i++) {
		const struct cg_record *r = &p->records[i];
		LAW(r->function > 0 && r->function < p->nfunctions && r->inlined_into < i,
		    "record %" PRIu32 " is of a function", i);
		LAW(r->level > 0 && (!detail->max_level || r->level <= detail->max_level),
		    "record %" PRIu32 " has level %" PRIu32, i, r->level);
		LAW(!r->context || (detail->contexts && r->context < p->contexts.count),
		    "record %" PRIu32 " has context %" PRIu32, i, r->context);
	}
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		LAW(c->caller > 0 && c->caller < p->nrecords && c->callee > 0 &&
			    c->callee < p->nrecords && cg_call_place(p, i).file < p->strings.count,
		    "call %" PRIu32 " is between records", i);
	}
	LAW(p->njumps == 1 || detail->jumps, "jumps were not asked for");
	for (uint32_t i = 1; i < p->njumps; i++)
		LAW(p->jumps[i].object < p->strings.count && p->jumps[i].count,
		    "jump %" PRIu32 " was made in an object", i);
	for (uint32_t i = 1; i < p->nlines; i++)
		LAW(p->lines[i].record > 0 && p->lines[i].record < p->nrecords &&
			    p->lines[i].file < p->strings.count,
		    "line %" PRIu32 " is of a record", i);
}

/* ---- inclusive costs ---- */

/* Whether a part of this event's costs may be more than the whole. */
static bool has_negative(const struct cg_profile *p, uint32_t event)
{
	bool negative = false;

	for (uint32_t r = 1; r < p->nrecords; r++)
		negative |= p->record_self[(size_t)r * p->nevents + event] < 0;
	for (uint32_t c = 1; c < p->ncalls; c++)
		negative |= p->call_cost[(size_t)c * p->nevents + event] < 0;
	return negative;
}

static void check_inclusive_of(const struct cg_profile *p, const uint32_t *group, uint32_t count)
{
	struct cg_inclusive *inc = NULL;
	int status = cg_inclusive_compute(p, group, count, &inc);

	if (!p->has_calls) {
		LAW(status == CG_EINVAL, "without calls there are no inclusive costs");
		return;
	}
	LAW(!status && inc->count == (group ? count : p->nfunctions), "there are inclusive costs");
	for (uint32_t e = 0; e < p->nevents; e++) {
		cost_t most = 0;
		for (uint32_t i = 0; i < inc->count; i++)
			if (inc->cost[(size_t)i * p->nevents + e] > most)
				most = inc->cost[(size_t)i * p->nevents + e];
		LAW(most <= p->total[e] || has_negative(p, e), "more than the total is included");
	}
	cg_inclusive_free(inc);
}

static void check_inclusive(const struct cg_profile *p)
{
	enum { GROUPS = 3 };
	uint32_t *group = calloc(p->nfunctions, sizeof *group);

	LAW(group, "out of memory");
	for (uint32_t f = 1; f < p->nfunctions; f++)
		group[f] = f % GROUPS;
	check_inclusive_of(p, NULL, 0);
	check_inclusive_of(p, group, GROUPS);
	free(group);
}

/* ---- audits ---- */

/* Whatever is wrong with a file can be said. */
static void check_audit(const struct cg_profile *p)
{
	struct cg_audit *audit = NULL;
	int status = cg_audit_make(p, &audit);

	LAW(!status && audit->conserving <= audit->called && audit->called < p->nrecords &&
		    audit->unexplained <= audit->nrecords,
	    "the records of an audit are counted");
	for (size_t i = 0; i < audit->nrecords; i++)
		LAW(audit->records[i].record > 0 && audit->records[i].record < p->nrecords &&
			    audit->records[i].other < p->nrecords &&
			    audit->records[i].event < p->nevents &&
			    audit->records[i].cause < CG_AUDIT_CAUSES,
		    "an audit speaks of records");
	cg_audit_free(audit);
}

static void check_profile(const struct cg_profile *p, const struct cg_detail *detail)
{
	check_rows(p, detail);
	LAW(adds_up(p, p->record_self, p->nrecords, p->total), "records do not add up");
	check_parts(p);
	if (p->has_lines)
		check_lines(p);
	else
		LAW(p->nlines == 1, "lines are not kept");
	LAW(p->has_calls || p->ncalls == 1, "calls are not kept");
	check_inclusive(p);
	check_audit(p);
}

/* ---- one profile and another ---- */

/* Nothing changes from a profile to itself. */
static void check_diff(const struct cg_profile *p)
{
	struct diff_options options = { .metric = cg_string(p, p->events[0].name) };
	struct cg_error err = { 0 };
	struct diff *d = NULL;
	int status = diff_make(p, p, &options, &d, &err);

	check_error(status, &err);
	LAW(!status, "a profile cannot be compared with itself: %s", err.message);
	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		LAW(row->base.present && row->head.present && row->match == DIFF_SAME,
		    "%s is not found again", row->name);
		LAW(diff_classify(d, row) == DIFF_UNCHANGED, "%s has changed", row->name);
	}
	diff_free(d);
}

static char *written(const struct cg_profile *p)
{
	/* As irdiff writes it: callees of other writers may be connected anew. */
	static const struct cg_write_options as_it_is = { .creator = "irdiff" };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	LAW(to, "out of memory");
	LAW(!cg_write_callgrind(p, &as_it_is, to), "a profile can be written");
	LAW(!fclose(to), "out of memory");
	return text;
}

/* The text of a profile holds all of it in one order. Up to the events it may have
 * held control characters, which are not written as they are. */
static const char *body(const char *text)
{
	return strstr(text, "\nsummary:");
}

static bool same_total(const struct cg_profile *a, const struct cg_profile *b)
{
	return a->nevents == b->nevents &&
	       memcmp(a->total, b->total, a->nevents * sizeof *a->total) == 0;
}

static bool same(const struct cg_profile *a, const struct cg_profile *b)
{
	char *one = written(a), *other = written(b);
	bool equal = a->nparts == b->nparts && strcmp(one, other) == 0;

	free(one);
	free(other);
	return equal;
}

/* Blanks in front and a carriage return at the end are not part of a name. */
static bool is_bare(const struct cg_profile *p, cg_str id)
{
	const char *text = cg_string(p, id);
	size_t len = strlen(text);

	return len == 0 || (text[0] != ' ' && text[0] != '\t' && text[len - 1] != '\r');
}

/* Whether the name of a record, as it is written, is taken apart into what it was
 * made of: other formats and producers have apostrophes of their own. */
static bool comes_apart(const struct cg_profile *p, const struct cg_record *r)
{
	const char *name = cg_string(p, p->functions[r->function].name);
	char *context = cg_context_text(p, r->context), *text, level[16] = "";

	LAW(context, "out of memory");
	if (r->level > 1 || (context[0] >= '0' && context[0] <= '9'))
		snprintf(level, sizeof level, "'%" PRIu32, r->level);
	int len = asprintf(&text, "%s%s%s%s", name, level, context[0] ? "'" : "", context);
	LAW(len >= 0, "out of memory");
	struct cg_name_parts parts = cg_name_split(text, (size_t)len);
	bool same = parts.name_len == strlen(name) && parts.level == r->level &&
		    (size_t)len - parts.context_off == strlen(context);
	free(text);
	free(context);
	return same && name[0];
}

/* Whether callgrind's format can say what is in the profile. */
static bool can_be_said(const struct cg_profile *p)
{
	if ((unsigned char)cg_string(p, p->creator)[0] < ' ' && p->creator)
		return false;
	for (uint32_t i = 1; i < p->strings.count; i++)
		if (!is_bare(p, i))
			return false;
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (!comes_apart(p, &p->records[r]))
			return false;
	return true;
}

/* Inlined code is written as if it were called, where its records may meet others. */
static bool has_inlined(const struct cg_profile *p)
{
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (p->records[r].inlined_into)
			return true;
	return false;
}

/* What came out of reading. Whether a sum leaves its range depends on the order in
 * which it is made, where there are negative costs: then anything may be refused. */
struct outcome {
	struct cg_profile *p; /* NULL if it was refused */
	bool out_of_range;
};

static struct outcome read_bytes(const char *bytes, size_t len,
				 const struct cg_read_options *options)
{
	struct cg_profile *const untouched = (struct cg_profile *)sizeof(struct cg_profile);
	struct cg_profile *p = untouched;
	struct cg_error err = { 0 };
	struct cg_read_options read = *options;
	read.formats = formats_of_json;
	int status = cg_read_memory(bytes, len, "input", &read, &p, &err);

	check_error(status, &err);
	LAW(!status == (p != untouched), "a result is stored on success");
	return (struct outcome){ status ? NULL : p, status == CG_ERANGE };
}

static void check_written(const struct cg_profile *p, const struct cg_read_options *options)
{
	struct cg_read_options plain = { .detail = options->detail };
	char *text = written(p);
	struct outcome copy = read_bytes(text, strlen(text), &plain);

	LAW(copy.p || copy.out_of_range, "what was written is refused");
	if (copy.p) {
		check_profile(copy.p, &plain.detail);
		LAW(same_total(p, copy.p), "what was written has another total");
	}
	if (copy.p && !has_inlined(p)) {
		char *again = written(copy.p);
		LAW(strcmp(body(text), body(again)) == 0, "%s\nis read as\n%s", text, again);
		free(again);
	}
	cg_profile_free(copy.p);
	free(text);
}

/* ---- reading ---- */

/* A lenient reader takes what a strict one does, though it goes by every line
 * where the other one scans ahead. */
static void check_lenient(const char *bytes, size_t len, const struct cg_read_options *options,
			  const struct cg_profile *strict)
{
	struct cg_read_options lenient = *options;
	lenient.lenient = true;
	struct outcome out = read_bytes(bytes, len, &lenient);

	if (out.p)
		check_profile(out.p, &options->detail);
	LAW(!strict || out.p || out.out_of_range, "a lenient reader refuses more");
	LAW(!strict || !out.p || (!out.p->skipped && same(strict, out.p)),
	    "a lenient reader reads something else");
	cg_profile_free(out.p);
}

/* Behind comments, so that the end of a window of the reader is in the middle of
 * the input, and another thread may scan the rest. */
static void check_window(const char *bytes, size_t len, const struct cg_read_options *options,
			 const struct outcome *whole)
{
	size_t room = WINDOW - len / 2;
	char *text = malloc(room + len);

	LAW(text, "out of memory");
	memset(text, '#', room);
	text[room - 1] = '\n';
	memcpy(text + room, bytes, len);
	struct outcome cut = read_bytes(text, room + len, options);
	LAW(!cut.p == !whole->p || cut.out_of_range || whole->out_of_range,
	    "the end of a window decides whether a file is accepted");
	LAW(!cut.p || !whole->p || same(cut.p, whole->p), "the end of a window changes a profile");
	cg_profile_free(cut.p);
	free(text);
}

/* Windows cost more than all else. Packed bytes (zstd's begin with a bracket) and
 * files of other formats are known by how they begin. */
static bool is_for_windows(const char *bytes, size_t len)
{
	return len % 4 == 3 && len < WINDOW && *bytes >= ' ' && *bytes <= '~' && *bytes != '(' &&
	       !cg_format_find(&(struct cg_read_options){ .formats = formats_of_json }, bytes, len);
}

static struct outcome check_detail(const char *bytes, size_t len,
				   const struct cg_read_options *options)
{
	struct outcome out = read_bytes(bytes, len, options);

	if (out.p) {
		check_profile(out.p, &options->detail);
		if (can_be_said(out.p))
			check_written(out.p, options);
	}
	check_lenient(bytes, len, options, out.p);
	if (is_for_windows(bytes, len))
		check_window(bytes, len, options, &out);
	return out;
}

void check_reading(const uint8_t *data, size_t size)
{
	static const struct cg_path_map paths[] = { { "/bench", "/home" }, { "a.c", "/b.c" } };
	static const struct cg_read_options flat, details[] = {
		{ .detail = { .lines = true } },
		{ .detail = { .addresses = true, .jumps = true, .contexts = true } },
		{ .detail = { .lines = true, .contexts = true, .max_level = 2 } },
		{ .detail = { .max_level = 1 }, .paths = paths, .npaths = 2 },
		{ .detail = { .no_calls = true } },
	};
	const char *bytes = (const char *)data;
	struct outcome functions = check_detail(bytes, size, &flat);

	if (functions.p)
		check_diff(functions.p);
	for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
		struct outcome out = check_detail(bytes, size, &details[i]);
		LAW(!out.p || functions.p || functions.out_of_range,
		    "without lines a file is refused");
		LAW(!out.p || !functions.p || same_total(out.p, functions.p),
		    "detail changes the total");
		cg_profile_free(out.p);
	}
	cg_profile_free(functions.p);
}

struct cg_profile *flat_profile_of(const uint8_t *data, size_t size)
{
	static const struct cg_read_options flat;

	return read_bytes((const char *)data, size, &flat).p;
}
