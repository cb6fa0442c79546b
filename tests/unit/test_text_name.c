#include "tests/unit/harness.h"

#include "src/report/text.h"
#include "src/report/text_name.h"

static void check(const char *name, unsigned width, const char *expected)
{
	char *text = text_short_name(name, width);

	CHECK_STR(text, expected);
	CHECK(width < 4 || text_width(text) <= width);
	free(text);
}

static void test_forms(void)
{
	static const char find[] = "std::map<int, std::less<int> >::find(int const&) const";

	check(find, 0, find);
	check(find, 54, find);
	check(find, 53, "std::map<int, std::less<int> >::find(…) const");
	check(find, 44, "std::map<…>::find(int const&) const");
	check(find, 34, "std::map<…>::find(…) const");
	check(find, 20, "std::map<…d(…) const");
	check("short", 5, "short");
	check("a_plain_name", 7, "a_p…ame");
	check("f(\001)", 7, "f(\\x01)");
	check("f(\001)", 6, "f(…)");
}

/* What only looks like a list of arguments is a name. */
static void test_names(void)
{
	check("(anonymous namespace)::f(int, int, int)", 30, "(anonymous namespace)::f(…)");
	check("<T as Trait>::call::<Vec<u8>, String>", 30, "<T as Trait>::call::<…>");
	check("a::operator<(a const&, a const&)", 20, "a::operator<(…)");
	check("a::operator<<(a const&, a const&)", 20, "a::operator<<(…)");
	check("a::operator<=>(a const&, a const&)", 20, "a::operator<=>(…)");
	check("a::operator()(int, int, int) const", 25, "a::operator()(…) const");
	check("a::operator->(void, void, void)", 20, "a::operator->(…)");
	check("my_operator<int, long, char>::f()", 20, "my_operator<…>::f()");
	check("main() -> calls<f> -> (inlined) g", 20, "main() ->…inlined) g");
	check("record → field<int, long> (inlined)", 30, "record → field<…> (inlined)");
	check("f<(a > b), decltype(c->d)>::g()", 10, "f<…>::g()");
}

/* Lists that do not close stay as they are. */
static void test_broken(void)
{
	check("f<a<bcd>", 7, "f<a<…>");
	check("f(a(bcd)", 7, "f(a(…)");
	check("f<a(b>)", 5, "f<……)");
	check("f>>>>>>>", 5, "f>…>>");
	check("<<<<<<<<", 5, "<<…<<");
}

TEST_MAIN("text names", { "forms", test_forms }, { "names", test_names }, { "broken", test_broken })
