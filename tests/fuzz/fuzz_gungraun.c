/* Directories of gungraun, made of sections: each last run has the base that belongs to it. */
#include <sys/stat.h>

#include "src/store/results.h"
#include "tests/fuzz/sections.h"

static bool is_regular(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), most = strlen(end);
	return len >= most && strcmp(text + len - most, end) == 0;
}

static void check_pair(const char *base, const char *last, const char *suffix)
{
	const char *name = strrchr(last, '/') + 1;

	LAW(strncmp(last, scratch(), strlen(scratch())) == 0 && is_regular(last), "%s is a run", last);
	LAW(strncmp(name, "callgrind.", 10) == 0 && ends_with(name, ".out"), "%s is a run", name);
	LAW(strncmp(base, last, strlen(last)) == 0 && strcmp(base + strlen(last), suffix) == 0,
	    "%s is compared with %s", last, base);
}

static size_t check(const char *baseline, const char *suffix)
{
	struct path_list base = { 0 }, last = { 0 };
	struct cg_error err = { 0 };
	size_t alone = 0;
	int status = results_list(scratch(), baseline, &base, &last, &alone, &err);

	check_error(status, &err);
	LAW(!status && base.count == last.count, "%zu files, %zu to compare them with", last.count,
	    base.count);
	for (size_t i = 0; i < last.count; i++) {
		check_pair(base.paths[i], last.paths[i], suffix);
		LAW(!i || strcmp(last.paths[i - 1], last.paths[i]) < 0, "runs are sorted");
	}
	alone += last.count;
	path_list_free(&base);
	path_list_free(&last);
	return alone;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	scratch_unpack(data, size);
	size_t runs = check(NULL, ".old");
	LAW(check("main", ".base@main") == runs, "a baseline makes no runs");
	LAW(results_are_in(scratch()) == (runs > 0), "there are %zu runs", runs);
	return 0;
}
