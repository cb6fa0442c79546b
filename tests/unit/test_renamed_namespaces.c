/* Functions of namespaces whose names contain a version. */
#include "tests/unit/profiles.h"

#include "src/diff/diff.h"
#include "src/diff/versioned_scope.h"

static const struct diff_options exact = { .metric = "Ir" };

/* A profile of functions, which are separated by "|"; each costs 10 more than the one before. */
static struct cg_profile *profile_of_names(const char *names)
{
	char text[4000] = "events: Ir\nob=a\nfl=a.h\n";
	size_t used = strlen(text), cost = 0;

	while (*names) {
		const size_t len = strcspn(names, "|");
		used += (size_t)snprintf(text + used, sizeof text - used, "fn=%.*s\n1 %zu\n",
					 (int)len, names, cost += 10);
		names += len + (names[len] != '\0');
	}
	return profile_of(text);
}

static void check_one_way(const char *base, const char *head, size_t pairs)
{
	struct cg_profile *b = profile_of_names(base), *h = profile_of_names(head);
	struct cg_error err = { 0 };
	struct diff *d = NULL;
	size_t found = 0;

	REQUIRE_INT(diff_make(b, h, &exact, &d, &err), CG_OK);
	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (!row->base.present || !row->head.present)
			continue;
		found++;
		CHECK_STR(diff_match_name(row->match), "same");
		/* Those of one place in the list are one function. */
		CHECK_INT(row->head.self[0], row->base.self[0]);
	}
	CHECK_U64(found, pairs);
	diff_free(d);
	cg_profile_free(b);
	cg_profile_free(h);
}

/* So many of the functions are the same, whichever is base. */
static void check(const char *base, const char *head, size_t pairs)
{
	check_one_way(base, head, pairs);
	check_one_way(head, base, pairs);
}

static void test_versions(void)
{
	check("lib::v1::f(int)|lib::v1::g<lib::v1::T>(lib::v1::T const&)|void h<lib::v1::T>()",
	      "lib::v2::f(int)|lib::v2::g<lib::v2::T>(lib::v2::T const&)|void h<lib::v2::T>()", 3);
	check("std::__1::f(int)", "std::__2::f(int)", 1);
	check("absl::lts_20230802::f(int)", "absl::lts_20240116::f(int)", 1);
	check("nlohmann::json_abi_v3_11_2::f(int)", "nlohmann::json_abi_v3_12::f(int)", 1);
	check("openvdb::v10_0::f()", "openvdb::v11_0::f()", 1);
	check("OpenImageIO_v2_4::f()", "OpenImageIO_v2_5::f()", 1);
	check("cub::CUB_200302_500_NS::f()", "cub::CUB_200400_600_NS::f()", 1);
	check("a::v1::b::f()", "a::v2::b::f()", 1);
	/* No constructors. */
	check("a::v1::v1x()|b::v1::v()", "a::v2::v1x()|b::v2::v()", 2);
	/* One in another, with another version each. */
	check("a::v1::b::lts_202301::f()", "a::v2::b::lts_202403::f()", 1);
	check("a::(anonymous namespace)::v1::f()", "a::(anonymous namespace)::v2::f()", 1);
	/* As debug information has the name. */
	check("lib::v1::f", "lib::v2::f(int)", 1);
	check("lib::v1::f()::{lambda(lib::v1::T)#1}::operator()(lib::v1::T) const",
	      "lib::v2::f()::{lambda(lib::v2::T)#1}::operator()(lib::v2::T) const", 1);
	check("lib::v1::f()::{lambda(int)#1}::operator()(int) const",
	      "lib::v2::f()::$_0::operator()(int) const", 1);
}

/* It is not known which is which. */
static void test_several_versions(void)
{
	check("lib::v1::f()", "lib::v2::f()|lib::v3::f()", 0);
	check("lib::v1::f()|lib::v2::g()", "lib::v1::f()|lib::v3::g()", 1);
	check("lib::v1::f()|lib::v2::f()", "lib::v1::f()|lib::v2::f()|lib::v3::f()", 2);
	/* The one that is in both is only in a parameter. */
	check("lib::v1::f()|h(lib::v2::T)", "lib::v2::f()|h(lib::v2::T)", 1);
	/* Of two libraries only one has several. */
	check("lib::v1::f()|other::v1::f()|lib::v3::g()",
	      "lib::v2::f()|other::v2::f()|lib::v4::g()", 1);
	/* Or only in one of two that differ in a number that is no version. */
	check("lib2::v1::f()|lib3::v1::f()", "lib2::v1::f()|lib3::v2::f()", 2);
	check("lib2::v1::f()", "lib3::v2::f()", 0);
	/* A library without a namespace for its version is not one that has it. */
	check("lib::f(int)", "lib::v2::f(int)", 0);
}

/* Types, functions, and numbers that are no versions. */
static void test_no_versions(void)
{
	check("lib::Vec2::f()", "lib::Vec3::f()", 0);
	check("lib::f32::f()", "lib::f64::f()", 0);
	check("lib::sha1::f()", "lib::sha256::f()", 0);
	check("lib::reader_v2::f()", "lib::reader_v3::f()", 0);
	check("lib::sha_1::f()", "lib::sha_256::f()", 0);
	check("lib::matrix_3_4::f()", "lib::matrix_4_4::f()", 0);
	check("lib::v2::f()|lib::v2::v2()", "lib::v3::f()|lib::v3::v3()", 0);
	check("lib::v2::f()|lib::v2::~v2()", "lib::v3::f()|lib::v3::~v3()", 0);
	check("v2::f()|v2::v2()", "v3::f()|v3::v3()", 0);
	check("lib::v2::f()|h(lib::v2)", "lib::v3::f()|h(lib::v3)", 0);
	check("lib::T<int>::v1::f()", "lib::T<int>::v2::f()", 0);
	check("lib::v1(int)", "lib::v2(int)", 0);
	/* Not the same but for the version. */
	check("lib::v1::f(int)", "lib::v2::f(long)", 0);
	check("lib::v1::f(int)", "lib::w2::f(int)", 0);
}

/* What is no name of C++. */
static void test_strange(void)
{
	check("lib::v1::|lib::v1:|lib::v1|::v1::f|v1::~|~v1::",
	      "lib::v2::|lib::v2:|lib::v2|::v2::f|v2::~|~v2::", 2);
	check("lib::v1", "lib::v2", 0);
	check("x::v1::operator<(int)", "x::v2::operator<(int)", 1);
	check("v1_::f()|_v1::f()|v::f()|__::f()", "v2_::f()|_v2::f()|v::f()|__::f()", 2);
}

/* A namespace "aaa…::v1", with a name of so many bytes. */
static void check_length(int length, size_t pairs)
{
	char base[400], head[400];

	snprintf(base, sizeof base, "%0*d::v1::f()", length, 0);
	snprintf(head, sizeof head, "%0*d::v2::f()", length, 0);
	memset(base, 'a', (size_t)length);
	memset(head, 'a', (size_t)length);
	check(base, head, pairs);
}

static void test_long(void)
{
	check_length(VERSIONED_PATH_MAX - 3, 1);
	check_length(VERSIONED_PATH_MAX - 2, 0);
	check_length(VERSIONED_PATH_MAX + 50, 0);
}

TEST_MAIN("renamed namespaces", { "versions", test_versions },
	  { "several versions", test_several_versions }, { "no versions", test_no_versions },
	  { "strange names", test_strange }, { "long names", test_long })
