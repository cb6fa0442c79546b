#!/bin/sh
# Usage: tests/reports.sh
#
# The reports in formats that others read are well formed whatever names there are:
#   - JUnit files are what tests/data/junit.xsd says, and their sums are right (needs xmllint);
#   - markdown has no markup, link or image that irdiff did not write, and its tables are tables
#     (needs cmark-gfm, which is GitHub's own);
#   - CSV comes back from a reader as it went in, every line with as many fields as the first
#     (needs python3).
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
source_dir=$(CDPATH='' cd "${srcdir:-.}" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
data=$source_dir/tests/data

for program in xmllint:libxml2-utils cmark-gfm:cmark-gfm python3:python3; do
	command -v "${program%:*}" >/dev/null ||
		skip_all "${program%:*} is not installed (apt-get install ${program#*:})"
done
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-reports.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch"
failed=0

# fail WORDS...
fail() {
	echo "$*"
	failed=1
}

# Profiles whose names are markup of all kinds; costs are times $1.
names='a|b
a\|b
a\\|b\
`
``x`y``
<script>alert(1)</script>
</code></details><b>
<!-- x
--> ]]>
&lt;&amp;&#64;
@someone
#123
GH-12
owner/repo#1
http://example.org/x
www.example.org
who@example.org, now
[text](http://example.org)
![image](http://example.org/x.png)
*b* __c__ ~~d~~ $e$ :tada:
- [ ] task
=1+1
+x
-[Parser scan]
@z
f(int, "x")
'\''quoted'\''
%0A::error::x
::error file=x::y'
hostile() {
	printf 'events: Ir\nob=/bin/x|`y`\nfl=<i>,%%:x.c\nfn=main\n1 10\n'
	printf '%s\n' "$names" | awk -v times="$1" '{
		printf "cfn=%s\ncalls=%d 1\n2 %d\n", $0, times, NR * 1000 * times }'
	printf '%s\n' "$names" | awk -v times="$1" '{ printf "fn=%s\n%d %d\n", $0, NR, NR * 1000 * times }'
	printf 'fn=\001\002\033[31m\377\376\355\240\200\357\277\276\357\277\277\342\200\256end\n1 %d\n' "$(($1 * 500))"
	printf 'fn=%s\n1 %d\n' "$(printf '%s' "$names" | tr -d '\n')" "$(($1 * 700))"
}
hostile 1 >'base|`<b>&"'
hostile 3 >'head]]>`'

# ---- JUnit ----

# Reads a report on standard input; $1 says what it is.
check_junit() {
	cat >report.xml
	xmllint --noout --nonet --schema "$data/junit.xsd" report.xml 2>xmllint.log || {
		fail "$1: not what tests/data/junit.xsd says"
		cat xmllint.log
	}
	xpath() {
		xmllint --xpath "$1" report.xml
	}
	for element in failure error; do
		[ "$(xpath "sum(/testsuites/@${element}s)")" = "$(xpath "count(//$element)")" ] &&
			[ "$(xpath "sum(//testsuite/@${element}s)")" = "$(xpath "count(//$element)")" ] ||
			fail "$1: the number of ${element}s is wrong"
	done
	[ "$(xpath 'sum(//testsuite/@skipped)')" = "$(xpath 'count(//skipped)')" ] ||
		fail "$1: the number of skipped cases is wrong"
	[ "$(xpath 'string(/testsuites/@tests)')" = "$(xpath 'count(//testcase)')" ] ||
		fail "$1: the number of cases is wrong"
}

junit() {
	"$irdiff" diff "$@" --format=junit 2>/dev/null || [ $? -eq 1 ] || [ $? -eq 4 ]
}
junit "$data/base.callgrind" "$data/head.callgrind" | check_junit "without limits"
junit "$data/base.callgrind" "$data/head.callgrind" --check -l Ir=+80% -l Dr== -l 'Ir=1k fn:none' \
	-l 'incl.Ir=+1% fn:.' | check_junit "with limits"
junit 'base|`<b>&"' 'head]]>`' --check -l 'Ir=+1% fn:.' -l 'Ir=1k fn:<&"' | check_junit "hostile names"
sed 's/^events: Ir Dr/events: Ir Dw/' "$data/base.callgrind" >other
junit other "$data/head.callgrind" --check -l Dr=+1% | check_junit "no base"
junit other "$data/head.callgrind" | check_junit "no base, without limits"
(echo 'desc: irdiff.env.libc: "<&'; cat "$data/base.callgrind") >a
(echo 'desc: irdiff.env.libc: ]]>'; cat "$data/base.callgrind") >b
junit a b --check | check_junit "other environment"

# ---- markdown ----

"$irdiff" diff 'base|`<b>&"' 'head]]>`' --format=markdown --top=0 --check -l 'Ir=+1% fn:.' \
	>report.md 2>/dev/null || [ $? -eq 1 ]
cat >check.py <<'END'
import html.parser, sys

OWN = {"h2", "h3", "p", "strong", "em", "ul", "ol", "li", "code", "table", "thead", "tbody", "tr",
       "th", "td", "details", "summary", "pre", "hr", "sub", "span"}

class Checker(html.parser.HTMLParser):
    problems, code, row, columns, seen = [], 0, 0, 0, []

    def handle_starttag(self, tag, attributes):
        if tag not in OWN:
            self.problems.append(f"<{tag}> is not irdiff's: {self.getpos()}")
        if self.code:
            self.problems.append(f"<{tag}> in code: {self.getpos()}")
        if tag == "code":
            self.code += 1
            self.seen.append("")
        if tag == "table":
            self.columns = 0
        if tag == "tr":
            self.row = 0
        if tag in ("td", "th"):
            self.row += 1

    def handle_endtag(self, tag):
        if tag == "code":
            self.code -= 1
        if tag == "tr":
            self.columns = self.columns or self.row
            if self.row != self.columns:
                self.problems.append(f"a row of {self.row} cells in {self.columns}: {self.getpos()}")

    def handle_data(self, data):
        if self.code:
            self.seen[-1] += data
        elif any(word in data for word in ("@", "script", "example", "owner", "alert", "error::")):
            self.problems.append(f"a name outside of code: {data!r}")

checker = Checker()
checker.feed(open("report.html", encoding="utf-8").read())
names = open("names", encoding="utf-8").read().split("\n")[:-1]
for name in names if sys.argv[1] == "all" else []:
    # A backslash before a bar cannot be written in a cell, so it is escaped there.
    if name not in checker.seen and name.replace("\\|", "\\x5c|") not in checker.seen:
        checker.problems.append(f"{name!r} is not in the report as it is")
for problem in checker.problems:
    print(problem)
sys.exit(bool(checker.problems))
END
printf '%s\n' "$names" >names

# check_markdown WHAT all|some: whether all names are to be in the report.
check_markdown() {
	cmark-gfm --unsafe -e table -e autolink -e strikethrough -e tasklist report.md >report.html
	python3 check.py "$2" || fail "markdown $1: not as irdiff wrote it"
}

check_markdown "of one" all
"$irdiff" report 'base|`<b>&"' 'head]]>`' "$data/base.callgrind" "$data/head.callgrind" 'base|`<b>&"' 'base|`<b>&"' \
	--format=markdown >report.md
check_markdown "of several" some
grep -q '<summary><code>head]]&gt;`</code>: +' report.md || fail "markdown: no block of a benchmark"
[ "$(grep -c '^<table>' report.html)" -eq "$(grep -c '^|--' report.md)" ] || fail "markdown: not all tables are tables"

# ---- CSV ----

cat >check-csv.py <<'END'
import csv, sys

rows = list(csv.reader(sys.stdin, strict=True))
failed = False
for number, row in enumerate(rows):
    if len(row) != len(rows[0]):
        print(f"line {number} has {len(row)} fields, not {len(rows[0])}")
        failed = True
    if any(field[:1] in "=+-@" and not field[1:].isdigit() for field in row if field):
        print(f"line {number} has a formula: {row}")
        failed = True
def original(field):
    return field[1:] if field.startswith("'") else field
found = {original(row[rows[0].index("function")]) for row in rows[1:]}
for name in open("names", encoding="utf-8").read().split("\n")[:-1]:
    if name not in found:
        print(f"{name!r} is missing")
        failed = True
sys.exit(failed)
END
"$irdiff" diff 'base|`<b>&"' 'head]]>`' --format=csv --top=0 --threshold=0 | python3 check-csv.py ||
	fail "CSV of a difference: not as it went in"
"$irdiff" show 'base|`<b>&"' --format=csv --threshold=0 | python3 check-csv.py ||
	fail "CSV of a profile: not as it went in"

[ "$failed" -ne 0 ] || echo "JUnit, markdown and CSV are well formed, whatever the names"
exit "$failed"
