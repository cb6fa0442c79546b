/*
 * A file that was cut, wherever it was, is never taken for a whole one: it is refused, or its costs
 * do not add up to what it says, or it is marked as doubtful. What ends after a whole line is a
 * file like any other where the format has neither sum nor end.
 */
#include <unistd.h>

#include "callgrind/compress.h"
#include "tests/unit/profiles.h"

static const char of_callgrind[] =
	"version: 1\ncreator: callgrind-3.19.0\npid: 12\ncmd: ./a b\npart: 1\n\n"
	"desc: I1 cache: 32768 B, 64 B, 8-way associative\ndesc: Trigger: Program termination\n"
	"positions: line\nevents: Ir Dr\nsummary: 1233 103\n\n"
	"ob=(1) /bin/a\nfl=(1) a.c\nfn=(1) main\n10 100 10\n+2 33 3\ncfn=(2) work\ncalls=3 20 \n"
	"* 1100 90\n\nfn=(2)\n20 1000 80\n+1 100 10\n\ntotals: 1233 103\n";
static const char of_cachegrind[] =
	"desc: I1 cache:         32768 B, 64 B, 8-way associative\ncmd: ./a b\nevents: Ir Dr\n"
	"fl=a.c\nfn=main\n10 100 10\n12 33 3\nfn=work\n20 1000 80\n21 100 10\nsummary: 1233 103\n";
static const char of_pprof[] =
	"positions: instr line\nevents: cpu(ms)\n\nob=(1) /bin/a\nfl=(1) a.c\nfn=(1) main\n"
	"0x1000 10 133\ncfl=(1)\ncfn=(2) work\ncalls=0 * 20\n* * 1100\n\nfn=(2)\n+4096 +10 1100\n";
static const char of_xdebug[] =
	"version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.35)\ncmd: a.php\npart: 1\npositions: line\n\n"
	"events: Time_(10ns) Memory_(bytes)\n\nfl=(1) a.php\nfn=(1) work\n20 1100 90\n\nfl=(1)\n"
	"fn=(2) {main}\n10 133 13\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n12 1100 90\n\nsummary: 1240 103\n\n";
static const char of_stacks[] = "main 133\nmain;work 1000\nmain;work;it 100\n";

enum { TOTAL = 1233 };

static bool is_doubtful(const struct cg_profile *p)
{
	uint32_t event;
	for (uint32_t i = 0; i < p->nparts; i++)
		if (p->parts[i].doubt || !cg_part_adds_up(p, &p->parts[i], &event))
			return true;
	return cg_profile_counted_nothing(p);
}

/* Whether `len` bytes are taken for a whole profile of another total. */
static bool misleads(const char *bytes, size_t len)
{
	const struct cg_read_options options = { 0 };
	struct cg_profile *p = NULL;
	if (cg_read_memory(bytes, len, "cut", &options, &p, NULL))
		return false;
	bool wrong = p->total[0] != TOTAL && !is_doubtful(p);
	cg_profile_free(p);
	return wrong;
}

static void cut_everywhere(const char *text, size_t len, bool at_lines)
{
	size_t whole = 0;

	REQUIRE(!misleads(text, len));
	for (size_t n = 1; n < len; n++) {
		if (!at_lines && text[n - 1] == '\n')
			continue;
		test_report(!misleads(text, n), false, __FILE__, __LINE__,
			    "%zu of %zu bytes are taken for all, up to \"%.*s\"", n, len,
			    n < 20 ? (int)n : 20, text + n - (n < 20 ? n : 20));
		whole++;
	}
	CHECK(whole > len / 2);
}

static void test_text(void)
{
	cut_everywhere(of_callgrind, sizeof of_callgrind - 1, true);
	cut_everywhere(of_cachegrind, sizeof of_cachegrind - 1, true);
	cut_everywhere(of_xdebug, sizeof of_xdebug - 1, true);
	cut_everywhere(of_pprof, sizeof of_pprof - 1, false);
	cut_everywhere(of_stacks, sizeof of_stacks - 1, false);
}

static void cut_packed(int (*pack)(FILE *from, FILE *to), const char *text, size_t len)
{
	enum { ROOM = 4096 };
	char packed[ROOM];
	FILE *from = tmpfile(), *to = tmpfile();

	REQUIRE(from && to && fwrite(text, 1, len, from) == len && fseek(from, 0, SEEK_SET) == 0);
	REQUIRE_INT(pack(from, to), CG_OK);
	REQUIRE(fseek(to, 0, SEEK_SET) == 0);
	size_t n = fread(packed, 1, ROOM, to);
	fclose(from);
	fclose(to);
	REQUIRE(n > 20 && n < ROOM);
	cut_everywhere(packed, n, true);
}

static void test_packed(void)
{
	const struct {
		const char *text;
		size_t len;
	} files[] = {
		{ of_callgrind, sizeof of_callgrind - 1 },
		{ of_cachegrind, sizeof of_cachegrind - 1 },
		{ of_pprof, sizeof of_pprof - 1 },
		{ of_stacks, sizeof of_stacks - 1 },
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		cut_packed(cg_compress_gzip, files[i].text, files[i].len);
		cut_packed(cg_compress, files[i].text, files[i].len);
	}
}

static void test_lenient(void)
{
	const struct cg_read_options lenient = { .lenient = true };
	struct cg_profile *p = profile_with(of_cachegrind, sizeof of_cachegrind - 1 - 18, &lenient);
	CHECK_U64(p->total[0], TOTAL);
	CHECK_U64(p->skipped, 1);
	cg_profile_free(p);
	p = profile_with(of_callgrind, sizeof of_callgrind - 1 - 17, &lenient);
	CHECK_U64(p->total[0], TOTAL);
	CHECK_U64(p->skipped, 0); /* the sum in its header says that all is there */
	cg_profile_free(p);
}

TEST_MAIN("cut files", { "text", test_text }, { "packed", test_packed },
	  { "lenient", test_lenient })
