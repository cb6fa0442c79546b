#include "src/view/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/names.h"

/* Enough for any sensible pattern on a name of 100 kB, some 10 ms at worst. */
#define MATCH_LIMIT 1000000
#define DEPTH_LIMIT 10000
#define HEAP_LIMIT_KIB (32 * 1024)

/* A clone whose name matches. */
struct clone {
	char *stem, *file;
};

struct pattern {
	char *regex;
	struct clone *clones; /* in order */
	size_t nclones, clones_cap;
	pcre2_code *code;
	pcre2_match_context *limits;
	pcre2_match_data *match;
};

/* Newer versions of PCRE2 report the end of a character that is not allowed, older ones its
 * start, which is what messages show: a pattern of that character alone reveals the version. */
static size_t begin_of(int error, size_t offset)
{
	const char *alone = error == PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS ? ")"
			    : error == PCRE2_ERROR_QUANTIFIER_INVALID          ? "*"
									       : NULL;
	PCRE2_SIZE after = 0;

	if (alone)
		pcre2_code_free(pcre2_compile((PCRE2_SPTR)alone, 1, 0, &error, &after, NULL));
	return offset - (after && offset);
}

static int fail_regex(const char *regex, int error, size_t offset, struct cg_error *err)
{
	/* In a shell's pattern, "*" is what ".*" is here. */
	bool shell = error == PCRE2_ERROR_QUANTIFIER_INVALID && *regex == '*';
	char why[200];
	pcre2_get_error_message(error, (PCRE2_UCHAR *)why, sizeof why);
	return cg_fail(err, CG_EINVAL, NULL, 0, "bad pattern \"%s\": %s at column %zu%s%s%s", regex,
		       why, begin_of(error, offset) + 1,
		       shell ? "; patterns are regular expressions: try '." : "",
		       shell ? regex : "", shell ? "'" : "");
}

int pattern_compile(const char *regex, struct pattern **out, struct cg_error *err)
{
	int error;
	PCRE2_SIZE offset;
	struct pattern *p = calloc(1, sizeof *p);

	if (!p || !(p->regex = strdup(regex)))
		goto nomem;
	p->code = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED,
				PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &error, &offset, NULL);
	if (!p->code && error == PCRE2_ERROR_HEAP_FAILED)
		goto nomem;
	if (!p->code) {
		pattern_free(p);
		return fail_regex(regex, error, offset, err);
	}
	/* Without JIT (not supported here, or denied by the system) matching is slower. */
	pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
	p->limits = pcre2_match_context_create(NULL);
	p->match = pcre2_match_data_create_from_pattern(p->code, NULL);
	if (!p->limits || !p->match)
		goto nomem;
	pcre2_set_match_limit(p->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(p->limits, DEPTH_LIMIT);
	pcre2_set_heap_limit(p->limits, HEAP_LIMIT_KIB);
	*out = p;
	return CG_OK;
nomem:
	pattern_free(p);
	return cg_fail_nomem(err);
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->nclones; i++) {
		free(p->clones[i].stem);
		free(p->clones[i].file);
	}
	free(p->clones);
	pcre2_match_data_free(p->match);
	pcre2_match_context_free(p->limits);
	pcre2_code_free(p->code);
	free(p->regex);
	free(p);
}

static int match_pattern(const struct pattern *p, const char *text, size_t len, bool *matches,
			 struct cg_error *err)
{
	int result = pcre2_match(p->code, (PCRE2_SPTR)text, len, 0, 0, p->match, p->limits);

	if (result >= 0 || result == PCRE2_ERROR_NOMATCH) {
		*matches = result >= 0;
		return CG_OK;
	}
	if (result == PCRE2_ERROR_NOMEMORY)
		return cg_fail_nomem(err);
	char why[200];
	pcre2_get_error_message(result, (PCRE2_UCHAR *)why, sizeof why);
	return cg_fail(err, CG_ERANGE, NULL, 0,
		       "pattern \"%s\" is too costly to match (%s); make it simpler", p->regex,
		       why);
}

int pattern_matches(const struct pattern *p, const char *text, bool *matches, struct cg_error *err)
{
	return match_pattern(p, text, strlen(text), matches, err);
}

/* A text that ends in a name, and where it has a clone's suffix the same without. */
static int match_name(const struct pattern *p, const char *text, size_t len, size_t suffix,
		      bool *matches, struct cg_error *err)
{
	int status = match_pattern(p, text, len, matches, err);

	return status || *matches || !suffix ? status
					     : match_pattern(p, text, len - suffix, matches, err);
}

/* The name alone, or with its object and file. */
static int match_whole(const struct pattern *p, const char *object, const char *file,
		       const char *name, bool *matches, struct cg_error *err)
{
	size_t o = strlen(object), f = strlen(file), n = strlen(name);
	size_t suffix = n - cg_name_stem(name, n);
	int status = match_name(p, name, n, suffix, matches, err);
	if (status || *matches)
		return status;

	char *text = malloc(o + f + n + 3);
	if (!text)
		return cg_fail_nomem(err);

	memcpy(text, object, o);
	text[o] = ':';
	memcpy(text + o + 1, file, f);
	text[o + 1 + f] = ':';
	memcpy(text + o + f + 2, name, n + 1);
	status = match_name(p, text, o + f + n + 2, suffix, matches, err);
	free(text);
	return status;
}

/* ---- clones ---- */

static int compare_clones(const void *left, const void *right)
{
	const struct clone *a = left, *b = right;
	int order = strcmp(a->stem, b->stem);
	return order ? order : strcmp(a->file, b->file);
}

/* A diff has "???" for a file that is not known. */
static const char *known_file(const char *file)
{
	return *file ? file : "???";
}

static bool is_clone(const struct pattern *p, const char *file, const char *name)
{
	struct clone wanted = { (char *)name, (char *)known_file(file) };

	return p->nclones &&
	       bsearch(&wanted, p->clones, p->nclones, sizeof *p->clones, compare_clones) != NULL;
}

int pattern_matches_name(const struct pattern *p, const char *object, const char *file,
			 const char *name, bool *matches, struct cg_error *err)
{
	int status = match_whole(p, object, file, name, matches, err);

	if (!status && !*matches)
		*matches = is_clone(p, file, name);
	return status;
}

int pattern_matches_function(const struct pattern *p, const char *file, const char *name,
			     bool *matches, struct cg_error *err)
{
	size_t len = strlen(name);
	int status = match_name(p, name, len, len - cg_name_stem(name, len), matches, err);

	if (!status && !*matches)
		*matches = is_clone(p, file, name);
	return status;
}

static int add_clone(struct pattern *p, const char *file, const char *name, size_t stem)
{
	if (cg_grow(&p->clones, &p->clones_cap, p->nclones + 1, sizeof *p->clones))
		return CG_ENOMEM;
	struct clone *c = &p->clones[p->nclones++];

	*c = (struct clone){ strdup(name), strdup(known_file(file)) };
	if (!c->stem || !c->file)
		return CG_ENOMEM;
	c->stem[stem] = '\0';
	return CG_OK;
}

static void sort_clones(struct pattern *p)
{
	if (p->nclones)
		qsort(p->clones, p->nclones, sizeof *p->clones, compare_clones);
}

/* By their names alone, or by those with object and file as well. */
static int add_clone_names(struct pattern *p, const struct cg_profile *of, bool whole,
			   struct cg_error *err)
{
	int status = CG_OK;

	for (uint32_t f = 1; !status && f < of->nfunctions; f++) {
		const struct cg_function *function = &of->functions[f];
		const char *name = cg_string(of, function->name),
			   *file = cg_string(of, function->file);
		size_t stem = cg_name_stem(name, strlen(name));
		bool matches = false;
		if (!name[stem])
			continue;
		status = whole ? match_whole(p, cg_base_name(cg_string(of, function->object)),
					     known_file(file), name, &matches, err)
			       : match_pattern(p, name, strlen(name), &matches, err);
		if (!status && matches && add_clone(p, file, name, stem))
			status = cg_fail_nomem(err);
	}
	if (!status)
		sort_clones(p);
	return status;
}

int pattern_add_clones(struct pattern *p, const struct cg_profile *of, struct cg_error *err)
{
	return add_clone_names(p, of, true, err);
}

int pattern_add_named_clones(struct pattern *p, const struct cg_profile *of, struct cg_error *err)
{
	return add_clone_names(p, of, false, err);
}

int pattern_add_names(struct pattern *p, const struct pattern_name *list, size_t count, bool whole,
		      struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++) {
		const struct pattern_name *n = &list[i];
		bool matches = false;
		status = whole ? match_whole(p, n->object, n->file, n->other, &matches, err)
			       : match_pattern(p, n->other, strlen(n->other), &matches, err);
		if (!status && matches && add_clone(p, n->file, n->name, strlen(n->name)))
			status = cg_fail_nomem(err);
	}
	if (!status)
		sort_clones(p);
	return status;
}

int pattern_compile_optional(const char *regex, struct pattern **out, struct cg_error *err)
{
	*out = NULL;
	return regex ? pattern_compile(regex, out, err) : CG_OK;
}
