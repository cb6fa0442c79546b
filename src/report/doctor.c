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

static bool is_of_benchmark(const struct doctor_finding *f)
{
	static const char benchmark[] = "Benchmark ";
	return strncmp(f->group, benchmark, sizeof benchmark - 1) == 0;
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

static void print_doctor_sum(const struct findings *f, FILE *to)
{
	size_t problems = findings_count(f, FINDING_PROBLEM),
	       wrong = findings_count(f, FINDING_WRONG);
	size_t warnings = findings_count(f, FINDING_WARNING);

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

int doctor_text(const struct findings *f, bool quiet, const struct text_style *style, FILE *to)
{
	const char *group = NULL;

	for (size_t i = 0; i < f->count; i++) {
		const struct doctor_finding *one = &f->items[i];
		if (!is_shown(one, quiet))
			continue;
		if (!group || strcmp(group, one->group) != 0) {
			fprintf(to, "%s%s", group ? "\n" : "", text_bold(style));
			text_print_name(to, one->group, 0);
			fprintf(to, "%s\n", text_plain(style));
			group = one->group;
		}
		print_doctor_finding(one, style, to);
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
