#include "src/view/code_parts.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/name_parts.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "cgprofile/error.h"
#include "src/view/code_locals.h"
#include "src/view/code_tokens.h"

/* Where a piece of text is in its blocks. */
struct place_in_blocks {
	uint32_t depth; /* of open braces */
	uint32_t body;  /* the depth at which the body of a function or data began; 0: in none */
};

/* What the words and marks before a block tell about it. */
struct heading {
	bool container;   /* it says class, namespace, impl ... */
	bool type;        /* it says class, struct, union or enum */
	bool enumeration; /* it says enum */
	bool scope;       /* it says namespace */
	bool function;    /* it says fn */
	bool internal;    /* it says static, typedef or using */
	bool exported;    /* it says pub, export or macro_rules */
	bool parentheses; /* it has some that do not belong to an attribute */
	bool arguments;   /* it has some at all, of which an attribute may be a name in capitals */
	bool value;       /* it has a = outside parentheses */
	bool attribute;   /* the last word was one */
	bool after_operator; /* the last word was "operator" */
	bool fn;             /* the last word was "fn" */
	bool more;           /* it has more than calls of macros, as FOO(x) BAR */
	bool named;          /* the name is certain */
	bool colon;          /* … because a colon follows, unless it is the first of two */
	uint32_t open;       /* parentheses */
	uint32_t angles;     /* open brackets of template arguments */
	char mark;           /* the last token, if it is one; 0: a word */
	uint32_t name;       /* hash of the last word */
};

enum { MOST_CONDITIONS = 64, MOST_TYPES = 64 };

/* A type whose members are being read. */
struct open_type {
	uint32_t depth; /* of its block */
	uint32_t name;  /* 0: it has none */
	size_t first;   /* of its parts */
	bool enumeration;
	uint64_t base;     /* hash of the last value of an enumerator that is no number; 0: none */
	uint64_t distance; /* how many enumerators followed it, or began with 0 */
};

struct part_reader {
	struct code_parts *out;
	const char *text;
	struct code_tokens tokens;
	struct code_part part; /* that is being read; its `first` is 0 before its first token */
	struct heading heading;
	uint64_t value;         /* hash of a = in it and of what follows that … */
	uint32_t nvalues;       /* … so many tokens … */
	struct code_token last; /* … of which this is the last */
	struct place_in_blocks at;
	/* In each branch of #if blocks are open that were open before it. */
	struct place_in_blocks conditions[MOST_CONDITIONS];
	uint32_t nconditions;
	struct code_locals locals;
	struct open_type types[MOST_TYPES];
	uint32_t ntypes;
	size_t unnamed; /* the first part of a type whose name follows */
	bool ended;     /* the last part, a function: it continues after ", " or another block */
};

uint32_t code_word_hash(const char *word, size_t len)
{
	return cg_checksum(word, len);
}

uint32_t code_function_hash(const char *name)
{
	size_t word_len, len = cg_name_without_closures(name, strlen(name));

	len = cg_name_without_parameters(name, cg_name_stem(name, len));
	const char *word = cg_name_last_word(name, len, &word_len);
	return code_word_hash(word, word_len);
}

size_t code_word_length(const struct code_word *word, const char *text, size_t size)
{
	struct code_tokens tokens;

	if (word->at >= size)
		return 0;
	code_tokens_begin(&tokens, text + word->at, size - word->at);
	return code_tokens_next(&tokens).len;
}

static uint32_t hash_of_token(const struct code_token *token)
{
	return code_word_hash(token->text, token->len);
}

/* ---- one part ---- */

static void begin_part(struct part_reader *r)
{
	r->part = (struct code_part){ .word = r->out->nwords };
	r->heading = (struct heading){ 0 };
	r->value = r->nvalues = 0;
	r->locals = (struct code_locals){ .state = LOCALS_START };
}

/* Of a type whose name stands after its members. */
static void name_members(struct part_reader *r)
{
	const struct code_part *last = &r->out->items[r->out->count - 1];

	for (size_t i = r->unnamed; i + 1 < r->out->count; i++)
		if (!r->out->items[i].function)
			r->out->items[i].owner = last->name;
	r->unnamed = r->out->count;
}

/* What follows "operator" tells which it is, and nobody uses a namespace for what it is. */
static bool gives_no_name(const struct heading *h)
{
	return h->name == code_word_hash("operator", strlen("operator")) || (h->scope && !h->value);
}

/* The type whose members are being read; NULL: none. */
static struct open_type *open_type(struct part_reader *r)
{
	struct open_type *type = r->ntypes ? &r->types[r->ntypes - 1] : NULL;

	return type && type->depth == r->at.depth ? type : NULL;
}

static bool is_in_enumeration(struct part_reader *r)
{
	const struct open_type *type = open_type(r);

	return type && type->enumeration && !r->at.body;
}

/* A number after =, if languages agree on which it is. */
static bool value_of_enumerator(const struct part_reader *r, uint64_t *n)
{
	enum { EQUALS_AND_NUMBER = 2, MOST_DIGITS = 9 };
	const struct code_token *last = &r->last;

	if (r->nvalues != EQUALS_AND_NUMBER || last->len > MOST_DIGITS ||
	    (last->len > 1 && *last->text == '0'))
		return false;
	*n = 0;
	for (size_t i = 0; i < last->len; i++) {
		if (last->text[i] < '0' || last->text[i] > '9')
			return false;
		*n = *n * 10 + (uint64_t)(last->text[i] - '0');
	}
	return true;
}

/* Without a value it has that of the one before, and one more: so the names of those between do not
 * matter, nor whether a number is written out. But what is more than a name may be a macro that
 * declares several. */
static void count_enumerator(struct part_reader *r, struct open_type *type)
{
	const bool plain = r->out->nwords - r->part.word == 1 && !r->heading.arguments;
	uint64_t number;

	r->part.text = r->part.hash;
	r->part.base = r->heading.value ? 0 : type->base;
	if (!r->heading.value)
		r->part.hash = cg_hash_mix(r->part.text, cg_hash_mix(type->base, ++type->distance));
	if (r->heading.value && value_of_enumerator(r, &number)) {
		type->base = 0;
		type->distance = number + 1;
	} else if (r->heading.value || !plain) {
		type->base = r->heading.value ? r->value : r->part.hash;
		type->distance = 0;
	}
}

static int finish_part(struct part_reader *r, bool function)
{
	struct code_parts *out = r->out;

	if (!r->part.first)
		return CG_OK;
	if (cg_grow(&out->items, &out->cap, out->count + 1, sizeof *out->items))
		return CG_ENOMEM;
	struct open_type *type = r->part.macro || function ? NULL : open_type(r);
	const bool member = type;
	r->part.enumerator = member && type->enumeration;
	r->part.prototype = !function && !r->part.enumerator && r->heading.parentheses &&
			    !r->heading.value;
	r->part.owner = member && (!r->heading.parentheses || r->part.enumerator) ? type->name : 0;
	if (r->part.enumerator)
		count_enumerator(r, type);
	r->part.external = !function && !r->part.macro && !r->part.prototype && !member &&
			   !r->heading.internal;
	r->part.exported = r->heading.exported;
	r->part.function = function;
	r->part.name = function || !gives_no_name(&r->heading) ? r->heading.name : 0;
	r->part.nwords = out->nwords - r->part.word;
	out->items[out->count++] = r->part;
	name_members(r);
	begin_part(r);
	return CG_OK;
}

static int add_word_of_part(struct part_reader *r, const struct code_token *token, uint32_t hash)
{
	struct code_parts *out = r->out;

	if (cg_grow(&out->words, &out->words_cap, out->nwords + 1, sizeof *out->words))
		return CG_ENOMEM;
	out->words[out->nwords++] = (struct code_word){ .hash = hash,
							.at = (uint32_t)(token->text - r->text) };
	return CG_OK;
}

static int add_token_to_part(struct part_reader *r, const struct code_token *token)
{
	uint32_t hash = hash_of_token(token);

	if (!r->part.first)
		r->part.first = token->line;
	r->part.last = r->tokens.line;
	r->part.hash = cg_hash_mix(r->part.hash + token->len, hash);
	if (r->heading.value) {
		r->value = cg_hash_mix(r->value + token->len, hash);
		r->nvalues++;
		r->last = *token;
	}
	if (token->kind == TOKEN_WORD && add_word_of_part(r, token, hash))
		return CG_ENOMEM;
	code_locals_read(&r->locals, token, !r->at.body && !r->heading.value, r->out->words,
			 r->out->nwords);
	return CG_OK;
}

/* ---- what is declared ---- */

static bool is_listed_word(const struct code_token *token, const char *const *words)
{
	while (*words && !code_token_is(token, *words))
		words++;
	return *words != NULL;
}

/* Words that many declarations have before parentheses, brackets and the like; and a number. */
static bool is_no_name(const struct code_token *token)
{
	static const char *const words[] = {
		"int",      "char",      "void",     "long",     "short",     "bool",
		"unsigned", "signed",    "double",   "float",    "const",     "static",
		"struct",   "return",    "if",       "else",     "public",    "private",
		"auto",     "u8",        "u16",      "u32",      "u64",       "usize",
		"i32",      "i64",       "self",     "Self",     "pub",       "mut",
		"size_t",   "protected", "typedef",  "enum",     "union",     "class",
		"extern",   "inline",    "template", "typename", "namespace", "using",
		"fn",       "let",       "where",    "impl",     "unsafe",    "virtual",
		"explicit", "constexpr", "volatile", "register", NULL
	};

	return (*token->text >= '0' && *token->text <= '9') || is_listed_word(token, words);
}

static bool is_in_capitals(const struct code_token *token)
{
	size_t capitals = 0;

	for (size_t i = 0; i < token->len; i++)
		capitals += (token->text[i] >= 'A' && token->text[i] <= 'Z') ||
			    token->text[i] == '_' ||
			    (i > 0 && token->text[i] >= '0' && token->text[i] <= '9');
	return token->len > 3 && capitals == token->len;
}

static bool is_attribute(const struct code_token *token)
{
	static const char *const words[] = { "__attribute__", "alignas",  "__declspec",
					     "decltype",      "noexcept", "pub",
					     "__attribute",   "derive",   NULL };

	return is_in_capitals(token) || is_listed_word(token, words);
}

static void read_word_of_heading(struct heading *h, const struct code_token *token)
{
	static const char *const containers[] = { "namespace", "class",     "struct", "union",
						  "enum",      "extern",    "impl",   "mod",
						  "trait",     "interface", NULL };
	static const char *const types[] = { "class", "struct", "union", "enum", NULL };
	static const char *const internals[] = { "static", "typedef", "using", NULL };
	static const char *const no_values[] = { "delete", "default", NULL };
	static const char *const exports[] = { "pub", "export", "macro_rules", NULL };

	h->attribute = is_attribute(token);
	h->after_operator = code_token_is(token, "operator");
	h->mark = 0;
	h->colon = false;
	h->more |= !h->open && !is_in_capitals(token);
	if (h->open || h->angles)
		return;
	h->container |= is_listed_word(token, containers);
	h->type |= is_listed_word(token, types);
	h->enumeration |= code_token_is(token, "enum");
	h->scope |= code_token_is(token, "namespace");
	/* f() = delete is a function without a body, no variable. */
	h->value &= !h->parentheses || !is_listed_word(token, no_values);
	h->function |= code_token_is(token, "fn");
	h->internal |= is_listed_word(token, internals);
	h->exported |= is_listed_word(token, exports);
	if (h->fn || (!h->named && !is_no_name(token)))
		h->name = hash_of_token(token);
	h->named |= h->fn;
	h->fn = code_token_is(token, "fn");
}

static void read_bracket_of_heading(struct heading *h, char mark)
{
	const bool outside = !h->open && !h->angles;

	if (mark == '(') {
		h->arguments |= outside && !h->value;
		h->parentheses |= !h->attribute && outside && !h->value;
		h->named |= !h->attribute && outside && h->name;
	}
	if (mark == '(' || mark == '[')
		h->open++;
	else if (mark == ')' || mark == ']')
		h->open -= h->open > 0;
	else if (mark == '<')
		h->angles += !h->after_operator && !h->open && !h->value && !h->mark;
	else if (mark == '>' && h->mark != '-' && !h->open)
		h->angles -= h->angles > 0;
}

/* The name of what is declared stands before the first of these. What follows "operator" and a
 * mark, as in +=, gives no value. */
static void read_mark_of_heading(struct heading *h, const struct code_token *token)
{
	const char mark = *token->text;
	const bool outside = !h->open && !h->angles;

	h->more |= !h->open && mark != '(';
	if (mark == '=') {
		h->value |= outside && !h->after_operator && (!h->mark || strchr(")]}>", h->mark));
		h->named |= outside;
	} else if (mark == ':' && h->mark == ':') {
		h->named &= !h->colon;
		h->colon = false;
	} else if (outside && h->name && !h->named && (mark == '[' || mark == ':')) {
		h->named = true;
		h->colon = mark == ':';
	}
	read_bracket_of_heading(h, mark);
	h->attribute = h->after_operator = false;
	h->mark = mark;
}

static void read_heading(struct part_reader *r, const struct code_token *token)
{
	if (token->kind == TOKEN_WORD)
		read_word_of_heading(&r->heading, token);
	else if (token->kind == TOKEN_MARK)
		read_mark_of_heading(&r->heading, token);
	else
		r->heading.more |= !r->heading.open;
}

/* ---- calls of macros ---- */

/* Such a call is not followed by a semicolon, and belongs to no declaration. */
static int finish_macro_call(struct part_reader *r)
{
	r->heading.name = 0;
	return finish_part(r, false);
}

static bool is_macro_call(struct part_reader *r)
{
	return r->part.first && !r->at.body && !r->heading.open && !r->heading.more &&
	       !is_in_enumeration(r);
}

/* FOO() in a line of its own, and then an empty line or comment: in the next line it would be what
 * FOO is an attribute of. */
static bool is_apart(struct part_reader *r, const struct code_token *token)
{
	return is_macro_call(r) && token->line > r->part.last + 1 && token->kind == TOKEN_WORD;
}

static bool heads_container(const struct heading *h)
{
	return h->container && !h->function && !h->parentheses && !h->value;
}

/* ---- blocks ---- */

/* The body of a function, or what is between the braces of data, ends. */
static int end_body(struct part_reader *r)
{
	const struct heading *h = &r->heading;

	r->at.body = 0;
	if (h->value)
		return CG_OK;
	/* Of a function as before C was standardised, the heading ends at the last semicolon. */
	r->ended = h->arguments || h->function || !h->name;
	return finish_part(r, r->ended);
}

static int open_block(struct part_reader *r)
{
	r->at.depth++;
	if (r->at.body)
		return CG_OK;
	if (!heads_container(&r->heading)) {
		r->at.body = r->at.depth;
		return CG_OK;
	}
	const struct heading h = r->heading;
	int status = finish_part(r, false);
	if (h.type && r->ntypes < MOST_TYPES)
		r->types[r->ntypes++] = (struct open_type){ r->at.depth,   h.name, r->out->count,
							    h.enumeration, 0,      0 };
	return status;
}

/* Of "typedef struct { ... } name;" the name follows. */
static void close_types(struct part_reader *r)
{
	while (r->ntypes && r->types[r->ntypes - 1].depth > r->at.depth) {
		const struct open_type *type = &r->types[--r->ntypes];
		r->unnamed = type->name ? r->out->count : type->first;
	}
}

static int close_block(struct part_reader *r)
{
	bool ends = r->at.body && r->at.body == r->at.depth;
	int status = r->at.body ? CG_OK : finish_part(r, false);

	r->at.depth -= r->at.depth > 0;
	close_types(r);
	return ends ? end_body(r) : status;
}

static struct heading heading_of_function(uint32_t name)
{
	return (struct heading){ .function = true, .named = true, .more = true, .name = name };
}

/* int x : a{1}, b{2} { ... } is one function. */
static void continue_function(struct part_reader *r, const struct code_token *token)
{
	struct code_parts *out = r->out;

	if (!r->ended || !(code_token_is(token, ",") || code_token_is(token, "{")))
		return;
	r->part = out->items[--out->count];
	r->heading = heading_of_function(r->part.name);
	r->locals.initialisers = true;
}

static bool ends_enumerator(struct part_reader *r)
{
	return !r->heading.open && !r->heading.angles && is_in_enumeration(r);
}

static int read_mark_of_part(struct part_reader *r, const struct code_token *token)
{
	bool inside = r->at.body;
	int status = CG_OK;

	if (!inside)
		continue_function(r, token);
	r->ended = false;
	if (!inside && *token->text == ',' && ends_enumerator(r))
		return finish_part(r, false);
	const bool braces = *token->text == '{' || *token->text == '}';
	if (!inside && r->heading.open && braces)
		return add_token_to_part(r, token);
	if (!inside && *token->text == '}')
		return close_block(r);
	if (!inside && *token->text == ';' && !r->part.first) {
		r->unnamed = r->out->count;
		return CG_OK;
	}
	if (!inside)
		read_heading(r, token);
	status = add_token_to_part(r, token);
	if (status)
		return status;
	if (*token->text == '{')
		return open_block(r);
	if (*token->text == '}')
		return close_block(r);
	return *token->text == ';' && !r->at.body ? finish_part(r, false) : CG_OK;
}

/* ---- directives ---- */

static bool says_directive(const struct code_token *token, const char *word)
{
	const char *at = token->text + 1, *end = token->text + token->len;
	size_t len = strlen(word);

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return (size_t)(end - at) >= len && memcmp(at, word, len) == 0;
}

/* Which a branch of #if closed. */
static void reopen_function(struct part_reader *r)
{
	struct code_parts *out = r->out;

	if (r->part.first || !out->count || !out->items[out->count - 1].function)
		return;
	r->part = out->items[--out->count];
	r->heading = heading_of_function(r->part.name);
}

/* The blocks that are open after #else are those before #if. */
static int read_condition(struct part_reader *r, const struct code_token *token)
{
	if (says_directive(token, "if")) {
		if (r->nconditions < MOST_CONDITIONS)
			r->conditions[r->nconditions] = r->at;
		r->nconditions++;
		return CG_OK;
	}
	if (says_directive(token, "endif")) {
		r->nconditions -= r->nconditions > 0;
		return CG_OK;
	}
	if (!says_directive(token, "el") || !r->nconditions || r->nconditions > MOST_CONDITIONS)
		return CG_OK;
	bool inside = r->at.body;
	r->at = r->conditions[r->nconditions - 1];
	close_types(r);
	if (inside && !r->at.body)
		return finish_part(r, true);
	if (!inside && r->at.body)
		reopen_function(r);
	return CG_OK;
}

static int add_word_of_directive(struct part_reader *r, const struct code_token *token,
				 bool parameter)
{
	if (add_word_of_part(r, token, hash_of_token(token)))
		return CG_ENOMEM;
	r->out->words[r->out->nwords - 1].declared = parameter;
	return CG_OK;
}

/* Its words are those of the part, without the first, as "define". */
static int add_directive_to_part(struct part_reader *r, const struct code_token *token)
{
	struct code_tokens inner;
	struct code_token t;
	int status = CG_OK;
	const char *parameters = NULL; /* where they begin, right after the name of a macro */
	size_t count = 0;

	if (!r->part.first)
		r->part.first = token->line;
	r->part.last = r->tokens.line;
	code_tokens_begin(&inner, token->text + 1, token->len - 1);
	while (!status && (t = code_tokens_next(&inner)).kind != TOKEN_END) {
		if (code_token_is(&t, "\\"))
			continue;
		r->part.hash = cg_hash_mix(r->part.hash + t.len, hash_of_token(&t));
		if (code_token_is(&t, ")"))
			parameters = NULL;
		if (t.kind == TOKEN_WORD && count)
			status = add_word_of_directive(r, &t, parameters && t.text > parameters);
		if (count++ == 1 && t.text + t.len < inner.end && t.text[t.len] == '(')
			parameters = t.text + t.len;
	}
	return status;
}

/* A macro is a part of its own, between others. */
static int add_macro(struct part_reader *r, const struct code_token *token)
{
	int status = add_directive_to_part(r, token);

	if (status)
		return status;
	if (r->part.word < r->out->nwords)
		r->heading.name = r->out->words[r->part.word].hash;
	r->part.macro = true;
	r->ended = false;
	return finish_part(r, false);
}

static struct code_include included_file(const struct code_token *token)
{
	const char *end = token->text + token->len, *from = token->text, *to;
	bool beside;

	while (from < end && *from != '"' && *from != '<')
		from++;
	if (from == end)
		return (struct code_include){ code_word_hash("", 0), false };
	beside = *from == '"';
	to = memchr(from + 1, beside ? '"' : '>', (size_t)(end - from - 1));
	to = to ? to : end;
	from++;
	beside = beside && (to - from < 2 || memcmp(from, "..", 2) != 0);
	while (from < to && (*from == '.' || *from == '/'))
		from++;
	return (struct code_include){ code_word_hash(from, (size_t)(to - from)), beside };
}

static int add_include(struct code_parts *out, const struct code_token *token)
{
	if (cg_grow(&out->includes, &out->includes_cap, out->nincludes + 1, sizeof *out->includes))
		return CG_ENOMEM;
	out->includes[out->nincludes++] = included_file(token);
	return CG_OK;
}

/* A macro is defined between the parts of a declaration only if that was none. */
static bool ends_at_directive(struct part_reader *r, const struct code_token *token)
{
	return is_macro_call(r) || (r->part.first && !r->at.body && !r->heading.open &&
				    !r->heading.value && says_directive(token, "define"));
}

static int read_directive(struct part_reader *r, const struct code_token *token)
{
	if (ends_at_directive(r, token) && finish_macro_call(r))
		return CG_ENOMEM;
	const bool include = says_directive(token, "include") || says_directive(token, "import");
	int status = include ? add_include(r->out, token) : read_condition(r, token);

	if (status)
		return status;
	if (r->part.first)
		return add_directive_to_part(r, token);
	return says_directive(token, "define") ? add_macro(r, token) : CG_OK;
}

/* ---- the text ---- */

static int read_token_of_part(struct part_reader *r, const struct code_token *token)
{
	if (is_apart(r, token) && finish_macro_call(r))
		return CG_ENOMEM;
	if (token->kind == TOKEN_DIRECTIVE)
		return read_directive(r, token);
	if (token->kind == TOKEN_MARK)
		return read_mark_of_part(r, token);
	r->ended = false;
	if (!r->at.body)
		read_heading(r, token);
	return add_token_to_part(r, token);
}

static int mark_locals(struct code_parts *p, size_t from)
{
	int status = CG_OK;

	for (size_t i = from; !status && i < p->count; i++)
		if (p->items[i].nwords)
			status = code_locals_mark(p->words + p->items[i].word, p->items[i].nwords,
						  p->items[i].macro);
	return status;
}

int code_parts_add(struct code_parts *p, const char *text, size_t size)
{
	struct part_reader r = { .out = p, .text = text, .unnamed = p->count };
	const size_t from = p->count;
	struct code_token token;
	int status = CG_OK;

	code_tokens_begin(&r.tokens, text, size);
	begin_part(&r);
	while (!status && (token = code_tokens_next(&r.tokens)).kind != TOKEN_END)
		status = read_token_of_part(&r, &token);
	if (!status)
		status = finish_part(&r, r.at.body != 0);
	return status ? status : mark_locals(p, from);
}

const struct code_part *code_part_at(const struct code_parts *p, uint32_t line)
{
	size_t from = 0, to = p->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (p->items[middle].last < line)
			from = middle + 1;
		else
			to = middle;
	}
	for (; from < p->count && p->items[from].first <= line; from++)
		if (p->items[from].function && line <= p->items[from].last)
			return &p->items[from];
	return NULL;
}

void code_parts_free(struct code_parts *p)
{
	free(p->items);
	free(p->words);
	free(p->includes);
	*p = (struct code_parts){ 0 };
}
