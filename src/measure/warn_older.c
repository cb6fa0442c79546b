#include "src/measure/warn_older.h"

#include <stdlib.h>

#include "src/text/text.h"

void warn_older_program(const struct notices *n, const char *name, const char *source,
			const char *consequence)
{
	char *safe = text_safe(source);

	notice_warning(n, "%s: the program is older than %s; build first%s", name,
		       safe ? safe : "a source file", consequence);
	free(safe);
}
