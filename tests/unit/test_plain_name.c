#include "src/report/plain_name.h"

#include <stdlib.h>

#include "tests/unit/harness.h"

static void check_plain(const char *name, const char *plain, const char *instance)
{
	char *a = plain_name(name), *b = plain_name_of_instance(name);

	CHECK_STR(a, plain);
	CHECK_STR(b, instance);
	free(a);
	free(b);
}

static void test_plain(void)
{
	check_plain("main", "main", "main");
	check_plain("scan(char const*, int)", "scan", "scan");
	check_plain("V* acme::Map<K, V<int>>::find<int>(K const&) const [clone .cold]",
		    "acme::Map::find", "acme::Map<K, V<int>>::find<int>");
	check_plain("std::vector<int, std::allocator<int> >::operator[](unsigned long)",
		    "std::vector::operator[]",
		    "std::vector<int, std::allocator<int> >::operator[]");
	check_plain("bool operator< <int>(A<int> const&, A<int> const&)", "operator<",
		    "operator< <int>");
	check_plain("f(int)::{lambda(int)#1}::operator()(int) const", "f::{lambda#1}::operator()",
		    "f(int)::{lambda(int)#1}::operator()");
	check_plain("(anonymous namespace)::Walker<int>::go(int)",
		    "(anonymous namespace)::Walker::go", "(anonymous namespace)::Walker<int>::go");
}

static void test_other_languages(void)
{
	check_plain("<app::Index<String, u64> as app::Table>::lookup",
		    "<app::Index as app::Table>::lookup",
		    "<app::Index<String, u64> as app::Table>::lookup");
	check_plain("alloc::vec::from_elem::<u8>", "alloc::vec::from_elem",
		    "alloc::vec::from_elem::<u8>");
	check_plain("app::<impl Debug for app::Map<K>>::fmt", "app::<impl Debug for app::Map>::fmt",
		    "app::<impl Debug for app::Map<K>>::fmt");
	check_plain("app::run::{{closure}}", "app::run::{{closure}}", "app::run::{{closure}}");
	check_plain("encoding/json.(*Decoder).Decode", "encoding/json.(*Decoder).Decode",
		    "encoding/json.(*Decoder).Decode");
}

/* Nonsense stays a name. */
static void test_nonsense(void)
{
	check_plain("<", "<", "<");
	check_plain("<int>", "<int>", "<int>");
	check_plain("", "", "");
	check_plain("(below main)", "(below main)", "(below main)");
	check_plain("[outside]", "[outside]", "[outside]");
	check_plain("a>b<c", "a>b", "a>b<c");
}

static void check_fit(const char *name, size_t room, const char *expected)
{
	char *fit = plain_name_fit(name, room);

	if (expected)
		CHECK_STR(fit, expected);
	else
		CHECK(!fit);
	free(fit);
}

static void test_fit(void)
{
	check_fit("acme::Map::find", 15, "acme::Map::find");
	check_fit("acme::Map::find", 14, "find");
	check_fit("acme::Map::find", 4, "find");
	check_fit("acme::Map::find", 3, NULL);
	check_fit("acme::Map::find_all", 6, "find_…");
	check_fit("acme::Map::find_all", 4, "fin…");
	check_fit("go", 2, "go");
	check_fit("go", 1, NULL);
	check_fit("long_function", 5, "long…");
}

int main(void)
{
	static const struct test tests[] = {
		{ "names of C++", test_plain },
		{ "names of other languages", test_other_languages },
		{ "what is no name", test_nonsense },
		{ "names that fit", test_fit },
	};
	return test_main("plain_name", tests, sizeof tests / sizeof *tests);
}
