/* Counts over commits: a line that can be zoomed, with steps, releases, and what a tolerance allows.
 * Points that share a pixel are drawn as the lowest and the highest of them. */

const STEP_ROOM = 11, TAG_LETTER = 6.5, TAG_GAP = 8;

/* The index of the last of the ascending `numbers` that is at most `number`; -1: none. */
function indexOfNumber(numbers, number) {
	let low = 0, high = numbers.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (numbers[middle] <= number)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* The extremes of counts[from..to], in the order of their places: [index, index]. */
function extremes(counts, from, to) {
	let low = from, high = from;
	for (let i = from + 1; i < to; i++) {
		if (counts[i] < counts[low])
			low = i;
		if (counts[i] > counts[high])
			high = i;
	}
	return low < high ? [low, high] : [high, low];
}

/* The points from..to of a line in so many pixels: all of them, or two for each pixel. */
function thinned(counts, from, to, pixels) {
	const count = to - from + 1, kept = [];
	if (count <= 2 * pixels)
		return Array.from({ length: count }, (_, i) => from + i);
	for (let k = 0; k < pixels; k++) {
		const begin = from + Math.floor((k * count) / pixels), end = from + Math.floor(((k + 1) * count) / pixels);
		kept.push(...new Set(extremes(counts, begin, end)));
	}
	return kept;
}

/* The lowest and the highest count of points from..to. */
function rangeOf({ countAt }, from, to) {
	let lowest = countAt(from), highest = lowest;
	for (let i = from + 1; i <= to; i++) {
		const count = countAt(i);
		if (count < lowest)
			lowest = count;
		if (count > highest)
			highest = count;
	}
	return [lowest, highest];
}

class Chart {
	/* `events`: choose(index), zoom(from, to, chosen), which are indices of points, and dateOf(index). */
	constructor(points, tags, events) {
		Object.assign(this, { points, events, count: points.counts.length });
		this.tags = tags.map(([name, number]) => ({ name, at: this.placeOf(number) })).filter(({ at }) => at !== null);
		this.from = 0;
		this.to = this.count - 1;
		this.chosen = this.to;
		this.box = h("div.history-box", {
			id: "chart", role: "slider", tabindex: "0", "aria-label": `${visible(points.metric)} by commit`,
			"aria-valuemin": "1", "aria-valuemax": String(this.count),
			keydown: (event) => this.onKey(event), dblclick: () => this.events.zoom(0, this.count - 1),
		});
		this.map = h("div.chart-map", { id: "chart-map", "aria-hidden": "true" });
		this.followPointer(this.box, () => [this.from, this.to], true);
		this.followPointer(this.map, () => [0, this.count - 1], false);
		new ResizeObserver(() => this.draw()).observe(this.box);
	}

	/* Where a commit is among the points; between two of them if it was not measured. null: before or after all. */
	placeOf(number) {
		const i = indexOfNumber(this.points.numbers, number);
		if (this.points.numbers[i] === number)
			return i;
		return i < 0 || i === this.count - 1 ? null : i + 0.5;
	}

	show(from, to, chosen) {
		const same = this.cursor && this.from === from && this.to === to;
		Object.assign(this, { from, to, chosen });
		if (same)
			this.drawCursor();
		else
			this.draw();
		this.box.setAttribute("aria-valuenow", String(chosen + 1));
	}

	describe(text) {
		this.box.setAttribute("aria-valuetext", text);
	}

	/* ---- places ---- */

	x(i) {
		return this.to > this.from ? this.left + ((i - this.from) * (this.right - this.left)) / (this.to - this.from) : (this.left + this.right) / 2;
	}

	y(count) {
		return !this.level ? this.bottom - ((count - this.least) * (this.bottom - this.top)) / (this.most - this.least) : (this.top + this.bottom) / 2;
	}

	/* By how much the count after this one may differ without being a step. */
	tolerated(count) {
		return Math.max(this.points.limits.tolerance, Math.floor(this.points.limits.share * Math.abs(count)));
	}

	measure() {
		[this.lowest, this.highest] = rangeOf(this.points, this.from, this.to);
		this.level = isLevel(this.lowest, this.highest, this.points.limits);
		this.least = Number(this.lowest);
		this.most = Number(this.highest);
	}

	/* ---- drawing ---- */

	draw() {
		const width = this.box.clientWidth, height = innerWidth < 700 ? 220 : 300;
		if (!width)
			return;
		Object.assign(this, { left: 12, right: width - 12, top: 38, bottom: height - 38, width, height });
		this.measure();
		this.cursor = drawn("g.history-cursor");
		const line = thinned(this.points.counts, this.from, this.to, Math.floor(this.right - this.left));
		this.box.replaceChildren(drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
			...this.band(line), ...this.releases(), ...this.scale(), drawn("path.history-line", { d: this.path(line) }), this.cursor, ...this.dots(), ...this.steps()));
		this.drawCursor();
		this.drawMap();
	}

	path(line) {
		const { counts } = this.points;
		return line.map((i, k) => (k ? `H${this.x(i).toFixed(1)}V${this.y(counts[i]).toFixed(1)}` : `M${this.x(i).toFixed(1)} ${this.y(counts[i]).toFixed(1)}`)).join("");
	}

	/* The next count is no step while it stays in it. */
	band(line) {
		if (this.level || (!this.points.limits.tolerance && !this.points.limits.share))
			return [];
		const { counts } = this.points, edge = (sign) => {
			const y = (i) => Math.max(0, Math.min(this.height, this.y(counts[i] + sign * this.tolerated(counts[i])))).toFixed(1);
			return line.flatMap((i, k) => [...(k ? [`${this.x(i).toFixed(1)} ${y(line[k - 1])}`] : []), `${this.x(i).toFixed(1)} ${y(i)}`]);
		};
		return [drawn("path.chart-band", { d: `M${[...edge(1), ...edge(-1).reverse()].join("L")}Z` })];
	}

	/* The lowest and the highest count, and the days at both ends. */
	scale() {
		const day = (i, x, anchor) => drawn("text.history-text", { x, y: this.height - 6, "text-anchor": anchor }, this.events.dateOf(i));
		const line = (y) => drawn("line.history-grid", { x1: this.left, x2: this.right, y1: y, y2: y });
		const text = (y, words) => drawn("text.history-text", { x: this.left, y }, words);
		const top = this.level ? [] : [line(this.top), text(this.top - 8, formatCount(this.highest))];
		const low = this.level ? (this.top + this.bottom) / 2 : this.bottom;
		return [...top, line(low), text(low + 18, this.level ? levelWords(this.lowest, this.highest) : formatCount(this.lowest)), day(this.from, this.left, "start"), day(this.to, this.right, "end")];
	}

	/* Of releases that are too close to each other, only the newest have names. */
	releases() {
		let free = Infinity;
		return this.tags.filter(({ at }) => at >= this.from && at <= this.to).reverse().flatMap(({ name, at }) => {
			const x = this.x(at), lines = [drawn("line.chart-tag", { x1: x, x2: x, y1: this.top - 18, y2: this.bottom }, drawn("title", null, visible(name)))];
			const room = shortTag(name).length * TAG_LETTER + TAG_GAP, late = x > this.right - room;
			if (x + (late ? 0 : room) <= free) {
				lines.push(drawn("text.history-text.chart-tag-name", { x: late ? x - 3 : x + 3, y: this.top - 22, "text-anchor": late ? "end" : "start" }, shortTag(name)));
				free = x - (late ? room : 0);
			}
			return lines;
		});
	}

	dots() {
		if (this.to - this.from >= 80)
			return [];
		const dots = [];
		for (let i = this.from; i <= this.to; i++)
			if (!this.points.steps[i])
				dots.push(drawn("circle.history-dot", { cx: this.x(i), cy: this.y(this.points.counts[i]), r: 2.5 }));
		return dots;
	}

	/* The largest first, each where no other is in the way. */
	steps() {
		const marks = new Map(), size = (i) => Math.abs(this.points.counts[i] - this.points.counts[i - 1]), found = [];
		for (let i = Math.max(1, this.from); i <= this.to; i++)
			if (this.points.steps[i])
				found.push(i);
		found.sort((a, b) => size(b) - size(a) || a - b);
		for (const i of found) {
			const x = this.x(i), y = this.y(this.points.counts[i]), column = Math.floor(x / STEP_ROOM), row = Math.floor(y / STEP_ROOM);
			const beside = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => marks.get(`${column + dx},${row + dy}`)));
			if (beside.some((other) => other && Math.abs(other.x - x) < STEP_ROOM && Math.abs(other.y - y) < STEP_ROOM))
				continue;
			marks.set(`${column},${row}`, { x, y, i });
		}
		return [...marks.values()].map(({ x, y, i }) => {
			const mark = stepMark(x, y, this.points.steps[i]);
			mark.dataset.number = this.points.numbers[i];
			return mark;
		});
	}

	drawCursor() {
		const i = this.chosen, x = this.x(i);
		if (i < this.from || i > this.to)
			this.cursor?.replaceChildren();
		else
			this.cursor?.replaceChildren(drawn("line", { x1: x, x2: x, y1: this.top - 8, y2: this.bottom + 4 }), drawn("circle", { cx: x, cy: this.y(this.points.counts[i]), r: 8 }));
	}

	/* All commits, and which of them the chart shows. */
	drawMap() {
		const width = this.width, height = 40, { counts } = this.points;
		const whole = { ...this, from: 0, to: this.count - 1, top: 4, bottom: height - 4 };
		Object.setPrototypeOf(whole, Chart.prototype);
		whole.measure();
		const from = whole.x(this.from), to = whole.x(this.to);
		this.map.replaceChildren(drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}` },
			drawn("rect.chart-window", { x: from, y: 0.5, width: Math.max(2, to - from), height: height - 1 }),
			drawn("path.history-line", { d: whole.path(thinned(counts, 0, this.count - 1, Math.floor(this.right - this.left))) })));
	}

	/* ---- the pointer ---- */

	/* A movement chooses a commit, or a part of them if a button is held. */
	followPointer(element, range, chooses) {
		let begin = null, brush = null;
		const indexAt = (event) => {
			const [from, to] = range(), part = (event.clientX - element.getBoundingClientRect().left - this.left) / (this.right - this.left);
			return Math.max(from, Math.min(to, Math.round(from + part * (to - from))));
		};
		const end = () => {
			brush?.remove();
			begin = brush = null;
		};
		element.addEventListener("pointerdown", (event) => {
			if (event.button !== 0)
				return;
			begin = { x: event.clientX, i: indexAt(event) };
			element.setPointerCapture(event.pointerId);
			if (chooses)
				this.events.choose(begin.i);
		});
		element.addEventListener("pointermove", (event) => {
			const box = element.getBoundingClientRect();
			if (begin && Math.abs(event.clientX - begin.x) > 6) {
				if (!brush)
					element.firstChild.append(brush = drawn("rect.chart-brush", { y: 0, height: box.height }));
				brush.setAttribute("x", Math.min(event.clientX, begin.x) - box.left);
				brush.setAttribute("width", Math.abs(event.clientX - begin.x));
			} else if (!begin && chooses && event.pointerType === "mouse") {
				this.events.choose(indexAt(event));
			}
		});
		element.addEventListener("pointerup", (event) => {
			const i = indexAt(event), brushed = brush && begin;
			if (brushed && begin.i !== i)
				this.zoomTo(Math.min(begin.i, i), Math.max(begin.i, i));
			end();
		});
		element.addEventListener("pointercancel", end);
	}

	/* The newest commit is chosen, as if they were all. */
	zoomTo(from, to) {
		this.events.zoom(from, to, to);
	}

	/* ---- keys ---- */

	onKey(event) {
		if (event.altKey || event.ctrlKey || event.metaKey)
			return;
		const moves = {
			ArrowLeft: () => this.chosen - 1, ArrowRight: () => this.chosen + 1, Home: () => this.from, End: () => this.to,
			PageUp: () => this.nextStep(1), PageDown: () => this.nextStep(-1),
		};
		if (moves[event.key])
			this.events.choose(Math.max(this.from, Math.min(this.to, moves[event.key]())));
		else if (event.key === "+")
			this.zoomBy(0.5);
		else if (event.key === "-")
			this.zoomBy(2);
		else if (event.key === "Escape")
			this.events.zoom(0, this.count - 1);
		else
			return;
		event.preventDefault();
	}

	nextStep(direction) {
		let i = this.chosen + direction;
		while (i > this.from && i < this.to && !this.points.steps[i])
			i += direction;
		return i;
	}

	/* Around the chosen commit. */
	zoomBy(factor) {
		const span = Math.max(4, Math.min(this.count - 1, Math.round((this.to - this.from) * factor)));
		const from = Math.max(0, Math.min(this.count - 1 - span, this.chosen - (span >> 1)));
		this.events.zoom(from, Math.min(this.count - 1, from + span));
	}
}

function shortTag(name) {
	const chars = Array.from(visible(name));
	return chars.length > 14 ? chars.slice(0, 13).join("") + "\u2026" : chars.join("");
}
