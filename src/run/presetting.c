/* Gives a program the preset of its runtime. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/freeze.h"
#include "src/run/presets.h"
#include "src/run/session.h"

/* Java refuses two collectors, while of other options the last one wins. */
static bool is_left_to_user(const struct run_request *request, const char *option)
{
	static const char collectors[] = "-XX:+Use*GC";

	if (fnmatch(collectors, option, 0) != 0)
		return false;
	for (const char *const *word = request->argv + 1; *word; word++)
		if (fnmatch(collectors, *word, 0) == 0)
			return true;
	return false;
}

int session_add_preset_options(const struct session *session, struct strings *strings)
{
	const struct preset *preset = session->result->preset;
	int status = CG_OK;

	if (!preset || !preset_takes_options(&session->command))
		return CG_OK;
	for (size_t i = 0; status == CG_OK && preset->options[i]; i++)
		if (!is_left_to_user(session->request, preset->options[i]))
			status = strings_add(strings, preset->options[i], session->err);
	return status;
}

/* What the user set in a variable that is a list comes later, and wins; any other is left alone. */
static int set_preset_variable(struct session *session, const struct preset_variable *variable,
			       struct strings *said)
{
	const char *of_user = environment_get(&session->environment, variable->name);
	char *list = NULL;

	if (of_user && !variable->separator)
		return CG_OK;
	if (of_user && *of_user &&
	    asprintf(&list, "%s%c%s", variable->value, variable->separator, of_user) < 0)
		return cg_fail_nomem(session->err);
	int status = environment_set(&session->environment, variable->name,
				     list ? list : variable->value, session->err);
	free(list);
	return status ? status
		      : strings_addf(said, session->err, "%s=%s", variable->name, variable->value);
}

static int set_preset_variables(struct session *session, const struct preset *preset,
				struct strings *said)
{
	int status = CG_OK;

	for (const struct preset_variable *v = preset->variables; !status && v->name; v++)
		status = set_preset_variable(session, v, said);
	return status;
}

/* The library cannot be loaded into a static program, which is no error, as nobody asked for it. */
static int freeze_by_preset(struct session *session, const struct preset *preset,
			    struct strings *said)
{
	struct run_result *result = session->result;
	unsigned wanted = preset->freeze;

	if (session->request->cases == RUN_CASES_CODSPEED)
		wanted |= preset->freeze_codspeed;
	unsigned more = result->static_image ? 0 : wanted & ~result->frozen;
	char names[FREEZE_TEXT];

	result->frozen |= more;
	return more ? strings_addf(said, session->err, "freeze=%s", freeze_names(more, ",", names))
		    : CG_OK;
}

int session_preset(struct session *session)
{
	struct run_result *result = session->result;
	const struct preset *preset = session->request->presets
					      ? preset_of(&session->command, session->path)
					      : NULL;
	struct strings said = { 0 };

	result->frozen = session->request->freeze;
	if (!preset)
		return CG_OK;
	result->preset = preset;
	int status = strings_addf(&said, session->err, "%s:", preset->runtime);
	if (status == CG_OK)
		status = session_add_preset_options(session, &said);
	if (status == CG_OK)
		status = set_preset_variables(session, preset, &said);
	if (status == CG_OK)
		status = freeze_by_preset(session, preset, &said);
	if (status == CG_OK && said.count > 1 && !(result->preset_text = strings_join(&said)))
		status = cg_fail_nomem(session->err);
	strings_free(&said);
	return session_fail_with(session, RUN_SYSTEM, status);
}
