#!/bin/sh
# Usage: tests/layers.sh [DIRECTORY]
#
# Enforces the rules of the house that can be read off the sources (see ARCHITECTURE.md):
#   - includes go down the DAG, name files from the top directory, and lead back to no header;
#   - one third-party library is included in one .c file, FILE.c, or also in parts of it, FILE_PART.c;
#   - only src/cli, src/cmd and src/main.c write to stdout or stderr or end the process;
#   - no strcpy, strcat, sprintf anywhere;
#   - the store follows no link out of a project: it opens and moves files by src/store/beneath.h.
# Prints one line per violation and fails if there is one.
set -eu
LC_ALL=C
export LC_ALL
cd "${1:-${srcdir:-.}}"

find callgrind freeze src tests -type f -name '*.[ch]' | sort | xargs awk '
# The room of a path: its directory below the top. src/main.c stands alone.
function layer(path) {
	if (path == "src/main.c")
		return path
	if (path in shared)
		return "callgrind/shared"
	sub(/^callgrind\/include\//, "", path)
	sub(/\/[^\/]*$/, "", path)
	return path
}

# The rooms that one may include.
function known_by(room,    above) {
	if (room in knows)
		return knows[room]
	above = room
	sub(/[^\/]*$/, "", above)
	return knows[above]
}

function is_room(room,    above) {
	above = room
	sub(/[^\/]*$/, "", above)
	return (room in knows) || (above in knows)
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
	if (header ~ /^capstone\//) return "Capstone"
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
	# Who may include whom, from the bottom up; every room may include itself, and a room whose name ends in "/"
	# stands for all below it.
	core = "cgprofile callgrind/shared callgrind/support"
	# The headers of callgrind/ that are not installed, but are for the program as well.
	count = split("build coarsen compress folded format input interpreter lambdas machine_code name_parts name_text order parts paths stacks", names, " ")
	for (i = 1; i <= count; i++)
		shared["callgrind/" names[i] ".h"]
	knows["cgprofile"] = ""
	knows["callgrind/support"] = "cgprofile"
	knows["callgrind/shared"] = "cgprofile callgrind/support"
	knows["callgrind"] = core
	knows["freeze"] = ""
	knows["src/client"] = ""
	knows["src/text"] = core
	knows["src/json"] = "src/text " core
	knows["src/formats"] = "src/json " core
	knows["src/digest"] = core
	knows["src/library"] = core
	knows["src/view"] = core
	knows["src/asm"] = "src/library src/view " core
	knows["src/diff"] = "src/view " core
	knows["src/insight"] = "src/text src/view src/diff " core
	knows["src/flame"] = "src/view src/diff " core
	knows["src/history"] = core
	knows["src/guest"] = core
	knows["src/run"] = "src/digest src/formats src/guest callgrind " core
	knows["src/store"] = "src/json src/text src/digest " core
	knows["src/git"] = "src/text src/run src/store " core
	knows["src/share"] = "src/git src/store src/run " core
	knows["src/config"] = "src/text src/insight src/diff src/store src/run " core
	knows["src/remote"] = "src/library src/json " core
	knows["src/doctor"] = "src/asm src/git src/store src/config src/run callgrind " core
	knows["src/init"] = "src/config src/store src/json " core
	knows["src/report"] = "src/asm src/doctor src/json src/text src/history src/flame src/insight src/view src/diff " core
	knows["src/report/"] = "src/report " knows["src/report"]
	knows["src/browse"] = "src/asm src/report src/text src/view src/diff " core
	knows["src/status"] = "src/text " core
	knows["src/load"] = "src/asm src/status src/formats src/browse src/report src/report/export src/insight src/view src/diff src/config src/git src/run src/store " core
	knows["src/measure"] = "src/load src/status src/report src/json src/text src/view src/diff src/config src/run src/store " core
	knows["src/record"] = "src/status src/history src/text src/diff src/git src/store " core
	knows["src/compare"] = "src/asm src/record src/measure src/load src/status src/report src/report/text src/json src/flame src/text src/view src/diff src/config src/git src/store " core
	knows["src/commits"] = "src/digest src/compare src/record src/measure src/load src/status src/text src/view src/diff src/config src/git src/run src/store " core
	knows["src/site"] = "src/commits src/compare src/record src/load src/status src/report src/json src/history src/diff src/config src/git src/store src/digest " core
	knows["src/cli"] = "src/commits src/compare src/measure src/load src/status src/report src/remote src/text src/view src/diff src/config src/git src/run src/store " core
	knows["src/cmd"] = "src/cli src/site src/commits src/compare src/record src/measure src/load src/status src/browse src/doctor src/share src/report src/report/text src/remote src/init src/history src/flame src/insight src/view src/diff src/json src/text src/config src/git src/run src/store src/digest " core
	knows["src/main.c"] = "src/cmd " core
}

FNR == 1 {
	files++
	in_comment = 0
	here = layer(FILENAME)
	is_test = FILENAME ~ /^tests\//
	if (!is_test && !is_room(here))
		violation("no rule for directory " here ": give it a place in tests/layers.sh and ARCHITECTURE.md")
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	path = $0
	sub(/^[^"]*"/, "", path)
	sub(/".*/, "", path)
	if (path == "config.h")
		next
	file = path ~ /^cgprofile\// ? "callgrind/include/" path : path
	if ((getline probe < file) < 0)
		violation("\"" path "\" is not a path from the top directory")
	close(file)
	if (is_test)
		next
	if (path ~ /\.c$/)
		violation("includes a .c file: " path)
	if (FILENAME ~ /\.h$/) {
		headers[FILENAME] = 1
		edges++
		from[edges] = FILENAME
		to[edges] = file
	}
	there = layer(path)
	if (there == here)
		next
	ok = 0
	n = split(known_by(here), known, " ")
	for (i = 1; i <= n; i++)
		if (known[i] == there)
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
	} else if (!(lib in home)) {
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
	if (here == "src/store" && FILENAME !~ /\/(beneath|files|files_remove|files_tree|results)\.[ch]$/ &&
	    calls(code, "open|fopen|mkdir|mkdirat|mkdtemp|make_directories|rename|renameat|link|symlink|rmdir|replace_directory_in"))
		violation("may follow a symbolic link out of the project: src/store/beneath.h does not")
	if (here == "src/cli" || here == "src/cmd" || here == "src/main.c")
		next
	if (calls(code, "exit|abort|quick_exit"))
		violation("ends the process: return a status")
	# A child between fork and exec has no other way out.
	if (calls(code, "_exit|_Exit") && here != "src/run")
		violation("ends the process: return a status")
	if (calls(code, "printf|vprintf|puts|putchar|perror|warn|warnx|err|errx") ||
	    mentions(code, "stdout|stderr"))
		violation("prints: return text or take a stream, src/cli prints")
}

# Headers that include nothing but such headers are taken away, again and again; cycles are left.
function find_cycles(    i, removed, header, waits) {
	do {
		removed = 0
		split("", waits)
		for (i = 1; i <= edges; i++)
			if (to[i] in headers)
				waits[from[i]] = to[i]
		for (header in headers)
			if (!(header in waits)) {
				delete headers[header]
				removed++
			}
	} while (removed)
	for (header in headers) {
		printf "%s: includes itself, by %s\n", header, waits[header]
		violations++
	}
}

END {
	find_cycles()
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
