#include "src/remote/publish.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "callgrind/support/text.h"
#include "src/json/json.h"
#include "src/remote/comment.h"
#include "src/remote/http.h"
#include "src/remote/retry.h"

/* The last comments that begin with our marker, last one first. */
struct candidates {
	uint64_t ids[PUBLISH_TRIES_MAX];
	size_t count;
};

/* One attempt to publish. */
struct publish_attempt {
	const struct publish_job *job;
	struct http *http;
	char *body;     /* of a new comment, or a changed one */
	char *self;     /* the name of the token's owner; NULL: not asked yet */
	bool may_pass;  /* it failed, but another attempt may succeed */
	int64_t asked;  /* seconds to wait before that, as the service asks; -1: it does not */
	bool forbidden; /* it failed because this comment may not be changed */
	struct cg_error *err;
};

/* ---- meaning of a response ---- */

/* The service's own message about a failure, in quotes; "" if it has none. */
static const char *own_words(char out[CG_QUOTE_SIZE], const struct http_answer *answer)
{
	struct json_value *root = NULL;
	const char *words = NULL;

	out[0] = '\0';
	if (json_read(answer->body, answer->size, "", &root, NULL))
		return out;
	words = json_text_of(json_member(root, "message"));
	if (!words)
		words = json_text_of(json_member(root, "error"));
	if (words)
		cg_quote(out, words, strlen(words));
	json_forget(root);
	return out;
}

static const char *advice(const struct service *s, int status)
{
	if (status == 401)
		return s->unauthorized;
	if (status == 403)
		return s->forbidden;
	if (status == 404)
		return "not found, or the token may not see it; check the number and the project";
	if (status >= 300 && status < 400)
		return "it has moved; set the API address and the project to its new location";
	if (status >= 500)
		return "the service has a problem; run this job again later";
	return "run this job again with --dry-run to see what is sent where";
}

/* `what`: "list the comments". */
static int refused(struct publish_attempt *a, const char *what, const char *url,
		   const struct http_answer *answer)
{
	const struct service *s = a->job->thread->service;
	char words[CG_QUOTE_SIZE], wait[64] = "";
	own_words(words, answer);

	a->asked = answer->retry_after;
	a->may_pass = answer->limited || answer->status >= 500 || answer->status == 408;
	a->forbidden = !answer->limited && (answer->status == 403 || answer->status == 404);
	if (answer->retry_after >= 0)
		snprintf(wait, sizeof wait, "; it asks to wait %" PRId64 " s", answer->retry_after);
	if (answer->limited)
		return cg_fail(
			a->err, CG_EIO, NULL, 0,
			"cannot %s: %s allows no more requests for now (%d at %s)%s; run this job again later",
			what, s->name, answer->status, url, wait);
	return cg_fail(a->err, CG_EIO, NULL, 0, "cannot %s: %s says %d%s%s at %s%s; %s", what,
		       s->name, answer->status, *words ? " " : "", words, url, wait,
		       advice(s, answer->status));
}

/* Sends a request; only a successful answer of JSON counts. json_forget. */
static int exchange(struct publish_attempt *a, const char *what, const char *method,
		    const char *url, const char *body, struct json_value **root, char **link)
{
	struct http_answer answer = { 0 };
	struct cg_error error = { 0 };
	int status = http_send(a->http, method, url, body, &answer, &error);

	if (status) {
		a->may_pass = status == CG_EIO;
		return cg_fail(a->err, status, NULL, 0, "cannot %s: %s", what, error.message);
	}
	if (answer.status < 200 || answer.status >= 300) {
		status = refused(a, what, url, &answer);
	} else if (json_read(answer.body, answer.size, "the response", root, &error)) {
		a->may_pass = true;
		status = cg_fail(a->err, CG_ESYNTAX, NULL, 0,
				 "cannot %s: %s from %s; check the API address", what,
				 error.message, url);
	} else if (link) {
		*link = answer.link;
		answer.link = NULL;
	}
	http_answer_free(&answer);
	return status;
}

/* ---- looking for ours ---- */

static const char *text_below(const struct json_value *v, const char *const *members)
{
	for (; *members; members++)
		v = json_member(v, *members);
	return json_text_of(v);
}

/* Anyone can write our marker, and a token may change comments of others, so the token's owner
 * is looked up. */
static int find_self(struct publish_attempt *a)
{
	const struct thread *t = a->job->thread;
	const struct service *s = t->service;
	struct json_value *root = NULL;
	const char *name = NULL;
	int status = CG_OK;

	if (a->self)
		return CG_OK;
	a->may_pass = false;
	status = exchange(a, "look up the owner of the token", s->asks ? "POST" : "GET", t->who,
			  s->asks, &root, NULL);
	if (!status)
		name = text_below(root, s->self);
	if (status && (a->may_pass || !s->job))
		return status;
	if (!name)
		name = s->job;
	if (!name)
		status = cg_fail(
			a->err, CG_ESYNTAX, NULL, 0,
			"cannot look up the owner of the token: no name in the response from %s; check the API address",
			t->who);
	else
		status = (a->self = strdup(name)) ? CG_OK : cg_fail_nomem(a->err);
	json_forget(root);
	return status;
}

/* Programs write as NAME[bot], which no person can be called. */
static bool is_self(const char *self, const char *author)
{
	size_t len = strlen(self);
	return strncmp(self, author, len) == 0 &&
	       (!author[len] || strcmp(author + len, "[bot]") == 0);
}

static int examine_comment(struct publish_attempt *a, const struct json_value *comment,
			   struct candidates *c)
{
	const struct service *s = a->job->thread->service;
	const char *const members[] = { s->author[0], s->author[1], NULL };
	const char *text = json_text_of(json_member(comment, "body"));
	const char *author = text_below(comment, members);
	uint64_t id;

	if (!text || !author || !comment_is_ours(text, a->job->marker) ||
	    !json_count_of(json_member(comment, "id"), &id))
		return CG_OK;
	int status = find_self(a);
	if (!status && is_self(a->self, author)) {
		c->count += c->count < PUBLISH_TRIES_MAX;
		memmove(c->ids + 1, c->ids,
			(c->count - 1) * sizeof *c->ids); /* they come oldest first */
		c->ids[0] = id;
	}
	return status;
}

/* Reads one page of comments. *next is the URL of the next one; NULL: this is the last one. */
static int look_at_page(struct publish_attempt *a, const char *url, struct candidates *c,
			char **next)
{
	struct json_value *page = NULL;
	char *link = NULL;
	int status = exchange(a, "list the comments", "GET", url, NULL, &page, &link);

	if (!status && !json_is_list(page)) {
		a->may_pass = true;
		status = cg_fail(
			a->err, CG_ESYNTAX, NULL, 0,
			"cannot list the comments: no list in the response from %s; check the API address",
			url);
	}
	for (size_t i = 0; !status && i < json_items(page); i++)
		status = examine_comment(a, json_item(page, i), c);
	*next = status ? NULL : thread_next_page(link);
	json_forget(page);
	free(link);
	return status;
}

static int look_for_ours(struct publish_attempt *a, struct candidates *c)
{
	const struct thread *t = a->job->thread;
	char *url = NULL;
	int status = CG_OK;

	if (asprintf(&url, "%s?per_page=100%s", t->list, t->service->order) < 0)
		return cg_fail_nomem(a->err);
	for (unsigned page = 0; !status && url && page < PUBLISH_PAGES_MAX; page++) {
		char *next;
		status = look_at_page(a, url, c, &next);
		free(url);
		url = next;
	}
	free(url);
	return status;
}

/* ---- writing ---- */

/* {"body": TEXT}; free() it. */
static char *body_of(const char *text)
{
	struct json *j = json_new();
	char *body = NULL;
	size_t size;
	FILE *to = open_memstream(&body, &size);
	int status = CG_ENOMEM;

	if (j && to) {
		json_text(j, "body", text);
		status = json_finish(j, to);
	} else if (j) {
		json_abandon(j);
	}
	if (to && fclose(to) != 0)
		status = CG_ENOMEM;
	if (status) {
		free(body);
		return NULL;
	}
	return body;
}

/* The URL of the comment, from the service's answer or made from its number. */
static char *url_of(const struct thread *t, const struct json_value *comment)
{
	const char *said = t->service->url ? json_text_of(json_member(comment, t->service->url))
					   : NULL;
	char *url = NULL;
	uint64_t id;

	if (said)
		return strdup(said);
	if (t->page && json_count_of(json_member(comment, "id"), &id) &&
	    asprintf(&url, "%s%" PRIu64, t->page, id) < 0)
		return NULL;
	return url;
}

static int write_to(struct publish_attempt *a, const char *what, const char *method,
		    const char *url, struct published *out)
{
	struct json_value *comment = NULL;
	int status = exchange(a, what, method, url, a->body, &comment, NULL);

	if (!status)
		out->url = url_of(a->job->thread, comment);
	json_forget(comment);
	return status;
}

static int update(struct publish_attempt *a, uint64_t id, struct published *out)
{
	const struct thread *t = a->job->thread;
	char *url = NULL;

	if (asprintf(&url, "%s%" PRIu64, t->one, id) < 0)
		return cg_fail_nomem(a->err);
	a->forbidden = false;
	int status = write_to(a, "update the comment", t->service->update, url, out);
	free(url);
	out->updated = !status;
	return status;
}

/* A comment that may not be changed is locked, or was removed. */
static int publish_once(struct publish_attempt *a, struct published *out)
{
	struct candidates c = { 0 };
	int status = look_for_ours(a, &c);

	if (status)
		return status;
	for (size_t i = 0; i < c.count; i++) {
		status = update(a, c.ids[i], out);
		if (!status || !a->forbidden)
			return status;
	}
	return write_to(a, "create the comment", "POST", a->job->thread->list, out);
}

static void sleep_seconds(int seconds)
{
	struct timespec left = { .tv_sec = seconds };
	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		;
}

static int publish_patiently(struct publish_attempt *a, struct published *out)
{
	struct retry retry = { .left = a->job->retries };

	for (;;) {
		a->may_pass = false;
		a->asked = -1;
		int status = publish_once(a, out);
		int seconds = status && a->may_pass ? retry_next(&retry, a->asked) : -1;
		if (seconds < 0) {
			if (status && retry.done)
				cg_error_context(a->err, "after %u attempts", retry.done + 1);
			return status;
		}
		sleep_seconds(seconds);
	}
}

int publish(const struct publish_job *job, struct published *out, struct cg_error *err)
{
	const struct http_options options = {
		.api = job->thread->api,
		.headers = (const char *const *)job->thread->headers,
		.timeout = job->timeout,
	};
	struct cg_error error = { 0 };
	struct publish_attempt a = { .job = job, .err = &error };
	struct published result = { 0 };
	int status = http_open(&options, &a.http, &error);

	if (!status && !(a.body = body_of(job->text)))
		status = cg_fail_nomem(&error);
	if (!status)
		status = publish_patiently(&a, &result);
	free(a.body);
	free(a.self);
	http_close(a.http);
	if (!status)
		*out = result;
	else if (err)
		*err = error;
	return status;
}
