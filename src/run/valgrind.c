#include "src/run/valgrind.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/run/command.h"
#include "src/run/hermetic.h"
#include "src/run/process.h"

#define REMEDY "install the package valgrind (apt-get install valgrind)"

/* Debian's `valgrind` is a script that runs `valgrind.bin` beside it. */
static int bypass_script(char **path, struct cg_error *err)
{
	struct image image;
	int status = image_read(*path, &image, err);
	if (status)
		return status;
	enum image_kind kind = image.kind;
	image_free(&image);
	if (kind != IMAGE_SCRIPT)
		return CG_OK;

	char *real = realpath(*path, NULL), *program = NULL;
	if (!real || asprintf(&program, "%s.bin", real) < 0) {
		free(real);
		return cg_fail_nomem(err);
	}
	free(real);
	if (access(program, X_OK) == 0 && image_read(program, &image, NULL) == CG_OK) {
		kind = image.kind;
		image_free(&image);
	}
	if (kind == IMAGE_ELF) {
		free(*path);
		*path = program;
	} else {
		free(program); /* another wrapper script: it is run as it is */
	}
	return CG_OK;
}

/* "valgrind-3.19.0\n" */
static int ask_version(struct valgrind *valgrind, const char *path, struct interrupts *interrupts,
		       struct cg_error *err)
{
	static const char prefix[] = "valgrind-", fork[] = ".codspeed";
	const char *argv[] = { valgrind->path, "--version", NULL };
	const char *envp[] = { NULL, NULL };
	char *var, *output = NULL;

	if (asprintf(&var, "PATH=%s", path) < 0)
		return cg_fail_nomem(err);
	envp[0] = var;
	int status = process_output(valgrind->path, argv, envp, "/", interrupts, &output, err);
	free(var);
	if (status) {
		cg_error_context(err, "valgrind --version");
		return status;
	}

	output[strcspn(output, "\n")] = '\0';
	if (strncmp(output, prefix, sizeof prefix - 1)) {
		status = cg_fail(err, CG_EIO, valgrind->path, 0,
				 "not Valgrind: its version is \"%.60s\"; " REMEDY, output);
	} else {
		const char *version = output + sizeof prefix - 1;
		size_t len = strlen(version);
		valgrind->version = strdup(version);
		valgrind->codspeed = len >= sizeof fork - 1 &&
				     !strcmp(version + len - (sizeof fork - 1), fork);
		if (!valgrind->version)
			status = cg_fail_nomem(err);
	}
	free(output);
	return status;
}

int valgrind_find(const char *wanted, struct interrupts *interrupts, struct valgrind *valgrind,
		  struct cg_error *err)
{
	struct valgrind found = { 0 };
	char cwd[PATH_MAX];
	char *path = hermetic_path(getenv("PATH"));
	int status;

	if (!path)
		return cg_fail_nomem(err);
	if (!wanted)
		wanted = getenv("IRDIFF_VALGRIND");
	if (!wanted || !*wanted)
		wanted = "valgrind";
	if (!getcwd(cwd, sizeof cwd)) {
		cwd[0] = '/';
		cwd[1] = '\0';
	}

	status = command_which(wanted, cwd, path, &found.path, NULL);
	if (status) {
		status = status == CG_ENOMEM
				 ? cg_fail_nomem(err)
				 : cg_fail(err, CG_EIO, NULL, 0,
					   "Valgrind not found (%.200s): " REMEDY, wanted);
		goto done;
	}
	status = bypass_script(&found.path, err);
	if (status == CG_OK)
		status = ask_version(&found, path, interrupts, err);
done:
	free(path);
	if (status)
		valgrind_free(&found);
	else
		*valgrind = found;
	return status;
}

void valgrind_free(struct valgrind *valgrind)
{
	free(valgrind->path);
	free(valgrind->version);
	*valgrind = (struct valgrind){ 0 };
}
