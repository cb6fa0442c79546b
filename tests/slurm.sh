#!/bin/sh
# Usage: tests/slurm.sh
#
# Measures on a Slurm of its own: munged, slurmctld and two slurmd, which are two nodes, on this machine. `srun` as a
# launcher has the verdicts and the counts of no launcher, an srun that is killed and a node that vanishes are started
# again, and the recipes of the guide for salloc and for job arrays work. Any user can run it: jobs run as that user.
set -u
. "$(dirname "$0")/repository.sh"

PATH=$PATH:/usr/sbin:/sbin
needs valgrind jq munged munge slurmctld slurmd srun sbatch salloc squeue

# ---- Slurm ----

slurm=$scratch/slurm
SLURM_CONF=$slurm/slurm.conf
export SLURM_CONF
mkdir -p "$slurm/state" "$slurm/spool/n1" "$slurm/spool/n2"
# Jobs of another cluster must not decide where these run.
unset $(env | sed -n 's/^\(\(SLURM\|SBATCH\|SALLOC\|SRUN\|SQUEUE\|SINFO\)_[A-Z_]*\)=.*/\1/p' | grep -v '^SLURM_CONF$')

write_configuration() {
	port=$1 host=$(hostname -s) user=$(id -un)
	cat >"$SLURM_CONF" <<-END
		ClusterName=irdiff
		SlurmctldHost=$host(127.0.0.1)
		SlurmUser=$user
		SlurmdUser=$user
		AuthType=auth/munge
		AuthInfo=socket=$slurm/munge.socket
		SlurmctldPort=$port
		StateSaveLocation=$slurm/state
		SlurmdSpoolDir=$slurm/spool/%n
		SlurmctldPidFile=$slurm/slurmctld.pid
		SlurmdPidFile=$slurm/%n.pid
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SlurmdParameters=config_overrides
		SlurmdTimeout=3
		KillWait=2
		MessageTimeout=2
		SchedulerParameters=batch_sched_delay=0,sched_interval=1
		ReturnToService=2
		MailProg=/bin/true
		NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2 State=UNKNOWN
		NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=2 State=UNKNOWN
		PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
	END
}

# No job needs cgroups, but each slurmd wants a plugin. One that does nothing is only in newer ones.
write_cgroups() {
	version=$(slurmd -V | sed 's/^slurm[^ ]* //')
	plugin=disabled
	[ "$(printf '%s\n' "$version" 23.02 | sort -V | sed 1q)" = 23.02 ] || plugin=cgroup/v1
	echo "CgroupPlugin=$plugin" >"$slurm/cgroup.conf"
}

# start NAME COMMAND...: a daemon, whose process is in NAME.own.
start() {
	name=$1
	shift
	"$@" >"$slurm/$name.log" 2>&1 &
	echo $! >"$slurm/$name.own"
}

runs() {
	kill -0 "$(cat "$slurm/$1.own")" 2>/dev/null
}

start_node() {
	start "$1" slurmd -D -N "$1" -f "$SLURM_CONF"
}

# within SECONDS COMMAND...: waits until it succeeds.
within() {
	tries=$(($1 * 10))
	shift
	until "$@"; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.1
	done
}

munged_answers() {
	munge -S "$slurm/munge.socket" -n </dev/null >/dev/null 2>&1
}

nodes_are_idle() {
	[ "$(sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)" -eq 2 ]
}

# cannot_start NAME...: ends the test; the last thing that one of them says is why.
cannot_start() {
	for name; do
		runs "$name" || skip_all "$name does not start: $(grep -i 'error\|fatal' "$slurm/$name.log" | tail -1)"
	done
	skip_all "no node becomes idle: $(tail -1 "$slurm/n1.log")"
}

start_slurm() {
	dd if=/dev/urandom of="$slurm/key" bs=1024 count=1 2>/dev/null
	chmod 600 "$slurm/key"
	start munged munged -F --force --key-file="$slurm/key" --socket="$slurm/munge.socket" --num-threads=4 \
		--pid-file="$slurm/munged.pid" --log-file="$slurm/munged.txt" --seed-file="$slurm/seed"
	within 10 munged_answers || cannot_start munged
	write_cgroups
	# Somebody else may use these ports.
	for attempt in 0 1 2; do
		write_configuration $((10000 + ($$ + attempt * 1000) % 7000 * 3))
		start slurmctld slurmctld -D -f "$SLURM_CONF"
		start_node n1
		start_node n2
		within 15 nodes_are_idle && return
		runs slurmctld && runs n1 && runs n2 && break
		stop slurmctld n1 n2
	done
	cannot_start slurmctld n1 n2
}

stop() {
	for name; do
		[ -f "$slurm/$name.own" ] || continue
		kill -CONT "$(cat "$slurm/$name.own")" 2>/dev/null
		kill -TERM "$(cat "$slurm/$name.own")" 2>/dev/null
	done
	for name; do
		[ ! -f "$slurm/$name.own" ] || wait "$(cat "$slurm/$name.own")" 2>/dev/null
		rm -f "$slurm/$name.own"
	done
}

# having VARIABLE=VALUE: the processes that were started with it.
having() {
	for process in /proc/[0-9]*; do
		grep -qzxF "$1" "$process/environ" 2>/dev/null && echo "${process#/proc/}"
	done
}

# What jobs have left would wait for munged for minutes.
stop_slurm() {
	stop n1 n2 slurmctld
	kill -KILL $(having "SLURM_CONF=$SLURM_CONF" | grep -vxF "$(cat "$slurm/munged.own" 2>/dev/null)") 2>/dev/null
	stop munged
}

trap 'stop_slurm; rm -rf "$scratch"' EXIT
start_slurm

# ---- a project ----

# `hold` waits as long as a file is there, and says that it does; only what follows counts.
mkdir "$scratch/project" && cd "$scratch/project" && git init -q .
cat >work.c <<-'END'
	#include <fcntl.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <unistd.h>

	__attribute__((noinline)) unsigned mix(unsigned n)
	{
		unsigned sum = 0;
		for (unsigned i = 0; i < n * ROUNDS; i++)
			sum = (sum + i) * 2654435761u;
		return sum;
	}

	static void hold(const char *path)
	{
		char here[4096];
		if (access(path, F_OK) != 0)
			return;
		snprintf(here, sizeof here, "%s.here", path);
		close(open(here, O_CREAT | O_WRONLY, 0600));
		while (access(path, F_OK) == 0)
			usleep(50000);
	}

	int main(int argc, char **argv)
	{
		if (argc > 3)
			hold(argv[3]);
		if (strcmp(argv[1], "fail") == 0)
			return fprintf(stderr, "one line of %s\n", argv[2]), 7;
		printf("%u\n", mix((unsigned)atoi(argv[2])));
		return 0;
	}
END
hold=$scratch/hold
cat >irdiff.yml <<-END
	build: {command: $static -g -O1 -DROUNDS=\$(cat rounds) -o work work.c, shell: true}
	benchmarks:
	  small: {command: ./work mix 300}
	  large: {command: ./work mix 50000}
	  held: {command: ./work mix 5000 $hold, root: mix}
	limits: {Ir: "+1%"}
END
printf 'work\n.irdiff\nresults\nslurm-*\n' >.gitignore
echo 2 >rounds
git add -A && git commit -qm "First"
echo >>work.c && git commit -qam "The same"
echo 3 >rounds && git commit -qam "More rounds"

no_job_is_left() {
	[ -z "$(squeue -h)" ]
}

# Of those that measure; the daemons stay.
no_process_is_left() {
	! pgrep -f -- "--worker $scratch" >/dev/null && ! pgrep -f "callgrind.*$scratch" >/dev/null
}

nothing_runs() {
	within 20 no_job_is_left && within 20 no_process_is_left && return
	{ squeue; sinfo; pgrep -af -- "--worker $scratch"; pgrep -af "callgrind.*$scratch"; } >>"$scratch/out"
	return 1
}

nothing_is_left() {
	nothing_runs && [ -z "$(ls .irdiff/tmp)" ]
}

# begin ARGUMENTS...: irdiff in the background, until `held` holds. Only the work tree must be measured.
begin() {
	echo >>work.c
	: >"$hold"
	rm -f "$hold.here"
	"$irdiff" "$@" >"$scratch/out" 2>"$scratch/err" & pid=$!
	within 30 test -e "$hold.here"
}

# ends EXIT-CODE: what began does, if it is no longer held.
ends() {
	rm -f "$hold"
	got=0
	wait "$pid" || got=$?
	[ "$got" -eq "$1" ]
}

# ---- srun as a launcher ----

run 1 check HEAD~2..HEAD --format=json --top=0 -o "$scratch/here.json"
report "$scratch/here.json" >"$scratch/here.txt"
rm -rf .irdiff
run 1 check HEAD~2..HEAD --launcher='srun -n1' -j3 --format=json --top=0 -o "$scratch/launched.json"
verdict "srun launches, and a regression is one" $?
report "$scratch/launched.json" | cmp - "$scratch/here.txt"
verdict "… with the counts of no launcher" $?
nothing_is_left
verdict "… and nothing is left" $?
run 0 check --fresh HEAD~2..HEAD~1 --launcher='srun -n1' -j3 && says 'PASS  large' && says 'PASS  held'
verdict "no regression is none" $?
sed -i 's/^limits/  bad: {command: .\/work fail bad}\nlimits/' irdiff.yml
run 3 check HEAD -b bad -b small --launcher='srun -n1 --quiet' -j2 &&
	says 'one line of bad' && says 'FAILED  bad' && says 'PASS'
verdict "failures are failures, with what the program said" $?
git checkout -q irdiff.yml
$static -g -O1 -DROUNDS=3 -o work work.c
run 3 profile small --launcher='srun -n1 --constraint=nothing-has-this' && says 'left no result' && says 'srun: error:'
verdict "an srun that is refused says why" $?

# ---- what is killed ----

# The other process of srun cancels the job.
kill_srun() {
	kill -KILL $(pgrep -P "$pid" -x srun)
}

begin check HEAD -b held --launcher='srun -n1 --quiet'
kill_srun
within 20 says 'was killed by signal 9 and left no result; it is started again'
ends 0 && says 'PASS' && [ "$(grep -c 'started again' "$scratch/err")" -eq 1 ]
verdict "an srun that is killed is started again" $?
nothing_runs
verdict "… its job is cancelled, and nothing runs on" $?
begin check HEAD -b held -b small -j1 --launcher='srun -n1 --quiet'
while kill -0 "$pid" 2>/dev/null; do
	[ ! -e "$hold.here" ] || { rm "$hold.here" && kill_srun; }
	sleep 0.1
done 2>/dev/null
ends 3 && says 'FAILED  held' && says 'PASS'
verdict "one that is killed again is a failure of its benchmark" $?
[ "$(grep -c 'held.*it is started again' "$scratch/err")" -eq 1 ]
verdict "… which is started again once" $?
nothing_runs
verdict "… and nothing runs on" $?

# A machine that vanishes closes no connection: all that runs there falls silent.
processes_of_node() {
	cat "$slurm/$1.own"
	having "SLURMD_NODENAME=$1"
	for process in $(having "SLURM_CONF=$SLURM_CONF"); do
		[ "$(cat "/proc/$process/comm" 2>/dev/null)" != slurmstepd ] || echo "$process"
	done
}

begin check HEAD -b held --launcher='srun -n1'
node=$(squeue -h -o %N)
silent=$(processes_of_node "$node")
kill -STOP $silent
within 60 says 'it is started again'
ends 0 && says "Node failure on $node" && says 'PASS'
verdict "what ran on a node that vanishes is started again" $?
kill -KILL $silent
wait "$(cat "$slurm/$node.own")" 2>/dev/null
start_node "$node"
nothing_runs && within 20 nodes_are_idle
verdict "… and nothing runs on" $?
begin check HEAD --launcher='srun -n1' -j3
kill -TERM "$pid"
ends 143 && nothing_runs
verdict "a signal to irdiff ends its jobs" $?

# What a process was killed at is removed by the next irdiff.
run 0 check HEAD~2..HEAD~1 --launcher='srun -n1' -j3 && nothing_is_left
verdict "… and files neither, after the next one" $?

# ---- the recipes of the guide ----

rm -rf .irdiff
salloc -n4 --quiet "$irdiff" check HEAD~2..HEAD -j4 --launcher='srun -n1 --exclusive' --format=json --top=0 \
	-o "$scratch/launched.json" >"$scratch/out" 2>"$scratch/err"
[ $? -eq 1 ] && report "$scratch/launched.json" | cmp - "$scratch/here.txt"
verdict "an allocation for all" $?
rm -rf .irdiff
cat >"$scratch/shard" <<-END
	#!/bin/sh
	'$irdiff' check HEAD~2..HEAD --shard=\$SLURM_ARRAY_TASK_ID/\$SLURM_ARRAY_TASK_COUNT \\
		--results=results/\$SLURM_ARRAY_TASK_ID
END
job=$(sbatch --parsable --array=1-3 --output=slurm-%a.out "$scratch/shard") &&
	sbatch --wait --dependency="afterany:$job" --output=slurm-merge.out \
		--wrap="'$irdiff' merge results/* --format=json --top=0 -o '$scratch/merged.json'" >"$scratch/out" 2>"$scratch/err"
[ $? -eq 1 ]
verdict "a job array measures shards, and a job that follows it has the worst exit code" $?
cat slurm-*.out >"$scratch/out"
report "$scratch/merged.json" | diff - "$scratch/here.txt"
verdict "… with the report of one machine" $?
nothing_is_left
verdict "… and nothing is left" $?

echo "$failures failed"
[ "$failures" -eq 0 ]
