/* The headings under which --help lists options. An option of the same name has the same heading in
 * every command, except where its meaning differs. */
#ifndef IRDIFF_CLI_OPTION_GROUPS_H
#define IRDIFF_CLI_OPTION_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* The number of headings. */
size_t option_groups_count(void);
const char *option_group_heading(size_t group);

/* The group of an option of a command; the last one, for other options, if it is in none. */
size_t option_group_of(const char *command, const char *option);

/* Whether a list of names, separated by spaces, has this one. */
bool option_is_listed(const char *list, const char *option);

#endif
