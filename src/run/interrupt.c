#include "src/run/interrupt.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

int interrupts_open(struct interrupts *interrupts, struct cg_error *err)
{
	static const int wanted[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t set, before;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
		struct sigaction action;
		if (sigaction(wanted[i], NULL, &action) || action.sa_handler != SIG_IGN)
			sigaddset(&set, wanted[i]);
	}

	int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return cg_fail(err, CG_EIO, NULL, 0, "cannot watch for signals: %s",
			       strerror(errno));
	int error = pthread_sigmask(SIG_BLOCK, &set, &before);
	if (error) {
		close(fd);
		return cg_fail(err, CG_EIO, NULL, 0, "cannot block signals: %s", strerror(error));
	}
	interrupts->fd = fd;
	interrupts->signal = 0;
	interrupts->before = before;
	return CG_OK;
}

int interrupts_take(struct interrupts *interrupts)
{
	struct signalfd_siginfo info;
	int taken = 0;

	while (read(interrupts->fd, &info, sizeof info) == (ssize_t)sizeof info) {
		if (!interrupts->signal)
			interrupts->signal = (int)info.ssi_signo;
		taken++;
	}
	return taken;
}

void interrupts_close(struct interrupts *interrupts)
{
	/* Signals after the first one add nothing. The first one may still be for the caller, so
	 * it stays pending. */
	if (interrupts->signal)
		interrupts_take(interrupts);
	close(interrupts->fd);
	interrupts->fd = -1;
	pthread_sigmask(SIG_SETMASK, &interrupts->before, NULL);
}
