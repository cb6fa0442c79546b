#!/bin/sh
# Usage: tests/completions.sh
#
# What shells complete: the answers of irdiff --complete, which must have every option that --help has,
# and what bash, zsh and fish make of them on a terminal, down to the words that the command then gets.
# A shell that is not installed is passed over.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
here=$(CDPATH='' cd "${srcdir:-.}" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-completions.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
mkdir "$scratch/bin" "$scratch/home" "$scratch/nowhere"
ln -s "$irdiff" "$scratch/bin/irdiff"
PATH=$scratch/bin:$PATH
HOME=$scratch/home
GIT_CEILING_DIRECTORIES=$scratch
GIT_CONFIG_NOSYSTEM=1
export PATH HOME GIT_CEILING_DIRECTORIES GIT_CONFIG_NOSYSTEM
tab=$(printf '\t')
failures=0

fail() {
	echo "FAILED $*"
	failures=$((failures + 1))
}

# What the last of the words may become, without what is said about it; on one line.
candidates() {
	irdiff --complete "$@" 2>&1 | sed "/^$tab/!s/$tab.*//" | tr '\n' ' ' | tr '\t' '>'
}

# expect WANTED WORD...: these candidates and no others. ">files>" is what is left to the shell.
expect() {
	wanted=$1
	shift
	found=$(candidates "$@")
	[ "$found" = "$wanted " ] || fail "irdiff $*: '$found' instead of '$wanted '"
}

# ---- the tables ----

commands=$(irdiff --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p')
[ -n "$commands" ] || fail "irdiff --help lists no commands"
expect "$(echo $commands) help" ""
expect "$(echo $commands) help formats" help ""
expect "--help --version --no-pager" -
expect "$(echo $commands) help" --no-pager ""
for command in $commands; do
	helped=$(irdiff "$command" --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/--\2/p' | sort)
	offered=$(irdiff --complete "$command" --x | sed "s/=\{0,1\}$tab.*//" | sort)
	[ "$helped" = "$offered" ] || fail "$command: --help has" $helped "and is offered" $offered
	irdiff "$command" --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\)=\([a-z][^ ]*\).*/\2 \3/p' |
		while read -r option choices; do
			echo "$choices" | tr '|' '\n' | grep -v '^[A-Z]' >"$scratch/wanted"
			irdiff --complete "$command" "--$option" '' | sed "/$tab./d; s/$tab.*//" |
				cmp -s - "$scratch/wanted" || echo "$command --$option" >>"$scratch/wrong"
		done
done
[ ! -s "$scratch/wrong" ] || fail "choices that are not offered:" $(cat "$scratch/wrong")

# ---- a project ----

mkdir "$scratch/project"
cd "$scratch/project"
git init -q -b main .
git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
git tag v1.0
git branch feature/one
git branch 'a$(touch${IFS}pwned)'
git remote add origin nowhere
cat >irdiff.yml <<'END'
benchmarks:
  parse: {command: [./parse]}
  "my bench": {command: [./parse]}
END
mkdir -p profiles/parse/src baselines/main sub/deeper
for label in parse parse.old parse/small 'parse/src/lib.rs::sort[1]' 'x$(touch pwned)y' "it's"; do
	cp "$here/tests/data/base.callgrind" "profiles/$label.callgrind"
done
cp profiles/parse.callgrind baselines/main/
touch 'other;touch pwned' "$(printf 'profiles/two\nlines.callgrind')" "$(printf 'profiles/ta\tb.callgrind')" \
	"$(printf 'profiles/bad\377.callgrind')"
labels="it's parse parse.old parse/small parse/src/lib.rs::sort[1] x\$(touch pwned)y"
benchmarks="parse my bench parse/small parse/src/lib.rs::sort[1]"
refs="HEAD a\$(touch\${IFS}pwned) feature/one main v1.0"

expect "$labels baseline: >files>" show ""
expect "$labels baseline: >files>" diff parse pa
irdiff --complete show baseline: | grep -q '^baseline:main/parse	' || fail "profiles of a baseline"
expect ">files>" show parse ""
expect "$labels" profile --label ""
for command in profile verify bisect history doctor; do
	expect "$benchmarks" "$command" ""
done
expect "$benchmarks" doctor parse ""
expect "$benchmarks" check -b ""
expect "$benchmarks" diff --baseline main ""
expect "main" diff --baseline ""
expect "--baseline=main" report --baseline=
expect "$refs" check ""
expect "$refs" bisect parse --good ""
expect "new $refs" history --measure ""
expect "$refs" baseline save new --commit ""
expect "$(for ref in $refs; do printf 'main...%s ' "$ref"; done | sed 's/ $//')" compare main...
expect "origin" store push ""
expect "save list show rm accept prune" baseline ""
expect "list prune" cache ""
expect "--help" baseline list --
expect "--store --commit= --help" baseline save main --
expect "--format= --help" cache list --
expect "--history-only --help" store fetch origin --
expect "main" baseline show ""
expect "$benchmarks" baseline show main ""
expect ">directories>" merge ""
expect ">directories>--results=" check --results=a
expect ">files>" show -o ""
expect ">files>-o" show -ofile
expect ">files>--output=" show --output=a
expect ">files>--out=" show --out=a
expect "auto none >files>" show --insights ""
expect "--freeze=time,malloc --freeze=time,pid --freeze=time,random --freeze=time,time" profile --freeze=time,
expect "--inclusive=yes --inclusive=no" show --inclusive=
expect ">command>2" profile -- ""
expect ">command>5" profile -q --label x -- ls ""
expect ">files>" profile parse -- ""
expect "$labels baseline: >files>" show -- ""
irdiff --complete show --sort=Ir,D | grep -q '^--sort=Ir,Dw	' || fail "the second event of a list"
irdiff --complete check --limit '' | grep -q '^Ir=	' || fail "metrics of limits"

# What is given is offered again only if it is a list; a value is no option.
irdiff --complete show --top 5 --wide -o --lenient -Ia -I b - | sed "s/$tab.*//" >offered
for option in --top= --wide --output=; do
	grep -qx -e "$option" offered && fail "$option is offered again"
done
for option in --include= --lenient --color=; do
	grep -qx -e "$option" offered || fail "$option is not offered"
done

# Where nothing is known, nothing is said: no project, an irdiff.yml with errors, words without a sense.
echo 'benchmarks: [' >irdiff.yml
expect "it's parse parse/small parse/src/lib.rs::sort[1] x\$(touch pwned)y" profile ""
cp profiles/parse.callgrind 'profiles/my bench.callgrind'
cd "$scratch/nowhere"
expect ">files>" show ""
for words in "profile ''" "check ''" "store push ''" "nonsense ''" "show --top ''" "show --nonsense=x" \
	"diff a b c" "nonsense" "''"; do
	eval "irdiff --complete $words" >/dev/null 2>"$scratch/said" || fail "irdiff --complete $words fails"
	[ ! -s "$scratch/said" ] || fail "irdiff --complete $words says $(cat "$scratch/said")"
done
irdiff --complete || fail "irdiff --complete without words fails"

# ---- bash without a terminal, as others call it ----

if has bash "bash without a terminal"; then
	cd "$scratch/project"
	bash -c '. "$1"
	set -u
	shopt -s failglob
	compopt() { :; }
	COMP_WORDS=(irdiff show --format = te) COMP_CWORD=4 COMP_LINE="irdiff show --format=te --wide"
	COMP_POINT=${#COMP_LINE}-7 _irdiff irdiff te =
	echo "${COMPREPLY[*]}"
	COMP_LINE="irdiff show it" COMP_POINT=14 _irdiff irdiff it show
	echo "${COMPREPLY[*]}"
	PATH=/nonexistent
	COMP_LINE="irdiff sh" COMP_POINT=9 _irdiff irdiff sh irdiff
	echo "${#COMPREPLY[@]}"
	' bash "$here/data/completions/irdiff" >"$scratch/said" 2>&1
	[ "$(cat "$scratch/said")" = "$(printf "text\nit\\\\'s\n0")" ] || fail "bash: $(cat "$scratch/said")"
fi

# ---- every option in every shell, without a terminal ----

# What a shell makes of the answer has the options of each command, and nothing else.
cd "$scratch/nowhere"
all_options() {
	for command in $commands; do
		irdiff --complete "$command" -- | sed "s/$tab.*//; s/^/$command /"
	done
}
all_options >"$scratch/wanted"
grep -q '^diff --view=$' "$scratch/wanted" || fail "irdiff --complete has no options"
: >"$scratch/offered"
if has bash "every option in bash"; then
	bash -c '. "$1"; shift
	compopt() { :; }
	for command; do
		COMP_LINE="irdiff $command --" COMP_POINT=$((${#command} + 10))
		_irdiff irdiff -- "$command"
		printf "$command %s\\n" "${COMPREPLY[@]}"
	done' bash "$here/data/completions/irdiff" $commands >"$scratch/offered" 2>&1
	cmp -s "$scratch/wanted" "$scratch/offered" ||
		fail "bash: $(diff "$scratch/wanted" "$scratch/offered")"
fi
if has fish "every option in fish"; then
	fish --no-config -c 'source $argv[1]
	for command in $argv[2..]
		complete -C "irdiff $command --" | string replace -r "\t.*" "" | string replace -r "^" "$command "
	end' "$here/data/completions/irdiff.fish" $commands 2>&1 | LC_ALL=C sort >"$scratch/offered"
	LC_ALL=C sort "$scratch/wanted" | cmp -s - "$scratch/offered" ||
		fail "fish: $(LC_ALL=C sort "$scratch/wanted" | diff - "$scratch/offered")"
fi
if has zsh "every option in zsh"; then
	zsh -f -c 'file=$1; shift
	_describe() { for c in $whole $parts; do print -r -- "$command ${c%%:*}"; done; }
	_complete() { source $file }
	for command; do
		words=(irdiff $command --) CURRENT=3 PREFIX=--
		_complete
	done' zsh "$here/data/completions/_irdiff" $commands 2>&1 | LC_ALL=C sort >"$scratch/offered"
	LC_ALL=C sort "$scratch/wanted" | cmp -s - "$scratch/offered" ||
		fail "zsh: $(LC_ALL=C sort "$scratch/wanted" | diff - "$scratch/offered")"
fi

# ---- shells on a terminal ----

if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
	skip "shells on a terminal" "python3 can open no pseudo-terminal (is /dev/pts mounted?)"
elif ! HERE=$here PROJECT=$scratch/project python3 - <<'END'; then
import os, pty, re, select, shutil, signal, sys, time

here, project = os.environ["HERE"] + "/data/completions", os.environ["PROJECT"]
SHOW = r"""{ printf 'ARGS'; printf '<%s>' "$@"; echo; }"""
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             ["bind 'set bell-style none'", f". '{here}/irdiff'", f"irdiff() {SHOW}"]),
    "zsh": (["zsh", "-f", "-i"],
            [f"fpath=('{here}' $fpath)", "autoload -Uz compinit; compinit -u -D", f"irdiff() {SHOW}"]),
    "fish": (["fish", "--no-config", "-i"],
             [f"source '{here}/irdiff.fish'",
              "function irdiff; printf 'ARGS'; printf '<%s>' $argv; echo; end"]),
}
# What is typed, with tabs, and the words that irdiff gets.
CASES = [
    ("irdiff bas\t", ["baseline"]),
    ("irdiff show my\t", ["show", "my bench"]),
    ("irdiff show 'my\t", ["show", "my bench"]),
    ('irdiff show "my\t', ["show", "my bench"]),
    ("irdiff show my\\ b\t", ["show", "my bench"]),
    ("irdiff show it\t", ["show", "it's"]),
    ('irdiff show "it\t', ["show", "it's"]),
    ("irdiff show 'it\t", ["show", "it's"]),
    ("irdiff show x\t", ["show", "x$(touch pwned)y"]),
    ("irdiff show 'x$\t", ["show", "x$(touch pwned)y"]),
    ('irdiff show "x\t', ["show", "x$(touch pwned)y"]),
    ("irdiff show -o other\t", ["show", "-o", "other;touch pwned"]),
    ("irdiff show --output=other\t", ["show", "--output=other;touch pwned"]),
    ("irdiff check a\t", ["check", "a$(touch${IFS}pwned)"]),
    ("irdiff compare main..fea\t", ["compare", "main..feature/one"]),
    ("irdiff show parse/src/lib.rs::s\t", ["show", "parse/src/lib.rs::sort[1]"]),
    ("irdiff show baseline:m\t", ["show", "baseline:main/parse"]),
    ("irdiff show --format=te\t --vi\ttr\t", ["show", "--format=text", "--view=tree"]),
    ("irdiff show --format te\t", ["show", "--format", "text"]),
    ("irdiff show --sort=Ir,D1mw,ILm\t", ["show", "--sort=Ir,D1mw,ILmr"]),
    ("irdiff show --output su\tx", ["show", "--output", "sub/x"]),
    ("irdiff check --results=su\tx", ["check", "--results=sub/x"]),
    ("irdiff profile -q -- callgrind_ann\t", ["profile", "-q", "--", "callgrind_annotate"]),
]
WITHOUT_BREAKS = [
    ("irdiff show --format=te\t", ["show", "--format=text"]),
    ("irdiff show --output=other\t", ["show", "--output=other;touch pwned"]),
    ("irdiff check --results=su\tx", ["check", "--results=sub/x"]),
    ("irdiff show baseline:m\t", ["show", "baseline:main/parse"]),
]


class Shell:
    def __init__(self, words):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(project)
            os.environ.update(TERM="dumb", HISTFILE="")
            os.execvp(words[0], words)
        self.read, self.asked = b"", 0

    def type(self, line):
        """Types a line; what is on the terminal until it has been executed."""
        self.asked += 1
        end = b"end-%d-end\r\n" % self.asked
        os.write(self.fd, line.encode() + b"\nprintf 'end-%%s-end\\n' %d\n" % self.asked)
        until = time.monotonic() + 300
        while end not in self.read:
            ready, _, _ = select.select([self.fd], [], [], max(0, until - time.monotonic()))
            if not ready:
                return self.read
            self.read += os.read(self.fd, 65536)
        at = self.read.index(end)
        seen, self.read = self.read[:at], self.read[at + len(end):]
        return seen


def check(name, shell, typed, wanted):
    seen = shell.type(typed)
    found = re.findall(rb"ARGS((?:<[^\r\n]*>))\r\n", seen)
    complaint = re.search(rb"irdiff[^ ]*:|(bash|zsh|fish): ", seen)
    if not complaint and found == ["".join(f"<{w}>" for w in wanted).encode()]:
        return 0
    print(f"FAILED {name}: {typed!r} is {found} instead of {wanted}:\n{seen!r}")
    return 1


failures = 0
for name, (words, setup) in SHELLS.items():
    if not shutil.which(name):
        print(f"SKIP: {name} on a terminal: {name} is not installed", flush=True)
        continue
    shell = Shell(words)
    for line in setup:
        shell.type(line)
    for typed, wanted in CASES:
        failures += check(name, shell, typed, wanted)
    if name == "bash":
        shell.type('COMP_WORDBREAKS="${COMP_WORDBREAKS//[=:]/}"')
        for typed, wanted in WITHOUT_BREAKS:
            failures += check(name, shell, typed, wanted)
    os.kill(shell.pid, signal.SIGKILL)
    os.close(shell.fd)
    os.waitpid(shell.pid, 0)
sys.exit(failures > 0)
END
	failures=$((failures + 1))
fi
[ -z "$(find "$scratch" -name pwned)" ] || fail "a hostile name was executed"

if [ "$failures" -gt 0 ]; then
	echo "$failures failed"
	exit 1
fi
