#include "src/run/count.h"

const struct kind count_kinds[] = {
	{ "branches", COUNT_BRANCHES }, { "bus", COUNT_BUS },           { "heap", COUNT_HEAP },
	{ "jumps", COUNT_JUMPS },       { "syscalls", COUNT_SYSCALLS }, { 0 },
};

const char *const count_times[] = { "sysTime", "sysCpuTime", NULL };

const char *count_option(enum count kind)
{
	switch (kind) {
	case COUNT_BRANCHES:
		return "--branch-sim=yes";
	case COUNT_BUS:
		return "--collect-bus=yes";
	case COUNT_SYSCALLS:
		return "--collect-systime=yes";
	case COUNT_JUMPS:
		return "--collect-jumps=yes";
	case COUNT_HEAP:
		break;
	}
	return NULL;
}
