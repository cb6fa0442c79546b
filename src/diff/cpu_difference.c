#include "src/diff/cpu_difference.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"

/* The CPUs that Valgrind presents; each includes the previous ones. */
static const struct level {
	const char *word, *name;
	const char *most; /* by how much the count of a program differed with and without it */
} levels[] = {
	{ "sse2", "SSE2", NULL },
	{ "ssse3", "SSSE3", NULL },
	{ "sse4.2", "SSE4.2, POPCNT, AES", NULL },
	{ "avx", "AVX", "1.3 %" },
	{ "avx2", "AVX2, FMA, BMI", "27 %" },
};

enum { LEVELS = sizeof levels / sizeof *levels };

#define RANDOM \
	"Code that draws random numbers from the CPU, such as OpenSSL and std::random_device, " \
	"takes another path; other code counts the same."
#define PRETENDED \
	"Programs assume that both CPUs have it, but under Valgrind a machine without it executes " \
	"BSF or BSR instead, which counts the same and has another result."

/* What a machine may lack, whichever CPU Valgrind presents. */
static const struct feature {
	const char *word, *name, *effect;
} features[] = {
	{ "bmi", "BMI1", PRETENDED },
	{ "lzcnt", "LZCNT", PRETENDED },
	{ "f16c", "F16C",
	  "Code that converts half-precision numbers, such as NumPy, takes another path; other code counts the same." },
	{ "rdrand", "RDRAND", RANDOM },
	{ "rdseed", "RDSEED", RANDOM },
};

enum { FEATURES = sizeof features / sizeof *features };

#define ONE_KIND "measure both on CPUs of the same kind"
#define BY_VARIABLES \
	", or make libraries choose the same functions by variables (GLIBC_TUNABLES, " \
	"OPENSSL_ia32cap, NPY_DISABLE_CPU_FEATURES, OPENBLAS_CORETYPE) and judge with " \
	"--allow-env-change: see 'Why counts differ' in the guide"

struct cpu {
	int level; /* -1: unknown */
	bool has[FEATURES];
};

static struct cpu parse_cpu(const char *value)
{
	static const char prefix[] = "amd64-";
	struct cpu cpu = { .level = -1 };

	if (strncmp(value, prefix, sizeof prefix - 1))
		return cpu;
	for (const char *at = value + sizeof prefix - 1; *at; at += *at == '-') {
		size_t len = strcspn(at, "-");
		for (int i = 0; i < LEVELS; i++)
			if (strlen(levels[i].word) == len && !memcmp(levels[i].word, at, len))
				cpu.level = i;
		for (int i = 0; i < FEATURES; i++)
			if (strlen(features[i].word) == len && !memcmp(features[i].word, at, len))
				cpu.has[i] = true;
		at += len;
	}
	return cpu;
}

/* "base has it, head has not". */
static void print_sides(FILE *to, bool base_has, bool several)
{
	fprintf(to, ": %s has %s, %s does not. ", base_has ? "base" : "head",
		several ? "them" : "it", base_has ? "head" : "base");
}

/* Prints the features of one level that the other lacks, the newest first. Returns whether
 * there are several. */
static bool print_levels(FILE *to, const struct cpu *base, const struct cpu *head)
{
	bool base_has = base->level > head->level;
	int low = base_has ? head->level : base->level, high = base_has ? base->level : head->level;

	for (int i = high; i > low; i--)
		fprintf(to, "%s%s", i < high ? ", " : "", levels[i].name);
	return high > low + 1 || strchr(levels[high].name, ',');
}

static void explain_levels(FILE *to, const struct cpu *base, const struct cpu *head)
{
	bool several = print_levels(to, base, head);

	print_sides(to, base->level > head->level, several);
	fprintf(to,
		"The C library chooses memcpy, strlen, exp and others by %s, and so do libraries that ask "
		"the CPU (OpenSSL, NumPy, OpenBLAS, Rust's is_x86_feature_detected)",
		several ? "these" : "this");
	const char *most = levels[base->level > head->level ? base->level : head->level].most;
	if (most)
		fprintf(to, ": programs differed by up to %s", most);
	fputc('.', to);
}

/* Whether the next one can be told with this one. */
static bool goes_on(const struct cpu *base, const struct cpu *head, int i)
{
	return i + 1 < FEATURES && features[i + 1].effect == features[i].effect &&
	       base->has[i + 1] != head->has[i + 1] && base->has[i + 1] == base->has[i];
}

static void explain_features(FILE *to, const struct cpu *base, const struct cpu *head)
{
	const char *before = "";

	for (int i = 0; i < FEATURES; i++) {
		bool several = false;
		if (base->has[i] == head->has[i])
			continue;
		fprintf(to, "%s%s", before, features[i].name);
		before = " ";
		for (; goes_on(base, head, i); i++) {
			fprintf(to, ", %s", features[i + 1].name);
			several = true;
		}
		print_sides(to, base->has[i], several);
		fputs(features[i].effect, to);
	}
}

static void list_features(FILE *to, const struct cpu *base, const struct cpu *head)
{
	const char *before = "";

	for (int i = 0; i < FEATURES; i++)
		if (base->has[i] != head->has[i]) {
			fprintf(to, "%s%s", before, features[i].name);
			before = ", ";
		}
}

typedef void print_difference(FILE *to, const struct cpu *base, const struct cpu *head);

static char *text_of_cpus(print_difference *print, const struct cpu *base, const struct cpu *head)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	print(to, base, head);
	bool failed = ferror(to);
	if (fclose(to) == 0 && !failed)
		return text;
	free(text);
	return NULL;
}

static void list_levels(FILE *to, const struct cpu *base, const struct cpu *head)
{
	print_levels(to, base, head);
}

int cpu_difference_explain(const char *base_value, const char *head_value,
			   struct cpu_difference *out)
{
	struct cpu base = parse_cpu(base_value), head = parse_cpu(head_value);
	bool levels_differ = base.level != head.level;
	struct cpu_difference made;

	*out = (struct cpu_difference){ 0 };
	if (base.level < 0 || head.level < 0 ||
	    (!levels_differ && !memcmp(base.has, head.has, sizeof base.has)))
		return CG_OK;
	/* Single features are not worth mentioning where the levels differ. */
	made.features = text_of_cpus(levels_differ ? list_levels : list_features, &base, &head);
	made.effect = text_of_cpus(levels_differ ? explain_levels : explain_features, &base, &head);
	made.remedy = strdup(levels_differ ? ONE_KIND BY_VARIABLES : ONE_KIND);
	if (made.features && made.effect && made.remedy) {
		*out = made;
		return CG_OK;
	}
	free(made.features);
	free(made.effect);
	free(made.remedy);
	return CG_ENOMEM;
}
