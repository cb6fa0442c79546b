#include "tests/unit/harness.h"

#include "callgrind/name_clones.h"
#include "callgrind/name_parts.h"
#include "callgrind/paths.h"
#include "tests/unit/growth.h"

/* `packed` must split into a name, a level and a context (NULL: none). */
static void splits(const char *packed, const char *name, uint32_t level, const char *context)
{
	size_t len = strlen(packed);
	struct cg_name_parts parts = cg_name_split(packed, len);

	test_report(parts.name_len == strlen(name) && strncmp(packed, name, parts.name_len) == 0,
		    false, __FILE__, __LINE__, "the name of \"%s\" is \"%.*s\", not \"%s\"", packed,
		    (int)parts.name_len, packed, name);
	test_report(parts.level == level, false, __FILE__, __LINE__,
		    "the level of \"%s\" is %" PRIu32 ", not %" PRIu32, packed, parts.level, level);
	const char *found = parts.context_off < len ? packed + parts.context_off : "";
	test_report(strcmp(found, context ? context : "") == 0, false, __FILE__, __LINE__,
		    "the context of \"%s\" is \"%s\", not \"%s\"", packed, found,
		    context ? context : "");
}

static void test_plain(void)
{
	splits("main", "main", 1, NULL);
	splits("(below main)", "(below main)", 1, NULL);
	splits("???", "???", 1, NULL);
	splits("0x00000000000011a0", "0x00000000000011a0", 1, NULL);
	splits("", "", 1, NULL);
}

static void test_levels_and_contexts(void)
{
	splits("f'2", "f", 2, NULL);
	splits("f'10", "f", 10, NULL);
	splits("f'g", "f", 1, "g");
	splits("f'g'main", "f", 1, "g'main");
	splits("f'2'g'main", "f", 2, "g'main");
	splits("f'2'g'3'main", "f", 2, "g'3'main");
	splits("(below main)'2", "(below main)", 2, NULL);
	splits("leaf'(below main)", "leaf", 1, "(below main)");
	/* A caller whose name begins with a digit's apostrophe is not a level. */
	splits("f'2x", "f", 1, "2x");
	/* Levels count from 1. */
	splits("f'0", "f", 1, "0");
	splits("f'0'main", "f", 1, "0'main");
}

static void test_huge_level(void)
{
	/* Does not fit: kept as a context rather than wrapped to a small level. */
	splits("f'99999999999999999999", "f", 1, "99999999999999999999");
}

/* Wherever in a long name they are, brackets and operators hide apostrophes, and no others. */
static void test_long(void)
{
	static const char *const tails[] = { "(f'2'g)", "::operator<", "[b'c]::x", "{d'e}",
					     "<h'i>p" };
	char filler[140], name[200], packed[240];

	memset(filler, 'o', sizeof filler);
	for (size_t len = 1; len < sizeof filler; len++)
		for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
			snprintf(name, sizeof name, "%.*s%s", (int)len, filler, tails[i]);
			snprintf(packed, sizeof packed, "%s'3'main", name);
			splits(packed, name, 3, "main");
		}
}

static void test_cpp(void)
{
	splits("std::vector<int, std::allocator<int> >::push_back(int const&)",
	       "std::vector<int, std::allocator<int> >::push_back(int const&)", 1, NULL);
	splits("f(int)'2'main", "f(int)", 2, "main");
	splits("map<char const*>::find(char const*)'2", "map<char const*>::find(char const*)", 2,
	       NULL);
}

static void test_cpp_operators(void)
{
	splits("operator<'2'main", "operator<", 2, "main");
	splits("A::operator<(A const&) const'main", "A::operator<(A const&) const", 1, "main");
	splits("operator<< <char>(int)'2", "operator<< <char>(int)", 2, NULL);
	splits("A::operator->() const'2", "A::operator->() const", 2, NULL);
	splits("A::operator->*(int)'g", "A::operator->*(int)", 1, "g");
	splits("A::operator>>(int)'g", "A::operator>>(int)", 1, "g");
	splits("A::operator()(int)'3'g", "A::operator()(int)", 3, "g");
	splits("A::operator<=>(A)'g", "A::operator<=>(A)", 1, "g");
	splits("operator new(unsigned long)'main", "operator new(unsigned long)", 1, "main");
	/* Not the keyword. */
	splits("my_operator'2", "my_operator", 2, NULL);
	/* A return type with an arrow does not close a bracket. */
	splits("std::function<auto (int) -> int>::call()'2",
	       "std::function<auto (int) -> int>::call()", 2, NULL);
}

static void test_lambdas(void)
{
	/* clang's demangled names have apostrophes of their own. */
	splits("run()::'lambda'(int)::operator()(int) const",
	       "run()::'lambda'(int)::operator()(int) const", 1, NULL);
	splits("run()::'lambda'(int)::operator()(int) const'2'run()",
	       "run()::'lambda'(int)::operator()(int) const", 2, "run()");
	splits("run()::'lambda0'()'main", "run()::'lambda0'()", 1, "main");
	splits("main::{lambda(int)#1}::operator()(int) const'2",
	       "main::{lambda(int)#1}::operator()(int) const", 2, NULL);
}

static void test_rust(void)
{
	splits("<&'a str as core::fmt::Display>::fmt", "<&'a str as core::fmt::Display>::fmt", 1,
	       NULL);
	splits("<&'a T>::get'2'alloc::vec::Vec<&'b u8>::push", "<&'a T>::get", 2,
	       "alloc::vec::Vec<&'b u8>::push");
	splits("core::ops::function::FnOnce::call_once{{vtable.shim}}'2",
	       "core::ops::function::FnOnce::call_once{{vtable.shim}}", 2, NULL);
}

static void test_unbalanced(void)
{
	/* Brackets that do not close cannot tell what an apostrophe means: the
	 * first one ends the name, as callgrind itself would have it. */
	splits("weird<name'2'main", "weird<name", 2, "main");
	splits("weird)name'2", "weird)name", 2, NULL);
}

static void stem_is(const char *name, const char *stem)
{
	size_t len = cg_name_stem(name, strlen(name));
	test_report(len == strlen(stem) && strncmp(name, stem, len) == 0, false, __FILE__, __LINE__,
		    "the stem of \"%s\" is \"%.*s\", not \"%s\"", name, (int)len, name, stem);
}

static void test_clone_stems(void)
{
	stem_is("work", "work");
	stem_is("work.constprop.0", "work");
	stem_is("work.isra.12", "work");
	stem_is("work.part.3", "work");
	stem_is("work.cold", "work");
	stem_is("work.cold.7", "work");
	stem_is("work.llvm.13371337", "work");
	stem_is("work.lto_priv.0", "work");
	stem_is("work.localalias", "work");
	stem_is("work.localalias.1", "work");
	stem_is("work.locality_clone.0", "work");
	stem_is("work.specialized.2.llvm.1234", "work");
	stem_is("work.memprof.1", "work");
	stem_is("work.__uniq.103892025824292419130951533501251254610", "work");
	stem_is("work(int) [clone .__uniq.10389] [clone .llvm.12]", "work(int)");
	stem_is("work.constprop.0.isra.1.cold", "work");
	stem_is("work [clone .constprop.0]", "work");
	stem_is("work(int) [clone .isra.0] [clone .cold]", "work(int)");
}

static void test_not_clones(void)
{
	stem_is("work.0", "work.0");
	stem_is("work.constprop", "work.constprop");
	stem_is("work.partial.1", "work.partial.1");
	stem_is("coldness", "coldness");
	stem_is("work.specialized", "work.specialized");
	/* These are functions of their own: of a coroutine, for a kind of processor, of a parallel
	 * loop. */
	stem_is("work.resume", "work.resume");
	stem_is("work.actor", "work.actor");
	stem_is("work.avx2", "work.avx2");
	stem_is("work._omp_fn.0", "work._omp_fn.0");
	/* A stem is never empty. */
	stem_is(".cold", ".cold");
	stem_is(".part.0", ".part.0");
	stem_is(" [clone .cold]", " [clone .cold]");
	stem_is("@VERSION", "@VERSION");
	stem_is("", "");
}

static void test_hash_stems(void)
{
	stem_is("core::fmt::write::h0123456789abcdef", "core::fmt::write");
	stem_is("a::h0123456789abcdef.llvm.99", "a");
	stem_is("core::fmt::write::h0123456789abcde", "core::fmt::write::h0123456789abcde");
	stem_is("core::fmt::write::h0123456789abcdeg", "core::fmt::write::h0123456789abcdeg");
	stem_is("::h0123456789abcdef", "::h0123456789abcdef");
}

static void test_version_stems(void)
{
	stem_is("memcpy@@GLIBC_2.14", "memcpy");
	stem_is("memcpy@GLIBC_2.2.5", "memcpy");
	stem_is("operator@(int, int)", "operator@(int, int)");
}

static void cold_is(const char *name, const char *without)
{
	size_t len = cg_name_without_cold(name, strlen(name));
	test_report(len == strlen(without) && memcmp(name, without, len) == 0, false, __FILE__,
		    __LINE__, "%s without cold is %.*s, not %s", name, (int)len, name, without);
}

static void test_cold(void)
{
	cold_is("work.cold", "work");
	cold_is("work.cold.12", "work");
	cold_is("work [clone .cold]", "work");
	cold_is("work(int) [clone .cold.3]", "work(int)");
	cold_is("work.part.0.cold", "work.part.0");
	cold_is("operator<(int) const [clone .cold]", "operator<(int) const");
	/* Other clones are functions of their own. */
	cold_is("work [clone .part.0]", "work [clone .part.0]");
	cold_is("work.constprop.0", "work.constprop.0");
	cold_is("work.0", "work.0");
	cold_is("work.colder", "work.colder");
	cold_is("workcold", "workcold");
	cold_is("work.cold.", "work.cold.");
	/* Something must be left. */
	cold_is(".cold", ".cold");
	cold_is(".cold.1", ".cold.1");
	cold_is(" [clone .cold]", " [clone .cold]");
	cold_is("", "");
}

static void joined_is(const char *name, const char *callers, const char *expected)
{
	char joined[200];
	REQUIRE(strlen(callers) < sizeof joined);
	size_t len = cg_name_join_cold(name, strlen(name), callers, strlen(callers), joined);
	joined[len] = '\0';
	CHECK(len <= strlen(callers));
	CHECK_STR(joined, expected);
}

static void test_callers_of_cold(void)
{
	joined_is("foo", "work.cold'work'main", "work'main");
	joined_is("work.cold", "work'main", "main");
	joined_is("work.cold", "work", "");
	joined_is("foo", "work.cold.1'work'other.cold'other'main", "work'other'main");
	joined_is("foo", "work [clone .cold]'work'main", "work'main");
	joined_is("foo", "bar'main", "bar'main");
	joined_is("foo", "", "");
	/* Its function is not its caller: it was reached in another way. */
	joined_is("work.cold", "main", "main");
	joined_is("foo", "work.cold'main", "work'main");
	/* Recursion is not cold. */
	joined_is("work", "work'main", "work'main");
	joined_is("foo", "work.cold'work'work'main", "work'work'main");
	/* A part that is split once more. */
	joined_is("work.cold", "work.cold'work'main", "main");
}

static void bare_is(const char *name, const char *expected)
{
	char bare[200];
	snprintf(bare, sizeof bare, "%.*s", (int)cg_name_without_parameters(name, strlen(name)),
		 name);
	CHECK_STR(bare, expected);
}

static void test_parameters(void)
{
	bare_is("mix(int, int)", "mix");
	bare_is("mix()", "mix");
	bare_is("mix", "mix");
	bare_is("a::b::mix(std::pair<int, char const*>&&)", "a::b::mix");
	/* Parameters have brackets of their own, and so have template arguments. */
	bare_is("sort(int (*)(void const*, void const*), char (&) [8])", "sort");
	bare_is("void each<void (*)(int)>(void (*)(int))", "void each<void (*)(int)>");
	bare_is("f<(kind)1>(int)", "f<(kind)1>");
	bare_is("f[abi:cxx11](char)", "f[abi:cxx11]");
	bare_is("operator new(unsigned long)", "operator new");
	bare_is("A::operator int() const", "A::operator int");
	bare_is("A::~A()", "A::~A");
}

static void word_is(const char *name, const char *expected)
{
	size_t len;
	const char *word = cg_name_last_word(name, cg_name_without_parameters(name, strlen(name)),
					     &len);
	char text[200];
	snprintf(text, sizeof text, "%.*s", (int)len, word);
	CHECK_STR(text, expected);
}

static void without_arguments_is(const char *name, const char *expected)
{
	char text[200];
	size_t len = cg_name_without_arguments(name, strlen(name), text);
	text[len] = 0;
	CHECK_STR(text, expected);
}

static void test_without_arguments(void)
{
	without_arguments_is("f", "f");
	without_arguments_is("", "");
	without_arguments_is("std::vector<std::pair<int, char> >::at", "std::vector::at");
	without_arguments_is("f<int>::{lambda()#1}<long>", "f::{lambda()#1}");
	without_arguments_is("alloc::vec::Vec<T,A>::push", "alloc::vec::Vec::push");
	without_arguments_is("core::mem::swap::<u8>", "core::mem::swap::");
	without_arguments_is("<a::B<u8> as core::fmt::Debug>::fmt",
			     "<a::B as core::fmt::Debug>::fmt");
	without_arguments_is("core::ptr::<impl *mut T>::sub", "core::ptr::<impl *mut T>::sub");
	without_arguments_is("f<fn(u8)->u8>::g", "f::g");
	without_arguments_is("operator<", "operator<");
	without_arguments_is("a::operator<< <char>", "a::operator<< <char>");
	without_arguments_is("A<int>::operator->", "A::operator->");
	without_arguments_is("f<", "f<");
	without_arguments_is("a<b<c", "a<b<c");
}

static void test_last_words(void)
{
	word_is("mix(int, int)", "mix");
	word_is("unsigned int a::mix<unsigned int>(unsigned int)", "mix");
	word_is("unsigned int mix<a::b<int> >(int)", "mix");
	word_is("main::{lambda(int)#1}::operator()(int) const", "operator()");
	word_is("A::operator()<int>", "operator()");
	word_is("operator()", "operator()");
	word_is("bool operator< <int>(A<int>)", "operator< <int>");
	word_is("(anonymous namespace)", "(anonymous namespace)");
	word_is("<lambda(int)>", "<lambda(int)>");
	word_is("void lib::each<lib::add(long)::{lambda(int)#1}>(lib::add(long)::{lambda(int)#1})",
		"each");
	word_is("each<a::f<int>(long) const::{lambda(b::T<c>)#1}, d::e>", "each");
	word_is("std::enable_if<a::b<int>, void>::type mix<int>(int)", "mix");
	word_is("call<std::function<auto () -> a::B>, a::C>", "call");
	word_is("a::f<auto () -> b::c>", "f");
	word_is("a::operator>", "operator>");
	word_is("a::operator>>", "operator>>");
	word_is("a::operator><int>", "operator><int>");
	word_is("a::myoperator<int>", "myoperator");
	word_is("a::operator<=>(a::b, a::b)", "operator<=>");
	word_is("A<int>::operator->() const", "operator->");
	word_is("<a::B<u8> as c::D>::f", "f");
	word_is("core::mem::swap::<u8>", "swap");
	word_is("f::<a::B>", "f");
	word_is("f::<lambda(int)>", "<lambda(int)>");
	word_is("", "");
}

static void without_closures_is(const char *name, const char *expected)
{
	char text[200];
	snprintf(text, sizeof text, "%.*s", (int)cg_name_without_closures(name, strlen(name)),
		 name);
	CHECK_STR(text, expected);
}

static void test_without_closures(void)
{
	without_closures_is("a::f(int)::{lambda()#1}::operator()() const", "a::f(int)");
	without_closures_is("a::f(int)::{lambda()#1}::operator()() const::{lambda(int)#2}",
			    "a::f(int)");
	without_closures_is("a::f(int)::'lambda'(int)::operator()(int) const", "a::f(int)");
	without_closures_is("a::f::{{closure}}::h0123456789abcdef", "a::f");
	without_closures_is("a::f::<u64>::{closure#0}", "a::f::<u64>");
	/* They are arguments. */
	without_closures_is("each<lib::add(long)::{lambda(int)#1}>",
			    "each<lib::add(long)::{lambda(int)#1}>");
	without_closures_is("b::each<a::f()::{lambda()#1}>(a::f()::{lambda()#1})::{lambda()#2}",
			    "b::each<a::f()::{lambda()#1}>(a::f()::{lambda()#1})");
	without_closures_is("<a::f::{closure#0} as b::C<(u8)>>::call",
			    "<a::f::{closure#0} as b::C<(u8)>>::call");
	without_closures_is("std::function<auto () -> a::f()::{lambda()#1}>::get",
			    "std::function<auto () -> a::f()::{lambda()#1}>::get");
	/* They are no brackets. */
	without_closures_is("a::operator<(int)::{lambda()#1}", "a::operator<(int)");
	without_closures_is("a::operator>><int>(int)::{lambda()#1}", "a::operator>><int>(int)");
	without_closures_is("A::operator()() const::{lambda()#1}", "A::operator()() const");
	without_closures_is("f<((1)>(2))>(int)::{lambda()#1}", "f<((1)>(2))>(int)");
	without_closures_is("f<((1)<(2))>(int)::{lambda()#1}", "f<((1)<(2))>(int)");
	without_closures_is("f<((8)>>(2)), a::g()::{lambda()#1}>::get",
			    "f<((8)>>(2)), a::g()::{lambda()#1}>::get");
	without_closures_is("::{lambda()#1}", "::{lambda()#1}");
	without_closures_is("f<", "f<");
	without_closures_is("f)>", "f)>");
	without_closures_is("", "");
}

static void test_may_be(void)
{
	CHECK(cg_name_may_be("mix", "mix(int)"));
	CHECK(cg_name_may_be("mix<long int>", "long mix<long>(long)"));
	CHECK(cg_name_may_be("Local::get", "void f<int>(int)::Local::get() const"));
	CHECK(cg_name_may_be("f(int)::Local::get", "f(int)::Local::get() const"));
	CHECK(cg_name_may_be("f::{lambda(int)#1}::operator()",
			     "f(int)::{lambda(int)#1}::operator()(int) const"));
	CHECK(cg_name_may_be(
		"f(int)::{lambda()#1}::operator()::{lambda()#2}::operator()",
		"f(int)::{lambda()#1}::operator()() const::{lambda()#2}::operator()() const"));
	CHECK(!cg_name_may_be("f(int)::{lambda(int)#1}::operator()",
			      "f(int)::{lambda(int)#2}::operator()(int) const"));
	CHECK(!cg_name_may_be("f(int)::{lambda(int)#1}::operator()",
			      "g(int)::{lambda(int)#1}::operator()(int) const"));
	CHECK(cg_name_may_be("(anonymous namespace)::mix", "(anonymous namespace)::mix(int)"));
	CHECK(cg_name_may_be("A<long int>::get", "A<long>::get()"));
	CHECK(!cg_name_may_be("A::get", "B::get()"));
	CHECK(!cg_name_may_be("A::get", "get()"));
	CHECK(!cg_name_may_be("mi", "mix(int)"));
}

static void long_may_be(size_t parts)
{
	char *name = malloc(3 * parts + 2);

	for (size_t i = 0; name && i < parts; i++)
		memcpy(name + 3 * i, "a::", 3);
	if (name)
		strcpy(name + 3 * parts, "f");
	CHECK(name && cg_name_may_be(name, name));
	free(name);
}

/* Each part is looked at once. */
static void test_long_may_be(void)
{
	CHECK(grows_in_proportion(long_may_be, 600000));
}

static void test_qualifiers(void)
{
	bare_is("A::get() const", "A::get");
	bare_is("A::get(int) const volatile", "A::get");
	bare_is("A::take() &&", "A::take");
	bare_is("A::take() const &", "A::take");
	/* Without a list of parameters they are part of the name. */
	bare_is("A::operator unsigned const", "A::operator unsigned const");
	bare_is("A::operator&&(A) const", "A::operator&&");
	bare_is(" const", " const");
}

/* Brackets at the end that belong to the name. */
static void test_not_parameters(void)
{
	bare_is("(anonymous namespace)::f(int)", "(anonymous namespace)::f");
	bare_is("(anonymous namespace)", "(anonymous namespace)");
	bare_is("a::(anonymous namespace)", "a::(anonymous namespace)");
	bare_is("A::operator()", "A::operator()");
	bare_is("A::operator()()", "A::operator()");
	bare_is("A::operator()(int) const", "A::operator()");
	bare_is("main::{lambda(int)#1}::operator()(int) const",
		"main::{lambda(int)#1}::operator()");
	bare_is("main::{lambda(int)#1}", "main::{lambda(int)#1}");
	bare_is("(below main)", "(below main)");
	bare_is("<alloc::vec::Vec<T> as Drop>::drop", "<alloc::vec::Vec<T> as Drop>::drop");
}

static void test_unbalanced_parameters(void)
{
	bare_is("f)", "f)");
	bare_is("f(", "f(");
	bare_is("f(int", "f(int");
	bare_is("f(int))", "f(int))");
	bare_is("f((int)", "f(");
	bare_is(")", ")");
	bare_is("()", "()");
	bare_is("(int) const", "(int) const");
	bare_is("", "");
}

static void test_addresses(void)
{
	CHECK(cg_name_is_address("0x00000000000011a0"));
	CHECK(cg_name_is_address("0xA"));
	CHECK(!cg_name_is_address("0x"));
	CHECK(!cg_name_is_address("0x12g"));
	CHECK(!cg_name_is_address("main"));
	CHECK(!cg_name_is_address(""));
}

static void test_base_names(void)
{
	CHECK_STR(cg_base_name("/usr/lib/libc.so.6"), "libc.so.6");
	CHECK_STR(cg_base_name("a.out"), "a.out");
	CHECK_STR(cg_base_name(""), "");
	/* Never empty for a path that is not: nothing would be left to compare. */
	CHECK_STR(cg_base_name("/opt/dir/"), "/opt/dir/");
}

static void test_paths(void)
{
	static const char *const paths[][2] = {
		{ "src/x.hpp", "src/x.hpp" },
		{ "bench/../src/x.hpp", "src/x.hpp" },
		{ "./x.c", "x.c" },
		{ "./a/./b/./x.c", "a/b/x.c" },
		{ "a/b/../../x.c", "x.c" },
		{ "../x.c", "../x.c" },
		{ "../../a/../x.c", "../../x.c" },
		{ "a/../../x.c", "../x.c" },
		{ "/../x.c", "/x.c" },
		{ "/a/../../x.c", "/x.c" },
		{ "/a/..", "/" },
		{ "a/..", "." },
		{ "a/../..", ".." },
		{ "../a/..", ".." },
		{ "a/.", "a" },
		{ "a/b/../", "a/" },
		{ "./", "." },
		{ ".", "." },
		{ "..", ".." },
		{ "/", "/" },
		{ "", "" },
		{ "...", "..." },
		{ ".../x", ".../x" },
		{ "a/..x/.y", "a/..x/.y" },
		{ "/rustc/1//library/x.rs", "/rustc/1//library/x.rs" },
		{ "/rustc/1//library/../x.rs", "/rustc/1//x.rs" },
		{ "a//../b", "b" },
		{ "./malloc/./malloc/arena.c", "malloc/arena.c" },
		{ "a/b/./a/b/x.c", "a/b/x.c" },
		{ "a/b/./b/x.c", "a/b/b/x.c" },
		{ "a/./ab/x.c", "a/ab/x.c" },
		{ "a/./a/", "a/a/" },
		{ "a/./a", "a/a" },
		{ "../a/./../a/x.c", "../a/x.c" },
		{ "/a/./a/x.c", "/a/a/x.c" },
		{ "???", "???" },
	};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		char path[100];
		snprintf(path, sizeof path, "%s", paths[i][0]);
		path[cg_path_normalise(path, strlen(path))] = '\0';
		CHECK_STR(path, paths[i][1]);
		CHECK_INT(cg_path_is_normal(paths[i][0], strlen(paths[i][0])),
			  strcmp(paths[i][0], paths[i][1]) == 0);
		CHECK(cg_path_is_normal(path, strlen(path)));
	}
}

TEST_MAIN("names", { "paths", test_paths }, { "a plain name is itself", test_plain },
	  { "levels and contexts", test_levels_and_contexts },
	  { "a level that does not fit", test_huge_level }, { "long names", test_long },
	  { "C++ names", test_cpp }, { "C++ operators with brackets", test_cpp_operators },
	  { "lambdas with apostrophes", test_lambdas }, { "Rust names", test_rust },
	  { "brackets that do not close", test_unbalanced },
	  { "stems of clones", test_clone_stems },
	  { "what only looks like a clone", test_not_clones },
	  { "stems of hashes", test_hash_stems }, { "stems of versions", test_version_stems },
	  { "cold parts", test_cold }, { "callers of cold parts", test_callers_of_cold },
	  { "lists of parameters", test_parameters }, { "qualifiers", test_qualifiers },
	  { "last words", test_last_words }, { "without closures", test_without_closures },
	  { "without template arguments", test_without_arguments },
	  { "names of debug information", test_may_be },
	  { "names of many parts", test_long_may_be },
	  { "brackets that are no parameters", test_not_parameters },
	  { "parameters that do not close", test_unbalanced_parameters },
	  { "addresses as names", test_addresses }, { "base names of paths", test_base_names })
