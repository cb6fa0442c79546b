/* Numbers and names as text. A name is hostile: whatever would not be seen as itself is escaped. */

const MINUS = "\u2212", NONE = "\u2013", ARROW = "\u2192";

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0, signDisplay: "never" });

/* A number, or a BigInt. */
function formatCount(n) {
	if (n === null || n === undefined)
		return NONE;
	return (n < 0 ? MINUS : "") + grouped.format(n);
}

function formatDelta(n) {
	return n > 0 ? "+" + formatCount(n) : formatCount(n);
}

/* A change is never shown as +0.00%; the same as in the terminal. */
function formatPercent(part) {
	const percent = Math.abs(part) * 100;
	const sign = part < 0 ? MINUS : "+";
	if (percent === 0)
		return "0%";
	if (percent < 0.001)
		return sign + "<0.001%";
	const places = percent >= 99.95 ? 0 : percent >= 9.995 ? 1 : percent >= 0.0095 ? 2 : 3;
	return sign + (places === 0 ? grouped.format(percent) : percent.toFixed(places)) + "%";
}

function formatChange(base, head) {
	if (base === null || head === null)
		return NONE;
	if (base === head)
		return "0%";
	return base === 0 ? "new" : formatPercent((head - base) / Math.abs(base));
}

/* What part of the whole `n` is, without a sign where it is a part like any other. */
function formatShare(n, whole) {
	if (!whole)
		return n ? "n/a" : "0%";
	return formatPercent(n / whole).replace("+", "");
}

function formatShareOfBase(delta, whole) {
	return whole ? formatPercent(delta / Math.abs(whole)) : NONE;
}

function formatPair(base, head, format = formatCount) {
	const b = base ? format(base) : NONE, h = head ? format(head) : NONE;
	return b === h ? h : `${b} ${ARROW} ${h}`;
}

function plural(n, one, many = one + "s") {
	return `${formatCount(n)} ${n === 1 ? one : many}`;
}

/* Control characters, those that change the direction of text, and those that take no room. */
const UNSEEN = new RegExp("[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160" +
	"\\u17b4\\u17b5\\u180b-\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164" +
	"\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ud800-\\udfff\\u{e0000}-\\u{e0fff}]", "gu");

function escapeChar(c) {
	const code = c.codePointAt(0), hex = code.toString(16);
	if (code < 0x100)
		return "\\x" + hex.padStart(2, "0");
	return code < 0x10000 ? "\\u" + hex.padStart(4, "0") : `\\u{${hex}}`;
}

function visible(text) {
	return text.replace(UNSEEN, escapeChar);
}

function visibleLine(text) {
	return text.replace(UNSEEN, (c) => (c === "\t" ? c : escapeChar(c)));
}

/* ---- names that have to be shortened ---- */

const PAIRS = { "<": ">", "(": ")" };

/* Whether `name` opens a list at `at`, `depth` deep in others. The < of an operator does not, nor
 * brackets that are a namespace or a type: (anonymous namespace), json.(*Decoder), ptr::<impl *const T>. */
function opensList(name, at, open, depth) {
	if (name[at] !== open || at === 0)
		return false;
	if (open === "<")
		return !name.startsWith("::<impl ", at - 2) && !/operator[<-]?$/.test(name.slice(Math.max(0, at - 10), at));
	return depth > 0 || !/[:. ]/.test(name[at - 1]);
}

/* `name` with every outermost list in `open` replaced by a dot: f<…>, f(…). Empty lists stay. */
function collapseLists(name, open) {
	return replaceLists(name, open, (empty, close) => (empty ? open + close : open + "\u2026" + close));
}

/* `name` without lists in `open`; what belongs to the name of an operator stays. */
function withoutLists(name, open) {
	return replaceLists(name, open, (empty, close, before) => (empty && before.endsWith("operator") ? open + close : ""));
}

function replaceLists(name, open, replaced) {
	const close = PAIRS[open];
	let out = "", depth = 0, from = 0;
	for (let i = 0; i < name.length; i++) {
		if (opensList(name, i, open, depth)) {
			if (depth++ === 0)
				from = i;
		} else if (depth > 0 && name[i] === close && name[i - 1] !== "-") {
			if (--depth === 0)
				out += replaced(i === from + 1, close, out);
			continue;
		}
		if (depth === 0)
			out += name[i];
	}
	return depth === 0 ? out : name;
}

/* Names that leave out what tells overloads and instances apart, the shortest first. */
function shortForms(name) {
	if (/^0x0+[0-9a-f]/.test(name))
		return [name.replace(/^0x0+/, "0x"), name];
	const listless = withoutLists(name, "("), plain = listless.replace(/(?: (?:const|volatile|noexcept|&&?))+(?= \[|$)/, "");
	const bare = withoutLists(plain, "<").trimEnd();
	/* Only names with parameters may have the type in front of them. */
	return [listless === name ? bare : withoutReturnType(bare), plain, name].filter((form, i, all) => form && all.indexOf(form) === i);
}

/* "bool std::operator==" without its first word. */
function withoutReturnType(name) {
	let depth = 0, at = 0;
	for (let i = 0; i < name.length; i++) {
		if ("<([{".includes(name[i]))
			depth++;
		else if (">)]}".includes(name[i]) && name[i - 1] !== "-")
			depth = Math.max(0, depth - 1);
		else if (name[i] === " " && depth === 0 && name[i + 1] !== "[" && !/operator$/.test(name.slice(at, i)))
			at = i + 1;
		else if (name.startsWith("operator", i) && depth === 0)
			break;
	}
	return name.slice(at);
}

/* What of a short name still says which function it is: its last part. */
function lastPart(name) {
	return name.slice(ownNameStart(name)).replace(/^(::|\/)/, "");
}

/* "b::c" of "a::b::c"; "" of "c". */
function withoutFirstPart(name) {
	const last = lastPart(name);
	let depth = 0;
	for (let i = 0; i < name.length - last.length; i++) {
		if ("<([{".includes(name[i]))
			depth++;
		else if (">)]}".includes(name[i]))
			depth--;
		else if (depth === 0 && name.startsWith("::", i))
			return name.slice(i + 2);
	}
	return last === name ? "" : last;
}

/* The first of `forms` that fits, or the end of the last cut off; "" if not even four characters of
 * it would be left. `widthOf` says how wide a character is. */
function fitName(forms, room, widthOf) {
	const textWidthOf = (text) => Array.from(text).reduce((width, c) => width + widthOf(c), 0);
	return forms.find((form) => textWidthOf(form) <= room) ?? cutEnd(forms.at(-1), room, widthOf);
}

function cutEnd(text, room, widthOf) {
	const chars = Array.from(text), least = 4;
	let kept = 0;
	for (let used = widthOf("\u2026"); kept < chars.length; kept++) {
		used += widthOf(chars[kept]);
		if (used > room)
			break;
	}
	return kept < least ? "" : chars.slice(0, kept).join("").replace(/[\s\u2026]+$/u, "") + "\u2026";
}

/* Where the own name of a function begins after its namespaces and classes, or of a file after
 * its directories. */
function ownNameStart(name) {
	let depth = 0, at = 0;
	for (let i = 0; i < name.length; i++) {
		if (opensList(name, i, "<", depth) || opensList(name, i, "(", depth)) {
			if (depth === 0 && name[i] === "(" && name[i + 1] !== ")")
				break;
			depth++;
		} else if (depth > 0 && (name[i] === ")" || (name[i] === ">" && name[i - 1] !== "-"))) {
			depth--;
		} else if (depth === 0 && (name.startsWith("::", i) || name[i] === "/")) {
			at = i;
		}
	}
	return at;
}

/* A name in two parts, of which the first is cut where room is short: [head, tail]. */
function splitName(name) {
	const whole = 60, most = 40, least = 4;
	const start = ownNameStart(name), at = start < least ? 0 : start, rest = name.slice(at);
	const plain = collapseLists(rest, "("), tails = [plain, collapseLists(plain, "<")];
	const tail = [...(name.length > whole ? [] : [rest]), ...tails].find((form) => form.length <= most);
	if (tail !== undefined)
		return [name.slice(0, at), tail];
	/* Not between the halves of a character. */
	const chars = Array.from(name), kept = Math.min(most >> 1, chars.length >> 1);
	return [chars.slice(0, -kept).join(""), chars.slice(-kept).join("")];
}
