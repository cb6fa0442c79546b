/* A benchmark of irdiff.yml as a request to the driver. */
#ifndef IRDIFF_MEASURE_PLAN_H
#define IRDIFF_MEASURE_PLAN_H

#include "src/config/config.h"
#include "src/run/run.h"

/* Lists that a run_request points to. Zero-initialise; what is added is borrowed. */
struct plan {
	const char **argv, **env;
	char **assignments; /* "NAME=VALUE" of irdiff.yml, owned */
	size_t nargs, args_cap, nenv, env_cap, nassignments, assignments_cap;
};

/* Fills the definition of a benchmark in irdiff.yml into an initialised request; both must
 * outlive it. */
int plan_benchmark(struct plan *p, const struct config_benchmark *b, struct run_request *request,
		   struct cg_error *err);

/* Adds a word to the command, or a variable ("NAME" or "NAME=VALUE"). The caller sets the lists in
 * the request again, as they may have moved. */
int plan_add_argument(struct plan *p, const char *word, struct cg_error *err);
int plan_add_variable(struct plan *p, const char *variable, struct cg_error *err);
void plan_free(struct plan *p);

/* Fails with CG_EINVAL if the program of a benchmark does not exist, and says what builds it: the
 * command named `subcommand` measures what is there. */
int plan_check_built(const struct run_request *r, const struct config *config,
		     const char *benchmark, const char *subcommand, struct cg_error *err);

/* Fails with CG_EINVAL: irdiff.yml (NULL: the project has none) has no benchmark of that name.
 * Suggests a similar name. */
int no_benchmark(const struct config *config, const char *name, struct cg_error *err);

#endif
