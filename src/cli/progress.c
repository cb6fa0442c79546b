#include "src/cli/progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "src/status/countdown.h"
#include "src/text/text.h"

enum { FIRST_MS = 500, NEXT_MS = 200, MEGABYTE = 1000000 };
enum { NARROW = 20, USUAL = 80 }; /* columns */

struct shown_progress {
	struct progress progress; /* first */
	char *what;
	uint64_t expected, done; /* atomic */
	double begun, seconds; /* of the monotonic clock; it is expected to take, < 0: not known */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t ending; /* waits by the monotonic clock */
	bool ended;
	bool shown;
};

static bool is_watched(void)
{
	const char *term = getenv("TERM");
	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static unsigned progress_columns(void)
{
	struct winsize size;
	bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROW;
	return known ? size.ws_col : USUAL;
}

static double progress_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Seconds; < 0: not known. A share of the beginning says little about the end. */
static double time_left(const struct shown_progress *p, double elapsed, double share)
{
	const double least = 0.05;
	double expected = p->seconds;

	if (expected < 0 && share >= least)
		expected = elapsed / share;
	return expected < 0 ? -1 : expected - elapsed;
}

/* " 45%, 3 s, about 4 s left": the caller's; NULL: out of memory. */
static char *format_amount(const struct shown_progress *p)
{
	uint64_t expected = __atomic_load_n(&p->expected, __ATOMIC_RELAXED);
	uint64_t done = __atomic_load_n(&p->done, __ATOMIC_RELAXED);
	double share = expected && done <= expected ? (double)done / (double)expected : -1;
	double elapsed = progress_now() - p->begun;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (share >= 0)
		fprintf(to, " %.0f%%", 100 * share);
	else if (done)
		fprintf(to, " %" PRIu64 " MB", done / MEGABYTE);
	else
		fputs(" …", to);
	if (elapsed >= 1) {
		fputs(share >= 0 || done ? ", " : " ", to);
		countdown_times(to, elapsed, time_left(p, elapsed, share));
	}
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* The last column stays free: some terminals begin a new line after it. */
static void progress_show(struct shown_progress *p)
{
	char *amount = format_amount(p);
	unsigned used = amount ? (unsigned)text_width(amount) : 0, all = progress_columns() - 1;
	char *what = text_cut(p->what, all > used ? all - used : 1);

	fprintf(stderr, "\r%s%s\033[K", what ? what : "", amount ? amount : "");
	fflush(stderr);
	free(what);
	free(amount);
	p->shown = true;
}

static void show_line(const char *text)
{
	char *line;
	if (asprintf(&line, "irdiff: %s", text) < 0)
		return;
	char *cut = text_cut(line, progress_columns() - 1);
	fprintf(stderr, "\r%s\033[K", cut ? cut : "");
	fflush(stderr);
	free(cut);
	free(line);
}

static void erase_line(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
}

static struct timespec time_in(long milliseconds)
{
	enum { NS_OF_MS = 1000000, NS_OF_S = 1000000000 };
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += milliseconds * NS_OF_MS;
	t.tv_sec += t.tv_nsec / NS_OF_S;
	t.tv_nsec %= NS_OF_S;
	return t;
}

static void *progress_watch(void *context)
{
	struct shown_progress *p = context;
	struct timespec next = time_in(FIRST_MS);

	pthread_mutex_lock(&p->lock);
	while (!p->ended)
		if (pthread_cond_timedwait(&p->ending, &p->lock, &next) != 0 && !p->ended) {
			progress_show(p);
			next = time_in(NEXT_MS);
		}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Signals are for those who do the work. */
static bool progress_start_thread(struct shown_progress *p)
{
	pthread_condattr_t clock;
	sigset_t all, before;

	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&p->ending, &clock);
	pthread_condattr_destroy(&clock);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool started = pthread_create(&p->thread, NULL, progress_watch, p) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

static void release(struct shown_progress *p)
{
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->ending);
	free(p->what);
	free(p);
}

static void expect(struct progress *progress, uint64_t bytes)
{
	struct shown_progress *p = (struct shown_progress *)progress;

	__atomic_fetch_add(&p->expected, bytes, __ATOMIC_RELAXED);
}

static void progress_count(struct progress *progress, uint64_t bytes)
{
	struct shown_progress *p = (struct shown_progress *)progress;

	__atomic_fetch_add(&p->done, bytes, __ATOMIC_RELAXED);
}

static void end(struct progress *progress)
{
	struct shown_progress *p = (struct shown_progress *)progress;

	pthread_mutex_lock(&p->lock);
	p->ended = true;
	pthread_cond_signal(&p->ending);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	if (p->shown)
		erase_line();
	release(p);
}

static struct progress *progress_start(const char *what, const char *name, double seconds);

const struct progress_display progress_on_terminal = {
	is_watched, progress_start, expect, progress_count, end, show_line, erase_line,
};

static struct progress *progress_start(const char *what, const char *name, double seconds)
{
	bool named = name && *name;
	struct shown_progress *p = calloc(1, sizeof *p);

	if (!p ||
	    asprintf(&p->what, "irdiff: %s%s%s", what, named ? " " : "", named ? name : "") < 0) {
		free(p);
		return NULL;
	}
	p->progress.display = &progress_on_terminal;
	p->begun = progress_now();
	p->seconds = seconds;
	if (!progress_start_thread(p)) {
		release(p);
		return NULL;
	}
	return &p->progress;
}
