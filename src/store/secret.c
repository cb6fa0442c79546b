#include "src/store/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/beneath.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"

#define SECRET ".irdiff/secret"
#define DIGITS ((size_t)2 * DIGEST_KEY_BYTES)

/* ---- reading ---- */

static bool parse_secret(const char *text, struct digest_key *out)
{
	static const char digits[] = "0123456789abcdef";

	if (strspn(text, digits) != DIGITS || (text[DIGITS] && strcmp(text + DIGITS, "\n") != 0))
		return false;
	for (size_t i = 0; i < DIGEST_KEY_BYTES; i++)
		out->bytes[i] = (unsigned char)((strchr(digits, text[2 * i]) - digits) << 4 |
						(strchr(digits, text[2 * i + 1]) - digits));
	return true;
}

static int read_secret(const char *path, int fd, struct digest_key *out, struct cg_error *err)
{
	char text[DIGITS + 3] = "";
	struct stat st;

	if (fstat(fd, &st))
		return cg_fail(err, CG_EIO, path, 0, "cannot access: %s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return cg_fail(err, CG_EINVAL, path, 0,
			       "not a regular file; remove it, and irdiff creates a new one");
	/* The file may have been copied here with another mode. File systems without modes
	 * refuse the change, which is ignored. */
	if (st.st_mode & 077 && fchmod(fd, 0600) != 0)
		errno = 0;
	if (read(fd, text, sizeof text - 1) < 0)
		return cg_fail(err, CG_EIO, path, 0, "cannot read: %s", strerror(errno));
	return parse_secret(text, out)
		       ? CG_OK
		       : cg_fail(err, CG_EINVAL, path, 0,
				 "not a secret of 64 hexadecimal digits; remove it, and irdiff creates a new one");
}

/* ---- making ---- */

static int write_random(const char *path, int fd, struct cg_error *err)
{
	unsigned char bytes[DIGEST_KEY_BYTES];
	char text[DIGITS + 2];

	if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		return cg_fail(err, CG_EIO, NULL, 0, "cannot get random numbers: %s",
			       strerror(errno));
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	text[DIGITS] = '\n';
	if (write(fd, text, DIGITS + 1) != (ssize_t)(DIGITS + 1) || fsync(fd))
		return cg_fail(err, cg_io_status(errno), path, 0, "cannot write: %s",
			       strerror(errno));
	return CG_OK;
}

static int write_secret(const char *root, const char *path, struct cg_error *err)
{
	int fd = beneath_open(root, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	if (fd < 0)
		return beneath_fail(path, "create", err);
	int status = write_random(path, fd, err);
	close(fd);
	return status;
}

/* Makes the secret. If several irdiffs do so at once, the first link wins, of a complete file. */
static int make_secret(const char *root, const char *path, struct cg_error *err)
{
	struct work_directory work = { 0 };
	char *made = NULL;
	int status = store_prepare_data(root, err);

	if (!status)
		status = store_work_begin(root, &work, err);
	if (!status && asprintf(&made, "%s/secret", work.path) < 0) {
		made = NULL;
		status = cg_fail_nomem(err);
	}
	if (!status)
		status = write_secret(root, made, err);
	if (!status && beneath_link(root, made, path) != 0 && errno != EEXIST)
		status = beneath_fail(path, "create", err);
	free(made);
	store_work_end(&work);
	return status;
}

/* ---- the whole ---- */

static int open_secret(const char *root, const char *path)
{
	return beneath_open(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
}

int store_secret(const char *root, struct digest_key *out, struct cg_error *err)
{
	char *path;
	if (asprintf(&path, "%s/" SECRET, root) < 0)
		return cg_fail_nomem(err);
	int status = CG_OK, fd = open_secret(root, path);
	if (fd < 0 && errno == ENOENT) {
		status = make_secret(root, path, err);
		fd = status ? -1 : open_secret(root, path);
	}
	if (!status && fd < 0)
		status = beneath_fail(path, "open", err);
	if (!status)
		status = read_secret(path, fd, out, err);
	if (fd >= 0)
		close(fd);
	free(path);
	return status;
}
