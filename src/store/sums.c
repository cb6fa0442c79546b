#include "src/store/sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/digest/digest.h"
#include "src/store/files.h"
#include "src/store/profiles.h"

enum { FILES = PROFILE_SHARED + 2, MOST_BYTES = FILES * 120 };

static const char *summed_file(size_t i)
{
	return i < PROFILE_SHARED    ? profile_file_names[i]
	       : i == PROFILE_SHARED ? CACHE_KEY_FILE
				     : CACHE_CASES_FILE;
}

/* "DIGEST  NAME\n" for each; the caller's. */
static int sum_files(const char *directory, char **text, struct cg_error *err)
{
	char *buffer, *path, digest[DIGEST_SIZE];
	size_t size;
	FILE *to = open_memstream(&buffer, &size);
	int status = to ? CG_OK : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < FILES; i++) {
		struct stat st;
		if (asprintf(&path, "%s/%s", directory, summed_file(i)) < 0) {
			status = cg_fail_nomem(err);
			break;
		}
		if (lstat(path, &st) == 0) {
			status = digest_of_file(path, digest, err);
			if (!status)
				fprintf(to, "%s  %s\n", digest, summed_file(i));
		}
		free(path);
	}
	if (to && fclose(to) != 0 && !status)
		status = cg_fail_nomem(err);
	if (!status)
		*text = buffer;
	else if (to)
		free(buffer);
	return status;
}

int sums_write(const char *directory, struct cg_error *err)
{
	char *text = NULL, *path = NULL;
	struct new_file *file;
	FILE *to;
	int status = sum_files(directory, &text, err);

	if (!status && asprintf(&path, "%s/" SUMS_FILE, directory) < 0) {
		path = NULL;
		status = cg_fail_nomem(err);
	}
	if (!status)
		status = new_file_begin(path, &file, &to, err);
	if (!status) {
		new_file_leave_unsynced(file);
		fputs(text, to);
		status = new_file_commit(file, err);
	}
	free(path);
	free(text);
	return status;
}

/* The name of the file in the first line that differs, or is missing from the other text. */
static const char *first_difference(const char *kept, const char *now)
{
	for (size_t i = 0; i < FILES; i++) {
		char end[40];
		snprintf(end, sizeof end, "  %s\n", summed_file(i));
		const char *a = strstr(kept, end), *b = strstr(now, end);
		bool has_a = a && a - kept >= DIGEST_SIZE - 1, has_b = b != NULL;
		if (has_a != has_b ||
		    (has_a &&
		     strncmp(a - (DIGEST_SIZE - 1), b - (DIGEST_SIZE - 1), DIGEST_SIZE - 1) != 0))
			return summed_file(i);
	}
	return SUMS_FILE;
}

int sums_check(const char *directory, struct cg_error *err)
{
	char *path, *kept = NULL, *now = NULL;
	size_t size;
	if (asprintf(&path, "%s/" SUMS_FILE, directory) < 0)
		return cg_fail_nomem(err);
	int status = foreign_file_read(path, MOST_BYTES, &kept, &size, err);
	if (status && status != CG_ENOMEM)
		status = cg_fail(err, CG_EINTERNAL, directory, 0,
				 "cannot read its " SUMS_FILE
				 ", so nothing shows whether it was changed");
	if (!status)
		status = sum_files(directory, &now, err);
	if (!status && strcmp(kept, now) != 0)
		status = cg_fail(err, CG_EINTERNAL, directory, 0,
				 "its %s does not match its checksum", first_difference(kept, now));
	free(path);
	free(kept);
	free(now);
	return status;
}
