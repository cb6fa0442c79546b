# A line for each kind and each mechanism; then the cases that change nothing, and those whose counts
# vary. The input: the TSV of ../planted.sh.
#
# Counts of cases whose first row is of the function that was edited ("decider") or names it ("named"),
# and of those where a row of it is among the first three.

BEGIN {
	FS = "\t"
	groups = split("1 calls,1 both,1 own,1 not-elsewhere,1 elsewhere,1 all", order, ",")
	for (i = 1; i <= groups; i++)
		listed[order[i]]
}

function number_of(name) {
	if (!(name in column))
		print "summarize.awk: no column " name >"/dev/stderr"
	return $(column[name])
}

function add(group,    explained, size) {
	if (!(group in cases) && !(group in listed))
		order[++groups] = group
	n = ++cases[group]
	same[group] += number_of("same") == "="
	first[group] += number_of("rank") == 1
	named[group] += number_of("named") == 1
	third[group] += number_of("rank") != "-" && number_of("rank") <= 3
	flat[group] += number_of("flat") == 1
	explained = number_of("share")
	shares[group, n] = explained < 0 ? 0 : explained > 100 ? 100 : explained
	size = number_of("delta") < 0 ? -number_of("delta") : number_of("delta")
	sums[group, n] = number_of("sum") / size
}

# The median of values[group, 1] … values[group, count]; sorts them, so that the last is the largest.
function median(values, group, count,    i, k, x) {
	for (i = 2; i <= count; i++) {
		x = values[group, i]
		for (k = i - 1; k && values[group, k] > x; k--)
			values[group, k + 1] = values[group, k]
		values[group, k + 1] = x
	}
	return (values[group, int((count + 1) / 2)] + values[group, int(count / 2) + 1]) / 2
}

function table(heading, prefix,    i, group) {
	printf "\n%-16s%6s%8s%9s%7s%7s%9s%12s%11s%8s\n", heading, "cases", "self =",
		"decider", "named", "in 3", "share %", "median Σ/d", "worst Σ/d", "flat: 1"
	for (i = 1; i <= groups; i++) {
		group = order[i]
		if (index(group, prefix) != 1 || !cases[group])
			continue
		share = median(shares, group, cases[group])
		middle = median(sums, group, cases[group])
		printf "%-16s%6d%8d%9d%7d%7d%9.1f%11.2f%10.2f%9d\n", substr(group, length(prefix) + 1),
			cases[group], same[group], first[group], named[group], third[group], share,
			middle, sums[group, cases[group]], flat[group]
	}
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}

number_of("kind") == "none" {
	nothing++
	equal += number_of("delta") == 0
	if (number_of("sum") != 0 && number_of("rows") != 0) {
		loud++
		loud_ones = loud_ones " " number_of("case")
	}
	next
}

number_of("kind") == "random" {
	random++
	if (number_of("verdict") == "INCONCLUSIVE")
		inconclusive++
	else
		other_ones = other_ones " " number_of("case")
	next
}

number_of("delta") == 0 {
	without_effect = without_effect " " number_of("case")
	next
}

{
	add("1 " number_of("kind"))
	if (number_of("kind") != "elsewhere") {
		add("1 not-elsewhere")
		add("2 " number_of("mechanism"))
		add("3 " number_of("language"))
	}
	add("1 all")
}

END {
	table("kind", "1 ")
	table("mechanism", "2 ")
	table("language", "3 ")
	if (without_effect)
		print "\nwithout an effect:" without_effect
	if (nothing)
		printf "\n%d changes change nothing: %d cost the same, %d are loud%s\n", nothing, equal, loud,
			loud_ones ? ":" loud_ones : ""
	if (random)
		printf "%d programs vary: %d are inconclusive%s\n", random, inconclusive,
			other_ones ? ", but not:" other_ones : ""
}
