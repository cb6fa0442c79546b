/* All benchmarks: what they count, and where that changed last. */

const MOST_ROWS = 200;

class Overview {
	constructor(site) {
		this.site = site;
		this.benches = site.index.benches;
		/* Of some it is known what was counted then. */
		this.sinceTags = site.index.since.map((i) => site.tags[i]);
		this.sorting = { column: 0, down: false };
		this.all = false;
		this.search = h("input.field.search", { id: "search", type: "search", placeholder: "Search (/)", "aria-label": "Search benchmarks", input: () => site.go({ q: this.search.value }, true) });
		this.path = h("select.field", { id: "path", change: () => site.go({ p: this.path.value }) },
			h("option", { value: "" }, "all"), ...this.paths().map((path) => h("option", { value: path }, visible(path) + "/")));
		this.tag = h("select.field", { id: "tag", change: () => site.go({ g: this.tag.value }) },
			h("option", { value: "" }, "all"), ...this.tags().map((tag) => h("option", { value: tag }, visible(tag))));
		this.since = h("select.field", { id: "since", change: () => site.go({ t: this.since.value }) },
			...this.sinceTags.map(([name]) => h("option", { value: name }, visible(name))).reverse());
		this.unknown = h("div", { id: "unknown" });
		this.found = h("p.hint", { id: "found", role: "status" });
		this.estimates = h("div");
		this.body = h("tbody");
		this.head = h("tr");
		this.more = h("button.button.more", { id: "more", type: "button", click: () => {
			this.all = true;
			this.fill();
		} });
		this.elements = [
			h("div.hero", null, h("h1", null, visible(site.index.project)), this.about()),
			this.unknown,
			h("div.tools", null, this.search, h("label.choice", { hidden: this.path.options.length < 2 }, "Path", this.path),
				h("label.choice", { hidden: this.tag.options.length < 2 }, "Tag", this.tag),
				h("label.choice", { hidden: !this.sinceTags.length }, "Change since", this.since)),
			h("div.scroll.stacked", { role: "region", "aria-label": "Benchmarks", tabindex: "0" },
				h("table.site-benches", { id: "benches", "aria-label": "Benchmarks" }, h("thead", null, this.head), this.body)),
			this.found, this.more, this.estimates,
		];
		if (site.index.by_time)
			this.elements.splice(1, 0, orderNote(site.index));
	}

	about() {
		const { newest, branch } = this.site.index;
		return h("p.hint", { id: "newest" }, [`Newest measured commit${branch ? ` of ${visible(branch)}` : ""}:`, visible(newest.id).slice(0, HISTORY_ID), "of", dateOf(newest.committed) + ",",
			visible(newest.subject)].join(" "));
	}

	/* Those that several benchmarks have. */
	paths() {
		const counts = new Map();
		for (const { name } of this.benches)
			for (let end = name.indexOf("/"); end > 0; end = name.indexOf("/", end + 1))
				counts.set(name.slice(0, end), (counts.get(name.slice(0, end)) ?? 0) + 1);
		return [...counts].filter(([, count]) => count > 1).map(([path]) => path).sort();
	}

	tags() {
		return [...new Set(this.benches.flatMap(({ tags }) => tags))].sort();
	}

	update(state) {
		this.state = state;
		this.unknown.replaceChildren(...(state.b ? [h("p.empty", { role: "alert" }, `This site has no benchmark with the address \u201c${visible(state.b)}\u201d. These are all that it has:`)] : []));
		if (document.activeElement !== this.search)
			this.search.value = state.q;
		for (const [field, value] of [[this.path, state.p], [this.tag, state.g]])
			field.value = [...field.options].some((option) => option.value === value) ? value : "";
		if (this.sinceTags.length)
			this.since.value = this.sinceTags.some(([name]) => name === state.t) ? state.t : this.sinceTags.at(-1)[0];
		this.fill();
	}

	/* ---- rows ---- */

	matching() {
		const words = this.state.q.toLowerCase().split(/\s+/).filter(Boolean), path = this.path.value, tag = this.tag.value;
		return this.benches.filter(({ name, tags }) => (!path || name.startsWith(path + "/")) && (!tag || tags.includes(tag)) && words.every((word) => name.toLowerCase().includes(word)));
	}

	sinceTag() {
		return this.sinceTags.findIndex(([name]) => name === this.since.value);
	}

	columns() {
		const tag = this.sinceTag(), part = (before, now) => (before === null || before === undefined ? -Infinity : before === now ? 0 : partOf(before, now));
		const columns = [
			{ title: "Benchmark", class: "who", sort: (b) => b.name, down: false },
			{ title: "", class: "spark-cell" },
			{ title: "Count", class: "num", sort: (b) => b.count },
		];
		if (tag >= 0)
			columns.push({ title: `Since ${shortTag(this.since.value)}`, class: "num", sort: (b) => part(b.since[2 * tag], b.count) });
		return [...columns,
			{ title: "Last step", class: "num", sort: (b) => (b.step ? part(b.step.before, b.step.count) : -Infinity) },
			{ title: "When", sort: (b) => b.step?.committed ?? -Infinity },
			{ title: "By", class: "by", sort: (b) => b.step?.author ?? "" }, { title: "Cause or subject", class: "why" }];
	}

	fill() {
		const columns = this.columns(), found = this.matching(), rows = sortRows(found, columns, this.sorting);
		const shown = this.all ? rows : rows.slice(0, MOST_ROWS), tag = this.sinceTag();
		sortHeader(this.head, columns.map((column) => (column.sort ? column : { ...column })), this.sorting, () => this.fill());
		this.body.replaceChildren(...shown.map((bench) => this.row(bench, tag)));
		this.estimates.replaceChildren(...estimateNote(shown.map(({ step }) => step?.cause ?? "")));
		this.more.hidden = shown.length === rows.length;
		this.more.textContent = `Show all ${formatCount(rows.length)}`;
		this.found.textContent = found.length === this.benches.length ? plural(found.length, "benchmark") : `${formatCount(found.length)} of ${plural(this.benches.length, "benchmark")}`;
	}

	row(bench, tag) {
		const { step } = bench, author = step?.author && !step.not_measured ? visible(step.author) : "", open = { href: this.site.addressOf({ b: bench.id }) };
		const since = tag >= 0 ? [h("td.num", { "data-label": "since" }, bench.since[2 * tag] === null ? this.noCount() : this.sinceElement(bench.since[2 * tag], bench.since[2 * tag + 1], bench.count))] : [];
		return h("tr", null, h("td.who", null, h("a.link", open, nameElement(bench.name)), ...[bench.standing, bench.varies, bench.elsewhere].filter(Boolean).map((note) => h("span.standing", null, note))),
			h("td.spark-cell", null, sparkOf(bench.spark, `${visible(bench.metric)} over ${plural(bench.commits, "commit")}`, bench.level)),
			h("td.num", null, formatCount(bench.count), h("span.unit", null, " " + visible(bench.metric))), ...since,
			h("td.num", null, step ? this.stepLink(bench) : NONE), h("td.history-date", null, step ? dateOf(step.committed) : ""),
			h("td.by", author ? { title: author } : null, author), h("td.why", null, step ? this.cause(bench) : null));
	}

	noCount() {
		const words = "There is no comparable count both up to this release and after it";
		return h("span", { title: words }, NONE, h("span.unseen", null, words));
	}

	/* Only steps are coloured: smaller changes are noise. */
	sinceElement(before, step, now) {
		return h("span." + (step > 0 ? "up" : step < 0 ? "down" : "even"), { title: formatDelta(differenceOf(before, now)) }, formatCountChange(before, now));
	}

	stepLink({ id, step }) {
		const kind = step.count > step.before ? 1 : -1;
		return h("a.link.step", { href: this.site.addressOf({ b: id, c: String(step.number) }), title: visible(step.subject) },
			h("span." + (kind > 0 ? "up" : "down"), null, `${STEP_MARKS[kind]} ${formatCountChange(step.before, step.count)}`), ` ${visible(step.id).slice(0, HISTORY_ID)}`);
	}

	/* A commit after others that were not measured may not be the one that made the step. */
	cause({ id, step }) {
		const words = step.cause ? causeText(step.cause) : step.not_measured ? `One of ${plural(step.not_measured + 1, "commit")}` : visible(step.subject);
		return step.page ? h("a.link", { href: `bench/${id}/${step.page}`, title: words }, words) : h("span", { title: words }, words);
	}
}
