/* Several benchmarks: one row each. */

class Overview {
	constructor(report, benches, app) {
		this.report = report;
		this.benches = benches;
		this.app = app;
		this.order = { column: 5, down: true };
		this.elements = [h("section.hero", { "aria-label": "Summary" }), h("section", { "aria-label": "Benchmarks" })];
	}

	update(state, changed) {
		if (!changed.has("bench") && !changed.has("metric"))
			return;
		const rows = this.benches.map((bench, i) => ({ bench, i, metric: bench.metrics.find((metric) => metric.name === state.metricName) ?? bench.metrics[bench.judged] }));
		this.fillSummary(rows, state);
		this.fillTable(rows);
	}

	fillSummary(rows, state) {
		const mean = geometricMean(rows.map(({ metric }) => metric));
		const counts = new Map();
		for (const { bench } of rows)
			counts.set(bench.raw.verdict, (counts.get(bench.raw.verdict) ?? 0) + 1);
		const kind = mean.count ? direction(1, mean.ratio) : "even";
		this.elements[0].replaceChildren(...[
			h("div.hero-top", null, h("h1", null, nameElement(this.report.title || "Benchmarks")),
				[...counts].map(([verdict, n]) => h("span.tally", null, `${formatCount(n)} `, verdictPill(verdict)))),
			mean.count ? h("p.hero-counts", null, h("span.hero-count", { id: "mean" }, `\u00d7 ${mean.ratio.toFixed(4)}`),
				h("span.hero-change." + kind, null, formatChange(1, mean.ratio))) : null,
			mean.count ? h("p.hint", null, `Geometric mean of head / base in ${state.metricName} over ${plural(mean.count, "benchmark")}.`) : null,
			this.report.rounded ? h("p.hint", null, "Some counts are above 9,007,199,254,740,992 and rounded.") : null,
		].filter(Boolean));
	}

	fillTable(rows) {
		const change = ({ metric }) => changeOf(metric);
		const columns = [
			{ title: "Benchmark", class: "who", down: false, sort: ({ bench }) => bench.name },
			{ title: "Verdict", sort: ({ bench }) => Object.keys(VERDICTS).indexOf(bench.raw.verdict), down: false },
			{ title: "Base", class: "num", sort: ({ metric }) => metric.base ?? 0 },
			{ title: "Head", class: "num", sort: ({ metric }) => metric.head ?? 0 },
			{ title: "\u0394", class: "num", sort: ({ metric }) => (metric.head ?? 0) - (metric.base ?? 0) },
			{ title: "Change", class: "num", sort: change }, { title: "", class: "bar-cell" },
		];
		const most = Math.max(0.01, ...rows.map((row) => Math.abs(change(row))));
		const cells = (row) => {
			const { bench, metric, i } = row, tolerated = known(metric) && bench.isTolerated(metric.head - metric.base, metric);
			const kind = tolerated ? "even" : direction(metric.base, metric.head);
			return h("tr", null,
				h("td.who", null, h("button.link", { type: "button", click: () => this.app.go({ ...NOTHING, bench: i }) }, nameElement(bench.name))),
				h("td", null, verdictPill(bench.raw.verdict)),
				h("td.num", null, formatCount(metric.base)), h("td.num", null, formatCount(metric.head)),
				h("td.num." + kind, null, known(metric) ? formatDelta(metric.head - metric.base) : NONE),
				h("td.num." + kind, null, formatChange(metric.base, metric.head)), h("td.bar-cell", null, deltaBar(change(row) / most)));
		};
		const table = stacked(smallTable("Benchmarks", columns, rows, cells, this.order));
		table.classList.add("benches");
		this.elements[1].replaceChildren(h("div.section-head", null, h("h2", null, "Benchmarks")), table);
	}

	print() {}
}

/* Of head / base, of those that have both. */
function geometricMean(metrics) {
	const ratios = metrics.filter((metric) => metric.base > 0 && metric.head > 0).map((metric) => Math.log(metric.head / metric.base));
	return { count: ratios.length, ratio: ratios.length ? Math.exp(sum(ratios) / ratios.length) : 1 };
}
