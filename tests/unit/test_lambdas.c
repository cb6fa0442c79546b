/* Lambdas in the names of functions, as several compilers call them. */
#include <stdlib.h>
#include <string.h>

#include "callgrind/lambdas.h"
#include "cgprofile/error.h"
#include "tests/unit/harness.h"

static void is_next(const char *name, const char *lambda)
{
	struct cg_span found = cg_lambda_next(name, strlen(name), 0);
	char *text = strndup(name + found.start, found.end - found.start);
	CHECK_STR(text, lambda);
	CHECK(cg_lambda_any(name) == (*lambda != '\0'));
	free(text);
}

static void test_finding(void)
{
	is_next("f()::{lambda(int)#12}::operator()(int) const", "{lambda(int)#12}");
	is_next("f()::{lambda<typename $T0>($T0)#1}::operator()<int>(int) const",
		"{lambda<typename $T0>($T0)#1}");
	is_next("f()::{lambda(g()::{lambda()#2})#1}::operator()", "{lambda(g()::{lambda()#2})#1}");
	is_next("main::$_12::operator()(int) const", "$_12");
	is_next("$_0::operator()() const", "$_0");
	is_next("void apply<main::$_0>(main::$_0)", "$_0");
	is_next("f()::'lambda0'(int, g(long))::operator()(int) const", "'lambda0'(int, g(long))");
	is_next("f()::'lambda'()::operator()() const", "'lambda'()");
	is_next("apply<main()::<lambda(long int)> >", "<lambda(long int)>");
	is_next("f(int)", "");
	is_next("a$_1", "");
	is_next("$_", "");
	is_next("$_1x", "");
	is_next("{lambda", "");
	is_next("{lambda(int", "");
	is_next("{lambdas()#1}", "");
	is_next("'lambda", "");
	is_next("'lambda'", "");
	is_next("'lambda'(", "");
	is_next("f'2'g", "");
	is_next("", "");
}

static void is_around(const char *name, const char *lambda)
{
	struct cg_span found = cg_lambda_around(name, strlen(name));
	char *text = strndup(name + found.start, found.end - found.start);
	CHECK_STR(text, lambda);
	free(text);
}

static void test_around(void)
{
	is_around("f()::{lambda(int)#1}::operator()(int) const", "{lambda(int)#1}");
	is_around("f()::{lambda()#1}::operator()() const::{lambda()#2}::operator()() const",
		  "{lambda()#2}");
	is_around("f()::$_3::operator()() const::local::get()", "$_3");
	is_around("auto f()::$_3::operator()<$_4>($_4) const", "$_3");
	is_around("operator<(a const&)::$_3::operator()() const", "$_3");
	is_around("f(int (*)(int)) const::'lambda'()::operator()() const", "'lambda'()");
	/* Types of parameters and arguments, and the lambda itself. */
	is_around("void apply<main::{lambda()#1}>(main::{lambda()#1})", "");
	is_around("std::_Function_handler<void (), main::$_0>::_M_invoke()", "");
	is_around("f()::{lambda()#1}", "");
	is_around("f", "");
}

static void adopts(const char *name, const char *like, const char *wanted)
{
	char *made;
	REQUIRE_INT(cg_lambda_adopt(name, like, &made), CG_OK);
	CHECK_STR(made ? made : "none", wanted);
	free(made);
}

static void test_adopting(void)
{
	adopts("f(int)::{lambda(long)#3}::operator()(long) const",
	       "f(int)::{lambda(long)#2}::operator()",
	       "f(int)::{lambda(long)#2}::operator()(long) const");
	adopts("auto f()::$_1::operator()<int>(int) const [clone .isra.0]",
	       "f()::{lambda(...)#1}::operator()<int>",
	       "auto f()::{lambda(...)#1}::operator()<int>(int) const [clone .isra.0]");
	adopts("f()::{lambda(long)#3}::operator()(long) const::{lambda()#1}::operator()() const [clone .cold]",
	       "f()::{lambda(long)#1}::operator()::{lambda()#1}::operator()",
	       "f()::{lambda(long)#1}::operator()::{lambda()#1}::operator()() const [clone .cold]");
	adopts("$_14::operator()(long) const", "glob::{lambda(long)#1}::operator()",
	       "glob::{lambda(long)#1}::operator()(long) const");
	adopts("auto f()::$_1::operator()<int>(int) const",
	       "auto f()::{lambda(...)#1}::operator()<int>(int) const",
	       "auto f()::{lambda(...)#1}::operator()<int>(int) const");
	/* A lambda that is called with itself. */
	adopts("long main::$_2::operator()<$_2&>($_2&, long) const",
	       "main::{lambda(...)#1}::operator()<x>",
	       "long main::{lambda(...)#1}::operator()<{lambda(...)#1}&>({lambda(...)#1}&, long) const");
	/* Types of others. */
	adopts("long apply<main::$_4>(main::$_4, long) [clone .constprop.0]",
	       "long apply<main::{lambda(long)#1}>(main::{lambda(long)#1}, long)",
	       "long apply<main::{lambda(long)#1}>(main::{lambda(long)#1}, long) [clone .constprop.0]");
	adopts("long apply<main::{lambda(long)#5}>(main::{lambda(long)#5}, long)",
	       "apply<main::{lambda(long)#2}>",
	       "long apply<main::{lambda(long)#2}>(main::{lambda(long)#2}, long)");
	/* What is the same, and what is another function. */
	adopts("f()::{lambda()#1}::operator()() const", "f()::{lambda()#1}::operator()", "none");
	adopts("f()::$_1::operator()() const", "f()::{lambda()#1}::_FUN", "none");
	adopts("f()::$_1::operator()() const", "g()", "none");
	adopts("long apply<main::$_4>(main::$_4, long)",
	       "long other<main::{lambda()#1}>(main::{lambda()#1}, long)", "none");
	adopts("f(int)", "f(int)::{lambda(long)#2}::operator()", "none");
}

static void replaces(const char *name, const char *first, const char *second, const char *wanted)
{
	const char *texts[] = { first, second };
	char *made;
	REQUIRE_INT(cg_lambda_replace_arguments(name, texts, second ? 2 : 1, &made), CG_OK);
	CHECK_STR(made ? made : "none", wanted);
	free(made);
}

static void test_arguments(void)
{
	replaces("long apply<main::$_4>(main::$_4, long)", "main::{lambda(long)#1}", NULL,
		 "long apply<main::{lambda(long)#1}>(main::{lambda(long)#1}, long)");
	replaces(
		"void two<f(int)::$_1, $_0>(f(int)::$_1&, $_0*)", "f(int)::{lambda()#1}",
		"g::{lambda()#1}",
		"void two<f(int)::{lambda()#1}, g::{lambda()#1}>(f(int)::{lambda()#1}&, g::{lambda()#1}*)");
	replaces(
		"std::_Function_handler<void (int), a::f() const::$_1>::_M_invoke(std::_Any_data const&, int&&)",
		"a::f() const::{lambda(int)#1}", NULL,
		"std::_Function_handler<void (int), a::f() const::{lambda(int)#1}>::_M_invoke("
		"std::_Any_data const&, int&&)");
	/* A lambda in a lambda is one type. */
	replaces("x<f()::$_1::operator()(int) const::$_2>()",
		 "f()::{lambda(int)#1}::operator()::{lambda()#1}", NULL,
		 "x<f()::{lambda(int)#1}::operator()::{lambda()#1}>()");
	replaces("apply<a::f(int)::<lambda(long int)> >", "a::f(int)::{lambda(long)#1}", NULL,
		 "apply<a::f(int)::{lambda(long)#1} >");
	replaces("x<f()::$_1, f()::$_2>()", "f()::{lambda()#1}", NULL, "none");
	replaces("x<int>()", "f()::{lambda()#1}", NULL, "none");
	replaces("x<$_1>()", "$_1", NULL, "none");
}

static void has_key(const char *name, const char *wanted, unsigned wanted_number)
{
	unsigned number;
	char *key = cg_lambda_key(name, &number);
	CHECK_STR(key, wanted);
	CHECK_INT(number, wanted_number);
	free(key);
}

static void test_keys(void)
{
	has_key("f()::{lambda(int)#12}::operator()(int) const", "f()::{lambda}::operator()(int)",
		11);
	has_key("f()::{lambda(int)#12}::operator()(int)", "f()::{lambda}::operator()(int)", 11);
	has_key("f()::{lambda(int)#12}::operator()", "f()::{lambda}::operator()(int)", 11);
	has_key("f()::{lambda()#12}::operator()", "f()::{lambda}::operator()()", 11);
	has_key("f()::$_3::operator()(int) const", "f()::{lambda}::operator()(int)", 3);
	has_key("f()::$_3::operator()", "f()::{lambda}::operator()", 3);
	has_key("f()::'lambda0'(int)::operator()(int) const", "f()::{lambda}::operator()(int)", 1);
	has_key("f()::'lambda'(int)::operator()(int) const", "f()::{lambda}::operator()(int)", 0);
	has_key("auto f()::$_3::operator()<int>(int) const",
		"auto f()::{lambda}::operator()<int>(int) const", 3);
	has_key("f()::$_3::operator()(int) const::{lambda(g(int))#2}::operator()(g(int)) const",
		"f()::{lambda}::operator()::{lambda}::operator()(g(int))", 1);
	has_key("f()::{lambda(int)#1}::operator()::{lambda()#2}::operator()",
		"f()::{lambda}::operator()::{lambda}::operator()()", 1);
	has_key("f()::$_3::operator()(int) const::local::get()",
		"f()::{lambda}::operator()::local::get()", 3);
	has_key("f()::$_3::__invoke(int)", "f()::{lambda}::__invoke(int)", 3);
	has_key("apply<f()::$_3>(f()::$_3)", "apply<f()::{lambda}>(f()::{lambda})", 3);
	has_key("f", "f", 0);
}

TEST_MAIN("lambdas", { "finding", test_finding }, { "around functions", test_around },
	  { "adopting names", test_adopting }, { "as arguments", test_arguments },
	  { "keys", test_keys })
