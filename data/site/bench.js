/* One benchmark: its chart, the commit that is chosen, and all steps. */

const FEW_STEPS = 20;

function dateOf(seconds) {
	return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/* "+40,800 (+1.2%)", in the colour of a step. */
function changeElement(before, now, step) {
	const kind = step > 0 ? "up" : step < 0 ? "down" : "even";
	return h("span." + kind, null, `${formatDelta(differenceOf(before, now))} (${formatCountChange(before, now)})`);
}

/* What is not known of steps if git has not told the order of commits. */
function orderNote({ by_time }) {
	return h("p.hint", { id: "by-time" }, `Commits are sorted by time only, so that a step may be between commits of different branches: ${visible(by_time)}.`);
}

/* Its texts are those of irdiff. */
function noReport({ missing }) {
	return `no report: ${missing}`;
}

/* A cause as reports on a terminal name it, with the minus signs of the page. */
function causeText(cause) {
	return visible(cause).replace(/([ ~(])-(?=<?\d)/g, "$1" + MINUS);
}

/* Below causes, if one of them has a mark. */
function estimateNote(causes) {
	return causes.some((cause) => /~[+-]?[0-9]/.test(cause)) ? [h("p.hint", null, "~ marks estimates: the profile lacks full call paths, or inlined code has none of its own.")] : [];
}

/* Of the environment of a series: its facts, with the names that people know. */
function factsOf({ facts }) {
	return facts.flatMap((key, i) => (i % 3 ? [] : [{ key, name: facts[i + 1], value: facts[i + 2] }]));
}

/* "CPU features: old". Of two ids nobody learns more than that they differ: "another C library". */
function otherFact(fact, usual) {
	const longest = 24, isId = (of) => /^(fnv1a:)?[0-9a-f]{16,}$/.test(of?.value ?? "");
	if (!fact)
		return `${visible(usual.name)}: ${NONE}`;
	if (isId(fact) && isId(usual))
		return `another ${visible(fact.name)}`;
	const value = Array.from(isId(fact) ? fact.value.slice(0, HISTORY_ID) : visible(fact.value));
	return `${visible(fact.name)}: ${value.slice(0, longest).join("")}${value.length > longest ? "\u2026" : ""}`;
}

class BenchView {
	constructor(site, summary, raw) {
		Object.assign(this, { site, summary, raw });
		this.loaded = new Map();
		this.place = h("div");
		this.title = h("h1", null, nameElement(raw.name));
		this.hero = h("div.hero-counts");
		this.metric = h("select.field", { id: "metric", change: () => site.go({ m: this.metric.value, z: "" }) });
		this.series = h("select.field", { id: "series", change: () => site.go({ s: this.series.value, m: "", z: "", c: "" }) },
			...raw.series.map((s, i) => h("option", { value: s.id }, this.seriesName(s, i))));
		this.out = h("button.button", { type: "button", id: "zoom-out", click: () => site.go({ z: "" }) }, "Zoom out");
		this.elements = [
			h("div.hero", null, this.title, this.hero, ...[summary.standing, summary.varies].filter(Boolean).map((note) => h("span.standing", null, note))),
			h("div.tools.chart-tools", null, h("label.choice", null, "Metric", this.metric),
				h("label.choice", { hidden: raw.series.length < 2 }, "Measured in", this.series), this.out,
				h("a.link", { href: `bench/${summary.id}/badge.svg` }, "Badge")),
			...(site.index.by_time ? [orderNote(site.index)] : []),
			this.place,
		];
	}

	seriesName(series, i) {
		const environments = new Set(this.raw.series.map(({ environment }) => environment)).size;
		const definitions = new Set(this.raw.series.map(({ definition }) => definition)).size;
		const parts = [];
		if (environments > 1)
			parts.push(`environment ${series.environment.slice(0, 8)}${this.otherFacts(series)}`);
		if (definitions > 1)
			parts.push(`definition ${series.definition.slice(0, 8)}`);
		return parts.join(", ") + (i === this.raw.shown ? " (current)" : "");
	}

	/* " (CPU features: old)": a few of those in which its environment is not the one that is shown first. */
	otherFacts(series) {
		const most = 2, read = (of) => new Map(factsOf(of).map((fact) => [fact.key, fact]));
		const facts = read(series), usual = read(this.raw.series[this.raw.shown]);
		const words = [...new Set([...facts.keys(), ...usual.keys()])].filter((key) => facts.get(key)?.value !== usual.get(key)?.value)
			.map((key) => otherFact(facts.get(key), usual.get(key)));
		return words.length ? ` (${words.slice(0, most).join(", ")}${words.length > most ? ", \u2026" : ""})` : "";
	}

	async update(state) {
		const raw = this.raw.series.find(({ id }) => id === state.s) ?? this.raw.series[this.raw.shown];
		const names = raw.metrics.map(({ name }) => name);
		const metric = [state.m, this.raw.metric, names[0]].find((name) => names.includes(name));
		const key = `${raw.id} ${metric}`;
		if (key !== this.key) {
			const series = this.loaded.get(raw.id) ?? await loadSeries(this.summary.id, raw, this.site.index.chunk);
			this.loaded.set(raw.id, series);
			/* Something else may have been asked for meanwhile. */
			if (!this.site.isOpen(this) || state !== this.site.state)
				return;
			this.open(series, raw, metric);
			this.key = key;
		}
		this.show(state);
	}

	open(series, raw, metric) {
		this.points = series.points(metric);
		/* Reports and causes are of the metric that is shown first. */
		this.diffs = new Map(metric === this.raw.metric ? raw.diffs.map((diff) => [diff.number, diff]) : []);
		this.metric.replaceChildren(...raw.metrics.map(({ name }) => h("option", { value: name }, visible(name))));
		this.metric.value = metric;
		this.series.value = raw.id;
		this.chart = new Chart(this.points, this.site.tags, { choose: (i) => this.choose(i), zoom: (from, to, chosen) => this.zoom(from, to, chosen), dateOf: (i) => this.dateAt(i) });
		this.about = h("dl.history-about", { id: "about" });
		this.range = null;
		this.counted = h("p.hint", { id: "counted", role: "status" });
		this.stepList = h("section", { id: "steps", "aria-labelledby": "steps-title" });
		this.place.replaceChildren(this.chart.box, this.chart.map, this.about, this.counted, this.stepList, this.environment(raw));
		this.fillHero();
	}

	/* Parts that come later may be missing. */
	orRefuse(promise) {
		promise.catch((error) => this.site.isOpen(this) && this.site.refuse(error));
	}

	fillHero() {
		const { countAt, steps } = this.points, last = steps.length - 1;
		this.hero.replaceChildren(h("span", null, formatCount(countAt(last)), h("span.unit", null, " " + visible(this.points.metric))),
			...(steps[last] ? [changeElement(countAt(last - 1), countAt(last), steps[last])] : []));
	}

	/* The steps of the commits that the chart shows; it does not show what led to the first of them. */
	shownSteps() {
		const { from, to } = this.range, { steps } = this.points, found = [];
		for (let i = from ? from + 1 : from; i <= to; i++)
			if (steps[i])
				found.push(i);
		return found;
	}

	isZoomed() {
		return this.range.from > 0 || this.range.to < this.points.numbers.length - 1;
	}

	hint() {
		const { from, to } = this.range, { counts, limits } = this.points;
		const level = isLevel(...rangeOf(this.points, from, to), limits);
		const scale = level ? "The line is flat, as no two counts differ by a step." : "The scale does not start at 0.";
		const band = !level && (limits.tolerance || limits.share) ? " The band is what the tolerance in irdiff.yml allows." : "";
		const shown = this.isZoomed() ? `${formatCount(to - from + 1)} of ${plural(counts.length, "measured commit")}` : plural(counts.length, "measured commit");
		return `${shown}, ${plural(this.shownSteps().length, "step")}. ${scale}${band} Drag over the chart to zoom; double-click or Esc zooms out.`;
	}

	/* ---- state ---- */

	show(state) {
		const { numbers } = this.points, last = numbers.length - 1;
		const index = (number) => Math.max(0, indexOfNumber(numbers, number));
		const range = /^(\d{1,15})-(\d{1,15})$/.exec(state.z);
		let from = range ? index(Number(range[1])) : 0, to = range ? index(Number(range[2])) : last;
		if (from >= to)
			[from, to] = [0, last];
		const chosen = /^\d{1,15}$/.test(state.c) ? index(Number(state.c)) : to;
		this.chart.show(from, to, chosen);
		this.orRefuse(this.dateEnds(numbers[from], numbers[to]));
		this.showRange({ from, to });
		this.orRefuse(this.describe(chosen));
	}

	/* What is told of all commits that the chart shows. */
	showRange(range) {
		if (this.range?.from === range.from && this.range?.to === range.to)
			return;
		this.range = range;
		this.all = false;
		this.out.disabled = !this.isZoomed();
		this.counted.textContent = this.hint();
		this.orRefuse(this.listSteps());
	}

	/* The days at the ends of the chart come later than its line. */
	async dateEnds(...ends) {
		const { chart } = this;
		if (ends.every((number) => this.site.commits.get(number)))
			return;
		await this.site.commits.load(ends);
		chart.draw();
	}

	/* "" until it is loaded. */
	dateAt(i) {
		const commit = this.site.commits.get(this.points.numbers[i]);
		return commit ? dateOf(commit.committed) : "";
	}

	choose(i) {
		this.site.go({ c: String(this.points.numbers[i]) }, true);
	}

	zoom(from, to, chosen) {
		const { numbers } = this.points, whole = from === 0 && to === numbers.length - 1;
		this.site.go({ z: whole ? "" : `${numbers[from]}-${numbers[to]}`, ...(chosen === undefined ? {} : { c: String(numbers[chosen]) }) });
	}

	/* ---- one commit ---- */

	async describe(i) {
		const number = this.points.numbers[i];
		this.describing = number;
		if (!this.site.commits.get(number))
			await this.site.commits.load([number]);
		if (this.describing !== number)
			return;
		const words = this.words(i).filter(([, value]) => value);
		this.about.replaceChildren(...words.map(([key, value]) => h("div" + (["Subject", "Cause"].includes(key) ? ".wide" : ""), null, h("dt", null, key), h("dd", null, value))));
		this.chart.describe([...this.about.querySelectorAll("dd")].map((e) => e.textContent).join(", "));
	}

	/* How many commits before it were not measured: any of them may have changed the count. */
	unmeasuredBefore(i) {
		const { numbers } = this.points;
		return i && this.site.index.ordered ? numbers[i] - numbers[i - 1] - 1 : 0;
	}

	words(i) {
		const { numbers, countAt, steps, metric } = this.points, commit = this.site.commits.get(numbers[i]) ?? {};
		const before = this.unmeasuredBefore(i), diff = this.diffs.get(numbers[i]);
		const count = countAt(i), last = i ? countAt(i - 1) : count;
		return [
			["Commit", commit.id && visible(commit.id).slice(0, HISTORY_ID)], ["Date", commit.id && dateOf(commit.committed)],
			["Author", commit.author && visible(commit.author)], ["Release", this.site.tagsAt(numbers[i]).map(visible).join(", ")],
			[visible(metric), formatCount(count)],
			["\u0394", count !== last ? h("span", null, changeElement(last, count, steps[i]), ` ${STEP_MARKS[steps[i]]} ${STEP_WORDS[steps[i]]}`) : ""],
			["Before", before ? `${plural(before, "commit")} not measured` : ""],
			["Report", diff?.page ? this.pageLink(diff) : diff?.missing && noReport(diff)],
			["Cause", diff?.cause && causeText(diff.cause)], ["Subject", commit.subject && visible(commit.subject)],
		];
	}

	pageLink(diff) {
		return h("a.link", { href: `bench/${this.summary.id}/${diff.page}` }, "report");
	}

	/* ---- all steps ---- */

	async listSteps() {
		const { numbers } = this.points, metric = this.points, range = this.range;
		const found = this.shownSteps().reverse();
		const shown = this.all ? found : found.slice(0, FEW_STEPS);
		await this.site.commits.load(shown.map((i) => numbers[i]));
		if (metric !== this.points || range !== this.range)
			return;
		const causes = shown.some((i) => this.diffs.has(numbers[i]));
		const columns = ["Commit", "Date", "Author", "Change", ...(causes ? ["Cause"] : []), "Subject"].map((title) => ({ title, class: title === "Change" ? "num" : "" }));
		const more = found.length > shown.length ? [h("button.button.more", { type: "button", click: () => {
			this.all = true;
			this.orRefuse(this.listSteps());
		} }, `Show all ${formatCount(found.length)} steps`)] : [];
		this.stepList.replaceChildren(h("h2", { id: "steps-title" }, this.isZoomed() ? "Steps in this part" : "Steps"),
			found.length ? stacked(smallTable("Steps", columns, shown, (i) => this.stepRow(i, causes))) : h("p.hint", null, "No count differs from the one before it by a step."), ...more,
			...estimateNote(shown.map((i) => this.diffs.get(numbers[i])?.cause ?? "")),
			...(this.diffs.size && this.raw.reports && this.points.steps.filter(Boolean).length > this.raw.reports ? [h("p.hint", null, `Reports are on at most ${plural(this.raw.reports, "step")}${this.raw.reports > 1 ? ": the newest and the largest" : ""}.`)] : []));
	}

	stepRow(i, causes) {
		const { numbers, countAt, steps } = this.points, commit = this.site.commits.get(numbers[i]) ?? { id: "", subject: "" }, diff = this.diffs.get(numbers[i]);
		const before = this.unmeasuredBefore(i), author = before ? "" : visible(commit.author ?? "");
		const choose = () => {
			this.choose(i);
			this.chart.box.scrollIntoView({ block: "nearest" });
		};
		return h("tr", null, h("td.history-id", null, h("button.link", { type: "button", click: choose }, visible(commit.id).slice(0, HISTORY_ID))),
			h("td.history-date", null, commit.id ? dateOf(commit.committed) : ""), h("td.by", author ? { title: author } : null, author),
			h("td.num", null, changeElement(countAt(i - 1), countAt(i), steps[i])),
			causes ? h("td.wrap", null, diff?.cause ? causeText(diff.cause) + " " : null, diff?.page ? this.pageLink(diff) : diff?.missing ? h("span.hint", null, noReport(diff)) : null) : null,
			h("td.wrap", null, before ? `One of ${plural(before + 1, "commit")}` : visible(commit.subject)));
	}

	/* ---- where it was measured ---- */

	environment(raw) {
		const facts = factsOf(raw), valgrind = facts.some(({ key }) => key === "valgrind") ? [] : [{ name: "Valgrind", value: raw.valgrind ?? "" }];
		return h("details.history-table", { id: "environment" }, h("summary", null, `Environment ${raw.environment.slice(0, 8)}, definition ${raw.definition.slice(0, 8)}`),
			h("dl.facts", null, ...[...valgrind, ...facts].map(({ name, value }) => h("div", null, h("dt", null, visible(name)), h("dd", null, visible(value))))));
	}
}
