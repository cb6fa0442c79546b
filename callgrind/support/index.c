#include "callgrind/support/index.h"

#include <stdlib.h>
#include <sys/auxv.h>

#include "cgprofile/error.h"

/* The kernel gives each program 16 random bytes. */
uint64_t cg_hash_secret(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint64_t secret = UINT64_C(0x8e51a3c72b6f904d);

	if (random)
		memcpy(&secret, random, sizeof secret);
	return secret;
}

void cg_index_insert(struct cg_index *x, uint32_t hash, uint32_t id)
{
	size_t i = hash & x->mask;
	while (x->slots[i].id)
		i = (i + 1) & x->mask;
	x->slots[i] = (struct cg_index_slot){ hash, id };
	x->count++;
}

/* A page that is read before it is written costs two faults, and the second one interrupts the
 * other processors. */
static void write_each_page(struct cg_index_slot *slots, size_t count)
{
	enum { PAGE = 4096 / sizeof *slots };
	for (size_t i = 0; i < count; i += PAGE)
		*(volatile uint32_t *)&slots[i].id = 0;
}

int cg_index_reserve(struct cg_index *x)
{
	size_t size = x->slots ? x->mask + 1 : 0;
	if (x->count + 1 <= size / 2 + size / 8)
		return CG_OK;

	struct cg_index bigger = { 0 };
	size_t wanted = size ? 2 * size : 64;
	bigger.slots = calloc(wanted, sizeof *bigger.slots);
	if (!bigger.slots)
		return CG_ENOMEM;
	write_each_page(bigger.slots, wanted);
	bigger.mask = wanted - 1;
	for (size_t i = 0; i < size; i++)
		if (x->slots[i].id)
			cg_index_insert(&bigger, x->slots[i].hash, x->slots[i].id);
	free(x->slots);
	*x = bigger;
	return CG_OK;
}

void cg_index_free(struct cg_index *x)
{
	free(x->slots);
	*x = (struct cg_index){ 0 };
}
