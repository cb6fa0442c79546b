#include "src/run/fingerprint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "callgrind/producers.h"
#include "callgrind/support/grow.h"
#include "cgprofile/names.h"
#include "src/run/command.h"
#include "src/run/freeze.h"
#include "src/run/guest_cpu.h"
#include "src/run/hermetic.h"
#include "src/run/image.h"
#include "src/run/loader_cache.h"
#include "src/run/process.h"
#include "src/run/setting_names.h"
#include "src/run/strings.h"

extern char **environ;

/* ---- lists ---------------------------------------------------------------- */

static size_t find_fact(const struct fact_list *list, const char *key)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (strcmp(list->facts[i].key, key) >= 0)
			break;
	return i; /* where it is, or where it belongs */
}

/* One line: control characters have no place in a fact. */
static char *plain(const char *text)
{
	char *copy = strdup(text);

	for (char *p = copy; p && *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			*p = '?';
	return copy;
}

int fact_list_set(struct fact_list *list, const char *key, const char *value)
{
	size_t i = find_fact(list, key);
	char *text = plain(value);

	if (!text)
		return CG_ENOMEM;
	if (i < list->count && !strcmp(list->facts[i].key, key)) {
		free(list->facts[i].value);
		list->facts[i].value = text;
		return CG_OK;
	}
	char *name = strdup(key);
	if (!name || cg_grow(&list->facts, &list->cap, list->count + 1, sizeof *list->facts)) {
		free(name);
		free(text);
		return CG_ENOMEM;
	}
	memmove(list->facts + i + 1, list->facts + i, (list->count - i) * sizeof *list->facts);
	list->facts[i] = (struct fact){ name, text };
	list->count++;
	return CG_OK;
}

const char *fact_list_get(const struct fact_list *list, const char *key)
{
	size_t i = find_fact(list, key);

	return i < list->count && !strcmp(list->facts[i].key, key) ? list->facts[i].value : NULL;
}

static void free_facts(struct fact_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->facts[i].key);
		free(list->facts[i].value);
	}
	free(list->facts);
	*list = (struct fact_list){ 0 };
}

void fingerprint_free(struct fingerprint *fingerprint)
{
	free_facts(&fingerprint->environment);
	free_facts(&fingerprint->subject);
}

static int set_number_fact(struct fact_list *list, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)value);
	return fact_list_set(list, key, text);
}

/* PREFIX.NAME with a name of any characters. */
static int set_named(struct fact_list *list, const char *prefix, const char *name,
		     const char *value)
{
	char *key;

	if (asprintf(&key, "%s.%s", prefix, name) < 0)
		return CG_ENOMEM;
	for (char *p = key; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", *p))
			*p = '_';
	int status = fact_list_set(list, key, value);
	free(key);
	return status;
}

/* ---- hashes ---------------------------------------------------------------- */

/* FNV-1a: tells apart, protects nothing. */
#define HASH_BEGIN 0xcbf29ce484222325u

static uint64_t hash_bytes(uint64_t state, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < len; i++)
		state = (state ^ bytes[i]) * 0x100000001b3u;
	return state;
}

bool fingerprint_of_file(const char *path, char *text, size_t size)
{
	unsigned char buffer[65536];
	uint64_t state = HASH_BEGIN;
	ssize_t n;

	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	/* A device has no end. */
	n = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? 1 : -1;
	while (n > 0 && (n = read(fd, buffer, sizeof buffer)) > 0)
		state = hash_bytes(state, buffer, (size_t)n);
	close(fd);
	snprintf(text, size, "fnv1a:%016llx", (unsigned long long)state);
	return n == 0;
}

void fingerprint_of_bytes(const void *bytes, size_t count, char *text, size_t size)
{
	snprintf(text, size, "fnv1a:%016llx",
		 (unsigned long long)hash_bytes(HASH_BEGIN, bytes, count));
}

/* A file of at most 64 MB with a NUL behind it; NULL: it cannot be read. */
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

/* ---- environment ----------------------------------------------------------- */

static bool is_libc(const char *name)
{
	return !strncmp(name, "libc.so", 7) || !strncmp(name, "libc-2.", 7) ||
	       !strncmp(name, "libc.musl", 9);
}

static bool is_ld_so(const char *name)
{
	return !strncmp(name, "ld-", 3) || !strcmp(name, "ld.so");
}

/* The build-id of an object, or a hash if it has none; false: unreadable. */
static bool identify_object(const char *path, char *text, size_t size)
{
	struct image image;

	if (image_read(path, &image, NULL))
		return false;
	bool has = image.build_id != NULL;
	if (has)
		snprintf(text, size, "%s", image.build_id);
	image_free(&image);
	return has || fingerprint_of_file(path, text, size);
}

static int add_libc(struct fact_list *list, const struct run_result *result)
{
	char id[160];
	int status = CG_OK;

	for (size_t i = 1; status == CG_OK && i < result->nobjects; i++) {
		const char *name = cg_base_name(result->objects[i]);
		const char *key = is_libc(name) ? "libc" : is_ld_so(name) ? "ld.so" : NULL;
		if (key && identify_object(result->objects[i], id, sizeof id))
			status = fact_list_set(list, key, id);
	}
	return status;
}

static bool was_asked_for(const struct run_request *request, const char *name, size_t len,
			  bool *with_value)
{
	bool asked = false;

	for (const char *const *env = request->env; env && *env; env++)
		if (!strncmp(*env, name, len) && (!(*env)[len] || (*env)[len] == '=')) {
			asked = true;
			*with_value = (*env)[len] == '=';
		}
	return asked;
}

/* `text` with the project root, wherever a path begins with it, as "$ROOT". */
static char *without_root(const char *text, const char *root)
{
	size_t len = root ? strlen(root) : 0, used = 0;
	char *out = malloc(strlen(text) + 1 + (len < 5 ? 4 * strlen(text) : 0));

	while (out && *text) {
		if (len > 1 && !strncmp(text, root, len) && strchr("/:", text[len])) {
			memcpy(out + used, "$ROOT", 5);
			used += 5;
			text += len;
		} else {
			out[used++] = *text++;
		}
	}
	if (out)
		out[used] = '\0';
	return out;
}

/* Values written down in the configuration are shown; those of the user's own environment may be
 * secret: they are told apart by a key, or only said to be set. */
static int add_variable(struct fact_list *list, const char *var, size_t name_len, bool shown,
			const struct digest_key *secret, const char *text, const char *root)
{
	char *name = strndup(var, name_len), digest[DIGEST_KEYED_SIZE] = "set";
	char *value = without_root(text, root);
	int status = CG_ENOMEM;

	if (name && value && secret)
		digest_keyed(secret, name, value, digest);
	if (name && value)
		status = set_named(list, "env", name, shown ? value : digest);
	free(name);
	free(value);
	return status;
}

/* Without the library that freezes, which comes first. */
static const char *asked_value(const struct run_result *result, const char *var, size_t name_len)
{
	const char *value = var + name_len + 1;

	if (result->freeze_library && !strncmp(var, "LD_PRELOAD=", 11)) {
		value += strcspn(value, ":");
		value += *value == ':';
	}
	return value;
}

/* What is passed by name one by one, our own recipe as a hash. */
static int add_variables(struct fact_list *list, const struct run_request *request,
			 const struct run_result *result, const char *root)
{
	uint64_t recipe = HASH_BEGIN;
	char text[32];
	int status = CG_OK;

	for (size_t i = 0; status == CG_OK && i < result->nenvironment; i++) {
		const char *var = result->environment[i];
		size_t name = strcspn(var, "=");
		bool shown = false;
		if (was_asked_for(request, var, name, &shown))
			status = add_variable(list, var, name, shown, request->secret,
					      asked_value(result, var, name), root);
		else if (!strncmp(var, "PATH=", 5))
			status = set_number_fact(list, "path_bytes", strlen(var + 5));
		else if (strncmp(var, "GLIBC_TUNABLES=", 15) &&
			 strncmp(var, "PYTHONPYCACHEPREFIX=", 20) && /* only with warm_up */
			 strncmp(var, "LD_LIBRARY_PATH=", 16) &&     /* only of stripped copies */
			 strncmp(var, "LD_PRELOAD=", 11) &&          /* both only with freeze */
			 strncmp(var, "IRDIFF_FROZEN=", 14))
			recipe = hash_bytes(recipe, var, strlen(var) + 1);
	}
	if (status)
		return status;
	snprintf(text, sizeof text, "%016llx", (unsigned long long)recipe);
	return fact_list_set(list, "recipe", text);
}

static int add_output(struct fact_list *list, const struct run_result *result)
{
	struct stat st;
	char text[48];

	if (!result->stdout_path || stat(result->stdout_path, &st))
		return CG_OK;
	snprintf(text, sizeof text, "file, blocks of %ld", (long)st.st_blksize);
	return fact_list_set(list, "stdout", text);
}

/* Set only if it is too low to be what process.h promises. */
static int add_resource_limit(struct fact_list *list, const char *key, int which, rlim_t promised)
{
	struct rlimit limit;

	if (getrlimit(which, &limit) || limit.rlim_max >= promised)
		return CG_OK;
	return set_number_fact(list, key, limit.rlim_max);
}

/* What a program can see of the machine, and no remedy hides. */
/* What is traced is told of one CPU, number 0. */
static int add_machine(struct fact_list *list, const struct run_result *result)
{
	bool traced = !strcmp(result->workspace, "traced");
	long cpus = traced ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
	int first = traced ? 0 : process_first_cpu(), status = CG_OK;

	if (cpus > 0)
		status = set_number_fact(list, "cpus", (uint64_t)cpus);
	if (status == CG_OK && first < 0)
		status = fact_list_set(list, "affinity", "not pinned");
	else if (status == CG_OK && first > 0)
		status = set_number_fact(list, "affinity", (uint64_t)first);
	if (status == CG_OK)
		status = add_resource_limit(list, "nofile", RLIMIT_NOFILE, PROCESS_FILES);
	return status == CG_OK ? add_resource_limit(list, "stack", RLIMIT_STACK, PROCESS_STACK)
			       : status;
}

/* By which library, too: its instructions are counted. */
static int add_freeze(struct fact_list *list, const struct run_request *request,
		      const struct run_result *result)
{
	char names[FREEZE_TEXT], id[160];
	int status = fact_list_set(list, "freeze",
				   request->freeze ? freeze_names(request->freeze, ", ", names)
						   : "none");

	if (status == CG_OK && result->freeze_library &&
	    identify_object(result->freeze_library, id, sizeof id))
		status = fact_list_set(list, "freeze_library", id);
	return status;
}

/* What the counts are the sum of: only where it is not one program, all threads together. */
static int add_division(struct fact_list *list, const struct run_request *request)
{
	static const char *const words[] = { RUN_PROCESSES_NAMES(RUN_COMMA, RUN_COMMA) };
	int status = CG_OK;

	if (request->processes != RUN_PROCESSES_FORKED)
		status = fact_list_set(list, "processes", words[request->processes]);
	if (status == CG_OK && request->each_thread)
		status = fact_list_set(list, "threads", "each");
	return status;
}

static int add_cpu(struct fact_list *list, const struct run_result *result)
{
	char *cpu = result->hwcaps ? guest_cpu(result->hwcaps) : NULL;
	int status = cpu ? fact_list_set(list, "cpu", cpu) : result->hwcaps ? CG_ENOMEM : CG_OK;

	free(cpu);
	return status;
}

static int add_environment_facts(struct fact_list *list, const struct run_request *request,
				 const struct run_result *result, const char *root)
{
	struct utsname machine;
	const char *tunables = result->tunables && *result->tunables ? result->tunables
			       : result->static_image                ? "not pinned: static program"
								     : "not pinned";
	int status;

	if ((status = fact_list_set(list, "valgrind", result->valgrind_version)) ||
	    (status = fact_list_set(list, "valgrind_flavour",
				    result->codspeed ? "codspeed" : "stock")) ||
	    (status = fact_list_set(list, "options", result->options)) ||
	    (status = set_number_fact(list, "depth", result->depth)) ||
	    (status = set_number_fact(list, "recursion", request->recursion)) ||
	    (status = fact_list_set(list, "tunables", tunables)) ||
	    (status = fact_list_set(list, "workspace", result->workspace)) ||
	    (status = add_division(list, request)) ||
	    (status = add_freeze(list, request, result)) ||
	    (status = fact_list_set(list, "warm_up", request->warm_up ? "yes" : "no")) ||
	    (status = fact_list_set(list, "in_place", request->in_place ? "yes" : "no")) ||
	    (status = add_machine(list, result)))
		return status;
	if ((status = add_cpu(list, result)))
		return status;
	if (!uname(&machine) && (status = fact_list_set(list, "arch", machine.machine)))
		return status;
	if ((status = add_libc(list, result)) || (status = add_output(list, result)))
		return status;
	return add_variables(list, request, result, root);
}

/* ---- subject --------------------------------------------------------------- */

/* As one would type it into a shell. */
static char *quote_command(const char *const *argv)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_@%+=:,./-";
	size_t size = 1;

	for (const char *const *arg = argv; *arg; arg++)
		for (const char *p = *arg;; p++) {
			size += *p == '\'' ? 4 : *p ? 1 : 3; /* '\'' or quotes and space */
			if (!*p)
				break;
		}
	char *text = malloc(size), *out = text;
	for (const char *const *arg = argv; text && *arg; arg++) {
		bool quoted = !**arg || (*arg)[strspn(*arg, bare)];
		if (arg != argv)
			*out++ = ' ';
		if (quoted)
			*out++ = '\'';
		for (const char *p = *arg; *p; p++) {
			if (*p == '\'') {
				memcpy(out, "'\\''", 4);
				out += 4;
			} else {
				*out++ = *p;
			}
		}
		if (quoted)
			*out++ = '\'';
	}
	if (text)
		*out = '\0';
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
	return is_libc(name) || is_ld_so(name);
}

/* Which compilers and flags: of the image, and of what else the project has built. */
static int add_producers(struct fact_list *list, const char *path, const char *name)
{
	char *text;

	if (cg_producers(path, &text))
		return CG_ENOMEM;
	int status = !text  ? CG_OK
		     : name ? set_named(list, "built", name, text)
			    : fact_list_set(list, "built", text);
	free(text);
	return status;
}

static int add_image(struct fact_list *list, const char *path, const char *root)
{
	char id[160];
	struct image image;
	int status = fact_list_set(list, "image", relative_to_root(path, root));

	if (status == CG_OK && identify_object(path, id, sizeof id))
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
			 identify_object(path, id, sizeof id))
			status = set_named(list, "object", name, id);
		if (status == CG_OK && i > 0 && relative_to_root(path, root) != path)
			status = add_producers(list, path, name);
	}
	return status;
}

/* What glibc calls itself, which tells people more than its build-id: "Debian GLIBC
 * 2.36-9+deb12u10", or "glibc 2.36". NULL: it does not say, or no memory. */
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
		char *version = is_libc(cg_base_name(result->objects[i]))
					? libc_version(result->objects[i])
					: NULL;
		int status = version ? fact_list_set(list, "libc_version", version) : CG_OK;
		free(version);
		if (version)
			return status;
	}
	return CG_OK;
}

/* The user's environment without what would point git elsewhere. */
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

/* Nothing if there is no git or no repository; only CG_ENOMEM is a failure. */
static int add_commit(struct fact_list *list, const char *root, struct interrupts *interrupts)
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

/* Which of several processes was counted is a choice that others could make
 * differently, and how many are added up is the program's: whoever compares should know. */
static int add_processes(struct fact_list *list, const struct run_result *result)
{
	size_t count = run_candidates(result), counted = run_counted(result);
	char text[48];

	if (count < 2 || result->ncases)
		return CG_OK;
	snprintf(text, sizeof text, "%zu of %zu", counted, count);
	return fact_list_set(list, "processes", text);
}

/* It changes whenever libraries are installed, and moves too little to be what makes counts comparable. */
static int add_loader_cache(struct fact_list *list, const struct run_result *result)
{
	char digest[40];

	if (*result->loader_cache)
		return fact_list_set(list, "loader_cache", result->loader_cache);
	return fingerprint_of_file(LOADER_CACHE, digest, sizeof digest)
		       ? fact_list_set(list, "loader_cache", digest)
		       : CG_OK;
}

static int add_subject(struct fact_list *list, const struct run_request *request,
		       const struct run_result *result, const char *root)
{
	struct utsname machine;
	char *command = quote_command(request->argv);
	int status = command ? fact_list_set(list, "command", command) : CG_ENOMEM;

	free(command);
	if (status)
		return status;
	if ((status = fact_list_set(list, "program", relative_to_root(result->program, root))) ||
	    (status = add_objects(list, result, root)) ||
	    (status = add_libc_version(list, result)) || (status = add_processes(list, result)) ||
	    (result->threads && (status = set_number_fact(list, "threads", result->threads))))
		return status;
	if (request->function && (status = fact_list_set(list, "function", request->function)))
		return status;
	if (result->integration &&
	    (status = fact_list_set(list, "integration", result->integration)))
		return status;
	for (size_t i = 0; i < result->nmappings; i++)
		if (result->mappings[i].stripped &&
		    (status = set_named(list, "stripped", cg_base_name(result->mappings[i].real),
					relative_to_root(result->mappings[i].real, root))))
			return status;
	/* What is traced is told of another one. */
	if (strcmp(result->workspace, "traced") && !uname(&machine) &&
	    (status = fact_list_set(list, "kernel", machine.release)))
		return status;
	return fact_list_set(list, "user", geteuid() == 0 ? "root" : "another");
}

int fingerprint_collect(const struct run_request *request, const struct run_result *result,
			struct interrupts *interrupts, struct fingerprint *fingerprint,
			struct cg_error *err)
{
	struct fingerprint made = { 0 };

	if (!result->valgrind_version || !result->options || !result->program)
		return cg_fail(err, CG_EINVAL, NULL, 0, "no run to take a fingerprint of");
	const char *at = request->root ? request->root : request->cwd ? request->cwd : ".";
	char *root = realpath(at, NULL);
	int status = add_environment_facts(&made.environment, request, result, root);
	if (status == CG_OK)
		status = add_subject(&made.subject, request, result, root);
	if (status == CG_OK && fact_list_get(&made.environment, "ld.so"))
		status = add_loader_cache(&made.subject, result);
	if (status == CG_OK && root)
		status = add_commit(&made.subject, root, interrupts);
	free(root);

	if (status) {
		fingerprint_free(&made);
		return cg_fail_nomem(err); /* nothing else can fail */
	}
	*fingerprint = made;
	return CG_OK;
}
