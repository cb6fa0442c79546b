#include "src/report/json/parts.h"

#include "src/diff/threads.h"

/* A number that the file may not state. */
static void add_known(struct json *j, const char *key, uint64_t number)
{
	if (number)
		json_count(j, key, number);
	else
		json_none(j, key);
}

static void add_part(struct json *j, const struct cg_profile *p, const struct cg_part *part)
{
	json_begin_object(j, NULL);
	json_text(j, "file", cg_string(p, part->file));
	add_known(j, "pid", part->pid);
	add_known(j, "part", part->number);
	add_known(j, "thread", part->thread);
	json_text(j, "trigger", part->trigger ? cg_string(p, part->trigger) : NULL);
	json_text(j, "command", part->command ? cg_string(p, part->command) : NULL);
	json_begin_object(j, "costs");
	for (uint32_t e = 0; e < p->nevents; e++)
		json_cost(j, cg_string(p, p->events[e].name), part->self[e]);
	json_end(j);
	json_end(j);
}

void json_threads(struct json *j, const struct cg_profile *p)
{
	uint64_t threads = threads_of(p);

	if (threads == THREADS_SEVERAL)
		json_text(j, "threads", "several");
	else
		add_known(j, "threads", threads);
}

void json_parts(struct json *j, const struct cg_profile *p)
{
	json_begin_array(j, "parts");
	for (uint32_t i = 0; i < p->nparts; i++)
		add_part(j, p, &p->parts[i]);
	json_end(j);
	json_count(j, "parts_left_out", p->left_out);
}
