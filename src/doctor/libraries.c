#include "src/doctor/libraries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/process.h"

bool is_below(const char *path, const char *root)
{
	size_t len = strlen(root);
	return strncmp(path, root, len) == 0 && path[len] == '/';
}

bool is_system_loader(const char *path, const char *root)
{
	static const char *const places[] = {
		"/lib",         "/lib32",     "/lib64",     "/libx32",
		"/usr/lib",     "/usr/lib32", "/usr/lib64", "/usr/libx32",
		"/usr/libexec", "/nix/store", "/gnu/store",
	};
	char *real = *path == '/' ? realpath(path, NULL) : NULL, *project = realpath(root, NULL);
	bool fine = false;

	for (size_t i = 0; real && i < sizeof places / sizeof *places && !fine; i++)
		fine = is_below(real, places[i]);
	fine = fine && project && !is_below(real, project);
	free(project);
	free(real);
	return fine;
}

/* ---- what it says ---- */

/* The PATH of "NAME => PATH (0x…)", canonical; NULL: it has none, as for the vdso. */
static char *path_of_line(const char *target, const char *cwd)
{
	const char *end = strstr(target, " (0x");
	bool whole = *target == '/';
	char *path;

	if (!end || asprintf(&path, "%s%s%.*s", whole ? "" : cwd, whole ? "" : "/",
			     (int)(end - target), target) < 0)
		return NULL;
	char *real = realpath(path, NULL);
	free(path);
	return real;
}

static int take_loader_line(char *line, const char *cwd, struct libraries *out,
			    struct cg_error *err)
{
	static const char arrow[] = " => ";
	char *name = line + strspn(line, " \t"), *target = strstr(name, arrow);

	if (!target)
		return CG_OK;
	*target = '\0';
	target += sizeof arrow - 1;
	if (strcmp(target, "not found") == 0)
		return strings_add(&out->missing, name, err);
	char *path = path_of_line(target, cwd);
	int status = path ? strings_add(&out->paths, path, err) : CG_OK;
	free(path);
	return status;
}

static int take_loader_lines(char *output, const char *cwd, struct libraries *out,
			     struct cg_error *err)
{
	char *rest = NULL;
	int status = CG_OK;

	for (char *line = strtok_r(output, "\n", &rest); !status && line;
	     line = strtok_r(NULL, "\n", &rest))
		status = take_loader_line(line, cwd, out, err);
	return status;
}

/* ---- asking ---- */

/* With --list, glibc's loader stops at the first missing library; asked by a variable it lists all.
 * A loader that does not know the variable starts nothing either, as it has just failed to load the
 * program. */
static int ask_for_all(const char *loader, const char *path, const char *cwd, const char *variable,
		       struct interrupts *interrupts, char **output)
{
	const char *argv[] = { loader, path, NULL };
	const char *envp[] = { "LD_TRACE_LOADED_OBJECTS=1", variable, NULL };

	return process_output(loader, argv, envp, cwd, interrupts, output, NULL);
}

int libraries_ask(const char *loader, const char *path, const char *cwd, const char *library_path,
		  struct interrupts *interrupts, struct libraries *out, struct cg_error *err)
{
	struct libraries found = { 0 };
	char *output = NULL, *variable = NULL;

	if (library_path && asprintf(&variable, "LD_LIBRARY_PATH=%s", library_path) < 0)
		return cg_fail_nomem(err);
	/* When the kernel starts the program, $ORIGIN is where links lead to. */
	char *real = realpath(path, NULL);
	const char *program = real ? real : path;
	const char *argv[] = { loader, "--list", program, NULL };
	const char *envp[] = { variable, NULL };
	int failed = process_output(loader, argv, envp, cwd, interrupts, &output, err);
	if (failed)
		ask_for_all(loader, program, cwd, variable, interrupts, &output);

	int status = output ? take_loader_lines(output, cwd, &found, err) : failed;
	if (!status && !found.missing.count)
		status = failed;
	if (status)
		libraries_free(&found);
	else
		*out = found;
	free(output);
	free(variable);
	free(real);
	return status;
}

void libraries_free(struct libraries *libraries)
{
	strings_free(&libraries->paths);
	strings_free(&libraries->missing);
}
