#include "src/store/history_fan.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "src/store/history_database.h"

static unsigned hex_digit_of(char c)
{
	return (unsigned)(c >= 'a' ? c - 'a' + 10 : c - '0') & 15;
}

unsigned history_fan_of(const char *commit)
{
	return hex_digit_of(commit[0]) * 16 + hex_digit_of(commit[1]);
}

void history_fan_name(unsigned fan, char name[HISTORY_FAN_NAME])
{
	snprintf(name, HISTORY_FAN_NAME, "%02x", fan & 255);
}

int history_count_changes(struct history *h, struct cg_error *err)
{
	int status = CG_OK;

	for (unsigned fan = 0; !status && fan < HISTORY_FANS; fan++) {
		char name[HISTORY_FAN_NAME];
		sqlite3_stmt *s = NULL;
		if (!h->changed[fan])
			continue;
		h->changed[fan] = false;
		history_fan_name(fan, name);
		status = history_statement(h, CHANGE_FAN, &s, err);
		if (!status) {
			history_bind_text(s, 1, name);
			status = history_step(h, s, err);
		}
	}
	return status;
}

int history_get_fan(struct history *h, unsigned fan, struct history_fan *out, struct cg_error *err)
{
	char name[HISTORY_FAN_NAME];
	sqlite3_stmt *s = NULL;

	*out = (struct history_fan){ 0 };
	if (!h)
		return CG_OK;
	int status = history_count_changes(h, err);
	if (!status)
		status = history_statement(h, FIND_FAN, &s, err);
	if (status)
		return status;
	history_fan_name(fan, name);
	history_bind_text(s, 1, name);
	int step = sqlite3_step(s);
	if (step == SQLITE_ROW) {
		const char *tree = (const char *)sqlite3_column_text(s, 1);
		out->changes = sqlite3_column_int64(s, 0);
		snprintf(out->tree, sizeof out->tree, "%s", tree ? tree : "");
		out->rows = (uint64_t)sqlite3_column_int64(s, 2);
		out->taken = sqlite3_column_int(s, 3) == 1;
		out->given = sqlite3_column_int64(s, 4);
	} else if (step != SQLITE_DONE) {
		status = history_fail(h, err);
	}
	sqlite3_reset(s);
	return status;
}

int history_set_fan(struct history *h, unsigned fan, const struct history_fan *state,
		    struct cg_error *err)
{
	char name[HISTORY_FAN_NAME];
	sqlite3_stmt *s = NULL;
	int status = history_statement(h, SET_FAN, &s, err);
	if (status)
		return status;
	history_fan_name(fan, name);
	history_bind_text(s, 1, name);
	history_bind_text(s, 2, state->tree);
	sqlite3_bind_int64(s, 3, (int64_t)state->rows);
	sqlite3_bind_int64(s, 4, state->taken);
	sqlite3_bind_int64(s, 5, state->given);
	return history_step(h, s, err);
}
