#include "callgrind/support/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"

/* `array` points at a pointer of any type: read and write it bytewise. */
static int resize_array(void *array, size_t *cap, size_t wanted, size_t size)
{
	void *old;

	if (wanted > SIZE_MAX / size)
		return CG_ENOMEM;
	memcpy(&old, array, sizeof old);
	void *grown = realloc(old, wanted * size);
	if (!grown)
		return CG_ENOMEM;
	memcpy(array, &grown, sizeof grown);
	*cap = wanted;
	return CG_OK;
}

int cg_grow(void *array, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return CG_OK;

	size_t wanted = *cap < 16 ? 16 : *cap;
	while (wanted < need) {
		if (wanted > SIZE_MAX / 2)
			return CG_ENOMEM;
		wanted += wanted / 2;
	}
	return resize_array(array, cap, wanted, size);
}

int cg_grow_little(void *array, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return CG_OK;
	return need > SIZE_MAX / 2 ? CG_ENOMEM : resize_array(array, cap, need + need / 8, size);
}
