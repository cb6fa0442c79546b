#!/bin/sh
# Usage: tests/layers.sh [DIRECTORY]
#
# Enforces the rules of the house that can be read off the sources (see ARCHITECTURE.md):
#   - includes go down the DAG, and name files from the top directory;
#   - one third-party library is included in one .c file, FILE.c, or also in parts of it, FILE_PART.c;
#   - only src/cmd and src/main.c write to stdout or stderr or end the process;
#   - no strcpy, strcat, sprintf anywhere;
#   - the store follows no link out of a project: it opens and moves files by src/store/beneath.h.
# Prints one line per violation and fails if there is one.
set -eu
LC_ALL=C
export LC_ALL
cd "${1:-${srcdir:-.}}"

find callgrind freeze src tests -type f -name '*.[ch]' | sort | xargs awk '
# The layer of a path: its directory below the top. src/main.c stands alone.
function layer(path) {
	if (path == "src/main.c")
		return path
	sub(/\/[^\/]*$/, "", path)
	return path
}

# Files are sorted: FILE.c comes before FILE_PART.c.
function is_part_of(path, part) {
	sub(/\.c$/, "_", path)
	return index(part, path) == 1
}

function violation(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text
	violations++
}

# The library a system header belongs to, "" for headers of the C library.
function library(header) {
	if (header ~ /^pcre2/) return "PCRE2"
	if (header ~ /^yaml/) return "libyaml"
	if (header ~ /^jansson/) return "jansson"
	if (header ~ /^curl\//) return "libcurl"
	if (header ~ /^(zstd|zstd_errors|zdict)\.h$/) return "zstd"
	if (header ~ /^(zlib|zconf)\.h$/) return "zlib"
	if (header ~ /^lzma/) return "lzma"
	if (header ~ /^nettle\//) return "Nettle"
	if (header ~ /^sqlite3/) return "SQLite"
	if (header ~ /^(ncurses|ncursesw\/|curses|term)/ && header !~ /^termios/) return "ncurses"
	if (header ~ /^(elfutils\/|libelf|gelf|dwarf\.h)/) return "elfutils"
	if (header ~ /^(libiberty\/)?(demangle|libiberty)\.h$/) return "libiberty"
	if (header ~ /^CUnit\//) return "CUnit"
	return ""
}

# `line` without comments and without what stands in string and character literals.
function code_of(line,    out, c, two, i, quote) {
	out = ""
	quote = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		two = substr(line, i, 2)
		if (in_comment) {
			if (two == "*/") {
				in_comment = 0
				i++
			}
		} else if (quote != "") {
			if (c == "\\")
				i++
			else if (c == quote) {
				quote = ""
				out = out c
			}
		} else if (two == "/*") {
			in_comment = 1
			i++
		} else if (two == "//") {
			break
		} else {
			if (c == "\"" || c == "\047")
				quote = c
			out = out c
		}
	}
	return out
}

function calls(code, names) {
	return code ~ ("(^|[^A-Za-z0-9_])(" names ")[ \t]*\\(")
}

function mentions(code, names) {
	return code ~ ("(^|[^A-Za-z0-9_])(" names ")([^A-Za-z0-9_]|$)")
}

BEGIN {
	# Who may include whom; every layer may include itself.
	knows["callgrind/support"] = ""
	knows["freeze"] = ""
	knows["callgrind"] = "callgrind/support"
	knows["src/view"] = "callgrind callgrind/support"
	knows["src/diff"] = "src/view/pattern.h callgrind callgrind/support"
	knows["src/flame"] = "src/view src/diff callgrind callgrind/support"
	knows["src/text"] = "callgrind callgrind/support"
	knows["src/history"] = "callgrind/support"
	knows["src/insight"] = "src/text src/view/pattern.h src/diff callgrind callgrind/support"
	knows["src/report"] = "src/doctor/finding.h src/text src/history src/flame src/insight src/view src/diff callgrind callgrind/support"
	knows["src/config"] = "src/insight/rule.h src/diff/limit.h src/diff/tolerance.h src/diff/accepted.h src/store/label.h src/run/freeze.h src/run/words.h src/run/signals.h callgrind/support"
	knows["src/browse"] = "src/report/text_name.h src/text src/view src/diff callgrind callgrind/support"
	knows["src/init"] = "src/config/file.h src/store/label.h callgrind/support"
	knows["src/client"] = ""
	knows["src/digest"] = "callgrind/support"
	knows["src/guest"] = "callgrind/support"
	knows["src/run"] = "src/digest src/guest callgrind/producers.h callgrind/support"
	knows["src/remote"] = "src/report/json.h callgrind/support"
	knows["src/store"] = "src/digest src/config/suggest.h callgrind callgrind/support"
	knows["src/git"] = "src/config/suggest.h src/run src/store/files.h callgrind/support"
	knows["src/share"] = "src/git src/store src/run callgrind/support"
	knows["src/doctor"] = "src/git src/store src/config src/run callgrind/inlines.h callgrind/producers.h callgrind/support"
	knows["src/cmd"] = "src/browse src/doctor src/share src/text src/report src/remote src/init src/history src/flame src/insight src/view src/diff src/config src/git src/run src/store src/digest callgrind callgrind/support"
	knows["src/main.c"] = "src/cmd callgrind/support"
}

FNR == 1 {
	files++
	in_comment = 0
	here = layer(FILENAME)
	is_test = FILENAME ~ /^tests\//
	if (!is_test && !(here in knows))
		violation("no rule for directory " here ": give it a place in tests/layers.sh and ARCHITECTURE.md")
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	path = $0
	sub(/^[^"]*"/, "", path)
	sub(/".*/, "", path)
	if (path == "config.h")
		next
	if ((getline probe < path) < 0)
		violation("\"" path "\" is not a path from the top directory")
	close(path)
	if (is_test)
		next
	if (path ~ /\.c$/)
		violation("includes a .c file: " path)
	there = layer(path)
	if (there == here)
		next
	ok = 0
	n = split(knows[here], known, " ")
	for (i = 1; i <= n; i++)
		if (known[i] == there || known[i] == path)
			ok = 1
	if (!ok)
		violation(here " may not know " there " (includes " path ")")
	next
}

/^[ \t]*#[ \t]*include[ \t]*</ {
	header = $0
	sub(/^[^<]*</, "", header)
	sub(/>.*/, "", header)
	lib = library(header)
	if (lib == "")
		next
	if (lib == "CUnit") {
		if (FILENAME != "tests/unit/harness.h")
			violation("CUnit is included only in tests/unit/harness.h")
	} else if (is_test) {
		next
	} else if (FILENAME ~ /\.h$/) {
		violation(lib " is included in a header: the rest of the program must not see it")
	} else if ((lib in home) && home[lib] != FILENAME && !is_part_of(home[lib], FILENAME)) {
		violation(lib " is included in " home[lib] " already: one library, one file")
	} else {
		home[lib] = FILENAME
	}
	next
}

{
	code = code_of($0)
	if (is_test)
		next
	if (calls(code, "strcpy|strcat|sprintf|vsprintf|gets|stpcpy"))
		violation("writes to a buffer without knowing its size")
	# results.c looks in directories of other tools.
	if (here == "src/store" && FILENAME !~ /\/(beneath|files|files_remove|results)\.[ch]$/ &&
	    calls(code, "open|fopen|mkdir|mkdirat|mkdtemp|make_directories|rename|renameat|link|symlink|rmdir|replace_directory_in"))
		violation("may follow a symbolic link out of the project: src/store/beneath.h does not")
	if (here == "src/cmd" || here == "src/main.c")
		next
	if (calls(code, "exit|abort|quick_exit"))
		violation("ends the process: return a status")
	# A child between fork and exec has no other way out.
	if (calls(code, "_exit|_Exit") && here != "src/run")
		violation("ends the process: return a status")
	if (calls(code, "printf|vprintf|puts|putchar|perror|warn|warnx|err|errx") ||
	    mentions(code, "stdout|stderr"))
		violation("prints: return text or take a stream, src/cmd prints")
}

END {
	if (files == 0) {
		print "no sources found"
		exit 1
	}
	if (violations > 0) {
		printf "%d violations in %d files\n", violations, files
		exit 1
	}
	printf "%d files keep the rules\n", files
}
'
