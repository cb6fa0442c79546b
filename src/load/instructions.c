#include "src/load/instructions.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/asm/disassemble.h"
#include "src/diff/metric.h"
#include "src/diff/same_code.h"
#include "src/load/keep_sources.h"
#include "src/load/profile_code.h"
#include "src/store/label.h"

/* ---- machine code ---- */

static bool has_any_address(const struct cg_profile *p)
{
	for (uint32_t i = 1; p->has_addresses && i < p->nlines; i++)
		if (p->lines[i].address)
			return true;
	return false;
}

/* Debug information shows that functions are elsewhere. */
static bool is_other_build(const struct loaded *l, const char *object)
{
	const struct report_inlining *i = &l->inlining.report;

	for (size_t m = 0; m < i->nmissing; m++)
		if (strcmp(i->missing[m].object, object) == 0 &&
		    strcmp(i->missing[m].reason, cg_inlines_state_name(CG_INLINES_OTHER)) == 0)
			return true;
	return false;
}

static void warn_about_newer(const struct loaded *l, const struct notices *n, const char *object)
{
	struct stat st;

	if (l->when && stat(object, &st) == 0 && st.st_mtime > l->written)
		notice_warning(n,
			       "%s was written after %s; its instructions may not be those that "
			       "were measured",
			       object, l->name);
}

static int read_all_code(struct loaded *l, const struct notices *n, struct cg_error *err)
{
	if (profile_code_read(l->profile, SIZE_MAX, &l->code))
		return cg_fail_nomem(err);
	if (l->profile->stray_jumps)
		notice_warning(
			n,
			"%s: the jumps are not shown: some were counted where instructions were "
			"not, as happens with --toggle-collect; measure the whole program",
			l->name);
	for (size_t i = 0; i < l->code.nobjects; i++) {
		struct cg_code_object *o = &l->code.objects[i];
		if (o->state != CG_CODE_FOUND)
			continue;
		if (is_other_build(l, o->path))
			cg_code_refuse(o);
		else
			warn_about_newer(l, n, o->path);
	}
	return CG_OK;
}

/* The code of objects that were too large to be kept, if they are the same now. */
static int read_large_code(struct loaded *l, struct cg_error *err)
{
	struct cg_code now = { 0 };
	bool any = false;

	for (size_t i = 0; i < l->code.nobjects; i++)
		any |= l->code.objects[i].state == CG_CODE_LARGE;
	if (any && profile_code_read(l->profile, SIZE_MAX, &now)) {
		cg_code_free(&now);
		return cg_fail_nomem(err);
	}
	int status = CG_OK;
	for (size_t i = 0; any && !status && i < l->code.nobjects; i++)
		if (l->code.objects[i].state == CG_CODE_LARGE)
			status = cg_code_adopt(&l->code, &l->code.objects[i], &now);
	cg_code_free(&now);
	return status ? cg_fail_nomem(err) : CG_OK;
}

/* irdiff keeps them in another file than that of the profile, and has none of Python. */
static const char *where_addresses_are(const struct loaded *l)
{
	const size_t len = strlen(l->name), end = strlen(LABEL_SUFFIX);
	bool is_file = len > end && strcmp(l->name + len - end, LABEL_SUFFIX) == 0;

	if (metric_is_heap(l->profile))
		return "of a heap, --view=source shows the lines";
	if (!by_irdiff(l->profile))
		return "measure again with irdiff, or with valgrind --dump-instr=yes";
	return is_file ? "irdiff keeps them for the label of the profile: name the label instead of the file"
		       : "measure again with irdiff profile --valgrind-option=--dump-instr=yes";
}

int loaded_read_code(struct loaded *l, const struct notices *n, struct cg_error *err)
{
	if (!has_any_address(l->profile))
		return cg_fail(err, CG_EINVAL, l->name, 0,
			       "the profile has no addresses of instructions; %s",
			       where_addresses_are(l));
	if (asm_ready(err))
		return CG_EIO;
	return l->code.nobjects ? read_large_code(l, err) : read_all_code(l, n, err);
}

/* ---- source lines ---- */

static int compare_texts_by_file(const void *left, const void *right)
{
	const struct line_file *a = left, *b = right;
	return (a->file > b->file) - (a->file < b->file);
}

/* The files of listings, each once, sorted. NULL: out of memory. */
static struct line_file *list_files(const struct asm_listing *const *listings, size_t nlistings,
				    size_t *kept)
{
	struct line_file *files = NULL;
	size_t count = 0, cap = 0;

	for (size_t n = 0; n < nlistings; n++)
		for (size_t i = 0; i < listings[n]->nrows; i++) {
			cg_str file = listings[n]->rows[i].file;
			if (!file || (count && files[count - 1].file == file))
				continue;
			if (cg_grow(&files, &cap, count + 1, sizeof *files)) {
				free(files);
				return NULL;
			}
			files[count++] = (struct line_file){ .file = file };
		}
	if (!files)
		return calloc(1, sizeof *files);
	qsort(files, count, sizeof *files, compare_texts_by_file);
	for (size_t i = 0; i < count; i++)
		if (!*kept || files[*kept - 1].file != files[i].file)
			files[(*kept)++].file = files[i].file;
	return files;
}

int loaded_line_texts(const struct loaded *l, const struct asm_listing *const *listings,
		      size_t nlistings, const char *const *dirs, struct line_texts *out,
		      struct cg_error *err)
{
	size_t count = 0;
	int status = CG_OK;

	*out = (struct line_texts){ .files = list_files(listings, nlistings, &count) };
	if (!out->files)
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < count; i++) {
		struct line_file *f = &out->files[i];
		status = loaded_source_text(l, cg_string(l->profile, f->file), dirs, &f->text, err);
		out->count = i + 1;
	}
	return status;
}

/* ---- functions ---- */

struct function_cost {
	uint32_t function;
	int64_t cost; /* with all that is inlined into it */
};

static int compare_function_costs(const void *left, const void *right)
{
	const struct function_cost *a = left, *b = right;
	int order = cg_compare_sizes(a->cost, b->cost);
	return order ? order : (a->function > b->function) - (a->function < b->function);
}

/* Those whose machine code contains what is chosen, the costliest first. NULL: out of memory. */
static struct function_cost *rank_machine_functions(const struct cg_profile *p, const bool *chosen,
						    uint32_t event, size_t *count)
{
	bool *machine = calloc((size_t)p->nfunctions + 1, sizeof *machine);
	struct function_cost *costs = calloc((size_t)p->nfunctions + 1, sizeof *costs);

	*count = 0;
	if (machine && costs) {
		asm_find_machine_functions(p, chosen, machine);
		for (uint32_t f = 0; f < p->nfunctions; f++)
			costs[f].function = f;
		for (uint32_t r = 1; r < p->nrecords; r++)
			costs[asm_machine_function(p, r)].cost +=
				p->record_self[(size_t)r * p->nevents + event];
		for (uint32_t f = 1; f < p->nfunctions; f++)
			if (machine[f])
				costs[(*count)++] = costs[f];
		qsort(costs, *count, sizeof *costs, compare_function_costs);
	}
	if (!machine) {
		free(costs);
		costs = NULL;
	}
	free(machine);
	return costs;
}

static int list_machine_function(const struct loaded *l, const struct asm_places *places,
				 const bool *chosen, uint32_t f, struct listed_functions *out,
				 struct cg_error *err)
{
	struct asm_listing **listing = &out->listings[out->count];

	if (asm_listing_make(places, &l->code, &f, 1, &out->texts, listing))
		return cg_fail_nomem(err);
	out->items[out->count++] = (struct report_instructions){ *listing, &out->lines, f, chosen };
	return CG_OK;
}

int listed_functions_make(const struct loaded *l, const bool *chosen, size_t top, uint32_t event,
			  const char *const *dirs, struct listed_functions *out,
			  struct cg_error *err)
{
	const struct cg_profile *p = l->profile;
	struct asm_places *places = NULL;
	size_t count = 0;
	struct function_cost *ranked = rank_machine_functions(p, chosen, event, &count);
	size_t shown = top && top < count ? top : count;

	*out = (struct listed_functions){
		.listings = calloc(shown + 1, sizeof *out->listings),
		.items = calloc(shown + 1, sizeof *out->items),
		.hidden = count - shown,
	};
	bool room = ranked && out->listings && out->items;
	int status = room && cg_strings_init(&out->texts) == CG_OK ? CG_OK : cg_fail_nomem(err);
	if (!status && asm_places_make(p, &places))
		status = cg_fail_nomem(err);
	for (size_t i = 0; !status && i < shown; i++)
		status = list_machine_function(l, places, chosen, ranked[i].function, out, err);
	if (!status)
		status = loaded_line_texts(l, (const struct asm_listing *const *)out->listings,
					   out->count, dirs, &out->lines, err);
	asm_places_free(places);
	free(ranked);
	return status;
}

void listed_functions_free(struct listed_functions *l)
{
	for (size_t i = 0; i < l->count; i++)
		asm_listing_free(l->listings[i]);
	line_texts_free(&l->lines);
	free(l->listings);
	free(l->items);
	cg_strings_free(&l->texts);
	*l = (struct listed_functions){ 0 };
}
