#include "src/cli/unnamed_benchmark.h"

#include <stdlib.h>

#include "src/cli/message.h"
#include "src/load/project.h"
#include "src/text/suggest.h"

/* "; available: a, b … and 7 more (irdiff.yml)", of one that has benchmarks. NULL: out of memory;
 * the caller's. */
static char *list_benchmarks(const struct config *c)
{
	const char **names = calloc(c->benchmark_count + 1, sizeof *names);

	for (size_t i = 0; names && i < c->benchmark_count; i++)
		names[i] = c->benchmarks[i].name;
	char *list = names ? suggest_known("", names, c->benchmark_count, CONFIG_NAME) : NULL;
	free(names);
	return list;
}

int unnamed_benchmark(const char *command, const char *hint)
{
	struct project project = { 0 };
	struct cg_error ignored;
	/* Whoever measures a command needs no irdiff.yml, so what is wrong there is not said. */
	bool any = !project_open(&project, &terminal_notices, &ignored) && project.config &&
		   project.config->benchmark_count;
	char *list = any ? list_benchmarks(project.config) : NULL;

	int code = usage_error(command, "name a benchmark%s%s%s, or put a command after --%s",
			       list && hint ? " (" : "", list && hint ? hint : "",
			       list && hint ? ")" : "", list ? list : "");
	free(list);
	project_close(&project);
	return code;
}
