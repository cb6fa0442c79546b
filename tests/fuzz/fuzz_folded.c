/* Folded stacks: every sample is counted once. */
#include "callgrind/folded.h"
#include "tests/fuzz/reading.h"

/* The number at the end of a line, 0 if there is none. */
static uint64_t samples_of(const char *line)
{
	size_t len = strlen(line);

	while (len > 0 && (line[len - 1] == '\r' || line[len - 1] == ' '))
		len--;
	while (len > 0 && line[len - 1] >= '0' && line[len - 1] <= '9')
		len--;
	return strtoull(line + len, NULL, 10);
}

/* "#" and a blank, or nothing; "#name" is a name. */
static bool is_comment(const char *line)
{
	line += strspn(line, " \t");
	return line[0] == '#' && (!line[1] || strchr(" \t\r#", line[1]));
}

/* The sum over all lines, by other means than the reader's. Comments may hold NUL. */
static uint64_t sum_of(char *text, size_t size)
{
	uint64_t sum = 0;

	for (char *nul; (nul = memchr(text, '\0', size));)
		*nul = '#';
	for (char *line; (line = strsep(&text, "\n"));)
		if (!is_comment(line))
			sum += samples_of(line);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_reading(data, size);
	if (!cg_folded_detect((const char *)data, size))
		return 0;
	struct cg_profile *p = flat_profile_of(data, size);
	if (!p)
		return 0;
	char *text = text_of(data, size);
	uint64_t sum = sum_of(text, size);
	LAW((uint64_t)p->total[0] == sum, "%" PRIu64 " samples were counted", sum);
	LAW(p->has_levels, "recursion levels of stacks are exact");
	free(text);
	cg_profile_free(p);
	return 0;
}
