/* One function: what it costs, and all that call it and that it calls, merged over all call paths. */

const FEW_EDGES = 8;

/* What frames of a tree, added in its order, cost by a key, such as their function. A frame below
 * another one of the same key is part of what that one costs already. */
class Edges {
	constructor() {
		this.rows = new Map();
	}

	add(tree, costs, key, i) {
		if (!this.rows.has(key))
			this.rows.set(key, { fn: key, base: 0, head: 0, baseCalls: 0, headCalls: 0, end: 0 });
		const row = this.rows.get(key);
		row.baseCalls += callsOf(tree, i, "base");
		row.headCalls += callsOf(tree, i, "head");
		if (i < row.end) {
			this.nested = true;
			return;
		}
		row.end = tree.end[i];
		row.base += costs.base[i];
		row.head += costs.head[i];
	}

	/* The largest change first, of one profile the largest cost. */
	sorted(compared) {
		const size = (row) => Math.max(Math.abs(row.base), Math.abs(row.head)), change = (row) => Math.abs(row.head - row.base);
		return [...this.rows.values()].sort((a, b) => (compared ? change(b) - change(a) : 0) || size(b) - size(a));
	}
}

/* The cost and calls of functions that `isFn`, their callers and their callees, in a tree that is not inverted. */
function neighbours(tree, costs, isFn) {
	const own = new Edges(), callers = new Edges(), callees = new Edges();
	const self = { base: 0, head: 0 };
	for (let i = 0; i < tree.count; i++) {
		const caller = tree.parent[i] < 0 ? null : tree.fn[tree.parent[i]];
		if (caller !== null && isFn(caller))
			callees.add(tree, costs, tree.fn[i], i);
		if (!isFn(tree.fn[i]))
			continue;
		own.add(tree, costs, 0, i);
		self.base += costs.selfBase[i];
		self.head += costs.selfHead[i];
		if (caller !== null)
			callers.add(tree, costs, caller, i);
	}
	return { own: own.rows.get(0), recursive: own.nested, self, callers, callees };
}

/* Whether a function of `tree` is `fn`: where it is not there itself, what has its name, since a
 * table may know another file or object of it. */
function likeFunction(tree, fn) {
	if (tree.fn.includes(fn))
		return (other) => other === fn;
	const { bench } = tree, name = bench.functionName(fn);
	return (other) => other >= 0 && bench.functionName(other) === name;
}

class FunctionPanel {
	constructor(bench, app, graph) {
		this.bench = bench;
		this.app = app;
		this.graph = graph;
		this.element = h("section.function", { id: "function", "aria-labelledby": "function-title", hidden: true, keydown: (event) => this.onKey(event) });
	}

	update(state) {
		this.element.hidden = state.fn < 0;
		if (state.fn >= 0)
			this.fill(state);
	}

	fill(state) {
		const { bench, graph } = this, { fn } = state, name = bench.functionName(fn);
		this.side = graph ? graph.side : bench.compared ? "diff" : bench.only;
		this.metric = bench.metrics[state.metric];
		const tree = graph && bench.tree(this.side), of = tree && neighbours(tree, tree.sums(state.metric), likeFunction(tree, fn));
		this.element.replaceChildren(...[
			h("div.section-head", null, h("button.link", { type: "button", id: "function-close", click: () => this.close() }, this.backText()), this.copyButton(name)),
			h("h2.function-name", { id: "function-title", tabindex: "-1" }, name),
			h("p.place", null, bench.place(fn)),
			...(this.costs(fn, of) ?? []),
			this.actions(fn, of),
			...this.causes(fn),
			...(of?.own ? [this.edges("Callers", of.callers), this.edges("Callees", of.callees),
				of.recursive ? h("p.hint", null, "It calls itself, also through others: some rows are parts of others.") : null] : []),
		].filter(Boolean));
	}

	backText() {
		return `\u2190 ${this.bench.compared ? "Causes of the change" : "Hottest functions"}`;
	}

	copyButton(name) {
		const button = h("button.button.small", { type: "button", id: "copy-name", click: async () => {
			button.textContent = await copied(name) ? "Copied" : "Not copied";
			say(button.textContent);
		} }, "Copy name");
		return button;
	}

	/* From the table of functions, which knows what frames that are too small to be shown cost. An
	 * inclusive cost of which it has only a bound is that of the frames. */
	costs(fn, of) {
		const known = this.tableRow(fn), frames = of?.own ? { ...of.own, self: of.self } : null, { metric } = this;
		const row = known && frames && known.base === null ? { ...known, base: frames.base, head: frames.head } : known ?? frames;
		if (!row)
			return null;
		const line = (title, base, head, isCount) => this.line(h("th", { scope: "row" }, title), base, head, isCount);
		const columns = this.side === "diff" ? ["", "base", "head", "\u0394", "change"] : ["", metric.name, "% of total"];
		return [h("table.function-costs", { "aria-label": `Costs in ${metric.name}` },
			h("thead", null, h("tr", null, columns.map((title) => h("th.num", { scope: "col" }, title)))),
			h("tbody", null, row.base === null ? null : line("Inclusive", row.base, row.head), line("Self", row.self.base, row.self.head),
				row.baseCalls || row.headCalls ? line("Calls", row.baseCalls, row.headCalls, true) : null)),
		known && frames ? this.unseen(known.self, frames.self) : null];
	}

	/* Callers and callees are those of frames, of which the smallest may be missing. */
	unseen(self, shown) {
		const side = this.side === "base" ? "base" : "head", part = self[side] ? shown[side] / self[side] : 1;
		return part >= 0.99 ? null :
			h("p.hint", null, `Callers and callees are those in the graph, which shows ${formatShare(shown[side], self[side])} of the self cost; other frames are too small.`);
	}

	/* Its row of the table; of several that only have its name, none. */
	tableRow(fn) {
		const { bench } = this, flat = bench.raw.flat, name = bench.functionName(fn);
		if (!flat)
			return null;
		const all = flat.function.map((_, r) => r), of = (r) => [flat.function[r], flat.baseFunction?.[r] ?? -1];
		const same = all.find((r) => of(r).includes(fn));
		const rows = same !== undefined ? [same] : all.filter((r) => of(r).some((other) => other >= 0 && bench.functionName(other) === name));
		if (rows.length !== 1)
			return null;
		const [r] = rows;
		const costs = flatCosts(bench, bench.metrics.indexOf(this.metric)), bound = flat.flags[r] & UPPER_BOUND;
		return {
			base: bound ? null : costs.base[r], head: costs.head[r], self: { base: costs.selfBase[r], head: costs.selfHead[r] },
			baseCalls: flat.baseCalls[r], headCalls: flat.headCalls[r],
		};
	}

	line(title, base, head, isCount) {
		const { bench, metric, side } = this;
		if (side !== "diff") {
			const of = side === "base" ? base : head;
			return h("tr", null, title, h("td.num", null, formatCount(of)), h("td.num", null, isCount ? "" : formatShare(of, metric[side])));
		}
		const delta = head - base, kind = isCount || !bench.isChange(delta, metric) ? "even" : direction(base, head);
		return h("tr", null, title, h("td.num", null, formatCount(base)), h("td.num", null, formatCount(head)),
			h("td.num." + kind, null, formatDelta(delta)), h("td.num." + kind, null, formatChange(base, head)));
	}

	actions(fn, of) {
		const source = this.bench.sources.findIndex((one) => this.bench.functionName(one.function) === this.bench.functionName(fn));
		const buttons = [
			of?.own && h("button.button", { type: "button", click: () => this.graph.zoomToFunction(fn) }, "Zoom to its largest frame"),
			source >= 0 && h("button.button", { type: "button", id: "function-source", click: () => showSource(source) }, "Source"),
		].filter(Boolean);
		return buttons.length ? h("div.function-actions", null, buttons) : null;
	}

	causes(fn) {
		const { bench } = this, causes = bench.raw.causes ?? [], name = bench.functionName(fn);
		const isThis = (other) => other >= 0 && bench.functionName(other) === name;
		const own = causes.filter((cause) => isThis(cause.function) || isThis(cause.caller));
		return own.length ? [h("h3", null, "Causes of the change", h("span.place", null, ` in ${bench.metrics[bench.judged].name}`)), causeList(bench, this.app, own, bench.raw.causesDelta ?? 0)] : [];
	}

	edges(title, edges) {
		const rows = edges.sorted(this.side === "diff"), two = this.side === "diff";
		if (!rows.length)
			return h("p.hint", null, title === "Callers" ? "No callers: threads start here." : "No callees.");
		const line = (row) => {
			const { base, head, baseCalls, headCalls } = row, delta = head - base;
			const kind = this.bench.isChange(delta, this.metric) ? direction(base, head) : "even";
			const calls = two ? formatPair(baseCalls, headCalls) : formatPair(0, this.side === "base" ? baseCalls : headCalls).split(" ").pop();
			return h("tr", null, h("td.who", null, this.functionLink(row.fn)),
				...(two ? [h("td.num", null, formatCount(base)), h("td.num", null, formatCount(head)), h("td.num." + kind, null, formatDelta(delta))] :
					[h("td.num", null, formatCount(this.side === "base" ? base : head))]),
				h("td.num", null, calls));
		};
		const columns = two ? ["base", "head", "\u0394", "calls"] : [this.metric.name, "calls"];
		const table = h("div.scroll.edges", null, h("table", { "aria-label": title },
			h("thead", null, h("tr", null, h("th.who", { scope: "col" }, title), columns.map((text) => h("th.num", { scope: "col" }, text)))),
			h("tbody", null, rows.map(line))));
		return h("div", null, rows.length > FEW_EDGES + 2 ? withMore(table, plural(rows.length - FEW_EDGES, "more " + title.toLowerCase().slice(0, -1))) : table);
	}

	functionLink(fn) {
		if (fn < 0)
			return "(smaller frames)";
		return h("button.link", { type: "button", click: () => this.app.showFunction(fn) }, shortNameElement(this.bench, fn));
	}

	close() {
		this.app.go({ fn: -1 });
		byId("causes-title")?.focus();
	}

	onKey(event) {
		if (event.key === "Escape") {
			event.preventDefault();
			this.close();
		}
	}
}

function showSource(index) {
	const block = document.querySelectorAll("#sources .source-block")[index];
	block.open = true;
	block.scrollIntoView({ block: "start" });
	block.querySelector("summary").focus({ preventScroll: true });
}

/* Files that are opened from a disk may have no clipboard but that of old. */
async function copied(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		const field = h("textarea.unseen", { "aria-hidden": "true" });
		field.value = text;
		document.body.append(field);
		field.select();
		const done = document.execCommand("copy");
		field.remove();
		return done;
	}
}
