#include "src/diff/run_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/diff/environment.h"
#include "src/diff/idle_reads.h"

/* ---- lines ---- */

static bool take_note_number(const char **text, uint64_t *out)
{
	enum { MOST_DIGITS = 19 };
	size_t digits = strspn(*text, "0123456789");

	if (!digits || digits > MOST_DIGITS)
		return false;
	*out = strtoull(*text, NULL, 10);
	*text += digits;
	return true;
}

static bool take_note_word(const char **text, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*text, word, len) != 0)
		return false;
	*text += len;
	return true;
}

/* "11 in 2 processes: prog", "1 process, 920860 Ir: helper" */
static bool parse_note_line(const char *text, struct run_note_line *out)
{
	uint64_t number, processes;

	*out = (struct run_note_line){ .costs = "" };
	if (!take_note_number(&text, &number))
		return false;
	processes = number;
	if (take_note_word(&text, " in ")) {
		if (number > 255 || !take_note_number(&text, &processes))
			return false;
		out->code = (int)number;
	}
	if (!take_note_word(&text, " processes") && !take_note_word(&text, " process"))
		return false;
	out->processes = processes;
	out->costs = text;
	out->costs_len = strcspn(text, ":");
	text += out->costs_len;
	if (!take_note_word(&text, ": "))
		return false;
	out->name = text;
	return true;
}

/* The value of the line number i, if it has this key. */
static const char *value_of_note(const struct cg_profile *p, uint32_t i, const char *key)
{
	const char *text = cg_string(p, p->descs[i].key);

	return take_note_word(&text, RUN_NOTES_PREFIX) && strcmp(text, key) == 0
		       ? cg_string(p, p->descs[i].value)
		       : NULL;
}

bool run_notes_known(const struct cg_profile *p)
{
	return cg_desc_value(p, RUN_NOTES_PREFIX "processes") != NULL;
}

bool run_notes_next(const struct cg_profile *p, const char *key, uint32_t *at,
		    struct run_note_line *out)
{
	while (*at < p->ndescs) {
		const char *value = value_of_note(p, (*at)++, key);
		if (value && parse_note_line(value, out))
			return true;
	}
	return false;
}

uint64_t run_note_cost(const struct run_note_line *line, const char *event)
{
	const char *at = line->costs, *end = at + line->costs_len;
	size_t len = strlen(event);
	uint64_t cost;

	while (at < end && take_note_word(&at, ", ") && take_note_number(&at, &cost) &&
	       take_note_word(&at, " ")) {
		size_t word = strcspn(at, ",:");
		if (word == len && strncmp(at, event, len) == 0)
			return cost;
		at += word;
	}
	return 0;
}

static uint64_t add_note_counts(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

uint64_t run_notes_cost(const struct cg_profile *p, const char *key, const char *event)
{
	struct run_note_line line;
	uint64_t cost = 0;

	for (uint32_t at = 0; run_notes_next(p, key, &at, &line);)
		cost = add_note_counts(cost, run_note_cost(&line, event));
	return cost;
}

uint64_t run_notes_count(const struct cg_profile *p, const char *key, int code, const char *name)
{
	struct run_note_line line;
	uint64_t count = 0;

	for (uint32_t at = 0; run_notes_next(p, key, &at, &line);)
		if ((!code || line.code == code) && (!name || strcmp(line.name, name) == 0))
			count = add_note_counts(count, line.processes);
	return count;
}

/* ---- what it reads ---- */

#define GETRANDOM "getrandom"
#define GO_CLOCK "time.now" /* below all functions of Go that read the clock */

static const struct named_reads {
	const char *name;
	unsigned reads;
} readers[] = {
	/* In glibc time and gettimeofday only choose one of those that end in _syscall. */
	{ "arc4random", RUN_READS_RANDOM },
	{ "arc4random_buf", RUN_READS_RANDOM },
	{ "arc4random_uniform", RUN_READS_RANDOM },
	{ "clock", RUN_READS_CLOCK },
	{ "clock_gettime", RUN_READS_CLOCK },
	{ "ftime", RUN_READS_CLOCK },
	{ "getentropy", RUN_READS_RANDOM },
	{ "getpid", RUN_READS_PID },
	{ GETRANDOM, RUN_READS_RANDOM },
	{ "gettimeofday_syscall", RUN_READS_CLOCK },
	{ GO_CLOCK, RUN_READS_CLOCK },
	{ "time_syscall", RUN_READS_CLOCK },
	{ "times", RUN_READS_CLOCK },
	{ "timespec_get", RUN_READS_CLOCK },
};

/* "__clock_gettime64@@GLIBC_2.34" is clock_gettime. */
static unsigned reads_of_name(const char *name)
{
	size_t underscores = strspn(name, "_"), len = strcspn(name + underscores, "@");

	name += underscores;
	if (len > 2 && strncmp(name + len - 2, "64", 2) == 0)
		len -= 2;
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (strlen(readers[i].name) == len && strncmp(readers[i].name, name, len) == 0)
			return readers[i].reads;
	return 0;
}

/* glibc and musl, as libraries. */
static bool is_in_libc(const struct cg_profile *p, const struct cg_function *f)
{
	const char *object = cg_string(p, f->object), *slash = strrchr(object, '/');
	const char *name = slash ? slash + 1 : object;

	return strncmp(name, "libc.", 5) == 0 || strncmp(name, "libc-", 5) == 0 ||
	       strncmp(name, "ld-musl-", 8) == 0;
}

/* Nothing else shows that it executes rdrand. */
static bool is_random_device(const char *name)
{
	return strncmp(name, "std::random_device::_M_getval", 29) == 0;
}

bool run_notes_draws_from_processor(const struct cg_profile *p)
{
	for (uint32_t i = 1; i < p->nfunctions; i++)
		if (is_random_device(cg_string(p, p->functions[i].name)))
			return true;
	return false;
}

/* Whether code outside of the C library calls it. glibc calls getrandom for the first heap of any
 * program, to recognise a block that is freed twice; counts do not depend on it. */
static bool has_callers_outside(const struct cg_profile *p, uint32_t function)
{
	for (uint32_t i = 0; i < p->ncalls; i++)
		if (p->records[p->calls[i].callee].function == function &&
		    !is_in_libc(p, &p->functions[p->records[p->calls[i].caller].function]))
			return true;
	return false;
}

/* In a static program any function may be called clock, but hardly one of these; getrandom the heap
 * calls, too. */
static bool is_telling(const char *name)
{
	static const char *const names[] = { "clock_gettime", GO_CLOCK, "timespec_get" };
	size_t underscores = strspn(name, "_"), len = strcspn(name + underscores, "@");

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == len && strncmp(names[i], name + underscores, len) == 0)
			return true;
	return false;
}

/* Whether a function asks, and of what. In musl these two do. */
static unsigned reads_of(const struct cg_profile *p, uint32_t function)
{
	const struct cg_function *f = &p->functions[function];
	const char *name = cg_string(p, f->name), *object = cg_string(p, f->object);

	if (strcmp(name, "time") == 0 || strcmp(name, "gettimeofday") == 0)
		return strstr(object, "musl") ? RUN_READS_CLOCK : 0;
	if (is_in_libc(p, f)) {
		const unsigned reads = reads_of_name(name);
		bool irrelevant = strcmp(name, GETRANDOM) == 0 ? !has_callers_outside(p, function)
				  : reads == RUN_READS_CLOCK   ? idle_reads_only(p, function)
							       : false;
		return irrelevant ? 0 : reads;
	}
	return is_telling(name) ? reads_of_name(name) : 0;
}

static const struct named_reads freeze_kinds[] = {
	{ "pid", RUN_READS_PID },
	{ "random", RUN_READS_RANDOM },
	{ "time", RUN_READS_CLOCK },
};

unsigned run_notes_frozen(const struct cg_profile *p)
{
	const char *freeze = cg_desc_value(p, ENVIRONMENT_PREFIX "freeze");
	const char *workspace = cg_desc_value(p, ENVIRONMENT_PREFIX "workspace");
	unsigned found = workspace && strcmp(workspace, "traced") == 0 ? RUN_READS_PID : 0;

	for (size_t i = 0; freeze && i < sizeof freeze_kinds / sizeof *freeze_kinds; i++)
		if (strstr(freeze, freeze_kinds[i].name))
			found |= freeze_kinds[i].reads;
	return found;
}

unsigned run_notes_reads(const struct cg_profile *p)
{
	unsigned shown = 0, always = run_notes_draws_from_processor(p) ? RUN_READS_RANDOM : 0;

	for (uint32_t i = 1; i < p->nfunctions; i++)
		shown |= reads_of(p, i);
	/* What the library that freezes answers does not come to the C library, but for its own
	 * use. */
	shown &= ~run_notes_frozen(p);
	for (uint32_t i = 0; i < p->ndescs; i++) {
		const char *value = value_of_note(p, i, "reads");
		if (value && strcmp(value, "random numbers") == 0)
			always |= RUN_READS_RANDOM;
	}
	return shown | always;
}

const char *run_reads_text(unsigned reads, char text[RUN_READS_TEXT])
{
	static const struct named_reads words[] = {
		{ "the clock", RUN_READS_CLOCK },
		{ "random numbers", RUN_READS_RANDOM },
		{ "its process id", RUN_READS_PID },
	};
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!(reads & words[i].reads) || used >= RUN_READS_TEXT)
			continue;
		const char *between = !used ? "" : reads >> 1 >= words[i].reads ? ", " : " and ";
		used += (size_t)snprintf(text + used, RUN_READS_TEXT - used, "%s%s", between,
					 words[i].name);
	}
	return text;
}

const char *run_reads_kinds(unsigned reads, const char *between, char text[RUN_READS_TEXT])
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < sizeof freeze_kinds / sizeof *freeze_kinds; i++)
		if ((reads & freeze_kinds[i].reads) && used < RUN_READS_TEXT)
			used += (size_t)snprintf(text + used, RUN_READS_TEXT - used, "%s%s",
						 used ? between : "", freeze_kinds[i].name);
	return text;
}
