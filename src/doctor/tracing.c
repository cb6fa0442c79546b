#include "src/doctor/tracing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tracing_cause tracing_explain(const struct tracing_settings *s)
{
	if (s->tracer > 0)
		return (struct tracing_cause){
			"strace, a debugger or a similar tool traces irdiff itself",
			"start irdiff without it"
		};
	if (s->yama == 3)
		return (struct tracing_cause){ "kernel.yama.ptrace_scope is 3",
					       "set it to 1 in /etc/sysctl.d and reboot" };
	if (s->yama == 2)
		return (struct tracing_cause){ "kernel.yama.ptrace_scope is 2",
					       "sysctl -w kernel.yama.ptrace_scope=1" };
	if (s->seccomp == 2)
		return (struct tracing_cause){
			"a filter of system calls (seccomp) is active, as in most containers",
			"docker run --cap-add=SYS_PTRACE, or --security-opt seccomp=unconfined"
		};
	return (struct tracing_cause){
		"the kernel or a security module does not allow it",
		"ask the administrator of this machine to allow ptrace and seccomp filters"
	};
}

static char *read_start(const char *proc, const char *name, char *text, size_t size)
{
	char path[200];
	FILE *from;

	text[0] = '\0';
	if (snprintf(path, sizeof path, "%s/%s", proc, name) >= (int)sizeof path ||
	    !(from = fopen(path, "re")))
		return NULL;
	text[fread(text, 1, size - 1, from)] = '\0';
	fclose(from);
	return text;
}

static long read_number(const char *proc, const char *name)
{
	char text[32], *end;

	if (!read_start(proc, name, text, sizeof text))
		return -1;
	long value = strtol(text, &end, 10);
	return end == text ? -1 : value;
}

static long read_status(const char *proc, const char *label)
{
	char text[8192];
	const char *at = read_start(proc, "self/status", text, sizeof text);

	at = at ? strstr(at, label) : NULL;
	return at ? strtol(at + strlen(label), NULL, 10) : -1;
}

struct tracing_settings tracing_settings_read(const char *proc)
{
	return (struct tracing_settings){
		.yama = read_number(proc, "sys/kernel/yama/ptrace_scope"),
		.tracer = read_status(proc, "\nTracerPid:"),
		.seccomp = read_status(proc, "\nSeccomp:"),
	};
}
