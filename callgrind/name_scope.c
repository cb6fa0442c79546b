/* The scope of a name: "a::b" of "a::b::f(int)". */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "cgprofile/names.h"

struct scope_text {
	const char *at, *end;
};

static bool scope_begins(struct scope_text t, const char *word)
{
	size_t n = strlen(word);
	return (size_t)(t.end - t.at) >= n && memcmp(t.at, word, n) == 0;
}

static bool scope_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool begins_with_operator(struct scope_text t)
{
	static const char word[] = "operator";
	return scope_begins(t, word) &&
	       ((size_t)(t.end - t.at) == sizeof word - 1 || !scope_is_word(t.at[sizeof word - 1]));
}

static bool scope_is_open(char c)
{
	return c == '(' || c == '<' || c == '[' || c == '{';
}

static bool is_close(char c)
{
	return c == ')' || c == '>' || c == ']' || c == '}';
}

/* After the bracket that closes the one at t.at; the end if none does. */
static const char *after_bracket(struct scope_text t)
{
	size_t depth = 0;

	for (const char *c = t.at; c < t.end; c++) {
		if (scope_is_open(*c))
			depth++;
		else if (is_close(*c) && !(*c == '>' && c > t.at && c[-1] == '-') && --depth == 0)
			return c + 1;
	}
	return t.end;
}

/* After what may follow parameters; then "::" shows that the function is itself a scope. */
static struct scope_text skip_qualifiers(struct scope_text t)
{
	static const char *const qualifiers[] = { " const", " volatile", " &&", " &", " noexcept" };

	for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers;)
		if (scope_begins(t, qualifiers[i])) {
			t.at += strlen(qualifiers[i]);
			i = 0;
		} else {
			i++;
		}
	return t;
}

/* Scopes as they are read. Each ends at its own "::", so that the last ones can be taken back. */
struct scopes {
	char *text;
	size_t len;    /* of whole scopes, with "::" between them */
	size_t before; /* the same without the last of them */
	size_t part;   /* the scope that is being read follows them */
};

static void scope_forget(struct scopes *s)
{
	s->len = s->before = s->part = 0;
}

static void scope_put(struct scopes *s, const char *from, const char *to)
{
	size_t at = s->len + (s->len ? 2 : 0) + s->part, n = (size_t)(to - from);

	memcpy(s->text + at, from, n);
	s->part += n;
}

static void end_part(struct scopes *s)
{
	s->before = s->len;
	if (!s->part)
		return;
	if (s->len) {
		memcpy(s->text + s->len, "::", 2);
		s->len += 2;
	}
	s->len += s->part;
	s->part = 0;
}

static size_t copy_scope(struct scope_text t, char *scope);

/* The " as " of "<T as Trait>", which is in no brackets of its own; NULL: none. */
static const char *find_as(struct scope_text t)
{
	for (; t.at < t.end; t.at++) {
		if (scope_begins(t, " as "))
			return t.at;
		if (scope_is_open(*t.at))
			t.at = after_bracket(t) - 1;
	}
	return NULL;
}

/* A type without what makes it a reference or a pointer: "&'a mut T". */
static struct scope_text plain_type(struct scope_text t)
{
	static const char *const marks[] = { "&", "*const ", "*mut ", "mut ", "dyn " };

	for (size_t i = 0; i < sizeof marks / sizeof *marks;) {
		if (scope_begins(t, "'")) {
			const char *blank = memchr(t.at, ' ', (size_t)(t.end - t.at));
			t.at = blank ? blank + 1 : t.end;
			i = 0;
		} else if (scope_begins(t, marks[i])) {
			t.at += strlen(marks[i]);
			i = 0;
		} else {
			i++;
		}
	}
	return t;
}

/* A path in full, as if something followed it; 0 if it is not a path of two names. */
static size_t scope_path_of(struct scope_text t, char *scope)
{
	struct scopes s = { .text = scope };

	for (; t.at < t.end; t.at++) {
		if (scope_begins(t, "::")) {
			end_part(&s);
			t.at++;
		} else if (*t.at == '<') {
			t.at = after_bracket(t) - 1;
		} else if (scope_is_word(*t.at)) {
			scope_put(&s, t.at, t.at + 1);
		} else {
			break;
		}
	}
	end_part(&s);
	return s.before ? s.len : 0;
}

/* "<T as Trait>" or "<T>" of Rust, without the brackets: T where it has a path, else Trait. */
static size_t scope_of_type(struct scope_text t, char *scope)
{
	const char *as = find_as(t);
	size_t len = scope_path_of(plain_type((struct scope_text){ t.at, as ? as : t.end }), scope);

	return len || !as ? len : scope_path_of((struct scope_text){ as + 4, t.end }, scope);
}

/* At a bracket that contains no scope: skips it. False if no scope can follow. */
static bool pass_bracket(struct scopes *s, struct scope_text *t, bool first)
{
	struct scope_text after = { after_bracket(*t), t->end };
	bool at_begin = s->part == 0;

	if (scope_begins(*t, "(anonymous namespace)")) {
		scope_put(s, t->at, after.at);
	} else if (*t->at == '{' && at_begin) {
		/* A Rust closure is inside its function, which has no brackets; nor has main. */
		if (scope_begins(*t, "{{") || scope_begins(*t, "{closure") ||
		    (s->len == 4 && memcmp(s->text, "main", 4) == 0))
			s->len = s->before;
		return false;
	} else if (*t->at == '<' && at_begin) {
		if (!first || after.at == t->end)
			return false;
		s->len = scope_of_type((struct scope_text){ t->at + 1, after.at - 1 }, s->text);
		s->before = 0;
		if (!s->len)
			return false;
	} else if (*t->at == '(') {
		struct scope_text rest = skip_qualifiers(after);
		if (scope_begins(rest, "::") || rest.at == t->end || *rest.at != ' ')
			return false;
	}
	t->at = after.at - 1;
	return true;
}

/* From left to right, because operators and lambdas hide what follows them. */
static size_t copy_scope(struct scope_text t, char *scope)
{
	struct scopes s = { .text = scope };
	const char *begin = t.at;

	for (; t.at < t.end; t.at++) {
		if (scope_begins(t, "::")) {
			end_part(&s);
			t.at++;
		} else if (*t.at == ' ') { /* it was a type, or "non-virtual thunk to" */
			scope_forget(&s);
			begin = t.at + 1;
		} else if (s.part == 0 && (begins_with_operator(t) || *t.at == '\'')) {
			break;
		} else if (scope_is_open(*t.at)) {
			if (!pass_bracket(&s, &t, t.at == begin))
				break;
		} else {
			scope_put(&s, t.at, t.at + 1);
		}
	}
	return s.len;
}

size_t cg_name_scope(const char *name, size_t len, char *scope)
{
	if (cg_name_is_address(name) ||
	    scope_begins((struct scope_text){ name, name + len }, "(below main)"))
		return 0;
	return copy_scope((struct scope_text){ name, name + cg_name_stem(name, len) }, scope);
}
