/* What is reported of commits that fail for one reason. */
#include "src/commits/alike.h"
#include "tests/unit/harness.h"

struct heard {
	char text[1000];
};

static void hear(void *context, enum notice_kind kind, const char *text, size_t size)
{
	struct heard *h = context;
	size_t used = strlen(h->text);

	(void)size;
	snprintf(h->text + used, sizeof h->text - used, "%s%s\n", kind == NOTICE_OUTPUT ? "> " : "",
		 text);
}

static void check_heard(struct heard *h, const char *wanted)
{
	CHECK_STR(h->text, wanted);
	h->text[0] = '\0';
}

static void fail_commit(struct alike *a, const char *id, const char *subject, const char *why)
{
	notice_message(&a->notices, "%s (%s): %s", id, subject, why);
	notice_output(&a->notices, id);
	alike_end(a, subject, true);
}

static void test_same_reason(void)
{
	struct heard heard = { "" };
	const struct notices outer = { .tell = hear, .context = &heard };
	struct alike a;

	alike_init(&a, &outer);
	fail_commit(&a, "0123456789", "One", "no rule");
	check_heard(&heard, "0123456789 (One): no rule\n> 0123456789\n");
	fail_commit(&a, "abcdef0123", "Two", "no rule");
	fail_commit(&a, "fedcba9876", "Three: 3", "no rule");
	CHECK_INT(a.failed, 3);
	check_heard(&heard, "");
	fail_commit(&a, "0000000000", "Four", "no file");
	CHECK_INT(a.failed, 1);
	check_heard(&heard, "2 more commits failed in the same way\n"
			    "0000000000 (Four): no file\n> 0000000000\n");
	fail_commit(&a, "1111111111", "Five", "no file");
	check_heard(&heard, "");
	alike_free(&a);
	check_heard(&heard, "1 more commit failed in the same way\n");
}

/* What is said once, of the first commit, does not make it another failure. */
static void test_notes_of_the_first(void)
{
	struct heard heard = { "" };
	const struct notices outer = { .tell = hear, .context = &heard };
	struct alike a;

	alike_init(&a, &outer);
	notice_message(&a.notices, "nothing was built");
	fail_commit(&a, "0123456789", "One", "no file");
	check_heard(&heard, "nothing was built\n0123456789 (One): no file\n> 0123456789\n");
	fail_commit(&a, "abcdef0123", "Two", "no file");
	notice_message(&a.notices, "nothing was built");
	fail_commit(&a, "abcdef0124", "Three", "no file");
	check_heard(&heard, "");
	notice_message(&a.notices, "no disk");
	fail_commit(&a, "abcdef0125", "Four", "no file");
	check_heard(&heard, "2 more commits failed in the same way\nno disk\n"
			    "abcdef0125 (Four): no file\n> abcdef0125\n");
	alike_free(&a);
	check_heard(&heard, "");
}

/* Nothing that is reported is lost, whenever it comes. */
static void test_nothing_is_lost(void)
{
	struct heard heard = { "" };
	const struct notices outer = { .tell = hear, .context = &heard };
	struct alike a;

	alike_init(&a, &outer);
	notice_warning(&a.notices, "strange");
	alike_end(&a, "One", false);
	check_heard(&heard, "strange\n");
	notice_warning(&a.notices, "strange");
	alike_end(&a, NULL, false);
	check_heard(&heard, "strange\n");
	CHECK_INT(a.failed, 0);
	notice_message(&a.notices, "interrupted");
	alike_free(&a);
	check_heard(&heard, "interrupted\n");
	notice_warning(&a.notices, "late");
	alike_free(&a);
	check_heard(&heard, "late\n");
}

TEST_MAIN("alike", { "one reason", test_same_reason },
	  { "notes of the first commit", test_notes_of_the_first },
	  { "nothing is lost", test_nothing_is_lost })
