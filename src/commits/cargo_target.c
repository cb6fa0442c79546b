#include "src/commits/cargo_target.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/paths.h"
#include "src/run/strings.h"
#include "src/store/files.h"

#define CARGO_INFO ".rustc_info.json" /* in every target directory */
#define CARGO_TEXT_MAX ((size_t)16 << 20)

enum { UNIT_DIGITS = 16 };

struct cargo_sieve {
	const char *const *places;
	const char *below;
	struct strings units;         /* the digits of what is a dependency */
	struct strings scripts;       /* packages that have a build script, and are dependencies */
	struct strings own;           /* packages of the project with a build script */
	struct strings entries;       /* of the directory that is sifted */
	const char *path, *directory; /* target/release, target/release/deps */
	bool left;
};

static bool holds_text(const struct strings *list, const char *text, size_t len)
{
	for (size_t i = 0; i < list->count; i++)
		if (strncmp(list->items[i], text, len) == 0 && !list->items[i][len])
			return true;
	return false;
}

static int note_text(struct strings *list, const char *text, size_t len, struct cg_error *err)
{
	return strings_addf(list, err, "%.*s", (int)len, text);
}

static int list_entries(const char *path, struct strings *out, struct cg_error *err)
{
	DIR *dir = opendir(path);
	int status = dir || errno == ENOENT ? CG_OK : file_fail(path, "read", err);

	for (struct dirent *e; !status && dir && (e = readdir(dir));)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			status = strings_add(out, e->d_name, err);
	if (dir)
		closedir(dir);
	return status;
}

static bool is_kind(const char *directory, const char *name, mode_t kind)
{
	struct stat st;
	char *path;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return false;
	bool is = lstat(path, &st) == 0 && (st.st_mode & S_IFMT) == kind;
	free(path);
	return is;
}

bool cargo_target_is(const char *path)
{
	return is_kind(path, CARGO_INFO, S_IFREG);
}

/* The digits in "libserde-0123456789abcdef.rlib" or "serde-0123456789abcdef". */
static const char *unit_digits(const char *name)
{
	for (const char *dash = name; (dash = strchr(dash, '-')); dash++) {
		size_t len = strspn(dash + 1, "0123456789abcdef");
		if (len == UNIT_DIGITS && (dash[1 + len] == '.' || !dash[1 + len]))
			return dash + 1;
	}
	return NULL;
}

static bool is_known_unit(const struct cargo_sieve *s, const char *name)
{
	const char *digits = unit_digits(name);

	return digits && holds_text(&s->units, digits, UNIT_DIGITS);
}

/* ---- what Cargo has noted ------------------------------------------------- */

/* A text that the build wrote; NULL if there is none. */
static char *read_noted(const char *directory, const char *name)
{
	char *path, *text = NULL;
	size_t size;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return NULL;
	if (foreign_file_read(path, CARGO_TEXT_MAX, &text, &size, NULL) || strlen(text) != size) {
		free(text);
		text = NULL;
	}
	free(path);
	return text;
}

/* What of a path is below the root of the build; NULL: it is elsewhere. */
static const char *below_place(const struct cargo_sieve *s, const char *path)
{
	const char *rest = NULL;

	for (size_t i = 0; !rest && s->places[i]; i++)
		rest = cg_path_below(path, s->places[i]);
	return rest;
}

static bool is_in_target(const struct cargo_sieve *s, const char *rest)
{
	return *rest == '/' && cg_path_below(rest + 1, s->below);
}

enum source_kind { SOURCE_OF_PROJECT, SOURCE_GENERATED, SOURCE_OF_DEPENDENCY };

/* Crates include files above their sources: "src/../README.md". `path` is made normal. */
static enum source_kind kind_of_source(const struct cargo_sieve *s, char *path)
{
	path[cg_path_normalise(path, strlen(path))] = '\0';
	const char *rest = below_place(s, path);

	if (rest)
		return is_in_target(s, rest) ? SOURCE_GENERATED : SOURCE_OF_PROJECT;
	return *path == '/' && (strstr(path, "/registry/src/") || strstr(path, "/git/checkouts/"))
		       ? SOURCE_OF_DEPENDENCY
		       : SOURCE_OF_PROJECT;
}

/* Ends the path at `at`, in which a backslash precedes a space, and returns what is after it. */
static char *end_source(char *at)
{
	char *to = at;

	for (; *at && *at != ' '; at++) {
		if (*at == '\\' && at[1])
			at++;
		*to++ = *at;
	}
	char *next = *at ? at + 1 : at;
	*to = '\0';
	return next;
}

/* Whether a list of sources, in the format of make, has those of a dependency only. */
static bool lists_dependency(const struct cargo_sieve *s, char *text)
{
	bool found = false, own = false;
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *at = *line == '#' ? NULL : strstr(line, ": ");
		for (at = at ? at + 2 : NULL; at && *at;) {
			char *source = at + strspn(at, " ");
			at = end_source(source);
			enum source_kind kind = *source ? kind_of_source(s, source)
							: SOURCE_GENERATED;
			found |= kind == SOURCE_OF_DEPENDENCY;
			own |= kind == SOURCE_OF_PROJECT;
		}
	}
	return found && !own;
}

static bool is_of_dependency(const struct cargo_sieve *s, const char *directory, const char *name)
{
	char *text = read_noted(directory, name);
	bool is = text && lists_dependency(s, text);

	free(text);
	return is;
}

/* A build script of a dependency may look at files of the project, if it is told where. */
static bool mentions_project(const struct cargo_sieve *s, const char *text)
{
	for (size_t i = 0; s->places[i]; i++)
		for (const char *at = text; (at = strstr(at, s->places[i]));) {
			at += strlen(s->places[i]);
			if (!is_in_target(s, at) && strchr("/\n\"' :", *at))
				return true;
		}
	return false;
}

/* ---- sifting -------------------------------------------------------------- */

static bool has_ending(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len > n && strcmp(name + len - n, end) == 0;
}

/* target/release/deps: notes which crates are dependencies. */
static int find_crates(struct cargo_sieve *s, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < s->entries.count; i++) {
		const char *name = s->entries.items[i], *digits = unit_digits(name);
		if (digits && has_ending(name, ".d") && is_of_dependency(s, s->directory, name))
			status = note_text(&s->units, digits, UNIT_DIGITS, err);
	}
	return status;
}

/* Programs have no ending, and what several crates may have written has no digits. */
static bool is_crate_of_dependency(const struct cargo_sieve *s, const char *name)
{
	static const char *const endings[] = { ".rlib", ".rmeta", ".so", ".a", ".dwo", ".d" };

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (has_ending(name, endings[i]))
			return is_known_unit(s, name) && is_kind(s->directory, name, S_IFREG);
	return false;
}

static bool is_unit_of_dependency(const struct cargo_sieve *s, const char *name)
{
	return is_known_unit(s, name) && is_kind(s->directory, name, S_IFDIR);
}

/* The name of a list of sources in the directory of a compiled build script, the caller's; NULL:
 * there is none. */
static char *find_list_of_sources(const char *directory)
{
	struct strings entries = { 0 };
	char *found = NULL;

	if (list_entries(directory, &entries, NULL) == CG_OK)
		for (size_t i = 0; !found && i < entries.count; i++)
			if (unit_digits(entries.items[i]) && has_ending(entries.items[i], ".d"))
				found = strdup(entries.items[i]);
	strings_free(&entries);
	return found;
}

/* target/release/build/PACKAGE-DIGITS: a build script, or what it printed and wrote. */
static int note_script(struct cargo_sieve *s, const char *name, bool *compiled,
		       struct cg_error *err)
{
	const char *digits = unit_digits(name);
	char *path, *list;

	if (asprintf(&path, "%s/%s", s->directory, name) < 0)
		return cg_fail_nomem(err);
	list = find_list_of_sources(path);
	*compiled = list != NULL;
	int status = CG_OK;
	if (list && is_of_dependency(s, path, list)) {
		status = note_text(&s->units, digits, UNIT_DIGITS, err);
		if (!status)
			status = note_text(&s->scripts, name, (size_t)(digits - 1 - name), err);
	} else if (list) {
		status = note_text(&s->own, name, (size_t)(digits - 1 - name), err);
	}
	free(list);
	free(path);
	return status;
}

/* Packages of one name are told apart by nothing that a build script leaves. */
static bool is_output_of_dependency(const struct cargo_sieve *s, const char *name)
{
	const char *digits = unit_digits(name);
	size_t len = (size_t)(digits - 1 - name);
	char *path, *output = NULL;

	if (!holds_text(&s->scripts, name, len) || holds_text(&s->own, name, len) ||
	    asprintf(&path, "%s/%s", s->directory, name) < 0)
		return false;
	output = read_noted(path, "output");
	bool is = output && !mentions_project(s, output);
	free(output);
	free(path);
	return is;
}

static int find_scripts(struct cargo_sieve *s, struct cg_error *err)
{
	struct strings outputs = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < s->entries.count; i++) {
		const char *name = s->entries.items[i];
		bool compiled;
		if (!unit_digits(name) || !is_kind(s->directory, name, S_IFDIR))
			continue;
		status = note_script(s, name, &compiled, err);
		if (!status && !compiled)
			status = strings_add(&outputs, name, err);
	}
	for (size_t i = 0; !status && i < outputs.count; i++)
		if (is_output_of_dependency(s, outputs.items[i]))
			status = note_text(&s->units, unit_digits(outputs.items[i]), UNIT_DIGITS,
					   err);
	strings_free(&outputs);
	return status;
}

static int drop_entry(const char *directory, const char *name, struct cg_error *err)
{
	char *path;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return cg_fail_nomem(err);
	int status = remove_directory(path, err);
	free(path);
	return status;
}

/* A directory of a profile: `find` notes what is a dependency there, and `is` tells. */
static int sift_directory(struct cargo_sieve *s, const char *name,
			  int (*find)(struct cargo_sieve *s, struct cg_error *err),
			  bool (*is)(const struct cargo_sieve *s, const char *name),
			  struct cg_error *err)
{
	char *directory;

	if (asprintf(&directory, "%s/%s", s->path, name) < 0)
		return cg_fail_nomem(err);
	s->directory = directory;
	int status = list_entries(directory, &s->entries, err);
	if (!status && find)
		status = find(s, err);
	for (size_t i = 0; !status && i < s->entries.count; i++) {
		if (is(s, s->entries.items[i]))
			s->left = true;
		else
			status = drop_entry(directory, s->entries.items[i], err);
	}
	strings_free(&s->entries);
	free(directory);
	return status;
}

/* target/release, which has programs and libraries of the project beside its directories. */
static int sift_profile(struct cargo_sieve *s, const char *path, struct cg_error *err)
{
	static const char *const directories[] = { "deps", "build", ".fingerprint" };
	struct strings entries = { 0 };
	int status = list_entries(path, &entries, err);

	s->path = path;
	for (size_t i = 0; !status && i < entries.count; i++) {
		bool stays = false;
		for (size_t k = 0; k < sizeof directories / sizeof *directories; k++)
			stays |= strcmp(entries.items[i], directories[k]) == 0 &&
				 is_kind(path, directories[k], S_IFDIR);
		if (!stays)
			status = drop_entry(path, entries.items[i], err);
	}
	strings_free(&entries);
	if (!status)
		status = sift_directory(s, "deps", find_crates, is_crate_of_dependency, err);
	if (!status)
		status = sift_directory(s, "build", find_scripts, is_unit_of_dependency, err);
	if (!status)
		status = sift_directory(s, ".fingerprint", NULL, is_unit_of_dependency, err);
	strings_free(&s->units);
	strings_free(&s->scripts);
	strings_free(&s->own);
	return status;
}

/* Sifts profiles: target/release, or target/TRIPLE/release. */
static int sift_profiles(struct cargo_sieve *s, const char *path, bool with_triples,
			 struct cg_error *err)
{
	struct strings entries = { 0 };
	int status = list_entries(path, &entries, err);

	for (size_t i = 0; !status && i < entries.count; i++) {
		char *entry;
		if (asprintf(&entry, "%s/%s", path, entries.items[i]) < 0) {
			status = cg_fail_nomem(err);
			break;
		}
		if (!is_kind(path, entries.items[i], S_IFDIR))
			status = remove_directory(entry, err);
		else if (is_kind(entry, ".fingerprint", S_IFDIR))
			status = sift_profile(s, entry, err);
		else if (with_triples && !(status = sift_profiles(s, entry, false, err)))
			rmdir(entry); /* unless there are profiles in it */
		else if (!with_triples)
			status = remove_directory(entry, err);
		free(entry);
	}
	strings_free(&entries);
	return status;
}

int cargo_target_sieve(const char *path, const char *const *places, const char *below, bool *left,
		       struct cg_error *err)
{
	struct cargo_sieve s = { .places = places, .below = below };
	int status = sift_profiles(&s, path, true, err);

	*left = s.left;
	return status;
}
