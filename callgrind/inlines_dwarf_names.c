#include "callgrind/inlines_dwarf_names.h"

#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/demangle.h"
#include "callgrind/inlines_dwarf_entries.h"
#include "callgrind/inlines_dwarf_lambdas.h"
#include "callgrind/lambdas.h"
#include "callgrind/name_parts.h"
#include "callgrind/support/grow.h"
#include "cgprofile/error.h"
#include "cgprofile/names.h"

/* Lambdas that are template arguments of a function and of the classes around it, and how deep they
 * may lie in others. */
#define MAX_ARGUMENTS 16
#define MAX_DEPTH 8
#define MAX_VISITED 1000

/* ---- scopes ---- */

/* "scope::" for an entry of a path, if it is one that has a name. */
static int write_scope(FILE *to, const struct cg_dwarf_path *path, size_t at)
{
	Dwarf_Die call, *entry = cg_dwarf_entry(path, at);
	int tag = dwarf_tag(entry), status = CG_OK;
	const char *text = cg_dwarf_is_scope(tag) ? dwarf_diename(entry) : NULL;

	if (!text && tag == DW_TAG_namespace)
		text = "(anonymous namespace)";
	if (text) {
		fprintf(to, "%s::", text);
	} else if (cg_dwarf_find_call(entry, &call)) {
		status = cg_dwarf_write_lambda(
			to, cg_dwarf_entry(path, cg_dwarf_scope_of(path, at)), entry, &call);
	}
	return status;
}

/* The number of the innermost function of a path in which there is a type of its own, whose
 * functions are called after it; 0: none. */
static size_t function_around(const struct cg_dwarf_path *path)
{
	bool type = false;

	for (size_t i = path->count - 1; i-- > 1;) {
		int tag = dwarf_tag(cg_dwarf_entry(path, i));
		type |= cg_dwarf_is_type(tag);
		if (type && tag == DW_TAG_subprogram)
			return i;
	}
	return 0;
}

/* "scopes::rest": the scopes after the function around, which *function is then. Allocated; NULL:
 * out of memory. */
static char *qualify(Dwarf_Die *die, const char *rest, Dwarf_Die *function, bool *inside)
{
	struct cg_dwarf_path path = { 0 };
	char *text = NULL;
	size_t size;
	FILE *to = cg_dwarf_find_path(die, &path) == CG_OK ? open_memstream(&text, &size) : NULL;
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
		*function = *(Dwarf_Die *)cg_dwarf_entry(&path, around);
	free(path.entries);
	if (!failed)
		return text;
	free(text);
	return NULL;
}

/* The declaration of a function has its name. */
static Dwarf_Die declaration_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die declared = *die;

	for (int i = 0; i < CG_DWARF_MAX_REFERENCES &&
			(dwarf_attr(&declared, DW_AT_specification, &attribute) ||
			 dwarf_attr(&declared, DW_AT_abstract_origin, &attribute)) &&
			dwarf_formref_die(&attribute, &declared);
	     i++)
		;
	return declared;
}

/* Frees `text`. */
static char *prepend(const char *front, char *text)
{
	char *joined = NULL;
	if (front && text && asprintf(&joined, "%s::%s", front, text) < 0)
		joined = NULL;
	free(text);
	return joined;
}

/* Lambdas among the template arguments of a function, in a name of it: see
 * cg_lambda_replace_arguments. */
typedef int rename_arguments(Dwarf_Die *function, const char *name, char **renamed);

/* The name of the function around, without the type that it returns; as symbols have it if `rename`
 * is NULL. Allocated; NULL: out of memory. */
static char *front_of(Dwarf_Die *function, const char *symbol, rename_arguments *rename)
{
	char *demangled = cg_demangle(symbol), *renamed = NULL;
	const char *name = demangled ? demangled : symbol;
	int status = demangled && rename ? rename(function, demangled, &renamed) : CG_OK;

	if (renamed)
		name = renamed;
	/* GCC does not record which parameters are lambdas. */
	size_t len = strlen(name), bare = cg_name_without_parameters(name, len);
	size_t from = cg_name_after_type(name, bare);
	char *front = status ? NULL
			     : strndup(name + from, (cg_lambda_any(name) ? bare : len) - from);
	free(renamed);
	free(demangled);
	return front;
}

/* Whether compilers agree on what it is called: not on what is in a lambda. */
static bool is_agreed(const char *symbol)
{
	char *name = cg_demangle(symbol);
	bool agreed = !name || !cg_lambda_around(name, strlen(name)).end;
	free(name);
	return agreed;
}

/* Whether a function is of an object that it must not change. */
static bool is_const(Dwarf_Die *function)
{
	Dwarf_Die child, type;

	if (dwarf_child(function, &child) != 0)
		return false;
	while (dwarf_tag(&child) != DW_TAG_formal_parameter)
		if (!cg_dwarf_go_on(&child))
			return false;
	if (!dwarf_hasattr(&child, DW_AT_artificial) || !cg_dwarf_find_type(&child, &type))
		return false;
	/* The pointer itself may be constant as well. */
	for (int i = 0; i < CG_DWARF_MAX_REFERENCES && dwarf_tag(&type) == DW_TAG_const_type; i++)
		if (!cg_dwarf_find_type(&type, &type))
			return false;
	return dwarf_tag(&type) == DW_TAG_pointer_type && cg_dwarf_find_type(&type, &type) &&
	       dwarf_tag(&type) == DW_TAG_const_type;
}

static const char unknown[] = "???";

/* A bare name; the call of a lambda with its template arguments as symbols have them. Allocated;
 * NULL: out of memory. */
static char *of_symbols(const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *to = strncmp(name, "operator()<", 11) == 0 ? open_memstream(&text, &size) : NULL;

	if (!to)
		return strdup(name);
	cg_dwarf_write_type_name(to, name);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* The own name of a function around that has no symbol: parameters have those that one source file
 * knows alone, but lambdas, those that are called with lambdas, and those of C. Allocated; NULL:
 * out of memory. */
static char *name_around(Dwarf_Die *function, rename_arguments *rename)
{
	const char *name = dwarf_diename(function);
	bool lambda = name && cg_lambda_any(name);
	bool with = name && !lambda && !dwarf_hasattr_integrate(function, DW_AT_external) &&
		    !strstr(name, "operator()");
	char *parameters = with ? cg_dwarf_parameters(function) : NULL, *text = NULL;

	if (lambda && rename && rename(function, name, &text))
		return NULL;
	if (!with && !text)
		text = of_symbols(name ? name : unknown);
	else if (parameters && asprintf(&text, "%s(%s)%s", name, parameters,
					is_const(function) ? " const" : "") < 0)
		text = NULL;
	free(parameters);
	return text;
}

/* Whether a function is in another one, as symbols have it: _ZZ1fiENKUlvE_clEv is in _Z1fi. */
static bool symbol_is_in(const char *symbol, const char *around)
{
	static const char local[] = "_ZZ", global[] = "_Z";
	size_t len = strlen(around);

	return strncmp(symbol, local, sizeof local - 1) == 0 &&
	       strncmp(around, global, sizeof global - 1) == 0 &&
	       strncmp(symbol + 3, around + 2, len - 2) == 0 && symbol[len + 1] == 'E';
}

/* Clang may leave empty the entry around a function that is inlined: then its symbol says in which
 * it is. */
static bool find_around(Dwarf_Die *inner, Dwarf_Die *around)
{
	const char *symbol = cg_dwarf_symbol(inner);
	Dwarf_Die unit, child;

	if (!symbol || !dwarf_diecu(inner, &unit, NULL, NULL) || dwarf_child(&unit, &child) != 0)
		return false;
	do {
		const char *other = dwarf_tag(&child) == DW_TAG_subprogram ? cg_dwarf_symbol(&child)
									   : NULL;
		if (other && symbol_is_in(symbol, other)) {
			*around = child;
			return true;
		}
	} while (cg_dwarf_go_on(&child));
	return false;
}

/* The name of a function, after the names of all that is around it, from debug information alone as
 * far as that is in lambdas. Allocated; NULL: out of memory. */
static char *whole_name(Dwarf_Die *die, const char *name, rename_arguments *rename)
{
	char *text = of_symbols(name);
	Dwarf_Die function = *die;
	bool inside = text != NULL;

	for (int i = 0; inside && i < CG_DWARF_MAX_REFERENCES; i++) {
		Dwarf_Die inner = function, declared = declaration_of(&function);
		char *longer = qualify(&declared, text, &function, &inside), *front;
		free(text);
		text = longer;
		if (!text || !inside)
			break;
		if (!dwarf_diename(&function))
			find_around(&inner, &function);
		const char *symbol = cg_dwarf_symbol(&function);
		bool agreed = symbol && is_agreed(symbol);
		front = agreed ? front_of(&function, symbol, rename)
			       : name_around(&function, rename);
		text = prepend(front, text);
		free(front);
		inside = text && !agreed;
	}
	return text;
}

/* ---- lambdas that are template arguments ---- */

struct dwarf_names_arguments {
	char *names[MAX_ARGUMENTS];
	const void *types[MAX_ARGUMENTS];
	size_t count;
};

static void free_arguments(struct dwarf_names_arguments *a)
{
	for (size_t i = 0; i < a->count; i++)
		free(a->names[i]);
}

/* Adds the type of a lambda by its name without its call. */
static int add_argument(struct dwarf_names_arguments *a, Dwarf_Die *type, Dwarf_Die *call)
{
	static const char rest[] = "::";

	for (size_t i = 0; i < a->count; i++)
		if (a->types[i] == type->addr)
			return CG_OK;
	if (a->count == MAX_ARGUMENTS)
		return CG_OK;
	char *name = whole_name(call, "", NULL);
	if (!name)
		return CG_ENOMEM;
	size_t len = strlen(name), rest_len = sizeof rest - 1;
	if (len > rest_len && strcmp(name + len - rest_len, rest) == 0)
		name[len - rest_len] = '\0';
	a->types[a->count] = type->addr;
	a->names[a->count++] = name;
	return CG_OK;
}

static bool is_argument(int tag)
{
	return tag == DW_TAG_template_type_parameter || tag == DW_TAG_GNU_template_parameter_pack;
}

/* Adds those that are template arguments of an entry, or of the types that are. */
static int add_arguments(struct dwarf_names_arguments *a, Dwarf_Die *of)
{
	Dwarf_Die levels[MAX_DEPTH], type, call;
	size_t depth = dwarf_child(of, &levels[0]) == 0;
	int status = CG_OK;

	for (int visited = 0; !status && depth && visited < MAX_VISITED; visited++) {
		Dwarf_Die *at = &levels[depth - 1], around = *at;
		int tag = dwarf_tag(at);
		bool known = tag == DW_TAG_template_type_parameter && cg_dwarf_find_type(at, &type);
		for (int i = 0;
		     known && cg_dwarf_modifier(dwarf_tag(&type)) && i < CG_DWARF_MAX_REFERENCES;
		     i++)
			known = cg_dwarf_find_type(&type, &type);
		if (known && cg_dwarf_find_call(&type, &call))
			status = add_argument(a, &type, &call);
		else if (known)
			around = type;
		if (is_argument(tag) && depth < MAX_DEPTH && (around.addr != at->addr || !known) &&
		    dwarf_child(&around, &levels[depth]) == 0) {
			depth++;
			continue;
		}
		while (depth && !cg_dwarf_go_on(&levels[depth - 1]))
			depth--;
	}
	return status;
}

static int name_arguments(Dwarf_Die *function, const char *name, char **renamed)
{
	struct dwarf_names_arguments a = { .count = 0 };
	struct cg_dwarf_path path = { 0 };
	Dwarf_Die declared = declaration_of(function);
	int status = cg_lambda_any(name) ? cg_dwarf_find_path(&declared, &path) : CG_OK;

	*renamed = NULL;
	for (size_t i = 0; !status && i + 1 < path.count; i++)
		if (cg_dwarf_is_type(dwarf_tag(cg_dwarf_entry(&path, i))))
			status = add_arguments(&a, cg_dwarf_entry(&path, i));
	if (!status && path.count)
		status = add_arguments(&a, function);
	if (!status && a.count)
		status = cg_lambda_replace_arguments(name, (const char *const *)a.names, a.count,
						     renamed);
	free_arguments(&a);
	free(path.entries);
	return status;
}

/* ---- names ---- */

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

/* What compilers call in ways of their own is called as debug information says. *name, which is
 * allocated, is replaced if that is known. */
static int name_lambdas(Dwarf_Die *die, char **name)
{
	const char *bare = dwarf_diename(die);
	char *made = NULL;
	int status = CG_OK;

	if (cg_lambda_around(*name, strlen(*name)).end) {
		char *whole = bare ? whole_name(die, bare, name_arguments) : NULL;
		status = whole || !bare ? CG_OK : CG_ENOMEM;
		/* Clang may not record the function around it. */
		if (whole && !strstr(whole, unknown))
			status = cg_lambda_adopt(*name, whole, &made);
		free(whole);
	} else {
		status = name_arguments(die, *name, &made);
	}
	if (made) {
		free(*name);
		*name = made;
	}
	return status;
}

/* Without a symbol. */
static int name_by_scopes(Dwarf_Die *die, const char *bare, char **name)
{
	char *renamed = NULL;

	*name = whole_name(die, bare, name_arguments);
	int status = *name ? CG_OK : CG_ENOMEM;
	if (!status && !cg_lambda_around(*name, strlen(*name)).end)
		status = name_arguments(die, *name, &renamed);
	if (renamed) {
		free(*name);
		*name = renamed;
	}
	return status;
}

static int dwarf_names_find_name(Dwarf_Die *die, char **name)
{
	const char *symbol = cg_dwarf_symbol(die), *bare = symbol ? NULL : dwarf_diename(die);

	*name = symbol ? cg_demangle(symbol) : NULL;
	if (*name)
		return cg_lambda_any(*name) ? name_lambdas(die, name) : CG_OK;
	if (!symbol && !bare)
		return CG_OK;
	if (bare && has_scopes(die))
		return name_by_scopes(die, bare, name);
	*name = strdup(bare ? bare : symbol);
	return *name ? CG_OK : CG_ENOMEM;
}

int cg_dwarf_name(void *function, char **name)
{
	int status = dwarf_names_find_name(function, name);
	if (status) {
		free(*name);
		*name = NULL;
	}
	return status;
}

void cg_dwarf_place(void *function, void *place)
{
	Dwarf_Die *die = function, declared = declaration_of(die);
	Dwarf_Attribute attribute;
	struct cg_dwarf_path path = { 0 };

	*(Dwarf_Die *)place = *die;
	if (dwarf_attr_integrate(die, DW_AT_decl_file, &attribute))
		return;
	if (cg_dwarf_find_path(&declared, &path) == CG_OK && path.count > 1) {
		Dwarf_Die *around = cg_dwarf_entry(&path, path.count - 2);
		if (cg_dwarf_is_type(dwarf_tag(around)))
			*(Dwarf_Die *)place = *around;
	}
	free(path.entries);
}
