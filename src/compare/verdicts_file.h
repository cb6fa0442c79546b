/*
 * The last comparison that was judged, kept in .irdiff/last/verdicts.json for `irdiff baseline
 * accept`:
 *
 *     {"schema": "irdiff/verdicts", "version": 3, "time": seconds since 1970,
 *      "benchmarks": [
 *       {"benchmark": …,
 *        "base_commit": … or null, "head_commit": … or null,
 *        "base_changed": false, "head_changed": true,  (the work tree had changes)
 *        "verdicts": [
 *          {"metric": "incl.Ir", "functions": regex or null, "function": the one judged or null,
 *           "limit": "+1%", "ceiling": false, "status": "exceeded", "base": 100 or null,
 *           "head": 175, "tolerance": 0}]}]}
 *
 * Names are as text_safe shows them. Comparisons that were impossible because environments differ
 * are left out.
 */
#ifndef IRDIFF_COMPARE_VERDICTS_FILE_H
#define IRDIFF_COMPARE_VERDICTS_FILE_H

#include "src/json/json.h"
#include "src/load/project.h"
#include "src/report/suite_report.h"

/* Keeps what was judged, if anything was. Where irdiff has nothing of its own, without
 * irdiff.yml and .irdiff/, it leaves no traces. A failure is only a warning. */
void verdicts_file_save(const struct project *project, const struct suite_report *suite);

/* Removes the file, so that a failed comparison leaves nothing of an older one. */
void verdicts_file_forget(const struct project *project);

struct kept_verdict {
	const char *metric, *functions, *function, *limit, *status;
	bool ceiling, has_base;
	int64_t base, head;
	uint64_t tolerance;
};

struct kept_verdicts {
	const char *name, *base_commit, *head_commit;
	bool base_changed, head_changed; /* the work tree had changes */
	struct kept_verdict *verdicts;
	size_t count;
};

struct verdicts_file {
	int64_t time; /* seconds since 1970; 0: not known */
	struct kept_verdicts *benchmarks;
	size_t count;
	struct json_value *json; /* owns the texts */
};

/* CG_EINVAL if nothing was judged yet, with what to do. Free with verdicts_file_free. */
int verdicts_file_load(const struct project *project, struct verdicts_file *out,
		       struct cg_error *err);
void verdicts_file_free(struct verdicts_file *l);

#endif
