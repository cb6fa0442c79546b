#include "tests/unit/harness.h"

#include "callgrind/inlines_calls.h"
#include "callgrind/inlines_frames.h"

enum { MOST = 24, HOST = 1, F = 2, G = 3 };

/* Instructions at the addresses 1, 2, …; the frame of each, where it may go to, and how often it
 * is executed. Frame 1 is the host, 2 is inlined into it, and 3 into 2. */
struct step {
	uint32_t frame;
	enum cg_branch_kind kind;
	uint64_t target;
	int64_t executed;
	bool packed, begins, constant;
};

struct made {
	struct cg_inlines in;
	struct cg_inlines_object object;
	struct cg_branch branches[MOST + 1];
	int64_t executed[MOST + 1];
	bool begins[MOST + 1];
	uint32_t line[MOST + 1];
};

static void add_made_frame(struct made *m, uint32_t parent, const uint64_t *starts, size_t count)
{
	struct cg_frame f = { .parent = parent, .name = (cg_str)m->in.nframes };
	uint32_t id;

	REQUIRE_INT(cg_inlines_add_starts(&m->in, &f, starts, count), CG_OK);
	REQUIRE_INT(cg_inlines_add_frame(&m->in, &f, &id), CG_OK);
}

static void make(struct made *m, const struct step *steps, uint32_t count)
{
	*m = (struct made){ .object.count = count };
	m->in.objects = &m->object;
	m->in.nobjects = 1;
	m->in.naddresses = count;
	m->in.addresses = calloc(MOST, sizeof *m->in.addresses);
	m->in.frame = calloc(MOST, sizeof *m->in.frame);
	REQUIRE(m->in.addresses && m->in.frame && count <= MOST);
	for (uint32_t i = 0; i < count; i++) {
		m->in.addresses[i] = i + 1;
		m->in.frame[i] = steps[i].frame;
		m->branches[i] = (struct cg_branch){ .kind = (uint8_t)steps[i].kind,
						     .target = steps[i].target,
						     .next = i + 2,
						     .packed = steps[i].packed,
						     .constant = steps[i].constant };
		m->executed[i] = steps[i].executed;
		m->begins[i] = i == 0 || steps[i].begins;
	}
	add_made_frame(m, 0, NULL, 0);
	add_made_frame(m, 0, NULL, 0);
}

static void decide(struct made *m)
{
	const struct cg_inlines_code code = { m->branches, m->executed, m->begins, m->line };
	REQUIRE_INT(cg_inlines_decide_calls(&m->in, &code), CG_OK);
}

static void free_made(struct made *m)
{
	free(m->in.addresses);
	free(m->in.frame);
	free(m->in.frames);
	free(m->in.starts);
	free(m->in.entered);
	free(m->in.enters);
}

/* What executions of the frame's starts add up to; -1: they do not count. */
static int64_t calls_of(const struct made *m, uint32_t frame)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < m->in.naddresses; i++) {
		uint32_t count, next = i + 1;
		const struct cg_inlines_entered *e = cg_inlines_entered_at(&m->in, &m->object, next,
									   &count);
		for (uint32_t k = 0; k < count; k++) {
			CHECK_U64(e[k].address, i);
			sum += e[k].frame == frame ? m->executed[i] : 0;
		}
	}
	CHECK(m->in.frames[frame].counted || sum == 0);
	return m->in.frames[frame].counted ? sum : -1;
}

/* The calls of frame 2 that begins at these addresses. */
static int64_t calls_with(const struct step *steps, uint32_t count, const uint64_t *starts,
			  size_t nstarts)
{
	struct made m;

	make(&m, steps, count);
	add_made_frame(&m, HOST, starts, nstarts);
	decide(&m);
	int64_t calls = calls_of(&m, F);
	free_made(&m);
	return calls;
}

#define CALLS(steps, ...) \
	calls_with(steps, sizeof(steps) / sizeof *(steps), (const uint64_t[]){ __VA_ARGS__ }, \
		   sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void test_loop_around(void)
{
	static const struct step steps[] = {
		{ HOST, CG_BRANCH_NONE, 0, 1, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 50, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 50, 0, 0, 0 },   { HOST, CG_BRANCH_IF, 2, 50, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 1, 0, 0, 0 },
	};
	CHECK_INT(CALLS(steps, 2), 50);
	/* Where it begins is not known, or not among what was executed. */
	CHECK_INT(CALLS(steps, 99), -1);
	CHECK_INT(calls_with(steps, 5, NULL, 0), -1);
}

/* Its constants may be loaded before. */
static void test_constant_before(void)
{
	static const struct step steps[] = {
		{ HOST, CG_BRANCH_NONE, 0, 1, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 1, 0, 0, 1 },
		{ F, CG_BRANCH_NONE, 0, 50, 0, 0, 0 },   { HOST, CG_BRANCH_IF, 3, 50, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 1, 0, 0, 0 },
	};
	static const struct step other[] = {
		{ HOST, CG_BRANCH_NONE, 0, 1, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 1, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 50, 0, 0, 0 },   { HOST, CG_BRANCH_IF, 3, 50, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 1, 0, 0, 0 },
	};
	static const struct step same_block[] = {
		{ HOST, CG_BRANCH_NONE, 0, 7, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 7, 0, 0, 1 },
		{ F, CG_BRANCH_NONE, 0, 7, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 7, 0, 0, 0 },
	};
	CHECK_INT(CALLS(steps, 3), 50);
	CHECK_INT(CALLS(other, 3), -1);
	CHECK_INT(CALLS(same_block, 3), 7);
}

/* A loop that is all of it: executions are not calls. */
static void test_loop_inside(void)
{
	static const struct step whole[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 70, 0, 0, 0 },
		{ F, CG_BRANCH_IF, 2, 70, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	static const struct step after_start[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 70, 0, 0, 0 },    { F, CG_BRANCH_IF, 3, 70, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	/* It could loop, but never did. */
	static const struct step once[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_IF, 2, 10, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	CHECK_INT(CALLS(whole, 2), -1);
	CHECK_INT(CALLS(after_start, 2), 10);
	CHECK_INT(CALLS(once, 2), 10);
	/* In the middle of its own code. */
	CHECK_INT(CALLS(after_start, 4), -1);
}

/* A condition at the head of a loop and again at its end. */
static void test_copies(void)
{
	static const struct step steps[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ HOST, CG_BRANCH_IF, 7, 10, 0, 0, 0 },   { HOST, CG_BRANCH_NONE, 0, 300, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 300, 0, 0, 0 },   { HOST, CG_BRANCH_IF, 4, 300, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	CHECK_INT(CALLS(steps, 2, 5), 310);
	/* Of one of them nothing is known. */
	CHECK_INT(CALLS(steps, 2), -1);
	CHECK_INT(CALLS(steps, 5), -1);
}

/* The copy that another instance of the same function begins with is not this one's. */
static void test_copy_of_another(void)
{
	static const struct step steps[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 }, { G, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	struct made m;

	make(&m, steps, 5);
	add_made_frame(&m, HOST, (const uint64_t[]){ 2, 4 }, 2);
	add_made_frame(&m, F, (const uint64_t[]){ 4 }, 1);
	m.in.frames[G].name = m.in.frames[F].name;
	decide(&m);
	CHECK_INT(calls_of(&m, F), 10);
	CHECK_INT(calls_of(&m, G), 10);
	free_made(&m);
}

/* Calls also count what is skipped between caller and callee. */
static void test_call(void)
{
	static const struct step steps[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_CALL, 99, 31, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	static const struct step alone[] = {
		{ HOST, CG_BRANCH_JUMP, 2, 10, 0, 0, 0 },
		{ F, CG_BRANCH_CALL, 99, 31, 0, 0, 0 },
		{ F, CG_BRANCH_CALL, 99, 31, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 1, 0 },
	};
	CHECK_INT(CALLS(steps, 2), 10);
	CHECK_INT(CALLS(alone, 2), -1);
}

static void test_strange(void)
{
	static const struct step vector[] = {
		{ HOST, CG_BRANCH_NONE, 0, 1, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 25, 1, 0, 0 },
		{ HOST, CG_BRANCH_IF, 2, 25, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 1, 0, 0, 0 },
	};
	static const struct step anywhere[] = {
		{ HOST, CG_BRANCH_NONE, 0, 5, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 5, 0, 0, 0 },
		{ F, CG_BRANCH_INDIRECT, 0, 5, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 5, 0, 0, 0 },
	};
	static const struct step unknown[] = {
		{ HOST, CG_BRANCH_UNKNOWN, 0, 5, 0, 0, 0 },
		{ F, CG_BRANCH_UNKNOWN, 0, 5, 0, 0, 0 },
	};
	/* A block of its own that only a jump to anywhere can reach. */
	static const struct step case_of_switch[] = {
		{ HOST, CG_BRANCH_NONE, 0, 5, 0, 0, 0 },     { F, CG_BRANCH_NONE, 0, 5, 0, 0, 0 },
		{ HOST, CG_BRANCH_INDIRECT, 0, 5, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 5, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 5, 0, 0, 0 },
	};
	CHECK_INT(CALLS(vector, 2), -1);
	CHECK_INT(CALLS(anywhere, 2), -1);
	CHECK_INT(CALLS(unknown, 2), -1);
	CHECK_INT(CALLS(case_of_switch, 2), -1);
}

/* What is inlined into it belongs to it; it is called where that begins, too. */
static void test_nested(void)
{
	static const struct step steps[] = {
		{ HOST, CG_BRANCH_NONE, 0, 4, 0, 0, 0 }, { G, CG_BRANCH_NONE, 0, 4, 0, 0, 0 },
		{ G, CG_BRANCH_NONE, 0, 90, 0, 0, 0 },   { G, CG_BRANCH_IF, 3, 90, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 4, 0, 0, 0 },    { HOST, CG_BRANCH_END, 0, 4, 0, 0, 0 },
	};
	struct made m;

	make(&m, steps, 6);
	add_made_frame(&m, HOST, (const uint64_t[]){ 2 }, 1);
	add_made_frame(&m, F, (const uint64_t[]){ 2 }, 1);
	decide(&m);
	CHECK_INT(calls_of(&m, F), 4);
	CHECK_INT(calls_of(&m, G), 4);
	free_made(&m);
}

/* ---- beginnings that are not known ---- */

/* Each instruction of F has a line of its own, or the lines repeat after so many. */
static int64_t calls_without_start(const struct step *steps, uint32_t count, uint32_t lines)
{
	struct made m;

	make(&m, steps, count);
	add_made_frame(&m, HOST, NULL, 0);
	for (uint32_t i = 0; i < count; i++)
		m.line[i] = i % lines + 1;
	decide(&m);
	int64_t calls = calls_of(&m, F);
	free_made(&m);
	return calls;
}

#define UNSTARTED(steps) calls_without_start(steps, sizeof(steps) / sizeof *(steps), MOST)

static void test_once(void)
{
	static const struct step steps[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },    { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },    { HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	CHECK_INT(UNSTARTED(steps), 10);
	/* Lines are not known, or each has its code twice, as in a loop that was unrolled. */
	CHECK_INT(calls_with(steps, 6, NULL, 0), -1);
	CHECK_INT(calls_without_start(steps, 6, 2), -1);
	/* Too little code of it: there may be none elsewhere. */
	static const struct step small[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },    { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	CHECK_INT(UNSTARTED(small), -1);
	/* Another function begins in the middle. */
	static const struct step parts[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },    { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },    { HOST, CG_BRANCH_END, 0, 10, 0, 1, 0 },
	};
	CHECK_INT(UNSTARTED(parts), -1);
}

static void test_not_always(void)
{
	/* Of 10 calls, 3 skip it. */
	static const struct step steps[] = {
		{ HOST, CG_BRANCH_IF, 6, 10, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 7, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 7, 0, 0, 0 },   { F, CG_BRANCH_NONE, 0, 7, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 7, 0, 0, 0 },   { HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	/* 5 skip it, and 5 execute it twice. */
	static const struct step loop[] = {
		{ HOST, CG_BRANCH_IF, 7, 10, 0, 0, 0 },  { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },   { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },   { HOST, CG_BRANCH_IF, 2, 10, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	/* The loop is longer than one block. */
	static const struct step blocks[] = {
		{ HOST, CG_BRANCH_IF, 8, 10, 0, 0, 0 },  { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },   { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },   { HOST, CG_BRANCH_IF, 8, 10, 0, 0, 0 },
		{ HOST, CG_BRANCH_JUMP, 2, 5, 0, 0, 0 }, { HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	/* No branch leads there: it is where an exception goes on. */
	static const struct step thrown[] = {
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 }, { HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },   { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },   { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	CHECK_INT(UNSTARTED(steps), -1);
	CHECK_INT(UNSTARTED(loop), -1);
	CHECK_INT(UNSTARTED(blocks), -1);
	CHECK_INT(UNSTARTED(thrown), -1);
}

/* What comes back to it from outside may be another call. */
static void test_again(void)
{
	static const struct step steps[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },    { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },    { HOST, CG_BRANCH_IF, 9, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 4, 0, 0, 0 },     { HOST, CG_BRANCH_NONE, 0, 4, 0, 0, 0 },
		{ HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	static const struct step within[] = {
		{ HOST, CG_BRANCH_NONE, 0, 10, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },    { F, CG_BRANCH_NONE, 0, 10, 0, 0, 0 },
		{ F, CG_BRANCH_IF, 8, 10, 0, 0, 0 },      { F, CG_BRANCH_NONE, 0, 90, 0, 0, 0 },
		{ F, CG_BRANCH_IF, 6, 90, 0, 0, 0 },      { HOST, CG_BRANCH_END, 0, 10, 0, 0, 0 },
	};
	CHECK_INT(UNSTARTED(steps), -1);
	CHECK_INT(UNSTARTED(within), 10);
}

/* The number of an outer function's calls is that of the inner one's, which is called in a loop. */
static void test_once_in_inlined(void)
{
	static const struct step steps[] = {
		{ HOST, CG_BRANCH_NONE, 0, 1, 0, 0, 0 }, { F, CG_BRANCH_NONE, 0, 50, 0, 0, 0 },
		{ G, CG_BRANCH_NONE, 0, 50, 0, 0, 0 },   { G, CG_BRANCH_NONE, 0, 50, 0, 0, 0 },
		{ G, CG_BRANCH_NONE, 0, 50, 0, 0, 0 },   { G, CG_BRANCH_NONE, 0, 50, 0, 0, 0 },
		{ HOST, CG_BRANCH_IF, 2, 50, 0, 0, 0 },  { HOST, CG_BRANCH_END, 0, 1, 0, 0, 0 },
	};
	struct made m;

	make(&m, steps, 8);
	add_made_frame(&m, HOST, (const uint64_t[]){ 2 }, 1);
	add_made_frame(&m, F, NULL, 0);
	for (uint32_t i = 0; i < 8; i++)
		m.line[i] = i + 1;
	decide(&m);
	CHECK_INT(calls_of(&m, F), 50);
	CHECK_INT(calls_of(&m, G), 50);
	free_made(&m);
}

static void test_nothing(void)
{
	struct made m;

	make(&m, NULL, 0);
	decide(&m);
	CHECK_U64(m.in.nentered, 0);
	free_made(&m);
}

TEST_MAIN("inlines_calls", { "in a loop", test_loop_around },
	  { "constants before", test_constant_before }, { "with a loop", test_loop_inside },
	  { "copies", test_copies }, { "a copy of another", test_copy_of_another },
	  { "a call at the start", test_call }, { "not countable", test_strange },
	  { "nested", test_nested }, { "once in each call", test_once },
	  { "not in each call", test_not_always }, { "entered again", test_again },
	  { "once in an inlined function", test_once_in_inlined }, { "nothing", test_nothing })
