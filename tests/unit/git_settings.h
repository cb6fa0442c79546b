/* Settings of git that are the same for whoever runs a test. */
#ifndef TESTS_UNIT_GIT_SETTINGS_H
#define TESTS_UNIT_GIT_SETTINGS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Git tells hooks by variables which repository they are in, where a test must not work. */
static inline void forget_repository_of_caller(void)
{
	FILE *names = popen("git rev-parse --local-env-vars", "r");
	char name[100];

	while (names && fgets(name, sizeof name, names)) {
		name[strcspn(name, "\n")] = '\0';
		unsetenv(name);
	}
	if (names)
		pclose(names);
}

/* False: git is not installed, and the test has said so. */
static inline bool use_git_settings(void)
{
	static const char *const variables[][2] = {
		{ "GIT_CONFIG_NOSYSTEM", "1" }, { "GIT_CONFIG_GLOBAL", "/dev/null" },
		{ "GIT_AUTHOR_NAME", "a" },     { "GIT_AUTHOR_EMAIL", "a@b" },
		{ "GIT_COMMITTER_NAME", "a" },  { "GIT_COMMITTER_EMAIL", "a@b" },
	};
	if (system("git --version >/dev/null 2>&1") != 0) {
		puts("SKIP: git is not installed (apt-get install git)");
		return false;
	}
	forget_repository_of_caller();
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		setenv(variables[i][0], variables[i][1], 1);
	return true;
}

#endif
