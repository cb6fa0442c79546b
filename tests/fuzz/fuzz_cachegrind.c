/* What cachegrind writes: no calls, no compressed names, the summary at the end. */
#include "tests/fuzz/reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_reading(data, size);
	return 0;
}
