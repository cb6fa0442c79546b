/* What must be equal for two counts to be comparable. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cgprofile/names.h"
#include "src/run/binding.h"
#include "src/run/fingerprint_parts.h"
#include "src/run/freeze.h"
#include "src/run/guest_cpu.h"
#include "src/run/presets.h"
#include "src/run/process.h"
#include "src/run/setting_names.h"

static int add_libc(struct fact_list *list, const struct run_result *result)
{
	char id[160];
	int status = CG_OK;

	for (size_t i = 1; status == CG_OK && i < result->nobjects; i++) {
		const char *name = cg_base_name(result->objects[i]);
		const char *key = fingerprint_is_libc(name)    ? "libc"
				  : fingerprint_is_ld_so(name) ? "ld.so"
							       : NULL;
		if (key && fingerprint_of_object(result->objects[i], id, sizeof id))
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

/* Values written in the configuration are shown; those of the user's environment may be secret:
 * they appear as keyed digests, or only as being set. */
static int add_passed_variable(struct fact_list *list, const char *var, size_t name_len, bool shown,
			       const struct digest_key *secret, const char *text, const char *root)
{
	char *name = strndup(var, name_len), digest[DIGEST_KEYED_SIZE] = "set";
	char *value = without_root(text, root);
	int status = CG_ENOMEM;

	if (name && value && secret)
		digest_keyed(secret, name, value, digest);
	if (name && value)
		status = fact_list_set_named(list, "env", name, shown ? value : digest);
	free(name);
	free(value);
	return status;
}

/* The value without the freezing library, which comes first in LD_PRELOAD. */
static const char *asked_value(const struct run_result *result, const char *var, size_t name_len)
{
	const char *value = var + name_len + 1;

	if (result->freeze_library && !strncmp(var, "LD_PRELOAD=", 11)) {
		value += strcspn(value, ":");
		value += *value == ':';
	}
	return value;
}

/* Adds variables that the user passes by name one by one, and our own recipe as a hash. */
static int add_passed_variables(struct fact_list *list, const struct run_request *request,
				const struct run_result *result, const char *root)
{
	uint64_t recipe = FINGERPRINT_HASH_BEGIN;
	char text[32];
	int status = CG_OK;

	for (size_t i = 0; status == CG_OK && i < result->nenvironment; i++) {
		const char *var = result->environment[i];
		size_t name = strcspn(var, "=");
		bool shown = false;
		if (was_asked_for(request, var, name, &shown))
			status = add_passed_variable(list, var, name, shown, request->secret,
						     asked_value(result, var, name), root);
		else if (!strncmp(var, "PATH=", 5))
			status = fact_list_set_number(list, "path_bytes", strlen(var + 5));
		else if (strncmp(var, "GLIBC_TUNABLES=", 15) &&
			 !(result->preset && preset_sets(result->preset, var)) &&
			 strncmp(var, "PYTHONPYCACHEPREFIX=", 20) && /* only with warm_up */
			 strncmp(var, BINDING_VARIABLE "=", sizeof BINDING_VARIABLE) &&
			 strncmp(var, "LD_LIBRARY_PATH=", 16) && /* only of stripped copies */
			 strncmp(var, "LD_PRELOAD=", 11) &&      /* both only with freeze */
			 strncmp(var, "IRDIFF_FROZEN=", 14))
			recipe = fingerprint_hash(recipe, var, strlen(var) + 1);
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

/* Adds a limit only if it is lower than what process.h promises. */
static int add_resource_limit(struct fact_list *list, const char *key, int which, rlim_t promised)
{
	struct rlimit limit;

	if (getrlimit(which, &limit) || limit.rlim_max >= promised)
		return CG_OK;
	return fact_list_set_number(list, key, limit.rlim_max);
}

/* Adds what a program sees of the machine and irdiff cannot hide. A traced program sees one CPU,
 * number 0. */
static int add_machine(struct fact_list *list, const struct run_result *result)
{
	bool traced = !strcmp(result->workspace, "traced");
	long cpus = traced ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
	int first = traced ? 0 : process_first_cpu(), status = CG_OK;

	if (cpus > 0)
		status = fact_list_set_number(list, "cpus", (uint64_t)cpus);
	if (status == CG_OK && first < 0)
		status = fact_list_set(list, "affinity", "not pinned");
	else if (status == CG_OK && first > 0)
		status = fact_list_set_number(list, "affinity", (uint64_t)first);
	if (status == CG_OK)
		status = add_resource_limit(list, "nofile", RLIMIT_NOFILE, PROCESS_FILES);
	return status == CG_OK ? add_resource_limit(list, "stack", RLIMIT_STACK, PROCESS_STACK)
			       : status;
}

/* Adds the build-id of the freezing library too, as its instructions are counted. */
static int add_freeze(struct fact_list *list, const struct run_result *result)
{
	char names[FREEZE_TEXT], id[160];
	int status = fact_list_set(list, "freeze",
				   result->frozen ? freeze_names(result->frozen, ", ", names)
						  : "none");

	if (status == CG_OK && result->freeze_library &&
	    fingerprint_of_object(result->freeze_library, id, sizeof id))
		status = fact_list_set(list, "freeze_library", id);
	return status;
}

/* Adds which processes and threads were counted, if it is not one program with all its threads. */
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

int fingerprint_add_environment(struct fact_list *list, const struct run_request *request,
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
	    (status = fact_list_set_number(list, "depth", result->depth)) ||
	    (status = fact_list_set_number(list, "recursion", result->recursion)) ||
	    (status = fact_list_set(list, "tunables", tunables)) ||
	    (status = fact_list_set(list, "workspace", result->workspace)) ||
	    (status = add_division(list, request)) ||
	    (result->preset_text &&
	     (status = fact_list_set(list, "preset", result->preset_text))) ||
	    (result->bound_at_start && (status = fact_list_set(list, "binding", "at the start"))) ||
	    (status = add_freeze(list, result)) ||
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
	return add_passed_variables(list, request, result, root);
}
