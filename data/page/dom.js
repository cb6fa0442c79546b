/* Elements. Text becomes text nodes, never markup. */

/* h("td.num", {title: …}, child, …): a child is an element, a text, or null for none. */
function h(what, attributes, ...children) {
	const [tag, ...classes] = what.split(".");
	const element = document.createElement(tag);
	if (classes.length)
		element.className = classes.join(" ");
	for (const [key, value] of Object.entries(attributes ?? {})) {
		if (typeof value === "function")
			element.addEventListener(key, value);
		else if (value !== null && value !== undefined && value !== false)
			element.setAttribute(key, value === true ? "" : value);
	}
	element.append(...children.flat().filter((child) => child !== null && child !== undefined));
	return element;
}

function byId(id) {
	return document.getElementById(id);
}

/* A name on one line: where it does not fit, its middle is cut, and its last word stays. The tooltip has all
 * of it. */
function nameElement(name, whole = name) {
	const [head, tail] = splitName(visible(name));
	return h("span.name", { title: visible(whole) }, h("span.name-head", null, head), h("span.name-tail", null, tail));
}

function say(text) {
	byId("live").textContent = text;
}

/* A table of few rows. A column is {title, class, sort}: `sort`(row) is what rows are ordered by. */
function smallTable(caption, columns, rows, cellsOf, state) {
	const body = h("tbody");
	const table = h("div.scroll", { role: "region", "aria-label": caption, tabindex: "0" },
		h("table", { "aria-label": caption }, h("thead", null, h("tr")), body));
	const fill = () => {
		sortHeader(table.querySelector("thead tr"), columns, state, fill);
		body.replaceChildren(...sortRows(rows, columns, state).map(cellsOf));
	};
	fill();
	return table;
}

/* On a narrow screen the rows of `table` become paragraphs. */
function stacked(table) {
	table.classList.add("stacked");
	return table;
}

function sortRows(rows, columns, state) {
	if (!state || state.column < 0)
		return rows;
	const key = columns[state.column].sort;
	return rows.slice().sort((a, b) => {
		const x = key(a), y = key(b);
		return (x < y ? -1 : x > y ? 1 : 0) * (state.down ? -1 : 1);
	});
}

/* `state` is {column, down} and changed by a click; without it the columns are only named. */
function sortHeader(tr, columns, state, changed) {
	const focused = [...tr.children].findIndex((th) => th.contains(document.activeElement));
	const headerOf = (column, i) => {
		const sorted = state && state.column === i;
		const click = () => {
			state.down = sorted ? !state.down : column.down !== false;
			state.column = i;
			changed();
		};
		const title = state && column.sort ?
			h("button.sort", { type: "button", click }, column.title,
				h("span.sort-mark", { "aria-hidden": "true" }, sorted ? (state.down ? "\u25be" : "\u25b4") : "")) :
			column.title;
		return h("th" + (column.class ? "." + column.class : ""), {
			scope: "col",
			title: column.hint,
			"aria-sort": sorted ? (state.down ? "descending" : "ascending") : null,
		}, title);
	};
	tr.replaceChildren(...columns.map(headerOf));
	if (focused >= 0)
		tr.children[focused].querySelector("button")?.focus({ preventScroll: true });
}
