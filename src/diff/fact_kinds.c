#include "src/diff/fact_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME_MACHINE "measure both on one machine, or in one container image"
#define SAME_VALGRIND \
	"measure both with the same Valgrind: install the same package, or set IRDIFF_VALGRIND"
#define SAME_OPTIONS "measure both again with the same options and irdiff.yml"

/* Figures are of Valgrind 3.19 and glibc 2.36, of small and of everyday programs. */
static const struct fact_kind environment[] = {
	{ "affinity", "CPU affinity", FACT_PLAIN, true, false,
	  "A program that asks which CPUs it may use can take another code path; others count the same.",
	  "start irdiff under the same taskset, or under none" },
	{ "arch", "machine architecture", FACT_PLAIN, true, false,
	  "Other machine instructions are executed: the counts have nothing in common.",
	  SAME_MACHINE },
	{ "binding", "binding of library functions", FACT_PLAIN, true, false,
	  "A function of a library that is bound at its first call counts 250 to 3,000 Ir there: most of a small case.",
	  "measure both with the same version of irdiff, cases: and LD_BIND_NOW" },
	{ "cpu", "CPU features", FACT_DASHES, true, false,
	  "Libraries choose functions by them: a copy loop counted 64,717 with one and 7,987 with another.",
	  "measure both on one machine, or on CPUs of the same kind" },
	{ "cpus", "number of CPUs", FACT_PLAIN, true, false,
	  "A program that starts a thread per CPU does other work; others count the same.",
	  "set the number of threads by an argument of the benchmark, or by env: in irdiff.yml" },
	{ "depth", "callers recorded per context", FACT_PLAIN, true, false,
	  "Totals and self costs stay the same; call paths, and inclusive costs under recursion, may change.",
	  "set the same depth: in irdiff.yml and measure both again" },
	{ "env.", "variable", FACT_PLAIN, true, false,
	  "A program may behave differently; the length of a variable alone changes counts by 14 to 16,000 Ir.",
	  "set it to one value by env: in irdiff.yml (NAME: value), or do not pass it on" },
	{ "freeze", "frozen values", FACT_PLAIN, true, false,
	  "Without freezing, programs that use random numbers, the time or their process id count "
	  "differently in each run: jq by 402 ppm, others by up to 29 %.",
	  SAME_OPTIONS },
	{ "freeze_library", "freeze library", FACT_ID, true, false,
	  "Its code, which runs in place of system calls, counts as the program's own.",
	  "measure both with the same build of irdiff" },
	{ "in_place", "started at its own path", FACT_PLAIN, true, false,
	  "The length of the program's path changes counts by 90 to 1,400 Ir.", SAME_OPTIONS },
	{ "ld.so", "dynamic loader", FACT_ID, true, false,
	  "Loading libraries may count differently at every start.", SAME_MACHINE },
	{ "libc", "C library", FACT_ID, true, false,
	  "Everything that calls it may count differently: memory, strings, input and output, start-up.",
	  SAME_MACHINE },
	{ "nofile", "limit on open files", FACT_PLAIN, true, false,
	  "A program that closes every descriptor up to the limit makes a call for each; others count the same.",
	  "raise it before irdiff starts: ulimit -n 1024" },
	{ "options", "Valgrind options", FACT_SPACES, true, false,
	  "Cache simulation changes counts by up to 2 Ir, and cache misses by the simulated sizes; "
	  "other options may change anything.",
	  SAME_OPTIONS },
	{ "path_bytes", "length of PATH", FACT_PLAIN, true, false,
	  "The length of a variable changes counts by 14 to 16,000 Ir (up to 398 ppm).",
	  "shorten PATH where it is longer: irdiff pads it to a multiple of 512 bytes" },
	{ "preset", "settings of its runtime", FACT_SPACES, true, false,
	  "A runtime executes other code with other settings: Node.js counts 10 % more, Java a third less.",
	  "measure both with the same version of irdiff, presets: and env:" },
	{ "processes", "how processes are measured", FACT_PLAIN, true, false,
	  "Counts of one process and sums over several have little in common.",
	  "measure both with the same processes: in irdiff.yml, or by irdiff profile --processes" },
	{ "recipe", "fixed variables", FACT_ID, true, false,
	  "Another version of irdiff set other variables: each counts 449 Ir in a small C program, 2,800 in perl.",
	  "measure both with the same version of irdiff" },
	{ "recursion", "separate recursion levels", FACT_PLAIN, true, false,
	  "Totals and self costs stay the same; inclusive costs of recursive functions may change.",
	  SAME_OPTIONS },
	{ "stack", "stack limit", FACT_PLAIN, false, false,
	  "It changed no count of any program tested.", NULL },
	{ "stdout", "kind of standard output", FACT_PLAIN, true, false,
	  "The C library uses buffers of another size: counts change by 54 to 2.84 million Ir.",
	  "measure both on the same file system (.irdiff of the project)" },
	{ "threads", "how threads are measured", FACT_PLAIN, true, false,
	  "Counts of one thread and sums over all threads have little in common.",
	  "measure both with the same threads: in irdiff.yml, or by irdiff profile --threads" },
	{ "tunables", "pinned C library functions", FACT_COLONS, true, false,
	  "Without pinning the C library chooses functions by CPU: a copy loop counted 64,717 with "
	  "one choice and 7,987 with another.",
	  SAME_MACHINE },
	{ "valgrind", "Valgrind", FACT_PLAIN, true, false,
	  "The programs tested count the same with 3.19, 3.24 and 3.27, but it presents another CPU "
	  "to them, by which libraries choose functions.",
	  SAME_VALGRIND },
	{ "valgrind_flavour", "kind of Valgrind", FACT_PLAIN, true, false,
	  "CodSpeed's fork counts other things than stock Valgrind, and excludes others.",
	  SAME_VALGRIND },
	{ "warm_up", "warm-up run", FACT_PLAIN, true, false,
	  "Without it Python compiles its modules while it is measured: up to 4 times the count.",
	  "set the same warm_up: in irdiff.yml and measure both again" },
	{ "workspace", "workspace", FACT_PLAIN, true, false,
	  "An untraced program sees its real path and process id, whose lengths change counts by "
	  "about 25 Ir per getcwd(), and the whole list of installed libraries: 90 to 2,700 Ir in all.",
	  "trace it for both: 'irdiff doctor' shows what prevents it" },
	{ NULL, "another fact", FACT_PLAIN, true, false,
	  "This version of irdiff does not know it, and assumes that it can affect counts.",
	  "measure both with this version of irdiff" },
};

/* In the order in which differences are shown. */
static const struct fact_kind subject[] = {
	{ "built", "built with", FACT_BUILT, true, false,
	  "Other compilers and flags turn the same source into other code, so the counts compare them as well.",
	  "build both with the same compiler and flags if you want to compare the source" },
	{ "built.", "built with", FACT_BUILT, true, false,
	  "Other compilers and flags turn the same source into other code.",
	  "build both with the same compiler and flags if you want to compare the source" },
	{ "compiler", "compiler", FACT_PLAIN, true, false,
	  "Another compiler turns the same source into other code.",
	  "build both with the same compiler if you want to compare the source" },
	{ "libc_version", "C library version", FACT_PLAIN, true, false,
	  "Everything that calls it may count differently.", SAME_MACHINE },
	{ "object.", "library", FACT_ID, true, false,
	  "Its functions are other code, and may count differently.",
	  "if this is not the change: " SAME_MACHINE },
	{ "loader_cache", "list of installed libraries", FACT_ID, true, false,
	  "The dynamic loader searches /etc/ld.so.cache for each library: another length changed counts by 172 Ir.",
	  "measure both again" },
	{ "kernel", "kernel", FACT_PLAIN, true, false,
	  "The kernel's work is not counted, and programs seldom ask which kernel it is; since 6.3 "
	  "it passes two more values to programs at start, which counts 16 Ir.",
	  SAME_MACHINE },
	{ "user", "user", FACT_PLAIN, true, false,
	  "A program may behave differently as root; perl counts 6 Ir less.",
	  "measure both as root, or both as another user" },
	{ "function", "root function", FACT_PLAIN, true, false,
	  "Other parts of the program are counted.", "set the same root: in irdiff.yml" },
	{ "processes", "measured processes", FACT_PLAIN, true, false,
	  "The program started another number of processes, or another number of them is counted.",
	  "if this is not the change: select one process with irdiff profile --image" },
	{ "threads", "threads of the program", FACT_PLAIN, true, false,
	  "The order in which threads run varies from run to run, and counts vary with it.",
	  "if this is not the change: use the same number of threads, or one" },
	{ "integration", "benchmark integration", FACT_PLAIN, true, false,
	  "Versions of such a library wrap the code of a case in other calls.",
	  "use the same version for both" },
	{ "stripped.", "without debug information", FACT_PLAIN, false, false,
	  "Valgrind read a copy without debug information, which changes no count.", NULL },
	{ "build_id", "build of the program", FACT_ID, true, true,
	  "The program is another build, which is what is compared.", NULL },
	{ "image", "program file", FACT_PLAIN, true, true, "This is what is compared.", NULL },
	{ "program", "started file", FACT_PLAIN, true, true, "This is what is compared.", NULL },
	{ "command", "command", FACT_PLAIN, true, true, "This is what is compared.", NULL },
	{ "benchmark", "benchmark", FACT_PLAIN, true, true, "This is what is compared.", NULL },
	{ "definition", "definition of the benchmark", FACT_ID, true, true,
	  "irdiff.yml defines the benchmark differently.", NULL },
	{ "commit", "commit", FACT_ID, true, true, "This is what is compared.", NULL },
	{ "dirty", "changed since the commit", FACT_PLAIN, true, true, "This is what is compared.",
	  NULL },
	{ NULL, NULL, FACT_PLAIN, true, false, NULL, NULL },
};

static bool is_family(const struct fact_kind *kind)
{
	size_t len = kind->key ? strlen(kind->key) : 0;
	return len && kind->key[len - 1] == '.';
}

static const struct fact_kind *find_fact_kind(const struct fact_kind *all, const char *key)
{
	while (all->key && !(is_family(all) ? strncmp(key, all->key, strlen(all->key)) == 0
					    : strcmp(key, all->key) == 0))
		all++;
	return all;
}

const struct fact_kind *environment_fact_kind(const char *key)
{
	return find_fact_kind(environment, key);
}

const struct fact_kind *subject_fact_kind(const char *key)
{
	const struct fact_kind *found = find_fact_kind(subject, key);
	return found->key ? found : NULL;
}

const struct fact_kind *environment_fact_kinds(void)
{
	return environment;
}

const struct fact_kind *subject_fact_kinds(void)
{
	return subject;
}

const struct fact_kind *namespace_fact_kind(void)
{
	static const struct fact_kind kind = {
		"namespace", "namespace", FACT_PLAIN,
		false,       false,       "Its functions are matched as if it had the same name.",
		NULL,
	};
	return &kind;
}

const char *fact_member(const struct fact_kind *kind, const char *key)
{
	return is_family(kind) ? key + strlen(kind->key) : kind->key ? NULL : key;
}

char *fact_name(const struct fact_kind *kind, const char *key)
{
	const char *member = fact_member(kind, key);
	char *name;
	int length = !member     ? asprintf(&name, "%s", kind->name)
		     : kind->key ? asprintf(&name, "%s %s", kind->name, member)
				 : asprintf(&name, "%s", member);
	return length < 0 ? NULL : name;
}

/* ---- words ---- */

/* Whether a word is in `list`; compilers are separated by ";" as well. */
static bool list_has_word(const char *list, const char *separator, const char *word, size_t len)
{
	size_t step = strlen(separator);

	for (const char *at = list; at;) {
		const char *end = strstr(at, separator);
		size_t n = end ? (size_t)(end - at) : strlen(at);
		size_t bare = n && at[n - 1] == ';' ? n - 1 : n;
		if ((n == len || bare == len) && memcmp(at, word, len) == 0)
			return true;
		at = end ? end + step : NULL;
	}
	return false;
}

/* The words of `value` that the other side has not, and those that `keep` (NULL: none) wants in any
 * case. */
static void print_other_words(FILE *to, const char *value, size_t size, const char *other,
			      const char *separator, bool (*keep)(const char *word))
{
	const char *end = value + size;
	bool any = false, left_out = false;

	for (const char *at = value; at < end;) {
		const char *stop = memmem(at, (size_t)(end - at), separator, strlen(separator));
		size_t len = (size_t)((stop ? stop : end) - at);
		bool shown = len &&
			     ((keep && keep(at)) || !list_has_word(other, separator, at, len));
		if (shown)
			fprintf(to, "%s%.*s", any ? separator : "", (int)len, at);
		any |= shown;
		left_out |= len && !shown;
		at = stop ? stop + strlen(separator) : end;
	}
	if (!any)
		fputs(left_out ? "without" : "none", to);
}

/* Names and versions of compilers are no flags. */
static bool is_no_flag(const char *word)
{
	return *word != '-';
}

/* ---- compilers and their flags ---- */

static const char between_compilers[] = "; ";

/* Compilers obey the last of several levels of optimisation. */
static bool is_overridden(const char *word, size_t len)
{
	const char *end = strstr(word, between_compilers), *later = strstr(word + len, " -O");

	return strncmp(word, "-O", 2) == 0 && later && (!end || later < end);
}

/* The caller's; NULL: out of memory. */
static char *drop_overridden(const char *value)
{
	char *text = strdup(value), *to = text;

	for (const char *at = value; text && *at;) {
		size_t len = strcspn(at, " ");
		bool drop = is_overridden(at, len);
		len += at[len] == ' ';
		if (!drop)
			to = (char *)memcpy(to, at, len) + len;
		at += len;
	}
	if (text)
		*to = '\0';
	return text;
}

/* A compiler's name, and the flags that none of the other side has; the caller's. */
static char *describe_compiler(const char *compiler, size_t len, const char *other)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	print_other_words(to, compiler, len, other, " ", is_no_flag);
	bool failed = ferror(to);
	if (fclose(to) == 0 && !failed)
		return text;
	free(text);
	return NULL;
}

/* Adds what is not there yet: several may differ in flags that the other side has, too. */
static bool add_compiler(char **all, const char *compiler, size_t len, const char *other)
{
	char *text = describe_compiler(compiler, len, other), *joined = NULL;
	bool added = text &&
		     (list_has_word(*all, between_compilers, text, strlen(text)) ||
		      asprintf(&joined, "%s%s%s", *all, **all ? between_compilers : "", text) >= 0);

	free(text);
	if (added && joined) {
		free(*all);
		*all = joined;
	}
	return added;
}

/* Those that the other side has not; the caller's. NULL: out of memory. */
static char *describe_compilers(const char *value, const char *other)
{
	char *all = strdup("");
	bool described = all;

	for (const char *at = value; described && at;) {
		const char *stop = strstr(at, between_compilers);
		size_t len = stop ? (size_t)(stop - at) : strlen(at);
		if (!list_has_word(other, between_compilers, at, len))
			described = add_compiler(&all, at, len, other);
		at = stop ? stop + strlen(between_compilers) : NULL;
	}
	if (described)
		return all;
	free(all);
	return NULL;
}

static bool print_built(FILE *to, const char *value, const char *other)
{
	char *own = drop_overridden(value), *others = drop_overridden(other);
	bool as_they_are = own && others && strcmp(own, others) == 0;
	char *text = !own || !others ? NULL
		     : as_they_are   ? describe_compilers(value, other)
				     : describe_compilers(own, others);

	free(own);
	free(others);
	if (text)
		fputs(*text ? text : "without", to);
	free(text);
	return text;
}

/* ---- short forms ---- */

static size_t length_of_id(const char *value)
{
	enum { MOST = 12 };
	static const char hash[] = "fnv1a:";
	size_t lead = strncmp(value, hash, sizeof hash - 1) == 0 ? sizeof hash - 1 : 0;
	size_t digits = strspn(value + lead, "0123456789abcdef");
	return value[lead + digits] || digits <= MOST ? strlen(value) : lead + MOST;
}

char *fact_short(const struct fact_kind *kind, const char *value, const char *other)
{
	char *text = NULL;
	size_t size, len = strlen(value);
	FILE *to = open_memstream(&text, &size);
	bool printed = true;

	if (!to)
		return NULL;
	if (kind->shape == FACT_ID)
		fprintf(to, "%.*s", (int)length_of_id(value), value);
	else if (!other || kind->shape == FACT_PLAIN)
		fputs(*value ? value : "empty", to);
	else if (kind->shape == FACT_BUILT)
		printed = print_built(to, value, other);
	else
		print_other_words(to, value, len, other,
				  kind->shape == FACT_SPACES   ? " "
				  : kind->shape == FACT_DASHES ? "-"
							       : ":",
				  NULL);
	printed = printed && !ferror(to);
	if (fclose(to) == 0 && printed)
		return text;
	free(text);
	return NULL;
}
