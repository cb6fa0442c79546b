#include "src/cmd/function_source.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/names.h"
#include "src/cmd/keep_sources.h"
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
static void choose_functions(const struct cg_profile *p, const char *name, const char *object,
			     bool *chosen)
{
	bool found = false;
	for (uint32_t f = 1; f < p->nfunctions; f++)
		found |= chosen[f] = is_function(p, f, name, object);
	for (uint32_t f = 1; !found && f < p->nfunctions; f++)
		chosen[f] = is_function(p, f, name, NULL);
}

static int find_lines(const struct cg_profile *p, uint32_t event, const char *name,
		      const char *object, struct source **out, struct cg_error *err)
{
	bool *chosen = calloc((size_t)p->nfunctions + 1, sizeof *chosen);
	if (!chosen)
		return cg_fail_nomem(err);
	choose_functions(p, name, object, chosen);
	int status = source_make(p, chosen, event, out, err);
	free(chosen);
	return status;
}

int function_source_find(const struct loaded *l, const char *name, const char *object,
			 const char *metric, const char *const *dirs, struct function_source *out,
			 struct cg_error *err)
{
	int event = cg_event_index(l->profile, metric);

	*out = (struct function_source){ 0 };
	int status = find_lines(l->profile, event < 0 ? 0 : (uint32_t)event, name, object,
				&out->source, err);
	if (status || !out->source->count)
		return status;
	out->file = &out->source->files[0];
	if (!out->file->file)
		return CG_OK;
	status = loaded_source_text(l, cg_string(l->profile, out->file->file), dirs, &out->text,
				    err);
	if (status)
		return status;
	if (!out->text.path)
		out->note = "The source file was not found; --include=DIR says where to look.";
	else if (out->text.origin == SOURCE_TEXT_NEWER)
		out->note = "The source file has changed since this was measured: lines may be off.";
	return CG_OK;
}

void function_source_free(struct function_source *s)
{
	source_free(s->source);
	source_text_free(&s->text);
	*s = (struct function_source){ 0 };
}
