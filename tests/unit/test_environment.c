#include "tests/unit/profiles.h"

#include "src/diff/environment.h"

static struct cg_profile *counting(const char *facts, int cost)
{
	char text[1000];
	snprintf(text, sizeof text, "%sevents: Ir\nfn=f\n1 %d\n", facts, cost);
	return profile_of(text);
}

static struct cg_profile *with_facts(const char *facts)
{
	return counting(facts, 1);
}

/* It counts otherwise, as only then a difference matters. */
static struct cg_profile *other_with_facts(const char *facts)
{
	return counting(facts, 2);
}

/* The differences as text: "cpu: a > b, …"; "-" for what was not recorded. */
static void finds(const char *base_facts, const char *head_facts, const char *expected)
{
	struct cg_profile *base = with_facts(base_facts), *head = other_with_facts(head_facts);
	struct environment_diff d;
	char text[400] = "";
	size_t used = 0;

	REQUIRE_INT(environment_compare(base, head, &d), CG_OK);
	for (size_t i = 0; i < d.count; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %s > %s",
					 i ? ", " : "", d.differences[i].key,
					 d.differences[i].base ? d.differences[i].base : "-",
					 d.differences[i].head ? d.differences[i].head : "-");
	test_report(strcmp(text, expected) == 0, false, __FILE__, __LINE__,
		    "the differences are \"%s\", not \"%s\"", text, expected);
	environment_diff_free(&d);
	cg_profile_free(base);
	cg_profile_free(head);
}

#define ENV "desc: irdiff.env."

static void test_differences(void)
{
	finds(ENV "cpu: x\n" ENV "libc: 2.36\n", ENV "libc: 2.36\n" ENV "cpu: x\n", "");
	finds(ENV "cpu: x\n" ENV "libc: 2.36\n", ENV "cpu: y\n" ENV "libc: 2.37\n",
	      "cpu: x > y, libc: 2.36 > 2.37");
	finds(ENV "cpu: x\n" ENV "z: 1\n", ENV "cpu: x\n" ENV "a: 2\n", "a: - > 2, z: 1 > -");
	/* A value may be empty. */
	finds(ENV "cpu: x\n", ENV "cpu: \n", "cpu: x > ");
}

/* What was measured is expected to differ, and foreign keys mean nothing. */
static void test_not_environment(void)
{
	finds(ENV "cpu: x\ndesc: irdiff.subject.commit: 1\ndesc: I1 cache: 1 B\n",
	      ENV "cpu: x\ndesc: irdiff.subject.commit: 2\ndesc: I1 cache: 2 B\n", "");
	finds(ENV "cpu: x\ndesc: irdiff.envelope: 1\n", ENV "cpu: x\n", "");
}

/* What could move counts does not if none differs: of no function, even if the totals are equal. */
static void finds_moving(const char *base_counts, const char *head_counts, size_t moving)
{
	char text[1000];
	snprintf(text, sizeof text, "%sevents: Ir\n%s", ENV "cpu: x\n", base_counts);
	struct cg_profile *base = profile_of(text);
	snprintf(text, sizeof text, "%sevents: Ir\n%s", ENV "cpu: y\n", head_counts);
	struct cg_profile *head = profile_of(text);
	struct environment_diff d;

	REQUIRE_INT(environment_compare(base, head, &d), CG_OK);
	CHECK_INT(d.count, 1);
	CHECK_INT(d.moving, moving);
	CHECK_INT(d.same_counts, !moving);
	environment_diff_free(&d);
	cg_profile_free(base);
	cg_profile_free(head);
}

static void test_same_counts(void)
{
	finds_moving("fn=f\n1 1\nfn=g\n2 2\n", "fn=f\n1 1\nfn=g\n2 2\n", 0);
	finds_moving("fn=f\n1 1\nfn=g\n2 2\n", "fn=f\n1 1\nfn=g\n2 3\n", 1);
	finds_moving("fn=f\n1 1\nfn=g\n2 2\n", "fn=f\n1 2\nfn=g\n2 1\n", 1);
	finds_moving("fn=f\n1 1\ncfn=g\ncalls=1 2\n1 2\nfn=g\n2 2\n",
		     "fn=f\n1 1\ncfn=g\ncalls=2 2\n1 2\nfn=g\n2 2\n", 1);
}

static void test_unknown(void)
{
	struct cg_profile *known = with_facts(ENV "cpu: x\n");
	struct cg_profile *unknown = with_facts("desc: irdiff.subject.commit: 2\n");
	struct environment_diff d;

	REQUIRE_INT(environment_compare(known, unknown, &d), CG_OK);
	CHECK(d.base_known);
	CHECK(!d.head_known);
	CHECK_U64(d.count, 0); /* nothing to compare with is no difference */
	environment_diff_free(&d);
	REQUIRE_INT(environment_compare(unknown, known, &d), CG_OK);
	CHECK(!d.base_known);
	CHECK(d.head_known);
	environment_diff_free(&d);
	cg_profile_free(known);
	cg_profile_free(unknown);
}

/* ---- in words ---- */

/* "NAME: BASE > HEAD" of all differences that the struct has, moving ones first. */
static void says(const char *base_facts, const char *head_facts, const char *expected)
{
	struct cg_profile *base = with_facts(base_facts), *head = other_with_facts(head_facts);
	struct environment_diff d;
	char text[600] = "";
	size_t used = 0;

	REQUIRE_INT(environment_compare(base, head, &d), CG_OK);
	for (size_t i = 0; i < d.count + d.nsubject; i++) {
		const struct environment_difference *one = i < d.count ? &d.differences[i]
								       : &d.subject[i - d.count];
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s: %s > %s",
					 i ? ", " : "",
					 i < d.count && i >= d.moving ? "still " : "", one->name,
					 one->base_short ? one->base_short : "-",
					 one->head_short ? one->head_short : "-");
	}
	CHECK_STR(text, expected);
	environment_diff_free(&d);
	cg_profile_free(base);
	cg_profile_free(head);
}

#define SUBJECT "desc: irdiff.subject."
#define BUILT SUBJECT "built: "

static void test_words(void)
{
	says(ENV "cpu: amd64-avx2-bmi-rdrand\n", ENV "cpu: amd64-avx-rdrand\n",
	     "CPU features: avx2-bmi > avx");
	says(ENV "cpu: amd64-avx-f16c\n", ENV "cpu: amd64-avx\n", "CPU features: f16c > without");
	says(ENV "options: --a=1 --b=2\n", ENV "options: --a=1 --b=3 --c\n",
	     "Valgrind options: --b=2 > --b=3 --c");
	says(ENV "env.HOME: \n" ENV "x: 1\n", ENV "x: 1\n", "variable HOME: empty > -");
	says(ENV "libc: 0123456789abcdef0123\n" SUBJECT "libc_version: GLIBC 2.36\n",
	     ENV "libc: fnv1a:0123456789abcdef\n",
	     "C library: GLIBC 2.36 (0123456789ab) > fnv1a:0123456789ab");
	says(ENV "tunables: a=1:b=2:\n", ENV "tunables: not pinned\n",
	     "pinned C library functions: a=1:b=2 > not pinned");
	/* What cannot move a count comes last; what is unknown is taken for what can. */
	says(ENV "stack: 1\n" ENV "zebra: 1\n", ENV "stack: 2\n" ENV "zebra: 2\n",
	     "zebra: 1 > 2, still stack limit: 1 > 2");
}

static void test_built(void)
{
	says(BUILT "GNU C17 12.2.0 -g -O2\n", BUILT "GNU C17 12.2.0 -g -O1\n",
	     "built with: GNU C17 12.2.0 -O2 > GNU C17 12.2.0 -O1");
	says(BUILT "GNU C17 12.2.0 -g -O2; GNU AS 2.40\n",
	     BUILT "GNU C17 13.1.0 -g -O2; GNU AS 2.40\n",
	     "built with: GNU C17 12.2.0 > GNU C17 13.1.0");
	says(BUILT "GNU C17 12.2.0 -O2; GNU AS 2.40\n", BUILT "GNU C17 12.2.0 -O2\n",
	     "built with: GNU AS 2.40 > without");
	/* Compilers go first, and what only one side says is no difference. */
	says(SUBJECT "build_id: 1\n" BUILT "a\n" SUBJECT "kernel: 6\n",
	     SUBJECT "build_id: 2\n" BUILT "b\n", "built with: a > b, build of the program: 1 > 2");
	says(SUBJECT "nonsense: 1\n", SUBJECT "nonsense: 2\n", "");
}

/* Of the words of a value only those that the other side has not. */
static void test_other_words(void)
{
	says(ENV "options: --a --b --c\n", ENV "options: --d --c\n",
	     "Valgrind options: --a --b > --d");
	/* The beginning of a word is another word. */
	says(ENV "options: --a --b\n", ENV "options: --ab --b\n", "Valgrind options: --a > --ab");
	says(ENV "options: --ab --b\n", ENV "options: --a --b\n", "Valgrind options: --ab > --a");
	says(ENV "options: --a\n", ENV "options: --a --b\n", "Valgrind options: without > --b");
	says(ENV "options: \n", ENV "options: --b\n", "Valgrind options: none > --b");
	says(ENV "options: --a  --b\n", ENV "options: --b  --c\n", "Valgrind options: --a > --c");
	/* Without the other side's there is nothing to leave out. */
	says(ENV "options: --a --b\n" ENV "x: 1\n", ENV "x: 1\n", "Valgrind options: --a --b > -");
	says(ENV "tunables: a=1:b=2\n", ENV "tunables: a=1:b=3\n",
	     "pinned C library functions: b=2 > b=3");
	says(BUILT "GNU C17 12.2.0 -O2 -g; GNU C++17 12.2.0 -O2\n",
	     BUILT "GNU C17 13.1.0 -O2; GNU C++17 13.1.0 -O2 -g\n",
	     "built with: GNU C17 12.2.0; GNU C++17 12.2.0 > GNU C17 13.1.0; GNU C++17 13.1.0");
	/* Of a flag that another compiler has nothing is said, also where it ends what is said of
	 * that: "-O2;". */
	says(BUILT "A -O2; B -O3\n", BUILT "A -O1; B -O3\n", "built with: A -O2 > A -O1");
	says(BUILT "A -O2; B\n", BUILT "A -O1; B -O2\n", "built with: A; B > A -O1; B");
}

/* Of what tells builds apart twelve digits are enough; anything else is as it is. */
static void test_ids(void)
{
	says(ENV "ld.so: fedcba987654\n", ENV "ld.so: 0123456789abc\n",
	     "dynamic loader: fedcba987654 > 0123456789ab");
	says(ENV "ld.so: 0123456789abcdefg\n", ENV "ld.so: fnv1a:0123456789abc\n",
	     "dynamic loader: 0123456789abcdefg > fnv1a:0123456789ab");
	says(ENV "ld.so: fnv1a:0123456789ab\n", ENV "ld.so: fnv1b:0123456789abc\n",
	     "dynamic loader: fnv1a:0123456789ab > fnv1b:0123456789abc");
}

/* The C library's own version stands beside its build, and beside nothing else. */
static void test_versions(void)
{
	says(ENV "libc: 12\n" ENV "x: 1\n" SUBJECT "libc_version: GLIBC 2.36\n", ENV "x: 1\n",
	     "C library: GLIBC 2.36 (12) > -");
	says(ENV "ld.so: 12\n" SUBJECT "libc_version: GLIBC 2.36\n", ENV "ld.so: 34\n",
	     "dynamic loader: 12 > 34");
	says(ENV "libc: 12\n" SUBJECT "libc_version: GLIBC 2.36\n",
	     ENV "libc: 34\n" SUBJECT "libc_version: GLIBC 2.37\n",
	     "C library: GLIBC 2.36 (12) > GLIBC 2.37 (34), C library version: GLIBC 2.36 > GLIBC 2.37");
}

/* Facts are told in the order of the table, those of a family by name, whichever order they were
 * recorded in. */
static void test_order(void)
{
	says(SUBJECT "object.b: 1\n" SUBJECT "object.a: 1\n" SUBJECT "compiler: x\n",
	     SUBJECT "object.a: 2\n" SUBJECT "compiler: y\n" SUBJECT "object.b: 2\n",
	     "compiler: x > y, library a: 1 > 2, library b: 1 > 2");
	says(SUBJECT "user: root\n" SUBJECT "kernel: 6\n",
	     SUBJECT "kernel: 5\n" SUBJECT "user: bin\n", "kernel: 6 > 5, user: root > bin");
	/* A fact that a file has twice, in either order. */
	finds(ENV "cpu: x\n" ENV "cpu: y\n", ENV "cpu: y\n" ENV "cpu: x\n", "");
}

/* Keys of a table for which this is so: "a b c". */
static void check_keys_of(const struct fact_kind *all, bool (*so)(const struct fact_kind *),
			  const char *expected)
{
	char keys[400] = "";
	size_t used = 0;

	for (; all->key; all++)
		if (so(all))
			used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s",
						 used ? " " : "", all->key);
	CHECK_STR(keys, expected);
}

static bool stands_still(const struct fact_kind *w)
{
	return !w->moves;
}

static bool is_expected(const struct fact_kind *w)
{
	return w->expected;
}

/* What moves no count, and what always differs between two builds. */
static void test_meanings(void)
{
	check_keys_of(environment_fact_kinds(), stands_still, "stack");
	check_keys_of(environment_fact_kinds(), is_expected, "");
	check_keys_of(subject_fact_kinds(), stands_still, "stripped.");
	check_keys_of(subject_fact_kinds(), is_expected,
		      "build_id image program command benchmark definition commit dirty");
	CHECK(!environment_fact_kind("nobody knows it")->expected);
	CHECK(environment_is_news(
		&(struct environment_difference){ .kind = subject_fact_kind("compiler") }));
	CHECK(!environment_is_news(
		&(struct environment_difference){ .kind = subject_fact_kind("commit") }));
	CHECK(!subject_fact_kind("object"));
	CHECK(subject_fact_kind("object.libc.so.6") == subject_fact_kind("object."));
}

static bool is_dirty(const char *facts)
{
	struct cg_profile *p = with_facts(facts);
	bool dirty = environment_is_dirty(p);
	cg_profile_free(p);
	return dirty;
}

static void test_dirty(void)
{
	CHECK(!is_dirty(ENV "cpu: x\n"));
	CHECK(!is_dirty(SUBJECT "dirty: no\n"));
	CHECK(is_dirty(SUBJECT "dirty: yes\n"));
}

/* A CPU that only one side has recorded is a difference like any other. */
static void test_cpu_of_one_side(void)
{
	struct cg_profile *base = with_facts(ENV "cpu: amd64-avx2\n" ENV "x: 1\n"),
			  *head = other_with_facts(ENV "x: 1\n");
	struct environment_diff d;

	REQUIRE_INT(environment_compare(base, head, &d), CG_OK);
	REQUIRE_U64(d.count, 1);
	CHECK_STR(d.differences[0].effect, environment_fact_kind("cpu")->effect);
	CHECK_STR(d.differences[0].remedy, environment_fact_kind("cpu")->remedy);
	CHECK(!d.differences[0].features);
	environment_diff_free(&d);
	cg_profile_free(base);
	cg_profile_free(head);
}

/* Every entry can be said to people, and is found by its key. */
static void test_table(void)
{
	for (const struct fact_kind *w = environment_fact_kinds(); w->key; w++) {
		CHECK(environment_fact_kind(w->key) == w);
		CHECK(*w->name && strchr(w->effect, '.') && (w->remedy || !w->moves) &&
		      !w->expected);
		CHECK(!w->remedy || w->remedy[strlen(w->remedy) - 1] != '.');
	}
	for (const struct fact_kind *w = subject_fact_kinds(); w->key; w++)
		CHECK(subject_fact_kind(w->key) == w && *w->name && strchr(w->effect, '.'));
	CHECK(environment_fact_kind("new")->moves && !environment_fact_kind("new")->key);
	CHECK(!subject_fact_kind("new"));
	CHECK_STR(fact_member(environment_fact_kind("env.A.B"), "env.A.B"), "A.B");
	CHECK(!fact_member(environment_fact_kind("cpu"), "cpu"));
}

/* The texts that follow `call` in a source file: keys that it writes. */
static size_t check_keys(const char *source, const char *call, bool family, size_t *known)
{
	size_t count = 0;

	for (const char *at = strstr(source, call); at; at = strstr(at, call)) {
		char key[80];
		at += strlen(call);
		snprintf(key, sizeof key, "%.*s%s", (int)strcspn(at, "\""), at, family ? "." : "");
		bool in_words = environment_fact_kind(key)->key || subject_fact_kind(key);
		test_report(in_words, false, __FILE__, __LINE__,
			    "no words for '%s', which the driver writes", key);
		*known += in_words;
		count++;
	}
	return count;
}

/* The same of all calls in a source file that write a key. */
static size_t check_file_keys(const char *name, size_t *known)
{
	static char source[200000];
	char path[400];

	snprintf(path, sizeof path, TEST_DATA "/../../src/run/%s", name);
	FILE *from = fopen(path, "r");
	REQUIRE(from != NULL);
	source[fread(source, 1, sizeof source - 1, from)] = '\0';
	fclose(from);
	return check_keys(source, "fact_list_set(list, \"", false, known) +
	       check_keys(source, "fact_list_set_number(list, \"", false, known) +
	       check_keys(source, "add_resource_limit(list, \"", false, known) +
	       check_keys(source, "fact_list_set_named(list, \"", true, known);
}

/* What the driver writes, people can be told. */
static void test_all_keys(void)
{
	size_t known = 0;
	size_t of_environment = check_file_keys("fingerprint_environment.c", &known);
	size_t of_subject = check_file_keys("fingerprint_subject.c", &known);
	size_t of_both = check_file_keys("fingerprint.c", &known);

	CHECK_U64(known, of_environment + of_subject + of_both);
	CHECK(of_environment > 20 && of_subject > 10 && of_both == 2);
	CHECK(environment_fact_kind("libc")->key && environment_fact_kind("ld.so")->key);
}

/* ---- what a difference of CPUs means ---- */

static void explains(const char *base_cpu, const char *head_cpu, const char *features,
		     const char *effect, bool by_variables)
{
	char base_facts[200], head_facts[200];
	struct environment_diff d;

	snprintf(base_facts, sizeof base_facts, ENV "cpu: %s\n", base_cpu);
	snprintf(head_facts, sizeof head_facts, ENV "cpu: %s\n", head_cpu);
	struct cg_profile *base = with_facts(base_facts), *head = other_with_facts(head_facts);
	REQUIRE_INT(environment_compare(base, head, &d), CG_OK);
	REQUIRE_U64(d.moving, 1);
	test_report(strncmp(d.differences[0].effect, effect, strlen(effect)) == 0, false, __FILE__,
		    __LINE__, "%s and %s: \"%s\"", base_cpu, head_cpu, d.differences[0].effect);
	CHECK_STR(d.differences[0].features, features);
	CHECK((strstr(d.differences[0].remedy, "OPENSSL_ia32cap") != NULL) == by_variables);
	environment_diff_free(&d);
	cg_profile_free(base);
	cg_profile_free(head);
}

static void test_cpus(void)
{
	explains(
		"amd64-avx2-bmi-lzcnt-f16c-rdrand-rdseed", "amd64-avx", "AVX2, FMA, BMI",
		"AVX2, FMA, BMI: base has them, head does not. The C library chooses memcpy, strlen, exp "
		"and others by these, and so do libraries that ask the CPU (OpenSSL, NumPy, OpenBLAS, Rust's "
		"is_x86_feature_detected): programs differed by up to 27 %.",
		true);
	explains(
		"amd64-avx-f16c", "amd64-sse4.2", "AVX",
		"AVX: base has it, head does not. The C library chooses memcpy, strlen, exp and others by this, "
		"and so do libraries that ask the CPU (OpenSSL, NumPy, OpenBLAS, Rust's is_x86_feature_detected): "
		"programs differed by up to 1.3 %.",
		true);
	explains("amd64-sse4.2", "amd64-avx2-bmi-lzcnt", "AVX2, FMA, BMI, AVX",
		 "AVX2, FMA, BMI, AVX: head has them, base does not. The C library chooses", true);
	explains("amd64-sse2", "amd64-ssse3", "SSSE3",
		 "SSSE3: head has it, base does not. The C library chooses", true);
	explains("amd64-avx2-bmi-lzcnt-f16c-rdrand-rdseed", "amd64-avx2-bmi-lzcnt-f16c",
		 "RDRAND, RDSEED",
		 "RDRAND, RDSEED: base has them, head does not. Code that draws random numbers",
		 false);
	explains(
		"amd64-avx2-rdrand", "amd64-avx2-rdseed", "RDRAND, RDSEED",
		"RDRAND: base has it, head does not. Code that draws random numbers from the CPU, such as OpenSSL "
		"and std::random_device, takes another path; other code counts the same. "
		"RDSEED: head has it, base does not. ",
		false);
	explains("amd64-avx", "amd64-avx-f16c", "F16C",
		 "F16C: head has it, base does not. Code that converts", false);
	explains("amd64-avx2-bmi", "amd64-avx2", "BMI1",
		 "BMI1: base has it, head does not. Programs assume", false);
	/* What is not known here is not explained. */
	explains("amd64-avx2-new", "amd64-avx2", NULL, "Libraries choose", false);
	explains("ARM64, LittleEndian, v8-lse", "ARM64, LittleEndian, v8", NULL, "Libraries choose",
		 false);
	explains("amd64-avx2", "ARM64, LittleEndian, v8", NULL, "Libraries choose", false);
	explains("amd64", "amd64-", NULL, "Libraries choose", false);
}

TEST_MAIN("environment", { "in words", test_words }, { "compilers and flags", test_built },
	  { "words of the other side", test_other_words }, { "ids", test_ids },
	  { "versions", test_versions }, { "order", test_order }, { "meanings", test_meanings },
	  { "dirty", test_dirty }, { "CPUs", test_cpus },
	  { "the CPU of one side", test_cpu_of_one_side }, { "the table", test_table },
	  { "all keys", test_all_keys }, { "differences", test_differences },
	  { "what is not the environment", test_not_environment },
	  { "an unknown environment", test_unknown }, { "same counts", test_same_counts })
