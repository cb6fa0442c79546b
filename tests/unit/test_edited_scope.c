#include "src/compare/edited_scope.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "tests/unit/harness.h"

enum { MOST_FILES = 20 };

static struct edited_file files[MOST_FILES + 1];
static struct edited_side side;

/* As edited_parts_from wants them. */
static int compare_test_parts(const void *left, const void *right, void *context)
{
	const struct code_part *items = context;
	const struct code_part *a = &items[*(const uint32_t *)left];
	const struct code_part *b = &items[*(const uint32_t *)right];

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->function != b->function ? (int)a->function - (int)b->function
					  : (a->first > b->first) - (a->first < b->first);
}

static uint32_t add(const char *name, const char *text)
{
	struct edited_file *f = &files[++side.nfiles];

	REQUIRE(side.nfiles <= MOST_FILES);
	*f = (struct edited_file){ .name = name };
	REQUIRE_INT(code_parts_add(&f->parts, text, strlen(text)), CG_OK);
	f->by_name = calloc(f->parts.count + 1, sizeof *f->by_name);
	REQUIRE(f->by_name != NULL);
	for (uint32_t i = 0; i < f->parts.count; i++)
		f->by_name[i] = i;
	qsort_r(f->by_name, f->parts.count, sizeof *f->by_name, compare_test_parts, f->parts.items);
	return (uint32_t)side.nfiles;
}

static void begin(void)
{
	side = (struct edited_side){ .files = files };
}

static void begin_asking(void)
{
	REQUIRE_INT(edited_scope_make(&side), CG_OK);
}

static void end(void)
{
	edited_scope_free(&side.scope);
	for (size_t i = 1; i <= side.nfiles; i++) {
		code_parts_free(&files[i].parts);
		free(files[i].by_name);
	}
}

/* What N in a file means, if `from` declares it. */
static int ask(uint32_t file, uint32_t from, struct code_word word, struct edited_name name)
{
	word.hash = name.name = code_word_hash("N", 1);
	name.file[CODE_BASE] = from;
	return edited_scope_of(&side, CODE_BASE, file, &word, &name);
}

static int scope_of_type(uint32_t file, uint32_t from)
{
	return ask(file, from, (struct code_word){ 0 }, (struct edited_name){ 0 });
}

static int scope_of_variable(uint32_t file, uint32_t from)
{
	return ask(file, from, (struct code_word){ 0 }, (struct edited_name){ .external = true });
}

static void test_words(void)
{
	const struct edited_name type = { 0 }, macro = { .macro = true };
	struct code_word other = { .hash = 1 };
	struct edited_name name = { .name = 2 };

	begin();
	uint32_t a = add("a.c", ""), d = add("a.d", "");
	begin_asking();
	CHECK_INT(edited_scope_of(&side, CODE_BASE, a, &other, &name), EDIT_NONE);
	CHECK_INT(ask(a, a, (struct code_word){ 0 }, type), EDIT_USED);
	CHECK_INT(ask(a, a, (struct code_word){ .member = true }, type), EDIT_NONE);
	CHECK_INT(ask(a, a, (struct code_word){ .local = true }, type), EDIT_NONE);
	CHECK_INT(ask(a, a, (struct code_word){ .member = true }, macro), EDIT_USED);
	CHECK_INT(ask(a, a, (struct code_word){ .local = true }, macro), EDIT_USED);
	CHECK_INT(ask(a, a, (struct code_word){ .local = true, .parameter = true }, macro),
		  EDIT_NONE);
	CHECK_INT(scope_of_type(d, a), EDIT_USED);
	CHECK_INT(scope_of_type(a, d), EDIT_UNKNOWN);
	end();
}

static void test_inclusions(void)
{
	begin();
	uint32_t a = add("/x/src/a.c", "#include \"a.h\"\n");
	uint32_t header = add("/x/src/a.h", "#include <lib/deep.h>\n");
	uint32_t deep = add("/x/include/lib/deep.h", "");
	uint32_t other = add("/x/src/b.c", "#include <stdio.h>\n#include <src/c.h>\n");
	uint32_t alone = add("/x/other/a.h", "");
	uint32_t beside = add("/x/src/c.h", "");
	begin_asking();
	CHECK_INT(scope_of_type(a, header), EDIT_USED);
	CHECK_INT(scope_of_type(a, deep), EDIT_USED);
	CHECK_INT(scope_of_type(header, deep), EDIT_USED);
	CHECK_INT(scope_of_type(deep, a), EDIT_UNKNOWN);
	CHECK_INT(scope_of_type(deep, header), EDIT_USED);
	CHECK_INT(scope_of_type(deep, alone), EDIT_NONE);
	CHECK_INT(scope_of_type(a, alone), EDIT_NONE);
	CHECK_INT(scope_of_type(a, beside), EDIT_NONE);
	CHECK_INT(scope_of_type(a, other), EDIT_NONE);
	CHECK_INT(scope_of_type(other, beside), EDIT_USED);
	/* stdio.h may include it. */
	CHECK_INT(scope_of_type(other, deep), EDIT_UNKNOWN);
	CHECK_INT(scope_of_type(other, a), EDIT_NONE);
	CHECK_INT(scope_of_type(a, header), EDIT_USED);
	end();
}

/* What is included together. */
static void test_together(void)
{
	begin();
	uint32_t a = add("a.c", "#include \"first.h\"\n#include \"second.h\"\n#include \"a.c\"\n");
	uint32_t first = add("first.h", "#include \"second.h\"\n");
	uint32_t second = add("second.h", "#include \"first.h\"\n");
	uint32_t b = add("b.c", "#include \"third.h\"\n#include \"second.h\"\n");
	uint32_t third = add("third.h", "");
	begin_asking();
	CHECK_INT(scope_of_type(second, first), EDIT_USED);
	CHECK_INT(scope_of_type(second, third), EDIT_USED);
	CHECK_INT(scope_of_type(second, b), EDIT_UNKNOWN);
	CHECK_INT(scope_of_type(third, first), EDIT_USED);
	CHECK_INT(scope_of_type(a, third), EDIT_NONE);
	CHECK_INT(scope_of_type(a, a), EDIT_USED);
	CHECK_INT(scope_of_type(third, a), EDIT_NONE);
	end();
}

/* Which of several files an #include means. */
static void test_which_file(void)
{
	begin();
	uint32_t a = add("src/a.c", "#include \"config.h\"\n");
	uint32_t b = add("src/b.c", "#include <config.h>\n");
	uint32_t c = add("src/c.c", "#include \"../config.h\"\n");
	uint32_t d = add("src/d.c", "#include CONFIG\n");
	uint32_t e = add("src/e.c", "#include \"./config.h\"\n");
	uint32_t m = add("src/m.m", "#import \"config.h\"\n");
	uint32_t inner = add("src/config.h", ""), outer = add("config.h", "");
	uint32_t last = add("src/last.c", "#include \"config.h\"\n");
	begin_asking();
	CHECK_INT(scope_of_type(a, inner), EDIT_USED);
	CHECK_INT(scope_of_type(a, outer), EDIT_NONE);
	CHECK_INT(scope_of_type(b, inner), EDIT_USED);
	CHECK_INT(scope_of_type(b, outer), EDIT_USED);
	CHECK_INT(scope_of_type(c, outer), EDIT_USED);
	CHECK_INT(scope_of_type(d, inner), EDIT_UNKNOWN);
	CHECK_INT(scope_of_type(e, inner), EDIT_USED);
	CHECK_INT(scope_of_type(e, outer), EDIT_NONE);
	CHECK_INT(scope_of_type(last, inner), EDIT_USED);
	CHECK_INT(scope_of_type(m, inner), EDIT_USED);
	CHECK_INT(scope_of_type(m, outer), EDIT_NONE);
	end();
}

/* Of very many that have its name. */
static void test_many_files(void)
{
	static const char *const names[] = { "1/a.h", "2/a.h", "3/a.h", "4/a.h", "5/a.h",
					     "6/a.h", "7/a.h", "8/a.h", "9/a.h" };
	uint32_t last = 0;

	begin();
	uint32_t a = add("a.c", "#include \"a.h\"\n");
	for (size_t i = 0; i < 8; i++)
		last = add(names[i], "");
	begin_asking();
	CHECK_INT(scope_of_type(a, last), EDIT_USED);
	edited_scope_free(&side.scope);
	side.scope = (struct edited_scope){ 0 };
	last = add(names[8], "");
	begin_asking();
	CHECK_INT(scope_of_type(a, last), EDIT_UNKNOWN);
	end();
}

static void test_variables(void)
{
	begin();
	uint32_t definition = add("n.c", "int N = 1;\n");
	uint32_t a = add("a.c", "#include \"n.h\"\n");
	uint32_t header = add("n.h", "extern int N;\n");
	uint32_t b = add("b.c", "#include \"b.h\"\n");
	add("b.h", "static int N;\nint N(void) { return 1; }\nint M;\n");
	uint32_t itself = add("c.c", "extern int N;\n");
	uint32_t last = add("d.c", "#include \"d.h\"\n");
	add("d.h", "static int N;\nextern int N;\n");
	begin_asking();
	CHECK_INT(scope_of_variable(a, definition), EDIT_USED);
	CHECK_INT(scope_of_variable(header, definition), EDIT_USED);
	CHECK_INT(scope_of_type(a, definition), EDIT_NONE);
	CHECK_INT(scope_of_variable(b, definition), EDIT_NONE);
	CHECK_INT(scope_of_variable(itself, definition), EDIT_USED);
	CHECK_INT(scope_of_variable(last, definition), EDIT_USED);
	end();
}

static void test_scopes_of_rust(void)
{
	const struct edited_name item = { .exported = true };
	const struct code_word word = { 0 };

	begin();
	uint32_t lib = add("/x/src/lib.rs", ""), a = add("/x/src/a.rs", "");
	uint32_t in_a = add("/x/src/a/in.rs", ""), b = add("/x/src/b/mod.rs", "");
	uint32_t in_b = add("/x/src/b/in.rs", ""), ab = add("/x/src/ab.rs", "");
	uint32_t c = add("/x/src/c.h", "");
	begin_asking();
	CHECK_INT(ask(a, in_b, word, item), EDIT_USED);
	CHECK_INT(scope_of_type(a, lib), EDIT_UNKNOWN);
	CHECK_INT(scope_of_type(in_a, a), EDIT_UNKNOWN);
	CHECK_INT(scope_of_type(in_b, b), EDIT_UNKNOWN);
	CHECK_INT(scope_of_type(in_b, a), EDIT_NONE);
	CHECK_INT(scope_of_type(ab, a), EDIT_NONE);
	CHECK_INT(scope_of_type(a, b), EDIT_NONE);
	CHECK_INT(scope_of_type(lib, a), EDIT_NONE);
	CHECK_INT(scope_of_type(a, c), EDIT_NONE);
	CHECK_INT(scope_of_type(c, a), EDIT_NONE);
	end();
}

/* A text that is made to take very long. */
static void test_steps(void)
{
	begin();
	uint32_t a = add("a.c", "#include \"n.h\"\n"), b = add("n.h", "static int N, N;\n");
	uint32_t c = add("c.c", "int N;\n");
	begin_asking();
	CHECK_INT(scope_of_variable(a, c), EDIT_NONE);
	CHECK_INT(scope_of_type(a, b), EDIT_USED);
	uint64_t before = side.scope.steps;
	scope_of_variable(a, c);
	CHECK(side.scope.steps > before + side.nfiles);
	side.scope.steps = UINT32_MAX;
	CHECK_INT(scope_of_type(a, b), EDIT_UNKNOWN);
	CHECK_INT(scope_of_variable(a, c), EDIT_UNKNOWN);
	end();
}

TEST_MAIN("which declaration a name means", { "words", test_words },
	  { "what a file includes", test_inclusions }, { "included together", test_together },
	  { "which file is included", test_which_file }, { "many files", test_many_files },
	  { "variables", test_variables }, { "items of Rust", test_scopes_of_rust },
	  { "steps", test_steps })
