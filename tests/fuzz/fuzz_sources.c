/* Sources kept beside a profile: what is taken is found again, and keeping it again loses
 * nothing. */
#include "src/store/sources.h"
#include "tests/fuzz/sections.h"

static void check_kept(const struct stored_sources *s)
{
	struct stored_sources again = { 0 };
	struct cg_error err = { 0 };
	size_t at = 0;

	LAW(!sources_save(scratch_path("again"), s->items, s->count, &err), "%s", err.message);
	LAW(!sources_load(scratch_path("again"), &again, &err), "%s", err.message);
	for (size_t i = 0; i < s->count; i++) {
		const struct stored_source *was = &s->items[i];
		LAW(!strchr(was->name, '\n') && was->bytes[was->size] == '\0', "source %zu", i);
		LAW(at < again.count && strcmp(again.items[at].name, was->name) == 0 &&
			    again.items[at].size == was->size &&
			    memcmp(again.items[at].bytes, was->bytes, was->size) == 0,
		    "source %zu is lost", i);
		at++;
		const struct stored_source *found = sources_find(s, was->name);
		LAW(found && found <= was && strcmp(found->name, was->name) == 0,
		    "source %zu is found by its name", i);
	}
	LAW(at == again.count, "there are %zu sources, not %zu", again.count, at);
	sources_free(&again);
}

static void check(const char *name)
{
	struct stored_sources s = { 0 };
	struct cg_error err = { 0 };
	int status = sources_load(scratch_path(name), &s, &err);

	check_error(status, &err);
	LAW(!status || (!s.items && !s.bytes), "a failure leaves nothing");
	if (!status)
		check_kept(&s);
	sources_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	scratch_check_file("sources", "irdiff sources 1\n", data, size, check);
	return 0;
}
