#include "src/cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/cli/message.h"
#include "src/cli/pager.h"

unsigned terminal_lines(void)
{
	struct winsize size;
	const char *lines = getenv("LINES");
	if (!stdout_is_seen())
		return 0;
	if (lines && atoi(lines) > 0)
		return (unsigned)atoi(lines);
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

/* As setlocale(3) chooses: the first of these that is set. */
static bool locale_is_utf8(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const char *value = getenv(variables[i]);
		if (value && *value)
			return strcasestr(value, "UTF-8") || strcasestr(value, "utf8");
	}
	return false;
}

int output_open(struct output *o, const char *path, const char *color, bool wide,
		struct cg_error *err)
{
	const char *no_color = getenv("NO_COLOR");
	bool terminal = !path && stdout_is_seen();

	*o = (struct output){ .to = stdout, .name = "standard output" };
	o->style.here = getcwd(o->here, sizeof o->here);
	o->style.wide = wide;
	o->style.ascii = !locale_is_utf8();
	o->style.width = terminal ? terminal_width(STDOUT_FILENO) : 0;
	o->style.height = terminal ? terminal_lines() : 0;
	o->style.color = strcmp(color, "always") == 0 ||
			 (strcmp(color, "auto") == 0 && terminal && !(no_color && *no_color));
	if (!path || strcmp(path, "-") == 0)
		return CG_OK;
	o->name = path;
	return new_file_begin(path, &o->file, &o->to, err);
}

int output_close(struct output *o, int status, struct cg_error *err)
{
	if (status == CG_EIO)
		status = cg_fail(err, cg_io_status(errno), o->name, 0, "cannot write: %s",
				 strerror(errno));
	if (!o->file)
		return status;
	if (status) {
		new_file_abandon(o->file);
		return status;
	}
	return new_file_commit(o->file, err);
}

size_t events_that_fit(const struct cg_profile *p, const uint32_t *events, size_t count,
		       const struct text_style *style)
{
	enum { NAME = 40 };
	struct text_columns c;
	size_t used = NAME, fit = 0;

	if (style->wide || !style->width || text_columns_init(&c, p, events, count))
		return count;
	text_columns_fit(&c, p->total);
	while (fit < count && (fit == 0 || used + (size_t)c.widths[fit] + 1 <= style->width))
		used += (size_t)c.widths[fit++] + 1;
	text_columns_free(&c);
	return fit;
}
