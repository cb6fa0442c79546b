/* Why namespaces are refused, and by whom: from what the kernel says of itself. */
#ifndef IRDIFF_DOCTOR_NAMESPACES_H
#define IRDIFF_DOCTOR_NAMESPACES_H

#include <stdbool.h>

/* Settings of the kernel; -1: it has none of that name. */
struct namespace_settings {
	long unprivileged_clone; /* kernel.unprivileged_userns_clone, of Debian's kernels */
	long apparmor;           /* kernel.apparmor_restrict_unprivileged_userns, of Ubuntu's */
	long most_users;         /* user.max_user_namespaces */
	long most_mounts;        /* user.max_mnt_namespaces */
	long most_pids;          /* user.max_pid_namespaces */
	long seccomp;            /* mode of a filter of system calls: 2 in most containers */
};

struct namespace_cause {
	const char *text;   /* who refuses; static */
	const char *remedy; /* static */
};

/* The likely cause, given that they were refused. */
struct namespace_cause namespace_explain(const struct namespace_settings *settings);

/* Reads them from below `proc` ("/proc"). */
struct namespace_settings namespace_settings_read(const char *proc);

#endif
