/*
 * The cases of a run: parts of profiles that a program has had written one by one, by client
 * requests, each with a name.
 *
 * Callgrind ends a part when the program asks for it (CALLGRIND_DUMP_STATS_AT) and writes the name
 * into the line "desc: Trigger: Client Request: NAME". What irdiff.h asks for begins with
 * CASES_PREFIX, so that it is not taken for a dump that means something else.
 */
#ifndef IRDIFF_RUN_CASES_H
#define IRDIFF_RUN_CASES_H

#include "src/run/request.h"
#include "src/run/result.h"

#define CASES_PREFIX "irdiff: " /* as in src/client/irdiff.h */
#define CASES_PREFIX_NOT_BEGUN "irdiff, not begun: "
#define CASES_NOT_ENDED "irdiff, not ended"

/* The name of the case whose end a trigger tells; NULL: it tells none. *begun: its begin was
 * seen. */
const char *case_of_trigger(enum run_cases kind, const char *trigger, bool *begun);

/* "auto", "none", "irdiff", "dumps" or "codspeed", as irdiff.yml has them; false: none of these. */
bool cases_parse(const char *text, enum run_cases *kind);

/* The same for "forked", "one", "each" and "all". */
bool processes_parse(const char *text, enum run_processes *which);

/* Fills cases and integration of a result that has profiles. Parts with one name are one case,
 * whichever process wrote them; a part that never began belongs to no case. */
int cases_find(struct run_result *result, enum run_cases kind, struct cg_error *err);

/* Adds a file, by its index, to a case. CG_OK or CG_ENOMEM. */
int run_case_add_file(struct run_case *c, size_t file, uint64_t collected);

/* The first case that was measured; NULL: none was. */
const struct run_case *cases_first(const struct run_result *result);

/* Whether a process that had ended cases by irdiff.h ended inside another one: nothing is counted
 * between cases. The open case has no name, as it gets its name at its end; it is the one that
 * follows the case `after`, whose name belongs to the result. */
bool cases_one_is_open(const struct run_result *result, const char **after);

/* How many cases had not ended when another one began in the same process. Their names are not
 * known. *after is the case before the first of them, as above; NULL: there was no case before
 * it. */
size_t cases_not_ended(const struct run_result *result, enum run_cases kind, const char **after);

/* Makes each process a case, called like its image, or each thread of the chosen one. */
int cases_of_processes(struct run_result *result, struct cg_error *err);
int cases_of_threads(struct run_result *result, struct cg_error *err);

/* Fills files of a result: with the chosen parts; with these and the parts of all that was forked
 * (family.h); with the parts of all processes. */
int files_of_chosen(struct run_result *result, struct cg_error *err);
int files_of_family(struct run_result *result, struct cg_error *err);
int files_of_all(struct run_result *result, struct cg_error *err);
/* With those of all processes whose programs are below the root, if the chosen one is such a
 * process; else with all. */
int files_of_project(struct run_result *result, const char *root, struct cg_error *err);

#endif
