#include "src/config/pool.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pool_block {
	struct pool_block *next;
	alignas(max_align_t) char bytes[];
};

struct config_pool {
	struct pool_block *blocks;
};

struct config_pool *config_pool_new(void)
{
	return calloc(1, sizeof(struct config_pool));
}

void config_pool_free(struct config_pool *pool)
{
	if (!pool)
		return;
	for (struct pool_block *b = pool->blocks, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(pool);
}

void *config_pool_alloc(struct config_pool *pool, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) ||
	    bytes > SIZE_MAX - sizeof(struct pool_block))
		return NULL;

	struct pool_block *b = calloc(1, sizeof *b + bytes);
	if (!b)
		return NULL;
	b->next = pool->blocks;
	pool->blocks = b;
	return b->bytes;
}

char *config_pool_text(struct config_pool *pool, const char *text, size_t len)
{
	if (len == SIZE_MAX)
		return NULL;

	char *copy = config_pool_alloc(pool, len + 1, 1);
	if (copy)
		memcpy(copy, text, len);
	return copy;
}
