/* The table of functions. It may have many thousands of rows: only those in sight are elements. */

const ROW_HEIGHT = 30, SPARE_ROWS = 12, PRINTED_ROWS = 60, MEASURED_ROWS = 1000;

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

/* Columns are {title, class, sort(row), text(row)}; `c` are the costs, `t` the totals. */
function diffColumns(view) {
	const count = (title, values, hint) => ({ title, hint, class: "num", sort: (r) => view.costs[values][r], text: (r) => formatCount(view.costs[values][r]) });
	const own = (r) => view.costs.selfHead[r] - view.costs.selfBase[r];
	const difference = (title, delta, hint) => ({ title, hint, class: "num", delta, sort: delta, text: (r) => formatDelta(delta(r)) });
	return [
		difference("\u0394 self", own),
		{
			title: "% of base", class: "num", delta: own, hint: "\u0394 self / total of base; sorts by absolute value",
			sort: (r) => Math.abs(own(r)), text: (r) => formatShareOfBase(own(r), view.total.base),
		},
		count("Self base", "selfBase"), count("Self head", "selfHead"),
		{
			title: "Change", class: "num", delta: own, sort: (r) => ratio(view.costs.selfBase[r], view.costs.selfHead[r]),
			text: (r) => formatChange(view.costs.selfBase[r], view.costs.selfHead[r]),
		},
		{ ...difference("\u0394 incl.", (r) => view.costs.head[r] - view.costs.base[r], "inclusive of callees; ? where only an upper bound is known"),
			text: (r) => (view.flat.flags[r] & UPPER_BOUND ? "?" : formatDelta(view.costs.head[r] - view.costs.base[r])) },
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
		this.cursor = -1;
		this.build();
	}

	build() {
		this.columns = [
			{ title: "Function", class: "fn", down: false, sort: (r) => this.nameOf(r).toLowerCase(), text: null },
			...(this.bench.compared ? diffColumns(this) : sideColumns(this)),
		];
		this.state = { column: this.bench.compared ? 2 : 1, down: true };
		this.filter = h("input.field.search", {
			id: "filter", type: "search", placeholder: "Filter functions: regex", "aria-label": "Filter functions by regular expression",
			"aria-describedby": "filtered", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
			input: () => this.refill(),
		});
		this.filtered = h("p.found", { id: "filtered" });
		this.headRow = h("tr", { "aria-rowindex": "1" });
		this.body = h("tbody");
		this.table = h("table.flat", { role: "grid", "aria-label": "Functions", "aria-colcount": this.columns.length },
			h("colgroup", null, this.columns.map((column) => h("col"))),
			h("thead", null, this.headRow), this.body);
		this.box = h("div.flat-box", {
			id: "flat", tabindex: "0", role: "region", "aria-label": "Functions: arrow keys move, Enter shows the function in the flame graph",
			scroll: () => this.fill(), keydown: (event) => this.onKey(event), click: (event) => this.onClick(event),
		}, this.table);
		this.element = h("section", { "aria-labelledby": "flat-title" },
			h("div.section-head", null, h("h2", { id: "flat-title" }, "Functions"), this.filter), this.filtered, this.box);
		new ResizeObserver(() => this.fill()).observe(this.box);
	}

	update(state) {
		const metric = this.bench.metrics[state.metric];
		this.costs = flatCosts(this.bench, state.metric);
		this.total = { base: metric.base ?? sum(this.costs.selfBase), head: metric.head ?? sum(this.costs.selfHead) };
		this.metric = metric;
		this.setWidths();
		this.refill();
	}

	/* A column is as wide as its longest text, as far as one can tell before all are drawn. */
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
		[...this.table.querySelectorAll("col")].slice(1).forEach((col, i) => {
			col.style.width = `${widths[i]}px`;
		});
		this.table.style.minWidth = `${sum(widths) + (innerWidth <= 700 ? 170 : 220)}px`;
	}

	fnOf(row) {
		const fn = this.flat.function[row];
		return fn >= 0 ? fn : this.flat.baseFunction?.[row] ?? -1;
	}

	nameOf(row) {
		const fn = this.fnOf(row);
		return fn < 0 ? "" : this.bench.functionName(fn);
	}

	calls(side, row) {
		return this.flat[side + "Calls"]?.[row] ?? 0;
	}

	/* It was found in the metric of the comparison, and is nothing to say of another one. */
	reason(row) {
		if (this.metric !== this.bench.metrics[this.bench.judged])
			return "";
		return visible(this.bench.report.strings[this.flat.reason?.[row]] ?? "");
	}

	/* Which rows there are, and in which order. */
	refill() {
		const { regex, error } = parsePattern(this.filter.value, true), all = this.flat.function.length;
		this.filter.setAttribute("aria-invalid", String(Boolean(error)));
		this.filtered.classList.toggle("bad", Boolean(error));
		this.rows = [];
		for (let r = 0; r < all; r++)
			if (!regex || regex.test(this.nameOf(r)) || regex.test(this.bench.place(this.fnOf(r))))
				this.rows.push(r);
		this.sort();
		this.filtered.textContent = error ? `Invalid regular expression: ${error}` :
			regex ? `${formatCount(this.rows.length)} of ${plural(all, "function")}` : `${plural(all, "function")}, ${this.metric.name}`;
		this.cursor = -1;
		this.box.scrollTop = 0;
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
		if (this.rows.length === 0) {
			this.body.replaceChildren(h("tr", null, h("td.empty", { colspan: this.columns.length }, this.emptyText())));
			return;
		}
		const first = this.printing ? 0 : Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
		const fits = this.printing ? PRINTED_ROWS : Math.ceil(this.box.clientHeight / ROW_HEIGHT) + 2 * SPARE_ROWS;
		const last = Math.min(this.rows.length, first + fits);
		const rows = [];
		for (let at = first; at < last; at++)
			rows.push(this.rowAt(at));
		this.body.replaceChildren(spacer(first), ...rows, spacer(this.printing ? 0 : this.rows.length - last));
		this.markCursor();
	}

	emptyText() {
		return this.filter.value ? "No function matches the filter." : "No function changed.";
	}

	rowAt(at) {
		const r = this.rows[at], fn = this.fnOf(r), flags = this.flat.flags[r];
		const inlined = inlinedWords(flags & ~UPPER_BOUND);
		const name = h("td.fn", null, h("div.fn-line", null,
			h("button.link", { type: "button", tabindex: "-1", "data-row": r }, nameElement(this.nameOf(r))),
			inlined ? h("span.tag", { title: inlined }, "inlined") : null, this.matchTag(r),
			h("span.place", null, fn < 0 ? "" : this.bench.place(fn))));
		return h("tr", { "aria-rowindex": at + 2, id: `row-${at}`, "data-at": at }, name, this.columns.slice(1).map((column) =>
			h("td." + column.class + (column.delta ? "." + direction(0, column.delta(r)) : ""), null, column.text(r))));
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
		if (event.target !== this.box || event.ctrlKey || event.altKey || event.metaKey)
			return;
		const page = Math.max(1, Math.floor(this.box.clientHeight / ROW_HEIGHT) - 2), last = this.rows.length - 1;
		const to = {
			ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1, PageDown: this.cursor + page,
			PageUp: this.cursor - page, Home: 0, End: last,
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
		const top = at * ROW_HEIGHT, head = this.headRow.offsetHeight, seen = this.box.clientHeight - head;
		this.cursor = at;
		if (top < this.box.scrollTop)
			this.box.scrollTop = top;
		else if (top + ROW_HEIGHT > this.box.scrollTop + seen)
			this.box.scrollTop = top + ROW_HEIGHT - seen;
		this.fill();
		const r = this.rows[at];
		say(`${this.nameOf(r)}, ${this.columns.slice(1).map((column) => `${column.title} ${column.text(r)}`).slice(0, 4).join(", ")}`);
	}

	markCursor() {
		const tr = this.cursor < 0 ? null : byId(`row-${this.cursor}`);
		tr?.setAttribute("aria-selected", "true");
		if (tr)
			this.box.setAttribute("aria-activedescendant", tr.id);
	}
}

/* The header only changes with the order; buttons that are made anew lose the focus. */
function sortHeaderOnce(view) {
	const { column, down } = view.state, now = `${column} ${down}`;
	if (view.headed === now)
		return;
	view.headed = now;
	sortHeader(view.headRow, view.columns, view.state, () => {
		view.sort();
		view.cursor = -1;
		view.box.scrollTop = 0;
		view.fill();
	});
}

function spacer(rows) {
	const tr = h("tr.spacer", { "aria-hidden": "true" });
	tr.style.height = `${rows * ROW_HEIGHT}px`;
	tr.hidden = rows === 0;
	return tr;
}

function sum(values) {
	return values.reduce((all, value) => all + value, 0);
}
