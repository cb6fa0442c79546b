#include "src/run/hermetic.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/run/process.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* Copying with `rep movsb` (ERMS) counts one instruction per byte. */
#define THRESHOLD "0x10000000"
#define TUNABLES \
	"glibc.cpu.x86_rep_movsb_threshold=" THRESHOLD \
	":glibc.cpu.x86_rep_stosb_threshold=" THRESHOLD ":glibc.cpu.hwcaps=-ERMS"

static size_t find_variable(const struct environment *environment, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < environment->count; i++)
		if (!strncmp(environment->vars[i], name, len) && environment->vars[i][len] == '=')
			break;
	return i;
}

int environment_set(struct environment *environment, const char *name, const char *value,
		    struct cg_error *err)
{
	char *var;

	if (!*name || strchr(name, '='))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "not a name of an environment variable: \"%.200s\"", name);
	if (cg_grow(&environment->vars, &environment->cap, environment->count + 2,
		    sizeof *environment->vars) ||
	    asprintf(&var, "%s=%s", name, value) < 0)
		return cg_fail_nomem(err);

	size_t i = find_variable(environment, name, strlen(name));
	if (i < environment->count) {
		free(environment->vars[i]);
		environment->vars[i] = var;
	} else {
		environment->vars[environment->count++] = var;
		environment->vars[environment->count] = NULL;
	}
	return CG_OK;
}

const char *environment_get(const struct environment *environment, const char *name)
{
	size_t len = strlen(name);
	size_t i = find_variable(environment, name, len);

	return i < environment->count ? environment->vars[i] + len + 1 : NULL;
}

void environment_free(struct environment *environment)
{
	for (size_t i = 0; i < environment->count; i++)
		free(environment->vars[i]);
	free(environment->vars);
	*environment = (struct environment){ 0 };
}

/* Whether `list`, a PATH of `used` bytes, has the entry. */
static bool has_entry(const char *list, size_t used, const char *entry, size_t len)
{
	const char *end = list + used;

	while (list < end) {
		const char *colon = memchr(list, ':', (size_t)(end - list));
		size_t n = (size_t)((colon ? colon : end) - list);
		if (n == len && !memcmp(list, entry, len))
			return true;
		list += n + 1;
	}
	return false;
}

char *hermetic_path(const char *path)
{
	size_t size = path ? strlen(path) : 0;
	char *out = malloc(size + sizeof DEFAULT_PATH);
	size_t used = 0;

	if (!out)
		return NULL;
	for (const char *entry = path ? path : ""; *entry;) {
		size_t len = strcspn(entry, ":");
		size_t next = len + (entry[len] == ':');
		while (len > 1 && entry[len - 1] == '/')
			len--;
		if (len && *entry == '/' && !has_entry(out, used, entry, len)) {
			if (used)
				out[used++] = ':';
			memcpy(out + used, entry, len);
			used += len;
		}
		entry += next;
	}
	if (!used) {
		used = sizeof DEFAULT_PATH - 1;
		memcpy(out, DEFAULT_PATH, used);
	}
	out[used] = '\0';
	return out;
}

char *hermetic_padded_path(const char *path)
{
	char *plain = hermetic_path(path);
	if (!plain)
		return NULL;

	size_t len = strlen(plain);
	size_t padded = (len + HERMETIC_PATH_STEP - 1) / HERMETIC_PATH_STEP * HERMETIC_PATH_STEP;
	char *out = realloc(plain, padded + 1);
	if (!out) {
		free(plain);
		return NULL;
	}
	memset(out + len, '/', padded - len);
	out[padded] = '\0';
	return out;
}

static int pass_variable(struct environment *environment, const char *text, struct cg_error *err)
{
	const char *equals = strchr(text, '=');
	if (!equals) {
		const char *value = getenv(text);
		return value ? environment_set(environment, text, value, err) : CG_OK;
	}

	char *name = strndup(text, (size_t)(equals - text));
	if (!name)
		return cg_fail_nomem(err);
	int status = environment_set(environment, name, equals + 1, err);
	free(name);
	return status;
}

int hermetic_environment(const char *const *pass, const char *path, const char *tunables,
			 struct environment *environment, struct cg_error *err)
{
	static const char *const recipe[][2] = {
		{ "HOME", "/nonexistent" },
		{ "LANG", "C" },
		{ "LC_ALL", "C" },
		{ "TZ", "UTC0" },
		{ "PYTHONHASHSEED", "0" },
		{ "PYTHONDONTWRITEBYTECODE", "1" },
		{ "PERL_HASH_SEED", "0" },
		{ "PERL_PERTURB_KEYS", "0" },
		{ "MALLOC_ARENA_MAX", "1" },
		{ "OMP_NUM_THREADS", "1" },
		{ "GIT_CONFIG_NOSYSTEM", "1" },
		{ "GIT_CONFIG_GLOBAL", "/dev/null" },
	};
	struct environment made = { 0 };
	char *padded = hermetic_padded_path(path);
	int status = padded ? environment_set(&made, "PATH", padded, err) : cg_fail_nomem(err);

	free(padded);
	for (size_t i = 0; status == CG_OK && i < sizeof recipe / sizeof recipe[0]; i++)
		status = environment_set(&made, recipe[i][0], recipe[i][1], err);
	if (status == CG_OK && *tunables)
		status = environment_set(&made, "GLIBC_TUNABLES", tunables, err);
	for (; status == CG_OK && pass && *pass; pass++)
		status = pass_variable(&made, *pass, err);

	if (status)
		environment_free(&made);
	else
		*environment = made;
	return status;
}

/* Whether ld.so, given this value, reports that it accepted the threshold. */
static int takes_effect(const char *ld_so, const char *value, struct interrupts *interrupts,
			bool *takes, struct cg_error *err)
{
	static const char wanted[] = "glibc.cpu.x86_rep_movsb_threshold: " THRESHOLD " ";
	const char *argv[] = { ld_so, "--list-tunables", NULL };
	const char *envp[] = { NULL, NULL };
	char *var, *output;

	if (asprintf(&var, "GLIBC_TUNABLES=%s", value) < 0)
		return cg_fail_nomem(err);
	envp[0] = var;
	/* An ld.so without this option (musl, glibc before 2.33) fails; then the value has no
	 * effect. */
	*takes = process_output(ld_so, argv, envp, "/", interrupts, &output, NULL) == CG_OK;
	if (*takes) {
		*takes = strstr(output, wanted);
		free(output);
	}
	free(var);
	return CG_OK;
}

int hermetic_tunables(const char *ld_so, struct interrupts *interrupts, char **tunables,
		      struct cg_error *err)
{
	/* glibc 2.36 reads past the end of a last hwcaps= without a colon after
	 * it; 2.41 refuses everything because of that colon. So: with, then without. */
	static const char *const forms[] = { TUNABLES ":", TUNABLES };
	const char *found = "";

	for (size_t i = 0; ld_so && !*found && i < sizeof forms / sizeof forms[0]; i++) {
		bool takes = false;
		int status = takes_effect(ld_so, forms[i], interrupts, &takes, err);
		if (status)
			return status;
		if (takes)
			found = forms[i];
	}
	char *copy = strdup(found);
	if (!copy)
		return cg_fail_nomem(err);
	*tunables = copy;
	return CG_OK;
}
