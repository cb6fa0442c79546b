/*
 * One call of run_benchmark() while it lasts. run.c holds the order of its
 * steps; each other file here is one step. Private to these files.
 */
#ifndef IRDIFF_RUN_SESSION_H
#define IRDIFF_RUN_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cgprofile/error.h"
#include "src/run/choose.h"
#include "src/run/collect.h"
#include "src/run/command.h"
#include "src/run/gungraun.h"
#include "src/run/hermetic.h"
#include "src/run/interrupt.h"
#include "src/run/process.h"
#include "src/run/request.h"
#include "src/run/result.h"
#include "src/run/strings.h"
#include "src/run/valgrind.h"
#include "src/run/workspace.h"

struct session {
	const struct run_request *request;
	struct run_result *result;
	struct cg_error *err;
	struct interrupts interrupts;
	struct valgrind valgrind;
	struct found_command command;
	enum workspace_kind kind; /* of the workspace that is wanted */
	bool names_javascript;    /* V8 describes its functions (v8.h) */
	bool refused; /* programs cannot be traced here: the run did not go as planned */
	struct workspace workspace;
	struct environment environment;
	struct environment plain; /* the same while a case has an environment of its own; empty */
	struct collection collection;
	struct process_list over; /* of the last run */
	struct strings arguments; /* Valgrind's and the command's */
	char *path;               /* the user's PATH, normalised */
	char *root, *cwd;         /* canonical host paths */
	char *workdir;
	char *outdir;   /* where the files of the present run are: workdir, or below … */
	char below[16]; /* … "/00001"; "" */
	const struct harness *harness; /* that has a run for each case; NULL */
	struct strings cases;          /* of the harness, by name */
	struct gungraun gungraun;      /* the same if the harness is this one */
	unsigned run;                  /* the present one, 1 the first; 0: no harness */
	unsigned case_threads;         /* of a case, without those of the harness; 0: not known */
	char *program;                 /* the command for Valgrind, as seen inside */
	size_t stripped;               /* objects replaced by stripped copies so far */
	struct strings roots; /* below which to count, as a root with wildcards means them */
	bool exploring;       /* the run serves to find these: all is counted, and no caches */
	bool under_valgrind;  /* the last process was, not the warm-up */
	bool part_forks; /* have a process write its counts before it forks, so that a child begins
			      * with nothing */
	double spent;    /* seconds that all runs have taken of the timeout so far */
};

/* ---- session.c ---- */

/* Reports a failure: its kind, its code and the sentence. */
int session_fail(struct session *session, enum run_failure failure, int code, const char *file,
		 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The same for an error that is already filled; fine if status is CG_OK. */
int session_fail_with(struct session *session, enum run_failure failure, int status);
int session_fail_nomem(struct session *session);

int session_add_mapping(struct session *session, const char *seen, const char *real, bool stripped);

/* ---- run.c ---- */

/* Runs a program in the workspace, not under Valgrind by itself. */
int session_start(struct session *session, const char *path, const struct strings *argv,
		  const char *const *envp, struct process_end *end);

/* A file's bytes, with a NUL after them; NULL: it cannot be read. free() it. */
char *session_read_file(const char *path, size_t *size);

/* Measures the program, again if that is needed, and collects the files. */
int session_measure(struct session *session, struct process_end *end);

/* Whether the program did not end well. */
bool session_has_failed(const struct process_end *end);

/* ---- expand_root.c ---- */

/* Runs the program to fill `roots` from a root with wildcards. If the program fails, roots stay
 * empty, and the run is the one to judge. */
int session_expand_root(struct session *session, struct process_end *end);

/* ---- each_case.c ---- */

/* Adds Valgrind's options that mark the present case. */
int session_add_marks(struct session *session);

/* Adds the program and the arguments to run it. */
int session_add_case(struct session *session);

/* Runs the program without Valgrind, so that it lists its cases. */
int session_ask_for_cases(struct session *session, const struct environment *environment,
			  struct process_end *end);

/* Measures each case of the harness, up to the first that fails. */
int session_measure_cases(struct session *session, struct process_end *end);

/* Fills the result's cases. */
int session_find_harness_cases(struct session *session);

/* ---- each_gungraun.c: where it differs from other harnesses ---- */

/* Fills session->gungraun and cases. A program that told nothing has none. */
int session_list_gungraun(struct session *session, struct process_end *end);

/* Runs what sets up the group of the present case, or all groups, if it is the first one; until it
 * is left, the session has the environment of the case. */
int session_enter_gungraun(struct session *session, struct process_end *end);

/* Always follows that; runs what tears down after the last case that did not fail. */
int session_leave_gungraun(struct session *session, struct process_end *end);

/* ---- check_request.c ---- */

/* Refuses what cannot be measured; fills root, cwd and workdir. */
int session_check_request(struct session *session);

/* ---- arguments.c ---- */

/* Whether the program is a Python that describes its functions. */
bool session_names_python(const struct session *session);

/* Valgrind's options that can affect counts. */
int session_add_counting_options(struct session *session, struct strings *strings);

/* Fills session->arguments. */
int session_add_arguments(struct session *session);

/* ---- presetting.c ---- */

/* Sets what the program's runtime needs so that counts repeat; fills preset, preset_text and frozen
 * of the result. */
int session_preset(struct session *session);

/* The options that follow the program. */
int session_add_preset_options(const struct session *session, struct strings *strings);

/* ---- freezing.c ---- */

/* Sets up the complete workspace and environment to freeze the result's `frozen`, to which it adds
 * what the harness needs. */
int session_freeze(struct session *session);

/* Whether each image that counts, by the result's files or cases, has loaded the freezing
 * library. */
int session_check_frozen(struct session *session);

/* ---- retry.c ---- */

/* Whether the first process is a script's interpreter, a shell, make …, whose own
 * business is seldom meant. */
bool session_started_launcher(const struct session *session);

/* Whether the run that has just ended, maybe with a failure of the benchmark, calls for another
 * one, which is then prepared and will go differently. */
int session_retry(struct session *session, bool failed, bool *again);

/* ---- objects.c ---- */

/* Host path of an object as Valgrind named it. NULL: out of memory. */
char *session_host_object(const struct session *session, const char *seen);

/* The first process: the one whose parent is not itself under Valgrind. 0: none. */
pid_t session_main_pid(const struct session *session);

/* Fills image and launcher of all collected profiles. */
int session_name_images(struct session *session);

/* The log of what this profile's image has loaded. NULL: not known, as of a process that has
 * executed another image since. */
const struct valgrind_log *session_log_of(const struct session *session,
					  const struct run_profile *profile);

/* Fills the result's objects, those of this profile. */
int session_list_objects(struct session *session, const struct run_profile *profile);

/* ---- outcome.c ---- */

/* The log of a Valgrind that gave up, or NULL. */
const struct valgrind_log *session_death(const struct session *session);

/* Completes the result and judges it: CG_OK if there is a measurement. */
int session_conclude(struct session *session, const struct process_end *end);

/* The same of a run without Valgrind, of which there is nothing to measure. */
int session_conclude_natively(struct session *session, const struct process_end *end);

/* ---- notes.c ---- */

/* Fails if a process that counts, by the result's files or cases, was killed or is not over. */
int session_judge_ends(struct session *session);

/* Fills the result's notes. */
int session_note_processes(struct session *session);

#endif
