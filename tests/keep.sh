#!/bin/sh
# Usage: tests/keep.sh
#
# keep: in irdiff.yml: what survives between builds, what must not, and that no count depends on it. Programs
# of another commit, links out of the project, builds that end early, two irdiffs at once; and Cargo, whose
# programs are compared with those of clean builds, byte by byte.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind

real_home=$(getent passwd "$(id -u)" | cut -d: -f6)
sums=$scratch/sums outside=$scratch/outside
mkdir "$scratch/project" "$outside"
cd "$scratch/project"
git init -q .
printf '.irdiff/\nprofiles/\nwork\nmade/\n' >.gitignore

# configured BUILD KEEP [COMMAND]
configured() {
	printf '%s\n' "build: {command: '$1', shell: true}" "$2" 'benchmarks:' "  b: {command: ${3:-./work}}" >irdiff.yml
}

# commit LOOPS
commit() {
	cat >work.c <<-EOF
		int main(void)
		{
			volatile int sum = 0;
			for (int i = 0; i < $1; i++)
				sum += i;
			return 0;
		}
	EOF
	git add -A && git commit -qm "$1 loops"
}

# kept: how many sets there are.
kept() {
	find .irdiff/cache/kept -mindepth 1 -maxdepth 1 2>/dev/null | wc -l
}

forget() {
	rm -rf .irdiff/cache
}

make_work="$static -g -O1 -o work work.c"

# ---- a cache of the build's own ----

# Each build notes how many were before it, and leaves a program and links.
count="mkdir -p made/deep && cat made/deep/count >>$scratch/seen; echo x >>made/deep/count"
leave="cp work made/program && ln -sf /etc/passwd made/link && ln -sf $outside made/deep/out"
configured "$count; $make_work && $leave && find made >$scratch/left" 'keep: [made]'
commit 1000
commit 2000
: >"$scratch/seen"
run 0 compare HEAD~1..HEAD && [ "$(tr -d '\n' <"$scratch/seen")" = x ] && [ "$(kept)" = 1 ]
verdict "what base has kept is there when head is built" $?
run 0 compare HEAD~1..HEAD --fresh && [ "$(wc -l <"$scratch/seen")" = 6 ]
verdict "… and in the next run" $?
[ -z "$(find .irdiff/cache/kept -type l -o -type f -perm /111)" ] && [ -f .irdiff/cache/kept/*/0/deep/count ]
verdict "… but neither programs nor links" $?
[ -f /etc/passwd ] && [ -d "$outside" ]
verdict "… and what links lead to stays" $?
run 0 cache list && says ' kept/' && [ "$(grep -c kept/ "$scratch/out")" = 1 ]
verdict "irdiff cache lists it" $?
run 0 cache list --format=json && says '"kept/'
verdict "… as json" $?
run 0 cache prune --failed && [ "$(kept)" = 1 ] && run 0 cache prune --kept && [ "$(kept)" = 0 ]
verdict "… and removes it" $?
run 0 cache list && [ "$(grep -c 'b@' "$scratch/out")" = 2 ]
verdict "… with --kept only that" $?

: >"$scratch/seen"
configured "$count; $make_work" 'keep: []'
forget
run 0 compare HEAD~1..HEAD && [ ! -s "$scratch/seen" ] && [ "$(kept)" = 0 ]
verdict "keep: [] keeps nothing" $?
configured "$count; $make_work" '# no keep:'
forget
run 0 compare HEAD~1..HEAD && [ ! -s "$scratch/seen" ] && [ "$(kept)" = 0 ]
verdict "without keep:, what is not of Cargo is not kept" $?

# ---- what a set belongs to ----

# The first file of the second commit that has the words decides.
differs() {
	forget
	: >"$scratch/seen"
	run 0 compare HEAD~1..HEAD && [ ! -s "$scratch/seen" ] && [ "$(kept)" = 2 ]
}
configured "$count; $make_work" 'keep: [made]'
git add -A && git commit -qm 'Build'
for file in sub/Cargo.toml .cargo/config.toml build.sh; do
	mkdir -p sub .cargo
	echo "# $file" >"$file" && git add -A && git commit -qm "Add $file"
	differs
	verdict "another $file, another set" $?
done
configured "true; $count; $make_work" 'keep: [made]'
git commit -qam 'Build otherwise'
differs
verdict "another command" $?
configured "$count; $make_work" 'keep: [made]'
git commit -qam 'Build as before' && commit 3000
run 0 compare HEAD~1..HEAD
: >"$scratch/seen"
(MODE=fast && export MODE && run 0 compare HEAD~1..HEAD --fresh && ! grep -q xx "$scratch/seen" && [ "$(wc -l <"$scratch/seen")" = 1 ])
verdict "another environment" $?
for mode in a b c; do
	(MODE=$mode && export MODE && run 0 compare HEAD~1..HEAD --fresh)
done
[ "$(kept)" = 3 ]
verdict "at most three sets stay" $?

# What was changed in a set, or comes from the future, is not used.
forget
run 0 compare HEAD~1..HEAD
: >"$scratch/seen"
for key in .irdiff/cache/kept/*/key.txt; do echo 'kept: 0' >>"$key"; done
run 0 compare HEAD~1..HEAD --fresh && [ "$(wc -l <"$scratch/seen")" = 1 ]
verdict "a set with another key is not used" $?
: >"$scratch/seen"
touch -d '1 hour' .irdiff/cache/kept/*/key.txt
run 0 compare HEAD~1..HEAD --fresh && [ "$(wc -l <"$scratch/seen")" = 1 ]
verdict "… nor one from the future" $?
forget
mkdir -p .irdiff/cache && ln -s "$outside" .irdiff/cache/kept
run 2 compare HEAD~1..HEAD && says 'cannot use the cache' && [ -z "$(ls "$outside")" ]
verdict "sets are not kept behind a link" $?
forget

# ---- programs of another commit ----

configured "$make_work && mkdir -p made && mv work made" 'keep: [made]' ./made/work
commit 4000
configured true 'keep: [made]' ./made/work
git commit -qam 'Build nothing'
run 3 compare HEAD~1..HEAD && says "not keeping 'made' (irdiff.yml:2): 'b' runs or reads a file in it"
verdict "the program of base is not there for head" $?
configured "[ ! -f work.c ] || $make_work; mkdir -p made && { [ ! -f work ] || mv work made; } && cp made/work work" 'keep: [made]'
git add -A && git commit -qm 'Copy it'
git rm -q work.c && git commit -qm 'Remove the source'
run 3 compare HEAD~1..HEAD && says 'the build of HEAD'
verdict "… nor to be copied" $?

# ---- links ----

configured "$make_work && mkdir -p made && touch made/x" 'keep: [made, sub/made]'
commit 5000
rmdir sub 2>/dev/null || git rm -qr sub
ln -s "$outside" sub && git add -A && git add -f sub && git commit -qm 'A link'
touch "$outside/mine"
run 0 compare HEAD~1..HEAD && [ "$(ls "$outside")" = mine ]
verdict "nothing goes through a link of the commit" $?
configured "$make_work && rm -rf made && ln -s $outside made" 'keep: [made]'
git commit -qam 'Make a link'
forget
run 0 compare HEAD~1..HEAD && [ "$(ls "$outside")" = mine ] && [ -z "$(find .irdiff/cache/kept -type l)" ]
verdict "… or of the build" $?
git rm -q sub && mkdir -p made && echo own >made/file && git add -f made/file
configured "cat made/file >>$scratch/seen; $make_work; echo other >made/file" 'keep: [made]'
git commit -qam 'A file of its own' && commit 6000
: >"$scratch/seen"
run 0 compare HEAD~1..HEAD && [ "$(sort -u "$scratch/seen")" = own ]
verdict "files of the commit itself stay" $?
git rm -qr made && git commit -qm 'None of its own'

# ---- builds that end early ----

configured "$count; if [ -f $scratch/wait ]; then touch $scratch/started; sleep 100; fi; $make_work" 'keep: [made]'
commit 7000
commit 8000
forget
: >"$scratch/seen"
run 0 compare HEAD~1..HEAD
[ "$(kept)" = 1 ]
verdict "a set is there" $?
for signal in TERM KILL; do
	touch "$scratch/wait"
	rm -f "$scratch/started"
	"$irdiff" compare HEAD~1..HEAD --fresh >/dev/null 2>&1 &
	pid=$!
	for _ in $(seq 600); do
		[ ! -e "$scratch/started" ] || break
		sleep 0.1
	done
	kill -s $signal $pid
	wait $pid
	rm "$scratch/wait"
	[ "$(kept)" = 0 ]
	verdict "SIG$signal during a build: what it used is gone" $?
	: >"$scratch/seen"
	run 0 compare HEAD~1..HEAD --fresh && [ "$(cat "$scratch/seen")" = x ] && [ "$(kept)" = 1 ]
	verdict "… and the next begins without" $?
done
configured "$count; [ ! -f fails ] && $make_work" 'keep: [made]'
git commit -qam 'May fail'
touch fails && git add fails && git commit -qm 'Fails'
forget
run 3 compare HEAD~1..HEAD && [ "$(kept)" = 0 ]
verdict "of a failed build, no cache is kept" $?
git rm -q fails && git commit -qm 'Works'

# ---- two at once ----

forget
commit 9000
run 0 compare HEAD~1..HEAD
"$irdiff" compare HEAD~1..HEAD --fresh >"$scratch/first" 2>&1 &
pid=$!
run 0 compare HEAD~1..HEAD --fresh
second=$?
wait $pid && [ $second = 0 ] && [ "$(kept)" -ge 1 ]
verdict "two at once" $?

# ---- Cargo ----

cargo_works() {
	CARGO_HOME=$scratch/cargo RUSTUP_HOME=${RUSTUP_HOME:-$real_home/.rustup}
	export CARGO_HOME RUSTUP_HOME
	has cargo "Cargo's target directory" && (cd / && cargo --version) >/dev/null 2>&1 && return
	skip "Cargo's target directory" 'cargo does not run'
	return 1
}

# A dependency in a git repository, with a build script that makes a part of its source.
make_dependency() {
	mkdir -p "$scratch/dep/src" && cd "$scratch/dep" && git init -q .
	cat >Cargo.toml <<-'EOF'
		[package]
		name = "dep"
		version = "1.0.0"
		edition = "2021"
		[features]
		more = []
	EOF
	cat >build.rs <<-'EOF'
		fn main() {
		    println!("cargo:rerun-if-changed=build.rs");
		    let out = std::env::var("OUT_DIR").unwrap();
		    std::fs::write(out + "/made.rs", "pub const STEP: u64 = 3;").unwrap();
		}
	EOF
	cat >src/lib.rs <<-'EOF'
		include!(concat!(env!("OUT_DIR"), "/made.rs"));
		#[inline(never)]
		pub fn sum(n: u64) -> u64 {
		    (0..n).map(|i| std::hint::black_box(i) * STEP + cfg!(feature = "more") as u64).sum()
		}
	EOF
	git add -A && git commit -qm dep
}

# The project: a program, a library beside it with a generated constant, and a file that it includes.
make_crate() {
	mkdir -p "$scratch/crate/src" "$scratch/crate/near/src" && cd "$scratch/crate" && git init -q .
	printf '/target\n.irdiff/\nprofiles/\n' >.gitignore
	cat >Cargo.toml <<-EOF
		[package]
		name = "app"
		version = "1.0.0"
		edition = "2021"
		[dependencies]
		dep = { git = "file://$scratch/dep" }
		near = { path = "near" }
		[profile.release]
		incremental = true
	EOF
	printf '[package]\nname = "near"\nversion = "1.0.0"\nedition = "2021"\n' >near/Cargo.toml
	echo 'pub fn near(n: u64) -> u64 { n + include_str!("words").len() as u64 + include!(concat!(env!("OUT_DIR"), "/n")) }' >near/src/lib.rs
	echo one >near/src/words
	echo 7 >near/n
	cat >near/build.rs <<-'EOF'
		fn main() {
		    println!("cargo:rerun-if-changed=n");
		    std::fs::copy("n", std::env::var("OUT_DIR").unwrap() + "/n").unwrap();
		}
	EOF
	echo 'fn main() { println!("{}", dep::sum(near::near(100)) + app::more()); }' >src/main.rs
	printf 'mod extra;\npub fn more() -> u64 { extra::extra() }\n' >src/lib.rs
	echo 'pub fn extra() -> u64 { 1 }' >src/extra.rs
	cat >"$scratch/rustc" <<-EOF
		#!/bin/sh
		for word; do [ "\$last" != --crate-name ] || echo "\$word" >>$scratch/compiled; last=\$word; done
		exec "\$@"
	EOF
	chmod +x "$scratch/rustc"
	RUSTC_WRAPPER=$scratch/rustc
	export RUSTC_WRAPPER
	cargo_build='cargo build --release --offline'
	configure_crate '# no keep:'
	cargo fetch --quiet 2>"$scratch/err" && git add -A && git commit -qm 'one'
}

# configure_crate KEEP: builds note the sums of programs.
configure_crate() {
	printf '%s\n' "build: {command: '$cargo_build && echo \$(git rev-parse HEAD) \$(sha256sum <target/release/app) >>$sums', shell: true}" \
		"$1" 'benchmarks:' '  b: {command: ./target/release/app}' >irdiff.yml
}

compiled() {
	grep -cx "$1" "$scratch/compiled"
}

# counted: a commit, its total and its program, one line for each; differing ones of one commit are several.
counted() {
	for profile in .irdiff/cache/b@*/profile.callgrind; do
		sed -n 's/^desc: irdiff.subject.commit: \|^totals: //p' "$profile" | paste -s -d' '
	done
	sort -u "$sums"
}

if cargo_works && make_dependency && make_crate; then
	sed -i 's/100/120/' src/main.rs && git commit -qam 'Edit the program'
	: >"$scratch/compiled"
	run 0 compare HEAD~1..HEAD && [ "$(compiled dep)" = 1 ] && [ "$(compiled app)" = 4 ]
	verdict "a dependency is compiled once for base and head" $?
	sed -i 's/120/130/' src/main.rs && git commit -qam 'Edit it again'
	: >"$scratch/compiled"
	run 0 compare HEAD~1..HEAD && [ "$(compiled dep)" = 0 ] && [ "$(compiled build_script_build)" = 1 ]
	verdict "… and not at all by the next irdiff" $?
	set=$(echo .irdiff/cache/kept/*/0)
	[ -f "$set"/release/deps/libdep-*.rlib ] && ! find "$set" | grep -e near -e app -e incremental
	verdict "of the project itself, nothing is kept" $?

	# ---- against clean builds ----
	echo one more >near/src/words && git commit -qam 'Edit a file that is included'
	echo 9 >near/n && git commit -qam 'Edit what is generated'
	printf 'mod extra { pub fn extra() -> u64 { 2 } }\npub fn more() -> u64 { extra::extra() }\n' >src/lib.rs
	git rm -q src/extra.rs && git commit -qam 'Remove a file'
	sed -i 's|/dep" }|/dep", features = ["more"] }|' Cargo.toml && git commit -qam 'Another feature'
	sed -i 's/^incremental.*/opt-level = 1/' Cargo.toml && git commit -qam 'Another profile'
	git checkout -q HEAD~2 -- Cargo.toml && git commit -qam 'And back'
	first=$(git rev-list --max-parents=0 HEAD)
	forget
	: >"$sums"
	# From the last commit to the first, and some in the other direction.
	run 0 history --measure="$first..HEAD" && counted >"$scratch/kept.counts"
	run 0 compare HEAD~2..HEAD~1 --fresh && run 0 compare HEAD~1..HEAD --fresh && counted >"$scratch/again.counts"
	cmp "$scratch/kept.counts" "$scratch/again.counts" && [ "$(kept)" = 3 ] && [ "$(wc -l <"$sums")" = $(($(git rev-list --count HEAD) + 4)) ]
	verdict "programs and counts do not depend on what was built before" $?
	configure_crate 'keep: []'
	forget
	: >"$sums"
	run 0 history --measure="$first..HEAD" && counted >"$scratch/clean.counts"
	[ "$(kept)" = 0 ] && cmp "$scratch/kept.counts" "$scratch/clean.counts"
	verdict "… and are those of clean builds" $?
	[ "$(sort -u "$sums" | wc -l)" = "$(git rev-list --count HEAD)" ] &&
		[ "$(cut -d' ' -f2 "$sums" | sort -u | wc -l)" = $(($(git rev-list --count HEAD) - 1)) ]
	verdict "… of which only two are the same" $?
	git checkout -q irdiff.yml

	# ---- a program that is gone ----
	forget
	git mv src/main.rs src/other.rs && printf '[[bin]]\nname = "other"\npath = "src/other.rs"\n' >>Cargo.toml
	sed -i "s/ && echo [^']*'/'/" irdiff.yml
	git add -A && git commit -qm 'Rename the program'
	cp irdiff.yml "$scratch/irdiff.yml" && cp Cargo.toml "$scratch/Cargo.toml"
	run 3 compare HEAD~1..HEAD && says './target/release/app'
	verdict "a program that head has renamed is missing" $?
	mkdir -p src/bin && git mv src/other.rs src/bin/app.rs && sed -i '/^\[\[bin/,$d' Cargo.toml && git commit -qam 'By its file'
	git rm -q src/bin/app.rs && git commit -qm 'Remove the program, and nothing else'
	run 3 compare HEAD~1..HEAD && says './target/release/app'
	verdict "… or removed, with an equal Cargo.toml" $?
	git revert --no-edit HEAD >/dev/null

	# ---- a build that fails ----
	forget
	echo 'fn main() { error }' >src/bin/app.rs && git commit -qam 'An error'
	run 3 compare HEAD~1..HEAD
	git revert --no-edit HEAD >/dev/null && sed -i 's/n + /n + 1 + /' near/src/lib.rs && git commit -qam 'Repair it'
	: >"$scratch/compiled"
	run 0 compare HEAD~1..HEAD && [ "$(compiled dep)" = 0 ]
	verdict "dependencies stay when the project does not compile" $?
	echo '// changed' >>near/src/lib.rs
	: >"$scratch/compiled"
	run 0 compare HEAD && [ "$(compiled dep)" = 0 ] && [ "$(compiled near)" = 1 ]
	verdict "a work tree with changes" $?
fi

exit $((failures > 0))
