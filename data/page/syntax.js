/* Modest colours for source: comments, strings, numbers and keywords. One regular expression for each
 * language finds them; everything else stays as it is. */

const C_WORDS = "break case char const continue default do double else enum extern float for goto if inline int long return short signed sizeof static struct switch typedef union unsigned void volatile while bool";
const LONG_COMMENT = ["/*", "*/", "comment"], LONG_QUOTE = ["`", "`", "string"];
/* `long` is what may go on beyond the end of a line: its begin, its end, and what it is. */
const LANGUAGES = [
	{ files: ["c"], long: [LONG_COMMENT], words: C_WORDS + " restrict" },
	{ files: ["h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "tcc", "inl"], long: [LONG_COMMENT],
		words: C_WORDS + " auto catch class constexpr decltype delete explicit false friend mutable namespace new noexcept nullptr operator override private protected public template this throw true try typename using virtual" },
	{ files: ["rs"], long: [LONG_COMMENT],
		words: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while" },
	{ files: ["py"], long: [['"""', '"""', "string"], ["'''", "'''", "string"]],
		words: "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield" },
	{ files: ["js", "mjs", "cjs", "jsx", "ts", "tsx"], long: [LONG_COMMENT, LONG_QUOTE],
		words: "async await break case catch class const continue default delete do else export extends false finally for function if import in instanceof interface let new null of return static super switch this throw true try type typeof undefined var void while yield" },
	{ files: ["go"], long: [LONG_COMMENT, LONG_QUOTE],
		words: "break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var" },
];

function tokenRegex({ files: [name], long }) {
	const quoted = /"(?:[^"\\]|\\.)*(?:"|$)/, character = name === "rs" ? /'(?:[^'\\]|\\[^']*|\\')'/ : /'(?:[^'\\]|\\.)+'/;
	const number = /\b(?:0[xXbBoO][\da-fA-F_']+|\d[\d_']*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\w*/;
	const parts = [name === "py" ? "#.*" : "\\/\\/.*", long.map(([begin]) => begin.replace("*", "\\*")).join("|"),
		`${quoted.source}|${character.source}`, number.source, "[A-Za-z_$][\\w$]*"];
	return new RegExp(parts.map((part) => `(${part})`).join("|"), "g");
}

/* Lines of one file, which are to be given in their order. */
class Highlighter {
	constructor(file) {
		const extension = file.split(".").pop().toLowerCase();
		this.language = LANGUAGES.find(({ files }) => files.includes(extension)) ?? null;
		this.words = new Set(this.language?.words.split(" "));
		this.tokens = this.language && tokenRegex(this.language);
		this.open = null; /* of `long`, what did not end yet */
	}

	/* Where lines are missing: the next `texts` begin in a comment if one ends in them before one begins. */
	restart(texts) {
		const first = texts.join("\n").match(/\/\*|\*\//)?.[0];
		this.open = first === "*/" && this.language?.long.includes(LONG_COMMENT) ? LONG_COMMENT : null;
	}

	/* What `text` becomes: texts and elements. */
	line(text) {
		const out = [], add = (kind, part) => part && out.push(kind ? h(`span.code-${kind}`, null, part) : part);
		for (let at = 0; at < text.length;) {
			if (this.tokens)
				this.tokens.lastIndex = at;
			const match = this.open ? { index: at, 0: "", 2: "" } : this.tokens?.exec(text) ?? { index: text.length, 0: "" };
			add(null, text.slice(at, match.index));
			at = match.index + match[0].length;
			if (match[2])
				this.open = this.language.long.find(([begin]) => begin === match[2]);
			if (this.open) {
				const [, end, kind] = this.open, found = text.indexOf(end, at);
				at = found < 0 ? text.length : found + end.length;
				this.open = found < 0 ? this.open : null;
				add(kind, text.slice(match.index, at));
			} else {
				add(match[1] ? "comment" : match[3] ? "string" : match[4] ? "number" : this.words.has(match[0]) ? "keyword" : null, match[0]);
			}
		}
		return out;
	}
}
