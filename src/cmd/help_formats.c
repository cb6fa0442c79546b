#include "src/cmd/help_formats.h"

#include <stddef.h>
#include <stdio.h>

#include "src/cli/help.h"

struct format_help {
	const char *name, *text;
};

/* As in "Formats of profiles" in irdiff(1). */
static const struct format_help formats_read[] = {
	{ "callgrind, cachegrind",
	  "Text with headers such as events:, of any origin. Nothing is ignored." },
	{ "DHAT",
	  "JSON with dhatFileVersion: of Valgrind's tool, and of the dhat crate of Rust. The events are "
	  "AllocBlocks, AllocBytes, PeakBytes (when the heap was largest), ReadBytes and WrittenBytes; in the "
	  "mode copy CopiedBytes and Copies, in ad-hoc Units and Events. Lifetimes of blocks, and which of "
	  "their bytes were accessed, are ignored." },
	{ "massif",
	  "Text with desc:, time_unit: and snapshots. The snapshot of the peak, or else the one with a tree "
	  "that has the largest heap, with the event PeakBytes. All other snapshots are ignored." },
	{ "pprof",
	  "A protocol buffer: of Go, Rust and gperftools. Sample types become events, and the default is the "
	  "one that the file names, or else the last one. Reports name their units. Labels of samples and drop_frames are ignored." },
	{ "perf script",
	  "Its text output, which begins with a sample. Each event of perf becomes an event that adds up the "
	  "periods, and samples follows. Times and processors are ignored." },
	{ "speedscope",
	  "JSON with the $schema of speedscope. Times are in nanoseconds. All profiles of a file that have the "
	  "same unit are added up. The order of samples is ignored." },
	{ "Firefox Profiler, samply",
	  "JSON with threads and meta. All threads are added up, with the events samples (or bytes or time, if "
	  "weights are in these) and, if it was recorded, cpu in nanoseconds. Markers, counters and categories are ignored." },
	{ "folded stacks",
	  "Lines such as main;parse;next 120. The event is samples. Comments are ignored." },
};

static const struct format_help formats_written[] = {
	{ "callgrind", "profile, convert; KCachegrind reads it, too" },
	{ "folded stacks", "convert, flame" },
	{ "speedscope, pprof", "convert" },
	{ "text, JSON, CSV", "show, diff, compare, check, merge, report, history" },
	{ "markdown, github, JUnit", "diff, compare, check, merge, report" },
	{ "HTML", "compare, check, merge, report" },
	{ "SVG", "flame" },
};

static const struct format_help formats_refused[] = {
	{ "perf.data", "read what 'perf script' prints of it" },
	{ "Chrome traces, V8 profiles",
	  "open the file in speedscope.app, and export it from there" },
	{ "unprocessed Firefox profiles",
	  "open the file in profiler.firefox.com, and save it from there" },
	{ "recordings of Java (JFR)", "make folded stacks of it with jfrconv of async-profiler" },
	{ "gprof", "measure the program with 'irdiff profile'" },
};

static void print_formats(FILE *to, const char *title, const struct format_help *formats,
			  size_t count, unsigned width)
{
	enum { INDENT = 31 };
	char term[INDENT + 1];

	help_print_text(to, title, width);
	for (size_t i = 0; i < count; i++) {
		snprintf(term, sizeof term, "  %s", formats[i].name);
		help_print_term(to, term, formats[i].text, INDENT, width);
	}
}

#define PRINT_FORMATS(title, list) print_formats(to, title, list, sizeof list / sizeof *list, width)

void help_print_formats(FILE *to)
{
	const unsigned width = help_width();

	PRINT_FORMATS(
		"Profiles that irdiff reads, whatever the names of the files are; files that are "
		"compressed with gzip, zstd or xz are unpacked:",
		formats_read);
	fputc('\n', to);
	PRINT_FORMATS("Profiles that it does not read:", formats_refused);
	fputc('\n', to);
	PRINT_FORMATS("What it writes, and the commands:", formats_written);
	fputc('\n', to);
	help_print_text(to, "For details, see 'man irdiff', 'irdiff convert --help' and the guide.",
			width);
}
