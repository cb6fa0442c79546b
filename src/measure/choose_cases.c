#include "src/measure/choose_cases.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "src/store/label.h"
#include "src/text/suggest.h"

typedef bool case_matcher(const char *wanted, const char *label);

static bool is_called(const char *wanted, const char *label)
{
	return strcmp(wanted, label) == 0;
}

static bool is_matched(const char *wanted, const char *label)
{
	return fnmatch(wanted, label, 0) == 0;
}

static bool is_every_case(const char *wanted, const char *label)
{
	(void)wanted;
	(void)label;
	return true;
}

static int choose_by(case_matcher *matches, const struct case_choice *choice,
		     const char *const *names, size_t count, bool *chosen, bool *any,
		     struct cg_error *err)
{
	for (size_t i = 0; i < count; i++) {
		char *label = label_of_case(choice->benchmark, names[i]);
		if (!label)
			return cg_fail_nomem(err);
		chosen[i] = matches(choice->wanted, label);
		*any |= chosen[i];
		free(label);
	}
	return CG_OK;
}

int choose_cases(const void *of, const char *const *names, size_t count, bool *chosen,
		 struct cg_error *err)
{
	const struct case_choice *choice = of;
	case_matcher *others = choice->wanted && !choice->or_all ? is_matched : is_every_case;
	bool any = false;
	int status = CG_OK;

	/* Names of cases often have brackets, which as a pattern would mean others. */
	if (choice->wanted)
		status = choose_by(is_called, choice, names, count, chosen, &any, err);
	if (!status && !any)
		status = choose_by(others, choice, names, count, chosen, &any, err);
	if (!status && choice->wanted && !any)
		status = choose_fail_unknown(choice->wanted, names, count, err);
	return status;
}

int choose_fail_unknown(const char *wanted, const char *const *names, size_t count,
			struct cg_error *err)
{
	const char *slash = strchr(wanted, '/'); /* "BENCH/CASE" */
	const char **items = calloc(count + 1, sizeof *items);
	char *known = NULL;

	if (items && count)
		memcpy(items, names, count * sizeof *items);
	if (items)
		known = suggest_known(slash ? slash + 1 : wanted, items, count, "'*' measures all");
	int status = cg_fail(err, CG_EINVAL, NULL, 0, "unknown case %s%s", wanted,
			     !count  ? ": no case was measured"
			     : known ? known
				     : "");
	free(known);
	free(items);
	return status;
}
