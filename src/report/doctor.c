#include "src/report/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/json/json.h"
#include "src/text/wrap.h"

static bool is_shown(const struct doctor_finding *f, bool quiet)
{
	return !quiet || f->state != FINDING_OK;
}

/* ---- groups ---- */

static const char benchmark_group[] = "Benchmark ";

static bool is_of_benchmark(const struct doctor_finding *f)
{
	return strncmp(f->group, benchmark_group, sizeof benchmark_group - 1) == 0;
}

static size_t end_of_group(const struct findings *f, size_t begin)
{
	size_t i = begin + 1;

	while (i < f->count && strcmp(f->items[i].group, f->items[begin].group) == 0)
		i++;
	return i;
}

static bool is_same_remedy(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same_finding(const struct doctor_finding *a, const struct doctor_finding *b)
{
	return a->state == b->state && strcmp(a->text, b->text) == 0 &&
	       is_same_remedy(a->remedy, b->remedy);
}

/* Whether the same is found of two benchmarks, such as that their program is not built yet. */
static bool are_alike(const struct findings *f, size_t a, size_t b)
{
	const size_t a_end = end_of_group(f, a), b_end = end_of_group(f, b);

	if (!is_of_benchmark(&f->items[a]) || !is_of_benchmark(&f->items[b]) ||
	    a_end - a != b_end - b)
		return false;
	for (; a < a_end; a++, b++)
		if (!is_same_finding(&f->items[a], &f->items[b]))
			return false;
	return true;
}

static bool is_like_an_earlier_group(const struct findings *f, size_t begin)
{
	for (size_t i = 0; i < begin; i = end_of_group(f, i))
		if (are_alike(f, i, begin))
			return true;
	return false;
}

/* ---- text ---- */

/* What does not fit is continued below where it begins; a remedy is left whole, to be copied. */
static void print_doctor_wrapped(const char *text, const struct text_style *style, FILE *to)
{
	enum { BEFORE = 11 }; /* columns */
	char *safe = text_safe(text), *line = NULL, *wrapped = NULL;

	if (safe && asprintf(&line, "%*s%s", BEFORE, "", safe) >= 0)
		wrapped = text_wrap(line, style->width, BEFORE);
	else
		line = NULL;
	fprintf(to, "%s\n", wrapped ? wrapped + BEFORE : safe ? safe : "");
	free(wrapped);
	free(line);
	free(safe);
}

/* A finding stands out by its word, with and without colour. */
static void print_doctor_finding(const struct doctor_finding *f, const struct text_style *style,
				 FILE *to)
{
	static const char *const marks[FINDING_STATES] = {
		[FINDING_OK] = "ok",
		[FINDING_WARNING] = "warning",
		[FINDING_WRONG] = "WRONG",
		[FINDING_PROBLEM] = "PROBLEM",
	};
	const char *color = f->state >= FINDING_WRONG     ? text_red(style)
			    : f->state == FINDING_WARNING ? text_bold(style)
							  : text_green(style);

	fprintf(to, "  %s%-7s%s  ", color, marks[f->state], text_plain(style));
	print_doctor_wrapped(f->text, style, to);
	if (!f->remedy)
		return;
	fprintf(to, "           %s ", style->ascii ? "->" : "→");
	text_print_name(to, f->remedy, 0);
	fputc('\n', to);
}

/* `most`: of how many benchmarks, whose findings stand together. */
static size_t count_not_built(const struct findings *f, size_t *most)
{
	size_t count = 0;

	*most = 0;
	for (size_t i = 0; i < f->count; i++) {
		const struct doctor_finding *one = &f->items[i];
		*most += is_of_benchmark(one) && (i == 0 || strcmp(one->group, one[-1].group) != 0);
		count += is_of_benchmark(one) && strcmp(one->name, FINDING_NOT_BUILT) == 0;
	}
	return count;
}

/* check and compare build what they measure, profile does not. */
static void print_fine(const struct findings *f, FILE *to)
{
	size_t most, count = count_not_built(f, &most);

	if (!count)
		fputs("measuring works\n", to);
	else if (count == most)
		fputs("measuring works, but no benchmark is built yet\n", to);
	else
		fprintf(to, "measuring works, but %zu of %zu benchmarks are not built yet\n", count,
			most);
}

static void print_doctor_number(size_t count, const char *one, const char *many, FILE *to)
{
	fprintf(to, "%zu %s", count, count == 1 ? one : many);
}

/* What is found of several benchmarks is printed once, so it counts once. */
static size_t count_printed(const struct findings *f, enum finding_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < f->count; i = end_of_group(f, i)) {
		if (is_like_an_earlier_group(f, i))
			continue;
		for (size_t k = i; k < end_of_group(f, i); k++)
			count += f->items[k].state == state;
	}
	return count;
}

static void print_doctor_sum(const struct findings *f, FILE *to)
{
	size_t problems = count_printed(f, FINDING_PROBLEM),
	       wrong = count_printed(f, FINDING_WRONG);
	size_t warnings = count_printed(f, FINDING_WARNING);

	print_doctor_number(problems, "problem", "problems", to);
	fputs(", ", to);
	if (wrong) {
		print_doctor_number(wrong, "mistake in the configuration",
				    "mistakes in the configuration", to);
		fputs(", ", to);
	}
	print_doctor_number(warnings, "warning", "warnings", to);
	fputs(": ", to);
	if (problems || wrong)
		fprintf(to, "%s\n",
			problems ? "measuring fails or cannot be trusted"
				 : "misconfigured benchmarks cannot be measured");
	else
		print_fine(f, to);
}

/* "Benchmark parse", or "Benchmarks parse, print, scan and 19 more". */
static void print_group_title(const struct findings *f, size_t begin,
			      const struct text_style *style, FILE *to)
{
	enum { NAMED = 4 };
	size_t count = 1;

	fputs(text_bold(style), to);
	for (size_t i = end_of_group(f, begin); i < f->count; i = end_of_group(f, i))
		count += are_alike(f, begin, i);
	if (count == 1) {
		text_print_name(to, f->items[begin].group, 0);
	} else {
		size_t named = 0, most = count <= NAMED ? count : NAMED - 1;
		fputs("Benchmarks ", to);
		for (size_t i = begin; i < f->count && named < most; i = end_of_group(f, i)) {
			if (!are_alike(f, begin, i))
				continue;
			fputs(named++ ? ", " : "", to);
			text_print_name(to, f->items[i].group + sizeof benchmark_group - 1, 0);
		}
		if (count > most)
			fprintf(to, " and %zu more", count - most);
	}
	fprintf(to, "%s\n", text_plain(style));
}

static bool any_is_shown(const struct findings *f, size_t begin, bool quiet)
{
	for (size_t i = begin; i < end_of_group(f, begin); i++)
		if (is_shown(&f->items[i], quiet))
			return true;
	return false;
}

int doctor_text(const struct findings *f, bool quiet, const struct text_style *style, FILE *to)
{
	bool any = false;

	for (size_t i = 0; i < f->count; i = end_of_group(f, i)) {
		if (!any_is_shown(f, i, quiet) || is_like_an_earlier_group(f, i))
			continue;
		fputs(any ? "\n" : "", to);
		any = true;
		print_group_title(f, i, style, to);
		for (size_t k = i; k < end_of_group(f, i); k++)
			if (is_shown(&f->items[k], quiet))
				print_doctor_finding(&f->items[k], style, to);
	}
	if (!quiet) {
		fputc('\n', to);
		print_doctor_sum(f, to);
	}
	return CG_OK;
}

/* ---- JSON ---- */

int doctor_json(const struct findings *f, bool quiet, FILE *to)
{
	struct json *j = json_new();

	if (!j)
		return CG_ENOMEM;
	json_text(j, "schema", "irdiff/doctor");
	json_count(j, "version", 2);
	json_count(j, "problems", findings_count(f, FINDING_PROBLEM));
	json_count(j, "mistakes", findings_count(f, FINDING_WRONG));
	json_count(j, "warnings", findings_count(f, FINDING_WARNING));
	json_begin_array(j, "findings");
	for (size_t i = 0; i < f->count; i++) {
		const struct doctor_finding *one = &f->items[i];
		if (!is_shown(one, quiet))
			continue;
		json_begin_object(j, NULL);
		json_text(j, "group", one->group);
		json_text(j, "name", one->name);
		json_text(j, "state", finding_state_name(one->state));
		json_text(j, "text", one->text);
		json_text(j, "remedy", one->remedy);
		json_end(j);
	}
	json_end(j);
	return json_finish(j, to);
}
