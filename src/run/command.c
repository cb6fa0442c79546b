#include "src/run/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgprofile/names.h"

#define INTERPRETERS_MAX 4 /* scripts that interpret scripts, as in Linux */

static bool is_executable_file(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

static char *join_directory(const char *directory, size_t len, const char *name)
{
	char *path;

	while (name[0] == '.' && name[1] == '/' && name[2])
		name += 2;
	while (len > 1 && directory[len - 1] == '/')
		len--;
	bool slash = len && directory[len - 1] == '/';
	if (len > INT_MAX ||
	    asprintf(&path, "%.*s%s%s", (int)len, directory, slash ? "" : "/", name) < 0)
		return NULL;
	return path;
}

static int no_file(const char *path, struct cg_error *err)
{
	struct stat st;

	if (stat(path, &st))
		return cg_fail(err, CG_EIO, path, 0, "cannot run it: %s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return cg_fail(err, CG_EIO, path, 0, "cannot run it: it is a directory");
	if (!S_ISREG(st.st_mode))
		return cg_fail(err, CG_EIO, path, 0, "cannot run it: it is not a regular file");
	return cg_fail(err, CG_EIO, path, 0, "cannot run it: it is not executable (chmod +x?)");
}

int command_which(const char *word, const char *cwd, const char *path, char **found,
		  struct cg_error *err)
{
	char *candidate;

	if (!*word)
		return cg_fail(err, CG_EINVAL, NULL, 0, "the program name is empty");
	if (strchr(word, '/')) {
		candidate = *word == '/' ? strdup(word) : join_directory(cwd, strlen(cwd), word);
		if (!candidate)
			return cg_fail_nomem(err);
		if (!is_executable_file(candidate)) {
			int status = no_file(candidate, err);
			free(candidate);
			return status;
		}
		*found = candidate;
		return CG_OK;
	}

	for (const char *entry = path ? path : ""; *entry;) {
		size_t len = strcspn(entry, ":");
		if (len && *entry == '/') {
			candidate = join_directory(entry, len, word);
			if (!candidate)
				return cg_fail_nomem(err);
			if (is_executable_file(candidate)) {
				*found = candidate;
				return CG_OK;
			}
			free(candidate);
		}
		entry += len + (entry[len] == ':');
	}

	candidate = join_directory(cwd, strlen(cwd), word);
	if (!candidate)
		return cg_fail_nomem(err);
	bool here = is_executable_file(candidate);
	free(candidate);
	return cg_fail(err, CG_EIO, NULL, 0, "command not found: %s%s", word,
		       here ? " (found in the working directory: put ./ before the name)" : "");
}

/* Refuses what Valgrind cannot measure. */
static int check_image(const char *path, const struct image *image, struct cg_error *err)
{
	struct stat st;

	if (!stat(path, &st) && (st.st_mode & (S_ISUID | S_ISGID)))
		return cg_fail(
			err, CG_EINVAL, path, 0,
			"cannot measure a setuid or setgid program; make a copy without the bit");
	if (image->kind == IMAGE_OTHER)
		return cg_fail(err, CG_EINVAL, path, 0,
			       "neither an ELF program nor a script with a #! line");
	if (image->kind == IMAGE_ELF && image->foreign)
		return cg_fail(err, CG_EINVAL, path, 0,
			       "built for another machine (%u bits, ELF machine %u)", image->bits,
			       image->machine);
	return CG_OK;
}

/* Follows #! to an ELF image. */
static int follow_interpreters(const char *path, char **image_path, struct image *image,
			       struct cg_error *err)
{
	struct image found = { 0 };
	char *at = strdup(path);
	int status = at ? CG_OK : cg_fail_nomem(err);

	for (int depth = 0; status == CG_OK; depth++) {
		status = image_read(at, &found, err);
		if (status == CG_OK)
			status = check_image(at, &found, err);
		if (status || found.kind == IMAGE_ELF)
			break;
		if (depth == INTERPRETERS_MAX) {
			status = cg_fail(err, CG_EINVAL, path, 0,
					 "too many levels of script interpreters");
			break;
		}
		if (!is_executable_file(found.interpreter)) {
			status = cg_fail(err, CG_EINVAL, path, 0,
					 "cannot run the interpreter in its first line, %.200s",
					 found.interpreter);
			break;
		}
		free(at);
		at = found.interpreter;
		found.interpreter = NULL;
		image_free(&found);
	}

	if (status) {
		image_free(&found);
		free(at);
		return status;
	}
	*image_path = at;
	*image = found;
	return CG_OK;
}

int command_check_path(const char *path, struct cg_error *err)
{
	for (const char *p = path; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			return cg_fail(
				err, CG_EINVAL, path, 0,
				"a path with a control character, such as a line break, is not supported; rename the file or directory");
	return CG_OK;
}

static bool directory_has(const char *directory, const char *name)
{
	char *path = join_directory(directory, strlen(directory), name);
	bool has = path && !access(path, F_OK);

	free(path);
	return has;
}

int command_find(const char *word, const char *cwd, const char *path, struct found_command *command,
		 struct cg_error *err)
{
	struct found_command found = { 0 };
	char *typed = NULL;
	int status = command_which(word, cwd, path, &typed, err);

	if (status)
		return status;
	char *slash = strrchr(typed, '/');
	found.name = strdup(slash + 1);
	slash[slash == typed] = '\0';
	found.directory = realpath(typed, NULL);
	if (!found.name || !found.directory) {
		status = errno == ENOMEM ? cg_fail_nomem(err)
					 : cg_fail(err, CG_EIO, typed, 0, "cannot resolve: %s",
						   strerror(errno));
		goto done;
	}
	found.path = join_directory(found.directory, strlen(found.directory), found.name);
	if (!found.path) {
		status = cg_fail_nomem(err);
		goto done;
	}

	status = command_check_path(found.path, err);
	if (status == CG_OK)
		status = image_read(found.path, &found.file, err);
	if (status == CG_OK)
		status = follow_interpreters(found.path, &found.image_path, &found.image, err);
	if (status == CG_OK)
		status = command_check_path(found.image_path, err);
	if (status)
		goto done;
	found.bound = found.file.kind == IMAGE_SCRIPT ||
		      directory_has(found.directory, "pyvenv.cfg") ||
		      directory_has(found.directory, "../pyvenv.cfg");
done:
	free(typed);
	if (status)
		command_free(&found);
	else
		*command = found;
	return status;
}

void command_free(struct found_command *command)
{
	free(command->directory);
	free(command->name);
	free(command->path);
	free(command->image_path);
	image_free(&command->file);
	image_free(&command->image);
	*command = (struct found_command){ 0 };
}

static bool is_name_in(const char *name, size_t len, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == len && !memcmp(*list, name, len))
			return true;
	return false;
}

bool command_is_launcher(const char *image, const char *command)
{
	static const char *const launchers[] = {
		"sh",    "dash",   "bash",   "rbash",   "ash",     "zsh",     "ksh",
		"ksh93", "mksh",   "yash",   "posh",    "fish",    "env",     "nice",
		"nohup", "stdbuf", "setsid", "taskset", "numactl", "timeout", "time",
		"xargs", "make",   "gmake",  "ninja",   "cargo",   "rustup",  NULL
	};
	static const char *const many[] = { "busybox", "toybox", "coreutils", NULL };
	const char *name = cg_base_name(image);

	if (is_name_in(name, strlen(name), many) && command) {
		size_t end = strcspn(command, " ");
		size_t begin = end;
		while (begin && command[begin - 1] != '/')
			begin--;
		return is_name_in(command + begin, end - begin, launchers);
	}
	return is_name_in(name, strlen(name), launchers);
}

/* "python3.11" is a version of "python", but not "pythonic". */
static bool is_version_of_language(const char *name, const char *language)
{
	size_t len = strlen(language);

	return !strncmp(name, language, len) && !name[len + strspn(name + len, "0123456789.-")];
}

/* Whether the file, its interpreter or the program that `env` starts is one of these. */
static bool is_of_language(const struct found_command *command, const char *const *languages)
{
	const char *const names[] = { command->name, cg_base_name(command->image_path),
				      command->file.argument };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (const char *const *l = languages; names[i] && *l; l++)
			if (is_version_of_language(names[i], *l))
				return true;
	return false;
}

bool command_is_python(const struct found_command *command)
{
	static const char *const languages[] = { "python", NULL };

	return is_of_language(command, languages);
}

bool command_may_vary(const struct found_command *command)
{
	static const char *const languages[] = { "node", "nodejs", "java", "dotnet", NULL };

	return is_of_language(command, languages);
}

/* Perl and Lua are not listed, as their interpreters hardly recurse (1.1 times the cost at depth
 * 100). */
bool command_is_interpreter(const struct found_command *command)
{
	static const char *const languages[] = { "python",  "pypy", "ruby",  "php",
						 "Rscript", "R",    "guile", NULL };

	return command_may_vary(command) || is_of_language(command, languages);
}
