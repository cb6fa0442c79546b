/* Pictures of counts over commits, in SVG. */

const HISTORY_ID = 10;
const STEP_WORDS = { 1: "regressed", 0: "", [-1]: "improved" }, STEP_MARKS = { 1: "\u25b2", 0: "", [-1]: "\u25bc" };

function drawn(what, attributes, ...children) {
	const [tag, ...classes] = what.split(".");
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
	if (classes.length)
		element.setAttribute("class", classes.join(" "));
	for (const [key, value] of Object.entries(attributes ?? {}))
		element.setAttribute(key, value);
	element.append(...children);
	return element;
}

/* Of counts that are drawn as a flat line, as no two of them differ by a step. */
function levelWords(least, most) {
	return least === most ? formatCount(least) : `Between ${formatCount(least)} and ${formatCount(most)}, without a step`;
}

/* The counts as a small line, which says in words what it shows. It is flat if they are level. */
function sparkOf(counts, title, level = false) {
	const width = 96, height = 22, edge = 3, last = counts.length - 1;
	const least = counts.reduce((a, b) => (b < a ? b : a)), most = counts.reduce((a, b) => (b > a ? b : a));
	const low = Number(least), range = Number(most) - low;
	const x = (i) => edge + (last ? (i * (width - 2 * edge)) / last : width - 2 * edge);
	const y = (i) => (level || !range ? height / 2 : height - edge - ((Number(counts[i]) - low) * (height - 2 * edge)) / range);
	const line = counts.map((_, i) => (i ? `H${x(i).toFixed(1)}V${y(i).toFixed(1)}` : `M${x(0)} ${y(0).toFixed(1)}`)).join("");
	const words = least === most ? `always ${formatCount(least)}` : `from ${formatCount(least)} to ${formatCount(most)}, at last ${formatCount(counts[last])}`;
	return drawn("svg.spark", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ${words}` },
		drawn("path.history-line", { d: line }), drawn("circle.spark-end", { cx: x(last), cy: y(last), r: 2.5 }));
}

/* A triangle that points to where the count went. */
function stepMark(x, y, step) {
	const size = 6.5;
	return drawn("path.history-step." + (step > 0 ? "up" : "down"), {
		d: `M${x - size} ${y + step * size * 0.7}L${x + size} ${y + step * size * 0.7}L${x} ${y - step * size}Z`,
	});
}
