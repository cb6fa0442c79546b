#include "src/config/document.h"

#include <string.h>
#include <yaml.h>

#include "callgrind/support/text.h"

struct anchor {
	const char *name;
	const struct doc_node *node;
	bool open; /* its map or list is still being read */
};

/* A map or list that has begun and not ended. */
struct level {
	struct doc_node *node;
	const char *key; /* map: the key read, waiting for its value */
	uint64_t key_line;
	size_t anchor; /* index + 1, 0 if it has none */
};

struct builder {
	const char *path;
	struct config_pool *pool;
	struct cg_error *err;
	struct level levels[DOCUMENT_DEPTH_MAX];
	size_t depth;
	struct anchor anchors[DOCUMENT_ANCHORS_MAX];
	size_t anchor_count;
	struct doc_node *root;
	bool done; /* the document has ended */
};

#define FAIL(b, code, line, ...) cg_fail((b)->err, code, (b)->path, line, __VA_ARGS__)

static uint64_t event_line(const yaml_event_t *event)
{
	return event->start_mark.line + 1;
}

/* ---- the parser's own errors ---- */

static uint64_t line_of(const char *text, size_t offset)
{
	uint64_t line = 1;

	for (size_t i = 0; i < offset; i++)
		line += text[i] == '\n';
	return line;
}

/* Advice for a character that cannot begin a token, "" if unknown. Columns count characters; the
 * text before is mostly ASCII. */
static const char *token_hint(const yaml_parser_t *p, const char *text, size_t len)
{
	size_t at = 0;

	for (size_t line = 0; line < p->problem_mark.line && at < len; at++)
		line += text[at] == '\n';
	if (p->problem_mark.column >= len - at)
		return "";
	switch (text[at + p->problem_mark.column]) {
	case '\t':
		return " (YAML indents with spaces, not with tabs)";
	case '%':
	case '@':
	case '`':
		return " (put the text in quotes)";
	default:
		return "";
	}
}

static int parser_error(const struct builder *b, const yaml_parser_t *p, const char *text,
			size_t len)
{
	const char *problem = p->problem ? p->problem : "unknown problem";

	if (p->error == YAML_MEMORY_ERROR)
		return cg_fail_nomem(b->err);
	if (p->error == YAML_READER_ERROR) {
		/* libyaml reports the byte, not the line. */
		size_t at = p->problem_offset < len ? p->problem_offset : len;
		return FAIL(b, CG_ESYNTAX, line_of(text, at),
			    "not a UTF-8 text file: %s (byte %zu of the file)", problem, at + 1);
	}
	return FAIL(b, CG_ESYNTAX, p->problem_mark.line + 1, "not valid YAML: %s, column %zu%s%s%s",
		    problem, p->problem_mark.column + 1, p->context ? ", " : "",
		    p->context ? p->context : "", token_hint(p, text, len));
}

/* ---- building the tree ---- */

static int add_document_entry(struct builder *b, struct level *parent, const struct doc_node *value,
			      uint64_t line)
{
	struct doc_node *node = parent->node;

	if (node->count >= DOCUMENT_ENTRIES_MAX)
		return FAIL(b, CG_ERANGE, line, "more than %d entries in one %s",
			    DOCUMENT_ENTRIES_MAX, node->kind == DOC_MAP ? "map" : "list");

	struct doc_entry *entry = config_pool_alloc(b->pool, 1, sizeof *entry);
	if (!entry)
		return cg_fail_nomem(b->err);
	entry->key = parent->key;
	entry->line = parent->key ? parent->key_line : line;
	entry->value = value;
	parent->key = NULL;

	if (node->last)
		node->last->next = entry;
	else
		node->first = entry;
	node->last = entry;
	node->count++;
	return CG_OK;
}

/* Adds the weight of a finished node to the map or list it is in. */
static int add_weight(struct builder *b, size_t weight, uint64_t line)
{
	if (b->depth == 0)
		return CG_OK;

	/* Both are at most DOCUMENT_NODES_MAX: the sum cannot overflow. */
	struct doc_node *parent = b->levels[b->depth - 1].node;
	parent->weight += weight;
	if (parent->weight > DOCUMENT_NODES_MAX)
		return FAIL(b, CG_ERANGE, line, "more than %d values after aliases are expanded",
			    DOCUMENT_NODES_MAX);
	return CG_OK;
}

/* Puts a value where it belongs: under the key read, or into the list. */
static int add_document_value(struct builder *b, struct doc_node *node, uint64_t line)
{
	if (b->depth == 0) {
		b->root = node;
		return CG_OK;
	}
	return add_document_entry(b, &b->levels[b->depth - 1], node, line);
}

static bool wants_key(const struct builder *b)
{
	if (b->depth == 0)
		return false;

	const struct level *level = &b->levels[b->depth - 1];
	return level->node->kind == DOC_MAP && !level->key;
}

static int new_node(struct builder *b, enum doc_kind kind, uint64_t line, struct doc_node **node)
{
	*node = config_pool_alloc(b->pool, 1, sizeof **node);
	if (!*node)
		return cg_fail_nomem(b->err);
	(*node)->kind = kind;
	(*node)->line = line;
	(*node)->weight = 1;
	return CG_OK;
}

/* *index becomes the anchor's index + 1, 0 if `name` is NULL. */
static int add_anchor(struct builder *b, const yaml_char_t *name, const struct doc_node *node,
		      bool open, size_t *index)
{
	const char *text = (const char *)name;

	*index = 0;
	if (!name)
		return CG_OK;
	if (b->anchor_count == DOCUMENT_ANCHORS_MAX)
		return FAIL(b, CG_ERANGE, node->line, "more than %d anchors", DOCUMENT_ANCHORS_MAX);

	struct anchor *anchor = &b->anchors[b->anchor_count];
	anchor->name = config_pool_text(b->pool, text, strlen(text));
	if (!anchor->name)
		return cg_fail_nomem(b->err);
	anchor->node = node;
	anchor->open = open;
	*index = ++b->anchor_count;
	return CG_OK;
}

/* A tag would change what a value means; only !!str on a scalar is obeyed. */
static int check_tag(const struct builder *b, const yaml_char_t *tag, const char *allowed,
		     uint64_t line)
{
	const char *text = (const char *)tag;
	char quoted[CG_QUOTE_SIZE];

	if (!tag || strcmp(text, allowed) == 0 || strcmp(text, "!") == 0)
		return CG_OK;
	return FAIL(b, CG_ESYNTAX, line, "tags such as %s are not supported",
		    cg_quote(quoted, text, strlen(text)));
}

static int set_key(struct builder *b, const char *key, uint64_t line)
{
	struct level *level = &b->levels[b->depth - 1];
	char quoted[CG_QUOTE_SIZE];

	for (const struct doc_entry *e = level->node->first; e; e = e->next) {
		if (strcmp(e->key, key) == 0)
			return FAIL(
				b, CG_ESYNTAX, line, "duplicate key %s, first used in line %llu",
				cg_quote(quoted, key, strlen(key)), (unsigned long long)e->line);
	}
	if (strcmp(key, "<<") == 0)
		return FAIL(
			b, CG_ESYNTAX, line,
			"merge keys ('<<') are not supported; use an alias for the whole value, or write out the entries");
	level->key = key;
	level->key_line = line;
	return CG_OK;
}

static int on_scalar(struct builder *b, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t len = event->data.scalar.length, anchor;
	uint64_t line = event_line(event);
	struct doc_node *node;
	int rc;

	if (memchr(text, '\0', len))
		return FAIL(b, CG_ESYNTAX, line, "text cannot contain a NUL byte");
	rc = check_tag(b, event->data.scalar.tag, YAML_STR_TAG, line);
	if (rc != CG_OK)
		return rc;
	const char *copy = config_pool_text(b->pool, text, len);
	if (!copy)
		return cg_fail_nomem(b->err);
	if (wants_key(b)) {
		if (event->data.scalar.anchor)
			return FAIL(b, CG_ESYNTAX, line,
				    "a key cannot have an anchor; put it after the ':'");
		return set_key(b, copy, line);
	}
	if ((rc = new_node(b, DOC_SCALAR, line, &node)) != CG_OK)
		return rc;
	node->text = copy;
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
		      !event->data.scalar.tag;
	rc = add_anchor(b, event->data.scalar.anchor, node, false, &anchor);
	if (rc == CG_OK)
		rc = add_document_value(b, node, line);
	return rc == CG_OK ? add_weight(b, 1, line) : rc;
}

static int on_begin(struct builder *b, enum doc_kind kind, const yaml_char_t *name, uint64_t line)
{
	struct doc_node *node;
	size_t anchor;
	int rc;

	if (wants_key(b))
		return FAIL(b, CG_ESYNTAX, line, "a key must be text, not a %s",
			    kind == DOC_MAP ? "map" : "list");
	if (b->depth == DOCUMENT_DEPTH_MAX)
		return FAIL(b, CG_ERANGE, line, "maps and lists are nested more than %d deep",
			    DOCUMENT_DEPTH_MAX);
	if ((rc = new_node(b, kind, line, &node)) != CG_OK ||
	    (rc = add_anchor(b, name, node, true, &anchor)) != CG_OK ||
	    (rc = add_document_value(b, node, line)) != CG_OK)
		return rc;
	b->levels[b->depth++] = (struct level){ .node = node, .anchor = anchor };
	return CG_OK;
}

static int on_end(struct builder *b, uint64_t line)
{
	struct level *level = &b->levels[--b->depth];

	if (level->anchor > 0)
		b->anchors[level->anchor - 1].open = false;
	return add_weight(b, level->node->weight, line);
}

static int on_alias(struct builder *b, const yaml_event_t *event)
{
	const char *name = (const char *)event->data.alias.anchor;
	uint64_t line = event_line(event);
	char quoted[CG_QUOTE_SIZE];
	size_t i = b->anchor_count;

	cg_quote(quoted, name, strlen(name));
	if (wants_key(b))
		return FAIL(b, CG_ESYNTAX, line, "a key cannot be an alias");
	/* The last anchor of that name counts. */
	while (i > 0 && strcmp(b->anchors[i - 1].name, name) != 0)
		i--;
	if (i == 0)
		return FAIL(b, CG_ESYNTAX, line, "unknown anchor %s; define it before this alias",
			    quoted);

	const struct anchor *anchor = &b->anchors[i - 1];
	if (anchor->open)
		return FAIL(b, CG_ESYNTAX, line,
			    "the alias %s is inside the value that it refers to", quoted);
	int rc = add_document_entry(b, &b->levels[b->depth - 1], anchor->node, line);
	return rc == CG_OK ? add_weight(b, anchor->node->weight, line) : rc;
}

static int on_event(struct builder *b, const yaml_event_t *event)
{
	uint64_t line = event_line(event);
	int rc;

	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return b->done ? FAIL(b, CG_ESYNTAX, line,
				      "a second document begins here; only one is allowed")
			       : CG_OK;
	case YAML_DOCUMENT_END_EVENT:
		b->done = true;
		return CG_OK;
	case YAML_SCALAR_EVENT:
		return on_scalar(b, event);
	case YAML_ALIAS_EVENT:
		return on_alias(b, event);
	case YAML_MAPPING_START_EVENT:
		rc = check_tag(b, event->data.mapping_start.tag, YAML_MAP_TAG, line);
		return rc == CG_OK ? on_begin(b, DOC_MAP, event->data.mapping_start.anchor, line)
				   : rc;
	case YAML_SEQUENCE_START_EVENT:
		rc = check_tag(b, event->data.sequence_start.tag, YAML_SEQ_TAG, line);
		return rc == CG_OK ? on_begin(b, DOC_LIST, event->data.sequence_start.anchor, line)
				   : rc;
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		return on_end(b, line);
	default:
		return CG_OK;
	}
}

static int read_events(struct builder *b, yaml_parser_t *parser, const char *text, size_t len)
{
	for (bool end = false; !end;) {
		yaml_event_t event;

		if (!yaml_parser_parse(parser, &event))
			return parser_error(b, parser, text, len);
		int rc = on_event(b, &event);
		end = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
		if (rc != CG_OK)
			return rc;
	}
	return CG_OK;
}

int document_parse(const char *text, size_t len, const char *path, struct config_pool *pool,
		   const struct doc_node **root, struct cg_error *err)
{
	struct builder b = { .path = path, .pool = pool, .err = err };
	yaml_parser_t parser;

	if (!yaml_parser_initialize(&parser))
		return cg_fail_nomem(err);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);

	int rc = read_events(&b, &parser, text, len);
	yaml_parser_delete(&parser);
	if (rc != CG_OK)
		return rc;
	*root = b.root && doc_is_null(b.root) ? NULL : b.root;
	return CG_OK;
}

bool doc_is_null(const struct doc_node *node)
{
	static const char *const nulls[] = { "", "~", "null", "Null", "NULL" };

	if (node->kind != DOC_SCALAR || !node->plain)
		return false;
	for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
		if (strcmp(node->text, nulls[i]) == 0)
			return true;
	return false;
}
