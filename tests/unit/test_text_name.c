#include "tests/unit/harness.h"

#include "src/text/short_name.h"
#include "src/text/text.h"
#include "tests/unit/growth.h"

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
	name_is(name, sizeof name - 2,
		"long a::b::weigh<unsigned long, 3>(b::record<unsigned> const&)");
	name_is(name, 60, "long a::b::weigh<unsigned long, 3>(record<unsigned> const&)");
	name_is(name, 56, "long b::weigh<unsigned long, 3>(record<unsigned> const&)");
	name_is(name, 55, "long a::b::weigh<unsigned long, 3>(record<un…d> const&)");
	name_is(name, 36, "long b::weigh<unsigned long, 3>(…)");
	name_is(name, 33, "a::b::weigh<unsigned long, 3>(…)");
	name_is(name, 24, "a::b::weigh<unsigne…>(…)");
	name_is(name, 21, "a::b::weigh<unsi…>(…)");
	name_is(name, 18, "a::b::weigh<…>(…)");
	name_is(name, 16, "b::weigh<…>(…)");
	name_is(name, 12, "…weigh<…>(…)");
	name_is(name, 11, "weigh<…>(…)");
	name_is(name, 8, "wei…>(…)");
	name_is(name, 3, name);
}

static void test_methods(void)
{
	name_is("std::vector<int>::push_back(int const&)", 38,
		"vector<int>::push_back(int const&)");
	name_is("std::vector<int>::push_back(int const&)", 30, "std::vector<int>::push_back(…)");
	name_is("std::vector<int>::push_back(int const&)", 25, "vector<int>::push_back(…)");
	name_is("std::vector<int>::push_back(int const&)", 20, "vec…>::push_back(…)");
	name_is("std::map<int, char>::~map()", 23, "map<int, char>::~map()");
	name_is("std::map<int, char>::~map()", 20, "std::map<…>::~map()");
	name_is("A<int>::get() const", 16, "A<int>::get()");
	name_is("A<int>::get(int) const", 18, "A<int>::get(int)");
	name_is("parse(char const*) [clone .isra.0]", 26, "parse(…) [clone .isra.0]");
	name_is("parse(char const*) [clone .isra.0]", 20, "parse(char const*)");
	name_is("operator new(unsigned long)", 16, "operator new(…)");
	name_is("A<int> operator+ <int>(A<int> const&)", 24, "operator+ <int>(…)");
	name_is("non-virtual thunk to a::b::C::f(int)", 35, "non-virtual thunk to b::C::f(int)");
}

static void test_namespaces(void)
{
	name_is("(anonymous namespace)::f(int)", 28, "f(int)");
	name_is("a::(anonymous namespace)::B::f(int)", 34, "(anonymous namespace)::B::f(int)");
	name_is("a::(anonymous namespace)::B::f(int)", 31, "B::f(int)");
	name_is("a::f<a::(anonymous namespace)::B>(int)", 37,
		"a::f<(anonymous namespace)::B>(int)");
	name_is("a::f<a::(anonymous namespace)::B>(int)", 34, "a::f<B>(int)");
	name_is("a::f(b::operator_table, int)", 25, "a::f(operator_table, int)");
}

/* Brackets that are no arguments. */
static void test_operators(void)
{
	name_is("bool ns::operator<(ns::A const&, ns::A const&)", 45,
		"bool ns::operator<(A const&, ns::A const&)");
	name_is("bool ns::operator<(ns::A const&, ns::A const&)", 28, "bool ns::operator<(…)");
	name_is("ns::A<int>::operator->(int) const", 32, "A<int>::operator->(int) const");
	name_is("ns::A<int>::operator->(int) const", 26, "ns::A<int>::operator->(…)");
	name_is("ns::A<int>::operator->(int) const", 24, "A<int>::operator->(int)");
	name_is("ns::A<long>::operator-><int>(char)", 23, "A<…>::operator-><…>(…)");
	name_is("std::ostream& ns::operator<< <int>(std::ostream&, int)", 46,
		"ostream& ns::operator<< <int>(ostream&, int)");
	name_is("std::ostream& ns::operator<< <int>(std::ostream&, int)", 24,
		"ns::operator<< <int>(…)");
	name_is("ns::A<&(a->b)>::f(char)", 15, "A<&(…)>::f(…)");
	name_is("a::b::Less<int>::operator()(int, int) const", 38,
		"Less<int>::operator()(int, int) const");
	name_is("a::b::Less<int>::operator()(int, int) const", 23, "Less<…>::operator()(…)");
	name_is("a::b::operator<=>(b::A<int>)", 26, "a::b::operator<=>(A<int>)");
}

static void test_lambdas(void)
{
	name_is("a::b::f(int)::{lambda(int)#1}::operator()(int) const", 51,
		"b::f(int)::{lambda(int)#1}::operator()(int) const");
	name_is("a::b::f(int)::{lambda(int)#1}::operator()(int) const", 44,
		"a::b::f(int)::{lambda(int)#1}::operator()(…)");
	name_is("a::b::f(int)::{lambda(int)#1}::operator()(int) const", 36,
		"…f(…)::{lambda(…)#1}::operator()(…)");
	name_is("a::f() const::{lambda(a::B&)#2}::operator()(a::B&) const", 50,
		"a::f() const::{lambda(B&)#2}::operator()(B&) const");
	name_is("core::iter::Iterator::try_for_each::call::{{closure}}", 50,
		"iter::Iterator::try_for_each::call::{{closure}}");
	name_is("core::iter::Iterator::try_for_each::call::{{closure}}", 40,
		"try_for_each::call::{{closure}}");
	name_is("it::main::{{closure}}", 17, "main::{{closure}}");
	name_is("it::main::{{closure}}::{{closure}}", 30, "main::{{closure}}::{{closure}}");
	name_is("{{closure}}", 8, "{{c…re}}");
}

static void test_rust(void)
{
	const char iter[] =
		"<alloc::vec::Vec<T> as core::iter::traits::collect::FromIterator<T>>::from_iter";
	name_is(iter, sizeof iter - 2,
		"<vec::Vec<T> as core::iter::traits::collect::FromIterator<T>>::from_iter");
	name_is(iter, 50, "<Vec<T> as collect::FromIterator<T>>::from_iter");
	name_is(iter, 40, "<Vec<T> as FromIterator<T>>::from_iter");
	name_is(iter, 37, "<Vec<T> as Fr…Iterator<T>>::from_iter");
	name_is("<it::Square<u32> as it::Shape>::area", 35, "<Square<u32> as it::Shape>::area");
	name_is("<it::Square<u32> as it::Shape>::area", 28, "<Square<u32> as Shape>::area");
	name_is("<it::Square<u32> as it::Shape>::area", 20, "<Square…Shape>::area");
	name_is("core::str::iter::<impl core::iter::Iterator for core::str::iter::Chars>::next", 60,
		"core::str::iter::<impl Iterator for str::iter::Chars>::next");
	name_is("core::str::iter::<impl core::iter::Iterator for core::str::iter::Chars>::next", 40,
		"iter::<impl Iterator for Chars>::next");
	name_is("core::str::<impl core::iter::Iterator for core::A<core::Bar>>::next", 31,
		"<impl Iterator for A<…>>::next");
	name_is("alloc::vec::Vec<T,A>::push", 24, "vec::Vec<T,A>::push");
	name_is("core::ptr::drop_in_place<alloc::string::String>", 46,
		"core::ptr::drop_in_place<string::String>");
	name_is("core::ptr::drop_in_place<alloc::string::String>", 30,
		"ptr::drop_in_place<String>");
	name_is("<a::Error as core::fmt::Debug>::fmt", 31, "<Error as fmt::Debug>::fmt");
}

/* Names that are alike, in as much room as tells them apart. */
static void test_alike(void)
{
	name_is("core::ptr::drop_in_place<core::option::Option<alloc::boxed::Box<dyn core::any::Any>>>",
		43, "ptr::drop_in_place<Option<Box<dyn Any>>>");
	name_is("core::ptr::drop_in_place<core::option::Option<alloc::boxed::Box<dyn core::any::Any>>>",
		38, "ptr::drop_in_place<Option<Box<dyn …>>>");
	name_is("core::ptr::drop_in_place<core::option::Option<alloc::boxed::Box<dyn core::any::Any>>>",
		32, "ptr::drop_in_place<Option<Box…>>");
	name_is("core::ptr::drop_in_place<core::option::Option<alloc::boxed::Box<dyn core::any::Any>>>",
		24, "ptr::drop_in_place<Opt…>");
	name_is("sort<std::pair<int, Alpha> >(int)", 24, "sort<pair<int, Al…> >(…)");
	name_is("sort<std::pair<int, Beta> >(int)", 23, "sort<pair<int, B…> >(…)");
	name_is("db::Table::find(std::string const&, int)", 29, "db::Table::find(strin…&, int)");
	name_is("db::Table::find(std::string const&, long)", 29, "db::Table::find(strin…, long)");
	name_is("db::Table::find(std::string const&, long)", 28, "db::Table::find(…)");
	name_is("<std::io::Error as core::fmt::Debug>::fmt", 40,
		"<io::Error as core::fmt::Debug>::fmt");
	name_is("<std::fmt::Error as core::fmt::Debug>::fmt", 40,
		"<fmt::Error as core::fmt::Debug>::fmt");
}

/* Names of C, and what is no name. */
static void test_others(void)
{
	name_is("__memcpy_avx_unaligned_erms", 15, "__memcp…ed_erms");
	name_is("", 10, "");
	name_is("f", 4, "f");
	name_is("a\033[2Jbcdefghijk(int)", 20, "a\\x1b[2Jb…efghijk(…)");
	name_is("gr\xc3\xb6\xc3\x9f"
		"e::l\xc3\xa4nge::messen(gr\xc3\xb6\xc3\x9f"
		"e::ding)",
		29, "größe::länge::messen(ding)");
	name_is("größe::länge::messen(größe::ding)", 20, "länge::messen(ding)");
	name_is("größe<ääääää>::messen(int)", 20, "größe<…>::messen(…)");
	name_is("a::\xff\xfe::f(b::c)", 16, "\\xff\\xfe::f(c)");
}

/* Whatever it is, it fits and is not empty. */
static void test_nonsense(void)
{
	static const char *const names[] = {
		"::::::::::::",
		"<<<<<<<<<<",
		">>>>>>>>>>",
		"((((((((((",
		"a::b<c::d(e::f>::g",
		"a::b>::c)::d::e::f",
		"<impl a::b::c",
		"a::<impl b::c::d",
		"operator<<<<<<<<<",
		"operator<::a::b::c",
		"::operator::a::b()",
		"{{{{{{::a::b::c}",
		"a::b::{lambda(",
		"<a as b>::",
		"          ",
		"a::b::c::d::e::",
		"[clone [clone [clone",
		"(anonymous namespace)(anonymous namespace)",
		"(anonymous namespace)::",
		"'a'::'b'::'c'",
		"->->->->->->",
		"a<\xe2\x80\xa6>::\xe2\x80\xa6\xe2\x80\xa6::b",
		"\xe2\x80::\xf0\x9f::<\x80\x80\x80\x80>",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (unsigned width = 4; width < 50; width++) {
			char *text = text_name(names[i], width),
			     *safe = text ? text_safe(text) : NULL;
			CHECK(text && *text);
			CHECK(text && text_width(text) <= width);
			CHECK_STR(safe, text);
			free(safe);
			free(text);
		}
}

static void long_name(size_t parts)
{
	char *name = malloc(3 * parts + 2);

	for (size_t i = 0; name && i < parts; i++)
		memcpy(name + 3 * i, "a::", 3);
	if (name)
		strcpy(name + 3 * parts, "f");
	char *text = name ? text_name(name, 10) : NULL;
	CHECK_STR(text, "a::a::a::f");
	free(text);
	free(name);
}

/* Each step takes time in proportion to its length. */
static void test_long(void)
{
	CHECK(grows_in_proportion(long_name, 200000));
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

static void in_sentence(const char *name, unsigned width, const char *expected)
{
	char *text;

	text_sentence_names(&name, 1, width, &text);
	CHECK_STR(text, expected);
	free(text);
}

static void test_sentences(void)
{
	in_sentence("std::vector<int>::push_back(int const&)", 0,
		    "std::vector<int>::push_back(int const&)");
	in_sentence("std::vector<int>::push_back(int const&)", 39,
		    "std::vector<int>::push_back(int const&)");
	in_sentence("std::vector<int>::push_back(int const&)", 38,
		    "std::vector<int>::push_back(…)");
	in_sentence("std::vector<A<int>>::push_back(int const&)", 30,
		    "std::vector<…>::push_back(…)");
	in_sentence("__gnu_cxx::__enable_if<std::__is_char<char>::__value, bool>::__type "
		    "std::operator==<char>(std::basic_string<char> const&, char const*)",
		    48, "std::operator==<char>(…)");
	in_sentence("a::b::c::Type<int>::method(int)", 20, "Type<…>::method(…)");
	in_sentence("a::b::c::Type<int>::method(int)", 10, "Type<…>::method(…)");
	in_sentence("a_function_of_many_letters", 20, "a_function_of_many_letters");
	in_sentence("a_function_of_many_letters", 10, "a_functio…ny_letters");
}

static void apart(const char *a, const char *b, const char *expected_a, const char *expected_b)
{
	char *shown[3];

	text_sentence_names((const char *const[]){ a, NULL, b }, 3, 20, shown);
	CHECK_STR(shown[0], expected_a);
	CHECK(shown[1] == NULL);
	CHECK_STR(shown[2], expected_b);
	free(shown[0]);
	free(shown[2]);
}

static void test_apart(void)
{
	apart("void acme::print<int>(int, acme::out&)", "void acme::print<int>(long, acme::out&)",
	      "acme::print<…>(int, out&)", "acme::print<…>(long, out&)");
	apart("acme::Table<acme::key>::get(int)", "acme::Table<acme::name>::get(int)",
	      "acme::Table<acme::key>::get(…)", "acme::Table<acme::name>::get(…)");
	apart("a::b::function(int, int)", "a::c::function(int, int)", "a::b::function(…)",
	      "a::c::function(…)");
	apart("acme::function(unsigned)", "acme::function(unsigned)", "acme::function(…)",
	      "acme::function(…)");
	apart("short", "parse(unsigned, unsigned)", "short", "parse(…)");
}

TEST_MAIN("text_name", { "what is left out", test_steps }, { "methods", test_methods },
	  { "namespaces", test_namespaces }, { "operators", test_operators },
	  { "lambdas", test_lambdas }, { "Rust", test_rust }, { "alike", test_alike },
	  { "others", test_others }, { "nonsense", test_nonsense }, { "long ones", test_long },
	  { "notes", test_notes }, { "sentences", test_sentences }, { "names apart", test_apart })
