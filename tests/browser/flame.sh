#!/bin/sh
# Usage: tests/browser/flame.sh
#
# What `irdiff flame` and `irdiff report` write does in Chromium what it should: tests/browser/flame.py
# says what. Needs python3 with selenium, chromium and chromium-driver.
set -eu
. "$(dirname "$0")/../skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
directory=$(CDPATH='' cd "$(dirname "$0")" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

# Debian's modules are those of its own python3, which need not be the first in the PATH.
python=
for candidate in python3 /usr/bin/python3; do
	if "$candidate" -c 'import selenium.webdriver' 2>/dev/null; then
		python=$candidate
		break
	fi
done
[ -n "$python" ] || skip_all "python3 has no module selenium (apt-get install python3-selenium)"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-flame-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch"

# scan costs more, grow is new, hash is gone; a name is markup, and one is long.
profile() {
	cat <<END
events: Ir Dr
ob=/bin/app
fl=app.c
fn=main
1 500 10
cfn=scan
calls=10 1
1 $((13000 + $1 + $3)) 20
fn=scan
9 $1 5
cfn=$2
calls=3 1
9 $3 15
cfn=</title><script>alert(1)</script>
calls=3 1
9 9000 1
fn=$2
20 500 5
cfn=below_$2
calls=3 1
20 $(($3 - 500)) 10
fn=below_$2
25 $(($3 - 500)) 10
fn=</title><script>alert(1)</script>
30 5000 1
cfn=std::map<std::string, std::vector<acme::Record, acme::Allocator<acme::Record>>>::find_the_oldest_of_all_records_after(std::string const&)
calls=1 1
31 4000 0
fn=std::map<std::string, std::vector<acme::Record, acme::Allocator<acme::Record>>>::find_the_oldest_of_all_records_after(std::string const&)
40 4000 0
END
}
profile 4000 hash 2000 >base.callgrind
profile 6000 grow 2500 >head.callgrind
"$irdiff" flame head.callgrind -o one.svg
{
	printf 'cmd: ./app --words=%0200d\n' 7
	cat head.callgrind
} >a-profile-with-a-name-that-is-much-too-long-for-the-title-of-a-picture.callgrind
"$irdiff" flame a-profile-*.callgrind --width=640 -o narrow.svg
"$irdiff" flame base.callgrind head.callgrind -o diff.svg
"$irdiff" flame base.callgrind head.callgrind --reverse -o reversed.svg
"$irdiff" report base.callgrind head.callgrind -o report.html
"$irdiff" report head.callgrind -o alone.html
"$python" "$directory/flame.py" one.svg diff.svg reversed.svg narrow.svg
exec "$python" "$directory/page.py" report.html alone.html
