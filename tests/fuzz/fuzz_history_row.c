/* Rows of the history, of other machines: there is one text for a row, and nothing else is read. */
#include "src/store/history_row.h"
#include "src/store/label.h"
#include "tests/fuzz/fuzz.h"

static void check_texts(const struct history_run *run)
{
	LAW(!label_check(run->benchmark, NULL), "%s is a label", run->benchmark);
	LAW(run->ncounts > 0 && run->subject && run->irdiff && run->valgrind, "a row is whole");
	for (size_t i = 0; i < run->ncounts; i++)
		LAW(history_run_count(run, run->counts[i].metric) == &run->counts[i].count,
		    "count %zu is found by its metric", i);
	LAW(!history_run_count(run, ""), "no metric is empty");
}

static void check_row(const char *text, size_t len, const struct history_run *run)
{
	struct history_reader reader = { 0 };
	struct history_run again = { 0 };
	struct cg_error err = { 0 };
	char *written = NULL, one[HISTORY_DIGEST], other[HISTORY_DIGEST];
	int status = history_run_check(run, &err);

	check_error(status, &err);
	LAW(!status && !history_row_text(run, &written, &err), "what was read is refused: %s",
	    err.message);
	LAW(strlen(written) == len && memcmp(written, text, len) == 0, "a row has one text");
	LAW(!history_row_read(&reader, written, len, "again", 1, &again, NULL),
	    "what was written is read");
	history_run_digest(run, one);
	history_run_digest(&again, other);
	LAW(strlen(one) == HISTORY_DIGEST - 1 && strcmp(one, other) == 0, "digests are of content");
	history_reader_free(&reader);
	free(written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct history_reader reader = { 0 };
	struct history_run run = { 0 }, last = { 0 };
	struct cg_error err = { 0 };
	int status = history_row_read(&reader, text, size, "row", 7, &run, &err);

	check_error(status, &err);
	if (status) {
		LAW(status == CG_ESYNTAX && strcmp(err.file, "row") == 0 && err.line == 7 &&
			    !run.benchmark && !run.counts,
		    "a refusal says where, and leaves nothing");
		history_reader_free(&reader);
		return 0;
	}
	check_texts(&run);
	check_row(text, size - (text[size - 1] == '\n'), &run);
	/* The environment is known by now. */
	LAW(!history_row_read(&reader, text, size, "row", 8, &last, &err), "it is read again");
	check_row(text, size - (text[size - 1] == '\n'), &last);
	history_reader_free(&reader);
	return 0;
}
