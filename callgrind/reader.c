#include "cgprofile/reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/ahead.h"
#include "callgrind/folded.h"
#include "callgrind/input.h"
#include "callgrind/leave_out.h"
#include "callgrind/massif.h"
#include "callgrind/perf_script.h"
#include "callgrind/pprof.h"
#include "callgrind/reader_code.h"
#include "callgrind/refused.h"
#include "callgrind/window.h"
#include "cgprofile/folded.h"

/* Scanned at a time after a change of the format, lest many changes cost more
 * than their length. */
#define FIRST_STEPS 64
/* Lines between two looks at the size of the tables. */
#define STEPS_PER_CHECK 256

/* Of lines that are joined, only the last position is known. */
static enum scan_joining joining_of(const struct cg_reader *r)
{
	bool only_last = r->positions[r->npositions - 1] == POSITION_LINE;

	if (!r->keep_positions)
		return SCAN_ALL;
	for (unsigned i = 0; i + 1 < r->npositions; i++)
		only_last &= r->positions[i] != POSITION_LINE;
	return only_last && !r->keep_addresses ? SCAN_SAME_LINE : SCAN_EACH;
}

/* Use the scanner instead of the reader, unless columns are in another order or malformed lines
 * must be skipped one by one. */
static struct scan_format current_format(const struct cg_reader *r)
{
	bool in_order = true;
	for (uint32_t i = 0; i < r->ncolumns; i++)
		in_order &= r->column_event[i] == i;
	return (struct scan_format){
		.npositions = r->npositions,
		.ncolumns = in_order && !r->options->lenient ? r->ncolumns : 0,
		.joining = joining_of(r),
		.jumps = cg_reader_keeps_jumps(r),
		.no_calls = r->options->detail.no_calls,
		.names = r->names,
		.vectors = r->vectors,
	};
}

static bool same_format(const struct scan_format *a, const struct scan_format *b)
{
	return a->npositions == b->npositions && a->ncolumns == b->ncolumns &&
	       a->joining == b->joining && a->names.packed == b->names.packed &&
	       a->jumps == b->jumps;
}

/* Steps that will fail are read as text, to name the right line. A window may also begin after
 * blank lines inside a call. */
static bool is_read_as_text(const struct cg_reader *r, const struct scan_step *step,
			    const int64_t *costs)
{
	if (step->kind == SCAN_TEXT || r->expect != EXPECT_ANY)
		return true;
	if (step->kind == SCAN_NAME)
		return r->options->lenient; /* skips what is wrong, line by line */
	if (step->kind == SCAN_CALL)
		return !r->called.named || !r->part_open;
	/* What the scanner adds up is below 2^60. */
	return cg_build_nears_limit(r->b) && !cg_build_self_fits(r->b, costs);
}

static int apply_costs(struct cg_reader *r, const struct scan_step *step, const int64_t *costs)
{
	uint64_t positions[MAX_POSITIONS] = { 0 };
	struct line l = { step->cost, step->cost, step->cost + step->cost_len };

	if (step->kind == SCAN_CALL)
		r->line_no++;
	int status = r->keep_positions ? cg_reader_parse_positions(r, &l, positions) : CG_OK;
	if (status)
		return status;
	if (step->kind == SCAN_SELF)
		return cg_reader_add_self(r, positions, costs);
	r->body_seen = true;
	return cg_reader_add_call(r, positions, step->count, costs);
}

static void prefetch_name(const struct cg_reader *r, const struct scan_step *step,
			  enum cg_text_stage stage)
{
	const struct name_line *n = &step->name;

	if (step->kind != SCAN_NAME)
		return;
	if (n->name && n->context_off < n->len && r->names.contexts)
		cg_build_prefetch_context(r->b, n->context_hash, stage);
	if (n->has_id && stage == CG_TEXT_SLOT)
		cg_name_table_prefetch_id(&r->functions, n->id);
	else if (n->has_id && stage == CG_TEXT_PLACE)
		cg_name_table_prefetch_row(&r->functions, n->id);
}

/* Prefetches the names of functions in the steps that follow. */
static void prefetch_names(const struct cg_reader *r, const struct scan *scan, size_t i)
{
	enum { NEAR = 5, FAR = 10, FARTHEST = 20 };

	if (i + FARTHEST >= scan->nsteps)
		return;
	prefetch_name(r, &scan->steps[i + FARTHEST], CG_TEXT_SLOT);
	prefetch_name(r, &scan->steps[i + FAR], CG_TEXT_PLACE);
	prefetch_name(r, &scan->steps[i + NEAR], CG_TEXT_BYTES);
}

static int check_size(struct cg_reader *r)
{
	return cg_build_check_size(r->b)
		       ? cg_reader_fail(
				 r, CG_ERANGE,
				 "too many functions, calls or events for a file of this length: the file is damaged, or made to exhaust memory")
		       : CG_OK;
}

/* A truncated file mostly ends in the middle of a line. */
static void explain_cut(struct cg_reader *r, const struct cg_window *window, const char *line_end)
{
	if (window->cut && r->ncolumns && line_end + 1 == window->bytes + window->len)
		cg_error_context(&r->err,
				 "the file ends in the middle of this line: it is truncated");
}

/* Goes through the steps of a scan that began at line `first` of the file, up
 * to the first after which the rest must be scanned anew; *next is that place,
 * or where the scan ended. */
static int apply_steps(struct cg_reader *r, const struct cg_window *window, uint64_t first,
		       size_t from, size_t *next)
{
	const struct scan *scan = &window->scan;
	const int64_t *costs = scan->costs;

	for (size_t i = 0; i < scan->nsteps; i++) {
		const struct scan_step *step = &scan->steps[i];
		bool as_text = is_read_as_text(r, step, costs), named = step->kind == SCAN_NAME;
		r->line_no = first + step->line;
		prefetch_names(r, scan, i);
		int status = i % STEPS_PER_CHECK == 0 ? check_size(r) : CG_OK;
		if (!status)
			status = as_text ? cg_reader_parse_line(r, step->text,
								step->text + step->len)
				 : named ? cg_reader_apply_name(r, &step->name)
					 : apply_costs(r, step, costs);
		if (status == CG_ESYNTAX)
			explain_cut(r, window,
				    as_text || step->kind != SCAN_CALL
					    ? step->text + step->len
					    : step->cost + step->cost_len);
		if (status)
			return status;
		if (cg_scan_has_costs(step->kind, window->format.no_calls))
			costs += window->format.ncolumns;
		bool joined = step->kind == SCAN_SELF || step->kind == SCAN_CALL;
		if (!as_text || (!joined && !r->header_read))
			continue;
		r->header_read = false;
		struct scan_format now = current_format(r);
		if (joined || !same_format(&now, &window->format)) {
			*next = (size_t)(step->text - window->bytes) + step->len + 1;
			r->line_no++;
			return CG_OK;
		}
	}
	*next = from + scan->used;
	r->line_no = first + scan->lines;
	return CG_OK;
}

/* Also adds the calls, whose costs are in the scan. */
static int apply_scan(struct cg_reader *r, const struct cg_window *window, uint64_t first,
		      size_t from, size_t *next)
{
	int status = apply_steps(r, window, first, from, next);
	int added = cg_reader_add_calls(r);

	/* What fails there is on an earlier line. */
	return added ? added : status;
}

static int apply_window(struct cg_reader *r, struct cg_window *window)
{
	struct scan_format now = current_format(r);
	size_t from = 0, max_steps = FIRST_STEPS;
	int status = CG_OK;

	cg_build_read(r->b, window->len);
	if (!same_format(&now, &window->format) && cg_window_rescan(window, 0, &now, max_steps))
		return cg_reader_fail(r, CG_ENOMEM, "");
	while (!status) {
		size_t next = from;
		status = apply_scan(r, window, r->line_no, from, &next);
		if (status || next >= window->len)
			break;
		now = current_format(r);
		bool used_up = same_format(&now, &window->format) &&
			       next == from + window->scan.used;
		max_steps = used_up && max_steps < SIZE_MAX / 2 ? 2 * max_steps : FIRST_STEPS;
		from = next;
		if (cg_window_rescan(window, from, &now, max_steps))
			status = cg_reader_fail(r, CG_ENOMEM, "");
	}
	return status;
}

/* r->line_no is the line being read while steps are applied, and the next one
 * between windows. */
static int parse_input(struct cg_reader *r, struct cg_input *in, bool *cut)
{
	struct cg_windows *windows;
	struct cg_window *window;
	if (cg_windows_open(&windows, in))
		return cg_reader_fail(r, CG_ENOMEM, "");

	int status = CG_OK;
	r->line_no = 1;
	do {
		struct scan_format format = current_format(r);
		status = cg_windows_next(windows, &format, &window, &r->err);
		if (status == CG_ERANGE)
			status = cg_reader_fail(r, CG_ESYNTAX, "a line is longer than 16 MiB");
		if (!status && window) {
			*cut = window->cut;
			status = apply_window(r, window);
		}
	} while (!status && window);
	cg_windows_close(windows);
	return status;
}

/* `cut`: the last line does not end. */
static int check_end(struct cg_reader *r, bool cut)
{
	r->line_no--; /* the last line, not the one after it */
	if (r->expect == EXPECT_CALL_COST)
		return cg_reader_fail(r, CG_ESYNTAX,
				      "the file ends in the middle of a call: it is truncated");
	if (r->line_no == 0)
		return cg_reader_fail(r, CG_ESYNTAX, "the file is empty");
	if (r->ncolumns == 0)
		return cg_reader_fail(r, CG_ESYNTAX,
				      "no `events:` line: this is not a callgrind or cachegrind "
				      "file");
	/* A part may cost nothing. */
	int status = r->announced ? cg_reader_open_part(r) : CG_OK;
	if (status)
		return status;
	if (cut && r->part_open && !cg_parts_current(r->parts)->totals)
		cg_parts_set_doubt(r->parts, CG_DOUBT_LINE);
	return cg_reader_end_part(r);
}

/* The first line that begins with a key, which comes after a line break; the end if there is no
 * such line. */
static const char *find_line(const char *head, size_t len, const char *key)
{
	const size_t n = strlen(key);

	if (len >= n - 1 && memcmp(head, key + 1, n - 1) == 0)
		return head;
	const char *line = memmem(head, len, key, n);
	return line ? line : head + len;
}

/* In the header: names before a later one are read without knowing it. */
static bool has_creator(const char *head, size_t len)
{
	return find_line(head, len, "\ncreator:") < find_line(head, len, "\nevents:");
}

/* The file from its begin, or as much of it as can be read twice. */
static int open_again(const struct cg_input *in, const char *head, size_t len,
		      struct cg_input **out, struct cg_error *err)
{
	bool again;
	int status = cg_input_again(in, out, &again, err);

	return status || again ? status : cg_input_memory(out, head, len, cg_input_name(in), err);
}

/* Callgrind and irdiff name themselves. If a file does not name its writer, its names show it,
 * as many of them as can be read ahead. */
static int find_packing(const struct cg_input *in, const char *head, size_t len, bool *packed,
			struct cg_error *err)
{
	struct cg_input *ahead = NULL;

	*packed = false;
	if (has_creator(head, len))
		return CG_OK;
	int status = open_again(in, head, len, &ahead, err);
	if (!status)
		status = cg_ahead_finds(ahead, '\'', packed, err);
	cg_input_free(ahead);
	ahead = NULL;
	if (status || !*packed)
		return status;
	status = open_again(in, head, len, &ahead, err);
	if (!status)
		status = cg_ahead_packs_names(ahead, packed, err);
	cg_input_free(ahead);
	return status;
}

static void free_names(struct cg_reader *r)
{
	cg_name_table_free(&r->objects);
	cg_name_table_free(&r->files);
	cg_name_table_free(&r->functions);
	free(r->named_records);
	cg_name_table_free(&r->later.objects);
	cg_name_table_free(&r->later.files);
	cg_name_table_free(&r->later.functions);
}

/* `packed`: names may have levels and callers, unless the file names its writer. */
static int read_callgrind(struct cg_parts *parts, struct cg_callees *callees, struct cg_input *in,
			  cg_str file, bool packed, const struct cg_read_options *options,
			  struct cg_error *err)
{
	struct cg_reader r = {
		.b = parts->b,
		.parts = parts,
		.callees = callees,
		.header = { .file = file },
		.options = options,
		.name = cg_input_name(in),
		.positions = { POSITION_LINE },
		.npositions = 1,
		.names = { .packed = packed,
			   .contexts = options->detail.contexts,
			   .secret = cg_builder_profile(parts->b)->strings.secret },
		.vectors = cg_scan_vectors(),
		.in = in,
	};
	if (options->inlines &&
	    cg_inlined_records_new(parts->b, options->inlines, &r.inlined_records))
		return cg_fail_nomem(err);
	cg_reader_choose_map(&r);
	r.keep_addresses = options->detail.addresses || options->detail.jumps || r.inlined_records;
	r.keep_positions = options->detail.lines || r.keep_addresses;
	bool cut = false;
	int status = parse_input(&r, in, &cut);
	if (!status)
		status = cg_reader_end_inlined(&r);
	if (!status && (status = cg_detours_take_back(&r.detours, r.b)))
		status = cg_reader_fail_sum(&r, status);
	if (!status && (status = cg_inlined_records_finish(r.inlined_records)))
		status = cg_reader_fail_sum(&r, status);
	int end = status ? CG_OK : check_end(&r, cut);
	if (end == CG_ESYNTAX && options->lenient && r.part_open)
		cg_build_skipped(r.b);
	else if (end)
		status = end;
	free_names(&r);
	free(r.named);
	cg_detours_free(&r.detours);
	cg_inlined_records_free(r.inlined_records);
	if (status && err)
		*err = r.err;
	return status;
}

/* ---- files ---- */

/* All that is read as one profile. */
struct profile_reading {
	struct cg_parts parts;
	struct cg_callees callees;
	const struct cg_read_options *options;
	struct cg_strings names;  /* of the files so far */
	const char *const *paths; /* of all files that are to be read; NULL: there is only one */
	size_t npaths;
	struct cg_error *err;
};

static int begin_reading(struct profile_reading *g, const struct cg_read_options *wanted,
			 struct cg_error *err)
{
	static const struct cg_read_options defaults;
	const struct cg_read_options *options = wanted ? wanted : &defaults;

	*g = (struct profile_reading){ .options = options, .err = err };
	g->parts.selection = options->selection;
	if (!cg_strings_init(&g->names) && !cg_builder_new(&g->parts.b, &options->detail))
		return CG_OK;
	cg_strings_free(&g->names);
	return cg_fail_nomem(err);
}

static int add_file_to_read(struct profile_reading *g, const char *name, cg_str *file)
{
	const size_t known = g->names.count;
	cg_str added;

	if (cg_build_string(g->parts.b, name, strlen(name), file) ||
	    cg_strings_add(&g->names, name, strlen(name), &added))
		return cg_fail_nomem(g->err);
	/* What has no name is no file. */
	if (g->names.count == known && *name)
		return cg_fail(g->err, CG_EINVAL, name, 0,
			       "given twice: it would be counted twice");
	return CG_OK;
}

const struct cg_format *cg_format_find(const struct cg_read_options *o, const char *head,
				       size_t len)
{
	/* Lines of perf may look like folded stacks. */
	static const struct cg_format *const own[] = { &cg_refused_format, &cg_pprof_format,
						       &cg_massif_format, &cg_perf_script_format,
						       &cg_folded_format };

	for (size_t i = 0; o->formats && o->formats[i]; i++)
		if (o->formats[i]->detect(head, len))
			return o->formats[i];
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (own[i]->detect(head, len))
			return own[i];
	return NULL;
}

/* With --separate-threads=yes Valgrind writes FILE-01, FILE-02 …, of earlier dumps
 * FILE.1-01 …, and leaves FILE empty. */
static bool has_threads(const struct profile_reading *g, const char *path)
{
	size_t len = strlen(path);
	for (size_t i = 0; i < g->npaths; i++) {
		const char *rest = g->paths[i] + len;
		if (strncmp(g->paths[i], path, len) != 0)
			continue;
		if (*rest == '.')
			rest += 1 + strspn(rest + 1, "0123456789");
		if (*rest == '-' && isdigit((unsigned char)rest[1]))
			return true;
	}
	return false;
}

static int read_profile_input(struct profile_reading *g, struct cg_input *in)
{
	enum { HEAD = 64 * 1024 };
	const char *head;
	size_t len;
	cg_str file = 0;
	int status = add_file_to_read(g, cg_input_name(in), &file);
	if (!status)
		status = cg_input_peek(in, HEAD, &head, &len, g->err);
	if (status || (len == 0 && has_threads(g, cg_input_name(in))))
		return status;
	if (len >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0) {
		/* A byte-order mark: editors on Windows put it there. */
		cg_input_skip(in, 3);
		head += 3;
		len -= 3;
	}
	const struct cg_format *format = cg_format_find(g->options, head, len);
	if (format)
		return format->read(&g->parts, in, file, g->options, g->err);
	bool packed = false;
	status = find_packing(in, head, len, &packed, g->err);
	return status ? status
		      : read_callgrind(&g->parts, &g->callees, in, file, packed, g->options,
				       g->err);
}

/* The builder is freed. */
static int finish_profile(struct profile_reading *g, struct cg_profile **out)
{
	struct cg_profile *p = NULL;
	int status = cg_builder_finish(g->parts.b, &p);
	/* Valgrind always writes this, even where its name was lost. */
	if (!status && !cg_desc_value(p, "I1 cache"))
		status = cg_callees_connect(&g->callees, p);
	if (status) {
		cg_profile_free(p);
		return status;
	}
	cg_leave_out_events(p, g->options->without);
	*out = p;
	return CG_OK;
}

static int end_reading(struct profile_reading *g, const char *name, int status,
		       struct cg_profile **out)
{
	if (!status)
		status = cg_parts_check(&g->parts, g->err);
	cg_parts_free(&g->parts);
	cg_strings_free(&g->names);
	if (status) {
		cg_builder_free(g->parts.b);
		cg_callees_free(&g->callees);
		return status;
	}
	status = finish_profile(g, out);
	cg_callees_free(&g->callees);
	if (status == CG_ENOMEM)
		return cg_fail_nomem(g->err);
	return status ? cg_fail(g->err, status, name, 0, "the sum of all parts exceeds 2^63")
		      : CG_OK;
}

int cg_read_files(const char *const *paths, size_t npaths, const struct cg_read_options *options,
		  struct cg_profile **out, struct cg_error *err)
{
	struct profile_reading g;
	if (npaths == 0)
		return cg_fail(err, CG_EINVAL, NULL, 0, "no file given");
	int status = begin_reading(&g, options, err);
	if (status)
		return status;

	g.paths = paths;
	g.npaths = npaths;
	for (size_t i = 0; !status && i < npaths; i++) {
		struct cg_input *in = NULL;
		status = cg_input_open(&in, paths[i], err);
		if (!status)
			cg_input_watch(in, g.options->progress, g.options->progress_context);
		if (!status)
			status = read_profile_input(&g, in);
		cg_input_free(in);
	}
	return end_reading(&g, paths[0], status, out);
}

int cg_read_file(const char *path, const struct cg_read_options *options, struct cg_profile **out,
		 struct cg_error *err)
{
	return cg_read_files(&path, 1, options, out, err);
}

int cg_read_memory(const char *bytes, size_t len, const char *name,
		   const struct cg_read_options *options, struct cg_profile **out,
		   struct cg_error *err)
{
	struct cg_input *in = NULL;
	struct profile_reading g;
	int status = begin_reading(&g, options, err);
	if (status)
		return status;

	status = cg_input_memory(&in, bytes, len, name, err);
	if (!status)
		status = read_profile_input(&g, in);
	cg_input_free(in);
	return end_reading(&g, name, status, out);
}
