#include "src/run/valgrind_log.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/names.h"
#include "src/run/strings.h"

#define OBJECTS_MAX 100000

/* Phrases that Valgrind writes when it gives up. The line with one is the reason. */
static const char *const deaths[] = {
	"the 'impossible' happened",
	"Valgrind: FATAL:",
	"valgrind: FATAL:",
	"Fatal error at ",
	"Valgrind's memory management: out of memory",
	"Assertion '",
	"failed to start tool",
	"host stacktrace:",
};

/* "==123== text", "--123-- text" → "text". */
static char *strip_prefix(char *line)
{
	if ((line[0] != '=' && line[0] != '-') || line[1] != line[0])
		return line;
	size_t digits = strspn(line + 2, "0123456789");
	char *end = line + 2 + digits;
	if (!digits || end[0] != line[0] || end[1] != line[0])
		return line;
	return end + 2 + (end[2] == ' ');
}

static int keep_first(char **place, const char *text, size_t len, struct cg_error *err)
{
	if (*place)
		return CG_OK; /* the first one counts */
	*place = strndup(text, len);
	return *place ? CG_OK : cg_fail_nomem(err);
}

static bool is_valgrinds_own(const char *object)
{
	const char *name = cg_base_name(object);

	return !strncmp(name, "vgpreload_", 10) || !strncmp(name, "callgrind-", 10) ||
	       !strncmp(name, "dhat-", 5);
}

static int add_object(struct valgrind_log *log, const char *object, struct cg_error *err)
{
	if (is_valgrinds_own(object) || log->nobjects >= OBJECTS_MAX)
		return CG_OK;
	for (size_t i = 0; i < log->nobjects; i++)
		if (!strcmp(log->objects[i], object))
			return CG_OK;
	if (cg_grow(&log->objects, &log->objects_cap, log->nobjects + 1, sizeof *log->objects))
		return cg_fail_nomem(err);
	char *copy = strdup(object);
	if (!copy)
		return cg_fail_nomem(err);
	log->objects[log->nobjects++] = copy;
	return CG_OK;
}

/* State between lines: the debug information reader complains over several. */
struct log_scan {
	bool has_summary, terminated;
	bool reader_failed;
	char *current; /* object being read when it did */
};

static int scan_line(struct valgrind_log *log, struct log_scan *scan, const char *line,
		     struct cg_error *err)
{
	const char *rest;

	if ((rest = text_after(line, "Parent PID: "))) {
		log->parent = (pid_t)strtol(rest, NULL, 10);
		return CG_OK;
	}
	if ((rest = text_after(line, "Arch and hwcaps: ")))
		return keep_first(&log->hwcaps, rest, strlen(rest), err);
	if ((rest = text_after(line, "Reading syms from "))) {
		log->counts_heap |= !strncmp(cg_base_name(rest), "vgpreload_dhat", 14);
		free(scan->current);
		scan->current = strdup(rest);
		return scan->current ? add_object(log, rest, err) : cg_fail_nomem(err);
	}
	if ((rest = text_after(line, "Process terminating with default action of signal ")))
		log->signal = (int)strtol(rest, NULL, 10);
	if ((rest = text_after(line, "Start dumping at BB ")))
		log->blocks = strtoull(rest, NULL, 10);
	log->switched_off |= strstr(line, "instrumentation switched OFF") != NULL;
	scan->has_summary |= text_after(line, "Collected : ") || /* of callgrind, of DHAT */
			     text_after(line, "At t-end: ");
	scan->terminated |= text_after(line,
				       "Process terminating with default action of signal 15 ") !=
			    NULL;
	if ((rest = strstr(line, "unhandled instruction bytes: "))) {
		rest += strlen("unhandled instruction bytes: ");
		return keep_first(&log->instruction, rest, strlen(rest), err);
	}
	if (text_after(line, "Valgrind: debuginfo reader: ")) {
		scan->reader_failed = true;
		return keep_first(&log->death, line, strlen(line), err);
	}
	if (scan->reader_failed && (rest = text_after(line, "Valgrind:   \""))) {
		const char *quote = strrchr(rest, '"');
		return quote ? keep_first(&log->bad_object, rest, (size_t)(quote - rest), err)
			     : CG_OK;
	}
	for (size_t i = 0; i < sizeof deaths / sizeof deaths[0]; i++)
		if (strstr(line, deaths[i]))
			return keep_first(&log->death, line, strlen(line), err);
	return CG_OK;
}

int valgrind_log_read(const char *path, pid_t pid, struct valgrind_log *log, struct cg_error *err)
{
	struct valgrind_log found = { .pid = pid, .path = strdup(path) };
	struct log_scan scan = { 0 };
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	int status = CG_OK;

	FILE *file = found.path ? fopen(path, "re") : NULL;
	if (!file) {
		status = found.path
				 ? cg_fail(err, CG_EIO, path, 0, "cannot open: %s", strerror(errno))
				 : cg_fail_nomem(err);
		valgrind_log_free(&found);
		return status;
	}
	while (status == CG_OK && (len = getline(&line, &cap, file)) >= 0) {
		if (len && line[len - 1] == '\n')
			line[len - 1] = '\0';
		status = scan_line(&found, &scan, strip_prefix(line), err);
	}
	if (status == CG_OK && ferror(file))
		status = cg_fail(err, CG_EIO, path, 0, "cannot read: %s", strerror(errno));
	fclose(file);
	if (status == CG_OK && scan.reader_failed && scan.current)
		status = keep_first(&found.bad_object, scan.current, strlen(scan.current), err);

	found.running = !scan.has_summary || scan.terminated;
	free(line);
	free(scan.current);
	if (status)
		valgrind_log_free(&found);
	else
		*log = found;
	return status;
}

void valgrind_log_free(struct valgrind_log *log)
{
	for (size_t i = 0; i < log->nobjects; i++)
		free(log->objects[i]);
	free(log->objects);
	free(log->path);
	free(log->hwcaps);
	free(log->death);
	free(log->bad_object);
	free(log->instruction);
	*log = (struct valgrind_log){ 0 };
}
