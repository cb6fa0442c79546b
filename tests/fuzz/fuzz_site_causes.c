/*
 * causes.json of a site, which may be damaged: a step has the report that is there, with the cause
 * that the file has for it or none, and what is written of it is read as the same.
 */
#include "src/site/site_diffs.h"
#include "src/store/files.h"
#include "tests/fuzz/sections.h"

#define CAUSES "bench/id/causes.json"
/* What site_diffs calls the report on the step below. */
#define PAGE "diff-82da71e543b28c4770be.html"

static struct series_point points[] = {
	{ .commit = "1111111111111111111111111111111111111111", .subject = "", .count = 1000 },
	{ .commit = "2222222222222222222222222222222222222222",
	  .subject = "",
	  .number = 1,
	  .count = 2000,
	  .previous = &points[0],
	  .step = STEP_REGRESSED },
};
static const struct series metric = { .metric = "Ir", .points = points, .count = 2 };
static const struct site_series series = { .id = "s", .metrics = &metric, .nmetrics = 1 };

/* Reads the causes, and writes them again; *cause is the caller's, NULL: the step has none. False:
 * they cannot be read. */
static bool rewrite(char **cause)
{
	static const struct site_request request = { .reports = 1 };
	struct site_profiles none = { 0 };
	struct site_making m = { .r = &request, .profiles = &none };
	struct site_causes causes;
	struct site_diff diffs[2];
	struct own_files_counts counts;
	struct cg_error err = { 0 };
	size_t count = 0;

	LAW(!own_files_open(scratch(), &m.files, &err), "%s", err.message);
	int status = site_causes_read(&m, "b", "id", &causes, &err);
	LAW(!status || status == CG_EIO || status == CG_EINVAL, "status %d: %s", status,
	    err.message);
	*cause = NULL;
	if (!status) {
		LAW(!site_diffs_make(&causes, &series, &metric, diffs, &count, &err), "%s",
		    err.message);
		LAW(count == 1 && diffs[0].number == 1 && strcmp(diffs[0].page, PAGE) == 0,
		    "the step has its report, %s", PAGE);
		if (diffs[0].cause && !(*cause = strdup(diffs[0].cause)))
			LAW(false, "out of memory");
		LAW(!site_causes_write(&causes, &err), "%s", err.message);
		LAW(!own_files_finish(m.files, &counts, &err), "%s", err.message);
	}
	site_causes_free(&causes);
	own_files_close(m.files);
	return !status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char list[] = "irdiff's files, version 1\n" CAUSES "\nbench/id/" PAGE "\n";
	char *first, *second = NULL;

	scratch_clear();
	scratch_write(OWN_FILES_LIST, list, sizeof list - 1);
	scratch_write("bench/id/" PAGE, "page", 4);
	scratch_write(CAUSES, data, size);
	bool fine = rewrite(&first);
	LAW(!fine || rewrite(&second), "what was written is read");
	LAW(!fine || (first && second ? strcmp(first, second) == 0 : first == second),
	    "the cause stays: '%s', then '%s'", first ? first : "", second ? second : "");
	free(first);
	free(second);
	return 0;
}
