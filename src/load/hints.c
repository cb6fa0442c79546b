#include "src/load/hints.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/support/number.h"
#include "cgprofile/inlines.h"
#include "cgprofile/names.h"
#include "src/load/hidden_flags.h"
#include "src/load/inlining.h"
#include "src/run/image.h"
#include "src/view/flat.h"
#include "src/view/pattern.h"
#include "src/view/scripted.h"

void warn_about_inlines(const struct notices *n, const char *choice, const struct cg_profile *p,
			const char *name)
{
	if (strcmp(choice, "yes") != 0 || p->of_addresses || p->has_inlined ||
	    cg_desc_value(p, INLINING_KEY) ||
	    strncmp(cg_string(p, p->creator), "callgrind", strlen("callgrind")) != 0)
		return;
	notice_warning(
		n,
		"%s has no addresses (valgrind --dump-instr=yes); inlined functions can only be "
		"looked up approximately, with --inlines=approximate",
		name);
}

static bool matches_any(const struct pattern *pattern, const struct cg_profile *p)
{
	bool matches = false;

	for (uint32_t i = 1; p && !matches && i < p->nfunctions; i++)
		if (pattern_matches_name(pattern, view_object(p, i), view_file(p, i),
					 view_function(p, i), &matches, NULL))
			return false;
	return matches;
}

/* Whether a function of either matches the regex. */
static bool finds(const char *regex, const struct cg_profile *a, const struct cg_profile *b)
{
	struct pattern *pattern;

	if (pattern_compile(regex, &pattern, NULL))
		return false;
	bool found = matches_any(pattern, a) || matches_any(pattern, b);
	pattern_free(pattern);
	return found;
}

void mention_literal(const struct notices *n, const char *regex, const struct cg_profile *a,
		     const struct cg_profile *b)
{
	char *literal;

	if (!regex || !regex[strcspn(regex, "\\^$.|?*+()[]{}")] || strstr(regex, "\\E") ||
	    finds(regex, a, b) || asprintf(&literal, "\\Q%s\\E", regex) < 0)
		return;
	if (finds(literal, a, b))
		notice_warning(
			n,
			"filters are regular expressions; %s matches no function, but '%s', its literal form, does",
			regex, literal);
	free(literal);
}

void mention_unnamed_functions(const struct notices *n, const char *regex,
			       const struct cg_profile *a, const struct cg_profile *b)
{
	const char *advice = scripted_advice(regex, a);

	if (!advice || (b && !scripted_advice(regex, b)))
		return;
	if (regex)
		notice_warning(n, "%s matches no function: %s", regex, advice);
	else
		notice_message(n, "%s", advice);
}

static bool is_stripped(const char *object)
{
	struct image image;
	if (image_read(object, &image, NULL))
		return false;
	bool stripped = image.stripped;
	image_free(&image);
	return stripped;
}

void mention_debug_information(const struct notices *n, const struct cg_profile *p,
			       const char *root, const struct config *config)
{
	struct inlining inlining = { 0 };

	if (!config || !config->build.argc || inlining_stored(p, &inlining, NULL))
		return;
	const char *object = inlining_bare_object(p, &inlining.report, root);
	if (object) {
		bool stripped = is_stripped(object);
		char *hidden = stripped ? NULL : hidden_flags_find(config->dir);
		notice_warning(
			n,
			"%s has %s, so no source lines and no inlined functions; %s, %s:%llu%s%s",
			object,
			stripped ? "neither symbols nor debug information" : "no debug information",
			stripped ? "build it with -g, and do not strip it (-s, strip)"
				 : "add -g to the build",
			config->path, (unsigned long long)config->build.line,
			hidden && *hidden ? ": " : "", hidden ? hidden : "");
		free(hidden);
	}
	inlining_free(&inlining);
}

static bool names_a_directory(const char *path, size_t len)
{
	struct stat st;
	char *copy = strndup(path, len);
	bool is = copy && len && stat(copy, &st) == 0 && S_ISDIR(st.st_mode);
	free(copy);
	return is;
}

bool looks_like_profile(const char *word)
{
	static const char *const patterns[] = { "callgrind.out.*",
						"cachegrind.out.*",
						"*.callgrind",
						"*.cachegrind",
						"*.folded",
						"*.perf-folded",
						"*.gz",
						"*.zst",
						"*.xz" };
	const char *name = cg_base_name(word);

	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		if (fnmatch(patterns[i], name, 0) == 0)
			return true;
	return names_a_directory(word, (size_t)(name - word));
}
