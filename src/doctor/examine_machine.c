#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/asm/disassemble.h"
#include "src/doctor/examine.h"
#include "src/doctor/tracing.h"
#include "src/run/command.h"
#include "src/run/hermetic.h"
#include "src/run/process.h"
#include "src/run/workspace.h"

/* ---- the environment that programs see ---- */

static void report_refusal(struct examination *e, const struct workspace_obstacle *obstacle)
{
	const struct tracing_settings settings = tracing_settings_read("/proc");
	const struct tracing_cause cause = tracing_explain(&settings);

	findings_add(e->findings, "tracing", FINDING_WARNING,
		     "programs cannot be traced (cannot %s: %s), so they see their real path and "
		     "changing process ids, and counts can vary between machines and runs; %s",
		     obstacle->step, strerror(obstacle->error), cause.text);
	findings_remedy(e->findings, "%s", cause.remedy);
}

static void examine_tracing(struct examination *e)
{
	struct workspace workspace;
	struct cg_error err = { 0 };

	int status = workspace_open(&workspace, e->root, "/", "/tmp", WORKSPACE_TRACED, &err);
	if (!status && (status = workspace_try(&workspace, e->interrupts, &err)))
		workspace_close(&workspace);
	if (status) {
		findings_add(e->findings, "tracing", FINDING_PROBLEM, "%s: %s", err.file,
			     err.message);
		findings_remedy(e->findings,
				"remove that directory, or wait until other irdiff processes end");
		return;
	}
	e->traced = workspace.kind == WORKSPACE_TRACED;
	if (e->traced)
		findings_add(e->findings, "tracing", FINDING_OK,
			     "programs are traced: they see the same paths, process ids and CPUs "
			     "on every machine and in every container");
	else
		report_refusal(e, &workspace.obstacle);
	workspace_close(&workspace);
}

/* ---- the rest ---- */

static void examine_processors(struct examination *e)
{
	int cpu = process_first_cpu();

	if (cpu >= 0) {
		findings_add(e->findings, "affinity", FINDING_OK,
			     "programs run on one processor, number %d", cpu);
		return;
	}
	findings_add(
		e->findings, "affinity", FINDING_WARNING,
		"programs cannot be pinned to one processor; counts of those that ask for their processor may vary");
	findings_remedy(e->findings, "start irdiff with taskset -c 0");
}

static void examine_limit(struct examination *e, const char *name, int which, rlim_t wanted,
			  const char *what, const char *remedy)
{
	struct rlimit limit;

	if (getrlimit(which, &limit) || limit.rlim_max >= wanted)
		return;
	findings_add(e->findings, name, FINDING_WARNING, "the %s is %llu, below %llu", what,
		     (unsigned long long)limit.rlim_max, (unsigned long long)wanted);
	findings_remedy(e->findings, "%s", remedy);
}

static void examine_limits(struct examination *e)
{
	size_t before = e->findings->count;

	examine_limit(e, "nofile", RLIMIT_NOFILE, PROCESS_FILES, "limit of open files",
		      "ulimit -Hn 1024 (docker run --ulimit nofile=1024)");
	examine_limit(e, "stack", RLIMIT_STACK, PROCESS_STACK, "limit of the stack in bytes",
		      "ulimit -Hs 8192");
	if (e->findings->count == before)
		findings_add(e->findings, "limits", FINDING_OK,
			     "limits of open files and of the stack "
			     "are high enough to be the same everywhere");
}

static void examine_helpers(struct examination *e)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	char *path = hermetic_path(getenv("PATH")), *strip = NULL;

	if (path && command_which("strip", "/", path, &strip, NULL)) {
		findings_add(e->findings, "strip", FINDING_WARNING,
			     "'strip' not found; irdiff needs it if Valgrind cannot read debug "
			     "information");
		findings_remedy(e->findings, "apt-get install binutils");
	}
	if (servers && *servers) {
		findings_add(
			e->findings, "debuginfod", FINDING_WARNING,
			"DEBUGINFOD_URLS is set: missing debug information is requested from servers, "
			"which can take long");
		findings_remedy(e->findings, "unset DEBUGINFOD_URLS");
	}
	free(strip);
	free(path);
}

static void examine_disassembler(struct examination *e)
{
	if (!asm_ready(NULL))
		return;
	findings_add(
		e->findings, "disassembler", FINDING_WARNING,
		"the library Capstone cannot be loaded; irdiff needs it to show machine code: for "
		"--view=asm, beside the source in HTML reports, and to tell that a function was "
		"only compiled otherwise");
	findings_remedy(e->findings, "apt-get install %s", asm_package());
}

void examine_machine(struct examination *e)
{
	findings_begin(e->findings, "Machine");
	examine_tracing(e);
	examine_processors(e);
	examine_limits(e);
	examine_helpers(e);
	examine_disassembler(e);
}
