/* Commands and environments in irdiff.yml. */
#include <string.h>

#include "callgrind/support/text.h"
#include "src/config/command_line.h"
#include "src/config/read.h"

/* ---- commands ---- */

static int new_argv(struct config_reader *r, size_t argc, char ***argv)
{
	char **new = config_pool_alloc(r->pool, argc + 1, sizeof *new);

	if (!new)
		return cg_fail_nomem(r->err);
	*argv = new;
	return CG_OK;
}

static int copy_to_pool(struct config_reader *r, const char *text, char **copy)
{
	*copy = config_pool_text(r->pool, text, strlen(text));
	return *copy ? CG_OK : cg_fail_nomem(r->err);
}

static int command_list(struct config_reader *r, const struct doc_entry *entry,
			struct config_command *command)
{
	size_t n = 0;
	int rc = new_argv(r, entry->value->count, &command->argv);

	for (const struct doc_entry *e = entry->value->first; rc == CG_OK && e; e = e->next) {
		if (e->value->kind != DOC_SCALAR || doc_is_null(e->value))
			return read_mismatch(
				r, e,
				"a word of the command (in quotes if it is empty, ~ or null)");
		rc = copy_to_pool(r, e->value->text, &command->argv[n++]);
	}
	command->argc = n;
	return rc;
}

static int command_words(struct config_reader *r, const struct doc_entry *entry,
			 struct config_command *command)
{
	struct command_line line;
	int rc = command_line_split(entry->value->text, &line, r->err);

	if (rc != CG_OK)
		return read_place(r, entry, rc);
	rc = new_argv(r, line.argc, &command->argv);
	for (size_t i = 0; rc == CG_OK && i < line.argc; i++)
		rc = copy_to_pool(r, line.argv[i], &command->argv[i]);
	command->argc = line.argc;
	command_line_free(&line);
	return rc;
}

static int command_shell(struct config_reader *r, const struct doc_entry *entry,
			 struct config_command *command)
{
	const char *const argv[] = { "/bin/sh", "-c", entry->value->text };
	int rc = new_argv(r, 3, &command->argv);

	for (size_t i = 0; rc == CG_OK && i < 3; i++)
		rc = copy_to_pool(r, argv[i], &command->argv[i]);
	command->argc = 3;
	return rc;
}

int read_command(struct config_reader *r, const struct doc_entry *entry, bool shell,
		 struct config_command *command)
{
	static const char expected[] =
		"a command: text, or a list of words such as [./bench, data.json]";
	struct config_command new = { .shell = shell, .line = entry->line };
	const char *text;
	int rc;

	if (entry->value->kind == DOC_LIST && shell)
		return READ_FAIL(r, entry->line,
				 "'%s': with `shell: true` the command must be text, not a list",
				 entry->key);
	if (entry->value->kind == DOC_LIST) {
		rc = read_expect(r, entry, DOC_LIST, expected);
		if (rc == CG_OK)
			rc = command_list(r, entry, &new);
	} else {
		rc = read_text(r, entry, expected, &text);
		if (rc == CG_OK)
			rc = shell ? command_shell(r, entry, &new) : command_words(r, entry, &new);
	}
	if (rc != CG_OK)
		return rc;
	if (new.argv[0][0] == '\0')
		return READ_FAIL(r, entry->line, "'%s': the first word, the program, is empty",
				 entry->key);
	*command = new;
	return CG_OK;
}

/* ---- environments ---- */

static int check_name(struct config_reader *r, const struct doc_entry *entry, const char *name,
		      size_t len)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
	char quoted[CG_QUOTE_SIZE];

	if (len > 0 && strspn(name, letters) >= len && (*name < '0' || *name > '9'))
		return CG_OK;
	return READ_FAIL(r, entry->line,
			 "%s is not the name of an environment variable (letters, digits and _)",
			 cg_quote(quoted, name, len));
}

/* NAME or NAME=VALUE. */
static int env_text(struct config_reader *r, const struct doc_entry *entry, struct config_env *env)
{
	const char *text;
	int rc = read_text(r, entry, "NAME (to pass a variable on) or NAME=VALUE", &text);
	if (rc != CG_OK)
		return rc;

	size_t len = strcspn(text, "=");
	if ((rc = check_name(r, entry, text, len)) != CG_OK)
		return rc;
	env->name = config_pool_text(r->pool, text, len);
	if (!env->name)
		return cg_fail_nomem(r->err);
	env->value = text[len] == '=' ? text + len + 1 : NULL;
	return CG_OK;
}

/* NAME: VALUE, or NAME: null to pass it on. */
static int env_pair(struct config_reader *r, const struct doc_entry *entry, struct config_env *env)
{
	int rc = check_name(r, entry, entry->key, strlen(entry->key));

	if (rc != CG_OK)
		return rc;
	if (entry->value->kind != DOC_SCALAR)
		return read_mismatch(r, entry,
				     "the value of the variable, or nothing to pass it on");
	env->name = entry->key;
	env->value = doc_is_null(entry->value) ? NULL : entry->value->text;
	return CG_OK;
}

static int check_variable_once(struct config_reader *r, const struct config_env *env, size_t count)
{
	for (size_t i = 0; i + 1 < count; i++)
		if (strcmp(env[i].name, env[count - 1].name) == 0)
			return READ_FAIL(r, env[count - 1].line,
					 "duplicate variable '%.80s', first set in line %llu",
					 env[i].name, (unsigned long long)env[i].line);
	return CG_OK;
}

int read_env(struct config_reader *r, const struct doc_entry *entry, struct config_env **env,
	     size_t *count)
{
	const struct doc_node *node = entry->value;

	if (node->kind == DOC_SCALAR)
		return read_mismatch(r, entry,
				     "a list of NAME or NAME=VALUE, or a map of NAME: VALUE");

	struct config_env *new = config_pool_alloc(r->pool, node->count, sizeof *new);
	size_t n = 0;
	if (!new)
		return cg_fail_nomem(r->err);
	for (const struct doc_entry *e = node->first; e; e = e->next) {
		int rc = node->kind == DOC_MAP ? env_pair(r, e, &new[n]) : env_text(r, e, &new[n]);
		if (rc != CG_OK)
			return rc;
		new[n++].line = e->line;
		if ((rc = check_variable_once(r, new, n)) != CG_OK)
			return rc;
	}
	*env = new;
	*count = n;
	return CG_OK;
}
