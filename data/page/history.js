/* What the benchmark counted at earlier commits: a line that is level until a commit changes the
 * count. Steps are triangles, so that not only their colour tells. */

const MOST_DOTS = 80, LEAST_HISTORY = 3;

/* Two points are no more than the comparison says. */
function hasHistory(bench) {
	return (bench.raw.history?.count.length ?? 0) >= LEAST_HISTORY;
}

function sparkline(bench) {
	const { count: counts, metric, level } = bench.raw.history;
	return sparkOf(counts, `${visible(metric)} over ${plural(counts.length, "commit")}`, level);
}

class HistoryChart {
	constructor(bench) {
		this.bench = bench;
		this.raw = bench.raw.history;
		this.count = this.raw.count.length;
		this.metric = visible(this.raw.metric);
		this.least = this.raw.count.reduce((a, b) => Math.min(a, b));
		this.most = this.raw.count.reduce((a, b) => Math.max(a, b));
		const at = (commit) => (commit ? this.raw.commit.indexOf(commit) : -1);
		this.sides = [["base", at(this.raw.base)], ["head", at(this.raw.head)]].filter(([, i]) => i >= 0);
		this.chosen = this.sides.at(-1)?.[1] ?? this.count - 1;
		this.box = h("div.history-box", {
			id: "history-chart", role: "slider", tabindex: "0", "aria-label": `${this.metric} by commit`,
			"aria-valuemin": "1", "aria-valuemax": String(this.count),
			keydown: (event) => this.onKey(event),
			pointermove: (event) => this.onPointer(event), pointerdown: (event) => this.onPointer(event),
		});
		this.about = h("dl.history-about", { id: "history-about" });
		this.element = h("section", { id: "history", "aria-labelledby": "history-title" },
			h("div.section-head", null, h("h2", { id: "history-title" }, `${this.metric} over ${plural(this.count, "measured commit")}`)),
			h("p.hint", null, this.summary()), this.box, this.about, this.table());
		new ResizeObserver(() => this.draw()).observe(this.box);
		this.choose(this.chosen);
	}

	update() {
		this.draw();
	}

	summary() {
		const { raw } = this, steps = raw.step.filter(Boolean).length;
		const range = this.least === this.most ? `Always ${formatCount(this.least)}.` :
			raw.level ? `${levelWords(this.least, this.most)}.` :
			`From ${formatCount(this.least)} to ${formatCount(this.most)}, with ${steps ? plural(steps, "step") : "no step"}. The scale does not start at 0.`;
		const older = raw.older ? ` ${plural(raw.older, "older commit")} not in this file.` : "";
		return range + older;
	}

	/* ---- places ---- */

	x(i) {
		return this.count > 1 ? this.left + (i * (this.right - this.left)) / (this.count - 1) : (this.left + this.right) / 2;
	}

	y(i) {
		const range = this.raw.level ? 0 : this.most - this.least;
		return range ? this.bottom - ((this.raw.count[i] - this.least) * (this.bottom - this.top)) / range : (this.top + this.bottom) / 2;
	}

	draw() {
		const width = this.box.clientWidth, height = isNarrow() ? 170 : 220;
		if (!width)
			return;
		Object.assign(this, { left: 12, right: width - 12, top: 34, bottom: height - 38, height });
		this.cursor = drawn("g.history-cursor");
		this.svg = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
			...this.scale(), ...this.drawSides(), drawn("path.history-line", { d: this.path() }), this.cursor, ...this.dots(), ...this.steps());
		this.box.replaceChildren(this.svg);
		this.drawCursor();
	}

	/* The lowest and the highest count, and the first and the last day. */
	scale() {
		const { raw, left, right } = this;
		const line = (y) => drawn("line.history-grid", { x1: left, x2: right, y1: y, y2: y });
		const text = (x, y, anchor, words) => drawn("text.history-text", { x, y, "text-anchor": anchor }, words);
		const flat = raw.level || this.least === this.most, low = flat ? (this.top + this.bottom) / 2 : this.bottom;
		const edges = flat ? [] : [line(this.top), text(left, this.top - 14, "start", formatCount(this.most))];
		return [...edges, line(low), text(left, low + 15, "start", flat ? levelWords(this.least, this.most) : formatCount(this.least)),
			text(left, this.height - 5, "start", visible(raw.date[0])), text(right, this.height - 5, "end", visible(raw.date[this.count - 1]))];
	}

	/* Where the commits are that are compared; at different heights, as they may be neighbours. */
	drawSides() {
		return this.sides.flatMap(([side, i]) => {
			const x = this.x(i), anchor = i === this.count - 1 ? "end" : i === 0 ? "start" : "middle";
			return [drawn("line.history-grid", { x1: x, x2: x, y1: this.top, y2: this.bottom }),
				drawn("text.history-text", { x, y: this.top - (side === "head" ? 14 : 2), "text-anchor": anchor }, side)];
		});
	}

	/* "base" or "head" of what is compared. */
	sideOf(i) {
		return this.sides.filter(([, at]) => at === i).map(([side]) => side).join(", ");
	}

	path() {
		let d = `M${this.x(0)} ${this.y(0)}`;
		for (let i = 1; i < this.count; i++)
			d += `H${this.x(i)}V${this.y(i)}`;
		return d;
	}

	dots() {
		if (this.count > MOST_DOTS)
			return [];
		return this.raw.count.map((_, i) => (this.raw.step[i] ? null : drawn("circle.history-dot", { cx: this.x(i), cy: this.y(i), r: 2.5 }))).filter(Boolean);
	}

	steps() {
		return this.raw.step.map((step, i) => (step ? stepMark(this.x(i), this.y(i), step) : null)).filter(Boolean);
	}

	drawCursor() {
		const i = this.chosen;
		this.cursor?.replaceChildren(
			drawn("line", { x1: this.x(i), x2: this.x(i), y1: this.top - 8, y2: this.bottom + 4 }),
			drawn("circle", { cx: this.x(i), cy: this.y(i), r: 8 }));
	}

	/* ---- one commit ---- */

	choose(i) {
		const { raw } = this, step = raw.step[i];
		this.chosen = i;
		const change = raw.delta[i] === null ? "" : `${formatDelta(raw.delta[i])} (${formatChange(raw.count[i] - raw.delta[i], raw.count[i])})`;
		const words = [
			["Commit", visible(raw.commit[i]).slice(0, HISTORY_ID)], ["Date", visible(raw.date[i])], ["Side", this.sideOf(i)],
			[this.metric, formatCount(raw.count[i])],
			["\u0394", change && h("span." + (step > 0 ? "up" : step < 0 ? "down" : "even"), null, `${change} ${STEP_MARKS[step]} ${STEP_WORDS[step]}`.trim())],
			["Before", raw.skipped[i] ? `${plural(raw.skipped[i], "commit")} not measured` : ""],
			["Subject", visible(raw.subject[i])],
		].filter(([, text]) => text);
		this.about.replaceChildren(...words.map(([key, text]) => h("div" + (key === "Subject" ? ".wide" : ""), null, h("dt", null, key), h("dd", null, text))));
		this.box.setAttribute("aria-valuenow", String(i + 1));
		this.box.setAttribute("aria-valuetext", [this.sideOf(i), `commit ${raw.commit[i].slice(0, HISTORY_ID)} of ${raw.date[i]}`,
			`${formatCount(raw.count[i])} ${this.metric}`, change, STEP_WORDS[step], raw.subject[i]].filter(Boolean).map(visible).join(", "));
		this.drawCursor();
	}

	onPointer(event) {
		const box = this.box.getBoundingClientRect(), part = (event.clientX - box.left - this.left) / (this.right - this.left);
		this.choose(Math.max(0, Math.min(this.count - 1, Math.round(part * (this.count - 1)))));
	}

	/* With the page keys from step to step. */
	onKey(event) {
		const last = this.count - 1, forward = ["ArrowRight", "ArrowUp", "PageUp"].includes(event.key);
		const back = ["ArrowLeft", "ArrowDown", "PageDown"].includes(event.key);
		let to = null;
		if (event.key === "Home" || event.key === "End")
			to = event.key === "Home" ? 0 : last;
		else if ((forward || back) && event.key.startsWith("Page"))
			to = this.nextStep(forward ? 1 : -1);
		else if (forward || back)
			to = this.chosen + (forward ? 1 : -1);
		if (to === null || event.altKey || event.ctrlKey || event.metaKey)
			return;
		event.preventDefault();
		this.choose(Math.max(0, Math.min(last, to)));
	}

	nextStep(direction) {
		let i = this.chosen + direction;
		while (i > 0 && i < this.count - 1 && !this.raw.step[i])
			i += direction;
		return i;
	}

	/* ---- for those who want it in words ---- */

	table() {
		const { raw } = this;
		const columns = [["Commit"], ["Date"], [this.metric, "num"], ["\u0394", "num"], ["Change", "num"], [""], ["Subject"]];
		const rows = raw.count.map((_, i) => this.count - 1 - i);
		const cells = (i) => {
			const kind = raw.step[i] > 0 ? ".up" : raw.step[i] < 0 ? ".down" : "", delta = raw.delta[i];
			return h("tr", null, h("th.history-id", { scope: "row" }, visible(raw.commit[i]).slice(0, HISTORY_ID)), h("td.history-date", null, visible(raw.date[i])),
				h("td.num", null, formatCount(raw.count[i])), h("td.num" + kind, null, delta === null ? NONE : formatDelta(delta)),
				h("td.num" + kind, null, delta === null ? NONE : formatChange(raw.count[i] - delta, raw.count[i])),
				h("td.history-word" + kind, null, `${STEP_MARKS[raw.step[i]]} ${STEP_WORDS[raw.step[i]]}`.trim()), h("td.wrap", null, visible(raw.subject[i])));
		};
		const body = h("div");
		const details = h("details.history-table", { toggle: () => {
			if (details.open && !body.firstChild)
				body.append(stacked(smallTable("History", columns.map(([title, name]) => ({ title, class: name })), rows, cells)));
		} }, h("summary", null, "As a table"), body);
		return details;
	}
}
