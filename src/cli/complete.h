/*
 * Completion for shells (data/completions): `irdiff --complete WORD…`, where the words are those
 * after "irdiff" up to the cursor, without quotes; the cursor is at the end of the last one, which
 * may be empty.
 *
 * Each line of the answer is a candidate for that word, a tab, and a description. All candidates of
 * the right kind are printed, whether or not they begin with what is typed: the shell selects those
 * that match. One that ends in = : or , does not complete the word.
 *
 * A line without a candidate tells the shell what to complete itself:
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

/* A command that is run with COMPLETE_OPTION as argv[0], which no command line can do, completes
 * the last of its words: options_parse prints the candidates, and the command ends. */
bool complete_is_asked(char **argv);
void complete_words(const struct command_help *help, const struct option_spec *specs, size_t nspecs,
		    int argc, char **argv);

#endif
