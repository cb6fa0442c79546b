#include "src/cmd/common.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/cmd/options.h"
#include "src/diff/environment.h"

int print_error(const struct cg_error *err)
{
	fputs("irdiff: ", stderr);
	if (err->file[0]) {
		text_print_name(stderr, err->file, 0);
		if (err->line)
			fprintf(stderr, ":%" PRIu64, err->line);
		fputs(": ", stderr);
	}
	text_print_name(stderr, err->message, 0);
	fputc('\n', stderr);
	return err->code == CG_ELAW ? EXIT_UNTRUSTED : EXIT_USAGE;
}

void print_warning(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fputs("irdiff: warning: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
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

/* When the last of the files was written. */
static char *time_of(const struct path_list *files)
{
	char text[40];
	struct stat st;
	struct tm tm;
	time_t last = 0;

	for (size_t i = 0; i < files->count; i++) {
		if (stat(files->paths[i], &st) != 0)
			return NULL;
		last = i == 0 || st.st_mtime > last ? st.st_mtime : last;
	}
	if (!localtime_r(&last, &tm) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M", &tm))
		return NULL;
	return strdup(text);
}

/* The law of every file: its costs add up to what it says. */
static void warn_about_totals(const struct cg_profile *p)
{
	uint32_t event;

	for (uint32_t i = 0; i < p->nparts; i++) {
		const struct cg_part *part = &p->parts[i];
		if (!cg_part_adds_up(p, part, &event))
			print_warning("%s: the costs of part %" PRIu64 " add up to %" PRId64 " %s, but its "
				      "totals line says %" PRId64 "; the sum of the costs is used",
				      cg_string(p, part->file), part->number ? part->number : i + 1,
				      part->self[event], cg_string(p, p->events[event].name),
				      part->totals[event]);
	}
}

static int find_files(const struct project *project, const char *const *operands, size_t count,
		      struct path_list *files, struct cg_error *err)
{
	int status = store_find_profiles(project->root, operands[0], files, err);
	for (size_t i = 1; !status && i < count; i++)
		status = path_list_add(files, operands[i], err);
	return status;
}

static int name_profile(const char *const *operands, size_t count, char **name,
			struct cg_error *err)
{
	int length = count == 1 ? asprintf(name, "%s", operands[0])
				: asprintf(name, "%s and %zu more file%s", operands[0], count - 1,
					   count > 2 ? "s" : "");
	if (length >= 0)
		return CG_OK;
	*name = NULL;
	return cg_fail_nomem(err);
}

/* An empty file of Valgrind may have others beside it. */
static void explain_empty_file(const char *path, struct cg_error *err)
{
	struct stat st;
	char *thread;

	if (stat(path, &st) != 0 || st.st_size != 0 || asprintf(&thread, "%s-01", path) < 0)
		return;
	if (access(thread, F_OK) == 0)
		cg_error_context(err, "Valgrind wrote a file per thread, read them all with '%s*'", path);
	free(thread);
}

/* What is wrong with several files together is wrong with what they were named by. */
static int read_files(const struct path_list *files, const char *name,
		      const struct cg_read_options *options, struct cg_profile **out,
		      struct cg_error *err)
{
	int status = cg_read_files((const char *const *)files->paths, files->count, options, out, err);
	if (status == CG_ECHOICE)
		cg_error_context(err, "choose a process with --pid=N, or add them up with --pid=all");
	if (status == CG_ESYNTAX && files->count == 1)
		explain_empty_file(files->paths[0], err);
	if ((status == CG_ECHOICE || status == CG_EINVAL) && !err->file[0])
		snprintf(err->file, sizeof err->file, "%s", name);
	return status;
}

static bool is_selective(const struct cg_selection *s)
{
	return s && (s->every_process || s->npids || s->nthreads || s->nparts || s->ntriggers);
}

int load_profile(const struct project *project, const char *const *operands, size_t count,
		 const struct cg_read_options *options, struct loaded *out, struct cg_error *err)
{
	struct loaded l = { 0 };
	int status = find_files(project, operands, count, &l.files, err);
	if (!status)
		status = name_profile(operands, count, &l.name, err);
	if (!status)
		status = read_files(&l.files, l.name, options, &l.profile, err);
	if (status) {
		loaded_free(&l);
		return status;
	}
	if (l.profile->skipped)
		print_warning("%s: malformed lines skipped: %" PRIu64, l.name, l.profile->skipped);
	warn_about_totals(l.profile);
	l.when = time_of(&l.files);
	l.origin = (struct report_origin){
		.name = l.name,
		.path = l.files.count == 1 ? l.files.paths[0] : NULL,
		.command = l.profile->nparts && l.profile->parts[0].command ?
				   cg_string(l.profile, l.profile->parts[0].command) : NULL,
		.commit = cg_desc_value(l.profile, SUBJECT_PREFIX "commit"),
		.when = l.when,
		.selected = is_selective(options->selection),
	};
	*out = l;
	return CG_OK;
}

void loaded_free(struct loaded *l)
{
	cg_profile_free(l->profile);
	path_list_free(&l->files);
	free(l->name);
	free(l->when);
	*l = (struct loaded){ 0 };
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

static unsigned terminal_width(void)
{
	struct winsize size;
	const char *columns = getenv("COLUMNS");
	if (columns && atoi(columns) > 0)
		return (unsigned)atoi(columns);
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int output_open(struct output *o, const char *path, const char *color, bool wide,
		struct cg_error *err)
{
	const char *no_color = getenv("NO_COLOR");
	bool terminal = !path && isatty(STDOUT_FILENO);

	*o = (struct output){ .to = stdout };
	o->style.wide = wide;
	o->style.width = terminal ? terminal_width() : 0;
	o->style.color = strcmp(color, "always") == 0 ||
			 (strcmp(color, "auto") == 0 && terminal && !(no_color && *no_color));
	return path && strcmp(path, "-") != 0 ? new_file_begin(path, &o->file, &o->to, err) : CG_OK;
}

int output_close(struct output *o, int status, struct cg_error *err)
{
	if (status == CG_EIO)
		cg_fail(err, CG_EIO, o->file ? NULL : "standard output", 0, "cannot write: %s",
			strerror(errno));
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
