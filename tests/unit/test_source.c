#include "tests/unit/profiles.h"

#include <sys/stat.h>
#include <unistd.h>

#include "src/view/source.h"

/* f: a.c 1: 1, 2: 20 + 300 (two records), in.h 7: 4000, unknown line of a.c: 50000.
 * g: a.c 2: 600000. Calls from f: a.c 2 → g 3x, in.h 7 → g 1x. */
static const char text[] = "creator: callgrind-3.19.0\nevents: Ir Dr\n"
			   "fl=(1) a.c\n"
			   "fn=(1) f\n1 1 9\n2 20\n"
			   "cfn=(2) g\ncalls=2 2\n2 400000\n"
			   "fi=(2) in.h\n7 4000\ncfi=(1)\ncfn=(2)\ncalls=1 2\n7 150000\n"
			   "fe=(1)\n0 50000\n"
			   "fn=(3) f'2\n2 300\ncfn=(2)\ncalls=1 2\n2 50000\n"
			   "fn=(2)\n2 600000\n"
			   "totals: 654321 9\n";

static struct source *source_of(const struct cg_profile *p, const char *only)
{
	bool chosen[8] = { false };
	struct source *s = NULL;
	REQUIRE(p->nfunctions <= 8);
	for (uint32_t f = 1; f < p->nfunctions; f++)
		chosen[f] = !only || strcmp(cg_string(p, p->functions[f].name), only) == 0;
	REQUIRE_INT(source_make(p, chosen, 0, &s, NULL), CG_OK);
	return s;
}

static struct cg_profile *lines_of(const char *profile)
{
	struct cg_read_options options = { .detail = { .lines = true } };
	return profile_with(profile, strlen(profile), &options);
}

static void test_one_function(void)
{
	struct cg_profile *p = lines_of(text);
	struct source *s = source_of(p, "f");

	REQUIRE_U64(s->count, 2);
	const struct source_file *a = &s->files[0], *in = &s->files[1];
	CHECK_STR(cg_string(p, a->file), "a.c");
	CHECK_U64(a->self[0], 50321);
	CHECK_U64(a->self[1], 9);
	REQUIRE_U64(a->nlines, 3);
	CHECK_U64(a->lines[0].line, 0);
	CHECK_U64(a->lines[0].self[0], 50000);
	CHECK_U64(a->lines[1].line, 1);
	CHECK_U64(a->lines[1].self[1], 9);
	CHECK_U64(a->lines[2].line, 2);
	CHECK_U64(a->lines[2].self[0], 320);
	REQUIRE_U64(a->ncalls, 1); /* both levels of f call g from there */
	CHECK_U64(a->calls[0].line, 2);
	CHECK_U64(a->calls[0].callee, function_named(p, "g"));
	CHECK_U64(a->calls[0].count, 3);
	CHECK_U64(a->calls[0].cost[0], 450000);

	CHECK_STR(cg_string(p, in->file), "in.h");
	CHECK_U64(in->self[0], 4000);
	REQUIRE_U64(in->nlines, 1);
	CHECK_U64(in->lines[0].line, 7);
	REQUIRE_U64(in->ncalls, 1);
	CHECK_U64(in->calls[0].count, 1);
	source_free(s);
	cg_profile_free(p);
}

static void test_all_functions(void)
{
	struct cg_profile *p = lines_of(text);
	struct source *s = source_of(p, NULL);
	int64_t sum = 0;

	REQUIRE_U64(s->count, 2);
	for (size_t i = 0; i < s->count; i++)
		sum += s->files[i].self[0];
	CHECK_U64(sum, p->total[0]);
	/* Line 2 of a.c is of f and of g. */
	CHECK_U64(s->files[0].lines[2].self[0], 600320);
	source_free(s);

	s = source_of(p, "nothing");
	CHECK_U64(s->count, 0);
	source_free(s);
	cg_profile_free(p);
}

static void test_without_lines(void)
{
	struct cg_profile *p = profile_of(text);
	bool chosen[8] = { false };
	struct source *s = NULL;
	CHECK_INT(source_make(p, chosen, 0, &s, NULL), CG_EINVAL);
	CHECK(s == NULL);
	cg_profile_free(p);
}

static void test_order_of_files(void)
{
	struct cg_profile *p = lines_of(
		"events: Ir\nfn=f\nfl=z.c\n1 5\nfl=b.c\n1 70\nfl=a.c\n9 5\n");
	struct source *s = source_of(p, NULL);
	REQUIRE_U64(s->count, 3);
	CHECK_STR(cg_string(p, s->files[0].file), "b.c"); /* the costliest first, then by name */
	CHECK_STR(cg_string(p, s->files[1].file), "a.c");
	CHECK_STR(cg_string(p, s->files[2].file), "z.c");
	source_free(s);
	cg_profile_free(p);
}

/* ---- the text ---- */

static char dir[64];

static void make_dir(void)
{
	snprintf(dir, sizeof dir, "/tmp/irdiff-source.XXXXXX");
	REQUIRE(mkdtemp(dir) != NULL);
}

static const char *in_dir(const char *name)
{
	static char path[200];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static void write_file(const char *name, const char *bytes, size_t len)
{
	FILE *f = fopen(in_dir(name), "w");
	REQUIRE(f != NULL);
	REQUIRE_U64(fwrite(bytes, 1, len, f), len);
	fclose(f);
}

static struct source_text find(const char *file)
{
	char other[80];
	snprintf(other, sizeof other, "%s/other", dir);
	const char *dirs[] = { "/nonexistent", other, dir, NULL };
	const struct source_places places = { .dirs = dirs };
	struct source_text t = { .path = NULL };
	REQUIRE_INT(source_text_find(file, &places, &t, NULL), CG_OK);
	return t;
}

static void is_found_at(const char *file, const char *name)
{
	struct source_text t = find(file);
	CHECK_STR(t.path, name ? in_dir(name) : NULL);
	source_text_free(&t);
}

static void test_finding(void)
{
	make_dir();
	mkdir(in_dir("src"), 0777);
	mkdir(in_dir("other"), 0777);
	write_file("src/a.c", "in src\n", 7);
	write_file("b.c", "top\n", 4);
	write_file("other/b.c", "other\n", 6);

	is_found_at("/build/project/src/a.c", "src/a.c"); /* by the end of its path */
	is_found_at("src/a.c", "src/a.c");
	is_found_at("/b.c", "other/b.c"); /* the first directory that has it */
	is_found_at("a.c", NULL);
	is_found_at("/build/lib/a.c", NULL); /* another a.c */
	is_found_at("", NULL);
	is_found_at("src", NULL); /* a directory */
	is_found_at("///", NULL);
	is_found_at(in_dir("b.c"), "other/b.c"); /* as named it is of nobody's */

	struct source_text t;
	REQUIRE_INT(source_text_find(in_dir("src/a.c"), &(struct source_places){ 0 }, &t, NULL),
		    CG_OK);
	CHECK(t.path == NULL);
	CHECK_U64(t.count, 0);
	source_text_free(&t);

	unlink(in_dir("src/a.c"));
	unlink(in_dir("b.c"));
	unlink(in_dir("other/b.c"));
	rmdir(in_dir("src"));
	rmdir(in_dir("other"));
	rmdir(dir);
}

/* ---- which files may be shown ---- */

static bool is_shown(const struct source_places *places, const char *file)
{
	struct source_text t = { .path = NULL };
	REQUIRE_INT(source_text_find(file, places, &t, NULL), CG_OK);
	bool shown = t.path && t.count == 1;
	source_text_free(&t);
	return shown;
}

static void make_hostile_tree(void)
{
	static const char *const directories[] = { "tree", "tree/src", "tree/build", "tree/.git",
						   "treetop" };
	static const char *const files[] = { "tree/src/a.c", "tree/.git/config", "tree/.env",
					     "secret", "treetop/x.c" };
	make_dir();
	for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
		REQUIRE_INT(mkdir(in_dir(directories[i]), 0777), 0);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		write_file(files[i], "text\n", 5);
	REQUIRE_INT(symlink("../secret", in_dir("tree/out.c")), 0);
	REQUIRE_INT(symlink("src/a.c", in_dir("tree/in.c")), 0);
	REQUIRE_INT(symlink(".git/config", in_dir("tree/config.c")), 0);
	REQUIRE_INT(symlink("..", in_dir("tree/up")), 0);
	REQUIRE_INT(symlink("tree", in_dir("also")), 0);
	REQUIRE_INT(mkfifo(in_dir("tree/pipe.c"), 0666), 0);
}

static void remove_hostile_tree(void)
{
	static const char *const names[] = { "tree/src/a.c", "tree/.git/config", "tree/.env",
					     "secret",       "treetop/x.c",      "tree/out.c",
					     "tree/in.c",    "tree/config.c",    "tree/up",
					     "also",         "tree/pipe.c",      "tree/src",
					     "tree/build",   "tree/.git",        "treetop",
					     "tree" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		remove(in_dir(names[i]));
	REQUIRE_INT(rmdir(dir), 0);
}

static void check_hostile_names(const struct source_places *places)
{
	CHECK(!is_shown(places, in_dir("secret")));
	CHECK(!is_shown(places, in_dir("tree/../secret")));
	CHECK(!is_shown(places, in_dir("tree/out.c"))); /* links lead out */
	CHECK(!is_shown(places, in_dir("tree/up/secret")));
	CHECK(!is_shown(places, in_dir("treetop/x.c"))); /* only begins like the tree */
	CHECK(!is_shown(places, in_dir("tree/.git/config")));
	CHECK(!is_shown(places, in_dir("tree/.env")));
	CHECK(!is_shown(places, in_dir("tree/config.c"))); /* a link to a hidden file */
	CHECK(!is_shown(places, in_dir("tree/pipe.c")));   /* nobody writes to it */
	CHECK(!is_shown(places, in_dir("tree/src")));
	CHECK(!is_shown(places, "/etc/passwd"));
	CHECK(!is_shown(places, "/proc/version"));
	CHECK(!is_shown(places, "/dev/null"));
	CHECK(!is_shown(places, ""));
}

static void test_files_of_the_tree(void)
{
	char tree[100], also[100];

	make_hostile_tree();
	snprintf(tree, sizeof tree, "%s/tree", dir);
	snprintf(also, sizeof also, "%s/also", dir);
	const struct source_places places = { .tree = tree }, linked = { .tree = also };
	CHECK(is_shown(&places, in_dir("tree/src/a.c")));
	CHECK(is_shown(&places, in_dir("tree/build/../src/a.c"))); /* as compilers say it */
	CHECK(is_shown(&places, "src/a.c"));
	CHECK(is_shown(&places, in_dir("tree/in.c")));
	CHECK(is_shown(&places, in_dir("also/src/a.c")));
	CHECK(is_shown(&linked, in_dir("tree/src/a.c")));
	check_hostile_names(&places);
	check_hostile_names(&linked);
	check_hostile_names(&(struct source_places){ 0 });
	/* No file of these is a text, though it is below the tree. */
	CHECK(!is_shown(&(struct source_places){ .tree = "/" }, "/proc/version"));
	remove_hostile_tree();
}

static void test_files_of_directories(void)
{
	char tree[100];

	make_hostile_tree();
	snprintf(tree, sizeof tree, "%s/tree", dir);
	const char *dirs[] = { tree, NULL };
	const struct source_places places = { .dirs = dirs };
	CHECK(is_shown(&places, "/elsewhere/src/a.c"));
	CHECK(is_shown(&places, "build/../src/a.c"));
	CHECK(!is_shown(&places, "../secret"));
	CHECK(!is_shown(&places, "up/secret"));
	check_hostile_names(&places);
	remove_hostile_tree();
}

static void test_public_files(void)
{
	char tree[100];

	make_hostile_tree();
	snprintf(tree, sizeof tree, "%s/tree", dir);
	const char *public[] = { tree, NULL };
	const struct source_places places = { .public = public };
	REQUIRE_INT(chmod(in_dir("tree/src/a.c"), 0644), 0);
	CHECK(is_shown(&places, in_dir("tree/src/a.c")));
	CHECK(!is_shown(&places, "/elsewhere/src/a.c")); /* only by its path */
	REQUIRE_INT(chmod(in_dir("tree/src/a.c"), 0640), 0);
	CHECK(!is_shown(&places, in_dir("tree/src/a.c")));
	check_hostile_names(&places);
	remove_hostile_tree();
}

static void check_lines(const char *bytes, size_t len, const char *const *lines, size_t count)
{
	make_dir();
	write_file("x.c", bytes, len);
	struct source_text t = find("x.c");
	CHECK_U64(t.count, count);
	for (size_t i = 0; i < count && i < t.count; i++)
		CHECK_STR(t.lines[i], lines[i]);
	source_text_free(&t);
	unlink(in_dir("x.c"));
	rmdir(dir);
}

#define CHECK_LINES(bytes, ...) \
	check_lines(bytes, sizeof bytes - 1, (const char *const[]){ __VA_ARGS__ }, \
		    sizeof(const char *const[]){ __VA_ARGS__ } / sizeof(char *))

static void test_lines(void)
{
	CHECK_LINES("one\ntwo\n", "one", "two");
	CHECK_LINES("one\ntwo", "one", "two");
	CHECK_LINES("one\r\n\r\ntwo\r\n", "one", "", "two");
	CHECK_LINES("\n\n", "", "");
	CHECK_LINES("nul\0here\nnext\n", "nul", "next"); /* later lines keep their numbers */
	check_lines("", 0, NULL, 0);

	/* Larger than the pieces in which it is read. */
	static char large[200001];
	memset(large, 'x', 200000);
	large[99999] = '\n';
	large[199999] = '\n';
	static char half[100000];
	memset(half, 'x', 99999);
	CHECK_LINES(large, half, half);
}

/* A call from a file in which f has no line of its own. */
static void test_file_of_calls_only(void)
{
	struct cg_profile *p = whole_profile_of(
		"events: Ir\nfl=a.c\nfn=f\n1 50\n"
		"fi=b.c\ncfn=g\ncalls=1 1\n7 30\nfl=g.c\nfn=g\n1 30\n");
	bool chosen[16] = { false };
	chosen[function_named(p, "f")] = true;
	struct source *s = NULL;
	REQUIRE_INT(source_make(p, chosen, 0, &s, NULL), CG_OK);
	REQUIRE_INT((int64_t)s->count, 2);
	CHECK_STR(cg_string(p, s->files[1].file), "b.c");
	CHECK_U64(s->files[1].nlines, 0);
	REQUIRE_INT((int64_t)s->files[1].ncalls, 1);
	CHECK_U64(s->files[1].calls[0].line, 7);
	CHECK_U64(s->files[1].calls[0].cost[0], 30);
	source_free(s);
	cg_profile_free(p);
}

TEST_MAIN("source", { "lines and calls of one function", test_one_function },
	  { "of all functions", test_all_functions },
	  { "a profile without lines", test_without_lines },
	  { "order of files", test_order_of_files }, { "finding files", test_finding },
	  { "files of the work tree", test_files_of_the_tree },
	  { "files of directories that were named", test_files_of_directories },
	  { "files that everybody may read", test_public_files }, { "lines of files", test_lines },
	  { "a file of calls only", test_file_of_calls_only })
