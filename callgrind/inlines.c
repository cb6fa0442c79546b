#include "cgprofile/inlines.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/inlines_calls.h"
#include "callgrind/inlines_dwarf.h"
#include "callgrind/inlines_files.h"
#include "callgrind/inlines_frames.h"
#include "callgrind/inlines_lines.h"
#include "callgrind/lambdas.h"
#include "callgrind/support/grow.h"
#include "cgprofile/names.h"

/* An address of the profile, and the object that it is in. */
struct inlines_place {
	cg_str object;
	uint64_t address;
	cg_str function;
};

struct inlines_places {
	struct inlines_place *rows;
	size_t count;
};

static int inlines_compare_places(const void *left, const void *right)
{
	const struct inlines_place *a = left, *b = right;
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static void inlines_add_place(const struct cg_profile *p, struct inlines_places *places,
			      uint32_t record, uint64_t address)
{
	const struct cg_function *f = &p->functions[p->records[record].function];
	struct inlines_place *last = places->count ? &places->rows[places->count - 1] : NULL;
	bool repeated = last && last->object == f->object && last->address == address;

	if (f->object && address && !repeated)
		places->rows[places->count++] = (struct inlines_place){ f->object, address,
									f->name };
}

/* Each once. */
static int sort_places(struct inlines_places *places)
{
	size_t kept = 0;
	qsort(places->rows, places->count, sizeof *places->rows, inlines_compare_places);
	for (size_t i = 0; i < places->count; i++)
		if (!kept || inlines_compare_places(&places->rows[kept - 1], &places->rows[i]) != 0)
			places->rows[kept++] = places->rows[i];
	places->count = kept;
	return kept < UINT32_MAX ? CG_OK : CG_ERANGE;
}

/* All places of a profile, each once, sorted. */
static int collect_places(const struct cg_profile *p, struct inlines_places *places)
{
	size_t most = (size_t)p->nlines + p->ncalls;
	places->rows = malloc((most + 1) * sizeof *places->rows);
	if (!places->rows)
		return CG_ENOMEM;

	for (uint32_t i = 1; i < p->nlines; i++)
		inlines_add_place(p, places, p->lines[i].record, p->lines[i].address);
	for (uint32_t i = 1; i < p->ncalls; i++)
		inlines_add_place(p, places, p->calls[i].caller, cg_call_place(p, i).address);
	return sort_places(places);
}

static uint32_t count_objects(const struct inlines_places *places)
{
	uint32_t count = 0;
	for (size_t i = 0; i < places->count; i++)
		count += i == 0 || places->rows[i].object != places->rows[i - 1].object;
	return count;
}

static int inlines_fill(struct cg_inlines *in, const struct cg_profile *p,
			const struct inlines_places *places)
{
	struct cg_inlines_object *object = NULL;
	int status = CG_OK;

	in->addresses = malloc((places->count + 1) * sizeof *in->addresses);
	in->frame = calloc(places->count + 1, sizeof *in->frame);
	in->objects = calloc((size_t)count_objects(places) + 1, sizeof *in->objects);
	if (!in->addresses || !in->frame || !in->objects)
		return CG_ENOMEM;
	in->naddresses = (uint32_t)places->count;
	for (uint32_t i = 0; !status && i < places->count; i++) {
		cg_str path = places->rows[i].object;
		if (i == 0 || path != places->rows[i - 1].object) {
			const char *text = cg_string(p, path);
			object = &in->objects[in->nobjects++];
			object->first = i;
			status = cg_strings_add(&in->strings, text, strlen(text), &object->path);
		}
		object->count++;
		in->addresses[i] = places->rows[i].address;
	}
	return status;
}

static int inlines_begin(struct cg_inlines **out)
{
	static const struct cg_frame unknown;
	uint32_t none;
	struct cg_inlines *in = calloc(1, sizeof *in);
	int status = in ? cg_strings_init(&in->strings) : CG_ENOMEM;
	if (!status)
		status = cg_inlines_add_frame(in, &unknown, &none);
	if (status)
		cg_inlines_free(in);
	else
		*out = in;
	return status;
}

static uint32_t inlines_outermost(const struct cg_inlines *in, uint32_t frame)
{
	while (in->frames[frame].parent)
		frame = in->frames[frame].parent;
	return frame;
}

/* Several functions may be without a name. */
static bool is_unnamed(const struct cg_profile *p, cg_str name)
{
	return !name || strcmp(cg_string(p, name), "???") == 0;
}

/* Inlined functions are called 0 times by those of their object. */
static bool counts_inlined(const struct cg_profile *p, const char *object)
{
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		cg_str caller = p->functions[p->records[c->caller].function].object;
		cg_str callee = p->functions[p->records[c->callee].function].object;
		if (c->count == 0 && caller == callee && strcmp(cg_string(p, caller), object) == 0)
			return true;
	}
	return false;
}

/* In the same build functions end where the debug information has their ends; their names prove
 * nothing, as one function may have several. In two builds that would be chance. */
static void check_build(struct cg_inlines *in, const struct cg_profile *p,
			const struct inlines_places *places, struct cg_inlines_object *o)
{
	uint32_t ours = 0, theirs = 0, both = 0;
	for (uint32_t i = o->first + 1; i < o->first + o->count; i++) {
		if (!in->frame[i] || !in->frame[i - 1])
			continue;
		bool our_end = places->rows[i].function != places->rows[i - 1].function;
		bool their_end = inlines_outermost(in, in->frame[i]) !=
				 inlines_outermost(in, in->frame[i - 1]);
		if (!our_end && is_unnamed(p, places->rows[i].function))
			continue;
		ours += our_end;
		theirs += their_end;
		both += our_end && their_end;
	}
	if (both >= ours / 2 && both >= theirs / 2)
		return;
	memset(in->frame + o->first, 0, o->count * sizeof *in->frame);
	o->state = counts_inlined(p, cg_strings_get(&in->strings, o->path)) ? CG_INLINES_COUNTED
									    : CG_INLINES_OTHER;
}

/* Decodes instructions into `branches` unless it is NULL. */
static int find_frames(struct cg_inlines *in, const struct cg_profile *p,
		       const struct inlines_places *places, const char *cache,
		       struct cg_branch *branches)
{
	int status = inlines_fill(in, p, places);
	for (uint32_t i = 0; !status && i < in->nobjects; i++) {
		status = cg_inlines_read_dwarf(in, &in->objects[i], cache, branches);
		check_build(in, p, places, &in->objects[i]);
	}
	return status;
}

/* ---- calls ---- */

static void free_code(struct cg_inlines_code *code)
{
	free(code->branches);
	free(code->executed);
	free(code->begins);
	free(code->line);
}

static int begin_code(const struct inlines_places *places, struct cg_inlines_code *code)
{
	code->branches = calloc(places->count + 1, sizeof *code->branches);
	code->executed = calloc(places->count + 1, sizeof *code->executed);
	code->begins = calloc(places->count + 1, sizeof *code->begins);
	code->line = calloc(places->count + 1, sizeof *code->line);
	if (!code->branches || !code->executed || !code->begins || !code->line)
		return CG_ENOMEM;
	for (size_t i = 0; i < places->count; i++)
		code->begins[i] = i == 0 || places->rows[i].object != places->rows[i - 1].object ||
				  places->rows[i].function != places->rows[i - 1].function;
	return CG_OK;
}

/* ---- names ---- */

/* A function of the profile whose name has parameters. */
struct whole_name {
	const char *name; /* the profile's, as texts of frames move when there are more */
	size_t bare;      /* its length without them */
	cg_str file;      /* where it is defined */
	uint32_t line;
};

struct whole_names {
	struct whole_name *rows;
	size_t count, cap;
	char **made; /* names that the profile has in another form */
	size_t nmade, made_cap;
};

static void free_whole_names(struct whole_names *names)
{
	for (size_t i = 0; i < names->nmade; i++)
		free(names->made[i]);
	free(names->made);
	free(names->rows);
}

static int compare_whole_names(const void *left, const void *right)
{
	const struct whole_name *a = left, *b = right;
	size_t shorter = a->bare < b->bare ? a->bare : b->bare;
	int order = memcmp(a->name, b->name, shorter);
	if (!order)
		order = (a->bare > b->bare) - (a->bare < b->bare);
	if (!order)
		order = (a->file > b->file) - (a->file < b->file);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* The function of this name and place; NULL if not exactly one has them. */
static const struct whole_name *find_whole_name(const struct whole_name *names, size_t count,
						const struct whole_name *bare)
{
	const struct whole_name *found = count ? bsearch(bare, names, count, sizeof *names,
							 compare_whole_names)
					       : NULL;
	if (!found || (found > names && compare_whole_names(found - 1, found) == 0) ||
	    (found + 1 < names + count && compare_whole_names(found + 1, found) == 0))
		return NULL;
	return found;
}

static int add_whole_name(struct whole_names *names, const char *name, cg_str file, uint32_t line)
{
	size_t len = strlen(name), bare = cg_name_without_parameters(name, len);

	if (bare == len)
		return CG_OK;
	if (cg_grow(&names->rows, &names->cap, names->count + 1, sizeof *names->rows))
		return CG_ENOMEM;
	names->rows[names->count++] = (struct whole_name){ name, bare, file, line };
	return CG_OK;
}

/* Makes *name a name that is the same for all compilers. */
static int agree_on_name(struct whole_names *names, const char *of_frame, const char **name)
{
	char *made = NULL;

	if (!cg_lambda_any(*name))
		return CG_OK;
	if (cg_grow(&names->made, &names->made_cap, names->nmade + 1, sizeof *names->made) ||
	    cg_lambda_adopt(*name, of_frame, &made))
		return CG_ENOMEM;
	if (made)
		*name = names->made[names->nmade++] = made;
	return CG_OK;
}

/* As debug information has them at the places of the profile: of several functions of a
 * name, the line tells which is which. */
static int whole_names_of_places(const struct cg_inlines *in, const struct cg_profile *p,
				 const struct inlines_places *places, struct whole_names *names)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < places->count; i++) {
		const struct cg_frame *frame = &in->frames[inlines_outermost(in, in->frame[i])];
		const char *name = cg_string(p, places->rows[i].function);
		const char *bare_name = cg_strings_get(&in->strings, frame->name);
		if (i && places->rows[i].function == places->rows[i - 1].function)
			continue;
		status = agree_on_name(names, bare_name, &name);
		size_t bare = cg_name_without_parameters(name, strlen(name));
		if (!status && strlen(bare_name) == bare && memcmp(bare_name, name, bare) == 0)
			status = add_whole_name(names, name, frame->file, frame->line);
	}
	return status;
}

/* Without places, functions can only be compared by their names. */
static int whole_names_of_functions(const struct cg_inlines *in, const struct cg_profile *p,
				    struct whole_names *names)
{
	int status = CG_OK;
	for (uint32_t f = 1; !status && f < p->nfunctions; f++) {
		const char *path = cg_string(p, p->functions[f].file);
		cg_str file = cg_strings_find(&in->strings, path, strlen(path));
		if (file)
			status = add_whole_name(names, cg_string(p, p->functions[f].name), file, 0);
	}
	return status;
}

static void sort_whole_names(struct whole_names *names)
{
	size_t kept = 0;
	if (names->count)
		qsort(names->rows, names->count, sizeof *names->rows, compare_whole_names);
	for (size_t i = 0; i < names->count; i++)
		if (!kept || compare_whole_names(&names->rows[kept - 1], &names->rows[i]) != 0 ||
		    strcmp(names->rows[kept - 1].name, names->rows[i].name) != 0)
			names->rows[kept++] = names->rows[i];
	names->count = kept;
}

/* Debug information has no parameters for functions that are local to a source file: where such
 * a function is inlined it would not match the function that is called elsewhere. */
static int adopt_names(struct cg_inlines *in, const struct cg_profile *p,
		       const struct inlines_places *places, bool by_line)
{
	struct whole_names found = { 0 };
	int status = by_line ? whole_names_of_functions(in, p, &found)
			     : whole_names_of_places(in, p, places, &found);

	sort_whole_names(&found);
	for (uint32_t i = 1; !status && found.count && i < in->nframes; i++) {
		struct cg_frame *frame = &in->frames[i];
		const char *name = cg_strings_get(&in->strings, frame->name);
		const struct whole_name bare = { name, strlen(name), frame->file,
						 by_line ? 0 : frame->line };
		const struct whole_name *whole = find_whole_name(found.rows, found.count, &bare);
		if (whole)
			status = cg_strings_add(&in->strings, whole->name, strlen(whole->name),
						&frame->name);
	}
	free_whole_names(&found);
	return status;
}

int cg_inlines_find(const struct cg_profile *p, const char *cache, struct cg_inlines **out)
{
	struct inlines_places places = { 0 };
	struct cg_inlines_code code = { 0 };
	struct cg_inlines *in = NULL;
	int status = inlines_begin(&in);

	if (!status)
		status = collect_places(p, &places);
	if (!status)
		status = begin_code(&places, &code);
	if (!status)
		status = find_frames(in, p, &places, cache, code.branches);
	if (!status)
		status = cg_inlines_find_line_files(in, p);
	if (!status)
		status = adopt_names(in, p, &places, false);
	if (!status)
		status = cg_inlines_find_files(in, p);
	if (!status)
		status = cg_inlines_find_calls(in, p, &code);
	free_code(&code);
	free(places.rows);
	if (status)
		cg_inlines_free(in);
	else
		*out = in;
	return status;
}

/* ---- by source lines ---- */

/* Code of a line, and what it votes for. */
struct inlines_vote {
	cg_str object; /* of the profile */
	uint64_t address, size;
	struct cg_inlines_line line;
};

struct inlines_voting {
	struct cg_inlines *in;
	const struct cg_profile *p;
	cg_str object;          /* whose lines are being read */
	struct cg_line *wanted; /* lines of the profile, by file and number */
	size_t nwanted;
	struct inlines_vote *votes;
	size_t nvotes, votes_cap;
};

static int inlines_compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_wanted(const void *left, const void *right)
{
	const struct cg_line *a = left, *b = right;
	return a->file != b->file ? inlines_compare_numbers(a->file, b->file)
				  : inlines_compare_numbers(a->line, b->line);
}

static int collect_wanted(struct inlines_voting *v)
{
	size_t kept = 0;
	v->wanted = malloc(((size_t)v->p->nlines + 1) * sizeof *v->wanted);
	if (!v->wanted)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < v->p->nlines; i++)
		v->wanted[v->nwanted++] = v->p->lines[i];
	qsort(v->wanted, v->nwanted, sizeof *v->wanted, compare_wanted);
	for (size_t i = 0; i < v->nwanted; i++)
		if (!kept || compare_wanted(&v->wanted[kept - 1], &v->wanted[i]) != 0)
			v->wanted[kept++] = v->wanted[i];
	v->nwanted = kept;
	return CG_OK;
}

static bool wants(const void *context, const char *file, uint32_t line)
{
	const struct inlines_voting *v = context;
	const struct cg_line key = {
		.file = cg_strings_find(&v->p->strings, file, strlen(file)),
		.line = line,
	};
	return key.file && bsearch(&key, v->wanted, v->nwanted, sizeof key, compare_wanted);
}

static int add_vote(void *to, const char *file, uint32_t line, uint64_t address, uint64_t size)
{
	struct inlines_voting *v = to;
	struct inlines_vote vote = { v->object, address, size, { .line = line } };
	int status = cg_strings_add(&v->in->strings, file, strlen(file), &vote.line.file);
	if (!status)
		status = cg_grow(&v->votes, &v->votes_cap, v->nvotes + 1, sizeof *v->votes);
	if (!status)
		v->votes[v->nvotes++] = vote;
	return status;
}

static int collect_votes(struct inlines_voting *v)
{
	bool *seen = calloc(v->p->strings.count, sizeof *seen);
	int status = seen ? collect_wanted(v) : CG_ENOMEM;

	for (uint32_t f = 1; !status && f < v->p->nfunctions; f++) {
		v->object = v->p->functions[f].object;
		if (v->object && !seen[v->object])
			status = cg_inlines_read_lines(cg_string(v->p, v->object), wants, v,
						       add_vote, v);
		seen[v->object] = true;
	}
	free(seen);
	return status;
}

static int places_of_votes(const struct inlines_voting *v, struct inlines_places *places)
{
	places->rows = malloc((v->nvotes + 1) * sizeof *places->rows);
	if (!places->rows)
		return CG_ENOMEM;
	for (size_t i = 0; i < v->nvotes; i++)
		places->rows[i] = (struct inlines_place){ v->votes[i].object, v->votes[i].address,
							  0 };
	places->count = v->nvotes;
	return sort_places(places);
}

/* The function, without suffixes, in whose machine code a frame is. */
static int find_function(struct cg_inlines *in, uint32_t frame, cg_str *function)
{
	const char *name = cg_strings_get(&in->strings,
					  in->frames[inlines_outermost(in, frame)].name);
	size_t stem = cg_name_stem(name, strlen(name));
	char *copy = strndup(name, stem); /* adding may move the table */
	int status = copy ? cg_strings_add(&in->strings, copy, stem, function) : CG_ENOMEM;
	free(copy);
	return status;
}

static int fill_votes(struct inlines_voting *v)
{
	int status = CG_OK;
	for (size_t i = 0; !status && i < v->nvotes; i++) {
		struct inlines_vote *vote = &v->votes[i];
		const struct cg_inlines_object *object = cg_inlines_find_object(
			v->in, cg_string(v->p, vote->object));
		if (!object) /* its path is also that of a source file */
			continue;
		vote->line.frame = cg_inlines_frame(v->in, object, vote->address);
		vote->line.object = object->path;
		status = find_function(v->in, vote->line.frame, &vote->line.function);
	}
	return status;
}

static int inlines_compare_lines(const void *left, const void *right)
{
	const struct cg_inlines_line *a = left, *b = right;
	int order = inlines_compare_numbers(a->object, b->object);
	if (!order)
		order = inlines_compare_numbers(a->function, b->function);
	if (!order)
		order = inlines_compare_numbers(a->file, b->file);
	return order ? order : inlines_compare_numbers(a->line, b->line);
}

static int compare_votes(const void *left, const void *right)
{
	const struct inlines_vote *a = left, *b = right;
	int order = inlines_compare_lines(&a->line, &b->line);
	return order ? order : inlines_compare_numbers(a->line.frame, b->line.frame);
}

/* Chooses for each line the frame with the most code. */
static int count_votes(struct inlines_voting *v)
{
	struct cg_inlines *in = v->in;
	uint64_t most = 0, sum = 0;

	in->lines = malloc((v->nvotes + 1) * sizeof *in->lines);
	if (!in->lines)
		return CG_ENOMEM;
	if (v->nvotes)
		qsort(v->votes, v->nvotes, sizeof *v->votes, compare_votes);
	for (size_t i = 0; i < v->nvotes; i++) {
		const struct inlines_vote *vote = &v->votes[i];
		bool same_line = i && inlines_compare_lines(&vote[-1].line, &vote->line) == 0;
		bool same_frame = same_line && vote[-1].line.frame == vote->line.frame;
		sum = same_frame ? sum + vote->size : vote->size;
		if (same_line && sum <= most)
			continue;
		most = sum;
		in->nlines += !same_line;
		in->lines[in->nlines - 1] = vote->line;
	}
	return CG_OK;
}

int cg_inlines_find_by_line(const struct cg_profile *p, struct cg_inlines **out)
{
	struct inlines_voting v = { .p = p };
	struct inlines_places places = { 0 };
	int status = inlines_begin(&v.in);

	if (!status)
		status = collect_votes(&v);
	if (!status)
		status = places_of_votes(&v, &places);
	if (!status)
		status = find_frames(v.in, p, &places, NULL, NULL);
	if (!status)
		status = adopt_names(v.in, p, &places, true);
	if (!status)
		status = fill_votes(&v);
	if (!status)
		status = count_votes(&v);
	free(v.wanted);
	free(v.votes);
	free(places.rows);
	if (status)
		cg_inlines_free(v.in);
	else
		*out = v.in;
	return status;
}

static bool find_id(const struct cg_inlines *in, const char *text, size_t len, cg_str *id)
{
	*id = cg_strings_find(&in->strings, text, len);
	return *id != 0;
}

uint32_t cg_inlines_frame_of_line(const struct cg_inlines *in, const char *object,
				  const char *function, const char *file, uint32_t line)
{
	struct cg_inlines_line key = { .line = line };
	if (!find_id(in, object, strlen(object), &key.object) ||
	    !find_id(in, function, cg_name_stem(function, strlen(function)), &key.function) ||
	    !find_id(in, file, strlen(file), &key.file))
		return 0;
	const struct cg_inlines_line *found = bsearch(&key, in->lines, in->nlines, sizeof key,
						      inlines_compare_lines);
	return found ? found->frame : 0;
}

void cg_inlines_free(struct cg_inlines *in)
{
	if (!in)
		return;
	cg_strings_free(&in->strings);
	free(in->frames);
	free(in->addresses);
	free(in->frame);
	free(in->objects);
	free(in->lines);
	free(in->files);
	free(in->renamed);
	free(in->starts);
	free(in->entered);
	free(in->enters);
	free(in);
}

static int inlines_compare_objects(const void *left, const void *right)
{
	const struct cg_inlines_object *a = left, *b = right;
	return inlines_compare_numbers(a->path, b->path);
}

/* They are in the order in which their paths became texts. */
const struct cg_inlines_object *cg_inlines_find_object(const struct cg_inlines *in,
						       const char *path)
{
	const struct cg_inlines_object key = {
		.path = cg_strings_find(&in->strings, path, strlen(path)),
	};
	return in->nobjects ? bsearch(&key, in->objects, in->nobjects, sizeof key,
				      inlines_compare_objects)
			    : NULL;
}

uint32_t cg_inlines_frame_from(const struct cg_inlines *in, const struct cg_inlines_object *object,
			       uint64_t address, uint32_t *next)
{
	const uint64_t *addresses = in->addresses + object->first;
	uint32_t at = *next;

	if (at >= object->count || addresses[at] != address)
		at = cg_inlines_first_from(addresses, object->count, address);
	if (at >= object->count || addresses[at] != address)
		return 0;
	*next = at + 1;
	return in->frame[object->first + at];
}

uint32_t cg_inlines_frame(const struct cg_inlines *in, const struct cg_inlines_object *object,
			  uint64_t address)
{
	uint32_t next = 0;
	return cg_inlines_frame_from(in, object, address, &next);
}

const char *cg_inlines_state_name(enum cg_inlines_state state)
{
	static const char *const names[] = {
		[CG_INLINES_FOUND] = "found",
		[CG_INLINES_NO_FILE] = "no such file",
		[CG_INLINES_NO_DEBUG] = "no debug information",
		[CG_INLINES_SPLIT] = "some .dwo files are missing",
		[CG_INLINES_DAMAGED] = "damaged debug information",
		[CG_INLINES_OTHER] = "another build than the one measured",
		[CG_INLINES_COUNTED] = "the file already counts inlined functions",
	};
	return names[state];
}
