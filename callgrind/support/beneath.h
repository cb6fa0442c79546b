/* Opening files with untrusted names or from untrusted places: names from a profile or a
 * repository lead only below a directory that the user chose, and only to regular files. */
#ifndef CG_SUPPORT_BENEATH_H
#define CG_SUPPORT_BENEATH_H

#include <sys/stat.h>
#include <sys/types.h>

/* As openat(2), but of nothing above or beside the directory `top`: "..", symbolic links on the way
 * and, without O_NOFOLLOW, at the end of `name` are followed while they stay below it, and absolute
 * links never. -1 and errno, ELOOP if it leads out. */
int cg_beneath_open(int top, const char *name, int flags, mode_t mode);

/* Opens a regular file for reading, but none of a file system like /proc or /sys, where reading may
 * wait or change something; nor does opening wait. `top` AT_FDCWD: anywhere, else as
 * cg_beneath_open. *st says what it is; may be NULL. -1 and errno, EINVAL if it is something
 * else. */
int cg_beneath_open_regular(int top, const char *name, struct stat *st);

#endif
