/*
 * The ten functions of a profile that cost most by themselves, by libcgprofile(3):
 *
 *	cc -o hottest hottest.c $(pkg-config --cflags --libs libcgprofile)
 *	./hottest callgrind.out.1234
 *
 * A profile has costs of records: of a function at each level of recursion, in each context. Those of a
 * function are added up here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cgprofile/profile.h>
#include <cgprofile/reader.h>

#define EVENT 0 /* the first one of the file, Ir in most */
#define MOST 10

struct row {
	const char *function, *object;
	int64_t self;
};

static int64_t magnitude(int64_t cost)
{
	return cost < 0 ? -cost : cost;
}

/* The largest first; equal ones by name, so that every run prints the same. */
static int compare(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int64_t x = magnitude(a->self), y = magnitude(b->self);

	if (x != y)
		return x > y ? -1 : 1;
	int order = strcmp(a->function, b->function);
	return order ? order : strcmp(a->object, b->object);
}

/* One row for each function; row 0 stands for no function, as in all tables. NULL: out of memory. */
static struct row *rows_of(const struct cg_profile *p)
{
	struct row *rows = calloc(p->nfunctions, sizeof *rows);

	if (!rows)
		return NULL;
	for (uint32_t f = 1; f < p->nfunctions; f++) {
		rows[f].function = cg_string(p, p->functions[f].name);
		rows[f].object = cg_string(p, p->functions[f].object);
	}
	for (uint32_t r = 1; r < p->nrecords; r++)
		rows[p->records[r].function].self += p->record_self[(size_t)r * p->nevents + EVENT];
	return rows;
}

static int print_hottest(const struct cg_profile *p)
{
	struct row *rows = rows_of(p);

	if (!rows)
		return CG_ENOMEM;
	if (p->nfunctions > 1)
		qsort(rows + 1, p->nfunctions - 1, sizeof *rows, compare);
	for (uint32_t i = 1; i < p->nfunctions && i <= MOST && rows[i].self; i++)
		printf("%" PRId64 "\t%s\n", rows[i].self, rows[i].function);
	free(rows);
	return CG_OK;
}

int main(int argc, char **argv)
{
	struct cg_read_options options = { .detail = { .no_calls = true } };
	struct cg_profile *profile;
	struct cg_error error;

	if (argc != 2) {
		fprintf(stderr, "usage: hottest PROFILE\n");
		return 2;
	}
	if (cg_read_file(argv[1], &options, &profile, &error)) {
		fprintf(stderr, "hottest: %s:%" PRIu64 ": %s\n", error.file, error.line, error.message);
		return 1;
	}
	int status = print_hottest(profile);
	cg_profile_free(profile);
	if (status)
		fprintf(stderr, "hottest: out of memory\n");
	return status ? 1 : 0;
}
