/* The machine and its limits, as a traced program is told. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include "src/guest/memory.h"

#define ONE_CPU 1ul /* a set of CPUs with number 0 in it */

/* A program that opens files by io_uring would not be seen doing so. It is told that the call does
 * not exist, as on older kernels and in sandboxes, and uses other calls. */
enum turn enter_unknown(struct visit *visit)
{
	return visit_answer(visit, -ENOSYS);
}

enum turn enter_uname(struct visit *visit)
{
	struct utsname names;
	struct utsname told = { .sysname = "Linux",
				.nodename = GUEST_HOST,
				.release = GUEST_RELEASE,
				.version = "#1 SMP",
				.domainname = "(none)" };

	if (uname(&names))
		return TURN_GO;
	memcpy(told.machine, names.machine, sizeof told.machine);
	return visit_answer_with(visit, visit_argument(visit, 0), &told, sizeof told, 0);
}

enum turn enter_sysinfo(struct visit *visit)
{
	struct sysinfo told = { .uptime = GUEST_UPTIME,
				.totalram = GUEST_MEMORY_KB,
				.freeram = GUEST_MEMORY_KB / 2,
				.procs = 1,
				.mem_unit = 1024 };

	return visit_answer_with(visit, visit_argument(visit, 0), &told, sizeof told, 0);
}

enum turn enter_getcpu(struct visit *visit)
{
	unsigned zero = 0;

	for (unsigned i = 0; i < 2; i++)
		if (visit_argument(visit, i) &&
		    !memory_write(visit->task->tid, visit_argument(visit, i), &zero, sizeof zero))
			return visit_answer(visit, -EFAULT);
	return visit_answer(visit, 0);
}

enum turn enter_getaffinity(struct visit *visit)
{
	unsigned long set = ONE_CPU;

	if (visit_argument(visit, 1) < sizeof set || visit_argument(visit, 1) % sizeof set)
		return visit_answer(visit, -EINVAL);
	return visit_answer_with(visit, visit_argument(visit, 2), &set, sizeof set, sizeof set);
}

/* The call is answered without being made: the program could not see where it runs, and moving it
 * would only be slower. */
enum turn enter_setaffinity(struct visit *visit)
{
	unsigned long set = 0;
	size_t size = visit_argument(visit, 1);

	if (!memory_read(visit->task->tid, visit_argument(visit, 2), &set,
			 size < sizeof set ? size : sizeof set))
		return visit_answer(visit, -EFAULT);
	return visit_answer(visit, set & ONE_CPU ? 0 : -EINVAL);
}

/* ---- limits ---- */

/* Whether a limit's answer is made up; for limits that irdiff pins or the program has set the
 * kernel answers. */
static bool is_limit_told(const struct visit *visit, unsigned long which)
{
	static const unsigned long pinned = 1ul << RLIMIT_CORE | 1ul << RLIMIT_NOFILE |
					    1ul << RLIMIT_STACK;

	return which < RLIM_NLIMITS && !((pinned | visit->traced->own_limits) >> which & 1);
}

static enum turn tell_limit(struct visit *visit, unsigned long address)
{
	const uint64_t none[2] = { UINT64_MAX, UINT64_MAX }; /* RLIM64_INFINITY, soft and hard */

	return visit_answer_with(visit, address, none, sizeof none, 0);
}

static void note_limit(struct visit *visit, unsigned long which)
{
	if (which < RLIM_NLIMITS)
		visit->traced->own_limits |= 1ul << which;
}

enum turn enter_getrlimit(struct visit *visit)
{
	if (!is_limit_told(visit, visit_argument(visit, 0)))
		return TURN_GO;
	return tell_limit(visit, visit_argument(visit, 1));
}

enum turn enter_setrlimit(struct visit *visit)
{
	note_limit(visit, visit_argument(visit, 0));
	return TURN_GO;
}

enum turn enter_prlimit(struct visit *visit)
{
	unsigned long which = visit_argument(visit, 1), old = visit_argument(visit, 3);
	pid_t shown = (pid_t)visit_argument(visit, 0);
	pid_t real = pids_real(&visit->traced->pids, shown);

	if (visit_argument(visit, 2))
		note_limit(visit, which);
	else if (old && is_limit_told(visit, which))
		return tell_limit(visit, old);
	if (real == shown)
		return TURN_GO;
	visit_set_argument(visit, 0, (unsigned long)real);
	return TURN_RETURN;
}

#else
typedef int machine_unknown; /* a translation unit is not empty */
#endif
