#include "src/run/binding.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "src/run/cases.h"

/* Whether a file has these bytes; one that cannot be read has not. */
static bool file_has_text(const char *path, const char *text)
{
	char buffer[65536];
	size_t len = strlen(text), have = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool found = false;
	ssize_t n;

	while (fd >= 0 && !found && (n = read(fd, buffer + have, sizeof buffer - have)) > 0) {
		have += (size_t)n;
		found = memmem(buffer, have, text, len) != NULL;
		size_t kept = have < len - 1 ? have : len - 1;
		memmove(buffer, buffer + have - kept, kept);
		have = kept;
	}
	if (fd >= 0)
		close(fd);
	return found;
}

bool binding_is_eager(const struct run_request *request, const struct found_command *command)
{
	if (!command->image.interpreter) /* static: there is nothing to bind */
		return false;
	if (request->function)
		return true;
	return request->cases == RUN_CASES_AUTO
		       ? file_has_text(command->image_path, CASES_NOT_ENDED)
		       : request->cases != RUN_CASES_NONE;
}
