/*
 * Usage: fuzz_TARGET [FILE|DIRECTORY...]
 *
 * Runs a fuzz target once on each file, on each file in each directory, or on
 * standard input if none is given. Everything that is not libFuzzer uses it:
 * AFL++, `make check`, and whoever has a finding to look at.
 */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

#ifndef LIBFUZZER

/* All bytes of a stream, the caller's to free; NULL if it cannot be read. */
static uint8_t *read_all(FILE *from, size_t *size)
{
	size_t cap = 1 << 16, len = 0, got;
	uint8_t *bytes = malloc(cap);

	while (bytes && (got = fread(bytes + len, 1, cap - len, from)) > 0) {
		len += got;
		if (len < cap)
			continue;
		uint8_t *more = realloc(bytes, cap *= 2);
		if (!more)
			free(bytes);
		bytes = more;
	}
	if (bytes && ferror(from)) {
		free(bytes);
		bytes = NULL;
	}
	*size = len;
	return bytes;
}

/* A copy of just the right size, so that AddressSanitizer sees where it ends. */
static int run_stream(FILE *from, const char *name)
{
	size_t size = 0;
	uint8_t *bytes = read_all(from, &size);
	uint8_t *exact = bytes ? malloc(size ? size : 1) : NULL;

	if (!exact) {
		fprintf(stderr, "%s: cannot be read\n", name);
		free(bytes);
		return -1;
	}
	memcpy(exact, bytes, size);
	free(bytes);
	/* Said before: an abort ends the program. */
	fprintf(stderr, "%s\n", name);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	return 0;
}

static int run_file(const char *path)
{
	FILE *from = fopen(path, "rb");

	if (!from) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	int status = run_stream(from, path);
	fclose(from);
	return status;
}

static int run_directory(const char *path)
{
	DIR *dir = opendir(path);
	int status = dir ? 0 : -1;

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char *file;
		if (entry->d_name[0] == '.')
			continue;
		if (asprintf(&file, "%s/%s", path, entry->d_name) < 0)
			return -1;
		status |= run_file(file);
		free(file);
	}
	if (dir)
		closedir(dir);
	return status;
}

int main(int argc, char **argv)
{
	int status = argc < 2 ? run_stream(stdin, "<standard input>") : 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;
		bool is_directory = stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode);
		status |= is_directory ? run_directory(argv[i]) : run_file(argv[i]);
	}
	return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
