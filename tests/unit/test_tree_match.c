#include "src/diff/same_code.h"
#include "tests/unit/trees.h"

/* How a row was matched, in the manner of "draw was paint [inlined] via x with y". */
static size_t describe(const struct tree_diff *t, const struct tree_row *r, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "%*s%s %+" PRId64, 2 * (int)(r->depth - 1), "",
				       r->name, r->head.self[0] - r->base.self[0]);
	if (r->match != DIFF_SAME && r->match != DIFF_ONE_SIDED)
		used += (size_t)snprintf(text + used, size - used, " %s",
					 diff_match_name(r->match));
	if (r->match == DIFF_RENAMED)
		used += (size_t)snprintf(text + used, size - used, " %s", r->base_name);
	if (!r->base.present || !r->head.present)
		used += (size_t)snprintf(text + used, size - used, " %s",
					 r->base.present ? "base" : "head");
	if (r->base.via || r->head.via)
		used += (size_t)snprintf(text + used, size - used, " via %s",
					 r->base.via ? r->base.via : r->head.via);
	for (uint32_t i = 0; i < r->nabsorbed; i++)
		used += (size_t)snprintf(text + used, size - used, " with %s",
					 t->absorbed[r->absorbed + i].name);
	return used + (size_t)snprintf(text + used, size - used, "\n");
}

/* Rows as lines "  name +self how". */
static void check_in(const struct diff_options *options, const char *base, const char *head,
		     const char *expected)
{
	struct trees p = trees_of(base, head, options, TREE_ALL);
	char text[4000] = "";
	size_t used = 0;

	for (uint32_t i = 1; i < p.tree->count; i++)
		used += describe(p.tree, &p.tree->rows[i], text + used, sizeof text - used);
	CHECK_STR(text, expected);
	trees_free(&p);
}

static void check(const char *base, const char *head, const char *expected)
{
	check_in(&samples, base, head, expected);
}

static void test_inlined(void)
{
	check("m;f_[i];g 1\n", "m;f;g 3\n", "m +0\n  f +0 no longer inlined\n    g +2\n");
	check("m;f;g 3\n", "m;f_[i];g 1\n", "m +0\n  f +0 inlined\n    g -2\n");
	/* Also called, and no longer only called. */
	check("m;f 5\n", "m;f_[i] 3\nm;f 4\n", "m +0\n  f +2 inlined\n");
	/* Both on both sides: the one takes from the other, or they have nothing to do with it. */
	check("m;f_[i] 1\nm;f 2\n", "m;f_[i] 3\nm;f 1\n", "m +0\n  f +1 inlined\n");
	check("m;f_[i] 3\nm;f 1\n", "m;f_[i] 1\nm;f 2\n", "m +0\n  f -1 no longer inlined\n");
	check("m;f_[i] 1\nm;f 9\n", "m;f_[i] 2\nm;f 1\n", "m +0\n  f -8\n  f +1\n");
	check("m;f_[i] 1\nm;f 2\n", "m;f_[i] 3\nm;f 5\n", "m +0\n  f +3\n  f +2\n");
}

/* Where both sides do both, one took from the other if it is at least a quarter. */
static void test_partly_inlined(void)
{
	check("m;f_[i] 1\nm;f 9\n", "m;f_[i] 3\nm;f 1\n", "m +0\n  f -6 inlined\n");
	check("m;f_[i] 1\nm;f 3\n", "m;f_[i] 9\nm;f 1\n", "m +0\n  f +6 inlined\n");
	check("m;f_[i] 1\nm;f 2\n", "m;f_[i] 9\nm;f 1\n", "m +0\n  f +8\n  f -1\n");
	check("m;f_[i] 9\nm;f 1\n", "m;f_[i] 1\nm;f 3\n", "m +0\n  f -6 no longer inlined\n");
	/* The one stands still. */
	check("m;f_[i] 5\nm;f 2\n", "m;f_[i] 2\nm;f 2\n", "m +0\n  f -3\n  f +0\n");
	check("m;f_[i] 2\nm;f 5\n", "m;f_[i] 2\nm;f 2\n", "m +0\n  f -3\n  f +0\n");
	/* Only called, then both; both, then only inlined; and back. */
	check("m;f 5\nm;g 1\n", "m;f 3\nm;f_[i] 4\nm;g 1\n", "m +0\n  f +2 inlined\n  g +0\n");
	check("m;f 3\nm;f_[i] 4\nm;g 1\n", "m;f_[i] 9\nm;g 1\n", "m +0\n  f +2 inlined\n  g +0\n");
	check("m;f_[i] 9\nm;g 1\n", "m;f 3\nm;f_[i] 4\nm;g 1\n",
	      "m +0\n  f -2 no longer inlined\n  g +0\n");
	check("m;f 3\nm;f_[i] 4\nm;g 1\n", "m;f 5\nm;g 1\n",
	      "m +0\n  f -2 no longer inlined\n  g +0\n");
	/* Both on one side, and nothing on the other. */
	check("m;f 3\nm;f_[i] 4\nm;g 9\n", "m;g 9\n", "m +0\n  f -4 base\n  f -3 base\n  g +0\n");
}

static void test_spliced(void)
{
	/* f was inlined without a trace: only its callees are left. */
	check("m;f;x 40\nm;f;y 50\nm;f 1\nm 5\n", "m;x 60\nm;y 50\nm 5\n",
	      "m +0\n  x +20 via f\n  f -1 dissolved base\n  y +0 via f\n");
	/* A wrapper, and one in a wrapper. */
	check("m;x 60\n", "m;f;g;x 60\nm;f 1\n",
	      "m +0\n  f +1 dissolved head\n  x +0 via g\n  g +0 dissolved head via f\n");
	/* What both call, one of them through the other. */
	check("m;f;x 90\nm;x 10\n", "m;x 110\n", "m +0\n  x +10 via f\n  f +0 dissolved base\n");
	/* Less than half of its callees is there. */
	check("m;f;x 40\nm;f;y 50\n", "m;x 40\n",
	      "m +0\n  f +0 base\n    y -50 base\n    x -40 base\n  x +40 head\n");
	/* One that calls itself. */
	check("m;f;f;x 60\nm;f 2\nm;f;f 1\n", "m;x 60\n",
	      "m +0\n  f -2 dissolved base\n  f -1 dissolved base via f\n  x +0 via f\n");
	/* What it called is inlined on the other side. */
	check("m;f;x 40\nm;f 1\n", "m;x_[i] 40\n",
	      "m +0\n  f -1 dissolved base\n  x +0 inlined via f\n");
	/* Half of it is among what the other side has more of, and not quite. */
	check("m;f;x 90\nm;x 10\n", "m;x 55\n", "m +0\n  x -45 via f\n  f +0 dissolved base\n");
	check("m;f;x 90\nm;x 10\n", "m;x 54\n", "m +0\n  f +0 base\n    x -90 base\n  x +44\n");
	/* So it is where that is inlined. */
	check("m;f;x 90\nm;x 10\n", "m;x_[i] 54\n",
	      "m +0\n  f +0 base\n    x -90 base\n  x +44 inlined\n");
	/* What only the other side calls counts however little it costs there. */
	check("m;f;x 40\nm;f 1\n", "m;x 10\n", "m +0\n  x -30 via f\n  f -1 dissolved base\n");
	/* What it called was partly inlined already: 60 - 5 is more than the other side had. */
	check("m;f;x 40\nm;x_[i] 5\n", "m;x 60\n",
	      "m +0\n  x +15 no longer inlined via f\n  f +0 dissolved base\n");
	/* What it costs itself counts neither for nor against it; one event is enough. */
	check("m;f;x 40\nm;f 50\n", "m;x 40\n", "m +0\n  f -50 dissolved base\n  x +0 via f\n");
	check("m;f;x 1\nm 9\n", "m;x 1\nm 9\n", "m +0\n  x +0 via f\n  f +0 dissolved base\n");
	/* At the roots, too. */
	check("main;x 60\n", "start;main;x 60\nstart 1\n",
	      "start +1 dissolved head\nmain +0 via start\n  x +0\n");
}

/* What is not dissolved, because the callees were not found on the other side, or in another
 * way. */
static void test_not_spliced(void)
{
	/* The other side has no more of x than before. */
	check("m;f;x 2\nm;x 10\n", "m;x 10\n", "m +0\n  f +0 base\n    x -2 base\n  x +0\n");
	/* Of 50, with which g and y count, 20 are found. */
	check("m;f;g;x 20\nm;f;g 10\nm;f;y 20\n", "m;x 20\n",
	      "m +0\n  f +0 base\n    g -10 base\n      x -20 base\n    y -20 base\n"
	      "  x +20 head\n");
	/* f is there, but inlined: it is the same function. */
	check("m;f;x 40\n", "m;f_[i];y 5\nm;x 40\n",
	      "m +0\n  x +40 head\n  f +0 inlined\n    x -40 base\n    y +5 head\n");
}

/* Whether f is dissolved if its only callee of the other side is below so many that are gone. */
static bool is_dissolved_above(unsigned gone)
{
	char base[1000] = "m;f";
	size_t used = strlen(base);
	bool dissolved = false;

	for (unsigned i = 0; i < gone; i++)
		used += (size_t)snprintf(base + used, sizeof base - used, ";g%u", i);
	snprintf(base + used, sizeof base - used, ";x 60\n");
	struct trees p = trees_of(base, "m;x 60\n", &samples, TREE_ALL);
	for (uint32_t i = 1; i < p.tree->count; i++)
		dissolved |= strcmp(p.tree->rows[i].name, "f") == 0 &&
			     p.tree->rows[i].match == DIFF_DISSOLVED;
	trees_free(&p);
	return dissolved;
}

static void test_deep_callees(void)
{
	CHECK(is_dissolved_above(1));
	CHECK(is_dissolved_above(32));
	CHECK(!is_dissolved_above(33));
}

/* Each of f5, f4 and f3 turns up the callee by which the one before it is found, which was tried
 * before in the same pass, as it costs more. After three passes f2 and f1 stay as they are. */
static void test_passes(void)
{
	check("m;f1;a 40\nm;f1;z 30\nm;f3;c 25\nm;f3;b 20\nm;f5;e 12\nm;f5;d 8\n",
	      "m;f2;b 45\nm;f2;a 10\nm;f4;d 20\nm;f4;c 15\nm;e 12\n",
	      "m +0\n"
	      "  f1 +0 base\n    a -40 base\n    z -30 base\n"
	      "  f2 +0 head\n    b +45 head\n    a +10 head\n"
	      "  b -20 base via f3\n  d +12 via f5\n  c -10 via f3\n  e +0 via f5\n"
	      "  f3 +0 dissolved base\n  f4 +0 dissolved head\n  f5 +0 dissolved base\n");
}

static void test_renamed(void)
{
	check("m;slow;x 70\nm;slow;y 30\nm;slow 9\n", "m;fast;x 30\nm;fast;z 20\nm;fast 5\n",
	      "m +0\n  fast -4 renamed slow\n    x -40\n    y -30 base\n    z +20 head\n");
	/* The more similar one. */
	check("m;a;x 50\nm;a;y 50\n", "m;b;x 50\nm;b;z 50\nm;c;x 40\nm;c;y 60\n",
	      "m +0\n  b +0 head\n    x +50 head\n    z +50 head\n  c +0 renamed a\n    y +10\n"
	      "    x -10\n");
	check("m;f(char const*) 10\n", "m;f(std::string) 12\n",
	      "m +0\n  f(std::string) +2 renamed f(char const*)\n");
	/* Of two that are as similar the costlier, on either side. */
	check("m;z;x 60\nm;z;y 60\n", "m;d;x 49\nm;d;y 49\nm;e;x 61\nm;e;y 61\n",
	      "m +0\n  d +0 head\n    x +49 head\n    y +49 head\n  e +0 renamed z\n    x +1\n    y +1\n");
	check("m;d;x 49\nm;d;y 49\nm;e;x 61\nm;e;y 61\n", "m;z;x 60\nm;z;y 60\n",
	      "m +0\n  d +0 base\n    x -49 base\n    y -49 base\n  z +0 renamed e\n    x -1\n    y -1\n");
	/* What is inlined has no name that anybody changed. */
	check("m;f(char const*)_[i] 10\n", "m;f(std::string)_[i] 12\n",
	      "m +0\n  f(std::string) +12 head\n  f(char const*) -10 base\n");
	check("m;a_[i];x 35\nm;a_[i];y 65\n", "m;b;x 35\nm;b;z 65\n",
	      "m +0\n  b +0 head\n    z +65 head\n    x +35 head\n  a +0 base\n    y -65 base\n    x -35 base\n");
	/* Leaves have nothing in common but a caller. */
	check("m;a 10\n", "m;b 12\n", "m +0\n  b +12 head\n  a -10 base\n");
}

static void test_absorbed(void)
{
	check("m 10\nm;f 20\n", "m 25\n", "m -5 with f\n");
	check("m 25\n", "m 10\nm;f 20\nm;g 1\n", "m +5 with f\n  g +1 head\n");
	/* A function that was dissolved counts with its own cost: f takes all of the 28, and
	 * nothing is left for h. */
	check("m 10\nm;f 40\nm;f;x 40\nm;h 20\n", "m 38\nm;x 40\n",
	      "m -12 with f\n  h -20 base\n  x +0 via f\n");
	/* Its caller's own cost hardly moved, or the same way. */
	check("m 10\nm;f 20\n", "m 12\n", "m +2\n  f -20 base\n");
	check("m 20\nm;f 20\n", "m 12\n", "m -8\n  f -20 base\n");
	/* With what it calls, less than it costs itself; and with more. */
	check("m 1\nm;f 20\nm;f;x 10\nm;y 3\n", "m 20\nm;y 5\nm;y;x 9\n",
	      "m -1 with f\n  y +2\n    x +9 head\n  x -10 base via f\n");
	check("m 1\nm;f 20\nm;f;x 30\n", "m 20\n", "m +19\n  f -20 base\n    x -30 base\n");
	check("m 1\nm;f 20\nm;f;x 10\nm;g;y 5\n", "m 20\nm;x 7\nm;g;y 5\n",
	      "m -1 with f\n  x -3 via f\n  g +0\n    y +0\n");
	/* What was inlined in two steps. */
	check("m;f;x 60\nm;f 8\nm 1\n", "m;x 60\nm 8\n", "m -1 with f\n  x +0 via f\n");
}

/* As much itself as what it calls, and not quite. */
static void test_mostly_own(void)
{
	check("m 1\nm;f 20\nm;f;x 20\nm;y 3\n", "m 20\nm;y 3\n",
	      "m -1 with f\n  x -20 base via f\n  y +0\n");
	check("m 1\nm;f 20\nm;f;x 21\nm;y 3\n", "m 20\nm;y 3\n",
	      "m +19\n  f -20 base\n    x -21 base\n  y +0\n");
	/* A quarter of what it costs, and less. */
	check("m 10\nm;f 20\n", "m 15\n", "m -15 with f\n");
	check("m 10\nm;f 20\n", "m 14\n", "m +4\n  f -20 base\n");
	check("m 15\n", "m 10\nm;f 20\n", "m +15 with f\n");
	/* One after the other, as long as something is left: 20 for f, and then -6 + 1 for g. */
	check("m 10\nm;f 20\nm;g 4\n", "m 25\n", "m -5 with f\n  g -4 base\n");
	check("m 10\nm;f 20\nm;g 4\n", "m 31\n", "m -3 with f with g\n");
}

/* On all paths, or on none. */
static void test_absorbed_paths(void)
{
	check("a;m 10\nb;m 30\n", "a;m 4\na;m;f 10\nb;m 30\nb;m;f 10\n",
	      "b +0\n  m +10 with f\na +0\n  m +4 with f\n");
	check("a;m 10\nb;m 30\n", "a;m 4\na;m;f 10\nb;m 33\nb;m;f 10\n",
	      "b +0\n  m +3\n    f +10 head\na +0\n  m -6\n    f +10 head\n");
	/* What both sides call is absorbed where only one does, if its caller took over some. */
	check("a;m 10\na;m;f 12\nb;m 30\nb;m;f 8\n", "a;m 22\nb;m 30\nb;m;f 8\n",
	      "b +0\n  m +0\n    f +0\na +0\n  m +0 with f\n");
	check("a;m 10\na;m;f 12\nb;m 30\nb;m;f 8\n", "a;m 12\nb;m 30\nb;m;f 8\n",
	      "a +0\n  m +2\n    f -12 base\nb +0\n  m +0\n    f +0\n");
}

/* How many functions count as their callers', where f of this object came into m of app. */
static size_t absorbed_of(const char *object)
{
	char head[300];

	snprintf(head, sizeof head,
		 "events: Ir\nob=app\nfl=a.c\nfn=m\n1 10\ncob=%s\ncfi=f.c\ncfn=f\ncalls=1 1\n1 20\n"
		 "ob=%s\nfl=f.c\nfn=f\n1 20\n",
		 object, object);
	struct trees t = trees_of("events: Ir\nob=app\nfl=a.c\nfn=m\n1 25\n", head, &instructions,
				  TREE_ALL);
	size_t absorbed = t.tree->nabsorbed;
	trees_free(&t);
	return absorbed;
}

/* No compiler inlines from another file of machine code. */
static void test_absorbed_objects(void)
{
	CHECK_U64(absorbed_of("app"), 1);
	CHECK_U64(absorbed_of("???"), 1);
	CHECK_U64(absorbed_of("libc.so"), 0);
}

/* What was absorbed calls what only the other side had: now both have it. */
static void test_absorbed_callers(void)
{
	check("m 30\nm;g 10\n", "m 10\nm;f 30\nm;f;g 10\nm;f;h 15\n",
	      "m +10 with f\n  h +15 head via f\n  g +0 via f\n");
}

/* Below m, slow became fast, in a file and an object of this name, at these costs; all it calls is
 * the same. */
static bool is_renamed_at(const char *object, const char *file, unsigned slow, unsigned fast)
{
	static const char format[] =
		"events: Ir\nob=app\nfl=app.c\nfn=m\n1 5\ncob=%s\ncfi=%s\ncfn=%s\ncalls=3 1\n1 %u\n"
		"ob=%s\nfl=%s\nfn=%s\n1 %u\ncob=app\ncfi=app.c\ncfn=x\ncalls=3 1\n1 70\n"
		"ob=app\nfl=app.c\nfn=x\n1 70\n";
	char base[1000], head[1000];

	snprintf(base, sizeof base, format, object, file, "slow", 70 + slow, object, file, "slow",
		 slow);
	snprintf(head, sizeof head, format, object, file, "fast", 70 + fast, object, file, "fast",
		 fast);
	struct trees p = trees_of(base, head, &instructions, TREE_RENAME);
	bool renamed = false;
	for (uint32_t i = 1; i < p.tree->count; i++)
		renamed |= p.tree->rows[i].match == DIFF_RENAMED;
	trees_free(&p);
	return renamed;
}

static bool is_renamed(const char *object, const char *file)
{
	return is_renamed_at(object, file, 30, 20);
}

/* Nobody has renamed what was installed, or what came with the compiler. */
static void test_installed(void)
{
	static const char *const places[] = {
		"/usr/include/c++/12/x", "/usr/lib/x",   "/usr/lib64/x",  "/usr/local/include/x",
		"/usr/local/lib/x",      "/usr/share/x", "/lib/x",        "/lib64/x",
		"/nix/store/x",          "/gnu/store/x", "/rustc/90c5/x",
	};

	CHECK(is_renamed("app", "app.c"));
	/* What is the same in everything but its name has two. */
	CHECK(is_renamed_at("/usr/lib/x", "x.c", 30, 30));
	CHECK(!is_renamed_at("/usr/lib/x", "", 30, 30));
	CHECK(is_renamed("/usr/bin/app", "/usr/src/app.c"));
	CHECK(is_renamed("/home/u/lib/app", "/home/u/usr/include/app.c"));
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		test_report(!is_renamed("app", places[i]), false, __FILE__, __LINE__, "file %s",
			    places[i]);
		test_report(!is_renamed(places[i], "app.c"), false, __FILE__, __LINE__, "object %s",
			    places[i]);
	}
}

/* p calls f in base, and has what f cost in head, where it is called twice as often. */
static void write_called(char *text, size_t size, unsigned calls, unsigned self, unsigned f)
{
	size_t used = (size_t)snprintf(
		text, size, "events: Ir\nfn=m\n1 9\ncfn=p\ncalls=%u 1\n1 %u\nfn=p\n1 %u\n", calls,
		self + f, self);
	if (f)
		snprintf(text + used, size - used, "cfn=f\ncalls=%u 1\n1 %u\nfn=f\n1 %u\n", calls,
			 f, f);
}

static void check_called(const unsigned base[3], const unsigned head[3], const char *expected)
{
	char before[500], after[500];
	write_called(before, sizeof before, base[0], base[1], base[2]);
	write_called(after, sizeof after, head[0], head[1], head[2]);
	check_in(&instructions, before, after, expected);
}

/* What a caller's own cost moved is counted for as many calls on both sides. */
static void test_absorbed_per_call(void)
{
	/* 40 a call, then 30: it moved the same way. */
	check_called((unsigned[]){ 10, 400, 40 }, (unsigned[]){ 20, 600, 0 },
		     "m +0\n  p +200\n    f -40 base\n");
	check_called((unsigned[]){ 20, 600, 0 }, (unsigned[]){ 10, 400, 40 },
		     "m +0\n  p -200\n    f +40 head\n");
	/* 40 and 4, then 42 a call. */
	check_called((unsigned[]){ 10, 400, 40 }, (unsigned[]){ 20, 840, 0 },
		     "m +0\n  p +400 with f\n");
	check_called((unsigned[]){ 20, 840, 0 }, (unsigned[]){ 10, 400, 40 },
		     "m +0\n  p -400 with f\n");
	/* 400 in 20 calls, then 260 in 10: 26 instead of 20 + 20 is more, and 260 less than 400. */
	check_called((unsigned[]){ 20, 400, 400 }, (unsigned[]){ 10, 260, 0 },
		     "m +0\n  p -540 with f\n");
	check_called((unsigned[]){ 10, 260, 0 }, (unsigned[]){ 20, 400, 400 },
		     "m +0\n  p +540 with f\n");
}

/* What a function calls of itself, for how it was compiled. */
static void test_own_parts(void)
{
	/* Its costly part was split off, and the rest inlined: with callees, and more expensive. */
	check("m;f 10\nm;f;x 5\n", "m;f_[i] 9\nm;f_[i];f.part.0 30\nm;f_[i];f.part.0;x 7\n",
	      "m +0\n  f +29 inlined\n    x +2\n");
	check("m;f 10\n", "m;f 9\nm;f;f.cold 30\n", "m +0\n  f +29\n");
	/* A recursion that was inlined into itself, and into its caller. */
	check("m;f 50\nm;f;x 6\n",
	      "m;f_[i] 5\nm;f_[i];f 20\nm;f_[i];f;f_[i] 30\nm;f_[i];f;f_[i];x 8\n",
	      "m +0\n  f +5 inlined\n    x +2\n");
	/* Also below what only one side has, and where both sides have it. */
	check("m 5\n", "m 5\nm;f_[i] 1\nm;f_[i];f 10\n", "m +0\n  f +11 head\n");
	check("m;f_[i];f 10\n", "m;f_[i];f 15\n", "m +0\n  f +5\n");
	check("m;f_[i] 1\nm;f_[i];f.part.0 2\nm;f_[i];f.part.0;f_[i] 3\n"
	      "m;f_[i];f.part.0;f_[i];x 4\nm;f_[i];x 1\n",
	      "m;f_[i] 2\nm;f_[i];f.part.0 4\nm;f_[i];f.part.0;f_[i] 6\n"
	      "m;f_[i];f.part.0;f_[i];x 9\n",
	      "m +0\n  f +6\n    x +4\n");
	/* A call that is new, of the function itself, is somebody's decision. */
	check("m;f 10\n", "m;f 10\nm;f;f 5\n", "m +0\n  f +0\n    f +5 head\n");
}

#define LIBRARY(id, calls) \
	"desc: irdiff.env.libc: " id "\nevents: Ir\nob=/lib/libc.so.6\nfn=(1) m\n1 50\n" calls
#define CALLED "cfn=(2) f\ncalls=1 1\n1 5\nfn=(2)\n1 5\n"
#define INLINED "inlined=(1)\nfn=(2) f\n1 4\n"
/* Known on both sides, which inlined functions there are. */
#define ALSO_INLINED "inlined=(1)\nfn=(3) h\n1 1\n"

#define CALLS_F(object, k) \
	"fn=(1)\ncob=" object "\ncfn=(2) f\ncalls=1 1\n1 90\nob=" object "\nfn=(2)\n1 50\n" k
#define CALLS_K "cob=/lib/libc.so.6\ncfn=(4) k\ncalls=1 1\n1 40\nob=/lib/libc.so.6\nfn=(4)\n1 40\n"
#define INLINES_K "ob=/lib/libc.so.6\ninlined=(2)\nfn=(4) k\n1 40\n"

/* Machine code that both sides have inlines nothing that it called, and takes over nothing. */
static void test_same_build(void)
{
	static const char called[] = LIBRARY("1a", CALLED ALSO_INLINED),
			  inlined[] = LIBRARY("1a", INLINED ALSO_INLINED),
			  neither[] = LIBRARY("1a", "1 5\n" ALSO_INLINED);

	check_in(&instructions, called, inlined, "m +0\n  f -5 base\n  f +4 head\n  h +0\n");
	check_in(&instructions, called, LIBRARY("2b", INLINED ALSO_INLINED),
		 "m +0\n  f -1 inlined\n  h +0\n");
	check_in(&instructions, LIBRARY("1a", CALLED), inlined,
		 "m +0\n  h +1 head\n  f -1 inlined\n");
	check_in(&instructions, called, neither, "m +5\n  f -5 base\n  h +0\n");
	check_in(&instructions, called, LIBRARY("2b", "1 5\n" ALSO_INLINED),
		 "m +0 with f\n  h +0\n");
	/* A function in another object on the other side is other code, whichever is base. */
	static const char in_libc[] = LIBRARY("1a",
					      ALSO_INLINED CALLS_F("/lib/libc.so.6", CALLS_K)),
			  in_program[] = LIBRARY("1a", ALSO_INLINED CALLS_F("app", INLINES_K));
	check_in(&instructions, in_libc, in_program,
		 "m +0\n  f +0 renamed f\n    k +0 inlined\n  h +0\n");
	check_in(&instructions, in_program, in_libc,
		 "m +0\n  f +0 renamed f\n    k +0 no longer inlined\n  h +0\n");
}

/* Each object has its own fact; of which one side lacks it, nothing is known. */
static void test_builds(void)
{
	static const char both[] = "desc: irdiff.subject.image: b/app\n"
				   "desc: irdiff.subject.object.libstdc__.so.6: 3c\n"
				   "desc: irdiff.env.ld.so: 4d\nevents: Ir\nfn=m\n1 5\n";
	char base[500], head[500];

	snprintf(base, sizeof base,
		 "desc: irdiff.subject.build_id: 1a\ndesc: irdiff.subject.object.liba.so: 2b\n"
		 "desc: irdiff.env.libc: 5e\n%s",
		 both);
	snprintf(head, sizeof head, "desc: irdiff.subject.build_id: 1b\n%s", both);
	struct trees t = trees_of(base, head, &instructions, TREE_ALL);
	CHECK(same_build_of(t.diff, "libstdc++.so.6"));
	CHECK(same_build_of(t.diff, "ld-linux-x86-64.so.2"));
	CHECK(!same_build_of(t.diff, "app"));
	CHECK(!same_build_of(t.diff, "liba.so"));
	CHECK(!same_build_of(t.diff, "libc.so.6"));
	CHECK(!same_build_of(t.diff, "libcrypto.so.3"));
	CHECK(!same_build_of(t.diff, "???"));
	trees_free(&t);
	/* The program of either side; and what only begins like the C library. */
	snprintf(head, sizeof head,
		 "desc: irdiff.subject.image: app.new\ndesc: irdiff.subject.build_id: 1a\n"
		 "desc: irdiff.env.libc: 5e\nevents: Ir\nfn=m\n1 5\n");
	t = trees_of(base, head, &instructions, TREE_ALL);
	CHECK(same_build_of(t.diff, "app"));
	CHECK(same_build_of(t.diff, "app.new"));
	CHECK(!same_build_of(t.diff, "libc-client.so.2007e"));
	trees_free(&t);
	t = trees_of(base, base, &instructions, TREE_ALL);
	CHECK(same_build_of(t.diff, "app"));
	CHECK(same_build_of(t.diff, "liba.so"));
	CHECK(same_build_of(t.diff, "libc.so.6"));
	trees_free(&t);
}

/* All of a family has new names, and its files are the same: what costs about as much is one
 * function; what costs much more is another algorithm. */
static void test_renamed_family(void)
{
	static const char format[] = "events: Ir\nfl=x\nfn=m\n1 5\ncfn=%s\ncalls=1 1\n1 %u\n"
				     "fn=%s\n1 10\ncfn=%s\ncalls=1 1\n1 %u\nfn=%s\n1 %u\n";
	char base[400], head[400];

	snprintf(base, sizeof base, format, "ccall", 210, "ccall", "run", 200, "run", 200);
	snprintf(head, sizeof head, format, "docall", 240, "docall", "execute", 230, "execute",
		 230);
	struct trees t = trees_of(base, head, &instructions, TREE_ALL);
	CHECK_U64(t.tree->count, 5);
	CHECK_INT(t.tree->rows[2].match, DIFF_RENAMED);
	CHECK_STR(t.tree->rows[2].name, "docall");
	CHECK_STR(t.tree->rows[2].base_name, "ccall");
	trees_free(&t);
	snprintf(head, sizeof head, format, "docall", 410, "docall", "execute", 400, "execute",
		 400);
	t = trees_of(base, head, &instructions, TREE_ALL);
	CHECK_U64(t.tree->count, 6);
	trees_free(&t);
}

/* m calls a leaf of a file so often, at this cost. */
static void leaf_of(char *text, size_t size, const char *file, const char *name, unsigned calls,
		    unsigned cost)
{
	snprintf(
		text, size,
		"events: Ir\nfl=x\nfn=m\n1 5\ncfi=%s\ncfn=%s\ncalls=%u 1\n1 %u\nfl=%s\nfn=%s\n1 %u\n",
		file, name, calls, cost, file, name, cost);
}

static bool is_renamed_leaf(const char *file, unsigned calls, unsigned cost)
{
	char base[400], head[400];

	leaf_of(base, sizeof base, "x", "f", 100, 9000);
	leaf_of(head, sizeof head, file, "g", calls, cost);
	struct trees t = trees_of(base, head, &instructions, TREE_ALL);
	bool renamed = t.tree->count == 3 && t.tree->rows[2].match == DIFF_RENAMED;
	trees_free(&t);
	return renamed;
}

/* A leaf of the same file that is called nearly as often and costs nearly the same. */
static void test_renamed_leaf(void)
{
	CHECK(is_renamed_leaf("x", 100, 9000));
	CHECK(is_renamed_leaf("x", 90, 12000));
	CHECK(is_renamed_leaf("x", 111, 6750));
	CHECK(!is_renamed_leaf("x", 89, 9000));
	CHECK(!is_renamed_leaf("x", 112, 9000));
	CHECK(!is_renamed_leaf("x", 100, 12001));
	CHECK(!is_renamed_leaf("x", 100, 6749));
	CHECK(!is_renamed_leaf("y", 90, 9100));
}

/* What calls itself through a function is one path, as where that is inlined into it. */
static void test_recursion_through(void)
{
	static const char one[] = "m;f 10\nm;f;g_[i] 5\nm;f;g_[i];x 3\n",
			  levels[] = "m;f 4\nm;f;g 3\nm;f;g;f 7\nm;f;g;f;g 4\nm;f;g;f;g;x 2\n"
				     "m;f;g;f;g;f 1\nm;f;g;x 2\n";

	check(one, levels, "m +0\n  f +2\n    g +2 no longer inlined\n      x +1\n");
	check(levels, one, "m +0\n  f -2\n    g -2 inlined\n      x -1\n");
	/* Both sides have levels. */
	check("m;f 1\nm;f;g 2\nm;f;g;f 3\n", "m;f 1\nm;f;g 2\nm;f;g;f 5\n",
	      "m +0\n  f +0\n    g +0\n      f +2\n");
	/* A function between that is not inlined on the other side. */
	check("m;f 1\n", "m;f 1\nm;f;g 2\nm;f;g;f 3\n",
	      "m +0\n  f +0\n    g +2 head\n      f +3 head\n");
}

static void check_exchanged(const char *base, const char *head, const char *expected,
			    const char *exchanged)
{
	check_in(&instructions, base, head, expected);
	check_in(&instructions, head, base, exchanged);
}

/* Contexts do not tell the levels of f, of which a part was split off, from each other. */
static void test_split_recursion(void)
{
	static const char whole[] = "events: Ir\nfn=m\n1 0\ncfn=f'm\n"
				    "calls=1 1\n1 20\nfn=f'm\n1 5\ncfn=f'2'm\ncalls=1 1\n1 15\n"
				    "fn=f'2'm\n1 9\ncfn=x'f'm\ncalls=3 1\n1 6\nfn=x'f'm\n1 6\n";
	static const char parts[] = "events: Ir\nfn=m\n1 0\ncfn=f'm\n"
				    "calls=1 1\n1 24\nfn=f'm\n1 4\ncfn=p'f'm\ncalls=1 1\n1 20\n"
				    "fn=p'f'm\n1 3\ncfn=f'2'p'f'm\ncalls=1 1\n1 17\n"
				    "fn=f'2'p'f'm\n1 8\ncfn=p'2'f'p'f'm\ncalls=1 1\n1 9\n"
				    "fn=p'2'f'p'f'm\n1 3\ncfn=x'p'f'p'f'm\ncalls=3 1\n1 6\n"
				    "fn=x'p'f'p'f'm\n1 6\n";
	static const char once[] = "events: Ir\nfn=m\n1 0\ncfn=f'm\n"
				   "calls=1 1\n1 20\nfn=f'm\n1 14\ncfn=x'f'm\ncalls=3 1\n1 6\n"
				   "fn=x'f'm\n1 6\n";

	check_exchanged(whole, parts, "m +0\n  f +4 with p\n    x +0 via p\n",
			"m +0\n  f -4 with p\n    x +0 via p\n");
	/* Where it did not call itself, that it does is new. */
	check_exchanged(once, parts,
			"m +0\n  f -10\n    p +3 head\n      f +8 head\n        p +3 head\n"
			"          x +6 head\n    x -6 base\n",
			"m +0\n  f +10\n    p -3 base\n      f -8 base\n        p -3 base\n"
			"          x -6 base\n    x +6 head\n");
}

/* The same when base and head are exchanged, but for the signs. */
static void check_mirrored(const char *base, const char *head)
{
	struct trees a = trees_of(base, head, &samples, TREE_ALL);
	struct trees b = trees_of(head, base, &samples, TREE_ALL);
	int64_t sum = 0, mirrored = 0;

	CHECK_U64(a.tree->count, b.tree->count);
	CHECK_U64(a.tree->nabsorbed, b.tree->nabsorbed);
	for (uint32_t i = 0; i < a.tree->count; i++) {
		int64_t delta = a.tree->rows[i].head.self[0] - a.tree->rows[i].base.self[0];
		sum += delta > 0 ? delta : 0;
	}
	for (uint32_t i = 0; i < b.tree->count; i++) {
		int64_t delta = b.tree->rows[i].head.self[0] - b.tree->rows[i].base.self[0];
		mirrored -= delta < 0 ? delta : 0;
	}
	CHECK_INT(sum, mirrored);
	trees_free(&a);
	trees_free(&b);
}

static void test_mirrored(void)
{
	for (int i = test_rounds(1000); i > 0; i--) {
		char base[4000], head[4000];
		random_stacks(base, sizeof base);
		random_stacks(head, sizeof head);
		check_mirrored(base, head);
		struct trees same = trees_of(base, base, &samples, TREE_ALL);
		for (uint32_t k = 0; k < same.tree->count; k++)
			CHECK(same.tree->rows[k].match == DIFF_SAME &&
			      same.tree->rows[k].base.self[0] == same.tree->rows[k].head.self[0]);
		trees_free(&same);
	}
}

/* Tens of thousands of siblings that nothing matches: minutes if each were compared
 * with each. */
static void test_many_siblings(void)
{
	enum { LINE = 40 };
	const size_t siblings = (size_t)test_rounds(50000);
	char *base = calloc(siblings, LINE), *head = calloc(siblings, LINE);
	REQUIRE(base && head);
	for (size_t i = 0, b = 0, h = 0; i < siblings; i++) {
		b += (size_t)snprintf(base + b, LINE, "m;a%zu;x%zu 1\n", i, i % 3);
		h += (size_t)snprintf(head + h, LINE, "m;b%zu;x%zu 1\n", i, i % 3);
	}
	struct trees p = trees_of(base, head, &samples, TREE_ALL);
	CHECK(p.tree->count > siblings);
	trees_free(&p);
	free(base);
	free(head);
}

static void check_other_name(const struct tree_diff *t, bool in_head, const char *name,
			     const char *object, const char *expected)
{
	const struct tree_row *r = tree_find_renamed(t, in_head, name, object);

	CHECK_STR(!r ? "-" : in_head ? r->base_name : r->name, expected);
}

/* Names are in another order in base than in head. */
static void test_find_renamed(void)
{
	static const char *const in_base[] = { "c", "a", "b" }, *const in_head[] = { "x", "z",
										     "y" };
	char base[600] = "events: Ir\n", head[600] = "events: Ir\n";

	for (int i = 0; i < 3; i++) {
		static const char format[] = "ob=o%d\nfn=m%d\n1 9000\ncfn=%s\ncalls=%d 1\n1 %d\n"
					     "fn=%s\n1 %d\n";
		int cost = 1000 * (i + 1), calls = 3 + i;
		snprintf(base + strlen(base), sizeof base - strlen(base), format, i, i, in_base[i],
			 calls, cost, in_base[i], cost);
		snprintf(head + strlen(head), sizeof head - strlen(head), format, i, i, in_head[i],
			 calls, cost, in_head[i], cost);
	}
	struct trees t = trees_of(base, head, &instructions, TREE_ALL);
	CHECK_U64(t.tree->nrenamed, 3);
	for (int i = 0; i < 3; i++) {
		const char object[] = { 'o', (char)('0' + i), '\0' };
		check_other_name(t.tree, false, in_base[i], object, in_head[i]);
		check_other_name(t.tree, true, in_head[i], object, in_base[i]);
		check_other_name(t.tree, false, in_head[i], object, "-");
		check_other_name(t.tree, true, in_head[i], "o9", "-");
	}
	check_other_name(t.tree, false, "", "", "-");
	check_other_name(t.tree, false, "zz", "o0", "-");
	trees_free(&t);
}

TEST_MAIN("tree match", { "inlined", test_inlined }, { "partly inlined", test_partly_inlined },
	  { "spliced", test_spliced }, { "not spliced", test_not_spliced },
	  { "passes", test_passes }, { "deep callees", test_deep_callees },
	  { "renamed", test_renamed }, { "absorbed", test_absorbed },
	  { "absorbed on all paths", test_absorbed_paths },
	  { "absorbed from another object", test_absorbed_objects },
	  { "mostly own", test_mostly_own }, { "absorbed callers", test_absorbed_callers },
	  { "installed", test_installed }, { "absorbed per call", test_absorbed_per_call },
	  { "own parts", test_own_parts }, { "same build", test_same_build },
	  { "builds", test_builds }, { "renamed family", test_renamed_family },
	  { "renamed leaf", test_renamed_leaf },
	  { "names of renamed functions", test_find_renamed },
	  { "recursion through another function", test_recursion_through },
	  { "split recursion", test_split_recursion }, { "mirrored", test_mirrored },
	  { "many siblings", test_many_siblings })
