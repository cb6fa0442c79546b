/* The comments of a pull or merge request, and how to talk to its service. The differences between
 * services are data, which github.h and gitlab.h fill in. */
#ifndef IRDIFF_REMOTE_THREAD_H
#define IRDIFF_REMOTE_THREAD_H

#include <stdint.h>

#define THREAD_HEADERS_MAX 4

/* A service. */
struct service {
	const char *name;    /* "GitHub" */
	const char *request; /* "pull request" */
	uint32_t limit;      /* of a comment, in characters */
	const char *update;  /* the method */
	const char *order;   /* what a list is asked for besides its length: "&sort=asc" */
	const char *url;     /* the member of a comment that holds its address; NULL: none does */
	const char
		*author[2]; /* the members of a comment, below each other, that name who wrote it */
	/* request that asks for the token's owner; NULL: nothing is sent, by GET */
	const char *asks;
	const char *self[4];      /* the members of the answer that name them; NULL-terminated */
	const char *job;          /* the owner of a token without a name; NULL: that is a failure */
	const char *forbidden;    /* what to do when a comment is refused */
	const char *unauthorized; /* what to do when the token is refused */
};

/* All texts belong to the thread: thread_free. */
struct thread {
	const struct service *service;
	char *api;  /* of requests, without a final slash */
	char *list; /* URL of the comments, also to create one at */
	char *one;  /* URL of a comment, but for its number */
	char *who;  /* URL for the token's owner */
	char *page; /* its address for a browser, but for the number; or NULL */
	char *headers[THREAD_HEADERS_MAX]; /* NULL-terminated; one of them holds the token */
};

/* NULL is allowed. Clears what holds the token. */
void thread_free(struct thread *thread);

/* The URL of the next page of a list, by its Link header (RFC 8288); free() it. NULL: this is the
 * last one, or memory ran out. */
char *thread_next_page(const char *link);

#endif
