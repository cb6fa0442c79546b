# Usage: git log --reverse --format='%H %T %ct %s' | awk -f tests/bench/rows.awk [-v NAME=NUMBER]...
#
# Writes rows of a history as `irdiff history --export` does: of `benchmarks` (1) benchmarks, at all commits,
# in `environments` (1) environments, with 1 or 9 `events` (9). At a commit in ten, the counts of a
# benchmark change by up to 1 %.

function number(value, otherwise) {
	return value ? value : otherwise
}

function environment_of(e) {
	return "\"environment\":{\"arch\":\"x86_64\",\"cpu\":\"amd64-avx2-bmi-lzcnt-f16c-rdrand-rdseed\"," \
		"\"depth\":\"100\",\"freeze\":\"none\",\"in_place\":\"no\"," \
		"\"ld.so\":\"7ebc65e52f2bbea498b4040fa92f7238377aaba9\"," \
		"\"libc\":\"93ac61ec5a8eb1396f9fbd350e3169a558528a40\"," \
		"\"options\":\"--cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 " \
		"--dump-instr=yes --dump-line=yes\",\"path_bytes\":\"512\",\"recipe\":\"0a1d84cecee20d21\"," \
		"\"recursion\":\"10\",\"stdout\":\"file, blocks of 4096\"," \
		"\"tunables\":\"glibc.cpu.x86_rep_movsb_threshold=0x10000000:" \
		"glibc.cpu.x86_rep_stosb_threshold=0x10000000:glibc.cpu.hwcaps=-ERMS:\"," \
		"\"valgrind\":\"3.19.0\",\"valgrind_flavour\":\"stock\",\"warm_up\":\"no\"," \
		"\"workspace\":\"traced " e "\"}"
}

# The counts of a benchmark that counts so many instructions.
function counts_of(ir) {
	if (events == 1)
		return sprintf("\"Ir\":%d", ir)
	return sprintf("\"D1mr\":%d,\"D1mw\":%d,\"DLmr\":%d,\"DLmw\":%d,\"Dr\":%d,\"Dw\":%d,\"I1mr\":%d,\"ILmr\":%d,\"Ir\":%d", \
		ir / 120, ir / 200, ir / 160, ir / 220, ir / 4, ir / 10, ir / 110, ir / 115, ir)
}

BEGIN {
	benchmarks = number(benchmarks, 1)
	environments = number(environments, 1)
	events = number(events, 9)
	srand(1)
}

{
	subject = substr($0, length($1 $2 $3) + 4)
	gsub(/[\\"]/, "\\\\&", subject)
	id[NR] = $1
	tree[NR] = $2
	time[NR] = $3
	subjects[NR] = subject
}

END {
	for (b = 1; b <= benchmarks; b++) {
		ir = 1e6 + 1e8 * rand()
		definition = sprintf("%016x", b)
		for (c = 1; c <= NR; c++) {
			if (rand() < 0.1)
				ir *= 0.99 + 0.02 * rand()
			for (e = 1; e <= environments; e++)
				printf "{\"schema\":\"irdiff/run\",\"version\":2,\"benchmark\":\"bench%04d\"," \
					"\"definition\":\"%s\",\"commit\":\"%s\",\"tree\":\"%s\",\"committed\":%d," \
					"\"subject\":\"%s\",%s,\"irdiff\":\"0.1.0\",\"valgrind\":\"3.19.0\"," \
					"\"measured\":%d,\"counts\":{%s}}\n", b, definition, id[c], tree[c], \
					time[c], subjects[c], environment_of(e), time[c] + 60 * b, counts_of(ir + e)
		}
	}
}
