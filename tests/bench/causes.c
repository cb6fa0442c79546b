/*
 * Usage: causes BASE HEAD
 *
 * How well the paths of two profiles are matched: the sum of the sizes of all causes in times of
 * the difference, which is 1 at best, after each step of src/diff/tree_match.h. Prints the four
 * quotients and the difference, separated by tabs.
 */
#include <inttypes.h>
#include <stdio.h>

#include "callgrind/support/number.h"
#include "cgprofile/reader.h"
#include "src/diff/causes.h"

static int print_step(const struct diff *d, enum tree_step last, struct cg_error *err)
{
	struct tree_diff *tree = NULL;
	struct causes *causes = NULL;
	int status = tree_diff_make(d, last, TREE_EVERY_ROW, &tree, err);

	if (!status)
		status = causes_make(tree, NULL, &causes, err);
	if (!status)
		printf("%.2f\t",
		       (double)causes->sum_of_sizes / (double)cg_magnitude(causes->delta));
	if (!status && last == TREE_ALL)
		printf("%" PRId64 "\n", causes->delta);
	causes_free(causes);
	tree_diff_free(tree);
	return status;
}

int main(int argc, char **argv)
{
	const struct diff_options options = { .metric = "Ir" };
	const struct cg_read_options read = { .detail.contexts = true };
	struct cg_profile *base = NULL, *head = NULL;
	struct cg_error err = { 0 };
	struct diff *d = NULL;

	if (argc != 3) {
		fputs("usage: causes BASE HEAD\n", stderr);
		return 2;
	}
	int status = cg_read_file(argv[1], &read, &base, &err);
	if (!status)
		status = cg_read_file(argv[2], &read, &head, &err);
	if (!status)
		status = diff_make(base, head, &options, &d, &err);
	for (int step = TREE_BY_NAME; !status && step <= TREE_ALL; step++)
		status = print_step(d, (enum tree_step)step, &err);
	if (status)
		fprintf(stderr, "causes: %s\n", err.message);
	diff_free(d);
	cg_profile_free(base);
	cg_profile_free(head);
	return status ? 2 : 0;
}
