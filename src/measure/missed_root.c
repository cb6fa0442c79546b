#include "src/measure/missed_root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/measure/run_result.h"
#include "src/store/publish.h"
#include "src/text/similar_function.h"

/* A harness has one run for each case: one of them suffices. */
static int choose_one_case(const void *unused, const char *const *names, size_t count, bool *chosen,
			   struct cg_error *err)
{
	(void)unused;
	(void)names;
	(void)err;
	if (count)
		chosen[0] = true;
	return CG_OK;
}

/* Without the wildcards around it and the parameters: the caller's. NULL: out of memory. */
static char *copy_name_of_root(const char *root)
{
	const char *begin = root + strspn(root, "*");

	return strndup(begin, strcspn(begin, "*?("));
}

/* What to write as root for a function: with a wildcard for the parameters, if it has some. NULL:
 * out of memory. */
static char *format_root(const struct cg_profile *p, uint32_t function)
{
	const char *name = cg_string(p, p->functions[function].name);
	const size_t len = similar_function_length(p, function);
	char *text;

	return asprintf(&text, "%.*s%s", (int)len, name, name[len] == '(' ? "(*" : "") < 0 ? NULL
											   : text;
}

static void suggest_root_of(const struct cg_profile *p, const char *root, struct cg_error *err)
{
	char *name = copy_name_of_root(root), *meant = NULL;
	uint32_t function = 0;

	if (name && *name && !similar_function(p, name, &function) && function)
		meant = format_root(p, function);
	if (meant)
		cg_fail(err, err->code, NULL, 0,
			"nothing was counted below the function \"%.200s\": it was not called, it was "
			"inlined, or its name is spelled differently; did you mean \"%.200s\"?",
			root, meant);
	free(meant);
	free(name);
}

static void read_and_suggest(const struct run_result *result, const char *root,
			     struct cg_error *err)
{
	const struct cg_read_options how = { 0 };
	size_t *files = calloc(result->nprofiles + 1, sizeof *files);
	struct cg_profile *p = NULL;
	struct cg_error ignored;

	if (files && !read_run(result, files, run_files(result, files), &how, &p, &ignored))
		suggest_root_of(p, root, err);
	cg_profile_free(p);
	free(files);
}

int suggest_called_root(const struct run_request *request, const char *project,
			struct cg_error *err)
{
	struct run_request again = *request;
	struct run_result result = { 0 };
	struct work_directory work = { 0 };
	struct cg_error ignored;

	if (store_work_begin(project, &work, &ignored))
		return 0;
	again.workdir = work.path;
	again.function = NULL;
	again.depth = 0;
	again.cache_sim = false;
	again.count = 0;
	if (!again.choose)
		again.choose = choose_one_case;
	if (!run_benchmark(&again, &result, &ignored))
		read_and_suggest(&result, request->function, err);
	const int signal = result.interrupted_by;
	run_result_free(&result);
	store_work_end(&work);
	return signal;
}
