/* Private to report/: long names of C++ and Rust, shortened so that they still say which
 * function it is. */
#ifndef IRDIFF_REPORT_TEXT_NAME_H
#define IRDIFF_REPORT_TEXT_NAME_H

/*
 * The name, safe (text_safe), in at most `width` columns (0: any number): whole if it fits, else
 * without what is between the parentheses of parameters, "f(…)", or between those of template
 * arguments, "map<…>::find(key)", or both; and if that is still too long, cut in the middle.
 * NULL if memory ran out; free() it.
 */
char *text_short_name(const char *name, unsigned width);

#endif
