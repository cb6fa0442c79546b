/* Directories of gungraun, made of sections: runs stand beside the base that belongs to them, or alone. */
#include <sys/stat.h>

#include "src/store/results.h"
#include "tests/fuzz/sections.h"

static bool is_regular(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* "callgrind.NAME.out" of a pair, of which one may be missing. */
static size_t check_pair(const char *base, const char *last, const char *suffix)
{
	size_t len = *last ? strlen(last) : strlen(base) - strlen(suffix);
	const char *path = *last ? last : base, *name = strrchr(path, '/') + 1;

	LAW(*last || *base, "a pair of nothing");
	LAW(strncmp(path, scratch(), strlen(scratch())) == 0 && is_regular(path), "%s is a run", path);
	LAW(strncmp(name, "callgrind.", 10) == 0 && memcmp(path + len - 4, ".out", 4) == 0, "%s is a run", name);
	if (*base)
		LAW(strncmp(base, path, len) == 0 && strcmp(base + len, suffix) == 0 && is_regular(base),
		    "%s is compared with %s", path, base);
	return *last != '\0';
}

static size_t check(const char *baseline, const char *suffix)
{
	struct path_list base = { 0 }, last = { 0 };
	struct cg_error err = { 0 };
	size_t runs = 0;
	int status = results_list(scratch(), baseline, &base, &last, &err);

	check_error(status, &err);
	LAW(!status && base.count == last.count, "%zu files, %zu to compare them with", last.count,
	    base.count);
	for (size_t i = 0; i < last.count; i++) {
		runs += check_pair(base.paths[i], last.paths[i], suffix);
		LAW(!i || !*last.paths[i - 1] || !*last.paths[i] || strcmp(last.paths[i - 1], last.paths[i]) < 0,
		    "runs are sorted");
	}
	path_list_free(&base);
	path_list_free(&last);
	return runs;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	scratch_unpack(data, size);
	size_t runs = check(NULL, ".old");
	LAW(check("main", ".base@main") == runs, "a baseline makes no runs");
	LAW(results_are_in(scratch()) || !runs, "there are %zu runs", runs);
	return 0;
}
