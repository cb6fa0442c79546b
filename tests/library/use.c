/*
 * What programs of others do with libcgprofile, in the part of C that is C++ as well: reads a profile, goes
 * through the model, computes, writes and reads again. Prints the total of the first event.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cgprofile/api.h>
#include <cgprofile/audit.h>
#include <cgprofile/error.h>
#include <cgprofile/folded.h>
#include <cgprofile/inclusive.h>
#include <cgprofile/inlines.h>
#include <cgprofile/names.h>
#include <cgprofile/profile.h>
#include <cgprofile/reader.h>
#include <cgprofile/rollup.h>
#include <cgprofile/selection.h>
#include <cgprofile/strings.h>
#include <cgprofile/tree.h>
#include <cgprofile/writer.h>

#define REQUIRE(condition)                                                                         \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "use.c:%d: not so: %s\n", __LINE__, #condition);          \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static struct cg_profile *read_profile(const char *path)
{
	struct cg_read_options options;
	struct cg_profile *p;
	struct cg_error error;

	memset(&options, 0, sizeof options);
	if (cg_read_file(path, &options, &p, &error)) {
		fprintf(stderr, "%s:%" PRIu64 ": %s\n", error.file, error.line, error.message);
		exit(1);
	}
	return p;
}

static void add_up(const struct cg_profile *p)
{
	struct cg_inclusive *inclusive;
	struct cg_audit *audit;
	struct cg_rollup objects;
	int64_t sum = 0;

	REQUIRE(p->nfunctions > 1 && *cg_string(p, p->functions[1].name));
	for (uint32_t r = 1; r < p->nrecords; r++)
		sum += p->record_self[(size_t)r * p->nevents];
	REQUIRE(sum == p->total[0]);
	REQUIRE(cg_event_index(p, cg_string(p, p->events[0].name)) == 0);

	REQUIRE(cg_inclusive_compute(p, NULL, p->nfunctions, &inclusive) == CG_OK);
	REQUIRE(inclusive->count == p->nfunctions && inclusive->cost[p->nevents] <= sum);
	cg_inclusive_free(inclusive);

	REQUIRE(cg_rollup_make(p, CG_BY_OBJECT, &objects) == CG_OK && objects.count > 1);
	cg_rollup_free(&objects);

	REQUIRE(cg_audit_make(p, &audit) == CG_OK && audit->has_calls);
	cg_audit_free(audit);
}

static void write_paths(const struct cg_profile *p)
{
	struct cg_tree_options options;
	struct cg_tree *tree;
	FILE *folded = tmpfile();

	memset(&options, 0, sizeof options);
	REQUIRE(folded && cg_tree_make(p, &options, &tree) == CG_OK);
	REQUIRE(tree->inclusive[0] == p->total[0]);
	REQUIRE(cg_write_folded(tree, 0, folded, NULL) == CG_OK && ftell(folded) > 0);
	cg_tree_free(tree);
	fclose(folded);
}

/* What is written reads as the same costs. */
static void copy(const struct cg_profile *p)
{
	struct cg_write_options how;
	struct cg_read_options options;
	struct cg_profile *again;
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	memset(&how, 0, sizeof how);
	memset(&options, 0, sizeof options);
	REQUIRE(to && cg_write_callgrind(p, &how, to) == CG_OK && fclose(to) == 0);
	REQUIRE(cg_read_memory(text, len, "copy", &options, &again, NULL) == CG_OK);
	REQUIRE(again->total[0] == p->total[0] && again->nfunctions == p->nfunctions);
	cg_profile_free(again);
	free(text);
}

int main(int argc, char **argv)
{
	struct cg_read_options options;
	struct cg_profile *p;
	struct cg_error error;

	memset(&options, 0, sizeof options);
	REQUIRE(argc == 2 && strcmp(cg_version(), CG_VERSION) == 0);
	REQUIRE(cg_name_stem("f.constprop.0", 13) == 1);
	REQUIRE(cg_read_file("/nowhere", &options, &p, &error) == CG_EIO && *error.message);

	p = read_profile(argv[1]);
	add_up(p);
	write_paths(p);
	copy(p);
	printf("%" PRId64 "\n", p->total[0]);
	cg_profile_free(p);
	return 0;
}
