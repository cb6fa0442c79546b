#include "callgrind/lambdas.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/name_parts.h"
#include "callgrind/name_text.h"
#include "cgprofile/error.h"
#include "cgprofile/names.h"

/* A function has few types that are lambdas. */
#define MAX_ARGUMENTS 16

static bool lambda_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool lambda_begins(const char *name, size_t len, size_t at, const char *text)
{
	size_t n = strlen(text);
	return len - at >= n && memcmp(name + at, text, n) == 0;
}

static size_t digits_end(const char *name, size_t len, size_t at)
{
	while (at < len && isdigit((unsigned char)name[at]))
		at++;
	return at;
}

/* After the bracket that closes the one at `at`; 0 if none does. */
static size_t closed(const char *name, size_t len, size_t at, char open, char close)
{
	size_t depth = 0;

	for (size_t i = at; i < len; i++) {
		depth += name[i] == open;
		if (name[i] == close && --depth == 0)
			return i + 1;
	}
	return 0;
}

/* Where the lambda at `at` ends: {lambda(int)#1}, {lambda<typename $T0>($T0)#1}, $_1,
 * 'lambda0'(int), and <lambda(int)> as GCC has it in debug information. 0: none. */
static size_t lambda_end(const char *name, size_t len, size_t at)
{
	static const char braced[] = "{lambda", quoted[] = "'lambda", dollar[] = "$_",
			  angled[] = "<lambda(";

	if (name[at] == '{' && lambda_begins(name, len, at, braced) &&
	    strchr("(<}", name[at + sizeof braced - 1])) {
		return closed(name, len, at, '{', '}');
	} else if (name[at] == '$' && lambda_begins(name, len, at, dollar)) {
		size_t from = at + sizeof dollar - 1, end = digits_end(name, len, from);
		bool apart = at == 0 || !lambda_is_word(name[at - 1]);
		return apart && end > from && (end == len || !lambda_is_word(name[end])) ? end : 0;
	} else if (name[at] == '\'' && lambda_begins(name, len, at, quoted)) {
		size_t quote = digits_end(name, len, at + sizeof quoted - 1);
		bool whole = lambda_begins(name, len, quote, "'(");
		return whole ? closed(name, len, quote + 1, '(', ')') : 0;
	} else if (name[at] == '<' && lambda_begins(name, len, at, angled)) {
		size_t end = closed(name, len, at + sizeof angled - 2, '(', ')');
		return end && lambda_begins(name, len, end, ">") ? end + 1 : 0;
	}
	return 0;
}

struct cg_span cg_lambda_next(const char *name, size_t len, size_t from)
{
	for (size_t i = from; i < len; i++) {
		size_t end = strchr("{$'<", name[i]) ? lambda_end(name, len, i) : 0;
		if (end)
			return (struct cg_span){ i, end };
	}
	return (struct cg_span){ 0 };
}

bool cg_lambda_any(const char *name)
{
	return name[strcspn(name, "{$'<")] && cg_lambda_next(name, strlen(name), 0).end;
}

struct cg_span cg_lambda_around(const char *name, size_t len)
{
	struct cg_span found = { 0 };
	size_t depth = 0;

	for (size_t i = 0; i < len; i++) {
		size_t word = cg_name_operator(name, len, i);
		size_t end = !word && strchr("{$'<", name[i]) ? lambda_end(name, len, i) : 0;
		bool arrow = i > 0 && name[i] == '>' && name[i - 1] == '-';
		if (end && depth == 0 && lambda_begins(name, len, end, "::"))
			found = (struct cg_span){ i, end };
		if (word || end)
			i += (word ? word : end - i) - 1;
		else if (strchr("<({[", name[i]))
			depth++;
		else if (strchr(">)}]", name[i]) && depth && !arrow)
			depth--;
	}
	return found;
}

/* ---- types that are lambdas ---- */

/* Where the type begins that the lambda at `at` is the end of: "f(int) const::" belongs to it. */
static size_t type_start(const char *name, size_t at)
{
	size_t depth = 0;

	while (at > 0) {
		char c = name[at - 1];
		if (strchr(")>]}", c)) {
			depth++;
		} else if (strchr("(<[{", c)) {
			if (depth == 0)
				break;
			depth--;
		} else if (depth == 0 && c == ',') {
			break;
		} else if (depth == 0 && c == ' ' && !(at > 1 && name[at - 2] == ')')) {
			break;
		}
		at--;
	}
	return at;
}

/* A lambda inside another one is a part of that one's name. */
static struct cg_span next_type(const char *name, size_t len, size_t from)
{
	struct cg_span found = cg_lambda_next(name, len, from), next;

	if (!found.end)
		return found;
	while ((next = cg_lambda_next(name, len, found.end)).end &&
	       lambda_begins(name, len, found.end, "::") &&
	       type_start(name, next.start) < found.end)
		found.end = next.end;
	found.start = type_start(name, found.start);
	return found.start < from ? (struct cg_span){ from, found.end } : found;
}

struct lambda_arguments {
	const char *name;
	struct cg_span types[MAX_ARGUMENTS]; /* each once, in the order in which they come */
	size_t count;
};

static size_t argument_of(const struct lambda_arguments *a, struct cg_span type)
{
	size_t len = type.end - type.start, i = 0;

	while (i < a->count &&
	       !(a->types[i].end - a->types[i].start == len &&
		 memcmp(a->name + a->types[i].start, a->name + type.start, len) == 0))
		i++;
	return i;
}

/* Of the name itself: the type that it returns may be a lambda as well. */
static void find_arguments(const char *name, struct lambda_arguments *a)
{
	size_t len = strlen(name);
	size_t from = cg_name_after_type(name,
					 cg_name_without_parameters(name, cg_name_stem(name, len)));
	struct cg_span type;

	*a = (struct lambda_arguments){ .name = name };
	for (; a->count < MAX_ARGUMENTS && (type = next_type(name, len, from)).end; from = type.end)
		if (argument_of(a, type) == a->count)
			a->types[a->count++] = type;
}

static void lambda_write_arguments(FILE *to, const struct lambda_arguments *a,
				   const char *const *texts)
{
	const char *name = a->name;
	size_t len = strlen(name), at = 0;
	struct cg_span type;

	for (; (type = next_type(name, len, at)).end; at = type.end) {
		size_t which = argument_of(a, type);
		fprintf(to, "%.*s", (int)(type.start - at), name + at);
		if (which < a->count)
			fputs(texts[which], to);
		else
			fprintf(to, "%.*s", (int)(type.end - type.start), name + type.start);
	}
	fputs(name + at, to);
}

int cg_lambda_replace_arguments(const char *name, const char *const *texts, size_t count,
				char **out)
{
	struct lambda_arguments a;
	size_t size;
	char *text = NULL;

	*out = NULL;
	find_arguments(name, &a);
	if (a.count == 0 || a.count != count)
		return CG_OK;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return CG_ENOMEM;
	lambda_write_arguments(to, &a, texts);
	if (fclose(to) != 0) {
		free(text);
		return CG_ENOMEM;
	}
	if (strcmp(text, name) == 0)
		free(text);
	else
		*out = text;
	return CG_OK;
}

/* ---- the same function ---- */

/* Writes `text`, in which `from` is called `to`: a lambda may be a type in its own call. */
static void write_renamed(FILE *out, const char *text, const char *from, size_t from_len,
			  const char *to, size_t to_len)
{
	for (const char *at; from_len && (at = memmem(text, strlen(text), from, from_len)) != NULL;
	     text = at + from_len)
		fprintf(out, "%.*s%.*s", (int)(at - text), text, (int)to_len, to);
	fputs(text, out);
}

static bool same_last_word(const char *name, size_t len, const char *like)
{
	size_t n, m, like_len = strlen(like);
	const char *a = cg_name_last_word(name, cg_name_without_parameters(name, len), &n);
	const char *b = cg_name_last_word(like, cg_name_without_parameters(like, like_len), &m);
	return n == m && memcmp(a, b, n) == 0;
}

static int adopt_arguments(const char *name, const char *like, char **out)
{
	char *texts[MAX_ARGUMENTS];
	struct lambda_arguments a;
	size_t count = 0;
	int status = CG_OK;

	find_arguments(like, &a);
	for (; !status && count < a.count; count += !status) {
		texts[count] = strndup(like + a.types[count].start,
				       a.types[count].end - a.types[count].start);
		status = texts[count] ? CG_OK : CG_ENOMEM;
	}
	if (!status)
		status = cg_lambda_replace_arguments(name, (const char *const *)texts, count, out);
	while (count)
		free(texts[--count]);
	return status;
}

/* Writes `name` with its lambda, and the type in front of that, as `like` has them. */
static int adopt_front(const char *name, struct cg_span of_name, const char *like,
		       struct cg_span of_like, char **out)
{
	size_t start = cg_name_after_type(name, of_name.start),
	       of_type = cg_name_after_type(like, of_like.start);
	size_t size;
	char *text = NULL;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return CG_ENOMEM;
	fprintf(to, "%.*s%.*s", (int)start, name, (int)(of_like.end - of_type), like + of_type);
	write_renamed(to, name + of_name.end, name + of_name.start, of_name.end - of_name.start,
		      like + of_like.start, of_like.end - of_like.start);
	if (fclose(to) != 0) {
		free(text);
		return CG_ENOMEM;
	}
	*out = text;
	return CG_OK;
}

int cg_lambda_adopt(const char *name, const char *like, char **out)
{
	size_t stem = cg_name_stem(name, strlen(name));
	struct cg_span of_name = cg_lambda_around(name, stem),
		       of_like = cg_lambda_around(like, strlen(like));
	int status = CG_OK;

	*out = NULL;
	if (!same_last_word(name, stem, like))
		return CG_OK;
	if (of_name.end && of_like.end)
		status = adopt_front(name, of_name, like, of_like, out);
	else if (!of_name.end && !of_like.end)
		status = adopt_arguments(name, like, out);
	if (*out && strcmp(*out, name) == 0) {
		free(*out);
		*out = NULL;
	}
	return status;
}

/* ---- whatever the compiler ---- */

/* The number in {lambda()#2}, $_1 and 'lambda0'(), counted from 0 on. */
static unsigned lambda_number_of(const char *name, struct cg_span lambda)
{
	const char *at = name + lambda.start;
	bool braced = *at == '{', quoted = *at == '\'';

	if (braced)
		at = memrchr(at, '#', lambda.end - lambda.start);
	else
		at += strlen(quoted ? "'lambda" : "$");
	if (!at || !isdigit((unsigned char)at[1 - quoted]))
		return 0;
	unsigned long number = strtoul(at + 1 - quoted, NULL, 10) + quoted;
	return number >= braced ? (unsigned)(number - braced) : 0;
}

/* The position after the parameters of a lambda's call at `at`, and its qualifiers; `at` without
 * parameters. */
static size_t after_call(const char *name, size_t len, size_t at)
{
	size_t end = lambda_begins(name, len, at, "(") ? closed(name, len, at, '(', ')') : at;
	return end > at && lambda_begins(name, len, end, " const") ? end + strlen(" const") : end;
}

/* Writes what a lambda is called by, from its end on: debug information may have no parameters
 * there, but those of the lambda. Returns where that ends. */
static size_t lambda_write_call(FILE *to, const char *name, size_t len, struct cg_span lambda)
{
	static const char call[] = "::operator()";
	size_t at = lambda.end, parameters = at + sizeof call - 1, from, end;

	if (!lambda_begins(name, len, at, call))
		return at;
	fputs(call, to);
	if (parameters < len && name[parameters] == '<') /* a template: nothing more to compare */
		return parameters;
	from = parameters;
	end = after_call(name, len, from);
	if (end == from && name[lambda.start] == '{' && !lambda_begins(name, len, end, "::")) {
		const char *brackets = memchr(name + lambda.start, '(', lambda.end - lambda.start);
		from = brackets ? (size_t)(brackets - name) : from;
		end = brackets ? closed(name, lambda.end, from, '(', ')') : from;
		fprintf(to, "%.*s", (int)(end - from), name + from);
		return parameters;
	}
	if (lambda_begins(name, len, end, "::")) /* its content has its own comparison */
		return end;
	size_t bare = closed(name, len, from, '(', ')');
	fprintf(to, "%.*s", (int)((bare ? bare : from) - from), name + from);
	return end;
}

char *cg_lambda_key(const char *name, unsigned *number)
{
	size_t len = strlen(name), size, at = 0;
	struct cg_span next, around = cg_lambda_around(name, len);
	char *text = NULL;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	while ((next = cg_lambda_next(name, len, at)).end) {
		fprintf(to, "%.*s{lambda}", (int)(next.start - at), name + at);
		at = lambda_write_call(to, name, len, next);
	}
	fputs(name + at, to);
	if (fclose(to) != 0) {
		free(text);
		return NULL;
	}
	struct cg_span of = around.end ? around : cg_lambda_next(name, len, 0);
	*number = of.end ? lambda_number_of(name, of) : 0;
	return text;
}
