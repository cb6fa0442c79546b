#include "src/init/build_command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A command that is written; BUILD_COMMAND_SIZE is enough for all benchmarks. */
struct command_text {
	char *text;
	size_t used;
};

static void add_command_text(struct command_text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void add_command_text(struct command_text *t, const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	int n = vsnprintf(t->text + t->used, BUILD_COMMAND_SIZE - t->used, fmt, list);
	va_end(list);
	if (n > 0)
		t->used += (size_t)n;
	if (t->used >= BUILD_COMMAND_SIZE)
		t->used = BUILD_COMMAND_SIZE - 1;
}

/* ---- Cargo ---- */

/* What `cargo bench` or `cargo test` builds, by whose messages their programs are found. */
static bool is_found_by_message(const struct survey_bench *b)
{
	return b->harness != HARNESS_CODSPEED_RUST && strcmp(b->program_kind, "example") != 0 &&
	       strcmp(b->program_kind, "bin") != 0;
}

/* Whether an earlier benchmark is of the same package. */
static bool has_same_package(const struct survey *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_found_by_message(&s->benches[k]) == is_found_by_message(&s->benches[i]) &&
		    strcmp(s->benches[k].package, s->benches[i].package) == 0)
			return true;
	return false;
}

static void add_features(struct command_text *t, const struct survey *s)
{
	if (!*s->options)
		return;
	add_command_text(t, " --features ");
	for (const char *c = s->options + 1; *c; c++)
		add_command_text(t, "%c", *c == ' ' ? ',' : *c);
}

static void add_cargo_build(struct command_text *t, const struct survey *s, bool by_message)
{
	bool members = false, library = false;

	for (size_t i = 0; i < s->count; i++)
		members |= *s->benches[i].target_directory != '\0';
	for (size_t i = 0; members && i < s->count; i++)
		if (is_found_by_message(&s->benches[i]) == by_message && !has_same_package(s, i))
			add_command_text(t, " -p %s", s->benches[i].package);
	for (size_t i = 0; i < s->count; i++) {
		const struct survey_bench *b = &s->benches[i];
		if (is_found_by_message(b) != by_message || b->harness == HARNESS_CODSPEED_RUST)
			continue;
		if (strcmp(b->program_kind, "lib") != 0)
			add_command_text(t, " --%s %s", b->program_kind, b->target);
		else if (!library)
			add_command_text(t, " --lib");
		library |= strcmp(b->program_kind, "lib") == 0;
	}
	add_features(t, s);
}

/* Cargo adds a hash to the name of a program, and says which it has built: a library's tests may
 * have the name of a benchmark, too. The program goes to where it keeps its name. */
static void add_cargo_copies(struct command_text *t, const struct survey *s)
{
	static const char built[] = CARGO_PROGRAMS "build.json";
	const char *kind = s->tests ? "\"test\":true" : "\"kind\":\\[\"bench\"\\]";
	bool members = false;

	add_command_text(t, " --message-format=json-render-diagnostics >%s && for b in", built);
	for (size_t i = 0; i < s->count; i++) {
		if (!is_found_by_message(&s->benches[i]))
			continue;
		add_command_text(t, " %s", s->benches[i].words[0] + strlen(CARGO_PROGRAMS));
		members |= *s->benches[i].target_directory != '\0';
	}
	if (members)
		add_command_text(
			t,
			"; do n=${b##*/} && d=${b%%\"$n\"} && mkdir -p " CARGO_PROGRAMS
			"$d && cp \"$(sed -n 's|.*\"manifest_path\":\"'\"$(pwd -P)\"'/'$d'Cargo.toml\".*%s.*\"executable\":\"\\([^\"]*/'$n'-[0-9a-f]*\\)\".*|\\1|p' %s | tail -n 1)\" " CARGO_PROGRAMS
			"$b || exit; done",
			kind, built);
	else
		add_command_text(
			t,
			"; do cp \"$(sed -n 's,.*%s.*\"executable\":\"\\([^\"]*/'$b'-[0-9a-f]*\\)\".*,\\1,p' %s | tail -n 1)\" " CARGO_PROGRAMS
			"$b || exit; done",
			kind, built);
}

static void cargo_command(const struct survey *s, struct command_text *t)
{
	bool by_message = false, by_path = false, codspeed = false, nightly = false;

	for (size_t i = 0; i < s->count; i++) {
		bool found = is_found_by_message(&s->benches[i]);
		by_message |= found;
		codspeed |= s->benches[i].harness == HARNESS_CODSPEED_RUST;
		by_path |= !found && s->benches[i].harness != HARNESS_CODSPEED_RUST;
		nightly |= s->benches[i].harness == HARNESS_LIBTEST;
	}
	if (by_message) {
		const char *profile = s->tests ? "RELEASE" : "BENCH";
		add_command_text(t, "mkdir -p " CARGO_PROGRAMS " && ");
		/* #![feature(test)] is refused by stable compilers without this. */
		add_command_text(t, "%s", nightly ? "RUSTC_BOOTSTRAP=1 " : "");
		add_command_text(t, "CARGO_PROFILE_%s_DEBUG=true ", profile);
		if (s->strips)
			add_command_text(t, "CARGO_PROFILE_%s_STRIP=none ", profile);
		add_command_text(t, "cargo %s --no-run", s->tests ? "test --release" : "bench");
		add_cargo_build(t, s, true);
		add_cargo_copies(t, s);
	}
	if (codspeed)
		add_command_text(t, "%sCARGO_PROFILE_BENCH_DEBUG=true cargo codspeed build",
				 by_message ? " && " : "");
	if (by_path || s->count == 0) {
		add_command_text(t, "%sCARGO_PROFILE_RELEASE_DEBUG=true cargo build --release",
				 by_message || codspeed ? " && " : "");
		if (by_path)
			add_cargo_build(t, s, false);
	}
}

/* ---- make ---- */

/* Adds " TARGET …" for all benchmarks that are built in a directory. Returns how many. */
static size_t add_targets(struct command_text *t, const struct survey *s, const char *directory)
{
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct survey_bench *b = &s->benches[i];
		bool again = !*b->target || strcmp(b->target_directory, directory) != 0;
		for (size_t k = 0; k < i && !again; k++)
			again = strcmp(s->benches[k].target, b->target) == 0 &&
				strcmp(s->benches[k].target_directory, directory) == 0;
		if (again)
			continue;
		add_command_text(t, " %s", b->target);
		count++;
	}
	return count;
}

/* Adds " && MAKE -C DIRECTORY TARGET …" for each directory but the top. */
static void add_directories(struct command_text *t, const struct survey *s, const char *make)
{
	for (size_t i = 0; i < s->count; i++) {
		const char *directory = s->benches[i].target_directory;
		bool again = !*directory;
		for (size_t k = 0; k < i && !again; k++)
			again = strcmp(s->benches[k].target_directory, directory) == 0;
		if (again)
			continue;
		add_command_text(t, " && %s -C %.*s", make, (int)strlen(directory) - 1, directory);
		add_targets(t, s, directory);
	}
}

static bool has_target_at_top(const struct survey *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (*s->benches[i].target && !*s->benches[i].target_directory)
			return true;
	return false;
}

/* Of a target that runs a program what it needs is made, besides what is made by default. */
static void make_command(const struct survey *s, struct command_text *t)
{
	char make[CALL_WORD_MAX + 64];

	if (*s->compiler)
		snprintf(make, sizeof make, "make CC='%s -g' CXX='c++ -g'", s->compiler);
	else if (s->debug_flags)
		snprintf(make, sizeof make, "make");
	else
		snprintf(make, sizeof make, "CFLAGS='-g -O2' CXXFLAGS='-g -O2' make");
	add_command_text(t, "%s", make);
	if (has_target_at_top(s) && s->benches[0].processes)
		add_command_text(t, " && %s", make);
	add_targets(t, s, "");
	add_directories(t, s, make);
}

static void autotools_command(const struct survey *s, struct command_text *t)
{
	/* a git checkout may have no configure yet */
	const char *marker = s->marker ? s->marker : "";
	char targets[BUILD_COMMAND_SIZE / 2];
	struct command_text top = { .text = targets };

	if (strncmp(marker, "configure.", strlen("configure.")) == 0)
		add_command_text(t, "{ test -x configure || autoreconf --install; } && ");
	else if (strcmp(marker, "autogen.sh") == 0)
		add_command_text(t, "{ test -x configure || NOCONFIGURE=1 sh autogen.sh; } && ");
	add_command_text(
		t,
		"{ test -f Makefile || ./configure%s CFLAGS='-g -O2' CXXFLAGS='-g -O2'; } && make",
		s->options);
	if (s->tests) {
		/* Builds the tests, and runs none. */
		add_command_text(t, " && make check TESTS=");
		return;
	}
	if (add_targets(&top, s, ""))
		add_command_text(t, " all%s", targets);
	add_directories(t, s, "make");
}

/* ---- others ---- */

static void go_command(const struct survey *s, struct command_text *t)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct survey_bench *b = &s->benches[i];
		add_command_text(t, "%sgo test -c -o %s%s.test ./%s", i ? " && " : "",
				 b->target_directory, b->target, b->target_directory);
	}
	if (s->count == 0)
		add_command_text(t, "go build ./...");
}

/* A virtual environment for each commit, as they may need other packages. */
static void python_command(const struct survey *s, struct command_text *t)
{
	bool pytest = false, benchmark = false, codspeed = false;

	if (s->plain)
		return;
	for (size_t i = 0; i < s->count; i++) {
		pytest |= s->benches[i].count > 2;
		benchmark |= s->benches[i].harness == HARNESS_PYTEST_BENCHMARK;
		codspeed |= s->benches[i].harness == HARNESS_PYTEST_CODSPEED;
	}
	codspeed |= benchmark; /* takes its place */
	add_command_text(t,
			 "{ test -x " PYTHON_ENVIRONMENT "bin/python || python3 -m venv .venv; }");
	if (s->installs || pytest || *s->requirements)
		add_command_text(t, " && " PYTHON_ENVIRONMENT "bin/python -m pip install --quiet");
	if (*s->requirements)
		add_command_text(t, " -r %s", s->requirements);
	if (s->installs && *s->options) {
		add_command_text(t, " -e '.[");
		for (const char *c = s->options + 1; *c; c++)
			add_command_text(t, "%c", *c == ' ' ? ',' : *c);
		add_command_text(t, "]'");
	} else if (s->installs) {
		add_command_text(t, " -e .");
	}
	add_command_text(t, "%s%s%s", pytest ? " pytest" : "", benchmark ? " pytest-benchmark" : "",
			 codspeed ? " pytest-codspeed" : "");
}

static void node_command(const struct survey *s, struct command_text *t)
{
	static const struct {
		const char *option, *command;
	} steps[] = {
		{ " pnpm", "pnpm install --frozen-lockfile" },
		{ " yarn", "yarn install --frozen-lockfile" },
		{ " ci", "npm ci" },
		{ " install", "npm install" },
		{ " build", "npm run build" },
	};

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (strstr(s->options, steps[i].option))
			add_command_text(t, "%s%s", t->used ? " && " : "", steps[i].command);
	if (*s->requirements)
		add_command_text(t, "%snpm install --prefix %s", t->used ? " && " : "",
				 s->requirements);
}

const char *build_command(const struct survey *s, char out[BUILD_COMMAND_SIZE])
{
	struct command_text t = { .text = out };

	out[0] = '\0';
	switch (s->kind) {
	case PROJECT_CARGO:
		cargo_command(s, &t);
		break;
	case PROJECT_GO:
		go_command(s, &t);
		break;
	case PROJECT_CMAKE:
		add_command_text(
			&t,
			"cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo%s && cmake --build build",
			s->options);
		break;
	case PROJECT_MESON:
		add_command_text(
			&t,
			"{ test -f build/build.ninja || meson setup build --buildtype=debugoptimized%s; } && "
			"meson compile -C build",
			s->options);
		break;
	case PROJECT_AUTOTOOLS:
		autotools_command(s, &t);
		break;
	case PROJECT_PYTHON:
		python_command(s, &t);
		break;
	case PROJECT_NODE:
		node_command(s, &t);
		break;
	case PROJECT_JAVA:
		add_command_text(&t, "%s",
				 strcmp(s->marker, "pom.xml") == 0 ? "mvn -q -DskipTests package"
								   : "gradle -q assemble");
		break;
	case PROJECT_MAKE:
		make_command(s, &t);
		break;
	case PROJECT_UNKNOWN:
	case PROJECT_KINDS:
		break;
	}
	return out;
}

const char *build_results(const struct survey *s)
{
	switch (s->kind) {
	case PROJECT_CMAKE:
	case PROJECT_MESON:
		return "build/";
	case PROJECT_PYTHON:
		return s->plain ? "" : PYTHON_ENVIRONMENT;
	case PROJECT_GO:
		return "*.test";
	default:
		return "";
	}
}
