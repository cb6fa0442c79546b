/* Which pull or merge request irdiff runs for, as the environment of a CI says it. */
#ifndef IRDIFF_CLI_PULL_REQUEST_H
#define IRDIFF_CLI_PULL_REQUEST_H

#include <stdint.h>

#include "cgprofile/error.h"
#include "src/remote/thread.h"

#define SERVICES "auto|github|gitlab"

/* The service that is named, or with "auto" the one whose variables are set; NULL: none is. */
const struct service *pull_request_service(const char *name);

/* Where its comments are; `number` 0: of the request that the environment names. The message of a
 * failure says what is missing, and holds no token. *thread is the caller's, thread_free. */
int pull_request_find(const struct service *service, uint64_t number, struct thread **thread,
		      struct cg_error *err);

#endif
