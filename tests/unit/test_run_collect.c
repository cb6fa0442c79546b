/* What Valgrind and the processes of a run leave is collected. */
#include "src/run/collect.h"
#include "src/run/valgrind_log.h"
#include "tests/unit/scratch_files.h"

static void write_profile(const char *dir, const char *name, const char *command, unsigned part,
			  unsigned total)
{
	char *text;

	REQUIRE(asprintf(&text,
			 "version: 1\npid: 1\ncmd:  %s\npart: %u\n\nevents: Ir Dr\n"
			 "fn=main\n1 %u 0\ntotals: %u 7\n",
			 command, part, total, total) > 0);
	free(write_file(dir, name, text, 0600));
	free(text);
}

static void write_log(const char *dir, const char *name, const char *body)
{
	free(write_file(dir, name, body, 0600));
}

static const struct process_list nobody;

/* Who made a process is told by its tracer, if that knows: a log may have who has adopted it. */
static void test_collect_adopted(void)
{
	struct process_over ended[] = { { .pid = 20, .parent = 3 }, { .pid = 21 }, { .pid = 3 } };
	struct process_list over = { .items = ended, .count = 3 };
	char *dir = make_directory();
	struct collection c;
	struct cg_error err;

	write_log(dir, "valgrind.log.3", "==3== Parent PID: 1\n--3-- Reading syms from /bin/a\n");
	write_log(dir, "valgrind.log.20", "==20== Parent PID: 1\n");
	write_log(dir, "valgrind.log.21", "==21== Parent PID: 20\n");
	write_log(dir, "valgrind.log.22", "==22== Parent PID: 21\n");
	for (const char *const *name = (const char *const[]){ "3", "20", "21", "22", NULL }; *name;
	     name++) {
		char file[32];
		snprintf(file, sizeof file, "callgrind.out.%s", *name);
		write_profile(dir, file, "./a", 1, 1);
	}
	REQUIRE(!collect(dir, &over, &c, &err));
	REQUIRE_U64(c.nprofiles, 4);
	CHECK_INT(c.profiles[0].parent, 1);
	CHECK_INT(c.profiles[1].parent, 3);
	CHECK_INT(c.profiles[2].parent, 20);
	CHECK_INT(c.profiles[3].parent, 21);
	CHECK(collection_image_log(&c, 22) == &c.logs[0]);
	collection_free(&c);
	REQUIRE(!collect(dir, &nobody, &c, &err));
	CHECK_INT(c.profiles[1].parent, 1);
	collection_free(&c);
	remove_tree(dir);
}

static void test_collect_threads(void)
{
	static const unsigned threads[] = { 1, 2, 1, 2, 3 }, parts[] = { 1, 1, 2, 2, 2 };
	char *dir = make_directory();
	struct collection c;
	struct cg_error err;

	/* As --separate-threads=yes leaves them: of a dump, and of the end. */
	free(write_file(dir, "callgrind.out.20", "", 0600));
	write_profile(dir, "callgrind.out.20-01", "./b", 2, 100);
	write_profile(dir, "callgrind.out.20-02", "./b", 2, 10);
	write_profile(dir, "callgrind.out.20-03", "./b", 2, 1);
	write_profile(dir, "callgrind.out.20.1-01", "./b", 1, 200);
	write_profile(dir, "callgrind.out.20.1-02", "./b", 1, 20);

	REQUIRE(!collect(dir, &nobody, &c, &err));
	REQUIRE_U64(c.nprofiles, 5);
	for (size_t i = 0; i < 5; i++) {
		CHECK_U64(c.profiles[i].generation, 0);
		CHECK_U64(c.profiles[i].thread, threads[i]);
		CHECK_U64(c.profiles[i].part, parts[i]);
		CHECK(!c.profiles[i].replaced);
		CHECK_STR(c.profiles[i].trigger, "");
	}
	collection_free(&c);
	remove_tree(dir);
}

/* Only the end of a long body is read, from the middle of a line, whatever that looks like. */
static void test_collect_long(void)
{
	enum { TAIL = 1 << 16 };
	static const char head[] = "version: 1\npart: 1\nevents: Ir\nsummary: 9\nfn=",
			  end[] = "\n1 5\ntotals: 5\n", trap[] = "totals: 77";
	char *dir = make_directory(), *text = malloc(3 * TAIL);
	struct collection c;
	struct cg_error err;

	REQUIRE(text != NULL);
	strcpy(text, head);
	memset(text + sizeof head - 1, 'x', 2 * TAIL);
	strcpy(text + sizeof head - 1 + 2 * TAIL, end);
	memcpy(text + strlen(text) - TAIL, trap, sizeof trap - 1);
	free(write_file(dir, "callgrind.out.20", text, 0600));
	free(text);
	REQUIRE(!collect(dir, &nobody, &c, &err));
	REQUIRE_U64(c.nprofiles, 1);
	CHECK_U64(c.profiles[0].collected, 5);
	collection_free(&c);
	remove_tree(dir);
}

static void test_collect(void)
{
	char *dir = make_directory();
	struct collection c;
	struct cg_error err;

	write_profile(dir, "callgrind.out.20", "./b x", 3, 100); /* with two earlier parts */
	write_profile(dir, "callgrind.out.20.1", "./b x", 1, 10);
	write_profile(dir, "callgrind.out.20.2", "./b x", 2, 20);
	write_profile(dir, "callgrind.out.20.10", "./a", 10, 5); /* of an image before */
	write_profile(dir, "callgrind.out.3", "sh", 1, 1);
	free(write_file(dir, "callgrind.out.4", "", 0600));
	free(write_file(dir, "callgrind.out.x", "", 0600));
	free(write_file(dir, "callgrind.out.5.", "", 0600));
	free(write_file(dir, "callgrind.out.99999999999", "", 0600));
	write_log(dir, "valgrind.log.3",
		  "==3== Parent PID: 1\n--3-- Reading syms from /bin/a b\n"
		  "--3-- Reading syms from /usr/libexec/valgrind/vgpreload_core-amd64-linux.so\n"
		  "--3-- Reading syms from /lib/libc.so.6\n");
	write_log(dir, "valgrind.log.20", "==20== Parent PID: 3\n");

	REQUIRE(!collect(dir, &nobody, &c, &err));
	REQUIRE_U64(c.nprofiles, 6);
	CHECK_INT(c.profiles[0].pid, 3);
	CHECK_INT(c.profiles[0].parent, 1);
	CHECK(!c.profiles[0].forked);
	CHECK_U64(c.profiles[0].collected, 1);
	CHECK_INT(c.profiles[1].pid, 4);
	CHECK_U64(c.profiles[1].bytes, 0);
	CHECK_STR(c.profiles[2].command, "./a");
	CHECK(c.profiles[2].replaced);
	CHECK_U64(c.profiles[2].generation, 0);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_STR(c.profiles[3 + i].command, "./b x");
		CHECK_U64(c.profiles[3 + i].generation, 1);
		CHECK_U64(c.profiles[3 + i].part, i + 1);
		CHECK(c.profiles[3 + i].forked);
		CHECK(!c.profiles[3 + i].replaced);
	}
	REQUIRE_U64(c.nlogs, 2);
	CHECK_U64(c.logs[0].nobjects, 2);
	CHECK_STR(c.logs[0].objects[0], "/bin/a b");
	CHECK(collection_image_log(&c, 20) == &c.logs[0]);
	CHECK(collection_log(&c, 99) == NULL);
	collection_free(&c);

	size_t count;
	REQUIRE(!collect_discard(dir, true, &count, &err));
	CHECK_U64(count, 11);
	REQUIRE(!collect_discard(dir, false, &count, &err));
	REQUIRE(!collect_discard(dir, true, &count, &err));
	CHECK_U64(count, 0);
	remove_tree(dir);
}

static void test_valgrind_log(void)
{
	char *dir = make_directory();
	struct valgrind_log log;
	struct cg_error err;

	char *path = write_file(dir, "log",
				"==7== Parent PID: 5\n"
				"--7-- Arch and hwcaps: AMD64, LittleEndian, amd64-avx2\n"
				"--7-- Reading syms from /x/prog\n"
				"### unhandled dwarf2 abbrev form code 0x25\n"
				"==7== Valgrind: debuginfo reader: ensure_valid failed:\n"
				"==7== Valgrind:   valid image size of 17144 for image:\n"
				"==7== Valgrind:   \"/x/a \"quoted\" lib.so\"\n",
				0600);
	REQUIRE(!valgrind_log_read(path, 7, &log, &err));
	CHECK_INT(log.parent, 5);
	CHECK_STR(log.hwcaps, "AMD64, LittleEndian, amd64-avx2");
	CHECK_STR(log.bad_object, "/x/a \"quoted\" lib.so");
	CHECK(log.death != NULL);
	valgrind_log_free(&log);
	free(path);

	path = write_file(dir, "log",
			  "vex amd64->IR: unhandled instruction bytes: 0x62 0xF1\n"
			  "==8== valgrind: Unrecognised instruction at address 0x10912d.\n"
			  "valgrind: the 'impossible' happened:\n   Killed by fatal signal\n",
			  0600);
	REQUIRE(!valgrind_log_read(path, 8, &log, &err));
	CHECK_STR(log.instruction, "0x62 0xF1");
	CHECK_STR(log.death, "valgrind: the 'impossible' happened:");
	CHECK_STR(log.bad_object, NULL);
	valgrind_log_free(&log);
	free(path);
	remove_tree(dir);
}

TEST_MAIN("what a run leaves", { "files, pids and images", test_collect },
	  { "orphans", test_collect_adopted }, { "threads", test_collect_threads },
	  { "long bodies", test_collect_long }, { "Valgrind's log", test_valgrind_log })
