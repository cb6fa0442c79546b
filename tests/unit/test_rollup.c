#include "tests/unit/trees.h"

#include "cgprofile/names.h"
#include "cgprofile/rollup.h"
#include "src/view/flat.h"

static void scope_is(const char *name, const char *expected)
{
	size_t len = strlen(name);
	char *scope = malloc(len + 1);
	REQUIRE(scope != NULL);
	scope[cg_name_scope(name, len, scope)] = '\0';
	test_report(strcmp(scope, expected) == 0, false, __FILE__, __LINE__,
		    "%s is in '%s', not '%s'", name, scope, expected);
	free(scope);
}

static void test_cpp(void)
{
	scope_is("a::b::f(int)", "a::b");
	scope_is("a::b::f(int) const", "a::b");
	scope_is("a::~B()", "a");
	scope_is("std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector");
	scope_is("std::vector<std::map<a::b, int> >::f", "std::vector");
	scope_is("a::B[abi:cxx11]::f[abi:cxx11](unsigned long)", "a::B");
	scope_is("a::f(int) [clone .cold]", "a");
	scope_is("a::f(int) [clone .constprop.0]", "a");
	scope_is("non-virtual thunk to a::B::f()", "a::B");
	scope_is("::f", "");
}

static void test_cpp_types_in_front(void)
{
	scope_is("void a::f<int>(int)", "a");
	scope_is("std::vector<a::b<int> > ns::g<int>(std::string)", "ns");
	scope_is("unsigned int* a::f<int>(int)", "a");
	scope_is("decltype(auto) a::f<int>(int)", "a");
	scope_is("decltype ((x)()) a::f<int>(int)", "a");
	scope_is("std::enable_if<(1 > 0), void>::type a::g<int>()", "a");
	scope_is("bool std::operator==<char>(std::string const&, char const*)", "std");
}

static void test_cpp_operators(void)
{
	scope_is("a::operator<<(std::ostream&, a::B const&)", "a");
	scope_is("a::operator< <int>(int)", "a");
	scope_is("a::operator>(int)", "a");
	scope_is("a::B::operator()(int) const", "a::B");
	scope_is("a::B::operator->()", "a::B");
	scope_is("a::B::operator int() const", "a::B");
	scope_is("a::B::operator std::string() const", "a::B");
	scope_is("a::B::operator new(unsigned long)", "a::B");
	scope_is("operator new(unsigned long)", "");
	scope_is("a::operators::f()", "a::operators");
	scope_is("std::function<void (int)>::operator()(int) const", "std::function");
}

static void test_cpp_places(void)
{
	scope_is("(anonymous namespace)::f(int)", "(anonymous namespace)");
	scope_is("a::(anonymous namespace)::B::f()", "a::(anonymous namespace)::B");
	scope_is("a::foo(int)::{lambda()#1}::operator()() const", "a");
	scope_is("a::foo(int) const::{lambda()#1}::operator()() const", "a");
	scope_is("a::B<int>::foo(int) const::'lambda'(int)::operator()(int) const", "a::B");
	scope_is("a::f(int)::{default arg#1}::{lambda()#1}::operator()() const", "a");
	scope_is("main::{lambda(int)#1}::operator()(int) const", "");
	scope_is("f(int)::S::m()", "");
	scope_is("std::_Function_handler<void (int), main::{lambda(int)#1}>::_M_invoke(int&&)",
		 "std::_Function_handler");
}

static void test_rust(void)
{
	scope_is("core::str::pattern::StrSearcher::new", "core::str::pattern::StrSearcher");
	scope_is("a::b::f::h0123456789abcdef", "a::b");
	scope_is("core::ptr::drop_in_place<alloc::vec::Vec<u8>>", "core::ptr");
	scope_is("core::fmt::num::imp::<impl core::fmt::Display for u32>::fmt",
		 "core::fmt::num::imp");
	scope_is("a::b::f::{{closure}}", "a::b");
	scope_is("a::b::f::{closure#0}::{closure#1}", "a::b");
	scope_is("core::ops::function::FnOnce::call_once{{vtable.shim}}",
		 "core::ops::function::FnOnce");
	/* <T as Trait>: of the type where it has a path. */
	scope_is("<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop", "alloc::vec::Vec");
	scope_is("<a::b::C as d::T>::f::{{closure}}", "a::b::C");
	scope_is("<&mut a::T as core::fmt::Write>::write_str", "a::T");
	scope_is("<&'a dyn a::T as core::fmt::Debug>::fmt", "a::T");
	scope_is("<a::b::C>::f", "a::b::C");
	scope_is("<u32 as core::fmt::Display>::fmt", "core::fmt::Display");
	scope_is("<[T] as core::slice::SlicePartialEq<B>>::equal", "core::slice::SlicePartialEq");
	scope_is("<T>::f", "");
}

static void test_no_scope(void)
{
	scope_is("main", "");
	scope_is("", "");
	scope_is("0x1234", "");
	scope_is("(below main)", "");
	scope_is("[unknown]", "");
	scope_is("-[Parser scan]", "");
	scope_is("::", "");
	scope_is("a<b::c", "");
	scope_is("f)", "");
	scope_is("<", "");
	scope_is("{", "");
}

/* It is no longer than the name, whatever that is: the sanitizers see to the rest. */
static void test_any_text(void)
{
	static const char *const pieces[] = { "::",
					      "<",
					      ">",
					      "(",
					      ")",
					      "{",
					      "}",
					      "a",
					      "operator",
					      " ",
					      "'",
					      " as ",
					      "{{",
					      "&",
					      "[",
					      "]",
					      "->",
					      " const",
					      "(anonymous namespace)",
					      "main",
					      "dyn " };
	for (int i = test_rounds(20000); i > 0; i--) {
		char name[200] = "";
		for (uint32_t n = random_below(9); n > 0; n--)
			strcat(name, pieces[random_below(sizeof pieces / sizeof *pieces)]);
		size_t len = strlen(name), used;
		char *copy = malloc(len + 1), *scope = malloc(len + 1);
		REQUIRE(copy && scope);
		memcpy(copy, name, len + 1);
		used = cg_name_scope(copy, len, scope);
		test_report(used <= len, true, __FILE__, __LINE__, "%s: %zu", name, used);
		free(copy);
		free(scope);
	}
}

static struct flat *groups_of(const struct cg_profile *p, enum cg_rollup_by by)
{
	static const uint32_t first[] = { 0 };
	const struct flat_options o = { .sort = first, .nsort = 1, .by = by };
	struct flat *f = NULL;
	struct cg_error err = { 0 };
	int status = flat_make(p, &o, &f, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return f;
}

static void check_group(const struct flat *f, const char *name, uint32_t functions, int64_t self,
			int64_t inclusive, uint64_t calls, bool bound)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct flat_row *r = &f->rows[i];
		if (strcmp(flat_row_name(f, r), name) != 0)
			continue;
		CHECK_U64(r->functions, functions);
		CHECK_INT(r->self[0], self);
		CHECK_INT(r->inclusive[0], inclusive);
		CHECK_U64(r->calls, calls);
		CHECK_INT(r->bound, bound);
		return;
	}
	test_report(false, false, __FILE__, __LINE__, "no group %s", name);
}

/* main 1 calls parse 10 in another file, which calls next 100 twice and next calls itself; and
 * write 5 in a third. A call inside of parse.c is not counted twice. */
static const char program[] =
	"events: Ir\n"
	"ob=/bin/p\nfl=main.c\nfn=main\n1 1\n"
	"cfi=parse.c\ncfn=a::parse(int)\ncalls=1 1\n1 210\n"
	"cfi=write.c\ncfn=b::write()\ncalls=3 1\n1 5\n"
	"fl=parse.c\nfn=a::parse(int)\n1 10\ncfn=a::next()\ncalls=2 1\n1 200\n"
	"fn=a::next()\n1 150\ncfn=a::next()'2\ncalls=1 1\n1 50\n"
	"fn=a::next()'2\n1 50\n"
	"fl=write.c\nfn=b::write()\n1 5\n";

static void test_groups(void)
{
	struct cg_profile *p = profile_of(program);
	struct flat *files = groups_of(p, CG_BY_FILE), *scopes = groups_of(p, CG_BY_NAMESPACE),
		    *objects = groups_of(p, CG_BY_OBJECT);

	CHECK_U64(files->count, 3);
	check_group(files, "parse.c", 2, 210, 210, 1, false);
	check_group(files, "write.c", 1, 5, 5, 3, false);
	check_group(files, "main.c", 1, 1, 216, 0, false);
	CHECK_U64(scopes->count, 3);
	check_group(scopes, "a", 2, 210, 210, 1, false);
	check_group(scopes, CG_NO_NAMESPACE, 1, 1, 216, 0, false);
	CHECK_U64(objects->count, 1);
	check_group(objects, "/bin/p", 4, 216, 216, 0, false);
	flat_free(files);
	flat_free(scopes);
	flat_free(objects);
	cg_profile_free(p);
}

/* x calls y calls x again, by other functions: not more than all that x can reach (120), and not
 * what entering x twice adds up to (170). */
static void test_bound(void)
{
	struct cg_profile *p = profile_of(
		"events: Ir\n"
		"fl=m.c\nfn=main\n1 100\ncfi=x.c\ncfn=x1\ncalls=1 1\n1 120\n"
		"fl=x.c\nfn=x1\n1 20\ncfi=y.c\ncfn=y1\ncalls=1 1\n1 100\n"
		"fl=y.c\nfn=y1\n1 50\ncfi=x.c\ncfn=x2\ncalls=1 1\n1 50\n"
		"fl=x.c\nfn=x2\n1 50\n");
	struct flat *f = groups_of(p, CG_BY_FILE);
	check_group(f, "x.c", 2, 70, 120, 2, true);
	check_group(f, "y.c", 1, 50, 100, 1, false);
	check_group(f, "m.c", 1, 100, 220, 0, false);
	flat_free(f);
	cg_profile_free(p);
}

/* Stacks, of which it is known what each group costs: those in which it is. */
static void stacks_of_groups(char *text, size_t size, int64_t truth[3])
{
	size_t used = 0;

	text[0] = '\0';
	memset(truth, 0, 3 * sizeof *truth);
	for (uint32_t lines = 1 + random_below(12); lines > 0; lines--) {
		bool in[3] = { false };
		int64_t cost = 1 + random_below(50);
		for (uint32_t depth = 1 + random_below(6); depth > 0; depth--) {
			uint32_t group = random_below(3);
			in[group] = true;
			used += (size_t)snprintf(text + used, size - used, "g%u::f%u%s", group,
						 random_below(3), depth > 1 ? ";" : "");
		}
		used += (size_t)snprintf(text + used, size - used, " %" PRId64 "\n", cost);
		for (int g = 0; g < 3; g++)
			truth[g] += in[g] ? cost : 0;
	}
}

static int64_t check_groups(const struct flat *f, const int64_t truth[3], const char *text)
{
	int64_t sum = 0;

	for (size_t i = 0; i < f->count; i++) {
		const struct flat_row *r = &f->rows[i];
		int64_t is = r->inclusive[0], real = truth[flat_row_name(f, r)[1] - '0'];
		sum += r->self[0];
		test_report(r->bound ? is >= real : is == real, false, __FILE__, __LINE__,
			    "%s costs %" PRId64 "%s, not %" PRId64 " in\n%s", flat_row_name(f, r),
			    is, r->bound ? " at most" : "", real, text);
		test_report(is <= f->profile->total[0], false, __FILE__, __LINE__, "more than all");
	}
	return sum;
}

static void test_laws(void)
{
	for (int i = test_rounds(1000); i > 0; i--) {
		char text[3000];
		int64_t truth[3];
		stacks_of_groups(text, sizeof text, truth);
		struct cg_profile *p = profile_of(text);
		struct flat *f = groups_of(p, CG_BY_NAMESPACE);
		CHECK_INT(check_groups(f, truth, text), p->total[0]);
		flat_free(f);
		cg_profile_free(p);
	}
}

/* ---- differences ---- */

static struct diff *diff_by(const struct cg_profile *base, const struct cg_profile *head,
			    enum cg_rollup_by by)
{
	const struct diff_options options = { .metric = "Ir", .by = by };
	struct diff *d = NULL;
	struct cg_error err = { 0 };
	int status = diff_make(base, head, &options, &d, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return d;
}

static const struct diff_row *row_named(const struct diff *d, const char *name)
{
	for (size_t i = 0; i < d->count; i++)
		if (strcmp(d->rows[i].name, name) == 0)
			return &d->rows[i];
	test_report(false, true, __FILE__, __LINE__, "no row %s", name);
	return NULL;
}

/* Per object of functions, the deltas add up to that of the object. */
static void check_sums(const struct diff *functions, const struct diff *objects)
{
	for (size_t i = 0; i < objects->count; i++) {
		const struct diff_row *row = &objects->rows[i];
		int64_t base = 0, head = 0;
		for (size_t k = 0; k < functions->count; k++) {
			const struct diff_row *f = &functions->rows[k];
			base += strcmp(f->base_object, row->base_file) == 0 ? f->base.self[0] : 0;
			head += strcmp(f->object, row->name) == 0 ? f->head.self[0] : 0;
		}
		CHECK_INT(row->base.self[0], base);
		CHECK_INT(row->head.self[0], head);
	}
}

static void test_diff_laws(void)
{
	for (int i = test_rounds(500); i > 0; i--) {
		char first[3000], second[3000];
		random_calls(first, sizeof first);
		random_calls(second, sizeof second);
		struct cg_profile *base = profile_of(first), *head = profile_of(second);
		struct diff *functions = diff_by(base, head, CG_BY_FUNCTION);
		struct diff *objects = diff_by(base, head, CG_BY_OBJECT);
		check_sums(functions, objects);
		for (enum cg_rollup_by by = CG_BY_FILE; by <= CG_BY_NAMESPACE; by++)
			diff_free(diff_by(base, head, by)); /* its own laws */
		diff_free(functions);
		diff_free(objects);
		cg_profile_free(base);
		cg_profile_free(head);
	}
}

static void test_moved(void)
{
	struct cg_profile *base = profile_of(
		"events: Ir\nob=/b/one\nfl=/x/src/a.c\nfn=n::f()\n1 10\n"
		"fn=n::g()\n1 10\nfl=/x/src/b.c\nfn=n::h()\n1 10\n"
		"ob=/lib/c.so\nfl=c.c\nfn=c\n1 5\n");
	struct cg_profile *head = profile_of(
		"events: Ir\nob=/b/two\nfl=/y/src/a.c\nfn=n::f()\n1 15\n"
		"fn=n::g()\n1 10\nfl=/y/src/d.c\nfn=n::h()\n1 10\n"
		"ob=/lib/c.so\nfl=c.c\nfn=c\n1 5\n");
	struct diff *files = diff_by(base, head, CG_BY_FILE),
		    *objects = diff_by(base, head, CG_BY_OBJECT);
	const struct diff_row *a = row_named(files, "/y/src/a.c"), *two = row_named(objects, "two");

	CHECK_INT(a->match, DIFF_MOVED);
	CHECK_STR(a->base_file, "/x/src/a.c");
	CHECK_INT(a->base.self[0], 20);
	CHECK_INT(a->head.self[0], 25);
	CHECK_U64(a->head.functions, 2);
	CHECK(!row_named(files, "/x/src/b.c")->head.present);
	CHECK(!row_named(files, "/y/src/d.c")->base.present);
	/* It is one, because its functions are those of the other. */
	CHECK_INT(two->match, DIFF_MOVED);
	CHECK_STR(two->base_file, "one");
	CHECK_INT(two->base.self[0], 30);
	CHECK_INT(two->head.self[0], 35);
	CHECK_INT(row_named(objects, "c.so")->match, DIFF_SAME);
	diff_free(files);
	diff_free(objects);
	cg_profile_free(base);
	cg_profile_free(head);
}

TEST_MAIN("rollup", { "scopes of C++ names", test_cpp },
	  { "types in front of names", test_cpp_types_in_front },
	  { "operators", test_cpp_operators },
	  { "lambdas, local classes, anonymous namespaces", test_cpp_places },
	  { "scopes of Rust names", test_rust }, { "names without scope", test_no_scope },
	  { "any text", test_any_text }, { "groups", test_groups },
	  { "groups that are entered again", test_bound },
	  { "groups add up, and are as dear as their stacks", test_laws },
	  { "differences of groups add up", test_diff_laws },
	  { "files and objects that moved", test_moved })
