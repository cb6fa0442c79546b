#include "tests/unit/surveys.h"

static void test_cargo(void)
{
	struct survey s = SURVEY(
		{ "Cargo.toml", "[package]\nname = \"p\"\n[[bench]]\n  name='a'\n"
				"name = \"b c\"\n[[bin]]\nname = \"d\"\n[[bench]]\nname = \"a\"\n"
				"names = \"e\"\nname \"f\"\nname = \"g\n" });

	CHECK_INT(s.kind, PROJECT_CARGO);
	REQUIRE_U64(s.count, 1);
	has_bench(&s, 0, "a", "./target/irdiff/a", "Cargo.toml", 4);
}

/* Members of a workspace, harnesses by sources, features, and programs that are benchmarks. */
static void test_workspace(void)
{
	struct survey s = SURVEY(
		{ "Cargo.toml",
		  "[workspace]\nmembers = [\n  \"crates/*\",\n]\nexclude = ['crates/no']\n"
		  "[profile.release]\nstrip = true\n" },
		{ "crates/a/Cargo.toml", "[package]\nname = \"pa\"\n[[bench]]\nname = \"x-y\"\n"
					 "harness = false\nrequired-features = [\"f\", 'g']\n" },
		{ "crates/a/benches/x-y.rs", "criterion_main!(b);\n" },
		{ "crates/b/Cargo.toml",
		  "[package]\nname = \"pb\"\n[dev-dependencies]\n"
		  "criterion = { package = \"codspeed-criterion-compat\" }\n" },
		{ "crates/b/benches/z.rs", "#![feature(test)]\n" },
		{ "crates/b/examples/bench_it.rs", "" }, { "crates/b/examples/demo.rs", "" },
		{ "crates/no/Cargo.toml", "[package]\nname = 'no'\n" },
		{ "crates/no/benches/n.rs", "" });

	REQUIRE_U64(s.count, 3);
	has_words(&s, 0, "./target/irdiff/crates/a/x_y");
	CHECK_INT(s.benches[0].harness, HARNESS_CRITERION);
	has_words(&s, 1, "target/codspeed/analysis/pb/z");
	has_words(&s, 2, "./target/release/examples/bench_it");
	char command[BUILD_COMMAND_SIZE];
	build_command(&s, command);
	CHECK(strstr(command,
		     "CARGO_PROFILE_BENCH_STRIP=none cargo bench --no-run -p pa --bench x-y "
		     "--features f,g --message"));
	CHECK(strstr(command,
		     "exit; done && CARGO_PROFILE_BENCH_DEBUG=true cargo codspeed build && "
		     "CARGO_PROFILE_RELEASE_DEBUG=true cargo build --release -p pb "
		     "--example bench_it"));
}

/* irdiff measures the cases of newer versions only. */
static void test_old_criterion(void)
{
	static const char *const named[] = { "criterion = \"0.3\"\n",
					     "criterion = { version = \"0.3.5\" }\n",
					     "[dev-dependencies.criterion]\nversion = \"=0.3.5\"\n",
					     "criterion = \"0.5\"\nother = \"0.3\"\n" };

	for (size_t i = 0; i < 4; i++) {
		char manifest[300];
		snprintf(manifest, sizeof manifest,
			 "[package]\nname = \"p\"\n[[bench]]\nname = \"b\"\nharness = false\n"
			 "[dev-dependencies]\n%s",
			 named[i]);
		struct survey s = SURVEY({ "Cargo.toml", manifest },
					 { "benches/b.rs", "criterion_main!(b);\n" });
		CHECK_INT(s.benches[0].harness, i < 3 ? HARNESS_OLD_CRITERION : HARNESS_CRITERION);
		has_words(&s, 0, i < 3 ? "./target/irdiff/b --bench --test" : "./target/irdiff/b");
	}
}

static void test_cargo_tests(void)
{
	struct survey s = SURVEY({ "Cargo.toml", "[package]\nname = \"p\"\n[[bin]]\nname = \"d\"\n"
						 "[[test]]\nname = \"own\"\nharness = false\n" },
				 { "src/lib.rs", "mod a;\n" },
				 { "src/a.rs", "#[test]\nfn t() {}\n" }, { "tests/it.rs", "" },
				 { "tests/common/mod.rs", "" });

	CHECK(s.tests);
	REQUIRE_U64(s.count, 3);
	has_words(&s, 0, "./target/irdiff/own");
	CHECK_INT(s.benches[0].harness, HARNESS_NONE);
	has_words(&s, 1, "./target/irdiff/it --test-threads=1");
	CHECK_INT(s.benches[1].harness, HARNESS_LIBTEST_TESTS);
	has_words(&s, 2, "./target/irdiff/p --test-threads=1");
	CHECK_INT(s.benches[2].harness, HARNESS_LIBTEST_TESTS);
	char command[BUILD_COMMAND_SIZE];
	CHECK(strstr(
		build_command(&s, command),
		"CARGO_PROFILE_RELEASE_DEBUG=true cargo test --release --no-run --test own --test it --lib "));

	/* A library without tests: its program would do nothing. */
	s = SURVEY({ "Cargo.toml", "[package]\nname = \"p\"\n" }, { "src/lib.rs", "fn f() {}\n" },
		   { "tests/it.rs", "" });
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, "./target/irdiff/it --test-threads=1");
}

TEST_MAIN("init, cargo", { "a project with Cargo", test_cargo },
	  { "a workspace of Cargo", test_workspace }, { "an old criterion", test_old_criterion },
	  { "tests of Cargo", test_cargo_tests })
