/* Zoom, search and details of a flame graph. Without it the picture is whole, but still. */
(function () {
	"use strict";
	const svg = document.currentScript ? document.currentScript.ownerSVGElement :
		document.documentElement;
	const CHARACTER = 7.25, INSET = 3, SVG = "http://www.w3.org/2000/svg";
	const left = Number(svg.dataset.left), width = Number(svg.dataset.width);
	const level = Number(svg.dataset.level);
	const detail = svg.getElementById("detail");
	const frames = Array.from(svg.querySelectorAll("#frames > g"), read);
	let zoomed = frames[0];

	function read(group) {
		const rects = Array.from(group.querySelectorAll("rect"));
		const text = group.querySelector("text");
		const words = group.querySelector("title").textContent;
		const end = words.indexOf("\n"), name = end < 0 ? words : words.slice(0, end);
		return {
			group, rects, text, words,
			name,
			label: group.dataset.label ?? name,
			own: group.dataset.own ?? group.dataset.label ?? name,
			x: Number(rects[0].getAttribute("x")) - left,
			width: Number(rects[0].getAttribute("width")),
			depth: Math.round(Number(rects[0].getAttribute("y")) / level),
		};
	}

	/* A name that fits, cut as in the picture: without its scopes, then at its end. */
	function fit(frame, room) {
		const most = Math.max(0, Math.floor(room / CHARACTER)), own = Array.from(frame.own);
		if (Array.from(frame.label).length <= most)
			return frame.label;
		if (own.length <= most)
			return frame.own;
		return most < 4 ? "" : own.slice(0, most - 1).join("") + "…";
	}

	function place(frame, x, w) {
		for (const rect of frame.rects) {
			rect.setAttribute("x", (left + x).toFixed(2));
			rect.setAttribute("width", w.toFixed(2));
		}
		frame.text.setAttribute("x", (left + x + INSET).toFixed(2));
		frame.text.textContent = fit(frame, w - 2 * INSET);
	}

	/* What is above or below the frame that fills the width, with room for rounding. */
	function zoom(to) {
		const scale = width / to.width, end = to.x + to.width, slack = 0.02;
		zoomed = to;
		for (const f of frames) {
			const above = f.depth < to.depth && f.x <= to.x + slack && f.x + f.width >= end - slack;
			const inside = f.depth >= to.depth && f.x >= to.x - slack && f.x + f.width <= end + slack;
			f.group.style.display = above || inside ? "" : "none";
			f.group.classList.toggle("above", above);
			if (above)
				place(f, 0, width);
			else if (inside)
				place(f, (f.x - to.x) * scale, f.width * scale);
		}
	}

	/* Frames below a match are in it already. */
	function search(pattern) {
		let sum = 0, end = -1;
		for (const f of frames) {
			const found = pattern !== null && pattern.test(f.name);
			f.group.classList.toggle("found", found);
			if (found && f.x >= end - 0.005) {
				sum += f.width;
				end = f.x + f.width;
			}
		}
		return sum / frames[0].width;
	}

	function onSearch(input) {
		input.setCustomValidity("");
		if (!input.value) {
			search(null);
			detail.textContent = "";
			return;
		}
		try {
			const share = search(new RegExp(input.value, "iu"));
			detail.textContent = "matches: " + (share * 100).toFixed(2) + " % of the width";
		} catch (error) {
			search(null);
			input.setCustomValidity("invalid regular expression");
			detail.textContent = "“" + input.value + "” is not a valid regular expression";
		}
	}

	function addSearch() {
		const XHTML = "http://www.w3.org/1999/xhtml";
		const box = document.createElementNS(SVG, "foreignObject");
		const input = document.createElementNS(XHTML, "input");
		for (const [name, value] of [["x", left + width - 220], ["y", 10], ["width", 220], ["height", 28]])
			box.setAttribute(name, value);
		input.setAttribute("class", "search");
		input.setAttribute("type", "search");
		input.setAttribute("placeholder", "search (regular expression)");
		input.setAttribute("aria-label", "search");
		input.addEventListener("input", () => onSearch(input));
		box.appendChild(input);
		svg.appendChild(box);
		return input;
	}

	const input = addSearch();
	for (const f of frames) {
		f.group.addEventListener("click", () => zoom(f === zoomed ? frames[0] : f));
		f.group.addEventListener("mouseenter", () => {
			detail.textContent = f.words.split("\n").join("  ·  ");
		});
	}
	window.addEventListener("keydown", (event) => {
		if (event.key === "Escape" && document.activeElement === input && input.value) {
			input.value = "";
			onSearch(input);
		} else if (event.key === "Escape") {
			zoom(frames[0]);
		} else if (event.key === "/" && document.activeElement !== input) {
			event.preventDefault();
			input.focus();
		}
	});
	svg.classList.add("active");
})();
