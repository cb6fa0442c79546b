/*
 * Files of the cache of inlined functions: one that is damaged is as if it were not there, and one
 * that is sound loses nothing when more is added.
 *
 * The input is what the file has after its head: how many addresses, frames, places where code
 * begins and bytes of text there are, as one byte each, then these. Its head is made to fit; of an
 * input that begins with 0xff the rest is the whole file.
 */
#include <sys/stat.h>

#include "callgrind/inlines_cache.h"
#include "callgrind/inlines_frames.h"
#include "callgrind/support/index.h"
#include "tests/fuzz/sections.h"

#define BUILD_ID "0123abcd"
#define FILE_NAME "frames/" BUILD_ID ".frames"

enum { MOST_ADDRESSES = 256, COUNTS = 4 };

/* As in callgrind/inlines_cache.c. */
struct head {
	char name[12];
	uint32_t version, naddresses, nframes, nstarts, ntexts, hash, unused;
	uint64_t size, seconds, nanoseconds;
};

/* ---- what is asked of it ---- */

struct question {
	struct cg_inlines in;
	struct cg_inlines_object object;
};

static void begin(struct question *q, const uint64_t *addresses, uint32_t count)
{
	static const struct cg_frame unknown;
	const char *path = scratch_path("object");
	uint32_t none;

	*q = (struct question){ .object.count = count };
	q->in.addresses = calloc(count + 1u, sizeof *q->in.addresses);
	q->in.frame = calloc(count + 1u, sizeof *q->in.frame);
	LAW(q->in.addresses && q->in.frame && !cg_strings_init(&q->in.strings) &&
		    !cg_inlines_add_frame(&q->in, &unknown, &none) &&
		    !cg_strings_add(&q->in.strings, BUILD_ID, strlen(BUILD_ID),
				    &q->object.build_id) &&
		    !cg_strings_add(&q->in.strings, path, strlen(path), &q->object.path),
	    "out of memory");
	memcpy(q->in.addresses, addresses, count * sizeof *addresses);
	q->in.naddresses = count;
}

static void end(struct question *q)
{
	cg_strings_free(&q->in.strings);
	free(q->in.frames);
	free(q->in.starts);
	free(q->in.addresses);
	free(q->in.frame);
}

/* Frames are in the order in which what is around one comes first. */
static bool recall(struct question *q)
{
	bool known = false;

	LAW(!cg_inlines_recall(scratch_path("frames"), &q->in, &q->object, &known),
	    "out of memory");
	for (uint32_t i = 1; i < q->in.nframes; i++) {
		const struct cg_frame *f = &q->in.frames[i];
		LAW(f->parent < i && f->name < q->in.strings.count && f->file < q->in.strings.count,
		    "frame %" PRIu32 " of %" PRIu32, i, q->in.nframes);
	}
	for (uint32_t i = 0; i < q->in.naddresses; i++)
		LAW(q->in.frame[i] < q->in.nframes, "address %" PRIu32 " is in a frame", i);
	LAW(known || q->in.nframes == 1, "what is not known leaves frames");
	return known;
}

static bool same_starts(const struct question *a, const struct cg_frame *f,
			const struct question *b, const struct cg_frame *g)
{
	return f->nstarts == g->nstarts &&
	       (f->nstarts == 0 ||
		memcmp(a->in.starts + f->first_start, b->in.starts + g->first_start,
		       f->nstarts * sizeof *a->in.starts) == 0);
}

static bool same_text(const struct question *a, cg_str one, const struct question *b, cg_str other)
{
	return strcmp(cg_strings_get(&a->in.strings, one), cg_strings_get(&b->in.strings, other)) ==
	       0;
}

static bool same_frame(const struct question *a, uint32_t one, const struct question *b,
		       uint32_t other)
{
	for (; one && other; one = a->in.frames[one].parent, other = b->in.frames[other].parent) {
		const struct cg_frame *f = &a->in.frames[one], *g = &b->in.frames[other];
		if (f->line != g->line || f->call_line != g->call_line || f->entry != g->entry ||
		    !same_starts(a, f, b, g) || !same_text(a, f->name, b, g->name) ||
		    !same_text(a, f->file, b, g->file) ||
		    !same_text(a, f->call_file, b, g->call_file))
			return false;
	}
	return one == other;
}

/* ---- a file ---- */

static void remember(const uint64_t *addresses, uint32_t count)
{
	struct question q;
	const struct cg_frame frame = { .line = 3, .entry = UINT64_MAX };
	uint32_t made = 0;

	begin(&q, addresses, count);
	LAW(!cg_inlines_add_frame(&q.in, &frame, &made), "out of memory");
	for (uint32_t i = 0; i < count; i++)
		q.in.frame[i] = made;
	cg_inlines_remember(scratch_path("frames"), &q.in, &q.object, made);
	end(&q);
}

/* Of the format, as a file has it that was just made. */
static uint32_t version(void)
{
	static struct head head;
	const uint64_t any = 1;
	size_t size;

	if (head.version)
		return head.version;
	remember(&any, 1);
	char *file = scratch_read(FILE_NAME, &size);
	LAW(file && size > sizeof head && memcmp(file, "irdiff-frame", sizeof head.name) == 0,
	    "frames are kept");
	memcpy(&head, file, sizeof head);
	free(file);
	return head.version;
}

static void write_file(const uint8_t *data, size_t size)
{
	struct stat st;
	struct head head = { .version = version(),
			     .naddresses = data[0],
			     .nframes = data[1],
			     .nstarts = data[2],
			     .ntexts = data[3] };
	char *file = malloc(sizeof head + size);

	LAW(file && stat(scratch_path("object"), &st) == 0, "there is an object");
	memcpy(head.name, "irdiff-frame", sizeof head.name);
	head.size = (uint64_t)st.st_size;
	head.seconds = (uint64_t)st.st_mtim.tv_sec;
	head.nanoseconds = (uint64_t)st.st_mtim.tv_nsec;
	head.hash = cg_checksum((const char *)data + COUNTS, size - COUNTS);
	memcpy(file, &head, sizeof head);
	memcpy(file + sizeof head, data + COUNTS, size - COUNTS);
	scratch_write(FILE_NAME, file, sizeof head + size - COUNTS);
	free(file);
}

/* ---- laws ---- */

/* Another address comes in; those that were known are in the frames that they were in. */
static void check_added(const uint64_t *addresses, uint32_t count)
{
	struct question before, now, added;
	const uint64_t new = 77;

	begin(&before, addresses, count);
	bool known = recall(&before);
	remember(&new, 1);
	begin(&added, &new, 1);
	LAW(recall(&added), "what was added is known");
	begin(&now, addresses, count);
	bool still = recall(&now);
	LAW(still || !known, "an address is forgotten");
	for (uint32_t i = 0; known && i < count; i++)
		LAW(same_frame(&before, before.in.frame[i], &now, now.in.frame[i]),
		    "address %" PRIu64 " is in another frame", addresses[i]);
	end(&before);
	end(&now);
	end(&added);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t addresses[MOST_ADDRESSES];
	uint32_t count = 0;

	if (size < COUNTS)
		return 0;
	scratch_clear();
	scratch_write("object", "x", 1);
	if (data[0] == 0xff)
		scratch_write(FILE_NAME, data + 1, size - 1);
	else
		write_file(data, size);
	for (size_t i = 0; i < data[0] && COUNTS + 8 * (i + 1) <= size; i++) {
		memcpy(&addresses[count], data + COUNTS + 8 * i, sizeof *addresses);
		if (!count || addresses[count] > addresses[count - 1])
			count++;
	}
	check_added(addresses, count);
	return 0;
}
