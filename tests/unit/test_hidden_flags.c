#include "src/load/hidden_flags.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/harness.h"

/* What is said of a directory with this makefile. */
static void said_of(const char *name, const char *text, const char *wanted)
{
	char dir[] = "/tmp/irdiff-flags.XXXXXX", path[100];

	REQUIRE(mkdtemp(dir) != NULL);
	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *to = fopen(path, "w");
	REQUIRE(to != NULL);
	fputs(text, to);
	fclose(to);
	char *said = hidden_flags_find(dir);
	CHECK_STR(said, wanted);
	free(said);
	unlink(path);
	rmdir(dir);
}

static void test_hides(void)
{
	said_of("Makefile", "CFLAGS = -O2\n", "Makefile:1 sets CFLAGS without -g");
	said_of("GNUmakefile", "CC = cc\n\nCFLAGS:=-O2 -Wall -fno-gcse",
		"GNUmakefile:3 sets CFLAGS without -g");
	said_of("makefile", "CXXFLAGS ::= \n", "makefile:1 sets CXXFLAGS without -g");
	said_of("Makefile", "CFLAGS = -g\nCFLAGS = -O2\n", "Makefile:2 sets CFLAGS without -g");
}

static void test_hides_nothing(void)
{
	static const char *const texts[] = {
		"",
		"CFLAGS",
		"CFLAGS ?= -O2\n",
		"CFLAGS += -O2\n",
		"CFLAGS = -O2 -g\n",
		"CFLAGS =-ggdb3\n",
		"CFLAGS = -O2\nCFLAGS += -g\n",
		"CFLAGS = $(OPTIMIZE)\n",
		"CFLAGS = -O2 \\\n\t-g\n",
		"MY_CFLAGS = -O2\n",
		"CFLAGS_FAST = -O3\n",
		"\tCFLAGS = -O2\n",
		"#CFLAGS = -O2\n",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		said_of("Makefile", texts[i], "");
	said_of("other", "CFLAGS = -O2\n", "");
}

TEST_MAIN("hidden_flags", { "a makefile that leaves out -g", test_hides },
	  { "others", test_hides_nothing })
