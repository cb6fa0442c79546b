/* The flame graph: a canvas that is drawn anew for every view, and boxes above it for the frame
 * that has the focus and the one under the pointer. Only rows in sight are drawn; what would be
 * narrower than half a pixel is drawn as one line, and its callees not at all.
 *
 * A frame that is drawn for a chain of frames is the first of it; the others have no box. */

const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const FONT = "12px " + FAMILY;
const NARROWEST = 0.5, LABEL_FROM = 28, PADDING = 4;
const BELOW = 48; /* room for the legend */

/* How wide characters are in FONT; asking the canvas every time would take longer than drawing. */
const charWidths = new Map();

/* `context` has FONT. */
function charWidth(context, c) {
	let width = charWidths.get(c);
	if (width === undefined) {
		width = context.measureText(c).width;
		charWidths.set(c, width);
	}
	return width;
}

function textWidth(context, text) {
	let width = 0;
	for (const c of text)
		width += charWidth(context, c);
	return width;
}

class Flame {
	/* `on` has what to do when a frame is zoomed, focused, left or pointed at. */
	constructor(on) {
		this.on = on;
		this.tree = null;
		this.zoom = this.focus = this.hover = -1;
		this.upright = false;
		this.pending = 0; /* the frame of the screen that it will be drawn with */
		this.forms = new Map();
		this.build();
	}

	build() {
		this.canvas = h("canvas.flame-canvas", { "aria-hidden": "true" });
		this.focusBox = h("div.flame-box.focus", { id: "flame-focus", role: "treeitem", hidden: true });
		this.hoverBox = h("div.flame-box.hover", { "aria-hidden": "true", hidden: true });
		this.space = h("div.flame-space", { role: "none" }, this.canvas, this.hoverBox, this.focusBox);
		this.element = h("div.flame", {
			id: "flame", role: "tree", tabindex: "0", "aria-label": "Flame graph",
			"aria-describedby": "flame-keys",
			scroll: () => this.onScroll(), keydown: (event) => this.onKey(event),
			pointermove: (event) => this.onMove(event), pointerleave: () => this.point(-1),
			click: (event) => this.onClick(event), focus: () => this.onFocusIn(),
		}, this.space);
		this.context = this.canvas.getContext("2d", { alpha: false });
		new ResizeObserver(() => this.onResize()).observe(this.element);
	}

	/* `view` = {tree, costs, folds, colorOf, labelOf, matches, palette}; labelOf is the text at the right. */
	show(view) {
		const other = view.tree !== this.tree;
		if (view.folds !== this.folds)
			this.forms.clear();
		Object.assign(this, view);
		if (other)
			this.zoom = this.focus = -1;
		this.point(-1);
		this.resize();
		if (other)
			this.scrollToZoom();
	}

	/* ---- geometry ---- */

	resize() {
		this.width = this.element.clientWidth;
		if (!this.tree || !this.width)
			return;
		this.row = this.element.dataset.row = matchMedia("(pointer: coarse)").matches ? 26 : 19;
		this.fitHeight();
		this.draw();
		this.placeBox(this.focusBox, this.focus);
	}

	/* As many rows as have frames that can be seen, and that of the focus. */
	fitHeight() {
		const focused = this.focus >= 0 && this.isSeen(this.focus) ? this.folds.row[this.focus] : 0;
		this.rows = Math.max(this.lastRowSeen(), focused) + 1;
		this.height = this.rows * this.row;
		this.space.style.height = `${this.height}px`;
		this.element.style.height = `${Math.min(this.height, this.mostHeight()) + 2}px`;
	}

	/* What is left of the first screen, where the graph begins on it. */
	mostHeight() {
		if (this.printing)
			return 1200;
		const top = this.element.getBoundingClientRect().top + scrollY, left = innerHeight - top - BELOW;
		return Math.max(left, Math.round(innerHeight * (top < innerHeight / 2 ? 0.5 : 0.72)));
	}

	lastRowSeen() {
		const { tree, costs, folds } = this, scale = this.scale();
		const stop = this.zoom < 0 ? tree.count : tree.end[this.zoom];
		let last = this.zoom < 0 ? 0 : folds.row[this.zoom];
		for (let i = Math.max(0, this.zoom); i < stop;) {
			if (costs.width[i] * scale < NARROWEST) {
				i = tree.end[i];
				continue;
			}
			last = Math.max(last, folds.row[i]);
			i++;
		}
		return last;
	}

	start() {
		return this.zoom < 0 ? 0 : this.costs.x[this.zoom];
	}

	scale() {
		const all = this.zoom < 0 ? this.costs.total : this.costs.width[this.zoom];
		return all > 0 ? this.width / all : 0;
	}

	/* Where frame `i` is in the whole drawing: {left, width, top}. */
	boxOf(i) {
		const scale = this.scale(), left = (this.costs.x[i] - this.start()) * scale;
		const right = left + this.costs.width[i] * scale;
		const from = Math.max(0, Math.min(this.width, left));
		return { left: from, width: Math.max(0, Math.min(this.width, right) - from), top: this.topOf(this.folds.row[i]) };
	}

	topOf(row) {
		return this.upright ? this.height - (row + 1) * this.row : row * this.row;
	}

	rowAt(y) {
		return Math.floor((this.upright ? this.height - 1 - y : y) / this.row);
	}

	/* The frame at a point of the drawing, or -1. */
	frameAt(px, py) {
		const { tree, costs, folds } = this, row = this.rowAt(py), scale = this.scale();
		if (!scale || row < 0)
			return -1;
		const x = this.start() + px / scale;
		for (let i = 0, end = tree.count; i < end;) {
			if (x < costs.x[i] || x >= costs.x[i] + costs.width[i]) {
				i = tree.end[i];
			} else if (folds.row[i] === row) {
				return i;
			} else {
				end = tree.end[i];
				i++;
			}
		}
		return -1;
	}

	/* ---- drawing ---- */

	/* With the next frame of the screen, once, however often it is asked for. */
	draw() {
		this.pending ||= requestAnimationFrame(() => this.paint());
	}

	paint() {
		cancelAnimationFrame(this.pending);
		this.pending = 0;
		if (!this.tree || !this.width)
			return;
		this.seenHeight = Math.min(this.element.clientHeight, this.height);
		this.prepareCanvas();
		this.offset = Math.max(0, Math.min(this.element.scrollTop, this.height - this.seenHeight));
		this.canvas.style.top = `${this.offset}px`;
		this.drawFrames();
		if (this.matches)
			this.drawMatches();
	}

	prepareCanvas() {
		const ratio = devicePixelRatio || 1, { canvas, context } = this;
		const width = Math.round(this.width * ratio), height = Math.round(this.seenHeight * ratio);
		if (canvas.width !== width || canvas.height !== height) {
			canvas.width = width;
			canvas.height = height;
			canvas.style.width = `${this.width}px`;
			canvas.style.height = `${this.seenHeight}px`;
		}
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.fillStyle = this.palette.page;
		context.fillRect(0, 0, this.width, this.seenHeight);
		context.font = FONT;
		context.textBaseline = "middle";
	}

	/* Calls `each`(frame, left, width, top) for the frames in sight. */
	eachSeen(each) {
		const { tree, costs, folds } = this, scale = this.scale(), start = this.start();
		const drawn = new Float64Array(folds.rows).fill(-1); /* the last line of each row */
		const ends = [this.rowAt(this.offset), this.rowAt(this.offset + this.seenHeight - 1)];
		const first = Math.min(...ends), last = Math.max(...ends);
		for (let i = 0; i < tree.count && scale > 0;) {
			const left = (costs.x[i] - start) * scale, width = costs.width[i] * scale;
			const row = folds.row[i];
			if (left + width <= 0 || left >= this.width || row > last || width === 0) {
				i = tree.end[i];
				continue;
			}
			if (width < NARROWEST) {
				if (row >= first && Math.floor(left) !== drawn[row]) {
					drawn[row] = Math.floor(left);
					each(i, drawn[row], 1, this.topOf(row) - this.offset);
				}
				i = tree.end[i];
				continue;
			}
			if (row >= first && folds.drawn[i] === i) {
				const from = Math.max(0, left);
				each(i, from, Math.min(this.width, left + width) - from, this.topOf(row) - this.offset);
			}
			i++;
		}
	}

	drawFrames() {
		const { context, folds } = this, above = this.zoom < 0 ? -1 : folds.row[this.zoom];
		this.eachSeen((i, left, width, top) => {
			const color = this.colorOf(i);
			const faded = folds.row[i] < above || (this.matches && !this.isMatch(i));
			context.globalAlpha = faded ? 0.4 : 1;
			context.fillStyle = color.fill;
			context.fillRect(left, top, Math.max(width - (width > 3 ? 1 : 0), 0.5), this.row - 1);
			if (width > 3)
				this.drawMarks(i, left, width - 1, top);
			if (width >= LABEL_FROM)
				this.drawLabel(i, left, width - 1, top, faded ? this.palette.ink : color.text);
		});
		context.globalAlpha = 1;
	}

	/* Not only colour tells kinds apart: new is hatched, removed has a dashed outline, inlined a dotted line. */
	drawMarks(i, left, width, top) {
		const flags = this.tree.flags[i], { context, row } = this;
		const sides = flags & (IN_BASE | IN_HEAD);
		if (this.tree.side === "diff" && !(flags & REST) && sides === IN_HEAD) {
			context.fillStyle = this.hatch();
			context.fillRect(left, top, width, row - 1);
		}
		if (this.tree.side === "diff" && !(flags & REST) && sides === IN_BASE) {
			context.strokeStyle = this.palette.dash;
			context.setLineDash([4, 3]);
			context.strokeRect(left + 0.5, top + 0.5, Math.max(1, width - 1), row - 2);
			context.setLineDash([]);
		}
		if (flags & (INLINED_BASE | INLINED_HEAD) && width > 6) {
			context.fillStyle = this.colorOf(i).text;
			for (let x = left + 2; x < left + width - 2; x += 4)
				context.fillRect(x, top + row - 3, 2, 1);
		}
	}

	hatch() {
		if (this.hatchOf !== this.palette) {
			this.hatchOf = this.palette;
			this.hatchPattern = this.context.createPattern(hatchTile(this.palette.hatch), "repeat");
		}
		return this.hatchPattern;
	}

	drawLabel(i, left, width, top, color) {
		const { context } = this, middle = top + (this.row - 1) / 2 + 0.5;
		const widthOf = (c) => charWidth(context, c), right = this.labelOf(i);
		const rightWidth = textWidth(context, right);
		let room = width - 2 * PADDING;
		/* A name that is half there is worth more than a number. */
		const both = right && room - rightWidth - 14 > 90;
		if (both)
			room -= rightWidth + 14;
		const text = fitName(this.formsOf(i), room, widthOf);
		if (!text)
			return;
		context.globalAlpha = Math.min(1, context.globalAlpha * 2);
		context.fillStyle = color;
		context.fillText(text, left + PADDING, middle);
		if (both)
			context.fillText(right, left + width - PADDING - rightWidth, middle);
	}

	formsOf(i) {
		const { tree, folds } = this, folded = folds.frames[i] > 1;
		const key = folded || tree.fn[i] < 0 ? `frame ${i}` : tree.fn[i];
		if (!this.forms.has(key))
			this.forms.set(key, folded ? this.chainForms(i) : labelForms(tree.shortName(i)));
		const forms = this.forms.get(key);
		return tree.flags[i] & ESTIMATED ? forms.map((form) => "~ " + form) : forms;
	}

	/* Of a chain its two ends and how many frames it has; of what has little room, where it leads. */
	chainForms(i) {
		const chain = this.chainOf(i), name = (k) => lastPart(this.tree.shortName(k)), frames = plural(chain.length, "frame");
		const last = name(chain.at(-1));
		return [`${name(i)} \u2026 ${last} (${frames})`, `\u2026 ${last} (${frames})`, `\u2026 ${last}`];
	}

	/* Whether any of the frames matches that frame `i` is drawn for. */
	isMatch(i) {
		return this.folds.frames[i] > 1 ? this.chainOf(i).some((k) => this.matches[k]) : this.matches[i] !== 0;
	}

	/* The frames that `i` is drawn for: itself, and its chain from there on. */
	chainOf(i) {
		const { folds } = this, chain = [i];
		if (folds.frames[i] > 1)
			for (let k = i + 1; chain.length < folds.frames[i]; k++)
				if (folds.drawn[k] === i)
					chain.push(k);
		return chain;
	}

	drawMatches() {
		const { context } = this;
		context.strokeStyle = this.palette.mark;
		context.fillStyle = this.palette.mark;
		context.lineWidth = 2;
		this.eachSeen((i, left, width, top) => {
			if (!this.isMatch(i))
				return;
			if (width < 5)
				context.fillRect(left, top, Math.max(1, width - 1), this.row - 1);
			else
				context.strokeRect(left + 1, top + 1, width - 3, this.row - 3);
		});
		context.lineWidth = 1;
	}

	/* ---- moving ---- */

	setZoom(i) {
		this.zoom = i;
		this.point(-1);
		this.fitHeight();
		this.scrollToZoom();
		this.draw();
		this.placeBox(this.focusBox, this.focus);
	}

	/* Two of its callers stay in sight above the frame that was zoomed. */
	scrollToZoom() {
		const row = this.zoom < 0 ? 0 : Math.max(0, this.folds.row[this.zoom] - 2);
		this.element.scrollTop = this.upright ? this.height - row * this.row - this.element.clientHeight : row * this.row;
	}

	setFocus(i) {
		/* A chain unfolds where one of its frames is asked for. */
		if (i >= 0 && this.folds.drawn[i] !== i)
			this.on.unfold(this.folds.drawn[i]);
		this.focus = this.costs.width[i] > 0 ? i : -1;
		if (this.focus >= 0 && this.folds.row[i] >= this.rows) {
			this.fitHeight();
			this.draw();
		}
		this.placeBox(this.focusBox, this.focus);
		if (this.focus < 0) {
			this.element.removeAttribute("aria-activedescendant");
			return;
		}
		this.element.setAttribute("aria-activedescendant", "flame-focus");
		this.focusBox.setAttribute("aria-level", this.folds.row[i] + 1);
		this.focusBox.setAttribute("aria-label", this.isChain(i) ? this.chainForms(i)[0] : this.tree.name(i));
		this.scrollTo(i);
	}

	isChain(i) {
		return this.folds.frames[i] > 1;
	}

	scrollTo(i) {
		const top = this.topOf(this.folds.row[i]), { element } = this;
		if (top < element.scrollTop)
			element.scrollTop = top;
		else if (top + this.row > element.scrollTop + element.clientHeight)
			element.scrollTop = top + this.row - element.clientHeight;
	}

	placeBox(element, i) {
		element.hidden = i < 0;
		if (i < 0)
			return;
		const box = this.boxOf(i), width = Math.max(4, box.width);
		element.style.left = `${Math.min(box.left, this.width - width)}px`;
		element.style.top = `${box.top}px`;
		element.style.width = `${width}px`;
		element.style.height = `${this.row - 1}px`;
	}

	onScroll() {
		if (this.element.scrollTop !== this.offset)
			this.draw();
	}

	/* Its height is its own doing. */
	onResize() {
		if (this.element.clientWidth !== this.width)
			this.resize();
	}

	point(i, event) {
		if (i !== this.hover)
			this.placeBox(this.hoverBox, i);
		this.hover = i;
		this.on.point?.(i, event);
	}

	frameOfEvent(event) {
		const box = this.space.getBoundingClientRect();
		return this.tree ? this.frameAt(event.clientX - box.left, event.clientY - box.top) : -1;
	}

	onMove(event) {
		if (event.pointerType !== "touch")
			this.point(this.frameOfEvent(event), event);
	}

	/* The first click chooses a frame, the second zooms to it. A finger cannot point without touching:
	 * what the first touch shows says what can be done. */
	onClick(event) {
		const i = this.frameOfEvent(event), known = i === this.focus;
		if (i < 0)
			return;
		this.setFocus(i);
		if (this.isChain(i))
			this.on.unfold(i);
		else if (known)
			this.on.zoom(i === this.zoom ? this.tree.parent[i] : i);
		else if (event.pointerType === "touch")
			this.on.focus(i);
		else
			this.on.choose(i, true);
	}

	onFocusIn() {
		if (this.tree && this.costs.total > 0 && this.focus < 0 && this.element.matches(":focus-visible")) {
			this.setFocus(Math.max(0, this.zoom));
			this.on.focus(this.focus);
		}
	}

	onKey(event) {
		if (!this.tree || event.ctrlKey || event.altKey || event.metaKey)
			return;
		const action = this.actionOf(this.upright && UPRIGHT_KEYS[event.key] || event.key);
		if (!action)
			return;
		event.preventDefault();
		action();
	}

	actionOf(key) {
		const { tree, costs, folds } = this, i = Math.max(0, this.focus);
		const go = (to) => () => this.goTo(to < 0 ? -1 : folds.drawn[to]);
		if (!costs.total && key !== "Escape")
			return null;
		switch (key) {
		case "ArrowDown": return go(this.focus < 0 ? i : tree.widestBelow(this.chainOf(i).at(-1), costs.width));
		case "ArrowUp": return go(tree.parent[i]);
		case "ArrowLeft": return go(tree.sibling(i, -1, costs));
		case "ArrowRight": return go(tree.sibling(i, 1, costs));
		case "Home": return go(0);
		case "Enter": return () => (this.isChain(i) ? this.on.unfold(i) : this.on.zoom(i));
		case " ": return () => (this.isChain(i) ? this.on.unfold(i) : this.on.choose(i, false));
		case "Backspace": return () => this.on.zoom(this.zoom < 0 ? -1 : tree.parent[this.zoom]);
		case "Escape": return () => (this.zoom < 0 ? this.on.close() : this.on.zoom(-1));
		default: return null;
		}
	}

	/* To a frame that is not in sight: the view becomes the nearest that has it. */
	goTo(i) {
		if (i < 0)
			return;
		if (!this.isSeen(i))
			this.on.zoom(this.tree.parent[i], i);
		this.setFocus(i);
		this.on.focus(i);
	}

	/* Also what is only a line, below a caller that is more. */
	isSeen(i) {
		const { tree, zoom } = this, isCaller = zoom >= i && zoom < tree.end[i], caller = tree.parent[i];
		return isCaller || ((zoom < 0 || (i > zoom && i < tree.end[zoom])) && (caller < 0 || this.costs.width[caller] * this.scale() >= NARROWEST));
	}
}

/* The name, then without one after the other of what it is in. */
function labelForms(name) {
	const forms = [name];
	for (let next = withoutFirstPart(name); next && next !== forms.at(-1); next = withoutFirstPart(next))
		forms.push(next);
	return forms;
}

const UPRIGHT_KEYS = { ArrowUp: "ArrowDown", ArrowDown: "ArrowUp" };

function hatchTile(color) {
	const tile = document.createElement("canvas"), context = tile.getContext("2d");
	tile.width = tile.height = 8;
	context.strokeStyle = color;
	context.lineWidth = 1.6;
	for (const shift of [-8, 0, 8]) {
		context.beginPath();
		context.moveTo(shift, 8);
		context.lineTo(shift + 8, 0);
		context.stroke();
	}
	return tile;
}
