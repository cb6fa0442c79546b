/* Waiting for descriptors: the clock goes on by the time that nothing came. */
#include "freeze/frozen.h"
#include "freeze/time.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SIGSET_SIZE (_NSIG / 8) /* the kernel's */

static int waited(long ready, int64_t ns)
{
	if (frozen.time && ready == 0)
		time_advance(ns);
	return (int)ready;
}

REPLACES_LIBC int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	struct timespec limit = { timeout / 1000, timeout % 1000 * 1000000L };

	return waited(call_wait(SYS_ppoll, (long)fds, (long)count, timeout < 0 ? 0 : (long)&limit,
				0, SIGSET_SIZE, 0),
		      timeout * INT64_C(1000000));
}

/* What programs call that are built with _FORTIFY_SOURCE. */
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size);

REPLACES_LIBC int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size)
{
	if (size / sizeof *fds < count)
		__builtin_trap();
	return poll(fds, count, timeout);
}

REPLACES_LIBC int select(int count, fd_set *restrict in, fd_set *restrict out,
			 fd_set *restrict failed, struct timeval *restrict timeout)
{
	struct timespec limit = { 0 };
	int64_t ns = 0;

	if (timeout) {
		limit = (struct timespec){ timeout->tv_sec, timeout->tv_usec * 1000L };
		ns = timeout->tv_sec * INT64_C(1000000000) + limit.tv_nsec;
	}
	long ready = call_wait(SYS_pselect6, count, (long)in, (long)out, (long)failed,
			       timeout ? (long)&limit : 0, 0);
	if (timeout) /* what is left, as Linux does */
		*timeout = (struct timeval){ limit.tv_sec, limit.tv_nsec / 1000 };
	return waited(ready, ns);
}

REPLACES_LIBC int epoll_wait(int fd, struct epoll_event *events, int count, int timeout)
{
	return waited(call_wait(SYS_epoll_pwait, fd, (long)events, count, timeout, 0, SIGSET_SIZE),
		      timeout * INT64_C(1000000));
}
