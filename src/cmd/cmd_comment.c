#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/pull_request.h"
#include "src/cmd/command.h"
#include "src/compare/last_report.h"
#include "src/compare/suite.h"
#include "src/config/file.h"
#include "src/load/project.h"
#include "src/remote/comment.h"
#include "src/remote/github.h"
#include "src/remote/http.h"
#include "src/remote/publish.h"
#include "src/store/beneath.h"

#define REPORT_BYTES_MAX (16 * 1024 * 1024)
#define RETRIES_MAX 20

struct comment_settings {
	const char *from, *name, *service;
	uint64_t number, retries, timeout;
	bool required, dry_run;
};

static const struct command_help help = {
	"comment",
	(const char *const[]){ "[OPTIONS]", NULL },
	"Posts the report of the last 'irdiff check' as a comment on the GitHub pull request or GitLab\n"
	"merge request that this CI job runs for, or updates the comment of an earlier run. The token is\n"
	"GITHUB_TOKEN or GH_TOKEN, or IRDIFF_GITLAB_TOKEN or GITLAB_TOKEN. Without a token, or if posting\n"
	"fails, the comment goes to standard output, and the job does not fail unless --require is given.",
	.takes_command = false,
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ NULL },
	.ranges = (const struct option_range[]){ { "retries", 0, RETRIES_MAX },
						 { "timeout", 1, HTTP_TIMEOUT_MAX },
						 { 0 } },
};

static bool parse_comment_options(struct comment_settings *s, int argc, char **argv,
				  struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "from", 0, OPTION_TEXT, &s->from, "FILE",
		  "the report, in markdown; -: standard input (" LAST_REPORT ")" },
		{ "name", 0, OPTION_TEXT, &s->name, "NAME",
		  "name that identifies the comment; another name makes another comment (irdiff)" },
		{ "service", 0, OPTION_CHOICE, &s->service, SERVICES,
		  "where to comment; auto: detect it from the environment (auto)" },
		{ "pull-request", 0, OPTION_NUMBER, &s->number, "N",
		  "number of the pull or merge request (from the environment)" },
		{ "retries", 0, OPTION_NUMBER, &s->retries, "N",
		  "further attempts if the service fails, within a minute (3)" },
		{ "timeout", 0, OPTION_NUMBER, &s->timeout, "SECONDS",
		  "timeout of each request (30)" },
		{ "require", 0, OPTION_SWITCH, &s->required, NULL,
		  "exit with 3 if no comment can be posted" },
		{ "dry-run", 0, OPTION_SWITCH, &s->dry_run, NULL,
		  "only say what would be done, and print the comment" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* Reports wrong usage. */
static bool check_comment_options(const struct comment_settings *s, const struct arguments *args,
				  int *exit_code)
{
	struct cg_error err = { 0 };

	if (args->count > 0)
		*exit_code = usage_error("comment",
					 "this takes no operands; name the report with --from");
	else if (comment_check_name(s->name, &err))
		*exit_code = usage_error("comment", "--name: %s", err.message);
	else if (options_given(args, (const char *const[]){ "pull-request", NULL }) &&
		 (s->number < 1 || s->number > INT64_MAX))
		*exit_code = usage_error("comment",
					 "--pull-request=%llu: not a number of a pull request",
					 (unsigned long long)s->number);
	else
		return true;
	return false;
}

/* ---- the report ---- */

static int read_input(char **text, size_t *size, struct cg_error *err)
{
	char *bytes = NULL;
	size_t used = 0, cap = 0, n;

	do {
		if (cg_grow(&bytes, &cap, used + BUFSIZ, 1)) {
			free(bytes);
			return cg_fail_nomem(err);
		}
		n = fread(bytes + used, 1, BUFSIZ, stdin);
		used += n;
	} while (n > 0 && used <= REPORT_BYTES_MAX);
	if (ferror(stdin)) {
		free(bytes);
		return cg_fail(err, CG_EIO, "standard input", 0, "cannot be read: %s",
			       strerror(errno));
	}
	*text = bytes;
	*size = used;
	return CG_OK;
}

static int read_last_report(char **text, size_t *size, struct cg_error *err)
{
	struct project project = { 0 };
	char *path = NULL;
	int status = project_open(&project, &terminal_notices, err);

	if (!status && asprintf(&path, "%s/" LAST_REPORT, project.root) < 0)
		status = cg_fail_nomem(err);
	if (!status)
		status = beneath_read(project.root, path, REPORT_BYTES_MAX, text, size, err);
	if (status == CG_EIO && path)
		cg_error_context(
			err,
			"no report of 'irdiff check', or its last command line was wrong (run it "
			"first, or use --from=FILE)");
	free(path);
	project_close(&project);
	return status;
}

static int read_report(const struct comment_settings *s, char **text, size_t *size,
		       struct cg_error *err)
{
	const char *name = s->from ? s->from : LAST_REPORT;
	char *read = NULL;
	int status = !s->from ? read_last_report(&read, size, err)
		     : strcmp(name, "-") == 0
			     ? read_input(&read, size, err)
			     : config_file_read(name, REPORT_BYTES_MAX, &read, size, err);
	if (status)
		return status;
	if (*size > REPORT_BYTES_MAX)
		status = cg_fail(err, CG_ERANGE, name, 0, "is larger than %d bytes",
				 REPORT_BYTES_MAX);
	else if (*size == 0)
		status = cg_fail(err, CG_EINVAL, name, 0, "is empty");
	if (status)
		free(read);
	else
		*text = read;
	return status;
}

/* ---- the comment ---- */

static void say_why_not(const struct comment_settings *s, const struct cg_error *err)
{
	struct message m;

	message_begin(&m);
	fprintf(m.to, "%scannot comment: ", s->required ? "" : "warning: ");
	if (err->file[0]) {
		text_print_name(m.to, err->file, 0);
		fputs(": ", m.to);
	}
	text_print_name(m.to, err->message, 0);
	message_end(&m);
}

/* So it is kept in the log, and the gate does not depend on a network. */
static int not_published(const struct comment_settings *s, const char *text,
			 const struct cg_error *err)
{
	if (err)
		say_why_not(s, err);
	fputs(text, stdout);
	return s->required ? EXIT_BENCHMARK : EXIT_FINE;
}

static int say_published(const struct thread *thread, const struct published *done)
{
	struct message m;

	message_begin(&m);
	fprintf(m.to, "%s the comment", done->updated ? "updated" : "created");
	fputs(done->url ? ": " : " at ", m.to);
	text_print_name(m.to, done->url ? done->url : thread->list, 0);
	message_end(&m);
	return EXIT_FINE;
}

static int say_what_would_be(const struct comment_settings *s, const struct thread *thread,
			     const char *text)
{
	struct message m;

	message_begin(&m);
	fprintf(m.to, "would create or update the comment '%s' of the %s at ", s->name,
		thread->service->request);
	text_print_name(m.to, thread->list, 0);
	fputc(':', m.to);
	message_end(&m);
	fputs(text, stdout);
	return EXIT_FINE;
}

static int comment_with(const struct comment_settings *s, const struct service *service,
			const char *marker, const char *text)
{
	struct cg_error err = { 0 };
	struct thread *thread = NULL;
	struct published done = { 0 };
	int exit_code;

	if (!service) {
		cg_fail(&err, CG_EINVAL, NULL, 0,
			"not a GitHub or GitLab job; name the service with --service");
		return not_published(s, text, s->required ? &err : NULL);
	}
	if (pull_request_find(service, s->number, &thread, &err))
		return not_published(s, text, &err);

	const struct publish_job job = {
		.thread = thread,
		.marker = marker,
		.text = text,
		.timeout = (unsigned)s->timeout,
		.retries = (unsigned)s->retries,
	};
	if (s->dry_run)
		exit_code = say_what_would_be(s, thread, text);
	else if (publish(&job, &done, &err))
		exit_code = not_published(s, text, &err);
	else
		exit_code = say_published(thread, &done);
	free(done.url);
	thread_free(thread);
	return exit_code;
}

int cmd_comment(int argc, char **argv)
{
	struct comment_settings s = {
		.name = "irdiff", .service = "auto", .retries = 3, .timeout = 30
	};
	struct arguments args = { 0 };
	struct cg_error err = { 0 };
	char marker[COMMENT_MARKER_SIZE], *report = NULL, *text = NULL;
	size_t size;
	int exit_code;

	if (!parse_comment_options(&s, argc, argv, &args, &exit_code) ||
	    !check_comment_options(&s, &args, &exit_code))
		goto done;
	if (read_report(&s, &report, &size, &err)) {
		exit_code = print_error(&err);
		goto done;
	}

	const struct service *service = pull_request_service(s.service);
	comment_marker(marker, s.name);
	text = comment_compose(marker, report, size, (service ? service : &github)->limit);
	if (!text) {
		cg_fail_nomem(&err);
		exit_code = print_error(&err);
		goto done;
	}
	exit_code = comment_with(&s, service, marker, text);
done:
	free(text);
	free(report);
	free(args.operands);
	return exit_code;
}
