/* Why programs cannot be traced (src/guest), and who refuses it: from what the kernel says of
 * itself. */
#ifndef IRDIFF_DOCTOR_TRACING_H
#define IRDIFF_DOCTOR_TRACING_H

/* Settings of the kernel; -1: it does not have this one. */
struct tracing_settings {
	long yama;    /* kernel.yama.ptrace_scope */
	long tracer;  /* pid of a tracer of irdiff itself; 0: nothing traces it */
	long seccomp; /* mode of a filter of system calls: 2 in most containers */
};

struct tracing_cause {
	const char *text;   /* who refuses; static */
	const char *remedy; /* static */
};

/* The likely cause, given that it was refused. */
struct tracing_cause tracing_explain(const struct tracing_settings *settings);

/* Reads them from below `proc` ("/proc"). */
struct tracing_settings tracing_settings_read(const char *proc);

#endif
