#include "src/load/select_parts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t count_words(const char *list)
{
	size_t count = 1;
	for (; *list; list++)
		count += *list == ',';
	return count;
}

/* A number from *at on, which moves after it. */
static bool parse_part_number(const char **at, uint64_t *number)
{
	char *end;
	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*number = strtoull(*at, &end, 10);
	*at = end;
	return errno == 0;
}

/* "3" or "3-5" */
static bool parse_range(const char *word, struct cg_range *range)
{
	if (!parse_part_number(&word, &range->first))
		return false;
	range->last = range->first;
	if (*word == '-') {
		word++;
		if (!parse_part_number(&word, &range->last))
			return false;
	}
	return *word == '\0' && range->first <= range->last;
}

/* A word of digits and dashes is meant as numbers, even where it is none. */
static bool is_trigger_pattern(const char *word)
{
	return *word && word[strspn(word, "0123456789-")] != '\0';
}

/* Takes a list of numbers apart, and of patterns if `triggers` is not NULL. */
static int parse_list(const char *option, char *list, struct cg_range *ranges, size_t *nranges,
		      const char **triggers, size_t *ntriggers, struct cg_error *err)
{
	for (char *word = list, *next; word; word = next) {
		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		if (triggers && is_trigger_pattern(word))
			triggers[(*ntriggers)++] = word;
		else if (parse_range(word, &ranges[*nranges]))
			(*nranges)++;
		else
			return cg_fail(err, CG_EINVAL, NULL, 0,
				       "--%s: expected numbers and ranges%s "
				       "separated by commas, such as 1,3-5, but found '%s'",
				       option, triggers ? ", or patterns of triggers," : "", word);
	}
	return CG_OK;
}

static int parse_numbers(const char *option, const char *text, struct cg_range **out, size_t *count,
			 struct cg_error *err)
{
	struct cg_range *ranges = NULL;
	char *list = NULL;
	size_t found = 0;
	int status = CG_OK;

	if (!text)
		return CG_OK;
	ranges = calloc(count_words(text), sizeof *ranges);
	list = strdup(text);
	if (!ranges || !list)
		status = cg_fail_nomem(err);
	else
		status = parse_list(option, list, ranges, &found, NULL, NULL, err);
	free(list);
	if (status) {
		free(ranges);
		return status;
	}
	*out = ranges;
	*count = found;
	return CG_OK;
}

static int parse_parts(const char *text, struct part_selection *s, struct cg_error *err)
{
	if (!text)
		return CG_OK;
	s->parts = calloc(count_words(text), sizeof *s->parts);
	s->triggers = calloc(count_words(text), sizeof *s->triggers);
	s->words = strdup(text);
	if (!s->parts || !s->triggers || !s->words)
		return cg_fail_nomem(err);
	s->chosen.parts = s->parts;
	s->chosen.triggers = s->triggers;
	return parse_list("parts", s->words, s->parts, &s->chosen.nparts, s->triggers,
			  &s->chosen.ntriggers, err);
}

int part_selection_parse(const struct selection_texts *texts, struct part_selection *out,
			 struct cg_error *err)
{
	struct part_selection s = { 0 };
	int status = CG_OK;

	if (texts->pid && strcmp(texts->pid, "all") == 0)
		s.chosen.every_process = true;
	else
		status = parse_numbers("pid", texts->pid, &s.pids, &s.chosen.npids, err);
	if (!status)
		status = parse_numbers("thread", texts->thread, &s.threads, &s.chosen.nthreads,
				       err);
	if (!status)
		status = parse_parts(texts->parts, &s, err);
	if (status) {
		part_selection_free(&s);
		return status;
	}
	s.chosen.pids = s.pids;
	s.chosen.threads = s.threads;
	*out = s;
	return CG_OK;
}

void part_selection_free(struct part_selection *s)
{
	free(s->pids);
	free(s->threads);
	free(s->parts);
	free(s->triggers);
	free(s->words);
	*s = (struct part_selection){ 0 };
}
