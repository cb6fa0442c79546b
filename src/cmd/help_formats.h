/* `irdiff help formats`: what irdiff reads and writes. */
#ifndef IRDIFF_CMD_HELP_FORMATS_H
#define IRDIFF_CMD_HELP_FORMATS_H

#include <stdio.h>

void help_print_formats(FILE *to);

#endif
