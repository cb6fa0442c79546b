#include "src/cli/common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/load/inlining.h"
#include "src/cli/options.h"
#include "src/cli/pager.h"
#include "src/store/cache.h"

void warn_about_inlines(const char *choice, const struct cg_profile *p, const char *name)
{
	if (strcmp(choice, "yes") != 0 || p->of_addresses || p->has_inlined ||
	    cg_desc_value(p, INLINING_KEY) ||
	    strncmp(cg_string(p, p->creator), "callgrind", strlen("callgrind")) != 0)
		return;
	print_warning("%s has no addresses (valgrind --dump-instr=yes): inlined functions can only be "
		      "looked up approximately, with --inlines=approximate", name);
}

int project_open(struct project *out, struct cg_error *err)
{
	struct project p = { 0 };
	char *path = NULL, *here = getcwd(NULL, 0);
	if (!here)
		return cg_fail(err, CG_EIO, ".", 0, "cannot tell the current directory");

	int status = config_find(here, &path, err);
	if (!status && path)
		status = config_load(path, &p.config, err);
	if (!status) {
		p.root = strdup(p.config ? p.config->dir : here);
		if (!p.root)
			status = cg_fail_nomem(err);
	}
	free(path);
	free(here);
	if (status)
		project_close(&p);
	else
		*out = p;
	return status;
}

void project_close(struct project *p)
{
	config_free(p->config);
	free(p->root);
	*p = (struct project){ 0 };
}

int project_clean_cache(const struct project *p, struct cg_error *err)
{
	size_t removed;
	int status = cache_remove_old(p->root, &removed, err);

	if (!status && removed)
		print_message("removed %zu %s of the cache that an older irdiff has kept, which may have values of "
			      "variables in them; what is needed is measured again", removed,
			      removed == 1 ? "entry" : "entries");
	return status;
}

static void list_events(const struct cg_profile *p, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (uint32_t e = 0; e < p->nevents && used < size; e++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", e ? " " : "",
					 cg_string(p, p->events[e].name));
}

static int find_event(const struct cg_profile *p, const char *name, uint32_t *event,
		      struct cg_error *err)
{
	char known[300];
	int found = cg_event_index(p, name);
	if (found < 0) {
		list_events(p, known, sizeof known);
		return cg_fail(err, CG_EINVAL, NULL, 0, "there is no event '%s'; the profile has: %s",
			       name, known);
	}
	*event = (uint32_t)found;
	return CG_OK;
}

int parse_events(const struct cg_profile *p, const char *list, uint32_t **events, size_t *count,
		 struct cg_error *err)
{
	uint32_t *found = NULL;
	size_t n = 0, cap = 0;
	int status = cg_grow(&found, &cap, (size_t)p->nevents + 1, sizeof *found);
	char *copy = strdup(list ? list : ""), *state = NULL;

	if (status || !copy)
		status = cg_fail_nomem(err);
	for (uint32_t e = 0; !status && !list && e < p->nevents; e++)
		found[n++] = e;
	for (char *name = copy ? strtok_r(copy, ",", &state) : NULL; !status && name;
	     name = strtok_r(NULL, ",", &state)) {
		if (cg_grow(&found, &cap, n + 1, sizeof *found))
			status = cg_fail_nomem(err);
		else
			status = find_event(p, name, &found[n++], err);
	}
	if (!status && n == 0)
		status = cg_fail(err, CG_EINVAL, NULL, 0, "no event named in '%s'", list);
	free(copy);
	if (status) {
		free(found);
		return status;
	}
	*events = found;
	*count = n;
	return CG_OK;
}

unsigned terminal_lines(void)
{
	struct winsize size;
	const char *lines = getenv("LINES");
	if (!stdout_is_seen())
		return 0;
	if (lines && atoi(lines) > 0)
		return (unsigned)atoi(lines);
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

/* As setlocale(3) chooses: the first of these that is set. */
static bool locale_is_utf8(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const char *value = getenv(variables[i]);
		if (value && *value)
			return strcasestr(value, "UTF-8") || strcasestr(value, "utf8");
	}
	return false;
}

int output_open(struct output *o, const char *path, const char *color, bool wide,
		struct cg_error *err)
{
	const char *no_color = getenv("NO_COLOR");
	bool terminal = !path && stdout_is_seen();

	*o = (struct output){ .to = stdout, .name = "standard output" };
	o->style.wide = wide;
	o->style.ascii = !locale_is_utf8();
	o->style.width = terminal ? terminal_width(STDOUT_FILENO) : 0;
	o->style.color = strcmp(color, "always") == 0 ||
			 (strcmp(color, "auto") == 0 && terminal && !(no_color && *no_color));
	if (!path || strcmp(path, "-") == 0)
		return CG_OK;
	o->name = path;
	return new_file_begin(path, &o->file, &o->to, err);
}

int output_close(struct output *o, int status, struct cg_error *err)
{
	if (status == CG_EIO)
		status = cg_fail(err, cg_io_status(errno), o->name, 0, "cannot write: %s", strerror(errno));
	if (!o->file)
		return status;
	if (status) {
		new_file_abandon(o->file);
		return status;
	}
	return new_file_commit(o->file, err);
}

size_t events_that_fit(const struct cg_profile *p, const uint32_t *events, size_t count,
		       const struct text_style *style)
{
	enum { NAME = 40 };
	struct text_columns c;
	size_t used = NAME, fit = 0;

	if (style->wide || !style->width || text_columns_init(&c, p, events, count))
		return count;
	text_columns_fit(&c, p->total);
	while (fit < count && (fit == 0 || used + (size_t)c.widths[fit] + 1 <= style->width))
		used += (size_t)c.widths[fit++] + 1;
	text_columns_free(&c);
	return fit;
}

int compile_optional(const char *regex, struct pattern **out, struct cg_error *err)
{
	*out = NULL;
	return regex ? pattern_compile(regex, out, err) : CG_OK;
}

static bool matches_any(const struct pattern *pattern, const struct cg_profile *p)
{
	bool matches = false;

	for (uint32_t i = 1; p && !matches && i < p->nfunctions; i++)
		if (pattern_matches_name(pattern, view_object(p, i), view_file(p, i), view_function(p, i),
					 &matches, NULL))
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

void mention_literal(const char *regex, const struct cg_profile *a, const struct cg_profile *b)
{
	char *literal;

	if (!regex || !regex[strcspn(regex, "\\^$.|?*+()[]{}")] || strstr(regex, "\\E") || finds(regex, a, b) ||
	    asprintf(&literal, "\\Q%s\\E", regex) < 0)
		return;
	if (finds(literal, a, b))
		print_warning("a filter is a regex, and %s matches no function; '%s' takes it literally, and does",
			      regex, literal);
	free(literal);
}
