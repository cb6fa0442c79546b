#include "src/load/commit_source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/paths.h"
#include "cgprofile/names.h"
#include "src/config/config.h"
#include "src/diff/environment.h"
#include "src/git/objects.h"
#include "src/git/refs.h"
#include "src/run/build.h"

struct commit_listing {
	char *tree, *commit;
	struct git *git; /* NULL: there is no repository */
	/* "MODE KIND ID\tPATH" of all files, each with a NUL after it; NULL: no such commit */
	char *text;
	size_t size;
	struct commit_listing *next;
};

struct commit_listings {
	struct commit_listing *first;
};

struct commit_source {
	char *tree, *commit;
	struct commit_listings *listings;
	const struct commit_listing *files; /* NULL: git was not asked */
	bool changed;                       /* a work tree that is based on the commit */
};

static void free_listing(struct commit_listing *l)
{
	git_close(l->git);
	free(l->text);
	free(l->tree);
	free(l->commit);
	free(l);
}

struct commit_listings *commit_listings_new(void)
{
	return calloc(1, sizeof(struct commit_listings));
}

void commit_listings_free(struct commit_listings *l)
{
	struct commit_listing *next;

	for (struct commit_listing *i = l ? l->first : NULL; i; i = next) {
		next = i->next;
		free_listing(i);
	}
	free(l);
}

int commit_source_new(const struct cg_profile *p, const char *commit, const char *tree,
		      struct commit_listings *listings, struct commit_source **out,
		      struct cg_error *err)
{
	const char *dirty = commit ? "no" : cg_desc_value(p, SUBJECT_PREFIX "dirty");
	struct commit_source *c;

	*out = NULL;
	if (!commit)
		commit = cg_desc_value(p, SUBJECT_PREFIX "commit");
	if (!tree || !commit || !git_is_id(commit) || !dirty)
		return CG_OK;
	c = calloc(1, sizeof *c);
	if (c) {
		c->listings = listings;
		c->tree = strdup(tree);
		c->commit = strdup(commit);
		c->changed = strcmp(dirty, "no") != 0;
	}
	if (!c || !c->tree || !c->commit) {
		commit_source_free(c);
		return cg_fail_nomem(err);
	}
	*out = c;
	return CG_OK;
}

void commit_source_free(struct commit_source *c)
{
	if (!c)
		return;
	free(c->tree);
	free(c->commit);
	free(c);
}

/* ---- asking git ---- */

/* Variables may point git to another repository. */
static bool is_repository_of(const struct git *git, const char *tree)
{
	char *top = realpath(git->top, NULL);
	bool same = top && strcmp(top, tree) == 0;

	free(top);
	return same;
}

/* Whatever fails is an answer: there is no text. */
static int list_commit_files(struct commit_listing *l)
{
	const char *const args[] = { "ls-tree", "-r", "-z", "--full-tree", l->commit, NULL };
	const struct git_call call = { .args = args, .quiet = true };
	struct cg_error ignored;

	if (git_open(l->tree, NULL, &l->git, &ignored))
		return ignored.code == CG_ENOMEM ? CG_ENOMEM : CG_OK;
	if (!is_repository_of(l->git, l->tree))
		return CG_OK;
	/* What a partial clone lacks is not fetched for this. */
	if (strings_add(&l->git->environment, "GIT_NO_LAZY_FETCH=1", &ignored))
		return CG_ENOMEM;
	return git_run(l->git, &call, &l->text, &l->size, &ignored) == CG_ENOMEM ? CG_ENOMEM
										 : CG_OK;
}

static int make_listing(const struct commit_source *c, struct commit_listing **out)
{
	struct commit_listing *l = calloc(1, sizeof *l);

	if (!l)
		return CG_ENOMEM;
	l->tree = strdup(c->tree);
	l->commit = strdup(c->commit);
	if (!l->tree || !l->commit || list_commit_files(l)) {
		free_listing(l);
		return CG_ENOMEM;
	}
	*out = l;
	return CG_OK;
}

static int open_commit(struct commit_source *c)
{
	struct commit_listing *l = c->files ? NULL : c->listings->first;

	if (c->files)
		return CG_OK;
	while (l && (strcmp(l->commit, c->commit) != 0 || strcmp(l->tree, c->tree) != 0))
		l = l->next;
	if (!l) {
		if (make_listing(c, &l))
			return CG_ENOMEM;
		l->next = c->listings->first;
		c->listings->first = l;
	}
	c->files = l;
	return CG_OK;
}

/* Whether an entry of a listing, whose path follows the tab, is a regular file. */
static bool is_blob_entry(const char *entry, const char *tab, struct git_object *out)
{
	static const char regular[] = "100", blob[] = " blob ";
	enum { MODE = 6 };
	const char *id = entry + MODE + sizeof blob - 1;

	if (strncmp(entry, regular, sizeof regular - 1) != 0 ||
	    strncmp(entry + MODE, blob, sizeof blob - 1) != 0 || tab < id ||
	    tab - id >= GIT_ID_SIZE)
		return false;
	*out = (struct git_object){ 0 };
	memcpy(out->id, id, (size_t)(tab - id));
	return true;
}

/* Whether the commit has it as a regular file. */
static bool find_blob(const struct commit_source *c, const char *path, struct git_object *out)
{
	const char *end = c->files->text + c->files->size;

	for (const char *entry = c->files->text; entry && entry < end; entry += strlen(entry) + 1) {
		const char *tab = strchr(entry, '\t');
		if (tab && strcmp(tab + 1, path) == 0)
			return is_blob_entry(entry, tab, out);
	}
	return false;
}

static int read_blob(const struct commit_source *c, struct git_object *blob, const char *file,
		     struct source_text *out, struct cg_error *err)
{
	struct cg_error ignored;
	char *buffer = NULL;

	if (git_look_at(c->files->git, blob, 1, &ignored) || blob->kind != GIT_BLOB ||
	    blob->size > SOURCE_BYTES_MAX || git_read(c->files->git, blob, 1, &buffer, &ignored))
		return CG_OK;
	int status = source_text_of(file, blob->content, (size_t)blob->size, out, err);
	free(buffer);
	if (status)
		return status;
	out->origin = SOURCE_TEXT_COMMIT;
	snprintf(out->commit, sizeof out->commit, "%s", c->commit);
	return CG_OK;
}

static int read_path(const struct commit_source *c, const char *path, const char *file,
		     struct source_text *out, struct cg_error *err)
{
	struct git_object blob;

	if (!*path || source_is_hidden(path) || !find_blob(c, path, &blob))
		return CG_OK;
	return read_blob(c, &blob, file, out, err);
}

/* ---- paths of the repository ---- */

/* What of a path is below the work tree, by whatever links its beginning leads there; NULL:
 * nothing. */
static const char *rest_in_tree(const char *tree, char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		char *real = realpath(path, NULL);
		*slash = '/';
		bool there = real, found = real && strcmp(real, tree) == 0;
		free(real);
		if (found)
			return slash + 1;
		if (!there)
			return NULL;
	}
	return NULL;
}

static int read_absolute(const struct commit_source *c, char *path, const char *file,
			 struct source_text *out, struct cg_error *err)
{
	const char *built = cg_path_below(path, BUILD_PLACE);
	const char *rest = built && *built == '/' ? built + 1 : rest_in_tree(c->tree, path);

	return rest ? read_path(c, rest, file, out, err) : CG_OK;
}

static int read_relative(const struct commit_source *c, const char *path, const char *file,
			 struct source_text *out, struct cg_error *err)
{
	char *here = getcwd(NULL, 0), *whole = NULL;
	int status = CG_OK;

	if (here && asprintf(&whole, "%s/%s", here, path) < 0) {
		whole = NULL;
		status = cg_fail_nomem(err);
	}
	if (whole) {
		whole[cg_path_normalise(whole, strlen(whole))] = '\0';
		status = read_absolute(c, whole, file, out, err);
	}
	free(whole);
	free(here);
	return status || out->path ? status : read_path(c, path, file, out, err);
}

int commit_source_text(struct commit_source *c, const char *file, struct source_text *out,
		       struct cg_error *err)
{
	struct source_text found = { 0 };
	char *path;

	*out = found;
	if (!c || c->changed || !*file)
		return CG_OK;
	if (open_commit(c) || !(path = strdup(file)))
		return cg_fail_nomem(err);
	path[cg_path_normalise(path, strlen(path))] = '\0';
	int status = !c->files->text ? CG_OK
		     : *path == '/'  ? read_absolute(c, path, file, &found, err)
				     : read_relative(c, path, file, &found, err);
	free(path);
	if (!status)
		*out = found;
	return status;
}

/* ---- what else differs ---- */

static bool is_documentation(const char *path)
{
	static const char *const ends[] = {
		".md", ".rst", ".adoc", ".tex", ".html", ".svg", ".png"
	};
	static const char *const names[] = { "README",  "NEWS",    "CHANGE",  "Change",
					     "LICENSE", "COPYING", "AUTHORS", "HISTORY" };
	const char *name = cg_base_name(path), *end = strrchr(name, '.');

	for (size_t i = 0; end && i < sizeof ends / sizeof *ends; i++)
		if (strcmp(end, ends[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* The path of an entry of a listing; NULL: it has none. */
static const char *path_of_entry(const char *entry)
{
	const char *tab = strchr(entry, '\t');
	return tab ? tab + 1 : NULL;
}

/* Two listings, both in the order of their paths. */
struct commit_walk {
	const char *base, *base_end, *head, *head_end;
	const char *base_last, *head_last; /* those before; NULL: none */
	char *made[CODE_SIDES];            /* listings of changed work trees */
};

static void skip_entry(const char **at, const char *end, const char **last)
{
	if (*at >= end)
		return;
	*last = *at;
	*at += strlen(*at) + 1;
}

static bool has_mode(const char *entry, const char *mode)
{
	return strncmp(entry, mode, strlen(mode)) == 0;
}

/* A link, or a submodule, of which only the commit is known. */
static bool is_no_file(const char *entry)
{
	return has_mode(entry, "120000 ") || has_mode(entry, "160000 ");
}

static bool have_one_kind(const char *base, const char *head)
{
	enum { MODE = 7 };

	return strncmp(base, head, MODE) == 0 && !is_no_file(base);
}

struct tree_difference {
	const char *path;
	const char *entries[CODE_SIDES]; /* of listings; NULL: that side does not have it */
	/* How much of the path it matters to look at: that of the outermost directory that only one
	 * side has, or all; 0: only what is in the file. */
	size_t kind;
};

static bool is_entry_in(const char *entry, const char *directory, size_t len)
{
	const char *path = entry ? path_of_entry(entry) : NULL;

	return path && strncmp(path, directory, len) == 0;
}

/* The entries are those of the other side before and after the place that the path would have. */
static size_t length_of_new(const char *path, const char *before, const char *after)
{
	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		const size_t len = (size_t)(slash + 1 - path);
		if (!is_entry_in(before, path, len) && !is_entry_in(after, path, len))
			return len - 1;
	}
	return strlen(path);
}

/* The next path that differs between both. False: no other one does. */
static bool next_difference(struct commit_walk *w, struct tree_difference *out)
{
	while (w->base < w->base_end || w->head < w->head_end) {
		const char *b = w->base, *h = w->head;
		const char *x = b < w->base_end ? path_of_entry(b) : NULL;
		const char *y = h < w->head_end ? path_of_entry(h) : NULL;
		int order = x && y ? strcmp(x, y) : x ? -1 : 1;
		if (!x && !y)
			return false;
		*out = (struct tree_difference){
			.path = order < 0 ? x : y,
			.entries = { order <= 0 ? b : NULL, order >= 0 ? h : NULL },
		};
		if (order < 0)
			out->kind = length_of_new(x, w->head_last, y ? h : NULL);
		else if (order > 0)
			out->kind = length_of_new(y, w->base_last, x ? b : NULL);
		else if (!have_one_kind(b, h))
			out->kind = strlen(y);
		if (order <= 0)
			skip_entry(&w->base, w->base_end, &w->base_last);
		if (order >= 0)
			skip_entry(&w->head, w->head_end, &w->head_last);
		if (order || strcmp(b, h) != 0)
			return true;
	}
	return false;
}

static void end_walk(struct commit_walk *w)
{
	for (int side = 0; side < CODE_SIDES; side++)
		free(w->made[side]);
}

/* Returns the first entry after the path. */
static const char *print_entries_before(const char *at, const char *end, const char *path,
					size_t len, FILE *to)
{
	while (at < end) {
		const char *own = path_of_entry(at);
		int order = own ? strncmp(own, path, len) : -1;
		if (order > 0 || (order == 0 && own[len]))
			break;
		const size_t size = strlen(at) + 1;
		if (order)
			fwrite(at, 1, size, to);
		at += size;
		if (!order)
			break;
	}
	return at;
}

/* The entries of a commit with these changes, "PATH\tMODE ID" in order. */
static void print_changed_listing(const struct commit_listing *l, const struct used_files *used,
				  FILE *to)
{
	const char *at = l->text, *end = l->text + l->size;

	for (size_t i = 0; i < used->nchanges; i++) {
		const char *path = used->changes[i], *tab = strrchr(path, '\t');
		const char *id = tab ? strchr(tab, ' ') : NULL;
		if (!id)
			continue;
		at = print_entries_before(at, end, path, (size_t)(tab - path), to);
		if (!has_mode(tab + 1, "000000 "))
			fprintf(to, "%.*s blob%s\t%.*s%c", (int)(id - tab - 1), tab + 1, id,
				(int)(tab - path), path, '\0');
	}
	fwrite(at, 1, (size_t)(end - at), to);
}

/* ---- how git checks files out ---- */

/* What lies in a hidden directory is nobody's input. */
static bool is_attributes_file(const char *path)
{
	const char *name = cg_base_name(path);
	const char *hidden = *path == '.' ? path : strstr(path, "/.");

	return strcmp(name, ".gitattributes") == 0 && (hidden == name || hidden + 1 == name);
}

/* "-text" and "eol=lf" are words of a line after its pattern. A macro may stand for any of them. */
static bool is_checkout_word(const char *word, size_t len)
{
	static const char *const names[] = { "text",   "eol",   "crlf",
					     "filter", "ident", "working-tree-encoding",
					     "binary" };
	const size_t sign = len && (*word == '-' || *word == '!');
	const char *equal = memchr(word, '=', len);
	const size_t size = (equal ? (size_t)(equal - word) : len) - sign;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == size && memcmp(word + sign, names[i], size) == 0)
			return true;
	return false;
}

static bool is_checkout_line(const char *line, size_t len, bool macros)
{
	static const char blanks[] = " \t\r";
	const char *const end = line + len;
	bool pattern = true;

	while (line < end) {
		const size_t blank = strspn(line, blanks), word = strcspn(line + blank, " \t\r\n");
		line += blank;
		if (pattern && *line == '#')
			return false;
		if (word && !pattern && (macros || is_checkout_word(line, word)))
			return true;
		pattern = pattern && !word;
		line += word ? word : 1;
	}
	return false;
}

/* The lines that matter of a text that ends with a NUL. */
static char *checkout_lines(const char *text, bool macros)
{
	char *lines = NULL;
	size_t size;
	FILE *to = open_memstream(&lines, &size);

	if (!to)
		return NULL;
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (is_checkout_line(text, len, macros))
			fprintf(to, "%.*s\n", (int)len, text);
	}
	if (fclose(to) == 0)
		return lines;
	free(lines);
	return NULL;
}

/* NULL: its text is not known, as that of a file which was not committed. */
static char *attributes_of(const struct commit_source *c, const char *entry)
{
	enum { LARGEST = 1 << 20 };
	struct git_object blob;
	struct cg_error ignored;
	char *buffer = NULL;

	if (!entry)
		return strdup("");
	if (!is_blob_entry(entry, path_of_entry(entry) - 1, &blob) ||
	    git_look_at(c->files->git, &blob, 1, &ignored) || blob.kind != GIT_BLOB ||
	    blob.size > LARGEST || git_read(c->files->git, &blob, 1, &buffer, &ignored))
		return NULL;
	char *text = strdup(blob.content);
	free(buffer);
	return text;
}

/* Whether files may be checked out otherwise by what differs in a .gitattributes. */
static int attributes_matter(const struct commit_source *base, const struct commit_source *head,
			     const struct tree_difference *d, bool *out)
{
	char *b = attributes_of(base, d->entries[CODE_BASE]);
	char *h = attributes_of(head, d->entries[CODE_HEAD]);
	const bool macros = b && h && (strstr(b, "[attr]") || strstr(h, "[attr]"));
	char *base_lines = b && h ? checkout_lines(b, macros) : NULL;
	char *head_lines = b && h ? checkout_lines(h, macros) : NULL;
	const bool failed = b && h && (!base_lines || !head_lines);

	*out = !b || !h || (!failed && strcmp(base_lines, head_lines) != 0);
	free(b);
	free(h);
	free(base_lines);
	free(head_lines);
	return failed ? CG_ENOMEM : CG_OK;
}

/* ---- what of it explains a change ---- */

/* The files of one side; *begin is NULL if they are not known. */
static int list_subject(struct commit_source *c, const struct used_files *used, char **made,
			const char **begin, const char **end)
{
	size_t size = 0;

	*begin = NULL;
	if (open_commit(c))
		return CG_ENOMEM;
	if (!c->files->text || (c->changed && !used->nchanges))
		return CG_OK;
	*begin = c->files->text;
	*end = *begin + c->files->size;
	if (!c->changed)
		return CG_OK;
	FILE *to = open_memstream(made, &size);
	if (to)
		print_changed_listing(c->files, used, to);
	if (!to || fclose(to) != 0)
		return CG_ENOMEM;
	*begin = *made;
	*end = *made + size;
	return CG_OK;
}

/* An empty walk if it is not known what they contain. End it with end_walk, also on failure. */
static int walk_commits(struct commit_source *base, struct commit_source *head,
			const struct used_files used[static CODE_SIDES], struct commit_walk *out)
{
	struct commit_walk w = { 0 };

	*out = w;
	if (!base || !head ||
	    (!base->changed && !head->changed && strcmp(base->commit, head->commit) == 0))
		return CG_OK;
	int status = list_subject(base, &used[CODE_BASE], &w.made[CODE_BASE], &w.base, &w.base_end);
	if (!status)
		status = list_subject(head, &used[CODE_HEAD], &w.made[CODE_HEAD], &w.head,
				      &w.head_end);
	if (!w.base || !w.head)
		w.base = w.base_end = w.head = w.head_end = NULL;
	*out = w;
	return status;
}

/* It says how to build and measure. */
static bool is_config(const char *path)
{
	return strcmp(cg_base_name(path), CONFIG_NAME) == 0;
}

static bool is_used_by(const struct used_files *used, const struct tree_difference *d)
{
	return used_files_have_read(used, d->path) ||
	       (d->kind && (used_files_have_sought(used, d->path, strlen(d->path)) ||
			    used_files_have_sought(used, d->path, d->kind)));
}

static bool is_used(const struct used_files used[static CODE_SIDES],
		    const struct tree_difference *d)
{
	return is_used_by(&used[CODE_BASE], d) || is_used_by(&used[CODE_HEAD], d);
}

static bool is_read_by_run(const struct used_files used[static CODE_SIDES], const char *path)
{
	return used_files_have_input(&used[CODE_BASE], path) ||
	       used_files_have_input(&used[CODE_HEAD], path);
}

/* Documentation that the build reads explains nothing; that which a run reads is its input. */
static bool is_mere_text(const struct used_files used[static CODE_SIDES], const char *path)
{
	return is_documentation(path) && !is_read_by_run(used, path);
}

static bool is_mere_code(const struct used_files used[static CODE_SIDES], const char *path)
{
	return source_is_code(path) && !is_read_by_run(used, path);
}

int commit_sources_differ_otherwise(struct commit_source *base, struct commit_source *head,
				    const struct used_files used[static CODE_SIDES], bool *out)
{
	struct commit_walk w;
	struct tree_difference d;

	*out = false;
	int status = walk_commits(base, head, used, &w);
	while (!status && !*out && next_difference(&w, &d))
		if (is_config(d.path)) /* a commit without one has that of the other */
			*out = d.entries[CODE_BASE] && d.entries[CODE_HEAD];
		else if (is_attributes_file(d.path))
			status = attributes_matter(base, head, &d, out);
		else
			*out = !source_is_hidden(d.path) && !is_mere_code(used, d.path) &&
			       !is_mere_text(used, d.path) && is_used(used, &d);
	end_walk(&w);
	return status;
}

static enum file_change kind_of_change(const struct tree_difference *d)
{
	return !d->entries[CODE_BASE]   ? FILE_NEW
	       : !d->entries[CODE_HEAD] ? FILE_REMOVED
					: FILE_EDITED;
}

int commit_sources_changed(struct commit_source *base, struct commit_source *head,
			   const struct used_files used[static CODE_SIDES],
			   struct changed_files *files, struct cg_error *err)
{
	struct commit_walk w;
	struct tree_difference d;
	int status = walk_commits(base, head, used, &w);

	while (!status && next_difference(&w, &d)) {
		struct changed_file file = { (char *)d.path, kind_of_change(&d),
					     is_read_by_run(used, d.path), false };
		if (is_attributes_file(d.path))
			status = attributes_matter(base, head, &d, &file.attributes);
		if (!status &&
		    (file.attributes || (!source_is_hidden(d.path) && !is_mere_text(used, d.path) &&
					 is_used(used, &d))))
			status = changed_files_add(files, &file, err);
	}
	end_walk(&w);
	return status ? cg_fail_nomem(err) : CG_OK;
}
