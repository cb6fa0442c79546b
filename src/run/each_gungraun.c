/* Cases of gungraun: irdiff is its runner. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/session.h"

/* ---- the environment ---- */

/* Whether irdiff.yml sets a variable, or passes it on: "NAME" or "NAME=VALUE". */
static bool is_set_by_user(const struct session *session, const char *name)
{
	const size_t len = strlen(name);

	for (const char *const *env = session->request->env; env && *env; env++)
		if (strncmp(*env, name, len) == 0 && (!(*env)[len] || (*env)[len] == '='))
			return true;
	return false;
}

/* Adds "NAME=VALUE". */
static int add_variable(struct session *session, const char *variable, bool always,
			struct environment *environment)
{
	char *name = strdup(variable), *value = name ? strchr(name, '=') : NULL;
	int status = name ? CG_OK : session_fail_nomem(session);

	if (value) {
		*value++ = '\0';
		if (*name && (always || !is_set_by_user(session, name)))
			status = session_fail_with(
				session, RUN_SYSTEM,
				environment_set(environment, name, value, session->err));
	}
	free(name);
	return status;
}

/* The session's environment, and in it the variables. */
static int make_environment(struct session *session, const struct strings *variables,
			    struct environment *environment)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < session->environment.count; i++)
		status = add_variable(session, session->environment.vars[i], true, environment);
	for (size_t i = 0; !status && i < variables->count; i++)
		status = add_variable(session, variables->items[i], false, environment);
	return status;
}

/* ---- which cases there are ---- */

static int write_runner(struct session *session, const char *path)
{
	FILE *to = fopen(path, "wxe");
	bool written = to && fputs(GUNGRAUN_RUNNER_SCRIPT, to) >= 0 && !fchmod(fileno(to), 0755);

	written = to && fclose(to) == 0 && written;
	return written ? CG_OK
		       : session_fail(session, RUN_SYSTEM, cg_io_status(errno), path,
				      "cannot write: %s", strerror(errno));
}

/* Fills `directory`, which is the caller's, with runners. */
static int make_runners(struct session *session, char **directory)
{
	static const char *const names[] = { GUNGRAUN_RUNNERS };
	char *path = workspace_scratch(&session->workspace, GUNGRAUN_TOLD), *slash;
	int status = path ? CG_OK : session_fail_nomem(session);

	*directory = path;
	if (path && (slash = strrchr(path, '/')))
		*slash = '\0';
	for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++) {
		char *runner;
		if (asprintf(&runner, "%s/%s", path, names[i]) < 0)
			return session_fail_nomem(session);
		status = write_runner(session, runner);
		free(runner);
	}
	return status;
}

static int read_told(struct session *session, const char *directory)
{
	struct gungraun *g = &session->gungraun;
	char *path, *told;
	size_t size;

	if (asprintf(&path, "%s/" GUNGRAUN_TOLD, directory) < 0)
		return session_fail_nomem(session);
	told = session_read_file(path, &size);
	int status = CG_OK;
	if (told)
		status = session_fail_with(session, RUN_BAD_REQUEST,
					   gungraun_read(told, size, g, session->err));
	for (size_t i = 0; !status && i < g->count; i++)
		status = session_fail_with(
			session, RUN_SYSTEM,
			strings_add(&session->cases, g->cases[i].name, session->err));
	free(told);
	free(path);
	return status;
}

/* The runner that is first in PATH is started. */
static int ask_with_runners(struct session *session, const char *directory, struct process_end *end)
{
	const char *path = environment_get(&session->environment, "PATH");
	const struct strings none = { 0 };
	struct environment environment = { 0 };
	char *variable = NULL;
	int status = make_environment(session, &none, &environment);

	if (!status && asprintf(&variable, "PATH=%s:%s", directory, path ? path : "") < 0)
		status = session_fail_nomem(session);
	if (!status)
		status = add_variable(session, variable, true, &environment);
	if (!status)
		status = session_ask_for_cases(session, &environment, end);
	free(variable);
	environment_free(&environment);
	return status;
}

int session_list_gungraun(struct session *session, struct process_end *end)
{
	const char *argument = session->request->argv[1];
	char *directory = NULL;

	if (argument && strcmp(argument, "--bench") != 0)
		return session_fail(session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
				    "with `cases: gungraun` the command has no arguments: %.200s",
				    argument);
	int status = make_runners(session, &directory);
	if (!status)
		status = ask_with_runners(session, directory, end);
	if (!status && !session_has_failed(end))
		status = read_told(session, directory);
	free(directory);
	return status;
}

/* ---- the runs ---- */

/* Runs what sets a group up, or all of them: `what` is "setup" or "teardown". */
static int assist(struct session *session, const struct gungraun_group *group, const char *what,
		  struct process_end *end)
{
	struct environment environment = { 0 };
	struct strings words = { 0 };
	int status = strings_add(&words, session->program, session->err);

	if (!status)
		status = strings_add_all(&words, &group->arguments, session->err);
	if (!status)
		status = strings_add(&words, what, session->err);
	session_fail_with(session, RUN_SYSTEM, status);
	if (!status)
		status = make_environment(session, &group->environment, &environment);
	session->under_valgrind = false;
	if (!status)
		status = session_start(session, session->program, &words,
				       (const char *const *)environment.vars, end);
	environment_free(&environment);
	strings_free(&words);
	return status;
}

/* Whether the first case of its group is to be run; of group 0, the first of all. */
static bool is_first(const struct session *session, bool of_all)
{
	const size_t i = session->run - 1;
	const struct gungraun_case *cases = session->gungraun.cases;

	return i == 0 || (!of_all && cases[i - 1].group != cases[i].group);
}

static bool is_last(const struct session *session, bool of_all)
{
	const size_t i = session->run - 1;
	const struct gungraun_case *cases = session->gungraun.cases;

	return i + 1 == session->gungraun.count ||
	       (!of_all && cases[i + 1].group != cases[i].group);
}

/* Without Valgrind, as far as the case is the first. */
static int set_group_up(struct session *session, const struct gungraun_case *c,
			struct process_end *end)
{
	const struct gungraun_group *groups = session->gungraun.groups;
	int status = CG_OK;

	if (groups[0].setup && is_first(session, true))
		status = assist(session, &groups[0], "setup", end);
	if (!status && !session_has_failed(end) && groups[c->group].setup &&
	    is_first(session, false))
		status = assist(session, &groups[c->group], "setup", end);
	return status;
}

static int tear_group_down(struct session *session, const struct gungraun_case *c,
			   struct process_end *end)
{
	const struct gungraun_group *groups = session->gungraun.groups;
	int status = CG_OK;

	if (groups[c->group].teardown && is_last(session, false))
		status = assist(session, &groups[c->group], "teardown", end);
	if (!status && !session_has_failed(end) && groups[0].teardown && is_last(session, true))
		status = assist(session, &groups[0], "teardown", end);
	return status;
}

int session_enter_gungraun(struct session *session, struct process_end *end)
{
	const struct gungraun_case *c = &session->gungraun.cases[session->run - 1];
	struct environment own = { 0 };
	int status = set_group_up(session, c, end);

	if (!status && c->environment.count)
		status = make_environment(session, &c->environment, &own);
	if (own.count) {
		session->plain = session->environment;
		session->environment = own;
	}
	return status;
}

int session_leave_gungraun(struct session *session, struct process_end *end)
{
	const struct gungraun_case *c = &session->gungraun.cases[session->run - 1];

	if (session->plain.count) {
		environment_free(&session->environment);
		session->environment = session->plain;
		session->plain = (struct environment){ 0 };
	}
	return session_has_failed(end) ? CG_OK : tear_group_down(session, c, end);
}
