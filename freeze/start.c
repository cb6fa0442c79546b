/* What happens before the program runs. */
#include "freeze/frozen.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "freeze/random.h"

struct frozen frozen;

/* Whether `list`, words separated by commas, has the word. */
static bool names(const char *list, const char *word)
{
	size_t len = strlen(word);

	while (*list) {
		size_t n = strcspn(list, ",");
		if (n == len && !memcmp(list, word, len))
			return true;
		list += n + (list[n] == ',');
	}
	return false;
}

/* The 16 bytes that the kernel gives every program. ld.so has made its own of them already. */
static void freeze_auxv(void)
{
	void *bytes = (void *)getauxval(AT_RANDOM);

	if (bytes)
		random_fill(bytes, 16);
}

/* irdiff's own process that waits for the benchmark leads the session. */
static pid_t find_first(void)
{
	long parent = kernel(SYS_getppid, 0, 0, 0, 0, 0, 0);

	return parent == kernel(SYS_getsid, 0, 0, 0, 0, 0, 0)
		       ? (pid_t)kernel(SYS_getpid, 0, 0, 0, 0, 0, 0)
		       : 0;
}

/* The value of a variable, "" if there is none. `name` ends in "=". */
static const char *frozen_variable(char **envp, const char *name)
{
	const size_t len = strlen(name);
	const char *value = "";

	for (; *envp; envp++)
		if (!strncmp(*envp, name, len))
			value = *envp + len;
	return value;
}

static void freeze(char **envp)
{
	const char *kinds = frozen_variable(envp, "IRDIFF_FROZEN=");

	frozen.random = names(kinds, "random");
	frozen.time = names(kinds, "time");
	frozen.pid = names(kinds, "pid");
	frozen.rounds = frozen.time && names(frozen_variable(envp, "IRDIFF_CLOCK="), "rounds");
	if (frozen.random)
		freeze_auxv();
	if (frozen.pid)
		frozen.first = find_first();
}

/* Before the constructors of other libraries (-z initfirst). In glibc that is before there is
 * environ; musl has it, and gives constructors nothing. */
#ifdef __GLIBC__
__attribute__((constructor)) static void start(int argc, char **argv, char **envp)
{
	(void)argc, (void)argv;
	freeze(envp);
}
#else
__attribute__((constructor)) static void start(void)
{
	freeze(environ);
}
#endif
