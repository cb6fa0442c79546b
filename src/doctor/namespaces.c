#include "src/doctor/namespaces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct namespace_cause namespace_explain(const struct namespace_settings *s)
{
	if (s->most_users == 0)
		return (struct namespace_cause){ "user.max_user_namespaces is 0",
						 "sysctl -w user.max_user_namespaces=10000" };
	if (s->most_mounts == 0)
		return (struct namespace_cause){ "user.max_mnt_namespaces is 0",
						 "sysctl -w user.max_mnt_namespaces=10000" };
	if (s->most_pids == 0)
		return (struct namespace_cause){ "user.max_pid_namespaces is 0",
						 "sysctl -w user.max_pid_namespaces=10000" };
	if (s->unprivileged_clone == 0)
		return (struct namespace_cause){ "kernel.unprivileged_userns_clone is 0",
						 "sysctl -w kernel.unprivileged_userns_clone=1" };
	if (s->apparmor == 1)
		return (struct namespace_cause){
			"AppArmor restricts them (kernel.apparmor_restrict_unprivileged_userns is 1)",
			"sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile "
			"for irdiff that says userns"
		};
	if (s->seccomp == 2)
		return (struct namespace_cause){
			"a filter of system calls (seccomp) is active, as in most containers",
			"docker run --security-opt seccomp=unconfined --security-opt "
			"apparmor=unconfined --security-opt systempaths=unconfined"
		};
	return (struct namespace_cause){ "the kernel or a security module does not allow it",
					 "ask for CONFIG_USER_NS, or run irdiff as root" };
}

static char *read_start(const char *proc, const char *name, char *text, size_t size)
{
	char path[200];
	FILE *from;

	text[0] = '\0';
	if (snprintf(path, sizeof path, "%s/%s", proc, name) >= (int)sizeof path ||
	    !(from = fopen(path, "re")))
		return NULL;
	text[fread(text, 1, size - 1, from)] = '\0';
	fclose(from);
	return text;
}

static long read_number(const char *proc, const char *name)
{
	char text[32], *end;

	if (!read_start(proc, name, text, sizeof text))
		return -1;
	long value = strtol(text, &end, 10);
	return end == text ? -1 : value;
}

static long read_seccomp(const char *proc)
{
	static const char label[] = "\nSeccomp:";
	char text[8192];
	const char *at = read_start(proc, "self/status", text, sizeof text);

	at = at ? strstr(at, label) : NULL;
	return at ? strtol(at + sizeof label - 1, NULL, 10) : -1;
}

struct namespace_settings namespace_settings_read(const char *proc)
{
	return (struct namespace_settings){
		.unprivileged_clone = read_number(proc, "sys/kernel/unprivileged_userns_clone"),
		.apparmor = read_number(proc, "sys/kernel/apparmor_restrict_unprivileged_userns"),
		.most_users = read_number(proc, "sys/user/max_user_namespaces"),
		.most_mounts = read_number(proc, "sys/user/max_mnt_namespaces"),
		.most_pids = read_number(proc, "sys/user/max_pid_namespaces"),
		.seccomp = read_seccomp(proc),
	};
}
