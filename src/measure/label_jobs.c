#include "src/measure/label_jobs.h"

#include "cgprofile/reader.h"
#include "src/store/cache.h"

static int read_labelled_profile(const char *root, const char *label, struct cg_profile **out,
				 struct cg_error *err)
{
	const struct cg_read_options options = { .detail = { .lines = true } };
	struct profile_paths paths;
	int status = profile_paths_of(root, label, &paths, err);
	if (status)
		return status;
	status = cg_read_file(paths.lines, &options, out, err);
	profile_paths_free(&paths);
	return status;
}

static int add_all(const char *root, struct jobs *jobs, const struct label_job *list, size_t count,
		   struct cg_error *err)
{
	struct path_list cached = { 0 };
	int status = CG_OK;

	/* Without it, nothing is known of the last time. */
	cache_names_read(root, &cached, NULL);
	for (size_t i = 0; !status && i < count; i++)
		status = jobs_add(jobs, list[i].m, list[i].m->label,
				  cache_last_run_among(root, &cached, list[i].m->label), err);
	path_list_free(&cached);
	return status;
}

static enum ending take_results(const struct jobs_options *options, struct jobs *jobs,
				struct label_job *list, size_t count)
{
	enum ending worst = ENDED_FINE;

	for (size_t i = 0; i < count; i++) {
		struct cg_error err;
		struct measured *measured = &list[i].measured;
		list[i].ending = jobs_ending(jobs, i);
		jobs_take_measured(jobs, i, measured);
		int status = CG_OK;
		for (size_t k = 0; !status && k < measured->count; k++)
			status = read_labelled_profile(list[i].m->root, measured->items[k].label,
						       &measured->items[k].profile, &err);
		if (status) {
			list[i].ending = notice_error(options->notices, &err);
			measured_free(measured);
		}
		worst = list[i].ending > worst ? list[i].ending : worst;
	}
	return worst;
}

enum ending measure_labels(const char *root, const struct jobs_options *options,
			   struct label_job *list, size_t count)
{
	struct cg_error err;
	struct interrupts interrupts;
	struct jobs *jobs = NULL;

	if (interrupts_open(&interrupts, &err))
		return notice_error(options->notices, &err);
	int status = store_prepare(root, &err);
	if (!status)
		status = jobs_open(root, options, &jobs, &err);
	if (!status)
		status = add_all(root, jobs, list, count, &err);
	enum ending ending = status ? notice_error(options->notices, &err)
				    : jobs_run(jobs, &interrupts);
	if (ending == ENDED_FINE)
		ending = take_results(options, jobs, list, count);
	jobs_close(jobs);
	interrupts_close(&interrupts);
	return ending;
}
