#include "src/measure/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/config/commented_benchmark.h"
#include "src/run/cases.h"
#include "src/text/shell.h"
#include "src/text/suggest.h"

void plan_free(struct plan *p)
{
	for (size_t i = 0; i < p->nassignments; i++)
		free(p->assignments[i]);
	free(p->assignments);
	free(p->argv);
	free(p->env);
	*p = (struct plan){ 0 };
}

/* Keeps the list NULL-terminated. */
static int append_to_list(const char ***list, size_t *count, size_t *cap, const char *text,
			  struct cg_error *err)
{
	if (cg_grow(list, cap, *count + 2, sizeof **list))
		return cg_fail_nomem(err);
	(*list)[(*count)++] = text;
	(*list)[*count] = NULL;
	return CG_OK;
}

int plan_add_argument(struct plan *p, const char *word, struct cg_error *err)
{
	return append_to_list(&p->argv, &p->nargs, &p->args_cap, word, err);
}

int plan_add_variable(struct plan *p, const char *variable, struct cg_error *err)
{
	return append_to_list(&p->env, &p->nenv, &p->env_cap, variable, err);
}

static int add_env(struct plan *p, const struct config_env *env, struct cg_error *err)
{
	if (!env->value)
		return plan_add_variable(p, env->name, err);

	char *text;
	if (cg_grow(&p->assignments, &p->assignments_cap, p->nassignments + 1,
		    sizeof *p->assignments) ||
	    asprintf(&text, "%s=%s", env->name, env->value) < 0)
		return cg_fail_nomem(err);
	p->assignments[p->nassignments++] = text;
	return plan_add_variable(p, text, err);
}

int plan_benchmark(struct plan *p, const struct config_benchmark *b, struct run_request *r,
		   struct cg_error *err)
{
	int status = CG_OK;
	for (size_t i = 0; !status && i < b->command.argc; i++)
		status = plan_add_argument(p, b->command.argv[i], err);
	for (size_t i = 0; !status && i < b->env_count; i++)
		status = add_env(p, &b->env[i], err);
	r->argv = p->argv;
	r->env = p->env;
	r->cwd = b->cwd.text;
	r->function = b->root.text;
	r->image = b->image;
	r->timeout = b->timeout;
	if (b->depth >= 0)
		r->depth = (unsigned)b->depth;
	r->warm_up = b->warm_up;
	r->presets = !b->no_presets;
	if (b->cases)
		cases_parse(b->cases, &r->cases);
	if (b->processes)
		processes_parse(b->processes, &r->processes);
	r->each_thread = b->threads && strcmp(b->threads, "each") == 0;
	r->freeze = b->freeze;
	r->count = b->count;
	r->cache_sim = !b->no_caches;
	r->signals = b->signals;
	return status;
}

int no_benchmark(const struct config *c, const char *name, struct cg_error *err)
{
	if (!c && !*name)
		return cg_fail(err, CG_EINVAL, NULL, 0, "no %s found; 'irdiff init' writes one",
			       CONFIG_NAME);
	if (!c)
		return cg_fail(err, CG_EINVAL, NULL, 0, "unknown benchmark '%s': no %s found", name,
			       CONFIG_NAME);

	uint64_t line = config_commented_benchmark(c->path, name);
	if (line)
		return cg_fail(
			err, CG_EINVAL, c->path, line,
			"the benchmark '%s' is commented out here; remove the # from its lines",
			name);
	const char **names = calloc(c->benchmark_count + 1, sizeof *names);
	if (!names)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < c->benchmark_count; i++)
		names[i] = c->benchmarks[i].name;
	char *bench = strndup(name, strcspn(name, "/")); /* of "BENCH/CASE" */
	char *known = bench ? suggest_known(bench, names, c->benchmark_count, "in this file")
			    : NULL;
	int status = cg_fail(err, CG_EINVAL, c->path, 0, "unknown benchmark '%s'%s", name,
			     known ? known : "");
	free(known);
	free(bench);
	free(names);
	return status;
}

/* "make -j2", as one types it; allocated, NULL: out of memory. */
static char *format_build(const struct config_command *build)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (size_t i = 0; i < build->argc; i++) {
		fputs(i ? " " : "", to);
		shell_print_word(to, build->argv[i]);
	}
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* Where a benchmark starts is relative to irdiff.yml. Allocated, NULL: out of memory. */
static char *path_of_program(const struct run_request *r, const struct config *config)
{
	const char *program = r->argv[0], *cwd = r->cwd ? r->cwd : ".";
	bool in_cwd = *program != '/', in_project = in_cwd && *cwd != '/';
	char *path;

	return asprintf(&path, "%s%s%s%s%s", in_project ? config->dir : "", in_project ? "/" : "",
			in_cwd ? cwd : "", in_cwd ? "/" : "", program) < 0
		       ? NULL
		       : path;
}

int plan_check_built(const struct run_request *r, const struct config *config,
		     const char *benchmark, const char *subcommand, struct cg_error *err)
{
	const char *program = r->argv[0];

	if (!strchr(program, '/'))
		return CG_OK;
	char *path = path_of_program(r, config);
	if (!path)
		return cg_fail_nomem(err);
	bool missing = access(path, F_OK) != 0 && errno == ENOENT;
	free(path);
	if (!missing)
		return CG_OK;
	if (!config->build.argc)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s: %s does not exist; build it, and add build: to " CONFIG_NAME
			       ", with which irdiff compare and check build",
			       benchmark, program);
	char *command = format_build(&config->build);
	if (!command)
		return cg_fail_nomem(err);
	int status = cg_fail(
		err, CG_EINVAL, NULL, 0,
		"%s: %s does not exist; %s does not build, so run this first, in %s: %s", benchmark,
		program, subcommand, config->dir, command);
	free(command);
	return status;
}
