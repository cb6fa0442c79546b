#include "src/measure/run_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "src/run/count.h"
#include "src/run/perf_maps.h"
#include "src/status/ending.h"
#include "src/status/notice.h"
#include "src/store/label.h"
#include "src/text/suggest.h"

static const char **names_of_cases(const struct run_result *result)
{
	const char **names = calloc(result->ncases + 1, sizeof *names);

	for (size_t i = 0; names && i < result->ncases; i++)
		names[i] = result->cases[i].name;
	return names;
}

int run_choose_cases(const struct run_result *result, const struct case_choice *choice,
		     bool **chosen, struct cg_error *err)
{
	bool *which = calloc(result->ncases + 1, sizeof *which);
	const char **names = names_of_cases(result);
	int status = which && names ? choose_cases(choice, names, result->ncases, which, err)
				    : cg_fail_nomem(err);

	free(names);
	if (status)
		free(which);
	else
		*chosen = which;
	return status;
}

static int add_files(const struct run_case *c, const char *name, size_t *files, size_t *count,
		     struct cg_error *err)
{
	if (c->state)
		return cg_fail(err, CG_EINTERNAL, NULL, 0, "%s %s", name,
			       run_case_words(c->state, false));
	for (size_t k = 0; k < c->nfiles; k++)
		files[(*count)++] = c->files[k];
	return CG_OK;
}

int run_files_of(const struct run_result *result, const struct case_choice *choice, size_t *files,
		 size_t *count, struct cg_error *err)
{
	bool *chosen = NULL;
	int status = run_choose_cases(result, choice, &chosen, err);

	*count = 0;
	for (size_t i = 0; !status && i < result->ncases; i++) {
		if (!chosen[i])
			continue;
		char *name = label_of_case(choice->benchmark, result->cases[i].name);
		status = name ? add_files(&result->cases[i], name, files, count, err)
			      : cg_fail_nomem(err);
		free(name);
	}
	free(chosen);
	if (!status && !result->ncases)
		*count = run_files(result, files);
	return status;
}

size_t run_files(const struct run_result *result, size_t *files)
{
	size_t count = 0;

	for (size_t i = 0; i < result->ncases; i++)
		for (size_t k = 0; !result->cases[i].state && k < result->cases[i].nfiles; k++)
			files[count++] = result->cases[i].files[k];
	for (size_t i = 0; !result->ncases && i < result->nfiles; i++)
		files[count++] = result->files[i];
	return count;
}

/* Whether a file ends as Valgrind ends each: in a whole line `totals:`. */
static bool is_whole(const char *path)
{
	enum { TAIL = 4096 }; /* more than the totals of all events take */
	static const char begin[] = "\ntotals:";
	char tail[TAIL + 1];
	FILE *from = fopen(path, "rbe");

	if (!from)
		return false;
	if (fseek(from, -TAIL, SEEK_END) != 0)
		rewind(from); /* it is shorter */
	size_t len = fread(tail, 1, TAIL, from);
	fclose(from);
	if (len == 0 || tail[len - 1] != '\n')
		return false;
	tail[len - 1] = '\0';
	const char *last = memrchr(tail, '\n', len - 1);
	return last && strncmp(last, begin, sizeof begin - 1) == 0;
}

/* What is malformed although Valgrind has written it was not written to its end. */
static int judge_cut(const char *const *files, size_t count, struct cg_error *err)
{
	size_t whole = 0;

	while (whole < count && is_whole(files[whole]))
		whole++;
	if (whole == count)
		return CG_ESYNTAX;
	err->code = CG_EFULL;
	cg_error_context(err, "Valgrind could not write the whole profile (disk full?)");
	return CG_EFULL;
}

int read_run(const struct run_result *result, const size_t *which, size_t count,
	     const struct cg_read_options *how, struct cg_profile **out, struct cg_error *err)
{
	struct cg_path_map *paths = calloc(result->nmappings + 1, sizeof *paths);
	const char **files = calloc(count + 1, sizeof *files);
	/* Each file is there once; a case may have been measured by several processes. */
	const struct cg_selection all = { .merge = true };
	struct cg_read_options options = *how;
	struct perf_maps maps = { 0 };
	int status = paths && files && !perf_maps_read(result, which, count, &maps)
			     ? CG_OK
			     : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < result->nmappings; i++)
		paths[i] = (struct cg_path_map){ result->mappings[i].seen,
						 result->mappings[i].real };
	for (size_t i = 0; !status && i < count; i++)
		files[i] = result->profiles[which[i]].path;
	options.paths = paths;
	options.npaths = result->nmappings;
	options.selection = &all;
	options.split_calls = result->split_calls;
	options.without = count_times;
	options.maps = maps.items;
	options.nmaps = maps.count;
	if (!status)
		status = cg_read_files(files, count, &options, out, err);
	if (status == CG_ESYNTAX)
		status = judge_cut(files, count, err);
	perf_maps_free(&maps);
	free(paths);
	free(files);
	return status;
}

/* Valgrind wrote nothing then, and could not report anything. */
static bool is_full(const struct run_result *result)
{
	enum { PAGES = 4 };
	struct statvfs fs;

	return result->failure == RUN_NO_PROFILE && result->stdout_path &&
	       statvfs(result->stdout_path, &fs) == 0 && fs.f_bavail < PAGES;
}

enum ending tell_failed_run(const struct notices *n, const struct run_result *result,
			    const struct cg_error *err)
{
	notice_error(n, err);
	if (is_full(result)) {
		notice_message(n, "cannot write a profile: the disk with .irdiff is full");
		return ENDED_BENCHMARK_FAILED;
	}
	switch (result->failure) {
	case RUN_MEASURED:
		return ENDED_FINE;
	case RUN_BAD_REQUEST:
	case RUN_BAD_COMMAND:
		return ENDED_UNUSABLE;
	case RUN_BENCHMARK_FAILED:
	case RUN_TIMED_OUT:
		notice_output(n, result->tail);
		return ENDED_BENCHMARK_FAILED;
	case RUN_NO_PROFILE:
	case RUN_ONLY_LAUNCHER:
		notice_output(n, result->tail); /* it may say why it did not do more */
		return err->code == CG_EFULL ? ENDED_BENCHMARK_FAILED : ENDED_UNTRUSTED;
	case RUN_INTERRUPTED:
		return ended_by_signal(result->interrupted_by);
	default:
		return err->code == CG_EFULL ? ENDED_BENCHMARK_FAILED : ENDED_UNTRUSTED;
	}
}

void tell_preset(const struct notices *n, const struct run_result *result)
{
	if (result->preset_text)
		notice_message(
			n,
			"to make counts repeat, set for %s; --presets=no, or presets: false in irdiff.yml, measures without",
			result->preset_text);
}
