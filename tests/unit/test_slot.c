#include "src/run/slot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/harness.h"

/* Made anew with other rights by a program that outlived irdiff, or by somebody with ill intent. */
static void test_home_of_slots(void)
{
	char dir[] = "/tmp/test_slot-XXXXXX", *home;
	struct slot slot;
	struct stat st;
	struct cg_error err;

	REQUIRE(mkdtemp(dir) != NULL);
	REQUIRE(asprintf(&home, "%s/irdiff-%010u", dir, (unsigned)geteuid()) > 0 &&
		!mkdir(home, 0755));
	REQUIRE_INT(slot_take(dir, &slot, &err), CG_OK);
	REQUIRE(!stat(home, &st));
	CHECK_INT(st.st_mode & 07777, 0700);
	slot_drop(&slot);
	CHECK(access(home, F_OK) < 0);

	REQUIRE(!mkdir(home, 0700) && !chmod(home, 0777));
	CHECK_INT(slot_take(dir, &slot, &err), CG_EIO);
	CHECK(strstr(err.message, "writable by others") != NULL);
	REQUIRE(!rmdir(home) && !symlink("/", home));
	CHECK_INT(slot_take(dir, &slot, &err), CG_EIO);
	CHECK(!unlink(home) && !rmdir(dir));
	free(home);
}

TEST_MAIN("slot", { "the directory of slots", test_home_of_slots })
