#include "src/run/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/names.h"
#include "src/run/choose.h"
#include "src/run/family.h"
#include "src/run/setting_names.h"
#include "src/run/strings.h"

#define REQUEST "Client Request: "
#define METADATA "Metadata: " /* how CodSpeed's integrations name themselves */

/* The index of a text, or `count` if no name is equal to it. */
static size_t find_name(const char *const *names, size_t count, const char *text)
{
	size_t i = 0;

	while (i < count && strcmp(text, names[i]) != 0)
		i++;
	return i;
}

bool cases_parse(const char *text, enum run_cases *kind)
{
	static const char *const names[] = { RUN_CASES_NAMES(RUN_COMMA, RUN_COMMA) };
	size_t count = sizeof names / sizeof *names, i = find_name(names, count, text);

	if (i < count)
		*kind = (enum run_cases)i;
	return i < count;
}

bool processes_parse(const char *text, enum run_processes *which)
{
	static const char *const names[] = { RUN_PROCESSES_NAMES(RUN_COMMA, RUN_COMMA) };
	size_t count = sizeof names / sizeof *names, i = find_name(names, count, text);

	if (i < count)
		*which = (enum run_processes)i;
	return i < count;
}

static bool is_irdiff_kind(enum run_cases kind)
{
	return kind == RUN_CASES_AUTO || kind == RUN_CASES_IRDIFF;
}

const char *case_of_trigger(enum run_cases kind, const char *trigger, bool *begun)
{
	const char *name = text_after(trigger, REQUEST);

	*begun = true;
	if (!name || kind == RUN_CASES_NONE)
		return NULL;
	if (is_irdiff_kind(kind)) {
		const char *other = text_after(name, CASES_PREFIX_NOT_BEGUN);
		*begun = !other;
		return other ? other : text_after(name, CASES_PREFIX);
	}
	if (kind == RUN_CASES_CODSPEED && text_after(name, METADATA))
		return NULL;
	return *name ? name : NULL;
}

static struct run_case *find_run_case(const struct run_result *result, const char *name)
{
	for (size_t i = 0; i < result->ncases; i++)
		if (strcmp(result->cases[i].name, name) == 0)
			return &result->cases[i];
	return NULL;
}

static struct run_case *add_run_case(struct run_result *result, size_t *cap, const char *name)
{
	char *copy = strdup(name);
	if (!copy || cg_grow(&result->cases, cap, result->ncases + 1, sizeof *result->cases)) {
		free(copy);
		return NULL;
	}
	result->cases[result->ncases] = (struct run_case){ .name = copy };
	return &result->cases[result->ncases++];
}

int run_case_add_file(struct run_case *c, size_t file, uint64_t collected)
{
	if (cg_grow(&c->files, &c->files_cap, c->nfiles + 1, sizeof *c->files))
		return CG_ENOMEM;
	c->files[c->nfiles++] = file;
	c->collected = collected > UINT64_MAX - c->collected ? UINT64_MAX
							     : c->collected + collected;
	return CG_OK;
}

static int take_integration(struct run_result *result, enum run_cases kind, const char *trigger)
{
	const char *request = text_after(trigger, REQUEST);
	const char *text = request ? text_after(request, METADATA) : NULL;

	if (kind != RUN_CASES_CODSPEED || !text || result->integration)
		return CG_OK;
	result->integration = strdup(text);
	return result->integration ? CG_OK : CG_ENOMEM;
}

/* irdiff_end() itself counts an instruction each time (irdiff.h). */
static bool is_empty_case(const struct run_case *c, enum run_cases kind)
{
	return c->collected <= (is_irdiff_kind(kind) ? c->nfiles : 0);
}

/* pytest-codspeed names a case by the path of its file, which is ours outside of a repository. */
static const char *name_in_project(const struct run_result *result, const char *name)
{
	for (size_t i = 0; i < result->nmappings; i++) {
		const char *rest = text_after(name, result->mappings[i].seen);
		if (rest && rest[0] == '/' && rest[1])
			return rest + 1;
	}
	return name;
}

int cases_find(struct run_result *result, enum run_cases kind, struct cg_error *err)
{
	size_t cap = 0;

	for (size_t i = 0; i < result->nprofiles; i++) {
		const struct run_profile *p = &result->profiles[i];
		bool begun;
		const char *name = case_of_trigger(kind, p->trigger, &begun);
		if (take_integration(result, kind, p->trigger))
			return cg_fail_nomem(err);
		if (!name)
			continue;
		name = name_in_project(result, name);
		struct run_case *c = find_run_case(result, name);
		if (!c)
			c = add_run_case(result, &cap, name);
		if (!c || (begun && run_case_add_file(c, i, p->collected)))
			return cg_fail_nomem(err);
		if (!begun)
			c->state = RUN_CASE_NOT_BEGUN;
	}
	for (size_t i = 0; i < result->ncases; i++)
		if (is_empty_case(&result->cases[i], kind) && !result->cases[i].state)
			result->cases[i].state = RUN_CASE_EMPTY;
	return CG_OK;
}

const struct run_case *cases_first(const struct run_result *result)
{
	for (size_t i = 0; i < result->ncases; i++)
		if (result->cases[i].state == RUN_CASE_MEASURED)
			return &result->cases[i];
	return NULL;
}

/* The case that a process ended last before it wrote this profile, by the order of its parts; NULL:
 * it ended none. */
static const char *last_ended(const struct run_result *result, pid_t pid, size_t before)
{
	const char *name = NULL;
	size_t last = 0;

	for (size_t i = 0; i < result->ncases; i++)
		for (size_t k = 0; k < result->cases[i].nfiles; k++) {
			size_t file = result->cases[i].files[k];
			if (result->profiles[file].pid != pid || file >= before ||
			    (name && file < last))
				continue;
			name = result->cases[i].name;
			last = file;
		}
	return name;
}

bool cases_one_is_open(const struct run_result *result, const char **after)
{
	for (size_t i = 0; i < result->nprofiles; i++) {
		const struct run_profile *p = &result->profiles[i];
		if (!p->collected || strcmp(p->trigger, "Program termination") != 0)
			continue;
		*after = last_ended(result, p->pid, SIZE_MAX);
		if (*after)
			return true;
	}
	return false;
}

size_t cases_not_ended(const struct run_result *result, enum run_cases kind, const char **after)
{
	size_t count = 0;

	for (size_t i = 0; is_irdiff_kind(kind) && i < result->nprofiles; i++) {
		const struct run_profile *p = &result->profiles[i];
		const char *request = text_after(p->trigger, REQUEST);
		/* A process that was forked inside a case behaves as if it had begun that case. */
		bool inherited = p->forked && !p->replaced && p->part == 1;
		if (inherited || !request || strcmp(request, CASES_NOT_ENDED) != 0)
			continue;
		if (count++ == 0)
			*after = last_ended(result, p->pid, i);
	}
	return count;
}

/* Neither the instructions of a launcher count, nor those of a process between fork and exec. */
static bool may_have_cases(const struct run_profile *p)
{
	return p->bytes && p->collected && !p->launcher && !(p->forked && p->replaced);
}

/* "cc1", or "cc1#2" for the second process of that name. */
static char *name_process(const struct run_result *result, const struct run_profile *p)
{
	const char *image = cg_base_name(*p->image ? p->image : p->command);
	char *name = strdup(image);

	for (size_t n = 2; name && find_run_case(result, name); n++) {
		free(name);
		if (asprintf(&name, "%s#%zu", image, n) < 0)
			name = NULL;
	}
	return name;
}

int cases_of_processes(struct run_result *result, struct cg_error *err)
{
	size_t cap = 0;

	for (size_t begin = 0, end; begin < result->nprofiles; begin = end) {
		uint64_t cost;
		end = run_profile_end(result->profiles, result->nprofiles, begin, &cost);
		if (!cost || !may_have_cases(&result->profiles[begin]))
			continue;
		char *name = name_process(result, &result->profiles[begin]);
		struct run_case *c = name ? add_run_case(result, &cap, name) : NULL;
		free(name);
		if (!c)
			return cg_fail_nomem(err);
		for (size_t i = begin; i < end; i++)
			if (run_case_add_file(c, i, result->profiles[i].collected))
				return cg_fail_nomem(err);
	}
	return CG_OK;
}

int cases_of_threads(struct run_result *result, struct cg_error *err)
{
	size_t cap = 0;

	for (size_t i = result->chosen; i < result->chosen + result->nchosen; i++) {
		const struct run_profile *p = &result->profiles[i];
		char name[32];
		if (!p->collected)
			continue;
		snprintf(name, sizeof name, "thread %u", p->thread ? p->thread : 1);
		struct run_case *c = find_run_case(result, name);
		if (!c)
			c = add_run_case(result, &cap, name);
		if (!c || run_case_add_file(c, i, p->collected))
			return cg_fail_nomem(err);
	}
	return CG_OK;
}

static int take_file(struct run_result *result, size_t file, struct cg_error *err)
{
	if (cg_grow(&result->files, &result->files_cap, result->nfiles + 1, sizeof *result->files))
		return cg_fail_nomem(err);
	result->files[result->nfiles++] = file;
	return CG_OK;
}

int files_of_chosen(struct run_result *result, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < result->nchosen; i++)
		status = take_file(result, result->chosen + i, err);
	return status;
}

/* A profile that begins with a copy of its parent's counts would count these twice. */
static bool is_of_family(const struct run_result *result, size_t file)
{
	const struct run_profile *profiles = result->profiles;
	bool chosen = file >= result->chosen && file < result->chosen + result->nchosen;

	return chosen || (profiles[file].bytes && profiles[file].forked &&
			  family_root(profiles, result->nprofiles, file) == result->chosen &&
			  !family_has_copy(profiles, result->nprofiles, &profiles[file]));
}

int files_of_family(struct run_result *result, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < result->nprofiles; i++)
		if (is_of_family(result, i))
			status = take_file(result, i, err);
	return status;
}

int files_of_all(struct run_result *result, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < result->nprofiles; i++)
		if (may_have_cases(&result->profiles[i]))
			status = take_file(result, i, err);
	return status;
}

int files_of_project(struct run_result *result, const char *root, struct cg_error *err)
{
	int status = CG_OK;

	if (!choose_below(result->profiles[result->chosen].image, root))
		return files_of_all(result, err);
	result->left_others = true;
	for (size_t i = 0; !status && i < result->nprofiles; i++)
		if (may_have_cases(&result->profiles[i]) &&
		    choose_below(result->profiles[i].image, root))
			status = take_file(result, i, err);
	return status;
}
