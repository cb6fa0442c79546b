/* Values of irdiff.yml that are more than a text or a number. */
#ifndef IRDIFF_CONFIG_VALUE_H
#define IRDIFF_CONFIG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONFIG_TIMEOUT_MAX (7 * 24 * 3600) /* of `timeout:`, in seconds */

/* A command to execute, as it goes to execvp: `shell: true` has become
 * {"/bin/sh", "-c", TEXT}. argc 0: none was given. */
struct config_command {
	char **argv; /* argc texts and a NULL */
	size_t argc;
	bool shell;
	uint64_t line;
};

/* A text and its line; NULL: not given. */
struct config_text {
	const char *text;
	uint64_t line;
};

struct config_env {
	const char *name;
	const char *value; /* NULL: the user's own value is passed through */
	uint64_t line;
};

#endif
