/* Files of massif: a tree is what its root says. */
#include "callgrind/massif.h"
#include "tests/fuzz/reading.h"

/* Whether a line below "heap_tree=" has this number behind "nN: ". */
static bool is_root(const char *text, cost_t total)
{
	static const char tree[] = "heap_tree=";

	for (const char *at = text; (at = strstr(at, tree)); at++) {
		const char *line = strchr(at, '\n');
		const char *number = line ? strstr(line, ": ") : NULL;
		if (number && strtoll(number + 2, NULL, 10) == total)
			return true;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_reading(data, size);
	if (!cg_massif_format.detect((const char *)data, size) || memchr(data, '\0', size))
		return 0;
	struct cg_profile *p = flat_profile_of(data, size);
	if (!p)
		return 0;
	char *text = text_of(data, size);
	LAW(is_root(text, p->total[0]), "no tree has %" PRId64 " bytes", p->total[0]);
	free(text);
	cg_profile_free(p);
	return 0;
}
