#include "callgrind/window.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/support/grow.h"

/* Large enough that taking turns costs nothing, small enough to stay in the cache. */
#define WINDOW_SIZE (128 * 1024)
/* No producer comes near this; names with their contexts reach some 100 kB. */
#define MAX_LINE (16 * 1024 * 1024)
#define MAX_SLOTS 8
#define MAX_WORKERS 3

struct window_slot {
	struct cg_window window;
	char *buffer;
	size_t cap;
	bool scanned;
	int status; /* of the scan */
};

struct cg_windows {
	/* Only of the thread that is reading. */
	struct cg_input *in;
	bool at_end;
	char *rest; /* bytes after the last window: a line that is not whole */
	size_t rest_len, rest_cap;

	pthread_mutex_t lock;      /* guards all below */
	pthread_cond_t room;       /* for another window, or no more work: workers wait for it */
	pthread_cond_t scanned;    /* the first window: the reader waits for it */
	struct scan_format format; /* for windows to come */
	size_t ahead;              /* so many windows may be in memory */
	bool reading;              /* one thread does */
	int failed;                /* reading met this error … */
	struct cg_error failure;   /* … which counts once the windows before are used up */

	/* A ring: slots first … first + count - 1 hold windows, in the file's order. */
	struct window_slot slots[MAX_SLOTS];
	size_t first, count;
	bool in_use; /* the reader works on the first */

	pthread_t workers[MAX_WORKERS];
	size_t nworkers;
	bool closing;
};

static struct window_slot *slot_at(struct cg_windows *w, size_t i)
{
	return &w->slots[(w->first + i) % MAX_SLOTS];
}

/* ---- reading ---- */

static const char *skip_blanks(const char *line, const char *end)
{
	while (line < end && (*line == ' ' || *line == '\t' || *line == '\r'))
		line++;
	return line;
}

static bool window_starts_pair(const char *line, const char *end)
{
	static const char *const words[] = { "calls=", "jump=", "jcnd=" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t len = strlen(words[i]);
		if ((size_t)(end - line) >= len && memcmp(line, words[i], len) == 0)
			return true;
	}
	return false;
}

/* Where whole lines end, and no call or jump is cut from the line after it;
 * 0: nowhere. */
static size_t window_find_cut(const char *bytes, size_t len)
{
	const char *newline = memrchr(bytes, '\n', len);
	size_t cut = newline ? (size_t)(newline + 1 - bytes) : 0;

	while (newline) {
		const char *before = memrchr(bytes, '\n', (size_t)(newline - bytes));
		const char *line = skip_blanks(before ? before + 1 : bytes, newline);
		if (window_starts_pair(line, newline))
			return before ? (size_t)(before + 1 - bytes) : 0;
		/* Nothing may come between the two lines of a call. */
		if (line < newline && *line != '#')
			break;
		newline = before;
	}
	return cut;
}

static int keep_rest(struct cg_windows *w, const char *bytes, size_t len)
{
	if (cg_grow(&w->rest, &w->rest_cap, len + 1, 1))
		return CG_ENOMEM;
	memcpy(w->rest, bytes, len);
	w->rest_len = len;
	return CG_OK;
}

static int grow_buffer(struct window_slot *s, size_t len)
{
	/* Room for a newline and for the scanner to look ahead. */
	return cg_grow(&s->buffer, &s->cap, len + 1 + SCAN_PADDING, 1);
}

/* Reads at least one more window's worth of bytes, or up to the end. */
static int read_more(struct cg_windows *w, struct window_slot *s, size_t *len, struct cg_error *err)
{
	size_t wanted = *len + WINDOW_SIZE;
	if (grow_buffer(s, wanted))
		return cg_fail_nomem(err);
	while (*len < wanted && !w->at_end) {
		size_t got;
		int status = cg_input_read(w->in, s->buffer + *len, wanted - *len, &got, err);
		if (status)
			return status;
		*len += got;
		w->at_end = got == 0;
	}
	return CG_OK;
}

static int fill_slot(struct cg_windows *w, struct window_slot *s, struct cg_error *err)
{
	size_t len = w->rest_len, cut = 0;
	if (grow_buffer(s, len))
		return cg_fail_nomem(err);
	if (len)
		memcpy(s->buffer, w->rest, len);

	while (cut == 0 && !w->at_end) {
		if (len > MAX_LINE)
			return CG_ERANGE;
		int status = read_more(w, s, &len, err);
		if (status)
			return status;
		cut = window_find_cut(s->buffer, len);
	}
	s->window.cut = w->at_end && len && s->buffer[len - 1] != '\n';
	if (w->at_end) {
		if (s->window.cut)
			s->buffer[len++] = '\n';
		cut = len;
	}
	if (keep_rest(w, s->buffer + cut, len - cut))
		return cg_fail_nomem(err);
	memset(s->buffer + cut, '\n', SCAN_PADDING);
	s->window.bytes = s->buffer;
	s->window.len = cut;
	return CG_OK;
}

/* ---- sharing the work; the lock is held ---- */

static bool has_more(const struct cg_windows *w)
{
	return !w->failed && (!w->at_end || w->rest_len > 0);
}

/* Reads one window after the other, each by whoever is free; the thread that has
 * read one scans it too, in the cache and without waking another. */
static bool read_and_scan(struct cg_windows *w)
{
	if (w->reading || w->count >= w->ahead || !has_more(w))
		return false;

	struct window_slot *s = slot_at(w, w->count);
	struct cg_error failure = { 0 };
	s->window.format = w->format;
	w->reading = true;
	pthread_mutex_unlock(&w->lock);
	int status = fill_slot(w, s, &failure);
	pthread_mutex_lock(&w->lock);
	w->reading = false;
	if (status) {
		w->failed = status;
		w->failure = failure;
	}
	bool is_window = !status && s->window.len > 0;
	w->count += is_window;
	/* Others wait while one reads. */
	pthread_cond_signal(&w->scanned);
	if (!is_window)
		return true;
	pthread_cond_signal(&w->room);

	pthread_mutex_unlock(&w->lock);
	status = cg_scan_window(&s->window.scan, &s->window.format, s->window.bytes, s->window.len,
				SIZE_MAX);
	pthread_mutex_lock(&w->lock);
	s->status = status;
	s->scanned = true;
	if (s == slot_at(w, 0))
		pthread_cond_signal(&w->scanned);
	return true;
}

static void *window_work(void *context)
{
	struct cg_windows *w = context;

	pthread_mutex_lock(&w->lock);
	while (!w->closing)
		if (!read_and_scan(w))
			pthread_cond_wait(&w->room, &w->lock);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Without threads the reader's own does all the work. */
static void start_workers(struct cg_windows *w)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	while (w->nworkers < MAX_WORKERS && (long)w->nworkers + 1 < processors &&
	       pthread_create(&w->workers[w->nworkers], NULL, window_work, w) == 0)
		w->nworkers++;
	w->ahead = w->nworkers ? MAX_SLOTS : 1;
}

static void drop_first(struct cg_windows *w)
{
	slot_at(w, 0)->scanned = false;
	w->first = (w->first + 1) % MAX_SLOTS;
	w->count--;
	w->in_use = false;
	/* Waking a thread takes as long as reading much of a window, but must not come too late. */
	if (w->count + 2 <= w->ahead)
		pthread_cond_broadcast(&w->room);
}

/* The first window as soon as it is scanned; NULL if the input is empty. */
static struct window_slot *wait_for_first(struct cg_windows *w)
{
	struct window_slot *first = slot_at(w, 0);
	while (w->count == 0 || !first->scanned) {
		if (w->count == 0 && !w->reading && !has_more(w))
			return NULL;
		if (!read_and_scan(w))
			pthread_cond_wait(&w->scanned, &w->lock);
	}
	return first;
}

int cg_windows_next(struct cg_windows *w, const struct scan_format *format,
		    struct cg_window **window, struct cg_error *err)
{
	pthread_mutex_lock(&w->lock);
	bool again = w->in_use;
	if (w->in_use)
		drop_first(w);
	w->format = *format;
	/* Threads only for files that are worth it, and once it is known how to scan. */
	if (again && !w->nworkers && format->ncolumns && has_more(w))
		start_workers(w);
	struct window_slot *first = wait_for_first(w);
	int status = first ? first->status : w->failed;
	w->in_use = first != NULL;
	pthread_mutex_unlock(&w->lock);

	*window = first ? &first->window : NULL;
	if (first && status)
		return cg_fail_nomem(err);
	if (status && status != CG_ERANGE && err)
		*err = w->failure;
	return status;
}

int cg_window_rescan(struct cg_window *window, size_t from, const struct scan_format *format,
		     size_t max_steps)
{
	window->format = *format;
	return cg_scan_window(&window->scan, format, window->bytes + from, window->len - from,
			      max_steps);
}

int cg_windows_open(struct cg_windows **out, struct cg_input *in)
{
	struct cg_windows *w = calloc(1, sizeof *w);
	if (!w)
		return CG_ENOMEM;
	w->in = in;
	w->ahead = 1;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->room, NULL);
	pthread_cond_init(&w->scanned, NULL);
	*out = w;
	return CG_OK;
}

void cg_windows_close(struct cg_windows *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->closing = true;
	pthread_cond_broadcast(&w->room);
	pthread_mutex_unlock(&w->lock);
	for (size_t i = 0; i < w->nworkers; i++)
		pthread_join(w->workers[i], NULL);

	for (size_t i = 0; i < MAX_SLOTS; i++) {
		cg_scan_free(&w->slots[i].window.scan);
		free(w->slots[i].buffer);
	}
	pthread_cond_destroy(&w->room);
	pthread_cond_destroy(&w->scanned);
	pthread_mutex_destroy(&w->lock);
	free(w->rest);
	free(w);
}
