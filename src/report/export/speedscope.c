#include <inttypes.h>
#include <stdlib.h>

#include "src/json/json.h"
#include "src/report/export/export.h"
#include "src/view/flat.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

/* Written as it goes: a large tree has millions of events. */
struct speedscope_writer {
	const struct export *x;
	FILE *to;
	uint32_t *frame; /* per function: its frame and 1; 0: none. Of 0: [outside] */
	uint32_t nframes;
	bool failed; /* out of memory */
};

static void write_speedscope_text(struct speedscope_writer *w, const char *key, const char *text)
{
	fprintf(w->to, "\"%s\":", key);
	w->failed |= json_write_text(text, w->to) == CG_ENOMEM;
}

static void write_frame(struct speedscope_writer *w, uint32_t function)
{
	const struct cg_profile *p = w->x->tree->profile;
	const struct cg_function *f = &p->functions[function];

	fputs(w->nframes ? ",\n{" : "\n{", w->to);
	write_speedscope_text(w, "name", function ? view_function(p, function) : CG_TREE_OUTSIDE);
	if (function && f->file) {
		fputc(',', w->to);
		write_speedscope_text(w, "file", cg_string(p, f->file));
	}
	if (function && w->x->first_line[function])
		fprintf(w->to, ",\"line\":%" PRIu32, w->x->first_line[function]);
	fputc('}', w->to);
	w->frame[function] = ++w->nframes;
}

static void write_frames(struct speedscope_writer *w)
{
	const struct cg_tree *t = w->x->tree;

	fputs("\"shared\":{\"frames\":[", w->to);
	for (uint32_t i = 1; i < t->count; i++)
		if (!w->frame[t->nodes[i].function])
			write_frame(w, t->nodes[i].function);
	fputs("]},\n", w->to);
}

static void write_event(struct speedscope_writer *w, char type, uint32_t node, int64_t at,
			bool first)
{
	uint32_t frame = w->frame[w->x->tree->nodes[node].function] - 1;
	fprintf(w->to, "%s{\"type\":\"%c\",\"frame\":%" PRIu32 ",\"at\":%" PRId64 "}",
		first ? "\n" : ",\n", type, frame, at);
}

/* Closes what does not hold the node; returns what is left open. */
static uint32_t close_until(struct speedscope_writer *w, uint32_t open, uint32_t node, int64_t at)
{
	const struct cg_tree *t = w->x->tree;
	for (; open && t->nodes[open].end <= node; open = t->nodes[open].parent)
		write_event(w, 'C', open, at, false);
	return open;
}

static void write_events(struct speedscope_writer *w, uint32_t event)
{
	const struct cg_tree *t = w->x->tree;
	uint32_t n = t->profile->nevents, open = 0;
	int64_t at = 0;
	bool first = true;

	for (uint32_t i = 1; i < t->count;) {
		open = close_until(w, open, i, at);
		/* Without costs it is nothing to be seen, nor is what is below it. */
		if (t->inclusive[(size_t)i * n + event] == 0) {
			i = t->nodes[i].end;
			continue;
		}
		write_event(w, 'O', i, at, first);
		first = false;
		at += t->self[(size_t)i * n + event];
		open = i++;
	}
	close_until(w, open, t->count, at);
}

static void write_speedscope_profile(struct speedscope_writer *w, uint32_t event, bool first)
{
	const struct cg_profile *p = w->x->tree->profile;
	uint64_t samples;

	fputs(first ? "\n{\"type\":\"evented\"," : ",\n{\"type\":\"evented\",", w->to);
	write_speedscope_text(w, "name", cg_string(p, p->events[event].name));
	if (cg_samples_behind(p, cg_string(p, p->events[event].name), &samples))
		fprintf(w->to, ",\"irdiffSamples\":%" PRIu64, samples);
	fprintf(w->to, ",\"unit\":\"none\",\"startValue\":0,\"endValue\":%" PRId64 ",\"events\":[",
		w->x->tree->inclusive[event]);
	write_events(w, event);
	fputs("]}", w->to);
}

static int check_speedscope_costs(const struct export *x, uint32_t event, struct cg_error *err)
{
	const struct cg_profile *p = x->tree->profile;

	for (uint32_t i = 0; i < x->tree->count; i++) {
		int64_t cost = x->tree->self[(size_t)i * p->nevents + event];
		if (cost < 0)
			return cg_fail(
				err, CG_EINVAL, NULL, 0,
				"speedscope cannot show negative costs, and a path costs %" PRId64
				" %s: choose other events",
				cost, cg_string(p, p->events[event].name));
	}
	return CG_OK;
}

/* The tree is in the order of its own event; that is shown first. */
static size_t active_profile(const struct export *x)
{
	for (size_t i = 0; i < x->nevents; i++)
		if (x->events[i] == x->tree->event)
			return i;
	return 0;
}

static void write_speedscope_file(struct speedscope_writer *w)
{
	fputs("{\"$schema\":\"" SCHEMA "\",\n", w->to);
	write_speedscope_text(w, "name", w->x->name);
	fputc(',', w->to);
	write_speedscope_text(w, "exporter", w->x->creator);
	fprintf(w->to, ",\"activeProfileIndex\":%zu,\n", active_profile(w->x));
	write_frames(w);
	fputs("\"profiles\":[", w->to);
	for (size_t i = 0; i < w->x->nevents; i++)
		write_speedscope_profile(w, w->x->events[i], i == 0);
	fputs("]}\n", w->to);
}

int export_speedscope(const struct export *x, FILE *to, struct cg_error *err)
{
	struct speedscope_writer w = { .x = x, .to = to };
	int status = CG_OK;

	for (size_t i = 0; !status && i < x->nevents; i++)
		status = check_speedscope_costs(x, x->events[i], err);
	if (status)
		return status;
	w.frame = calloc((size_t)x->tree->profile->nfunctions + 1, sizeof *w.frame);
	w.failed = !w.frame;
	if (!w.failed)
		write_speedscope_file(&w);
	free(w.frame);
	return w.failed ? cg_fail_nomem(err) : CG_OK;
}
