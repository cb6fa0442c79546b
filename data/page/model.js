/* The data of the page, and what follows from it.
 *
 * A metric has a `tolerance`, in its events: what differs by no more is no change. 0: there is none.
 * Costs are columns: costs[event][row]. Where both sides are there, head is stored as head minus
 * base, which is mostly 0. A metric is a sum of events with weights. Texts are numbers of
 * `strings`, functions numbers of `functions`; -1 is none.
 *
 * `remarks`, of all of it and of a benchmark, bear on what a verdict is worth: text and advice, which may
 * be null.
 *
 * `failed` are benchmarks that could not be measured: their names, and at which commit.
 *
 * `history` of a benchmark is null, or what it counted at measured commits, oldest first, up to
 * head's; `base` and `head` are commits of the sides, which need not be among them, or null; in columns: commit, date, subject; count of `metric`; delta to the one
 * before (null of the first); step (1 regressed, -1 improved, 0); skipped, how many commits in between
 * were not measured. `older` commits are left out. */

const IN_BASE = 1, IN_HEAD = 2, INLINED_BASE = 4, INLINED_HEAD = 8, ESTIMATED = 16, REST = 32;
const UPPER_BOUND = 16; /* in the flat table, where nothing is estimated */

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

	/* Self and inclusive costs of both sides in metric number `metric`, and where frames lie. */
	costs(metric) {
		if (!this.counted.has(metric))
			this.counted.set(metric, this.countCosts(this.bench.metrics[metric].weights));
		return this.counted.get(metric);
	}

	countCosts(weights) {
		const { raw, count } = this, two = this.side === "diff";
		const selfBase = weigh(raw.base, weights, count);
		const selfHead = weigh(raw.head, weights, count, two ? raw.base : null);
		const base = this.sumUp(selfBase), head = this.sumUp(selfHead);
		return { selfBase, selfHead, base, head, ...this.layOut(base, head) };
	}

	sumUp(self) {
		const sums = Float64Array.from(self);
		for (let i = this.count - 1; i > 0; i--)
			if (this.parent[i] >= 0)
				sums[this.parent[i]] += sums[i];
		return sums;
	}

	/* A frame is as wide as the larger of its two costs, and never narrower than what it calls. */
	layOut(base, head) {
		const n = this.count, width = new Float64Array(n), x = new Float64Array(n);
		const below = new Float64Array(n);
		for (let i = n - 1; i >= 0; i--) {
			width[i] = Math.max(Math.abs(base[i]), Math.abs(head[i]), below[i]);
			if (this.parent[i] >= 0)
				below[this.parent[i]] += width[i];
		}
		let total = 0;
		const next = new Float64Array(n); /* where the next child of a frame begins */
		for (let i = 0; i < n; i++) {
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

	name(i) {
		const rest = this.flags[i] & REST ? this.raw.rest?.[i] : null;
		if (rest)
			return `(${plural(rest, "smaller frame")})`;
		return this.bench.functionName(this.fn[i]);
	}

	/* The widest of the frames below `i`, or of the roots for -1; -1 if there is none. */
	widestBelow(i, width) {
		let best = -1;
		for (let k = i + 1, end = i < 0 ? this.count : this.end[i]; k < end; k = this.end[k])
			if (best < 0 || width[k] > width[best])
				best = k;
		return best;
	}

	/* The next frame with the same parent in `direction` (1, -1); -1 if there is none. */
	sibling(i, direction) {
		const parent = this.parent[i];
		if (direction > 0) {
			const end = parent < 0 ? this.count : this.end[parent];
			return this.end[i] < end ? this.end[i] : -1;
		}
		let before = -1;
		for (let k = parent + 1; k < i; k = this.end[k])
			before = k;
		return before;
	}

	/* From the root down to `i`. */
	pathTo(i) {
		const path = [];
		for (; i >= 0; i = this.parent[i])
			path.unshift(i);
		return path;
	}

	isInlined(i) {
		return (this.flags[i] & (INLINED_BASE | INLINED_HEAD)) !== 0;
	}

	note(i) {
		return this.raw.notes?.[i];
	}
}

class Bench {
	constructor(report, raw) {
		this.report = report;
		this.raw = raw;
		this.name = visible(raw.name ?? "");
		this.metrics = raw.metrics.map((metric) => ({ ...metric, name: visible(metric.name), long: visible(metric.long ?? "") }));
		this.judged = Math.max(0, this.metrics.findIndex((metric) => metric.name === visible(raw.metric)));
		this.trees = {};
		this.texts = new Map();
	}

	/* A page of one benchmark may be called otherwise. */
	get title() {
		const { report } = this;
		return report.benches.length === 1 && report.title ? visible(report.title) : this.name;
	}

	/* Whether a difference in a metric is one that counts. */
	isChange(delta, metric) {
		const { share = 0, delta: least = 0 } = this.raw.threshold ?? {};
		const size = Math.abs(delta);
		return size > 0 && size > (metric.tolerance ?? 0) && size >= share * Math.abs(metric.base ?? 0) &&
			(metric !== this.metrics[this.judged] || size >= least);
	}

	/* Whether it differs, but by no more than may be chance. */
	isTolerated(delta, metric) {
		return delta !== 0 && Math.abs(delta) <= (metric.tolerance ?? 0);
	}

	get compared() {
		return Boolean(this.raw.base && this.raw.head);
	}

	/* The only side of what is not compared. */
	get only() {
		return this.raw.head ? "head" : "base";
	}

	/* The tabs that there is a tree for, the one that is shown first in front. */
	sides() {
		return ["diff", "head", "base"].filter((side) => this.raw.trees?.[side]?.function.length);
	}

	tree(side) {
		this.trees[side] ??= new Tree(this, side, this.raw.trees[side]);
		return this.trees[side];
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
	return visible(String(error?.message ?? error)).slice(0, 200);
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
