/* What is known about one frame: beside the pointer, or, where there is no pointer to be beside,
 * at the lower edge of the screen. */

function frameKind(tree, costs, metric, i) {
	const flags = tree.flags[i];
	if (tree.side !== "diff")
		return "";
	if (!(flags & IN_BASE))
		return "new";
	if (!(flags & IN_HEAD))
		return "removed";
	const delta = costs.head[i] - costs.base[i];
	return !tree.bench.isChange(delta, metric) ? "unchanged" : delta > 0 ? "regressed" : "improved";
}

function inlinedWords(flags) {
	const both = flags & IN_BASE && flags & IN_HEAD;
	if (flags & INLINED_BASE && flags & INLINED_HEAD || !both)
		return flags & (INLINED_BASE | INLINED_HEAD) ? "inlined" : "";
	return flags & INLINED_HEAD ? "inlined in head, called in base" :
		flags & INLINED_BASE ? "inlined in base, called in head" : "";
}

function callsOf(tree, i, side) {
	return tree.raw[side + "Calls"]?.[i] ?? 0;
}

/* One sentence, for those who hear it. */
function frameSentence(tree, costs, metric, i) {
	const kind = frameKind(tree, costs, metric, i), parts = [tree.name(i)];
	if (tree.side === "diff")
		parts.push(`${kind}, ${formatCount(costs.base[i])} to ${formatCount(costs.head[i])} ${metric.name}`);
	else
		parts.push(`${formatCount(costs[tree.side][i])} ${metric.name}`);
	parts.push(inlinedWords(tree.flags[i]), `level ${tree.depth[i] + 1}`);
	return parts.filter(Boolean).join(", ");
}

function detailRow(title, ...cells) {
	return h("tr", null, h("th", { scope: "row" }, title), cells.map((text) => h("td.num", null, text)));
}

/* What the frame costs in other metrics that matter, of all its callees too. */
function otherMetrics(tree, metric, i) {
	const { bench } = tree;
	return tree.inverted ? [] : bench.mainMetrics.filter((m) => bench.metrics[m] !== metric).map((m) => {
		const { base, head } = tree.sums(m), { name } = bench.metrics[m];
		if (tree.side !== "diff")
			return detailRow(name, formatCount((tree.side === "base" ? base : head)[i]), "");
		return detailRow(name, formatCount(base[i]), formatCount(head[i]), formatDelta(head[i] - base[i]), formatChange(base[i], head[i]));
	});
}

function diffRows(tree, costs, i, total) {
	const row = (title, base, head) => detailRow(title, formatCount(base), formatCount(head),
		formatDelta(head - base), formatChange(base, head));
	const b = callsOf(tree, i, "base"), head = callsOf(tree, i, "head");
	const { base, selfBase, selfHead } = costs;
	return [
		h("tr", null, h("td"), ["base", "head", "\u0394", "change"].map((title) => h("th.num", { scope: "col" }, title))),
		row("Inclusive", base[i], costs.head[i]),
		row("Self", selfBase[i], selfHead[i]),
		b || head ? row("Calls", b, head) : null,
		detailRow("% of base", "", "", formatShareOfBase(costs.head[i] - base[i], total.base), ""),
	];
}

function sideRows(tree, costs, i, total) {
	const inclusive = costs[tree.side][i], self = (tree.side === "base" ? costs.selfBase : costs.selfHead)[i];
	const calls = callsOf(tree, i, tree.side), whole = total[tree.side];
	return [
		detailRow("Inclusive", formatCount(inclusive), formatShare(inclusive, whole)),
		detailRow("Self", formatCount(self), formatShare(self, whole)),
		calls ? detailRow("Calls", formatCount(calls), "") : null,
	];
}

function frameDetails(tree, costs, metric, i) {
	const fn = tree.fn[i], flags = tree.flags[i];
	const facts = [
		inlinedWords(flags),
		flags & ESTIMATED ? "estimated: the profile lacks full call paths" : "",
		tree.note(i) ? visible(tree.note(i)) : "",
	].filter(Boolean);
	return [
		...tipName(tree.name(i)),
		fn < 0 ? null : h("div.tip-place", null, tree.bench.place(fn)),
		costTable(tree, costs, metric, i),
		...facts.map((fact) => h("div.tip-note", null, fact)),
	];
}

function costTable(tree, costs, metric, i) {
	const kind = frameKind(tree, costs, metric, i), total = totalsOf(tree, costs);
	return h("table.tip-table", null, h("caption", null, kind ? h("span.kind." + kind, null, kind) : null, ` ${metric.name} on this call path`),
		h("tbody", null, tree.side === "diff" ? diffRows(tree, costs, i, total) : sideRows(tree, costs, i, total)),
		h("tbody", null, otherMetrics(tree, metric, i)));
}

/* Of a chain of frames that share a row: which they are. */
function chainDetails(tree, costs, metric, chain) {
	const most = 12, shown = chain.length > most ? [...chain.slice(0, most - 2), -1, chain.at(-1)] : chain;
	return [
		h("div.tip-name", null, `${plural(chain.length, "frame")} in a chain`),
		h("ol.tip-chain", null, shown.map((i) => h("li", null, i < 0 ? "\u2026" : tree.shortName(i)))),
		costTable(tree, costs, metric, chain[0]),
		h("div.tip-note", null, "Each calls little but the next. Click or Enter unfolds them."),
	];
}

/* Of a very long name first what it is without its lists. */
function tipName(name) {
	const short = name.length > 100 ? collapseLists(collapseLists(name, "("), "<") : name;
	return [h("div.tip-name", null, short), short === name ? null : h("div.tip-full", null, name)];
}

/* What all roots cost together. */
function totalsOf(tree, costs) {
	const total = { base: 0, head: 0 };
	for (let i = 0; i < tree.count; i = tree.end[i]) {
		total.base += costs.base[i];
		total.head += costs.head[i];
	}
	return total;
}

const isNarrow = () => matchMedia("(max-width: 700px), (pointer: coarse)").matches;

class Tip {
	constructor() {
		this.element = byId("tip");
	}

	/* Beside `at` = {x, y} in the window. */
	show(content, at) {
		const { element } = this;
		element.replaceChildren(...content.filter(Boolean));
		element.hidden = false;
		const docked = isNarrow() || !at;
		element.classList.toggle("docked", docked);
		if (docked)
			element.style.left = element.style.top = "";
		else
			this.place(at);
	}

	place(at) {
		const { element } = this, gap = 14, box = element.getBoundingClientRect();
		const right = at.x + gap + box.width < innerWidth - 8;
		const below = at.y + gap + box.height < innerHeight - 8;
		element.style.left = `${Math.max(8, right ? at.x + gap : at.x - gap - box.width)}px`;
		element.style.top = `${Math.max(8, below ? at.y + gap : at.y - gap - box.height)}px`;
	}

	hide() {
		this.element.hidden = true;
	}
}
