#include <malloc.h>

#include "src/cmd/command.h"

/* Profiles are read several times, and their tables grow from small to large: what one has left is
 * for the next, not for the system, which would clear it again. Larger blocks still go back. */
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 4 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_TOP_PAD, 1 << 20);
#endif
}

int main(int argc, char **argv)
{
	keep_memory();
	return command_main(argc, argv);
}
