/*
 * What Valgrind's own log (-v --log-file=) contains about one process: the images and libraries it
 * loaded, its parent, and why it gave up.
 */
#ifndef IRDIFF_RUN_VALGRIND_LOG_H
#define IRDIFF_RUN_VALGRIND_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgprofile/error.h"

struct valgrind_log {
	char *path;
	pid_t pid;
	pid_t parent;   /* 0 if not recorded */
	char **objects; /* as Valgrind saw them, in the order of loading, the ELF image
			      * first; Valgrind's own are left out. None: forked, no exec */
	size_t nobjects, objects_cap;
	char *hwcaps;     /* features of the CPU that Valgrind passes on, or NULL */
	char *death;      /* why Valgrind gave up, one line, or NULL */
	char *bad_object; /* the object whose debug information killed it, or NULL */
	bool running;     /* it had not ended: its log has no summary, or it was ended by SIGTERM */
	int signal;       /* the signal that ended it; 0: Valgrind saw no signal */
	uint64_t blocks;  /* basic blocks that it had executed when it last wrote counts */
	bool counts_heap; /* DHAT has replaced the functions that allocate */
	bool switched_off; /* it has had Valgrind stop counting */
	char *instruction; /* bytes of an unsupported instruction, or NULL */
};

/* *log is untouched on failure. */
int valgrind_log_read(const char *path, pid_t pid, struct valgrind_log *log, struct cg_error *err);
void valgrind_log_free(struct valgrind_log *log);

#endif
