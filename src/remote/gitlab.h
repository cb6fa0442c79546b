/* GitLab: where the notes of a merge request are. */
#ifndef IRDIFF_REMOTE_GITLAB_H
#define IRDIFF_REMOTE_GITLAB_H

#include <stdint.h>

#include "cgprofile/error.h"
#include "src/remote/thread.h"

extern const struct service gitlab;

/* `api` is CI_API_V4_URL, `project` a number or a path with %2F; `page` the address of the project
 * in a browser, or NULL. *thread is the caller's, thread_free. CG_EINVAL, CG_ENOMEM. */
int gitlab_thread(const char *api, const char *project, const char *page, const char *token,
		  uint64_t number, struct thread **thread, struct cg_error *err);

#endif
