#include "tests/unit/harness.h"

#include "src/remote/comment.h"
#include "src/remote/github.h"
#include "src/remote/gitlab.h"
#include "src/remote/http.h"
#include "src/remote/retry.h"
#include "src/remote/thread.h"

/* ---- which pull request ---- */

static uint64_t of_ref(const char *ref)
{
	uint64_t number = 0;
	bool found = github_number_of_ref(ref, &number);
	CHECK_INT(found, number != 0);
	return number;
}

static void test_ref(void)
{
	CHECK_U64(of_ref("refs/pull/7/merge"), 7);
	CHECK_U64(of_ref("refs/pull/123456/head"), 123456);
	CHECK_U64(of_ref("refs/heads/pull/7/merge"), 0);
	CHECK_U64(of_ref("refs/pull/7"), 0);
	CHECK_U64(of_ref("refs/pull/0/merge"), 0);
	CHECK_U64(of_ref("refs/pull/-7/merge"), 0);
	CHECK_U64(of_ref("refs/pull/7/merge/x"), 0);
	CHECK_U64(of_ref("refs/pull/99999999999999999999999/merge"), 0);
	CHECK_U64(of_ref(""), 0);
}

/* 0: it is about none. */
static uint64_t of_event(const char *json)
{
	uint64_t number = 0;
	bool found = false;
	struct cg_error err = { 0 };

	CHECK_INT(github_number_of_event(json, strlen(json), &found, &number, &err), CG_OK);
	CHECK_INT(found, number != 0);
	return number;
}

static void test_event(void)
{
	uint64_t number = 5;
	bool found;
	struct cg_error err = { 0 };

	CHECK_U64(of_event("{\"pull_request\": {\"number\": 7}, \"number\": 8}"), 7);
	CHECK_U64(of_event("{\"pull_request\": {}, \"number\": 8}"), 8);
	CHECK_U64(of_event("{\"workflow_run\": {\"pull_requests\": [{\"number\": 9}, 1]}}"), 9);
	CHECK_U64(of_event("{\"workflow_run\": {\"pull_requests\": []}}"), 0);
	CHECK_U64(of_event("{\"issue\": {\"number\": 3, \"pull_request\": {}}}"), 3);
	/* An issue that is no pull request, and numbers that are none. */
	CHECK_U64(of_event("{\"issue\": {\"number\": 3}, \"number\": 3}"), 0);
	CHECK_U64(of_event("{\"pull_request\": {\"number\": \"7\"}}"), 0);
	CHECK_U64(of_event("{\"pull_request\": {\"number\": -7}}"), 0);
	CHECK_U64(of_event("{\"pull_request\": {\"number\": 7.5}}"), 0);
	CHECK_U64(of_event("[1]"), 0);
	CHECK_INT(github_number_of_event("{\"n", 3, &found, &number, &err), CG_ESYNTAX);
	CHECK(strstr(err.message, "the event is not JSON") != NULL);
	CHECK_U64(number, 5);
}

/* ---- addresses ---- */

static void refuses_repository(const char *repository)
{
	struct thread *thread = NULL;
	struct cg_error err = { 0 };

	CHECK_INT(github_thread(GITHUB_API, repository, "t", 1, &thread, &err), CG_EINVAL);
	CHECK(strstr(err.message, "OWNER/NAME") != NULL);
}

static void test_github_addresses(void)
{
	struct thread *thread = NULL;

	REQUIRE_INT(github_thread("https://x/api/v3//", "o-1/r.x", "t", 7, &thread, NULL), CG_OK);
	CHECK_STR(thread->api, "https://x/api/v3");
	CHECK_STR(thread->list, "https://x/api/v3/repos/o-1/r.x/issues/7/comments");
	CHECK_STR(thread->one, "https://x/api/v3/repos/o-1/r.x/issues/comments/");
	CHECK_STR(thread->headers[0], "Authorization: Bearer t");
	CHECK(thread->headers[THREAD_HEADERS_MAX - 1] == NULL);
	thread_free(thread);
	for (const char *const *r =
		     (const char *const[]){ "", "o", "o/", "/r", "o/r/x", "o/..", "../r", "o/r?x",
					    "o/r#", "o /r", "o/r\n", NULL };
	     *r; r++)
		refuses_repository(*r);
}

static void test_gitlab_addresses(void)
{
	struct thread *thread = NULL;

	REQUIRE_INT(gitlab_thread("https://x/api/v4", "42", "https://x/o/r", "t", 7, &thread, NULL),
		    CG_OK);
	CHECK_STR(thread->list, "https://x/api/v4/projects/42/merge_requests/7/notes");
	CHECK_STR(thread->one, "https://x/api/v4/projects/42/merge_requests/7/notes/");
	CHECK_STR(thread->page, "https://x/o/r/-/merge_requests/7#note_");
	CHECK_STR(thread->headers[0], "PRIVATE-TOKEN: t");
	thread_free(thread);
	REQUIRE_INT(gitlab_thread("https://x", "o%2Fr", NULL, "t", 7, &thread, NULL), CG_OK);
	CHECK(thread->page == NULL);
	thread_free(thread);
	CHECK_INT(gitlab_thread("https://x", "o/r", NULL, "t", 7, &thread, NULL), CG_EINVAL);
	CHECK_INT(gitlab_thread("https://x", "..", NULL, "t", 7, &thread, NULL), CG_EINVAL);
	CHECK_INT(gitlab_thread("https://x", "", NULL, "t", 7, &thread, NULL), CG_EINVAL);
}

static void links_to(const char *link, const char *expected)
{
	char *next = thread_next_page(link);
	CHECK_STR(next, expected);
	free(next);
}

static void test_links(void)
{
	links_to("<https://x/a?page=2>; rel=\"next\", <https://x/a?page=9>; rel=\"last\"",
		 "https://x/a?page=2");
	links_to("<https://x/1>; rel=\"prev\", <https://x/3,4>; title=\"a, b\"; rel=\"next\"",
		 "https://x/3,4");
	links_to("<u>;rel=next", "u");
	links_to("<u>; REL=\"last next\"", "u");
	links_to("<u>; rel=\"nextest\"", NULL);
	links_to("<u>; xrel=\"next\"", NULL);
	links_to("<u>; title=\"x\", <v>; rel=\"last\"", NULL);
	links_to("<u>; rel=\"next", "u");
	links_to("<u", NULL);
	links_to("", NULL);
	links_to(NULL, NULL);
}

static void refuses_api(const char *api, const char *why)
{
	const char *const headers[] = { NULL };
	const struct http_options options = { .api = api, .headers = headers, .timeout = 1 };
	struct http *http = NULL;
	struct cg_error err = { 0 };

	CHECK_INT(http_open(&options, &http, &err), CG_EINVAL);
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__, "%s: %s", api,
		    err.message);
	http_close(http);
}

/* Where a token may go. */
static void test_hosts(void)
{
	const char *const headers[] = { "Authorization: Bearer t", NULL };
	const struct http_options options = { "https://api.example.org/v4", headers, 1 };
	struct http *http = NULL;
	struct http_answer answer;

	refuses_api("http://example.org", "which is not https");
	refuses_api("http://127.0.0.1.example.org", "which is not https");
	refuses_api("ftp://127.0.0.1", "which is not https");
	refuses_api("https://u:p@example.org", "user or password");
	refuses_api("nonsense nonsense", "URL");
	refuses_api("", "URL");
	REQUIRE_INT(http_open(&options, &http, NULL), CG_OK);
	for (const char *const *url =
		     (const char *const[]){ "http://api.example.org/v4",
					    "https://api.example.org:444/", "https://example.org/",
					    "https://api.example.org@evil.org/",
					    "https://u@api.example.org/", "/v4", "", NULL };
	     *url; url++)
		CHECK_INT(http_send(http, "GET", *url, NULL, &answer, NULL), CG_EINVAL);
	http_close(http);
}

/* ---- the comment ---- */

static void test_names(void)
{
	char marker[COMMENT_MARKER_SIZE], longest[COMMENT_NAME_MAX + 2];
	struct cg_error err = { 0 };

	CHECK_STR(comment_marker(marker, "a-b/c"), "<!-- irdiff:comment:a-b/c -->");
	for (const char *const *n =
		     (const char *const[]){ "irdiff", "a", "a-b_c.d:e/f", "1", NULL };
	     *n; n++)
		CHECK_INT(comment_check_name(*n, &err), CG_OK);
	for (const char *const *n = (const char *const[]){ "", "-->", "a--b", "a-", "-a", "a>b",
							   "a b", "\xc3\xa4", "a\n", NULL };
	     *n; n++)
		CHECK_INT(comment_check_name(*n, &err), CG_EINVAL);
	memset(longest, 'a', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	CHECK_INT(comment_check_name(longest, &err), CG_EINVAL);
	CHECK_INT(comment_check_name(longest + 1, &err), CG_OK);
	CHECK_INT(strlen(comment_marker(marker, longest + 1)), COMMENT_NAME_MAX + 24);
}

static void test_marker(void)
{
	char marker[COMMENT_MARKER_SIZE];
	comment_marker(marker, "a");
	CHECK(comment_is_ours("<!-- irdiff:comment:a -->\r\ntext", marker));
	CHECK(!comment_is_ours("<!-- irdiff:comment:ab -->", marker));
	CHECK(!comment_is_ours(" <!-- irdiff:comment:a -->", marker));
	CHECK(!comment_is_ours("> <!-- irdiff:comment:a -->", marker));
	CHECK(!comment_is_ours("<!-- irdiff:comm", marker));
}

static void composes(const char *report, size_t size, size_t limit, const char *expected)
{
	char *text = comment_compose("M", report, size, limit);
	CHECK_STR(text, expected);
	free(text);
}

static void test_compose(void)
{
	composes("a\tb\n", 4, 100, "M\na\tb\n");
	composes("a\0\x1b\xff\r\nb\r\xc2\x85", 10, 100,
		 "M\na\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\n"
		 "b\xef\xbf\xbd\xef\xbf\xbd");
	composes("", 0, 100, "M\n");
	/* A character beyond the first plane is two units. */
	composes("\xf0\x9f\x98\x80", 4, 4, "M\n\xf0\x9f\x98\x80");
}

#define NOTE "\n\n*The report is cut here: it is too long for a comment.*\n"

/* The report, followed by so much that only its first units fit. */
static void cuts(const char *report, size_t fits, const char *expected)
{
	char *longer = malloc(strlen(report) + 1001);
	REQUIRE(longer != NULL);
	size_t len = strlen(report);
	memcpy(longer, report, len);
	memset(longer + len, 'x', 1000);
	composes(longer, len + 1000, fits + 256 + 2, expected);
	free(longer);
}

static void test_cuts(void)
{
	cuts("one\ntwo\n", 10, "M\none\ntwo\n" NOTE);
	cuts("one\ntwo\n", 7, "M\none\n" NOTE);
	cuts("", 3, "M\nxxx" NOTE);
	cuts("```c\ncode\n", 10, "M\n```c\ncode\n\n```" NOTE);
	cuts("~~~\n```\n<details>\n", 18, "M\n~~~\n```\n<details>\n\n~~~" NOTE);
	cuts("```\n```\n", 8, "M\n```\n```\n" NOTE);
	cuts("<details><details></details>\n", 29,
	     "M\n<details><details></details>\n\n\n</details>" NOTE);
	cuts("</details>\n<details>\n", 21, "M\n</details>\n<details>\n\n\n</details>" NOTE);
}

/* ---- patience ---- */

static void test_retries(void)
{
	struct retry r = { .left = 4 };
	CHECK_INT(retry_next(&r, -1), 1);
	CHECK_INT(retry_next(&r, -1), 2);
	CHECK_INT(retry_next(&r, 0), 0);
	CHECK_INT(retry_next(&r, -1), 8);
	CHECK_INT(retry_next(&r, 0), -1);
	CHECK_INT(r.done, 4);
	CHECK_INT(r.waited, 11);

	/* All waits together are bounded, and what is asked for is not undercut. */
	r = (struct retry){ .left = 1000 };
	CHECK_INT(retry_next(&r, 61), -1);
	CHECK_INT(retry_next(&r, 50), 50);
	CHECK_INT(retry_next(&r, 11), -1);
	CHECK_INT(retry_next(&r, 10), 10);
	CHECK_INT(retry_next(&r, INT64_MAX), -1);
	CHECK_INT(retry_next(&r, -1), -1);
	unsigned attempts = 0;
	for (r = (struct retry){ .left = 1000 }; retry_next(&r, -1) >= 0;)
		attempts++;
	CHECK_INT(attempts, 5);
	r = (struct retry){ 0 };
	CHECK_INT(retry_next(&r, -1), -1);
}

TEST_MAIN("remote", { "a ref names a pull request", test_ref },
	  { "an event names one", test_event }, { "addresses at GitHub", test_github_addresses },
	  { "addresses at GitLab", test_gitlab_addresses },
	  { "where the next page is", test_links }, { "where a token may go", test_hosts },
	  { "names of comments", test_names }, { "which comment is ours", test_marker },
	  { "what is sent", test_compose }, { "what is too long", test_cuts },
	  { "when and how often to try again", test_retries })
