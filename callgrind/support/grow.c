#include "callgrind/support/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"

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
	if (wanted > SIZE_MAX / size)
		return CG_ENOMEM;

	/* `array` points at a pointer of any type: read and write it bytewise. */
	void *old;
	memcpy(&old, array, sizeof old);
	void *grown = realloc(old, wanted * size);
	if (!grown)
		return CG_ENOMEM;
	memcpy(array, &grown, sizeof grown);
	*cap = wanted;
	return CG_OK;
}
