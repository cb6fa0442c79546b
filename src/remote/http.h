/*
 * Requests to the API of a service, one at a time: the only module that uses the HTTP library.
 *
 * A token is sent to one service only: over https (or to this machine), to its host, and never
 * appears in a message. Redirections are not followed. What is received is bounded.
 */
#ifndef IRDIFF_REMOTE_HTTP_H
#define IRDIFF_REMOTE_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"

#define HTTP_ANSWER_MAX ((size_t)64 * 1024 * 1024) /* bytes of a body */
#define HTTP_LINK_MAX 16384                        /* bytes of a Link header */
#define HTTP_TIMEOUT_MAX 600

/* Texts are the caller's and must live as long as the session. */
struct http_options {
	const char *api;            /* the service: requests to other hosts are refused */
	const char *const *headers; /* "Name: value", NULL-terminated, of every request */
	unsigned timeout;           /* seconds, of a request as a whole */
};

/* What came back. http_answer_free. */
struct http_answer {
	int status; /* 200 … */
	char *body; /* `size` bytes and a NUL */
	size_t size;
	char *link;          /* the Link header; NULL: none */
	int64_t retry_after; /* seconds the service asks to wait; -1: it does not */
	bool limited;        /* it refused after too many requests */
};

struct http;

/* CG_EINVAL if a token may not be sent to the URL `api`, or a header is invalid. */
int http_open(const struct http_options *options, struct http **out, struct cg_error *err);
/* NULL is allowed. */
void http_close(struct http *http);

/* Sends a request; `body`, JSON, may be NULL. Any HTTP status is CG_OK. CG_EIO: no response, and
 * it is unknown whether the request was carried out; CG_ERANGE: a response larger than
 * HTTP_ANSWER_MAX; CG_EINVAL: another host. */
int http_send(struct http *http, const char *method, const char *url, const char *body,
	      struct http_answer *answer, struct cg_error *err);
void http_answer_free(struct http_answer *answer);

#endif
