#!/bin/sh
# Usage: tests/browse.sh
#
# The browser as a person sees it: keys are typed and screens are read in a tmux of its own. What is
# waited for is a text on the screen, never a time.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
unset TMUX NO_COLOR LINES COLUMNS
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
data=$(CDPATH='' cd "${srcdir:-.}/tests/data" && pwd)

needs tmux jq
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-browse.XXXXXX")
scratch=$(CDPATH='' cd "$scratch" && pwd -P)
server=irdiff-browse-$$
TMUX_TMPDIR=$scratch
export TMUX_TMPDIR

t() {
	tmux -L "$server" -f /dev/null "$@"
}

clean_up() {
	t kill-server 2>/dev/null || :
	rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch"

t new-session -d -x 80 -y 24 cat 2>tmux.log || skip_all "no terminal can be had of tmux: $(cat tmux.log)"
failures=0

# verdict WORDS COMMAND...: whether the command succeeds.
verdict() {
	words=$1
	shift
	if "$@"; then
		echo "ok      $words"
	else
		echo "FAILED  $words"
		screen | grep -v '^$'
		failures=$((failures + 1))
	fi
}

screen() {
	t capture-pane -p -t "$pane" 2>/dev/null
}

# until_true COMMAND...: tries it for some minutes, which no busy machine needs.
until_true() {
	tries=0
	while ! "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 4000 ] || return 1
		sleep 0.05
	done
}

has() {
	screen | grep -qE -e "$1"
}

# sees REGEX: it comes to be on the screen; gone REGEX: it leaves it.
sees() {
	until_true has "$1"
}

lacks() {
	! has "$1"
}

gone() {
	until_true lacks "$1"
}

keys() {
	t send-keys -t "$pane" "$@"
}

# browse WIDTH HEIGHT ARGUMENTS...: begins in a new window of that size; where the shell goes on, it
# says how it ended and what the terminal is like.
browse() {
	width=$1 height=$2
	shift 2
	cat >run.sh <<-EOF
		trap : INT
		before=\$(stty -g)
		echo before
		$variables '$irdiff' browse $*
		status=\$?
		[ "\$before" = "\$(stty -g)" ] && echo "the terminal is as it was"
		echo "exit \$status"
		exec cat
	EOF
	pane=$(t new-session -d -P -F '#{pane_id}' -x "$width" -y "$height" /bin/sh run.sh)
}
variables=

ends() {
	sees "^exit $1\$" && has '^the terminal is as it was$' && has '^before$'
}

# The row of a function, without its fold and blanks that are doubled.
row_of() {
	screen | sed 's/[▸▾>]/ /g; s/  */ /g; s/ $//' | grep -E -m 1 -e " $1\$"
}

# in_row FUNCTION WORDS: stand in its row.
in_row() {
	# A screen may be read while it is drawn.
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		case " $(row_of "$1")" in *" $2 "*) return 0 ;; esac
		sleep 0.2
	done
	echo "the row of $1 is '$(row_of "$1")', without '$2'"
	return 1
}

# With commas, as people read it.
grouped() {
	sed -e :a -e 's/^\([0-9]*[0-9]\)\([0-9]\{3\}\)/\1,\2/;ta'
}

# ---- one profile ----

functions_are_those_of_json() {
	"$irdiff" show "$data/base.callgrind" --format=json --threshold=0 |
		jq -r '.functions[] | "\(.function) \(.self.Ir) \(.inclusive.Ir)"' >expected
	[ -s expected ] || return 1
	while read -r name self inclusive; do
		in_row "$name" "$(echo "$self" | grouped)" &&
			in_row "$name" "$(echo "$inclusive" | grouped)" || return 1
	done <expected
}

aligned() {
	[ "$(screen | sed -n '3,6p' | sed 's/%.*//' | awk '{ print length }' | sort -u | wc -l)" -eq 1 ]
}

no_wider() {
	! screen | grep -qE "^.{$(($1 + 1))}"
}

browse 80 24 "$data/base.callgrind" -I "$data"
verdict "functions are shown" sees '\[functions\]'
verdict "… with the costs that show --format=json has" functions_are_those_of_json
verdict "… in aligned columns" aligned
verdict "… which profile, and its total" has '^ irdiff .*base.callgrind .*Ir 100,000$'
verdict "… the keys" has '^ q quit  \? help'
verdict "… where the selected one is" has '^ parse  /src/parse.c  /bench/parse$'
keys j
verdict "j goes down" sees '^> *40,000 .* next$'
keys Up
verdict "an arrow goes up" sees '^> *50,000 .* parse$'
keys s
verdict "s changes the order" sees 'by calls'
keys M
verdict "M changes the metric" gone '\] +Ir '
keys m
verdict "m changes it back" sees '\] +Ir '
keys m
verdict "m has the next one" sees '^ irdiff .*Dr 10,000$'
verdict "… with its costs" in_row next 4,000
keys M
keys / '^parse$' Enter Tab
verdict "Tab shows the tree" sees '\[tree\]'
verdict "… where it branches, at the function that was selected" has '^> *99,000 .*    ▾ parse$'
verdict "… unfolded" has '^ +9,000 .* memcpy$'
verdict "titles name the metric, and each is there once" has '^ *incl. Ir +incl. % +self Ir +self % +calls'
keys Enter
verdict "Enter folds" gone memcpy
keys Enter
verdict "Enter unfolds" sees '^ +9,000 .* memcpy$'
verdict "… below its caller" has '^> *99,000 .*    ▾ parse$'
keys -
verdict "- folds" gone memcpy
keys +
verdict "+ unfolds" sees memcpy
keys e
verdict "e folds" gone memcpy
keys E
verdict "E unfolds all" sees memcpy
keys C
verdict "C folds all" gone memcpy
keys / '^mem' Enter
verdict "/ finds what is folded" sees '^> *9,000 .* memcpy$'
keys n
verdict "n goes on at the top" sees 'search continued at the top|no match'
keys / '(' Enter
verdict "a bad regex is said" sees 'bad pattern'
keys Tab
verdict "Tab shows callers" sees '\[callers\]'
keys / memcpy Enter +
verdict "who called it is below it" sees '^ +9,000 .*    ▸ parse$'
keys Tab '?'
verdict "? shows the help" sees 'next, previous line'
keys q
verdict "q closes it" sees '\[functions\]'
keys S g o
verdict "o shows the source" sees '^> *30,000 +70,000 +13 +tokens \+= next'
verdict "… of the function" has 'parse.c  parse$'
keys j
verdict "… in which j goes down" sees '^> +9,000 +14 +memcpy'
keys q
verdict "q closes it" gone 'tokens'
keys q
verdict "q quits" ends 0

# ---- two ----

browse 160 50 "$data/base.callgrind" "$data/head.callgrind" -I "$data"
verdict "a difference is shown" sees 'base.callgrind → .*head.callgrind .*Ir 100,000 → 175,000  \+75.0%$'
verdict "… base, head, Δ and % of base" in_row next '40,000 120,000 +80,000 +80.0%'
verdict "… what is new" in_row copy_fast 'new'
verdict "… what is gone" in_row memcpy '9,000 – -9,000 -9.00%'
verdict "… in a column that is called as in text" sees ' why +function$'
keys d
verdict "d shows the change in percent" sees 'Δ% \(relative\)'
verdict "… of base" in_row next '+200%'
keys d
verdict "d shows base" sees '\] +Ir  base'
verdict "… with its costs" in_row next '40,000 40.00%'
keys d
verdict "d shows head" sees '\] +Ir  head'
verdict "… with its costs" in_row next '120,000 68.57%'
verdict "the keys name the views of a change" has '  Tab tree/callers/causes  d Δ  o source  a asm  u unchanged'
keys d Tab E
verdict "a tree of both" sees '\+80,000 .* regressed .* next$'
verdict "… with its calls" in_row next '400 → 1,200'
keys / '^next$' Enter o
verdict "the source has the change of each line" sees '^> *\+80,000 .* 5 +return \*\(\*at\)\+\+;'
keys d d
verdict "… and base's" sees '^> *40,000 +40,000 +5 +return'
keys q d d Tab Tab
verdict "causes are a view of a change" sees '\[causes\]'
verdict "… with their shares and reasons" has '^>* *\+80,000 +107% +400 → 1,200 +more calls +parse → next$'
keys / '^copy_fast$' Enter o
verdict "the source of a call is that of its caller" sees '^> *-5,000 +14 +memcpy'
keys q Enter
verdict "Enter shows a cause in the tree" sees '\[tree\]'
verdict "… where it is" has '^> .* copy_fast$'
keys o
verdict "the source of a new function has what it costs" sees '^> *\+4,000 +\+4,000 +20'
verdict "… and lines that base has are not new" lacks '^.[+0-9, ]* [0-9]+ \+ '
keys Q
verdict "Q quits" ends 0

# ---- terminals ----

browse 40 10 "$data/base.callgrind" "$data/head.callgrind" -I "$data"
verdict "a small terminal has what matters" sees '^> *\+80,000 +\+80.0% +next$'
verdict "… and is not too narrow for it" no_wider 40
keys o
verdict "… where the source has all of it" sees '^> *\+80,000 +5 '
t resize-window -t "$pane" -x 100 -y 30
verdict "it grows with its window" sees '^> *\+80,000 .* next$'
verdict "… with the source below" sees '^> *\+80,000 +\+80,000 +5 +return'
t resize-window -t "$pane" -x 50 -y 12
verdict "… and shrinks" gone '^> *\+80,000 .* next$'
keys q C-c
verdict "Ctrl-C ends it in order" ends 130

colors() {
	t capture-pane -e -p -t "$pane" | grep -qE "$(printf '\033')\\[([0-9;]*;)?3[12]m"
}

browse 80 24 "$data/base.callgrind" "$data/head.callgrind"
verdict "changes have colours" until_true colors
keys q
ends 0 || failures=$((failures + 1))
variables='NO_COLOR=1'
browse 80 24 "$data/base.callgrind" "$data/head.callgrind"
sees '\[functions\]' || failures=$((failures + 1))
no_colors() {
	! colors
}
verdict "… but not with NO_COLOR" no_colors
keys q
ends 0 || failures=$((failures + 1))
variables='LC_ALL=C'
browse 80 24 "$data/base.callgrind" "$data/head.callgrind"
verdict "a terminal without UTF-8 gets ASCII" sees 'd head - base'
verdict "… only" lacks '[→Δ–…]'
keys q
ends 0 || failures=$((failures + 1))
variables=

# The process that a signal is for.
browser() {
	pid=$(pgrep -P "$(t display-message -p -t "$pane" '#{pane_pid}')" | head -n 1)
	[ -n "$pid" ]
}

for signal in TERM:143 HUP:129; do
	browse 80 24 "$data/base.callgrind"
	sees '\[functions\]' && browser && kill -"${signal%:*}" "$pid"
	verdict "SIG${signal%:*} ends it in order" ends "${signal#*:}"
done

# An interactive shell stops and goes on.
pane=$(t new-session -d -P -F '#{pane_id}' -x 80 -y 24 "PS1='ready ' ENV= /bin/sh -i")
sees '^ready' || failures=$((failures + 1))
keys "'$irdiff' browse '$data/base.callgrind'" Enter
sees '\[functions\]' || failures=$((failures + 1))
keys C-z
verdict "Ctrl-Z gives the terminal back" sees '(Stopped|Suspended)'
keys fg Enter
verdict "fg shows all again" sees '^> *50,000 .* parse$'
keys j
verdict "… and it goes on" sees '^> *40,000 .* next$'
keys q
verdict "… until it is quit" sees 'ready *$'

# ---- what is hostile, or large ----

# Escape sequences in names, a wide script, and a name that is much too long.
{
	printf 'events: Ir\nob=/bin/x\nfl=x.c\n'
	printf 'fn=evil\033]0;owned\007\033[2J\n1 500\nfn=漢字の関数\n2 400\n'
	printf 'fn=long_%01000d\n3 300\n' 7
} >hostile
browse 60 20 hostile
verdict "control characters are escaped" sees 'evil\\x1b\]0;owned\\x07\\x1b\[2J'
verdict "wide characters are shown" has '漢字の関数$'
verdict "long names are cut" has '^  *300 .*…0*7'
keys q
ends 0 || failures=$((failures + 1))

# 120,000 paths: f0 calls 400 functions, each of them 300.
awk 'BEGIN {
	print "events: Ir\nfn=main"
	for (i = 0; i < 400; i++)
		printf "cfn=f%d\ncalls=1 1\n1 %d\n", i, 300 * (i + 1)
	for (i = 0; i < 400; i++) {
		printf "fn=f%d\n", i
		for (k = 0; k < 300; k++)
			printf "cfn=g%d_%d\ncalls=1 1\n1 %d\n", i, k, i + 1
	}
	for (i = 0; i < 400; i++)
		for (k = 0; k < 300; k++)
			printf "fn=g%d_%d\n1 %d\n", i, k, i + 1
}' >large
browse 80 24 large
sees 'of 120,000' || failures=$((failures + 1))
keys Tab E G
verdict "a large tree can be unfolded" sees '120,401 of 120,401'
keys g / g0_299 Enter
verdict "… and searched" sees '^> .* g0_299$'
keys q
verdict "… and left" ends 0

# ---- machine code ----

sh "$data/stored-code.sh"
cd store
browse 100 30 base head
sees '\[functions\]' || failures=$((failures + 1))
keys a
verdict "a shows machine code" sees '\[machine code\]'
verdict "… of base, with the change" has '^ +-100 +5 - 0x[0-9a-f]+  mulps xmm0, xmm1$'
verdict "… of head" has '^.? +\+400 +5 \+ 0x[0-9a-f]+  movss xmm0, dword ptr \[rdi\] +vec.c:5$'
verdict "the keys say how to come to the source" has 'o source'
verdict "… with the key for the source" has '  o source'
verdict "… of both" has '^ +\+300 +4   0x[0-9a-f]+  cmp rdi, rdx'
keys o
verdict "o shows the source instead" sees '\[source\]'
keys a
verdict "… and a the machine code again" sees '\[machine code\]'
keys d d
verdict "d shows base alone" gone movss
verdict "… with its costs" has '^.? +100 +5 +0x[0-9a-f]+  mulps xmm0, xmm1'
keys q
verdict "q closes it" gone 'machine code'
keys q
verdict "… and then the browser" ends 0
browse 100 30 head
sees '\[functions\]' || failures=$((failures + 1))
keys a
verdict "of one profile, instructions have their costs" sees '^.? +400 .*mulss xmm0, xmm1'
keys Q
verdict "… and Q leaves" ends 0
cd "$scratch"
if command -v valgrind >tools && command -v cc >tools; then
	cat >inlined.c <<-END
		static inline __attribute__((always_inline)) int step(int x) { return x * 3 ^ 5; }
		int main(int argc, char **argv)
		{
			for (int i = 0; i < 1000; i++)
				argc ^= step(i * argc);
			return argc == (long)argv;
		}
	END
	cc -g -O1 -o inlined inlined.c && "$irdiff" profile -q --label=inlined -- ./inlined >out 2>err
	browse 120 30 inlined
	sees '\[functions\]' || failures=$((failures + 1))
	keys / ':step$' Enter a
	verdict "what is inlined is shown in what is around it" sees 'step is inlined here \(\*\); this is all of main'
	verdict "… and marked" has '^.? +1,000 +1 +[*]0x[0-9a-f]+  .* inlined.c:1 \(step\)'
	verdict "… but not the rest" has '^.? +1,000 +5 + 0x[0-9a-f]+  .* inlined.c:5$'
	keys Q
	ends 0 || failures=$((failures + 1))
else
	skip "machine code of what is inlined" "valgrind or cc is not installed"
fi
browse 80 24 "$data/base.callgrind"
sees '\[functions\]' || failures=$((failures + 1))
keys a
verdict "without addresses it says what to do" sees 'the profile has no addresses'
keys q
verdict "… and goes on" ends 0

# ---- where there is no terminal ----

fails_with() {
	status=0
	"$@" >out 2>err </dev/null || status=$?
	[ "$status" -eq 2 ] && grep -q "irdiff show" err
}
verdict "without a terminal it says what does without" fails_with "$irdiff" browse "$data/base.callgrind"
for term in dumb no-such-terminal; do
	variables="TERM=$term"
	browse 160 24 "$data/base.callgrind"
	verdict "a terminal that is '$term' is an error" ends 2
	verdict "… that names it" has "$term"
	verdict "… and says what needs none" has "irdiff show"
done

if [ $failures -ne 0 ]; then
	echo "$failures failed"
	exit 1
fi
