# What got better or worse between two runs of ../planted.sh: compare.awk OLD.tsv NEW.tsv

BEGIN { FS = "\t" }

FNR == 1 {
	delete column
	for (i = 1; i <= NF; i++)
		column[$i] = i
	files++
	next
}

# A number where less is better, and no row is worse than any.
function order(rank) {
	return rank == "-" ? 1e9 : rank + 0
}

function relative(sum, delta) {
	if (delta == 0)
		return sum == 0 ? 0 : 1e9
	return sum / (delta < 0 ? -delta : delta)
}

# Adds to the line of a case, and to its direction, if `new` is not `old` within `margin`.
function judge(what, old, new, shown_old, shown_new, margin) {
	if (new - old <= margin && old - new <= margin)
		return
	line = line sprintf("  %s %s → %s", what, shown_old, shown_new)
	if (new < old)
		less++
	else
		more++
}

function loudness(sum, rows) {
	return sum == 0 ? 0 : rows
}

files == 1 {
	for (name in column)
		old[$1, name] = $(column[name])
	known[$1]
	next
}

!($1 in known) {
	print "new     " $1
	next
}

{
	seen[$1]
	compared++
	line = ""
	less = more = 0
	kind = $(column["kind"])
	was = relative(old[$1, "sum"], old[$1, "delta"])
	is = relative($(column["sum"]), $(column["delta"]))
	if (kind == "none") {
		quiet = loudness($(column["sum"]), $(column["rows"]))
		judge("rows", loudness(old[$1, "sum"], old[$1, "rows"]), quiet, old[$1, "rows"],
		      $(column["rows"]), 0)
		judge("Σ", old[$1, "sum"], $(column["sum"]), old[$1, "sum"], $(column["sum"]), 100)
	} else if (kind == "random") {
		judge("verdict", old[$1, "verdict"] != "INCONCLUSIVE", $(column["verdict"]) != "INCONCLUSIVE",
		      old[$1, "verdict"], $(column["verdict"]), 0)
	} else {
		for (i = split("rank named", names, " "); i; i--)
			judge(names[i], order(old[$1, names[i]]), order($(column[names[i]])), old[$1, names[i]],
			      $(column[names[i]]), 0)
		judge("Σ/d", was, is, sprintf("%.2f", was), sprintf("%.2f", is), 0.02)
	}
	if (!line)
		next
	direction = !more ? "better" : !less ? "worse" : "mixed"
	count[direction]++
	printf "%-8s%s%s\n", direction, $1, line
}

END {
	for (name in known)
		if (!(name in seen))
			print "missing " name
	printf "%d cases compared: %d better, %d worse, %d mixed\n", compared, count["better"],
		count["worse"], count["mixed"]
}
