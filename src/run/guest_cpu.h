/*
 * The CPU that a measured program sees. Valgrind never shows the machine's own: it plays one of
 * five that do not differ beyond a few features, whichever machine it runs on. So two machines that
 * look different to their owners, one with AVX-512 and one of another maker, are often one and the
 * same to a program.
 */
#ifndef IRDIFF_RUN_GUEST_CPU_H
#define IRDIFF_RUN_GUEST_CPU_H

/* What CPUID reports to programs, derived from Valgrind's description of the machine ("AMD64,
 * LittleEndian, amd64-cx16-…-avx2-…"): "amd64-avx2-bmi-lzcnt-f16c-rdrand-rdseed". Machines with
 * an equal result show programs the same CPU. For other architectures it is Valgrind's
 * description. The caller's; NULL: out of memory. */
char *guest_cpu(const char *hwcaps);

/* The features that most machines show and this CPU (a result of guest_cpu) lacks: "AVX2", "F16C,
 * RDSEED"; "" if it lacks none, or is of another architecture. The caller's; NULL: out of
 * memory. */
char *guest_cpu_lacks(const char *cpu);

#endif
