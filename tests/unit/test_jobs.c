/* What jobs are made of: tasks as files, how long they will take, and to which shard a benchmark
 * belongs. */
#include <sys/stat.h>
#include <unistd.h>

#include "src/json/json.h"
#include "src/measure/shard.h"
#include "src/measure/task.h"
#include "src/run/cpu.h"
#include "src/status/countdown.h"
#include "src/store/files.h"
#include "tests/unit/harness.h"

/* ---- tasks ---- */

static char directory[] = "/tmp/irdiff-jobs.XXXXXX";

static const char *in_directory(const char *name)
{
	static _Thread_local char path[100];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	return path;
}

static void test_task(void)
{
	const char *const argv[] = { "./a b", "", "\xff\n=", NULL };
	const char *const env[] = { "JOBS_SET", "JOBS_UNSET", "X=Y", NULL };
	const struct measured_checkout checkout = { "/top",          "/top/root", "/named",
						    "main (1)",      "1",         true,
						    "a\t000000 0\n", NULL,        "/names" };
	struct measurement m = { .root = "/root",
				 .label = "label",
				 .checkout = &checkout,
				 .key = "a\nb\n",
				 .replace = true,
				 .benchmark = "bench",
				 .wanted = "bench/x*",
				 .or_all = true };
	struct task t;
	struct cg_error err;

	run_request_init(&m.request);
	m.request.argv = argv;
	m.request.env = env;
	m.request.cwd = "dir";
	m.request.depth = 7;
	m.request.timeout = 3600;
	m.request.cache_sim = false;
	m.request.cases = RUN_CASES_CODSPEED;
	setenv("JOBS_SET", "a=b", 1);
	setenv("IRDIFF_FREEZE_LIBRARY", "/freeze.so", 1);
	unsetenv("JOBS_UNSET");
	REQUIRE(task_write(&m, in_directory("task"), &err) == CG_OK);
	REQUIRE(task_read(in_directory("task"), &t, &err) == CG_OK);
	const struct measurement *r = &t.measurement;
	CHECK_STR(r->root, "/root");
	CHECK_STR(r->key, "a\nb\n");
	CHECK_STR(r->wanted, "bench/x*");
	CHECK(r->definition == NULL && r->or_all && r->replace && !r->quiet);
	REQUIRE(r->checkout != NULL);
	CHECK_STR(r->checkout->side, "main (1)");
	CHECK(r->checkout->changed);
	CHECK_STR(r->checkout->changes, "a\t000000 0\n");
	CHECK_STR(r->checkout->build_names, "/names");
	CHECK_STR(r->request.argv[0], "./a b");
	CHECK_STR(r->request.argv[1], "");
	CHECK_STR(r->request.argv[2], "\xff\n=");
	CHECK(r->request.argv[3] == NULL);
	CHECK_STR(r->request.env[2], "X=Y");
	CHECK(r->request.valgrind_options && !r->request.valgrind_options[0]);
	CHECK_U64(r->request.depth, 7);
	CHECK_U64(r->request.timeout, 3600);
	CHECK_U64(r->request.cases, RUN_CASES_CODSPEED);
	CHECK(!r->request.cache_sim && r->request.image == NULL);
	CHECK_U64(t.variables.count, 5);
	CHECK_STR(t.variables.items[2], "IRDIFF_FREEZE_LIBRARY=/freeze.so");
	CHECK_STR(t.variables.items[3], "JOBS_SET=a=b");
	CHECK_STR(t.variables.items[4], "JOBS_UNSET");
	task_free(&t);
}

/* Each byte but NUL, what looks like an escape, and what UTF-8 must not have. */
static const char *const hostile[] = {
	NULL, /* stands for all bytes from 1 to 255 */
	"\xff",
	"a\x80",
	"\xc0\xaf",         /* overlong */
	"\xed\xa0\x80",     /* half of a surrogate pair */
	"\xf4\x90\x80\x80", /* beyond U+10FFFF */
	"\xe2\x82",         /* cut */
	"\xef\xbf\xbf\xc2\x85\xe2\x80\xae",
	"\\xff",
	"\\u00ff",
	"{\"hex\": \"41\"}",
	"\"\\/\n\r\t\x01\x7f ",
	"ÄÖÜ€😀",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static const char *hostile_text(size_t i)
{
	static _Thread_local char bytes[256];
	for (size_t c = 1; c < sizeof bytes; c++)
		bytes[c - 1] = (char)c;
	return hostile[i] ? hostile[i] : bytes;
}

/* Every text of a task at once is `text`. */
static void check_bytes(const char *text)
{
	const char *const list[] = { text, "x", text, NULL };
	const struct measured_checkout checkout = { text,  text, text, text, text,
						    false, text, list, text };
	struct measurement m = { .root = text,
				 .label = text,
				 .checkout = &checkout,
				 .key = text,
				 .benchmark = text,
				 .definition = text,
				 .wanted = text };
	struct run_request *q = &m.request;
	const char *const env[] = { "JOBS_BYTES", NULL };
	char variable[300];
	struct task t;
	struct cg_error err;

	run_request_init(q);
	q->argv = q->valgrind_options = list;
	q->env = env;
	q->cwd = q->image = q->function = q->valgrind = text;
	setenv("JOBS_BYTES", text, 1);
	snprintf(variable, sizeof variable, "JOBS_BYTES=%s", text);
	REQUIRE(task_write(&m, in_directory("task"), &err) == CG_OK);
	REQUIRE(task_read(in_directory("task"), &t, &err) == CG_OK);
	const struct measurement *r = &t.measurement;
	const struct measured_checkout *c = r->checkout;
	REQUIRE(c != NULL);
	const char *const texts[] = { r->root,
				      r->label,
				      r->key,
				      r->benchmark,
				      r->definition,
				      r->wanted,
				      c->top,
				      c->root,
				      c->named,
				      c->side,
				      c->commit,
				      c->changes,
				      c->copied[0],
				      c->copied[2],
				      c->build_names,
				      r->request.argv[0],
				      r->request.argv[2],
				      r->request.valgrind_options[0],
				      r->request.valgrind_options[2],
				      r->request.cwd,
				      r->request.image,
				      r->request.function,
				      r->request.valgrind };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		CHECK_STR(texts[i], text);
	CHECK_STR(r->request.argv[1], "x");
	CHECK(!r->request.argv[3] && !c->copied[3]);
	REQUIRE(t.variables.count == 4);
	CHECK_STR(t.variables.items[3], variable);
	task_free(&t);
}

static void test_bytes(void)
{
	for (size_t i = 0; i < HOSTILE; i++)
		check_bytes(hostile_text(i));
	unsetenv("JOBS_BYTES");
}

/* A task is JSON as every other file of irdiff: what is not UTF-8 is the only thing in it that no
 * text shows. */
static void test_is_json(void)
{
	const char *const argv[] = { "./bench", "\xfe\n", NULL };
	struct measurement m = { .root = "/root", .label = "label" };
	struct json_value *json;
	struct cg_error err;
	char *text;
	size_t size;

	run_request_init(&m.request);
	m.request.argv = argv;
	REQUIRE(task_write(&m, in_directory("task"), &err) == CG_OK);
	REQUIRE(file_read(in_directory("task"), &text, &size, &err) == CG_OK);
	REQUIRE(json_read(text, size, "task", &json, &err) == CG_OK);
	free(text);
	const struct json_value *words = json_member(json_member(json, "request"), "argv");
	CHECK_STR(json_text_of(json_member(json, "schema")), "irdiff/task");
	CHECK_STR(json_text_of(json_item(words, 0)), "./bench");
	CHECK_STR(json_text_of(json_member(json_item(words, 1), "hex")), "fe0a");
	json_forget(json);
}

static void write_file(const char *text, size_t size)
{
	FILE *to = fopen(in_directory("task"), "w");
	REQUIRE(to != NULL);
	fwrite(text, 1, size, to);
	fclose(to);
}

/* Whatever a file says, it is refused, or complete. */
static void test_damaged(void)
{
	char *text = NULL;
	size_t size;
	struct task t;
	struct cg_error err;
	const char *const argv[] = { "a", NULL };
	struct measurement m = { .root = "/root", .label = "label" };

	run_request_init(&m.request);
	m.request.argv = argv;
	REQUIRE(task_write(&m, in_directory("task"), &err) == CG_OK);
	REQUIRE(file_read(in_directory("task"), &text, &size, &err) == CG_OK);
	for (size_t cut = 0; cut < size; cut++) {
		write_file(text, cut);
		if (task_read(in_directory("task"), &t, &err) == CG_OK)
			CHECK(t.measurement.root && t.measurement.label &&
			      t.measurement.request.argv[0]);
		task_free(&t);
	}
	free(text);
}

/* `from` of the task becomes `to`. */
static void check_refused(const char *from, const char *to, const char *said)
{
	const char *const argv[] = { "a", "\xff", NULL };
	struct measurement m = { .root = "/root", .label = "label" };
	char *text, *changed, *at;
	size_t size;
	struct task t;
	struct cg_error err;

	run_request_init(&m.request);
	m.request.argv = argv;
	REQUIRE(task_write(&m, in_directory("task"), &err) == CG_OK);
	REQUIRE(file_read(in_directory("task"), &text, &size, &err) == CG_OK);
	REQUIRE((at = strstr(text, from)) != NULL);
	REQUIRE(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
	write_file(changed, strlen(changed));
	CHECK(task_read(in_directory("task"), &t, &err) == CG_EINVAL);
	CHECK(strstr(err.message, said) != NULL);
	task_free(&t);
	free(changed);
	free(text);
}

static void test_changed(void)
{
	check_refused("irdiff/task", "irdiff/tusk", "not a task of irdiff");
	check_refused("\"irdiff\": \"", "\"irdiff\": \"9", "not a task of irdiff");
	check_refused("\"/root\"", "7", "'root'");
	check_refused("\"label\":", "\"lebel\":", "'label'");
	check_refused("\"a\"", "[]", "'argv'");
	check_refused("\"argv\":", "\"arg\":", "'argv'");
	check_refused("\"ff\"", "\"fg\"", "'argv'");
	check_refused("\"ff\"", "\"f\"", "'argv'");
	check_refused("\"ff\"", "\"00\"", "'argv'");
	check_refused("\"ff\"", "null", "'argv'");
	check_refused("\"depth\":", "\"depth\":-", "'depth'");
	check_refused("\"cases\":0", "\"cases\":99", "'cases'");
	check_refused("\"recursion\":1", "\"recursion\":42949672961", "'recursion'");
	check_refused("\"cache_sim\":", "\"cachesim\":", "'cache_sim'");
	check_refused("\"quiet\":false", "\"quiet\":\"no\"", "'quiet'");
	check_refused("\"signals\":", "\"signal\":", "'signals'");
	check_refused("\"variables\":", "\"variable\":", "'variables'");
}

/* The second profile of a result loses its label: nothing of it is read. */
static void check_refused_result(void)
{
	struct measured read = { 0 };
	enum ending code = -1;
	char *text, *label;
	size_t size;
	struct cg_error err;

	REQUIRE(file_read(in_directory("task" TASK_RESULT), &text, &size, &err) == CG_OK);
	REQUIRE((label = strstr(text, "\"x\"")) != NULL);
	memcpy(label, "123", 3);
	FILE *to = fopen(in_directory("task" TASK_RESULT), "w");
	REQUIRE(to != NULL);
	fwrite(text, 1, size, to);
	fclose(to);
	free(text);
	CHECK(!task_read_result(in_directory("task"), &code, &read));
	CHECK(read.count == 0 && read.items == NULL && (int)code == -1);
}

static void test_result(void)
{
	char label[] = "b/one", benchmark[] = "b/one", other[] = "x";
	struct measured_profile items[] = { { label, benchmark, NULL }, { other, NULL, NULL } };
	char *lost[] = { benchmark };
	const struct measured measured = { items, 2, 2, { lost, 1, 1 }, 3 };
	struct measured read = { 0 };
	struct cg_error err;
	enum ending code = -1;

	CHECK(!task_read_result(in_directory("none"), &code, &read));
	REQUIRE(task_write_result(in_directory("task"), 3, &measured, &err) == CG_OK);
	REQUIRE(task_read_result(in_directory("task"), &code, &read));
	CHECK_U64(code, 3);
	CHECK_U64(read.changes, 3);
	REQUIRE(read.count == 2);
	CHECK_STR(read.items[0].benchmark, "b/one");
	CHECK(read.items[1].benchmark == NULL);
	REQUIRE(read.lost.count == 1);
	CHECK_STR(read.lost.paths[0], "b/one");
	measured_free(&read);
	check_refused_result();
	FILE *to = fopen(in_directory("task" TASK_RESULT), "w");
	REQUIRE(to != NULL);
	fputs("{\"schema\": \"irdiff/task-result\", \"exit_code\": 0", to); /* half is no success */
	fclose(to);
	CHECK(!task_read_result(in_directory("task"), &code, &read));
}

/* ---- time ---- */

static void test_countdown(void)
{
	struct countdown_step steps[] = {
		{ "a", 10, 20, STEP_IS_OVER },
		{ "b", 10, 5, STEP_RUNS },
		{ "c", 10, 0, STEP_WAITS },
	};
	/* Everything takes twice as long as it did. */
	CHECK(countdown_left(steps, 3, 1) == 35);
	CHECK(countdown_left(steps, 3, 2) == 20);
	char *line = countdown_line(steps, 3, 1, 65);
	CHECK_STR(line, "1 of 3 measured; b, 1:05, about 35 s left");
	free(line);
	steps[2].state = STEP_RUNS;
	steps[2].seconds = -1;
	CHECK(countdown_left(steps, 3, 1) < 0);
	line = countdown_line(steps, 3, 2, 3.2);
	CHECK_STR(line, "1 of 3 measured; b and c, 3 s");
	free(line);
	steps[1].since = 1000;
	steps[2].seconds = 0;
	CHECK(countdown_left(steps, 3, 1) == 0);
}

/* ---- shards ---- */

static void test_shard(void)
{
	static const char *const wrong[] = { "",     "1",     "0/2",    "3/2",
					     "1/0",  "1/2/3", "-1/2",   "+1/2",
					     "1/2 ", "01/2",  "1/1001", "99999999999999999999999/2",
					     "a/b" };
	struct shard s = { 7, 8 };

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(!shard_parse(wrong[i], &s));
	CHECK_U64(s.number, 7);
	CHECK(shard_parse("2/3", &s) && s.number == 2 && s.of == 3);
	CHECK(shard_has(&(struct shard){ 0 }, "any"));
	CHECK(shard_has(&(struct shard){ 1, 1 }, "any"));
	/* They stay where they are: shards may be of different irdiffs. */
	CHECK(shard_has(&(struct shard){ 3, 3 }, "a") && shard_has(&(struct shard){ 2, 3 }, "b"));

	size_t sizes[8] = { 0 };
	for (int i = 0; i < 800; i++) {
		char name[20];
		unsigned found = 0;
		snprintf(name, sizeof name, "bench%d", i);
		for (uint64_t k = 1; k <= 8; k++)
			if (shard_has(&(struct shard){ k, 8 }, name)) {
				found++;
				sizes[k - 1]++;
			}
		CHECK_U64(found, 1);
	}
	for (size_t k = 0; k < 8; k++)
		CHECK(sizes[k] > 60 && sizes[k] < 140);
}

/* ---- CPUs ---- */

static void test_cpus(void)
{
	int first_claim, second_claim;
	int first = cpu_claim(&first_claim), second = cpu_claim(&second_claim);

	CHECK(cpu_count() >= 1);
	CHECK(first >= 0 && second >= 0);
	if (first_claim >= 0 && second_claim >= 0)
		CHECK(first != second);
	if (first_claim >= 0)
		close(first_claim);
	if (second_claim >= 0)
		close(second_claim);
}

static int run_all(void)
{
	static const struct test tests[] = {
		{ "a task reads as it was written", test_task },
		{ "a task keeps every byte of every text", test_bytes },
		{ "a task is JSON", test_is_json },
		{ "a damaged task is refused", test_damaged },
		{ "a task that is not as it was written is refused", test_changed },
		{ "a result is whole or none", test_result },
		{ "how long it will take", test_countdown },
		{ "shards are a partition by names", test_shard },
		{ "CPUs are claimed once", test_cpus },
	};
	return test_main("jobs", tests, sizeof tests / sizeof *tests);
}

int main(void)
{
	if (!mkdtemp(directory))
		return 1;
	int failed = run_all();
	remove_directory(directory, NULL);
	return failed;
}
