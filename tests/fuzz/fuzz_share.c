/*
 * Trees of another machine. A section "tree N", "blob N" or "raw N" is an object of git, of a
 * number; a tree has lines "MODE NUMBER NAME", a raw one the bytes of a tree. Number 1 is the
 * commit's tree. Where a name has \N, it gets the first digits of the id of that number, which keys
 * are.
 */
#include "src/git/refs.h"
#include "src/share/join.h"
#include "src/share/names.h"
#include "src/store/label.h"
#include "tests/fuzz/sections.h"

enum { MOST_OBJECTS = 200 };

struct object {
	unsigned number;
	enum git_kind kind;
	char *bytes;
	size_t size;
};

/* ---- a repository, in place of the one that git has ---- */

struct repository {
	struct object objects[MOST_OBJECTS];
	size_t count;
};

/* Who asks knows nothing of the input. */
static struct repository repository;

static void id_of(unsigned number, char id[GIT_ID_SIZE])
{
	snprintf(id, GIT_ID_SIZE, "%08x%08x%08x%08x%08x", number * 2654435761u, number, number,
		 number, number);
}

static const struct object *object_of(const char *id)
{
	char other[GIT_ID_SIZE];

	for (size_t i = 0; i < repository.count; i++) {
		id_of(repository.objects[i].number, other);
		if (strcmp(other, id) == 0)
			return &repository.objects[i];
	}
	return NULL;
}

int __wrap_git_look_at(const struct git *git, struct git_object *objects, size_t count,
		       struct cg_error *err);
int __wrap_git_look_at(const struct git *git, struct git_object *objects, size_t count,
		       struct cg_error *err)
{
	(void)git;
	(void)err;
	for (size_t i = 0; i < count; i++) {
		const struct object *o = object_of(objects[i].id);
		LAW(git_is_id(objects[i].id), "%s is an id", objects[i].id);
		objects[i].kind = o ? o->kind : GIT_MISSING;
		objects[i].size = o ? o->size : 0;
	}
	return CG_OK;
}

int __wrap_git_read(const struct git *git, struct git_object *objects, size_t count, char **buffer,
		    struct cg_error *err);
int __wrap_git_read(const struct git *git, struct git_object *objects, size_t count, char **buffer,
		    struct cg_error *err)
{
	size_t size = 1, used = 0;

	(void)git;
	(void)err;
	for (size_t i = 0; i < count; i++)
		size += objects[i].size + 1;
	*buffer = malloc(size);
	LAW(*buffer, "out of memory");
	for (size_t i = 0; i < count; i++) {
		const struct object *o = object_of(objects[i].id);
		LAW(o && o->kind == objects[i].kind && o->size == objects[i].size,
		    "it was looked at");
		memcpy(*buffer + used, o->bytes, o->size);
		objects[i].content = *buffer + used;
		used += o->size;
		(*buffer)[used++] = '\0';
	}
	return CG_OK;
}

int __wrap_git_tree_of(const struct git *git, const char *commit, char **tree,
		       struct cg_error *err);
int __wrap_git_tree_of(const struct git *git, const char *commit, char **tree, struct cg_error *err)
{
	char id[GIT_ID_SIZE];

	(void)git;
	(void)commit;
	(void)err;
	id_of(1, id);
	*tree = strdup(id);
	return *tree ? CG_OK : CG_ENOMEM;
}

/* ---- objects of the input ---- */

static void put_name(FILE *to, const char *name, const char *end)
{
	while (name < end) {
		if (*name == '\\') {
			char id[GIT_ID_SIZE], *rest;
			id_of((unsigned)strtoul(name + 1, &rest, 10), id);
			fprintf(to, "%.*s", CACHE_KEY_DIGITS, id);
			name = rest < end ? rest : end;
		} else {
			fputc(*name++, to);
		}
	}
}

static void put_item(FILE *to, const char *line, const char *end)
{
	char *number, *name, id[GIT_ID_SIZE], digits[3] = "";
	const char *mode = line;

	line += strspn(line, "01234567");
	unsigned which = (unsigned)strtoul(line, &number, 10);
	name = number + (number < end && *number == ' ');
	if (number > end || name > end)
		return;
	fprintf(to, "%.*s ", (int)(line - mode), mode);
	put_name(to, name, end);
	fputc('\0', to);
	id_of(which, id);
	for (size_t i = 0; id[i]; i += 2) {
		memcpy(digits, id + i, 2);
		fputc((int)strtoul(digits, NULL, 16), to);
	}
}

/* `text` ends with a NUL. */
static void put_tree(FILE *to, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		put_item(to, text, text + len);
		text += len + (text[len] == '\n');
	}
}

static void add_object(const struct section *s)
{
	struct object *o = &repository.objects[repository.count];
	bool tree = strncmp(s->name, "tree ", 5) == 0, raw = strncmp(s->name, "raw ", 4) == 0;
	bool blob = strncmp(s->name, "blob ", 5) == 0;

	if (repository.count == MOST_OBJECTS || !(tree || raw || blob))
		return;
	*o = (struct object){ .number = (unsigned)strtoul(strchr(s->name, ' '), NULL, 10),
			      .kind = blob ? GIT_BLOB : GIT_TREE };
	FILE *to = open_memstream(&o->bytes, &o->size);
	char *text = strndup(s->text, s->len);
	LAW(to && text, "out of memory");
	if (tree)
		put_tree(to, text);
	else
		fwrite(s->text, 1, s->len, to);
	free(text);
	LAW(!fclose(to), "out of memory");
	repository.count++;
}

/* ---- laws ---- */

static void check_row(const struct shared_commit *c, const struct shared_row *row)
{
	struct history_reader reader = { 0 };
	struct history_run run;
	struct cg_error err = { 0 };

	LAW(!history_row_read(&reader, row->text, strlen(row->text), "row", 1, &run, &err), "%s",
	    err.message);
	char *key = share_row_key(&run);
	LAW(key && strcmp(key, row->key) == 0, "%s is the key of its row", row->key);
	LAW(strcmp(run.commit, c->id) == 0 && run.measured == row->measured, "%s is of its commit",
	    row->key);
	LAW(!shared_row_wins(row, row), "%s is itself", row->key);
	free(key);
	history_reader_free(&reader);
}

static void check_fan(const struct shared_fan *fan)
{
	struct joined_fan joined;
	struct cg_error err = { 0 };

	for (size_t i = 0; i < fan->ncommits; i++) {
		const struct shared_commit *c = &fan->commits[i];
		LAW(git_is_id(c->id) && git_is_id(c->blob) && c->nrows > 0 &&
			    history_fan_of(c->id) == fan->number,
		    "%s is a commit of its fan", c->id);
		LAW(!i || strcmp(c[-1].id, c->id) < 0, "commits are sorted");
		for (size_t k = 0; k < c->nrows; k++) {
			check_row(c, &c->rows[k]);
			LAW(!k || strcmp(c->rows[k - 1].key, c->rows[k].key) < 0,
			    "rows are sorted");
		}
	}
	LAW(!share_join(fan, fan, &joined, &err), "out of memory");
	LAW(joined.nrows == fan->nrows && !joined.from_here && !joined.from_there,
	    "a fan joined with itself stays");
	joined_fan_free(&joined);
}

/* As a fetch does. */
static void check_fans(struct shared *s, struct share_refused *refused)
{
	struct shared_fan *fans[HISTORY_FANS];
	struct cg_error err = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < HISTORY_FANS; i++)
		if (*s->fans[i].tree)
			fans[count++] = &s->fans[i];
	int status = shared_read_fans(NULL, fans, count, refused, &err);
	LAW(!status, "what others wrote is an error of ours: %s", err.message);
	for (size_t i = 0; i < count; i++)
		check_fan(fans[i]);
}

static void check_entry(const struct shared *s, const struct shared_entry *e)
{
	int64_t measured;
	const char *name;
	char *benchmark = cache_benchmark(e->name), *path = share_entry_path(e->measured, e->name);

	LAW(share_entry_parse(e->path, &measured, &name) && measured == e->measured &&
		    strcmp(name, e->name) == 0 && path && strcmp(path, e->path) == 0,
	    "%s is the path of its entry", e->path);
	LAW(cache_is_of_commit(e->name) && !strchr(e->name, '/') && e->name[0] != '.',
	    "%s leads elsewhere", e->name);
	LAW(benchmark && !label_check(benchmark, NULL), "%s is of a benchmark", e->name);
	LAW(*e->files[0].id && *e->files[SHARE_KEY].id && *e->files[SHARE_SUMS].id, "%s is whole",
	    e->path);
	for (size_t i = 0; i < SHARE_FILES; i++)
		LAW(!*e->files[i].id ||
			    (e->files[i].kind == GIT_BLOB && e->files[i].size <= SHARE_MOST_FILE),
		    "file %zu of %s", i, e->path);
	LAW(shared_find_entry(s, e->name) == e, "%s is found", e->name);
	free(benchmark);
	free(path);
}

static void check(const struct shared *s, const struct share_refused *refused)
{
	for (size_t i = 0; i < s->nentries; i++) {
		check_entry(s, &s->entries[i]);
		LAW(!i || strcmp(s->entries[i - 1].name, s->entries[i].name) < 0,
		    "entries are sorted");
	}
	LAW((refused->count > 0) == (refused->words.count > 0) &&
		    refused->words.count <= refused->count,
	    "%zu are refused in %zu words", refused->count, refused->words.count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *end = at + size;
	struct shared s = { 0 };
	struct share_refused refused = { 0 };
	struct cg_error err = { 0 };
	struct section section;
	char commit[GIT_ID_SIZE];

	while (next_section(&at, end, &section))
		add_object(&section);
	id_of(0, commit);
	int status = shared_of_commit(NULL, commit, &s, &refused, &err);
	LAW(!status, "what others wrote is an error of ours: %s", err.message);
	check_fans(&s, &refused);
	check(&s, &refused);
	shared_free(&s);
	strings_free(&refused.words);
	for (size_t i = 0; i < repository.count; i++)
		free(repository.objects[i].bytes);
	repository.count = 0;
	return 0;
}
