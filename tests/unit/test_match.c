#include "tests/unit/growth.h"
#include "tests/unit/profiles.h"

#include "src/diff/diff.h"

/* Two profiles of so many functions: those of the one have nothing in common with each other, those of the
 * other all have the same last word. */
static struct cg_profile *functions_of(size_t count, const char *format)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	REQUIRE(f != NULL);
	fputs("events: Ir\nob=a\nfl=a.cc\n", f);
	for (size_t i = 0; i < count; i++) {
		fputs("fn=", f);
		fprintf(f, format, i);
		fputs("\n1 5\n", f);
	}
	fclose(f);
	struct cg_profile *p = profile_of(text);
	free(text);
	return p;
}

static void check_apart(size_t count, const char *base, const char *head)
{
	static const struct diff_options exact = { .metric = "Ir" };
	struct cg_profile *b = functions_of(count, base), *h = functions_of(count, head);
	struct cg_error err;
	struct diff *d = NULL;

	REQUIRE_INT(diff_make(b, h, &exact, &d, &err), CG_OK);
	CHECK_U64(d->count, 2 * count);
	diff_free(d);
	cg_profile_free(b);
	cg_profile_free(h);
}

static void match_apart(size_t count)
{
	check_apart(count, "f%zu", "ns%zu::same(int)");
}

static void match_apart_swapped(size_t count)
{
	check_apart(count, "ns%zu::same(int)", "f%zu");
}

/* Functions that only one side has, however many of them are alike. */
static void test_growth(void)
{
	CHECK(grows_in_proportion(match_apart, 16000));
	CHECK(grows_in_proportion(match_apart_swapped, 16000));
}

TEST_MAIN("match", { "growth", test_growth })
