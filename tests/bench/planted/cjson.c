/* The workload of cJSON: makes a document, prints it, parses it, and looks things up. */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/planted/random.h"

enum { RECORDS = 250, FIELDS = 8 };

static cJSON *make_document(void)
{
	cJSON *list = cJSON_CreateArray();
	uint32_t state = 1;

	for (int i = 0; i < RECORDS; i++) {
		cJSON *record = cJSON_CreateObject();
		char name[20], text[60];
		for (int k = 0; k < FIELDS; k++) {
			uint32_t number = next_random(&state);
			snprintf(name, sizeof name, "field %d", k);
			snprintf(text, sizeof text, "a \"text\"\twith number %u", (unsigned)number);
			if (k % 2)
				cJSON_AddStringToObject(record, name, text);
			else
				cJSON_AddNumberToObject(record, name, number / 8.0);
		}
		cJSON_AddItemToArray(list, record);
	}
	return list;
}

static double sum_up(const cJSON *list)
{
	const cJSON *record;
	double sum = 0;

	cJSON_ArrayForEach(record, list)
		sum += cJSON_GetObjectItemCaseSensitive(record, "field 0")->valuedouble +
		       cJSON_GetObjectItemCaseSensitive(record, "field 2")->valuedouble;
	return sum;
}

int main(void)
{
	cJSON *list = make_document();
	char *text = cJSON_Print(list);
	cJSON *parsed = cJSON_Parse(text);
	char *again = cJSON_PrintUnformatted(parsed);

	printf("%.3f %.3f\n%s\n", sum_up(list), sum_up(parsed), again);
	cJSON_Delete(parsed);
	cJSON_Delete(list);
	free(text);
	free(again);
	return 0;
}
