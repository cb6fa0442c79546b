/* The machine code of a function, with base and head matched instruction by instruction. It is only drawn when
 * somebody opens it. */

/* How often a jump was made: "jumped 99 of 100 times", or of both sides if they have it and differ. */
function jumpWords(jumps, mark) {
	const words = (jumps ?? []).map((jump) => jump && `jumped ${formatCount(jump[0])} of ${formatCount(jump[1])} times`), [base, head] = words;
	if (mark === "-" || mark === "+" || base === head)
		return head || base || "";
	return [base && `${base} in base`, head && `${head} in head`].filter(Boolean).join(", ");
}

/* What a row says of its sides: the instruction is the same, but for its registers, or only on one side. */
const CODE_MARKS = { "": "", "~": "~", "-": MINUS, "+": "+" };
const CODE_WORDS = { "~": "other registers", "-": "only in base", "+": "only in head" };

class MachineCode {
	constructor(code, metric) {
		this.code = code;
		this.metric = metric;
		this.names = ["base", "head"].filter((name) => code[name]);
		this.compared = this.names.length === 2;
		this.element = h("details.machine-code", null, h("summary", null, h("span", null, "Machine code"), this.words()));
		this.element.addEventListener("toggle", () => {
			if (this.element.open && this.element.children.length === 1)
				this.element.append(...this.draw());
		});
	}

	/* What base and head executed, and which part of that works on several values at once. */
	words() {
		const of = (costs) => this.metric.weights.reduce((all, weight, event) => all + weight * costs[event], 0);
		return h("span.source-change", null, this.names.map((name) => {
			const side = this.code[name], self = of(side.self), vector = of(side.vector);
			const share = self && !side.missing.length ? `, vector ${formatShare(vector, self)}` : "";
			return h("span", null, this.compared ? `${name} ` : "", h("b", null, formatCount(self)), ` ${this.metric.name} in ${plural(side.executed, "instruction")}${share}`);
		}));
	}

	cost(row, name) {
		const costs = row[name === "base" ? 1 : 2];
		return costs ? this.metric.weights.reduce((all, weight, event) => all + weight * costs[event], 0) : null;
	}

	draw() {
		const rows = this.code.rows, costs = rows.filter(Boolean).flatMap((row) => this.names.map((name) => this.cost(row, name) ?? 0));
		this.most = Math.max(0, ...costs.map(Math.abs));
		const table = h("table.code-table" + (this.compared ? ".two" : ""), null, h("thead", null, this.header()), h("tbody", null, rows.map((row) => (row ? this.row(row) :
			h("tr.gap", { "aria-hidden": "true" }, h("td", null, "\u22ef"))))));
		table.style.setProperty("--count", `${Math.max(this.metric.name.length, ...costs.map((cost) => formatCount(cost).length)) + 2}ch`);
		const notes = this.names.flatMap((name) => this.code[name].missing.map((text) => h("p.hint", null, this.compared ? h("b", null, `${name}: `) : null, visible(text))));
		return [h("div.source-box", { tabindex: "0", role: "region", "aria-label": `Machine code of ${this.names.join(" and ")}` }, table), ...notes,
			this.code.cut ? h("p.hint", null, "Only the costliest instructions of this function are in this file.") : null].filter(Boolean);
	}

	header() {
		const title = (what, text) => h("th." + what, { scope: "col" }, text);
		return h("tr", null, this.names.map((name) => title(`num.cost.${name}`, this.compared ? name : this.metric.name)),
			this.compared ? [title("num.delta", "\u0394"), h("th.mark", { scope: "col" }, h("span.unseen", null, "Only in"))] : null,
			title("code", "Instruction"), title("place", "Source"));
	}

	row(row) {
		const [base, head] = ["base", "head"].map((name) => this.cost(row, name)), delta = (head ?? 0) - (base ?? 0);
		const [mark, , , text, place, counted] = row, jumps = jumpWords(counted, mark), edited = mark === "-" || mark === "+" ? ".edited" : "";
		const change = delta > 0 ? ".up" : delta < 0 ? ".down" : "";
		return h("tr", null, this.names.map((name) => this.costCell(name, this.cost(row, name))),
			this.compared ? [h("td.num.delta" + change, null, delta ? formatDelta(delta) : ""),
				h("td.mark" + edited, { title: CODE_WORDS[mark] }, CODE_MARKS[mark] ?? "")] : null,
			h("td.code" + (this.compared ? edited : ""), null, text === null ? "(not kept)" : visible(text),
				jumps ? h("div.jumps", null, jumps) : null), h("td.place", null, visible(place)));
	}

	costCell(name, cost) {
		if (cost === null)
			return h(`td.num.cost.${name}.filler`);
		const bar = h("span.heat", { "aria-hidden": "true" });
		bar.style.width = `${this.most ? Math.round(100 * Math.abs(cost) / this.most) : 0}%`;
		return h(`td.num.cost.${name}`, null, bar, h("span", null, cost ? formatCount(cost) : ""));
	}
}
