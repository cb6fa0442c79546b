#include "src/run/collect.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/run/heap.h"
#include "src/run/strings.h"

/* "4711", "4711.2" or "4711.2-01": pid, number of the part and thread (0 if not given). */
static bool parse_suffix(const char *text, pid_t *pid, unsigned *number, unsigned *thread)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	long value = strtol(text, &end, 10);
	if (errno || value > INT_MAX)
		return false;
	*pid = (pid_t)value;
	*number = *thread = 0;
	if (*end == '.' && isdigit((unsigned char)end[1])) {
		unsigned long part = strtoul(end + 1, &end, 10);
		if (errno || part > UINT_MAX)
			return false;
		*number = (unsigned)part;
	}
	if (*end == '-' && isdigit((unsigned char)end[1])) {
		unsigned long which = strtoul(end + 1, &end, 10);
		if (errno || which > UINT_MAX)
			return false;
		*thread = (unsigned)which;
	}
	return !*end;
}

/* Adds a row of costs, with saturation. Costs missing at its end are 0. */
static void add_cost_row(uint64_t sums[RUN_EVENTS], const char *text)
{
	char *end;

	for (size_t i = 0; i < RUN_EVENTS; i++, text = end) {
		uint64_t cost = strtoull(text, &end, 10);
		if (end == text)
			return;
		sums[i] = cost > UINT64_MAX - sums[i] ? UINT64_MAX : sums[i] + cost;
	}
}

/* Sets *to, unless it is set already. */
static int keep_line_rest(char **to, const char *rest, struct cg_error *err)
{
	if (*to)
		return CG_OK;
	*to = strdup(rest + strspn(rest, " "));
	return *to ? CG_OK : cg_fail_nomem(err);
}

/* Reads one line of the header; *header becomes false after the last one. */
static int read_header_line(struct run_profile *profile, const char *line, bool *header,
			    struct cg_error *err)
{
	const char *rest;

	if ((rest = text_after(line, "cmd:")))
		return keep_line_rest(&profile->command, rest, err);
	if ((rest = text_after(line, "desc: Trigger:")))
		return keep_line_rest(&profile->trigger, rest, err);
	if ((rest = text_after(line, "part:")))
		profile->part = (unsigned)strtoul(rest, NULL, 10);
	rest = text_after(line, "events:");
	*header = !rest;
	return rest ? keep_line_rest(&profile->events, rest, err) : CG_OK;
}

/* Valgrind writes one part to a file, and its totals last. */
static void skip_body(FILE *file, uint64_t size, bool *skipped)
{
	enum { MORE_THAN_TOTALS = 1 << 16 };
	off_t end = (off_t)(size - MORE_THAN_TOTALS);

	*skipped = true;
	if (size <= MORE_THAN_TOTALS || ftello(file) >= end || fseeko(file, end, SEEK_SET) != 0)
		return;
	for (int c = getc(file); c != EOF && c != '\n'; c = getc(file))
		;
}

/* The facts in the file itself: header and totals. */
static int read_facts(struct run_profile *profile, struct cg_error *err)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	bool header = true, skipped = false;
	uint64_t totals[RUN_EVENTS] = { 0 }, summaries[RUN_EVENTS] = { 0 };
	const char *rest;
	int status = CG_OK;

	FILE *file = fopen(profile->path, "re");
	if (!file)
		return cg_fail(err, CG_EIO, profile->path, 0, "cannot open: %s", strerror(errno));
	while ((len = getline(&line, &cap, file)) >= 0) {
		if (len && line[len - 1] == '\n')
			line[len - 1] = '\0';
		if ((rest = text_after(line, "totals:")))
			add_cost_row(totals, rest);
		else if ((rest = text_after(line, "summary:")))
			add_cost_row(summaries, rest);
		else if ((rest = text_after(line, HEAP_INSTRUCTIONS)))
			profile->instructions = strtoull(rest, NULL, 10);
		else if (!header && !skipped)
			skip_body(file, profile->bytes, &skipped);
		if (header && (status = read_header_line(profile, line, &header, err)) != CG_OK)
			break;
	}
	if (status == CG_OK && ferror(file))
		status = cg_fail(err, CG_EIO, profile->path, 0, "cannot read: %s", strerror(errno));
	free(line);
	fclose(file);

	memcpy(profile->costs, *totals ? totals : summaries, sizeof profile->costs);
	profile->collected = profile->costs[0];
	if (!profile->part)
		profile->part = 1;
	if (status == CG_OK)
		status = keep_line_rest(&profile->command, "", err);
	if (status == CG_OK)
		status = keep_line_rest(&profile->trigger, "", err);
	if (status == CG_OK)
		status = keep_line_rest(&profile->events, "", err);
	if (status == CG_OK)
		profile->program_len = strcspn(profile->command, " ");
	return status;
}

static int add_collected_profile(struct collection *collection, const char *path, pid_t pid,
				 unsigned number, unsigned thread, struct cg_error *err)
{
	struct stat st;

	if (cg_grow(&collection->profiles, &collection->profiles_cap, collection->nprofiles + 1,
		    sizeof *collection->profiles))
		return cg_fail_nomem(err);
	struct run_profile *profile = &collection->profiles[collection->nprofiles++];
	*profile = (struct run_profile){
		.path = strdup(path),
		.image = strdup(""),
		.pid = pid,
		.generation = number, /* the name's number until regroup() */
		.thread = thread,
	};
	if (!profile->path || !profile->image)
		return cg_fail_nomem(err);
	if (stat(path, &st))
		return cg_fail(err, CG_EIO, path, 0, "cannot read: %s", strerror(errno));
	profile->bytes = (uint64_t)st.st_size;
	return read_facts(profile, err);
}

static int add_log(struct valgrind_log **logs, size_t *count, size_t *cap, const char *path,
		   pid_t pid, struct cg_error *err)
{
	if (cg_grow(logs, cap, *count + 1, sizeof **logs))
		return cg_fail_nomem(err);
	int status = valgrind_log_read(path, pid, &(*logs)[*count], err);
	if (status == CG_OK)
		++*count;
	return status;
}

/* By pid; files with a number come before the one without. */
static int compare_collected(const void *a, const void *b)
{
	const struct run_profile *p = a, *q = b;

	if (p->pid != q->pid)
		return p->pid < q->pid ? -1 : 1;
	unsigned m = p->generation - 1, n = q->generation - 1; /* 0 becomes the last */
	return m < n ? -1 : m > n;
}

static int by_generation(const void *a, const void *b)
{
	const struct run_profile *p = a, *q = b;

	if (p->pid != q->pid)
		return p->pid < q->pid ? -1 : 1;
	if (p->generation != q->generation)
		return p->generation < q->generation ? -1 : 1;
	if (p->part != q->part)
		return p->part < q->part ? -1 : 1;
	return p->thread < q->thread ? -1 : p->thread > q->thread;
}

static int by_log_pid(const void *a, const void *b)
{
	const struct valgrind_log *p = a, *q = b;

	return p->pid < q->pid ? -1 : p->pid > q->pid;
}

/* Whether both are files of one dump, of different threads. */
static bool is_other_thread(const struct run_profile *a, const struct run_profile *b)
{
	return a->part == b->part && a->thread != b->thread;
}

/* Turns the numbers of names into generations, for the files of one pid. */
static void regroup(struct run_profile *profiles, size_t count)
{
	struct run_profile *last = &profiles[count - 1];
	unsigned final_parts = last->generation == 0 ? last->part : 0;
	const struct run_profile *previous = NULL;
	unsigned generation = 0;

	for (size_t i = 0; i < count; i++) {
		struct run_profile *profile = &profiles[i];
		bool is_final = profile == last || profile->generation < final_parts;
		if (is_final) {
			profile->generation = UINT_MAX;
			continue;
		}
		if (previous &&
		    (strcmp(previous->command, profile->command) ||
		     (profile->part != previous->part + 1 && !is_other_thread(previous, profile))))
			generation++;
		profile->generation = generation;
		profile->replaced = true;
		previous = profile;
	}
	if (previous)
		generation++;
	for (size_t i = 0; i < count; i++)
		if (profiles[i].generation == UINT_MAX)
			profiles[i].generation = generation;
}

/* Whether the parent has the same command line, as it has after a fork. */
static bool has_parents_command(const struct collection *collection,
				const struct run_profile *profile)
{
	for (size_t i = 0; i < collection->nprofiles; i++) {
		const struct run_profile *other = &collection->profiles[i];
		if (other->pid == profile->parent && !strcmp(other->command, profile->command))
			return true;
	}
	return false;
}

/* A log names the process that was the parent when the new process began its log. If the real
 * parent had ended by then, that is whoever adopted the process. */
static void set_parents(struct collection *collection, const struct process_list *over)
{
	for (size_t i = 0; i < collection->nlogs; i++) {
		const struct process_over *known = process_list_find(over, collection->logs[i].pid);
		if (known && known->parent)
			collection->logs[i].parent = known->parent;
	}
}

static void put_in_order(struct collection *collection)
{
	struct run_profile *profiles = collection->profiles;
	size_t n = collection->nprofiles;

	if (collection->nlogs)
		qsort(collection->logs, collection->nlogs, sizeof *collection->logs, by_log_pid);
	if (!n)
		return;
	qsort(profiles, n, sizeof *profiles, compare_collected);
	for (size_t begin = 0, end; begin < n; begin = end) {
		for (end = begin + 1; end < n && profiles[end].pid == profiles[begin].pid;)
			end++;
		regroup(profiles + begin, end - begin);
	}
	qsort(profiles, n, sizeof *profiles, by_generation);

	for (size_t i = 0; i < n; i++) {
		const struct valgrind_log *log = collection_log(collection, profiles[i].pid);
		if (!log)
			continue;
		profiles[i].parent = log->parent;
		/* A log names the objects that the last image loaded: no objects after a fork
		 * without an exec. Valgrind reads none of a static program of one page, either,
		 * but where there is only one process, nothing forked it. */
		profiles[i].forked = profiles[i].replaced
					     ? has_parents_command(collection, &profiles[i])
					     : log->nobjects == 0 && collection->nlogs > 1;
	}
}

/* If threads have files of their own, one of the files is empty. */
static void drop_empty(struct collection *collection)
{
	size_t kept = 0;

	for (size_t i = 0; i < collection->nprofiles; i++) {
		struct run_profile p = collection->profiles[i];
		bool threads = false;
		for (size_t k = 0; k < collection->nprofiles && !p.bytes; k++)
			threads |= collection->profiles[k].pid == p.pid &&
				   collection->profiles[k].thread;
		collection->profiles[i] = collection->profiles[kept];
		collection->profiles[kept] = p;
		kept += !threads;
	}
	for (size_t i = kept; i < collection->nprofiles; i++)
		run_profile_free(&collection->profiles[i]);
	collection->nprofiles = kept;
}

int collect(const char *directory, const struct process_list *over, struct collection *collection,
	    struct cg_error *err)
{
	struct collection found = { 0 };
	int status = CG_OK;

	DIR *dir = opendir(directory);
	if (!dir)
		return cg_fail(err, CG_EIO, directory, 0, "cannot read: %s", strerror(errno));
	for (struct dirent *entry; status == CG_OK && (entry = readdir(dir));) {
		const char *profile = text_after(entry->d_name, COLLECT_PROFILE_PREFIX);
		const char *log = text_after(entry->d_name, COLLECT_LOG_PREFIX);
		const char *lost = text_after(entry->d_name, COLLECT_LOST_PREFIX);
		pid_t pid;
		unsigned number, thread;
		char *path;

		if ((!profile && !log && !lost) || !parse_suffix(profile ? profile
								 : log   ? log
									 : lost,
								 &pid, &number, &thread))
			continue;
		if (asprintf(&path, "%s/%s", directory, entry->d_name) < 0) {
			status = cg_fail_nomem(err);
			break;
		}
		if (profile)
			status = add_collected_profile(&found, path, pid, number, thread, err);
		else if (log)
			status = add_log(&found.logs, &found.nlogs, &found.logs_cap, path, pid,
					 err);
		else
			status = add_log(&found.lost, &found.nlost, &found.lost_cap, path, pid,
					 err);
		free(path);
	}
	closedir(dir);

	if (status) {
		collection_free(&found);
		return status;
	}
	drop_empty(&found);
	set_parents(&found, over);
	put_in_order(&found);
	*collection = found;
	return CG_OK;
}

/* ---- parts ---- */

/* "4711.2" or "4711.2-01" of this pid; the rest of its name in *thread_text. */
static bool is_part_of(const char *name, pid_t pid, unsigned *number, const char **thread_text)
{
	const char *suffix = text_after(name, COLLECT_PROFILE_PREFIX);
	unsigned thread;
	pid_t of;

	if (!suffix || !parse_suffix(suffix, &of, number, &thread) || of != pid || !*number)
		return false;
	*thread_text = suffix + strcspn(suffix, "-");
	return true;
}

static void rename_part(int fd, const char *name, pid_t pid, unsigned number, const char *thread)
{
	char aside[sizeof COLLECT_PROFILE_PREFIX + 60];

	snprintf(aside, sizeof aside, COLLECT_PROFILE_PREFIX "%d.%u%.20s", (int)pid, number,
		 thread);
	renameat(fd, name, fd, aside);
}

/* The number of images that have left parts. */
static unsigned count_images(DIR *dir, pid_t pid)
{
	unsigned number, images = 0;
	const char *thread;

	for (struct dirent *entry; (entry = readdir(dir));)
		if (is_part_of(entry->d_name, pid, &number, &thread) &&
		    number / COLLECT_ASIDE > images)
			images = number / COLLECT_ASIDE;
	return images;
}

/* Whether the last counts that a log tells of are those before an exec. A program is executed
 * twice: first Valgrind's launcher, which leaves the log as it is. */
static bool has_written_all(FILE *log)
{
	char *line = NULL;
	size_t cap = 0;
	bool all = false;

	while (getline(&line, &cap, log) >= 0)
		if (strstr(line, "Start dumping at BB "))
			all = strstr(line, "(--dump-before=" DUMP_AT_EXEC) != NULL;
	free(line);
	return all;
}

static void keep_lost_log(int fd, pid_t pid)
{
	char name[64], lost[64];

	snprintf(name, sizeof name, COLLECT_LOG_PREFIX "%d", (int)pid);
	int from = openat(fd, name, O_RDONLY | O_CLOEXEC);
	FILE *log = from < 0 ? NULL : fdopen(from, "r");
	if (!log)
		return;
	bool all = has_written_all(log);
	fclose(log);
	for (unsigned i = 1; !all && i < COLLECT_ASIDE; i++) {
		snprintf(lost, sizeof lost, COLLECT_LOST_PREFIX "%d.%u", (int)pid, i);
		if (faccessat(fd, lost, F_OK, 0) == 0)
			continue;
		renameat(fd, name, fd, lost);
		return;
	}
}

void collect_set_aside(const char *directory, pid_t pid)
{
	DIR *dir = opendir(directory);
	unsigned images = dir ? count_images(dir, pid) : 0, number;
	const char *thread;

	if (!dir || images >= UINT_MAX / COLLECT_ASIDE - 1) {
		if (dir)
			closedir(dir);
		return;
	}
	keep_lost_log(dirfd(dir), pid);
	rewinddir(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		if (is_part_of(entry->d_name, pid, &number, &thread) && number < COLLECT_ASIDE)
			rename_part(dirfd(dir), entry->d_name, pid,
				    (images + 1) * COLLECT_ASIDE + number, thread);
	closedir(dir);
}

static bool is_first_of_image(const struct run_profile *profiles, size_t i)
{
	return i == 0 || profiles[i - 1].pid != profiles[i].pid ||
	       profiles[i - 1].generation != profiles[i].generation;
}

const struct run_profile *collect_missing(const struct run_profile *profiles, size_t nprofiles)
{
	for (size_t i = 0; i < nprofiles; i++) {
		unsigned before = is_first_of_image(profiles, i) ? 0 : profiles[i - 1].part;
		bool of_thread = before && profiles[i].part == before;
		if (!of_thread && profiles[i].part != before + 1)
			return &profiles[i];
	}
	return NULL;
}

const struct valgrind_log *collection_log(const struct collection *collection, pid_t pid)
{
	const struct valgrind_log key = { .pid = pid };

	return collection->nlogs
		       ? bsearch(&key, collection->logs, collection->nlogs, sizeof key, by_log_pid)
		       : NULL;
}

const struct valgrind_log *collection_image_log(const struct collection *collection, pid_t pid)
{
	/* A chain of parents cannot be longer than there are logs. */
	for (size_t i = 0; i <= collection->nlogs; i++) {
		const struct valgrind_log *log = collection_log(collection, pid);
		if (!log || log->nobjects)
			return log;
		pid = log->parent;
	}
	return NULL;
}

int collection_move(struct collection *to, struct collection *from)
{
	const size_t profiles = to->nprofiles + from->nprofiles, logs = to->nlogs + from->nlogs;
	const size_t lost = to->nlost + from->nlost;

	if (cg_grow(&to->profiles, &to->profiles_cap, profiles, sizeof *to->profiles) ||
	    cg_grow(&to->logs, &to->logs_cap, logs, sizeof *to->logs) ||
	    cg_grow(&to->lost, &to->lost_cap, lost, sizeof *to->lost))
		return CG_ENOMEM;
	for (size_t i = 0; i < from->nprofiles; i++)
		to->profiles[to->nprofiles++] = from->profiles[i];
	for (size_t i = 0; i < from->nlogs; i++)
		to->logs[to->nlogs++] = from->logs[i];
	if (profiles)
		qsort(to->profiles, profiles, sizeof *to->profiles, by_generation);
	if (logs)
		qsort(to->logs, logs, sizeof *to->logs, by_log_pid);
	for (size_t i = 0; i < from->nlost; i++)
		to->lost[to->nlost++] = from->lost[i];
	from->nprofiles = from->nlogs = from->nlost = 0;
	return CG_OK;
}

void collection_free(struct collection *collection)
{
	for (size_t i = 0; i < collection->nprofiles; i++)
		run_profile_free(&collection->profiles[i]);
	free(collection->profiles);
	for (size_t i = 0; i < collection->nlogs; i++)
		valgrind_log_free(&collection->logs[i]);
	free(collection->logs);
	for (size_t i = 0; i < collection->nlost; i++)
		valgrind_log_free(&collection->lost[i]);
	free(collection->lost);
	*collection = (struct collection){ 0 };
}

int collect_discard(const char *directory, bool only_count, size_t *count, struct cg_error *err)
{
	size_t found = 0;

	DIR *dir = opendir(directory);
	if (!dir)
		return cg_fail(err, CG_EIO, directory, 0, "cannot read: %s", strerror(errno));
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (!text_after(entry->d_name, COLLECT_PROFILE_PREFIX) &&
		    !text_after(entry->d_name, COLLECT_LOG_PREFIX) &&
		    !text_after(entry->d_name, COLLECT_LOST_PREFIX) &&
		    !text_after(entry->d_name, COLLECT_MAP_PREFIX))
			continue;
		found++;
		if (!only_count)
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
	closedir(dir);
	if (count)
		*count = found;
	return CG_OK;
}
