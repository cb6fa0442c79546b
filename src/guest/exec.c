/* Programs that a traced program executes. The kernel tells the interpreter of a script the path by
 * which it opened the script, and looks for the interpreter itself. So a script that is seen at
 * another path, or whose interpreter is, is started as the kernel would start it, by its
 * interpreter, but with the path that the program named. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/guest/memory.h"

#define FIRST_LINE 256 /* as much of it as the kernel reads */
#define WORDS_MAX 1024 /* arguments of a script; a script with more is told the path of the host */

struct script {
	char line[FIRST_LINE + 1];
	const char *interpreter;
	const char *option; /* NULL: none */
};

static char *after_blanks(char *at)
{
	return at + strspn(at, " \t");
}

/* Reads the #! line. False: the file has none, or cannot be read. */
static bool read_script_line(const char *path, struct script *script)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, script->line, FIRST_LINE);

	if (fd >= 0)
		close(fd);
	if (n < 3 || strncmp(script->line, "#!", 2) || access(path, X_OK))
		return false;
	script->line[n] = '\0';
	script->line[strcspn(script->line, "\n")] = '\0';
	for (size_t len = strlen(script->line); strchr(" \t", script->line[len - 1]); len--)
		script->line[len - 1] = '\0';
	char *word = after_blanks(script->line + 2);
	char *end = word + strcspn(word, " \t");
	script->interpreter = word;
	script->option = *end ? after_blanks(end + 1) : NULL;
	*end = '\0';
	return *word == '/';
}

/* Reads the pointers of an argument list. Returns their number; 0: the list is empty or too
 * long. */
static size_t read_pointers(const struct visit *visit, unsigned long address, uint64_t *words)
{
	for (size_t n = 0; n < WORDS_MAX; n++) {
		if (!memory_read(visit->task->tid, address + n * sizeof *words, &words[n],
				 sizeof *words))
			return 0;
		if (!words[n])
			return n;
	}
	return 0;
}

/* Argument `first` of the call is the path, the next one the argument list. */
static bool start_script(struct visit *visit, unsigned first, const struct script *script)
{
	uint64_t words[WORDS_MAX + 3];
	char real[PATH_MAX];
	size_t n = 0, count = read_pointers(visit, visit_argument(visit, first + 1), words + 2);

	if (!count)
		return false;
	/* The path replaces the program's own name; the interpreter and its option come before
	 * it. */
	words[2] = visit_argument(visit, first);
	if (script->option) {
		words[1] = visit_put(visit, script->option, strlen(script->option) + 1);
		n = 1;
	}
	words[1 - n] = visit_put(visit, script->interpreter, strlen(script->interpreter) + 1);
	if (!words[1 - n] || !words[1])
		return false;
	words[count + 2] = 0;
	bool other = visit_path(visit, AT_FDCWD, script->interpreter, true, real);
	const char *path = other ? real : script->interpreter;
	unsigned long list = visit_put(visit, &words[1 - n], (count + 2 + n) * sizeof *words);
	if (!list || !visit_push(visit, first, path, strlen(path) + 1))
		return false;
	visit_set_argument(visit, first + 1, list);
	return true;
}

/* Whether the kernel, which finds a script by itself, would not find its interpreter: in a project,
 * the scripts of a Python environment name that by the path that they were told. */
static bool has_hidden_interpreter(struct visit *visit, const char *path, struct script *script)
{
	char from_here[PATH_MAX + 32], real[PATH_MAX];

	snprintf(from_here, sizeof from_here, "/proc/%d/cwd/%s", (int)visit->task->tid, path);
	return read_script_line(*path == '/' ? path : from_here, script) &&
	       visit_path(visit, AT_FDCWD, script->interpreter, true, real);
}

static enum turn enter_exec_at(struct visit *visit, int at, unsigned first)
{
	struct script script;
	char path[PATH_MAX], real[PATH_MAX];

	if (!memory_read_text(visit->task->tid, visit_argument(visit, first), path, sizeof path))
		return TURN_GO;
	if (!visit_path(visit, at, path, true, real))
		return at == AT_FDCWD && has_hidden_interpreter(visit, path, &script) &&
				       start_script(visit, first, &script)
			       ? TURN_RETURN
			       : TURN_GO;
	if (read_script_line(real, &script) && start_script(visit, first, &script))
		return TURN_RETURN;
	visit_push(visit, first, real, strlen(real) + 1);
	return visit->task->changed ? TURN_RETURN : TURN_GO;
}

enum turn enter_execve(struct visit *visit)
{
	return enter_exec_at(visit, AT_FDCWD, 0);
}

enum turn enter_execveat(struct visit *visit)
{
	return enter_exec_at(visit, (int)visit_argument(visit, 0), 1);
}

#else
typedef int exec_unknown; /* a translation unit is not empty */
#endif
