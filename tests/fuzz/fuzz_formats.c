/* JSON of other profilers: what its numbers add up to, counted in the document. */
#include "src/formats/formats.h"
#include "src/json/json.h"
#include "tests/fuzz/reading.h"

static const struct json_value *member_of_first(const struct json_value *root, const char *list,
						const char *name)
{
	return json_member(json_item(json_member(root, list), 0), name);
}

/* Of DHAT, its bytes or units. */
static void check_dhat(const struct json_value *root, const struct cg_profile *p)
{
	const struct json_value *points = json_member(root, "pps");
	const int bytes = cg_event_index(p, "AllocBytes");
	cost_t sum = 0, cost;

	for (size_t i = 0; i < json_items(points); i++) {
		LAW(json_cost_of(json_member(json_item(points, i), "tb"), &cost),
		    "a point without a number of bytes was taken");
		sum += cost;
	}
	LAW(p->total[bytes < 0 ? 0 : bytes] == sum, "%" PRId64 " bytes were counted", sum);
	LAW(!cg_samples_behind(p, cg_string(p, p->events[0].name), &(uint64_t){ 0 }),
	    "what DHAT counted is sampled");
}

/* Of speedscope, one profile of weights that are counts. */
static void check_speedscope(const struct json_value *root, const struct cg_profile *p)
{
	const struct json_value *weights = member_of_first(root, "profiles", "weights");
	const char *type = json_text_of(member_of_first(root, "profiles", "type"));
	const char *unit = json_text_of(member_of_first(root, "profiles", "unit"));
	cost_t sum = 0, cost;

	if (json_items(json_member(root, "profiles")) != 1 || !type ||
	    strcmp(type, "sampled") != 0 || !unit || strcmp(unit, "bytes") != 0)
		return;
	for (size_t i = 0; i < json_items(weights); i++) {
		if (!json_cost_of(json_item(weights, i), &cost))
			return;
		sum += cost;
	}
	LAW(p->total[0] == sum, "weights of %" PRId64 " were counted", sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_value *root = NULL;
	struct cg_error err = { 0 };

	check_reading(data, size);
	if (!formats_of_json[0]->detect((const char *)data, size))
		return 0;
	struct cg_profile *p = flat_profile_of(data, size);
	if (!p)
		return 0;
	LAW(json_read((const char *)data, size, "input", &root, &err) == CG_OK,
	    "what is no JSON was taken: %s", err.message);
	if (json_member(root, "dhatFileVersion"))
		check_dhat(root, p);
	else
		check_speedscope(root, p);
	LAW(p->has_levels, "recursion levels of stacks are exact");
	json_forget(root);
	cg_profile_free(p);
	return 0;
}
