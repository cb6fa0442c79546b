/* The site. The part of the address after # says what is shown, so that going back works and a view
 * can be sent to others: b benchmark, s series, m metric, z range of commits, c commit; q search,
 * p path, g tag, t release since which changes are told. */

const STATE = ["b", "s", "m", "z", "c", "q", "p", "g", "t"];
const ADDRESS_DELAY = 150;

class Site {
	constructor(index) {
		this.index = index;
		index.benches.forEach(readCounts);
		this.commits = new Commits(index);
		this.tags = [];
		for (let i = 0; i < index.tags.length; i += 2)
			this.tags.push([index.tags[i], index.tags[i + 1]]);
		this.back = h("a.button", { id: "all-benches", href: "#" }, "\u2190 All benchmarks");
		this.theme = new Theme(() => {});
		byId("bar").append(h("div.bar-inner", null, h("span.brand", null, "irdiff"), this.back, h("span.bar-space"), this.theme.button));
		byId("foot").append(h("p", null, `${visible(index.generator)}. Instructions are counted, not timed; nothing is loaded from elsewhere.`));
		addEventListener("hashchange", () => this.reread());
		addEventListener("keydown", (event) => this.onKey(event));
		document.querySelector(".skip").addEventListener("click", (event) => {
			event.preventDefault();
			byId("main").focus();
		});
		this.reread();
	}

	tagsAt(number) {
		return this.tags.filter(([, at]) => at === number).map(([name]) => name);
	}

	/* ---- state ---- */

	read() {
		const hash = new URLSearchParams(location.hash.slice(1));
		return Object.fromEntries(STATE.map((key) => [key, hash.get(key) ?? ""]));
	}

	reread() {
		clearTimeout(this.writing);
		this.state = this.read();
		this.apply();
	}

	addressOf(state) {
		const hash = new URLSearchParams();
		for (const key of STATE)
			if (state[key])
				hash.set(key, state[key]);
		return "#" + hash;
	}

	/* Goes where `changes` say; `replace` is for what one does not want to go back from. */
	go(changes, replace = false) {
		const next = { ...this.state, ...changes };
		if (STATE.every((key) => next[key] === this.state[key]))
			return;
		if (!replace)
			this.writeAddress("replaceState");
		this.state = next;
		clearTimeout(this.writing);
		/* Browsers refuse addresses that change with each movement of the pointer. */
		if (replace)
			this.writing = setTimeout(() => this.writeAddress("replaceState"), ADDRESS_DELAY);
		else
			this.writeAddress("pushState");
		this.apply();
	}

	writeAddress(how) {
		try {
			if (this.addressOf(this.state) !== (location.hash || "#"))
				history[how](null, "", this.addressOf(this.state));
		} catch {
			/* Where a page may not keep a history, it is shown all the same. */
		}
	}

	async apply() {
		const { b } = this.state, summary = this.index.benches.find(({ id }) => id === b);
		try {
			await this.open(summary);
		} catch (error) {
			/* Something else may have been asked for meanwhile. */
			if (b === this.state.b)
				this.refuse(error);
		}
	}

	/* Says what is wrong instead of showing a part of it. */
	refuse(error) {
		byId("main").replaceChildren(h("p.empty", { role: "alert" }, error.message));
		this.opened = this.view = undefined;
	}

	async open(summary) {
		const wanted = summary?.id ?? "";
		if (this.opened !== wanted) {
			const first = this.opened === undefined;
			this.opened = wanted;
			const view = summary ? new BenchView(this, summary, await loadPiece(`bench/${summary.id}/bench`, summary.version)) : new Overview(this);
			/* Something else may have been asked for meanwhile. */
			if (this.opened !== wanted)
				return;
			this.view = view;
			byId("main").replaceChildren(...view.elements);
			this.back.hidden = !summary;
			document.title = summary ? `${visible(summary.name)} \u2013 ${visible(this.index.project)}` : `${visible(this.index.project)}: benchmarks`;
			scrollTo(0, 0);
			/* What had the focus is gone. */
			if (!first)
				byId("main").focus({ preventScroll: true });
		}
		await this.view?.update(this.state);
	}

	isOpen(view) {
		return this.view === view;
	}

	onKey(event) {
		const typing = event.target.closest?.("input, select, textarea");
		if (event.key === "/" && !typing && byId("search")) {
			event.preventDefault();
			byId("search").focus();
		}
	}
}

/* Both scripts have run by then, if they could be loaded. */
addEventListener("DOMContentLoaded", async () => {
	const refuse = (text) => byId("main").replaceChildren(h("p.empty", { role: "alert" }, text));
	if (!pieces.has("data"))
		refuse("data.js, which belongs to this page, cannot be loaded.");
	else if ((await pieces.get("data").value).version !== 2)
		refuse("The data of this site is of another version of irdiff than this page; reload the page.");
	else
		globalThis.site = new Site(await pieces.get("data").value);
});
