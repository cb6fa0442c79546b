#include "src/cli/commit_operands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/message.h"
#include "src/git/refs.h"
#include "src/store/find_profile.h"
#include "src/text/shell.h"

bool operand_is_commit(const char *operand)
{
	struct git *git = NULL;
	char *commit = NULL;
	bool found = shell_is_plain(operand) && git_open(".", NULL, &git, NULL) == CG_OK &&
		     git_resolve(git, operand, &commit, NULL) == CG_OK;

	free(commit);
	git_close(git);
	return found;
}

bool operand_is_range(const char *operand)
{
	return strstr(operand, "..") && !strstr(operand, "../");
}

static bool names_profile(const struct project *project, const char *operand)
{
	char *path = NULL;
	bool found = store_find_profile(project->root, operand, &path, NULL) == CG_OK;

	free(path);
	return found;
}

static void mention_compare(const struct project *project, const char *from, const char *to,
			    const char *options, struct cg_error *err)
{
	if (!names_profile(project, from) && !names_profile(project, to) &&
	    operand_is_commit(from) && operand_is_commit(to))
		cg_fail(err, CG_EINVAL, NULL, 0,
			"%s and %s are commits, not profiles; compare them with 'irdiff compare "
			"%s..%s%s'",
			from, to, from, to, options);
}

/* Whether one of its ends is a commit: else it may be the misspelt name of a file. */
static bool leads_to_commit(const char *range)
{
	const char *dots = strstr(range, "..");
	const char *to = dots + strspn(dots, ".");
	char *from = strndup(range, (size_t)(dots - range));
	bool found = from && ((*from && operand_is_commit(from)) || (*to && operand_is_commit(to)));

	free(from);
	return found;
}

static void mention_range(const struct project *project, const char *range, const char *options,
			  struct cg_error *err)
{
	if (operand_is_range(range) && shell_is_plain(range) && !names_profile(project, range) &&
	    leads_to_commit(range))
		cg_fail(err, CG_EINVAL, NULL, 0,
			"%s is a range of commits, not a profile; compare them with 'irdiff "
			"compare %s%s'",
			range, range, options);
}

/* " --bench=NAME" and the others: the caller's. NULL: out of memory. */
static char *join_options(const char *bench, const char *options)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (bench) {
		fputs(" --bench=", to);
		shell_print_word(to, bench);
	}
	fputs(options, to);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

void mention_commits(const struct project *project, const struct arguments *args, const char *bench,
		     const char *options, struct cg_error *err)
{
	char *all = join_options(bench, options);

	for (size_t i = 0; all && i + 1 < args->count; i += 2)
		mention_compare(project, args->operands[i], args->operands[i + 1], all, err);
	if (all && args->count == 1)
		mention_range(project, args->operands[0], all, err);
	free(all);
}

bool explain_commits(const struct arguments *args, const char *bench, const char *options)
{
	struct project project = { 0 };
	struct cg_error err = { 0 };

	if (project_open(&project, &terminal_notices, &err))
		return false; /* what is wrong there is another matter */
	mention_commits(&project, args, bench, options, &err);
	project_close(&project);
	if (err.code)
		print_error(&err);
	return err.code != CG_OK;
}
