/* The CPU that programs see, by what Valgrind says of machines. */
#include "tests/unit/harness.h"

#include "src/run/guest_cpu.h"

#define SAYS "AMD64, LittleEndian, amd64"

static void shows(const char *hwcaps, const char *expected)
{
	char *cpu = guest_cpu(hwcaps);

	CHECK_STR(cpu, expected);
	free(cpu);
}

static void test_levels(void)
{
	/* Skylake and EPYC, by Valgrind 3.19 and by one that knows of FMA; Haswell; Sandy Bridge;
	 * Nehalem; Core 2; Opteron. */
	shows(SAYS "-cx16-lzcnt-rdtscp-sse3-ssse3-avx-avx2-bmi-f16c-rdrand-rdseed",
	      "amd64-avx2-bmi-lzcnt-f16c-rdrand-rdseed");
	shows(SAYS "-cx16-lzcnt-rdtscp-sse3-ssse3-avx-avx2-bmi-f16c-rdrand-rdseed-fma",
	      "amd64-avx2-bmi-lzcnt-f16c-rdrand-rdseed");
	shows(SAYS "-cx16-lzcnt-rdtscp-sse3-ssse3-avx-avx2-bmi-f16c-rdrand-fma",
	      "amd64-avx2-bmi-lzcnt-f16c-rdrand");
	shows(SAYS "-cx16-rdtscp-sse3-ssse3-avx", "amd64-avx");
	shows(SAYS "-cx16-rdtscp-sse3-ssse3", "amd64-sse4.2");
	shows(SAYS "-cx16-sse3-ssse3", "amd64-ssse3");
	shows(SAYS "-sse2", "amd64-sse2");
	shows(SAYS, "amd64-sse2");
}

static void test_hidden(void)
{
	/* What the CPU that is played does not have, the machine may. */
	shows(SAYS "-cx16-lzcnt-rdtscp-sse3-ssse3-avx-bmi-f16c-fma-fma4", "amd64-avx-f16c");
	shows(SAYS "-cx16-rdtscp-sse3-ssse3-avx-f16c", "amd64-avx-f16c");
	shows(SAYS "-cx16-lzcnt-rdtscp-sse3", "amd64-sse2");
	shows(SAYS "-lzcnt-rdtscp-sse3-ssse3-avx-avx2", "amd64-sse2");
	shows(SAYS "-cx16-rdtscp-sse3-ssse3-rdrand", "amd64-sse4.2");
}

static void test_strange(void)
{
	shows(SAYS "-avx1024-cx16-ssse3-avx-avx2-bmi-bmi9", "amd64-avx2-bmi-avx1024-bmi9");
	shows(SAYS "--cx16-ssse3--avx2-", "amd64-avx2");
	shows("ARM64, LittleEndian, v8-fp16-lse", "ARM64, LittleEndian, v8-fp16-lse");
	shows("X86, LittleEndian, x86-sse1-sse2", "X86, LittleEndian, x86-sse1-sse2");
	shows(SAYS "v2-ssse3", SAYS "v2-ssse3");
	shows("", "");
}

static void lacks(const char *cpu, const char *expected)
{
	char *missing = guest_cpu_lacks(cpu);

	CHECK_STR(missing, expected);
	free(missing);
}

static void test_lacks(void)
{
	lacks("amd64-avx2-bmi-lzcnt-f16c-rdrand-rdseed", "");
	lacks("amd64-avx2-bmi-lzcnt-f16c-rdrand-rdseed-avx1024", "");
	lacks("amd64-avx2-bmi-lzcnt-f16c-rdrand", "RDSEED");
	lacks("amd64-avx2-bmi-rdrand-rdseed", "LZCNT, F16C");
	lacks("amd64-avx-f16c", "AVX2");
	lacks("amd64-sse2", "AVX2");
	lacks("ARM64, LittleEndian, v8", "");
}

TEST_MAIN("guest_cpu", { "Valgrind plays one of five", test_levels },
	  { "what they do not show is no difference", test_hidden },
	  { "other words and architectures", test_strange },
	  { "what most have and one lacks", test_lacks })
