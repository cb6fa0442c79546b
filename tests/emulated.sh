#!/bin/sh
# Usage: tests/emulated.sh [CPU...]
#
# Measures the same programs on CPUs that QEMU emulates (`make check-cpus`; CPUS or the arguments are names of
# QEMU's, see `qemu-system-x86_64 -cpu help`). Where irdiff records the same CPU for two of them, every count
# has to be equal; where it does not, `irdiff diff --check` has to refuse. Prints what each program
# counted on each, as a table in Markdown.
#
# Each CPU is a machine of its own, with a kernel of this system ($KERNEL, of /boot) and the files of this
# system to be read, so all programs and libraries are the same. Needs qemu-system-x86, linux-image-amd64,
# busybox-static, kmod and cpio, but neither root nor KVM; two minutes for a CPU.
set -eu
. "$(dirname "$0")/scratch.sh"
needs qemu-system-x86_64 busybox cpio modprobe valgrind
[ $# -gt 0 ] || set -- ${CPUS:-Nehalem,+rdtscp SandyBridge Haswell EPYC}

kernel=${KERNEL:-$(ls /boot/vmlinuz-* 2>/dev/null | sort -V | tail -n 1)}
version=${kernel##*/vmlinuz-}
if [ ! -r "$kernel" ] || [ ! -d "/lib/modules/$version" ]; then
	echo "tests/emulated.sh: no kernel can be read (apt-get install linux-image-amd64; KERNEL can say where it is)" >&2
	exit 1
fi

# ---- what is measured ----

mkdir "$scratch/work" "$scratch/results"
cd "$scratch/work"
cat >memory.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[100000], copy[100000];

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Memory, strings, sorting and printing. */
int main(void)
{
	static char *words[20000];
	size_t count = 0, length = 0;

	for (size_t i = 0; i < sizeof text - 1; i++)
		text[i] = (char)(i % 7 == 6 ? ' ' : 'a' + (i * i / 3 + i) % 26);
	for (size_t n = 1; n < sizeof text; n = n * 3 / 2 + 1) {
		memcpy(copy, text, n);
		memset(copy + n / 2, 'x', n / 3);
		memmove(copy + 3, copy, n / 2);
	}
	memcpy(copy, text, sizeof text);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		words[count++] = word;
	qsort(words, count, sizeof *words, compare);
	for (size_t i = 0; i < count; i++)
		length += strlen(words[i]) + (strchr(words[i], 'e') != NULL);
	for (size_t i = 0; i < 300; i++)
		printf("%s %zu %.3f\n", words[i], length, (double)i / 7);
	return 0;
}
END
cat >functions.c <<'END'
#include <math.h>
#include <stdio.h>

int main(void)
{
	double sum = 0;

	for (int i = 1; i < 5000; i++) {
		double x = i / 1000.0;
		sum += sin(x) + exp(-x) + pow(x, 1.3) + log(x) + atan(x) + floor(x);
	}
	printf("%.9f\n", sum);
	return 0;
}
END
$compiler -g -O2 -o memory memory.c
$compiler -g -O2 -o functions functions.c -lm
$static -g -O2 -o static memory.c
$static -g -O1 -o asks "$source_dir/tests/cpu/asks.c"
head -c 100000 "$irdiff" >data
cp /etc/ld.so.cache loader-cache # others may install something meanwhile

# measure RESULTS
cat >measure <<END
results=\$1
work=\$(mktemp -d)
cp -r '$scratch/work/.' "\$work"
cd "\$work"
measure() {
	name=\$1
	shift
	'$irdiff' profile -q --cache-sim=no --depth=1 --label="\$name" -- "\$@" </dev/null >"\$results/\$name.log" 2>&1 &&
		cp "profiles/\$name.callgrind" "\$results/"
}
printf 1 >times
measure asks ./asks
cp .irdiff/profiles/asks.callgrind/stdout.log "\$results/"
measure memory ./memory
measure static ./static
measure functions ./functions
measure sha256 openssl dgst -sha256 data
measure aes openssl enc -aes-128-ctr -K 00112233445566778899aabbccddeeff -iv 0 -in data -out /dev/null
measure gzip gzip -nc data
measure xz xz -0c data
measure python python3 -S -c 'import zlib, hashlib
d = open("data", "rb").read()
print(hashlib.sha256(d).hexdigest(), len(zlib.compress(d, 1)))'
END
# What `asks` prints is as long as there are features, and so is its count.
names=$(sed -n '/^measure asks/d; s/^measure \([a-z0-9]*\) .*/\1/p' measure)

# ---- a machine ----

mkdir -p root/bin root/modules
cp "$(command -v busybox)" root/bin/busybox
number=100
for module in virtio_pci 9pnet_virtio 9p overlay; do
	modprobe -S "$version" --show-depends "$module"
done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' | while read -r file; do
	cp "$file" "root/modules/$number-${file##*/}"
	number=$((number + 1))
done
cat >root/init <<END
#!/bin/busybox sh
PATH=/bin
/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /host /memory /results
mount -t proc proc /proc
mount -t devtmpfs dev /dev
for module in /modules/*; do insmod "\$module"; done
# Until there are random numbers glibc's malloc asks for the time, which counts 44 Ir more.
head -c 1 /dev/random >/dev/null
mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=524288,cache=loose host /host
mount -t tmpfs memory /memory
mkdir /memory/upper /memory/work /memory/root
mount -t overlay root -o lowerdir=/host,upperdir=/memory/upper,workdir=/memory/work /memory/root
cd /memory/root
mkdir -p proc sys dev tmp results
mount -t proc proc proc
mount -t sysfs sys sys
mount -t devtmpfs dev dev
mount -t tmpfs tmp tmp
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 results results
mkdir -p ".$scratch"
mount --bind "/host$scratch" ".$scratch"
cp "./$scratch/work/loader-cache" etc/ld.so.cache
PATH=/usr/local/bin:/usr/bin:/bin chroot . /bin/sh "$scratch/work/measure" /results
sync
poweroff -f
END
chmod +x root/init
(cd root && find . | cpio -o -H newc 2>/dev/null) >initrd

# directory CPU: where its results go; QEMU takes no comma in a path.
directory() {
	echo "$scratch/results/$(echo "$1" | tr -d ,)"
}

emulate() {
	results=$(directory "$1")
	mkdir "$results"
	timeout "${TIMEOUT:-1800}" qemu-system-x86_64 -accel tcg -cpu "$1" -m 2048 -nographic -no-reboot -nic none \
		-kernel "$kernel" -initrd initrd -append "console=ttyS0 quiet panic=-1 mitigations=off" \
		-fsdev local,id=host,path=/,security_model=none,readonly=on,multidevs=remap \
		-device virtio-9p-pci,fsdev=host,mount_tag=host \
		-fsdev "local,id=results,path=$results,security_model=mapped-xattr" \
		-device virtio-9p-pci,fsdev=results,mount_tag=results \
		</dev/null >"$results/console" 2>&1 || :
	ls "$results"/*.callgrind >/dev/null 2>&1 || {
		echo "tests/emulated.sh: $1 has measured nothing:" >&2
		tail -n 20 "$results/console" >&2
		exit 1
	}
}

fact() {
	sed -n "s/^desc: irdiff.env.$1: //p" "$2"
}

total() {
	sed -n 's/^totals: \([0-9]*\).*/\1/p' "$1"
}

# What programs print may tell of the CPU, so all do the same work whatever it is.
agree() {
	"$irdiff" diff --check "$1" "$2" >"$scratch/out" 2>"$scratch/err" && [ "$(total "$1")" = "$(total "$2")" ]
}

is_refused() {
	status=0
	"$irdiff" diff --check "$1" "$2" >"$scratch/out" 2>"$scratch/err" || status=$?
	[ $status = 4 ] && grep -q 'CPU features: [A-Z]' "$scratch/err"
}

# This machine as well: its kernel is another one, which moves some counts a little, so nothing has to be
# equal to them.
mkdir "$scratch/here"
PATH=/usr/local/bin:/usr/bin:/bin sh "$scratch/work/measure" "$scratch/here"

for cpu; do
	emulate "$cpu"
	results=$(directory "$cpu")
	check "what programs find on $cpu is recorded: $(cat "$results/stdout.log")" \
		[ "$(fact cpu "$results/asks.callgrind")" = "$(cat "$results/stdout.log")" ]
	for profile in "$(directory "$cpu")"/*.callgrind; do
		for other in "$scratch"/results/*/"${profile##*/}"; do
			[ "$other" != "$profile" ] || continue
			name="${profile##*/} of $cpu and ${other%/*}"
			if [ "$(fact cpu "$profile")" = "$(fact cpu "$other")" ]; then
				check "$name are equal" agree "$other" "$profile"
			else
				check "$name are not compared" is_refused "$other" "$profile"
			fi
		done
	done
done

# cells COMMAND ARGUMENT: what the command says of each machine's directory.
cells() {
	for place in "$scratch/here" $directories; do
		printf ' %s |' "$("$1" "$place" "$2")"
	done
	echo
}

cpu_of() {
	for profile in "$1"/*.callgrind; do
		fact cpu "$profile"
	done | sort -u
}

count_of() {
	[ ! -e "$1/$2.callgrind" ] || total "$1/$2.callgrind"
}

name_of() {
	echo "${1##*/}"
}

directories=
for cpu; do
	directories="$directories $(directory "$cpu")"
done
printf '| |'
cells name_of ''
printf '|---|%s\n' "$(cells true '' | sed 's/ *|/---:|/g')"
printf '| |'
cells cpu_of ''
for name in $names; do
	printf '| %s |' "$name"
	cells count_of "$name"
done
check "something was compared" [ $((passed + failed)) -gt 0 ]
finish
