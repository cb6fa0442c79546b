/* Java: classes with benchmarks of JMH, which are comments, as only the user can tell how often
 * they must run to cost more than JMH itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/init/survey_kinds.h"

static void add_class(struct survey *s, const char *path)
{
	/* In one JVM, without warm-up, by count instead of time, and without the JVMs that JMH
	 * starts to try options. */
	static const char *const words[] = { "java", "-Djmh.blackhole.autoDetect=false",
					     "-jar", "target/benchmarks.jar",
					     "-f",   "0",
					     "-wi",  "0",
					     "-i",   "1",
					     "-bm",  "ss",
					     "-bs",  "2000",
					     NULL };
	char name[CALL_WORD_MAX], directory[BUILD_PATH_MAX];

	if (snprintf(name, sizeof name, "%s", project_file_name(path)) >= (int)sizeof name ||
	    !project_file_directory(path, directory, sizeof directory))
		return;
	*strrchr(name, '.') = '\0';
	struct survey_bench *b = survey_add_in(s, directory, name, path, 0);
	if (!b)
		return;
	b->harness = HARNESS_JMH;
	if (!survey_fixed_words(b, words) || !survey_word(b, "", name))
		survey_drop(s);
}

int survey_java(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	(void)err;
	for (size_t i = 0; !p->tests && p->reads_left > 0 && i < p->files.count; i++) {
		const char *path = p->files.paths[i];
		if (!project_file_ends(path, ".java") && !project_file_ends(path, ".kt"))
			continue;
		char *text = survey_source(p, path);
		if (text && strstr(text, "org.openjdk.jmh") && strstr(text, "@Benchmark"))
			add_class(s, path);
		free(text);
	}
	return CG_OK;
}
