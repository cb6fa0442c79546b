/* The one owner of a configuration's memory: everything is freed at once. */
#ifndef IRDIFF_CONFIG_POOL_H
#define IRDIFF_CONFIG_POOL_H

#include <stddef.h>

struct config_pool;

/* NULL if out of memory. */
struct config_pool *config_pool_new(void);
void config_pool_free(struct config_pool *pool);

/* Zeroed memory that lives as long as the pool; NULL if out of memory. */
void *config_pool_alloc(struct config_pool *pool, size_t count, size_t size);

/* A NUL-terminated copy. */
char *config_pool_text(struct config_pool *pool, const char *text, size_t len);

#endif
