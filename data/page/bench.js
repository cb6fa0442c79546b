/* One benchmark: the verdict, beside each other what caused it and where, then what else is known. */

const FEW_CAUSES = 9; /* that are shown at first; the style sheet counts them */
const HOTTEST = 13;

const VERDICTS = {
	regressed: ["bad", "regressed"], improved: ["good", "improved"], unchanged: ["even", "unchanged"],
	new: ["even", "new"], removed: ["even", "removed"],
	tolerated: ["even", "within tolerance"], untrusted: ["bad", "not comparable"], inconclusive: ["bad", "inconclusive"], missing: ["bad", "missing in head"], exceeded: ["bad", "limit exceeded"], unjudged: ["bad", "limit not judged"], passed: ["good", "within limits"], unlimited: ["even", "no limit on the total"], none: ["even", "profile"],
};

function verdictPill(verdict, more = "") {
	const [kind, text] = VERDICTS[verdict] ?? ["even", visible(String(verdict))];
	const mark = { bad: "\u25b2", good: "\u25bc", even: "\u25cf" }[kind];
	const symbol = ["exceeded", "unjudged", "untrusted", "inconclusive", "missing"].includes(verdict) ? "\u2717" : kind === "good" && verdict === "passed" ? "\u2713" : mark;
	return h("span.pill." + kind, null, h("span", { "aria-hidden": "true" }, symbol + " "), text + more);
}

function direction(base, head) {
	if (base === null || head === null || base === head)
		return "even";
	return head > base ? "up" : "down";
}

/* A total that grew without a limit is within none. */
function verdictOf({ raw: { verdict, lacksLimit } }) {
	return lacksLimit ? "unlimited" : verdict;
}

function benchPill(bench) {
	return verdictPill(verdictOf(bench), bench.raw.notRun ? ", measured earlier" : "");
}

/* A bar from the middle to the side that `part` (-1 to 1) is on. */
function deltaBar(part) {
	const fill = h("span." + (part > 0 ? "gain" : "loss"));
	fill.style.width = `${Math.min(50, Math.abs(part) * 50)}%`;
	return h("span.delta-bar", { "aria-hidden": "true" }, fill);
}

/* The verdict in a line. Nothing repeats what the pill says. */
class Hero {
	constructor(bench) {
		this.bench = bench;
		this.element = h("section.hero", { "aria-label": "Verdict" });
	}

	update(state) {
		const { bench } = this, metric = bench.metrics[state.metric], { verdict } = bench.raw;
		const limit = bench.mainLimit;
		this.element.replaceChildren(...[
			h("h1", null, nameElement(bench.title)), verdict === "none" ? null : benchPill(bench),
			h("p.hero-counts", null, ...(bench.compared ? this.difference(metric) : [this.count(metric.head ?? metric.base, metric)]),
				limit && state.metric === bench.judged ? h("span.hero-limit", null, `limit ${visible(limit.limit)}${limit.isDefault ? " (default)" : ""}`) : null),
			state.metric === bench.judged || !bench.compared ? null : h("p.hint", null, `The verdict is on ${bench.metrics[bench.judged].name}.`),
		].filter(Boolean));
	}

	count(n, metric) {
		return h("span.count", null, formatCount(n), h("span.unit", { title: metric.long }, " " + metric.name));
	}

	difference(metric) {
		const { base, head } = metric;
		return [h("span", null, formatCount(base), h("span.arrow", null, ` ${ARROW} `), this.count(head, metric)),
			h("span.hero-change." + changeKind(this.bench, metric), null, formatChange(base, head))];
	}
}

/* "even" also for what is below the threshold, or may be chance. */
function changeKind(bench, metric) {
	const { base, head } = metric;
	return known(metric) && bench.isChange(head - base, metric) ? direction(base, head) : "even";
}

/* The metrics that say most. One that is pressed is what the page shows. */
class Tiles {
	constructor(bench, app) {
		this.bench = bench;
		this.app = app;
		this.element = h("div.tiles", { role: "group", "aria-label": "Metrics" });
	}

	update(state) {
		const { bench } = this;
		this.element.replaceChildren(...bench.mainMetrics.map((m) => {
			const metric = bench.metrics[m], { base, head } = metric;
			return h("button.tile", { type: "button", title: metric.long, "aria-pressed": String(m === state.metric), click: () => this.app.go({ metric: m }) },
				h("span.tile-name", null, TILE_NAMES[metric.name] ?? metric.name),
				h("b.tile-change" + (bench.compared ? "." + changeKind(bench, metric) : ""), null,
					bench.compared ? formatChange(base, head) : formatCount(head ?? base)),
				bench.compared ? h("span.tile-counts", null, `${formatCount(base)} ${ARROW} ${formatCount(head)}`) : null);
		}));
	}
}

const TILE_NAMES = { Ir: "Instructions (Ir)", EstCycles: "Estimated cycles" };

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
		this.element = h("section", { id: "metrics", "aria-labelledby": "metrics-title" }, h("h2", { id: "metrics-title" }, "Events"));
	}

	update(state) {
		const { bench } = this, { compared } = bench;
		const rows = bench.metrics.map((metric, i) => ({ metric, i }));
		const columns = compared ?
			[["Event"], ["Base", "num"], ["Head", "num"], ["\u0394", "num"], ["Change", "num"], ["", "bar-cell"]] :
			[["Event"], ["Count", "num"]];
		const most = Math.max(0.01, ...bench.metrics.map((metric) => Math.abs(changeOf(metric))));
		const cells = ({ metric, i }) => {
			const kind = changeKind(bench, metric), tolerated = known(metric) && bench.isTolerated(metric.head - metric.base, metric);
			const name = h("button.link", {
				type: "button", title: metric.long, "aria-pressed": String(i === state.metric), click: () => this.app.go({ metric: i }),
			}, metric.name);
			return h("tr" + (i === state.metric ? ".current" : ""), null,
				h("th.metric", { scope: "row" }, name, h("span.place", null, metric.long)),
				...(compared ? [
					h("td.num", null, formatCount(metric.base)), h("td.num", null, formatCount(metric.head)),
					h("td.num." + kind, null, known(metric) ? formatDelta(metric.head - metric.base) : NONE),
					h("td.num." + kind, null, formatChange(metric.base, metric.head), tolerated ? h("span.place", null, " within tolerance") : null),
					h("td.bar-cell", null, deltaBar(changeOf(metric) / most)),
				] : [h("td.num", null, formatCount(metric.head ?? metric.base))]));
		};
		const table = smallTable("Events", columns.map(([title, name]) => ({ title, class: name })), rows, cells);
		table.classList.add("counts");
		this.element.replaceChildren(this.element.firstChild, table);
	}
}

/* What is rarely wanted: all events, where the profiles come from, and how their environments differ. */
class About {
	constructor(bench, app) {
		this.bench = bench;
		this.metrics = new Metrics(bench, app);
		const { base, head, environment } = bench.raw;
		const sides = bench.compared ? [base, head].map((origin) => origin.name ?? origin.path ?? "") : [];
		const differs = environment?.length ? ", environment differences" : "";
		this.element = h("details.about", { id: "about" },
			h("summary", null, !sides.length ? null : h("span.about-sides", null, sides.flatMap((name, i) => [i ? h("span.arrow", null, ` ${ARROW} `) : null, nameElement(name)])),
				h("span.link", null, `All events, provenance${differs}`)),
			this.metrics.element, originsSection(bench), environmentSection(bench), notesSection(bench));
	}

	update(state) {
		this.metrics.update(state);
	}
}

function originsSection(bench) {
	const list = [["Base", bench.raw.base], ["Head", bench.raw.head]].filter(([, origin]) => origin);
	return h("div.origins", null, list.map(([title, origin]) => h("dl.origin", null,
		h("div.origin-name", null, h("dt", null, title), h("dd", null, nameElement(origin.name ?? origin.path ?? ""))),
		originFacts(origin).map(([key, value]) => h("div", null, h("dt", null, key), h("dd", null, nameElement(value)))))));
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
		h("td", null, h("span.limit", null, limit.inclusive ? "inclusive " : "", visible(limit.metric), " ", h("b", null, visible(limit.limit)), limitSubject(limit), limit.isDefault ? " (default)" : null), limit.why ? h("p.hint", null, visible(limit.why)) : null),
		h("td.num", null, formatCount(limit.base)), h("td.num.to", null, formatCount(limit.head)),
		h("td.num", null, formatChange(limit.base, limit.head)));
	return h("section", { id: "limits", "aria-labelledby": "limits-title" }, h("div.section-head", null, h("h2", { id: "limits-title" }, "Limits")),
		stacked(smallTable("Limits", columns.map(([title, name]) => ({ title, class: name })), rows, cells)));
}

function limitSubject(limit) {
	const name = limit.name ?? limit.function, isPattern = !limit.name && !limit.isModule;
	return name ? h("span", null, isPattern ? " of fn:" : " of ", nameElement(name), limit.place ? ` in ${visible(limit.place)}` : "") : null;
}

/* What bears on what the verdict is worth. */
function remarksOf(bench) {
	const differs = bench.raw.environment?.length ?
		[{ text: `Base and head were measured in different environments (${plural(bench.raw.environment.length, "difference")}), which may explain the change` }] : [];
	return [...(bench.raw.remarks ?? []), ...differs];
}

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
		h("h2", { id: "environment-title" }, "Environment differences"),
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
			insight.function >= 0 ? h("button.link", { type: "button", click: () => app.showFunction(insight.function) }, shortNameElement(bench, insight.function)) : null))));
}

function notesSection(bench) {
	const notes = (bench.raw.notes ?? []).map(visible);
	if (bench.report.rounded)
		notes.unshift("Counts above 9,007,199,254,740,992 are rounded on this page.");
	return notes.length ? h("ul.notes", { id: "notes", "aria-label": "Notes" }, notes.map((note) => h("li", null, note))) : null;
}

/* ---- causes ---- */

function causesSection(bench, app) {
	const causes = bench.raw.causes ?? [], metric = bench.metrics[bench.judged].name, total = bench.raw.causesDelta ?? 0;
	const title = total ? ["Causes of the change", h("span.place", null, ` ${formatDelta(total)} ${metric}`)] : ["Causes of the change"];
	const none = bench.raw.cancelled ? "No single cause exceeds the threshold." : "No function changed.";
	const list = causes.length ? causeList(bench, app, causes, total) : h("p.empty", null, none);
	return h("section", { id: "causes", "aria-labelledby": "causes-title" },
		h("div.section-head", null, h("h2", { id: "causes-title", tabindex: "-1" }, title)),
		h("p.hint", { id: "causes-metric", hidden: true }, `These are the causes of the change in ${metric}, which was judged.`),
		bench.raw.causesAre ? h("p.hint", null, bench.raw.causesAre) : null,
		causes.length > FEW_CAUSES + 2 ? withMore(list, plural(causes.length - FEW_CAUSES, "smaller cause")) : list,
		unlistedCauses(causes, total, metric),
		cancelledChanges(bench, app),
		causes.some((cause) => cause.estimated) ? h("p.hint", null, "~ marks estimates: the profile lacks full call paths, or inlined code has none of its own.") : null);
}

/* What no cause names. */
function cancelledChanges(bench, app) {
	const changes = bench.raw.cancelled;
	return changes ? h("div.hint", null, "Larger changes cancel each other out:",
		h("ul", null, changes.map((change) => h("li", null, causeButton(bench, app, { ...change, caller: -1 }),
			`${change.inlined ? " (inlined)" : ""}: ${change.how}, ${formatDelta(change.delta)}`)))) : null;
}

/* What is missing for the rows to add up. */
function unlistedCauses(causes, total, metric) {
	const rest = total - sum(causes.map((cause) => cause.delta));
	return rest && causes.length ? h("p.hint", null, `Smaller causes not listed: ${formatDelta(rest)} ${metric}.`) : null;
}

function causeList(bench, app, causes, total) {
	const largest = Math.max(...causes.map((cause) => Math.abs(cause.delta))), shares = sharesSay(bench.raw);
	return h("ol.causes", null, causes.map((cause) => {
		const kind = cause.delta > 0 ? "up" : "down", bar = h("span.cause-bar." + kind, { "aria-hidden": "true" });
		const { baseCalls, headCalls } = cause, most = Math.max(baseCalls, headCalls);
		const calls = baseCalls && headCalls ? `${formatPair(baseCalls, headCalls)} calls` : most ? plural(most, "call") : "";
		bar.style.width = `${Math.max(1, 100 * Math.abs(cause.delta) / largest)}%`;
		return h("li", null,
			h("div.cause-line", null, causeButton(bench, app, cause), h("b.cause-delta." + kind, null, formatDelta(cause.delta)),
				shares ? h("span.cause-share", { title: "share of the change" }, formatShare(cause.delta, total)) : null),
			bar,
			h("div.cause-why", null, visible(cause.change ?? [cause.reason ?? cause.kind, calls].filter(Boolean).join(", ")),
				cause.note ? [", ", h("span.cause-note", null, visible(cause.note))] : null),
			causePlace(cause), causeParts(bench, app, cause));
	}));
}

/* Of what a cause is the sum, when it is opened. */
function causeParts(bench, app, cause) {
	const { parts = [], numberOfParts = 0 } = cause;
	if (!parts.length)
		return null;
	const hidden = numberOfParts - parts.length;
	return h("details.cause-parts", null, h("summary", null, plural(numberOfParts, "part")),
		h("ul", null, parts.map((part) => h("li", null, causeButton(bench, app, part), " ", formatDelta(part.delta))),
			hidden ? h("li", null, `and ${hidden} more`) : null));
}

/* Where it is and, when it is opened, what changed there. */
function causePlace(cause) {
	if (!cause.path)
		return null;
	const place = `${visible(cause.path)}:${cause.line}${cause.inBase ? " in base" : ""}${visible(cause.edited ?? "")}`, lines = cause.lines ?? [];
	if (!lines.length)
		return h("div.cause-place", null, place);
	const kinds = { "+": ".added", "-": ".removed" };
	return h("details.cause-place", null, h("summary", null, place),
		h("pre.cause-code", null, lines.map(([sign, number, text]) =>
			h("span.cause-code-line" + (kinds[sign] ?? ""), null, `${String(number).padStart(5)} ${sign} ${visibleLine(text)}\n`))));
}

/* Of one profile, in the place of causes. */
class Hottest {
	constructor(bench, app) {
		this.bench = bench;
		this.app = app;
		this.element = h("section", { id: "hottest", "aria-labelledby": "causes-title" });
	}

	update(state) {
		const { bench } = this, side = bench.only, costs = flatCosts(bench, state.metric), self = side === "base" ? costs.selfBase : costs.selfHead;
		const metric = bench.metrics[state.metric], { flat } = bench.raw;
		const rows = [...self.keys()].sort((a, b) => self[b] - self[a]).slice(0, HOTTEST).filter((r) => self[r] > 0);
		const fnOf = (r) => (flat.function[r] >= 0 ? flat.function[r] : flat.baseFunction[r]);
		this.element.replaceChildren(
			h("div.section-head", null, h("h2", { id: "causes-title", tabindex: "-1" }, "Hottest functions", h("span.place", null, ` self cost in ${metric.name}`))),
			h("ol.causes", null, rows.map((r) => {
				const bar = h("span.cause-bar.even", { "aria-hidden": "true" });
				bar.style.width = `${100 * self[r] / self[rows[0]]}%`;
				return h("li", null, h("div.cause-line", null,
					h("button.link.cause", { type: "button", click: () => this.app.showFunction(fnOf(r)) }, shortNameElement(bench, fnOf(r))),
					h("b.cause-delta", null, formatCount(self[r])), h("span.cause-share", null, formatShare(self[r], metric[side]))), bar);
			})));
	}
}

/* Where causes cancel each other, shares of what is left say nothing. */
function sharesSay({ causes = [], causesDelta = 0, causesSizes = sum(causes.map(({ delta }) => Math.abs(delta))) }) {
	return causesDelta !== 0 && causesSizes / 2 <= Math.abs(causesDelta);
}

/* Of what is no cause, such as the self cost of a function, or is in a metric without causes, a share
 * that no cause could have says nothing either. */
function shareOfChange(bench, metric, n) {
	const whole = metric.head - metric.base, part = n / whole;
	const judged = metric === bench.metrics[bench.judged];
	return whole && part >= -0.5 && part <= 1.5 && (!judged || sharesSay(bench.raw)) ? formatShare(n, whole) : null;
}

function causeButton(bench, app, cause) {
	const caller = cause.caller >= 0 && cause.kind !== "self" ? cause.caller : -1;
	return h("button.link.cause", { type: "button", "aria-label": causeLabel(bench, cause, caller), click: () => app.showFunction(cause.function, caller) },
		cause.estimated ? h("span.pre", null, "~ ") : null,
		...(caller < 0 ? [] : [shortNameElement(bench, caller), h("span.arrow", null, ` ${ARROW} `)]),
		shortNameElement(bench, cause.function));
}

/* A name that may take several lines; they break between its parts. */
function shortNameElement(bench, fn) {
	const parts = bench.shortName(fn).split(/(?<=::|[a-z0-9]_)/);
	return h("span.name.short", { title: bench.functionName(fn) }, parts.flatMap((part, i) => (i ? [h("wbr"), part] : [part])));
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
		this.hero = new Hero(bench);
		this.tiles = bench.metrics.length > 1 ? new Tiles(bench, app) : null;
		this.about = new About(bench, app);
		this.graph = has ? new Graph(bench, app) : null;
		this.table = raw.flat?.function.length ? new FlatTable(bench, app) : null;
		this.panel = new FunctionPanel(bench, app, this.graph);
		this.sources = bench.sources.length ? new Sources(bench) : null;
		this.history = hasHistory(bench) ? new HistoryChart(bench) : null;
		this.hottest = !bench.compared && this.table ? new Hottest(bench, app) : null;
		this.parts = [this.hero, this.tiles, this.about, this.hottest, this.graph, this.panel, this.table, this.sources, this.history].filter(Boolean);
		this.elements = this.arrange(app).filter(Boolean);
	}

	arrange(app) {
		const { bench, table } = this, beside = [limitsSection(bench), insightsSection(bench, app)].filter(Boolean);
		this.causes = this.hottest?.element ?? (bench.compared && (this.graph || bench.raw.causes?.length) ? causesSection(bench, app) : null);
		const aside = h("div.aside", null, [this.causes, this.panel.element].filter(Boolean));
		return [
			this.hero.element, remarksSection(remarksOf(bench)), this.tiles?.element, this.about.element,
			h("div.answer" + (this.graph && this.causes ? "" : ".single"), null, aside,
				this.graph ? this.graph.element : h("p.empty", null, "No flame graph: the profile has no calls.")),
			beside.length ? h("div.columns" + (beside.length > 1 ? "" : ".single"), null, beside) : null,
			table ? table.element : h("section", null, h("div.section-head", null, h("h2", null, "Functions")),
				h("p.empty", null, bench.compared ? "No function changed." : "No function was recorded.")),
			this.sources?.element, this.history?.element,
		];
	}

	/* `changed` is what differs from the state shown before. */
	update(state, changed) {
		const isChanged = (...keys) => keys.some((key) => changed.has(key));
		for (const part of this.parts)
			if (part === this.graph || isChanged("bench", "metric") || part === this.panel && isChanged("fn", "side"))
				part.update(state, changed);
		if (this.causes)
			this.causes.hidden = state.fn >= 0;
		const hint = this.causes?.querySelector("#causes-metric");
		if (hint)
			hint.hidden = state.metric === this.bench.judged;
	}

	onKey(key) {
		return this.graph?.onKey(key) ?? false;
	}

	/* To the panel of the function, which was just opened. */
	focusFunction(fn, caller) {
		this.graph?.focusFunction(fn, caller);
		const title = byId("function-title"), { top, bottom } = title.getBoundingClientRect();
		title.focus({ preventScroll: top >= 0 && bottom <= innerHeight });
		say(title.textContent);
	}

	print(on) {
		for (const part of [this.graph?.flame, this.table].filter(Boolean))
			part.printing = on;
		if (on)
			this.wasOpen = this.about.element.open;
		this.about.element.open = on || this.wasOpen;
		this.graph?.draw();
		this.graph?.flame.paint(); /* the next frame of the screen may come after printing */
		this.table?.fill();
	}
}
