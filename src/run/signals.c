#include "src/run/signals.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Signals that end a process if it does not handle them. */
static const struct {
	const char *name;
	int number;
} known[] = {
	{ "ABRT", SIGABRT }, { "ALRM", SIGALRM }, { "BUS", SIGBUS },       { "FPE", SIGFPE },
	{ "HUP", SIGHUP },   { "ILL", SIGILL },   { "INT", SIGINT },       { "IO", SIGIO },
	{ "KILL", SIGKILL }, { "PIPE", SIGPIPE }, { "PROF", SIGPROF },     { "QUIT", SIGQUIT },
	{ "SEGV", SIGSEGV }, { "SYS", SIGSYS },   { "TERM", SIGTERM },     { "TRAP", SIGTRAP },
	{ "USR1", SIGUSR1 }, { "USR2", SIGUSR2 }, { "VTALRM", SIGVTALRM }, { "XCPU", SIGXCPU },
	{ "XFSZ", SIGXFSZ },
};

int signal_number(const char *name)
{
	if (strncmp(name, "SIG", 3) == 0)
		name += 3;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].number;
	return 0;
}

const char *signal_name(int number)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].number == number)
			return known[i].name;
	return NULL;
}

/* By system calls, as sigaction() of the C library refuses the signals that it uses itself, which
 * the starter of irdiff may ignore as well. All zeros is SIG_DFL. */
void signals_reset(void)
{
	static const unsigned long defaults[16];

	for (int signo = 1; signo < NSIG; signo++)
		syscall(SYS_rt_sigaction, signo, defaults, NULL, (size_t)(NSIG / 8));
}
