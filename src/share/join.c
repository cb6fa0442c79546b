#include "src/share/join.h"

#include <stdlib.h>
#include <string.h>

/* Of two rows of one key; that of the other machine if they are the same. */
static void join_row(struct joined_commit *to, struct joined_fan *fan,
		     const struct shared_row *ours, const struct shared_row *theirs)
{
	bool mine = ours && (!theirs || shared_row_wins(ours, theirs));
	bool is_theirs = theirs && (!ours || shared_row_wins(theirs, ours));

	to->rows[to->nrows++] = (struct joined_row){ mine ? ours : theirs, is_theirs };
	fan->from_here += mine;
	fan->from_there += is_theirs;
}

/* Both lists of rows are sorted by key. */
static int join_commit(const struct shared_commit *ours, const struct shared_commit *theirs,
		       struct joined_fan *fan, struct cg_error *err)
{
	static const struct shared_commit none = { .rows = NULL };
	const struct shared_commit *a = ours ? ours : &none, *b = theirs ? theirs : &none;
	struct joined_commit c = { .id = ours ? ours->id : theirs->id };
	size_t before = fan->from_here;

	c.rows = calloc(a->nrows + b->nrows + 1, sizeof *c.rows);
	if (!c.rows)
		return cg_fail_nomem(err);
	for (size_t i = 0, k = 0; i < a->nrows || k < b->nrows;) {
		int order = i == a->nrows   ? 1
			    : k == b->nrows ? -1
					    : strcmp(a->rows[i].key, b->rows[k].key);
		join_row(&c, fan, order <= 0 ? &a->rows[i] : NULL, order >= 0 ? &b->rows[k] : NULL);
		i += order <= 0;
		k += order >= 0;
	}
	c.blob = fan->from_here == before ? b->blob : "";
	fan->nrows += c.nrows;
	fan->commits[fan->ncommits++] = c;
	return CG_OK;
}

int share_join(const struct shared_fan *ours, const struct shared_fan *theirs,
	       struct joined_fan *out, struct cg_error *err)
{
	struct joined_fan fan = { 0 };
	int status = CG_OK;

	fan.commits = calloc(ours->ncommits + theirs->ncommits + 1, sizeof *fan.commits);
	if (!fan.commits)
		return cg_fail_nomem(err);
	for (size_t i = 0, k = 0; !status && (i < ours->ncommits || k < theirs->ncommits);) {
		const struct shared_commit *a = &ours->commits[i], *b = &theirs->commits[k];
		int order = i == ours->ncommits     ? 1
			    : k == theirs->ncommits ? -1
						    : strcmp(a->id, b->id);
		status = join_commit(order <= 0 ? a : NULL, order >= 0 ? b : NULL, &fan, err);
		i += order <= 0;
		k += order >= 0;
	}
	if (status)
		joined_fan_free(&fan);
	else
		*out = fan;
	return status;
}

void joined_fan_free(struct joined_fan *fan)
{
	for (size_t i = 0; i < fan->ncommits; i++)
		free(fan->commits[i].rows);
	free(fan->commits);
	*fan = (struct joined_fan){ 0 };
}
