/* Which functions and declarations of two sides were edited, and which use what was. */
#include "src/compare/edited_parts.h"

#include <utime.h>

#include "src/compare/edited_scope.h"
#include "src/load/load.h"
#include "src/view/code.h"
#include "tests/unit/profiles.h"
#include "tests/unit/scratch_files.h"

enum { MOST_FILES = 130 };

/* Sources that were kept with the profiles of base and head. */
struct kept_side {
	struct stored_source items[MOST_FILES];
	struct loaded loaded;
};

static struct kept_side kept[CODE_SIDES];
static struct edited_search search;

static void begin(void)
{
	for (int side = 0; side < CODE_SIDES; side++) {
		kept[side] = (struct kept_side){ 0 };
		kept[side].loaded.sources.items = kept[side].items;
	}
}

static struct stored_source *add(int side, const char *name, const char *text)
{
	struct stored_sources *sources = &kept[side].loaded.sources;
	struct stored_source *item = &sources->items[sources->count++];

	REQUIRE(sources->count <= MOST_FILES);
	*item = (struct stored_source){ name, text, strlen(text), false };
	return item;
}

static void begin_side(int side, const char *functions)
{
	struct edited_side *of = &search.sides[side];
	struct cg_profile *p = profile_of(functions);

	*of = (struct edited_side){ .loaded = &kept[side].loaded, .p = p };
	of->file_of = calloc(p->nfunctions + 1, sizeof *of->file_of);
	of->words = calloc(p->nfunctions + 1, sizeof *of->words);
	of->files = calloc(1, sizeof *of->files);
	of->files_cap = 1;
	REQUIRE(of->file_of && of->words && of->files);
	for (uint32_t i = 1; i < p->nfunctions; i++)
		of->words[i] = code_function_hash(cg_string(p, p->functions[i].name));
}

/* `functions`: of the profile of both sides. */
static void find(const char *functions)
{
	struct cg_error err = { 0 };

	search = (struct edited_search){ 0 };
	begin_side(CODE_BASE, functions);
	begin_side(CODE_HEAD, functions);
	test_report(edited_parts_find(&search, &err) == CG_OK, true, __FILE__, __LINE__, "%s",
		    err.message);
}

static void end(void)
{
	for (int side = 0; side < CODE_SIDES; side++) {
		struct edited_side *of = &search.sides[side];
		for (size_t i = 1; i <= of->nfiles; i++) {
			struct edited_file *f = &of->files[i];
			code_parts_free(&f->parts);
			free(f->edited);
			free(f->by_name);
			free(f->uses);
			free(f->text);
		}
		free(of->files);
		free(of->file_of);
		free(of->words);
		free(of->hashes);
		edited_scope_free(&of->scope);
		cg_index_free(&of->file_index);
		cg_profile_free((struct cg_profile *)of->p);
	}
	for (size_t i = 1; i <= search.nuses; i++)
		free(search.uses[i].name);
	free(search.uses);
	free(search.names);
}

/* Of each part a letter, file by file: changed, used, unknown (?) or none (.); and of functions
 * what they use: "(NAME+1 more, moved)". What is not compared is "-". */
static void describe(int side, char *text, size_t size)
{
	static const char *const letters[] = { ".", "compiled", "?", "u", "c" };
	static const char *const values[] = { "", " moved", " unknown" };
	const struct edited_side *of = &search.sides[side];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 1; i <= of->nfiles; i++) {
		const struct edited_file *f = &of->files[i];
		used += (size_t)snprintf(text + used, size - used, "%s%s", i > 1 ? " " : "",
					 f->covered ? "" : "-");
		for (size_t k = 0; f->covered && k < f->parts.count; k++) {
			used += (size_t)snprintf(text + used, size - used, "%s",
						 letters[f->edited[k]]);
			const struct edited_use *use = f->uses ? &search.uses[f->uses[k]] : NULL;
			if (!use || !f->uses[k])
				continue;
			used += (size_t)snprintf(text + used, size - used, "(%s", use->name);
			if (use->others)
				used += (size_t)snprintf(text + used, size - used, "+%u",
							 use->others);
			used += (size_t)snprintf(text + used, size - used, "%s)",
						 values[use->value]);
		}
	}
}

#define FUNCTIONS "positions: line\nevents: Ir\nfl=a.c\nfn=f\n1 1\n"

static void check_found(unsigned line, const char *base, const char *head)
{
	const char *const expected[] = { base, head };

	find(FUNCTIONS);
	REQUIRE_INT(edited_parts_name_uses(&search), CG_OK);
	for (int side = 0; side < CODE_SIDES; side++) {
		char text[1000];
		describe(side, text, sizeof text);
		test_str(text, expected[side], false, __FILE__, line, side ? "head" : "base");
	}
	end();
}

static void check_texts(unsigned line, const char *base, const char *head, const char *in_base,
			const char *in_head)
{
	begin();
	add(CODE_BASE, "a.c", base);
	add(CODE_HEAD, "a.c", head);
	check_found(line, in_base, in_head);
}

/* One file of each side. */
#define CHECK_EDITS(...) check_texts(__LINE__, __VA_ARGS__)
/* All files that were added. */
#define CHECK_FILES(base, head) check_found(__LINE__, base, head)

#define F(body) "int f(void) { return " body "; }\n"
#define G(body) "int g(void) { return " body "; }\n"

static void test_functions(void)
{
	CHECK_EDITS(F("1"), F("1"), ".", ".");
	CHECK_EDITS(F("1"), F("2"), "c", "c");
	CHECK_EDITS(F("1") G("1"), G("1") "/* moved */\n" F("2"), "c.", ".c");
	CHECK_EDITS(F("1") G("1"), G("1"), "c.", ".");
	/* Who calls what was edited was not. */
	CHECK_EDITS(F("1") G("f()"), F("2") G("f()"), "c.", "c.");
	/* Of two variants of one function. */
	CHECK_EDITS(F("1") F("2"), F("2") F("3"), "c.", ".c");
}

static void test_macros(void)
{
	CHECK_EDITS("#define N 1\n" F("N"), "#define N 2\n" F("N"), "cu(N)", "cu(N)");
	CHECK_EDITS("#define N 1\n" F("M"), "#define N 2\n" F("M"), "c.", "c.");
	/* Each use leads to what was edited itself. */
	CHECK_EDITS("#define M N\n#define N 1\n" F("M"), "#define M N\n#define N 2\n" F("M"),
		    "ucu(N)", "ucu(N)");
	CHECK_EDITS("#define M 1\n#define N 1\n" F("N + M + N"),
		    "#define M 2\n#define N 2\n" F("N + M + N"), "ccu(N+1)", "ccu(N+1)");
	CHECK_EDITS("#define N 1\n" F("1"), F("1"), "c.", ".");
	/* A function that is edited itself has no other reason. */
	CHECK_EDITS("#define N 1\n" F("N"), "#define N 2\n" F("N + 1"), "cc", "cc");
}

static void test_declarations(void)
{
	/* A member has the name of many other things, so that its type counts; who calls a function
	 * is not edited where it is declared. */
	CHECK_EDITS("struct t { int x; };\nint f(struct t *p) { return 1; }\n" G("x"),
		    "struct t { long x; };\nint f(struct t *p) { return 1; }\n" G("x"), "ucu(t).",
		    "ucu(t).");
	CHECK_EDITS("int h(int);\n" F("h(1)"), "int h(long);\n" F("h(1)"), "c.", "c.");
	CHECK_EDITS("int n = 1;\n" F("n"), "int n = 2;\n" F("n"), "cu(n)", "cu(n)");
}

static void test_enumerators(void)
{
	/* What was edited is the new one, and those after it have other values. */
	CHECK_EDITS("enum e { A, B };\n" F("A") G("B"), "enum e { X, A, B };\n" F("A") G("B"),
		    "uccu(A moved)u(B moved)", "ucccu(A moved)u(B moved)");
	CHECK_EDITS("enum e { A = 1, B };\n" F("A") G("B"), "enum e { A = 2, B };\n" F("A") G("B"),
		    "uccu(A)u(B moved)", "uccu(A)u(B moved)");
	/* M may be N. */
	CHECK_EDITS("enum e { A = M, B };\n" F("B"), "enum e { A = N, B };\n" F("B"),
		    "uccu(B unknown)", "uccu(B unknown)");
	CHECK_EDITS("enum e { A, B };\n" F("A + B"), "enum e { X, A, B = 4 };\n" F("A + B"),
		    "uccu(A+1 moved)", "ucccu(A+1 moved)");
	CHECK_EDITS("enum e { A };\n" F("A"), "enum d { X, A };\n" F("A"), "ccu(A)", "cccu(A)");
}

static void test_files(void)
{
	/* Where the file has nothing of its name, the function may be from anywhere. */
	begin();
	add(CODE_BASE, "a.c", F("1"));
	add(CODE_BASE, "b.c", G("1"));
	add(CODE_HEAD, "a.c", "");
	add(CODE_HEAD, "b.c", F("1") G("1"));
	CHECK_FILES(". .", " ..");
	/* A copy of it elsewhere is another function. */
	begin();
	add(CODE_BASE, "a.c", F("1"));
	add(CODE_BASE, "b.c", F("2"));
	add(CODE_HEAD, "a.c", F("2"));
	add(CODE_HEAD, "b.c", F("2"));
	CHECK_FILES("c .", "c .");
	/* In two clones, and only on one side. */
	begin();
	add(CODE_BASE, "/one/src/a.c", F("1"));
	add(CODE_BASE, "/one/only.c", G("1"));
	add(CODE_HEAD, "/two/src/a.c", F("2"));
	CHECK_FILES("- c -", "- c");
	begin();
	add(CODE_BASE, "/one/a.c", F("1"));
	add(CODE_HEAD, "/two/a.c", F("2"));
	CHECK_FILES("- c", "- c");
	begin();
	add(CODE_BASE, "/one/a.c", F("1"));
	add(CODE_HEAD, "/two/a.c", F("2"));
	add(CODE_HEAD, "/three/a.c", F("2"));
	CHECK_FILES("- -", "- - -");
	/* Of several the one that is alike, not the first one. */
	begin();
	add(CODE_BASE, "/one/src/a.c", F("1"));
	add(CODE_HEAD, "/two/b.c", F("2"));
	add(CODE_HEAD, "/two/lib/a.c", F("2"));
	add(CODE_HEAD, "/two/src/a.c", F("1"));
	CHECK_FILES("- .", "- - - .");
	/* What only may have been edited makes nothing more certain. */
	begin();
	add(CODE_BASE, "b.c", "#include N_H\n#define M N\n" F("M"));
	add(CODE_BASE, "n.h", "#define N 1\n");
	add(CODE_HEAD, "b.c", "#include N_H\n#define M N\n" F("M"));
	add(CODE_HEAD, "n.h", "#define N 2\n");
	CHECK_FILES("- ?? c", "- ?? c");
	/* The first word of the first function. */
	begin();
	add(CODE_BASE, "b.c", "#include \"n.h\"\nT f(void) { return 1; }\n");
	add(CODE_BASE, "n.h", "typedef int T;\n");
	add(CODE_HEAD, "b.c", "#include \"n.h\"\nT f(void) { return 1; }\n");
	add(CODE_HEAD, "n.h", "typedef long T;\n");
	CHECK_FILES("- u(T) c", "- u(T) c");
	begin();
	add(CODE_BASE, "a.c", F("1"))->newer = true;
	add(CODE_HEAD, "a.c", F("2"));
	CHECK_FILES("-", "-");
}

/* A source that was not kept: of a profile without any, it is looked for in the work tree. */
static void begin_in_tree(char *tree)
{
	begin();
	for (int side = 0; side < CODE_SIDES; side++)
		kept[side].loaded.tree = tree;
}

/* The profile of head is in this file. */
static void read_head_from(char **profile)
{
	kept[CODE_HEAD].loaded.files.paths = profile;
	kept[CODE_HEAD].loaded.files.count = 1;
}

static void test_not_kept(void)
{
	char *tree = make_directory();
	char *source = write_file(tree, "a.c", F("2"), 0600);
	char *profile = write_file(tree, "p", "", 0600);

	/* The file as it is now may be that of head, but not that of base as well. */
	begin_in_tree(tree);
	CHECK_FILES("-", "-");
	begin_in_tree(tree);
	add(CODE_BASE, "a.c", F("1"));
	CHECK_FILES("c", "c");
	begin_in_tree(tree);
	add(CODE_BASE, "a.c", F("2"));
	CHECK_FILES(".", ".");
	begin_in_tree(tree);
	add(CODE_HEAD, "a.c", F("2"));
	CHECK_FILES("-", "-");
	/* Where others were kept, this one was left out for a reason. */
	begin_in_tree(tree);
	add(CODE_BASE, "a.c", F("1"));
	add(CODE_BASE, "b.c", G("1"));
	add(CODE_HEAD, "b.c", G("1"));
	CHECK_FILES("- .", "- .");
	/* What was written after the profile is not what was measured. */
	for (time_t written = 999; written <= 1001; written++) {
		const char *expected = written > 1000 ? "-" : "c";
		CHECK_INT(utime(profile, &(struct utimbuf){ 1000, 1000 }), 0);
		CHECK_INT(utime(source, &(struct utimbuf){ written, written }), 0);
		begin_in_tree(tree);
		read_head_from(&profile);
		add(CODE_BASE, "a.c", F("1"));
		CHECK_FILES(expected, expected);
	}
	/* Nothing is said of a file that is nowhere. */
	CHECK_INT(unlink(source), 0);
	begin_in_tree(tree);
	add(CODE_BASE, "a.c", F("1"));
	CHECK_FILES("-", "-");
	free(profile);
	free(source);
	remove_tree(tree);
}

/* "#define M3 M2\n#define M2 M1\n#define M1 M0\n" and what M0 is; f uses the last one. */
static char *chain_of(unsigned steps, const char *end)
{
	static char text[2000];
	size_t used = 0;

	for (unsigned i = steps; i > 0; i--)
		used += (size_t)snprintf(text + used, sizeof text - used, "#define M%u M%u\n", i,
					 i - 1);
	snprintf(text + used, sizeof text - used,
		 "#define M0 %s\nint f(void) { return M%u; }\n" G("1"), end, steps);
	char *copy = strdup(text);
	REQUIRE(copy != NULL);
	return copy;
}

/* A longer chain is not followed to its end: what was not reached is not said to be the same. */
static void test_chain(void)
{
	for (unsigned steps = 30; steps <= 31; steps++) {
		char *base = chain_of(steps, "1"), *head = chain_of(steps, "2");
		char expected[100];
		memset(expected, 'u', steps);
		snprintf(expected + steps, sizeof expected - steps, "%s",
			 steps < 31 ? "cu(M0)." : "c??");
		CHECK_EDITS(base, head, expected, expected);
		free(base);
		free(head);
	}
}

/* … nor is what is in a file where nothing was reached at all. */
static void test_chain_to_other_file(void)
{
	char *base = chain_of(31, "1"), *head = chain_of(31, "2");
	const char *const other = "#include \"a.h\"\nint h(void) { return f(); }\n";

	begin();
	add(CODE_BASE, "a.h", base);
	add(CODE_BASE, "b.c", other);
	add(CODE_HEAD, "a.h", head);
	add(CODE_HEAD, "b.c", other);
	find(FUNCTIONS);
	for (size_t i = 2; i <= 3; i++) {
		const struct edited_file *f = &search.sides[CODE_HEAD].files[i];
		REQUIRE(f->parts.count > 0);
		CHECK_INT(f->edited[f->parts.count - 1], EDIT_UNKNOWN);
		CHECK(f->any);
	}
	end();
	free(base);
	free(head);
}

/* Too many of one name to look at each. */
static void test_many(void)
{
	static char names[MOST_FILES][16];

	for (unsigned count = 101; count <= 102; count++) {
		char expected[1000] = "";
		begin();
		for (unsigned i = 0; i < count; i++) {
			snprintf(names[i], sizeof names[i], "%u.c", i);
			add(CODE_BASE, names[i], "#define N 1\n");
			add(CODE_HEAD, names[i], "#define N 2\n");
			strcat(expected, " c");
		}
		add(CODE_BASE, "z.c", F("N"));
		add(CODE_HEAD, "z.c", F("N"));
		strcat(expected, count > 101 ? " ?" : " .");
		expected[0] = '-';
		memmove(expected + 1, expected, strlen(expected) + 1);
		expected[1] = ' ';
		CHECK_FILES(expected, expected);
	}
}

/* Those that use what was edited, or call such a function that has no code of its own. */
static void test_used_functions(void)
{
	const uint32_t f = code_word_hash("f", 1), g = code_word_hash("g", 1),
		       h = code_word_hash("h", 1), i = code_word_hash("i", 1);
	const char *const others = "int h(void) { return g(); }\nint i(void) { return h(); }\n"
				   "int j(void) { return i(); }\n";
	char base[300], head[300];

	snprintf(base, sizeof base, "%s%s", "#define N 1\n" F("1") G("N"), others);
	snprintf(head, sizeof head, "%s%s", "#define N 2\n" F("1") G("N"), others);
	begin();
	add(CODE_BASE, "a.c", base);
	add(CODE_HEAD, "a.c", head);
	find(FUNCTIONS "fn=j\n1 1\nfn=x\n1 1\nfn=i\n1 1\nfn=y\n1 1\nfn=z\n1 1\n");
	const struct edited_file *file = &search.sides[CODE_HEAD].files[1];
	CHECK(!edited_parts_use(&search, file, f) && edited_parts_use(&search, file, g));
	CHECK(!edited_parts_use(&search, file, h));
	REQUIRE_INT(edited_parts_add_functions(&search), CG_OK);
	CHECK(!edited_parts_use(&search, file, f) && edited_parts_use(&search, file, h));
	CHECK(edited_parts_use(&search, file, i));
	/* i was measured, so that what it contains is known. */
	CHECK(!edited_parts_use(&search, file, code_word_hash("j", 1)));
	CHECK(!edited_parts_use(&search, file, code_word_hash("k", 1)));
	end();
}

/* c40 calls c39, and so on; c0 uses what was edited, and may be inlined into all of them. */
static void test_deep_calls(void)
{
	char text[CODE_SIDES][3000];

	begin();
	for (int side = 0; side < CODE_SIDES; side++) {
		size_t used = (size_t)snprintf(text[side], sizeof text[side],
					       "#define N %d\nint c0(void) { return N; }\n", side);
		for (int i = 1; i <= 40; i++)
			used += (size_t)snprintf(text[side] + used, sizeof text[side] - used,
						 "int c%d(void) { return c%d(); }\n", i, i - 1);
		add(side, "a.c", text[side]);
	}
	find(FUNCTIONS);
	REQUIRE_INT(edited_parts_add_functions(&search), CG_OK);
	CHECK(edited_parts_use(&search, &search.sides[CODE_HEAD].files[1],
			       code_word_hash("c40", 3)));
	end();
}

TEST_MAIN("edited parts", { "functions", test_functions }, { "macros", test_macros },
	  { "declarations", test_declarations }, { "enumerators", test_enumerators },
	  { "files", test_files }, { "not kept", test_not_kept }, { "chain", test_chain },
	  { "chain to another file", test_chain_to_other_file }, { "many", test_many },
	  { "used functions", test_used_functions }, { "deep calls", test_deep_calls })
