/*
 * The state of one compare_commits(). comparing.c has the order of its steps; each other file
 * here is one of them. Private to these files.
 */
#ifndef IRDIFF_COMMITS_COMPARING_STATE_H
#define IRDIFF_COMMITS_COMPARING_STATE_H

#include "src/commits/comparing.h"
#include "src/commits/revision.h"

/* How a benchmark that only head defines could not be measured at base. */
enum added {
	ADDED_NOT,
	ADDED_FAILED, /* which was reported */
	ADDED_UNTOLD, /* its program is not there, which was not */
};

/* A benchmark in base and head: the names of its cache entries, one, or one for each of its
 * cases. */
struct measured_bench {
	const struct config_benchmark *benchmark;
	struct config_benchmark *own; /* the same, if no other entry has it */
	struct path_list base, head;
	bool base_failed, head_failed;
	enum added added;
	bool removed;  /* only base has it */
	bool repeated; /* measured once more, with all its cases (comparing_repeat.c) */
};

/* The same with more callers. */
struct deeper_bench {
	const struct measured_bench *of;
	struct config_benchmark benchmark;
	struct path_list base, head;
};

/* What is compared: the benchmark itself, or one of its cases. */
struct pair {
	struct measured_bench *of;
	char *base, *head; /* operands, owned; NULL: missing */
};

struct comparing {
	struct comparing_options *options;
	struct project project;
	struct project judged; /* the same, with the irdiff.yml that asks the question */
	struct build_area area;
	struct range range;
	struct revision base, head;
	struct text_list names;          /* of the command line; tags stand for their benchmarks */
	struct config_benchmark command; /* of the command line */
	struct config_command build;
	const char *build_argv[4];
	struct measured_bench *benches;
	size_t nbenches, benches_cap;
	struct pair *pairs; /* as in the suite */
	size_t npairs, pairs_cap;
	struct deeper_bench *deeper; /* room for all benchmarks; NULL: none */
	size_t ndeeper;
	struct suite suite;
	const char **wanted; /* names of the benchmarks of all shards */
	size_t nwanted;
	struct path_list named; /* benchmarks that only a baseline has */
	char *preface[3];
	struct bench_failure *failures; /* `where` is owned */
	size_t nfailures, failures_cap;
	enum ending worst; /* exit code of what could not be measured */
	bool reported;     /* this run has left its report */
};

/* ---- comparing.c ---- */

/* The irdiff.yml that defines what is measured and judged: head's, if it has one. NULL: none. */
struct config *comparing_definitions(const struct comparing *c);

/* Adds a benchmark; takes its `own`. */
int comparing_add_bench(struct comparing *c, const struct measured_bench *bench,
			struct cg_error *err);

/* Whether this benchmark was asked for, or some of its cases. */
bool comparing_wants_any_of(const struct comparing *c, const char *bench);

/* Whether a word of the command line means this "BENCH" or "BENCH/CASE". */
bool comparing_means(const char *wanted, const char *name);

/* Prints what base and head are. */
int comparing_make_preface(struct comparing *c, struct cg_error *err);

/* What could not be measured, for the report; the exit code becomes at least this one. */
void comparing_note_failure(struct comparing *c, const char *name, const struct revision *s,
			    enum ending ending);
bool comparing_has_failed(const struct comparing *c, const char *name);

/* ---- comparing_repeat.c ---- */

/* Measures again if the environments of base and head differ, or if a limit may have been
 * exceeded by chance, and compares the new profiles instead of the first ones. */
int comparing_repeat(struct comparing *c, struct cg_error *err);

/* ---- comparing_deepen.c ---- */

/* Measures both sides once more, with more callers, where the causes of a change are estimates, and
 * takes the causes from there. */
int comparing_deepen(struct comparing *c, struct cg_error *err);

/* ---- comparing_names.c ---- */

/* Whether a word of the command line stands for all benchmarks with a tag: "tag:WORD". */
bool comparing_is_tag(const char *wanted);

/* Finds the benchmarks and cases that were asked for. */
int comparing_find_names(struct comparing *c, const struct config *config, struct cg_error *err);

/* ---- comparing_new.c ---- */

/* Whether a benchmark that cannot be measured at base is new: base does not define it. */
bool comparing_is_new(const struct comparing *c, const struct config_benchmark *b);

/* It could not be measured at base. */
void comparing_note_new(const struct comparing *c, struct measured_bench *b);

/* Says, once for all of them, which could not be measured at base, and so are new. */
void comparing_tell_new(const struct comparing *c);

/* New benchmarks are measured at base as well, if possible, and stay new. */
void comparing_mark_new(struct comparing *c);

/* ---- comparing_pairs.c ---- */

/* Pairs the entries of head with those of base, and adds the pairs to the suite. If base or head
 * failed, which was reported, nothing is compared. */
int comparing_make_pairs(struct comparing *c, struct cg_error *err);

/* The entry of this benchmark or case, or NULL. */
const char *comparing_find_entry(const struct path_list *entries, const char *name);

/* CG_EINVAL for limits whose pattern of cases matches none; where only some cases were asked for,
 * it warns of them. */
int comparing_check_patterns(const struct comparing *c, struct cg_error *err);

/* ---- comparing_removed.c ---- */

/* Adds the benchmarks that were asked for and that only base has: its baseline or its
 * irdiff.yml. */
int comparing_add_removed(struct comparing *c, struct cg_error *err);

/* ---- comparing_rules.c ---- */

/* Reports how head changes what irdiff.yml says of builds and benchmarks and, if it is judged, the
 * rules for that: limits and tolerances. */
int comparing_remark_rules(struct comparing *c, struct cg_error *err);

/* ---- comparing_results.c ---- */

/* Writes --results, if the user asked for it; returns the exit code. */
enum ending comparing_keep_results(struct comparing *c, enum ending ending);

#endif
