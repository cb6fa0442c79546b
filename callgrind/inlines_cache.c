#include "callgrind/inlines_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "callgrind/inlines_frames.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"

#define FORMAT 8               /* to be raised when frames are made or named in another way */
#define MOST_BYTES (64u << 20) /* of a file */
#define MOST_FILES 256
#define MOST_BYTES_OF_ALL (256u << 20)
#define SUFFIX ".frames"

struct head {
	char name[12];
	uint32_t version;
	uint32_t naddresses, nframes, nstarts, ntexts;
	uint32_t hash; /* of what follows */
	uint32_t unused;
	uint64_t size, seconds, nanoseconds; /* of the object: a build-id may be given by hand */
};

_Static_assert(sizeof(struct head) % sizeof(uint64_t) == 0, "what follows is aligned");

static const char head_name[] = "irdiff-frame"; /* without its end */

/* A frame; texts by where they begin. */
struct row {
	uint64_t entry;
	uint32_t parent, name, file, line;
	uint32_t call_file, call_line;
	uint32_t first_start, nstarts;
};

/* What a file holds, or is to hold. */
struct inlines_cache_table {
	char *bytes; /* of the file that the arrays are in; NULL: they are on their own */
	uint64_t *addresses;
	uint32_t *frame;
	struct row *rows; /* 0 is nothing */
	uint64_t *starts;
	char *texts;
	uint32_t naddresses, nframes, nstarts, ntexts;
};

static void free_table(struct inlines_cache_table *t)
{
	if (!t->bytes) {
		free(t->addresses);
		free(t->frame);
		free(t->rows);
		free(t->starts);
		free(t->texts);
	}
	free(t->bytes);
}

/* Where the frames of an object are. */
struct inlines_cache_place {
	int directory; /* -1: nowhere */
	char name[NAME_MAX + 1];
	struct stat object;
};

/* A link in place of the directory could lead to files of the user. */
static bool inlines_cache_find_place(const char *directory, const struct cg_inlines *in,
				     const struct cg_inlines_object *object,
				     struct inlines_cache_place *place)
{
	int length = snprintf(place->name, sizeof place->name, "%s" SUFFIX,
			      cg_strings_get(&in->strings, object->build_id));

	place->directory = -1;
	if (object->build_id && length > 0 && (size_t)length < sizeof place->name &&
	    stat(cg_strings_get(&in->strings, object->path), &place->object) == 0)
		place->directory = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return place->directory >= 0;
}

static void set_stamp(struct head *head, const struct inlines_cache_place *place)
{
	head->size = (uint64_t)place->object.st_size;
	head->seconds = (uint64_t)place->object.st_mtim.tv_sec;
	head->nanoseconds = (uint64_t)place->object.st_mtim.tv_nsec;
}

/* ---- reading ---- */

static size_t body_size(const struct head *head)
{
	return head->naddresses * (sizeof(uint64_t) + sizeof(uint32_t)) +
	       head->nframes * sizeof(struct row) + head->nstarts * sizeof(uint64_t) + head->ntexts;
}

static char *read_bytes(const struct inlines_cache_place *place, size_t *size)
{
	struct stat st;
	char *bytes = NULL;
	int fd = openat(place->directory, place->name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return NULL;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MOST_BYTES) {
		*size = (size_t)st.st_size;
		bytes = malloc(*size + 1);
	}
	if (bytes && read(fd, bytes, *size) != (ssize_t)*size) {
		free(bytes);
		bytes = NULL;
	}
	if (bytes)
		futimens(fd, NULL); /* what is used is kept */
	close(fd);
	return bytes;
}

static bool is_sound(const struct inlines_cache_table *t)
{
	bool sound = t->nframes > 0 && t->ntexts > 0 && t->texts[t->ntexts - 1] == '\0';
	uint32_t starts = 0;

	for (uint32_t i = 0; sound && i < t->naddresses; i++)
		sound = t->frame[i] < t->nframes &&
			(i == 0 || t->addresses[i - 1] < t->addresses[i]);
	for (uint32_t i = 1; sound && i < t->nframes; i++) {
		const struct row *row = &t->rows[i];
		sound = row->parent < i && row->name < t->ntexts && row->file < t->ntexts &&
			row->call_file < t->ntexts && row->entry > t->rows[i - 1].entry &&
			row->first_start == starts && row->nstarts <= t->nstarts - starts;
		starts += row->nstarts;
	}
	return sound;
}

static bool inlines_cache_is_whole(const struct head *head, const struct inlines_cache_place *place,
				   const char *body, size_t size)
{
	struct head wanted = *head;

	memcpy(wanted.name, head_name, sizeof wanted.name);
	wanted.version = FORMAT;
	wanted.unused = 0;
	set_stamp(&wanted, place);
	return memcmp(&wanted, head, sizeof wanted) == 0 && size == body_size(head) &&
	       cg_checksum(body, size) == head->hash;
}

/* Whether there is a file that can be trusted; otherwise *t is untouched. */
static bool inlines_cache_load(const struct inlines_cache_place *place,
			       struct inlines_cache_table *t)
{
	struct inlines_cache_table found;
	struct head head;
	size_t size = 0;
	char *bytes = read_bytes(place, &size);
	if (!bytes)
		return false;

	if (size >= sizeof head)
		memcpy(&head, bytes, sizeof head);
	bool whole = size >= sizeof head &&
		     inlines_cache_is_whole(&head, place, bytes + sizeof head, size - sizeof head);
	if (whole) {
		found = (struct inlines_cache_table){ .bytes = bytes,
						      .naddresses = head.naddresses,
						      .nframes = head.nframes,
						      .nstarts = head.nstarts,
						      .ntexts = head.ntexts };
		found.addresses = (uint64_t *)(void *)(bytes + sizeof head);
		found.rows = (struct row *)(void *)(found.addresses + found.naddresses);
		found.starts = (uint64_t *)(void *)(found.rows + found.nframes);
		found.frame = (uint32_t *)(void *)(found.starts + found.nstarts);
		found.texts = (char *)(found.frame + found.naddresses);
		whole = is_sound(&found);
	}
	if (whole)
		*t = found;
	else
		free(bytes);
	return whole;
}

/* ---- recalling ---- */

static int inlines_cache_add_text(struct cg_inlines *in, const struct inlines_cache_table *t,
				  uint32_t at, cg_str *id)
{
	const char *text = t->texts + at;

	*id = 0;
	return *text ? cg_strings_add(&in->strings, text, strlen(text), id) : CG_OK;
}

/* Where each of the object's addresses is in the table; false if one is not. */
static bool inlines_cache_find_all(const struct cg_inlines *in,
				   const struct cg_inlines_object *object,
				   const struct inlines_cache_table *t, uint32_t *places)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < object->count; i++) {
		uint64_t address = in->addresses[object->first + i];
		while (at < t->naddresses && t->addresses[at] < address)
			at++;
		if (at == t->naddresses || t->addresses[at] != address)
			return false;
		places[i] = at;
	}
	return true;
}

/* The frames of these places and those around them, in the order that they were found in;
 * number[] becomes that of each in `in`. */
static int add_frames(struct cg_inlines *in, const struct inlines_cache_table *t,
		      const uint32_t *places, uint32_t count, uint32_t *number)
{
	int status = CG_OK;

	for (uint32_t i = 0; i < count; i++)
		number[t->frame[places[i]]] = 1;
	for (uint32_t i = t->nframes - 1; i > 0; i--)
		if (number[i])
			number[t->rows[i].parent] = 1;
	number[0] = 0;
	for (uint32_t i = 1; !status && i < t->nframes; i++) {
		const struct row *row = &t->rows[i];
		struct cg_frame frame = { .parent = number[row->parent],
					  .line = row->line,
					  .call_line = row->call_line,
					  .entry = row->entry };
		if (!number[i])
			continue;
		status = inlines_cache_add_text(in, t, row->name, &frame.name);
		if (!status)
			status = inlines_cache_add_text(in, t, row->file, &frame.file);
		if (!status)
			status = inlines_cache_add_text(in, t, row->call_file, &frame.call_file);
		if (!status)
			status = cg_inlines_add_starts(in, &frame, t->starts + row->first_start,
						       row->nstarts);
		if (!status)
			status = cg_inlines_add_frame(in, &frame, &number[i]);
	}
	return status;
}

static int recall(struct cg_inlines *in, const struct cg_inlines_object *object,
		  const struct inlines_cache_table *t, bool *known)
{
	uint32_t *places = calloc(object->count + 1u, sizeof *places);
	uint32_t *number = calloc(t->nframes, sizeof *number);
	int status = places && number ? CG_OK : CG_ENOMEM;

	*known = !status && inlines_cache_find_all(in, object, t, places);
	if (*known)
		status = add_frames(in, t, places, object->count, number);
	for (uint32_t i = 0; !status && *known && i < object->count; i++)
		in->frame[object->first + i] = number[t->frame[places[i]]];
	free(places);
	free(number);
	return status;
}

int cg_inlines_recall(const char *directory, struct cg_inlines *in,
		      const struct cg_inlines_object *object, bool *known)
{
	struct inlines_cache_table t;
	struct inlines_cache_place place;
	int status = CG_OK;

	*known = false;
	if (!inlines_cache_find_place(directory, in, object, &place))
		return CG_OK;
	if (inlines_cache_load(&place, &t)) {
		status = recall(in, object, &t, known);
		free_table(&t);
	}
	close(place.directory);
	return status;
}

/* ---- remembering ---- */

/* Two tables becoming one. */
struct inlines_cache_merging {
	const struct inlines_cache_table *from[2];
	uint32_t *number[2]; /* of their frames in the new one */
	struct cg_strings texts;
	struct inlines_cache_table into;
};

static uint32_t inlines_cache_take_text(struct inlines_cache_merging *m,
					const struct inlines_cache_table *t, uint32_t at,
					int *status)
{
	cg_str id = 0;

	if (!*status)
		*status = cg_strings_add(&m->texts, t->texts + at, strlen(t->texts + at), &id);
	return (uint32_t)m->texts.offset[id];
}

static void inlines_cache_take_starts(struct inlines_cache_merging *m,
				      const struct inlines_cache_table *t, struct row *row)
{
	if (row->nstarts)
		memcpy(m->into.starts + m->into.nstarts, t->starts + row->first_start,
		       row->nstarts * sizeof *t->starts);
	row->first_start = m->into.nstarts;
	m->into.nstarts += row->nstarts;
}

/* By place in the debug information, so that what is around comes first. */
static int merge_frames(struct inlines_cache_merging *m)
{
	uint32_t at[2] = { 1, 1 };
	int status = CG_OK;

	m->into.nframes = 1;
	while (!status && (at[0] < m->from[0]->nframes || at[1] < m->from[1]->nframes)) {
		const struct row *next[2];
		for (int i = 0; i < 2; i++)
			next[i] = at[i] < m->from[i]->nframes ? &m->from[i]->rows[at[i]] : NULL;
		int one = !next[0] || (next[1] && next[1]->entry < next[0]->entry);
		bool both = next[0] && next[1] && next[0]->entry == next[1]->entry;
		struct row row = *next[one];
		row.parent = m->number[one][row.parent];
		row.name = inlines_cache_take_text(m, m->from[one], row.name, &status);
		row.file = inlines_cache_take_text(m, m->from[one], row.file, &status);
		row.call_file = inlines_cache_take_text(m, m->from[one], row.call_file, &status);
		inlines_cache_take_starts(m, m->from[one], &row);
		for (int i = 0; i < 2; i++)
			if (both || i == one)
				m->number[i][at[i]++] = m->into.nframes;
		m->into.rows[m->into.nframes++] = row;
	}
	return status;
}

/* By index: any number may be an address, so none can mark the end. */
static void merge_addresses(struct inlines_cache_merging *m)
{
	uint32_t at[2] = { 0, 0 };

	while (at[0] < m->from[0]->naddresses || at[1] < m->from[1]->naddresses) {
		const uint64_t *next[2];
		for (int i = 0; i < 2; i++)
			next[i] = at[i] < m->from[i]->naddresses ? &m->from[i]->addresses[at[i]]
								 : NULL;
		int one = !next[0] || (next[1] && *next[1] < *next[0]);
		bool both = next[0] && next[1] && *next[0] == *next[1];
		m->into.addresses[m->into.naddresses] = *next[one];
		m->into.frame[m->into.naddresses++] = m->number[one][m->from[one]->frame[at[one]]];
		for (int i = 0; i < 2; i++)
			if (both || i == one)
				at[i]++;
	}
}

static int merge(const struct inlines_cache_table *old, const struct inlines_cache_table *new,
		 struct inlines_cache_table *out)
{
	struct inlines_cache_merging m = { .from = { old, new } };
	size_t naddresses = (size_t)old->naddresses + new->naddresses;
	size_t nframes = (size_t)old->nframes + new->nframes;
	size_t nstarts = (size_t)old->nstarts + new->nstarts;
	int status = cg_strings_init(&m.texts);

	m.number[0] = calloc(old->nframes + 1u, sizeof *m.number[0]);
	m.number[1] = calloc(new->nframes + 1u, sizeof *m.number[1]);
	m.into.addresses = calloc(naddresses + 1, sizeof *m.into.addresses);
	m.into.frame = calloc(naddresses + 1, sizeof *m.into.frame);
	m.into.rows = calloc(nframes + 1, sizeof *m.into.rows);
	m.into.starts = calloc(nstarts + 1, sizeof *m.into.starts);
	if (!m.number[0] || !m.number[1] || !m.into.addresses || !m.into.frame || !m.into.rows ||
	    !m.into.starts || naddresses + nframes + nstarts > MOST_BYTES / sizeof(struct row))
		status = CG_ENOMEM;
	if (!status)
		status = merge_frames(&m);
	if (!status) {
		merge_addresses(&m);
		m.into.texts = m.texts.bytes;
		m.into.ntexts = (uint32_t)m.texts.nbytes;
		m.texts.bytes = NULL;
	}
	cg_strings_free(&m.texts);
	free(m.number[0]);
	free(m.number[1]);
	if (status)
		free_table(&m.into);
	else
		*out = m.into;
	return status;
}

/* The object's frames as a table that borrows addresses and texts. */
static bool inlines_cache_describe(const struct cg_inlines *in,
				   const struct cg_inlines_object *object, uint32_t first,
				   struct inlines_cache_table *t)
{
	*t = (struct inlines_cache_table){ .addresses = in->addresses + object->first,
					   .starts = in->starts,
					   .nstarts = in->nstarts,
					   .texts = in->strings.bytes,
					   .naddresses = object->count,
					   .nframes = in->nframes - first + 1 };
	t->rows = calloc(t->nframes, sizeof *t->rows);
	t->frame = calloc(object->count + 1u, sizeof *t->frame);
	bool ok = t->rows && t->frame && in->strings.nbytes <= UINT32_MAX;

	for (uint32_t i = 1; ok && i < t->nframes; i++) {
		const struct cg_frame *f = &in->frames[first + i - 1];
		t->rows[i] = (struct row){ .entry = f->entry,
					   .parent = f->parent ? f->parent - first + 1 : 0,
					   .name = (uint32_t)in->strings.offset[f->name],
					   .file = (uint32_t)in->strings.offset[f->file],
					   .line = f->line,
					   .call_file = (uint32_t)in->strings.offset[f->call_file],
					   .call_line = f->call_line,
					   .first_start = f->first_start,
					   .nstarts = f->nstarts };
		/* Frames that are not in the order of their places cannot be kept. */
		ok = f->entry > t->rows[i - 1].entry;
	}
	for (uint32_t i = 0; ok && i < object->count; i++) {
		uint32_t frame = in->frame[object->first + i];
		t->frame[i] = frame ? frame - first + 1 : 0;
	}
	if (!ok) {
		free(t->rows);
		free(t->frame);
	}
	return ok;
}

static bool inlines_cache_write_all(int fd, const void *bytes, size_t size)
{
	return write(fd, bytes, size) == (ssize_t)size;
}

/* As one block, which is what the hash is of. */
static char *inlines_cache_body_of(const struct inlines_cache_table *t, size_t size)
{
	char *body = malloc(size), *to = body;
	const struct {
		const void *bytes;
		size_t size;
	} parts[] = {
		{ t->addresses, t->naddresses * sizeof *t->addresses },
		{ t->rows, t->nframes * sizeof *t->rows },
		{ t->starts, t->nstarts * sizeof *t->starts },
		{ t->frame, t->naddresses * sizeof *t->frame },
		{ t->texts, t->ntexts },
	};

	for (size_t i = 0; body && i < sizeof parts / sizeof *parts; i++) {
		if (parts[i].size)
			memcpy(to, parts[i].bytes, parts[i].size);
		to += parts[i].size;
	}
	return body;
}

/* Written next to its place first, under a name that no other process uses. */
static void store(const struct inlines_cache_place *place, const struct inlines_cache_table *t)
{
	struct head head = { .version = FORMAT,
			     .naddresses = t->naddresses,
			     .nframes = t->nframes,
			     .nstarts = t->nstarts,
			     .ntexts = t->ntexts };
	size_t size = body_size(&head);
	char *body = size <= MOST_BYTES ? inlines_cache_body_of(t, size) : NULL;
	char temporary[sizeof place->name + 24];

	if (!body)
		return;
	snprintf(temporary, sizeof temporary, "%s.%ld", place->name, (long)getpid());
	memcpy(head.name, head_name, sizeof head.name);
	set_stamp(&head, place);
	head.hash = cg_checksum(body, size);
	unlinkat(place->directory, temporary, 0);
	int fd = openat(place->directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool written = fd >= 0 && inlines_cache_write_all(fd, &head, sizeof head) &&
		       inlines_cache_write_all(fd, body, size);
	if (fd >= 0 && (close(fd) != 0 || !written ||
			renameat(place->directory, temporary, place->directory, place->name) != 0))
		unlinkat(place->directory, temporary, 0);
	free(body);
}

/* Of all files of the cache the one that was not used for the longest time, and how many there
 * are. */
struct oldest {
	char name[NAME_MAX + 1];
	struct timespec when;
	size_t files;
	uint64_t bytes;
};

static bool is_older(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static void find_oldest(DIR *directory, struct oldest *o)
{
	*o = (struct oldest){ 0 };
	rewinddir(directory);
	for (struct dirent *e; (e = readdir(directory));) {
		struct stat st;
		if (!strstr(e->d_name, SUFFIX) ||
		    fstatat(dirfd(directory), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		o->bytes += (uint64_t)st.st_size;
		if (o->files++ && !is_older(&st.st_mtim, &o->when))
			continue;
		o->when = st.st_mtim;
		snprintf(o->name, sizeof o->name, "%s", e->d_name);
	}
}

/* Closes it. */
static void inlines_cache_prune(int fd)
{
	struct oldest o;
	DIR *directory = fdopendir(fd);

	if (!directory) {
		close(fd);
		return;
	}
	for (find_oldest(directory, &o); o.files > MOST_FILES || o.bytes > MOST_BYTES_OF_ALL;
	     find_oldest(directory, &o))
		if (unlinkat(fd, o.name, 0) != 0)
			break;
	closedir(directory);
}

void cg_inlines_remember(const char *directory, const struct cg_inlines *in,
			 const struct cg_inlines_object *object, uint32_t first)
{
	struct row no_row = { 0 };
	struct inlines_cache_table old = { .rows = &no_row, .nframes = 1 }, new, both;
	struct inlines_cache_place place;

	if ((mkdir(directory, 0777) != 0 && errno != EEXIST) ||
	    !inlines_cache_find_place(directory, in, object, &place))
		return;
	bool loaded = inlines_cache_load(&place, &old);
	if (inlines_cache_describe(in, object, first, &new)) {
		if (merge(&old, &new, &both) == CG_OK) {
			store(&place, &both);
			free_table(&both);
		}
		free(new.rows);
		free(new.frame);
	}
	if (loaded)
		free_table(&old);
	inlines_cache_prune(place.directory);
}
