/*
 * What services say to the comment on a pull request. Sections "answer STATUS" are their answers,
 * one after the other, whose first line is the Link header; "event" is the file of an event,
 * "report" what is to be said, and "gitlab" asks that service in place of GitHub.
 */
#include <time.h>

#include "callgrind/support/text.h"
#include "src/json/json.h"
#include "src/remote/comment.h"
#include "src/remote/github.h"
#include "src/remote/gitlab.h"
#include "src/remote/http.h"
#include "src/remote/publish.h"
#include "tests/fuzz/sections.h"

#define API "https://api.example"
#define TOKEN "ghs-t0ken"
#define MARKER "<!-- irdiff:comment:x -->"

enum { MOST_IDS = 1000, PLACE = 100 };

/* ---- a service, in place of the one that http.c asks ---- */

struct http {
	const char *at, *end; /* of the input */
	const struct thread *thread;
	uint64_t ids[MOST_IDS]; /* of comments with our marker that were listed */
	size_t nids;
};

/* Who publishes knows nothing of the input. */
static struct http service;

int http_open(const struct http_options *options, struct http **out, struct cg_error *err)
{
	(void)err;
	LAW(strcmp(options->api, API) == 0, "the API is %s", options->api);
	*out = &service;
	return CG_OK;
}

void http_close(struct http *http)
{
	LAW(http == &service, "it is closed once");
}

void http_answer_free(struct http_answer *answer)
{
	free(answer->body);
	free(answer->link);
	*answer = (struct http_answer){ 0 };
}

/* No time passes between attempts. */
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left)
{
	(void)left;
	LAW(wanted->tv_sec >= 0 && wanted->tv_sec <= 60, "a wait of %lld s",
	    (long long)wanted->tv_sec);
	return 0;
}

static void note_ids(struct http *h, const struct http_answer *answer)
{
	struct json_value *list = NULL;

	if (json_read(answer->body, answer->size, "", &list, NULL))
		return;
	for (size_t i = 0; i < json_items(list) && h->nids < MOST_IDS; i++) {
		const char *text = json_text_of(json_member(json_item(list, i), "body"));
		h->nids += text && strncmp(text, MARKER, strlen(MARKER)) == 0 &&
			   json_count_of(json_member(json_item(list, i), "id"), &h->ids[h->nids]);
	}
	json_forget(list);
}

/* Only a comment of ours is changed. */
static void check_update(const struct http *h, const char *url)
{
	size_t len = strlen(h->thread->one);
	char *end;

	LAW(strncmp(url, h->thread->one, len) == 0, "%s is no comment", url);
	uint64_t id = strtoull(url + len, &end, 10);
	for (size_t i = 0; i < h->nids; i++)
		if (h->ids[i] == id && !*end)
			return;
	LAW(false, "comment %s was not listed as ours", url + len);
}

static void check_request(const struct http *h, const char *method, const char *url,
			  const char *body)
{
	struct json_value *sent = NULL;

	if (strcmp(method, "GET") == 0) {
		LAW(!body, "a list is asked for with a body");
		return;
	}
	LAW(body && !json_read(body, strlen(body), "", &sent, NULL), "what is sent is JSON");
	const char *text = json_text_of(json_member(sent, "body"));
	LAW(text && strncmp(text, MARKER "\n", strlen(MARKER) + 1) == 0, "our comment is marked");
	json_forget(sent);
	if (strcmp(method, "POST") == 0)
		LAW(strcmp(url, h->thread->list) == 0, "a comment is created at %s", url);
	else
		check_update(h, url);
}

int http_send(struct http *h, const char *method, const char *url, const char *body,
	      struct http_answer *answer, struct cg_error *err)
{
	struct section s;

	check_request(h, method, url, body);
	if (strncmp(url, API "/", strlen(API) + 1) != 0)
		return cg_fail(err, CG_EINVAL, NULL, 0, "it is another host");
	do
		if (!next_section(&h->at, h->end, &s))
			return cg_fail(err, CG_EIO, NULL, 0, "no answer");
	while (strncmp(s.name, "answer ", 7) != 0);
	const char *end = memchr(s.text, '\n', s.len);
	size_t link = end ? (size_t)(end - s.text) : s.len, skip = link + (end != NULL);
	int status = atoi(s.name + 7);
	*answer = (struct http_answer){ .status = status,
					.size = s.len - skip,
					.retry_after = status % 7 - 1,
					.limited = status == 429 };
	answer->body = strndup(s.text + skip, answer->size);
	answer->size = strlen(answer->body);
	answer->link = link ? strndup(s.text, link) : NULL;
	if (strcmp(method, "GET") == 0 && status / 100 == 2)
		note_ids(h, answer);
	return CG_OK;
}

/* ---- laws ---- */

static void check_text(const char *text, const struct section *report, size_t limit)
{
	size_t units = 0;

	LAW(text && comment_is_ours(text, MARKER), "our comment is known again");
	LAW(text[strlen(MARKER)] == '\n', "the marker has its line");
	for (size_t used, i = 0, len = strlen(text); i < len; i += used) {
		uint32_t code;
		used = cg_utf8_decode(text + i, len - i, &code);
		LAW(used && (!cg_is_control(code) || code == '\n' || code == '\t'),
		    "byte %zu of a comment cannot be sent", i);
		units += code > 0xffff ? 2 : 1;
	}
	LAW(units <= limit || limit < 400, "%zu units of %zu, of %zu bytes", units, limit,
	    report->len);
}

static void check_compose(const struct section *report)
{
	for (size_t limit = 0; limit <= 4096; limit = 2 * limit + 100) {
		char *text = comment_compose(MARKER, report->text, report->len, limit);
		check_text(text, report, limit);
		free(text);
	}
}

static void check_publish(const uint8_t *data, size_t size, const struct section *report,
			  bool on_gitlab)
{
	struct thread *t = NULL;
	struct published out = { 0 };
	struct cg_error err = { 0 };
	char *text = comment_compose(MARKER, report->text, report->len, 4096);
	int status = on_gitlab ? gitlab_thread(API "/", "1", "https://page", TOKEN, 7, &t, &err)
			       : github_thread(API, "a/b", TOKEN, 7, &t, &err);

	LAW(text && !status, "%s", err.message);
	const struct publish_job job = {
		.thread = t, .marker = MARKER, .text = text, .retries = 3
	};
	service = (struct http){ .at = (const char *)data,
				 .end = (const char *)data + size,
				 .thread = t };
	status = publish(&job, &out, &err);
	check_error(status, &err);
	/* The service may know it, and say it. */
	LAW(!strstr(err.message, TOKEN) || memmem(data, size, TOKEN, strlen(TOKEN)), "%s",
	    err.message);
	LAW(!status || (!out.url && !out.updated), "a failure leaves nothing");
	free(out.url);
	free(text);
	thread_free(t);
}

static void check_event(const struct section *event)
{
	bool found = false;
	uint64_t number = 0, of_ref = 0;
	struct cg_error err = { 0 };
	char place[PLACE];
	int status = github_number_of_event(event->text, event->len, &found, &number, &err);

	check_error(status, &err);
	LAW(found == (number > 0), "the number is %" PRIu64, number);
	snprintf(place, sizeof place, "refs/pull/%" PRIu64 "/merge", number);
	LAW(!github_number_of_ref(place, &of_ref) || of_ref == number, "%s is %" PRIu64, place,
	    of_ref);
}

static void check_link(const char *text, size_t len)
{
	char *link = strndup(text, len), *next = thread_next_page(link);

	LAW(!next || (strstr(link, next) && !strchr(next, '>')), "the next page is in the header");
	free(next);
	free(link);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct section event, report, other;

	find_section(data, size, "event", &event);
	find_section(data, size, "report", &report);
	check_event(&event);
	check_link(event.text, event.len);
	check_compose(&report);
	check_publish(data, size, &report, find_section(data, size, "gitlab", &other));
	return 0;
}
