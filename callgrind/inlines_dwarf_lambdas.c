#include "callgrind/inlines_dwarf_lambdas.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/demangle.h"
#include "callgrind/inlines_dwarf_entries.h"
#include "callgrind/name_text.h"
#include "cgprofile/error.h"
#include "cgprofile/names.h"

/* Blocks in blocks of a function; lambdas that lie deeper are not counted. */
#define MAX_BLOCKS 32

/* ---- types of parameters ---- */

/* As in symbols: {what GCC calls it, which}. The longer ones come first, of which others are a
 * part. */
static const char *const basic_types[][2] = {
	{ "long long unsigned int", "unsigned long long" },
	{ "long long int", "long long" },
	{ "long unsigned int", "unsigned long" },
	{ "short unsigned int", "unsigned short" },
	{ "__int128 unsigned", "unsigned __int128" },
	{ "short int", "short" },
	{ "long int", "long" },
	{ "_Bool", "bool" },
};

/* Which one occurs at text[at] as separate words; NULL: none. */
static const char *const *basic_type_at(const char *text, size_t at)
{
	if (at > 0 && cg_name_is_word(text[at - 1]))
		return NULL;
	for (size_t i = 0; i < sizeof basic_types / sizeof *basic_types; i++) {
		size_t len = strlen(basic_types[i][0]);
		if (strncmp(text + at, basic_types[i][0], len) == 0 &&
		    !cg_name_is_word(text[at + len]))
			return basic_types[i];
	}
	return NULL;
}

void cg_dwarf_write_type_name(FILE *to, const char *name)
{
	for (size_t i = 0; name[i];) {
		const char *const *found = basic_type_at(name, i);
		fputs(found ? found[1] : (char[2]){ name[i] }, to);
		i += found ? strlen(found[0]) : 1;
	}
}

const char *cg_dwarf_modifier(int tag)
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

bool cg_dwarf_find_type(void *of, void *type)
{
	Dwarf_Attribute attribute;
	return dwarf_attr_integrate(of, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, type);
}

static int write_named_type(FILE *to, Dwarf_Die *type)
{
	struct cg_dwarf_path path = { 0 };
	const char *name = dwarf_diename(type);
	int status = cg_dwarf_find_path(type, &path);

	for (size_t i = 0; !status && i + 1 < path.count; i++) {
		Dwarf_Die *scope = cg_dwarf_entry(&path, i);
		const char *text = cg_dwarf_is_scope(dwarf_tag(scope)) ? dwarf_diename(scope)
								       : NULL;
		if (text) {
			cg_dwarf_write_type_name(to, text);
			fputs("::", to);
		}
	}
	cg_dwarf_write_type_name(to, name ? name : "...");
	free(path.entries);
	return status;
}

/* What a pointer points to is written in front of it. */
static int write_type(FILE *to, Dwarf_Die *parameter)
{
	const char *modifiers[CG_DWARF_MAX_REFERENCES], *text;
	size_t count = 0;
	Dwarf_Die type = *parameter;
	bool known;
	int status = CG_OK;

	while ((known = cg_dwarf_find_type(&type, &type)) &&
	       (text = cg_dwarf_modifier(dwarf_tag(&type))) && count < CG_DWARF_MAX_REFERENCES)
		/* A parameter that is constant only inside the function does not have it in
		 * its type. */
		if (count || *text != ' ')
			modifiers[count++] = text;
	if (!known)
		fputs("void", to);
	else if (dwarf_tag(&type) == DW_TAG_base_type || cg_dwarf_is_type(dwarf_tag(&type)))
		status = write_named_type(to, &type);
	else
		fputs("...", to);
	while (count)
		fputs(modifiers[--count], to);
	return status;
}

/* ---- lambdas ---- */

bool cg_dwarf_find_call(void *type, void *call)
{
	static const char name[] = "operator()";
	if (!cg_dwarf_is_type(dwarf_tag(type)) || dwarf_diename(type) ||
	    dwarf_child(type, call) != 0)
		return false;
	do {
		const char *text = dwarf_tag(call) == DW_TAG_subprogram ? dwarf_diename(call)
									: NULL;
		if (text && strncmp(text, name, sizeof name - 1) == 0)
			return true;
	} while (cg_dwarf_go_on(call));
	return false;
}

/* Parameters of a template cannot be distinguished from its arguments. */
static bool is_template(Dwarf_Die *function)
{
	Dwarf_Die child;
	if (dwarf_child(function, &child) != 0)
		return false;
	do
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
			return true;
	while (cg_dwarf_go_on(&child));
	return false;
}

/* What a symbol has between the brackets at its end. */
static bool write_parameters_of(FILE *to, const char *symbol)
{
	char *name = cg_demangle(symbol);
	size_t len = name ? strlen(name) : 0,
	       bare = cg_name_without_parameters(name ? name : "", len);
	const char *end = bare < len ? strrchr(name, ')') : NULL;

	if (end)
		fprintf(to, "%.*s", (int)(end - name - (ptrdiff_t)bare - 1), name + bare + 1);
	free(name);
	return end != NULL;
}

static int write_call_parameters(FILE *to, Dwarf_Die *call)
{
	Dwarf_Die child;
	const char *between = "", *symbol = cg_dwarf_symbol(call);
	int status = CG_OK;

	if (is_template(call)) {
		fputs("...", to);
		return CG_OK;
	}
	if ((symbol && write_parameters_of(to, symbol)) || dwarf_child(call, &child) != 0)
		return CG_OK;
	do {
		bool given = dwarf_tag(&child) == DW_TAG_formal_parameter &&
			     !dwarf_hasattr(&child, DW_AT_artificial);
		if (!given)
			continue;
		fputs(between, to);
		status = write_type(to, &child);
		between = ", ";
	} while (!status && cg_dwarf_go_on(&child));
	return status;
}

char *cg_dwarf_parameters(void *call)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	bool failed = !to || write_call_parameters(to, call) != CG_OK;

	if (to)
		failed |= fclose(to) != 0;
	if (!failed)
		return text;
	free(text);
	return NULL;
}

static uint64_t dwarf_names_number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;
	return dwarf_attr_integrate(die, name, &attribute) &&
			       dwarf_formudata(&attribute, &number) == 0
		       ? number
		       : 0;
}

static bool dwarf_names_is_before(Dwarf_Die *a, Dwarf_Die *b)
{
	uint64_t line = dwarf_names_number_of(a, DW_AT_decl_line),
		 other = dwarf_names_number_of(b, DW_AT_decl_line);
	if (line != other)
		return line < other;
	line = dwarf_names_number_of(a, DW_AT_decl_column);
	other = dwarf_names_number_of(b, DW_AT_decl_column);
	return line != other ? line < other : (const char *)a->addr < (const char *)b->addr;
}

/* For inlined lambdas Clang only records that they are types. Outside of functions many such
 * types are not lambdas. */
static bool counts_as_lambda(Dwarf_Die *entry, bool in_function)
{
	Dwarf_Die call;
	int tag = dwarf_tag(entry);
	bool class = tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
	return (in_function && class && !dwarf_diename(entry)) || cg_dwarf_find_call(entry, &call);
}

/* How many lambdas of a scope begin before one of them: what GCC numbers by up to version 12, as it
 * takes no debug information of others. Blocks come where the compiler likes. */
static unsigned lambdas_before(Dwarf_Die *scope, Dwarf_Die *type)
{
	Dwarf_Die levels[MAX_BLOCKS];
	bool in_function = dwarf_tag(scope) == DW_TAG_subprogram;
	size_t depth = dwarf_child(scope, &levels[0]) == 0;
	unsigned count = 0;

	while (depth) {
		Dwarf_Die *at = &levels[depth - 1];
		if (counts_as_lambda(at, in_function) && dwarf_names_is_before(at, type))
			count++;
		if (cg_dwarf_is_block(dwarf_tag(at)) && depth < MAX_BLOCKS &&
		    dwarf_child(at, &levels[depth]) == 0) {
			depth++;
			continue;
		}
		while (depth && !cg_dwarf_go_on(&levels[depth - 1]))
			depth--;
	}
	return count;
}

/* The variable outside of functions that a lambda is the value of, or NULL. */
static const char *variable_of(Dwarf_Die *scope, Dwarf_Die *lambda)
{
	Dwarf_Die child, type;
	int tag = dwarf_tag(scope);

	if ((tag != DW_TAG_compile_unit && tag != DW_TAG_namespace) ||
	    dwarf_child(scope, &child) != 0)
		return NULL;
	do {
		if (dwarf_tag(&child) != DW_TAG_variable ||
		    dwarf_hasattr(&child, DW_AT_specification))
			continue;
		bool known = cg_dwarf_find_type(&child, &type);
		if (known && dwarf_tag(&type) == DW_TAG_const_type)
			known = cg_dwarf_find_type(&type, &type);
		if (known && type.addr == lambda->addr)
			return dwarf_diename(&child);
	} while (cg_dwarf_go_on(&child));
	return NULL;
}

int cg_dwarf_write_lambda(FILE *to, void *scope, void *type, void *call)
{
	char *parameters = cg_dwarf_parameters(call);
	const char *variable = parameters ? variable_of(scope, type) : NULL;

	if (!parameters)
		return CG_ENOMEM;
	if (variable)
		fprintf(to, "%s::", variable);
	fprintf(to, "{lambda(%s)#%u}::", parameters,
		1 + (variable ? 0 : lambdas_before(scope, type)));
	free(parameters);
	return CG_OK;
}
