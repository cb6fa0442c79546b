/* Colours of frames. They are computed in OKLCH, so that lightness means what it says: slower is
 * always further from the page than what did not change, faster nearer to it. */

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

function ramp(steps, from, to) {
	return Array.from({ length: steps }, (_, i) => {
		const t = i / (steps - 1);
		return oklch(...from.map((start, k) => start + (to[k] - start) * t));
	});
}

const STEPS = 9;

const PALETTES = {
	light: {
		page: "#ffffff", line: "rgba(255,255,255,0.9)", ink: "#15181d", mark: "#7a1fa2", focus: "#0b57d0",
		hatch: "rgba(0,0,0,0.28)", dash: "#44659c", same: oklch(0.87, 0.006, 260), rest: oklch(0.94, 0.003, 260),
		slower: ramp(STEPS, [0.855, 0.022, 55], [0.68, 0.155, 40]),
		faster: ramp(STEPS, [0.9, 0.014, 185], [0.93, 0.075, 175]),
		added: oklch(0.85, 0.115, 85), removed: oklch(0.94, 0.035, 250),
		group: (hue, k) => oklch(0.82 + 0.025 * k, 0.07, hue),
		others: (k) => oklch(0.86 + 0.02 * k, 0.008, 260),
	},
	dark: {
		page: "#14171b", line: "rgba(20,23,27,0.9)", ink: "#eceff3", mark: "#e9a8ff", focus: "#8ab4ff",
		hatch: "rgba(0,0,0,0.4)", dash: "#93b4e6", same: oklch(0.38, 0.01, 260), rest: oklch(0.28, 0.006, 260),
		slower: ramp(STEPS, [0.41, 0.022, 45], [0.7, 0.14, 42]),
		faster: ramp(STEPS, [0.365, 0.016, 185], [0.28, 0.065, 172]),
		added: oklch(0.74, 0.13, 82), removed: oklch(0.27, 0.05, 255),
		group: (hue, k) => oklch(0.44 + 0.03 * k, 0.075, hue),
		others: (k) => oklch(0.38 + 0.02 * k, 0.01, 260),
	},
};

const GROUP_HUES = [75, 235, 150, 310, 20, 195, 110];
const SHADES = 3;

/* How much of a colour a relative change deserves: 1 % is visible, doubling is all. */
function changeStep(base, head) {
	const larger = Math.max(Math.abs(base), Math.abs(head));
	const part = larger ? Math.abs(head - base) / larger : 0;
	return Math.min(STEPS - 1, Math.floor(Math.sqrt(part * 2) * STEPS));
}

/* The colour of each frame of a tree by its change; `base` and `head` are inclusive or own costs. */
function changeColors(tree, base, head, palette) {
	return (i) => {
		const flags = tree.flags[i];
		if (flags & REST)
			return base[i] === head[i] ? palette.rest : changed(i);
		if (!(flags & IN_BASE))
			return palette.added;
		if (!(flags & IN_HEAD))
			return palette.removed;
		return changed(i);
	};
	function changed(i) {
		if (base[i] === head[i])
			return palette.same;
		return palette[head[i] > base[i] ? "slower" : "faster"][changeStep(base[i], head[i])];
	}
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
