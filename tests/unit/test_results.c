/* What a comparison has measured, taken to another machine. */
#include "src/compare/results.h"

#include "src/compare/counted_before.h"
#include "src/store/cache.h"
#include "tests/unit/scratch_files.h"

#define BASE_ENTRY "a@1111111111-000000000001"
#define HEAD_ENTRY "a@2222222222-000000000002"
#define THIRD_ENTRY "c@2222222222-000000000003"

static void put_entry(const char *root, const char *name, const char *profile)
{
	char path[200], command[300];

	snprintf(command, sizeof command, "mkdir -p %s/.irdiff/cache/%s", root, name);
	REQUIRE_INT(system(command), 0);
	snprintf(path, sizeof path, ".irdiff/cache/%s/profile.callgrind", name);
	free(write_file(root, path, profile, 0600));
	snprintf(path, sizeof path, ".irdiff/cache/%s/key.txt", name);
	free(write_file(root, path, "key: 5\n", 0600));
}

/* "" if there is no such file. */
static void check_file(const char *directory, const char *name, const char *expected)
{
	char path[400], text[100] = "";
	FILE *from;

	snprintf(path, sizeof path, "%s/%s", directory, name);
	from = fopen(path, "r");
	if (from) {
		text[fread(text, 1, sizeof text - 1, from)] = '\0';
		fclose(from);
	}
	CHECK_STR(text, expected);
}

static const char *limits[] = { "Ir:+1%", "Dr:+2%" }, *benchmarks[] = { "a", "b", "c" },
		  *remarks[] = { "one", "two" };

/* All that results may say. */
static struct results results_of(struct results_pair *pairs, size_t npairs,
				 struct bench_failure *failures)
{
	failures[0] = (struct bench_failure){ "c", "base" };
	return (struct results){ .shard = { 2, 3 },
				 .base = "main",
				 .head = "topic",
				 .base_files = "files 1",
				 .head_files = "files 2",
				 .baseline = "release",
				 .config = "benchmarks:",
				 .benchmarks = benchmarks,
				 .nbenchmarks = 3,
				 .complete = true,
				 .pairs = pairs,
				 .npairs = npairs,
				 .failures = failures,
				 .nfailures = 1,
				 .remarks = remarks,
				 .nremarks = 2,
				 .facts = { "3.19", NULL, "a cpu", "4", "/w" },
				 .check = true,
				 .allow_removed = true,
				 .no_accepted = true,
				 .limits = { .items = limits, .count = 2 },
				 .metric = "Ir",
				 .inlines = "yes",
				 .threshold = "1%",
				 .min_delta = "10",
				 .ending = 3 };
}

static void check_texts(const char **texts, size_t count, const char **expected, size_t nexpected)
{
	REQUIRE_U64(count, nexpected);
	for (size_t i = 0; i < count; i++)
		CHECK_STR(texts[i], expected[i]);
}

static void check_same(const struct results *r, const struct results *of)
{
	CHECK(r->shard.number == of->shard.number && r->shard.of == of->shard.of);
	CHECK_STR(r->base, of->base);
	CHECK_STR(r->head, of->head);
	CHECK_STR(r->base_files, of->base_files);
	CHECK_STR(r->head_files, of->head_files);
	CHECK_STR(r->baseline, of->baseline);
	CHECK_STR(r->config, of->config);
	check_texts(r->benchmarks, r->nbenchmarks, of->benchmarks, of->nbenchmarks);
	check_texts(r->remarks, r->nremarks, of->remarks, of->nremarks);
	check_texts(r->limits.items, r->limits.count, of->limits.items, of->limits.count);
	CHECK(r->complete == of->complete && r->whole == of->whole);
	for (size_t i = 0; i < RESULTS_FACTS; i++)
		CHECK_STR(r->facts[i] ? r->facts[i] : "none", of->facts[i] ? of->facts[i] : "none");
	CHECK(r->check == of->check && r->require_base == of->require_base);
	CHECK(r->allow_removed == of->allow_removed && r->no_accepted == of->no_accepted);
	CHECK_INT(r->allow_env_change, of->allow_env_change);
	CHECK_STR(r->metric, of->metric);
	CHECK_STR(r->inlines, of->inlines);
	CHECK_STR(r->threshold, of->threshold);
	CHECK_STR(r->min_delta, of->min_delta);
	CHECK_INT(r->ending, of->ending);
	REQUIRE_U64(r->npairs, of->npairs);
	for (size_t i = 0; i < r->npairs; i++) {
		const struct results_pair *p = &r->pairs[i], *q = &of->pairs[i];
		CHECK_STR(p->name, q->name);
		CHECK_STR(p->base ? p->base : "none", q->base ? q->base : "none");
		CHECK_STR(p->head ? p->head : "none", q->head ? q->head : "none");
		CHECK(p->added == q->added && p->not_run == q->not_run);
		CHECK(memcmp(&p->first, &q->first, sizeof p->first) == 0);
	}
	REQUIRE_U64(r->nfailures, of->nfailures);
	for (size_t i = 0; i < r->nfailures; i++) {
		CHECK_STR(r->failures[i].name, of->failures[i].name);
		CHECK_STR(r->failures[i].where, of->failures[i].where);
	}
}

static void remove_file(const char *directory, const char *name)
{
	char path[400];

	snprintf(path, sizeof path, "%s/%s", directory, name);
	unlink(path);
}

static time_t time_of(const char *directory, const char *name)
{
	char path[400];
	struct stat st;

	snprintf(path, sizeof path, "%s/%s", directory, name);
	return stat(path, &st) == 0 ? st.st_mtime : 0;
}

static void age_file(const char *directory, const char *name)
{
	const struct timespec times[2] = { { 1000, 0 }, { 1000, 0 } };
	char path[400];

	snprintf(path, sizeof path, "%s/%s", directory, name);
	REQUIRE_INT(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* No work is left over. */
static void check_tidy(const char *root)
{
	char command[200];

	snprintf(command, sizeof command, "test -z \"$(ls %s/.irdiff/tmp)\"", root);
	CHECK_INT(system(command), 0);
}

static void check_taken(const struct results *r, const char *directory, const char *counted)
{
	char *root = make_directory();
	const char *const paths[] = { directory };
	struct cg_error err = { 0 };

	put_entry(root, HEAD_ENTRY, "older");
	int status = results_take_entries(r, paths, 1, root, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	check_file(root, ".irdiff/cache/" BASE_ENTRY "/profile.callgrind", "base");
	check_file(root, ".irdiff/cache/" THIRD_ENTRY "/profile.callgrind", "third");
	check_file(root, ".irdiff/cache/" HEAD_ENTRY "/profile.callgrind", "head");
	check_file(root, ".irdiff/cache/" HEAD_ENTRY "/key.txt", "key: 5\n");
	check_file(root, ".irdiff/cache/" HEAD_ENTRY "/counted_before.txt", counted);
	CHECK_INT(time_of(root, ".irdiff/cache/" HEAD_ENTRY "/profile.callgrind"), 1000);
	check_tidy(root);
	remove_tree(root);
}

static void test_round(void)
{
	char *root = make_directory(), *directory = make_directory();
	struct results_pair pairs[] = {
		{ .name = "a",
		  .base = BASE_ENTRY,
		  .head = HEAD_ENTRY,
		  .first = { .base = { 1, -2 }, .head = { 3 }, .nbase = 2, .nhead = 1 },
		  .not_run = true },
		{ .name = "b", .base = "baseline:b", .added = true },
		{ .name = "c", .head = THIRD_ENTRY }
	};
	struct bench_failure failures[1];
	struct results r = results_of(pairs, 3, failures), found;
	struct cg_error err = { 0 };

	put_entry(root, BASE_ENTRY, "base");
	put_entry(root, HEAD_ENTRY, "head");
	put_entry(root, THIRD_ENTRY, "third");
	age_file(root, ".irdiff/cache/" HEAD_ENTRY "/profile.callgrind");
	REQUIRE_INT(counted_before_restore(root, HEAD_ENTRY, "counted", NULL), CG_OK);
	for (int i = 0; i < 2; i++) {
		int status = results_write(&r, root, directory, &err);
		test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
		status = results_read(directory, &found, &err);
		test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
		check_same(&found, &r);
		check_taken(&found, directory, i ? "" : "counted");
		results_free(&found);
		/* The opposite of all that is true or false. */
		r.complete = r.check = r.allow_removed = r.no_accepted = false;
		r.whole = r.require_base = r.allow_env_change = true;
		remove_file(root, ".irdiff/cache/" HEAD_ENTRY "/counted_before.txt");
	}
	remove_tree(directory);
	remove_tree(root);
}

/* Damaged on the way, or not an entry: the cache stays as it is. */
static void test_damaged(void)
{
	char *root = make_directory(), *directory = make_directory();
	const char *const paths[] = { directory };
	struct results_pair pair = { .name = "a", .head = HEAD_ENTRY };
	struct bench_failure failures[1];
	struct results r = results_of(&pair, 1, failures);

	put_entry(root, HEAD_ENTRY, "head");
	REQUIRE_INT(results_write(&r, root, directory, NULL), CG_OK);
	free(write_file(directory, HEAD_ENTRY "/sums.txt", "x\n", 0600));
	CHECK_INT(results_take_entries(&r, paths, 1, root, NULL), CG_EINVAL);
	check_file(directory, HEAD_ENTRY "/profile.callgrind", "head");
	remove_file(directory, HEAD_ENTRY "/sums.txt");
	CHECK_INT(results_take_entries(&r, paths, 1, root, NULL), CG_OK);
	remove_file(directory, HEAD_ENTRY "/profile.callgrind");
	CHECK_INT(results_take_entries(&r, paths, 1, root, NULL), CG_EINVAL);
	check_file(root, ".irdiff/cache/" HEAD_ENTRY "/profile.callgrind", "head");
	check_tidy(root);
	remove_tree(directory);
	remove_tree(root);
}

#define DOCUMENT \
	"{\"schema\": \"irdiff/results\", \"version\": 3, \"irdiff\": \"" PACKAGE_VERSION "\", " \
	"\"shard\": 2, \"shards\": 2, \"base\": \"b\", \"head\": \"h\", \"head_files\": \"f\", " \
	"\"exit_code\": 255, \"compared\": [{\"name\": \"a\", \"base\": \"" BASE_ENTRY "\"}], " \
	"\"failed\": [{\"name\": \"a\", \"where\": \"w\"}]}"

/* With `to` in the place of `from`. */
static void check_document(const char *from, const char *to, int expected)
{
	char *directory = make_directory(), text[600];
	const char *at = strstr(DOCUMENT, from);
	struct results r;

	REQUIRE(at != NULL);
	snprintf(text, sizeof text, "%.*s%s%s", (int)(at - DOCUMENT), DOCUMENT, to,
		 at + strlen(from));
	free(write_file(directory, "results.json", text, 0600));
	const int status = results_read(directory, &r, NULL);
	test_report(status == expected, false, __FILE__, __LINE__, "%d for %s", status, text);
	results_free(&r);
	remove_tree(directory);
}

static void test_incomplete(void)
{
	static const char *const needed[] = { "schema",     "shard\"",   "shards", "base", "head\"",
					      "head_files", "exit_code", "name",   "where" };
	static const char *const wrong[][2] = {
		{ "shard\": 2", "shard\": 3" },
		{ "shard\": 2", "shard\": 0" },
		{ "shards\": 2", "shards\": 99999999" },
		{ "code\": 255", "code\": 256" },
		{ BASE_ENTRY, "../" BASE_ENTRY },
		{ BASE_ENTRY, ".a@1111111111-000000000001" },
		{ "base\": \"a@", "other\": \"a@" },
	};

	check_document("exit", "exit", CG_OK);
	check_document(BASE_ENTRY, "baseline:x", CG_OK);
	check_document("shards\": 2", "shards\": 3", CG_OK);
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		char other[40];
		snprintf(other, sizeof other, "x%s", needed[i]);
		check_document(needed[i], other, CG_ESYNTAX);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		check_document(wrong[i][0], wrong[i][1], CG_ESYNTAX);
	check_document("\"version\": 3", "\"version\": 4", CG_EINVAL);
	check_document("\"irdiff\": ", "\"other\": ", CG_EINVAL);
}

/* An older one goes first, if irdiff wrote it. */
static void test_forgotten(void)
{
	char *directory = make_directory();

	CHECK_INT(results_forget(directory, NULL), CG_OK);
	free(write_file(directory, "results.json", "{\"schema\": \"irdiff/results\"}", 0600));
	CHECK_INT(results_forget(directory, NULL), CG_OK);
	check_file(directory, "results.json", "");
	free(write_file(directory, "results.json", "{\"schema\": \"other\"}", 0600));
	CHECK_INT(results_forget(directory, NULL), CG_EINVAL);
	CHECK_INT(results_write(&(struct results){ 0 }, directory, directory, NULL), CG_EINVAL);
	check_file(directory, "results.json", "{\"schema\": \"other\"}");
	free(write_file(directory, "results.json", "{}", 0600));
	CHECK_INT(results_forget(directory, NULL), CG_EINVAL);
	remove_tree(directory);
}

static void check_directory(const char *path, const char *expected)
{
	char *directory = results_directory(path);

	CHECK_STR(directory, expected);
	free(directory);
}

static void test_directories(void)
{
	check_directory("a/b", "a/b");
	check_directory("a/results.json", "a");
	check_directory("results.json", ".");
	check_directory("a/my-results.json", "a/my-results.json");
}

TEST_MAIN("results", { "written, read and taken", test_round }, { "damaged", test_damaged },
	  { "incomplete", test_incomplete }, { "forgotten", test_forgotten },
	  { "directories", test_directories })
