/* Lists of paths in the project: `copy:` and `keep:`. */
#include <string.h>
#include <strings.h>

#include "callgrind/paths.h"
#include "src/config/config.h"
#include "src/config/read.h"

/* Whether one part of a path is this name, in any case: some file systems ignore it. */
static bool path_has_part(const char *path, const char *name)
{
	for (size_t len; *path; path += len) {
		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (len == strlen(name) && strncasecmp(path, name, len) == 0)
			return true;
	}
	return false;
}

/* `expected_list` and `expected` are what messages call the list and an entry. */
static int read_paths(struct config_reader *r, const struct doc_entry *entry,
		      const char *expected_list, const char *expected, struct config_text **out,
		      size_t *count)
{
	const struct doc_node *list = entry->value;

	if (list->kind != DOC_LIST)
		return read_mismatch(r, entry, expected_list);
	*out = config_pool_alloc(r->pool, list->count, sizeof **out);
	if (!*out)
		return cg_fail_nomem(r->err);
	for (const struct doc_entry *e = list->first; e; e = e->next) {
		struct config_text *text = &(*out)[*count];
		int rc = read_line(r, e, expected, &text->text);
		if (rc != CG_OK)
			return rc;
		/* With `..`, a pattern could match more than its author thinks. */
		if (*text->text == '/' || path_has_part(text->text, ".."))
			return read_mismatch(r, e, expected);
		text->line = e->line;
		++*count;
	}
	return CG_OK;
}

int read_file_list(struct config_reader *r, const struct doc_entry *entry, struct config_text **out,
		   size_t *count)
{
	return read_paths(r, entry, "a list of paths or patterns, such as [data/*.json]",
			  "a path or pattern in the project, relative to " CONFIG_NAME, out, count);
}

/* Takes "." and repeated slashes out of a path, which becomes "" if nothing else is in it. */
static void normalise_directory(char *path)
{
	size_t used = 0, len;

	for (const char *part = path; *part; part += len) {
		part += strspn(part, "/");
		len = strcspn(part, "/");
		if (!len || (len == 1 && *part == '.'))
			continue;
		if (used)
			path[used++] = '/';
		memmove(path + used, part, len);
		used += len;
	}
	path[used] = '\0';
}

/* Neither the project itself nor a directory of git or irdiff. It is no pattern either. */
static bool may_be_kept(const char *path)
{
	return *path && !strpbrk(path, "*?[") && !path_has_part(path, ".git") &&
	       !path_has_part(path, ".irdiff");
}

static int check_not_nested(struct config_reader *r, const struct config_text *list, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (cg_path_below(list[i].text, list[k].text) ||
		    cg_path_below(list[k].text, list[i].text))
			return READ_FAIL(r, list[i].line,
					 "keep: '%s' and '%s' overlap; list only one", list[k].text,
					 list[i].text);
	return CG_OK;
}

int read_keep(struct config_reader *r, const struct doc_entry *entry, struct config_text **out,
	      size_t *count)
{
	static const char expected[] = "a directory below that of " CONFIG_NAME
				       ", and not in .git or .irdiff";
	size_t i = 0;
	int rc = read_paths(r, entry, "a list of directories, such as [target]", expected, out,
			    count);

	for (const struct doc_entry *e = entry->value->first; rc == CG_OK && e; e = e->next) {
		struct config_text *text = &(*out)[i];
		char *path = config_pool_text(r->pool, text->text, strlen(text->text));
		if (!path)
			return cg_fail_nomem(r->err);
		normalise_directory(path);
		if (!may_be_kept(path))
			return read_mismatch(r, e, expected);
		text->text = path;
		rc = check_not_nested(r, *out, i++);
	}
	return rc;
}
