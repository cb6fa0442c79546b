/* What a pair counted before it was measured once more. */
#include "src/compare/counted_before.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "callgrind/build.h"
#include "src/store/cache.h"
#include "tests/unit/harness.h"

#define BASE "a@1111111111-aaaaaaaaaaaa"
#define HEAD_ENTRY "a@2222222222-bbbbbbbbbbbb"

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
	snprintf(command, sizeof command, "mkdir -p %s/.irdiff/cache/" HEAD_ENTRY, root);
	REQUIRE_INT(system(command), 0);
}

static void end(void)
{
	char command[200];

	snprintf(command, sizeof command, "rm -r %s", root);
	REQUIRE_INT(system(command), 0);
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
	char path[300];

	begin();
	snprintf(path, sizeof path, "%s/.irdiff/cache/" HEAD_ENTRY "/counted_before.txt", root);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		FILE *to = fopen(path, "w");
		REQUIRE(to != NULL);
		fputs(texts[i], to);
		REQUIRE(fclose(to) == 0);
		test_report(!finds(BASE, two_and_one), false, __FILE__, __LINE__, "taken: %s",
			    texts[i]);
	}
	end();
}

TEST_MAIN("counted_before", { "kept", test_kept }, { "damaged", test_damaged })
