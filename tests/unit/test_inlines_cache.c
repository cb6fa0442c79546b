#include "tests/unit/profiles.h"

#include <dirent.h>
#include <unistd.h>

#include "callgrind/inlines_cache.h"
#include "callgrind/inlines_frames.h"

/* An object with these addresses; each is in a frame of its own that is inlined into `around`. */
struct example {
	struct cg_inlines in;
	struct cg_inlines_object object;
};

/* That of the object; a build has another size and time. */
static const char *object_path = TEST_DATA "/parse.c";

static cg_str text(struct cg_inlines *in, const char *name)
{
	cg_str id;
	REQUIRE_INT(cg_strings_add(&in->strings, name, strlen(name), &id), CG_OK);
	return id;
}

static uint32_t frame(struct cg_inlines *in, uint32_t parent, const char *name, uint64_t entry)
{
	uint32_t id;
	const uint64_t starts[] = { entry, entry + 1000, entry + 2000 };
	struct cg_frame made = { .parent = parent,
				 .name = text(in, name),
				 .file = text(in, "a.c"),
				 .line = (uint32_t)entry,
				 .call_file = text(in, "b.c"),
				 .call_line = (uint32_t)entry + 1,
				 .entry = entry };
	REQUIRE_INT(cg_inlines_add_starts(in, &made, starts, entry % 4), CG_OK);
	REQUIRE_INT(cg_inlines_add_frame(in, &made, &id), CG_OK);
	return id;
}

static void begin(struct example *e, const uint64_t *addresses, uint32_t count)
{
	static const struct cg_frame unknown;
	uint32_t none;

	*e = (struct example){ .object.count = count };
	REQUIRE_INT(cg_strings_init(&e->in.strings), CG_OK);
	REQUIRE_INT(cg_inlines_add_frame(&e->in, &unknown, &none), CG_OK);
	e->object.build_id = text(&e->in, "0123abcd");
	e->object.path = text(&e->in, object_path);
	e->in.addresses = calloc(count, sizeof *e->in.addresses);
	e->in.frame = calloc(count, sizeof *e->in.frame);
	REQUIRE(e->in.addresses && e->in.frame);
	memcpy(e->in.addresses, addresses, count * sizeof *addresses);
	e->in.naddresses = count;
}

static void end(struct example *e)
{
	cg_strings_free(&e->in.strings);
	free(e->in.frames);
	free(e->in.starts);
	free(e->in.addresses);
	free(e->in.frame);
}

/* As if debug information had been read: address n is in the function "n", inlined into
 * "around"; odd ones are in none. */
static void remember(const char *directory, const uint64_t *addresses, uint32_t count)
{
	struct example e;
	begin(&e, addresses, count);
	uint32_t first = e.in.nframes, around = frame(&e.in, 0, "around", 1);

	for (uint32_t i = 0; i < count; i++) {
		char name[20];
		snprintf(name, sizeof name, "%" PRIu64, addresses[i]);
		e.in.frame[i] = addresses[i] % 2 ? 0 : frame(&e.in, around, name, addresses[i]);
	}
	cg_inlines_remember(directory, &e.in, &e.object, first);
	end(&e);
}

/* Whether all are known, and as they were. */
static bool recalls(const char *directory, const uint64_t *addresses, uint32_t count)
{
	struct example e;
	bool known;

	begin(&e, addresses, count);
	REQUIRE_INT(cg_inlines_recall(directory, &e.in, &e.object, &known), CG_OK);
	for (uint32_t i = 0; i < count; i++) {
		const struct cg_frame *f = &e.in.frames[e.in.frame[i]];
		const struct cg_frame *around = &e.in.frames[f->parent];
		if (!known || addresses[i] % 2) {
			CHECK_U64(e.in.frame[i], 0);
			continue;
		}
		CHECK_U64(strtoull(cg_strings_get(&e.in.strings, f->name), NULL, 10), addresses[i]);
		CHECK_STR(cg_strings_get(&e.in.strings, f->file), "a.c");
		CHECK_U64(f->line, addresses[i]);
		CHECK_STR(cg_strings_get(&e.in.strings, f->call_file), "b.c");
		CHECK_U64(f->call_line, addresses[i] + 1);
		CHECK_U64(f->nstarts, addresses[i] % 4);
		for (uint32_t k = 0; k < f->nstarts; k++)
			CHECK_U64(e.in.starts[f->first_start + k], addresses[i] + 1000 * k);
		CHECK_STR(cg_strings_get(&e.in.strings, around->name), "around");
		CHECK_U64(around->parent, 0);
	}
	/* None that no address is in. */
	uint32_t expected = 1;
	for (uint32_t i = 0; i < count; i++)
		expected += addresses[i] % 2 == 0;
	CHECK_U64(e.in.nframes, known ? expected + (expected > 1) : 1);
	end(&e);
	return known;
}

#define KEPT(directory, ...) \
	recalls(directory, (const uint64_t[]){ __VA_ARGS__ }, \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))
#define KEEP(directory, ...) \
	remember(directory, (const uint64_t[]){ __VA_ARGS__ }, \
		 sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static char *new_place(char place[40])
{
	snprintf(place, 40, "/tmp/irdiff-frames-XXXXXX");
	REQUIRE(mkdtemp(place) != NULL);
	return place;
}

static unsigned remove_place(const char *place)
{
	unsigned files = 0;
	DIR *directory = opendir(place);
	REQUIRE(directory != NULL);
	for (struct dirent *e; (e = readdir(directory));)
		files += unlinkat(dirfd(directory), e->d_name, 0) == 0;
	closedir(directory);
	CHECK_INT(rmdir(place), 0);
	return files;
}

static void test_kept(void)
{
	char place[40], frames[60];
	snprintf(frames, sizeof frames, "%s/frames", new_place(place));

	CHECK(!KEPT(frames, 10, 20));
	KEEP(frames, 10, 13, 20); /* makes the directory */
	CHECK(KEPT(frames, 10, 13, 20));
	CHECK(KEPT(frames, 20));
	CHECK(KEPT(frames, 13));
	CHECK(!KEPT(frames, 10, 14));
	CHECK(!KEPT(frames, 8));
	/* What comes later is added, in between too. */
	KEEP(frames, 4, 10, 14, 30);
	CHECK(KEPT(frames, 4, 10, 13, 14, 20, 30));
	CHECK(!KEPT(frames, 4, 10, 13, 14, 20, 30, 40));
	CHECK_U64(remove_place(frames), 1);
	CHECK_U64(remove_place(place), 0);
}

/* An address in a profile may be any number. */
static void test_last_address(void)
{
	char place[40];
	new_place(place);

	KEEP(place, UINT64_MAX);
	CHECK(KEPT(place, UINT64_MAX));
	KEEP(place, 10);
	CHECK(KEPT(place, 10, UINT64_MAX));
	KEEP(place, 20, UINT64_MAX);
	CHECK(KEPT(place, 10, 20, UINT64_MAX));
	CHECK_U64(remove_place(place), 1);
}

static void test_damaged(void)
{
	char place[40], path[80];
	snprintf(path, sizeof path, "%s/0123abcd.frames", new_place(place));

	KEEP(place, 10, 13, 20);
	for (long at = 0;; at++) {
		FILE *file = fopen(path, "r+");
		REQUIRE(file != NULL);
		fseek(file, at, SEEK_SET);
		int c = fgetc(file);
		if (c == EOF) {
			CHECK(at > 100);
			fclose(file);
			break;
		}
		fseek(file, at, SEEK_SET);
		fputc(c ^ 1, file);
		fflush(file);
		CHECK(!KEPT(place, 10, 13, 20));
		fseek(file, at, SEEK_SET);
		fputc(c, file);
		fclose(file);
	}
	CHECK(KEPT(place, 10, 13, 20));
	REQUIRE_INT(truncate(path, 50), 0);
	CHECK(!KEPT(place, 10));
	KEEP(place, 10);
	CHECK(KEPT(place, 10));
	CHECK_U64(remove_place(place), 1);
}

/* Many builds of a program do not fill the disk. */
static void test_pruned(void)
{
	enum { MORE = 300 };
	char place[40], path[80];
	new_place(place);

	for (int i = 0; i < MORE; i++) {
		snprintf(path, sizeof path, "%s/%d.frames", place, i);
		FILE *file = fopen(path, "w");
		REQUIRE(file != NULL);
		fclose(file);
	}
	KEEP(place, 10);
	CHECK(KEPT(place, 10));
	CHECK_U64(remove_place(place), 256);
}

/* With a build-id that was given by hand. */
static void test_rebuilt(void)
{
	char place[40];
	new_place(place);

	KEEP(place, 10);
	object_path = TEST_DATA "/cycle.callgrind";
	CHECK(!KEPT(place, 10));
	object_path = "/no/such/object";
	CHECK(!KEPT(place, 10));
	object_path = TEST_DATA "/parse.c";
	CHECK(KEPT(place, 10));
	CHECK_U64(remove_place(place), 1);
}

/* A link in its place leads to what is not ours. */
static void test_link(void)
{
	char place[40], theirs[40], link[60], file[60];
	snprintf(link, sizeof link, "%s/frames", new_place(place));
	snprintf(file, sizeof file, "%s/notes", new_place(theirs));
	fclose(fopen(file, "w"));
	REQUIRE_INT(symlink(theirs, link), 0);
	KEEP(link, 10);
	CHECK(!KEPT(link, 10));
	CHECK_U64(remove_place(place), 1);
	CHECK_U64(remove_place(theirs), 1);
}

TEST_MAIN("frames that are kept", { "kept and added to", test_kept },
	  { "the last address", test_last_address }, { "damaged files", test_damaged },
	  { "pruned", test_pruned }, { "another build", test_rebuilt }, { "a link", test_link })
