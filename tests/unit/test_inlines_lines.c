#include "tests/unit/harness.h"

#include "callgrind/inlines_lines.h"
#include "tests/unit/profiles.h"

/* main holds twice, of twice.h, in two places, of which one has only code of inner, of inner.h. */
static const char of_lines[] = "positions: instr line\nevents: Ir\nob=/bin/x\nfl=/src/main.c\n"
			       "fn=main\n0x10 5 1\n0x11 6 1\nfi=/src/twice.h\n0x12 3 1\n0x13 4 1\n"
			       "fi=/src/macro.h\n0x14 9 1\nfi=/src/inner.h\n0x15 2 1\n";

static struct cg_frame frames[] = {
	{ .parent = 0 },
	{ .parent = 0, .entry = 50 },
	{ .parent = 1, .entry = 70 },
	{ .parent = 1, .entry = 70 },
	{ .parent = 3, .entry = 90 },
};
static uint64_t addresses[] = { 0x10, 0x11, 0x12, 0x13, 0x14, 0x15 };
static uint32_t frame_of[] = { 1, 1, 2, 2, 2, 4 };
enum { FRAMES = 5, ADDRESSES = 6 };

static cg_str text(struct cg_inlines *in, const char *words)
{
	cg_str id = 0;
	REQUIRE_INT(cg_strings_add(&in->strings, words, strlen(words), &id), CG_OK);
	return id;
}

static void check_files(bool named, const char *const expected[FRAMES])
{
	static const char *const names[FRAMES] = { "", "main", "twice", "twice", "inner" };
	const struct cg_read_options options = { .detail.addresses = true };
	struct cg_inlines in = { .nframes = FRAMES,
				 .addresses = addresses,
				 .frame = frame_of,
				 .naddresses = ADDRESSES,
				 .nobjects = 1 };
	struct cg_inlines_object object = { .count = ADDRESSES };
	struct cg_frame copy[FRAMES];
	struct cg_profile *p = profile_with(of_lines, strlen(of_lines), &options);

	memcpy(copy, frames, sizeof copy);
	in.frames = copy;
	in.objects = &object;
	REQUIRE_INT(cg_strings_init(&in.strings), CG_OK);
	object.path = text(&in, "/bin/x");
	for (int i = 1; i < FRAMES; i++) {
		copy[i].name = text(&in, names[i]);
		copy[i].file = named ? text(&in, "/src/known.c") : 0;
	}
	CHECK_INT(cg_inlines_find_line_files(&in, p), CG_OK);
	for (int i = 1; i < FRAMES; i++)
		CHECK_STR(cg_strings_get(&in.strings, copy[i].file), expected[i]);
	cg_strings_free(&in.strings);
	cg_profile_free(p);
}

/* Most lines decide, and for all places where the function is. */
static void test_line_files(void)
{
	check_files(false, (const char *const[]){ "", "/src/main.c", "/src/twice.h", "/src/twice.h",
						  "/src/inner.h" });
}

static void test_known(void)
{
	check_files(true, (const char *const[]){ "", "/src/known.c", "/src/known.c", "/src/known.c",
						 "/src/known.c" });
}

TEST_MAIN("inlines_lines", { "files of lines", test_line_files }, { "known files", test_known })
