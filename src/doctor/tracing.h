/* Why programs cannot be traced (src/guest), and who refuses it: from what the kernel says of itself. */
#ifndef IRDIFF_DOCTOR_TRACING_H
#define IRDIFF_DOCTOR_TRACING_H

/* -1: the kernel has none of that name. */
struct tracing_settings {
	long yama;    /* kernel.yama.ptrace_scope */
	long tracer;  /* pid of what traces irdiff itself; 0: nothing does */
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
