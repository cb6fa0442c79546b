/* One benchmark: what the verdict is, and everything that explains it. */

/* How many rows are shown at first; the style sheet counts them. Metrics only on narrow screens. */
const FEW_CAUSES = 10, FEW_METRICS = 4;

const VERDICTS = {
	regressed: ["bad", "regressed"], improved: ["good", "improved"], unchanged: ["even", "unchanged"],
	new: ["even", "new"], removed: ["even", "removed"],
	tolerated: ["even", "within tolerance"], untrusted: ["bad", "not comparable"], inconclusive: ["bad", "inconclusive"], missing: ["bad", "missing in head"], exceeded: ["bad", "limit exceeded"], passed: ["good", "within limits"], none: ["even", "profile"],
};

function verdictPill(verdict) {
	const [kind, text] = VERDICTS[verdict] ?? ["even", visible(String(verdict))];
	const mark = { bad: "\u25b2", good: "\u25bc", even: "\u25cf" }[kind];
	const symbol = ["exceeded", "untrusted", "inconclusive", "missing"].includes(verdict) ? "\u2717" : verdict === "passed" ? "\u2713" : mark;
	return h("span.pill." + kind, null, h("span", { "aria-hidden": "true" }, symbol + " "), text);
}

function direction(base, head) {
	if (base === null || head === null || base === head)
		return "even";
	return head > base ? "up" : "down";
}

/* A bar from the middle to the side that `part` (-1 to 1) is on. */
function deltaBar(part) {
	const fill = h("span." + (part > 0 ? "gain" : "loss"));
	fill.style.width = `${Math.min(50, Math.abs(part) * 50)}%`;
	return h("span.delta-bar", { "aria-hidden": "true" }, fill);
}

class Hero {
	constructor(bench) {
		this.bench = bench;
		this.element = h("section.hero", { "aria-label": "Verdict" });
	}

	update(state) {
		const { bench } = this, metric = bench.metrics[state.metric], { base, head } = metric;
		const verdict = bench.raw.verdict;
		this.element.replaceChildren(
			h("div.hero-top", null, h("h1", null, nameElement(bench.title)), verdict === "none" ? null : verdictPill(verdict)),
			h("p.hero-counts", null, ...(bench.compared ? this.difference(metric) : [h("span.hero-count", null, this.count(head ?? base, metric))])),
			...(state.metric === bench.judged || !bench.compared ? [] :
				[h("p.hint", null, `The verdict is on ${bench.metrics[bench.judged].name}.`)]),
			this.origins());
	}

	count(n, metric) {
		return h("span.count", null, formatCount(n), h("span.unit", { title: metric.long }, " " + metric.name));
	}

	difference(metric) {
		const { bench } = this, { base, head } = metric, tolerated = bench.isTolerated(head - base, metric);
		const kind = tolerated ? "even" : direction(base, head);
		const words = metric === bench.metrics[bench.judged] ?
			{ up: "regressed", down: "improved", even: "unchanged" } : { up: "more", down: "less", even: "unchanged" };
		const word = tolerated ? "within tolerance" : words[kind];
		return [
			h("span.hero-count", null, formatCount(base), h("span.arrow", null, ` ${ARROW} `), this.count(head, metric)),
			h("span.hero-change." + kind, null, `${formatChange(base, head)} `, h("span", null, word)),
		];
	}

	origins() {
		const { raw } = this.bench, list = [["Base", raw.base], ["Head", raw.head]].filter(([, origin]) => origin);
		return h("div.origins", null, list.map(([title, origin]) => h("dl.origin", null,
			h("div.origin-name", null, h("dt", null, title), h("dd", null, nameElement(origin.name ?? origin.path ?? ""))),
			originFacts(origin).map(([key, value]) => h("div", null, h("dt", null, key), h("dd", null, nameElement(value)))))));
	}
}

const INLINING = {
	exact: null, named: null, none: "not resolved", approximate: "approximate", unverified: "not verified",
};

function originFacts(origin) {
	const inlining = origin.inlining in INLINING ? INLINING[origin.inlining] : origin.inlining;
	return [["command", origin.command], ["commit", origin.commit], ["measured", origin.when],
		["file", origin.path], ["inlined functions", inlining]].filter(([, value]) => value);
}

class Metrics {
	constructor(bench, app) {
		this.bench = bench;
		this.app = app;
		this.element = h("section", { id: "metrics", "aria-labelledby": "metrics-title" },
			h("div.section-head", null, h("h2", { id: "metrics-title" }, "Counts")));
	}

	update(state) {
		const { bench } = this, compared = bench.compared;
		const rows = bench.metrics.map((metric, i) => ({ metric, i }));
		const columns = compared ?
			[["Event"], ["Base", "num"], ["Head", "num"], ["\u0394", "num"], ["Change", "num"], ["", "bar-cell"]] :
			[["Event"], ["Count", "num"]];
		const most = Math.max(0.01, ...bench.metrics.map((metric) => Math.abs(changeOf(metric))));
		const cells = ({ metric, i }) => {
			const tolerated = known(metric) && bench.isTolerated(metric.head - metric.base, metric);
			const kind = tolerated ? "even" : direction(metric.base, metric.head), name = h("button.link", {
				type: "button", title: metric.long, "aria-pressed": String(i === state.metric), click: () => this.app.go({ metric: i }),
			}, metric.name);
			return h("tr" + (i === state.metric ? ".current" : ""), null,
				h("th.metric", { scope: "row" }, name, h("span.place", null, metric.long)),
				...(compared ? [
					h("td.num", null, formatCount(metric.base)), h("td.num", null, formatCount(metric.head)),
					h("td.num." + kind, null, known(metric) ? formatDelta(metric.head - metric.base) : NONE),
					h("td.num." + kind, null, formatChange(metric.base, metric.head), tolerated ? h("span.place", null, "within tolerance") : null),
					h("td.bar-cell", null, deltaBar(changeOf(metric) / most)),
				] : [h("td.num", null, formatCount(metric.head ?? metric.base))]));
		};
		const table = smallTable("Counts", columns.map(([title, name]) => ({ title, class: name })), rows, cells);
		table.classList.add("counts");
		const hidden = rows.length - FEW_METRICS;
		this.element.replaceChildren(this.element.firstChild, ...(hidden > 1 ? withMore(table, plural(hidden, "more count")) : [table]));
	}
}

function known(metric) {
	return metric.base !== null && metric.head !== null;
}

function changeOf(metric) {
	return known(metric) && metric.base ? (metric.head - metric.base) / Math.abs(metric.base) : 0;
}

function limitsSection(bench) {
	const limits = bench.raw.limits ?? [];
	if (!limits.length)
		return null;
	const rows = limits.slice().sort((a, b) => b.fails - a.fails);
	const columns = [["Result"], ["Limit"], ["Base", "num"], ["Head", "num"], ["Change", "num"]];
	const cells = (limit) => h("tr", null,
		h("td", null, h("span.pill.small." + (limit.fails ? "bad" : limit.status === "pass" ? "good" : "even"), null, visible(limit.status))),
		h("td", null, h("span.limit", null, visible(limit.metric), " ", h("b", null, visible(limit.limit)), limitSubject(limit)), limit.why ? h("p.hint", null, visible(limit.why)) : null),
		h("td.num", null, formatCount(limit.base)), h("td.num.to", null, formatCount(limit.head)),
		h("td.num", null, formatChange(limit.base, limit.head)));
	return h("section", { id: "limits", "aria-labelledby": "limits-title" }, h("div.section-head", null, h("h2", { id: "limits-title" }, "Limits")),
		stacked(smallTable("Limits", columns.map(([title, name]) => ({ title, class: name })), rows, cells)));
}

function limitSubject(limit) {
	if (limit.name)
		return h("span", null, " of ", nameElement(limit.name));
	return limit.function ? h("span", null, " of fn:", nameElement(limit.function)) : null;
}

/* What bears on what the verdict is worth. */
function remarksSection(remarks) {
	return remarks?.length ? h("ul.notes.remarks", { "aria-label": "Remarks" }, remarks.map(({ text, advice }) =>
		h("li", null, h("b", null, "Warning: "), visible(text), ".", advice ? ` ${visible(advice)}` : null))) : null;
}

function environmentSection(bench) {
	const rows = bench.raw.environment ?? [];
	if (!rows.length)
		return null;
	const absent = (text) => (text === null ? h("i", null, "absent") : visible(text));
	return h("section.notice", { id: "environment", "aria-labelledby": "environment-title" },
		h("h2", { id: "environment-title" }, "Measured in different environments"),
		h("p", null, "This may explain the change."),
		stacked(smallTable("Environment", ["", "Base", "Head"].map((title) => ({ title })), rows, (row) => h("tr", null,
			h("th", { scope: "row" }, visible(row.key)), h("td.wrap", null, absent(row.base)), h("td.wrap.to", null, absent(row.head))))),
		h("ul", null, rows.filter((row) => row.effect).map((row) => h("li", null, h("b", null, visible(row.key)), ": ", visible(row.effect),
			row.remedy ? ` Fix: ${visible(row.remedy)}.` : null))));
}

function insightsSection(bench, app) {
	const insights = bench.raw.insights ?? [];
	if (!insights.length)
		return null;
	return h("section", { id: "insights", "aria-labelledby": "insights-title" }, h("div.section-head", null, h("h2", { id: "insights-title" }, "Insights")),
		h("ul.cards", null, insights.map((insight) => h("li.card", null, h("h3", null, visible(insight.title)),
			h("p", null, visible(insight.evidence ?? "")), insight.advice ? h("p.advice", null, visible(insight.advice)) : null,
			insight.function >= 0 ? h("button.link", { type: "button", click: () => app.locate(insight.function) }, nameElement(bench.functionName(insight.function))) : null))));
}

function notesSection(bench) {
	const notes = (bench.raw.notes ?? []).map(visible);
	if (bench.report.rounded)
		notes.unshift("Counts above 9,007,199,254,740,992 are rounded on this page.");
	return notes.length ? h("ul.notes", { id: "notes", "aria-label": "Notes" }, notes.map((note) => h("li", null, note))) : null;
}

/* ---- causes ---- */

function causesSection(bench, app) {
	const causes = bench.raw.causes ?? [];
	if (!bench.compared || !bench.sides().includes("diff") && !causes.length)
		return null;
	const metric = bench.metrics[bench.judged].name, total = bench.raw.causesDelta ?? 0;
	const title = total ? `Causes of the change (${formatDelta(total)} ${metric})` : "Causes of the change";
	const body = causes.length ? causesTable(bench, app, causes, total) : [h("p.empty", null, "No function changed.")];
	return h("section", { id: "causes", "aria-labelledby": "causes-title" },
		h("div.section-head", null, h("h2", { id: "causes-title" }, title)),
		causes.some((cause) => cause.estimated) ? h("p.hint", null, "~ marks estimates: the profile lacks full call paths.") : null,
		body, unlistedCauses(causes, total, metric));
}

/* What is missing for the rows to add up. */
function unlistedCauses(causes, total, metric) {
	const rest = total - sum(causes.map((cause) => cause.delta));
	return rest && causes.length ? h("p.hint", null, `Smaller causes not listed: ${formatDelta(rest)} ${metric}.`) : null;
}

function causesTable(bench, app, causes, total) {
	const most = Math.max(...causes.map((cause) => Math.abs(cause.delta)));
	const columns = [
		{ title: "Function", class: "who", down: false, sort: (cause) => bench.functionName(cause.function) },
		{ title: "\u0394", class: "num", sort: (cause) => cause.delta }, { title: "", class: "bar-cell" },
		{ title: "Share", class: "num", hint: "of the change; sorts by absolute value", sort: (cause) => Math.abs(cause.delta) },
		{ title: "Calls", class: "num", sort: (cause) => cause.headCalls - cause.baseCalls },
		{ title: "Why", class: "why", down: false, sort: (cause) => cause.reason },
	];
	const state = { column: 3, down: true }, shares = sharesSay(causes, total);
	const cells = (cause) => {
		const kind = cause.delta > 0 ? "up" : "down";
		return h("tr", null, h("td.who", null, causeButton(bench, app, cause), cause.note ? h("div.cause-note", null, visible(cause.note)) : null),
			h("td.num." + kind, null, formatDelta(cause.delta)), h("td.bar-cell", null, deltaBar(cause.delta / most)),
			h("td.num", null, shares ? formatShare(cause.delta, total) : NONE),
			h("td.num", null, formatPair(cause.baseCalls, cause.headCalls)), h("td.why", null, visible(cause.reason ?? cause.kind)));
	};
	const table = stacked(smallTable("Causes", columns, causes, cells, state));
	return causes.length > FEW_CAUSES + 2 ? withMore(table, plural(causes.length - FEW_CAUSES, "smaller cause")) : [table];
}

/* Where causes cancel each other almost completely, thousands of percent say nothing. */
function sharesSay(causes, total) {
	return total !== 0 && causes.reduce((all, cause) => all + Math.abs(cause.delta), 0) / 20 <= Math.abs(total);
}

function causeButton(bench, app, cause) {
	const caller = cause.caller >= 0 && cause.kind !== "self" ? cause.caller : -1;
	return h("button.link.cause", { type: "button", "aria-label": causeLabel(bench, cause, caller), click: () => app.locate(cause.function, caller) },
		cause.estimated ? h("span.pre", null, "~ ") : null,
		...(caller < 0 ? [nameElement(bench.functionName(cause.function))] : [
			nameElement(bench.functionName(caller)),
			h("span.callee", null, h("span.arrow", null, ` ${ARROW} `), nameElement(bench.functionName(cause.function))),
		]));
}

function causeLabel(bench, cause, caller) {
	const callee = bench.functionName(cause.function);
	return caller < 0 ? callee : `${callee}, called by ${bench.functionName(caller)}`;
}

/* The table, and a button for the rows of it that the style sheet hides. */
function withMore(table, hidden) {
	table.classList.add("few");
	const more = h("button.button.more", { type: "button", "aria-expanded": "false" }, `Show ${hidden}`);
	more.addEventListener("click", () => {
		const few = table.classList.toggle("few");
		more.setAttribute("aria-expanded", String(!few));
		more.textContent = few ? `Show ${hidden}` : "Show fewer";
	});
	return [table, more];
}

/* ---- all of it ---- */

class BenchView {
	constructor(bench, app) {
		this.bench = bench;
		const { raw } = bench, has = bench.sides().length > 0;
		this.graph = has ? new Graph(bench, app) : null;
		this.table = raw.flat?.function.length ? new FlatTable(bench, app) : null;
		const metrics = new Metrics(bench, app);
		const beside = [limitsSection(bench), environmentSection(bench), insightsSection(bench, app)].filter(Boolean);
		const past = raw.history?.count.length > 1 ? new HistoryChart(bench) : null;
		this.parts = [new Hero(bench), metrics, past, this.graph, this.table, raw.sources?.length ? new Sources(bench) : null].filter(Boolean);
		const summary = h("div.columns" + (beside.length ? "" : ".single"), null, metrics.element, beside.length ? h("div", null, beside) : null);
		this.elements = [this.parts[0].element, remarksSection(raw.remarks), notesSection(bench), summary, causesSection(bench, app),
			has ? null : h("p.empty", null, "No flame graph: the profile has no calls."),
			...this.parts.slice(2).map((part) => part.element)].filter(Boolean);
		if (!this.table)
			this.elements.push(h("section", null, h("div.section-head", null, h("h2", null, "Functions")),
				h("p.empty", null, bench.compared ? "No function changed." : "No function was recorded.")));
	}

	/* `changed` is what differs from the state shown before. */
	update(state, changed) {
		for (const part of this.parts)
			if (part === this.graph || changed.has("bench") || changed.has("metric"))
				part.update(state, changed);
	}

	locate(fn, caller) {
		this.graph?.locate(fn, caller);
	}

	print(on) {
		for (const part of [this.graph?.flame, this.table].filter(Boolean))
			part.printing = on;
		this.graph?.draw();
		this.graph?.flame.paint(); /* what is printed is what is there now */
		this.table?.fill();
	}
}
