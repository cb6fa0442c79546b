/*
 * Remarks on a comparison that say what its verdict is worth: that counts
 * may differ by chance, that work went where it is not counted, that both sides ran one program.
 */
#ifndef IRDIFF_DIFF_REMARKS_H
#define IRDIFF_DIFF_REMARKS_H

#include "src/diff/judge.h"

enum remark_effect {
	REMARK_WARNING,  /* the verdict stands */
	REMARK_UNSEEN,   /* costs may have moved to where they are not compared, or another
			   measurement broke a limit: a PASS is inconclusive */
	REMARK_CHANCE,   /* counts may differ by chance: a broken limit is inconclusive where no
			   tolerance says by how much */
	REMARK_ESTIMATE, /* counts are estimates, and no tolerance says how good: neither a PASS
			    nor a broken limit stands */
};

/* "warning", "unseen", "chance", "estimate": for programs. Static. */
const char *remark_effect_name(enum remark_effect effect);

struct remark {
	enum remark_effect effect;
	const char *id; /* which kind it is, for programs, such as "threads"; static */
	char *text;     /* a sentence without its period; names in it are hostile */
	char *advice;   /* what to do, another one; NULL: nothing */
	/* The same where several benchmarks have this remark, if that of each names it; static.
	 * NULL: advice is the same for all. */
	const char *shared_advice;
};

struct remarks {
	struct remark *items; /* in the order in which they were added */
	size_t count, cap;
};

/* Takes `text` and `advice` (which may be NULL), made by malloc, also on failure: CG_ENOMEM, also
 * if `text` is NULL. */
int remarks_add(struct remarks *r, enum remark_effect effect, const char *id, char *text,
		char *advice, struct cg_error *err);
/* Removes one; those after it move up. */
void remarks_remove(struct remarks *r, size_t i);
void remarks_free(struct remarks *r);

/* The first one of this kind; NULL: none. */
const struct remark *remarks_find(const struct remarks *r, const char *id);

enum judged { JUDGED_PASS, JUDGED_FAIL, JUDGED_INCONCLUSIVE };

/* What limits and remarks (NULL: none) say together:
 *
 *   fail          a limit fails, and that cannot be chance: nothing says that counts vary, or a
 *                 tolerance on its metric says by how much, or it is no limit on a count;
 *   inconclusive  else if a limit fails, or something was not seen, or counts are estimates;
 *   pass          else. */
enum judged remarks_judge(const struct remarks *r, const struct diff *d, const struct judgement *j);

#endif
