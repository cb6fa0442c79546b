#include "callgrind/inlines_dwarf_entries.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "callgrind/support/grow.h"
#include "cgprofile/error.h"

bool cg_dwarf_is_type(int tag)
{
	switch (tag) {
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return true;
	default:
		return false;
	}
}

bool cg_dwarf_is_block(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

bool cg_dwarf_is_scope(int tag)
{
	return cg_dwarf_is_type(tag) || tag == DW_TAG_namespace || tag == DW_TAG_module;
}

/* The siblings of damaged entries may lead back. */
bool cg_dwarf_go_on(void *entry)
{
	Dwarf_Die next, *die = entry;
	if (dwarf_siblingof(die, &next) != 0 || (const char *)next.addr <= (const char *)die->addr)
		return false;
	*die = next;
	return true;
}

void *cg_dwarf_entry(const struct cg_dwarf_path *path, size_t at)
{
	return (Dwarf_Die *)path->entries + at;
}

static int push_entry(struct cg_dwarf_path *path, const Dwarf_Die *die)
{
	if (cg_grow(&path->entries, &path->cap, path->count + 1, sizeof *die))
		return CG_ENOMEM;
	*(Dwarf_Die *)cg_dwarf_entry(path, path->count++) = *die;
	return CG_OK;
}

/* The entry below `around` that holds what is at `address`; entries ascend. */
static bool go_down(Dwarf_Die *around, const void *address)
{
	Dwarf_Die child, next;

	if (dwarf_child(around, &next) != 0 || (const char *)next.addr > (const char *)address)
		return false;
	do
		child = next;
	while (cg_dwarf_go_on(&next) && (const char *)next.addr <= (const char *)address);
	*around = child;
	return true;
}

int cg_dwarf_find_path(void *of, struct cg_dwarf_path *path)
{
	Dwarf_Die entry, *die = of;
	bool inside = dwarf_diecu(die, &entry, NULL, NULL) != NULL;
	int status = inside ? push_entry(path, &entry) : CG_OK;

	while (!status && inside && entry.addr != die->addr &&
	       (inside = go_down(&entry, die->addr)))
		status = push_entry(path, &entry);
	return status || (inside && path->count) ? status : push_entry(path, die);
}

size_t cg_dwarf_scope_of(const struct cg_dwarf_path *path, size_t of)
{
	while (of > 0 && cg_dwarf_is_block(dwarf_tag(cg_dwarf_entry(path, --of))))
		;
	return of;
}

const char *cg_dwarf_symbol(void *entry)
{
	Dwarf_Attribute attribute;
	if (dwarf_attr_integrate(entry, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(entry, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return NULL;
}
