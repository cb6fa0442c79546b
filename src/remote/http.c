#include "src/remote/http.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "callgrind/support/grow.h"
#include "src/library/library.h"

#define CONNECT_SECONDS 10

/* Its entry points, as <curl/curl.h> declares them. */
struct libcurl {
	__typeof__(&curl_global_init) global_init;
	__typeof__(&curl_global_cleanup) global_cleanup;
	__typeof__(&curl_easy_init) easy_init;
	CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
	CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
	__typeof__(&curl_easy_perform) easy_perform;
	__typeof__(&curl_easy_strerror) easy_strerror;
	__typeof__(&curl_easy_cleanup) easy_cleanup;
	__typeof__(&curl_slist_append) slist_append;
	__typeof__(&curl_slist_free_all) slist_free_all;
	__typeof__(&curl_url) url;
	__typeof__(&curl_url_set) url_set;
	__typeof__(&curl_url_get) url_get;
	__typeof__(&curl_url_cleanup) url_cleanup;
	__typeof__(&curl_free) free;
};

struct http {
	struct libcurl lib;
	bool initialized;
	CURL *curl;
	struct curl_slist *headers;
	struct http_options kept;
	char error[CURL_ERROR_SIZE];
};

/* An answer that is being received. */
struct incoming {
	struct http_answer answer;
	size_t cap;
	bool asks;      /* to wait */
	int64_t reset;  /* when requests are allowed again; -1: not said */
	bool none_left; /* no request is allowed until then */
	bool too_large, no_memory;
};

/* ---- the library ---- */

static int load_library(struct libcurl *lib, struct cg_error *err)
{
	static const struct library_symbol symbols[] = {
		{ "curl_global_init", offsetof(struct libcurl, global_init) },
		{ "curl_global_cleanup", offsetof(struct libcurl, global_cleanup) },
		{ "curl_easy_init", offsetof(struct libcurl, easy_init) },
		{ "curl_easy_setopt", offsetof(struct libcurl, easy_setopt) },
		{ "curl_easy_getinfo", offsetof(struct libcurl, easy_getinfo) },
		{ "curl_easy_perform", offsetof(struct libcurl, easy_perform) },
		{ "curl_easy_strerror", offsetof(struct libcurl, easy_strerror) },
		{ "curl_easy_cleanup", offsetof(struct libcurl, easy_cleanup) },
		{ "curl_slist_append", offsetof(struct libcurl, slist_append) },
		{ "curl_slist_free_all", offsetof(struct libcurl, slist_free_all) },
		{ "curl_url", offsetof(struct libcurl, url) },
		{ "curl_url_set", offsetof(struct libcurl, url_set) },
		{ "curl_url_get", offsetof(struct libcurl, url_get) },
		{ "curl_url_cleanup", offsetof(struct libcurl, url_cleanup) },
		{ "curl_free", offsetof(struct libcurl, free) },
	};

	return library_load("libcurl.so.4", "libcurl4", symbols, sizeof symbols / sizeof *symbols,
			    lib, err);
}

/* ---- URLs ---- */

/* Scheme, host and port of a URL, all before the path. Texts of libcurl. */
struct origin {
	char *scheme, *host, *port;
	bool has_user;
};

static void origin_free(const struct libcurl *lib, struct origin *o)
{
	lib->free(o->scheme);
	lib->free(o->host);
	lib->free(o->port);
}

static bool origin_of(const struct libcurl *lib, const char *url, struct origin *out)
{
	struct origin o = { 0 };
	char *user = NULL;
	CURLU *parts = lib->url();
	bool ok = parts && lib->url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
		  lib->url_get(parts, CURLUPART_SCHEME, &o.scheme, 0) == CURLUE_OK &&
		  lib->url_get(parts, CURLUPART_HOST, &o.host, 0) == CURLUE_OK &&
		  lib->url_get(parts, CURLUPART_PORT, &o.port, CURLU_DEFAULT_PORT) == CURLUE_OK;

	if (ok && lib->url_get(parts, CURLUPART_USER, &user, 0) == CURLUE_OK)
		o.has_user = true;
	lib->free(user);
	lib->url_cleanup(parts);
	if (ok)
		*out = o;
	else
		origin_free(lib, &o);
	return ok;
}

static bool same_origin(const struct libcurl *lib, const char *one, const char *other)
{
	struct origin a = { 0 }, b = { 0 };
	bool same = origin_of(lib, one, &a) && origin_of(lib, other, &b) &&
		    strcasecmp(a.scheme, b.scheme) == 0 && strcasecmp(a.host, b.host) == 0 &&
		    strcmp(a.port, b.port) == 0 && !b.has_user;

	origin_free(lib, &a);
	origin_free(lib, &b);
	return same;
}

static bool is_this_machine(const char *host)
{
	return strcasecmp(host, "localhost") == 0 || strcmp(host, "127.0.0.1") == 0 ||
	       strcmp(host, "[::1]") == 0;
}

static int check_api(const struct libcurl *lib, const char *api, struct cg_error *err)
{
	struct origin o = { 0 };
	int status = CG_OK;

	if (!origin_of(lib, api, &o))
		return cg_fail(err, CG_EINVAL, NULL, 0, "the API address is not a URL: '%s'", api);
	if (o.has_user)
		/* it may be a secret, and is not shown */
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "the API address must not contain a user or password");
	else if (strcasecmp(o.scheme, "https") != 0 &&
		 (strcasecmp(o.scheme, "http") != 0 || !is_this_machine(o.host)))
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "refusing to send a token to '%s', which is not https", api);
	origin_free(lib, &o);
	return status;
}

/* ---- the session ---- */

static size_t on_header(char *line, size_t size, size_t n, void *to);
static size_t on_body(char *bytes, size_t size, size_t n, void *to);

static bool add_header(struct http *h, const char *header)
{
	struct curl_slist *longer = h->lib.slist_append(h->headers, header);
	if (longer)
		h->headers = longer;
	return longer != NULL;
}

/* Adds headers; one with a line end would become two. */
static int add_headers(struct http *h, struct cg_error *err)
{
	bool ok = add_header(h, "Content-Type: application/json") && add_header(h, "Expect:");

	for (const char *const *header = h->kept.headers; ok && *header; header++) {
		for (const char *c = *header; *c; c++)
			if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
				return cg_fail(
					err, CG_EINVAL, NULL, 0,
					"the token contains characters that are not allowed, such as a line break");
		ok = add_header(h, *header);
	}
	return ok ? CG_OK : cg_fail_nomem(err);
}

static bool limit_protocols(const struct http *h)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	return h->lib.easy_setopt(h->curl, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK;
#else
	return h->lib.easy_setopt(h->curl, CURLOPT_PROTOCOLS,
				  (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS)) == CURLE_OK;
#endif
}

static bool set_up(struct http *h)
{
	long timeout = (long)h->kept.timeout;
	long connect = timeout < CONNECT_SECONDS ? timeout : CONNECT_SECONDS;
	/* An unencrypted request stays on this machine: no proxy sees the token. */
	bool plain = strncasecmp(h->kept.api, "http:", strlen("http:")) == 0;

	/* If a reused connection turns out to be lost, libcurl repeats the request by itself, even
	 * one that created something. So no connection is reused. */
	return limit_protocols(h) &&
	       h->lib.easy_setopt(h->curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_NOPROGRESS, 1L) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_FORBID_REUSE, 1L) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) == CURLE_OK &&
	       (!plain || h->lib.easy_setopt(h->curl, CURLOPT_PROXY, "") == CURLE_OK) &&
	       h->lib.easy_setopt(h->curl, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_TIMEOUT, timeout) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_CONNECTTIMEOUT, connect) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_USERAGENT, "irdiff/" PACKAGE_VERSION) ==
		       CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_HTTPHEADER, h->headers) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_ERRORBUFFER, h->error) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_HEADERFUNCTION, on_header) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_WRITEFUNCTION, on_body) == CURLE_OK;
}

static int set_up_library(struct http *h, struct cg_error *err)
{
	int status = load_library(&h->lib, err);
	if (!status)
		status = check_api(&h->lib, h->kept.api, err);
	if (!status && h->lib.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		status = cg_fail(err, CG_EIO, NULL, 0, "cannot set up libcurl");
	h->initialized = !status;
	return status;
}

int http_open(const struct http_options *options, struct http **out, struct cg_error *err)
{
	struct http *h = calloc(1, sizeof *h);
	if (!h)
		return cg_fail_nomem(err);

	h->kept = *options;
	int status = set_up_library(h, err);
	if (!status) {
		h->curl = h->lib.easy_init();
		status = h->curl ? add_headers(h, err) : cg_fail_nomem(err);
	}
	if (!status && !set_up(h))
		status = cg_fail(err, CG_EIO, NULL, 0, "cannot set up libcurl for https");
	if (status) {
		http_close(h);
		return status;
	}
	*out = h;
	return CG_OK;
}

void http_close(struct http *h)
{
	if (h && h->initialized) {
		h->lib.easy_cleanup(h->curl);
		h->lib.slist_free_all(h->headers);
		h->lib.global_cleanup();
	}
	free(h);
}

/* ---- receiving ---- */

/* The value of a header, if the line has it; *len is its length. */
static const char *header_value(const char *line, size_t size, const char *name, size_t *len)
{
	size_t n = strlen(name);
	if (size <= n || strncasecmp(line, name, n) != 0 || line[n] != ':')
		return NULL;

	const char *value = line + n + 1, *end = line + size;
	while (value < end && (*value == ' ' || *value == '\t'))
		value++;
	while (end > value && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' '))
		end--;
	*len = (size_t)(end - value);
	return value;
}

static int64_t seconds_of(const char *value, size_t len)
{
	int64_t n = 0;
	for (size_t i = 0; i < len; i++) {
		if (value[i] < '0' || value[i] > '9' || n > INT32_MAX)
			return -1;
		n = 10 * n + (value[i] - '0');
	}
	return len ? n : -1;
}

static size_t on_header(char *line, size_t size, size_t n, void *to)
{
	struct incoming *in = to;
	size_t bytes = size * n, len;
	const char *value;

	if ((value = header_value(line, bytes, "Link", &len)) && len <= HTTP_LINK_MAX) {
		free(in->answer.link);
		in->answer.link = strndup(value, len);
		in->no_memory |= !in->answer.link;
	} else if (header_value(line, bytes, "Retry-After", &len)) {
		in->asks = true;
	} else if ((value = header_value(line, bytes, "X-RateLimit-Remaining", &len))) {
		in->none_left = len == 1 && *value == '0';
	} else if ((value = header_value(line, bytes, "X-RateLimit-Reset", &len))) {
		in->reset = seconds_of(value, len);
	}
	return in->no_memory ? 0 : bytes;
}

static size_t on_body(char *bytes, size_t size, size_t n, void *to)
{
	struct incoming *in = to;
	struct http_answer *a = &in->answer;
	size_t more = size * n;

	if (more > HTTP_ANSWER_MAX - a->size) {
		in->too_large = true;
		return 0;
	}
	if (cg_grow(&a->body, &in->cap, a->size + more + 1, 1)) {
		in->no_memory = true;
		return 0;
	}
	memcpy(a->body + a->size, bytes, more);
	a->size += more;
	a->body[a->size] = '\0';
	return more;
}

void http_answer_free(struct http_answer *a)
{
	free(a->body);
	free(a->link);
	*a = (struct http_answer){ 0 };
}

/* ---- one request ---- */

static int perform(struct http *h, const char *url, const struct incoming *in, struct cg_error *err)
{
	h->error[0] = '\0';
	CURLcode code = h->lib.easy_perform(h->curl);

	if (in->no_memory || code == CURLE_OUT_OF_MEMORY)
		return cg_fail_nomem(err);
	if (in->too_large)
		return cg_fail(err, CG_ERANGE, NULL, 0,
			       "the response from %s is larger than %zu bytes", url,
			       HTTP_ANSWER_MAX);
	if (code == CURLE_OPERATION_TIMEDOUT)
		return cg_fail(err, CG_EIO, NULL, 0, "no response from %s within %u s", url,
			       h->kept.timeout);
	if (code != CURLE_OK)
		return cg_fail(err, CG_EIO, NULL, 0, "no response from %s: %s", url,
			       h->error[0] ? h->error : h->lib.easy_strerror(code));
	return CG_OK;
}

/* Notes when the service allows to try again: after how long, or at what time. */
static void note_limits(struct http *h, struct incoming *in)
{
	curl_off_t wait = 0;
	struct http_answer *a = &in->answer;

	a->retry_after = -1;
	if (in->asks && h->lib.easy_getinfo(h->curl, CURLINFO_RETRY_AFTER, &wait) == CURLE_OK)
		a->retry_after = wait;
	a->limited = a->status == 429 ||
		     (a->status == 403 && (in->none_left || a->retry_after >= 0));
	if (a->limited && a->retry_after < 0 && in->reset >= 0) {
		int64_t left = in->reset - (int64_t)time(NULL);
		a->retry_after = left > 0 ? left : 0;
	}
}

static bool prepare_request(struct http *h, const char *method, const char *url, const char *body,
			    struct incoming *in)
{
	return h->lib.easy_setopt(h->curl, CURLOPT_URL, url) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_POSTFIELDS, body) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE,
				  (curl_off_t)(body ? strlen(body) : 0)) == CURLE_OK &&
	       (body || h->lib.easy_setopt(h->curl, CURLOPT_HTTPGET, 1L) == CURLE_OK) &&
	       h->lib.easy_setopt(h->curl, CURLOPT_CUSTOMREQUEST, method) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_HEADERDATA, in) == CURLE_OK &&
	       h->lib.easy_setopt(h->curl, CURLOPT_WRITEDATA, in) == CURLE_OK;
}

int http_send(struct http *h, const char *method, const char *url, const char *body,
	      struct http_answer *answer, struct cg_error *err)
{
	struct incoming in = { .reset = -1 };
	long code = 0;

	if (!same_origin(&h->lib, h->kept.api, url))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s is not at %s; refusing to send the token there", url,
			       h->kept.api);
	if (!prepare_request(h, method, url, body, &in))
		return cg_fail_nomem(err);

	int status = perform(h, url, &in, err);
	if (!status && !in.answer.body && !(in.answer.body = calloc(1, 1)))
		status = cg_fail_nomem(err);
	if (status) {
		http_answer_free(&in.answer);
		return status;
	}
	h->lib.easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &code);
	in.answer.status = (int)code;
	note_limits(h, &in);
	*answer = in.answer;
	return CG_OK;
}
