#include "src/cli/completion_position.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"

struct reading {
	const struct option_spec *specs;
	size_t nspecs;
	struct completion_position cursor;
	const struct option_spec *pending; /* the next word is its value */
	bool operands_only;                /* after "--" */
};

static bool takes_value(const struct option_spec *o)
{
	return o->kind != OPTION_SWITCH && o->kind != OPTION_MAYBE;
}

/* By its name, or a beginning of it that no other has. */
static const struct option_spec *find_long(const struct reading *r, const char *name, size_t len)
{
	const struct option_spec *found = NULL;
	size_t matches = 0;

	for (size_t i = 0; i < r->nspecs; i++) {
		if (strncmp(r->specs[i].name, name, len) != 0)
			continue;
		if (!r->specs[i].name[len])
			return &r->specs[i];
		found = &r->specs[i];
		matches++;
	}
	return matches == 1 ? found : NULL;
}

static const struct option_spec *find_letter(const struct reading *r, char letter)
{
	for (size_t i = 0; i < r->nspecs; i++)
		if (r->specs[i].letter && r->specs[i].letter == letter)
			return &r->specs[i];
	return NULL;
}

static void note_completed_option(struct reading *r, const struct option_spec *o)
{
	if (!completion_position_has_given(&r->cursor, o->name))
		r->cursor.given[r->cursor.ngiven++] = o->name;
}

/* The option that takes what is after its letter in "-qn5", and where that begins; NULL: all of
 * them are switches, or not known. */
static const struct option_spec *read_letters(struct reading *r, const char *word, size_t *value)
{
	for (size_t i = 1; word[i]; i++) {
		const struct option_spec *o = find_letter(r, word[i]);
		if (!o)
			return NULL;
		note_completed_option(r, o);
		if (takes_value(o)) {
			*value = i + 1;
			return o;
		}
	}
	return NULL;
}

static void read_long(struct reading *r, const char *word)
{
	size_t len = strcspn(word + 2, "=");
	const struct option_spec *o = find_long(r, word + 2, len);

	if (o)
		note_completed_option(r, o);
	if (o && takes_value(o) && !word[2 + len])
		r->pending = o;
}

static bool is_long(const char *word)
{
	return strncmp(word, "--", 2) == 0;
}

static bool is_letters(const char *word)
{
	return word[0] == '-' && word[1];
}

/* A word before the cursor. */
static void read_word(struct reading *r, const char *word)
{
	size_t value;

	if (strcmp(word, "--") == 0 && !r->operands_only) {
		r->operands_only = true;
		r->pending = NULL;
	} else if (r->pending) {
		r->pending = NULL;
	} else if (!r->operands_only && is_long(word)) {
		read_long(r, word);
	} else if (!r->operands_only && is_letters(word)) {
		const struct option_spec *o = read_letters(r, word, &value);
		r->pending = o && !word[value] ? o : NULL;
	} else {
		r->cursor.operands[r->cursor.count++] = word;
	}
}

static void at_value(struct completion_position *c, const struct option_spec *o, size_t stem)
{
	c->place = o ? AT_VALUE : AT_NOWHERE;
	c->option = o;
	c->stem = stem;
}

/* The word that the cursor is in. Its own options are not given yet. */
static void read_last_word(struct reading *r, const char *word)
{
	struct completion_position *c = &r->cursor;
	size_t name = strcspn(word, "="), value, given = c->ngiven;
	const struct option_spec *o;

	c->word = word;
	if (r->pending) {
		at_value(c, r->pending, 0);
	} else if (r->operands_only || *word != '-') {
		c->place = AT_OPERAND;
	} else if (is_long(word) && word[name]) {
		at_value(c, find_long(r, word + 2, name - 2), name + 1);
	} else if (!is_long(word) && (o = read_letters(r, word, &value))) {
		at_value(c, o, value);
		c->ngiven = given;
	} else {
		c->place = AT_OPTION;
		c->ngiven = given;
	}
}

int completion_position_find(const struct option_spec *specs, size_t nspecs, bool takes_command,
			     int argc, char **argv, struct completion_position *out)
{
	struct reading r = { .specs = specs, .nspecs = nspecs };

	r.cursor.operands = calloc((size_t)argc + 1, sizeof *r.cursor.operands);
	r.cursor.given = calloc(nspecs + 1, sizeof *r.cursor.given);
	if (!r.cursor.operands || !r.cursor.given) {
		completion_position_free(&r.cursor);
		return CG_ENOMEM;
	}
	for (int i = 1; i < argc - 1 && !r.cursor.rest; i++) {
		read_word(&r, argv[i]);
		if (r.operands_only && takes_command)
			r.cursor.rest = i + 1;
	}
	if (r.cursor.rest) {
		r.cursor.place = AT_REST;
		r.cursor.word = argv[argc - 1];
	} else {
		read_last_word(&r, argv[argc - 1]);
	}
	*out = r.cursor;
	return CG_OK;
}

void completion_position_free(struct completion_position *c)
{
	free(c->operands);
	free(c->given);
	*c = (struct completion_position){ 0 };
}

bool completion_position_has_given(const struct completion_position *c, const char *name)
{
	for (size_t i = 0; i < c->ngiven; i++)
		if (strcmp(c->given[i], name) == 0)
			return true;
	return false;
}
