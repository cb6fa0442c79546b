/*
 * Usage: measure RUNS COMMAND [ARGUMENT...] [, COMMAND [ARGUMENT...]]...
 *
 * Runs the commands, which are separated by a lone comma, in turns: each of them once, then each
 * of them once more, RUNS times in all, so that what else the machine does strikes all alike.
 * What they write is thrown away. Prints a line for each command:
 *
 *	WALL CPU PEAK
 *
 * the medians of its wall time and of its processor time (user and system), in milliseconds, and
 * the most memory that it was ever resident in, in kilobytes. Fails when a command fails.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 99, MAX_COMMANDS = 16 };

struct command {
	char **argv;
	double wall[MAX_RUNS], cpu[MAX_RUNS]; /* milliseconds */
	long peak;                            /* kilobytes */
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double milliseconds(struct timeval t)
{
	return 1e3 * (double)t.tv_sec + 1e-3 * (double)t.tv_usec;
}

/* In the child: becomes the command. */
static void become(char **argv)
{
	int null = open("/dev/null", O_RDWR);
	if (null >= 0 && dup2(null, 0) >= 0 && dup2(null, 1) >= 0 && dup2(null, 2) >= 0)
		execvp(argv[0], argv);
	_exit(127);
}

static bool run(struct command *c, int turn)
{
	struct rusage used;
	int status;
	double start = now();
	pid_t pid = fork();

	if (pid == 0)
		become(c->argv);
	if (pid < 0 || wait4(pid, &status, 0, &used) < 0) {
		perror("measure");
		return false;
	}
	c->wall[turn] = now() - start;
	c->cpu[turn] = milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
	if (used.ru_maxrss > c->peak)
		c->peak = used.ru_maxrss;
	if (status == 0)
		return true;
	fprintf(stderr, "measure: %s failed", c->argv[0]);
	for (char **arg = c->argv + 1; *arg; arg++)
		fprintf(stderr, " %s", *arg);
	fputc('\n', stderr);
	return false;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *values, int n)
{
	qsort(values, (size_t)n, sizeof *values, compare);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/* Cuts the arguments at the commas; 0 if there is no command, too many, or an empty one. */
static int split(char **arguments, struct command *commands)
{
	int n = 0;
	while (*arguments) {
		if (n == MAX_COMMANDS || strcmp(*arguments, ",") == 0)
			return 0;
		commands[n++].argv = arguments;
		while (*arguments && strcmp(*arguments, ",") != 0)
			arguments++;
		if (*arguments)
			*arguments++ = NULL;
	}
	return n;
}

int main(int argc, char **argv)
{
	static struct command commands[MAX_COMMANDS];
	int runs = argc > 1 ? atoi(argv[1]) : 0;
	int n = argc > 2 ? split(argv + 2, commands) : 0;

	if (runs < 1 || runs > MAX_RUNS || n == 0) {
		fputs("usage: measure RUNS COMMAND [ARGUMENT...] [, COMMAND [ARGUMENT...]]...\n",
		      stderr);
		return 2;
	}
	for (int turn = 0; turn < runs; turn++)
		for (int i = 0; i < n; i++)
			if (!run(&commands[i], turn))
				return 1;
	for (int i = 0; i < n; i++)
		printf("%.3f %.3f %ld\n", median(commands[i].wall, runs),
		       median(commands[i].cpu, runs), commands[i].peak);
	return 0;
}
