#include "src/run/guest_cpu.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Valgrind's words for features, in our order, and which of Valgrind's CPUs show the feature. A
 * program that asks the CPU does not use a feature that is not shown, whatever the machine has. */
static const struct word {
	const char *text;
	bool by_avx, by_avx2; /* shown by the CPU with AVX, by that with AVX2 */
} known[] = {
	{ "bmi", false, true },
	{ "lzcnt", false, true },
	{ "f16c", true, true },
	{ "rdrand", true, true },
	{ "rdseed", true, true },
	/* Valgrind chooses its CPU by these … */
	{ "avx", false, false },
	{ "avx2", false, false },
	{ "cx16", false, false },
	{ "rdtscp", false, false },
	{ "sse2", false, false },
	{ "sse3", false, false },
	{ "ssse3", false, false },
	/* … and computes faster by these, with the same results. */
	{ "fma", false, false },
	{ "fma4", false, false },
};

#define KNOWN (sizeof known / sizeof *known)

static bool is_cpu_feature(const char *at, size_t len, const char *text)
{
	return strlen(text) == len && !memcmp(at, text, len);
}

static bool has_feature(const char *words, const char *text)
{
	for (size_t len; *words; words += len + (words[len] == '-')) {
		len = strcspn(words, "-");
		if (is_cpu_feature(words, len, text))
			return true;
	}
	return false;
}

static const char *cpu_level(const char *words)
{
	if (!has_feature(words, "ssse3") || !has_feature(words, "cx16"))
		return "sse2";
	return has_feature(words, "avx2")     ? "avx2"
	       : has_feature(words, "avx")    ? "avx"
	       : has_feature(words, "rdtscp") ? "sse4.2"
					      : "ssse3";
}

static void print_known_features(FILE *to, const char *words, const char *level)
{
	bool avx2 = !strcmp(level, "avx2"), avx = !strcmp(level, "avx");

	for (size_t i = 0; i < KNOWN; i++)
		if (((avx2 && known[i].by_avx2) || (avx && known[i].by_avx)) &&
		    has_feature(words, known[i].text))
			fprintf(to, "-%s", known[i].text);
}

/* Words of a later Valgrind, which may show these features. */
static void print_unknown(FILE *to, const char *words)
{
	for (size_t len; *words; words += len + (words[len] == '-')) {
		size_t i = 0;
		len = strcspn(words, "-");
		while (i < KNOWN && !is_cpu_feature(words, len, known[i].text))
			i++;
		if (len && i == KNOWN)
			fprintf(to, "-%.*s", (int)len, words);
	}
}

static char *finish_feature_text(FILE *to, char **text)
{
	bool failed = ferror(to);

	if (fclose(to) == 0 && !failed)
		return *text;
	free(*text);
	return NULL;
}

char *guest_cpu(const char *hwcaps)
{
	static const char prefix[] = "AMD64, LittleEndian, amd64";
	const char *words = hwcaps + sizeof prefix - 1, *level;
	char *text = NULL;
	size_t size;

	if (strncmp(hwcaps, prefix, sizeof prefix - 1) || (*words && *words != '-'))
		return strdup(hwcaps);
	words += *words == '-';
	level = cpu_level(words);
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return NULL;
	fprintf(to, "amd64-%s", level);
	print_known_features(to, words, level);
	print_unknown(to, words);
	return finish_feature_text(to, &text);
}

char *guest_cpu_lacks(const char *cpu)
{
	static const char prefix[] = "amd64-";
	const char *words = cpu + sizeof prefix - 1, *before = "";
	char *text = NULL;
	size_t size;

	if (strncmp(cpu, prefix, sizeof prefix - 1))
		return strdup("");
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return NULL;
	bool avx2 = has_feature(words, "avx2");
	if (!avx2)
		fputs("AVX2", to); /* without the features that depend on AVX2 */
	for (size_t i = 0; i < KNOWN && avx2; i++)
		if (known[i].by_avx2 && !has_feature(words, known[i].text)) {
			fputs(before, to);
			for (const char *p = known[i].text; *p; p++)
				fputc(toupper((unsigned char)*p), to);
			before = ", ";
		}
	return finish_feature_text(to, &text);
}
