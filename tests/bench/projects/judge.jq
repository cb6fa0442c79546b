# What is to be known of one project, in one line. The input: for each step (unchanged, planted, unrelated) the
# exit status, the number of warnings and the report of `irdiff check`. $planted is a regular expression for the
# function that was edited.

# The last part of a name as the source has it: without result, parameters, template arguments, clones and
# closures, and without the package of Go.
def plain:
	gsub(" \\[clone [^\\]]*\\]"; "")
	| sub("[.](constprop|isra|part|cold|lto_priv).*$"; "")
	| until(test("<[^<>]*>") | not; gsub("(::)?<[^<>]*>"; ""))
	| until(test("\\([^()]*\\)") | not; gsub("\\([^()]*\\)"; ""))
	| sub("( const)?[ &]*$"; "")
	| gsub("(::[{][^}]*[}]+(#[0-9]+)?)+(::operator)?$"; "")
	| split(" ") | last // "";
def name: if type == "object" then .function else . end;
def is_planted:
	if . == null then false
	else name | plain | test("(^|[:./])(" + $planted + ")$") end;
def size: if . < 0 then -. else . end;
def percent: . * 100 | round / 100;
def diffs: [.suite.benchmarks[].diff | select(. != null)];
def change: [diffs[].metrics[] | select(.name == "Ir")] | max_by(.delta | size);
# That counts may differ by chance is no remark if they hardly do.
def remarks: .warnings + ([.suite.remarks, (diffs[] | .remarks)] | flatten | map(select(.effect != "chance")) | length);

# Whether a check is as if nothing had changed: $word, or what differs.
def quiet($word):
	if .status == "-" then "-"
	elif .status != "0" then "exit " + .status
	elif (diffs | length) == 0 then "nothing"
	elif remarks > 0 then "remarks"
	elif all(diffs[]; .changed == 0) then $word + (if change.delta == 0 then "" else " ~" end)
	else (change | 100 * .delta / .base | percent | tostring) + " %" end;

.[0] as $unchanged | .[1] as $planted_step | .[2] as $unrelated
| ($planted_step | change) as $change
| ([$planted_step | diffs[]] | max_by([.metrics[] | select(.name == "Ir") | .delta | size][0])) as $diff
| [$diff.causes.items // [] | .[] | { delta, names: ((.function | is_planted) or (.caller | is_planted)) }] as $items
| [($unchanged | quiet("green")),
   (if $planted_step.status == "1" and $change != null then 100 * $change.delta / $change.base | percent
    elif $planted_step.status == "1" or $planted_step.status == "0" or $planted_step.status == "-" then "-"
    else "exit " + $planted_step.status end),
   ([$items[].names] | index(true) | if . == null then "-" else . + 1 end),
   (if ($change.delta // 0) == 0 then "-"
    else 100 * ([$items[] | select(.names) | .delta] | add // 0) / $change.delta | round end),
   ($unrelated | quiet("silent"))]
| map(tostring) | join("\t")
