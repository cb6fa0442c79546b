#include "src/commits/cargo_target.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/files.h"
#include "tests/unit/harness.h"

#define REGISTRY "/home/x/.cargo/registry/src/index.crates.io-1/"
#define A "0123456789abcdef"
#define B "1123456789abcdef"
#define C "2123456789abcdef"
#define D "3123456789abcdef"

static char root[] = "/tmp/irdiff-target-XXXXXX";
static const char *const places[] = { "/irdiff-run/w", "/var/tmp/irdiff-0/00", NULL };

static void put(const char *name, const char *text)
{
	char path[400], *slash;

	snprintf(path, sizeof path, "%s/%s", root, name);
	slash = strrchr(path, '/');
	*slash = '\0';
	REQUIRE(make_directories(path, NULL) == CG_OK);
	*slash = '/';
	FILE *to = fopen(path, "w");
	REQUIRE(to != NULL);
	fputs(text, to);
	fclose(to);
}

static bool there(const char *name)
{
	char path[400];
	struct stat st;

	snprintf(path, sizeof path, "%s/%s", root, name);
	return lstat(path, &st) == 0;
}

/* The list of sources of a crate, and what Cargo makes beside it. */
static void put_crate(const char *unit, const char *sources)
{
	char name[200], text[2000];

	snprintf(name, sizeof name, "release/deps/%s.d", unit);
	snprintf(text, sizeof text, "/irdiff-run/w/target/release/deps/%s.d: %s\n\n%s:\n", unit,
		 sources, sources);
	put(name, text);
	snprintf(name, sizeof name, "release/deps/lib%s.rlib", unit);
	put(name, "code");
	snprintf(name, sizeof name, "release/.fingerprint/%s/lib", unit);
	put(name, "1");
}

static bool has_crate(const char *unit)
{
	char list[200], code[200], print[200];

	snprintf(list, sizeof list, "release/deps/%s.d", unit);
	snprintf(code, sizeof code, "release/deps/lib%s.rlib", unit);
	snprintf(print, sizeof print, "release/.fingerprint/%s", unit);
	CHECK(there(list) == there(code) && there(code) == there(print));
	return there(code);
}

static bool sieve(void)
{
	struct cg_error err;
	bool left = false;

	REQUIRE(cargo_target_sieve(root, places, "target", &left, &err) == CG_OK);
	return left;
}

static bool keeps(const char *sources)
{
	put_crate("x-" A, sources);
	bool left = sieve();
	CHECK(left == has_crate("x-" A));
	return left;
}

static void test_which_crates(void)
{
	CHECK(keeps(REGISTRY "x-1.0.0/src/lib.rs"));
	CHECK(keeps("/home/x/.cargo/git/checkouts/x-1/2/src/lib.rs"));
	CHECK(keeps("/home/a\\ b/.cargo/registry/src/i/x/src/lib.rs"));
	CHECK(keeps(REGISTRY "x/src/lib.rs /irdiff-run/w/target/release/build/x-" B
			     "/out/made.rs"));
	CHECK(keeps(REGISTRY "x/lib.rs /var/tmp/irdiff-0/00/target/release/build/x-" B
			     "/out/m.rs"));

	CHECK(keeps(REGISTRY "x/src/lib.rs " REGISTRY "x/src/../README.md"));

	CHECK(!keeps("src/lib.rs"));
	CHECK(!keeps("/irdiff-run/w/src/lib.rs"));
	CHECK(!keeps("/irdiff-run/w/vendor/registry/src/x/lib.rs"));
	CHECK(!keeps("/var/tmp/irdiff-0/00/git/checkouts/x/lib.rs"));
	CHECK(!keeps(REGISTRY "x/src/lib.rs src/words.txt"));
	CHECK(!keeps(REGISTRY "x/src/lib.rs /irdiff-run/w/words"));
	CHECK(!keeps(REGISTRY "x/src/lib.rs /irdiff-run/w/targets/words"));
	CHECK(!keeps(REGISTRY "../../../../x/src/lib.rs"));
	CHECK(!keeps("/home/x/.cargo/registry/src/../../../../../irdiff-run/w/x/lib.rs"));
	CHECK(!keeps(REGISTRY "x/src/lib.rs /etc/words"));
	CHECK(!keeps("/home/a\\ b/src/lib.rs"));
	CHECK(!keeps("/irdiff-run/w/target/release/build/x-" B "/out/made.rs"));
	CHECK(!keeps(""));
}

/* Of two packages, one of the project. */
static void test_what_else(void)
{
	static const char *const gone[] = {
		"release/app",
		"release/app.d",
		"release/libapp.rlib",
		"release/examples/app",
		"release/incremental/app-1/x",
		"release/deps/app-" B,
		"release/deps/app-" A, /* not a crate of its digits */
		"release/deps/libapp-" B ".rlib",
		"release/deps/libplain.so",
		"release/deps/x-" A "/y",
		"release/.fingerprint/app-" B "/bin-app",
		"release/.fingerprint/short-12/x",
		"irdiff/app",
		"criterion/report/index.html",
		"release.d",
		".rustc_info.json",
	};

	put_crate("dep-" A, REGISTRY "dep/src/lib.rs");
	for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
		put(gone[i], "");
	put("x86_64-unknown-linux-gnu/release/.fingerprint/app-" B "/x", "");
	put("x86_64-unknown-linux-gnu/release/app", "");
	char link[400];
	snprintf(link, sizeof link, "%s/release/deps/libdep-" A ".so", root);
	REQUIRE(symlink("/etc/passwd", link) == 0);
	CHECK(sieve());
	CHECK(has_crate("dep-" A));
	for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
		CHECK_STR(there(gone[i]) ? gone[i] : "", "");
	CHECK(!there("irdiff") && !there("criterion"));
	CHECK(!there("x86_64-unknown-linux-gnu/release/app"));
	CHECK(!there("release/deps/libdep-" A ".so"));
	CHECK(access("/etc/passwd", F_OK) == 0);
}

static void put_script(const char *package, const char *compiled, const char *run,
		       const char *source, const char *output)
{
	char name[200], text[1000];

	snprintf(name, sizeof name, "release/build/%s-%s/build_script_build-%s.d", package,
		 compiled, compiled);
	snprintf(text, sizeof text, "/irdiff-run/w/target/x.d: %s\n", source);
	put(name, text);
	snprintf(name, sizeof name, "release/build/%s-%s/output", package, run);
	put(name, output);
	snprintf(name, sizeof name, "release/.fingerprint/%s-%s/run", package, run);
	put(name, "");
}

static void test_scripts(void)
{
	static const char out[] =
		"cargo:rustc-link-search=native=/irdiff-run/w/target/release/build/x/out\n";
	static const char of_project[] = "cargo:rerun-if-changed=/irdiff-run/w/config.txt\n";

	put_script("dep", A, B, REGISTRY "dep/build.rs", out);
	CHECK(sieve());
	CHECK(there("release/build/dep-" A) && there("release/build/dep-" B "/output"));
	CHECK(there("release/.fingerprint/dep-" B));
	put_script("dep", A, B, REGISTRY "dep/build.rs", of_project);
	CHECK(sieve());
	CHECK(there("release/build/dep-" A) && !there("release/build/dep-" B));
	CHECK(!there("release/.fingerprint/dep-" B));
	put_script("app", C, D, "build.rs", "");
	sieve();
	CHECK(!there("release/build/app-" C) && !there("release/build/app-" D));

	/* The project has a package of the same name. */
	put_script("dep", A, B, REGISTRY "dep/build.rs", "");
	put_script("dep", C, D, "build.rs", "");
	CHECK(sieve());
	CHECK(there("release/build/dep-" A) && !there("release/build/dep-" C));
	CHECK(!there("release/build/dep-" B) && !there("release/build/dep-" D));
}

static void test_is(void)
{
	put("some/.rustc_info.json", "{}");
	put("other/classes/A.class", "");
	char path[400];
	snprintf(path, sizeof path, "%s/release", root);
	REQUIRE(remove_directory(path, NULL) == CG_OK);
	snprintf(path, sizeof path, "%s/some", root);
	CHECK(cargo_target_is(path));
	snprintf(path, sizeof path, "%s/other", root);
	CHECK(!cargo_target_is(path));
	CHECK(!sieve()); /* no profile */
	CHECK(!there("some") && !there("other"));
}

int main(void)
{
	static const struct test tests[] = {
		{ "which crates are dependencies", test_which_crates },
		{ "what else is in the directory", test_what_else },
		{ "build scripts", test_scripts },
		{ "whether it is Cargo's", test_is },
	};
	if (!mkdtemp(root))
		return 1;
	int result = test_main("cargo_target", tests, sizeof tests / sizeof *tests);
	remove_directory(root, NULL);
	return result;
}
