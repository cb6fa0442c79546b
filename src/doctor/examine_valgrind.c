#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/doctor/examine.h"
#include "src/run/command.h"
#include "src/run/guest_cpu.h"
#include "src/run/hermetic.h"
#include "src/run/image.h"
#include "src/run/run.h"
#include "src/store/files.h"

#define INSTALL "apt-get install valgrind (dnf, pacman, apk add valgrind elsewhere)"

/* The oldest Valgrind that irdiff was tested with. */
enum { TRIED_MAJOR = 3, TRIED_MINOR = 19 };

/* ---- which one ---- */

static void report_no_valgrind(struct examination *e, const struct cg_error *err)
{
	const char *wanted = getenv("IRDIFF_VALGRIND");
	const char *advice = strstr(err->message, "install the package");
	int len = advice && advice - err->message > 2 ? (int)(advice - err->message) - 2 : 500;

	findings_add(e->findings, "valgrind", FINDING_PROBLEM, "%s%s%.*s", err->file,
		     *err->file ? ": " : "", len, err->message);
	if (wanted && *wanted)
		findings_remedy(e->findings,
				"IRDIFF_VALGRIND is %s: unset it, or set it to the path of "
				"a Valgrind",
				wanted);
	else
		findings_remedy(e->findings, INSTALL ", or set IRDIFF_VALGRIND to the path of one");
}

/* The path that a user's shell would start, which may be a distribution's script. */
static char *find_typed(void)
{
	const char *wanted = getenv("IRDIFF_VALGRIND");
	char *path = hermetic_path(getenv("PATH")), *typed = NULL;

	if (path)
		command_which(wanted && *wanted ? wanted : "valgrind", "/", path, &typed, NULL);
	free(path);
	return typed;
}

static bool is_script(const char *path)
{
	struct image image;

	if (image_read(path, &image, NULL))
		return false;
	bool script = image.kind == IMAGE_SCRIPT;
	image_free(&image);
	return script;
}

static void examine_wrapper(struct examination *e)
{
	const char *program = e->valgrind.path;
	char *typed = find_typed();

	if (is_script(program)) {
		findings_add(e->findings, "valgrind-wrapper", FINDING_WARNING,
			     "%s is a script, which may be measured together with the program",
			     program);
		findings_remedy(e->findings, "set IRDIFF_VALGRIND to the program that it starts");
	} else if (typed && strcmp(typed, program) != 0 && is_script(typed)) {
		findings_add(e->findings, "valgrind-wrapper", FINDING_OK,
			     "the wrapper script %s is bypassed", typed);
	}
	free(typed);
}

static void examine_version(struct examination *e)
{
	const struct valgrind *v = &e->valgrind;
	int major = 0, minor = 0;
	bool known = sscanf(v->version, "%d.%d", &major, &minor) == 2;

	if (known && (major > TRIED_MAJOR || (major == TRIED_MAJOR && minor >= TRIED_MINOR))) {
		findings_add(e->findings, "valgrind", FINDING_OK, "Valgrind %s (%s): %s",
			     v->version, v->codspeed ? "CodSpeed's fork" : "stock", v->path);
		return;
	}
	findings_add(e->findings, "valgrind", FINDING_WARNING,
		     known ? "Valgrind %s (%s) is old; irdiff is tested with %d.%d and later: %s"
			   : "Valgrind %s (%s): irdiff is tested with %d.%d and later: %s",
		     v->version, v->codspeed ? "CodSpeed's fork" : "stock", TRIED_MAJOR,
		     TRIED_MINOR, v->path);
	findings_remedy(e->findings,
			"install a newer one (https://valgrind.org/downloads), and set "
			"IRDIFF_VALGRIND to its path");
}

/* ---- whether it works ---- */

static const char *without_end(char *text)
{
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static int count_once(const struct examination *e, const char *program, const char *directory,
		      struct run_result *result, struct cg_error *err)
{
	const char *const argv[] = { program, NULL };
	struct run_request request;
	char *work;

	if (asprintf(&work, "%s/work", directory) < 0)
		return cg_fail_nomem(err);
	int status = empty_directory(work, err);
	run_request_init(&request);
	request.argv = argv;
	request.root = directory;
	request.workdir = work;
	request.timeout = 120;
	request.valgrind = e->valgrind.path;
	if (!status)
		status = run_benchmark(&request, result, err);
	free(work);
	return status;
}

static void report_probe_failure(struct examination *e, const struct run_result *result,
				 struct cg_error *err)
{
	findings_add(e->findings, "probe", FINDING_PROBLEM, "cannot measure a tiny program: %s",
		     without_end(err->message));
	switch (result->failure) {
	case RUN_NO_VALGRIND:
	case RUN_VALGRIND_DIED:
		findings_remedy(
			e->findings, "reinstall Valgrind, or install a newer one: " INSTALL "%s",
			getenv("VALGRIND_LIB") ? "; VALGRIND_LIB is set, but not passed on: use "
						 "a Valgrind in the place that it was built for"
					       : "");
		break;
	case RUN_SYSTEM:
		findings_remedy(e->findings,
				"check that /tmp is writable and has space: df -h /tmp");
		break;
	default:
		findings_remedy(e->findings,
				"try it by hand: %s --tool=callgrind --callgrind-out-file="
				"/tmp/probe.%%p true",
				e->valgrind.path);
		break;
	}
}

static uint64_t probe_total(const struct run_result *result)
{
	uint64_t cost;

	run_profile_end(result->profiles, result->nprofiles, result->chosen, &cost);
	return cost;
}

/* Reports the CPU by which libraries choose functions. Valgrind hides AVX-512 and the maker of the
 * CPU. */
static void report_cpu(struct examination *e, const char *hwcaps)
{
	char *cpu = guest_cpu(hwcaps), *lacks = cpu ? guest_cpu_lacks(cpu) : NULL;

	if (!lacks) {
		e->findings->failed = true;
	} else if (*lacks) {
		findings_add(
			e->findings, "cpu", FINDING_WARNING,
			"programs see a CPU (%s) without %s; their counts are not judged against "
			"those of machines that have it, as most do",
			cpu, lacks);
		findings_remedy(e->findings, "measure base and head on CPUs of the same kind");
	} else if (strncmp(cpu, "amd64-", 6) == 0) {
		findings_add(e->findings, "cpu", FINDING_OK,
			     "programs see a CPU with AVX2, as on most machines (%s)", cpu);
	} else {
		findings_add(e->findings, "cpu", FINDING_OK,
			     "features of the CPU that programs see: %s", cpu);
	}
	free(cpu);
	free(lacks);
}

static void report_counts(struct examination *e, const char *program,
			  const struct run_result runs[2])
{
	uint64_t first = probe_total(&runs[0]), second = probe_total(&runs[1]);

	if (first != second) {
		findings_add(e->findings, "probe", FINDING_PROBLEM,
			     "%s counted %llu Ir, and then %llu: counts do not repeat here",
			     program, (unsigned long long)first, (unsigned long long)second);
		findings_remedy(
			e->findings,
			"use the same processor and Valgrind for both; to see where they differ, run "
			"'irdiff profile -- %s' twice, then 'irdiff diff'",
			program);
	} else {
		findings_add(e->findings, "probe", FINDING_OK, "it works: %s counted %llu Ir twice",
			     program, (unsigned long long)first);
	}
	if (runs[0].hwcaps)
		report_cpu(e, runs[0].hwcaps);
}

static void count_twice(struct examination *e, const char *program, const char *directory)
{
	struct run_result runs[2] = { 0 };
	struct cg_error err = { 0 };
	int status = count_once(e, program, directory, &runs[0], &err), failed = 0;

	if (!status) {
		failed = 1;
		status = count_once(e, program, directory, &runs[1], &err);
	}
	if (runs[failed].failure == RUN_INTERRUPTED && runs[failed].interrupted_by)
		e->interrupts->signal = runs[failed].interrupted_by;
	else if (status)
		report_probe_failure(e, &runs[failed], &err);
	else
		report_counts(e, program, runs);
	run_result_free(&runs[0]);
	run_result_free(&runs[1]);
}

static void probe_valgrind(struct examination *e)
{
	const char *tmp = getenv("TMPDIR");
	char *path = hermetic_path(getenv("PATH")), *program = NULL, *directory = NULL,
	     *work = NULL;

	if (!path ||
	    asprintf(&directory, "%s/irdiff-doctor-XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0) {
		e->findings->failed = true;
		goto done;
	}
	if (command_which("true", "/", path, &program, NULL)) {
		findings_add(e->findings, "probe", FINDING_WARNING,
			     "no program 'true' in PATH to measure as a test");
		goto done;
	}
	if (!mkdtemp(directory)) {
		findings_add(e->findings, "probe", FINDING_PROBLEM,
			     "cannot create a directory in %s: %m", tmp && *tmp ? tmp : "/tmp");
		findings_remedy(e->findings, "set TMPDIR to a writable directory");
		goto done;
	}
	if (asprintf(&work, "%s/work", directory) < 0 || make_directories(work, NULL))
		e->findings->failed = true;
	else
		count_twice(e, program, directory);
	remove_directory(directory, NULL);
done:
	free(path);
	free(program);
	free(directory);
	free(work);
}

void examine_valgrind(struct examination *e)
{
	struct cg_error err = { 0 };

	findings_begin(e->findings, "Valgrind");
	if (valgrind_find(NULL, e->interrupts, &e->valgrind, &err)) {
		report_no_valgrind(e, &err);
		return;
	}
	examine_version(e);
	examine_wrapper(e);
	probe_valgrind(e);
}

void examination_end(struct examination *e)
{
	valgrind_free(&e->valgrind);
	strings_free(&e->loaders);
}
