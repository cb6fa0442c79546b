/* Functions of which the C library has variants, for tests/insights.sh. */
#include <string.h>

int main(void)
{
	static char from[600], to[600];
	size_t sum = 0;

	memset(from, 'x', 500);
	for (int i = 0; i < 3000; i++) {
		from[i % 500] = 'y';
		memcpy(to, from, 500);
		sum += strlen(to);
	}
	return sum == 1;
}
