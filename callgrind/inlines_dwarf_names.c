#include "callgrind/inlines_dwarf_names.h"

#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/demangle.h"
#include "callgrind/lambdas.h"
#include "callgrind/name_parts.h"
#include "callgrind/support/grow.h"
#include "cgprofile/error.h"
#include "cgprofile/names.h"

/* Entries that refer to one another in a circle are damaged; others are few. */
#define MAX_REFERENCES 16

/* Blocks in blocks of a function; lambdas that lie deeper are not counted. */
#define MAX_BLOCKS 32

/* Lambdas that are template arguments of a function and of the classes around it, and how deep they may lie in
 * others. */
#define MAX_ARGUMENTS 16
#define MAX_DEPTH 8
#define MAX_VISITED 1000

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
static bool dwarf_names_go_on(Dwarf_Die *die)
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

static int dwarf_names_push(struct path *path, const Dwarf_Die *die)
{
	if (cg_grow(&path->entries, &path->cap, path->count + 1, sizeof *path->entries))
		return CG_ENOMEM;
	path->entries[path->count++] = *die;
	return CG_OK;
}

/* The entry below `around` that holds what is at `address`; entries ascend. */
static bool dwarf_names_go_down(Dwarf_Die *around, const void *address)
{
	Dwarf_Die child, next;

	if (dwarf_child(around, &next) != 0 || (const char *)next.addr > (const char *)address)
		return false;
	do
		child = next;
	while (dwarf_names_go_on(&next) && (const char *)next.addr <= (const char *)address);
	*around = child;
	return true;
}

/* path->entries is to be freed, also on failure. */
static int find_path(Dwarf_Die *die, struct path *path)
{
	Dwarf_Die entry;
	bool inside = dwarf_diecu(die, &entry, NULL, NULL) != NULL;
	int status = inside ? dwarf_names_push(path, &entry) : CG_OK;

	while (!status && inside && entry.addr != die->addr &&
	       (inside = dwarf_names_go_down(&entry, die->addr)))
		status = dwarf_names_push(path, &entry);
	return status || (inside && path->count) ? status : dwarf_names_push(path, die);
}

/* The number of the innermost entry around path->entries[of] that is no block. */
static size_t dwarf_names_scope_of(const struct path *path, size_t of)
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

/* As in symbols: {what GCC calls it, which}. The longer ones come first, of which others are a part. */
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

static bool dwarf_names_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Which one stands at text[at] as words of their own; NULL: none. */
static const char *const *basic_type_at(const char *text, size_t at)
{
	if (at > 0 && dwarf_names_is_word(text[at - 1]))
		return NULL;
	for (size_t i = 0; i < sizeof basic_types / sizeof *basic_types; i++) {
		size_t len = strlen(basic_types[i][0]);
		if (strncmp(text + at, basic_types[i][0], len) == 0 &&
		    !dwarf_names_is_word(text[at + len]))
			return basic_types[i];
	}
	return NULL;
}

/* A type, also one that has others as its template arguments. */
static void write_type_name(FILE *to, const char *name)
{
	for (size_t i = 0; name[i];) {
		const char *const *found = basic_type_at(name, i);
		fputs(found ? found[1] : (char[2]){ name[i] }, to);
		i += found ? strlen(found[0]) : 1;
	}
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
	return dwarf_attr_integrate(of, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, type);
}

static int write_named_type(FILE *to, Dwarf_Die *type)
{
	struct path path = { 0 };
	const char *name = dwarf_diename(type);
	int status = find_path(type, &path);

	for (size_t i = 0; !status && i + 1 < path.count; i++) {
		Dwarf_Die *scope = &path.entries[i];
		const char *text = cg_dwarf_is_scope(dwarf_tag(scope)) ? dwarf_diename(scope)
								       : NULL;
		if (text) {
			write_type_name(to, text);
			fputs("::", to);
		}
	}
	write_type_name(to, name ? name : "...");
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

	while ((known = find_type(&type, &type)) && (text = modifier(dwarf_tag(&type))) &&
	       count < MAX_REFERENCES)
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
static bool dwarf_names_find_call(Dwarf_Die *type, Dwarf_Die *call)
{
	static const char name[] = "operator()";
	if (!is_type(dwarf_tag(type)) || dwarf_diename(type) || dwarf_child(type, call) != 0)
		return false;
	do {
		const char *text = dwarf_tag(call) == DW_TAG_subprogram ? dwarf_diename(call)
									: NULL;
		if (text && strncmp(text, name, sizeof name - 1) == 0)
			return true;
	} while (dwarf_names_go_on(call));
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
	while (dwarf_names_go_on(&child));
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

static int dwarf_names_write_parameters(FILE *to, Dwarf_Die *call)
{
	Dwarf_Die child;
	const char *between = "", *symbol = symbol_of(call);
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
	} while (!status && dwarf_names_go_on(&child));
	return status;
}

/* Allocated; NULL: out of memory. */
static char *parameters_of(Dwarf_Die *call)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	bool failed = !to || dwarf_names_write_parameters(to, call) != CG_OK;

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

/* Clang says of lambdas that are inlined no more than that they are types. Elsewhere than in functions there are
 * many of those that are none. */
static bool counts_as_lambda(Dwarf_Die *entry, bool in_function)
{
	Dwarf_Die call;
	int tag = dwarf_tag(entry);
	bool class = tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
	return (in_function && class && !dwarf_diename(entry)) ||
	       dwarf_names_find_call(entry, &call);
}

/* How many lambdas of a scope begin before one of them: what GCC numbers by up to version 12, as it takes no debug
 * information of others. Blocks come where the compiler likes. */
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
		if (is_block(dwarf_tag(at)) && depth < MAX_BLOCKS &&
		    dwarf_child(at, &levels[depth]) == 0) {
			depth++;
			continue;
		}
		while (depth && !dwarf_names_go_on(&levels[depth - 1]))
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
		bool known = find_type(&child, &type);
		if (known && dwarf_tag(&type) == DW_TAG_const_type)
			known = find_type(&type, &type);
		if (known && type.addr == lambda->addr)
			return dwarf_diename(&child);
	} while (dwarf_names_go_on(&child));
	return NULL;
}

static int write_lambda(FILE *to, Dwarf_Die *scope, Dwarf_Die *type, Dwarf_Die *call)
{
	char *parameters = parameters_of(call);
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
	} else if (dwarf_names_find_call(entry, &call)) {
		status = write_lambda(to, &path->entries[dwarf_names_scope_of(path, at)], entry,
				      &call);
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

/* Where a function was declared says how it is called. */
static Dwarf_Die declaration_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die declared = *die;

	for (int i = 0; i < MAX_REFERENCES &&
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

/* Lambdas among the template arguments of a function, in a name of it: see cg_lambda_replace_arguments. */
typedef int rename_arguments(Dwarf_Die *function, const char *name, char **renamed);

/* The name of the function around, without the type that it returns; as symbols have it if `rename` is NULL.
 * Allocated; NULL: out of memory. */
static char *front_of(Dwarf_Die *function, const char *symbol, rename_arguments *rename)
{
	char *demangled = cg_demangle(symbol), *renamed = NULL;
	const char *name = demangled ? demangled : symbol;
	int status = demangled && rename ? rename(function, demangled, &renamed) : CG_OK;

	if (renamed)
		name = renamed;
	/* GCC does not say what parameters are lambdas. */
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
		if (!dwarf_names_go_on(&child))
			return false;
	if (!dwarf_hasattr(&child, DW_AT_artificial) || !find_type(&child, &type))
		return false;
	/* The pointer itself may be constant as well. */
	for (int i = 0; i < MAX_REFERENCES && dwarf_tag(&type) == DW_TAG_const_type; i++)
		if (!find_type(&type, &type))
			return false;
	return dwarf_tag(&type) == DW_TAG_pointer_type && find_type(&type, &type) &&
	       dwarf_tag(&type) == DW_TAG_const_type;
}

static const char unknown[] = "???";

/* A bare name; the call of a lambda with its template arguments as symbols have them. Allocated; NULL: out of
 * memory. */
static char *of_symbols(const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *to = strncmp(name, "operator()<", 11) == 0 ? open_memstream(&text, &size) : NULL;

	if (!to)
		return strdup(name);
	write_type_name(to, name);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* The own name of a function around that has no symbol: parameters have those that one source file knows alone, but
 * lambdas, those that are called with lambdas, and those of C. Allocated; NULL: out of memory. */
static char *name_around(Dwarf_Die *function, rename_arguments *rename)
{
	const char *name = dwarf_diename(function);
	bool lambda = name && cg_lambda_any(name);
	bool with = name && !lambda && !dwarf_hasattr_integrate(function, DW_AT_external) &&
		    !strstr(name, "operator()");
	char *parameters = with ? parameters_of(function) : NULL, *text = NULL;

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

/* Clang may leave empty the entry around a function that is inlined: then its symbol says in which it is. */
static bool find_around(Dwarf_Die *inner, Dwarf_Die *around)
{
	const char *symbol = symbol_of(inner);
	Dwarf_Die unit, child;

	if (!symbol || !dwarf_diecu(inner, &unit, NULL, NULL) || dwarf_child(&unit, &child) != 0)
		return false;
	do {
		const char *other = dwarf_tag(&child) == DW_TAG_subprogram ? symbol_of(&child)
									   : NULL;
		if (other && symbol_is_in(symbol, other)) {
			*around = child;
			return true;
		}
	} while (dwarf_names_go_on(&child));
	return false;
}

/* The name of a function behind all that is around it, from debug information alone as far as that is in
 * lambdas. Allocated; NULL: out of memory. */
static char *whole_name(Dwarf_Die *die, const char *name, rename_arguments *rename)
{
	char *text = of_symbols(name);
	Dwarf_Die function = *die;
	bool inside = text != NULL;

	for (int i = 0; inside && i < MAX_REFERENCES; i++) {
		Dwarf_Die inner = function, declared = declaration_of(&function);
		char *longer = qualify(&declared, text, &function, &inside), *front;
		free(text);
		text = longer;
		if (!text || !inside)
			break;
		if (!dwarf_diename(&function))
			find_around(&inner, &function);
		const char *symbol = symbol_of(&function);
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

/* As a type: without what calls it. */
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
		bool known = tag == DW_TAG_template_type_parameter && find_type(at, &type);
		for (int i = 0; known && modifier(dwarf_tag(&type)) && i < MAX_REFERENCES; i++)
			known = find_type(&type, &type);
		if (known && dwarf_names_find_call(&type, &call))
			status = add_argument(a, &type, &call);
		else if (known)
			around = type;
		if (is_argument(tag) && depth < MAX_DEPTH && (around.addr != at->addr || !known) &&
		    dwarf_child(&around, &levels[depth]) == 0) {
			depth++;
			continue;
		}
		while (depth && !dwarf_names_go_on(&levels[depth - 1]))
			depth--;
	}
	return status;
}

static int name_arguments(Dwarf_Die *function, const char *name, char **renamed)
{
	struct dwarf_names_arguments a = { .count = 0 };
	struct path path = { 0 };
	Dwarf_Die declared = declaration_of(function);
	int status = cg_lambda_any(name) ? find_path(&declared, &path) : CG_OK;

	*renamed = NULL;
	for (size_t i = 0; !status && i + 1 < path.count; i++)
		if (is_type(dwarf_tag(&path.entries[i])))
			status = add_arguments(&a, &path.entries[i]);
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

/* What compilers call in ways of their own is called as debug information says. *name, which is allocated, is
 * replaced if that is known. */
static int name_lambdas(Dwarf_Die *die, char **name)
{
	const char *bare = dwarf_diename(die);
	char *made = NULL;
	int status = CG_OK;

	if (cg_lambda_around(*name, strlen(*name)).end) {
		char *whole = bare ? whole_name(die, bare, name_arguments) : NULL;
		status = whole || !bare ? CG_OK : CG_ENOMEM;
		/* Clang may say nothing of the function around. */
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
	const char *symbol = symbol_of(die), *bare = symbol ? NULL : dwarf_diename(die);

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
