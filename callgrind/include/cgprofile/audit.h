/*
 * Auditing a profile: redundant numbers in a file must agree.
 *
 *     totals   the self costs of a part add up to its `totals:` line; its
 *              `summary:` line is compared as well
 *     flow     for each called record, self + calls out = calls in
 *
 * Both are checked for every event. If one is violated, the audit looks for the
 * cause in the file itself: it names a cause only if the numbers confirm it, and
 * reports everything else as unexplained. Records without callers are roots, to
 * which the second law does not apply; costs enter the profile through them.
 *
 * The profile should be read with contexts and with all recursion levels, so
 * that records are those of the file.
 */
#ifndef CGPROFILE_AUDIT_H
#define CGPROFILE_AUDIT_H

#include "cgprofile/api.h"
#include "cgprofile/profile.h"

CG_BEGIN_DECLS

enum cg_audit_cause {
	CG_AUDIT_NONE,        /* of a root: the program starts here */
	CG_AUDIT_UNEXPLAINED, /* of a root: the file does not record how it was entered */
	CG_AUDIT_LOST_CALL,   /* the file lacks calls: `other` has exactly what is missing here */
	CG_AUDIT_SPLIT,       /* the same, and `other` is this function in another file */
	CG_AUDIT_LAZY,        /* called through the binder of the dynamic linker */
	CG_AUDIT_ZEROED,      /* its costs were counted but thrown away while it ran */
	CG_AUDIT_ENDED,       /* the program ended in it, in the middle of a block */
	CG_AUDIT_THREAD,      /* threads begin in it */
	CG_AUDIT_ENTERED,     /* entered without a call: by a signal, or before counting began */
	CG_AUDIT_RECURSIVE,   /* it calls itself, and its calls count the calls inside them again */
	CG_AUDIT_NO_COSTS,    /* it is called, but the file has no costs of its own for it */
	CG_AUDIT_ROUNDED,     /* as far off as rounding each of its numbers allows */
	/* of a summary */
	CG_AUDIT_SWITCHED,   /* all 0, as Valgrind writes it after instrumentation was switched */
	CG_AUDIT_OUTSIDE,    /* it leaves out costs of signal handlers or the like */
	CG_AUDIT_UNWRITTEN,  /* it includes counts that are in no record */
	CG_AUDIT_NOT_SUMMED, /* 0: Valgrind knows the sum of this event only after writing */
};

#define CG_AUDIT_CAUSES (CG_AUDIT_NOT_SUMMED + 1)

/* A part whose costs differ from its `totals:` or `summary:` line. */
struct cg_audit_sum {
	uint32_t part, event;
	int64_t self, stated;
	enum cg_audit_cause cause;
};

struct cg_audit_sums {
	struct cg_audit_sum *rows; /* in the order of parts and events */
	size_t count;
	uint32_t missing; /* parts without such a line */
};

/* A root, or a record that does not conserve flow. */
struct cg_audit_record {
	uint32_t record;
	uint32_t event;  /* where it is furthest off, as a share of the total */
	uint32_t events; /* number of events that are off */
	uint32_t other;  /* the record that a cause refers to, or 0 */
	enum cg_audit_cause cause;
};

/*
 * How much calls and their callees disagree: the differences in the flow of called records.
 * It leaves out what makes no path wrong: costs that Valgrind lost at the end of the program or
 * when it set them to zero, and the functions in which threads and signal handlers begin.
 */
struct cg_misfit {
	uint32_t records; /* number of records that differ; 0: the file is consistent */
	uint32_t event;   /* where this is the largest share of the total */
	double percent;   /* that share: the sizes of all differences */
};

struct cg_audit {
	struct cg_audit_sums totals, summaries;

	int64_t *in, *out; /* nrecords * nevents: calls in, self + calls out */
	bool *local;       /* per event: no call has it, so the second law does not apply */
	bool has_calls;
	uint32_t called;                 /* records that are called */
	uint32_t conserving;             /* of these */
	struct cg_audit_record *records; /* the others: unexplained, then cause by cause, each
					    with what is furthest off first */
	struct cg_audit_record *roots;   /* the costliest in the first event first */
	size_t nrecords, nroots, unexplained;
	size_t largest; /* of the records: the one furthest off, whatever its cause */
	struct cg_misfit misfit;

	uint64_t countless; /* calls that cost something but happened 0 times */
	uint64_t oversized; /* calls that cost more than the whole profile */
	bool overflow;      /* sums beyond 2^63 were cut: differences may be wrong */
};

/* The caller frees the result. CG_OK or CG_ENOMEM. */
int cg_audit_make(const struct cg_profile *p, struct cg_audit **out);
void cg_audit_free(struct cg_audit *a);

/* out - in */
int64_t cg_audit_difference(const struct cg_profile *p, const struct cg_audit *a, uint32_t record,
			    uint32_t event);

CG_END_DECLS

#endif
