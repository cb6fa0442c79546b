/*
 * Maps of generated code: at each address the latest line that has it is right, names can be in a
 * profile, and whatever they are, a profile that is read with them keeps its totals.
 */
#include "cgprofile/perf_map.h"

#include "cgprofile/reader.h"
#include "tests/fuzz/fuzz.h"

#define PROBES 64 /* addresses that are looked up one line after the other */

static void check_symbol(const struct cg_perf_symbol *s)
{
	LAW(*s->name, "a function has a name");
	LAW(s->file || !s->line, "a line is of a file");
	LAW(!s->file || *s->file, "a file has a name");
	for (const char *c = s->name; *c; c++)
		LAW((unsigned char)*c >= ' ' && *c != 127 && *c != '\'',
		    "a name has the character %d", *c);
	for (const char *c = s->file ? s->file : ""; *c; c++)
		LAW((unsigned char)*c >= ' ' && *c != 127, "a path has the character %d", *c);
}

/* The function that the last of these lines says is at an address; false: none does. */
static bool find_by_lines(const char *text, uint64_t address, struct cg_perf_symbol *found,
			  struct cg_perf_map **owner)
{
	bool any = false;

	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");
		struct cg_perf_map *one = NULL;
		LAW(!cg_perf_map_parse(line, len, &one), "out of memory");
		const struct cg_perf_symbol *s = cg_perf_map_find(one, address);
		if (s) {
			cg_perf_map_free(*owner);
			*owner = one;
			*found = *s;
			any = true;
		} else {
			cg_perf_map_free(one);
		}
		line += len + (line[len] == '\n');
	}
	return any;
}

static void check_address(const struct cg_perf_map *map, const char *text, uint64_t address)
{
	const struct cg_perf_symbol *s = cg_perf_map_find(map, address);
	struct cg_perf_map *owner = NULL;
	struct cg_perf_symbol expected;
	bool any = find_by_lines(text, address, &expected, &owner);

	LAW(any == (s != NULL), "a function is at %" PRIx64 " or not", address);
	if (s) {
		check_symbol(s);
		LAW(!strcmp(s->name, expected.name) && s->line == expected.line,
		    "%s is not the latest at %" PRIx64, s->name, address);
	}
	cg_perf_map_free(owner);
}

/* Numbers of the text and their neighbours. */
static void check_addresses(const struct cg_perf_map *map, const char *text)
{
	size_t probes = 0;

	for (const char *at = text; *at && probes < PROBES; probes++) {
		char *end;
		uint64_t number = strtoull(at, &end, 16);
		for (uint64_t address = number - 1; address != number + 2; address++)
			check_address(map, text, address);
		at = strchr(end, '\n');
		at = at ? at + 1 : "";
	}
}

static void check_profile(struct cg_perf_map *map)
{
	static const char text[] = "version: 1\n"
				   "creator: callgrind-3.19.0\n"
				   "pid: 1\n"
				   "part: 1\n"
				   "events: Ir\n"
				   "ob=python\n"
				   "fn=_PyEval_EvalFrameDefault'2'0x10'run'0x20'main\n"
				   "1 5\n"
				   "cob=???\n"
				   "cfn=0x30'_PyEval_EvalFrameDefault'0x10'run'0x20'main\n"
				   "calls=1 1\n"
				   "1 6\n"
				   "ob=???\n"
				   "fn=0x30'_PyEval_EvalFrameDefault'0x10'run'0x20'main\n"
				   "1 6\n"
				   "fn=0x10'run'0x20'main\n"
				   "1 7\n"
				   "cob=python\n"
				   "cfn=_PyEval_EvalFrameDefault'2'0x10'run'0x20'main\n"
				   "calls=1 1\n"
				   "1 11\n"
				   "totals: 18\n";
	const struct cg_file_map maps = { "profile", map };

	for (unsigned how = 0; how < 4; how++) {
		const struct cg_read_options options = {
			.detail = { .contexts = how & 1, .lines = true },
			.maps = &maps,
			.nmaps = 1,
			.keep_interpreters = how & 2,
		};
		struct cg_profile *p = NULL;
		struct cg_error err = { 0 };
		uint32_t event;
		int status = cg_read_memory(text, sizeof text - 1, "profile", &options, &p, &err);
		LAW(!status, "the profile cannot be read: %s", err.message);
		LAW(p->total[0] == 18 && cg_part_adds_up(p, p->parts, &event),
		    "the totals are others");
		cg_profile_free(p);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cg_perf_map *map = NULL;
	char *text = text_of(data, size);

	LAW(!cg_perf_map_parse(text, size, &map), "out of memory");
	if (strlen(text) == size)
		check_addresses(map, text);
	check_profile(map);
	cg_perf_map_free(map);
	free(text);
	return 0;
}
