#include "src/formats/formats.h"

#include <stdlib.h>
#include <string.h>

#include "src/formats/json_format.h"
#include "src/formats/json_weight.h"

struct json_format {
	bool (*is)(const struct json_value *root);
	json_format_read *read; /* NULL: it is refused */
	const char *refusal;
};

static bool is_chrome_trace(const struct json_value *root)
{
	const struct json_value *first = json_item(root, 0);
	return json_is_list(json_member(root, "traceEvents")) ||
	       (json_text_of(json_member(first, "ph")) && json_member(first, "ts"));
}

static bool is_v8(const struct json_value *root)
{
	return (json_is_list(json_member(root, "nodes")) && json_member(root, "startTime")) ||
	       json_member(json_member(root, "head"), "callFrame");
}

static bool is_raw_gecko(const struct json_value *root)
{
	const struct json_value *thread = json_item(json_member(root, "threads"), 0);
	return json_member(json_member(thread, "samples"), "schema");
}

static bool is_report(const struct json_value *root)
{
	const char *schema = json_text_of(json_member(root, "schema"));
	return schema && strncmp(schema, "irdiff/", 7) == 0;
}

static bool is_any_json(const struct json_value *root)
{
	(void)root;
	return true;
}

/* The first that fits. */
static const struct json_format known[] = {
	{ dhat_is, dhat_read, NULL },
	{ speedscope_is, speedscope_read, NULL },
	{ is_raw_gecko, NULL,
	  "an unprocessed profile of Firefox: open it in profiler.firefox.com and save it from there" },
	{ firefox_is, firefox_read, NULL },
	{ is_chrome_trace, NULL,
	  "a trace of Chrome, which irdiff does not read: open it in speedscope.app and export it from there" },
	{ is_v8, NULL,
	  "a profile of V8, which irdiff does not read: open it in speedscope.app and export it from there" },
	{ is_report, NULL, "a report of irdiff, not a profile: compare the profiles themselves" },
	{ is_any_json, NULL,
	  "JSON that is no profile irdiff knows: it reads those of DHAT, speedscope and the Firefox Profiler (samply)" },
};

int json_format_text(struct cg_stacks *s, const struct json_value *value, cg_str *id)
{
	const char *text = json_text_of(value);

	*id = 0;
	return text ? cg_stacks_text(s, text, strlen(text), id) : CG_OK;
}

bool json_format_index(const struct json_value *value, size_t count, size_t *out)
{
	uint64_t n;

	if (!json_count_of(value, &n) || n >= count)
		return false;
	*out = (size_t)n;
	return true;
}

int json_format_begin(struct cg_stacks *s, const struct cg_part *part,
		      const struct json_format_event *named, uint32_t nevents, uint32_t *column)
{
	struct cg_event events[CG_MAX_EVENTS] = { 0 };
	int status = CG_OK;

	if (nevents > CG_MAX_EVENTS)
		return cg_stacks_fail(s, CG_ERANGE, "more than 256 events");
	for (uint32_t e = 0; !status && e < nevents; e++) {
		const char *name = named[e].name, *unit = named[e].unit;
		status = cg_stacks_event_name(s, name, strlen(name), &events[e].name);
		if (!status && unit)
			status = cg_stacks_unit(s, unit, strlen(unit), &events[e]);
	}
	if (!status)
		status = cg_stacks_events(s, events, nevents, column);
	return status ? status : cg_stacks_open(s, part);
}

static const char *skip_json_blanks(const char *at, const char *end)
{
	while (at < end && strchr(" \t\r\n", *at) && *at)
		at++;
	return at;
}

/* Names of functions begin with brackets, too: "[kernel];read 3", "{main};read 3". */
static bool detect_json(const char *bytes, size_t len)
{
	const char *end = bytes + len, *at = skip_json_blanks(bytes, end);

	if (at < end && *at == '[')
		return memchr(at, '{', (size_t)(end - at)) && at + 1 < end &&
		       strchr(" \t\r\n{", at[1]);
	if (at == end || *at != '{')
		return false;
	at = skip_json_blanks(at + 1, end);
	return at == end || *at == '"' || *at == '}';
}

static int read_json_document(struct cg_stacks *s, const struct json_value *root, cg_str file)
{
	const struct json_format *f = known;

	while (!f->is(root))
		f++;
	return f->read ? f->read(s, root, file) : cg_stacks_fail(s, CG_ESYNTAX, f->refusal);
}

static int read_json(struct cg_parts *parts, struct cg_input *in, cg_str file,
		     const struct cg_read_options *options, struct cg_error *err)
{
	struct cg_stacks s = cg_stacks_begin(parts, in, options);
	struct json_value *root = NULL;
	char *bytes = NULL;
	size_t len;
	int status = cg_stacks_read_all(&s, in, &bytes, &len);

	if (!status && json_is_too_heavy(bytes, len))
		status = cg_stacks_fail(
			&s, CG_ERANGE,
			"would take too much memory for its length: it is damaged, or made to exhaust memory");
	if (!status)
		status = json_read(bytes, len, s.name, &root, &s.err);
	free(bytes);
	if (!status)
		status = read_json_document(&s, root, file);
	json_forget(root);
	return cg_stacks_end(&s, status, err);
}

static const struct cg_format json_format = { detect_json, read_json };
const struct cg_format *const formats_of_json[] = { &json_format, NULL };
