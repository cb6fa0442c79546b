#include "src/load/function_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/load/keep_sources.h"
#include "src/view/flat.h"

/* `object` NULL: in any. */
static bool is_function(const struct cg_profile *p, uint32_t function, const char *name,
			const char *object)
{
	const char *other = view_function(p, function), *file = view_object(p, function);
	size_t len = cg_name_stem(other, strlen(other));

	return len == cg_name_stem(name, strlen(name)) && memcmp(other, name, len) == 0 &&
	       (!object || strcmp(cg_base_name(file), cg_base_name(object)) == 0);
}

/* Rows name the object of head; that of base may have been called otherwise. */
void function_source_choose(const struct cg_profile *p, const char *name, const char *object,
			    bool *chosen)
{
	bool found = false;
	for (uint32_t f = 1; f < p->nfunctions; f++)
		found |= chosen[f] = is_function(p, f, name, object);
	for (uint32_t f = 1; !found && f < p->nfunctions; f++)
		chosen[f] = is_function(p, f, name, NULL);
}

static int find_function_lines(const struct cg_profile *p, uint32_t event, const char *name,
			       const char *object, struct source **out, struct cg_error *err)
{
	bool *chosen = calloc((size_t)p->nfunctions + 1, sizeof *chosen);
	if (!chosen)
		return cg_fail_nomem(err);
	function_source_choose(p, name, object, chosen);
	int status = source_make(p, chosen, event, out, err);
	free(chosen);
	return status;
}

/* "json/mod.rs" of "/build/src/json/mod.rs". */
static const char *with_directory(const char *path)
{
	const char *name = cg_base_name(path), *at = name;

	while (at > path && at == name)
		at--;
	while (at > path && at[-1] != '/')
		at--;
	return at;
}

bool source_is_alike(const char *base, const char *head)
{
	const char *b = cg_base_name(base), *h = cg_base_name(head);

	if (b != base && h != head) /* both are in a directory */
		return strcmp(with_directory(base), with_directory(head)) == 0;
	return strcmp(b, h) == 0;
}

static int find_functions(const struct loaded *l, const char *name, const char *object,
			  const char *metric, struct function_source *out, struct cg_error *err)
{
	int event = cg_event_index(l->profile, metric);
	return find_function_lines(l->profile, event < 0 ? 0 : (uint32_t)event, name, object,
				   &out->source, err);
}

static const char *note_commit(struct function_source *s)
{
	snprintf(s->words, sizeof s->words, "The source of commit %s.", s->text.commit);
	return s->words;
}

static int find_function_text(const struct loaded *l, const char *file, const char *const *dirs,
			      struct function_source *out, struct cg_error *err)
{
	int status = loaded_source_text(l, file, dirs, &out->text, err);

	if (status)
		return status;
	if (!out->text.path)
		out->note = "The source is not available; name its directory with --include=DIR.";
	else if (out->text.origin == SOURCE_TEXT_COMMIT)
		out->note = note_commit(out);
	else if (out->text.origin == SOURCE_TEXT_NEWER)
		out->note =
			"The source file is newer than the profile or its program; lines may be off.";
	return CG_OK;
}

static int take_source_file(const struct loaded *l, const struct source_file *file,
			    const char *const *dirs, struct function_source *out,
			    struct cg_error *err)
{
	source_text_free(&out->text);
	out->text = (struct source_text){ 0 };
	out->note = NULL;
	out->file = file;
	return file->file ? find_function_text(l, cg_string(l->profile, file->file), dirs, out, err)
			  : CG_OK;
}

int function_source_find(const struct loaded *l, const char *name, const char *object,
			 const char *metric, const char *const *dirs, struct function_source *out,
			 struct cg_error *err)
{
	*out = (struct function_source){ 0 };
	int status = find_functions(l, name, object, metric, out, err);
	if (status || !out->source->count)
		return status;
	/* Inlined functions of the standard library may cost more than the function's own lines. */
	for (size_t i = 0; i < out->source->count; i++) {
		status = take_source_file(l, &out->source->files[i], dirs, out, err);
		if (status || out->text.path)
			return status;
	}
	return take_source_file(l, &out->source->files[0], dirs, out, err);
}

typedef bool same_path(const char *a, const char *b);

static bool is_same_path(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/* The costliest that is called so; NULL: none. */
static const struct source_file *find_file(const struct loaded *l, const struct function_source *in,
					   const char *file, same_path *same)
{
	const struct source *s = in->source;

	for (size_t i = 0; s && i < s->count; i++)
		if (s->files[i].file && same(cg_string(l->profile, s->files[i].file), file))
			return &s->files[i];
	return NULL;
}

/* The costliest that the other side does not have. */
static const struct source_file *find_moved(const struct loaded *l,
					    const struct function_source *in,
					    const struct loaded *other,
					    const struct function_source *beside)
{
	const struct source *s = in->source;

	for (size_t i = 0; s && i < s->count; i++) {
		const char *file = s->files[i].file ? cg_string(l->profile, s->files[i].file)
						    : NULL;
		if (file && !find_file(other, beside, file, is_same_path) &&
		    !find_file(other, beside, file, source_is_alike))
			return &s->files[i];
	}
	return NULL;
}

int function_source_beside(const struct loaded *l, const char *name, const char *object,
			   const char *metric, const char *const *dirs, const struct loaded *other,
			   const struct function_source *beside, struct function_source *out,
			   struct cg_error *err)
{
	static const struct source_file no_costs;
	const char *file = cg_string(other->profile, beside->file->file);
	int status = CG_OK;

	*out = (struct function_source){ 0 };
	if (name)
		status = find_functions(l, name, object, metric, out, err);
	if (status)
		return status;
	out->file = find_file(l, out, file, is_same_path);
	if (!out->file)
		out->file = find_file(l, out, file, source_is_alike);
	if (!out->file)
		out->file = find_moved(l, out, other, beside);
	if (out->file)
		file = cg_string(l->profile, out->file->file);
	else
		out->file = &no_costs;
	return find_function_text(l, file, dirs, out, err);
}

void function_source_free(struct function_source *s)
{
	source_free(s->source);
	source_text_free(&s->text);
	*s = (struct function_source){ 0 };
}
