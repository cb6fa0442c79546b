#include "src/view/line_texts.h"

#include <stdlib.h>

static int compare_line_files(const void *left, const void *right)
{
	const struct line_file *a = left, *b = right;
	return (a->file > b->file) - (a->file < b->file);
}

const char *line_texts_get(const struct line_texts *t, cg_str file, uint32_t line)
{
	const struct line_file key = { .file = file };
	const struct line_file *found = t->count ? bsearch(&key, t->files, t->count, sizeof key,
							   compare_line_files)
						 : NULL;

	return found && line && line <= found->text.count ? found->text.lines[line - 1] : NULL;
}

void line_texts_free(struct line_texts *t)
{
	for (size_t i = 0; i < t->count; i++)
		source_text_free(&t->files[i].text);
	free(t->files);
	*t = (struct line_texts){ 0 };
}
