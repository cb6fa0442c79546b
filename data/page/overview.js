/* Several benchmarks: one row each, and the causes that they have in common. */

/* What makes a check fail, or no verdict possible. */
const FAILING = ["exceeded", "missing", "unjudged", "untrusted", "inconclusive"];
const FEW_LINKS = 4, MOST_MERGED = 50, EDITED_TIMES = 3;
/* Of the geometric mean of benchmarks that are compared in different metrics. */
const MEAN_METRIC = "Ir";

function isFailing(bench) {
	return FAILING.includes(bench.raw.verdict);
}

/* The largest cause that goes where the total goes, or else the largest. None of what did not change. */
function topCause(bench) {
	const { causes = [], causesDelta = 0 } = bench.raw, metric = bench.metrics[bench.judged];
	return known(metric) && bench.isChange(metric.head - metric.base, metric) ? causes.find((cause) => (cause.delta > 0) === (causesDelta > 0)) ?? causes[0] ?? null : null;
}

function causeFunctions(cause) {
	return cause.kind !== "self" && cause.caller >= 0 ? [cause.caller, cause.function] : [cause.function];
}

/* `shownName` makes shorter names, of which the tooltip has all. */
function causeNameElement(bench, cause, isEstimated, shownName = (name) => name) {
	return h("span.cause-names", null, isEstimated ? h("span.pre", null, "~") : null,
		causeFunctions(cause).map((fn, i) => h("span.cause-name", null, i ? h("span.arrow", null, `${ARROW} `) : null,
			nameElement(shownName(bench.shortName(fn)), bench.functionName(fn)))));
}

/* Also without limits, what would fail with them. */
function isBad(bench) {
	return isFailing(bench) || bench.raw.verdict === "regressed";
}

/* Causes of one benchmark stay apart, as of two functions of one name: the nth is merged with the
 * nth, in the order of their files. */
function keyOfNext(merged, key, bench) {
	let n = 0;
	while (merged.get(key + n)?.benches.has(bench))
		n++;
	return key + n;
}

/* Causes of several benchmarks that are the same become one: by caller, function, the file's name
 * without directories, which differ between machines, reason, direction and metric. What was edited
 * has three times the weight. `share` is the largest part of it in the base of a benchmark. */
function mergeCauses(benches) {
	const merged = new Map();
	for (const bench of benches.filter((one) => one.compared)) {
		const { name: metric, base } = bench.metrics[bench.judged], fails = isBad(bench);
		const fileOf = (cause) => bench.fileName(cause.function);
		for (const cause of [...(bench.raw.causes ?? [])].sort((a, b) => fileOf(a).localeCompare(fileOf(b)))) {
			const names = causeFunctions(cause).map((fn) => bench.functionName(fn)), file = fileOf(cause).split("/").pop();
			const key = keyOfNext(merged, JSON.stringify([names, file, cause.reason, cause.delta > 0, metric]), bench);
			const one = merged.get(key) ?? { bench, cause, names, reason: cause.reason ?? cause.kind, metric, delta: 0, weight: 0, share: 0, fails: false, estimated: false, benches: new Map() };
			const weight = Math.abs(cause.delta) * (cause.ofEdit ? EDITED_TIMES : 1);
			one.delta += cause.delta;
			one.weight += weight;
			one.share = Math.max(one.share, weight / (Math.abs(base) || 1));
			one.fails ||= fails;
			one.estimated ||= Boolean(cause.estimated);
			one.benches.set(bench, cause);
			merged.set(key, one);
		}
	}
	return rankCauses([...merged.values()]);
}

/* What changed from base to head; of several benchmarks costs and calls are the sums, where they are
 * known of each. */
function mergedChange({ benches, reason, metric }) {
	const all = [...benches.values()], total = (key) => (all.every((cause) => cause[key]) ? sum(all.map((cause) => cause[key])) : 0);
	const pair = (base, head) => `${formatCount(base)} ${ARROW} ${formatCount(head)}`;
	const [base, head] = [total("baseCalls"), total("headCalls")], [{ kind }] = all;
	if (all.length === 1)
		return all[0].change ?? reason;
	if (all.every(({ baseSelf }) => baseSelf !== undefined))
		return `self ${pair(sum(all.map(({ baseSelf }) => baseSelf)), sum(all.map(({ headSelf }) => headSelf)))} ${metric}`;
	if (kind === "calls" && base && head && (all[0].delta > 0 ? head > base : head < base))
		return `${pair(base, head)} calls`;
	if (["new", "removed"].includes(kind) && (base || head))
		return `${kind}, ${plural(base || head, "call")}`;
	return reason;
}

/* What fails first, and of that the first of each metric; the largest weight first, or, as counts of
 * different metrics have no order, the largest share. */
function rankCauses(causes) {
	const mixed = new Set(causes.map(({ metric }) => metric)).size > 1, seen = new Set();
	const ranked = causes.sort((a, b) => b.fails - a.fails || (mixed ? b.share - a.share : 0) || b.weight - a.weight || Math.abs(b.delta) - Math.abs(a.delta));
	const isFirst = ({ metric, fails }) => fails && !seen.has(metric) && Boolean(seen.add(metric));
	const [first, others] = [[], []];
	for (const cause of ranked)
		(isFirst(cause) ? first : others).push(cause);
	return [...first, ...others];
}

class Overview {
	constructor(report, benches, app) {
		this.report = report;
		this.benches = benches;
		this.app = app;
		this.order = { column: -1, down: true };
		this.causesOrder = { column: -1, down: true };
		this.compared = benches.some((bench) => bench.compared);
		this.elements = [h("section.hero", { "aria-label": "Summary" }), h("section", { "aria-label": "Benchmarks" }), this.causes()].filter(Boolean);
	}

	update(state, changed) {
		if (!changed.has("bench") && !changed.has("metric"))
			return;
		const rows = this.benches.map((bench, i) => ({ bench, i, metric: bench.metricOf(state.metricName) ?? bench.metrics[bench.judged] }));
		rows.sort((a, b) => isFailing(b.bench) - isFailing(a.bench) || changeOf(b.metric) - changeOf(a.metric));
		this.fillSummary(rows, state);
		this.fillTable(rows);
	}

	fillSummary(rows, state) {
		const of = state.metricName || MEAN_METRIC, mean = geometricMean(this.benches, of);
		const counts = new Map();
		for (const verdict of rows.map((row) => verdictOf(row.bench)))
			counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
		const tallies = [...counts].filter(([verdict]) => verdict !== "none")
			.sort(([a], [b]) => FAILING.includes(b) - FAILING.includes(a) || Object.keys(VERDICTS).indexOf(a) - Object.keys(VERDICTS).indexOf(b));
		const kind = mean.count ? direction(1, mean.ratio) : "even";
		this.elements[0].replaceChildren(...[
			h("h1", null, nameElement(this.report.title || "All benchmarks")),
			...tallies.map(([verdict, n]) => h("span.tally", null, `${formatCount(n)} `, verdictPill(verdict))),
			mean.count ? h("p.hero-counts", null, h("span.hero-change." + kind, { id: "mean" }, formatChange(1, mean.ratio))) : null,
			mean.count ? h("p.hint", null, `Geometric mean of head / base in ${of} over ${plural(mean.count, "benchmark")}: ${mean.ratio.toFixed(4)}. `, this.commits()) : null,
			this.report.rounded ? h("p.hint", null, "Some counts are above 9,007,199,254,740,992 and rounded.") : null,
		].filter(Boolean));
	}

	/* What was compared, where that is the same of all. */
	commits() {
		const of = (side) => [...new Set(this.benches.map(({ raw }) => raw[side]?.commit))];
		const [base, head] = [of("base"), of("head")], short = (commit) => visible(commit).slice(0, HISTORY_ID);
		if (base.length !== 1 || !base[0])
			return "";
		if (head.length !== 1 || !head[0] || head[0] === base[0]) /* a work tree has changes */
			return `Base: commit ${short(base[0])}.`;
		return `Commits ${short(base[0])} ${ARROW} ${short(head[0])}.`;
	}

	link(i, ...content) {
		return h("button.link", { type: "button", click: () => this.app.go({ ...NOTHING, bench: i }) }, ...content);
	}

	/* ---- benchmarks ---- */

	fillTable(rows) {
		const columns = [this.nameColumn(), ...(this.compared ? this.changeColumns(rows) : this.countColumns()), ...(this.benches.some(hasHistory) ? [this.historyColumn()] : [])];
		const cells = (row) => h("tr" + (isFailing(row.bench) ? ".failing" : ""), null, columns.map((column) => column.cell(row)));
		const table = stacked(smallTable("Benchmarks", columns, rows, cells, this.order));
		table.classList.add("benches");
		this.elements[1].replaceChildren(h("div.section-head", null, h("h2", null, "Benchmarks")), table);
	}

	nameColumn() {
		return { title: "Benchmark", class: "who", down: false, sort: ({ bench }) => bench.name, cell: ({ bench, i }) => h("td.who", null, this.link(i, nameElement(bench.name))) };
	}

	metricColumn() {
		return { title: "Metric", class: "unit", sort: ({ metric }) => metric.name, down: false, cell: ({ metric }) => h("td.unit", null, metric.name) };
	}

	countColumns() {
		return [{ title: "Count", class: "num", sort: ({ metric }) => metric.head ?? metric.base, cell: ({ metric }) => h("td.num", null, formatCount(metric.head ?? metric.base), h("span.unit", null, ` ${metric.name}`)) }];
	}

	changeColumns(rows) {
		const most = Math.max(0.01, ...rows.map(({ metric }) => Math.abs(changeOf(metric))));
		const kindOf = ({ bench, metric }) => changeKind(bench, metric);
		return [
			...(new Set(rows.map(({ metric }) => metric.name)).size > 1 ? [this.metricColumn()] : []),
			{ title: "Verdict", class: "verdict", sort: ({ bench }) => Object.keys(VERDICTS).indexOf(verdictOf(bench)), down: false, cell: ({ bench }) => h("td.verdict", null, benchPill(bench)) },
			{ title: "Base", class: "num.side", sort: ({ metric }) => metric.base ?? 0, cell: ({ metric }) => h("td.num.side", null, formatCount(metric.base)) },
			{ title: "Head", class: "num.side", sort: ({ metric }) => metric.head ?? 0, cell: ({ metric }) => h("td.num.side", null, formatCount(metric.head)) },
			{
				title: "\u0394", class: "num.delta", sort: ({ metric }) => (metric.head ?? 0) - (metric.base ?? 0),
				cell: (row) => h("td.num.delta." + kindOf(row), null, known(row.metric) ? formatDelta(row.metric.head - row.metric.base) : NONE),
			},
			{ title: "Change", class: "num.change", sort: ({ metric }) => changeOf(metric), cell: (row) => h("td.num.change." + kindOf(row), null, formatChange(row.metric.base, row.metric.head)) },
			{ title: "", class: "bar-cell", cell: ({ metric }) => h("td.bar-cell", null, deltaBar(changeOf(metric) / most)) },
			{ title: "Top cause", class: "top-cause", hint: "and its share of the change, or its size where causes cancel each other", cell: ({ bench }) => this.topCell(bench) },
		];
	}

	topCell(bench) {
		const cause = topCause(bench), { causesDelta } = bench.raw;
		if (!cause)
			return h("td.top-cause");
		const share = sharesSay(bench.raw) ? formatShare(cause.delta, causesDelta) : formatDelta(cause.delta);
		return h("td.top-cause", null, h("div.top-line", null, causeNameElement(bench, cause, cause.estimated, lastPart), h("span.share", null, share)));
	}

	historyColumn() {
		return { title: "History", class: "spark-cell", cell: ({ bench }) => h("td.spark-cell", null, hasHistory(bench) ? sparkline(bench) : null) };
	}

	/* ---- causes ---- */

	causes() {
		const all = mergeCauses(this.benches), causes = all.slice(0, MOST_MERGED);
		if (!causes.length)
			return null;
		const metrics = new Set(causes.map(({ metric }) => metric)), most = (of) => Math.max(...causes.filter(({ metric }) => metric === of).map(({ delta }) => Math.abs(delta)));
		const unit = (cause) => (metrics.size > 1 ? ` ${cause.metric}` : "");
		const columns = [
			{ title: "Cause", class: "who", down: false, sort: ({ names }) => names.join(" ") },
			{ title: "\u0394", class: "num", hint: "of all benchmarks together; sorts by absolute value", sort: ({ delta }) => Math.abs(delta) }, { title: "", class: "bar-cell" },
			{ title: "Why", class: "why", down: false, sort: ({ reason }) => reason },
			{ title: "Benchmarks", class: "links", sort: ({ benches }) => benches.size },
		];
		const cells = (cause) => h("tr", null, h("td.who", null, causeNameElement(cause.bench, cause.cause, cause.estimated)),
			h("td.num." + direction(0, cause.delta), null, formatDelta(cause.delta) + unit(cause)), h("td.bar-cell", null, deltaBar(cause.delta / most(cause.metric))),
			h("td.why", null, visible(mergedChange(cause))), h("td.links", null, this.links(cause)));
		const table = stacked(smallTable("Causes", columns, causes, cells, this.causesOrder));
		const title = metrics.size > 1 ? "Causes" : `Causes (${[...metrics][0]})`;
		return h("section", { id: "merged-causes", "aria-labelledby": "merged-title" }, h("div.section-head", null, h("h2", { id: "merged-title" }, title)),
			causes.some(({ estimated }) => estimated) ? h("p.hint", null, "~ marks estimates: the profile lacks full call paths, or inlined code has none of its own.") : null,
			causes.length > FEW_CAUSES + 2 ? withMore(table, plural(causes.length - FEW_CAUSES, "smaller cause")) : table,
			all.length > MOST_MERGED ? h("p.hint", null, `${plural(all.length - MOST_MERGED, "smaller cause")} not listed.`) : null);
	}

	/* "3 benchmarks: a, b, c"; the largest change of them first. */
	links({ benches }) {
		const list = [...benches].sort(([, a], [, b]) => Math.abs(b.delta) - Math.abs(a.delta)).map(([bench]) => bench);
		const links = list.map((bench) => h("span.bench-link", null, this.link(this.benches.indexOf(bench), nameElement(bench.name))));
		const rest = links.slice(FEW_LINKS + 1).length ? links.slice(FEW_LINKS) : [];
		const more = rest.length ? h("button.link", { type: "button", click: () => more.replaceWith(...rest) }, `and ${formatCount(rest.length)} more`) : null;
		return [list.length > 1 ? h("span.bench-count", null, plural(list.length, "benchmark")) : null, ...links.slice(0, links.length - rest.length), more];
	}

	print() {}
}

/* The metric that all are compared in; null if they differ. */
function commonMetric(benches) {
	const names = new Set(benches.map((bench) => bench.metrics[bench.judged].name));
	return names.size === 1 ? [...names][0] : null;
}

/* Of head / base, of all that have the metric on both sides. None if a count is not above 0. */
function geometricMean(benches, name) {
	const counts = benches.map((bench) => bench.metricOf(name)).filter((metric) => metric && known(metric));
	if (!counts.length || counts.some(({ base, head }) => base <= 0 || head <= 0))
		return { count: 0, ratio: 1 };
	return { count: counts.length, ratio: Math.exp(sum(counts.map(({ base, head }) => Math.log(head / base))) / counts.length) };
}
