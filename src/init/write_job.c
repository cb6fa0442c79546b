#include "src/init/write_job.h"

#include <string.h>

#include "src/init/workflows.h"

/* Lines of data/ci that install packages: a comment, and those that are needed anyway. */
#define GITHUB_EXAMPLE "# - run: sudo apt-get update && sudo apt-get install -y cmake\n"
#define GITLAB_PACKAGES "apt-get install -y --no-install-recommends ca-certificates git\n"

/* What the build command of a survey starts, besides a C compiler and make. */
struct build_needs {
	const char *found;    /* the shell command that succeeds if it is there; NULL: nothing */
	const char *packages; /* of Debian and Ubuntu */
	const char *of_npm;   /* a package of npm; NULL: none */
};

static struct build_needs needs_of_autotools(const struct survey *s)
{
	bool generates = s->marker && strcmp(s->marker, "configure") != 0;

	if (generates && s->cxx)
		return (struct build_needs){ "type autoreconf automake libtoolize g++",
					     "autoconf automake libtool g++", NULL };
	if (generates)
		return (struct build_needs){ "type autoreconf automake libtoolize",
					     "autoconf automake libtool", NULL };
	return s->cxx ? (struct build_needs){ "type g++", "g++", NULL } : (struct build_needs){ 0 };
}

static struct build_needs needs_of_python(const struct survey *s)
{
	static const char virtual[] = "python3 -c 'import ensurepip'";

	/* The headers, as a package may have modules in C. */
	return s->plain      ? (struct build_needs){ "type python3", "python3", NULL }
	       : s->installs ? (struct build_needs){ virtual, "python3-dev python3-venv", NULL }
			     : (struct build_needs){ virtual, "python3-venv", NULL };
}

static struct build_needs needs_of_node(const struct survey *s)
{
	return strstr(s->options, " pnpm") ? (struct build_needs){ "type npm pnpm", "npm", "pnpm" }
	       : strstr(s->options, " yarn")
		       ? (struct build_needs){ "type npm yarn", "npm", "yarn" }
		       : (struct build_needs){ "type npm", "npm", NULL };
}

static struct build_needs build_needs(const struct survey *s)
{
	switch (s->kind) {
	case PROJECT_CARGO:
		return (struct build_needs){ "type cargo", "cargo", NULL };
	case PROJECT_GO:
		return (struct build_needs){ "type go", "golang-go", NULL };
	case PROJECT_CMAKE: /* project() looks for a C++ compiler, too, unless it is told not to */
		return (struct build_needs){ "type cmake g++", "cmake g++", NULL };
	case PROJECT_MESON:
		return s->cxx ? (struct build_needs){ "type meson g++", "meson g++", NULL }
			      : (struct build_needs){ "type meson", "meson", NULL };
	case PROJECT_AUTOTOOLS:
		return needs_of_autotools(s);
	case PROJECT_PYTHON:
		return needs_of_python(s);
	case PROJECT_NODE:
		return needs_of_node(s);
	case PROJECT_JAVA:
		return strcmp(s->marker, "pom.xml") == 0
			       ? (struct build_needs){ "type mvn", "default-jdk-headless maven",
						       NULL }
			       : (struct build_needs){ "type gradle", "default-jdk-headless gradle",
						       NULL };
	case PROJECT_MAKE:
		return s->cxx ? (struct build_needs){ "type g++", "g++", NULL }
			      : (struct build_needs){ 0 };
	case PROJECT_UNKNOWN:
	case PROJECT_KINDS:
		break;
	}
	return (struct build_needs){ 0 };
}

/* Writes what precedes the next `mark`. Returns what follows it; NULL: that was the last. */
static const char *write_before(const char *text, const char *mark, FILE *to)
{
	const char *next = strstr(text, mark);

	fwrite(text, 1, next ? (size_t)(next - text) : strlen(text), to);
	return next ? next + strlen(mark) : NULL;
}

/* The images of GitHub have most of this, and others than those of the packages. */
void write_github_workflow(const struct survey *survey, FILE *to)
{
	const struct build_needs needs = build_needs(survey);
	const char *text = ci_github_yml;

	while ((text = write_before(text, GITHUB_EXAMPLE, to))) {
		if (!needs.found) {
			fputs(GITHUB_EXAMPLE, to);
			continue;
		}
		fprintf(to, "- run: %s || { sudo apt-get update && sudo apt-get install -y %s",
			needs.found, needs.packages);
		if (needs.of_npm)
			fprintf(to, " && sudo npm install -g %s", needs.of_npm);
		fputs("; }\n", to);
	}
}

void write_gitlab_job(const struct survey *survey, FILE *to)
{
	const struct build_needs needs = build_needs(survey);
	const char *text = ci_gitlab_yml;
	const int length = (int)strlen(GITLAB_PACKAGES) - 1;

	while ((text = write_before(text, GITLAB_PACKAGES, to))) {
		fprintf(to, "%.*s", length, GITLAB_PACKAGES);
		if (needs.found)
			fprintf(to, " %s", needs.packages);
		if (needs.of_npm)
			fprintf(to, " && npm install -g %s", needs.of_npm);
		fputc('\n', to);
	}
}
