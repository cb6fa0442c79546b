/* Colours of frames. Those of a change are of two hues and five strengths, the same as in
 * data/flame/flame.css; the others are computed in OKLCH, so that lightness means what it says. */

function oklch(lightness, chroma, hue) {
	const a = chroma * Math.cos(hue * Math.PI / 180), b = chroma * Math.sin(hue * Math.PI / 180);
	const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
	const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
	const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
	const linear = [
		4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
		-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
		-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
	].map((c) => Math.min(1, Math.max(0, c)));
	const [r, g, blue] = linear.map((c) => Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055)));
	const luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
	/* Whichever of black and white has the higher contrast, which is 4.58 at least. */
	return { fill: `rgb(${r},${g},${blue})`, text: luminance > 0.179 ? "#000000" : "#ffffff" };
}

/* The strongest colour is the one on which text has to be of the page's colour. */
function strengths(fills, text, strongest) {
	return fills.map((fill, i) => ({ fill, text: i + 1 < fills.length ? text : strongest }));
}

const PALETTES = {
	light: {
		page: "#ffffff", line: "rgba(255,255,255,0.9)", ink: "#15181d", mark: "#7a1fa2", focus: "#0b57d0",
		hatch: "rgba(0,0,0,0.28)", dash: "#44659c", same: oklch(0.87, 0.006, 260), rest: oklch(0.94, 0.003, 260),
		regressed: strengths(["#fbe3dc", "#f8c7b8", "#f3a28b", "#e5755a", "#b92f17"], "#000000", "#ffffff"),
		improved: strengths(["#d9f0ea", "#b3e0d4", "#7fcbb8", "#45ad99", "#00695c"], "#000000", "#ffffff"),
		group: (hue, k) => oklch(0.82 + 0.025 * k, 0.07, hue),
		others: (k) => oklch(0.86 + 0.02 * k, 0.008, 260),
	},
	dark: {
		page: "#14171b", line: "rgba(20,23,27,0.9)", ink: "#eceff3", mark: "#e9a8ff", focus: "#8ab4ff",
		hatch: "rgba(0,0,0,0.4)", dash: "#93b4e6", same: oklch(0.38, 0.01, 260), rest: oklch(0.28, 0.006, 260),
		regressed: strengths(["#40231d", "#5e2c21", "#883a28", "#a8452d", "#ff8b6b"], "#ffffff", "#000000"),
		improved: strengths(["#16302b", "#1c463e", "#236355", "#227565", "#6fe0c8"], "#ffffff", "#000000"),
		group: (hue, k) => oklch(0.44 + 0.03 * k, 0.075, hue),
		others: (k) => oklch(0.38 + 0.02 * k, 0.01, 260),
	},
};

const GROUP_HUES = [75, 235, 150, 310, 20, 195, 110];
const SHADES = 3;

/* Shares of the largest change in a graph from which a change is so strong. */
const STRENGTHS = [0, 0.04, 0.15, 0.5];

/* The change of a program, as a share of base, that has the strongest colour, even if it is the largest. */
const FULL = 0.05;

function largestChange(base, head) {
	let largest = 0;
	for (let i = 0; i < base.length; i++)
		largest = Math.max(largest, Math.abs(head[i] - base[i]));
	return largest;
}

/* 1 to 4. */
function strengthOf(change, largest) {
	return STRENGTHS.filter((share) => Math.abs(change) >= share * largest).length;
}

/* The colour of each frame of a tree by the change of its inclusive cost, or of its self cost: the
 * stronger, the larger its share of the largest change, or of a change by 5 %. By self cost, what only leads to a change
 * is faint. */
function changeColors(tree, costs, palette, inclusive, metric) {
	const { selfBase, selfHead, base, head } = costs;
	const of = inclusive ? { base, head } : { base: selfBase, head: selfHead };
	const least = FULL * Math.abs(metric.base ?? metric.head ?? 0), { bench } = tree;
	const largest = Math.max(least, largestChange(of.base, of.head));
	const ramp = (change) => palette[change > 0 ? "regressed" : "improved"];
	return (i) => {
		const change = of.head[i] - of.base[i], below = head[i] - base[i];
		if (bench.isChange(change, metric))
			return ramp(change)[strengthOf(change, largest)];
		if (bench.isChange(below, metric))
			return ramp(below)[0];
		return tree.flags[i] & REST ? palette.rest : palette.same;
	};
}

/* The texts of `column` (object or file) by what they cost themselves, most first. */
function groupsOf(tree, self, column) {
	const { bench } = tree, sums = new Map();
	for (let i = 0; i < tree.count; i++) {
		const key = tree.fn[i] < 0 ? -1 : bench.raw.functions[column][tree.fn[i]];
		sums.set(key, (sums.get(key) ?? 0) + Math.abs(self[i]));
	}
	sums.delete(-1);
	return [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([key, cost]) => ({
		key, cost, title: visible(bench.report.strings[key] ?? "").split("/").pop() || "(unknown)",
	}));
}

/* The colour of each frame by what it belongs to. Neighbours differ a little in lightness. */
function groupColors(tree, groups, column, palette) {
	const ranks = new Map(groups.map((group, rank) => [group.key, rank]));
	const shades = groups.slice(0, GROUP_HUES.length).map((_, rank) =>
		Array.from({ length: SHADES }, (_, k) => palette.group(GROUP_HUES[rank], k)));
	const others = Array.from({ length: SHADES }, (_, k) => palette.others(k));
	const texts = tree.bench.raw.functions[column];
	return (i) => {
		const fn = tree.fn[i];
		if (fn < 0)
			return palette.rest;
		return (shades[ranks.get(texts[fn])] ?? others)[(fn * 7 >> 1) % SHADES];
	};
}
