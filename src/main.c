#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "src/cmd/command.h"

/* Tables of profiles are met in no order and filled once. In small pages, that takes a fault for
 * each 4 kB, a tenth of the time that a profile of 20 MB takes. Without huge pages nothing is lost,
 * and what is not touched takes no memory. */
static void use_huge_pages(void)
{
#ifdef MADV_HUGEPAGE
	enum { ROOM = 24 << 20, PAGE = 4096 };
	char *room = malloc(ROOM);

	if (room)
		madvise(room + PAGE - (uintptr_t)room % PAGE, ROOM - PAGE, MADV_HUGEPAGE);
	free(room);
#endif
}

/* Profiles are read several times, and their tables grow from small to large: what one has left is
 * for the next, not for the system, which would clear it again. Large blocks go back: they grow
 * without being copied, and where they stayed, causes would take a fifth more memory. */
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	/* What this takes and gives back is then part of the heap. */
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	use_huge_pages();
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
	mallopt(M_TOP_PAD, 1 << 20);
#endif
}

int main(int argc, char **argv)
{
	keep_memory();
	return command_main(argc, argv);
}
