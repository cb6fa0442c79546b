/* The workload of SQLite: tables in memory, looked up by index, joined, sorted and searched. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/planted/random.h"

enum { ORDERS = 400, CUSTOMERS = 50, LOOKUPS = 60 };

enum query { INSERT, FIND, TOTALS, SEARCH, SORTED, QUERIES };

static const char *const sql[QUERIES] = {
	[INSERT] = "INSERT INTO orders VALUES (?1, ?2, ?3, 'order ' || ?3 || ' of metal')",
	[FIND] = "SELECT sum(amount), count(title) FROM orders WHERE customer = ?1",
	[TOTALS] = "SELECT sum(o.amount) FROM customers c, orders o"
		   " WHERE o.customer = c.id AND c.id > ?1",
	[SEARCH] = "SELECT count(*) FROM orders WHERE title LIKE '%1% of %t_l'",
	[SORTED] = "SELECT sum(length(t)) FROM (SELECT title || id AS t, amount FROM orders"
		   " ORDER BY title, amount)",
};

static void execute(sqlite3 *db, const char *text)
{
	if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK) {
		printf("%s: %s\n", text, sqlite3_errmsg(db));
		exit(1);
	}
}

__attribute__((noinline)) static void create_schema(sqlite3 *db)
{
	static const char *const statements[] = {
		"CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)",
		"CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INT, amount INT, title TEXT)",
		"CREATE INDEX by_customer ON orders (customer)"
		"",
	};
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
		execute(db, statements[i]);
}

/* Statements are prepared once. */
__attribute__((noinline)) static sqlite3_stmt *prepared(sqlite3 *db, sqlite3_stmt **slot,
							const char *text)
{
	if (!*slot)
		sqlite3_prepare_v2(db, text, -1, slot, NULL);
	sqlite3_reset(*slot);
	return *slot;
}

static long ask(sqlite3 *db, sqlite3_stmt **slots, enum query query, const int *values, int count)
{
	sqlite3_stmt *statement = prepared(db, &slots[query], sql[query]);
	long result = 0;

	for (int i = 0; i < count; i++)
		sqlite3_bind_int(statement, i + 1, values[i]);
	while (sqlite3_step(statement) == SQLITE_ROW)
		result += (long)sqlite3_column_int64(statement, 0);
	return result;
}

int main(void)
{
	sqlite3_stmt *slots[QUERIES] = { NULL };
	uint32_t state = 1;
	long sum = 0;
	sqlite3 *db;

	sqlite3_open(":memory:", &db);
	create_schema(db);
	execute(db, "BEGIN");
	execute(db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)"
		    " INSERT INTO customers SELECT i, 'customer ' || i FROM n");
	for (int i = 0; i < ORDERS; i++) {
		const int values[] = { i, (int)(next_random(&state) % CUSTOMERS),
				       (int)(next_random(&state) % 1000) };
		ask(db, slots, INSERT, values, 3);
	}
	execute(db, "COMMIT");
	for (int i = 0; i < LOOKUPS; i++) {
		int customer = i % CUSTOMERS;
		sum += ask(db, slots, FIND, &customer, 1);
	}
	for (int i = 0; i < 4; i++) {
		sum += ask(db, slots, TOTALS, &i, 1);
		sum += ask(db, slots, SEARCH, NULL, 0);
		sum += ask(db, slots, SORTED, NULL, 0);
	}
	printf("%ld\n", sum);
	for (int i = 0; i < QUERIES; i++)
		sqlite3_finalize(slots[i]);
	sqlite3_close(db);
	return 0;
}
