#!/bin/sh
# Usage: tests/doctor.sh
#
# Makes everything sick that irdiff doctor checks, one thing at a time, and holds against it what is
# found, the remedy, and the exit code.
set -eu
. "$(dirname "$0")/repository.sh"
cd "$scratch"

needs valgrind
unset IRDIFF_VALGRIND VALGRIND_LIB DEBUGINFOD_URLS

# What irdiff doctor has said, a line "STATE GROUP: TEXT => REMEDY" for each finding.
found() {
	awk '/^[A-Z]/ { group = $0 }
	/^  (ok|warning|WRONG|PROBLEM) / { if (line) print line; state = $1; sub(/^  [a-zA-Z]+ +/, "")
		line = state " " group ": " $0 }
	/^ +→ / { sub(/^ +→ /, ""); line = line " => " $0 }
	END { if (line) print line }' "$scratch/out" >"$scratch/found"
}

# doctor [OPTIONS]: sets $status, and writes `found`.
doctor() {
	status=0
	"$irdiff" doctor "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
	found
}

# finds WHAT EXIT PATTERN...: the exit code, and a finding for each (extended) pattern.
finds() {
	what=$1 code=$2 missing=0
	shift 2
	for pattern; do
		grep -Eq -e "$pattern" "$scratch/found" || {
			echo "not found: $pattern" >>"$scratch/err"
			missing=1
		}
	done
	[ "$status" -eq "$code" ] || {
		echo "exit code $status, expected $code" >>"$scratch/err"
		missing=1
	}
	verdict "$what" "$missing"
}

# A healthy project.
mkdir project bin
cd project
git init -q .
cat >work.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
	(void)argv;
	for (volatile int i = 0; i < 1000; i++)
		free(malloc(argc));
	return 0;
}
END
$compiler -g -O1 -gdwarf-4 -o work work.c
printf 'build: %s -g -o work work.c\nbenchmarks:\n  work: {command: ./work}\n' "$compiler" >irdiff.yml
printf '/profiles/\nwork\n' >.gitignore
git add .gitignore irdiff.yml work.c
git commit -qm first

doctor
finds "a healthy project" 0 '^ok Valgrind: Valgrind [0-9.]+.* \((stock|CodSpeed)' \
	'^ok Valgrind: it works: .* counted [0-9]+ Ir twice' '^ok Project: .*irdiff.yml is valid and has 1 bench' \
	'^ok Project: the build is ' '^ok Project: git version' '^ok Project: profiles can be written' \
	'^ok Benchmark work: .*/work can be started' '^ok Benchmark work: work has debug information'
git status --porcelain >"$scratch/err"
verdict "… in which nothing was changed" "$(wc -l <"$scratch/err")"
mv irdiff.yml "$scratch/irdiff.yml" && : >irdiff.yml
doctor
finds "no benchmarks" 0 '^warning Project: .*irdiff.yml has no benchmarks; .* => add one'
mv "$scratch/irdiff.yml" irdiff.yml
# From here on the program that is counted to try Valgrind is one that is counted in a moment.
mkdir "$scratch/quick"
echo 'int main(void) { return 0; }' | $static -s -x c -o "$scratch/quick/true" -
PATH=$scratch/quick:$PATH

doctor -q
finds "… of which -q says nothing that is fine" 0
verdict "… at all" "$(grep -c '^ok' "$scratch/found" || :)"
cp irdiff.yml good.yml
printf 'limits:\n  ir: "+1%%"\n' >>irdiff.yml
doctor
finds "a limit on what is not measured" 2 "^WRONG Project: .*irdiff.yml:[0-9]+: a limit on 'ir', .* did you mean 'Ir'"
sed -i 's/ ir: .*/ "fn:(": {Ir: "+1%"}/' irdiff.yml
doctor
finds "… and one on no regular expression" 2 '^WRONG Project: .*irdiff.yml:[0-9]+: bad pattern "\("'
mv good.yml irdiff.yml
doctor work
finds "one benchmark by its name" 0 '^ok Benchmark work'
doctor nonsense
verdict "a benchmark that is not there is wrong usage" "$([ $status -eq 2 ]; echo $?)"
doctor -- ./work -x
finds "a command" 0 '^ok Command ./work: .*/work can be started'

echo "== Valgrind"
# All programs that are needed, but for one.
without() {
	rm -rf "$scratch/bin"
	mkdir "$scratch/bin"
	for tool in sh true git strip env cat sed grep "${compiler%% *}"; do
		[ "$tool" = "$1" ] || ln -s "$(command -v "$tool")" "$scratch/bin/${tool##*/}"
	done
}
# A Valgrind with this version that otherwise does what the text says.
real=$(command -v valgrind)
[ ! -x "$real.bin" ] || real=$real.bin
fake() {
	printf '#!/bin/sh\nif [ "$1" = --version ]; then echo "%s"; exit 0; fi\n%s\n' "$1" "$2" >"$scratch/fake"
	chmod +x "$scratch/fake"
}
with_fake() {
	status=0
	IRDIFF_VALGRIND=$scratch/fake "$irdiff" doctor "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
	found
}

without nothing
before=$PATH
PATH=$scratch/bin
export PATH
status=0
"$irdiff" doctor >"$scratch/out" 2>"$scratch/err" || status=$?
PATH=$before
found
finds "no Valgrind" 4 '^PROBLEM Valgrind: Valgrind not found .* => apt-get install valgrind'
fake valgrind-3.10.0 "exec $real \"\$@\""
with_fake
finds "an old one, which is a script" 0 '^warning Valgrind: Valgrind 3.10.0 .* is old.* => install a newer' \
	'^warning Valgrind: .*/fake is a script.* => set IRDIFF_VALGRIND'
fake valgrind-3.24.0.codspeed "exec $real \"\$@\""
with_fake
finds "CodSpeed's" 0 "^ok Valgrind: Valgrind 3.24.0.codspeed \\(CodSpeed's fork\\)"
fake valgrind-3.24.0 'echo "valgrind: failed to start tool '"'callgrind'"' for platform: No such file" >&2; exit 1'
with_fake
finds "one that does not work" 4 '^PROBLEM Valgrind: cannot measure a tiny program.* => '
fake nonsense-1 'exit 1'
with_fake
finds "something else" 4 '^PROBLEM Valgrind: .*its version is "nonsense-1" => IRDIFF_VALGRIND is '
printf '#!/bin/sh\nexit 3\n' >"$scratch/fake"
with_fake
finds "one that fails at once" 4 '^PROBLEM Valgrind: .* => IRDIFF_VALGRIND is '
# The second time all, the first time only what main does.
fake valgrind-3.24.0 "if mkdir '$scratch/once' 2>/dev/null; then set -- --toggle-collect=main \"\$@\"; fi
exec $real \"\$@\""
with_fake
if grep -q 'counts do not repeat' "$scratch/found"; then
	finds "one whose counts differ" 4 '^PROBLEM Valgrind: .*true counted [0-9]+ Ir, and then [0-9]+'
else
	# true has no symbols: nothing is collected the first time, which is no count.
	finds "one that counts nothing" 4 '^PROBLEM Valgrind: cannot measure a tiny program'
fi

echo "== the machine"
$compiler -o "$scratch/refuse" "$source_dir/tests/guest/refuse.c"
if "$scratch/refuse" ptrace true; then
	status=0
	"$scratch/refuse" ptrace "$irdiff" doctor >"$scratch/out" 2>"$scratch/err" || status=$?
	found
	finds "tracing that is refused" 0 \
		'^warning Machine: programs cannot be traced \(cannot trace it: Operation not permitted\).*seccomp.* => docker run --cap-add=SYS_PTRACE'
else
	skip "tracing that is refused" "there are no filters of system calls"
fi
(ulimit -n 256 && "$irdiff" doctor >"$scratch/out" 2>"$scratch/err") && status=0 || status=$?
found
finds "few open files" 0 '^warning Machine: the limit of open files is 256, below 1024 => ulimit -Hn 1024'
without strip
PATH=$scratch/bin:${real%/*}
ln -s "$real" "$scratch/bin/valgrind"
PATH=$scratch/bin "$irdiff" doctor >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
PATH=$before
found
finds "no strip" 0 "^warning Machine: 'strip' not found.* => apt-get install binutils"

echo "== programs"
benchmark() {
	printf '%s\nbenchmarks:\n  b: {%s}\n' "${2:-}" "$1" >irdiff.yml
	doctor
}
chmod -x work
benchmark 'command: ./work'
finds "not executable" 2 "^WRONG Benchmark b: .*not executable.* => chmod \\+x '.*/work'"
chmod +x work
benchmark 'command: ./nothing'
finds "not there" 2 '^WRONG Benchmark b: .*/nothing.*No such file'
benchmark 'command: ./nothing' 'build: make nothing'
finds "not built yet" 0 '^warning Benchmark b: .*/nothing.* => build it: make nothing'
benchmark 'command: ./nothing' 'build: make "not yet"'
finds "a build whose words have spaces" 0 "=> build it: make 'not yet' "
benchmark 'command: nothing-of-that-name'
finds "not in the PATH" 2 '^WRONG Benchmark b: command not found.* => use its path'
benchmark 'command: ./work, cwd: nowhere'
finds "no directory to run in" 2 '^WRONG Benchmark b: cannot enter .*nowhere: .* => correct cwd:'
cp work setuid
chmod u+s setuid
benchmark 'command: ./setuid'
finds "setuid" 2 '^WRONG Benchmark b: .*setuid.* => copy it with cp '
rm setuid
strip -o bare work
benchmark 'command: ./bare'
finds "without debug information" 0 '^warning Benchmark b: bare has no debug information.* => build it with -g'
printf 'echo hello\n' >text
chmod +x text
benchmark 'command: ./text'
finds "neither a program nor a script" 2 '^WRONG Benchmark b: .*neither an ELF program nor a script'
printf '#!/bin/sh\n./work\n' >script
chmod +x script
benchmark 'command: ./script'
finds "a script" 0 '^ok Benchmark b: .*/script: the costliest program that the script starts'
mkdir .libs
cp work .libs/script
benchmark 'command: ./script'
finds "a script of libtool" 0 '^ok Benchmark b: .*/script is a libtool script; .*/.libs/script is measured' \
	'^ok Benchmark b: script has debug information'
benchmark 'command: env ./work'
finds "a program that only starts others" 0 '^warning Benchmark b: .*env only starts other.* => name the program'
benchmark 'command: ./work | cat, shell: true'
finds "a line of shell" 0 '^ok Benchmark b: .*the costliest program that the shell starts'
if command -v python3 >/dev/null; then
	benchmark 'command: [python3, -c, "1"]'
	finds "Python" 0 "^ok Benchmark b: .* is run by an interpreter: 0 callers" \
		'^warning Benchmark b: Python compiles modules.* a .pyc file.* => set warm_up: true'
	benchmark 'command: [python3, -c, "1"], env: {PYTHONPERFSUPPORT: "0"}'
	finds "… whose functions are to have no names" 0 '^ok Benchmark b: .* is run by an interpreter: 0 callers' \
		'^ok Benchmark b: Python functions have no names in profiles'
	benchmark 'command: [python3, -c, "1"], warm_up: true, depth: 5'
	finds "… that is warmed up" 0 '^ok Benchmark b: .* is run by an interpreter: 5 callers'
	verdict "… and nothing is said of modules" "$(grep -c 'compiles its modules' "$scratch/found" || :)"
fi
if $compiler -g -gdwarf-4 -static -o static work.c 2>/dev/null; then
	benchmark 'command: ./static'
	finds "a static program" 0 '^warning Benchmark b: it is linked statically.* => link it dynamically'
	benchmark 'command: ./static, freeze: [time, random]'
	finds "… that is to be frozen" 2 \
		'^WRONG Benchmark b: it is linked statically, so its random and time cannot be frozen.* => link it dynamically'
	echo Go >section
	objcopy --strip-debug --add-section .go.buildinfo=section static go
	benchmark 'command: ./go'
	finds "a program of Go" 0 '^warning Benchmark b: go has no debug information.* => build it without -s and -w'
	verdict "… of which nothing is said of a C library" "$(grep -c 'Benchmark b.*C library' "$scratch/found" || :)"
	benchmark 'command: ./go, freeze: [time]'
	finds "… that is to be frozen" 2 '^WRONG Benchmark b: .*cannot be frozen.* => remove freeze:'
fi
printf '#!/bin/sh\ntouch "%s"\n' "$scratch/was-run" >loader
chmod +x loader
$compiler -g -gdwarf-4 -Wl,--dynamic-linker="$PWD/loader" -o own work.c
benchmark 'command: ./own'
finds "a loader of the project" 0 '^warning Benchmark b: its loader .*/loader does not belong to the system.* => link it with'
verdict "… which is not run" "$([ ! -e "$scratch/was-run" ]; echo $?)"
echo 'int f(void) { return 1; }' >library.c
$compiler -shared -fPIC -o libours.so library.c
echo 'int f(void); int main(void) { return f() - 1; }' >user.c
$compiler -g -gdwarf-4 -o user user.c -L. -lours
benchmark 'command: ./user, env: {LD_LIBRARY_PATH: .}'
finds "a library of the project without debug information" 0 \
	'^warning Benchmark b: libraries of the project without.*: libours.so => build them with -g'
benchmark 'command: ./user'
finds "a library that is not found" 2 \
	'^WRONG Benchmark b: it cannot start; libraries not found: libours.so => build or install it'
echo 'int g(void) { return 1; }' >other.c
"$compiler" -shared -fPIC -o libother.so other.c
echo 'int f(void); int g(void); int main(void) { return f() - g(); }' >both.c
"$compiler" -g -gdwarf-4 -o both both.c -L. -lours -lother
LD_LIBRARY_PATH=$PWD
export LD_LIBRARY_PATH
benchmark 'command: ./both'
cp "$scratch/found" "$scratch/of_benchmark"
doctor -- ./both
finds "libraries that are not found, of a command" 2 '^WRONG Command .* => .*irdiff profile --env=LD_LIBRARY_PATH'
mv "$scratch/of_benchmark" "$scratch/found"
unset LD_LIBRARY_PATH
finds "… of several, which the user's shell has" 2 \
	'^WRONG Benchmark b: .*not found: libours.so, libother.so => your LD_LIBRARY_PATH has them; pass that variable on'
"$compiler" -g -gdwarf-4 -o both both.c -L. -lours -lother -Wl,-rpath,'$ORIGIN'
benchmark 'command: ./both'
finds "… that lie beside the program, which says so" 0 '^warning Benchmark b: libraries of the project without'
mkdir links
ln -s ../both links/both
benchmark 'command: ./links/both'
finds "… and is started by a link" 0 '^warning Benchmark b: libraries of the project without'
mkdir damaged
head -c 4096 /dev/zero >damaged/libours.so
benchmark 'command: ./user, env: {LD_LIBRARY_PATH: damaged}'
finds "a library that cannot be loaded, by the words of the loader" 2 \
	'^WRONG Benchmark b: it cannot be loaded: .*libours.so: invalid ELF header$'
cat >audits.c <<END
#include <stdio.h>
unsigned la_version(unsigned version) { return version; }
__attribute__((constructor)) static void leave(void) { fclose(fopen("$scratch/was-audited", "w")); }
END
$compiler -shared -fPIC -o libaudits.so audits.c
if $compiler -g -gdwarf-4 -Wl,--audit="$PWD/libaudits.so" -o audited work.c 2>/dev/null; then
	benchmark 'command: ./audited'
	finds "a library that the loader would run when it is asked" 0 '^warning Benchmark b: .*DT_AUDIT.* are not examined'
	verdict "… which is not run" "$([ ! -e "$scratch/was-audited" ]; echo $?)"
fi
printf 'benchmarks:\n  a: {command: ./work}\n  b: {command: "true"}\n' >irdiff.yml
doctor
verdict "what a loader can pin is said once" "$([ "$(grep -c GLIBC_TUNABLES "$scratch/found")" -le 1 ]; echo $?)"
if command -v clang >/dev/null && clang -gdwarf-5 -o five work.c 2>/dev/null; then
	fake valgrind-3.19.0 "exec $real \"\$@\""
	printf 'benchmarks:\n  b: {command: ./five}\n' >irdiff.yml
	with_fake
	finds "DWARF 5 of clang" 0 '^warning Benchmark b: Valgrind 3.19.0 cannot read .* five .*=> build with -gdwarf-4'
	fake valgrind-3.22.0 "exec $real \"\$@\""
	with_fake
	verdict "… which a newer Valgrind can read" "$(grep -c 'cannot read the debug' "$scratch/found" || :)"
else
	skip "DWARF 5 of clang" "there is no clang that makes it"
fi

echo "== irdiff.yml"
printf 'benchmarks: {b: {comand: x}}\n' >irdiff.yml
doctor
finds "a mistake in it" 2 "^WRONG Project: .*irdiff.yml:1: .*comand.* => correct it"
benchmark 'command: ./work' 'build: no-such-compiler -o work'
finds "a build command that is not there" 2 '^WRONG Project: build: command not found.* => install it, or correct .*:1'
rm irdiff.yml
doctor
finds "none" 0 '^warning Project: no irdiff.yml.* => irdiff init'
git checkout -q irdiff.yml

echo "== git"
git clone -q --depth=1 "file://$PWD" "$scratch/shallow"
cd "$scratch/shallow"
$compiler -g -gdwarf-4 -o work work.c
doctor
finds "a shallow clone" 0 '^warning Project: this clone is shallow.* => git fetch --unshallow'
mkdir "$scratch/none"
cd "$scratch/none"
cp "$scratch/project/work" .
printf 'benchmarks:\n  b: {command: ./work}\n' >irdiff.yml
doctor
finds "no repository" 0 '^warning Project: .*not a git repository.* => git init'
git init -q .
doctor
finds "no commit" 0 '^warning Project: no commit yet'
git add irdiff.yml
git commit -qm one
cp irdiff.yml before.yml
printf 'base: "x'"'; touch pwned; '"'"\n' >>irdiff.yml
doctor
finds "a base branch that would end its quotes is in no command" 0 '^warning Project: base: .*pwned.* => correct .*:3$'
mv before.yml irdiff.yml
printf 'base: develop\n' >>irdiff.yml
doctor
finds "a base branch that is not there" 0 '^warning Project: base: develop: .* => git branch .develop'
git remote add origin "$scratch/project"
doctor
finds "… but may be there where this was cloned from" 0 \
	'^warning Project: base: develop: .* => git fetch origin .develop'
git branch develop
doctor
finds "… and that is" 0 '^ok Project: base: develop, merge base'
git branch -q -f develop "$(git commit-tree -m other 'HEAD^{tree}')"
doctor
finds "a base branch with another history, in a clone that is whole" 0 \
	'^warning Project: base: develop: .*no common ancestor => correct .*/irdiff.yml:3$'
git branch -q -f develop HEAD
mkdir profiles .irdiff
doctor
finds "results that git sees" 0 '^warning Project: profiles/ is not ignored by git => echo /profiles/ >>' \
	'^warning Project: .irdiff/ is not ignored by git'
touch .irdiff/x
git add .irdiff
doctor
finds "results that git has" 0 "^warning Project: .irdiff/ is tracked by git.* => git rm -r --cached"
git rm -rqf --cached .irdiff
quote="$scratch/it's'"
mkdir -p "$quote/profiles"
cp irdiff.yml work "$quote"
cd "$quote"
git init -q .
doctor
finds "a directory that would end its quotes is in no command" 0 '^warning Project: profiles/ is not ignored by git$'
cd "$scratch/none"
without git
ln -s "$real" "$scratch/bin/valgrind"
PATH=$scratch/bin "$irdiff" doctor >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
found
finds "no git" 0 '^warning Project: git is not installed.* => apt-get install git'
if [ "$(id -u)" -eq 0 ]; then
	chown -R 12345 "$scratch/none"
	doctor
	finds "a repository of somebody else" 0 \
		'^warning Project: .*does not trust the owner.* => git config --global --add safe.directory'
	chown -R 0 "$scratch/none"
else
	skip "a repository of somebody else" "only root can make one"
fi

echo "== what is kept"
cd "$scratch/project"
"$irdiff" profile -q work >"$scratch/out" 2>"$scratch/err"
doctor
finds "after a measurement" 0 '^ok Project: profiles can be written'
mkdir .irdiff/tmp/4000000-abcdef .irdiff/profiles/.new-work
find .irdiff profiles | sort >"$scratch/before"
doctor
find .irdiff profiles | sort >"$scratch/after"
verdict "nothing that was left is removed or put in place" "$(cmp -s "$scratch/before" "$scratch/after"; echo $?)"
rmdir .irdiff/profiles/.new-work
finds "what a killed irdiff left" 0 '^warning Project: 1 work directory .* => the next .irdiff profile. removes'
rmdir .irdiff/tmp/4000000-abcdef
printf 'nonsense, and no database of any kind\n%1000s' x >.irdiff/history.db
cp .irdiff/history.db "$scratch/before"
doctor
finds "a history that is none" 4 "^PROBLEM Project: .*history.db: .* => mv '.*history.db'"
verdict "… is left as it is" "$(cmp -s .irdiff/history.db "$scratch/before"; echo $?)"
rm .irdiff/history.db
printf '{"schema":"irdiff/run","version":2,"benchmark":"b","definition":"0123456789abcdef","commit":"%s","tree":null,"committed":1,"subject":"s","environment":{"cpu":"x"},"irdiff":"0","valgrind":"3","measured":2,"counts":{"Ir":3}}\n' \
	"$(git rev-parse HEAD)" | "$irdiff" history --import=- >/dev/null
doctor
finds "a sound history" 0 '^ok Project: the history is readable and intact'
# The version of the tables.
printf '\0\0\0\377' | dd of=.irdiff/history.db bs=1 seek=60 conv=notrunc 2>/dev/null
doctor
finds "one of a newer irdiff, which is not to be moved away" 4 '^PROBLEM Project: .*; use that irdiff$'
printf '\0\0\0\4' | dd of=.irdiff/history.db bs=1 seek=60 conv=notrunc 2>/dev/null
# The root page of a table, and not the file's first page.
dd if=/dev/urandom of=.irdiff/history.db bs=1 seek=4096 count=4096 conv=notrunc 2>/dev/null
doctor
finds "a damaged one" 4 '^PROBLEM Project: .*history.db: .*damaged'
rm .irdiff/history.db

# Root may write everywhere but to what is mounted so.
cat >"$scratch/read-only" <<'END'
mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" && echo mounted >"$4" && "$2" doctor >"$3"
END
rm -rf .irdiff profiles
if [ "$(id -u)" -ne 0 ]; then
	chmod a-w .
	doctor
	chmod u+w .
	finds "a read-only project" 4 '^PROBLEM Project: cannot write to .* => sudo chown'
elif unshare -m sh "$scratch/read-only" "$PWD" "$irdiff" "$scratch/out" "$scratch/mounted" 2>"$scratch/err" &&
	status=0 || status=$?; [ -e "$scratch/mounted" ]; then
	found
	finds "a read-only project" 4 '^PROBLEM Project: cannot write to .* => sudo chown'
else
	skip "a read-only project, as root" "nothing can be mounted here"
fi
if [ "$(id -u)" -eq 0 ] && mkdir profiles && unshare -m sh -c 'mount -t tmpfs none profiles && echo mounted >"$0"
	"$1" doctor >"$2" 2>"$3"' "$scratch/mounted2" "$irdiff" "$scratch/out" "$scratch/err" && status=0 ||
	status=$?; [ -e "$scratch/mounted2" ]; then
	found
	finds "two file systems" 4 '^PROBLEM Project: profiles/ and .irdiff/ are on two file systems'
else
	skip "two file systems" "nothing can be mounted here"
fi

[ "$failures" -eq 0 ]
