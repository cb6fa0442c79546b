#include "tests/unit/surveys.h"

static void test_python(void)
{
	struct survey s = SURVEY(
		{ "pyproject.toml", "[build-system]\n[project]\nname = 'x'\n"
				    "[project.optional-dependencies]\ndev = ['y']\ntest = [\n]\n" },
		{ "bench/test_parse.py", "def test_parse(data, benchmark):\n  pass\n" },
		{ "bench/speed_bench.py", "if __name__ == '__main__':\n  main()\n" },
		{ "tests/test_benchmarks_of.py", "def test_x(benchmarks): pass\n" });

	CHECK_INT(s.kind, PROJECT_PYTHON);
	REQUIRE_U64(s.count, 2);
	has_words(&s, 0, ".venv/bin/python bench/speed_bench.py");
	has_words(&s, 1,
		  ".venv/bin/python -m pytest -q -p no:cacheprovider --codspeed "
		  "bench/test_parse.py");
	is_built_by(&s, "{ test -x .venv/bin/python || python3 -m venv .venv; } && "
			".venv/bin/python -m pip install --quiet -e '.[test]' pytest "
			"pytest-benchmark pytest-codspeed");

	s = SURVEY({ "setup.py", "" }, { "requirements-dev.txt", "pytest-codspeed==3\n" },
		   { "tests/test_a.py", "@pytest.mark.benchmark\ndef test_a(): pass\n" });
	REQUIRE_U64(s.count, 1);
	CHECK_INT(s.benches[0].harness, HARNESS_PYTEST_CODSPEED);

	s = SURVEY({ "setup.py", "" },
		   { "bench_call.py", "import x\n\ndef f(n):\n  x.g(n)\n\nx.f(3)\n" },
		   { "bench_loop.py", "import x\nfor i in range(3):\n  x.f(i)\n" },
		   { "bench_shared.py",
		     "import x\n\n@x.d(3)\ndef f(n):\n  x.g(n)\nclass C(x.D):\n  pass\n" });
	REQUIRE_U64(s.count, 2);
	has_words(&s, 0, ".venv/bin/python bench_call.py");
	has_words(&s, 1, ".venv/bin/python bench_loop.py");

	s = SURVEY({ "setup.py", "" }, { "tests/test_a.py", "def test_a(): pass\n" });
	CHECK(s.tests);
	has_words(&s, 0, ".venv/bin/python -m pytest -q -p no:cacheprovider tests/test_a.py");
}

static void test_plain_python(void)
{
	static const char script[] = "import words\nprint(words.count('a b'))\n";
	struct survey s = SURVEY({ "bench_words.py", script },
				 { "words.py", "def count(t): pass\n" },
				 { "bench_shared.py", "def f():\n  pass\n" },
				 { "test_words.py", "def test_a(): pass\n" });

	CHECK_INT(s.kind, PROJECT_PYTHON);
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, "python3 bench_words.py");
	is_built_by(&s, "");

	s = SURVEY({ "bench_words.py", script }, { "requirements.txt", "x\n" });
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, ".venv/bin/python bench_words.py");
	is_built_by(&s, "{ test -x .venv/bin/python || python3 -m venv .venv; } && "
			".venv/bin/python -m pip install --quiet -r requirements.txt");

	s = SURVEY({ "tests/test_a.py", "def test_a(benchmark): pass\n" });
	REQUIRE_U64(s.count, 1);
	CHECK_INT(s.benches[0].harness, HARNESS_PYTEST_BENCHMARK);
}

/* Scripts of projects in other languages, or with another build, are no benchmarks. */
static void test_other_python(void)
{
	static const char script[] = "import words\nprint(words.count('a b'))\n";
	struct survey s = SURVEY({ "bench/plot.py", script }, { "words.zig", "" },
				 { "main.zig", "" });

	CHECK_INT(s.kind, PROJECT_UNKNOWN);
	CHECK_U64(s.count, 0);
	s = SURVEY({ "bench_words.py", script }, { "Makefile", "all:\n" });
	CHECK_INT(s.kind, PROJECT_MAKE);
	CHECK_U64(s.count, 0);
	s = SURVEY({ "bench_words.py", script }, { "lib/CMakeLists.txt", "" });
	CHECK_U64(s.count, 0);
	CHECK_STR(s.below, "lib/");
	s = SURVEY({ "test_words.py", "def test_a(): pass\n" });
	CHECK_INT(s.kind, PROJECT_UNKNOWN);
	CHECK_U64(s.count, 0);
}

TEST_MAIN("init, python", { "a project with Python", test_python },
	  { "Python without a build system", test_plain_python },
	  { "Python of other projects", test_other_python })
