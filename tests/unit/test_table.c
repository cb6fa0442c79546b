/* Tables of typed cells: columns of events, what people read, and CSV. */
#include <stdlib.h>
#include <string.h>

#include "src/report/csv/csv.h"
#include "src/report/text/table.h"
#include "tests/unit/harness.h"

struct fruit {
	const char *name, *origin;
	uint64_t trees;
	struct cell_numbers price;
	struct cell_events events;
};

static void fill_fruit(const struct report_table *t, size_t row, void *cells)
{
	static const int64_t costs[] = { 7, 8 };

	(void)t;
	*(struct fruit *)cells = (struct fruit){
		.name = row ? "=pear,\"x\"" : "apple",
		.origin = row ? NULL : "here",
		.trees = row,
		.price = { .base = INT64_MIN,
			   .head = row ? 5 : INT64_MAX,
			   .head_missing = row > 0 },
		.events = { .costs = row ? NULL : costs },
	};
}

static const struct table_column columns[] = {
	TABLE_COLUMN(NULL, CELL_NAME, struct fruit, name),
	TABLE_ROOMY(60, "origin", CELL_WORD, struct fruit, origin),
	TABLE_COLUMN("trees", CELL_KNOWN, struct fruit, trees),
	TABLE_COLUMN("price", CELL_HEAD, struct fruit, price),
	TABLE_COLUMN("delta", CELL_DELTA, struct fruit, price),
	TABLE_COLUMN("self_", CELL_EVENT, struct fruit, events),
};

static struct report_table make_table(void)
{
	struct report_table t = { .word = "fruit", .nrows = 2, .fill = fill_fruit };

	TABLE_COLUMNS(&t, columns);
	return t;
}

/* What is missing is empty, and a difference that is too large stays at the end of what a cost can
 * be. */
static void writes_csv(void)
{
	const char *const events[] = { "Dr", "Ir" };
	const uint32_t at[] = { 1, 0 };
	struct report_table t = make_table();
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	REQUIRE(table_spread(&t, events, at, 2) == CG_OK);
	CHECK_U64(t.ncolumns, 7);
	REQUIRE(csv_table(&t, to) == CG_OK);
	table_free(&t);
	REQUIRE(fclose(to) == 0);
	CHECK_STR(text, "fruit,origin,trees,price,delta,self_Dr,self_Ir\r\n"
			"apple,here,,9223372036854775807,9223372036854775807,8,7\r\n"
			"\"'=pear,\"\"x\"\"\",,1,,9223372036854775807,,\r\n");
	free(text);
}

/* Columns for which there is no room are named below the table. */
static void leaves_columns_out(void)
{
	const struct text_style style = { .width = 50 };
	struct report_table t = make_table();
	struct text_table text;
	char *written = NULL;
	size_t size;
	FILE *to = open_memstream(&written, &size);

	REQUIRE(to != NULL);
	t.ncolumns = 4;
	REQUIRE(text_table_begin(&text, &t, &style) == CG_OK);
	CHECK(text_table_shows(&text, 0));
	CHECK(!text_table_shows(&text, 1));
	REQUIRE(text_table_write(&text, &t, NULL, &style, to) == CG_OK);
	text_table_print_hidden(&text, &t, to);
	text_table_free(&text);
	REQUIRE(fclose(to) == 0);
	CHECK_STR(written, "  fruit      trees  price\n"
			   "  apple          –  9,223,372,036,854,775,807\n"
			   "  =pear,\"x\"      1  –\n"
			   "  … and 1 more column (origin); see them with --wide\n");
	free(written);
}

TEST_MAIN("table", { "CSV", writes_csv }, { "columns without room", leaves_columns_out })
