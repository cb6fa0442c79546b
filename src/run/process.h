/*
 * Starts one process in a state that depends only on the following, and waits for its end.
 *
 * The child gets a session of its own (so no terminal, and a process group to kill), no descriptors
 * but 0, 1 and 2, default signal dispositions and an empty mask, umask 022 and no core dumps. It
 * dies when the caller's thread dies. On request it is traced (guest.h), or lives below a small
 * process that adopts orphans: either way nothing that it starts survives it.
 */
#ifndef IRDIFF_RUN_PROCESS_H
#define IRDIFF_RUN_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgprofile/error.h"
#include "src/run/interrupt.h"

/* With fixed_limits: what most systems give. */
#define PROCESS_FILES 1024
#define PROCESS_STACK (8ul << 20)

/* A process that was traced and is over. */
struct process_over {
	pid_t pid, parent; /* as reported; parent 0: unknown */
	int status;        /* as from waitpid(2) */
	bool executed;     /* it became another program after it was made */
	bool left;         /* it still ran when the program ended, and was killed */
	bool random;       /* it has asked the kernel for random numbers */
};

/* Processes in the order in which they ended. */
struct process_list {
	struct process_over *items;
	size_t count, cap;
};

struct guest;

struct process {
	const char *path;          /* absolute; NULL: nothing, which ends with 0 */
	const char *const *argv;   /* NULL-terminated */
	const char *const *envp;   /* NULL-terminated */
	const char *cwd;           /* as the program sees it; NULL: stay */
	int stdin_fd;              /* 0: /dev/null */
	int stdout_fd;             /* -1: /dev/null */
	int stderr_fd;             /* -1: /dev/null */
	uint64_t most_output;      /* of stdout and stderr each, in bytes (output.h); 0: all */
	bool fixed_layout;         /* no address space randomisation */
	bool fixed_limits;         /* on one CPU, with PROCESS_FILES and PROCESS_STACK, or as
				   * much of it as the caller may have */
	int cpu;                   /* with fixed_limits: that CPU; -1: the first one, or with a
				   * guest one that no other run uses */
	const struct guest *guest; /* the world that it is shown; NULL: the real one, untraced */
	bool reap;        /* kills what it leaves running, in other sessions as well; with a
				   * guest that is always so */
	unsigned timeout; /* seconds, 0: none */
	struct process_list *over; /* with a guest: filled with all that are over, the program
				   * itself included; NULL: not asked for */
	/* With a guest: called in another process each time a process becomes another program,
	 * which does not run yet; NULL: not asked for. */
	void (*executed)(const char *directory, pid_t pid);
	const char *directory; /* for `executed` */
};

struct process_end {
	bool traced;          /* with a guest: the guest's answers were given all the time */
	bool started;         /* the program was executed, if there is one */
	char failed_step[64]; /* when it was not: what could not be done … */
	int error;            /* … and errno */
	int status;           /* as from waitpid(2), of the program itself */
	bool timed_out;
	int interrupted_by; /* signal that irdiff received, or 0 */
	double seconds;
	unsigned changes; /* with a guest: as in struct tracer_end */
	unsigned tasks;   /* processes and threads that there were in all, the program
				   * itself included; 0: not known, as without a guest */
};

/* The first CPU that the caller may use; -1: not known. */
int process_first_cpu(void);

/* Runs it to its end. Returns CG_OK whenever the process is over and *end is
 * filled, however it ended; an error only if no process could be made.
 * `interrupts` may be NULL: then they are taken care of during the call. */
int process_run(const struct process *process, struct interrupts *interrupts,
		struct process_end *end, struct cg_error *err);

/* Of the monotonic clock: only differences have a meaning. */
double monotonic_seconds(void);

/* A descriptor that is readable when the process has ended, for poll(2); -1 and errno, as before
 * Linux 5.3. */
int process_pidfd(pid_t pid);

void process_list_free(struct process_list *list);

/* The process of that pid that ended last; NULL: it is not known. */
const struct process_over *process_list_find(const struct process_list *list, pid_t pid);

/* Runs a helper such as `git rev-parse HEAD` and keeps what it prints on
 * stdout: at most 1 MB, NUL-terminated, *output is the caller's to free().
 * Fails if it does not start, is interrupted, takes more than 60 seconds or
 * ends with a status other than 0 (then with the first line of its stderr). */
int process_output(const char *path, const char *const *argv, const char *const *envp,
		   const char *cwd, struct interrupts *interrupts, char **output,
		   struct cg_error *err);

#endif
