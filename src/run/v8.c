#include "src/run/v8.h"

#include <stddef.h>
#include <string.h>

/* Builtins of the language's library call functions, too, as Array.prototype.forEach does. Some
 * take a few others to do so, as Array.prototype.sort does. */
#define LIBRARY_CALLERS 4

/*
 * What follows "Builtins_" in the names that V8 gives them. Valgrind finds a pattern only if
 * no other one begins with the text before its first asterisk, and those that begin with an
 * asterisk only if they come first.
 */
static const char *const machinery[] = {
	"*Handler",
	/* properties and variables */
	"CloneObjectIC*",
	"DefineKeyedOwnIC*",
	"DefineNamedOwnIC*",
	"KeyedHasIC*",
	"KeyedLoadIC*",
	"KeyedStoreIC*",
	"LoadGlobalIC*",
	"LoadIC*",
	"LoadSuperIC*",
	"LookupContext*",
	"LookupGlobalIC*",
	"StoreFastElementIC*",
	"StoreGlobalIC*",
	"StoreIC*",
	"StoreInArrayLiteralIC*",
	/* operators */
	"Add*",
	"Bitwise*",
	"Decrement*",
	"Divide*",
	"Equal*",
	"Exponentiate*",
	"GreaterThan*",
	"Increment*",
	"InstanceOf*",
	"LessThan*",
	"Modulus*",
	"Multiply*",
	"Negate*",
	"Shift*",
	"StrictEqual*",
	"Subtract*",
	"ToBoolean*",
	"ToNumber*",
	"ToNumeric*",
	/* calls */
	"AdaptorWithBuiltinExitFrame",
	"CEntry*",
	"Call*",
	"Construct*",
	"DirectCEntry",
	"FunctionPrototypeApply",
	"FunctionPrototypeCall",
	"JSBuiltinsConstructStub",
	"JSConstruct*",
	"JSEntry*",
	"ReflectApply",
	/* code of the interpreter and the compilers */
	"Baseline*",
	"CompileLazy*",
	"Interpreter*",
	"MaglevOnStackReplacement",
	NULL,
};

/* V8 reads underscores as hyphens. */
static bool begins_with_option(const char *word, const char *option)
{
	for (; *option; word++, option++)
		if ((*word == '_' ? '-' : *word) != *option)
			return false;
	return true;
}

static bool asks_in(const char *words, const char *option)
{
	for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
		if (begins_with_option(words, option))
			return true;
		words += strcspn(words, " ");
	}
	return false;
}

static bool asks_for(const char *const *argv, const char *node_options, const char *option)
{
	for (const char *const *word = argv + 1; *word; word++)
		if (begins_with_option(*word, option))
			return true;
	return node_options && asks_in(node_options, option);
}

bool v8_names_functions(const char *const *argv, const char *node_options)
{
	/* also --perf-basic-prof-only-functions */
	return asks_for(argv, node_options, "--perf-basic-prof") &&
	       asks_for(argv, node_options, "--interpreted-frames-native-stack");
}

int v8_add_options(struct strings *strings, unsigned depth, struct cg_error *err)
{
	int status = CG_OK;

	for (const char *const *name = machinery; !status && *name; name++)
		status = strings_addf(strings, err, "--fn-skip=Builtins_%s", *name);
	/* All other ones: "Builtins_*" would hide the patterns above. */
	if (!status && depth < LIBRARY_CALLERS)
		status = strings_addf(strings, err, "--separate-callers%d=?uiltins_*",
				      LIBRARY_CALLERS);
	return status;
}
