/* GitHub: which pull request a workflow runs for, and where its comments are. */
#ifndef IRDIFF_REMOTE_GITHUB_H
#define IRDIFF_REMOTE_GITHUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"
#include "src/remote/thread.h"

#define GITHUB_API "https://api.github.com"

extern const struct service github;

/* The number in a GITHUB_REF "refs/pull/N/merge" or "…/head". */
bool github_number_of_ref(const char *ref, uint64_t *number);

/* The number in an event file: of its pull request, of the first pull request of the workflow run
 * that it is about, or of an issue that is one. *found is false if it is about none. CG_ESYNTAX,
 * CG_ENOMEM. */
int github_number_of_event(const char *json, size_t size, bool *found, uint64_t *number,
			   struct cg_error *err);

/* `repository` is "OWNER/NAME", `api` the address of the API. *thread is the caller's, thread_free.
 * CG_EINVAL, CG_ENOMEM. */
int github_thread(const char *api, const char *repository, const char *token, uint64_t number,
		  struct thread **thread, struct cg_error *err);

#endif
