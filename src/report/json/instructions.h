/* Private to report/: instructions in JSON. */
#ifndef IRDIFF_REPORT_JSON_INSTRUCTIONS_H
#define IRDIFF_REPORT_JSON_INSTRUCTIONS_H

#include "src/json/json.h"
#include "src/report/instructions.h"

/* Into the object that is open, the members "address", "text", "file", "line", "inlined", "target",
 * "jumps", "vector" and "calls". */
void json_add_instruction(struct json *j, const struct asm_listing *listing,
			  const struct asm_row *row);
/* The member "missing": objects whose code is not there. NULL for the listing: none. */
void json_add_missing_code(struct json *j, const struct asm_listing *listing);

#endif
