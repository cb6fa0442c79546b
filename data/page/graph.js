/* The part of the page with the flame graph: tabs, search, zoom, legend. */

const SIDE_TITLES = { base: "Base", head: "Head", diff: "Diff" };

/* What frames can be coloured by: those that need two sides, and those for one. */
const COLORINGS = {
	diff: [["inclusive", "change in inclusive cost"], ["self", "change in self cost"], ["object", "object"], ["file", "file"]],
	one: [["object", "object"], ["file", "file"]],
};

const ONE_OBJECT = 0.9, LEAST_KEY = 0.001; /* shares of the self cost of all frames */
const ORDERS = [["size", "largest first"], ["change", "largest change first"], ["name", "by name"]];

class Graph {
	constructor(bench, app) {
		this.bench = bench;
		this.app = app;
		this.coloring = { diff: "inclusive" };
		this.order = "size";
		this.unfolded = new Set(); /* first frames of chains */
		this.tip = new Tip();
		this.flame = new Flame({
			zoom: (i, then) => this.zoomTo(i, then),
			choose: (i, byPointer) => this.chooseFrame(i, byPointer),
			close: () => this.app.go({ fn: -1 }),
			unfold: (i) => this.unfold(i),
			focus: (i) => this.showFocus(i),
			point: (i, event) => this.point(i, event),
		});
		this.flame.element.addEventListener("blur", () => this.tip.hide());
		this.build();
	}

	build() {
		this.tabs = h("div.tabs", { role: "tablist", "aria-label": "Profile", keydown: (event) => this.onTabKey(event) });
		this.crumbs = h("nav.crumbs", { "aria-label": "Zoom" });
		this.legend = h("div.legend", { "aria-label": "Legend" });
		this.buildTools();
		/* One line that is always there: the graph does not move under the pointer when it is filled. */
		this.aim = h("p.hint.aim", null,
			h("span.for-mouse", null, "Click a frame for its callers and callees, click it again to zoom in."),
			h("span.for-touch", null, "Tap a frame for details, tap it again to zoom in."));
		this.panel = h("div", { id: "graph-panel", role: "tabpanel" },
			h("div.graph-line", null, this.crumbs, this.found, this.aim), this.flame.element, this.legend);
		this.element = h("section", { id: "graph", "aria-labelledby": "graph-title" },
			h("div.section-head.graph-head", null, h("h2", { id: "graph-title" }, "Flame graph"), this.tabs, this.tools), this.panel,
			h("p.hint", { id: "flame-keys" },
				h("span.for-mouse", null, "Keys in the graph: arrows move, Space shows callers and callees, Enter zooms in, Esc out, / searches, i inverts, o changes the order, f unfolds chains. "),
				this.bench.compared ? "Width: the larger inclusive cost of base and head." : "Width: inclusive cost."));
	}

	buildTools() {
		const search = () => this.app.go({ query: this.query.value }, true);
		this.query = h("input.field.search", {
			id: "search", type: "search", placeholder: "Search: regex", "aria-label": "Search functions by regular expression",
			"aria-describedby": "found", spellcheck: "false", autocomplete: "off", autocapitalize: "off", input: search,
			keydown: (event) => this.onSearchKey(event),
		});
		const check = (id, change) => h("input", { type: "checkbox", id, change });
		this.ignoreCase = check("ignore-case", () => this.mark());
		this.ignoreCase.checked = true;
		this.inverted = check("inverted", () => this.app.go({ inverted: this.inverted.checked, zoom: -1 }));
		this.folding = check("folding", () => this.setFolding(this.folding.checked));
		this.folding.checked = true;
		this.upright = check("upright", () => this.turn());
		this.colors = h("select.field", { id: "colors", change: () => this.recolor() });
		this.orders = h("select.field", { id: "order", change: () => this.setOrder(this.orders.value) }, ORDERS.map(([value, title]) => h("option", { value }, title)));
		this.reset = h("button.button", { type: "button", id: "zoom-out", click: () => this.zoomTo(-1) }, "Zoom out");
		this.found = h("p.found", { id: "found" });
		const labelled = (input, text) => h("label.check", null, input, text);
		this.options = h("details.menu", { id: "graph-options", keydown: (event) => this.onMenuKey(event) }, h("summary.button", null, "View"),
			h("div.menu-body", null,
				h("label.choice", null, h("span", null, "Colour by"), this.colors),
				h("label.choice", null, h("span", null, "Order"), this.orders),
				labelled(this.inverted, "callers below callees (inverted)"), labelled(this.folding, "fold chains of frames"),
				labelled(this.upright, "root at the bottom"), labelled(this.ignoreCase, "search ignores case")));
		this.tools = h("div.tools", { role: "group", "aria-label": "Flame graph tools" }, this.query, this.options, this.reset);
	}

	onMenuKey(event) {
		if (event.key !== "Escape" || !this.options.open)
			return;
		this.options.open = false;
		this.options.querySelector("summary").focus();
		event.stopPropagation();
	}

	/* ---- what is shown ---- */

	/* `changed` is what differs from the state before; a zoom alone needs no new colours, and what is
	 * marked no new tree. */
	update(state, changed) {
		if ([...changed].some((key) => !["zoom", "fn", "query"].includes(key)))
			this.choose(state);
		else if (changed.has("fn") || changed.has("query"))
			this.mark();
		const zoom = state.zoom < this.tree.count ? state.zoom : -1;
		if (this.flame.zoom !== zoom)
			this.flame.setZoom(zoom);
		this.fillCrumbs();
	}

	choose(state) {
		this.side = this.bench.sides().includes(state.side) ? state.side : this.bench.sides()[0];
		this.metric = this.bench.metrics[state.metric];
		const tree = this.bench.tree(this.side, state.inverted ? state.metric : -1);
		if (tree !== this.tree)
			this.unfolded.clear();
		this.tree = tree;
		this.costs = tree.costs(state.metric, this.order);
		this.total = totalsOf(tree, this.costs);
		this.inverted.checked = state.inverted;
		this.foldChains();
		this.fillTabs();
		this.fillColors();
		this.mark();
	}

	mark() {
		if (this.query.value !== this.app.state.query)
			this.query.value = this.app.state.query;
		this.search();
		this.draw();
	}

	/* What changed or costs something itself is not folded away; inverted, all cost is that of the roots. */
	foldChains() {
		const { tree, costs, bench, metric } = this, two = this.side === "diff";
		const standsOut = (i) => (tree.inverted ? tree.parent[i] < 0 : two && bench.isChange(costs.selfHead[i] - costs.selfBase[i], metric));
		this.folds = tree.fold(costs, standsOut, this.folding.checked ? this.unfolded : null);
	}

	unfold(first) {
		this.unfolded.add(first);
		this.refold();
	}

	setFolding(on) {
		this.folding.checked = on;
		this.unfolded.clear();
		this.refold();
	}

	refold() {
		const { focus } = this.flame;
		this.foldChains();
		this.draw();
		if (focus >= 0)
			this.flame.setFocus(this.folds.drawn[focus]);
	}

	setOrder(order) {
		this.order = this.orders.value = order;
		this.costs = this.tree.costs(this.app.state.metric, order);
		this.refold();
		say(`Order: ${ORDERS.find(([value]) => value === order)[1]}`);
	}

	/* Keys of single letters, where the focus is in the graph: what else takes letters is not disturbed. */
	onKey(key) {
		switch (key) {
		case "i":
			this.app.go({ inverted: !this.app.state.inverted, zoom: -1 });
			say(this.app.state.inverted ? "Inverted: callers below callees" : "Callees below callers");
			break;
		case "o":
			this.setOrder(ORDERS[(ORDERS.findIndex(([value]) => value === this.order) + 1) % ORDERS.length][0]);
			break;
		case "f":
			this.setFolding(!this.folding.checked);
			say(this.folding.checked ? "Chains are folded" : "Chains are unfolded");
			break;
		default:
			return false;
		}
		return true;
	}

	draw() {
		const palette = this.app.palette(), { tree, costs } = this, coloring = this.colors.value;
		let colorOf;
		if (coloring === "inclusive" || coloring === "self") {
			colorOf = changeColors(tree, costs, palette, coloring === "inclusive", this.metric);
			this.fillChangeLegend(palette);
		} else {
			const groups = this.groups(coloring);
			colorOf = groupColors(tree, groups, coloring, palette);
			this.fillGroupLegend(groups, palette);
		}
		this.flame.show({ tree, costs, folds: this.folds, colorOf, palette, labelOf: (i) => this.labelOf(i), matches: this.matches });
		this.flame.element.setAttribute("aria-label",
			`Flame graph of ${this.bench.name}, ${SIDE_TITLES[this.side]}, ${this.metric.name}${tree.inverted ? ", inverted" : ""}`);
	}

	/* In a diff, the change that the frame is coloured by, unless it is below the threshold. */
	labelOf(i) {
		const { side, costs, total } = this;
		if (side !== "diff")
			return formatShare(costs[side][i], total[side]);
		const own = this.coloring.diff === "self";
		const delta = own ? costs.selfHead[i] - costs.selfBase[i] : costs.head[i] - costs.base[i];
		return this.bench.isChange(delta, this.metric) ? formatShareOfBase(delta, total.base) : "";
	}

	fillTabs() {
		const sides = ["base", "head", "diff"].filter((side) => this.bench.sides().includes(side));
		this.tabs.hidden = sides.length < 2;
		const focused = this.tabs.contains(document.activeElement);
		this.tabs.replaceChildren(...sides.map((side) => h("button.tab", {
			type: "button", role: "tab", id: "tab-" + side, "aria-selected": String(side === this.side),
			"aria-controls": "graph-panel", tabindex: side === this.side ? "0" : "-1",
			click: () => this.openSide(side),
		}, SIDE_TITLES[side])));
		this.panel.setAttribute("aria-labelledby", "tab-" + this.side);
		if (focused)
			byId("tab-" + this.side).focus();
	}

	onTabKey(event) {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (!step)
			return;
		event.preventDefault();
		const tabs = [...this.tabs.children], at = tabs.findIndex((tab) => tab.tabIndex === 0);
		tabs[(at + step + tabs.length) % tabs.length].click();
	}

	/* The same path in the other tree, as far as it is there. */
	openSide(side) {
		const { metric, inverted } = this.app.state, to = this.bench.tree(side, inverted ? metric : -1), costs = to.costs(metric);
		let at = -1;
		for (const i of this.flame.zoom < 0 ? [] : this.tree.pathTo(this.flame.zoom)) {
			const next = childOf(to, at, this.tree.fn[i], costs.width);
			if (next < 0)
				break;
			at = next;
		}
		this.app.go({ side, zoom: at });
	}

	fillColors() {
		const choices = COLORINGS[this.side === "diff" ? "diff" : "one"];
		this.colors.replaceChildren(...choices.map(([value, title]) => h("option", { value }, title)));
		this.coloring[this.side] ??= this.sayingGroup();
		this.colors.value = this.coloring[this.side];
	}

	/* Files, where nearly all is of one object. */
	sayingGroup() {
		const objects = this.groups("object"), total = sum(objects.map(({ cost }) => cost));
		return objects.length && objects[0].cost > ONE_OBJECT * total ? "file" : "object";
	}

	/* Also of the inverted graph those of the upright one: self cost belongs to the function that has it. */
	groups(column) {
		const tree = this.bench.tree(this.side), { selfBase, selfHead } = tree.sums(this.app.state.metric);
		return groupsOf(tree, this.side === "base" ? selfBase : selfHead, column);
	}

	recolor() {
		this.coloring[this.side] = this.colors.value;
		this.draw();
	}

	turn() {
		this.flame.upright = this.upright.checked;
		this.flame.setZoom(this.flame.zoom);
	}

	/* ---- legend ---- */

	fillChangeLegend(palette) {
		const swatch = (kind, background, title) => {
			const color = h("span.swatch." + kind, { "aria-hidden": "true" });
			color.style.background = background;
			return h("span.key", null, color, title);
		};
		const fade = (colors) => `linear-gradient(90deg, ${colors.slice(1).map((color) => color.fill).join(",")})`;
		const hatch = `repeating-linear-gradient(135deg, ${palette.hatch} 0 2px, transparent 2px 5px), ${palette.regressed[2].fill}`;
		this.legend.replaceChildren(
			swatch("wide", fade(palette.regressed), "Regressed"), swatch("wide", fade(palette.improved), "Improved"),
			...(this.coloring.diff === "self" ? [swatch("plain", palette.regressed[0].fill, "Leads to a change")] : []),
			swatch("plain", hatch, "New"), swatch("dashed", palette.improved[2].fill, "Removed"),
			swatch("plain", palette.same.fill, "Unchanged"), ...this.commonKeys(palette));
	}

	fillGroupLegend(groups, palette) {
		const own = groups.reduce((sum, group) => sum + group.cost, 0);
		const key = (color, title) => {
			const swatch = h("span.swatch.plain", { "aria-hidden": "true" });
			swatch.style.background = color.fill;
			return h("span.key", null, swatch, title);
		};
		const shown = groups.slice(0, GROUP_HUES.length).filter(({ cost }) => cost >= own * LEAST_KEY);
		const keys = shown.map((group, rank) => key(palette.group(GROUP_HUES[rank], 1),
			h("span", null, nameElement(group.title), ` ${formatShare(group.cost, own)}`)));
		if (groups.length > shown.length)
			keys.push(key(palette.others(1), plural(groups.length - shown.length, "other")));
		this.legend.replaceChildren(...keys, ...this.commonKeys(palette));
	}

	commonKeys(palette) {
		const { tree } = this, keys = [];
		if (tree.flags.some((flags) => flags & (INLINED_BASE | INLINED_HEAD))) {
			const swatch = h("span.swatch.dotted", { "aria-hidden": "true" });
			swatch.style.background = palette.same.fill;
			keys.push(h("span.key", null, swatch, "Inlined"));
		}
		if (tree.flags.some((flags) => flags & ESTIMATED))
			keys.push(h("span.key", null, h("span.swatch.word", { "aria-hidden": "true" }, "~"), "Estimated"));
		return keys;
	}

	/* ---- search ---- */

	search() {
		const { regex, error } = parsePattern(this.app.state.query, this.ignoreCase.checked);
		this.query.setAttribute("aria-invalid", String(Boolean(error)));
		this.found.classList.toggle("bad", Boolean(error));
		this.matches = null;
		if (regex)
			this.match((fn) => regex.test(this.bench.functionName(fn)));
		else if (!error && this.app.state.fn >= 0)
			this.match(likeFunction(this.tree, this.app.state.fn));
		const text = error ? `Invalid regular expression: ${error}` : this.matches ? this.describeMatches() : this.costs.total ? "" : `No ${this.metric.name} was counted.`;
		if (this.found.textContent !== text) {
			this.found.textContent = text;
			if (text)
				say(text);
		}
		this.found.hidden = !text;
	}

	match(isMatch) {
		const { tree } = this, known = new Map();
		this.matches = new Uint8Array(tree.count);
		for (let i = 0; i < tree.count; i++) {
			const fn = tree.fn[i];
			if (fn < 0)
				continue;
			if (!known.has(fn))
				known.set(fn, isMatch(fn));
			this.matches[i] = known.get(fn) ? 1 : 0;
		}
		this.matched = [...known.values()].filter(Boolean).length;
	}

	/* What matches cost, each path counted once however often it matches. */
	describeMatches() {
		const { tree, costs, total, matches } = this;
		let frames = 0, base = 0, head = 0;
		for (let i = 0, covered = 0; i < tree.count; i++) {
			if (!matches[i])
				continue;
			frames++;
			if (i < covered)
				continue;
			covered = tree.end[i];
			base += costs.base[i];
			head += costs.head[i];
		}
		if (!frames)
			return this.app.state.query ? "No function matches." : "This function has no frame in the graph: all were too small.";
		const share = this.side === "diff" ? `${formatShare(base, total.base)} of base, ${formatShare(head, total.head)} of head` :
			`${formatShare(this.side === "base" ? base : head, total[this.side])}`;
		return `${plural(this.matched, "function")} in ${plural(frames, "frame")}: ${share}` +
			(this.side === "diff" ? `, \u0394 ${formatDelta(head - base)} ${this.metric.name}.` : ` of ${this.metric.name}.`);
	}

	onSearchKey(event) {
		if (event.key === "Escape") {
			event.preventDefault();
			this.app.go({ query: "" }, true);
			this.flame.element.focus();
		} else if (event.key === "Enter") {
			event.preventDefault();
			this.focusLargestMatch();
		}
	}

	focusLargestMatch() {
		const i = this.largest((k) => this.matches?.[k]);
		if (i < 0)
			return;
		this.flame.element.focus({ preventScroll: true });
		this.flame.goTo(i);
	}

	/* ---- zoom and focus ---- */

	zoomTo(i, then) {
		this.app.go({ side: this.side, zoom: i });
		const focus = then ?? i;
		if (focus >= 0)
			this.showFocus(focus);
		else
			say(`All of ${this.bench.name}`);
		this.flame.setFocus(focus);
	}

	showFocus(i) {
		const { tree, costs, metric, flame } = this;
		say(flame.isChain(i) ? flame.chainForms(i)[0] : frameSentence(tree, costs, metric, i));
		const box = flame.boxOf(i), at = flame.space.getBoundingClientRect();
		const below = at.top + box.top + flame.row - 10;
		this.tip.show(this.details(i), { x: at.left + Math.min(box.left, flame.width - 40), y: below });
	}

	details(i) {
		const { tree, costs, metric, flame } = this;
		const content = flame.isChain(i) ? chainDetails(tree, costs, metric, flame.chainOf(i)) : frameDetails(tree, costs, metric, i);
		const button = (text, click) => h("button.button", { type: "button", click: () => {
			this.tip.hide();
			click();
		} }, text);
		if (isNarrow())
			content.push(h("div.tip-actions", null, button("Zoom", () => this.zoomTo(i)),
				tree.fn[i] < 0 ? null : button("Callers and callees", () => this.app.showFunction(tree.fn[i])), button("Close", () => {})));
		return content;
	}

	/* Opens the panel of its function; smaller frames that are shown as one have no function. On a
	 * narrow screen the panel would be out of sight: there the details offer it. */
	chooseFrame(i, byPointer) {
		if (isNarrow()) {
			this.showFocus(i);
			return;
		}
		if (this.tree.fn[i] >= 0)
			this.app.go({ fn: this.tree.fn[i], side: this.side });
		this.showFocus(i);
		/* The panel says more, and the graph is seen. */
		if (byPointer)
			this.tip.hide();
	}

	point(i, event) {
		if (i >= 0 && event)
			this.tip.show(this.details(i), { x: event.clientX, y: event.clientY });
		else if (!event)
			this.tip.hide();
		this.flame.element.classList.toggle("pointing", i >= 0);
	}

	fillCrumbs() {
		const zoom = this.flame.zoom, path = zoom < 0 ? [] : this.tree.pathTo(zoom);
		const crumb = (i, text) => h("button.crumb", { type: "button", click: () => this.zoomTo(i) }, text);
		const most = 6, skipped = path.length > most ? path.splice(1, path.length - most).length : 0;
		const name = (i) => h("span.name.short", { title: this.tree.name(i) }, this.tree.shortName(i));
		const items = path.map((i, k) => (k === path.length - 1 ? h("span.crumb.here", { "aria-current": "true" }, name(i)) : crumb(i, name(i))));
		if (skipped)
			items.splice(1, 0, h("span.crumb.gap", { title: plural(skipped, "more caller") }, "\u2026"));
		this.crumbs.hidden = zoom < 0;
		this.aim.hidden = zoom >= 0 || !this.found.hidden;
		this.crumbs.replaceChildren(crumb(-1, "all"), ...items);
		this.reset.disabled = zoom < 0;
	}

	/* The frame of those that `isWanted` with the largest difference, or cost. */
	largest(isWanted) {
		const { tree, costs } = this;
		let best = -1, most = -1;
		for (let i = 0; i < tree.count; i++) {
			if (!isWanted(i))
				continue;
			const size = this.side === "diff" ? Math.abs(costs.head[i] - costs.base[i]) + costs.width[i] * 1e-6 : costs.width[i];
			if (size > most) {
				best = i;
				most = size;
			}
		}
		return best;
	}

	/* The largest frame of `fn`, of those that `caller` calls if it calls any; -1 if no frame is of `fn`. */
	largestFrame(fn, caller = -1) {
		const { tree } = this, isFn = likeFunction(tree, fn), isCaller = likeFunction(tree, caller);
		const isCall = (i) => isFn(tree.fn[i]) && (tree.inverted || tree.parent[i] >= 0 && isCaller(tree.fn[tree.parent[i]]));
		const called = caller < 0 ? -1 : this.largest(isCall);
		return called >= 0 ? called : this.largest((i) => isFn(tree.fn[i]));
	}

	/* The zoom that shows that frame: the current one, or the nearest. */
	zoomThatShows(fn, caller) {
		const i = this.largestFrame(fn, caller);
		return i < 0 || this.flame.isSeen(i) ? this.flame.zoom : this.tree.parent[i];
	}

	/* The focus on the largest frame of `fn`, without taking it from where the reader is. */
	focusFunction(fn, caller) {
		const i = this.largestFrame(fn, caller);
		this.flame.setFocus(i);
		return i;
	}

	zoomToFunction(fn) {
		const i = this.largestFrame(fn);
		if (i >= 0)
			this.zoomTo(i);
		this.flame.element.focus({ preventScroll: true });
	}
}

function childOf(tree, parent, fn, width) {
	let best = -1;
	for (let k = parent + 1, end = parent < 0 ? tree.count : tree.end[parent]; k < end; k = tree.end[k])
		if (tree.fn[k] === fn && (best < 0 || width[k] > width[best]))
			best = k;
	return best;
}
