/* Benchmarks that hardly execute the project's code: a change of it would be lost among what a
 * harness, an interpreter or the start of the program costs. What the project's code calls of the
 * system is its own doing, however little it does itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "cgprofile/tree.h"
#include "src/compare/remarking.h"
#include "src/diff/environment.h"
#include "src/load/hidden_flags.h"
#include "src/load/inlining.h"

enum whose {
	WHOSE_CALLER, /* of the language or the system: the caller's */
	WHOSE_OWN,
	WHOSE_OTHER,
};

struct ownership {
	const struct cg_profile *p;
	const char *root; /* of which the first `len` bytes are the directory of the project */
	size_t len;
};

static bool has_any_part(const char *path, const char *const *parts)
{
	for (size_t i = 0; parts[i]; i++)
		if (strstr(path, parts[i]))
			return true;
	return false;
}

static bool is_runtime(const char *object)
{
	static const char *const names[] = { "ld-",        "ld.so",     "libc.",     "libc-",
					     "libm.",      "libm-",     "libdl",     "libpthread",
					     "librt",      "libgcc_",   "libstdc++", "libc++",
					     "libirdiff-", "vgpreload", "linux-vdso" };
	const char *base = cg_base_name(object);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(base, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool is_below_root(const struct ownership *o, const char *path)
{
	return strncmp(path, o->root, o->len) == 0;
}

static enum whose whose_function(const struct ownership *o, uint32_t function)
{
	/* Where Cargo and Go keep the sources of packages. */
	static const char *const packages[] = { "/registry/src/", "/git/checkouts/", "/pkg/mod/",
						NULL };
	const struct cg_function *f = &o->p->functions[function];
	const char *object = cg_string(o->p, f->object), *file = cg_string(o->p, f->file);
	const bool in_project = is_below_root(o, object);

	if (has_any_part(file, packages))
		return WHOSE_OTHER;
	if (!in_project)
		return !*object || is_runtime(object) ? WHOSE_CALLER : WHOSE_OTHER;
	return *file && (*file != '/' || is_below_root(o, file)) ? WHOSE_OWN : WHOSE_CALLER;
}

/* The program's image as a path in the project, and an object of that path, tell where the project
 * was. False for a program from elsewhere. */
static bool find_root(struct ownership *o)
{
	const char *image = cg_desc_value(o->p, SUBJECT_PREFIX "image");
	const size_t len = image ? strlen(image) : 0;

	for (uint32_t i = 1; len && *image != '/' && i < o->p->nfunctions; i++) {
		const char *object = cg_string(o->p, o->p->functions[i].object);
		size_t size = strlen(object);
		if (size <= len || object[size - len - 1] != '/' ||
		    strcmp(object + size - len, image) != 0)
			continue;
		o->root = object;
		o->len = size - len;
		return true;
	}
	return false;
}

/* The cost of the project's code, with all that it calls of the language and the system. -1: out of
 * memory. */
static int64_t cost_of_project(const struct ownership *o, const struct cg_tree *t, uint32_t event)
{
	uint8_t *whose = calloc(t->count, 1);
	int64_t cost = 0;

	if (!whose)
		return -1;
	for (uint32_t i = 1; i < t->count; i++) {
		const struct cg_tree_node *n = &t->nodes[i];
		const int64_t self = t->self[(size_t)i * o->p->nevents + event];
		whose[i] = n->function ? (uint8_t)whose_function(o, n->function) : WHOSE_CALLER;
		if (whose[i] == WHOSE_CALLER)
			whose[i] = whose[n->parent];
		if (whose[i] == WHOSE_OWN && self > 0)
			cost = self > INT64_MAX - cost ? INT64_MAX : cost + self;
	}
	free(whose);
	return cost;
}

/* NULL: out of memory. */
static char *advise_debug(const struct ownership *o)
{
	char *root = strndup(o->root, o->len - 1), *advice = NULL;
	char *hidden = root ? hidden_flags_find(root) : NULL;

	if (hidden && *hidden) {
		if (asprintf(
			    &advice,
			    "%s, which hides that of `build:` in irdiff.yml; pass CC='cc -g' or CXX='c++ -g' to make",
			    hidden) < 0)
			advice = NULL;
	} else if (hidden) {
		advice = strdup(
			"Add -g to `build:` in irdiff.yml. If a makefile sets CFLAGS itself, pass CC='cc -g' to "
			"make; with CMake, -DCMAKE_BUILD_TYPE=RelWithDebInfo");
	}
	free(hidden);
	free(root);
	return advice;
}

/* Without debug information nobody can tell whose a function is. *bare: the program has none. */
static int remark_no_debug(struct comparison *c, const struct ownership *o, bool *bare,
			   struct cg_error *err)
{
	struct inlining inlining;
	char *root = strndup(o->root, o->len - 1), *text = NULL;
	int status = root ? inlining_stored(o->p, &inlining, err) : cg_fail_nomem(err);

	if (!status) {
		const char *object = inlining_bare_object(o->p, &inlining.report, root);
		*bare = object != NULL;
		if (object &&
		    asprintf(
			    &text,
			    "%s has no debug information, so source lines, inlined functions and the project's share of Ir are unknown",
			    object + o->len) < 0)
			text = NULL;
		inlining_free(&inlining);
	}
	free(root);
	if (status || !*bare)
		return status;
	return remarks_add(&c->remarks, REMARK_WARNING, "no-debug", text, advise_debug(o), err);
}

/* Outside of a repository, a command that is no benchmark was just run in some directory. */
static bool knows_project(const struct ownership *o)
{
	return cg_desc_value(o->p, SUBJECT_PREFIX "benchmark") ||
	       cg_desc_value(o->p, SUBJECT_PREFIX "commit");
}

/* Of a case only the code in question is counted, and no harness: it may well be of libraries. */
static bool is_of_case(const struct ownership *o)
{
	const char *benchmark = cg_desc_value(o->p, SUBJECT_PREFIX "benchmark");
	return benchmark && strchr(benchmark, '/');
}

static int remark_little(struct comparison *c, const struct ownership *o, double percent,
			 struct cg_error *err)
{
	const bool rounds_to_none = percent > 0 && percent < 0.1;
	char *text = NULL, *advice = NULL;

	if (asprintf(
		    &text,
		    "only %s%.1f%% of Ir is spent in the project's functions, so changes of them hardly show",
		    rounds_to_none ? "<" : "", rounds_to_none ? 0.1 : percent) < 0)
		text = NULL;
	if (cg_desc_value(o->p, SUBJECT_PREFIX "benchmark"))
		advice = strdup("Count only the code in question, with `cases:` or `root:` of the "
				"benchmark (man irdiff.yml)");
	else
		advice = strdup("Count only the code in question, with --root=FUNCTION of "
				"irdiff profile");
	return remarks_add(&c->remarks, REMARK_WARNING, "project-code", text, advice, err);
}

int remarking_find_own(struct comparison *c, struct cg_error *err)
{
	enum { LEAST_PERCENT = 5 };
	struct ownership o = { .p = c->head.profile };
	const int event = cg_event_index(o.p, "Ir");
	bool bare = false;

	if (!find_root(&o))
		return CG_OK;
	int status = remark_no_debug(c, &o, &bare, err);
	if (status || bare || is_of_case(&o) || !knows_project(&o) || !c->tree ||
	    c->tree->head->profile != o.p || event < 0 || o.p->total[event] <= 0)
		return status;
	const int64_t cost = cost_of_project(&o, c->tree->head, (uint32_t)event);
	if (cost < 0)
		return cg_fail_nomem(err);
	const double percent = 100 * (double)cost / (double)o.p->total[event];
	return percent < LEAST_PERCENT ? remark_little(c, &o, percent, err) : CG_OK;
}
