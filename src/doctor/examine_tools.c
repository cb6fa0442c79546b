/* The tools that builds and benchmarks start, which fail in the middle of a build if one is
 * missing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/config/file.h"
#include "src/doctor/examine.h"
#include "src/doctor/libraries.h"
#include "src/run/command.h"
#include "src/run/hermetic.h"
#include "src/run/process.h"

/* What a build command names, and the program that this requires. */
static const struct {
	const char *words, *program, *remedy;
} tools[] = {
	{ "cargo codspeed", "cargo-codspeed", "cargo install cargo-codspeed --locked" },
	{ "cargo", "cargo", "apt-get install cargo, or install Rust with rustup" },
	{ "cmake", "cmake", "apt-get install cmake" },
	{ "meson", "meson", "apt-get install meson" },
	{ "meson", "ninja", "apt-get install ninja-build" },
	{ "ninja", "ninja", "apt-get install ninja-build" },
	{ "autoreconf", "autoreconf", "apt-get install autoconf automake" },
	{ "make", "make", "apt-get install make" },
	{ "go", "go", "apt-get install golang-go" },
	{ "npm", "npm", "apt-get install npm" },
	{ "pnpm", "pnpm", "npm install -g pnpm" },
	{ "yarn", "yarn", "npm install -g yarn" },
};

/* What a file of the project names, and the program that the build then requires. */
static const struct {
	const char *file, *word, *program, *remedy;
} hints[] = {
	{ "configure.ac", "LT_INIT", "libtoolize", "apt-get install libtool" },
	{ "configure.ac", "AC_PROG_LIBTOOL", "libtoolize", "apt-get install libtool" },
	{ "configure.ac", "nasm", "nasm", "apt-get install nasm" },
	{ "Makefile.am", "nasm -", "nasm", "apt-get install nasm" },
	{ "CMakeLists.txt", "ASM_NASM", "nasm", "apt-get install nasm" },
	{ "meson.build", "nasm", "nasm", "apt-get install nasm" },
};

/* Whether a shell command has these words, not as part of others. */
static bool has_command_words(const char *text, const char *words)
{
	static const char around[] = " \t\n;&|(){}";
	size_t len = strlen(words);

	for (const char *at = text; (at = strstr(at, words)) != NULL; at += len)
		if ((at == text || strchr(around, at[-1])) && strchr(around, at[len]))
			return true;
	return false;
}

static bool is_installed(const struct examination *e, const char *program)
{
	char *path = hermetic_path(getenv("PATH")), *found = NULL;
	bool installed = path && command_which(program, e->root, path, &found, NULL) == CG_OK;

	free(found);
	free(path);
	return installed;
}

static void report_tool(struct examination *e, const char *program, const char *why,
			const char *remedy)
{
	findings_add(e->findings, "tool", FINDING_WRONG, "%s is not installed, but %s needs it",
		     program, why);
	findings_remedy(e->findings, "%s", remedy);
}

/* ---- what files name ---- */

static bool names_word(const struct examination *e, const char *name, const char *word)
{
	char *path, *text = NULL;
	size_t len = 0;

	if (asprintf(&path, "%s/%s", e->root, name) < 0)
		return false;
	bool names = config_file_read(path, CONFIG_BYTES_MAX, &text, &len, NULL) == CG_OK &&
		     memmem(text, len, word, strlen(word));
	free(text);
	free(path);
	return names;
}

/* Whether an earlier hint requires the program of number `i`, too. */
static bool is_required_before(const struct examination *e, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(hints[k].program, hints[i].program) == 0 &&
		    names_word(e, hints[k].file, hints[k].word))
			return true;
	return false;
}

static void examine_hints(struct examination *e, const char *build)
{
	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
		bool libtool = strcmp(hints[i].program, "libtoolize") == 0;
		if ((libtool && !has_command_words(build, "autoreconf")) ||
		    !names_word(e, hints[i].file, hints[i].word) ||
		    is_installed(e, hints[i].program) || is_required_before(e, i))
			continue;
		report_tool(e, hints[i].program, hints[i].file, hints[i].remedy);
	}
}

/* ---- modules of Python ---- */

/* Whether a Python finds a module. One of the project is not run: its directory tells. */
static bool has_module(struct examination *e, const char *python, const char *module)
{
	char *path = hermetic_path(getenv("PATH")), *found = NULL, *variable = NULL, *code = NULL;
	char *output = NULL;
	bool has = true;

	if (!path || command_which(python, e->root, path, &found, NULL) ||
	    is_below(found, e->root) || asprintf(&variable, "PATH=%s", path) < 0)
		variable = NULL;
	else if (asprintf(&code, "import %s", module) >= 0) {
		/* -I: no module of the project. */
		const char *argv[] = { found, "-I", "-c", code, NULL };
		const char *envp[] = { variable, NULL };
		has = process_output(found, argv, envp, "/", e->interrupts, &output, NULL) == CG_OK;
	}
	free(output);
	free(code);
	free(variable);
	free(found);
	free(path);
	return has;
}

/* Whether `python -m pytest` is what a benchmark runs; the Python, or NULL. */
static const char *python_of_pytest(const struct config_command *command)
{
	for (size_t i = 1; !command->shell && i + 1 < command->argc; i++)
		if (strcmp(command->argv[i], "-m") == 0 &&
		    strcmp(command->argv[i + 1], "pytest") == 0)
			return command->argv[0];
	return NULL;
}

static void examine_modules(struct examination *e, const char *build)
{
	const struct config *c = e->config;

	if (has_command_words(build, "python3 -m venv") && is_installed(e, "python3") &&
	    !has_module(e, "python3", "ensurepip"))
		report_tool(e, "Python's module ensurepip", "the build",
			    "apt-get install python3-venv");
	for (size_t i = 0; i < c->benchmark_count; i++) {
		const char *python = python_of_pytest(&c->benchmarks[i].command);
		if (!python || has_module(e, python, "pytest"))
			continue;
		report_tool(e, "Python's module pytest", c->benchmarks[i].name,
			    "install it for the Python of that benchmark: python -m pip install "
			    "pytest, or apt-get install python3-pytest");
		return;
	}
}

void examine_tools(struct examination *e)
{
	const struct config_command *build = &e->config->build;
	char *text = strdup("");

	for (size_t i = 0; text && i < build->argc; i++) {
		char *longer;
		if (asprintf(&longer, "%s%s%s", text, i ? " " : "", build->argv[i]) < 0)
			longer = NULL;
		free(text);
		text = longer;
	}
	if (!text) {
		e->findings->failed = true;
		return;
	}
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		if (has_command_words(text, tools[i].words) && !is_installed(e, tools[i].program))
			report_tool(e, tools[i].program, "the build", tools[i].remedy);
	if (*text)
		examine_hints(e, text);
	examine_modules(e, text);
	free(text);
}
