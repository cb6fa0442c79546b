#include "src/run/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void run_profile_free(struct run_profile *profile)
{
	free(profile->path);
	free(profile->command);
	free(profile->trigger);
	free(profile->events);
	free(profile->image);
	free(profile->map);
}

void run_cases_free(struct run_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(cases[i].name);
		free(cases[i].files);
	}
	free(cases);
}

static void free_list(char **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

void run_result_free(struct run_result *result)
{
	for (size_t i = 0; i < result->nprofiles; i++)
		run_profile_free(&result->profiles[i]);
	free(result->profiles);
	run_cases_free(result->cases, result->ncases);
	for (size_t i = 0; i < result->nnotes; i++) {
		free(result->notes[i].key);
		free(result->notes[i].value);
	}
	free(result->notes);
	free(result->integration);
	free(result->files);
	for (size_t i = 0; i < result->nmappings; i++) {
		free(result->mappings[i].seen);
		free(result->mappings[i].real);
	}
	free(result->mappings);
	free_list(result->objects, result->nobjects);
	free_list(result->environment, result->nenvironment);
	free(result->stdout_path);
	free(result->stderr_path);
	free(result->names_path);
	free(result->valgrind_log);
	free(result->tail);
	free(result->valgrind_path);
	free(result->valgrind_version);
	free(result->options);
	free(result->hwcaps);
	free(result->tunables);
	free(result->preset_text);
	free(result->freeze_library);
	free(result->program);
	*result = (struct run_result){ 0 };
}

size_t run_profile_end(const struct run_profile *profiles, size_t nprofiles, size_t begin,
		       uint64_t *cost)
{
	size_t end = begin;

	*cost = 0;
	while (end < nprofiles && profiles[end].pid == profiles[begin].pid &&
	       profiles[end].generation == profiles[begin].generation) {
		uint64_t more = profiles[end].collected;
		*cost = more > UINT64_MAX - *cost ? UINT64_MAX : *cost + more;
		end++;
	}
	return end;
}

size_t run_candidates(const struct run_result *result)
{
	size_t count = 0;

	for (size_t begin = 0, end; begin < result->nprofiles; begin = end) {
		uint64_t cost;
		end = run_profile_end(result->profiles, result->nprofiles, begin, &cost);
		const struct run_profile *p = &result->profiles[begin];
		count += cost && !p->launcher && !(p->forked && p->replaced);
	}
	return count;
}

size_t run_counted(const struct run_result *result)
{
	size_t count = 0;

	for (size_t i = 0; i < result->nfiles; i++) {
		const struct run_profile *p = &result->profiles[result->files[i]];
		bool first = i == 0 || result->profiles[result->files[i - 1]].pid != p->pid ||
			     result->profiles[result->files[i - 1]].generation != p->generation;
		count += first && !(p->forked && p->replaced);
	}
	return count;
}

int run_real_path(const struct run_result *result, const char *seen, char **real)
{
	const struct run_mapping *best = NULL;
	size_t best_len = 0;
	char *path;

	for (size_t i = 0; i < result->nmappings; i++) {
		const struct run_mapping *mapping = &result->mappings[i];
		size_t len = strlen(mapping->seen);
		if (len >= best_len && !strncmp(seen, mapping->seen, len) &&
		    (!seen[len] || (seen[len] == '/' && !mapping->stripped))) {
			best = mapping;
			best_len = len;
		}
	}
	if (asprintf(&path, "%s%s", best ? best->real : "", seen + best_len) < 0)
		return CG_ENOMEM;
	*real = path;
	return CG_OK;
}

const char *run_case_words(enum run_case_state state, bool rooted)
{
	switch (state) {
	case RUN_CASE_EMPTY:
		if (rooted)
			return "counted no instructions below root: the function was not called by this name, or was "
			       "inlined (for C++, give the full demangled name)";
		return "counted no instructions; the compiler may have removed its code (use irdiff_opaque, "
		       "irdiff_keep), or another case began inside it";
	case RUN_CASE_NOT_BEGUN:
		return "had not begun when it ended; irdiff_begin was not called, another case began inside it "
		       "(cases cannot be nested), or begin and end are not in one program or library";
	case RUN_CASE_NOT_MARKED:
		return "was run, but the functions of its harness that begin and end it were not called, or were "
		       "inlined, or this version of the harness has others";
	default:
		return "was measured";
	}
}

const char *run_failure_name(enum run_failure failure)
{
	static const char *const known[] = {
		[RUN_MEASURED] = "measured",
		[RUN_BAD_REQUEST] = "bad-request",
		[RUN_SYSTEM] = "system",
		[RUN_BAD_COMMAND] = "bad-command",
		[RUN_BENCHMARK_FAILED] = "benchmark-failed",
		[RUN_TIMED_OUT] = "timed-out",
		[RUN_INTERRUPTED] = "interrupted",
		[RUN_NO_VALGRIND] = "no-valgrind",
		[RUN_VALGRIND_DIED] = "valgrind-died",
		[RUN_NO_PROFILE] = "no-profile",
		[RUN_ONLY_LAUNCHER] = "only-launcher",
		[RUN_NOT_ALONE] = "not-alone",
	};
	size_t index = (size_t)failure;

	return index < sizeof known / sizeof known[0] ? known[index] : "unknown";
}
