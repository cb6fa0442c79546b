#include "tests/unit/harness.h"

#include "src/text/text.h"
#include "src/report/text_name.h"

static void name_is(const char *name, unsigned width, const char *expected)
{
	char *text = text_name(name, width);
	CHECK_STR(text, expected);
	if (text && width >= 4)
		CHECK(text_width(text) <= width);
	free(text);
}

static void test_steps(void)
{
	const char name[] = "long a::b::weigh<unsigned long, 3>(a::b::record<unsigned> const&)";
	name_is(name, 0, name);
	name_is(name, 200, name);
	name_is(name, sizeof name - 1, name);
	name_is(name, sizeof name - 2, "long a::b::weigh<unsigned long, 3>(…)");
	name_is(name, 36, "long a::b::weigh<…>(…)");
	name_is(name, 21, "a::b::weigh<…>(…)");
	name_is(name, 16, "a::b…weigh<…>(…)");
	name_is(name, 14, "…weigh<…>(…)");
	name_is(name, 12, "…weigh<…>(…)");
	name_is(name, 11, "weigh<…>(…)");
	name_is(name, 8, "wei…>(…)");
	name_is(name, 3, name);
}

static void test_methods(void)
{
	name_is("std::vector<int>::push_back(int const&)", 30, "std::vector<int>::push_back(…)");
	name_is("std::vector<int>::push_back(int const&)", 20, "std::ve…push_back(…)");
	name_is("std::map<int, char>::~map()", 20, "std::map<…>::~map()");
	name_is("A<int>::get() const", 16, "A<int>::get()");
	name_is("A<int>::get(int) const", 18, "A<int>::get(…)");
	name_is("parse(char const*) [clone .isra.0]", 26, "parse(…) [clone .isra.0]");
	name_is("parse(char const*) [clone .isra.0]", 20, "parse(…)");
	name_is("operator new(unsigned long)", 16, "operator new(…)");
	name_is("A<int> operator+ <int>(A<int> const&)", 24, "A<…> operator+ <…>(…)");
	name_is("(anonymous namespace)::f(int)", 28, "(anonymous namespace)::f(…)");
}

/* Brackets that are no arguments. */
static void test_operators(void)
{
	name_is("bool ns::operator<(ns::A const&, ns::A const&)", 28, "bool ns::operator<(…)");
	name_is("ns::A<int>::operator->(int) const", 24, "ns::A<…>::operator->(…)");
	name_is("std::ostream& ns::operator<< <int>(std::ostream&, int)", 22, "ns::operator<< <…>(…)");
	name_is("ns::A<&(a->b)>::f(char)", 16, "ns::A<…>::f(…)");
}

static void test_rust(void)
{
	name_is("<it::Square<u32> as it::Shape>::area", 35, "<it::Square<…> as it::Shape>::area");
	name_is("<it::Square<u32> as it::Shape>::area", 20, "<it::Squa…ape>::area");
	name_is("alloc::vec::Vec<T,A>::push", 24, "alloc::vec::Vec<…>::push");
	name_is("core::ptr::drop_in_place<alloc::string::String>", 30, "core::ptr::drop_in_place<…>");
	name_is("it::main::{{closure}}", 18, "it::ma…{{closure}}");
}

/* Names of C, and what is no name. */
static void test_others(void)
{
	name_is("__memcpy_avx_unaligned_erms", 15, "__memcp…ed_erms");
	name_is("", 10, "");
	name_is("f", 4, "f");
	name_is("::::::::::::", 6, "::…:::");
	name_is("<<<<<<<<<<", 6, "<<…");
	name_is(">>>>>>>>>>", 6, ">>…>>>");
	name_is("((((((((((", 6, "((…(((");
	name_is("a\033[2Jbcdefghijk(int)", 20, "a\\x1b[2Jb…efghijk(…)");
}

static void test_notes(void)
{
	char *text = text_name_with("std::vector<int>::push_back(int const&)", " (inlined)", 40);
	CHECK_STR(text, "std::vector<int>::push_back(…) (inlined)");
	free(text);
	text = text_name_with("f", " (inlined)", 5);
	CHECK_STR(text, "f (inlined)");
	free(text);
}

TEST_MAIN("text_name", {"what is left out", test_steps}, {"methods", test_methods},
	  {"operators", test_operators}, {"Rust", test_rust}, {"others", test_others},
	  {"notes", test_notes})
