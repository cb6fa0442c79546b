/*
 * What it means for counts that two CPUs, as programs saw them, differ: which features one of them
 * lacks, whose code chooses by these, and what makes the difference go away.
 */
#ifndef IRDIFF_DIFF_CPU_DIFFERENCE_H
#define IRDIFF_DIFF_CPU_DIFFERENCE_H

struct cpu_difference {
	char *features;        /* "AVX2, FMA, BMI": what one of them lacks */
	char *effect, *remedy; /* as in struct fact_kind */
};

/* Two values of the fact `cpu` (src/run/guest_cpu.h). All texts become the caller's; all are NULL
 * where one of the values is not of that form, as of another architecture, or where they differ in
 * nothing that is known here. CG_OK or CG_ENOMEM. */
int cpu_difference_explain(const char *base, const char *head, struct cpu_difference *out);

#endif
