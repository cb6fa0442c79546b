#include "tests/unit/surveys.h"

static void test_meson(void)
{
	struct survey s = SURVEY(
		{ "meson.build", "t = executable('t', 't.c')\ntest('basic', t, args: ['-q'])\n" },
		{ "meson_options.txt", "option('tests', type: 'boolean', value: false)\n"
				       "option('docs', type: 'boolean', value: false)\n" });

	CHECK(s.tests);
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, "./build/t -q");
	is_built_by(&s, "{ test -f build/build.ninja || meson setup build "
			"--buildtype=debugoptimized -Dtests=true; } && meson compile -C build");

	/* What is not a text is not known, and what should fail cannot be measured. */
	s = SURVEY({ "meson.build",
		     "t = executable('t', 't.c')\ntest('a', t, args: [x])\ntest(n, t)\n"
		     "test('b', t, args: ['no'], should_fail: true)\ntest('c', t, args: ['x@0@'])\n"
		     "test('d', executable('test_@0@'.format(u), 'u.c'))\ntest('e', t, args: 'y', "
		     "should_fail: false)\ntest('f', executable(n, 'n.c'))\n" });
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, "./build/t y");
}

static void test_go(void)
{
	struct survey s = SURVEY(
		{ "go.mod", "// a module\nmodule example.com/o/words/v2\n" },
		{ "words_test.go", "package words\n\nfunc BenchmarkCount(b *testing.B) {}\n" },
		{ "in/side/x_test.go", "func BenchmarkX(b *testing.B) {}\n" },
		{ "in/y_test.go", "func TestY(t *testing.T) {} // func BenchmarkY\n" },
		{ "other/go.mod", "module other\n" },
		{ "other/z_test.go", "\nfunc BenchmarkZ(b\n" });

	CHECK_INT(s.kind, PROJECT_GO);
	REQUIRE_U64(s.count, 2);
	has_bench(&s, 0, "words", "./words.test", "words_test.go", 3);
	has_words(&s, 1, "./in-side.test");
	CHECK_STR(s.benches[1].cwd, "in/side");
	is_built_by(&s,
		    "go test -c -o words.test ./ && go test -c -o in/side/in-side.test ./in/side/");
}

static void test_jmh(void)
{
	struct survey s = SURVEY(
		{ "pom.xml", "<project/>" },
		{ "src/main/java/o/Sums.java",
		  "import org.openjdk.jmh.annotations.*;\nclass Sums { @Benchmark void a() {} }\n" },
		{ "src/main/java/o/Other.java", "class Other {}\n" });

	CHECK_INT(s.kind, PROJECT_JAVA);
	REQUIRE_U64(s.count, 1);
	CHECK_INT(s.benches[0].harness, HARNESS_JMH);
	CHECK(harness_kind(HARNESS_JMH)->cannot_run != NULL);
	has_words(
		&s, 0,
		"java -Djmh.blackhole.autoDetect=false -jar target/benchmarks.jar -f 0 -wi 0 -i 1 "
		"-bm ss -bs 2000 Sums");
	is_built_by(&s, "mvn -q -DskipTests package");

	s = SURVEY({ "build.gradle.kts", "" });
	CHECK_INT(s.kind, PROJECT_JAVA);
	CHECK_U64(s.count, 0);
	is_built_by(&s, "gradle -q assemble");
}

/* A build system that has no benchmarks leaves it to the next one. */
static void test_next_kind(void)
{
	struct survey s = SURVEY({ "CMakeLists.txt", "add_executable(test_x x.c)\n" },
				 { "Makefile", "bench: x.o\n" });

	CHECK_INT(s.kind, PROJECT_MAKE);
	CHECK(!s.tests && s.count == 1);
	s = SURVEY({ "CMakeLists.txt", "add_executable(test_x x.c)\n" },
		   { "Makefile", "x: x.o\n" });
	CHECK_INT(s.kind, PROJECT_CMAKE);
	CHECK(s.tests && s.count == 1);
	s = SURVEY({ "meson.build", "" }, { "Makefile", "x: x.o\n" });
	CHECK_INT(s.kind, PROJECT_MESON);
	CHECK_STR(s.marker, "meson.build");
	CHECK(!s.tests && s.count == 0);
}

static void test_none(void)
{
	struct survey s = SURVEY({ "README", "bench" });

	CHECK_INT(s.kind, PROJECT_UNKNOWN);
	CHECK(s.marker == NULL && s.count == 0);
	is_built_by(&s, "");
}

/* More than there is room for. */
static void test_many(void)
{
	enum { PROGRAMS = 256 };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	for (int i = 0; i < 1000; i++)
		fprintf(to, "executable('bench%d')\nsubdir('sub%d')\n", i, i);
	fclose(to);
	struct survey s = SURVEY({ "meson.build", text });
	CHECK_U64(s.count, SURVEY_BENCHES_MAX);
	has_bench(&s, 15, "bench15", "./build/bench15", "meson.build", 31);
	CHECK_U64(s.left_out, PROGRAMS - SURVEY_BENCHES_MAX);
	free(text);
}

TEST_MAIN("init", { "tests of Meson", test_meson }, { "a project with Go", test_go },
	  { "a project with JMH", test_jmh }, { "the next build system", test_next_kind },
	  { "no project", test_none }, { "too many benchmarks", test_many })
