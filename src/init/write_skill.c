#include "src/init/write_skill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/init/workflows.h"
#include "src/store/beneath.h"

#define SKILL_FILE "/skills/irdiff/SKILL.md"
#define SKILL_BYTES_MAX ((size_t)1 << 20)

static int join(char **path, const char *dir, const char *name, struct cg_error *err)
{
	if (asprintf(path, "%s/%s", dir, name) >= 0)
		return CG_OK;
	*path = NULL;
	return cg_fail_nomem(err);
}

static bool has_directory(const char *dir, const char *name)
{
	struct stat st;
	char *path;
	bool has = join(&path, dir, name, NULL) == CG_OK && beneath_stat(dir, path, &st) == 0 &&
		   S_ISDIR(st.st_mode);

	free(path);
	return has;
}

void skill_choose(const char *dir, struct skill_files *out)
{
	static const char *const names[] = { ".agents" SKILL_FILE, ".claude" SKILL_FILE };
	bool claude = has_directory(dir, ".claude");

	*out = (struct skill_files){ 0 };
	if (!claude || has_directory(dir, ".agents"))
		out->names[out->count++] = names[0];
	if (claude)
		out->names[out->count++] = names[1];
}

/* Whether the file exists with these very bytes. */
static bool is_current(const char *dir, const char *name)
{
	char *path, *text = NULL;
	size_t size;
	bool current = join(&path, dir, name, NULL) == CG_OK &&
		       beneath_read(dir, path, SKILL_BYTES_MAX, &text, &size, NULL) == CG_OK &&
		       size == skill_text_size && memcmp(text, skill_text, size) == 0;

	free(text);
	free(path);
	return current;
}

static int check_skill_file(const char *dir, const char *name, struct cg_error *err)
{
	char *path;
	int status = join(&path, dir, name, err);
	int fd = status ? -1 : beneath_open(dir, path, O_PATH | O_NOFOLLOW, 0);

	if (!status && fd < 0 && errno == ELOOP)
		status = beneath_fail(name, "write", err);
	if (fd >= 0 && !is_current(dir, name))
		status = cg_fail(err, CG_EINVAL, name, 0,
				 "exists with other contents; --force replaces it");
	if (fd >= 0)
		close(fd);
	free(path);
	return status;
}

int skill_check(const char *dir, const struct skill_files *files, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < files->count; i++)
		status = check_skill_file(dir, files->names[i], err);
	return status;
}

static int write_skill_file(const char *dir, const char *name, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	char *path, *above = NULL;
	int status = join(&path, dir, name, err);

	if (!status && !(above = strndup(path, (size_t)(strrchr(path, '/') - path))))
		status = cg_fail_nomem(err);
	if (!status)
		status = beneath_make_directories(dir, above, err);
	if (!status) {
		beneath_sweep(dir, path);
		status = beneath_new_file(dir, path, &file, &to, err);
	}
	if (!status) {
		fwrite(skill_text, 1, skill_text_size, to);
		status = new_file_commit(file, err);
	}
	free(above);
	free(path);
	return status;
}

int skill_write(const char *dir, struct skill_files *files, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < files->count; i++) {
		files->written[i] = !is_current(dir, files->names[i]);
		if (files->written[i])
			status = write_skill_file(dir, files->names[i], err);
	}
	return status;
}
