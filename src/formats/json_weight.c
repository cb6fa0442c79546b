#include "src/formats/json_weight.h"

#include <stdint.h>

/* Bytes, with what malloc adds, as jansson allocates them. */
enum {
	OF_OBJECT = 250,
	OF_MEMBER = 100, /* its name, without the value */
	OF_LIST = 130,
	OF_VALUE = 45, /* a number or a text, and its place in a list */
};

#define FREE_BYTES (64 * 1024 * 1024)
#define BYTES_PER_BYTE 48 /* a list of one digit takes 44 */

bool json_is_too_heavy(const char *text, size_t len)
{
	const uint64_t most = FREE_BYTES + (uint64_t)len * BYTES_PER_BYTE;
	uint64_t weight = len;
	bool in_text = false;

	for (size_t i = 0; i < len && weight <= most; i++) {
		if (in_text && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_text = !in_text;
		else if (in_text)
			continue;
		else if (text[i] == '{')
			weight += OF_OBJECT;
		else if (text[i] == '[')
			weight += OF_LIST;
		else if (text[i] == ':')
			weight += OF_MEMBER;
		else if (text[i] == ',')
			weight += OF_VALUE;
	}
	return weight > most;
}
