/*
 * Completion for shells (data/completions): `irdiff --complete WORD…`, where the words are those
 * after "irdiff" up to the cursor, without quotes; the cursor is at the end of the last one, which
 * may be empty.
 *
 * Each line of the answer is what that word may become, a tab, and words about it. Candidates of
 * the kind that is wanted are printed whether or not they begin with what is typed: which of them
 * match is the shell's business. One that ends in = : or , is not the end of a word.
 *
 * A line without a candidate says what the shell is to complete by itself:
 *
 *     TAB files TAB STEM          files, after STEM, with which the word begins: "--output="
 *     TAB directories TAB STEM
 *     TAB command TAB N           the words from number N (from 0) on are a command of its own
 *
 * All of it comes from the tables that parse the command line.
 */
#ifndef IRDIFF_CLI_COMPLETE_H
#define IRDIFF_CLI_COMPLETE_H

#include "src/cli/option_spec.h"

#define COMPLETE_OPTION "--complete"

/* A command that is run with COMPLETE_OPTION in place of its name, which no command line can do, is
 * asked what the last of its words may become: options_parse answers, and ends it. */
bool complete_is_asked(char **argv);
void complete_words(const struct command_help *help, const struct option_spec *specs, size_t nspecs,
		    int argc, char **argv);

#endif
