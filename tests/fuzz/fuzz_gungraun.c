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

static void check_run(const char *last)
{
	const char *name = strrchr(last, '/') + 1;

	LAW(strncmp(last, scratch(), strlen(scratch())) == 0 && is_regular(last), "%s is a run",
	    last);
	LAW(strncmp(name, "callgrind.", 10) == 0 && ends_with(name, ".out"), "%s is a run", name);
}

/* A run and its base, of which one may be missing. */
static void check_pair(const char *base, const char *last, const char *suffix)
{
	LAW(*base || *last, "nothing is compared with nothing");
	LAW(!*base || (is_regular(base) && ends_with(base, suffix)), "%s is no base", base);
	if (*last)
		check_run(last);
	LAW(!*base || !*last ||
		    (strncmp(base, last, strlen(last)) == 0 &&
		     strcmp(base + strlen(last), suffix) == 0),
	    "%s is compared with %s", last, base);
}

struct found {
	size_t runs, pairs;
};

static struct found check(const char *baseline, const char *suffix)
{
	struct path_list base = { 0 }, last = { 0 };
	struct cg_error err = { 0 };
	struct found found = { 0 };
	int status = results_list(scratch(), baseline, &base, &last, &err);

	check_error(status, &err);
	LAW(!status && base.count == last.count, "%zu files, %zu to compare them with", last.count,
	    base.count);
	for (size_t i = 0; i < last.count; i++) {
		check_pair(base.paths[i], last.paths[i], suffix);
		found.runs += *last.paths[i] != '\0';
		found.pairs++;
	}
	path_list_free(&base);
	path_list_free(&last);
	return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	scratch_unpack(data, size);
	struct found found = check(NULL, ".old");
	LAW(check("main", ".base@main").runs == found.runs, "a baseline makes no runs");
	LAW(results_are_in(scratch()) == (found.pairs > 0), "there are %zu runs", found.pairs);
	return 0;
}
