#include "src/run/gungraun_forms.h"

#include <stddef.h>

#define ENVS "[({s}=k ?{s}=v)"
#define ENTRY "?{||s}=e"

/* Of several for a structure the last one counts. */
static const struct said_form {
	char structure;
	int since;
	const char *fields;
} forms[] = {
	/* the whole */
	{ 'S', 1400, "C [G [s b=s b=t" },
	{ 'S', 1500, "C [G [s b=s b=t e" },
	{ 'S', 1600, "[s C e [G b=s b=t" },
	{ 'G', 1400, "s=g ?C ?b [F b=s b=t" },
	{ 'G', 1600, "?b ?C b=s b=t s=g [F" },
	{ 'G', 1800, "?b ?C b=s b=t s=g [F ?n" },
	/* a function, and its benchmarks */
	{ 'F', 1400, "?C [B" },
	{ 'F', 1600, "[B ?C" },
	{ 'B', 1400, "?s=i s=f ?s ?C" },
	{ 'B', 1600, "?s ?C s=f ?s=i" },
	{ 'B', 1700, "?s ?C s=f ?s=i ?n=n" },
	{ 'B', 1800, "?s ?C ?s s=f ?s=i ?n=n" },
	/* a configuration */
	{ 'C', 1400, "?b [(s=a) [(s=a) " ENVS " ?L ?([(e n) ?b) [Y ?[Y " ENTRY " ?O" },
	{ 'C', 1500, "?b [(s=a) " ENVS " [T ?X ?O ?e" },
	{ 'C', 1600, "?e ?b " ENVS " ?O [T ?X [(s=a)" },
	{ 'C', 1901, "?s=d ?e ?b " ENVS " ?O ?(?b=x [s ?b) [T ?X [(s=a)" },
	/* Valgrind's tools, those that replace them, and tools other than callgrind */
	{ 'T', 1500, "e=t ?b [(s=a) ?b ?R ?{L|} ?M " ENTRY },
	{ 'T', 1502, "e=t ?b [(s=a) ?b ?R ?{L|} ?M " ENTRY " ?[s" },
	{ 'T', 1600, "?b " ENTRY " ?{L|} ?[s e=t ?M [(s=a) ?R ?b" },
	{ 'T', 1901, "?b " ENTRY " ?{L|} ?[s e=t ?M [(s=a) ?R ?e ?b" },
	{ 'T', 2000, "?b " ENTRY " ?{L|} {P|?[s|} ?M [(s=a) ?R ?e ?b e=t" },
	{ 'X', 1500, "[T" },
	{ 'Y', 1400, "e ?b [s ?b" },
	/* options of flame graphs, output and perf */
	{ 'L', 1400, "?e ?b ?b ?[e ?e ?s ?s ?n" },
	{ 'L', 1600, "?e ?[e ?e ?n ?b ?b ?s ?s" },
	{ 'O', 1400, "??n ?b ?b" },
	{ 'O', 1600, "?b ?b ?n ??n" },
	{ 'P', 2000, "?n ?[s ?n ?[s ?b [s ?{|n||(n e)|} ?(n e)" },
	/* metrics to print; limits */
	{ 'M', 1500, "{[K|[e|[e|[e|[e|[e|}" },
	{ 'M', 1502, "{[K|[H|[e|[e|[e|[e|}" },
	{ 'K', 1500, "{||||||||||e}" },
	{ 'K', 1502, "{||||||||||||e}" },
	{ 'H', 1502, "{|||||||||e}" },
	{ 'D', 1502, "{||e}" },
	{ 'N', 1502, "{n|n}" },
	{ 'R', 1500, "{[(e n) ?b|[(e n) ?b|}" },
	{ 'R', 1502, "{[(K n) [(K N) ?b|[(H n) [(H N) ?b|[(D n) [(D N) ?b|}" },
	{ 'R', 1600, "{?b [(H N) [(H n)|?b [(K N) [(K n)|?b [(D N) [(D n)|}" },
	{ 'R', 2000,
	  "{?b [(H N) [(H n)|?b [(K N) [(K n)|?b [(D N) [(D n)|?n ?b [(s ?s N) [(s n)|}" },
};

const char *gungraun_form(int version, char structure)
{
	const char *fields = NULL;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].structure == structure && forms[i].since <= version)
			fields = forms[i].fields;
	return fields;
}
