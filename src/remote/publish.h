/* Creating or updating the one comment of a name (comment.h), whatever the service is. */
#ifndef IRDIFF_REMOTE_PUBLISH_H
#define IRDIFF_REMOTE_PUBLISH_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/remote/thread.h"

#define PUBLISH_PAGES_MAX 100 /* of 100 comments each, that are searched for ours */
#define PUBLISH_TRIES_MAX 10  /* comments of ours that are tried to be updated */

struct publish_job {
	const struct thread *thread;
	const char *marker;
	const char *text;
	unsigned timeout; /* seconds, of one request */
	unsigned retries;
};

struct published {
	bool updated; /* otherwise it is a new one */
	char *url;    /* of the comment; NULL: unknown. free() it */
};

/* Updates the newest of our comments that may be updated, or creates one. If an attempt fails
 * for a reason that may pass, the next one looks for comments again, so that a comment whose
 * response was lost is not created twice. The error has the reason, the place and advice. */
int publish(const struct publish_job *job, struct published *out, struct cg_error *err);

#endif
