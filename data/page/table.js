/* The table of functions: those that changed, as many as a person reads; the others on demand. */

const FIRST_ROWS = 25, MORE_ROWS = 100, PRINTED_ROWS = 60, PAGED_ROWS = 10, MEASURED_ROWS = 1000;

/* The costs of all rows in one metric. */
function flatCosts(bench, metric) {
	const flat = bench.raw.flat, count = flat.function.length, { weights } = bench.metrics[metric];
	const two = bench.compared;
	return {
		selfBase: weigh(flat.baseSelf, weights, count),
		selfHead: weigh(flat.headSelf, weights, count, two ? flat.baseSelf : null),
		base: weigh(flat.baseInclusive, weights, count),
		head: weigh(flat.headInclusive, weights, count, two ? flat.baseInclusive : null),
	};
}

/* Columns are {title, class, sort(row), text(row)}; `more` are shown on demand. */
function diffColumns(view) {
	const count = (title, values) => ({ title, class: "num", more: true, sort: (r) => view.costs[values][r], text: (r) => formatCount(view.costs[values][r]) });
	const own = (r) => view.costs.selfHead[r] - view.costs.selfBase[r], all = (r) => view.costs.head[r] - view.costs.base[r];
	const difference = (title, delta, hint, text) => ({ title, hint: `${hint}; sorts by absolute value`, class: "num", delta, sort: (r) => Math.abs(delta(r)), text: text ?? ((r) => formatDelta(delta(r))) });
	return [
		difference("\u0394 self", own, "change of the self cost"),
		{ ...difference("% of base", own, "\u0394 self / total of base", (r) => formatShareOfBase(own(r), view.total.base)), more: true },
		count("Self base", "selfBase"), count("Self head", "selfHead"),
		{
			title: "Change", class: "num", more: true, delta: own, sort: (r) => ratio(view.costs.selfBase[r], view.costs.selfHead[r]),
			text: (r) => formatChange(view.costs.selfBase[r], view.costs.selfHead[r]),
		},
		difference("\u0394 incl.", all, "change of the inclusive cost; ? where only an upper bound is known",
			(r) => (view.flat.flags[r] & UPPER_BOUND ? "?" : formatDelta(all(r)))),
		bounded(view, count("Incl. base", "base")), bounded(view, count("Incl. head", "head")),
		{ title: "Calls", class: "num", sort: (r) => view.calls("head", r), text: (r) => formatPair(view.calls("base", r), view.calls("head", r)) },
		{ title: "Why", class: "why", down: false, sort: (r) => view.reason(r), text: (r) => view.reason(r) },
	];
}

function sideColumns(view) {
	const { only } = view.bench, self = only === "head" ? "selfHead" : "selfBase";
	const share = (title, values) => ({ title, class: "num", sort: (r) => view.costs[values][r], text: (r) => formatShare(view.costs[values][r], view.total[only]) });
	const count = (title, values) => ({ title, class: "num", sort: (r) => view.costs[values][r], text: (r) => formatCount(view.costs[values][r]) });
	return [
		count("Self", self), share("Self %", self),
		bounded(view, count("Inclusive", only)), share("Incl. %", only),
		{ title: "Calls", class: "num", sort: (r) => view.calls(only, r), text: (r) => (view.calls(only, r) ? formatCount(view.calls(only, r)) : NONE) },
	];
}

function bounded(view, column) {
	return { ...column, text: (r) => (view.flat.flags[r] & UPPER_BOUND ? "\u2264 " : "") + column.text(r) };
}

function ratio(base, head) {
	return base === head ? 1 : base === 0 ? Infinity : head / base;
}

class FlatTable {
	constructor(bench, app) {
		this.bench = bench;
		this.app = app;
		this.flat = bench.raw.flat;
		this.wide = false; /* with all columns */
		this.every = !bench.compared; /* also what did not change */
		this.cursor = -1;
		this.build();
	}

	build() {
		this.allColumns = [
			{ title: "Function", class: "fn", down: false, sort: (r) => this.shortNameOf(r).toLowerCase(), text: null },
			...(this.bench.compared ? diffColumns(this) : sideColumns(this)),
		];
		this.columns = this.allColumns.filter((column) => !column.more);
		this.state = { column: 1, down: true };
		this.filter = h("input.field.search", {
			id: "filter", type: "search", placeholder: "Filter functions: regex", "aria-label": "Filter functions by regular expression",
			"aria-describedby": "filtered", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
			input: () => this.refill(),
		});
		this.filtered = h("p.found", { id: "filtered" });
		this.headRow = h("tr", { "aria-rowindex": "1" });
		this.body = h("tbody");
		this.columnGroup = h("colgroup");
		this.table = h("table.flat", {
			id: "flat", role: "grid", tabindex: "0", "aria-label": "Functions: arrow keys move, Enter shows callers and callees",
			keydown: (event) => this.onKey(event), click: (event) => this.onClick(event),
		}, this.columnGroup, h("thead", null, this.headRow), this.body);
		this.box = h("div.flat-box", null, this.table);
		this.buildButtons();
		this.element = h("section", { "aria-labelledby": "flat-title" },
			h("div.section-head", null, h("h2", { id: "flat-title" }, "Functions"), h("div.flat-tools", null, this.columnsButton, this.filter)),
			this.filtered, this.box, h("div.flat-more", null, this.moreButton, this.everyButton));
		new ResizeObserver(() => this.fit()).observe(this.box);
	}

	buildButtons() {
		this.columnsButton = h("button.button", { id: "more-columns", type: "button", click: () => this.setWide(!this.wide) }, "More columns");
		this.columnsButton.hidden = this.columns.length === this.allColumns.length;
		this.moreButton = h("button.button", { id: "more-rows", type: "button", click: () => this.reveal(this.shown + MORE_ROWS) });
		this.everyButton = h("button.button", { id: "every-row", type: "button", click: () => {
			this.every = !this.every;
			this.refill();
		} });
	}

	/* The order stays, unless it is that of a column that goes. */
	setWide(wide) {
		const sorted = this.columns[this.state.column];
		this.wide = wide;
		this.columnsButton.textContent = wide ? "Fewer columns" : "More columns";
		this.columns = this.allColumns.filter((column) => wide || !column.more);
		this.state.column = Math.max(0, this.columns.indexOf(sorted)) || 1;
		if (sorted === this.columns[0])
			this.state.column = 0;
		this.setWidths();
		this.refill();
	}

	update(state) {
		const metric = this.bench.metrics[state.metric];
		this.costs = flatCosts(this.bench, state.metric);
		this.total = { base: metric.base ?? sum(this.costs.selfBase), head: metric.head ?? sum(this.costs.selfHead) };
		this.metric = metric;
		this.setWidths();
		this.refill();
	}

	/* A column is as wide as its longest text, and names have the rest. */
	setWidths() {
		const most = 260, room = 15, larger = 14 / 12, looked = Math.min(this.flat.function.length, MEASURED_ROWS);
		const context = document.createElement("canvas").getContext("2d");
		context.font = FONT;
		const widths = this.columns.slice(1).map((column) => {
			/* Titles are smaller, but bold and marked when they are sorted by. */
			let longest = textWidth(context, column.title) + 14;
			for (let r = 0; r < looked; r++)
				longest = Math.max(longest, textWidth(context, column.text(r)));
			return Math.ceil(Math.min(most, longest * larger + room));
		});
		this.columnGroup.replaceChildren(h("col"), ...widths.map((width) => {
			const col = h("col");
			col.style.width = `${width}px`;
			return col;
		}));
		/* Names need two fifths, or what is readable where somebody wants all columns. */
		this.least = this.wide ? sum(widths) + 200 : sum(widths) / 0.6;
		this.fit();
	}

	/* Where columns have too little room, rows become paragraphs. The header stays below the bar. */
	fit() {
		this.table.classList.toggle("narrow", this.box.clientWidth < this.least);
		this.table.style.setProperty("--bar", `${byId("bar").offsetHeight}px`);
	}

	fnOf(row) {
		const fn = this.flat.function[row];
		return fn >= 0 ? fn : this.flat.baseFunction?.[row] ?? -1;
	}

	nameOf(row) {
		const fn = this.fnOf(row);
		return fn < 0 ? "" : this.bench.functionName(fn);
	}

	shortNameOf(row) {
		const fn = this.fnOf(row);
		return fn < 0 ? "" : this.bench.shortName(fn);
	}

	calls(side, row) {
		return this.flat[side + "Calls"]?.[row] ?? 0;
	}

	/* Only in the metric of the comparison, in which it was found. */
	reason(row) {
		if (this.metric !== this.bench.metrics[this.bench.judged])
			return "";
		return visible(this.bench.report.strings[this.flat.reason?.[row]] ?? "");
	}

	/* As in the terminal: a function that is new or removed changed, however small it is. */
	isChanged(row) {
		const delta = this.costs.selfHead[row] - this.costs.selfBase[row], both = IN_BASE | IN_HEAD;
		return this.bench.isChange(delta, this.metric) ||
			((this.flat.flags[row] & both) !== both && !this.bench.isTolerated(delta, this.metric));
	}

	/* Which rows there are, and in which order; what is searched for is searched for in all. */
	refill() {
		const { regex, error } = parsePattern(this.filter.value, true), all = this.flat.function.length;
		this.filter.setAttribute("aria-invalid", String(Boolean(error)));
		this.filtered.classList.toggle("bad", Boolean(error));
		const matches = Array.from({ length: all }, (_, r) => r).filter((r) =>
			!regex || regex.test(this.nameOf(r)) || regex.test(this.bench.place(this.fnOf(r))));
		const changed = this.bench.compared && !regex ? matches.filter((r) => this.isChanged(r)) : matches;
		this.rows = this.every ? matches : changed;
		this.unchanged = matches.length - changed.length;
		this.sort();
		this.filtered.textContent = error ? `Invalid regular expression: ${error}` :
			regex ? `${formatCount(this.rows.length)} of ${plural(all, "function")}` :
				this.bench.compared ? `${formatCount(changed.length)} of ${plural(all, "function")} changed, ${this.metric.name}` :
					`${plural(all, "function")}, ${this.metric.name}`;
		this.restart();
	}

	/* From the first row on. */
	restart() {
		this.shown = FIRST_ROWS;
		this.cursor = -1;
		this.table.removeAttribute("aria-activedescendant");
		this.fill();
	}

	/* Ties stay in the order of the data, whichever way the column is sorted. */
	sort() {
		const key = this.columns[this.state.column].sort, sign = this.state.down ? -1 : 1;
		const keys = new Map(this.rows.map((r) => [r, key(r)]));
		this.rows.sort((a, b) => {
			const x = keys.get(a), y = keys.get(b);
			return (x < y ? -sign : x > y ? sign : 0) || a - b;
		});
	}

	fill() {
		if (!this.rows)
			return;
		sortHeaderOnce(this);
		this.table.setAttribute("aria-rowcount", this.rows.length + 1);
		this.table.setAttribute("aria-colcount", this.columns.length);
		const last = Math.min(this.rows.length, this.printing ? Math.max(this.shown, PRINTED_ROWS) : this.shown);
		const rows = Array.from({ length: last }, (_, at) => this.rowAt(at));
		this.body.replaceChildren(...(last ? rows : [h("tr", null, h("td.empty", { colspan: this.columns.length }, this.emptyText()))]));
		this.markCursor();
		this.labelButtons();
	}

	labelButtons() {
		const rest = this.rows.length - this.shown, focused = document.activeElement;
		this.moreButton.hidden = rest <= 0;
		this.moreButton.textContent = `Show ${formatCount(Math.min(rest, MORE_ROWS))} more of ${plural(this.rows.length, "function")}`;
		this.everyButton.hidden = this.unchanged === 0;
		this.everyButton.setAttribute("aria-expanded", String(this.every));
		this.everyButton.textContent = `${this.every ? "Hide" : "Show"} ${plural(this.unchanged, "unchanged function")}`;
		/* A button that is gone must not take the focus with it. */
		if (focused?.hidden && focused.closest(".flat-more"))
			this.table.focus({ preventScroll: true });
	}

	/* Adds rows up to `count`; those that are there stay. */
	reveal(count) {
		const before = this.shown;
		this.shown = Math.max(before, Math.min(count, this.rows.length));
		for (let at = before; at < this.shown; at++)
			this.body.append(this.rowAt(at));
		this.labelButtons();
	}

	emptyText() {
		return this.filter.value ? "No function matches the filter." :
			this.unchanged ? `No function changed beyond the threshold in ${this.metric.name}.` : "No function changed.";
	}

	rowAt(at) {
		const r = this.rows[at], flags = this.flat.flags[r], inlined = inlinedWords(flags & ~UPPER_BOUND);
		const name = h("td.fn", null, h("div.fn-line", null,
			h("button.link", { type: "button", tabindex: "-1", "data-row": r }, this.nameElement(r)),
			inlined ? h("span.tag", { title: inlined }, "inlined") : null, this.matchTag(r)));
		return h("tr", { "aria-rowindex": at + 2, id: `row-${at}`, "data-at": at }, name, this.columns.slice(1).map((column) =>
			h("td." + column.class + (column.delta ? "." + direction(0, column.delta(r)) : ""), { "data-label": column.title }, column.text(r))));
	}

	/* The whole name, and where the function is from, are beside the pointer. */
	nameElement(row) {
		const fn = this.fnOf(row), element = nameElement(this.shortNameOf(row));
		const facts = fn < 0 ? [] : [this.bench.objectName(fn), this.bench.fileName(fn)].filter(Boolean);
		element.title = [this.nameOf(row), ...facts].join("\n");
		return element;
	}

	/* How base was found to have the function too, where that is not plain. The name of its object is
	 * there anyway. */
	matchTag(row) {
		const text = visible(this.bench.report.strings[this.flat.match?.[row]] ?? ""), before = this.flat.baseFunction?.[row] ?? -1;
		if (["", "same", "object renamed"].includes(text) || before < 0)
			return null;
		return h("span.tag", { title: `in base: ${this.bench.functionName(before)} ${this.bench.place(before)}` }, text);
	}

	onClick(event) {
		const tr = event.target.closest("tr[data-at]"), link = event.target.closest("[data-row]");
		if (tr)
			this.moveTo(Number(tr.dataset.at));
		if (link)
			this.app.showFunction(this.fnOf(Number(link.dataset.row)));
	}

	onKey(event) {
		if (event.target !== this.table || event.ctrlKey || event.altKey || event.metaKey)
			return;
		const last = this.rows.length - 1, shown = Math.min(this.shown, this.rows.length) - 1;
		const to = {
			ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1, PageDown: this.cursor + PAGED_ROWS,
			PageUp: this.cursor - PAGED_ROWS, Home: 0, End: shown,
		}[event.key];
		if (to !== undefined && last >= 0)
			this.moveTo(Math.min(last, Math.max(0, to)));
		else if (event.key === "Enter" && this.cursor >= 0)
			this.app.showFunction(this.fnOf(this.rows[this.cursor]));
		else
			return;
		event.preventDefault();
	}

	moveTo(at) {
		this.cursor = at;
		if (at >= this.shown)
			this.reveal(at + MORE_ROWS);
		this.markCursor();
		byId(`row-${at}`).scrollIntoView({ block: "nearest" });
		const r = this.rows[at];
		say(`${this.nameOf(r)}, ${this.columns.slice(1).map((column) => `${column.title} ${column.text(r)}`).slice(0, 4).join(", ")}`);
	}

	markCursor() {
		this.body.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
		const tr = this.cursor < 0 ? null : byId(`row-${this.cursor}`);
		tr?.setAttribute("aria-selected", "true");
		if (tr)
			this.table.setAttribute("aria-activedescendant", tr.id);
	}
}

/* The header only changes with the order and the columns; buttons that are made anew lose the focus. */
function sortHeaderOnce(view) {
	const { column, down } = view.state, now = `${column} ${down} ${view.wide}`;
	if (view.headed === now)
		return;
	view.headed = now;
	sortHeader(view.headRow, view.columns, view.state, () => {
		view.sort();
		view.restart();
	});
}

function sum(values) {
	return values.reduce((all, value) => all + value, 0);
}
