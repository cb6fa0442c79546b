/* The lines of the functions that caused the change, base and head side by side. */

const MOST_CELLS = 250000; /* of the table that lines are matched with */

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
	return (i, k) => (a[i][2] !== null && b[k][2] !== null ? a[i][2].trim() === b[k][2].trim() : a[i][0] === b[k][0]);
}

function lineCost(line, weights) {
	return weights.reduce((cost, weight, event) => cost + weight * (line[1]?.[event] ?? 0), 0);
}

/* One side of a source: `rows` are [line or null, delta, whether lines are missing before it], as
 * many as the other side has. */
function sourceSide(title, side, rows, weights, most, showDelta) {
	const body = h("tbody");
	for (const [line, delta, gap] of rows) {
		if (gap)
			body.append(h("tr.gap", null, h("td", { colspan: showDelta ? 4 : 3 }, "\u22ef")));
		body.append(line ? sourceRow(line, delta, weights, most, showDelta) : fillerRow(showDelta));
	}
	const columns = ["line", "cost", showDelta ? "\u0394" : null, "source"].filter(Boolean);
	return h("div.source-side", null,
		h("div.source-title", null, h("b", null, title), " ", nameElement(side.file ?? "")),
		h("div.scroll", { tabindex: "0", role: "region", "aria-label": `Source in ${title}` },
			h("table.source", null, h("thead.unseen", null, h("tr", null, columns.map((name) => h("th", { scope: "col" }, name)))), body)),
		side.note ? h("p.hint", null, visible(side.note)) : null);
}

function fillerRow(showDelta) {
	return h("tr.filler", { "aria-hidden": "true" }, h("td", { colspan: showDelta ? 4 : 3 }, "\u00a0"));
}

function sourceRow(line, delta, weights, most, showDelta) {
	const cost = lineCost(line, weights), bar = h("span.heat", { "aria-hidden": "true" });
	bar.style.width = `${most ? Math.round(100 * Math.abs(cost) / most) : 0}%`;
	const change = delta > 0 ? ".up" : delta < 0 ? ".down" : "";
	return h("tr" + (delta ? ".changed" : ""), null, h("td.lineno", null, String(line[0])),
		h("td.num.cost", null, bar, h("span", null, cost ? formatCount(cost) : "")),
		showDelta ? h("td.num.delta" + change, null, delta ? formatDelta(delta) : "") : null,
		h("td.code", null, line[2] === null ? "(no source)" : visibleLine(line[2])));
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

function sourceBlock(bench, source, weights) {
	const base = source.base?.lines ?? [], head = source.head?.lines ?? [];
	const pairs = source.base && source.head ? alignLines(base, head, sameLine(base, head)) :
		(source.head ? head.map((_, i) => [-1, i]) : base.map((_, i) => [i, -1]));
	const costs = [...base, ...head].map((line) => Math.abs(lineCost(line, weights)));
	const most = costs.reduce((a, b) => Math.max(a, b), 0);
	const cost = (lines, i) => (i < 0 ? 0 : lineCost(lines[i], weights));
	const compared = Boolean(source.base && source.head);
	const gaps = gapsOf(pairs, [base, head]);
	const rowsOf = (lines, which) => pairs.map((pair, at) => [
		pair[which] < 0 ? null : lines[pair[which]], compared ? cost(head, pair[1]) - cost(base, pair[0]) : 0, gaps[at]]);
	const sides = [
		source.base ? sourceSide("base", source.base, rowsOf(base, 0), weights, most, false) : null,
		source.head ? sourceSide("head", source.head, rowsOf(head, 1), weights, most, compared) : null,
	].filter(Boolean);
	return h("div.source-sides" + (sides.length === 1 ? ".single" : ""), null, sides);
}

class Sources {
	constructor(bench) {
		this.bench = bench;
		this.body = h("div");
		this.open = new Set([0]);
		this.element = h("section", { id: "sources", "aria-labelledby": "source-title" },
			h("div.section-head", null, h("h2", { id: "source-title" }, "Source")), this.body);
	}

	update(state) {
		const metric = this.bench.metrics[state.metric];
		this.body.replaceChildren(...this.bench.raw.sources.map((source, i) => {
			const block = h("details.source-block", { open: this.open.has(i) },
				h("summary", null, nameElement(this.bench.functionName(source.function)), h("span.place", null, metric.name)));
			const fill = () => block.append(sourceBlock(this.bench, source, metric.weights));
			/* What is closed is not drawn before somebody wants to see it. */
			if (this.open.has(i))
				fill();
			block.addEventListener("toggle", () => {
				if (block.open && block.children.length === 1)
					fill();
				this.open[block.open ? "add" : "delete"](i);
			});
			return block;
		}));
	}
}
