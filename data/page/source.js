/* The lines of the functions that caused the change, base and head beside each other. */

const MOST_CELLS = 5000000; /* of the table that lines are matched with: more than 300 costly lines need */

/* Pairs [index in a or -1, index in b or -1], in the order of both, with as many equal lines as
 * possible: the longest common subsequence of `same`(i, k). */
function alignLines(a, b, same) {
	let start = 0, endA = a.length, endB = b.length;
	while (start < endA && start < endB && same(start, start))
		start++;
	while (endA > start && endB > start && same(endA - 1, endB - 1)) {
		endA--;
		endB--;
	}
	const pairs = Array.from({ length: start }, (_, i) => [i, i]);
	pairs.push(...alignMiddle(start, endA, endB, same));
	for (let i = 0; endA + i < a.length; i++)
		pairs.push([endA + i, endB + i]);
	return pairs;
}

function alignMiddle(start, endA, endB, same) {
	const rows = endA - start, columns = endB - start, pairs = [];
	const usable = rows * columns <= MOST_CELLS, width = columns + 1;
	const longest = usable ? new Uint16Array((rows + 1) * width) : null;
	for (let i = rows - 1; usable && i >= 0; i--)
		for (let k = columns - 1; k >= 0; k--)
			longest[i * width + k] = same(start + i, start + k) ? longest[(i + 1) * width + k + 1] + 1 :
				Math.max(longest[(i + 1) * width + k], longest[i * width + k + 1]);
	let i = 0, k = 0;
	while (i < rows || k < columns) {
		if (usable && i < rows && k < columns && same(start + i, start + k))
			pairs.push([start + i++, start + k++]);
		else if (i < rows && (k === columns || !usable || longest[(i + 1) * width + k] >= longest[i * width + k + 1]))
			pairs.push([start + i++, -1]);
		else
			pairs.push([-1, start + k++]);
	}
	return besideEachOther(pairs);
}

/* A run of lines only in base and a run only in head that follows stand beside each other. */
function besideEachOther(pairs) {
	const out = [];
	for (let at = 0; at < pairs.length;) {
		if (pairs[at][0] >= 0 && pairs[at][1] >= 0) {
			out.push(pairs[at++]);
			continue;
		}
		const left = [], right = [];
		for (; at < pairs.length && (pairs[at][0] < 0 || pairs[at][1] < 0); at++)
			(pairs[at][0] >= 0 ? left : right).push(Math.max(...pairs[at]));
		for (let i = 0; i < Math.max(left.length, right.length); i++)
			out.push([left[i] ?? -1, right[i] ?? -1]);
	}
	return out;
}

/* Lines whose text is known are the same if it is; others if their number is. */
function sameLine(a, b) {
	const [left, right] = [a, b].map((lines) => lines.map((line) => (line[2] === null ? null : line[2].trimEnd())));
	return (i, k) => (left[i] !== null && right[k] !== null ? left[i] === right[k] : a[i][0] === b[k][0]);
}

function lineCost(line, weights) {
	return weights.reduce((cost, weight, event) => cost + weight * (line[1]?.[event] ?? 0), 0);
}

/* Which lines were edited: [in base, in head] of each pair. That a line is only on one side says nothing
 * where the other side leaves lines out: it may be one of them. */
function editsOf(pairs, sides) {
	const edits = pairs.map(() => [false, false]);
	const same = sameLine(...sides), matched = ([b, k]) => b >= 0 && k >= 0 && same(b, k);
	for (let at = 0, end; at < pairs.length; at = end + 1) {
		for (end = at; end < pairs.length && !matched(pairs[end]); end++)
			;
		const isWhole = sides.map((lines, which) => listsAll(lines, at > 0 ? pairs[at - 1][which] : -1, end < pairs.length ? pairs[end][which] : lines.length));
		for (let i = at; i < end; i++)
			sides.forEach((lines, which) => {
				const line = lines[pairs[i][which]];
				edits[i][which] = Boolean(line) && line[2] !== null && isWhole[1 - which];
			});
	}
	return edits;
}

/* Whether no line of the file is missing in `lines` between two of them, or before the first. */
function listsAll(lines, from, to) {
	if (to >= lines.length)
		return false;
	return from < 0 ? lines[to][0] === to + 1 : lines[to][0] - lines[from][0] === to - from;
}

/* Before which of the `pairs` one of the sides leaves lines out. */
function gapsOf(pairs, sides) {
	const before = [null, null];
	return pairs.map((pair) => sides.map((lines, which) => {
		const line = pair[which] < 0 ? null : lines[pair[which]][0];
		const gap = line !== null && before[which] !== null && line > before[which] + 1;
		before[which] = line ?? before[which];
		return gap;
	}).some(Boolean));
}

/* The lines of a side as texts and elements. */
function codeOf(side) {
	const lines = side.lines, highlighter = new Highlighter(side.file ?? ""), texts = lines.map((line) => (line[2] === null ? "" : visibleLine(line[2])));
	return lines.map((line, i) => {
		if (i === 0 || line[0] !== lines[i - 1][0] + 1) {
			let end = i + 1;
			while (end < lines.length && lines[end][0] === lines[end - 1][0] + 1)
				end++;
			highlighter.restart(texts.slice(i, end));
		}
		return line[2] === null ? ["(no source)"] : highlighter.line(texts[i]);
	});
}

/* The lines of one function, as a table that has a row for each pair of lines. */
class SourceTable {
	constructor(source, metric) {
		this.metric = metric;
		this.names = ["base", "head"].filter((name) => source[name]);
		this.sides = this.names.map((name) => source[name]);
		this.compared = this.sides.length === 2;
		const lines = this.lines = this.sides.map((side) => side.lines);
		this.code = this.sides.map(codeOf);
		this.pairs = this.compared ? alignLines(...lines, sameLine(...lines)) : lines[0].map((_, i) => [i]);
		this.edits = this.compared ? editsOf(this.pairs, lines) : this.pairs.map(() => [false]);
		this.gaps = gapsOf(this.pairs, lines);
		this.most = Math.max(0, ...lines.flat().map((line) => Math.abs(lineCost(line, metric.weights))));
		this.element = this.draw();
	}

	cost(which, at) {
		const line = this.lines[which]?.[this.pairs[at][which]];
		return line ? lineCost(line, this.metric.weights) : 0;
	}

	/* Of one profile its cost. */
	change() {
		return sum(this.pairs.map((_, at) => (this.compared ? this.cost(1, at) - this.cost(0, at) : this.cost(0, at))));
	}

	/* What a row is looked at for. */
	size(at) {
		return Math.abs(this.compared ? this.cost(1, at) - this.cost(0, at) : this.cost(0, at));
	}

	draw() {
		const rows = this.pairs.flatMap((_, at) => [
			this.gaps[at] ? h("tr.gap", { "aria-hidden": "true" }, h("td", null, "\u22ef")) : null, this.row(at)]).filter(Boolean);
		this.table = h("table.source" + (this.compared ? ".two" : ""), null, h("thead", null, this.header()), h("tbody", null, rows));
		this.rows = [...this.table.querySelectorAll("tbody tr:not(.gap)")];
		/* Beside each other, numbers need as much room as the longest. */
		const longest = this.pairs.flatMap((_, at) => [this.cost(0, at), this.cost(1, at)]).map((cost) => formatCount(cost).length);
		this.table.style.setProperty("--count", `${Math.max(this.metric.name.length, ...longest) + 2}ch`);
		this.table.style.setProperty("--digits", `${Math.max(4, ...this.lines.flat().map(([number]) => String(number).length))}ch`);
		this.box = h("div.source-box", { tabindex: "0", role: "region", "aria-label": `Source of ${this.names.join(" and ")}` }, this.table);
		return h("div", null, this.box, this.sides.map((side, which) => (side.note ?
			h("p.hint", null, this.compared ? h("b", null, `${this.names[which]}: `) : null, visible(side.note)) : null)));
	}

	header() {
		const file = (which) => h(`th.code.${this.names[which]}`, { scope: "col" }, this.compared ? h("b", null, this.names[which], " ") : null, nameElement(this.sides[which].file ?? ""));
		const title = (what, text) => h("th." + what, { scope: "col" }, text);
		return h("tr", null, this.names.flatMap((name, which) => [
			which ? title("num.delta", "\u0394") : null,
			title(`lineno.${name}`, "Line"), title(`num.cost.${name}`, this.metric.name),
			this.compared ? h(`th.mark.${name}`, null, h("span.unseen", null, "Edit")) : null, file(which)]));
	}

	row(at) {
		const delta = this.compared ? this.cost(1, at) - this.cost(0, at) : 0;
		const isSame = this.compared && this.pairs[at].every((i) => i >= 0) && !this.edits[at].some(Boolean);
		const change = delta > 0 ? ".up" : delta < 0 ? ".down" : "";
		return h("tr" + (isSame ? ".same" : ""), null, this.names.flatMap((name, which) => [
			which ? h("td.num.delta" + change, null, delta ? formatDelta(delta) : "") : null, ...this.cells(at, name, which)]));
	}

	cells(at, name, which) {
		const i = this.pairs[at][which], line = this.lines[which][i], edited = this.edits[at][which] ? ".edited" : "";
		if (!line)
			return ["lineno", "cost", "mark", "code"].map((what) => h(`td.${what}.${name}.filler`));
		const cost = this.cost(which, at), bar = h("span.heat", { "aria-hidden": "true" });
		bar.style.width = `${this.most ? Math.round(100 * Math.abs(cost) / this.most) : 0}%`;
		return [h(`td.lineno.${name}`, null, line[0] ? String(line[0]) : ""),
			h(`td.num.cost.${name}`, null, bar, h("span", null, cost ? formatCount(cost) : "")),
			this.compared ? h(`td.mark.${name}${edited}`, null, edited ? (which ? "+" : MINUS) : "") : null,
			h(`td.code.${name}${edited}`, null, this.code[which][i])];
	}

	/* Begins at the first change, or so that the largest one is in sight. Only for what is drawn. */
	showChange() {
		const sizes = this.pairs.map((_, at) => this.size(at)), largest = sizes.indexOf(Math.max(...sizes));
		const first = this.compared ? sizes.findIndex((size, at) => size || this.edits[at].some(Boolean)) : largest;
		const top = (at) => this.rows[Math.max(0, at - 2)].offsetTop - this.table.tHead.offsetHeight;
		if (largest >= 0)
			this.box.scrollTop = top(largest) - top(first) < this.box.clientHeight * 0.6 ? top(first) : top(largest);
	}
}

class Sources {
	constructor(bench) {
		this.bench = bench;
		this.body = h("div");
		this.open = new Set();
		this.chosen = false; /* a person opened or closed one */
		this.list = bench.sources;
		this.element = h("section", { id: "sources", "aria-labelledby": "source-title" },
			h("div.section-head", null, h("h2", { id: "source-title" }, "Source")), this.body);
	}

	update(state) {
		this.metric = this.bench.metrics[state.metric];
		const changes = this.list.map((source) => this.changeOf(source));
		const sizes = changes.map(({ self, calls }) => Math.abs(self) + Math.abs(calls));
		if (!this.chosen)
			this.open = new Set([sizes.indexOf(Math.max(...sizes))]);
		const blocks = this.list.map((source, i) => this.block(source, i, changes[i]));
		const { noCode } = this.bench.raw;
		this.body.replaceChildren(...blocks.map(({ element }) => element), ...(noCode ? [h("p.hint.no-code", null, visible(noCode))] : []));
		blocks.forEach(({ fill }, i) => this.open.has(i) && fill());
	}

	/* By how much its self cost changed and, as far as causes tell, what it calls. Of one profile: its self cost. */
	changeOf(source) {
		const { bench, metric } = this, { flat, causes } = bench.raw;
		const row = flat.function.findIndex((fn, r) => fn === source.function || flat.baseFunction?.[r] === source.function);
		const of = (columns) => metric.weights.reduce((all, weight, event) => all + (weight ? weight * (columns?.[event]?.[row] ?? 0) : 0), 0);
		const lines = (side) => sum((side?.lines ?? []).map((line) => lineCost(line, metric.weights)));
		const self = row < 0 ? lines(source.head) - lines(source.base) : of(bench.compared || bench.only === "head" ? flat.headSelf : flat.baseSelf);
		const judged = bench.compared && metric === bench.metrics[bench.judged] ? (causes ?? []) : [];
		const single = judged.flatMap((cause) => (cause.kind === "together" ? cause.parts ?? [] : [cause]));
		const own = single.filter((cause) => cause.caller === source.function && !["self", "inlining"].includes(cause.kind));
		return { self, calls: sum(own.map((cause) => cause.delta)) };
	}

	changeWords({ self, calls }) {
		const { bench, metric } = this, { compared } = bench;
		const part = (n, of) => {
			const share = compared ? shareOfChange(bench, metric, n) : metric[bench.only] ? formatShare(n, metric[bench.only]) : null;
			return share === null ? "" : ` (${share}${of})`;
		};
		const kind = (n) => (!compared ? "" : n > 0 ? ".up" : n < 0 ? ".down" : ".even");
		const count = compared ? formatDelta : formatCount, of = compared ? " of the change" : " of the total";
		return h("span.source-change", null, h("span", null, compared ? "\u0394 self " : "self ", h("b" + kind(self), null, count(self)), ` ${metric.name}${part(self, of)}`),
			calls ? h("span", null, "its calls ", h("b" + kind(calls), null, count(calls)), part(calls, "")) : null);
	}

	/* The lines are those of one file. */
	elsewhere(source, self, shown) {
		const { compared } = this.bench, rest = self - (compared && !source.head ? -shown : shown);
		return Math.abs(rest) <= Math.abs(self) / 100 ? null :
			h("p.hint.elsewhere", null, `Not in these lines: ${(compared ? formatDelta : formatCount)(rest)} ${this.metric.name}, such as functions that were inlined from other files.`);
	}

	/* What is closed is not drawn before somebody wants to see it. */
	block(source, i, change) {
		const element = h("details.source-block", { open: this.open.has(i) },
			h("summary", null, nameElement(this.bench.shortName(source.function), this.bench.functionName(source.function)), this.changeWords(change)));
		const fill = () => {
			const table = new SourceTable(source, this.metric);
			const code = source.code && (source.code.base || source.code.head) ? new MachineCode(source.code, this.metric).element : null;
			element.append(...[table.element, this.elsewhere(source, change.self, table.change()), code].filter(Boolean));
			table.showChange();
		};
		element.addEventListener("toggle", () => {
			if (element.open === this.open.has(i))
				return;
			this.chosen = true;
			this.open[element.open ? "add" : "delete"](i);
			if (element.open && element.children.length === 1)
				fill();
		});
		return { element, fill };
	}
}
