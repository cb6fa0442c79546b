#include "src/report/svg/labels.h"

#include <stdlib.h>
#include <string.h>

#include "src/report/plain_name.h"
#include "src/text/text.h"

struct label_form {
	const char *name; /* of the function */
	uint32_t function;
	char *text; /* owned */
};

static int compare_label_forms(const void *left, const void *right)
{
	const struct label_form *a = left, *b = right;
	int order = strcmp(a->text, b->text);
	return order ? order : strcmp(a->name, b->name);
}

/* Sorted, what has one text is side by side. Functions of one name cannot be told apart by it. */
static size_t end_of_text(const struct label_form *list, size_t from, size_t count, bool *unique)
{
	size_t end = from;

	*unique = true;
	for (; end < count && strcmp(list[end].text, list[from].text) == 0; end++)
		*unique &= strcmp(list[end].name, list[from].name) == 0;
	return end;
}

static int write_forms(struct label_form *list, size_t count, char *(*form)(const char *name))
{
	for (size_t i = 0; i < count; i++) {
		char *safe = text_safe(list[i].name);
		list[i].text = safe ? form(safe) : NULL;
		free(safe);
		if (!list[i].text)
			return CG_ENOMEM;
	}
	return CG_OK;
}

/* Functions whose form is unique get it as their label. */
static void take_unique(struct label_form *list, size_t count, bool any, struct svg_labels *out)
{
	qsort(list, count, sizeof *list, compare_label_forms);
	for (size_t i = 0, end; i < count; i = end) {
		bool unique;
		end = end_of_text(list, i, count, &unique);
		for (size_t k = i; k < end && (unique || any); k++) {
			out->of[list[k].function] = list[k].text;
			list[k].text = NULL;
		}
	}
}

static char *label_as_named(const char *name)
{
	return strdup(name);
}

/* The shorter forms are tried first, each for the functions that the one before left. */
static int label_all(const struct flame *f, const bool *drawn, struct label_form *list,
		     struct svg_labels *out)
{
	static char *(*const forms[])(const char *) = { plain_name, plain_name_of_instance,
							label_as_named };
	enum { FORMS = sizeof forms / sizeof *forms };
	int status = CG_OK;

	for (size_t form = 0; form < FORMS && !status; form++) {
		size_t count = 0;
		for (uint32_t i = 0; i < f->nfunctions; i++) {
			const char *name = f->functions[i].name;
			if (drawn[i] && !out->of[i])
				list[count++] = (struct label_form){ name, i, NULL };
		}
		status = write_forms(list, count, forms[form]);
		if (!status)
			take_unique(list, count, form == FORMS - 1, out);
		while (count)
			free(list[--count].text);
	}
	return status;
}

int svg_labels_make(const struct flame *f, const bool *drawn, struct svg_labels *out)
{
	struct svg_labels l = { calloc((size_t)f->nfunctions + 1, sizeof *l.of), f->nfunctions };
	struct label_form *list = calloc((size_t)f->nfunctions + 1, sizeof *list);
	int status = l.of && list ? label_all(f, drawn, list, &l) : CG_ENOMEM;

	free(list);
	if (status)
		svg_labels_free(&l);
	else
		*out = l;
	return status;
}

void svg_labels_free(struct svg_labels *l)
{
	for (uint32_t i = 0; l->of && i < l->count; i++)
		free(l->of[i]);
	free(l->of);
	*l = (struct svg_labels){ 0 };
}
