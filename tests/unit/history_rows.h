/* A row of the history, as tests change it. */
#ifndef TESTS_UNIT_HISTORY_ROWS_H
#define TESTS_UNIT_HISTORY_ROWS_H

#include "src/store/history.h"
#include "tests/unit/harness.h"

/* Commits. */
#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

TEST_UNUSED static struct history_pair facts[] = { { (char *)"cpu", (char *)"one" },
						   { (char *)"valgrind", (char *)"3.19.0" } };
TEST_UNUSED static struct history_count counts[] = { { (char *)"Dr", 7 }, { (char *)"Ir", 1000 } };

/* A row that shares its arrays with all others. */
TEST_UNUSED static struct history_run row(const char *benchmark, const char *commit)
{
	return (struct history_run){
		.benchmark = (char *)benchmark,
		.definition = (char *)"0123456789abcdef",
		.commit = (char *)commit,
		.committed = 100,
		.subject = (char *)"words",
		.environment = facts,
		.nenvironment = 2,
		.irdiff = (char *)"0.1.0",
		.valgrind = (char *)"3.19.0",
		.measured = 200,
		.counts = counts,
		.ncounts = 2,
	};
}

#endif
