/* Private to report/: names without what only tells instances and overloads apart. */
#ifndef IRDIFF_REPORT_PLAIN_NAME_H
#define IRDIFF_REPORT_PLAIN_NAME_H

#include <stddef.h>

/*
 * "acme::Map::find" of "V* acme::Map<K, V>::find<int>(K const&) const [clone .cold]": a safe name
 * without the type that it returns, template arguments, parameters and what follows them. Brackets
 * that contain scopes stay: "<Index as Table>::lookup", "(anonymous namespace)::f". NULL if memory
 * ran out; free() it.
 */
char *plain_name(const char *name);

/* The same with template arguments. */
char *plain_name_of_instance(const char *name);

/*
 * As much of a safe name as fits into `room` columns: all of it, or its last part, or the beginning
 * of that, cut at the end. NULL: less than four columns for more than fits, or memory ran out;
 * free() it.
 */
char *plain_name_fit(const char *name, size_t room);

#endif
