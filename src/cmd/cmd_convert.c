#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/compress.h"
#include "cgprofile/names.h"
#include "cgprofile/writer.h"
#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/output.h"
#include "src/cli/shared_options.h"
#include "src/cmd/command.h"
#include "src/diff/metric.h"
#include "src/load/load.h"
#include "src/load/project.h"
#include "src/load/select_parts.h"
#include "src/load/stacks.h"
#include "src/status/progress.h"

#define FACT "irdiff." /* begins the keys of `desc:` lines that irdiff writes */

struct convert_settings {
	const char *to, *event;
	bool merge, force;
	struct reading_options reading;
};

static const struct command_help help = {
	"convert",
	(const char *const[]){ "IN OUT [OPTIONS]", "--merge IN… OUT [OPTIONS]", NULL },
	"Converts a profile to another format. IN is a file in any format that irdiff reads, a label, or\n"
	"a quoted pattern of files that are one profile. The name of OUT selects the format: folded\n"
	"stacks for .folded and .perf-folded, speedscope for .speedscope.json, pprof for .pb and .pprof,\n"
	"callgrind otherwise. An additional .gz or .zst compresses the file. A name that belongs to\n"
	"another format, such as .svg, requires --to. - is standard output. --merge adds up the costs of\n"
	"several profiles, of any programs.",
	.takes_command = false,
	.main_options = "to event merge force",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "PROFILE…", NULL },
};

static bool parse_convert_options(struct convert_settings *s, int argc, char **argv,
				  struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "to", 0, OPTION_CHOICE, &s->to, "callgrind|folded|speedscope|pprof",
		  "output format (from the name of OUT)" },
		{ "event", 'e', OPTION_TEXT, &s->event, "EVENTS",
		  "events to write as stacks (all; folded: one, Ir or the first)" },
		INLINES_OPTION(&s->reading.inlines),
		{ "merge", 'm', OPTION_SWITCH, &s->merge, NULL, "add up several profiles" },
		SELECTION_OPTIONS(&s->reading.selection),
		{ "force", 0, OPTION_SWITCH, &s->force, NULL, "replace OUT if it exists" },
		{ "lenient", 0, OPTION_SWITCH, &s->reading.lenient, NULL,
		  "skip and count malformed lines" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* ---- the format, from the name of OUT ---- */

struct packing {
	const char *suffix;
	int (*pack)(FILE *from, FILE *to); /* NULL: irdiff cannot write it */
};

static const struct packing packings[] = {
	{ ".gz", cg_compress_gzip },
	{ ".zst", cg_compress },
	{ ".xz", NULL },
	{ ".bz2", NULL },
	{ ".lz4", NULL },
	{ ".br", NULL },
	{ ".zip", NULL },
};

struct convert_format {
	const char *name, *suffix, *other_suffix; /* callgrind files may have any */
	bool tree;                                /* of call paths, in the format below */
	enum stack_format stacks;
};

static const struct convert_format formats[] = {
	{ "callgrind", NULL, NULL, false, 0 },
	{ "folded", ".folded", ".perf-folded", true, STACKS_FOLDED },
	{ "speedscope", ".speedscope.json", NULL, true, STACKS_SPEEDSCOPE },
	{ "pprof", ".pb", ".pprof", true, STACKS_PPROF },
};

enum { NFORMATS = sizeof formats / sizeof *formats };

/* Who writes to these expects another format; --to overrides the name. */
static const char *const foreign[] = { ".json", ".svg", ".html",     ".dot",
				       ".csv",  ".xml", ".collapsed" };

struct converting {
	const struct convert_settings *s;
	const char *const *in;
	size_t nin;
	const char *out;
	const struct convert_format *format;
	const char *foreign;           /* an extension of another format, or NULL */
	const char *unknown;           /* an extension of no known format, or NULL */
	const struct packing *packing; /* NULL: plain */
	struct part_selection selection;
	struct loaded loaded, lines; /* lines: the same with lines, where contexts have none */
};

static bool ends_with(const char *name, size_t len, const char *suffix)
{
	size_t n = suffix ? strlen(suffix) : 0;
	return n && len > n && memcmp(name + len - n, suffix, n) == 0;
}

static const struct convert_format *format_of_name(const char *out, size_t len)
{
	for (size_t i = 0; i < NFORMATS; i++)
		if (ends_with(out, len, formats[i].suffix) ||
		    ends_with(out, len, formats[i].other_suffix))
			return &formats[i];
	return NULL;
}

static const struct convert_format *format_named(const char *name)
{
	for (size_t i = 0; name && i < NFORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

static const char *foreign_suffix(const char *out, size_t len)
{
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (ends_with(out, len, foreign[i]))
			return foreign[i];
	return NULL;
}

/* Callgrind files have many names, by no rule: callgrind.out.123, x.cg.old, base. */
static const char *unknown_suffix(const char *out, size_t len)
{
	static const char *const usual[] = { ".callgrind", ".out", ".cg",   ".lines", ".profile",
					     ".prof",      ".old", ".base", ".head" };
	const char *name = cg_base_name(out), *dot = strrchr(name, '.');

	if (!dot || dot == name || dot >= out + len || !dot[1] || strstr(name, "callgrind") ||
	    strstr(name, ".out.") || strspn(dot, ".0123456789-") == strlen(dot))
		return NULL;
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (ends_with(out, len, usual[i]))
			return NULL;
	return dot;
}

static void choose_format(struct converting *c)
{
	size_t len = strlen(c->out);

	for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
		if (!c->packing && ends_with(c->out, len, packings[i].suffix)) {
			c->packing = &packings[i];
			len -= strlen(packings[i].suffix);
		}
	c->format = c->s->to ? format_named(c->s->to) : format_of_name(c->out, len);
	if (!c->format) {
		c->foreign = foreign_suffix(c->out, len);
		c->unknown = c->packing ? NULL : unknown_suffix(c->out, len);
		c->format = &formats[0];
	}
}

/* False, with *exit_code set, for wrong usage. */
static bool check_conversion(const struct converting *c, int *exit_code)
{
	if (c->nin > 1 && !c->s->merge)
		*exit_code = usage_error(
			"convert", "%zu profiles for one OUT; use --merge to add them up", c->nin);
	else if (c->packing && !c->packing->pack)
		*exit_code = usage_error("convert", "%s: cannot write %s; use .gz or .zst", c->out,
					 c->packing->suffix);
	else if (c->foreign)
		*exit_code = usage_error(
			"convert",
			"%s: cannot write %s; choose callgrind, folded, speedscope or pprof with --to",
			c->out, c->foreign);
	else if (c->s->event && !c->format->tree)
		*exit_code = usage_error(
			"convert",
			"--event requires a format of stacks; callgrind files hold all events");
	else
		return true;
	return false;
}

/* ---- writing ---- */

/* The sum has a fact of irdiff's if all profiles that state it agree. */
static bool is_common(const struct cg_profile *p, const struct cg_desc *fact)
{
	if (strncmp(cg_string(p, fact->key), FACT, sizeof FACT - 1) != 0)
		return false;
	for (uint32_t i = 0; i < p->ndescs; i++)
		if (p->descs[i].key == fact->key && p->descs[i].value != fact->value)
			return false;
	return true;
}

static int write_sum(const struct converting *c, FILE *to)
{
	const struct cg_profile *p = c->loaded.profile;
	const char *(*facts)[2] = calloc((size_t)p->ndescs + 1, sizeof *facts);
	char number[24];
	size_t count = 0;
	if (!facts)
		return CG_ENOMEM;

	snprintf(number, sizeof number, "%zu", c->nin);
	facts[count][0] = FACT "merged";
	facts[count++][1] = number;
	for (uint32_t i = 0; i < p->ndescs; i++)
		if (is_common(p, &p->descs[i]) &&
		    strcmp(cg_string(p, p->descs[i].key), facts[0][0]) != 0) {
			facts[count][0] = cg_string(p, p->descs[i].key);
			facts[count++][1] = cg_string(p, p->descs[i].value);
		}
	struct cg_write_options options = { .creator = CREATOR,
					    .ndescs = count,
					    .descs = (const char *const(*)[2])facts };
	int status = cg_write_callgrind(p, &options, to);
	free(facts);
	return status;
}

/* The creator's name is kept; a file without one gets ours. */
static int write_callgrind(const struct converting *c, FILE *to)
{
	const struct cg_profile *p = c->loaded.profile;
	struct cg_write_options options = { .creator = p->creator ? NULL : CREATOR };
	struct progress *progress = to == stdout
					    ? NULL
					    : progress_begin(&terminal_notices, "writing", c->out);
	int status = c->nin > 1 ? write_sum(c, to) : cg_write_callgrind(p, &options, to);
	progress_end(progress);
	return status;
}

static int write_uncompressed(const struct converting *c, FILE *to, struct cg_error *err)
{
	/* What is written to standard output may be shown on the same terminal. */
	const struct notices notices = { terminal_notices.tell, NULL,
					 to == stdout ? NULL : terminal_notices.display };
	int status;

	if (c->format->tree)
		status = stacks_write(&c->loaded, c->lines.profile, c->format->stacks, c->s->event,
				      to, &notices, err);
	else
		status = write_callgrind(c, to);
	return status == CG_ENOMEM ? cg_fail_nomem(err) : status;
}

static int write_compressed(const struct converting *c, FILE *to, struct cg_error *err)
{
	FILE *plain = tmpfile();
	if (!plain)
		return cg_fail(err, cg_io_status(errno), NULL, 0,
			       "cannot create a temporary file: %s", strerror(errno));
	int status = write_uncompressed(c, plain, err);
	if (!status && (fflush(plain) != 0 || fseek(plain, 0, SEEK_SET) != 0))
		status = CG_EIO;
	struct progress *progress = status ? NULL
					   : progress_begin(&terminal_notices, "compressing",
							    c->out);
	if (!status)
		status = c->packing->pack(plain, to);
	progress_end(progress);
	fclose(plain);
	return status == CG_ENOMEM ? cg_fail_nomem(err) : status;
}

/* Also through another path. */
static bool is_input(const struct converting *c, const struct stat *out)
{
	struct stat st;
	for (size_t i = 0; i < c->nin; i++)
		if (stat(c->in[i], &st) == 0 && st.st_dev == out->st_dev &&
		    st.st_ino == out->st_ino)
			return true;
	return false;
}

/* Who forgets OUT names a profile in its place. */
static int check_replacing(const struct converting *c, struct cg_error *err)
{
	struct stat st;
	if (c->s->force || strcmp(c->out, "-") == 0 || stat(c->out, &st) != 0 ||
	    !S_ISREG(st.st_mode) || st.st_size == 0)
		return CG_OK;
	if (is_input(c, &st))
		return cg_fail(err, CG_EINVAL, c->out, 0,
			       "is one of the inputs; use --force to replace it");
	return cg_fail(err, CG_EINVAL, c->out, 0, "already exists; use --force to replace it");
}

/* ---- what is lost ---- */

static bool converts_samples(const struct converting *c)
{
	const struct cg_profile *p = c->loaded.profile;
	uint64_t samples;

	for (uint32_t e = 0; e < p->nevents; e++)
		if (cg_samples_behind(p, cg_string(p, p->events[e].name), &samples))
			return true;
	return false;
}

static bool knows_places(const struct cg_profile *p)
{
	for (uint32_t f = 1; f < p->nfunctions; f++)
		if (p->functions[f].file || p->functions[f].object)
			return true;
	return false;
}

/* Nobody should find it out later, when the profile itself is gone. */
static void tell_loss(const struct converting *c)
{
	const struct cg_profile *p = c->loaded.profile;
	const char *out = strcmp(c->out, "-") == 0 ? "standard output" : c->out;
	bool calls = metric_has_calls(p), places = knows_places(p);

	if (c->format->tree && c->format->stacks == STACKS_FOLDED && converts_samples(c))
		print_message(
			"%s: folded stacks do not state that counts are sampled; irdiff will take "
			"them as exact",
			out);
	if (!c->format->tree) {
		if (c->nin == 1 && p->nparts > 1)
			print_message("%s: adding up %" PRIu32
				      " parts; irdiff writes callgrind files with one part",
				      out, p->nparts);
	} else if (c->format->stacks == STACKS_FOLDED) {
		if (p->nevents > 1)
			print_message(
				"%s: folded stacks hold one event, and no calls, lines or objects",
				out);
		else if (calls || places)
			print_message("%s: folded stacks hold no calls, lines or objects", out);
	} else if (c->format->stacks == STACKS_SPEEDSCOPE) {
		if (calls || places)
			print_message(
				"%s: speedscope files hold no call counts, costs of lines or objects",
				out);
	} else if (calls || places) {
		print_message("%s: pprof files hold no call counts or costs of lines", out);
	}
}

/* What irdiff keeps of a label has contexts in one file and lines in another. */
static int load_converted_lines(struct converting *c, const struct project *project,
				const struct load_options *contexts, struct cg_error *err)
{
	struct load_options options = *contexts;
	const struct loaded *l = &c->loaded;
	bool stored = l->path && l->files.count == 1 && strcmp(l->path, l->files.paths[0]) != 0;

	if (!stored || !contexts->read.detail.lines)
		return CG_OK;
	options.read.detail.contexts = false;
	options.read.detail.addresses = false;
	options.stored = STORED_LINES;
	return load_profile(project, c->in, c->nin, &options, &c->lines, err);
}

static int convert(struct converting *c, const struct project *project, struct cg_error *err)
{
	bool automatic = strcmp(c->s->reading.inlines, "auto") == 0, tree = c->format->tree;
	bool inlines = automatic ? tree : !inlines_folded(c->s->reading.inlines);
	bool folded = tree && c->format->stacks == STACKS_FOLDED;
	bool pprof = tree && c->format->stacks == STACKS_PPROF;
	struct load_options options = {
		/* Addresses would mislead about a function that is identified only by name. */
		.read = { .lenient = c->s->reading.lenient,
			  .detail = { .contexts = true,
				      .lines = !folded,
				      .addresses = pprof || (!tree && !inlines) },
			  .fold_inlined = !inlines,
			  .keep_interpreters = inlines_interpreters(c->s->reading.inlines),
			  .join_cold = inlines,
			  .selection = &c->selection.chosen },
		.stored = tree      ? STORED_CONTEXTS
			  : inlines ? STORED_LINES
				    : STORED_PLAIN,
		.lookup = inlines_lookup(c->s->reading.inlines),
	};
	struct output out;

	int status = check_replacing(c, err);
	if (!status)
		status = part_selection_parse(&c->s->reading.selection, &c->selection, err);
	c->selection.chosen.merge = c->s->merge;
	if (!status)
		status = load_profile(project, c->in, c->nin, &options, &c->loaded, err);
	if (!status && tree)
		status = load_converted_lines(c, project, &options, err);
	if (!status)
		status = output_open(&out, c->out, "never", true, err);
	if (status)
		return status;
	tell_loss(c);
	status = c->packing ? write_compressed(c, out.to, err) : write_uncompressed(c, out.to, err);
	return output_close(&out, status, err);
}

int cmd_convert(int argc, char **argv)
{
	struct convert_settings s = { .reading.inlines = "auto" };
	struct arguments args = { 0 };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	struct converting c = { .s = &s };
	int exit_code;

	if (!parse_convert_options(&s, argc, argv, &args, &exit_code))
		goto done;
	if (args.count < 2) {
		exit_code = usage_error("convert", "expected IN OUT");
		goto done;
	}
	c.in = (const char *const *)args.operands;
	c.nin = args.count - 1;
	c.out = args.operands[args.count - 1];
	choose_format(&c);
	if (!check_conversion(&c, &exit_code))
		goto done;
	if (c.unknown)
		print_message(
			"%s: unknown extension '%s', writing a callgrind file; for other formats use "
			".folded, .speedscope.json or .pb, or --to",
			c.out, c.unknown);

	int status = project_open(&project, &terminal_notices, &err);
	if (!status)
		status = convert(&c, &project, &err);
	exit_code = status ? print_error(&err) : EXIT_FINE;
done:
	loaded_free(&c.loaded);
	loaded_free(&c.lines);
	part_selection_free(&c.selection);
	project_close(&project);
	free(args.operands);
	return exit_code;
}
