/* The page. The part of the address after # says what is shown, so that going back works and a
 * place can be sent to others. */

/* What is open of a benchmark before anything was chosen. */
const NOTHING = { zoom: -1, query: "", side: "", fn: -1, inverted: false };

class Page {
	constructor(report) {
		this.report = report;
		this.benches = report.benches.map((raw) => new Bench(report, raw));
		this.state = null;
		this.forced = null; /* the address, where a page may not change it */
		this.buildBar();
		byId("foot").append(this.footer());
		addEventListener("hashchange", () => {
			this.forced = null;
			this.apply();
		});
		document.querySelector(".skip").addEventListener("click", (event) => {
			event.preventDefault();
			byId("main").focus();
		});
		addEventListener("keydown", (event) => this.onKey(event));
		addEventListener("beforeprint", () => this.print(true));
		addEventListener("afterprint", () => this.print(false));
		this.apply();
	}

	/* ---- bar and footer ---- */

	buildBar() {
		this.back = h("button.button", { type: "button", id: "all-benches", click: () => this.go({ ...NOTHING, bench: -1 }) }, "\u2190 All benchmarks");
		this.metric = h("select.field", { id: "metric", change: () => this.go({ metric: this.metric.selectedIndex }) });
		this.theme = new Theme(() => this.redraw());
		const { back } = this.report;
		byId("bar").append(h("div.bar-inner", null, h("span.brand", null, "irdiff"), ...(back ? [h("a.button", { id: "history-link", href: back }, "\u2190 History")] : []), this.back,
			h("span.bar-space"), h("label.choice", null, h("span", null, "Metric"), this.metric), this.theme.button));
	}

	footer() {
		const { generator, created } = this.report;
		return h("p", null, [generator && visible(generator), created && visible(created)].filter(Boolean).join(", "),
			". Instructions are counted, not timed; nothing is loaded from a network.");
	}

	fillMetrics() {
		const names = this.metricNames();
		this.metric.replaceChildren(...names.map(({ name, long }) => h("option", null, long && long !== name ? [name, long].filter(Boolean).join(": ") : name)));
		this.metric.selectedIndex = this.state.metric;
		this.metric.disabled = names.length < 2;
	}

	/* On the overview those that any benchmark has, and first, if they differ, that of each. */
	metricNames() {
		if (this.state.bench >= 0)
			return this.benches[this.state.bench].metrics;
		const names = new Map(commonMetric(this.benches) ? [] : [["", { name: "", long: "that of each benchmark" }]]);
		for (const bench of this.benches)
			for (const metric of bench.metrics)
				if (!names.has(metric.name))
					names.set(metric.name, metric);
		return [...names.values()];
	}

	/* ---- state ---- */

	/* State from the address: bench, side, zoom, metric, query, function, inverted. What makes no sense
	 * is the default. */
	read() {
		const hash = new URLSearchParams((this.forced ?? location.hash).slice(1)), several = this.benches.length > 1;
		const number = (key) => (/^\d{1,9}$/.test(hash.get(key) ?? "") ? Number(hash.get(key)) : -1);
		const state = { bench: several ? number("b") : 0, side: hash.get("t") ?? "", zoom: number("z"), query: hash.get("q") ?? "", fn: number("f"), inverted: hash.get("i") === "1" };
		if (state.bench >= this.benches.length)
			state.bench = several ? -1 : 0;
		state.metricName = hash.get("m") ?? "";
		this.state = state;
		const names = this.metricNames();
		const judged = this.benches[Math.max(0, state.bench)];
		state.metric = names.findIndex(({ name }) => name === state.metricName);
		if (state.metric < 0)
			state.metric = Math.max(0, names.findIndex(({ name }) => name === judged.metrics[judged.judged].name));
		state.metricName = names[state.metric].name;
		if (state.bench >= 0 && !judged.sides().includes(state.side))
			state.side = judged.sides()[0] ?? "";
		if (state.bench < 0 || state.fn >= judged.raw.functions.name.length)
			state.fn = -1;
		return state;
	}

	/* Goes where `changes` say; `replace` is for what one does not want to go back from. */
	go(changes, replace = false) {
		/* Upside down each metric has a tree of its own. */
		const turned = this.state.inverted && "metric" in changes ? { zoom: -1 } : {};
		const next = { ...this.state, ...turned, ...changes }, hash = new URLSearchParams();
		if (this.benches.length > 1 && next.bench >= 0)
			hash.set("b", next.bench);
		if (next.side)
			hash.set("t", next.side);
		if (next.zoom >= 0)
			hash.set("z", next.zoom);
		hash.set("m", "metric" in changes ? this.metricNames()[next.metric].name : this.state.metricName);
		if (next.query)
			hash.set("q", next.query);
		if (next.fn >= 0)
			hash.set("f", next.fn);
		if (next.inverted)
			hash.set("i", "1");
		const address = "#" + hash;
		if (address === (this.forced ?? location.hash))
			return;
		try {
			history[replace ? "replaceState" : "pushState"](null, "", address);
		} catch {
			/* Where a page may not keep a history, it is shown all the same. */
			this.forced = address;
		}
		this.apply();
	}

	apply() {
		const before = this.state, state = this.read();
		const changed = new Set(Object.keys(state).filter((key) => !before || before[key] !== state[key]));
		if (changed.has("bench"))
			this.open(state.bench);
		if (changed.has("bench") || changed.has("metric"))
			this.fillMetrics();
		this.view.update(state, changed);
	}

	open(bench) {
		this.view = bench < 0 ? new Overview(this.report, this.benches, this) : new BenchView(this.benches[bench], this);
		byId("main").replaceChildren(...this.failures(), ...this.remarks(), ...this.view.elements);
		this.back.hidden = this.benches.length < 2 || bench < 0;
		byId("tip").hidden = true;
		scrollTo(0, 0);
	}

	/* Above all: what is not here is missing in every number. */
	failures() {
		const failed = this.report.failed ?? [];
		const words = ({ name, where }) => h("li", null, nameElement(name), ` could not be measured at ${visible(where)}`);
		return failed.length ? [h("ul.notes.failed", { id: "failed", "aria-label": "Not measured" }, failed.map(words))] : [];
	}

	remarks() {
		return [remarksSection(this.report.remarks)].filter(Boolean);
	}

	/* Opens the panel of a function, with the focus of the graph on what `caller` calls of it, in sight. */
	showFunction(fn, caller) {
		const zoom = this.view.graph?.zoomThatShows(fn, caller) ?? this.state.zoom;
		this.go({ fn, query: "", zoom });
		this.view.focusFunction(fn, caller);
	}

	onKey(event) {
		const typing = event.target.closest?.("input, select, textarea");
		if (event.key === "/" && !typing && byId("search")) {
			event.preventDefault();
			byId("search").focus();
		} else if (event.key === "Escape" && !byId("tip").hidden) {
			byId("tip").hidden = true;
		} else if (event.key === "Escape" && !typing && this.state.fn >= 0 && !event.defaultPrevented) {
			this.go({ fn: -1 });
		} else if (!typing && event.target.closest?.("#graph") && !event.ctrlKey && !event.altKey && !event.metaKey && this.view.onKey?.(event.key)) {
			event.preventDefault();
		}
	}

	/* ---- colours ---- */

	isDark() {
		return !this.printing && this.theme.isDark();
	}

	palette() {
		return PALETTES[this.isDark() ? "dark" : "light"];
	}

	redraw() {
		this.view?.graph?.draw();
	}

	print(on) {
		this.printing = on;
		this.view.print(on);
	}
}

/* Another metric in its place would show numbers that nobody asked for as those of the verdict. */
function withoutMetric(report) {
	return report.benches.find(({ metric, metrics }) => !metrics.some(({ name }) => name === metric));
}

function start() {
	const refuse = (text) => byId("main").replaceChildren(h("p.empty", { role: "alert" }, text));
	let report;
	try {
		report = JSON.parse(byId("data").textContent);
	} catch {
		refuse("The data of this report cannot be read. Was the file cut off?");
		return;
	}
	if (report.version !== 2)
		refuse("The data of this report is of another version of irdiff than its page.");
	else if (!report.benches?.length)
		refuse("This report has no benchmark.");
	else if (withoutMetric(report))
		refuse(`The data of this report lacks ${visible(withoutMetric(report).metric)}, the metric of ${visible(withoutMetric(report).name)}.`);
	else
		new Page(report);
}

start();
