/*
 * Memory that is allocated in the same number of instructions whatever was allocated before. An
 * allocator that merges, splits and searches free blocks costs what its past makes it cost: the
 * same code counts up to some percent more after an edit elsewhere.
 *
 * A block belongs to a class of sizes and stays in it. The free ones of a class are a stack; from
 * an empty one, a block is cut from fresh memory. Nothing is given back.
 */
#include "freeze/frozen.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* Up to SMALL bytes, the classes are 16 bytes apart; then there are 8 between two powers of 2. */
enum { UNIT = 16, SMALL = 1024, STEPS = 8, CLASSES = SMALL / UNIT + STEPS * 54 };
enum { PAGE = 4096, CHUNK = 1 << 20, LINE = 64 };

/* Before the bytes of each block. */
struct heap_block {
	size_t size_class;
	/* the next free one; of one that is used: what it is in, if more was allocated to align
	 * it, or NULL */
	struct heap_block *other;
};

static struct heap_block *stacks[CLASSES];
static char *fresh, *fresh_end;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void lock(void)
{
	while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		kernel(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

static void unlock(void)
{
	atomic_flag_clear_explicit(&busy, memory_order_release);
}

/* Another thread may hold the lock when a process forks, and no such thread is in the child. */
__attribute__((constructor)) static void begin_malloc(void)
{
	pthread_atfork(lock, unlock, unlock);
}

/* Also the number of bytes that blocks of the class have. */
static size_t class_of(size_t size, size_t *bytes)
{
	if (size <= SMALL) {
		size_t units = size ? (size + UNIT - 1) / UNIT : 1;
		*bytes = units * UNIT;
		return units - 1;
	}
	/* SMALL is 8 << 7 */
	unsigned log = (unsigned)(sizeof size * CHAR_BIT) - 1 - (unsigned)__builtin_clzl(size - 1);
	unsigned shift = log - 3;
	size_t steps = ((size - 1) >> shift) + 1;
	*bytes = steps << shift;
	return SMALL / UNIT + (shift - 7) * STEPS + steps - STEPS - 1;
}

static size_t bytes_of(size_t size_class)
{
	if (size_class < SMALL / UNIT)
		return (size_class + 1) * UNIT;
	size_t step = size_class - SMALL / UNIT;
	return (step % STEPS + STEPS + 1) << (step / STEPS + 7);
}

static char *map(size_t size)
{
#ifdef SYS_mmap
	long at = kernel(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#else
	long at = kernel(SYS_mmap2, 0, (long)size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
	return at < 0 && at > -PAGE ? NULL : (char *)at;
}

/* The bytes of all blocks begin at the same place in a line, as copying depends on it. */
static size_t size_with_header(size_t bytes)
{
	return (bytes + sizeof(struct heap_block) + LINE - 1) / LINE * LINE;
}

/* A large block has memory of its own. For others, there is enough fresh memory then. */
static struct heap_block *map_block(size_t size)
{
	const size_t before = LINE - sizeof(struct heap_block);
	const bool large = size > CHUNK / 4;
	char *more = map(large ? (size + LINE + PAGE - 1) / PAGE * PAGE : CHUNK);

	if (!more)
		return NULL;
	if (large)
		return (struct heap_block *)(more + before);
	fresh = more + before;
	fresh_end = more + CHUNK;
	return (struct heap_block *)fresh;
}

/* To take a free block is as many instructions as to cut a new one, where `other` is NULL. */
static struct heap_block *take_block(size_t size_class, size_t size)
{
	struct heap_block *const top = stacks[size_class];
	size_t cut = !top;
	__asm__("" : "+r"(cut)); /* no branch by it */
	uintptr_t at = (uintptr_t)top | ((uintptr_t)fresh & -cut);
	struct heap_block *block = (struct heap_block *)at;

	if (cut & ((size_t)(fresh_end - fresh) < size)) {
		block = map_block(size);
		if (!block || block != (struct heap_block *)fresh)
			return block;
	}
	fresh += size & -cut;
	stacks[size_class] = block->other;
	return block;
}

static void *take_memory(size_t size)
{
	size_t bytes;

	if (size > PTRDIFF_MAX - 2 * PAGE) {
		errno = ENOMEM;
		return NULL;
	}
	size_t size_class = class_of(size, &bytes);
	lock();
	struct heap_block *block = take_block(size_class, size_with_header(bytes));
	unlock();
	if (!block) {
		errno = ENOMEM;
		return NULL;
	}
	block->size_class = size_class;
	block->other = NULL;
	return block + 1;
}

static struct heap_block *block_of(void *bytes)
{
	struct heap_block *block = (struct heap_block *)bytes - 1;

	return block->other ? block->other : block;
}

static size_t heap_bytes(void *bytes)
{
	struct heap_block *block = block_of(bytes);

	return bytes_of(block->size_class) - (size_t)((char *)bytes - (char *)(block + 1));
}

REPLACES_LIBC void *malloc(size_t size)
{
	return take_memory(size);
}

REPLACES_LIBC void free(void *bytes)
{
	if (!bytes)
		return;
	struct heap_block *block = block_of(bytes);
	lock();
	block->other = stacks[block->size_class];
	stacks[block->size_class] = block;
	unlock();
}

REPLACES_LIBC void *calloc(size_t count, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	void *bytes = take_memory(all);
	return bytes ? memset(bytes, 0, all) : NULL;
}

REPLACES_LIBC void *realloc(void *bytes, size_t size)
{
	size_t unused;

	if (!bytes)
		return take_memory(size);
	if (!size) {
		free(bytes);
		return NULL;
	}
	size_t old = heap_bytes(bytes);
	if (size <= old && class_of(size, &unused) == block_of(bytes)->size_class)
		return bytes;
	void *moved = take_memory(size);
	if (moved) {
		memcpy(moved, bytes, old < size ? old : size);
		free(bytes);
	}
	return moved;
}

REPLACES_LIBC void *reallocarray(void *bytes, size_t count, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(bytes, all);
}

REPLACES_LIBC size_t malloc_usable_size(void *bytes)
{
	return bytes ? heap_bytes(bytes) : 0;
}

REPLACES_LIBC void *memalign(size_t alignment, size_t size)
{
	if (!alignment || (alignment & (alignment - 1)) || size > PTRDIFF_MAX - 4 * PAGE ||
	    alignment > PTRDIFF_MAX - 4 * PAGE - size) {
		errno = alignment && !(alignment & (alignment - 1)) ? ENOMEM : EINVAL;
		return NULL;
	}
	if (alignment <= UNIT)
		return take_memory(size);
	char *bytes = take_memory(size + alignment + sizeof(struct heap_block));
	if (!bytes)
		return NULL;
	char *least = bytes + sizeof(struct heap_block);
	char *aligned = least + (-(uintptr_t)least & (alignment - 1));
	((struct heap_block *)aligned - 1)->other = (struct heap_block *)bytes - 1;
	return aligned;
}

REPLACES_LIBC void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

REPLACES_LIBC int posix_memalign(void **to, size_t alignment, size_t size)
{
	int before = errno;

	if (alignment % sizeof(void *))
		return EINVAL;
	void *bytes = memalign(alignment, size);
	int error = bytes ? 0 : errno;
	errno = before;
	if (bytes)
		*to = bytes;
	return error;
}

REPLACES_LIBC void *valloc(size_t size)
{
	return memalign(PAGE, size);
}

REPLACES_LIBC void *pvalloc(size_t size)
{
	return size > PTRDIFF_MAX - 8 * PAGE ? memalign(PAGE, size)
					     : memalign(PAGE, (size + PAGE - 1) / PAGE * PAGE);
}
