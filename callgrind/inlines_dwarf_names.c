#include "callgrind/inlines_dwarf_names.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/demangle.h"
#include "callgrind/names.h"
#include "callgrind/support/error.h"
#include "callgrind/support/grow.h"

/* Entries that refer to one another in a circle are damaged; others are few. */
#define MAX_REFERENCES 16

/* Blocks in blocks of a function; lambdas that lie deeper are not counted. */
#define MAX_BLOCKS 32

/* ---- entries ---- */

static bool is_type(int tag)
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

static bool is_block(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

bool cg_dwarf_is_scope(int tag)
{
	return is_type(tag) || tag == DW_TAG_namespace || tag == DW_TAG_module;
}

/* To the next sibling. Damaged ones lead back. */
static bool go_on(Dwarf_Die *die)
{
	Dwarf_Die next;
	if (dwarf_siblingof(die, &next) != 0 || (const char *)next.addr <= (const char *)die->addr)
		return false;
	*die = next;
	return true;
}

/* The entries around one, the outermost first, and itself. */
struct path {
	Dwarf_Die *entries;
	size_t count, cap;
};

static int push(struct path *path, const Dwarf_Die *die)
{
	if (cg_grow(&path->entries, &path->cap, path->count + 1, sizeof *path->entries))
		return CG_ENOMEM;
	path->entries[path->count++] = *die;
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
	while (go_on(&next) && (const char *)next.addr <= (const char *)address);
	*around = child;
	return true;
}

/* path->entries is to be freed, also on failure. */
static int find_path(Dwarf_Die *die, struct path *path)
{
	Dwarf_Die entry;
	bool inside = dwarf_diecu(die, &entry, NULL, NULL) != NULL;
	int status = inside ? push(path, &entry) : CG_OK;

	while (!status && inside && entry.addr != die->addr && (inside = go_down(&entry, die->addr)))
		status = push(path, &entry);
	return status || (inside && path->count) ? status : push(path, die);
}

/* The number of the innermost entry around path->entries[of] that is no block. */
static size_t scope_of(const struct path *path, size_t of)
{
	while (of > 0 && is_block(dwarf_tag(&path->entries[--of])))
		;
	return of;
}

static const char *symbol_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return NULL;
}

/* ---- types of parameters ---- */

/* As in symbols. */
static const char *basic_type(const char *name)
{
	static const char *const others[][2] = {
		{ "short int", "short" },
		{ "short unsigned int", "unsigned short" },
		{ "long int", "long" },
		{ "long unsigned int", "unsigned long" },
		{ "long long int", "long long" },
		{ "long long unsigned int", "unsigned long long" },
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(name, others[i][0]) == 0)
			return others[i][1];
	return name;
}

static const char *modifier(int tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return " const";
	case DW_TAG_volatile_type:
		return " volatile";
	case DW_TAG_pointer_type:
		return "*";
	case DW_TAG_reference_type:
		return "&";
	case DW_TAG_rvalue_reference_type:
		return "&&";
	case DW_TAG_typedef:
		return "";
	default:
		return NULL;
	}
}

static bool find_type(Dwarf_Die *of, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	return dwarf_attr_integrate(of, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

static int write_named_type(FILE *to, Dwarf_Die *type)
{
	struct path path = { 0 };
	const char *name = dwarf_diename(type);
	int status = find_path(type, &path);

	for (size_t i = 0; !status && i + 1 < path.count; i++) {
		Dwarf_Die *scope = &path.entries[i];
		const char *text = cg_dwarf_is_scope(dwarf_tag(scope)) ? dwarf_diename(scope) : NULL;
		if (text)
			fprintf(to, "%s::", text);
	}
	fputs(name ? basic_type(name) : "...", to);
	free(path.entries);
	return status;
}

/* What a pointer points to is written in front of it. */
static int write_type(FILE *to, Dwarf_Die *parameter)
{
	const char *modifiers[MAX_REFERENCES], *text;
	size_t count = 0;
	Dwarf_Die type = *parameter;
	bool known;
	int status = CG_OK;

	while ((known = find_type(&type, &type)) && (text = modifier(dwarf_tag(&type))) && count < MAX_REFERENCES)
		/* What is constant for the function alone is not of its type. */
		if (count || *text != ' ')
			modifiers[count++] = text;
	if (!known)
		fputs("void", to);
	else if (dwarf_tag(&type) == DW_TAG_base_type || is_type(dwarf_tag(&type)))
		status = write_named_type(to, &type);
	else
		fputs("...", to);
	while (count)
		fputs(modifiers[--count], to);
	return status;
}

/* ---- lambdas ---- */

/* The function that a lambda's type is called by. */
static bool find_call(Dwarf_Die *type, Dwarf_Die *call)
{
	static const char name[] = "operator()";
	if (!is_type(dwarf_tag(type)) || dwarf_diename(type) || dwarf_child(type, call) != 0)
		return false;
	do {
		const char *text = dwarf_tag(call) == DW_TAG_subprogram ? dwarf_diename(call) : NULL;
		if (text && strncmp(text, name, sizeof name - 1) == 0)
			return true;
	} while (go_on(call));
	return false;
}

/* Parameters of a template are not told from those that it is given. */
static bool is_template(Dwarf_Die *function)
{
	Dwarf_Die child;
	if (dwarf_child(function, &child) != 0)
		return false;
	do
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
			return true;
	while (go_on(&child));
	return false;
}

static int write_parameters(FILE *to, Dwarf_Die *call)
{
	Dwarf_Die child;
	const char *between = "";
	int status = CG_OK;

	if (is_template(call)) {
		fputs("...", to);
		return CG_OK;
	}
	if (dwarf_child(call, &child) != 0)
		return CG_OK;
	do {
		bool given = dwarf_tag(&child) == DW_TAG_formal_parameter &&
			     !dwarf_hasattr(&child, DW_AT_artificial);
		if (!given)
			continue;
		fputs(between, to);
		status = write_type(to, &child);
		between = ", ";
	} while (!status && go_on(&child));
	return status;
}

static uint64_t number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;
	return dwarf_attr_integrate(die, name, &attribute) && dwarf_formudata(&attribute, &number) == 0
		       ? number : 0;
}

static bool is_before(Dwarf_Die *a, Dwarf_Die *b)
{
	uint64_t line = number_of(a, DW_AT_decl_line), other = number_of(b, DW_AT_decl_line);
	if (line != other)
		return line < other;
	line = number_of(a, DW_AT_decl_column);
	other = number_of(b, DW_AT_decl_column);
	return line != other ? line < other : (const char *)a->addr < (const char *)b->addr;
}

/* How many lambdas of a scope begin before one of them. Blocks come where the compiler likes. */
static unsigned lambdas_before(Dwarf_Die *scope, Dwarf_Die *type)
{
	Dwarf_Die levels[MAX_BLOCKS], call;
	size_t depth = dwarf_child(scope, &levels[0]) == 0;
	unsigned count = 0;

	while (depth) {
		Dwarf_Die *at = &levels[depth - 1];
		if (find_call(at, &call) && is_before(at, type))
			count++;
		if (is_block(dwarf_tag(at)) && depth < MAX_BLOCKS && dwarf_child(at, &levels[depth]) == 0) {
			depth++;
			continue;
		}
		while (depth && !go_on(&levels[depth - 1]))
			depth--;
	}
	return count;
}

/* ---- scopes ---- */

/* "scope::" for an entry of a path, if it is one that has a name. */
static int write_scope(FILE *to, const struct path *path, size_t at)
{
	Dwarf_Die call, *entry = &path->entries[at];
	int tag = dwarf_tag(entry), status = CG_OK;
	const char *text = cg_dwarf_is_scope(tag) ? dwarf_diename(entry) : NULL;

	if (!text && tag == DW_TAG_namespace)
		text = "(anonymous namespace)";
	if (text) {
		fprintf(to, "%s::", text);
	} else if (find_call(entry, &call)) {
		fputs("{lambda(", to);
		status = write_parameters(to, &call);
		fprintf(to, ")#%u}::", 1 + lambdas_before(&path->entries[scope_of(path, at)], entry));
	}
	return status;
}

/* The number of the innermost function of a path in which there is a type of its own, whose
 * functions are called after it; 0: none. */
static size_t function_around(const struct path *path)
{
	bool type = false;

	for (size_t i = path->count - 1; i-- > 1;) {
		int tag = dwarf_tag(&path->entries[i]);
		type |= is_type(tag);
		if (type && tag == DW_TAG_subprogram)
			return i;
	}
	return 0;
}

/* "scopes::rest": those behind a function around, which *function is then. Allocated; NULL: out of
 * memory. */
static char *qualify(Dwarf_Die *die, const char *rest, Dwarf_Die *function, bool *inside)
{
	struct path path = { 0 };
	char *text = NULL;
	size_t size;
	FILE *to = find_path(die, &path) == CG_OK ? open_memstream(&text, &size) : NULL;
	bool failed = !to;
	size_t around = to ? function_around(&path) : 0;

	for (size_t i = around + 1; !failed && i + 1 < path.count; i++)
		failed = write_scope(to, &path, i) != CG_OK;
	if (to) {
		fputs(rest, to);
		failed |= ferror(to) != 0;
		failed |= fclose(to) != 0;
	}
	*inside = around != 0;
	if (*inside)
		*function = path.entries[around];
	free(path.entries);
	if (!failed)
		return text;
	free(text);
	return NULL;
}

/* The function around, without the type that it returns. Allocated; NULL: out of memory, or it
 * has no symbol. */
static char *behind_symbol(const char *symbol, const char *rest)
{
	char *demangled = cg_demangle(symbol), *joined;
	const char *name = demangled ? demangled : symbol;

	name += cg_name_after_type(name, cg_name_without_parameters(name, strlen(name)));
	if (asprintf(&joined, "%s::%s", name, rest) < 0)
		joined = NULL;
	free(demangled);
	return joined;
}

/* Where a function was declared says how it is called. */
static Dwarf_Die declaration_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die declared = *die;

	for (int i = 0; i < MAX_REFERENCES && (dwarf_attr(&declared, DW_AT_specification, &attribute) ||
					       dwarf_attr(&declared, DW_AT_abstract_origin, &attribute)) &&
			dwarf_formref_die(&attribute, &declared); i++)
		;
	return declared;
}

/* Frees `text`. */
static char *prepend(const char *front, char *text)
{
	char *joined = NULL;
	if (text && asprintf(&joined, "%s::%s", front, text) < 0)
		joined = NULL;
	free(text);
	return joined;
}

/* The name of a function without a symbol, behind all that is around it. Allocated; NULL: out of
 * memory. */
static char *whole_name(Dwarf_Die *die, const char *name)
{
	char *text = strdup(name);
	Dwarf_Die function = *die;
	bool inside = text != NULL;

	for (int i = 0; inside && i < MAX_REFERENCES; i++) {
		Dwarf_Die declared = declaration_of(&function);
		char *longer = qualify(&declared, text, &function, &inside);
		const char *symbol = longer && inside ? symbol_of(&function) : NULL;
		free(text);
		text = longer;
		if (!text || !inside)
			break;
		if (symbol) {
			text = behind_symbol(symbol, longer);
			free(longer);
			break;
		}
		const char *around = dwarf_diename(&function);
		text = prepend(around ? around : "???", text);
		inside = text != NULL;
	}
	return text;
}

static bool has_scopes(Dwarf_Die *die)
{
	Dwarf_Die unit;
	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	switch (dwarf_srclang(&unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

int cg_dwarf_name(void *function, char **name)
{
	Dwarf_Die *die = function;
	const char *symbol = symbol_of(die), *bare = symbol ? NULL : dwarf_diename(die);

	*name = symbol ? cg_demangle(symbol) : NULL;
	if (*name || (!symbol && !bare))
		return CG_OK;
	*name = bare && has_scopes(die) ? whole_name(die, bare) : strdup(bare ? bare : symbol);
	return *name ? CG_OK : CG_ENOMEM;
}

void cg_dwarf_place(void *function, void *place)
{
	Dwarf_Die *die = function, declared = declaration_of(die);
	Dwarf_Attribute attribute;
	struct path path = { 0 };

	*(Dwarf_Die *)place = *die;
	if (dwarf_attr_integrate(die, DW_AT_decl_file, &attribute))
		return;
	if (find_path(&declared, &path) == CG_OK && path.count > 1) {
		Dwarf_Die *around = &path.entries[path.count - 2];
		if (is_type(dwarf_tag(around)))
			*(Dwarf_Die *)place = *around;
	}
	free(path.entries);
}
