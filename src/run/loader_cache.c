#include "src/run/loader_cache.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/process.h"

/* ---- answers of the loader ---- */

/* Adds the first word of each line that contains `mark`. */
static int take_words(const char *text, const char *mark, struct strings *words,
		      struct cg_error *err)
{
	int status = CG_OK;

	while (*text && !status) {
		size_t len = strcspn(text, "\n");
		char *line = strndup(text, len), *rest = NULL;
		if (!line)
			return cg_fail_nomem(err);
		bool marked = strstr(line, mark);
		const char *word = strtok_r(line, " \t", &rest);
		if (marked && word)
			status = strings_add(words, word, err);
		free(line);
		text += len + (text[len] == '\n');
	}
	return status;
}

static int ask_loader(const char *ld_so, const char *option, const char *operand, const char *mark,
		      struct interrupts *interrupts, struct strings *words, struct cg_error *err)
{
	const char *argv[] = { ld_so, option, operand, NULL }, *envp[] = { NULL };
	char *output;

	if (process_output(ld_so, argv, envp, "/", interrupts, &output, NULL))
		return CG_OK; /* it does not have this option */
	int status = take_words(output, mark, words, err);
	free(output);
	return status;
}

int loader_cache_ask(const char *ld_so, const char *program, struct interrupts *interrupts,
		     struct strings *directories, struct strings *names, struct cg_error *err)
{
	int status = ask_loader(ld_so, "--help", NULL, "(system search path)", interrupts,
				directories, err);

	if (!status && directories->count)
		status = ask_loader(ld_so, "--list", program, " => ", interrupts, names, err);
	return status;
}

/* ---- the file ---- */

static const char magic[] = "glibc-ld.so.cache1.1";

struct header {
	char magic[sizeof magic - 1];
	uint32_t count, strings_size;
	uint8_t flags, padding[3];
	uint32_t extensions, unused[3];
};

struct loader_entry {
	int32_t flags;
	uint32_t name, path; /* where these are in the file */
	uint32_t os_version;
	uint64_t capabilities;
};

struct made {
	struct header header;
	struct loader_entry *entries;
	char *texts;
	size_t texts_size;
};

static bool has_text(const struct strings *words, const char *text, size_t len)
{
	for (size_t i = 0; i < words->count; i++)
		if (!strncmp(words->items[i], text, len) && !words->items[i][len])
			return true;
	return false;
}

/* The text at an offset of the file; NULL: it does not end within the file. */
static const char *text_at(const char *cache, size_t size, uint32_t at)
{
	return at < size && memchr(cache + at, '\0', size - at) ? cache + at : NULL;
}

static bool read_cache_entry(const char *cache, size_t size, size_t i, struct loader_entry *entry,
			     const char **name, const char **path)
{
	memcpy(entry, cache + sizeof(struct header) + i * sizeof *entry, sizeof *entry);
	*name = text_at(cache, size, entry->name);
	*path = text_at(cache, size, entry->path);
	return *name && *path;
}

/* Whether the cache has variants of a library for several kinds of CPUs; the loader finds the right
 * one in its directories. */
static bool has_variants(const char *cache, size_t size, uint32_t count, const char *sought)
{
	struct loader_entry entry;
	const char *name, *path;

	for (size_t i = 0; i < count; i++)
		if (read_cache_entry(cache, size, i, &entry, &name, &path) && entry.capabilities &&
		    !strcmp(name, sought))
			return true;
	return false;
}

static uint32_t add_cache_text(struct made *made, const char *text)
{
	size_t size = strlen(text) + 1, at = made->texts_size;

	memcpy(made->texts + at, text, size);
	made->texts_size += size;
	return (uint32_t)at;
}

static int add_elsewhere(struct strings *elsewhere, const char *directory, const char *name,
			 const char *path, struct cg_error *err)
{
	int status = strings_addf(elsewhere, err, "%s/%s", directory, name);

	return status ? status : strings_add(elsewhere, path, err);
}

static int choose_libraries(const char *cache, size_t size, const struct strings *directories,
			    const struct strings *names, struct made *made,
			    struct strings *elsewhere, struct cg_error *err)
{
	uint32_t count = made->header.count;

	made->header.count = 0;
	for (size_t i = 0; i < count; i++) {
		struct loader_entry entry;
		const char *name, *path;
		if (!read_cache_entry(cache, size, i, &entry, &name, &path))
			return cg_fail(err, CG_ESYNTAX, NULL, 0, "entry %zu has no text", i);
		const char *slash = strrchr(path, '/');
		bool of_system = slash && has_text(directories, path, (size_t)(slash - path));
		bool named = has_text(names, name, strlen(name));
		int status = CG_OK;
		if (!entry.capabilities && !of_system && !named)
			status = add_elsewhere(elsewhere, directories->items[0], name, path, err);
		if (status)
			return status;
		if (entry.capabilities || !named ||
		    (of_system && has_variants(cache, size, count, name)))
			continue;
		entry.name = add_cache_text(made, name);
		entry.path = add_cache_text(made, path);
		made->entries[made->header.count++] = entry;
	}
	return CG_OK;
}

/* Header, entries, texts. */
static int put_together(struct made *made, char **out, size_t *out_size, struct cg_error *err)
{
	size_t entries_size = made->header.count * sizeof(struct loader_entry);
	size_t start = sizeof made->header + entries_size;
	char *bytes = calloc(1, start + made->texts_size);

	if (!bytes)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < made->header.count; i++) {
		made->entries[i].name += (uint32_t)start;
		made->entries[i].path += (uint32_t)start;
	}
	made->header.strings_size = (uint32_t)made->texts_size;
	made->header.extensions = 0;
	memcpy(bytes, &made->header, sizeof made->header);
	memcpy(bytes + sizeof made->header, made->entries, entries_size);
	memcpy(bytes + start, made->texts, made->texts_size);
	*out = bytes;
	*out_size = start + made->texts_size;
	return CG_OK;
}

int loader_cache_make(const char *cache, size_t size, const struct strings *directories,
		      const struct strings *names, char **made, size_t *made_size,
		      struct strings *elsewhere, struct cg_error *err)
{
	struct made small = { .entries = NULL };

	if (size < sizeof small.header || size > UINT32_MAX ||
	    memcmp(cache, magic, sizeof magic - 1))
		return cg_fail(err, CG_ESYNTAX, NULL, 0,
			       "not a library list as glibc 2.32 writes it");
	memcpy(&small.header, cache, sizeof small.header);
	if (small.header.count > (size - sizeof small.header) / sizeof(struct loader_entry))
		return cg_fail(err, CG_ESYNTAX, NULL, 0, "cut short");
	small.entries = calloc(small.header.count + 1ul, sizeof *small.entries);
	/* Entries may share texts; each one is at most all of the file. */
	size_t room = 0;
	for (size_t i = 0; i < small.header.count; i++) {
		struct loader_entry entry;
		const char *name, *path;
		if (read_cache_entry(cache, size, i, &entry, &name, &path))
			room += strlen(name) + strlen(path) + 2;
	}
	small.texts = room <= UINT32_MAX ? malloc(room + 1) : NULL;
	int status = small.entries && small.texts ? CG_OK : cg_fail_nomem(err);
	if (!status)
		status = choose_libraries(cache, size, directories, names, &small, elsewhere, err);
	if (!status && !small.header.count)
		*made = NULL, *made_size = 0;
	else if (!status)
		status = put_together(&small, made, made_size, err);
	free(small.entries);
	free(small.texts);
	return status;
}
