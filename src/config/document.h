/*
 * A YAML document as a tree, from which config.c reads irdiff.yml.
 *
 * The only module that uses libyaml. The text is hostile: nesting, the number of nodes after
 * aliases are expanded (against "billion laughs") and the entries of one map are bounded;
 * duplicate keys, aliases inside the value that they refer to, tags and a second document are
 * errors.
 */
#ifndef IRDIFF_CONFIG_DOCUMENT_H
#define IRDIFF_CONFIG_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"
#include "src/config/pool.h"

#define DOCUMENT_DEPTH_MAX 16     /* maps and lists in each other */
#define DOCUMENT_NODES_MAX 50000  /* with aliases written out */
#define DOCUMENT_ENTRIES_MAX 4096 /* in one map or list */
#define DOCUMENT_ANCHORS_MAX 256

enum doc_kind {
	DOC_SCALAR,
	DOC_LIST,
	DOC_MAP,
};

/* One value; an alias is the very node it names, so one node can be the value
 * of many entries. */
struct doc_node {
	enum doc_kind kind;
	uint64_t line;
	bool plain;                     /* scalar: without quotes, YAML gives it a type */
	const char *text;               /* scalar: UTF-8 without NUL bytes */
	struct doc_entry *first, *last; /* list, map: entries in order */
	size_t count;
	size_t weight; /* nodes in it, itself included */
};

struct doc_entry {
	struct doc_entry *next;
	const char *key; /* map: unique in it; list: NULL */
	uint64_t line;   /* of the key; list: of the value */
	const struct doc_node *value;
};

/* Parses `text`; the tree lives in `pool`. *root is NULL if the document is
 * empty or only comments. `path` is for messages. */
int document_parse(const char *text, size_t len, const char *path, struct config_pool *pool,
		   const struct doc_node **root, struct cg_error *err);

/* Whether YAML reads this node as null: nothing, ~ or null, unquoted. */
bool doc_is_null(const struct doc_node *node);

#endif
