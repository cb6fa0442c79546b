/* What was measured. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "callgrind/producers.h"
#include "cgprofile/names.h"
#include "src/run/command.h"
#include "src/run/fingerprint_parts.h"
#include "src/run/hermetic.h"
#include "src/run/image.h"
#include "src/run/process.h"
#include "src/run/strings.h"

extern char **environ;

/* All of a file of at most 64 MB, followed by a NUL; NULL: it cannot be read. */
static char *read_whole(const char *path, size_t *size)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool fits = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size < 64 << 20;
	char *text = fits ? malloc((size_t)st.st_size + 1) : NULL;
	size_t have = 0;
	ssize_t n;

	while (text && have < (size_t)st.st_size &&
	       (n = read(fd, text + have, (size_t)st.st_size - have)) > 0)
		have += (size_t)n;
	if (fd >= 0)
		close(fd);
	if (text)
		text[have] = '\0';
	*size = have;
	return text;
}

static const char *relative_to_root(const char *path, const char *root)
{
	size_t len = root ? strlen(root) : 0;

	if (!len || strncmp(path, root, len) || path[len] != '/')
		return path;
	return path + len + 1;
}

static bool is_valgrinds_business(const char *name)
{
	return fingerprint_is_libc(name) || fingerprint_is_ld_so(name);
}

/* Adds compilers and flags: of the image, and of other objects that the project has built. */
static int add_producers(struct fact_list *list, const char *path, const char *name)
{
	char *text;

	if (cg_producers(path, &text))
		return CG_ENOMEM;
	int status = !text  ? CG_OK
		     : name ? fact_list_set_named(list, "built", name, text)
			    : fact_list_set(list, "built", text);
	free(text);
	return status;
}

static int add_image(struct fact_list *list, const char *path, const char *root)
{
	char id[160];
	struct image image;
	int status = fact_list_set(list, "image", relative_to_root(path, root));

	if (status == CG_OK && fingerprint_of_object(path, id, sizeof id))
		status = fact_list_set(list, "build_id", id);
	if (status == CG_OK && !image_read(path, &image, NULL)) {
		if (image.compiler)
			status = fact_list_set(list, "compiler", image.compiler);
		image_free(&image);
	}
	return status == CG_OK ? add_producers(list, path, NULL) : status;
}

static bool is_freeze_library(const struct run_result *result, const char *path)
{
	return result->freeze_library && !strcmp(path, result->freeze_library);
}

static int add_objects(struct fact_list *list, const struct run_result *result, const char *root)
{
	char id[160];
	int status = CG_OK;

	for (size_t i = 0; status == CG_OK && i < result->nobjects; i++) {
		const char *path = result->objects[i], *name = cg_base_name(path);

		if (i == 0)
			status = add_image(list, path, root);
		else if (!is_valgrinds_business(name) && !is_freeze_library(result, path) &&
			 fingerprint_of_object(path, id, sizeof id))
			status = fact_list_set_named(list, "object", name, id);
		if (status == CG_OK && i > 0 && relative_to_root(path, root) != path)
			status = add_producers(list, path, name);
	}
	return status;
}

/* glibc's own version text, which is more informative than its build-id: "Debian GLIBC
 * 2.36-9+deb12u10", or "glibc 2.36". NULL: it has none, or out of memory. */
static char *libc_version(const char *path)
{
	static const char name[] = "GNU C Library (", release[] = "release version ";
	size_t size;
	char *text = read_whole(path, &size), *found = NULL;
	char *at = text ? memmem(text, size, name, sizeof name - 1) : NULL;

	if (at) { /* read_whole ends it with NUL */
		const char *vendor = at + sizeof name - 1;
		const char *version = strstr(vendor, release);
		size_t len = strcspn(vendor, ")\n");
		if (len > 3 && len < 80 && memchr(vendor, ' ', len))
			found = strndup(vendor, len);
		else if (version &&
			 asprintf(&found, "glibc %.*s",
				  (int)strspn(version + sizeof release - 1, "0123456789."),
				  version + sizeof release - 1) < 0)
			found = NULL;
	}
	free(text);
	return found;
}

static int add_libc_version(struct fact_list *list, const struct run_result *result)
{
	for (size_t i = 1; i < result->nobjects; i++) {
		char *version = fingerprint_is_libc(cg_base_name(result->objects[i]))
					? libc_version(result->objects[i])
					: NULL;
		int status = version ? fact_list_set(list, "libc_version", version) : CG_OK;
		free(version);
		if (version)
			return status;
	}
	return CG_OK;
}

/* The user's environment without variables that point git to another repository. */
static int git_environment(struct strings *vars)
{
	int status = CG_OK;

	for (char **var = environ; status == CG_OK && *var; var++)
		if (strncmp(*var, "GIT_", 4))
			status = strings_add(vars, *var, NULL);
	if (status == CG_OK)
		status = strings_add(vars, "GIT_OPTIONAL_LOCKS=0", NULL);
	return status;
}

/* Adds nothing if git or a repository is missing; fails with CG_ENOMEM only. */
int fingerprint_add_commit(struct fact_list *list, const char *root, struct interrupts *interrupts)
{
	struct strings vars = { 0 };
	char *git = NULL, *output = NULL, *path = hermetic_path(getenv("PATH"));
	int status = path ? git_environment(&vars) : CG_ENOMEM;

	if (status || command_which("git", "/", path, &git, NULL))
		goto done;
	const char *head[] = { git, "rev-parse", "--verify", "HEAD", NULL };
	const char *dirt[] = { git,      "-c",          "core.fsmonitor=false",
			       "status", "--porcelain", "--untracked-files=no",
			       NULL };
	const char *const *envp = (const char *const *)vars.items;

	if (process_output(git, head, envp, root, interrupts, &output, NULL))
		goto done;
	output[strcspn(output, "\n")] = '\0';
	status = fact_list_set(list, "commit", output);
	free(output);
	output = NULL;
	if (status == CG_OK && !process_output(git, dirt, envp, root, interrupts, &output, NULL))
		status = fact_list_set(list, "dirty", *output ? "yes" : "no");
done:
	free(output);
	free(git);
	free(path);
	strings_free(&vars);
	return status;
}

/* Another reader may choose another of several processes, and how many are added up depends on the
 * program, so a comparison should show both numbers. */
static int add_processes(struct fact_list *list, const struct run_result *result)
{
	size_t count = run_candidates(result), counted = run_counted(result);
	char text[48];

	if (count < 2 || result->ncases)
		return CG_OK;
	snprintf(text, sizeof text, "%zu of %zu", counted, count);
	return fact_list_set(list, "processes", text);
}

int fingerprint_add_subject(struct fact_list *list, const struct run_request *request,
			    const struct run_result *result, const char *root)
{
	struct utsname machine;
	char *command = strings_quote(request->argv);
	int status = command ? fact_list_set(list, "command", command) : CG_ENOMEM;

	free(command);
	if (status)
		return status;
	if ((status = fact_list_set(list, "program", relative_to_root(result->program, root))) ||
	    (status = add_objects(list, result, root)) ||
	    (status = add_libc_version(list, result)) || (status = add_processes(list, result)) ||
	    (result->threads && (status = fact_list_set_number(list, "threads", result->threads))))
		return status;
	if (request->function && (status = fact_list_set(list, "function", request->function)))
		return status;
	if (result->integration &&
	    (status = fact_list_set(list, "integration", result->integration)))
		return status;
	for (size_t i = 0; i < result->nmappings; i++)
		if (result->mappings[i].stripped &&
		    (status = fact_list_set_named(
			     list, "stripped", cg_base_name(result->mappings[i].real),
			     relative_to_root(result->mappings[i].real, root))))
			return status;
	/* A traced program sees another kernel. */
	if (strcmp(result->workspace, "traced") && !uname(&machine) &&
	    (status = fact_list_set(list, "kernel", machine.release)))
		return status;
	return fact_list_set(list, "user", geteuid() == 0 ? "root" : "another");
}
