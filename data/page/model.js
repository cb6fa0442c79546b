/* The data of the page, and what follows from it.
 *
 * A metric is a sum of events with weights. Its `tolerance`, in events, is the largest difference that
 * is no change. Costs are columns: costs[event][row]; head is stored as head minus base, which is
 * mostly 0, except in trees of one side. Texts are numbers of `strings`, functions numbers of
 * `functions`; -1: no text or function.
 *
 * A tree of one side has `estimated`: the percentage of the cost whose call paths are estimated.
 *
 * `verdict`: `lacksLimit`, it passes although its total grew, which has no limit; `notRun`,
 * head's counts are earlier ones, as no file that the benchmark uses had changed.
 *
 * `remarks`, of all of it and of a benchmark, affect what a verdict is worth: text and advice, which may
 * be null.
 *
 * `failed` are benchmarks that could not be measured: their names, and at which commit.
 *
 * `history` of a benchmark is null, or its counts at measured commits, oldest first, up to head's.
 * `base` and `head` are commits of the sides, which need not be among them, or null. In columns: commit,
 * date, subject; count of `metric`; delta to the one before (null of the first); step (1 regressed, -1
 * improved, 0); skipped, how many commits in between were not measured. `older` commits are left out. */

const IN_BASE = 1, IN_HEAD = 2, INLINED_BASE = 4, INLINED_HEAD = 8, ESTIMATED = 16, REST = 32;
const UPPER_BOUND = 16; /* in the flat table, where nothing is estimated */
const FOLDED = 4, ONLY = 0.99, MAIN_METRICS = 4, MOST_SHORT = 60;

/* One metric of columns of events, `plus` another set of columns if there is one. */
function weigh(columns, weights, count, plus) {
	const out = new Float64Array(count);
	for (const part of [columns, plus]) {
		weights.forEach((weight, event) => {
			const column = part?.[event];
			if (weight && column)
				for (let i = 0; i < count; i++)
					out[i] += weight * column[i];
		});
	}
	return out;
}

class Tree {
	constructor(bench, side, raw) {
		this.bench = bench;
		this.side = side;
		this.raw = raw;
		this.count = raw.function.length;
		this.fn = Int32Array.from(raw.function);
		this.flags = raw.flags ? Uint8Array.from(raw.flags) : new Uint8Array(this.count);
		this.findPlaces(raw.up);
		this.counted = new Map();
		this.laidOut = new Map();
	}

	/* parent: -1 for a root; end: the first frame after its descendants. */
	findPlaces(up) {
		const n = this.count;
		this.parent = new Int32Array(n);
		this.depth = new Int32Array(n);
		this.end = new Int32Array(n);
		this.deepest = 0;
		for (let i = 0; i < n; i++) {
			const parent = up[i] > 0 && up[i] <= i ? i - up[i] : -1;
			this.parent[i] = parent;
			this.depth[i] = parent < 0 ? 0 : this.depth[parent] + 1;
			this.deepest = Math.max(this.deepest, this.depth[i]);
			this.end[i] = i + 1;
		}
		for (let i = n - 1; i >= 0; i--) {
			const parent = this.parent[i];
			if (parent >= 0)
				this.end[parent] = Math.max(this.end[parent], this.end[i]);
		}
	}

	/* Self and inclusive costs of base and head in metric number `metric`. */
	sums(metric) {
		if (!this.counted.has(metric)) {
			const { selfBase, selfHead } = this.countSelf(metric);
			this.counted.set(metric, { selfBase, selfHead, base: this.sumUp(selfBase), head: this.sumUp(selfHead) });
		}
		return this.counted.get(metric);
	}

	/* The same, and where frames lie if siblings are in this `order`. */
	costs(metric, order = "size") {
		const key = `${metric} ${order}`;
		if (!this.laidOut.has(key)) {
			const sums = this.sums(metric);
			this.laidOut.set(key, { ...sums, ...this.layOut(sums.base, sums.head, order) });
		}
		return this.laidOut.get(key);
	}

	countSelf(metric) {
		const { raw, count } = this, { weights } = this.bench.metrics[metric];
		return {
			selfBase: weigh(raw.base, weights, count),
			selfHead: weigh(raw.head, weights, count, this.side === "diff" ? raw.base : null),
		};
	}

	sumUp(self) {
		const sums = Float64Array.from(self);
		for (let i = this.count - 1; i > 0; i--)
			if (this.parent[i] >= 0)
				sums[this.parent[i]] += sums[i];
		return sums;
	}

	/* A frame is as wide as the larger of its two costs, and never narrower than its callees together. */
	layOut(base, head, order) {
		const n = this.count, width = new Float64Array(n), x = new Float64Array(n);
		const callees = new Float64Array(n);
		for (let i = n - 1; i >= 0; i--) {
			width[i] = Math.max(Math.abs(base[i]), Math.abs(head[i]), callees[i]);
			if (this.parent[i] >= 0)
				callees[this.parent[i]] += width[i];
		}
		let total = 0;
		const next = new Float64Array(n); /* where the next child of a frame begins */
		for (const i of this.inOrder(order, { base, head, width })) {
			const parent = this.parent[i];
			x[i] = parent < 0 ? total : next[parent];
			next[i] = x[i];
			if (parent < 0)
				total += width[i];
			else
				next[parent] += width[i];
		}
		return { width, x, total };
	}

	/* All frames, parents before their children, siblings in `order`: the largest first, the largest
	 * change first, or by name. */
	inOrder(order, { base, head, width }) {
		const { parent } = this, frames = Array.from({ length: this.count }, (_, i) => i);
		const change = (i) => Math.abs(head[i] - base[i]);
		const compare = {
			size: (a, b) => width[b] - width[a],
			change: (a, b) => change(b) - change(a) || width[b] - width[a],
			name: (a, b) => this.name(a).localeCompare(this.name(b), "en"),
		}[order];
		return frames.sort((a, b) => parent[a] - parent[b] || compare(a, b) || a - b);
	}

	/* The row of each frame, and the frame that is drawn for it: itself, or the first of its chain. A
	 * chain takes one row if it has at least `FOLDED` frames and its first is not in `unfolded`.
	 * `frames` is how many a frame is drawn for. Without `unfolded` every frame has its own row. */
	fold(costs, standsOut, unfolded) {
		const n = this.count, row = new Int32Array(n), frames = new Int32Array(n).fill(1);
		const drawn = Int32Array.from({ length: n }, (_, i) => i);
		const { first, length } = unfolded ? this.chains(costs.width, standsOut) : {};
		let rows = 0;
		for (let i = 0; i < n; i++) {
			const parent = this.parent[i];
			if (unfolded && length[first[i]] >= FOLDED && !unfolded.has(first[i])) {
				drawn[i] = first[i];
				frames[first[i]] = length[first[i]];
			}
			row[i] = drawn[i] !== i ? row[drawn[i]] : parent < 0 ? 0 : row[parent] + 1;
			rows = Math.max(rows, row[i] + 1);
		}
		return { row, drawn, frames, rows };
	}

	/* The first frame of the chain that each frame is in, and the length of the chain by its first
	 * frame. Each frame of a chain has one callee that costs nearly all that it does, and does not
	 * stand out itself. */
	chains(width, standsOut) {
		const n = this.count, only = this.onlyCallees(width), length = new Int32Array(n);
		const first = Int32Array.from({ length: n }, (_, i) => i);
		const leads = Array.from({ length: n }, (_, i) => only[i] >= 0 && !standsOut(i));
		for (let i = 0; i < n; i++) {
			const parent = this.parent[i];
			if (leads[i] && parent >= 0 && leads[parent] && only[parent] === i)
				first[i] = first[parent];
			if (leads[i])
				length[first[i]]++;
		}
		return { first, length };
	}

	/* The callee of each frame that costs nearly all that the frame does, or -1. */
	onlyCallees(width) {
		const only = new Int32Array(this.count).fill(-1);
		for (let i = 0; i < this.count; i++) {
			const parent = this.parent[i];
			if (parent >= 0 && width[i] > 0 && width[i] >= ONLY * width[parent])
				only[parent] = i;
		}
		return only;
	}

	name(i) {
		return this.restName(i) ?? this.bench.functionName(this.fn[i]);
	}

	shortName(i) {
		return this.restName(i) ?? this.bench.shortName(this.fn[i]);
	}

	restName(i) {
		const rest = this.flags[i] & REST ? this.raw.rest?.[i] : null;
		return rest ? `(${plural(rest, "smaller frame")})` : null;
	}

	/* The widest of the frames below `i`, or of the roots for -1; -1 if none has a width. */
	widestBelow(i, width) {
		let best = -1;
		for (let k = i + 1, end = i < 0 ? this.count : this.end[i]; k < end; k = this.end[k])
			if (width[k] > (best < 0 ? 0 : width[best]))
				best = k;
		return best;
	}

	/* The frame beside `i` with the same parent, to the right (1) or the left (-1); -1 if none has a width. */
	sibling(i, direction, { x, width }) {
		const parent = this.parent[i];
		let nearest = -1;
		for (let k = parent + 1, end = parent < 0 ? this.count : this.end[parent]; k < end; k = this.end[k])
			if (width[k] > 0 && (x[k] - x[i]) * direction > 0 && (nearest < 0 || (x[k] - x[nearest]) * direction < 0))
				nearest = k;
		return nearest;
	}

	/* From the root down to `i`. */
	pathTo(i) {
		const path = [];
		for (; i >= 0; i = this.parent[i])
			path.unshift(i);
		return path;
	}

	note(i) {
		return this.raw.notes?.[i];
	}
}

/* All misses of a level of the cache, where the profile has them. */
const MISSES = { "L1 misses": ["I1mr", "D1mr", "D1mw"], "LL misses": ["ILmr", "DLmr", "DLmw"] };

function missMetrics(metrics) {
	return Object.entries(MISSES).flatMap(([name, events]) => {
		const parts = events.map((event) => metrics.find((metric) => metric.name === event));
		if (!parts.every(Boolean))
			return [];
		const total = (side) => (parts.some((part) => part[side] === null) ? null : sum(parts.map((part) => part[side])));
		return [{
			name, long: events.join(" + "), base: total("base"), head: total("head"), tolerance: 0,
			weights: parts[0].weights.map((_, event) => sum(parts.map((part) => part.weights[event]))),
		}];
	});
}

class Bench {
	constructor(report, raw) {
		this.report = report;
		this.raw = raw;
		this.name = visible(raw.name ?? "");
		const named = (metric) => ({ ...metric, name: visible(metric.name), long: visible(metric.long ?? "") });
		this.metrics = [...raw.metrics.map(named), ...missMetrics(raw.metrics)];
		this.judged = this.metrics.findIndex((metric) => metric.name === visible(raw.metric));
		this.trees = {};
		this.texts = new Map();
	}

	/* A page of one benchmark may be called otherwise. */
	get title() {
		const { report } = this;
		return report.benches.length === 1 && report.title ? visible(report.title) : this.name;
	}

	/* That of a name, if there is one. */
	metricOf(name) {
		return this.metrics.find((metric) => metric.name === name);
	}

	/* Whether a difference in a metric is one that counts. */
	isChange(delta, metric) {
		const { share = 0, delta: least = 0 } = this.raw.threshold ?? {};
		const size = Math.abs(delta);
		return size > 0 && size > (metric.tolerance ?? 0) && size >= (metric.least ?? least) && size >= share * Math.abs(metric.base ?? 0);
	}

	/* Whether it differs, but by no more than may be chance. */
	isTolerated(delta, metric) {
		return delta !== 0 && Math.abs(delta) <= (metric.tolerance ?? 0);
	}

	/* The numbers of the metrics that say most: what is judged, instructions, cycles and misses. */
	get mainMetrics() {
		const names = [this.metrics[this.judged].name, "Ir", "EstCycles", "L1 misses", "LL misses", ...this.metrics.map(({ name }) => name)];
		const found = names.map((name) => this.metrics.findIndex((metric) => metric.name === name)).filter((i) => i >= 0);
		return [...new Set(found)].slice(0, MAIN_METRICS);
	}

	/* The limit on all of the benchmark in the metric that is judged, if it has one. */
	get mainLimit() {
		const metric = visible(this.raw.metric);
		return (this.raw.limits ?? []).find((limit) => !limit.function && visible(limit.metric) === metric);
	}

	get compared() {
		return Boolean(this.raw.base && this.raw.head);
	}

	/* The only side of what is not compared. */
	get only() {
		return this.raw.head ? "head" : "base";
	}

	/* The sides that have a tree, the one that is shown first in front. */
	sides() {
		return ["diff", "head", "base"].filter((side) => this.raw.trees?.[side]?.function.length);
	}

	/* The functions whose source can be shown. */
	get sources() {
		return (this.raw.sources ?? []).filter((source) => source.base || source.head);
	}

	/* Upside down if `inverted` is the number of a metric. */
	tree(side, inverted = -1) {
		const key = `${side} ${inverted}`;
		this.trees[key] ??= inverted < 0 ? new Tree(this, side, this.raw.trees[side]) : new InvertedTree(this.tree(side), inverted);
		return this.trees[key];
	}

	text(column, fn) {
		const strings = this.report.strings;
		return fn < 0 ? "" : strings[this.raw.functions[column][fn]] ?? "";
	}

	functionName(fn) {
		if (!this.texts.has(fn))
			this.texts.set(fn, visible(this.text("name", fn)) || "(no name)");
		return this.texts.get(fn);
	}

	/* Without parameters, template arguments and the type that it returns, if that is still one function. */
	shortName(fn) {
		const name = this.functionName(fn);
		if (!this.bare) {
			this.bare = new Map();
			for (const other of new Set(this.raw.functions.name.map((_, i) => this.functionName(i))))
				for (const form of shortForms(other))
					this.bare.set(form, (this.bare.get(form) ?? 0) + 1);
		}
		const only = shortForms(name).find((form) => this.bare.get(form) === 1) ?? name;
		return only.length > MOST_SHORT ? collapseLists(collapseLists(only, "("), "<") : only;
	}

	objectName(fn) {
		return visible(this.text("object", fn));
	}

	fileName(fn) {
		return visible(this.text("file", fn));
	}

	/* "[object] file", without what is not known. */
	place(fn) {
		const object = this.objectName(fn), file = this.fileName(fn);
		return [object && `[${object.split("/").pop()}]`, file].filter(Boolean).join(" ");
	}
}

function cleanError(error) {
	return visible(String(error?.message ?? error)).replace(/^Invalid regular expression: /, "").slice(0, 200);
}

/* A regex for what a person typed: {regex, error}, both null where nothing was typed. */
function parsePattern(text, ignoreCase) {
	if (text === "")
		return { regex: null, error: null };
	try {
		return { regex: new RegExp(text, ignoreCase ? "iu" : "u"), error: null };
	} catch {
		/* C++ names are full of what only the strict syntax refuses. */
	}
	try {
		return { regex: new RegExp(text, ignoreCase ? "i" : ""), error: null };
	} catch (error) {
		return { regex: null, error: cleanError(error) };
	}
}
