#include "src/run/fact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/error.h"

static size_t find_fact(const struct fact_list *list, const char *key)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (strcmp(list->facts[i].key, key) >= 0)
			break;
	return i; /* the place of the key, or where it would be inserted */
}

/* One line: control characters have no place in a fact. */
static char *plain(const char *text)
{
	char *copy = strdup(text);

	for (char *p = copy; p && *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			*p = '?';
	return copy;
}

int fact_list_set(struct fact_list *list, const char *key, const char *value)
{
	size_t i = find_fact(list, key);
	char *text = plain(value);

	if (!text)
		return CG_ENOMEM;
	if (i < list->count && !strcmp(list->facts[i].key, key)) {
		free(list->facts[i].value);
		list->facts[i].value = text;
		return CG_OK;
	}
	char *name = strdup(key);
	if (!name || cg_grow(&list->facts, &list->cap, list->count + 1, sizeof *list->facts)) {
		free(name);
		free(text);
		return CG_ENOMEM;
	}
	memmove(list->facts + i + 1, list->facts + i, (list->count - i) * sizeof *list->facts);
	list->facts[i] = (struct fact){ name, text };
	list->count++;
	return CG_OK;
}

const char *fact_list_get(const struct fact_list *list, const char *key)
{
	size_t i = find_fact(list, key);

	return i < list->count && !strcmp(list->facts[i].key, key) ? list->facts[i].value : NULL;
}

void fact_list_free(struct fact_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->facts[i].key);
		free(list->facts[i].value);
	}
	free(list->facts);
	*list = (struct fact_list){ 0 };
}

int fact_list_set_number(struct fact_list *list, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)value);
	return fact_list_set(list, key, text);
}

int fact_list_set_named(struct fact_list *list, const char *prefix, const char *name,
			const char *value)
{
	char *key;

	if (asprintf(&key, "%s.%s", prefix, name) < 0)
		return CG_ENOMEM;
	for (char *p = key; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", *p))
			*p = '_';
	int status = fact_list_set(list, key, value);
	free(key);
	return status;
}
