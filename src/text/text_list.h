#ifndef IRDIFF_TEXT_TEXT_LIST_H
#define IRDIFF_TEXT_TEXT_LIST_H

#include <stddef.h>

/* Borrowed texts, such as those of argv or the environment. free(items). */
struct text_list {
	const char **items; /* NULL-terminated once there is one */
	size_t count, cap;
};

#endif
