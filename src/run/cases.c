#include "src/run/cases.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

#define REQUEST "Client Request: "
#define METADATA "Metadata: " /* CodSpeed's integrations name themselves so */

static const char *after(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);
	return strncmp(text, prefix, len) == 0 ? text + len : NULL;
}

bool cases_parse(const char *text, enum run_cases *kind)
{
	static const char *const names[] = {
		[RUN_CASES_AUTO] = "auto",	   [RUN_CASES_NONE] = "none",
		[RUN_CASES_IRDIFF] = "irdiff",	   [RUN_CASES_DUMPS] = "dumps",
		[RUN_CASES_CODSPEED] = "codspeed",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(text, names[i]) == 0) {
			*kind = (enum run_cases)i;
			return true;
		}
	return false;
}

const char *case_of_trigger(enum run_cases kind, const char *trigger)
{
	const char *name = after(trigger, REQUEST);

	if (!name || kind == RUN_CASES_NONE)
		return NULL;
	if (kind == RUN_CASES_AUTO || kind == RUN_CASES_IRDIFF)
		return after(name, CASES_PREFIX);
	if (kind == RUN_CASES_CODSPEED && after(name, METADATA))
		return NULL;
	return *name ? name : NULL;
}

static struct run_case *find(struct run_result *result, const char *name)
{
	for (size_t i = 0; i < result->ncases; i++)
		if (strcmp(result->cases[i].name, name) == 0)
			return &result->cases[i];
	return NULL;
}

static struct run_case *add(struct run_result *result, size_t *cap, const char *name)
{
	char *copy = strdup(name);
	if (!copy || cg_grow(&result->cases, cap, result->ncases + 1, sizeof *result->cases)) {
		free(copy);
		return NULL;
	}
	result->cases[result->ncases] = (struct run_case){ .name = copy };
	return &result->cases[result->ncases++];
}

static int add_file(struct run_case *c, size_t file, uint64_t collected)
{
	if (cg_grow(&c->files, &c->files_cap, c->nfiles + 1, sizeof *c->files))
		return CG_ENOMEM;
	c->files[c->nfiles++] = file;
	c->collected = collected > UINT64_MAX - c->collected ? UINT64_MAX : c->collected + collected;
	return CG_OK;
}

static int take_integration(struct run_result *result, enum run_cases kind, const char *trigger)
{
	const char *request = after(trigger, REQUEST);
	const char *text = request ? after(request, METADATA) : NULL;

	if (kind != RUN_CASES_CODSPEED || !text || result->integration)
		return CG_OK;
	result->integration = strdup(text);
	return result->integration ? CG_OK : CG_ENOMEM;
}

int cases_find(struct run_result *result, enum run_cases kind, struct cg_error *err)
{
	size_t cap = 0;

	for (size_t i = 0; i < result->nprofiles; i++) {
		const struct run_profile *p = &result->profiles[i];
		const char *name = case_of_trigger(kind, p->trigger);
		if (take_integration(result, kind, p->trigger))
			return cg_fail_nomem(err);
		if (!name)
			continue;
		struct run_case *c = find(result, name);
		if (!c)
			c = add(result, &cap, name);
		if (!c || add_file(c, i, p->collected))
			return cg_fail_nomem(err);
	}
	return CG_OK;
}

void cases_free(struct run_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(cases[i].name);
		free(cases[i].files);
	}
	free(cases);
}
