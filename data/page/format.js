/* Numbers and names as text. A name is hostile: whatever would not be seen as itself is escaped. */

const MINUS = "\u2212", NONE = "\u2013", ARROW = "\u2192";

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

function formatCount(n) {
	if (n === null || n === undefined)
		return NONE;
	return (n < 0 ? MINUS : "") + grouped.format(Math.abs(n));
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
	if (percent < 0.01)
		return "<0.01%";
	const places = percent >= 99.95 ? 0 : percent >= 9.995 ? 1 : 2;
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
	const text = formatPercent(n / whole);
	return text[0] === "+" ? text.slice(1) : text;
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
 * what stands in brackets for a namespace or a type: (anonymous namespace), json.(*Decoder). */
function opensList(name, at, open, depth) {
	if (name[at] !== open || at === 0)
		return false;
	if (open === "<")
		return !/operator[<-]?$/.test(name.slice(Math.max(0, at - 10), at));
	return depth > 0 || !/[:. ]/.test(name[at - 1]);
}

/* `name` with every outermost list in `open` replaced by a dot: f<…>, f(…). Empty lists stay. */
function collapseLists(name, open) {
	const close = PAIRS[open];
	let out = "", depth = 0, from = 0;
	for (let i = 0; i < name.length; i++) {
		if (opensList(name, i, open, depth)) {
			if (depth++ === 0)
				from = i;
		} else if (depth > 0 && name[i] === close && name[i - 1] !== "-") {
			if (--depth === 0)
				out += i > from + 1 ? open + "\u2026" + close : open + close;
			continue;
		}
		if (depth === 0)
			out += name[i];
	}
	return depth === 0 ? out : name;
}

/* Shorter and shorter forms of a name; all still say which function it is. */
function nameForms(name) {
	const plain = collapseLists(name, "("), bare = collapseLists(plain, "<");
	const own = bare.slice(ownNameStart(bare)).replace(/^(::|\/)/, "");
	const short = own.replace(/\(\u2026?\).*$/u, (list, at) => (own.slice(0, at).endsWith("operator") ? list : ""));
	return [name, plain, bare, own, short].filter((form, i, all) => form && all.indexOf(form) === i);
}

/* Cuts the middle out of `text` so that it is at most `room` wide; "" if not even three characters
 * of it would be left. `widthOf` says how wide a character is. */
function cutMiddle(text, room, widthOf) {
	const chars = Array.from(text), ellipsis = "\u2026";
	let left = 0, right = chars.length, used = widthOf(ellipsis);
	while (left < right) {
		/* The end of a name says more than its beginning, which is a namespace. */
		const fromRight = chars.length - right <= left * 1.5;
		const width = widthOf(fromRight ? chars[right - 1] : chars[left]);
		if (used + width > room)
			break;
		used += width;
		if (fromRight)
			right--;
		else
			left++;
	}
	const kept = left + chars.length - right;
	return kept < 3 ? "" : chars.slice(0, left).join("") + ellipsis + chars.slice(right).join("");
}

function fitName(forms, room, widthOf) {
	for (const form of forms) {
		let width = 0;
		for (const c of form)
			width += widthOf(c);
		if (width <= room)
			return form;
	}
	return cutMiddle(forms[forms.length - 1], room, widthOf);
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
