#include "src/measure/retire_labels.h"

#include <stdio.h>
#include <string.h>

#include "src/store/find_profile.h"
#include "src/store/label.h"
#include "src/store/publish.h"
#include "src/text/text.h"

void retire_tell(const struct measurement *m, const char *label)
{
	struct notice message;

	notice_begin(&message, m->notices, NOTICE_MESSAGE);
	text_print_name(message.to, label, 0);
	fputs(": the previous profile is now ", message.to);
	text_print_name(message.to, label, 0);
	fputs(".old", message.to);
	notice_end(&message);
}

enum ending retire_silently(const struct measurement *m, const char *label, bool *retired)
{
	struct cg_error err;

	if (!m->checkout && store_retire(m->root, label, retired, &err))
		return notice_error(m->notices, &err);
	return ENDED_FINE;
}

enum ending retire_label(const struct measurement *m, const char *label)
{
	bool retired = false;
	enum ending ending = retire_silently(m, label, &retired);

	if (retired)
		retire_tell(m, label);
	return ending;
}

bool measured_has_label(const struct measured *out, const char *label)
{
	for (size_t i = 0; i < out->count; i++)
		if (strcmp(out->items[i].label, label) == 0)
			return true;
	return false;
}

enum ending retire_others(const struct measurement *m, const struct measured *out)
{
	const char *own = m->label;
	struct path_list labels = { 0 };
	struct cg_error err;
	int status = m->checkout || m->wanted ? CG_OK : store_list_labels(m->root, &labels, &err);
	enum ending ending = status ? notice_error(m->notices, &err) : ENDED_FINE;

	for (size_t i = 0; !ending && i < labels.count; i++) {
		const char *label = labels.paths[i];
		bool ours = strcmp(label, own) == 0 || label_is_case_of(label, own, strlen(own));
		if (ours && !label_is_old(label) && !measured_has_label(out, label))
			ending = retire_label(m, label);
	}
	path_list_free(&labels);
	return ending;
}
