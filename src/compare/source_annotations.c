#include "src/compare/source_annotations.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/support/grow.h"
#include "src/diff/place.h"

void source_annotations_free(struct source_annotations *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->files[i]);
	free(p->files);
	free(p->verdicts);
	*p = (struct source_annotations){ 0 };
}

/* ---- files of the project ---- */

static bool is_project_file(const char *root, const char *path)
{
	struct stat st;
	char *whole;

	if (asprintf(&whole, "%s/%s", root, path) < 0)
		return false;
	bool is = stat(whole, &st) == 0 && S_ISREG(st.st_mode);
	free(whole);
	return is;
}

/* The part of a path that is below root; NULL if the path is not below it. */
static const char *rest_below_root(const char *root, const char *path)
{
	size_t len = strlen(root);

	if (strncmp(path, root, len) != 0 || path[len] != '/')
		return NULL;
	return path + len + 1;
}

/* The path of a source file below root. The program may have been built elsewhere: then the
 * longest end of the path that is a file below root. NULL: no end is. free() it. */
static char *path_in_project(const char *root, const char *file)
{
	char *real = realpath(file, NULL);
	const char *rest = real ? rest_below_root(root, real) : rest_below_root(root, file);
	char *path = NULL;

	if (rest && is_project_file(root, rest))
		path = strdup(rest);
	free(real);
	for (rest = file; !path && rest; rest = strchr(rest, '/')) {
		rest += strspn(rest, "/");
		if (*rest && !strstr(rest, "../") && is_project_file(root, rest))
			path = strdup(rest);
	}
	return path;
}

static char *find_annotated_root(const struct project *project)
{
	const char *workspace = getenv("GITHUB_WORKSPACE");
	return realpath(workspace && *workspace ? workspace : project->root, NULL);
}

/* ---- places ---- */

struct annotation_search {
	const struct comparison *c;
	struct loaded base, head; /* with lines */
	char *root;
	struct source_annotations *out;
};

static int keep_annotation(struct annotation_search *s, const struct place *at,
			   struct report_place *out)
{
	struct source_annotations *p = s->out;
	char *file = at->file && *at->file ? path_in_project(s->root, at->file) : NULL;

	if (!file)
		return CG_OK;
	if (cg_grow(&p->files, &p->cap, p->count + 1, sizeof *p->files)) {
		free(file);
		return CG_ENOMEM;
	}
	p->files[p->count++] = file;
	*out = (struct report_place){ file, at->line };
	return CG_OK;
}

/* Annotations are on head. */
static int keep_head(struct annotation_search *s, const struct place *at, struct report_place *out)
{
	return at->in_base ? CG_OK : keep_annotation(s, at, out);
}

static int find_annotated_code(struct annotation_search *s, const char *metric,
			       const struct place_function *f, struct report_place *out)
{
	const struct place_sides sides = { .base = s->base.profile,
					   .head = s->head.profile,
					   .metric = metric };
	struct place at;
	int status = place_of_code(&sides, f, f, &at);
	return status ? status : keep_head(s, &at, out);
}

static int find_cause(struct annotation_search *s)
{
	const struct comparison *c = s->c;

	for (size_t i = 0; i < c->places.count; i++) {
		const struct cause_place *at = &c->places.items[i];
		const struct place place = { .file = at->file,
					     .line = at->line,
					     .in_base = at->in_base };
		if (c->causes->items[c->chosen_causes.items[i]].delta > 0)
			return keep_head(s, &place, &s->out->cause);
	}
	return CG_OK;
}

static int find_verdicts(struct annotation_search *s)
{
	enum { MOST = 10 }; /* GitHub shows no more of a step */
	const struct judgement *j = &s->c->judging.judgement;
	size_t found = 0;
	int status = CG_OK;

	s->out->verdicts = calloc(j->count + 1, sizeof *s->out->verdicts);
	if (!s->out->verdicts)
		return CG_ENOMEM;
	s->out->nverdicts = j->count;
	for (size_t i = 0; !status && i < j->count && found < MOST; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		const struct place_function f = { .name = v->subject };
		if (!v->subject || !v->fails)
			continue;
		status = find_annotated_code(s, v->rule.limit->metric, &f, &s->out->verdicts[i]);
		found++;
	}
	return status;
}

/* ---- reading again ---- */

static bool is_anything_annotated(const struct comparison *c)
{
	const struct judgement *j = &c->judging.judgement;

	for (size_t i = 0; i < j->count; i++)
		if (j->verdicts[i].subject && j->verdicts[i].fails)
			return true;
	for (size_t i = 0; i < c->places.count; i++)
		if (c->causes->items[c->chosen_causes.items[i]].delta > 0)
			return true;
	return false;
}

static int load_annotated_sources(struct annotation_search *s, const struct project *project,
				  const char *base, const char *head, struct cg_error *err)
{
	const struct cg_detail detail = { .lines = true };
	const struct load_options load = comparison_reload_options(s->c, detail);

	return load_profiles(project, base, head, &load, &s->base, &s->head, err);
}

int source_annotations_find(const struct project *project, const char *base, const char *head,
			    const struct comparison *c, struct source_annotations *out,
			    struct cg_error *err)
{
	struct annotation_search s = { .c = c, .root = find_annotated_root(project), .out = out };
	int status = CG_OK;

	*out = (struct source_annotations){ 0 };
	if (!s.root || !base || !head || !is_anything_annotated(c) || !comparison_is_lasting(c))
		goto done;
	status = load_annotated_sources(&s, project, base, head, err);
	if (status || !s.base.profile->has_lines || !s.head.profile->has_lines)
		goto done;
	status = find_cause(&s);
	if (!status)
		status = find_verdicts(&s);
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
done:
	loaded_free(&s.base);
	loaded_free(&s.head);
	free(s.root);
	return status;
}
