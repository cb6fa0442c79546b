#include "src/run/kinds.h"

#include <stdio.h>
#include <string.h>

unsigned kind_of_name(const struct kind *kinds, const char *name, size_t len)
{
	for (; kinds->name; kinds++)
		if (strlen(kinds->name) == len && !memcmp(kinds->name, name, len))
			return kinds->bit;
	return 0;
}

const char *kind_names(const struct kind *kinds, unsigned set, const char *between, char *text,
		       size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (; kinds->name; kinds++)
		if ((set & kinds->bit) && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s",
						 used ? between : "", kinds->name);
	return text;
}

int kinds_parse(const struct kind *kinds, const char *list, const char *option,
		const char *expected, unsigned *set, struct cg_error *err)
{
	unsigned found = 0;

	while (*list) {
		size_t len = strcspn(list, ",");
		unsigned bit = kind_of_name(kinds, list, len);
		if (!bit && !(len == 4 && !memcmp(list, "none", 4)))
			return cg_fail(err, CG_EINVAL, NULL, 0,
				       "--%s: expected %s, separated by commas, but found '%.*s'",
				       option, expected, len < 100 ? (int)len : 100, list);
		found |= bit;
		list += len + (list[len] == ',');
	}
	*set = found;
	return CG_OK;
}
