#include <unistd.h>

#include "src/measure/run_result.h"
#include "tests/unit/harness.h"

/* Reads what a run has left if Valgrind has written this. */
static int read_written(const char *text, struct cg_error *err)
{
	char path[] = "/tmp/irdiff-test-XXXXXX";
	int fd = mkstemp(path);
	REQUIRE(fd >= 0);
	FILE *to = fdopen(fd, "w");
	REQUIRE(to != NULL);
	fputs(text, to);
	fclose(to);

	struct run_profile profile = { .path = path };
	const struct run_result result = { .profiles = &profile, .nprofiles = 1 };
	const struct cg_read_options options = { 0 };
	const size_t which[] = { 0 };
	struct cg_profile *p = NULL;
	int status = read_run(&result, which, 1, &options, &p, err);
	if (!status)
		cg_profile_free(p);
	unlink(path);
	return status;
}

#define HEAD "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\nevents: Ir\n\nfn=f\n"

static void test_cut(void)
{
	static const char *const cuts[] = { HEAD "1 5\n", HEAD "1 5\n2 ", HEAD "1 5\ntot",
					    HEAD "1 5\ncalls=1 1\n", "" };

	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
		struct cg_error err = { 0 };
		CHECK_INT(read_written(cuts[i], &err), CG_EFULL);
		CHECK_INT(err.code, CG_EFULL);
		CHECK(strstr(err.message, "(disk full?)") != NULL);
	}
}

/* A file that ends as it should is malformed for another reason, whatever the words of it. */
static void test_malformed(void)
{
	struct cg_error err = { 0 };

	CHECK_INT(read_written(HEAD "1 5\ntotals: 5\n", &err), CG_OK);
	CHECK_INT(read_written(HEAD "is truncated\n\ntotals: 5\n", &err), CG_ESYNTAX);
	CHECK(strstr(err.message, "disk") == NULL);
}

TEST_MAIN("what a run has left", { "a file that is cut", test_cut },
	  { "a file that is malformed", test_malformed })
