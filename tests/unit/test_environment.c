#include "tests/unit/profiles.h"

#include "src/diff/environment.h"

static struct cg_profile *with_facts(const char *facts)
{
	char text[1000];
	snprintf(text, sizeof text, "%sevents: Ir\nfn=f\n1 1\n", facts);
	return profile_of(text);
}

/* The differences as text: "cpu: a > b, …"; "-" for what was not recorded. */
static void finds(const char *base_facts, const char *head_facts, const char *expected)
{
	struct cg_profile *base = with_facts(base_facts), *head = with_facts(head_facts);
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

TEST_MAIN("environment", { "differences", test_differences },
	  { "what is not the environment", test_not_environment },
	  { "an unknown environment", test_unknown })
