#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/subcommand.h"
#include "src/cmd/command.h"
#include "src/git/transfer.h"
#include "src/load/project.h"
#include "src/share/share.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"
#include "src/text/text.h"

struct store_settings {
	uint64_t keep, days;
	bool history_only;
};

static const struct command_help help = {
	"store",
	(const char *const[]){ "fetch [REMOTE] [--history-only]",
			       "push [REMOTE] [--history-only] [--keep=N] [--days=N]",
			       "[status [REMOTE]] [--history-only]", NULL },
	"Shares measurements of commits through git: the history, and the profiles of 'irdiff cache',\n"
	"in " SHARE_REF " of a remote (origin). After a fetch, 'irdiff check' need not\n"
	"measure the base again, and 'irdiff history' has the measurements of other machines. Several\n"
	"machines may push at once. Work trees with changes are never shared.",
	.takes_command = false,
	.by_default = "status",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "fetch REMOTE --history-only",
					   "push REMOTE --history-only --keep --days",
					   "status REMOTE --history-only", NULL },
};

static bool parse_store_options(struct store_settings *s, int argc, char **argv,
				struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "keep", 0, OPTION_NUMBER, &s->keep, "N",
		  "push: keep the N newest profiles on the remote; 0: all (200)" },
		{ "days", 0, OPTION_NUMBER, &s->days, "N",
		  "push: keep profiles of the last N days on the remote; 0: all (0)" },
		{ "history-only", 0, OPTION_SWITCH, &s->history_only, NULL,
		  "only the history, no profiles" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* "3 rows and 1 profile" */
static void print_shared_amount(const struct share_amount *a)
{
	printf("%zu row%s and %zu profile%s", a->rows, a->rows == 1 ? "" : "s", a->entries,
	       a->entries == 1 ? "" : "s");
}

static void print_store_line(const char *what, const struct share_amount *a)
{
	printf("%s: ", what);
	print_shared_amount(a);
	putchar('\n');
}

static void warn_about_refused(const struct share_refused *refused)
{
	for (size_t i = 0; i < refused->words.count; i++)
		print_warning("%s: rejected", refused->words.items[i]);
	if (refused->count > refused->words.count)
		print_warning("%zu more were rejected", refused->count - refused->words.count);
}

/* A URL may have a password. */
static void print_store_total(const char *remote, const struct share_amount *amount)
{
	char *name = strpbrk(remote, ":@") ? NULL : text_safe(remote), *title = NULL;

	if (name && asprintf(&title, "Total on %s", name) < 0)
		title = NULL;
	print_store_line(title ? title : "Total on the remote", amount);
	free(name);
	free(title);
}

static void print_result(const char *what, const char *remote, const struct share_result *r)
{
	warn_about_refused(&r->refused);
	if (strcmp(what, "push") == 0) {
		print_store_line("Pushed", &r->new_there);
		if (r->pruned)
			printf("Pruned on the remote: %zu profile%s\n", r->pruned,
			       r->pruned == 1 ? "" : "s");
	} else if (r->absent) {
		puts("The remote has no measurements yet; run 'irdiff store push'.");
	} else {
		print_store_line(strcmp(what, "fetch") == 0 ? "Fetched" : "To fetch", &r->new_here);
	}
	if (strcmp(what, "status") == 0)
		print_store_line("To push", &r->new_there);
	if (strcmp(what, "push") == 0 || !r->absent)
		print_store_total(remote, &r->there);
}

static int share_entries(const char *what, struct share_request *request, bool *unreached,
			 struct cg_error *err)
{
	struct work_directory work = { 0 };
	struct share_result result = { 0 };
	int lock = -1;
	int status = store_prepare_data(request->root, err);

	if (!status)
		status = store_work_begin(request->root, &work, err);
	if (!status)
		status = git_lock(request->git, &lock, err);
	request->scratch = work.path;
	if (!status)
		status = strcmp(what, "push") == 0 ? share_push(request, &result, unreached, err)
			 : strcmp(what, "fetch") == 0
				 ? share_fetch(request, &result, unreached, err)
				 : share_status(request, &result, unreached, err);
	if (!status)
		print_result(what, request->remote, &result);
	share_result_free(&result);
	if (lock >= 0)
		close(lock);
	store_work_end(&work);
	return status;
}

/* A name, and no path or URL, is that of a remote, or of a directory here. */
static int check_remote_exists(const struct git *git, const char *remote, struct cg_error *err)
{
	const char *const args[] = { "remote", "get-url", remote, NULL };

	if (strpbrk(remote, "/:") || access(remote, F_OK) == 0 || git_says_yes(git, args))
		return CG_OK;
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "no remote '%s' to share measurements with; add it with 'git remote "
		       "add', or name another one",
		       remote);
}

static int run_store_command(const struct store_settings *s, const char *what, const char *remote)
{
	struct project project = { 0 };
	struct interrupts interrupts;
	struct git *git = NULL;
	struct cg_error err = { 0 };
	bool unreached = false;
	int status = project_open(&project, &terminal_notices, &err);

	if (status || (status = interrupts_open(&interrupts, &err)))
		goto done;
	status = git_check_remote(remote, &err);
	if (!status)
		status = project_clean_cache(&project, &err);
	if (!status)
		status = git_open(project.root, &interrupts, &git, &err);
	if (!status)
		status = check_remote_exists(git, remote, &err);
	if (!status) {
		struct share_request request = { .git = git,
						 .root = project.root,
						 .remote = remote,
						 .history_only = s->history_only,
						 .keep = s->keep,
						 .days = s->days };
		status = share_entries(what, &request, &unreached, &err);
	}
	git_close(git);
	int signal = interrupts.signal;
	interrupts_close(&interrupts);
	if (status && signal) {
		print_error(&err);
		project_close(&project);
		return 128 + signal;
	}
done:
	project_close(&project);
	if (!status)
		return EXIT_FINE;
	int exit_code = print_error(&err);
	return unreached ? EXIT_BENCHMARK : exit_code;
}

int cmd_store(int argc, char **argv)
{
	struct store_settings s = { .keep = 200 };
	struct arguments args = { 0 };
	int exit_code;

	if (parse_store_options(&s, argc, argv, &args, &exit_code)) {
		if (!subcommand_check(&help, &args))
			exit_code = EXIT_USAGE;
		else if (args.count > 2)
			exit_code = usage_error("store", "expected at most one REMOTE after %s",
						args.operands[0]);
		else
			exit_code = run_store_command(
				&s, args.count ? args.operands[0] : help.by_default,
				args.count > 1 ? args.operands[1] : "origin");
	}
	free(args.operands);
	return exit_code;
}
