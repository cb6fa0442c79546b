/* What a benchmark of irdiff.yml means for the driver. */
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

/* Fills what irdiff.yml says of a benchmark into an initialised request; both must outlive it. */
int plan_benchmark(struct plan *p, const struct config_benchmark *b, struct run_request *request,
		   struct cg_error *err);

/* One more word of the command, or one more variable ("NAME" or "NAME=VALUE"): the lists in the
 * request are to be set again. */
int plan_add_argument(struct plan *p, const char *word, struct cg_error *err);
int plan_add_variable(struct plan *p, const char *variable, struct cg_error *err);
void plan_free(struct plan *p);

/* CG_EINVAL: irdiff.yml (NULL: there is none) has no benchmark of that name, but maybe a similar
 * one. */
int no_benchmark(const struct config *config, const char *name, struct cg_error *err);

#endif
