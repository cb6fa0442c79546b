/* .irdiff/last/verdicts.json: what the last comparison judged, as somebody may have edited it. */
#include "src/compare/verdicts_file.h"
#include "tests/fuzz/sections.h"

static void check_verdict(const struct kept_verdict *v)
{
	LAW(v->metric && v->limit && v->status, "a verdict is whole");
	LAW(v->has_base || !v->base, "base %" PRId64 " is not there", v->base);
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void check_benchmark(const struct kept_verdicts *b, const struct kept_verdicts *again)
{
	LAW(b->name, "a benchmark has a name");
	LAW(same(b->name, again->name) && same(b->base_commit, again->base_commit) &&
		    same(b->head_commit, again->head_commit) && b->count == again->count,
	    "%s is read twice in the same way", b->name);
	for (size_t i = 0; i < b->count; i++) {
		check_verdict(&b->verdicts[i]);
		LAW(b->verdicts[i].head == again->verdicts[i].head &&
			    b->verdicts[i].tolerance == again->verdicts[i].tolerance,
		    "verdict %zu of %s", i, b->name);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct project project = { .root = (char *)scratch() };
	struct verdicts_file last = { 0 }, again = { 0 };
	struct cg_error err = { 0 };

	scratch_write(".irdiff/last/verdicts.json", data, size);
	int status = verdicts_file_load(&project, &last, &err);
	check_error(status, &err);
	LAW(verdicts_file_load(&project, &again, NULL) == status, "it is accepted only sometimes");
	LAW(!status == (last.json != NULL) && last.count == again.count,
	    "a failure leaves nothing");
	LAW(!status || status == CG_ESYNTAX, "status %d: %s", status, err.message);
	for (size_t i = 0; i < last.count; i++)
		check_benchmark(&last.benchmarks[i], &again.benchmarks[i]);
	verdicts_file_free(&last);
	verdicts_file_free(&again);
	return 0;
}
