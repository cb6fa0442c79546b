#include "src/run/heap.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgprofile/reader.h"
#include "cgprofile/writer.h"
#include "src/formats/formats.h"
#include "src/run/collect.h"
#include "src/run/freeze.h"
#include "src/run/harness.h"
#include "src/run/strings.h"

int heap_refuse_harness(const struct run_request *request, const char *name, struct cg_error *err)
{
	const struct harness *harness = harness_of(request->cases);

	if (!harness)
		return CG_OK;
	return cg_fail(
		err, CG_EINVAL, NULL, 0,
		"%s: count: [heap] cannot be used with cases: %s, of which each run would allocate more or "
		"less; add a benchmark without cases: for the heap, whose command does the work once",
		name, harness->title);
}

/* A heap that is made constant is not the program's. */
void heap_request(struct run_request *request)
{
	request->tool = RUN_DHAT;
	request->count = 0;
	request->cases = RUN_CASES_NONE;
	request->processes = RUN_PROCESSES_ONE;
	request->each_thread = false;
	request->function = NULL;
	request->freeze &= ~(unsigned)FREEZE_MALLOC;
}

bool heap_takes_option(const char *option)
{
	/* Those of callgrind: --dump-line, --separate-callers3=f … */
	static const char *const others[] = {
		"--dump-",
		"--zero-before",
		"--instr-atstart",
		"--collect-",
		"--toggle-collect",
		"--combine-dumps",
		"--compress-",
		"--mangle-names",
		"--pop-on-jump",
		"--trace-jump",
		"--separate-",
		"--skip-plt",
		"--skip-direct-rec",
		"--fn-",
		"--ct-v",
		"--cache-sim",
		"--cacheuse",
		"--branch-sim",
		"--simulate-",
		"--I1=",
		"--D1=",
		"--L2=",
		"--LL=",
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strncmp(option, others[i], strlen(others[i])) == 0)
			return false;
	return true;
}

/* DHAT writes a member to a line, and its texts have no line breaks. 0: not known. */
static uint64_t read_instructions(const char *path)
{
	FILE *from = fopen(path, "re");
	char *line = NULL;
	const char *rest = NULL;
	size_t cap = 0;

	while (from && !rest && getline(&line, &cap, from) >= 0)
		rest = text_after(line, ",\"te\":");
	const uint64_t instructions = rest ? strtoull(rest, NULL, 10) : 0;
	free(line);
	if (from)
		fclose(from);
	return instructions;
}

static int write_converted(const struct cg_profile *p, uint64_t instructions, const char *path,
			   struct cg_error *err)
{
	const struct cg_write_options options = { .keep_inlined = true };
	FILE *to = fopen(path, "wxe");

	if (!to)
		return cg_fail(err, cg_io_status(errno), path, 0, "cannot write: %s",
			       strerror(errno));
	int status = cg_write_callgrind(p, &options, to);
	if (!status)
		fprintf(to, HEAP_INSTRUCTIONS "%" PRIu64 "\n", instructions);
	if (!status && ferror(to))
		status = CG_EIO;
	int failure = errno;
	if (fclose(to) && !status) {
		status = CG_EIO;
		failure = errno;
	}
	if (status == CG_ENOMEM)
		return cg_fail_nomem(err);
	return status ? cg_fail(err, cg_io_status(failure), path, 0, "cannot write: %s",
				strerror(failure))
		      : CG_OK;
}

static int convert_file(const char *directory, const char *name, struct cg_error *err)
{
	const struct cg_read_options options = {
		.detail = { .lines = true, .contexts = true },
		.formats = formats_of_json,
	};
	struct cg_profile *p = NULL;
	char *from = NULL, *to = NULL;
	int status = CG_OK;

	if (asprintf(&from, "%s/%s", directory, name) < 0)
		from = NULL;
	if (asprintf(&to, "%s/" COLLECT_PROFILE_PREFIX "%s", directory,
		     name + sizeof HEAP_PREFIX - 1) < 0)
		to = NULL;
	if (!from || !to)
		status = cg_fail_nomem(err);
	if (!status)
		status = cg_read_file(from, &options, &p, err);
	if (!status)
		status = write_converted(p, read_instructions(from), to, err);
	if (!status)
		unlink(from);
	cg_profile_free(p);
	free(from);
	free(to);
	return status;
}

int heap_convert(const char *directory, struct cg_error *err)
{
	DIR *dir = opendir(directory);
	int status = CG_OK;

	if (!dir)
		return cg_fail(err, CG_EIO, directory, 0, "cannot read: %s", strerror(errno));
	for (struct dirent *entry; !status && (entry = readdir(dir));)
		if (text_after(entry->d_name, HEAP_PREFIX))
			status = convert_file(directory, entry->d_name, err);
	closedir(dir);
	return status;
}
