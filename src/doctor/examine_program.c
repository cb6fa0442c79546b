#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/producers.h"
#include "cgprofile/inlines.h"
#include "cgprofile/names.h"
#include "src/doctor/examine.h"
#include "src/doctor/libraries.h"
#include "src/run/command.h"
#include "src/run/depth.h"
#include "src/run/freeze.h"
#include "src/run/hermetic.h"
#include "src/run/perf_maps.h"
#include "src/run/presets.h"
#include "src/run/run.h"
#include "src/run/strings.h"
#include "src/run/v8.h"

enum { MOST_NAMES = 200 }; /* bytes of a list of names */

/* Adds to a list of at most MOST_NAMES bytes. */
static void add_name(char *names, const char *path)
{
	size_t used = strlen(names);
	snprintf(names + used, MOST_NAMES - used, "%s%s", used ? ", " : "", cg_base_name(path));
}

/* ---- the command ---- */

static char *build_command(const struct config_command *build)
{
	return build->shell ? strdup(build->argv[build->argc - 1])
			    : strings_quote((const char *const *)build->argv);
}

/* A missing program is not an error if irdiff.yml says how to build it. */
static void report_no_command(struct examination *e, const struct examined_program *p,
			      const struct cg_error *err)
{
	bool can_be_built = e->config && e->config->build.argc && strchr(p->argv[0], '/');
	bool absent = strstr(err->message, "No such file") != NULL;
	char *build = can_be_built ? build_command(&e->config->build) : NULL;

	findings_add(e->findings, absent && build ? FINDING_NOT_BUILT : "command",
		     absent && build ? FINDING_WARNING : FINDING_WRONG, "%s%s%s", err->file,
		     *err->file ? ": " : "", err->message);
	if (absent && build)
		findings_remedy(
			e->findings,
			"build it: %s (if this does not build it, correct build: in irdiff.yml)",
			build);
	else if (!finding_can_quote(err->file))
		findings_remedy(e->findings, "name an existing program that can be measured");
	else if (strstr(err->message, "not executable"))
		findings_remedy(e->findings, "chmod +x '%s'", err->file);
	else if (strstr(err->message, "command not found"))
		findings_remedy(e->findings, "use its path, or add its directory to PATH");
	else if (strstr(err->message, "setuid"))
		findings_remedy(e->findings, "copy it with cp '%s' COPY, and measure the copy",
				err->file);
	else
		findings_remedy(e->findings, "name an existing program that can be measured");
	free(build);
}

/* The program that libtool's script beside .libs starts; NULL: not such a script, or out of
 * memory. */
static char *libtool_program(const struct found_command *c)
{
	char *path;

	if (c->file.kind != IMAGE_SCRIPT ||
	    asprintf(&path, "%s/.libs/%s", c->directory, c->name) < 0)
		return NULL;
	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static bool is_run_by_v8(const struct found_command *c)
{
	char *path = hermetic_path(getenv("PATH"));
	const struct preset *preset = path ? preset_of(c, path) : NULL;

	free(path);
	return preset && preset->v8;
}

static void report_interpreter(struct examination *e, const struct examined_program *p,
			       const struct found_command *c)
{
	const bool v8 = is_run_by_v8(c);
	const bool can = v8 || perf_maps_can_ask(c->image_path);
	const bool named = v8 ? v8_names_functions(p->argv, p->node_options)
			      : can && perf_maps_may_ask(p->perf_support);
	const int depth = (int)depth_by_default(c, named);

	findings_add(e->findings, "interpreter", FINDING_OK,
		     "%s is run by an interpreter: %d callers are recorded for each call%s",
		     c->path, p->depth >= 0 ? p->depth : depth,
		     p->depth >= 0   ? ""
		     : p->by_command ? " (--depth changes this)"
				     : " (depth: in irdiff.yml changes this)");
	if (v8)
		findings_add(
			e->findings, "functions", FINDING_OK,
			named ? "JavaScript functions have names in profiles"
			      : "JavaScript functions have no names in profiles, as "
				"NODE_OPTIONS does not contain --perf-basic-prof-only-functions "
				"and --interpreted-frames-native-stack: interpreted ones "
				"count for the interpreter");
	if (command_is_python(c))
		findings_add(
			e->findings, "functions", FINDING_OK,
			named ? "Python functions have names in profiles"
			: can ? "Python functions have no names in profiles, as PYTHONPERFSUPPORT "
				"is not 1: all of them count for the interpreter"
			      : "Python functions have no names in profiles, as they have with "
				"Python 3.12 and later: all of them count for the interpreter");
	if (!command_is_python(c) || p->warm_up)
		return;
	findings_add(
		e->findings, "warm-up", FINDING_WARNING,
		"Python compiles modules while it is measured, which takes up to four times the "
		"count, except those with a .pyc file from an earlier run without irdiff: counts "
		"depend on earlier runs");
	findings_remedy(e->findings,
			"%s: modules are then compiled before the measurement, and no other .pyc "
			"files are read",
			p->by_command ? "use irdiff profile --warm-up"
				      : "set warm_up: true for this benchmark in irdiff.yml");
}

/* Whether it is a script for a shell, not for env(1), which starts others: "#!/usr/bin/env
 * python3". */
static bool is_shell_script(const struct found_command *c)
{
	const char *argument = c->file.argument;

	return c->file.kind == IMAGE_SCRIPT && command_is_launcher(c->image_path, NULL) &&
	       (!argument || *argument == '-' || command_is_launcher(argument, NULL));
}

/* The line of a shell script that executes another program with the script's arguments, as those of
 * pyenv, rbenv and asdf do; 0: it has no such line. */
static unsigned shim_line(const struct found_command *c)
{
	enum { MOST_LINES = 200 };
	FILE *file = is_shell_script(c) ? fopen(c->path, "re") : NULL;
	char *line = NULL;
	size_t cap = 0;
	unsigned found = 0;

	for (unsigned n = 1; file && !found && n <= MOST_LINES && getline(&line, &cap, file) >= 0;
	     n++) {
		const char *word = line + strspn(line, " \t");
		if (strncmp(word, "exec ", 5) == 0 && strstr(word, "\"$@\""))
			found = n;
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

/* All that a shim starts before the program is measured as well, and may take longer than the
 * program. */
static void report_shim(struct examination *e, const struct found_command *c, unsigned line)
{
	findings_add(
		e->findings, "command", FINDING_WARNING,
		"%s is a script that only starts another program, in line %u; the shells that look for "
		"that program also run under Valgrind, which may take longer than the program",
		c->path, line);
	findings_remedy(e->findings,
			"name the program itself as the command (to find it: pyenv which %s, "
			"rbenv which …, asdf which …)",
			c->name);
}

static void examine_kind(struct examination *e, const struct examined_program *p,
			 const struct found_command *c, const char *libtool)
{
	bool script = c->file.kind == IMAGE_SCRIPT;
	unsigned shim = libtool ? 0 : shim_line(c);

	if (shim)
		report_shim(e, c, shim);
	if (libtool)
		findings_add(e->findings, "command", FINDING_OK,
			     "%s is a libtool script; %s is measured", c->path, libtool);
	else if (command_is_interpreter(c))
		report_interpreter(e, p, c);
	else if (shim)
		return;
	else if (script || p->shell)
		findings_add(e->findings, "command", FINDING_OK,
			     "%s: the costliest program that %s starts is "
			     "measured (--image selects another)",
			     c->path, p->shell ? "the shell" : "the script");
	else if (command_is_launcher(c->image_path, c->name)) {
		findings_add(e->findings, "command", FINDING_WARNING,
			     "%s only starts other programs; the costliest "
			     "of these is measured",
			     c->path);
		findings_remedy(e->findings, "name the program itself as the command");
	} else {
		findings_add(e->findings, "command", FINDING_OK, "%s can be started", c->path);
	}
}

/* ---- its C library ---- */

static void examine_static(struct examination *e)
{
	findings_add(
		e->findings, "dispatch", FINDING_WARNING,
		"it is linked statically: the processor decides which functions of its C library it uses");
	findings_remedy(e->findings,
			"link it dynamically, or measure base and head on one machine");
}

/* A loader can pin the same things for all its programs, so each is examined and reported once. */
static void examine_loader(struct examination *e, const char *loader)
{
	char *tunables = NULL;

	for (size_t i = 0; i < e->loaders.count; i++)
		if (strcmp(e->loaders.items[i], loader) == 0)
			return;
	if (strings_add(&e->loaders, loader, NULL) ||
	    hermetic_tunables(loader, e->interrupts, &tunables, NULL)) {
		e->findings->failed = true;
	} else if (!*tunables) {
		findings_add(
			e->findings, "dispatch", FINDING_WARNING,
			"its loader %s cannot pin how the C library copies and fills memory: this "
			"depends on ERMS and thresholds of the processor",
			loader);
		findings_remedy(e->findings, "measure base and head on one machine");
	} else {
		findings_add(
			e->findings, "dispatch", FINDING_OK,
			"the C library copies and fills memory without ERMS and with constant "
			"thresholds on every processor (GLIBC_TUNABLES=%s); which of its functions it "
			"uses depends on the CPU features that Valgrind exposes, such as AVX2, which "
			"profiles record",
			tunables);
	}
	free(tunables);
}

static void examine_dispatch(struct examination *e, const struct image *image)
{
	if (!image->interpreter) {
		if (!image->go) /* which has no C library then */
			examine_static(e);
	} else if (is_system_loader(image->interpreter, e->root)) {
		examine_loader(e, image->interpreter);
	} else {
		findings_add(
			e->findings, "dispatch", FINDING_WARNING,
			"its loader %s does not belong to the system, so it is not run to find out "
			"whether it can pin functions of the C library, and which libraries it loads",
			image->interpreter);
		findings_remedy(e->findings,
				"link it with the system's loader, or measure base and head "
				"on one machine");
	}
}

/* ---- freezing ---- */

/* The tracer freezes pids; the rest is done by a library, which must be loaded. */
static void examine_freeze(struct examination *e, const struct examined_program *p,
			   const struct image *image)
{
	unsigned kinds = e->traced ? p->freeze & ~(unsigned)FREEZE_PID : p->freeze;
	char names[FREEZE_TEXT];

	if (image->interpreter || !kinds)
		return;
	findings_add(
		e->findings, "freeze", FINDING_WRONG,
		"it is linked statically, so its %s cannot be frozen: no library can be loaded into it",
		freeze_names(kinds, " and ", names));
	findings_remedy(e->findings, "%sremove freeze: from this benchmark in irdiff.yml",
			image->go ? "" : "link it dynamically, or ");
}

/* ---- the libraries it loads ---- */

static bool has_library(const char *directories, const char *name)
{
	char *copy = strdup(directories), *rest = NULL;
	bool found = false;

	for (char *at = copy ? strtok_r(copy, ":;", &rest) : NULL; at && !found;
	     at = strtok_r(NULL, ":;", &rest)) {
		char *path;
		if (asprintf(&path, "%s/%s", at, name) < 0)
			break;
		found = access(path, R_OK) == 0;
		free(path);
	}
	free(copy);
	return found;
}

/* A program that starts in the user's shell may need a variable that benchmarks do not get. */
static void report_missing_libraries(struct examination *e, const struct examined_program *p,
				     const struct strings *missing)
{
	const char *own = getenv("LD_LIBRARY_PATH");
	char names[MOST_NAMES] = "";
	bool helps = own != NULL;

	for (size_t i = 0; i < missing->count; i++) {
		add_name(names, missing->items[i]);
		helps = helps && has_library(own, missing->items[i]);
	}
	findings_add(e->findings, "libraries", FINDING_WRONG,
		     "it cannot start; libraries not found: %s", names);
	if (helps)
		findings_remedy(
			e->findings, "your LD_LIBRARY_PATH has %s; pass that variable on with %s",
			missing->count == 1 ? "it" : "them",
			p->by_command ? "irdiff profile --env=LD_LIBRARY_PATH"
				      : "env: [LD_LIBRARY_PATH] for this benchmark in irdiff.yml");
	else
		findings_remedy(
			e->findings,
			"build or install %s (apt-file search %s), or set the directory with %s, or "
			"with -Wl,-rpath,DIRECTORY when linking",
			missing->count == 1 ? "it" : "them", missing->items[0],
			p->by_command ? "irdiff profile --env=LD_LIBRARY_PATH=DIRECTORY"
				      : "env: {LD_LIBRARY_PATH: DIRECTORY} in irdiff.yml");
}

static void examine_libraries(struct examination *e, const struct examined_program *p,
			      const struct image *image, const char *path, struct libraries *out)
{
	struct cg_error err = { 0 };

	if (!image->interpreter || !is_system_loader(image->interpreter, e->root))
		return;
	if (image->audited) {
		findings_add(
			e->findings, "libraries", FINDING_WARNING,
			"it names libraries that audit its loading (DT_AUDIT), which would run if "
			"its libraries were listed: they are not examined");
		return;
	}
	int status = libraries_ask(image->interpreter, path, p->cwd, p->library_path, e->interrupts,
				   out, &err);
	if (status == CG_ENOMEM) {
		e->findings->failed = true;
	} else if (status && !e->interrupts->signal) {
		findings_add(e->findings, "libraries", FINDING_WRONG, "it cannot be loaded: %s",
			     err.message);
		if (image->foreign || strstr(err.message, "ELF class"))
			findings_remedy(e->findings, "build the named file for this system");
	} else if (!status && out->missing.count) {
		report_missing_libraries(e, p, &out->missing);
	}
}

/* ---- debug information ---- */

static void examine_dwarf(struct examination *e, const char *path)
{
	int major, minor;
	bool old = e->valgrind.version &&
		   sscanf(e->valgrind.version, "%d.%d", &major, &minor) == 2 &&
		   (major < 3 || (major == 3 && minor <= 19));
	char *search = hermetic_path(getenv("PATH")), *strip = NULL;

	if (old && search && cg_has_new_llvm_dwarf(path)) {
		bool helped = command_which("strip", "/", search, &strip, NULL) == CG_OK;
		findings_add(
			e->findings, "dwarf", helped ? FINDING_WARNING : FINDING_PROBLEM,
			"Valgrind %s cannot read the debug information of %s (DWARF 5 of LLVM)%s",
			e->valgrind.version, cg_base_name(path),
			helped ? "; it is measured twice, the second time as a copy without it"
			       : "; without strip, no copy without it can be made");
		findings_remedy(e->findings,
				"build with -gdwarf-4%s, or use Valgrind 3.20 or later",
				helped ? "" : ", apt-get install binutils");
	}
	free(strip);
	free(search);
}

/* How to build a program with debug information. */
static const char *debug_advice(const struct image *image)
{
	return image->go ? "build it without -s and -w in -ldflags"
			 : "build it with -g and do not strip it (CMake: RelWithDebInfo; Cargo: "
			   "debug = true in the profile)";
}

static void examine_debug(struct examination *e, const struct image *image, const char *path,
			  const struct strings *libraries)
{
	char own[MOST_NAMES] = "", foreign[MOST_NAMES] = "";
	bool has = cg_inlines_available(path);

	if (has) {
		findings_add(e->findings, "debug", FINDING_OK, "%s has debug information",
			     cg_base_name(path));
	} else {
		findings_add(e->findings, "debug", FINDING_WARNING,
			     "%s has no debug information, so no source "
			     "lines and no inlined functions",
			     cg_base_name(path));
		findings_remedy(
			e->findings, "%s",
			is_below(path, e->root)
				? debug_advice(image)
				: "install the package with its debug symbols (NAME-dbgsym, NAME-dbg)");
	}
	examine_dwarf(e, path);
	for (size_t i = 0; i < libraries->count; i++) {
		const char *library = libraries->items[i];
		if (!cg_inlines_available(library))
			add_name(is_below(library, e->root) ? own : foreign, library);
		else if (is_below(library, e->root))
			examine_dwarf(e, library);
	}
	if (*own) {
		findings_add(e->findings, "debug-libraries", FINDING_WARNING,
			     "libraries of the project without debug information: %s", own);
		findings_remedy(e->findings, "build them with -g and do not strip them");
	}
	if (*foreign) {
		findings_add(e->findings, "debug-system", FINDING_OK,
			     "other libraries without debug information: %s", foreign);
		findings_remedy(
			e->findings,
			"to see their source lines, set DEBUGINFOD_URLS to a server of the "
			"distribution, or install the debug symbols of each package "
			"(Debian: libc6-dbg for the C library; find-dbgsym-packages lists others)");
	}
}

/* ---- the whole ---- */

static void examine_image(struct examination *e, const struct examined_program *p, const char *path)
{
	struct libraries libraries = { 0 };
	struct image image;
	struct cg_error err = { 0 };

	if (image_read(path, &image, &err)) {
		findings_add(e->findings, "debug", FINDING_WARNING, "%s: %s", path, err.message);
		return;
	}
	if (image.kind == IMAGE_ELF) {
		examine_dispatch(e, &image);
		examine_freeze(e, p, &image);
		examine_libraries(e, p, &image, path, &libraries);
		examine_debug(e, &image, path, &libraries.paths);
	}
	libraries_free(&libraries);
	image_free(&image);
}

void examine_program(struct examination *e, const struct examined_program *p)
{
	struct found_command command;
	struct cg_error err = { 0 };
	char *path = hermetic_path(getenv("PATH"));

	if (!path) {
		e->findings->failed = true;
		return;
	}
	if (access(p->cwd, X_OK) != 0 && errno == ENOENT && e->config && e->config->build.argc) {
		findings_add(e->findings, FINDING_NOT_BUILT, FINDING_WARNING,
			     "the directory %s does not exist before the build", p->cwd);
		findings_remedy(e->findings, "build it (or correct cwd: in irdiff.yml)");
	} else if (access(p->cwd, X_OK) != 0) {
		findings_add(e->findings, "directory", FINDING_WRONG, "cannot enter %s: %m",
			     p->cwd);
		findings_remedy(e->findings, "correct cwd: in irdiff.yml, or create the directory");
	} else if (command_find(p->argv[0], p->cwd, path, &command, &err)) {
		report_no_command(e, p, &err);
	} else {
		char *libtool = libtool_program(&command);
		bool others = !libtool && command_is_launcher(command.image_path, command.name);
		examine_kind(e, p, &command, libtool);
		/* what a shell starts is not known before it runs */
		if (!others) {
			examine_image(e, p, libtool ? libtool : command.image_path);
			examine_harness(e, p, libtool ? libtool : command.image_path);
		}
		free(libtool);
		command_free(&command);
	}
	free(path);
}
