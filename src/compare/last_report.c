#include "src/compare/last_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/store/beneath.h"

static char *path_of_last_report(const char *root, const char *name)
{
	char *path;
	return asprintf(&path, "%s/%s", root, name) < 0 ? NULL : path;
}

void last_report_forget(const char *root)
{
	char *path = path_of_last_report(root, LAST_REPORT);

	if (path)
		beneath_unlink(root, path);
	free(path);
}

static int begin_last_report(const char *root, struct new_file **file, FILE **to,
			     struct cg_error *err)
{
	char *directory = path_of_last_report(root, LAST_DIRECTORY),
	     *path = path_of_last_report(root, LAST_REPORT);
	int status = directory && path ? beneath_make_directories(root, directory, err)
				       : cg_fail_nomem(err);

	if (!status)
		status = beneath_new_file(root, path, file, to, err);
	free(directory);
	free(path);
	return status;
}

static int finish_last_report(struct new_file *file, int written, struct cg_error *err)
{
	if (!written)
		return new_file_commit(file, err);
	new_file_abandon(file);
	return cg_fail_nomem(err);
}

int last_report_write(const char *root, const struct suite_report *suite, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	int status = begin_last_report(root, &file, &to, err);

	return status ? status : finish_last_report(file, suite_markdown(suite, to), err);
}

void last_report_fail(const char *root, const struct failed_run *run)
{
	char *own = path_of_last_report(root, ".irdiff");
	struct new_file *file;
	FILE *to;

	if (own && beneath_is_there(root, own) && !begin_last_report(root, &file, &to, NULL))
		finish_last_report(file, suite_markdown_failed(run, to), NULL);
	free(own);
}
