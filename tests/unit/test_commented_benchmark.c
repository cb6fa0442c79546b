#include "tests/unit/harness.h"

#include <unistd.h>

#include "src/config/commented_benchmark.h"

static uint64_t line_of(const char *text, const char *name)
{
	return config_commented_benchmark_in(text, strlen(text), name);
}

static void test_found(void)
{
	const char *text = "build: make\n"
			   "benchmarks:\n"
			   "  parse:\n"
			   "    command: ./a\n"
			   "  #\"with space\":\n"
			   "    #command: ./b\n"
			   "  # quick : no\n"
			   "  #  quick:\n"
			   "  #    command: [./c]\r\n"
			   "#one: {command: ./d}\n"
			   "  ##'twice':\n"
			   "  ## command: ./e";

	CHECK(line_of(text, "with space") == 5);
	CHECK(line_of(text, "quick") == 8);
	CHECK(line_of(text, "one") == 10);
	CHECK(line_of(text, "twice") == 11);
}

static void test_not_found(void)
{
	const char *text = "benchmarks:\n"
			   "  parse:\n"
			   "    command: ./a\n"
			   "    #root: main\n"
			   "    # command: it runs\n"
			   "  # scan: is not there\n"
			   "  #limits: {Ir: 1}\n"
			   "  #\"open:\n"
			   "    #command: ./b\n"
			   "  #last:";

	CHECK(line_of(text, "parse") == 0); /* it is no comment */
	CHECK(line_of(text, "scan") == 0);
	CHECK(line_of(text, "limits") == 0);
	CHECK(line_of(text, "open") == 0);
	CHECK(line_of(text, "last") == 0); /* without a command */
	CHECK(line_of(text, "las") == 0);
	CHECK(line_of(text, "command: it runs") == 0);
	CHECK(line_of("", "x") == 0);
	CHECK(line_of("#", "x") == 0);
	CHECK(line_of("#\"", "") == 0);
	CHECK(config_commented_benchmark_in("#a:\n#command: x", 3, "a") ==
	      0); /* the text ends before it */
	CHECK(config_commented_benchmark_in("#\0a:\n", 5, "a") == 0);
}

static void test_file(void)
{
	char path[] = "/tmp/test_commented_benchmark.XXXXXX";
	int fd = mkstemp(path);
	const char text[] = "# a\n#b:\n#command: c\n";

	CHECK(fd >= 0 && write(fd, text, sizeof text - 1) == sizeof text - 1);
	CHECK(config_commented_benchmark(path, "b") == 2);
	CHECK(close(fd) == 0 && unlink(path) == 0);
	CHECK(config_commented_benchmark(path, "b") == 0);
}

TEST_MAIN("commented benchmark", { "found", test_found }, { "not found", test_not_found },
	  { "a file", test_file })
