/* Prints what src/run/guest_cpu.h calls the CPU that CPUID tells of: once for each character of a
 * file. */
#include <cpuid.h>
#include <stdio.h>

static void print_cpu(void)
{
	unsigned a, b = 0, c, d, leaf7 = 0, abm = 0;

	__cpuid(1, a, b, c, d);
	unsigned leaf1 = c;
	if (__get_cpuid_max(0, NULL) >= 7) {
		__cpuid_count(7, 0, a, b, c, d);
		leaf7 = b;
	}
	__cpuid(0x80000001, a, b, c, d);
	abm = c >> 5 & 1;
	int avx2 = leaf7 >> 5 & 1;
	printf("amd64-%s", avx2 ? "avx2" : leaf1 >> 28 & 1 ? "avx" : leaf1 >> 20 & 1 ? "sse4.2"
			   : leaf1 >> 9 & 1 ? "ssse3" : "sse2");
	printf("%s%s", leaf7 >> 3 & 1 ? "-bmi" : "", abm ? "-lzcnt" : "");
	printf("%s%s%s\n", leaf1 >> 29 & 1 ? "-f16c" : "", leaf1 >> 30 & 1 ? "-rdrand" : "",
	       leaf7 >> 18 & 1 ? "-rdseed" : "");
}

int main(void)
{
	FILE *times = fopen("times", "r");
	if (!times)
		return 1;
	while (getc(times) != EOF)
		print_cpu();
	return 0;
}
