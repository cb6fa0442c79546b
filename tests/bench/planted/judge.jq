# What is to be known of one case, in one line. The input: the causes of a change, all functions, the
# causes that are shown by default, and a verdict. $planted is a regular expression for the
# function that was edited.

# The last part of a name as the source has it: without result, parameters, template arguments,
# clones, and the closures in it.
def plain:
	gsub(" \\[clone [^\\]]*\\]"; "")
	| sub("[.](constprop|isra|part|cold|lto_priv).*$"; "")
	| until(test("<[^<>]*>") | not; gsub("<[^<>]*>"; ""))
	| until(test("\\([^()]*\\)") | not; gsub("\\([^()]*\\)"; ""))
	| sub("( const)?[ &]*$"; "")
	| gsub("(::[{][^}]*[}]+(#[0-9]+)?)+(::operator)?$"; "")
	| split(" ") | last // "";
def name: if type == "object" then .function else . end;
def is_planted:
	if . == null then false
	else name | plain | test("(^|::)(" + $planted + ")$") end;
# A function that was edited decides how often callers call it that were not.
def decider:
	if .kind == "self" or .kind == "inlining" or .kind == "together" or (.edited and (.caller_edited | not))
	then .function else .caller end;
def size: if . < 0 then -. else . end;
def rank: index(true) | if . == null then "-" else . + 1 end;

.[0] as $causes | .[1] as $flat | .[2] as $shown | .[3] as $checked
| ($causes.metrics + [{ name: "Ir", base: 0, delta: 0 }] | map(select(.name == "Ir"))[0]) as $total
| ($total.delta | size) as $size
| [$causes.causes.items[]
	| (decider | is_planted) as $decides
	| { delta, $decides, names: ($decides or (.function | is_planted)) }] as $items
| ($flat.functions | sort_by(-(.delta_self | size))) as $rows
| [$rows[] | select(.function | is_planted)] as $own
| ([$own[].delta_self] | add // 0) as $self
| ([$own[] | .base.self // 0] | add // 0) as $was
| [$total.base // $causes.unchanged_metrics.Ir, $total.delta, $self,
   (if ($self | size) * 100 <= ([$was, $size] | max) then "=" else "-" end),
   ([$items[].decides] | rank),
   ([$items[].names] | rank),
   (if $size == 0 then "-" else 100 * ([$items[] | select(.decides) | .delta] | add // 0) / $total.delta end),
   ($causes.causes.sum_of_sizes // 0),
   ([$rows[] | (.function | is_planted) and .delta_self != 0] | rank),
   ($shown.causes.items | length),
   ($checked.verdict.result // "-")]
| map(tostring) | join("\t")
