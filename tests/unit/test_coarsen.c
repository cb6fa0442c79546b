#include "callgrind/coarsen.h"

#include <stdlib.h>

#include "tests/unit/profiles.h"

/* ---- a profile as sorted lines of text, whatever the order of its rows ---- */

struct lines {
	char **text;
	size_t count, cap;
};

static void add(struct lines *l, char *text)
{
	REQUIRE(text != NULL);
	if (l->count == l->cap) {
		l->cap = 2 * l->cap + 16;
		l->text = realloc(l->text, l->cap * sizeof *l->text);
		REQUIRE(l->text != NULL);
	}
	l->text[l->count++] = text;
}

static char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *format(const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	REQUIRE(vasprintf(&text, fmt, ap) >= 0);
	va_end(ap);
	return text;
}

/* A record with all that it is inlined into. */
static char *record_text(const struct cg_profile *p, uint32_t record)
{
	const struct cg_record *r = &p->records[record];
	const struct cg_function *f = &p->functions[r->function];
	char *host = r->inlined_into ? record_text(p, r->inlined_into) : strdup("");
	char *text = format("%s|%s|%s'%" PRIu32 " in (%s)", cg_string(p, f->object),
			    cg_string(p, f->file), cg_string(p, f->name), r->level, host);
	free(host);
	return text;
}

static char *costs_text(const struct cg_profile *p, const int64_t *costs)
{
	char *text = strdup("");

	for (uint32_t e = 0; e < p->nevents; e++) {
		char *longer = format("%s %" PRId64, text, costs[e]);
		free(text);
		text = longer;
	}
	return text;
}

static void add_costs(struct lines *l, const struct cg_profile *p, char *what, const int64_t *costs)
{
	char *numbers = costs_text(p, costs);
	add(l, format("%s:%s", what, numbers));
	free(numbers);
	free(what);
}

static void add_part(struct lines *l, const struct cg_profile *p, const struct cg_part *part)
{
	const int64_t *stated[] = { part->totals, part->summary };
	char *name = format("part %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s %s", part->pid,
			    part->thread, part->number, cg_string(p, part->file),
			    cg_string(p, part->command), cg_string(p, part->trigger));

	for (size_t i = 0; i < 2; i++)
		if (stated[i])
			add_costs(l, p, format("stated %zu of %s", i, name), stated[i]);
	add_costs(l, p, name, part->self);
}

static int compare_texts(const void *left, const void *right)
{
	char *const *a = left, *const *b = right;
	return strcmp(*a, *b);
}

static struct lines describe(const struct cg_profile *p)
{
	struct lines l = { 0 };
	size_t n = p->nevents;

	add(&l,
	    format("%s; %d%d%d%d%d%d%d %" PRIu64 " %" PRIu64 " %" PRIu64, cg_string(p, p->creator),
		   p->has_calls, p->has_lines, p->has_addresses, p->of_addresses, p->has_inlined,
		   p->has_contexts, p->has_levels, p->left_out, p->skipped, p->redefined));
	for (uint32_t i = 0; i < n; i++)
		add(&l, format("event %" PRIu32 " %s, %s, %s", i, cg_string(p, p->events[i].name),
			       cg_string(p, p->events[i].long_name),
			       cg_string(p, p->events[i].formula)));
	for (uint32_t i = 0; i < p->ndescs; i++)
		add(&l, format("desc %s, %s", cg_string(p, p->descs[i].key),
			       cg_string(p, p->descs[i].value)));
	for (uint32_t i = 0; i < p->nparts; i++)
		add_part(&l, p, &p->parts[i]);
	for (uint32_t i = 1; i < p->nrecords; i++)
		add_costs(&l, p, record_text(p, i), p->record_self + i * n);
	for (uint32_t i = 1; i < p->nlines; i++) {
		char *record = record_text(p, p->lines[i].record);
		add_costs(&l, p,
			  format("%s at %s:%" PRIu32 " 0x%" PRIx64, record,
				 cg_string(p, p->lines[i].file), p->lines[i].line,
				 p->lines[i].address),
			  p->line_self + i * n);
		free(record);
	}
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		const struct cg_position at = cg_call_place(p, i);
		char *caller = record_text(p, c->caller), *callee = record_text(p, c->callee);
		add_costs(&l, p,
			  format("%s calls %s at %s:%" PRIu32 " 0x%" PRIx64 " %" PRIu64, caller,
				 callee, cg_string(p, at.file), at.line, at.address, c->count),
			  p->call_cost + i * n);
		free(caller);
		free(callee);
	}
	add_costs(&l, p, strdup("total"), p->total);
	qsort(l.text, l.count, sizeof *l.text, compare_texts);
	return l;
}

static void free_lines(struct lines *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->text[i]);
	free(l->text);
}

/* ---- coarser is what reading again gives ---- */

/* Of what is read with addresses, and up to as many levels as the rest. */
static void check_same(const char *text, const struct cg_read_options *how)
{
	const struct cg_read_options fine = { .detail = { .addresses = true,
							  .max_level = how->detail.max_level } };
	struct cg_profile *p = profile_with(text, strlen(text), &fine), *made = NULL;
	struct cg_profile *read = profile_with(text, strlen(text), how);

	REQUIRE_INT(cg_coarsen(p, how, &made), CG_OK);
	struct lines a = describe(made), b = describe(read);
	for (size_t i = 0; i < a.count && i < b.count; i++)
		CHECK_STR(a.text[i], b.text[i]);
	CHECK_U64(a.count, b.count);
	free_lines(&a);
	free_lines(&b);
	cg_profile_free(p);
	cg_profile_free(made);
	cg_profile_free(read);
}

/* Of o1: 0x0 to 0x3 are of no function that is known, 0x4 to 0x7 are inlined once, the rest twice,
 * every other time elsewhere. f1 of a.c is defined in a file that is nowhere else, f2 of b.c in
 * a.c. */
struct known {
	struct cg_inlines in;
	struct cg_inlines_object object;
	struct cg_frame frames[6];
	uint64_t addresses[12];
	uint32_t frame[12];
	struct cg_inlines_file files[2];
};

static cg_str text_of(struct known *k, const char *text)
{
	cg_str id;
	REQUIRE_INT(cg_strings_add(&k->in.strings, text, strlen(text), &id), CG_OK);
	return id;
}

/* In the order of the texts, in which they are looked for. */
static void know_files(struct known *k)
{
	cg_str f1 = text_of(k, "f1"), f2 = text_of(k, "f2"), a = text_of(k, "a.c");

	k->files[0] = (struct cg_inlines_file){ k->object.path, f1, a, text_of(k, "real.c"), 0, 0 };
	k->files[1] = (struct cg_inlines_file){ k->object.path, f2, text_of(k, "b.c"), a, 0, 0 };
	k->in.files = k->files;
	k->in.nfiles = 2;
}

static void begin_known(struct known *k)
{
	static const char *const names[] = { NULL, "host", "once", "twice", NULL, "elsewhere" };
	*k = (struct known){
		.frames = { [2] = { .parent = 1 }, [3] = { .parent = 2 }, [5] = { .parent = 2 } }
	};
	struct cg_inlines *in = &k->in;

	REQUIRE_INT(cg_strings_init(&in->strings), CG_OK);
	REQUIRE_INT(cg_strings_add(&in->strings, "o1", 2, &k->object.path), CG_OK);
	for (uint32_t i = 1; i < 6; i++)
		if (names[i])
			REQUIRE_INT(cg_strings_add(&in->strings, names[i], strlen(names[i]),
						   &k->frames[i].name),
				    CG_OK);
	REQUIRE_INT(cg_strings_add(&in->strings, "in.h", 4, &k->frames[3].file), CG_OK);
	for (uint32_t i = 0; i < 12; i++) {
		k->addresses[i] = i;
		k->frame[i] = i < 4 ? 1 : i < 8 ? 2 : i % 2 ? 3 : 5;
	}
	in->frames = k->frames;
	in->nframes = 6;
	in->addresses = k->addresses;
	in->frame = k->frame;
	in->naddresses = k->object.count = 12;
	in->objects = &k->object;
	in->nobjects = 1;
	know_files(k);
}

static uint32_t seed = 7;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)seed * n) >> 32);
}

static void put_function(FILE *to, const char *key)
{
	char level[12] = "";
	if (below(3) == 0)
		snprintf(level, sizeof level, "'%u", 2 + (unsigned)below(3));
	fprintf(to, "%sob=o%u\n%sfl=%c.c\n%sfn=f%u%s%s\n", key, (unsigned)below(2), *key ? "" : "",
		(char)('a' + below(2)), key, (unsigned)below(4), below(3) ? "" : ".cold", level);
}

static void put_costs(FILE *to)
{
	fprintf(to, "0x%x %u %u %s%u\n", (unsigned)below(14), 1 + (unsigned)below(5),
		(unsigned)below(900), below(9) ? "" : "-", (unsigned)below(50));
}

static void put_part(FILE *to, unsigned number)
{
	fprintf(to,
		"version: 1\n%spid: 7\npart: %u\ncmd: ./x\ndesc: I1 cache: %u B\n"
		"positions: instr line\nevents: Ir Dr\n",
		below(4) ? "" : "creator: test-1\n", number, number);
	for (uint32_t functions = below(12); functions > 0; functions--) {
		put_function(to, "");
		for (uint32_t lines = below(9); lines > 0; lines--) {
			if (below(5) == 0)
				fprintf(to, "fi=%c.h\n", (char)('a' + below(2)));
			if (below(9) == 0)
				fprintf(to, "cfni=%s\n", below(2) ? "told" : "???");
			if (below(3) == 0) {
				fprintf(to, "cob=o%u\ncfi=%c.c\ncfn=f%u%s\ncalls=%u 0x1 1\n",
					(unsigned)below(2), (char)('a' + below(2)),
					(unsigned)below(4), below(3) ? "" : ".cold",
					(unsigned)below(9));
			}
			put_costs(to);
		}
	}
}

static char *random_text(void)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	for (unsigned parts = 1 + (unsigned)below(3), i = 1; i <= parts; i++)
		put_part(to, i);
	REQUIRE(fclose(to) == 0);
	return text;
}

static void test_random(void)
{
	struct known k;

	begin_known(&k);
	for (int i = 0; i < 400; i++) {
		char *text = random_text();
		const struct cg_read_options ways[] = {
			{ .detail = { .lines = true } },
			{ .detail = { .lines = true, .max_level = 2 } },
			{ .detail = { .max_level = 1 }, .join_cold = true },
			{ .detail = { .lines = true }, .inlines = &k.in, .join_cold = true },
			{ .detail = { .lines = true, .max_level = 2 }, .inlines = &k.in },
			{ .detail = { .addresses = true }, .inlines = &k.in, .join_cold = true },
		};
		for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
			check_same(text, &ways[w]);
		free(text);
	}
	cg_strings_free(&k.in.strings);
}

/* By hand: main calls the cold part of itself, which inlines and calls. */
static void test_by_hand(void)
{
	static const char text[] = "positions: instr line\nevents: Ir\n"
				   "ob=o1\nfl=a.c\nfn=main\n0x0 1 1\n0x4 2 20\n"
				   "cfn=main.cold\ncalls=3 0x9 9\n0x1 5 4300\n"
				   "fn=main.cold\n0x9 9 300\n"
				   "cfn=leaf\ncalls=2 0x20 7\n0x9 9 4000\n"
				   "fn=leaf\n0x20 7 4000\n";
	struct known k;
	begin_known(&k);
	const struct cg_read_options fine = { .detail = { .addresses = true } };
	const struct cg_read_options how = { .detail = { .lines = true },
					     .inlines = &k.in,
					     .join_cold = true };
	struct cg_profile *p = profile_with(text, strlen(text), &fine), *made = NULL;
	int64_t cost;

	REQUIRE_INT(cg_coarsen(p, &how, &made), CG_OK);
	CHECK(!made->has_addresses);
	CHECK_INT(self_of(made, "main", 0), 1);
	CHECK_INT(self_of(made, "once", 0), 20);
	CHECK_INT(self_of(made, "twice", 0), 300);
	CHECK_U64(function_named(made, "main.cold"), 0);
	CHECK_U64(calls_between(made, "main", "main", 0, &cost), 0);
	CHECK_U64(calls_between(made, "twice", "leaf", 0, &cost), 2);
	CHECK_INT(cost, 4000);
	CHECK_INT(made->total[0], 4321);
	cg_profile_free(made);
	cg_profile_free(p);
	cg_strings_free(&k.in.strings);
}

/* Callers, callees and cold parts of o1, but neither other files nor other objects. */
static void test_files(void)
{
	static const char text[] = "positions: instr line\nevents: Ir\n"
				   "ob=o1\nfl=a.c\nfn=f1\n0x0 1 1\n"
				   "cfi=b.c\ncfn=f2\ncalls=3 0x9 9\n0x0 1 20\n"
				   "fl=b.c\nfn=f2\n0x1 1 20\n"
				   "fn=f1\n0x2 1 300\n"
				   "fl=a.c\nfn=f1.cold\n0x3 1 4000\n"
				   "ob=o2\nfn=f1\n0x3 1 50000\n";
	struct known k;
	begin_known(&k);
	const struct cg_read_options fine = { .detail = { .addresses = true } };
	const struct cg_read_options how = { .detail = { .lines = true },
					     .inlines = &k.in,
					     .join_cold = true };
	struct cg_profile *p = profile_with(text, strlen(text), &fine), *made = NULL;

	REQUIRE_INT(cg_coarsen(p, &how, &made), CG_OK);
	CHECK_INT(self_cost(made, function_at(made, "o1", "real.c", "f1"), 0), 4001);
	CHECK_INT(self_cost(made, function_at(made, "o1", "a.c", "f2"), 0), 20);
	CHECK_INT(self_cost(made, function_at(made, "o1", "b.c", "f1"), 0), 300);
	CHECK_INT(self_cost(made, function_at(made, "o2", "a.c", "f1"), 0), 50000);
	REQUIRE_INT(made->ncalls, 2);
	CHECK_U64(made->records[made->calls[1].callee].function,
		  function_at(made, "o1", "a.c", "f2"));
	/* A line is of the file that it stands in. */
	for (uint32_t i = 1; i < made->nlines; i++)
		CHECK(strcmp(cg_string(made, made->lines[i].file), "real.c") != 0);
	cg_profile_free(made);
	cg_profile_free(p);
	check_same(text, &how);
	cg_strings_free(&k.in.strings);
}

static void test_refused(void)
{
	static const char text[] = "positions: instr line\nevents: Ir\nfn=main\n0x1 1 1\n";
	const struct cg_read_options no_addresses = { .detail = { .lines = true } };
	const struct cg_read_options no_calls = { .detail = { .addresses = true,
							      .no_calls = true } };
	const struct cg_read_options contexts = { .detail = { .addresses = true,
							      .contexts = true } };
	struct cg_profile *p = profile_with(text, strlen(text), &no_addresses), *made = NULL;

	CHECK_INT(cg_coarsen(p, &no_addresses, &made), CG_EINVAL);
	cg_profile_free(p);
	p = profile_with(text, strlen(text), &no_calls);
	CHECK_INT(cg_coarsen(p, &no_addresses, &made), CG_EINVAL);
	cg_profile_free(p);
	p = profile_with(text, strlen(text), &contexts);
	CHECK_INT(cg_coarsen(p, &no_addresses, &made), CG_EINVAL);
	CHECK(made == NULL);
	cg_profile_free(p);
}

TEST_MAIN("coarsen", { "random profiles", test_random }, { "by hand", test_by_hand },
	  { "files of functions", test_files }, { "refused", test_refused })
