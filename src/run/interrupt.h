/*
 * Ctrl-C and its relatives without handlers: while a struct interrupts is open
 * SIGINT, SIGTERM and SIGHUP are blocked in the calling thread and wait in a
 * descriptor to be read. Signals that the caller ignores stay ignored (nohup).
 * They nest: what the inner one has not taken, the outer one gets.
 */
#ifndef IRDIFF_RUN_INTERRUPT_H
#define IRDIFF_RUN_INTERRUPT_H

#include <signal.h>

#include "cgprofile/error.h"

struct interrupts {
	int fd;          /* readable when one has arrived */
	int signal;      /* the first one taken by interrupts_take(), or 0 */
	sigset_t before; /* the mask to go back to */
};

int interrupts_open(struct interrupts *interrupts, struct cg_error *err);

/* Takes what has arrived without waiting; returns how many there were. */
int interrupts_take(struct interrupts *interrupts);

/* Restores the mask. A signal that was taken is gone: the caller acts on ->signal. One that was
 * not taken acts as the mask allows. */
void interrupts_close(struct interrupts *interrupts);

#endif
