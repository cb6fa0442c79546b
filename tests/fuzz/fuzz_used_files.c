/*
 * Which files were used, in two sections: "kept", the list beside a profile, and "told", what
 * programs have named, where @ is a directory with the sections' files. If a list is taken, all
 * that it names was used; else anything may have been.
 */
#include "src/run/used_files.h"
#include "tests/fuzz/sections.h"

static void check_line(const struct used_files *used, const char *line)
{
	const char *path = line + (*line && strchr("<?*~", *line) ? 1 : 0);

	LAW(used_files_have_sought(used, path, strlen(path)) || *line == '*',
	    "%s may have been looked for", line);
	LAW((path != line && *line != '<') || used_files_have_read(used, path),
	    "%s may have been read", line);
	for (const char *slash = path; (slash = strchr(slash, '/')); slash++)
		LAW(used_files_have_sought(used, path, (size_t)(slash - path)),
		    "a directory of %s may have been looked for", line);
}

/* Whether it is taken. The text is used up. */
static bool check_list(char *text, size_t size)
{
	struct used_files used;
	struct cg_error err = { 0 };

	LAW(!used_files_take(&used, text, size, &err), "out of memory");
	const bool known = used.known;
	for (size_t i = 0; known && i < used.count; i++)
		check_line(&used, used.lines[i]);
	LAW(known || (used_files_have_read(&used, "none") && used_files_have_sought(&used, "", 0)),
	    "a damaged list says that a file was not used");
	used_files_free(&used);
	return known;
}

static void write_told(const struct section *told)
{
	const size_t most = strlen(scratch());
	char *text = malloc(told->len * most + 1);
	size_t len = 0;

	LAW(text, "out of memory");
	for (size_t i = 0; i < told->len; i++) {
		if (told->text[i] == '@') {
			memcpy(text + len, scratch(), most);
			len += most;
		} else {
			text[len++] = told->text[i];
		}
	}
	scratch_write("told", text, len);
	free(text);
}

static void check_told(const struct section *told)
{
	const char *names[] = { scratch_path("told"), NULL };
	struct cg_error err = { 0 };
	char *text;

	write_told(told);
	LAW(!used_files_find(names, scratch(), NULL, &text, &err), "%s", err.message);
	LAW(!text || check_list(text, strlen(text)), "what was found is a list");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct section kept, told;

	find_section(data, size, "kept", &kept);
	find_section(data, size, "told", &told);
	check_list(text_of((const uint8_t *)kept.text, kept.len), kept.len);
	scratch_unpack(data, size);
	check_told(&told);
	return 0;
}
