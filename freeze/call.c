/* System calls: to the kernel, and those that a program makes by number. */
#include "freeze/frozen.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if defined __x86_64__ && !defined __ILP32__
long kernel(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}
#define REPLACES_SYSCALL
#elif defined __aarch64__
long kernel(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
			 x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e,
			 x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}
#define REPLACES_SYSCALL
#else
long kernel(long number, long a, long b, long c, long d, long e, long f)
{
	int before = errno;
	long result = syscall(number, a, b, c, d, e, f);

	if (result == -1) {
		result = -errno;
		errno = before;
	}
	return result;
}
#endif

/* To look up the C library's own functions would be counted in every run. They are left at any
 * moment, too, in glibc before 2.41; who has only waited has nothing to lose by it. */
long kernel_wait(long number, long a, long b, long c, long d, long e, long f)
{
	int before;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
	long result = kernel(number, a, b, c, d, e, f);
	pthread_setcanceltype(before, &before);
	return result;
}

static long result_with_errno(long result)
{
	if (result < 0 && result > -4096) {
		errno = (int)-result;
		return -1;
	}
	return result;
}

long call(long number, long a, long b, long c, long d, long e, long f)
{
	return result_with_errno(kernel(number, a, b, c, d, e, f));
}

long call_wait(long number, long a, long b, long c, long d, long e, long f)
{
	return result_with_errno(kernel_wait(number, a, b, c, d, e, f));
}

#ifdef REPLACES_SYSCALL
REPLACES_LIBC long syscall(long number, ...)
{
	va_list args;
	va_start(args, number);
	long a = va_arg(args, long), b = va_arg(args, long), c = va_arg(args, long);
	long d = va_arg(args, long), e = va_arg(args, long), f = va_arg(args, long);
	va_end(args);

	switch (number) {
	case SYS_getrandom:
		return getrandom((void *)a, (size_t)b, (unsigned)c);
	case SYS_clock_gettime:
		return clock_gettime((clockid_t)a, (struct timespec *)b);
	case SYS_gettimeofday:
		return gettimeofday((struct timeval *)a, (void *)b);
	case SYS_getpid:
		return getpid();
	case SYS_gettid:
		return gettid();
	case SYS_getppid:
		return getppid();
	default:
		return call(number, a, b, c, d, e, f);
	}
}
#endif
