/* What a pair counted before it was measured once more. */
#include "src/compare/counted_before.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "callgrind/build.h"
#include "src/store/cache.h"
#include "tests/unit/harness.h"

#define BASE "a@1111111111-aaaaaaaaaaaa"
#define HEAD_ENTRY "a@2222222222-bbbbbbbbbbbb"
#define OTHER_ENTRY "a@2222222222-cccccccccccc"

static char root[] = "/tmp/irdiff-test-XXXXXX";
static const uint32_t two_and_one[2] = { 2, 1 };

static struct counted_pair pair_of(const char *base, const char *limits, const uint32_t events[2])
{
	return (struct counted_pair){ base, HEAD_ENTRY, limits, { events[0], events[1] }, NULL };
}

static void begin(void)
{
	char command[200];

	snprintf(root, sizeof root, "/tmp/irdiff-test-XXXXXX");
	REQUIRE(mkdtemp(root) != NULL);
	snprintf(command, sizeof command,
		 "cd %s && mkdir -p .irdiff/cache && cd .irdiff/cache && mkdir " HEAD_ENTRY
		 " " OTHER_ENTRY,
		 root);
	REQUIRE_INT(system(command), 0);
}

static void end(void)
{
	char command[200];

	snprintf(command, sizeof command, "rm -r %s", root);
	REQUIRE_INT(system(command), 0);
}

/* Where an entry has them; the caller's. */
static char *file_of(const char *entry)
{
	char *path;

	REQUIRE(asprintf(&path, "%s/.irdiff/cache/%s/counted_before.txt", root, entry) > 0);
	return path;
}

static void write_text(const char *text)
{
	char *path = file_of(HEAD_ENTRY);
	FILE *to = fopen(path, "w");

	REQUIRE(to != NULL);
	fputs(text, to);
	REQUIRE(fclose(to) == 0);
	free(path);
}

static bool finds_with(const char *base, const char *limits, const uint32_t events[2])
{
	const struct counted_pair pair = pair_of(base, limits, events);
	struct counted_before found;

	REQUIRE_INT(counted_before_find(root, &pair, &found, NULL), CG_OK);
	const bool is = found.found;
	CHECK(is == (found.base != NULL) && is == (found.head != NULL));
	counted_before_free(&found);
	return is;
}

static bool finds(const char *base, const uint32_t events[2])
{
	return finds_with(base, "limits", events);
}

static bool finds_of_base(const char *name, const int64_t *totals)
{
	struct counted_pair pair = pair_of(name, "limits", two_and_one);
	struct counted_before found;

	pair.base_totals = totals;
	REQUIRE_INT(counted_before_find(root, &pair, &found, NULL), CG_OK);
	const bool is = found.found;
	counted_before_free(&found);
	return is;
}

static void test_kept(void)
{
	int64_t base[CG_MAX_EVENTS] = { INT64_MAX, INT64_MIN }, head[CG_MAX_EVENTS] = { 7 };
	const struct counted_before counted = { .base = base, .head = head };
	const uint32_t others[][2] = { { 1, 1 }, { 3, 1 }, { 2, 2 }, { UINT32_MAX, 1 } };
	const struct counted_pair pair = pair_of(BASE, "limits", two_and_one);
	struct counted_before found;

	begin();
	CHECK(!finds(BASE, two_and_one));
	REQUIRE_INT(counted_before_keep(root, &pair, &counted, NULL), CG_OK);
	REQUIRE_INT(counted_before_find(root, &pair, &found, NULL), CG_OK);
	REQUIRE(found.found);
	CHECK(found.base[0] == INT64_MAX && found.base[1] == INT64_MIN && found.head[0] == 7);
	counted_before_free(&found);
	CHECK(!finds("a@1111111111-aaaaaaaaaaa", two_and_one));
	CHECK(finds_of_base("a@3333333333-cccccccccccc", base) && !finds_of_base(NULL, base));
	CHECK(!finds_of_base("a@3333333333-cccccccccccc", (const int64_t[]){ INT64_MAX, 0 }));
	CHECK(!finds(HEAD_ENTRY, two_and_one));
	CHECK(!finds_with(BASE, "other", two_and_one) && !finds_with(BASE, "limit", two_and_one));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		CHECK(!finds(BASE, others[i]));
	end();
}

static void test_damaged(void)
{
	static const char *const texts[] = {
		"",
		BASE,
		BASE "\n",
		BASE "\nlimits\n",
		BASE "\n1 2\n3\n",
		BASE "\nlimits\n1 2\n",
		BASE "\nlimits\n1 2\n3",
		BASE "\nlimits\n1 2\n3\nmore\n",
		BASE "\nlimits\n1 2 \n3\n",
		BASE "\nlimits\n1\n2\n",
		BASE "\nlimits\n1 x\n3\n",
		BASE "\nlimits\n1 99999999999999999999\n3\n",
		BASE "\nlimits\n\n\n",
	};

	begin();
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		write_text(texts[i]);
		test_report(!finds(BASE, two_and_one), false, __FILE__, __LINE__, "taken: %s",
			    texts[i]);
	}
	end();
}

/* As many events as there can be. */
static void test_all_events(void)
{
	const uint32_t all[2] = { CG_MAX_EVENTS, CG_MAX_EVENTS };
	int64_t totals[CG_MAX_EVENTS] = { 0 };
	const struct counted_before counted = { .base = totals, .head = totals };
	const struct counted_pair pair = pair_of(NULL, "limits", all);

	begin();
	REQUIRE_INT(counted_before_keep(root, &pair, &counted, NULL), CG_OK);
	CHECK(finds(NULL, all) && !finds(BASE, all));
	end();
}

static void copy(const char *from, const char *as, const char *to, const char *base)
{
	const struct counted_place source = { root, from, as }, target = { root, to, base };

	REQUIRE_INT(counted_before_copy(&source, &target, NULL), CG_OK);
}

static void check_text(const char *entry, const char *expected)
{
	char *text = counted_before_text(root, entry);

	CHECK_STR(text ? text : "none", expected);
	free(text);
}

static void test_copied(void)
{
	begin();
	char *from = file_of(HEAD_ENTRY), *to = file_of(OTHER_ENTRY);
	copy(from, BASE, to, "b");
	check_text(OTHER_ENTRY, "none");
	write_text("");
	copy(from, NULL, to, "b");
	check_text(OTHER_ENTRY, "");
	write_text("c\nlimits\n1\n");
	copy(from, BASE, to, "b"); /* it has one */
	check_text(OTHER_ENTRY, "");
	REQUIRE_INT(unlink(to), 0);
	copy(from, BASE, to, "b");
	check_text(OTHER_ENTRY, "c\nlimits\n1\n");
	write_text(BASE "\nlimits\n2\n");
	copy(from, BASE, to, "b");
	check_text(OTHER_ENTRY, "b\nlimits\n2\n");
	copy(from, BASE, to, NULL);
	check_text(OTHER_ENTRY, "-\nlimits\n2\n");
	free(from);
	free(to);
	end();
}

static void test_restored(void)
{
	begin();
	check_text(HEAD_ENTRY, "none");
	REQUIRE_INT(counted_before_restore(root, HEAD_ENTRY, "some text", NULL), CG_OK);
	check_text(HEAD_ENTRY, "some text");
	end();
}

/* Where nothing can be written. */
static void test_refused(void)
{
	int64_t totals[CG_MAX_EVENTS] = { 0 };
	const struct counted_before counted = { .base = totals, .head = totals };
	struct counted_pair pair = pair_of(BASE, "limits", two_and_one);

	begin();
	pair.head = "gone@3333333333-cccccccccccc";
	CHECK_INT(counted_before_keep(root, &pair, &counted, NULL), CG_EIO);
	CHECK_INT(counted_before_restore(root, pair.head, "", NULL), CG_EIO);
	end();
}

TEST_MAIN("counted_before", { "kept", test_kept }, { "damaged", test_damaged },
	  { "all events", test_all_events }, { "copied", test_copied },
	  { "restored", test_restored }, { "refused", test_refused })
