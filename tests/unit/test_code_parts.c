#include "tests/unit/harness.h"

#include "cgprofile/error.h"
#include "src/view/code_parts.h"

/* The parts of a text as "f1-3 name" for each function and "d4-4 name" for each declaration. Names
 * are hashes: `names` are those that are looked for. */
static const char *const names[] = { "f",     "g", "h",   "main", "LIMIT",     "table", "next",
				     "Point", "x", "run", "Grid", "make_hash", "size",  "value" };

static const char *name_of(uint32_t hash)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (code_word_hash(names[i], strlen(names[i])) == hash)
			return names[i];
	return "?";
}

static struct code_parts parts_of(const char *text)
{
	struct code_parts p = { 0 };
	REQUIRE_INT(code_parts_add(&p, text, strlen(text)), CG_OK);
	return p;
}

static void check(const char *text, const char *expected)
{
	struct code_parts p = parts_of(text);
	char found[1000] = "";

	for (size_t i = 0; i < p.count; i++) {
		const struct code_part *part = &p.items[i];
		size_t len = strlen(found);
		snprintf(found + len, sizeof found - len, "%s%c%u-%u %s", i ? ", " : "",
			 part->function ? 'f' : 'd', part->first, part->last, name_of(part->name));
	}
	CHECK_STR(found, expected);
	code_parts_free(&p);
}

/* How many parts of `a` are in `b`. */
static size_t common_parts(const char *a, const char *b)
{
	struct code_parts p = parts_of(a), q = parts_of(b);
	size_t count = 0;

	for (size_t i = 0; i < p.count; i++)
		for (size_t k = 0; k < q.count; k++)
			if (p.items[i].hash == q.items[k].hash) {
				count++;
				break;
			}
	code_parts_free(&p);
	code_parts_free(&q);
	return count;
}

static void text_of(const char *function, const char *expected)
{
	CHECK_STR(name_of(code_function_hash(function)), expected);
}

static void test_names_of_functions(void)
{
	text_of("f(int) [clone .part.0]", "f");
	text_of("hashbrown::map::make_hash::<u64>::{closure#0}", "make_hash");
	text_of("a::f(int)::{lambda(int)#1}::operator()(int) const", "f");
	/* An instance for a lambda has the text of the template, not of the lambda's function. */
	text_of("void next<main::{lambda(int)#1}>(main::{lambda(int)#1})", "next");
	text_of("next<lib::f(long)::{lambda(int)#1}>", "next");
	text_of("void b::next<lib::f(long)::{lambda(int)#1}>(std::vector<int> const&, "
		"lib::f(long)::{lambda(int)#1})",
		"next");
	text_of("b::next<lib::f<char>(a::c<char>)::{lambda(d, e)#2}>(a::g, "
		"lib::f<char>(a::c<char>)::{lambda(d, e)#2})::{lambda(char const*)#1}::operator()"
		"(char const*) const",
		"next");
	text_of("d::T next<lib::f(long)::{lambda(int)#1}>(int)", "next");
}

static void test_c(void)
{
	check("", "");
	check("int f(int a)\n{\n\treturn a;\n}\n", "f1-4 f");
	check("static int x = 1;\nint f(void) { return x; }\n", "d1-1 x, f2-2 f");
	check("int f(void);\nstruct Point {\n\tint x;\n\tint size;\n};\n",
	      "d1-1 f, d2-2 Point, d3-3 x, d4-4 size");
	check("const int table[] = { 1, 2,\n\t{ 3 } };\nvoid g(void) {}\n", "d1-2 table, f3-3 g");
	check("struct Point *next(struct Point *p)\n{\n\treturn p;\n}", "f1-4 next");
	check("int f(a, b)\nint a, b;\n{\n\treturn a;\n}\nint g() { return 1; }",
	      "d1-2 f, f3-5 ?, f6-6 g");
}

static void test_preprocessor(void)
{
	check("#include <a.h>\n#define LIMIT 4 \\\n\t+ 5\nint f(void) { return LIMIT; }\n",
	      "d2-3 LIMIT, f4-4 f");
	check("int f(void)\n{\n#if A\n\tif (x) {\n#else\n\tif (y) {\n#endif\n\t}\n}\nint g(void) {}\n",
	      "f1-9 f, f10-10 g");
	check("#if A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n\treturn a;\n}\nint g(void) {}\n",
	      "f2-2 f, f4-7 f, f8-8 g");
	check("#  define LIMIT 4\n# \tif A\nint f(void) {\n#\telse\nint g(void) {\n# endif\n}\n",
	      "d1-1 LIMIT, f3-3 f, f5-7 g");
	check("int f(void)\n{\n#if A\n\tif (x) {\n#if B\n#endif\n#else\n\tif (y) {\n#endif\n\t}\n}\n"
	      "int g(void) {}\n",
	      "f1-11 f, f12-12 g");
	check("#define BEGIN {\nint f(void) { return '{'; }\nint g(void) { return *\"}\"; }\n",
	      "d1-1 ?, f2-2 f, f3-3 g");
}

/* A call of a macro that no semicolon ends is not the beginning of what follows. */
static void test_macro_calls(void)
{
	check("BEGIN_NAMES(x)\n#if A\nPRAGMA(\"g\")\n#endif\nPRAGMA(next)\n\n#define LIMIT 4\n"
	      "int x;\n",
	      "d1-1 ?, d3-3 ?, d5-5 ?, d7-7 LIMIT, d8-8 x");
	check("BEGIN_NAMES\n\n/* x */\nint f(void) { return 1; }\nEND_NAMES\n#define LIMIT 4\n",
	      "d1-1 ?, f4-4 f, d5-5 ?, d6-6 LIMIT");
	check("BEGIN_2Z\n\nint f(void) { return 1; }\n", "d1-1 ?, f3-3 f");
	check("next()\n#define LIMIT 4\nint x;\n", "d1-1 ?, d2-2 LIMIT, d3-3 x");
	check("begin_names()\n#define LIMIT 4\nint x;\n", "d1-1 ?, d2-2 LIMIT, d3-3 x");
	check("NOINLINE\nint f(void) { return 1; }\nATTRIBUTE(x) int\n\ng(void) {}\n",
	      "f1-2 f, f3-5 g");
	check("FIXTURE(f, g)\n\n{\n\tx;\n}\nint h(int a,\n#define LIMIT 4\n\tint b) {}\n",
	      "f1-5 ?, f6-8 h");
	check("struct Point {\n#define LIMIT 4\n\tint x;\n};\n", "d1-1 Point, d2-2 LIMIT, d3-3 x");
	struct code_parts p = parts_of("struct Point {\n#define LIMIT 4\n\tint x;\n};\n");
	REQUIRE_U64(p.count, 3);
	CHECK(p.items[1].macro && !p.items[1].owner);
	CHECK_U64(p.items[2].owner, p.items[0].name);
	code_parts_free(&p);
}

/* Each is a declaration of its own, whose value depends on those before. */
static void test_enumerators(void)
{
	check("enum Point {\n\tf, g = 2,\n#if A\n\tLIMIT,\n#endif\n\th(x)\n};\n",
	      "d1-1 Point, d2-2 f, d2-2 g, d4-4 LIMIT, d6-6 h");
	check("typedef enum { f, g, } Grid;\n", "d1-1 ?, d1-1 f, d1-1 g, d1-1 Grid");
	check("pub enum Grid<T> {\n\tf(u32, u32),\n\tg { x: u8 },\n\th,\n}\nfn run() {}\n",
	      "d1-1 Grid, d2-2 f, d3-3 g, d4-4 h, f6-6 run");
	CHECK_U64(
		common_parts("enum x { f, g, h = 4, run };", "enum x { f, next, g, h = 4, run };"),
		4);
	CHECK_U64(common_parts("enum x { f = 1, g };", "enum x { f = 2, g };"), 1);
	CHECK_U64(common_parts("enum x { f = 1, g, h };", "enum x { h = 1, run, h };"), 2);
	CHECK_U64(common_parts("enum x { f(1), g };", "enum x { f(2), g };"), 1);
	CHECK_U64(common_parts("enum x { f, g, h };", "enum x { f = 0, g, h };"), 3);
	CHECK_U64(common_parts("enum x { f, g, h };", "enum x { f, g = 1, h };"), 3);
	CHECK_U64(common_parts("enum x { f = 8, g };", "enum x { f = 08, g };"), 1);
	CHECK_U64(common_parts("enum x { f, g };", "enum x { f = -0, g };"), 1);
	CHECK_U64(common_parts("enum x { f, g };", "enum x { f, g, };"), 3);
	/* After what is no number, g may be anything, but the same after the same. */
	CHECK_U64(common_parts("enum x { f = M, g };", "enum x { f = N, g };"), 1);
	CHECK_U64(common_parts("enum x { f = -1, g };", "enum x { f = -2, g };"), 1);
	CHECK_U64(common_parts("enum x { f, g = M, h };", "enum x { g = M, h };"), 3);
	CHECK_U64(common_parts("enum x { f = M, g = 2, h };", "enum x { g = 2, h };"), 3);
	struct code_parts q = parts_of("enum x { f, h(g) };"), p = parts_of("enum x { h(g) };");
	REQUIRE_U64(q.count, 3);
	REQUIRE_U64(p.count, 2);
	CHECK_U64(q.items[2].text, p.items[1].text);
	CHECK(q.items[2].hash != p.items[1].hash);
	code_parts_free(&q);
	code_parts_free(&p);
	p = parts_of("enum x { f, h(g) };");
	REQUIRE_U64(p.count, 3);
	for (size_t i = 1; i < p.count; i++)
		CHECK(p.items[i].enumerator && !p.items[i].prototype &&
		      p.items[i].owner == p.items[0].name);
	code_parts_free(&p);
}

/* What is easily taken for something else. */
static void test_look_alikes(void)
{
	check("static int (*const table[])(int) = { f, g };\nint h(int x) { return x; }\n",
	      "d1-1 ?, f2-2 h");
	check("static int table[1 << 4] = { 0 };\nvoid f(int x = {}) { x++; }\n",
	      "d1-1 table, f2-2 f");
	check("__attribute__((unused)) static int x = 1;\n[[nodiscard]] int f() { return 1; }\n",
	      "d1-1 x, f2-2 f");
	check("struct __attribute__((packed)) Point { int x; };\nclass Grid : Base<void(int)> {\n"
	      "\tvoid f() {}\n};\n",
	      "d1-1 Point, d1-1 x, d2-2 Grid, f3-3 f");
	check("Grid &Grid::operator+=(int x) { return *this; }\nbool operator==(int a, int b) {}\n",
	      "f1-1 ?, f2-2 ?");
	check("#[cfg(unix)]\nmod x {\n\tfn f() {}\n}\nimpl<F: Fn(u32)> From<(F, F)> for Grid {\n"
	      "\tfn g() {}\n}\n",
	      "d1-2 x, f3-3 f, d5-5 Grid, f6-6 g");
	check("macro_rules! run { ($a:expr) => { $a }; }\nfn f() {}\n", "d1-1 run, f2-2 f");
	check("#if A\nint f(void) { x; }\n#endif\nint g(void)\n{\n#if A\n\tx;\n}\n#else\n\ty;\n}\n#endif\n",
	      "f2-2 f, f4-11 g");
}

static void test_cxx(void)
{
	check("namespace a { namespace b {\nint f() { return 1; }\n} }\nint g() { return 2; }\n",
	      "d1-1 ?, d1-1 ?, f2-2 f, f4-4 g");
	check("std::vector<int> f() {}\ntemplate <class T, class U = int> struct Point {};\n"
	      "bool operator<(int a, int b) {}\nint x = 1 < 2;\n",
	      "f1-1 f, d2-2 Point, f3-3 ?, d4-4 x");
	check("struct Grid : std::next {};\nstruct Point<x> : a::b::size, g {};\n",
	      "d1-1 Grid, d2-2 Point");
	check("namespace Grid {\nPoint &operator=(const Point &) = delete;\n"
	      "namespace g = x::next;\nint size = 1;\n}\n",
	      "d1-1 ?, d2-2 ?, d3-3 g, d4-4 size");
	struct code_parts p = parts_of("Grid f(int x) = default;\nint (*g)(int) = h;\n");
	REQUIRE_U64(p.count, 2);
	CHECK(p.items[0].prototype && !p.items[1].prototype);
	code_parts_free(&p);
	check("extern \"C\" {\nint f(void) { return 1; }\n}\n", "d1-1 ?, f2-2 f");
	check("template <class T> class Grid {\n\tint size;\npublic:\n\tT f() const { return x; }\n};\n",
	      "d1-1 Grid, d2-2 size, f3-4 f");
	check("Grid::Grid(int n)\n\t: x{n}, size{2}\n{\n\trun();\n}\nint g() { return 1; }\n",
	      "f1-5 Grid, f6-6 g");
	check("void f() {\n\tauto g = [](int a) { return a; };\n}\n", "f1-3 f");
	check("const char *f() { return R\"x({\")x\"; }\nint g() { return 1'000'000; }\n",
	      "f1-1 f, f2-2 g");
}

static void test_rust(void)
{
	check("#[cfg_attr(feature = \"x\", inline)]\npub(crate) fn make_hash<Q, S>(v: &'a Q) -> u64 {\n\t1\n}\n",
	      "f1-4 make_hash");
	check("impl<'a> Point<'a> {\n\tfn f(&self) -> char { '\"' }\n\tfn g(&self) -> char { '\\'' }\n}\n",
	      "d1-1 Point, f2-2 f, f3-3 g");
	check("pub struct Point<A: B = Global> {\n\tx: A,\n}\nfn f() {}\n",
	      "d1-1 Point, d2-2 x, f4-4 f");
	check("const LIMIT: u32 = 4;\nfn main() { println!(r#\"}\"{\"#); }\n",
	      "d1-1 LIMIT, f2-2 main");
}

static void test_exported(void)
{
	struct code_parts p = parts_of("macro_rules! run { () => {}; }\nconst x: u32 = 1;\n"
				       "pub const size: u32 = 1;\n");

	REQUIRE_U64(p.count, 3);
	CHECK(p.items[0].exported);
	CHECK(!p.items[1].exported);
	CHECK(p.items[2].exported);
	code_parts_free(&p);
}

static void test_external(void)
{
	struct code_parts p = parts_of(
		"int x;\nconst int size = 1;\nstatic int y;\ntypedef int z;\n"
		"#define LIMIT 1\nint f(int);\nint f(int a) { return a; }\n"
		"struct Point {\n\tint x;\n};\n");

	REQUIRE_U64(p.count, 9);
	for (size_t i = 0; i < p.count; i++)
		CHECK_INT(p.items[i].external, i < 2 || i == 7);
	code_parts_free(&p);
}

/* Whose members they are, also if the name follows them. */
static void test_owners(void)
{
	const uint32_t grid = code_word_hash("Grid", 4), point = code_word_hash("Point", 5);
	struct code_parts p = parts_of("typedef struct {\n\tint x;\n\tint y;\n} Grid;\nint size;\n"
				       "struct Point {\n\tint x;\n} g;\n");

	REQUIRE_U64(p.count, 8);
	CHECK(p.items[1].owner == grid && p.items[2].owner == grid && p.items[3].name == grid);
	CHECK(!p.items[3].owner && !p.items[4].owner);
	CHECK(p.items[6].owner == point && !p.items[7].owner);
	code_parts_free(&p);
}

static void test_equal(void)
{
	CHECK_U64(common_parts("int f(int a) { return a; }",
			       "/* new */\n\nint f(int a)\n{\n\treturn a; // a\n}\n"),
		  1);
	CHECK_U64(common_parts("int f(int a) { return a; }", "int f(int a) { return a + 1; }"), 0);
	CHECK_U64(common_parts("int f() { g(\"a  b\"); }", "int f() { g(\"a b\"); }"), 0);
	CHECK_U64(common_parts("#define N 4 /* old\n{ */ + 1\nint f() {}",
			       "#define N 4 + 1 // new\nint f() {}"),
		  2);
	CHECK_U64(common_parts("#define N 4", "#define N 5"), 0);
	CHECK_U64(common_parts("int f() { ab; }", "int f() { a b; }"), 0);
	CHECK_U64(common_parts("int f() { x; } int g() { y; }", "int g() { y; } int f() { x; }"),
		  2);
}

/* What `word` means, each time: "local", "member", "tag", "parameter" of a macro, or "seen". */
static void check_word(const char *text, const char *word, const char *expected)
{
	struct code_parts p = parts_of(text);
	const uint32_t hash = code_word_hash(word, strlen(word));
	char found[200] = "";

	for (size_t i = 0; i < p.nwords; i++) {
		const struct code_word *w = &p.words[i];
		size_t len = strlen(found);
		if (w->hash == hash)
			snprintf(found + len, sizeof found - len, "%s%s", len ? " " : "",
				 w->member      ? "member"
				 : w->tag       ? "tag"
				 : w->parameter ? "parameter"
				 : w->local     ? "local"
						: "seen");
	}
	CHECK_STR(found, expected);
	code_parts_free(&p);
}

static void test_locals(void)
{
	check_word("int f(int x) { return x; }", "x", "local local");
	check_word("int f(T *p, const T &x) { return x; }", "x", "local local");
	check_word("int f(char *const x) { return *x; }", "x", "local local");
	check_word("int f(struct x *p) { struct x *x = p; }", "x", "tag tag local");
	check_word("int f() { unsigned g = 1, *x; return *x; }", "x", "local local");
	check_word("int f() { T g[2], **x; return x; }", "x", "local local");
	check_word("int f() { T g = h(1, x), size; }", "x", "seen");
	check_word("int f() { T g = h(1, x), size; }", "size", "local");
	check_word("int f() { T g = h(1, x); size, x; }", "size", "seen");
	check_word("int f() { T g; h(1, x, size); }", "size", "seen");
	check_word("int f() { for (T &x : g) {} catch (T &next) {} }", "x", "local");
	check_word("int f() { for (T &x : g) {} catch (T &next) {} }", "next", "local");
	check_word("int f() { for (T *x = g; x; x++) h(); }", "x", "local local local");
	check_word("int f() { if (T *x = g) h(x); }", "x", "local local");
	check_word("int f() { { T x; } return x; }", "x", "local local");
	check_word("int f() { g(); T *x; }", "x", "local");
	check_word("int f() { g = { 1 }; T *x; }", "x", "local");
	check_word("int f() { if (g) { T *x; } }", "x", "local");
	check_word("int f() { { { T *x; } } }", "x", "local");
	check_word("int f() { { g(); } T *x; }", "x", "local");
	check_word("int f() { if (g) h(); T *x; }", "x", "local");
	check_word("int f() { if (g([]() { h(); T *x; })) h(); }", "x", "local");
	check_word("void Grid::f(T *x) { return x; }", "x", "local local");
	check_word("int f() { T x, g, h, size, next, value, LIMIT; LIMIT = x; }", "LIMIT",
		   "local local");
	check_word("int f() { T x, g, h, size, next, value, LIMIT; LIMIT = x; }", "x",
		   "local local");
	check_word("fn f() { let mut x = 1; let g: T = x; }", "x", "local local");
	check_word("fn f() { let g: T = x; }", "g", "local");
	check_word("int f() { return p->x + p.x; }", "x", "member member");
	check_word("#define f(x) g(x, size)\n", "x", "parameter parameter");
	check_word("#define f(x) g(x, size)\n", "size", "seen");
}

/* What is used, though it may look as if it were declared. */
static void test_no_locals(void)
{
	check_word("int f(int a) { return x; }", "x", "seen");
	check_word("int f(int a) { sizeof x; goto x; a 0 x; a 9 x; a \"\" x; }", "x",
		   "seen seen seen seen seen");
	check_word("int f(int a) { g = h * x, 1; }", "x", "seen");
	check_word("int f() { struct { x g; } h; return x; }", "x", "seen seen");
	check_word("int f(int a) { if (a & x) while (a * x == 1) h(); }", "x", "seen seen");
	check_word("int f(int a) { for (; a * x; a & x) h(); }", "x", "seen seen");
	check_word("int f(int a) { if (a) return g(h * x); }", "x", "seen");
	check_word("int f() { T x[] = { size * next, { g * LIMIT, 1 } }; }", "next", "seen");
	check_word("int f() { T x[] = { { g * LIMIT, 1 }, { g & LIMIT, 1 } }; }", "LIMIT",
		   "seen seen");
	check_word("int f() { extern int x; return x; }", "x", "seen seen");
	check_word("int f() { extern int g; int x; return x; }", "x", "local local");
	check_word("static int size = (g * x);", "x", "seen");
	check_word("static int size = p->x;", "x", "member");
	check_word("void x::f() { g(); }\nconst x::T h() {}", "x", "seen seen");
	check_word("Grid::Grid(int n) : size(n * x), next{n * x} { g(p->LIMIT); }", "x",
		   "seen seen");
	check_word("Grid::Grid(int n) : size{n}, next(n * x) {}", "x", "seen");
	check_word("int f() { co_return x; }", "x", "seen");
	check_word("auto f() -> x { return g; }", "x", "seen");
	check_word("fn f(a: &'a x, b: &'a mut x, c: &mut x, d: *const x, e: &dyn x) -> x {}", "x",
		   "seen seen seen seen seen seen");
	check_word("fn f() { g(&raw const x); g(&mut x); g(1..x); g(0 ..= x) }", "x",
		   "seen seen seen seen");
}

static void check_include(const char *text, const char *name, bool beside)
{
	struct code_parts p = parts_of(text);

	REQUIRE_INT(p.nincludes, 1);
	CHECK_U64(p.includes[0].name, code_word_hash(name, strlen(name)));
	CHECK_INT(p.includes[0].beside, beside);
	code_parts_free(&p);
}

static void test_includes(void)
{
	check_include("#include \"a.h\"\n", "a.h", true);
	check_include("#include \"./in/a.h\"\n", "in/a.h", true);
	check_include("#include \"../a.h\"\n", "a.h", false);
	check_include("#include \"../../in/a.h\"\n", "in/a.h", false);
	check_include("#include \"a\"\n", "a", true);
	check_include("#include <in/a.h>\n", "in/a.h", false);
	check_include("#import \"a.h\"\n", "a.h", true);
	check_include("#include NAME\n", "", false);
}

static void test_part_at(void)
{
	struct code_parts p = parts_of("int a;\n\nint b()\n{\n}\n\nint c;\nint d() {}\nint e;\n");
	static const uint32_t part_of_line[] = { 0, 0, 0, 2, 2, 2, 0, 0, 4, 0, 0 }; /* 0: none */

	struct code_parts first = parts_of("int b() {}\n");

	CHECK(code_part_at(&first, 1) == first.items && !code_part_at(&first, 2));
	code_parts_free(&first);
	REQUIRE_INT(p.count, 5);
	for (uint32_t line = 0; line < sizeof part_of_line / sizeof *part_of_line; line++) {
		const struct code_part *at = code_part_at(&p, line);
		CHECK_U64(at ? (uint64_t)(at - p.items) + 1 : 0, part_of_line[line]);
	}
	code_parts_free(&p);
}

/* Whatever is missing. */
static void test_incomplete(void)
{
	check("int f(", "d1-1 f");
	check("int f() {\n{", "f1-2 f");
	check("} } int f() {}", "f1-1 f");
	check(") int f(int x) { return 1; }\nint g;\n", "f1-1 f, d2-2 g");
	check("> int f(int x) { return 1; }\nint g;\n", "f1-1 f, d2-2 g");
	check("/* \n", "");
	check("\"abc", "d1-1 ?");
	check("#else\n#endif\nint f() {}", "f3-3 f");
}

/* Each word is found in the text again, also in a directive of several lines. */
static void test_places_of_words(void)
{
	static const char text[] = "int table; /* x */\n#define LIMIT(x) \\\n\t(size * x)\n"
				   "int f(void)\n{\n\treturn LIMIT(3);\n}\n";
	static const char *const expected[] = { "int", "table", "LIMIT", "x",      "size",  "x",
						"int", "f",     "void",  "return", "LIMIT", "3" };
	struct code_parts p = parts_of(text);

	REQUIRE_INT(p.nwords, sizeof expected / sizeof *expected);
	for (size_t i = 0; i < p.nwords; i++) {
		const size_t len = strlen(expected[i]);
		CHECK_INT(code_word_length(&p.words[i], text, strlen(text)), len);
		CHECK(strncmp(text + p.words[i].at, expected[i], len) == 0);
	}
	CHECK_INT(code_word_length(&p.words[0], text, 0), 0);
	code_parts_free(&p);
}

TEST_MAIN("code_parts", { "names of functions", test_names_of_functions },
	  { "functions and declarations of C", test_c }, { "directives", test_preprocessor },
	  { "calls of macros", test_macro_calls }, { "enumerators", test_enumerators },
	  { "look-alikes", test_look_alikes }, { "C++", test_cxx }, { "Rust", test_rust },
	  { "exported", test_exported }, { "external", test_external }, { "owners", test_owners },
	  { "equal parts", test_equal }, { "locals", test_locals }, { "no locals", test_no_locals },
	  { "places of words", test_places_of_words }, { "includes", test_includes },
	  { "the function of a line", test_part_at }, { "incomplete texts", test_incomplete })
