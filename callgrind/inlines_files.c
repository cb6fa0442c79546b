#include "callgrind/inlines_files.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/inlines_stubs.h"
#include "callgrind/lambdas.h"
#include "callgrind/name_clones.h"
#include "callgrind/name_parts.h"

/* What the addresses of a function show. */
struct inlines_files_vote {
	uint32_t frame; /* the outermost that was looked at last; 0: none yet */
	cg_str file;    /* where its frames are defined; 0: unknown */
	/* what they call it, without the suffix of a cold part; 0: as the profile does */
	cg_str name;
	bool differs;   /* they are defined in several files */
	bool ambiguous; /* they call it in several ways */
};

struct inlines_files_voting {
	struct cg_inlines *in;
	const struct cg_profile *p;
	struct inlines_files_vote *votes; /* per function of p */
	cg_str object;                    /* of p, looked for last */
	const struct cg_inlines_object *found;
	uint32_t next; /* address, as most lines follow each other */
};

/* ---- votes ---- */

/* A linker may have folded identical functions: then one has the symbol of another. */
static int inlines_files_is_function(const char *of_frame, const char *name, bool *is)
{
	char *stem = strndup(name, cg_name_stem(name, strlen(name)));
	char *bare = strndup(of_frame, cg_name_without_parameters(of_frame, strlen(of_frame)));
	int status = stem && bare ? CG_OK : CG_ENOMEM;

	*is = !status && *bare && (strcmp(of_frame, stem) == 0 || cg_name_may_be(bare, stem));
	free(stem);
	free(bare);
	return status;
}

/* Notes what a frame calls a function. */
static int vote_name(struct inlines_files_voting *v, struct inlines_files_vote *vote,
		     const char *renamed)
{
	cg_str name = 0;
	size_t len = cg_name_without_cold(renamed, strlen(renamed));
	int status = cg_strings_add(&v->in->strings, renamed, len, &name);

	if (status)
		return status;
	vote->ambiguous |= vote->name && vote->name != name;
	vote->name = name;
	return CG_OK;
}

static int vote_frame(struct inlines_files_voting *v, uint32_t function, uint32_t frame)
{
	const struct cg_frame *f = &v->in->frames[frame];
	struct inlines_files_vote *vote = &v->votes[function];
	const char *name = cg_string(v->p, v->p->functions[function].name);
	const char *of_frame = cg_strings_get(&v->in->strings, f->name);
	char *renamed = NULL;
	cg_str file = f->file;
	bool is = false;

	vote->frame = frame;
	int status = cg_lambda_any(name) ? cg_lambda_adopt(name, of_frame, &renamed) : CG_OK;
	if (!status && file)
		status = inlines_files_is_function(of_frame, renamed ? renamed : name, &is);
	if (!status && renamed)
		status = vote_name(v, vote, renamed);
	free(renamed);
	if (status || !is)
		return status;
	vote->differs |= vote->file && vote->file != file;
	vote->file = file;
	return CG_OK;
}

static int vote_line(struct inlines_files_voting *v, const struct cg_line *line)
{
	const struct cg_record *record = &v->p->records[line->record];
	cg_str object = v->p->functions[record->function].object;

	if (object != v->object) {
		v->object = object;
		v->found = cg_inlines_find_object(v->in, cg_string(v->p, object));
	}
	if (!object || !v->found || record->inlined_into)
		return CG_OK;
	uint32_t frame = cg_inlines_frame_from(v->in, v->found, line->address, &v->next);
	while (v->in->frames[frame].parent)
		frame = v->in->frames[frame].parent;
	return frame && frame != v->votes[record->function].frame
		       ? vote_frame(v, record->function, frame)
		       : CG_OK;
}

/* ---- the table ---- */

static int inlines_files_compare_files(const void *left, const void *right)
{
	const struct cg_inlines_file *a = left, *b = right;
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return (a->file > b->file) - (a->file < b->file);
}

static int inlines_files_add_text(struct cg_inlines *in, const char *text, size_t len, cg_str *id)
{
	return cg_strings_add(&in->strings, text, len, id);
}

/* A part that was split off counts for its function. */
static int inlines_files_add_file(struct cg_inlines *in, const struct cg_profile *p,
				  const struct cg_function *f,
				  const struct inlines_files_vote *vote)
{
	const char *object = cg_string(p, f->object), *file = cg_string(p, f->file);
	const char *name = cg_string(p, f->name);
	struct cg_inlines_file row = { .real = vote->differs ? 0 : vote->file,
				       .name = vote->ambiguous ? 0 : vote->name };
	int status = inlines_files_add_text(in, object, strlen(object), &row.object);

	if (!status)
		status = inlines_files_add_text(in, file, strlen(file), &row.file);
	if (!status)
		status = inlines_files_add_text(in, name, cg_name_without_cold(name, strlen(name)),
						&row.function);
	if (!status)
		in->files[in->nfiles++] = row;
	return status;
}

/* A row is unknown if its addresses contradict each other. */
static void inlines_files_join_rows(struct cg_inlines_file *row,
				    const struct cg_inlines_file *other)
{
	if (row->real != other->real)
		row->real = 0;
	if (row->name != other->name)
		row->name = 0;
}

/* Functions that the profile takes for one keep its file if they are of several. */
static void join_files(struct cg_inlines *in)
{
	size_t joined = 0, kept = 0;

	if (in->nfiles)
		qsort(in->files, in->nfiles, sizeof *in->files, inlines_files_compare_files);
	for (size_t i = 0; i < in->nfiles; i++) {
		struct cg_inlines_file *row = &in->files[i];
		if (!joined || inlines_files_compare_files(&in->files[joined - 1], row) != 0)
			in->files[joined++] = *row;
		else
			inlines_files_join_rows(&in->files[joined - 1], row);
	}
	for (size_t i = 0; i < joined; i++) {
		struct cg_inlines_file *row = &in->files[i];
		row->real = row->real == row->file ? 0 : row->real;
		row->name = row->name == row->function ? 0 : row->name;
		if (row->real || row->name)
			in->files[kept++] = *row;
	}
	in->nfiles = kept;
}

static int inlines_files_compare_functions(const void *left, const void *right)
{
	const struct cg_inlines_file *a = left, *b = right;
	return (a->function > b->function) - (a->function < b->function);
}

/* Callers are known only by name, so all functions of a name must have been renamed alike. */
static int inlines_files_find_renamed(struct cg_inlines *in)
{
	size_t count = 0, kept = 0;

	in->renamed = calloc(in->nfiles + 1, sizeof *in->renamed);
	if (!in->renamed)
		return CG_ENOMEM;
	for (size_t i = 0; i < in->nfiles; i++)
		if (in->files[i].name)
			in->renamed[count++] = in->files[i];
	qsort(in->renamed, count, sizeof *in->renamed, inlines_files_compare_functions);
	for (size_t i = 0, next; i < count; i = next) {
		bool same = true;
		for (next = i;
		     next < count && in->renamed[next].function == in->renamed[i].function; next++)
			same &= in->renamed[next].name == in->renamed[i].name;
		if (same)
			in->renamed[kept++] = in->renamed[i];
	}
	in->nrenamed = kept;
	return CG_OK;
}

static int inlines_files_make_table(struct cg_inlines *in, const struct inlines_files_voting *v)
{
	int status = CG_OK;

	in->files = calloc(2 * (size_t)v->p->nfunctions, sizeof *in->files);
	if (!in->files)
		return CG_ENOMEM;
	for (uint32_t f = 1; !status && f < v->p->nfunctions; f++)
		if (v->votes[f].file || v->votes[f].name)
			status = inlines_files_add_file(in, v->p, &v->p->functions[f],
							&v->votes[f]);
	if (!status)
		status = cg_inlines_add_stubs(in, v->p);
	join_files(in);
	return status ? status : inlines_files_find_renamed(in);
}

int cg_inlines_find_files(struct cg_inlines *in, const struct cg_profile *p)
{
	struct inlines_files_voting v = { .in = in, .p = p };
	int status = CG_OK;

	if (in->nframes <= 1)
		return CG_OK;
	v.votes = calloc(p->nfunctions, sizeof *v.votes);
	if (!v.votes)
		return CG_ENOMEM;
	for (uint32_t i = 1; !status && i < p->nlines; i++)
		status = vote_line(&v, &p->lines[i]);
	if (!status)
		status = inlines_files_make_table(in, &v);
	free(v.votes);
	return status;
}

const struct cg_inlines_file *cg_inlines_real(const struct cg_inlines *in, const char *object,
					      const char *file, const char *function)
{
	if (!in->nfiles)
		return NULL;
	struct cg_inlines_file key = {
		.object = cg_strings_find(&in->strings, object, strlen(object)),
		.file = cg_strings_find(&in->strings, file, strlen(file)),
		.function = cg_strings_find(&in->strings, function,
					    cg_name_without_cold(function, strlen(function))),
	};
	if ((*file && !key.file) || (*object && !key.object)) /* it is not the unknown one */
		return NULL;
	return bsearch(&key, in->files, in->nfiles, sizeof key, inlines_files_compare_files);
}

const char *cg_inlines_real_name(const struct cg_inlines *in, const char *function, size_t len)
{
	struct cg_inlines_file key = { .function = 0 };
	const struct cg_inlines_file *found = NULL;

	if (in->nrenamed)
		key.function = cg_strings_find(&in->strings, function,
					       cg_name_without_cold(function, len));
	if (key.function)
		found = bsearch(&key, in->renamed, in->nrenamed, sizeof key,
				inlines_files_compare_functions);
	return found ? cg_strings_get(&in->strings, found->name) : NULL;
}
