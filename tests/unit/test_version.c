#include "tests/unit/harness.h"

#include "cgprofile/api.h"

static void test_one_version(void)
{
	char numbers[32];

	snprintf(numbers, sizeof numbers, "%d.%d.%d", CG_VERSION_MAJOR, CG_VERSION_MINOR,
		 CG_VERSION_PATCH);
	CHECK_STR(numbers, PACKAGE_VERSION);
	CHECK_STR(CG_VERSION, PACKAGE_VERSION);
	CHECK_STR(cg_version(), PACKAGE_VERSION);
}

TEST_MAIN("version", { "the library has the version of the package", test_one_version })
