#include "callgrind/inlines_dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/inlines_cache.h"
#include "callgrind/inlines_dwarf_code.h"
#include "callgrind/inlines_dwarf_entries.h"
#include "callgrind/inlines_dwarf_names.h"
#include "callgrind/inlines_dwarf_places.h"
#include "callgrind/inlines_dwarf_starts.h"
#include "callgrind/inlines_frames.h"
#include "callgrind/producer_list.h"
#include "callgrind/producers.h"
#include "callgrind/support/beneath.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "cgprofile/names.h"

/* A function that DIEs point at, and how it is called. */
struct dwarf_origin {
	const void *die;
	cg_str name, file;
	uint32_t line;
};

/* An entry on the way to the one being looked at, and the frame around it. */
struct dwarf_level {
	Dwarf_Die die;
	uint32_t frame;
};

struct dwarf_range {
	uint64_t low, high;
};

struct resolving {
	struct cg_inlines *in;
	struct cg_inlines_object *object;
	const char *cache;         /* a directory; NULL: none */
	const uint64_t *addresses; /* of the object, ascending */
	uint32_t *frame;           /* of each of them, so far */
	uint32_t count;
	struct dwarf_range *code; /* that the object loads to execute */
	size_t ncode;
	struct dwarf_origin *origins; /* row 0 unused */
	size_t norigins, origins_cap;
	struct cg_index origin_index;
	struct dwarf_level *levels;
	size_t nlevels, levels_cap;
	const char *last;           /* entry that was entered */
	bool elsewhere;             /* some of it is in other files: places are not of one file */
	struct cg_branch *branches; /* of each address; NULL: not asked for */
};

/* ---- names ---- */

static int dwarf_add_text(struct resolving *r, const char *text, cg_str *id)
{
	*id = 0;
	return text && *text ? cg_strings_add(&r->in->strings, text, strlen(text), id) : CG_OK;
}

static int dwarf_find_name(struct resolving *r, Dwarf_Die *die, cg_str *name)
{
	char *made;
	int status = cg_dwarf_name(die, &made);
	if (!status)
		status = dwarf_add_text(r, made, name);
	free(made);
	return status;
}

/* The file that an attribute names; 0: unknown. */
static int dwarf_find_file(struct resolving *r, Dwarf_Die *die, unsigned attribute, cg_str *id)
{
	char *path;
	int status = cg_dwarf_find_file(die, attribute, &path);
	if (!status)
		status = dwarf_add_text(r, path, id);
	free(path);
	return status;
}

static bool dwarf_same_origin(const void *context, uint32_t id)
{
	const struct resolving *r = context;
	return r->origins[id].die == r->origins[0].die;
}

/* The function that a DIE is an instance of. */
static int find_origin(struct resolving *r, Dwarf_Die *die, struct dwarf_origin *found)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin = *die;
	if (dwarf_attr(die, DW_AT_abstract_origin, &attribute) &&
	    !dwarf_formref_die(&attribute, &origin))
		origin = *die;
	uintptr_t address = (uintptr_t)origin.addr;
	uint32_t hash = (uint32_t)cg_hash_mix(1, address);

	if (cg_grow(&r->origins, &r->origins_cap, r->norigins + 2, sizeof *r->origins) ||
	    cg_index_reserve(&r->origin_index))
		return CG_ENOMEM;
	r->origins[0].die = origin.addr;
	uint32_t id = cg_index_find(&r->origin_index, hash, dwarf_same_origin, r);
	if (!id) {
		Dwarf_Die place;
		cg_dwarf_place(&origin, &place);
		struct dwarf_origin made = { .die = origin.addr,
					     .line = cg_dwarf_find_line(&place, DW_AT_decl_line) };
		int status = dwarf_find_name(r, &origin, &made.name);
		if (!status)
			status = dwarf_find_file(r, &place, DW_AT_decl_file, &made.file);
		if (status)
			return status;
		id = (uint32_t)++r->norigins;
		r->origins[id] = made;
		cg_index_insert(&r->origin_index, hash, id);
	}
	*found = r->origins[id];
	return CG_OK;
}

/* ---- ranges ---- */

/* Linkers leave the debug information of code that they dropped: it lies at 0, at
 * the end of the address space, or anywhere else where no code is. */
static bool is_code(const struct resolving *r, const struct dwarf_range *range)
{
	for (size_t i = 0; range->low < range->high && i < r->ncode; i++)
		if (range->low >= r->code[i].low && range->low < r->code[i].high)
			return true;
	return false;
}

/* Where an inlined function is called: without a line, nowhere. */
static int dwarf_find_call(struct resolving *r, Dwarf_Die *die, struct cg_frame *frame)
{
	frame->call_line = cg_dwarf_find_line(die, DW_AT_call_line);
	return frame->call_line ? dwarf_find_file(r, die, DW_AT_call_file, &frame->call_file)
				: CG_OK;
}

static int dwarf_add_frame(struct resolving *r, Dwarf_Die *die, uint32_t parent, uint32_t *frame)
{
	struct dwarf_origin origin = { 0 };
	struct cg_dwarf_starts starts = { 0 };
	int status = find_origin(r, die, &origin);
	struct cg_frame made = { .parent = parent,
				 .name = origin.name,
				 .file = origin.file,
				 .line = origin.line,
				 .entry = dwarf_dieoffset(die) };

	if (!status && parent)
		status = dwarf_find_call(r, die, &made);
	if (!status && parent)
		status = cg_dwarf_find_starts(die, &starts);
	if (!status)
		status = cg_inlines_add_starts(r->in, &made, starts.addresses, starts.count);
	free(starts.addresses);
	return status ? status : cg_inlines_add_frame(r->in, &made, frame);
}

/* Whether `frame` is `around`, or is inlined into it. Ranges may leave those of the
 * function around them, or that has none. */
static bool is_inside(const struct resolving *r, uint32_t frame, uint32_t around)
{
	while (around && frame > around)
		frame = r->in->frames[frame].parent;
	return frame == around;
}

static int claim_range(struct resolving *r, Dwarf_Die *die, uint32_t parent,
		       const struct dwarf_range *range, uint32_t *frame)
{
	int status = CG_OK;

	for (uint32_t i = cg_inlines_first_from(r->addresses, r->count, range->low);
	     !status && i < r->count && r->addresses[i] < range->high; i++) {
		if (!is_inside(r, parent, r->frame[i]))
			continue;
		if (!*frame)
			status = dwarf_add_frame(r, die, parent, frame);
		r->frame[i] = *frame;
	}
	return status;
}

/* Gives the addresses in the ranges of a function, which so far belonged to the functions around
 * it, to a new frame; *frame is that frame, or 0 if no address is in the ranges. */
static int claim_addresses(struct resolving *r, Dwarf_Die *die, uint32_t parent, uint32_t *frame)
{
	Dwarf_Addr base;
	struct dwarf_range range;
	ptrdiff_t next = 0;
	bool any = false;
	int status = CG_OK;

	*frame = 0;
	while (!status && (next = dwarf_ranges(die, next, &base, &range.low, &range.high)) > 0) {
		any = true;
		if (is_code(r, &range))
			status = claim_range(r, die, parent, &range, frame);
	}
	/* DWARF 2 has no ranges: those of what is inlined into it have to do. */
	if (!status && !any && parent)
		status = dwarf_add_frame(r, die, parent, frame);
	return status;
}

/* Whether a unit has code at one of the addresses. Some units do not record their addresses. */
static bool is_touched(const struct resolving *r, Dwarf_Die *unit)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t next = 0;
	bool any = false;

	while ((next = dwarf_ranges(unit, next, &base, &low, &high)) > 0) {
		uint32_t i = cg_inlines_first_from(r->addresses, r->count, low);
		if (i < r->count && r->addresses[i] < high)
			return true;
		any |= low < high;
	}
	return !any;
}

/* ---- the tree of entries ---- */

static bool may_hold_code(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return true;
	default:
		return cg_dwarf_is_scope(tag);
	}
}

static int dwarf_push(struct resolving *r, const Dwarf_Die *die, uint32_t frame)
{
	if (cg_grow(&r->levels, &r->levels_cap, r->nlevels + 1, sizeof *r->levels))
		return CG_ENOMEM;
	r->levels[r->nlevels++] = (struct dwarf_level){ *die, frame };
	return CG_OK;
}

/* The frame that the entries below one are in. */
static int dwarf_enter(struct resolving *r, struct dwarf_level *level, int tag, uint32_t *frame)
{
	*frame = level->frame;
	if (tag == DW_TAG_subprogram)
		return claim_addresses(r, &level->die, 0, frame);
	if (tag == DW_TAG_inlined_subroutine && level->frame)
		return claim_addresses(r, &level->die, level->frame, frame);
	return CG_OK;
}

/* Entries follow one another. Damaged ones can lead back, and never to an end. */
static bool dwarf_is_next(struct resolving *r, int found, const Dwarf_Die *die)
{
	if (found > 0)
		return false;
	if (found == 0 && (const char *)die->addr > r->last)
		return true;
	r->object->state = CG_INLINES_DAMAGED;
	return false;
}

/* To the next sibling of the top level, or of the first one above it that has one. */
static void dwarf_go_on(struct resolving *r)
{
	while (r->nlevels) {
		Dwarf_Die next, *die = &r->levels[r->nlevels - 1].die;
		if (dwarf_is_next(r, dwarf_siblingof(die, &next), &next)) {
			*die = next;
			return;
		}
		r->nlevels--;
	}
}

static int dwarf_walk(struct resolving *r, Dwarf_Die *unit)
{
	Dwarf_Die child;
	r->nlevels = 0;
	r->last = unit->addr;
	int status = dwarf_is_next(r, dwarf_child(unit, &child), &child) ? dwarf_push(r, &child, 0)
									 : CG_OK;

	while (!status && r->nlevels) {
		struct dwarf_level *top = &r->levels[r->nlevels - 1];
		int tag = dwarf_tag(&top->die);
		uint32_t frame = 0;
		r->last = top->die.addr;
		status = dwarf_enter(r, top, tag, &frame);
		if (!status && may_hold_code(tag) &&
		    dwarf_is_next(r, dwarf_child(&top->die, &child), &child))
			status = dwarf_push(r, &child, frame);
		else
			dwarf_go_on(r);
	}
	return status;
}

static int walk_units(struct resolving *r, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split;
	uint8_t type;
	int status = CG_OK, more;

	while (!status &&
	       (more = dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, &split)) == 0) {
		if (type == DW_UT_type || type == DW_UT_split_type || type == DW_UT_partial ||
		    !is_touched(r, &die))
			continue;
		bool elsewhere = type == DW_UT_skeleton;
		r->elsewhere |= elsewhere;
		if (elsewhere && dwarf_tag(&split) == DW_TAG_invalid)
			r->object->state = CG_INLINES_SPLIT;
		else
			status = dwarf_walk(r, elsewhere ? &split : &die);
	}
	if (!status && more < 0)
		r->object->state = CG_INLINES_DAMAGED;
	return status;
}

/* ---- objects ---- */

static int dwarf_find_code(struct resolving *r, Dwfl_Module *module)
{
	GElf_Addr bias;
	GElf_Phdr header;
	size_t count = 0;
	Elf *elf = dwfl_module_getelf(module, &bias);
	if (!elf || elf_getphdrnum(elf, &count) != 0)
		return CG_OK;

	r->code = calloc(count + 1, sizeof *r->code);
	if (!r->code)
		return CG_ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    (header.p_flags & PF_X))
			r->code[r->ncode++] = (struct dwarf_range){
				header.p_vaddr, header.p_vaddr + header.p_memsz
			};
	return CG_OK;
}

static int find_build_id(struct resolving *r, Dwfl_Module *module)
{
	enum { MOST = 64 };
	static const char digits[] = "0123456789abcdef";
	const unsigned char *bytes;
	GElf_Addr address;
	char text[2 * MOST];
	int len = dwfl_module_build_id(module, &bytes, &address);
	if (len <= 0 || len > MOST)
		return CG_OK;
	for (int i = 0; i < len; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	return cg_strings_add(&r->in->strings, text, 2 * (size_t)len, &r->object->build_id);
}

/* Whether all names could be found; some may be in a separate file (dwz). */
static bool dwarf_is_complete(const struct resolving *r, Dwarf *dwarf)
{
	const char *name;
	const void *id;

	return !r->elsewhere &&
	       (dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) <= 0 || dwarf_getalt(dwarf));
}

static int read_module(struct resolving *r, Dwfl_Module *module)
{
	Dwarf_Addr bias;
	uint32_t first = r->in->nframes;
	int status = dwarf_find_code(r, module);
	if (status)
		return status;
	/* Addresses minus the bias of libdwfl are those of the file. */
	Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
	r->object->state = dwarf ? CG_INLINES_FOUND : CG_INLINES_NO_DEBUG;
	if (dwarf)
		status = walk_units(r, dwarf);
	if (!status && r->cache && r->object->state == CG_INLINES_FOUND &&
	    dwarf_is_complete(r, dwarf))
		cg_inlines_remember(r->cache, r->in, r->object, first);
	return status;
}

static int resolve(struct resolving *r, Dwfl_Module *module)
{
	bool known = false;
	int status = find_build_id(r, module);

	if (r->branches)
		cg_dwarf_read_branches(module, r->addresses, r->count, r->branches);

	if (!status && r->cache)
		status = cg_inlines_recall(r->cache, r->in, r->object, &known);
	if (!status && known)
		r->object->state = CG_INLINES_FOUND;
	return status || known ? status : read_module(r, module);
}

struct dwarf_opened {
	Dwfl_Callbacks callbacks;
	char *usual_places; /* NULL: where debug information is by default */
	Dwfl *dwfl;
	Dwfl_Module *module; /* NULL: it cannot be opened */
};

/* A file of this name in `before` or in `after` the directory of `path`. */
enum beside { NOTHING, FILE_THERE, SOMETHING_ELSE };

static enum beside look_beside(const char *path, const char *before, const char *after,
			       const char *name)
{
	const char *slash = strrchr(path, '/');
	char *place;
	if (!slash ||
	    asprintf(&place, "%s%.*s/%s%s", before, (int)(slash - path), path, after, name) < 0)
		return NOTHING;
	int fd = cg_beneath_open_regular(AT_FDCWD, place, NULL);
	enum beside found = fd >= 0 ? FILE_THERE : errno == EINVAL ? SOMETHING_ELSE : NOTHING;
	if (fd >= 0)
		close(fd);
	free(place);
	return found;
}

/* Whether to look for debug information by that name. Not if the path is not a file, such as a
 * pipe, which would be waited for; and if no server is configured and the file does not exist,
 * the library for the servers is not loaded, because that takes longer than everything else. */
static bool may_look_for(const char *path, const char *link)
{
	static const char *const around[][2] = { { "", "" },
						 { "", ".debug/" },
						 { "/usr/lib/debug", "" } };
	const char *servers = getenv("DEBUGINFOD_URLS");
	char *real = path ? realpath(path, NULL) : NULL;
	bool may = (servers && *servers) || !real || !link || strcmp(path, real) != 0,
	     blocked = false;

	for (size_t i = 0; path && link && i < sizeof around / sizeof *around; i++) {
		enum beside found = look_beside(path, around[i][0], around[i][1], link);
		may |= found == FILE_THERE;
		blocked |= found == SOMETHING_ELSE;
	}
	free(real);
	return may && !blocked;
}

/* Looks where libdwfl does by default, but follows no link that is a path. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *path, const char *link, GElf_Word sum, char **found)
{
	int fd = dwfl_build_id_find_debuginfo(module, data, name, base, path, link, sum, found);
	if (fd >= 0)
		return fd;
	return (!link || !strchr(link, '/')) && may_look_for(path, link)
		       ? dwfl_standard_find_debuginfo(module, data, name, base, path, link, sum,
						      found)
		       : -1;
}

/* The object must not move in memory while it is open. Close it by dwfl_end(o->dwfl). */
static int open_object(const char *path, struct dwarf_opened *o)
{
	*o = (struct dwarf_opened){ .callbacks = {
					    .find_elf = dwfl_build_id_find_elf,
					    .find_debuginfo = find_debuginfo,
					    .section_address = dwfl_offline_section_address,
					    .debuginfo_path = &o->usual_places,
				    } };
	o->dwfl = dwfl_begin(&o->callbacks);
	if (!o->dwfl)
		return CG_ENOMEM;
	/* A pipe would wait for whoever writes it, and so would /proc/kmsg. */
	int fd = cg_beneath_open_regular(AT_FDCWD, path, NULL);
	o->module = fd >= 0 ? dwfl_report_offline(o->dwfl, path, path, fd) : NULL;
	if (fd >= 0 && !o->module)
		close(fd);
	dwfl_report_end(o->dwfl, NULL, NULL);
	return CG_OK;
}

bool cg_inlines_available(const char *path)
{
	Dwarf_Addr bias;
	struct dwarf_opened o;
	bool available = open_object(path, &o) == CG_OK && o.module &&
			 dwfl_module_getdwarf(o.module, &bias);
	dwfl_end(o.dwfl);
	return available;
}

int cg_inlines_read_dwarf(struct cg_inlines *in, struct cg_inlines_object *object,
			  const char *cache, struct cg_branch *branches)
{
	struct resolving r = { .in = in,
			       .object = object,
			       .cache = cache,
			       .count = object->count,
			       .addresses = in->addresses + object->first,
			       .frame = in->frame + object->first,
			       .branches = branches ? branches + object->first : NULL };
	struct dwarf_opened o;
	int status = open_object(cg_strings_get(&in->strings, object->path), &o);

	object->state = CG_INLINES_NO_FILE;
	if (!status && o.module)
		status = resolve(&r, o.module);
	dwfl_end(o.dwfl);
	free(r.code);
	free(r.origins);
	free(r.levels);
	cg_index_free(&r.origin_index);
	return status;
}

/* ---- source lines ---- */

struct line_search {
	cg_wants_line *wants;
	const void *context;
	int (*add)(void *to, const char *file, uint32_t line, uint64_t address, uint64_t size);
	void *to;
};

static int dwarf_add_line(const struct line_search *s, Dwarf_Die *unit, Dwarf_Line *line,
			  Dwarf_Line *next)
{
	Dwarf_Addr address, end;
	int number;
	bool ends = false;
	if (dwarf_lineendsequence(line, &ends) != 0 || ends ||
	    dwarf_lineaddr(line, &address) != 0 || dwarf_lineaddr(next, &end) != 0 ||
	    dwarf_lineno(line, &number) != 0 || number <= 0 || end <= address)
		return CG_OK;
	const char *file = dwarf_linesrc(line, NULL, NULL);
	char *path = file ? cg_dwarf_whole_path(unit, file) : NULL;
	int status = file && !path ? CG_ENOMEM : CG_OK;
	if (path && s->wants(s->context, path, (uint32_t)number))
		status = s->add(s->to, path, (uint32_t)number, address, end - address);
	free(path);
	return status;
}

static int search_unit(const struct line_search *s, Dwarf_Die *unit)
{
	Dwarf_Lines *lines;
	size_t count;
	int status = CG_OK;
	if (dwarf_getsrclines(unit, &lines, &count) != 0)
		return CG_OK;
	for (size_t i = 0; !status && i + 1 < count; i++)
		status = dwarf_add_line(s, unit, dwarf_onesrcline(lines, i),
					dwarf_onesrcline(lines, i + 1));
	return status;
}

int cg_inlines_read_lines(const char *path, cg_wants_line *wants, const void *context,
			  int (*add)(void *to, const char *file, uint32_t line, uint64_t address,
				     uint64_t size),
			  void *to)
{
	const struct line_search s = { wants, context, add, to };
	struct dwarf_opened o;
	Dwarf_Addr bias;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	int status = open_object(path, &o);
	Dwarf *dwarf = !status && o.module ? dwfl_module_getdwarf(o.module, &bias) : NULL;

	while (!status && dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
		status = search_unit(&s, &die);
	dwfl_end(o.dwfl);
	return status;
}

/* ---- compilers ---- */

static int count_producers(struct cg_producer_list *p, Dwarf *dwarf)
{
	Dwarf_Die unit, split;
	uint8_t type;
	Dwarf_CU *cu = NULL;
	int status = CG_OK;

	while (!status && dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit, &split) == 0) {
		Dwarf_Attribute attribute;
		const char *text = type == DW_UT_type || type == DW_UT_split_type
					   ? NULL
					   : dwarf_formstring(
						     dwarf_attr(&unit, DW_AT_producer, &attribute));
		if (text && *text)
			status = cg_producer_list_add(p, text);
	}
	return status;
}

int cg_producers(const char *path, char **text)
{
	struct cg_producer_list p = { 0 };
	struct dwarf_opened o;
	Dwarf_Addr bias;
	int status = open_object(path, &o);
	Dwarf *dwarf = !status && o.module ? dwfl_module_getdwarf(o.module, &bias) : NULL;

	if (dwarf)
		status = count_producers(&p, dwarf);
	if (!status)
		status = cg_producer_list_join(&p, text);
	dwfl_end(o.dwfl);
	cg_producer_list_free(&p);
	return status;
}

bool cg_has_new_llvm_dwarf(const char *path)
{
	struct dwarf_opened o;
	Dwarf_Addr bias;
	int status = open_object(path, &o);
	Dwarf *dwarf = !status && o.module ? dwfl_module_getdwarf(o.module, &bias) : NULL;
	Dwarf_Die unit, split;
	Dwarf_Half version;
	Dwarf_CU *cu = NULL;
	bool found = false;

	while (!found && dwarf &&
	       dwarf_get_units(dwarf, cu, &cu, &version, NULL, &unit, &split) == 0) {
		Dwarf_Attribute attribute;
		const char *text = dwarf_formstring(dwarf_attr(&unit, DW_AT_producer, &attribute));
		found = version >= 5 && text && (strstr(text, "clang") || strstr(text, "LLVM"));
	}
	dwfl_end(o.dwfl);
	return found;
}
