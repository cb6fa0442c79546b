#include "src/commits/key_text.h"

#include <stdlib.h>
#include <string.h>

#include "src/run/count.h"
#include "src/run/fingerprint.h"
#include "src/run/freeze.h"
#include "src/run/signals.h"

void key_put(FILE *to, const char *name, const char *value)
{
	fprintf(to, "%s: ", name);
	for (; *value; value++) {
		if (*value == '\n' || *value == '\\')
			fprintf(to, "\\%c", *value == '\n' ? 'n' : '\\');
		else
			fputc(*value, to);
	}
	fputc('\n', to);
}

void key_put_number(FILE *to, const char *name, unsigned long long value)
{
	fprintf(to, "%s: %llu\n", name, value);
}

int key_finish(FILE *to, char **buffer, char **text, struct cg_error *err)
{
	bool failed = ferror(to);
	if (fclose(to) == 0 && !failed) {
		*text = *buffer;
		return CG_OK;
	}
	free(*buffer);
	return cg_fail_nomem(err);
}

bool key_is_of_builds(const char *name)
{
	static const char *const variables[] = {
		"AR",
		"AS",
		"CC",
		"CFLAGS",
		"CPPFLAGS",
		"CPATH",
		"C_INCLUDE_PATH",
		"CPLUS_INCLUDE_PATH",
		"CXX",
		"CXXFLAGS",
		"LD",
		"LDFLAGS",
		"LIBRARY_PATH",
		"LD_LIBRARY_PATH",
		"RUSTFLAGS",
		"RUSTC",
		"RUSTUP_TOOLCHAIN",
		"CARGO_PROFILE_RELEASE_DEBUG",
		"GOFLAGS",
		"CMAKE_PREFIX_PATH",
		"PKG_CONFIG_PATH",
		"SOURCE_DATE_EPOCH",
		"CMAKE_BUILD_TYPE",
	};

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		if (strcmp(name, variables[i]) == 0)
			return true;
	return false;
}

void key_put_private(const struct digest_key *secret, FILE *to, const char *name, const char *value)
{
	char line[300], digest[DIGEST_KEYED_SIZE];

	snprintf(line, sizeof line, "env %s", name);
	digest_keyed(secret, name, value, digest);
	key_put(to, line, digest);
}

void key_put_words(FILE *to, const char *name, const struct config_command *command)
{
	for (size_t i = 0; i < command->argc; i++)
		key_put(to, name, command->argv[i]);
}

static void put_config_text(FILE *to, const char *name, const struct config_text *text)
{
	if (text->text)
		key_put(to, name, text->text);
}

/* A value in irdiff.yml is not secret, but one that is passed through may be. Without a secret,
 * the key records only that the variable is passed through. */
static void put_env(FILE *to, const struct config_env *env, const struct digest_key *secret)
{
	char name[300];
	const char *value = env->value ? env->value : getenv(env->name);

	snprintf(name, sizeof name, "env %s", env->name);
	if (env->value)
		key_put(to, name, value);
	else if (!secret)
		key_put(to, name, "(passed through)");
	else if (!value)
		key_put(to, name, "(not set)");
	else if (key_is_of_builds(env->name))
		key_put(to, name, "(of the environment)"); /* put_build_environment has it */
	else
		key_put_private(secret, to, env->name, value);
}

void key_put_benchmark(FILE *to, const struct config_benchmark *b, const struct digest_key *secret)
{
	char names[FREEZE_TEXT > COUNT_TEXT ? FREEZE_TEXT : COUNT_TEXT];

	key_put_words(to, "command", &b->command);
	put_config_text(to, "root", &b->root);
	put_config_text(to, "cwd", &b->cwd);
	for (size_t i = 0; i < b->env_count; i++)
		put_env(to, &b->env[i], secret);
	if (b->depth >= 0)
		key_put_number(to, "depth", (unsigned long long)b->depth);
	key_put_number(to, "warm_up", b->warm_up);
	if (b->no_caches)
		key_put(to, "cache_sim", "no");
	/* A default that is written out does not start another history. */
	if (b->cases && strcmp(b->cases, "auto") != 0)
		key_put(to, "cases", b->cases);
	if (b->image)
		key_put(to, "image", b->image);
	if (b->processes && strcmp(b->processes, "forked") != 0)
		key_put(to, "processes", b->processes);
	if (b->threads && strcmp(b->threads, "together") != 0)
		key_put(to, "threads", b->threads);
	for (int n = 1; n < 64; n++)
		if (signal_is_in(b->signals, n))
			key_put_number(to, "signal", (unsigned long long)n);
	if (b->no_presets)
		key_put(to, "presets", "no");
	if (b->freeze)
		key_put(to, "freeze", freeze_names(b->freeze, ",", names));
	if (b->count)
		key_put(to, "count", kind_names(count_kinds, b->count, ",", names, sizeof names));
}

int definition_of(const struct config_benchmark *benchmark, char digest[HISTORY_DIGEST],
		  struct cg_error *err)
{
	char *buffer, *text;
	size_t size;
	FILE *to = open_memstream(&buffer, &size);

	if (!to)
		return cg_fail_nomem(err);
	key_put_benchmark(to, benchmark, NULL);
	int status = key_finish(to, &buffer, &text, err);
	if (status)
		return status;
	history_digest(text, digest);
	free(text);
	return CG_OK;
}
